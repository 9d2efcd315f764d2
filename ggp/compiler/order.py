"""Loops over sets: whether the results of a loop may depend on the order of the items.

A set has the same items in every run, but not always in the same order. A loop over a set is compiled only if its body
does nothing but add items to other sets, count, sum up, set a variable to a constant, or end the loop, by `break` or by
returning a constant. The effects of functions that a round calls are known only after running them abstractly
(`Specializer.effects`).
"""

from ggp.compiler import core
from ggp.compiler.liveness import Liveness, mentioned, read

SUMS = ("+", "|")
"""Operators that combine whole numbers or sets with the same result in any order."""


class RoundsInAnyOrder:
    """The rounds of a loop: whether they may run in any order, and which variables keep a value after the loop."""

    def __init__(self, loop: core.Each, function: core.Function, live: Liveness, yields: bool) -> None:
        """Look at a loop.

        Arguments:
            live: the liveness of the function.
            yields: if true, the order in which the loop yields items makes no difference to their consumer.
        """
        self.adds: set[int] = set()
        """The ids of the statements that add to a set."""
        self.is_trusted = False
        """Whether the loop belongs to a function of the library that is known to be safe."""
        self.totals: set[str] = set()
        """The variables to which the loop adds: whole numbers, or sets."""
        self._loop, self._yields = loop, yields
        self._assigned = {name for each in core.statements_in(loop.body) if (name := core.target_of(each))}
        self._carried: set[str] = set()
        self._labels: dict[str, list[set[str]]] = {}
        self.returns = False
        """Whether a round may return from the function."""
        self._exits = 0
        self._constants: dict[str, list[object]] = {}
        self.is_free = self._look(function, live)

    def _look(self, function: core.Function, live: Liveness) -> bool:
        body = list(core.statements_in(self._loop.body))
        if any(isinstance(each, (core.Try, core.Raise, core.Unset)) for each in body):
            return False
        if any(isinstance(each, core.Yield) for each in body) and not self._yields:
            return False
        if any(isinstance(each, core.Define) and assigns_outside(each.function) for each in body):
            return False
        inside = {id(each) for each in body}
        others = [each for each in core.statements_in(function.body) if id(each) not in inside]
        captured = {name for each in others if isinstance(each, core.Define) for name in _named(each.function)}
        receivers = self._receivers(body)
        if receivers is None or receivers & {each.name for each in function.parameters}:
            return False
        aliases = _aliases(function.body, receivers)
        if aliases & captured or any((aliases - receivers) & _reads_inside(each) for each in body):
            return False
        self._walk(self._loop.body, {self._loop.target})
        after = live.after[id(self._loop)]
        left = {name for name in self._assigned if name in self._carried or name in after or name in captured}
        for name in left:
            if name not in self._constants and not self._is_total(name, body):
                return False
        kept = left - self.totals
        if any(name in self._carried for name in kept):
            return False
        return self._ends_alike(kept)

    def _receivers(self, body: core.Block) -> set[str] | None:
        """Return the variables of the sets to which the loop adds items; None if the loop also reads one of these
        variables.
        """
        methods: dict[str, tuple[str, object]] = {}
        for each in body:
            value = each.value if isinstance(each, core.Assign) else None
            target = core.target_of(each)
            if target and isinstance(value, core.Operation) and value.name == "attribute" and value.detail == "add":
                if isinstance(value.operands[0], core.Local) and value.operands[0].name not in self._assigned:
                    methods[target] = value.operands[0].name, each
        receivers: set[str] = set()
        allowed: set[int] = set()
        for each in body:
            value = each.value if isinstance(each, core.Assign) else None
            if (
                not isinstance(value, core.Operation)
                or not value.operands
                or not isinstance(value.operands[0], core.Local)
            ):
                continue
            first = value.operands[0].name
            if value.name == "add" and first not in self._assigned:
                receivers.add(first)
            elif value.name == "call" and first in methods and len(value.operands) == 2:
                receivers.add(methods[first][0])
                allowed.add(id(methods[first][1]))
            else:
                continue
            self.adds.add(id(each))
        for each in body:
            names = _reads_inside(each)
            if id(each) in self.adds and isinstance(each, core.Assign) and isinstance(each.value, core.Operation):
                names = {atom.name for atom in each.value.operands[1:] if isinstance(atom, core.Local)}
            if names & receivers and id(each) not in allowed:
                return None
        return receivers

    def _is_total(self, name: str, body: core.Block) -> bool:
        """Return whether the loop only adds to a variable and never reads it."""
        sums = set()
        for each in body:
            value = each.value if isinstance(each, core.Assign) else None
            if isinstance(value, core.Operation) and value.name in ("binary", "inplace") and value.detail in SUMS:
                first, *rest = value.operands
                if first == core.Local(name) and core.Local(name) not in rest:
                    sums.add(id(each))
        through = {target for each in body if id(each) in sums and (target := core.target_of(each))} - {name}
        for each in body:
            names = _reads_inside(each)
            value = each.value if isinstance(each, core.Assign) and each.target == name else None
            back = value.name if isinstance(value, core.Local) else None
            if id(each) in sums:
                continue
            if name in names or (names & through and back is None):
                return False
            if core.target_of(each) == name and back not in through:
                return False
        if sums:
            self.totals.add(name)
            self.adds |= sums
        return bool(sums)

    def _ends_alike(self, kept: set[str]) -> bool:
        """Return whether the variables have the same constants after each way to leave the loop."""
        said: list[dict[str, object]] = []
        for block in _blocks(self._loop.body):
            constants: dict[str, object] = {}
            for each in block:
                if isinstance(each, core.Assign) and each.target in kept:
                    if not isinstance(each.value, core.Constant):
                        return False
                    constants[each.target] = each.value.value
            last = block[-1] if block else None
            if isinstance(last, core.Return) or (isinstance(last, core.Leave) and last.label not in self._inner()):
                if isinstance(last, core.Leave) and last.label != self._loop.label:
                    return False
                if isinstance(last, core.Return):
                    if not isinstance(last.value, core.Constant):
                        return False
                    constants[""] = last.value.value
                    self.returns = True
                constants[" "] = type(last)
                self._exits += 1
                said.append(constants)
            elif constants:
                said.append(constants)
        if self._exits:
            yields = any(isinstance(each, core.Yield) for each in core.statements_in(self._loop.body))
            if self.adds or yields or len(said) != self._exits:
                return False
            return all(_same(each, said[0]) for each in said)
        whole: dict[str, object] = {}
        for constants in said:
            for name, value in constants.items():
                if not _same({"": whole.setdefault(name, value)}, {"": value}):
                    return False
        return True

    def _inner(self) -> set[str]:
        return {
            each.label
            for each in core.statements_in(self._loop.body)
            if isinstance(each, (core.Labelled, core.Loop, core.Each))
        }

    # What is read in a round before the round has given it a value --------------------------------------------------

    def _walk(self, block: core.Block, given: set[str]) -> set[str] | None:
        """Return the variables that this round has certainly set when a block ends; None if no path reaches its end."""
        for each in block:
            for name in _reads_inside(each):
                if name in self._assigned and name not in given:
                    self._carried.add(name)
            if isinstance(each, core.If):
                ends = [self._walk(each.body, set(given)), self._walk(each.otherwise, set(given))]
                there = [end for end in ends if end is not None]
                if not there:
                    return None
                given = set.intersection(*there)
            elif isinstance(each, (core.Labelled, core.Loop)):
                self._labels[each.label] = []
                end = self._walk(each.body, set(given))
                ways = self._labels[each.label] + ([end] if end is not None and isinstance(each, core.Labelled) else [])
                if not ways:
                    return None
                given = set.intersection(*ways)
            elif isinstance(each, core.Each):
                self._labels[each.label] = []
                self._walk(each.body, given | {each.target})
            elif isinstance(each, core.Leave):
                self._labels.setdefault(each.label, []).append(set(given))
                return None
            elif isinstance(each, core.Return):
                return None
            target = core.target_of(each)
            if target and not isinstance(each, core.Each):
                given = given | {target}
                if isinstance(each, core.Assign) and isinstance(each.value, core.Constant):
                    self._constants.setdefault(target, []).append(each.value.value)
        return given


