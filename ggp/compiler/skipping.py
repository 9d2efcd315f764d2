"""Loops over cells that need no loop: the consumer counts the items, or asks for one, and a round only yields.

The consumers are calls of `count_of` and `item_at` (`intrinsics.py`). A consumer may be some generators away. A loop
over cells is a loop over a set of `ggp.Bits`, or one over the bits of a whole number that clears the lowest bit in each
round:

    while free:
        yield (free & -free).bit_length() - 1
        free &= free - 1
"""

import attrs

from ggp.compiler import core, library
from ggp.compiler.abstract import NEVER, Abstract, Fixed, Parts, Runtime, number
from ggp.compiler.front import open_core
from ggp.compiler.intrinsics import count_of, item_at, listed_item
from ggp.compiler.specialization import Activation, Specializer
from ggp.compiler.types import BITS, BOOL, INT, BitsOf

DEEP = 3
"""If counting the items takes as many loops within loops as this, they are listed instead. Random games of nine men's
morris are 20 % faster so; those of three men's morris, with two such loops, would take 1.5 times as long.
"""


@attrs.frozen
class Rounds:
    """The rounds of a loop."""

    loop: core.Each | core.Loop
    body: core.Block
    variable: str
    """The variable with the cell, or with the number whose bits are left."""


def generated(s: Specializer, items: Abstract) -> Abstract:
    """Return the cells of a set as a generator, whose loop may be left out; return other items as they are."""
    is_set = isinstance(items, Runtime) and isinstance(items.kind, BitsOf)
    return s.call_python(library.each_of, [items], {}) if is_set else items


def consumer_of(s: Specializer, loop: core.Each, scope: Activation) -> Activation | None:
    """Return the call to which a loop passes on one item in each round, without doing anything else; otherwise None."""
    if scope.function in (open_core(item_at), open_core(count_of)):
        return scope
    return s.consumers.get(scope.yields) if _only_yields(loop, loop.body, {loop.target}, scope) else None


def skip(s: Specializer, loop: core.Each, scope: Activation, items: Abstract, consumer: Activation | None) -> bool:
    """Write a loop over a set without a loop, and return True; return False if there has to be one."""
    if consumer is None or not isinstance(items, Runtime) or not isinstance(items.kind, BitsOf):
        return False
    return _skip(s, Rounds(loop, loop.body, loop.target), scope, items, consumer)


def skip_while(s: Specializer, loop: core.Loop, scope: Activation) -> bool:
    """Write a loop over the bits of a number without a loop, and return True; return False if there has to be one."""
    consumer = s.consumers.get(scope.yields)
    rounds = _bits_of_number(loop, scope) if consumer is not None else None
    if consumer is None or rounds is None:
        return False
    word = s.value(core.Local(rounds.variable), scope)
    if s.env is None or not isinstance(word, Runtime) or word.kind != INT:
        return False
    below = s.emit("lt", word, number(0), kind=BOOL)  # in Python, such a loop would not end
    s.fail_if(below, None)
    return s.env is not None and _skip(s, rounds, scope, s.emit("bits", word, kind=BITS), consumer)


def _skip(s: Specializer, rounds: Rounds, scope: Activation, cells: Runtime, consumer: Activation) -> bool:
    changing = "changing", s.below(id(rounds.loop))
    if s.is_reordered or scope.is_reordered or s.fact(changing):
        return False
    if consumer.function is open_core(count_of):
        if scope is not consumer and not _is_harmless(s, rounds, scope, cells):
            return False
        _count(s, rounds, scope, cells, consumer)
    elif not _find(s, rounds, scope, cells, consumer):
        s.learn(changing, True)
    return True


def _count(s: Specializer, rounds: Rounds, scope: Activation, cells: Runtime, consumer: Activation) -> None:
    """Add the number of cells to the consumer's count."""
    count = s.runtime(s.value(core.Local("count"), consumer))
    found = s.emit("bit_count", cells, kind=INT)
    s.set("count", s.emit("add", count, found, kind=INT, detail=False), consumer)
    _end(s, rounds, scope)


def _find(s: Specializer, rounds: Rounds, scope: Activation, cells: Runtime, consumer: Activation) -> bool:
    """Write the round of the item that the consumer asks for, or subtract the number of cells from its index.

    Return False if a round changes what a later round may read, so that the earlier rounds have to run, too.
    """
    index, effects = s.runtime(s.value(core.Local("index"), consumer)), len(s.effects)
    count = s.emit("bit_count", cells, kind=INT)

    def this() -> None:
        s.set("index", Fixed(0), consumer)
        _run(s, rounds, scope, cells, index)

    def later() -> None:
        s.set("index", s.emit("sub", index, count, kind=INT, detail=False), consumer)
        _end(s, rounds, scope)

    s.branch(s.emit("lt", index, count, kind=BOOL), this, later)
    return _changes_nothing(s, effects)


def _run(s: Specializer, rounds: Rounds, scope: Activation, cells: Runtime, index: Runtime) -> None:
    """Write the round of the cell with an index."""
    value = s.emit("cell_at", cells, index, kind=INT)
    if isinstance(rounds.loop, core.Loop):  # the bits that are left: the cell and those above it
        word = s.runtime(s.value(core.Local(rounds.variable), scope))
        value = s.emit("shl", s.emit("shr", word, value, kind=INT), value, kind=INT, detail=False)
    s.set(rounds.variable, value, scope)
    s.rounds += 1
    s.run(rounds.body, scope)
    s.rounds -= 1


