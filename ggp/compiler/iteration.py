"""Rules for loops: over known items, tuples, lists, bits, ranges and generators."""

from collections.abc import Callable, Iterable, Sequence

from ggp.bits import Bits
from ggp.compiler import arithmetic, containers, letters, library
from ggp.compiler.abstract import Abstract, Fixed, Iterator, Parts, Runtime, is_array, number, values_of
from ggp.compiler.field_dicts import Fields
from ggp.compiler.refusals import Refused
from ggp.compiler.specialization import MOST_UNROLLED, UNORDERED, UNROLLED, Specializer, Target
from ggp.compiler.types import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    NONE,
    BitsOf,
    List,
    NotRepresentable,
    ObjectOf,
    OneOf,
    Tuple,
    field_keys,
    in_one_order,
)

Consumer = Callable[[Abstract], None]

MOST_COPIES = 300
"""Maximum number of items of a loop that has to be unrolled, because its items differ in type."""
MOST_COPIED = 600
"""Maximum number of statements that unrolling may produce for a loop that need not be unrolled."""

MOST_WRITTEN = 800
"""If a loop need not be unrolled, it is unrolled only to this number of statements, called functions included.
LLVM inlines the called functions: with six copies of Awari's moves, LLVM took three times as long.
"""


def iterate(s: Specializer, items: Abstract, emit: Consumer, size: int) -> None:
    """Write a loop over the items of a value.

    Arguments:
        size: the number of statements of the loop's body; it decides whether the loop is unrolled.
    """
    if s.env is None:
        return
    with s.inside("loop"):
        _iterate(s, items, emit, size)


def _iterate(s: Specializer, items: Abstract, emit: Consumer, size: int) -> None:
    items = containers.plain(s, items)
    if is_array(items):
        items = s.rules.arrays.iterate(s, items)
    if isinstance(items, Iterator):
        items.run(emit)
        return
    if s.rules.class_of(items) in library.LOCAL_SETS:
        if not s.in_any_order:
            raise s.refuse(UNORDERED)
        held = s.runtime(s.rules.attribute_of(s, items, "items"))
        count = s.runtime(containers.length_of(s, held))
        if s.env is not None and held.kind != BOTTOM:
            indexed(s, held, _reordered(s, emit), count)
            if s.env is not None:  # a set that grows meanwhile is an error in Python
                s.fail_if(s.emit("ne", s.runtime(containers.length_of(s, held)), count, kind=BOOL), None)
        return
    if has_own_iterator(s, items):
        iterator = own_iterator(s, items)
        if s.env is not None:
            _iterate(s, iterator, emit, size)
        return
    if isinstance(items, Fixed):
        _known(s, items.value, emit, size)
        return
    if isinstance(items, Runtime) and items.kind == BOTTOM:
        s.env = None
        return
    if isinstance(items, Runtime) and isinstance(items.kind, BitsOf):
        _iterate(s, s.call_python(library.cells, [items], {}), emit, size)
        return
    if isinstance(items, Runtime) and isinstance(items.kind, OneOf):
        only = s.only_type(items, containers.is_plain_tuple)
        if only is None:
            raise s.refuse(f"a loop over a value that is a {items.kind} is not compiled; use isinstance(...)")
        items = only
    items = letters.of_letters(s, items)
    fixed = containers.fixed_items(s, items) if _is_short(s, items, size) or letters.is_one(items) else None
    if fixed is not None:
        unroll(s, fixed, emit)
        return
    try:
        kind = s.kind_of(items)
    except NotRepresentable as error:
        raise s.refuse(str(error)) from None
    if isinstance(kind, (Tuple, List)):
        try:
            alike = containers.as_alike(s, items)
            if isinstance(alike.kind, List) and isinstance(alike.kind.item, OneOf) and isinstance(kind, Tuple):
                raise s.refuse("items of several types")
        except Refused:
            fixed = containers.fixed_items(s, items)
            if fixed is None or len(fixed) > MOST_COPIES:
                raise
            unroll(s, fixed, emit)
            return
        indexed(s, alike, emit)
        return
    if isinstance(kind, ObjectOf):
        if field_keys(kind.cls) is not None:
            raise s.refuse(containers.WITHOUT_ORDER)
        raise s.refuse(f"a {kind} cannot be looped over: it has no __iter__")
    s.not_taken("a loop", [items], "__iter__", "__getitem__")


