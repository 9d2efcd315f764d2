"""Regions: parts of a program after which the memory of lists and objects is given back.

Memory is taken from the beginning of the arena. At the end of a function's call, and of each round of a loop, the
beginning of the arena is reset, which gives the memory back. The memory of a *region* may be given back in this way if
nothing made in the region is used after the region. If a region makes something that is used after the region, or if an
older list grows in the region, the region begins again at that point. From then on, it gives back only the memory of
what is made later.

Variables show which memory is used where. Variables that may share memory are a *group*: a list and its items, a
variable and its copies, an argument and a result that may be a part of it.
"""

from collections.abc import Iterable, Sequence

import attrs

from ggp.compiler import core
from ggp.compiler.liveness import Liveness
from ggp.compiler.operations import OPERATIONS
from ggp.compiler.types import List, has_reference

CALL = ""
"""The region of a function's call; each other region has the label of its loop."""
MAKING = ("new_list", "copy", "list_of", "new")
"""Operations that make a list or an object."""
_RESULT = "return"
"""The name of the result; no variable can have it."""


@attrs.frozen
class Effects:
    """The memory that a call takes, and which of its arguments and results may share memory."""

    groups: tuple[int | None, ...]
    """The group of each argument and of the result; None for a value without lists and objects."""
    taking: frozenset[int]
    """The groups whose values take memory."""


@attrs.define
class Regions:
    """The regions of a function."""

    releasing: frozenset[str] = frozenset()
    """The regions that give memory back."""
    begun: dict[int, list[str]] = attrs.field(factory=dict)
    """The regions that begin again after each assignment that takes memory, by the identity of the assignment."""


def effects_of(functions: Iterable[core.TypedFunction]) -> dict[int, Effects]:
    """Return the effects of each function that handles lists or objects, by the function's identity."""
    concerned = [each for each in functions if any(map(has_reference, each.variables.values()))]
    effects = {id(each): Effects(tuple(range(len(each.parameters) + 1)), frozenset()) for each in concerned}
    while True:
        before = dict(effects)
        for each in reversed(concerned):  # those that are called are behind their callers
            effects[id(each)] = _Groups(each, effects).effects()
        if effects == before:
            return effects


def regions_of(function: core.TypedFunction, effects: dict[int, Effects]) -> Regions:
    """Return the regions of a function."""
    if id(function) not in effects:
        return Regions()
    groups = _Groups(function, effects)
    if not groups.taken:
        return Regions()
    places = _Places(function, groups)
    made = Regions()
    releasing: set[str] = set()
    begun: dict[int, set[str]] = {}
    for statement, name in groups.taken:
        around = places.around[id(statement)]
        dying = places.dying(groups.find(name)) if name else around | {CALL}
        releasing |= dying & (around | {CALL})
        begun.setdefault(id(statement), set()).update((around | {CALL}) - dying)  # a call may take for several
    made.releasing = frozenset(releasing)
    made.begun = {key: sorted(regions & releasing) for key, regions in begun.items()}
    return made