def _end(s: Specializer, rounds: Rounds, scope: Activation) -> None:
    """Set the variable to what it has after the loop."""
    if isinstance(rounds.loop, core.Loop):
        s.set(rounds.variable, number(0), scope)


def _is_harmless(s: Specializer, rounds: Rounds, scope: Activation, cells: Runtime) -> bool:
    """Return whether neither a round nor what is done with its item changes anything or raises an exception."""
    env, block, raises, effects = s.env, s.block, s.raises, len(s.effects)
    assert env is not None
    s.env, s.block, s.raises = dict(env), [], False
    _run(s, rounds, scope, cells, number(0))
    harmless = s.env is not None and not s.raises and _changes_nothing(s, effects)
    del s.effects[effects:]
    s.env, s.block, s.raises = env, block, raises
    return harmless


def _changes_nothing(s: Specializer, effects: int) -> bool:
    """Return whether what was written after this number of effects changes only what it has made itself."""
    return all(s.is_made_below(each, s.path) for each in s.effects[effects:])


def random_item(s: Specializer, items_of: Abstract, given: Abstract, word: Abstract) -> Abstract:
    """Write `intrinsics.random_item`: count the items and compute one; if that takes deep loops, list them."""
    if s.env is None:
        return NEVER
    block = s.block
    start, effects, env = len(block), len(s.effects), dict(s.env)
    with s.inside("count"):
        count = s.call_python(count_of, [s.rules.callables.call(s, items_of, [given], {})], {})
    if s.env is None:
        return NEVER
    assert s.block is block
    if _depth(block[start:]) < DEEP:
        index = s.emit("spread", s.runtime(word), s.runtime(count), kind=INT)
        items = s.rules.callables.call(s, items_of, [given], {})
        return Parts((s.call_python(item_at, [items, index], {}), count))
    del block[start:], s.effects[effects:]
    s.env = env
    return s.call_python(listed_item, [s.rules.callables.call(s, items_of, [given], {}), word], {})


def _depth(block: core.Block) -> int:
    """Return how many loops are inside each other."""
    inner = ((isinstance(each, core.Loop), part) for each in block for part in core.blocks_in(each))
    return max((is_loop + _depth(part) for is_loop, part in inner), default=0)


# What the loops look like ---------------------------------------------------------------------------------------------


def _only_yields(loop: core.Each | core.Loop, body: core.Block, own: set[str], scope: Activation) -> bool:
    """Return whether each round of a loop yields one item, and leaves no variable but `own` for a later round."""
    yields = [each for each in body if isinstance(each, core.Yield)]
    if len(yields) != 1 or not all(isinstance(each, core.Assign | core.Yield) for each in body):
        return False
    assigned = {name for each in body if (name := core.target_of(each))} | own
    left = scope.liveness.heads[id(loop)] | scope.liveness.captured
    return not (assigned & left - own) and (isinstance(loop, core.Loop) or not own & left)


def _bits_of_number(loop: core.Loop, scope: Activation) -> Rounds | None:
    """Return the rounds of a loop that clears the lowest bit of a number until none is left; otherwise None."""
    first, *body = loop.body
    if not isinstance(first, core.If) or not isinstance(first.test, core.Local) or first.body:
        return None
    name = first.test.name
    leaves = [isinstance(each, core.Leave) and each.label == loop.label for each in first.otherwise]
    if leaves != [True] or not _only_yields(loop, body, {name}, scope) or name in scope.liveness.captured:
        return None
    made: dict[str, list[core.Operation | core.Atom]] = {}
    for each in body:
        if isinstance(each, core.Assign) and each.target:
            made.setdefault(each.target, []).append(each.value)
    once = {each: values[0] for each, values in made.items() if len(values) == 1}
    return Rounds(loop, body, name) if name in once and _clears_lowest(once, name) else None


def _clears_lowest(made: dict[str, core.Operation | core.Atom], name: str) -> bool:
    """Return whether a variable becomes `x & (x - 1)`, `x - (x & -x)` or `x ^ (x & -x)`.

    Arguments:
        made: the values of the variables that are assigned once.
    """
    x = core.Local(name)

    def made_by(atom: core.Atom | None) -> core.Operation | None:
        value = made.get(atom.name) if isinstance(atom, core.Local) else None
        return value if isinstance(value, core.Operation) else None

    def other(atom: core.Atom | None, symbols: str) -> core.Atom | None:
        """Return the other operand of an operation on x with one of these symbols."""
        value = made_by(atom)
        if value is None or value.name not in ("binary", "inplace") or str(value.detail) not in symbols:
            return None
        one, two = value.operands
        if one == x:
            return two
        return one if two == x and value.detail != "-" else None

    less = other(x, "&")
    if less is not None:
        one = other(less, "-")
        return isinstance(one, core.Constant) and type(one.value) is int and one.value == 1
    negative = made_by(other(other(x, "-^"), "&"))
    return negative is not None and (negative.name, negative.detail, negative.operands) == ("unary", "-", (x,))