def has_own_iterator(s: Specializer, items: Abstract) -> bool:
    """Return whether the items of a loop come from an author's method, `__iter__` or `__getitem__`."""
    return s.rules.special(s, items, "__iter__") not in (None, Bits.__iter__) or _has_items(s, items)


def _has_items(s: Specializer, items: Abstract) -> bool:
    """Return whether an author's object has no `__iter__`, but has `__getitem__`, which returns items by index."""
    own = s.rules.class_of(items) or (type(items.value) if isinstance(items, Fixed) else None)
    return own is not None and not hasattr(own, "__iter__") and s.rules.special(s, items, "__getitem__") is not None


def opened(s: Specializer, items: Abstract) -> Abstract:
    """Return items in a form for a loop that runs later. Raise an error now if no loop can run over them."""
    items = containers.plain(s, items)
    if has_own_iterator(s, items):
        return own_iterator(s, items)
    own = s.rules.class_of(items) if isinstance(items, Runtime) and isinstance(items.kind, ObjectOf) else None
    if own and own not in library.AS_PYTHON and not hasattr(own, "__iter__"):
        return s.not_taken("a loop", [items], "__getitem__")
    if own and own not in library.AS_PYTHON and own.__iter__ is None:
        return s.fails(TypeError)
    if isinstance(items, Fixed) and not any(hasattr(type(items.value), name) for name in ("__iter__", "__getitem__")):
        return s.fails(TypeError)
    if isinstance(items, Runtime) and items.kind in (INT, BOOL, FLOAT, NONE):
        return s.fails(TypeError)
    return items


def own_iterator(s: Specializer, items: Abstract) -> Abstract:
    """Return an iterator over the result of an author's `__iter__`, which is called once, here."""
    if _has_items(s, items):
        return s.call_python(library.by_index, [items], {})
    iterator = s.call_python(s.rules.special(s, items, "__iter__"), [items], {})
    if s.rules.special(s, iterator, "__next__") is not None:
        return s.call_python(library.by_next, [iterator], {})
    return s.fails(TypeError) if isinstance(iterator, Runtime) and isinstance(iterator.kind, ObjectOf) else iterator


def _reordered(s: Specializer, emit: Consumer) -> Consumer:
    """Return a consumer that also notes that the items come in another order than in Python."""

    def run(each: Abstract) -> None:
        before, s.is_reordered = s.is_reordered, True
        emit(each)
        s.is_reordered = before

    return run


def _is_short(s: Specializer, items: Abstract, size: int) -> bool:
    count = len(items.items) if isinstance(items, Parts) else -1
    if isinstance(items, Runtime) and isinstance(items.kind, Tuple):
        count = len(items.kind.items)
    return count >= 0 and may_unroll(s, count, size)


def may_unroll(s: Specializer, count: int, size: int) -> bool:
    """Return whether a loop is short enough to be unrolled."""
    small = count <= UNROLLED or count * size <= UNROLLED
    return small and count * s.copies <= MOST_UNROLLED and count * s.copies * size <= MOST_COPIED


def unrolled(s: Specializer, items: Sequence[Abstract], emit: Consumer) -> bool:
    """Write the body once for each item, and return True. If an earlier pass found the code too long, return False.

    The size of a body, including the functions that it calls, is known only after it is written. So a loop that is too
    long is unrolled in one pass, and stays a loop from the next pass on.
    """
    site = "looped", s.below("looped")
    if s.fact(site):
        return False
    before = s.weight
    unroll(s, items, emit)
    if len(items) > 1 and s.weight - before > MOST_WRITTEN and not s.unrolls_freely:
        s.learn(site, True)
        s.keeps_loops = True
    return True


def unroll(s: Specializer, items: Sequence[Abstract], emit: Consumer) -> None:
    """Write the body once for each item."""
    outer, copies = s.path, s.copies
    s.copies *= max(1, len(items))
    for index, each in enumerate(items):
        if s.env is None:
            break
        s.path = outer
        s.path = s.below(("copy", index))
        emit(each)
    s.path, s.copies = outer, copies