class _Groups:
    """The variables of a function, in groups that may share memory."""

    def __init__(self, function: core.TypedFunction, effects: dict[int, Effects]) -> None:
        self.function, self.called = function, effects
        self.first: dict[str, str] = {}
        self.taken: list[tuple[core.Assign, str]] = []
        """The assignments that take memory, each with a variable that holds the memory, or "" if none does."""
        for each in core.statements_in(function.body):
            if isinstance(each, core.Return):
                self.unite([_RESULT, *self.names((each.value,))])
            elif isinstance(each, core.Assign):
                self._assignment(each)

    def _assignment(self, each: core.Assign) -> None:
        value, own = each.value, self.names((core.Local(each.target),) if each.target else ())
        if not isinstance(value, core.Operation):
            self.unite(own + self.names((value,)))
            return
        used = self.names(value.operands)
        if value.name == "call":
            self._call(each, value)
        elif value.name == "address":
            self.unite([_RESULT, *used])
        elif value.name == "copy" and not (own and self._holds_references(own[0])):
            pass  # another list: the items of neither are those of the other
        elif own or OPERATIONS[value.name].writes:
            self.unite(own + used)
        if value.name in MAKING:
            self.taken.append((each, own[0] if own else ""))
        elif value.name == "append":
            self.taken.append((each, used[0]))

    def _call(self, each: core.Assign, value: core.Operation) -> None:
        effects = self.called.get(id(value.detail))
        if effects is None:
            return
        members: dict[int | None, list[str]] = {group: [] for group in effects.taking}
        for group, atom in zip(effects.groups, (*value.operands, core.Local(each.target or "")), strict=True):
            members.setdefault(group, []).extend(self.names((atom,)))
        for group, names in members.items():
            self.unite(names)
            if group in effects.taking:
                self.taken.append((each, names[0] if names else ""))

    def _holds_references(self, name: str) -> bool:
        kind = self.function.variables[name]
        return isinstance(kind, List) and has_reference(kind.item)

    def names(self, atoms: Sequence[core.Atom]) -> list[str]:
        """Return the names of all atoms that are variables with lists or objects."""
        kinds = self.function.variables
        names = [each.name for each in atoms if isinstance(each, core.Local)]
        return [each for each in names if each in kinds and has_reference(kinds[each])]

    def find(self, name: str) -> str:
        """Return the variable that stands for the group of a variable."""
        while (above := self.first.get(name, name)) != name:
            self.first[name] = self.first.get(above, above)
            name = above
        return name

    def unite(self, names: list[str]) -> None:
        for each in names[1:]:
            self.first[self.find(each)] = self.find(names[0])

    def effects(self) -> Effects:
        """Return the effects of a call of the function."""
        numbers: dict[str, int] = {}
        variables = self.function.variables
        groups = [
            numbers.setdefault(self.find(name), len(numbers)) if has_reference(kind) else None
            for name, kind in [*[(name, variables[name]) for name in self.function.parameters],
                               (_RESULT, self.function.result)]
        ]  # fmt: skip
        taking = {numbers.get(self.find(name)) for _, name in self.taken if name}
        return Effects(tuple(groups), frozenset(each for each in taking if each is not None))


class _Places:
    """The loops in which the statements of a function run, and the loops in which its groups are used."""

    def __init__(self, function: core.TypedFunction, groups: _Groups) -> None:
        self.function, self.groups = function, groups
        self.around: dict[int, frozenset[str]] = {}
        """The loops that contain an assignment, by the identity of the assignment."""
        self.used: dict[str, frozenset[str]] = {}
        """The loops that contain all uses of a group."""
        self._loops: dict[str, core.Loop] = {}
        for name in (*function.parameters, _RESULT):
            self.used[groups.find(name)] = frozenset()
        self._walk(function.body, frozenset())
        heads = Liveness(function).heads if self._loops else {}
        self._needed = {
            label: {groups.find(name) for name in heads[id(each)]} for label, each in self._loops.items()
        }  # fmt: skip
        """The groups with a value that one round of a loop passes to the next."""

    def dying(self, group: str) -> frozenset[str]:
        """Return the regions after which no variable of a group is used."""
        loops = {label for label in self.used[group] if group not in self._needed[label]}
        outlives = any(self.groups.find(name) == group for name in (*self.function.parameters, _RESULT))
        return frozenset(loops if outlives else loops | {CALL})

    def _use(self, around: frozenset[str], *atoms: core.Atom) -> None:
        for name in self.groups.names(atoms):
            group = self.groups.find(name)
            self.used[group] = self.used.get(group, around) & around

    def _walk(self, block: core.Block, around: frozenset[str]) -> None:
        for each in block:
            if isinstance(each, core.Assign):
                self.around[id(each)] = around
                operands = each.value.operands if isinstance(each.value, core.Operation) else (each.value,)
                self._use(around, core.Local(each.target or ""), *operands)
            elif isinstance(each, core.If):
                self._walk(each.body, around)
                self._walk(each.otherwise, around)
            elif isinstance(each, core.Labelled):
                self._walk(each.body, around)
            elif isinstance(each, core.Loop):
                self._loops[each.label] = each
                self._walk(each.body, around | {each.label})
            elif isinstance(each, core.Attempt):
                self._walk(each.body, around)
                self._walk(each.handler, around)