def _reads(each: object) -> set[str]:
    names: set[str] = set()
    for part in core.read_by(each):
        names |= read(part)
    return names


def _named(function: core.Function) -> set[str]:
    """Return the variables that a function mentions but does not own."""
    names = mentioned(function.body)
    for each in core.statements_in(function.body):
        if isinstance(each, core.Define):
            names |= _named(each.function)
    return names - function.variables


def assigns_outside(function: core.Function) -> bool:
    """Return whether a function assigns variables of enclosing functions."""
    for each in core.statements_in(function.body):
        target = core.target_of(each)
        if target and target not in function.variables:
            return True
        if isinstance(each, core.Define) and assigns_outside(each.function):
            return True
    return False


def _reads_inside(each: object) -> set[str]:
    """Return the variables that a statement itself reads. Its blocks, and a function that it defines, do not count."""
    return _reads(each) | _named(each.function) if isinstance(each, core.Define) else _reads(each)


def _aliases(block: core.Block, names: set[str]) -> set[str]:
    """Return the given names, and all other names that plain assignments may give to the same objects."""
    copies = [
        (each.target, each.value.name)
        for each in core.statements_in(block)
        if isinstance(each, core.Assign) and each.target and isinstance(each.value, core.Local)
    ]
    aliases = set(names)
    while more := {name for pair in copies if aliases & set(pair) for name in pair} - aliases:
        aliases |= more
    return aliases


def _blocks(block: core.Block) -> list[core.Block]:
    """Return a block and all blocks inside it."""
    return [block, *[deeper for each in block for inner in core.blocks_in(each) for deeper in _blocks(inner)]]


def _same(one: dict[str, object], other: dict[str, object]) -> bool:
    """Return whether two sets of variables have constants with the same values and the same types."""
    return one == other and [type(each) for each in one.values()] == [type(other[name]) for name in one]