def _known(s: Specializer, value: Iterable[object], emit: Consumer, size: int) -> None:
    if isinstance(value, range):
        if not may_unroll(s, len(value), size) or not unrolled(s, [Fixed(each) for each in value], emit):
            counted(s, Fixed(value.start), Fixed(value.stop), Fixed(value.step), emit)
        return
    if isinstance(value, (set, frozenset)) and not in_one_order(value):
        if not s.in_any_order:
            raise s.refuse(UNORDERED)
        value, emit = sorted(value, key=repr), _reordered(s, emit)
    try:
        items = list(value)
    except TypeError:
        s.fails(TypeError)
        return
    if isinstance(value, Fields):
        unroll(s, [Fixed(each) for each in items], emit)
        return
    if may_unroll(s, len(items), size) and unrolled(s, [Fixed(each) for each in items], emit):
        return
    try:
        kind = containers._kind_of_items(items, tuple)
    except NotRepresentable:
        if len(items) > MOST_COPIES:
            raise s.refuse(f"a loop over {len(items)} items of different types is not compiled") from None
        unroll(s, [Fixed(each) for each in items], emit)
        return
    indexed(s, containers.constant(s, items, kind), emit)


def counting(s: Specializer, first: Runtime, body: Callable[[Runtime, Target], None], key: object) -> None:
    """Write a loop with a counter; the body must set `%next` to the counter's next value."""
    assert s.env is not None
    variable = s.below(key), "%next"
    s.env[variable] = first
    s.loops += 1

    def round_(target: Target) -> None:
        assert s.env is not None
        index = s.env[variable]
        body(s.runtime(index), target)

    s.loop(key, round_)
    s.loops -= 1
    if s.env is not None:
        s.env.pop(variable, None)


def indexed(s: Specializer, sequence: Runtime, emit: Consumer, count: Runtime | None = None) -> None:
    """Write a loop over a list, which may grow during the loop, or over a tuple whose items have one type.

    Arguments:
        count: the number of items, if the loop leaves out items that are added while it runs.
    """
    key = "items"
    variable = s.below(key), "%next"

    def body(index: Runtime, target: Target) -> None:
        length = count or s.runtime(containers.length_of(s, sequence))
        s.branch(s.emit("ge", index, length, kind=BOOL), lambda: s.leave(target), lambda: None)
        if s.env is None:
            return
        if isinstance(sequence.kind, Tuple):
            item = s.emit("pick", sequence, index, kind=sequence.kind.items[0])
        else:
            item = s.emit("get", sequence, index, kind=sequence.kind.item)  # type: ignore[attr-defined]
        s.env[variable] = s.emit("add", index, number(1), kind=INT, detail=False)
        emit(item)

    counting(s, number(0), body, key)


def counted(s: Specializer, start: Abstract, stop: Abstract, step: Abstract, emit: Consumer) -> None:
    """Write a loop over a range."""
    first, last = arithmetic.whole(s, start), arithmetic.whole(s, stop)
    stride = arithmetic.whole(s, step)
    if s.env is None:
        return
    fixed = step.value if isinstance(step, Fixed) else None
    if fixed == 0:
        s.fails(ValueError)
        return
    if fixed is None:
        s.fail_if(s.emit("eq", stride, number(0), kind=BOOL), ValueError)
    key = "range"
    variable = s.below(key), "%next"

    def body(index: Runtime, target: Target) -> None:
        if fixed is not None:
            ended = s.emit("ge" if fixed > 0 else "le", index, last, kind=BOOL)
        else:
            up = s.emit("gt", stride, number(0), kind=BOOL)
            ended = s.runtime(
                s.either(up, lambda: s.emit("ge", index, last, kind=BOOL), lambda: s.emit("le", index, last, kind=BOOL))
            )
        s.branch(ended, lambda: s.leave(target), lambda: None)
        if s.env is None:
            return
        s.env[variable] = s.emit("add", index, stride, kind=INT, detail=fixed not in (1, -1))
        emit(index)

    counting(s, first, body, key)


def range_of(s: Specializer, bounds: list[Abstract]) -> Abstract:
    """Return `range(start, stop, step)`."""
    fixed = values_of(bounds)
    if fixed is not None:
        return s.computed(range, *fixed)
    start, stop, step = [Fixed(0), bounds[0], Fixed(1)] if len(bounds) == 1 else [*bounds, Fixed(1)][:3]
    given = [
        each if isinstance(each, Fixed) else arithmetic.whole(s, containers.plain(s, each))
        for each in (start, stop, step)
    ]
    return Iterator(
        "range",
        lambda emit: counted(s, given[0], given[1], given[2], emit),
        once=False,
        length=lambda: s.call_python(library.range_length, list(given), {}),
        detail=given,
    )
