"""Liveness: which variables of a function are read later.

Where branches of open core meet, a variable must have a common value only if it is still needed; see
`ggp.compiler.specialization`. In closed core, a list that no later round of a loop reads gives its memory back; see
`ggp.compiler.regions`. In open core, copying a variable to another one counts as reading it, because it may raise an
exception. In closed core, a copy counts only if the other variable is read: specialization copies the variables that a
generator expression captures in each round of a loop.
"""

import weakref

from ggp.compiler import core

VariableNames = frozenset[str]
_COPYING = ("make", "part")
"""Operations of closed core that only copy the addresses of lists and objects, like the assignment of a variable."""


class Liveness:
    """The variables that are read after each statement, and at the beginning of each loop."""

    def __init__(self, function: core.Function | core.TypedFunction) -> None:
        self.after: dict[int, VariableNames] = {}
        """For each statement, by its identity: the variables that are read after it."""
        self.heads: dict[int, VariableNames] = {}
        """For each loop and each side of an `If`, by the identity of the statement: the variables that are read from
        its beginning on.
        """
        self.caught: dict[int, VariableNames] = {}
        """The variables that are read by the handlers of a `try` or after them, by the identity of the `try`."""
        self.captured = frozenset(captured(function.body))
        """The variables that inner functions use: each call of such a function may read them."""
        self._is_closed = isinstance(function, core.TypedFunction)
        self._walk(function.body, frozenset(), {}, frozenset())

    def _walk(
        self, block: core.Block, live: VariableNames, labels: dict[str, VariableNames], always: VariableNames
    ) -> VariableNames:
        """Return the variables that are live at the beginning of a block: they are read in the block or after it.

        Arguments:
            live: variables that are read after the block.
            labels: variables that are read after each enclosing block.
            always: variables that a handler of an enclosing `try` reads.
        """
        for each in reversed(block):
            live |= always
            self.after[id(each)] = live
            live = self._before(each, live, labels, always)
        return live | always

    def _before(
        self, each: core.Statement, live: VariableNames, labels: dict[str, VariableNames], always: VariableNames
    ) -> VariableNames:
        if isinstance(each, core.Assign):
            if self._is_closed and each.target not in live and _copies(each.value):
                return live
            return (live - {each.target} if each.target else live) | read(each.value)
        if isinstance(each, core.If):
            one = self._walk(each.body, live, labels, always)
            sides = self.heads[id(each)] = one | self._walk(each.otherwise, live, labels, always)
            return sides | read(each.test)
        if isinstance(each, core.Labelled):
            return self._walk(each.body, live, {**labels, each.label: live}, always)
        if isinstance(each, (core.Loop, core.Each)):
            return self._loop(each, live, {**labels, each.label: live}, always)
        if isinstance(each, core.Leave):
            return labels[each.label] | always
        if isinstance(each, (core.Return, core.Raise)):
            atom = each.value if isinstance(each, core.Return) else each.error
            return always | (read(atom) if atom is not None else frozenset())
        if isinstance(each, core.Yield):
            return live | read(each.value)
        if isinstance(each, core.Define):
            return (live - {each.target}).union(*[read(atom) for atom in each.defaults.values()])
        if isinstance(each, core.Unset):
            return live - {each.target}
        if isinstance(each, core.Attempt):
            handler = self._walk(each.handler, live, labels, always) - {each.caught}
            return self._walk(each.body, live, labels, always | handler)
        return self._try(each, live, labels, always)

    def _loop(
        self, each: core.Loop | core.Each, live: VariableNames, labels: dict[str, VariableNames], always: VariableNames
    ) -> VariableNames:
        head: VariableNames = frozenset()
        behind = live if isinstance(each, core.Each) else frozenset()
        while True:
            inner = self._walk(each.body, head | behind, labels, always)
            before = (inner - {each.target} if isinstance(each, core.Each) else inner) | behind
            if before <= head:
                break
            head |= before
        self.heads[id(each)] = head
        return head | read(each.items) if isinstance(each, core.Each) else head

    def _try(
        self, each: core.Try, live: VariableNames, labels: dict[str, VariableNames], always: VariableNames
    ) -> VariableNames:
        final = self._walk(each.final, live, labels, always) if each.final else live
        around = always | (final if each.final else frozenset())
        caught: VariableNames = frozenset()
        for handler in each.handlers:
            inner = self._walk(handler.body, final, labels, around)
            self._walk(handler.test, frozenset(), labels, around | inner)
            inner |= frozenset().union(*[read(one.value) for one in handler.test if isinstance(one, core.Assign)])
            caught |= (inner - {handler.name} if handler.name else inner) | (
                read(handler.classes) if handler.classes is not None else frozenset()
            )
        otherwise = self._walk(each.otherwise, final, labels, around) if each.otherwise else final
        before = self._walk(each.body, otherwise, labels, around | caught)
        self.caught[id(each)] = caught | around
        return before


def _copies(value: core.Operation | core.Atom) -> bool:
    """Return whether evaluating a value only copies it, without reading the memory of lists and objects."""
    return not isinstance(value, core.Operation) or value.name in _COPYING


def read(value: object) -> VariableNames:
    """Return the variables that an atom or an operation reads."""
    if isinstance(value, core.Local):
        return frozenset((value.name,))
    if isinstance(value, core.Operation):
        return frozenset(each.name for each in value.operands if isinstance(each, core.Local))
    return frozenset()


def captured(block: core.Block) -> set[str]:
    """Return all variables that inner functions of a block mention."""
    names: set[str] = set()
    for each in core.statements_in(block):
        if isinstance(each, core.Define):
            names |= mentioned(each.function.body) | captured(each.function.body)
    return names


def mentioned(block: core.Block) -> set[str]:
    """Return all variables that a block reads or assigns."""
    names: set[str] = set()
    for each in core.statements_in(block):
        for part in core.read_by(each):
            names |= read(part)
        if target := core.target_of(each):
            names.add(target)
        for handler in each.handlers if isinstance(each, core.Try) else ():
            names |= read(handler.classes) | ({handler.name} if handler.name else set())
    return names


_found: "weakref.WeakKeyDictionary[core.Function, Liveness]" = weakref.WeakKeyDictionary()


def liveness(function: core.Function) -> Liveness:
    """Return the liveness of a function; each function is analysed once."""
    if function not in _found:
        _found[function] = Liveness(function)
    return _found[function]
