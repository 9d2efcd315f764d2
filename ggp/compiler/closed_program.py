"""A closed program: a function and all functions that it calls, in closed core, for known objects and types."""

from collections.abc import Callable, Hashable
from typing import TypeAlias

from ggp.capabilities import shared_variables_of, variables_of
from ggp.compiler import lowering, rules
from ggp.compiler.abstract import Abstract, Fixed, Runtime
from ggp.compiler.budget import Budget
from ggp.compiler.core import Local, TypedFunction
from ggp.compiler.front import open_core
from ggp.compiler.refusals import Refused
from ggp.compiler.specialization import TEXTS, Making, Restart, Specializer, defaults_of
from ggp.compiler.types import BOTTOM, NotRepresentable, Type, in_atoms, in_letters, texts_in, type_of
from ggp.game import AnyGame

MOST_STARTS = 40
Argument: TypeAlias = Fixed | Type | tuple[str, ...]
"""A known object, a type, or the key of a fact of the program."""


class ClosedProgram:
    """A function in closed core, with all that it calls."""

    def __init__(
        self,
        function: Callable[..., object],
        arguments: dict[str, Argument],
        facts: dict[Hashable, Type],
        objects: tuple[object, ...],
        contracts: dict[tuple[int, str], tuple[str]],
        game: AnyGame | None = None,
        unchecked: frozenset[str] = frozenset(),
        budget: Budget | None = None,
    ) -> None:
        """Specialize a function.

        Arguments:
            arguments: for each parameter, a `Fixed` object, a type, or the key of a fact whose type is still to be
                found.
            facts: the types of states, actions and keys, as far as they are known.
            objects: the known objects that have variables.
            contracts: for a method of a known object, the key of the fact about the type of its results.
            budget: the maximum cost of compiling.

        Raises:
            Refused: a part of the program cannot be compiled.
        """
        self.specializer = s = Specializer(rules, unchecked, budget)
        s.program_facts.update({key: in_letters(kind) for key, kind in facts.items()})
        if game is not None:
            s.texts |= texts_in(game.initial_state())
        s.contracts = contracts
        for number, thing in enumerate(objects):
            s.objects[id(thing)] = number
            s.alive.append(thing)
            for name in variables_of(thing):
                s.program_facts["variable", number, name] = in_letters(type_of(getattr(thing, name)))
        making = self._made(function, arguments)
        self.function: TypedFunction = making.function
        self.result = in_atoms(making.result)
        s.program_facts = {key: in_atoms(kind) for key, kind in s.program_facts.items()}
        self.variables = [
            (number, name, s.program_facts["variable", number, name])
            for number, thing in enumerate(objects)
            for name in variables_of(thing)
        ]
        self.shared = frozenset(
            (number, name) for number, thing in enumerate(objects) for name in shared_variables_of(thing)
        )

    def _made(self, function: Callable[..., object], arguments: dict[str, Argument]) -> Making:
        """Make the function again and again until no fact of the program changes; return it."""
        s = self.specializer
        for _ in range(MOST_STARTS):
            self._begin()
            try:
                making = s.function(function, self._given(function, arguments), ("entry",))
                if making.refused is not None:
                    raise making.refused
            except Restart:
                continue
            except (Refused, NotRepresentable) as error:
                if s.restart:
                    continue
                if not s.keeps_loops or s.unrolls_freely:
                    if isinstance(error, Refused):
                        raise
                    raise Refused(str(error)) from None
                s.unrolls_freely = True  # perhaps what a loop's body does can be done for known items only
                s.made.clear()
                s.facts.clear()
                continue
            if s.restart or s.asked_texts not in (None, s.texts):
                continue
            if making.result == BOTTOM:
                code = open_core(function)
                raise Refused(f"{function.__qualname__} never returns", (code.file, code.line))
            s.require_all_served(making)
            return making
        raise Refused(f"the types in {function.__qualname__} grow without end")

    def _begin(self) -> None:
        """Forget all results that depend on changed facts of the program."""
        s = self.specializer
        if s.asked_texts not in (None, s.texts):
            s.learned.add(TEXTS)
        if TEXTS in s.learned:
            s.asked_texts = None
        s.forget(s.learned)
        s.restart, s.learned = False, set()
        s.variants.clear()

    def _given(self, function: Callable[..., object], arguments: dict[str, Argument]) -> list[Abstract]:
        """Return the abstract value of each parameter."""
        given: list[Abstract] = []
        for parameter in open_core(function).parameters:
            name = parameter.keyword or parameter.name
            each = arguments.get(name)
            if each is None:
                given.append(defaults_of(function)[name])
            elif isinstance(each, Fixed):
                given.append(each)
            else:
                facts = self.specializer.program_facts
                kind = facts.get(each, BOTTOM) if isinstance(each, tuple) else in_letters(each)
                given.append(Runtime(Local(parameter.name), kind))
        return given

    def lowered(self) -> lowering.Module:
        """Return the program as an LLVM module."""
        layout, words = lowering.lay_out(self.variables)
        program = lowering.Module(layout, shared=self.shared)
        program.add_entry(self.function)
        self.words = words
        return program
