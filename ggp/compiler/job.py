"""Jobs: a function to compile, its fingerprint, and its translation to an object file."""

import functools
import inspect
import json
import random
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from ggp import frozen_games
from ggp.capabilities import code_of, declared, method_of, variables_of
from ggp.compiler import machine
from ggp.compiler.budget import Budget
from ggp.compiler.encoding import build, flatten
from ggp.compiler.fingerprint import Fingerprint, NoFingerprint, compiler_digest
from ggp.compiler.refusals import FAILS, Refused
from ggp.compiler.types import (
    BOOL,
    BOTTOM,
    LONG,
    SHORT,
    NotRepresentable,
    Type,
    classes_in,
    describe,
    has_names,
    in_atoms,
    is_thawed,
    roomy,
    size,
    type_of,
    with_room,
    with_texts,
)
from ggp.frozen_games import FrozenGame
from ggp.frozen_states import part_without_form
from ggp.game import AnyGame

if TYPE_CHECKING:
    from ggp.compiler.closed_program import ClosedProgram

STATE, ACTION = Type("state"), Type("action")
"""The types of the game's states and actions, which are found during translation."""


@functools.lru_cache(16)
def sampled(game: Any) -> tuple[Any, ...]:
    """Return states that random players reach; they show how lists in states grow."""
    chance, found, calls = random.Random(1), list[Any](), 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += 1

    outer = sys.getprofile()
    sys.setprofile(count)  # not the time, by which another machine would get other code
    try:
        for _ in range(PLAYOUTS):
            state = game.initial_state()
            for _ in range(PLIES):
                if game.terminal_test(state) or calls > SAMPLING:
                    break
                actions = list(game.actions(state)) or [action for action, _ in game.outcomes(state)]
                state = game.result(state, chance.choice(actions))
                found.append(state)
    except Exception:  # rules that fail are told of where they are searched
        return tuple(found)
    finally:
        sys.setprofile(outer)
    return tuple(found)


PLAYOUTS, PLIES, SAMPLING = 20, 100, 400_000
"""Limits of the random matches that measure how lists in states grow: matches; plies of each; calls and returns of
functions in all of them (a tenth of a second).
"""


def members_of(thing: object) -> list[Any]:
    """Return the objects that an object refers to, in a fixed order."""
    if hasattr(thing, "__dict__"):
        return list(vars(thing).values())
    kind = type(thing)
    return [
        getattr(thing, name) for name in (kind.__slots__ if hasattr(kind, "__slots__") else ()) if hasattr(thing, name)
    ]


def objects_of(arguments: tuple[object, ...]) -> tuple[Any, ...]:
    """Return the known objects with variables, each before the objects that it refers to."""
    found: list[object] = []
    pending = [each for each in reversed(arguments) if not isinstance(each, Type)]
    while pending:
        thing = pending.pop()
        if not variables_of(thing) or any(each is thing for each in found):
            continue
        found.append(thing)
        pending.extend(each for each in reversed(members_of(thing)) if hasattr(type(each), "variables"))
    return tuple(found)


class Named(NamedTuple):
    """The fingerprint of a job, the classes that it reaches, and the attributes that become part of its code."""

    name: str
    classes: dict[str, type]
    folded: tuple[tuple[Any, str, Any], ...]


@attrs.frozen
class Job:
    """A function to compile."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    game: AnyGame
    budget: Budget = attrs.field(factory=Budget)

    def name(self) -> Named | None:
        """Return the fingerprint, or None."""
        found = Fingerprint()
        try:
            found.note(compiler_digest())
            found.note(machine.versions())
            found.note(declared(self.game, "arithmetic"))
            found.add(self.function)
            for each in self.arguments:
                found.add(each)
                for kind in classes_in(each) if isinstance(each, Type) else ():
                    found.add(kind)
            for thing in objects_of(self.arguments):
                for name in type(thing).variables:
                    found.note(f"{name} {type_of(getattr(thing, name))};")
            if self.game is not None:
                found.add(self.game)
                for shape in self.state_and_action():
                    found.note(f"{shape};")
                    for kind in classes_in(shape):
                        found.add(kind)
            found.close()
        except (NoFingerprint, RecursionError):
            return None
        return Named(found.name(), found.classes, tuple(found.folded))

    def state_and_action(self) -> tuple[Type, Type]:
        """Return the types of the first state, and of its first action.

        Raises:
            Refused: the state or the action has a type that machine code does not support.
        """
        state = self.game.initial_state()
        try:
            kind = type_of(state)
            if is_thawed(kind) and not isinstance(self.game, FrozenGame):
                raise NotRepresentable(
                    "sets and objects in states are compiled only for what `playable(game)` has made"
                )
            if isinstance(self.game, FrozenGame):
                kind = roomy(functools.reduce(with_room, map(type_of, sampled(self.game)), kind))
                _require_equality(self.game, kind)
            if self.game.terminal_test(state):
                return kind, BOTTOM
            return kind, roomy(type_of(next(iter(self.game.actions(state)))))
        except NotRepresentable as error:
            if isinstance(self.game, FrozenGame):
                found = part_without_form(state)
                if found:
                    place, what, edit = found
                    where = f"{place} of a state" if place else "a state"
                    raise Refused(
                        f"{where} of {self.game.name} is {what}, which is not compiled: make it {edit}"
                    ) from None
                raise Refused(
                    f"states of {self.game.name} have no form in machine code: {error}. What stands at one place must"
                    " have one type in all states, such as None instead of an empty tuple"
                ) from None
            raise Refused(str(error), _place_of(self.game)) from None

    def build(self) -> bytes:
        """Compile, and return the header and the object file.

        Raises:
            Refused: something cannot be compiled.
        """
        from ggp.compiler.verifier import Malformed, verify

        made, kinds = self.specialized()
        try:
            program = made.lowered()
            for each in program.functions():
                verify(each)
            assembly = program.assembly()
            self.budget.spend(machine.work_on(assembly))
            code = machine.object_file(assembly, program.recursive())
        except (RuntimeError, Malformed) as error:
            raise Refused(f"{FAILS} on {self.function.__qualname__} ({error})", _place(self.function)) from error
        facts = made.specializer.program_facts
        header = {
            "result": describe(made.result),
            "arguments": [describe(in_atoms(each)) for each in kinds.values()],
            "layout": [[index, name, describe(kind), place] for (index, name), (kind, place) in program.layout.items()],
            "errors": [f"{each.__module__}.{each.__qualname__}" for each in program.errors],
            "context": made.words,
            "lists": program.uses_arena,
            "atoms": sorted(program.atoms),
            "words": [_words(facts.get((name,))) for name in ("state", "action", "key")],
        }
        return json.dumps(header).encode() + b"\n" + code

    def specialized(self) -> tuple["ClosedProgram", dict[str, Type]]:
        """Return the program in closed core, and the types of the arguments that are passed at each call."""
        try:
            given = [each for each in self.arguments if isinstance(each, Type)]
            # A name that is an argument is one word, whatever its length: texts as short are no boards then.
            return with_texts(self._specialized, Refused, (LONG,) if any(map(has_names, given)) else (LONG, SHORT))
        except Refused as error:
            if error.place is None or error.place[0] != frozen_games.__file__:
                raise
            # The line is one of ggp's own, between the rules and whoever calls them.
            raise Refused(
                f"states or actions of {self.game.name} have no form in machine code: {error.message}. Moves may be"
                " of up to four types: numbers, texts, tuples of one length, members of an Enum, and None. A list of"
                " several types has to be a tuple, a dictionary with texts as keys, or an object"
            ) from error

    def _specialized(self) -> tuple["ClosedProgram", dict[str, Type]]:
        from ggp.compiler.abstract import Fixed  # most commands compile nothing: they start without these
        from ggp.compiler.closed_program import ClosedProgram
        from ggp.compiler.specialization import MIXES

        facts: dict[Any, Any] = {}
        contracts: dict[Any, Any] = {}
        unchecked = declared(self.game, "arithmetic") == "unchecked"
        if self.game is not None:
            state, action = self.state_and_action()
            facts["state",], facts["action",] = state, action
            if isinstance(self.game, FrozenGame) and not _keeps_classes(self.game, state):
                facts[MIXES] = BOOL
            for name, fact in (("result", "state"), ("actions", "action"), ("canonical", "state"), ("key", "key")):
                contracts[id(self.game), name] = (fact,)
            if hasattr(self.game, "key"):
                facts["key",] = type_of(self.game.key(self.game.initial_state()))
        names = list(inspect.signature(self.function).parameters)
        given: dict[str, Any] = {}
        for name, each in zip(names, self.arguments, strict=False):
            if isinstance(each, Type):
                given[name] = (each.name,) if each in (STATE, ACTION) else each
            else:
                given[name] = Fixed(each)
        made = ClosedProgram(
            self.function, given, facts, objects_of(self.arguments), contracts, self.game,
            _packages(self.game) if unchecked else frozenset(), self.budget,
        )  # fmt: skip
        known = made.specializer.program_facts
        kinds = {
            name: known[each] if isinstance(each, tuple) else each
            for name, each in given.items()
            if not isinstance(each, Fixed)
        }
        return made, kinds

    def result_type(self) -> Type:
        """Return the type of the function's result."""
        return self.specialized()[0].result

    def classes(self) -> dict[str, type]:
        """Return the classes that the program reaches, for code without a fingerprint."""
        made, kinds = self.specialized()
        program = made.lowered()
        found = {f"{each.__module__}.{each.__qualname__}": each for each in program.errors}
        for kind in (made.result, *kinds.values(), *[kind for kind, _ in program.layout.values()]):
            found.update({f"{each.__module__}.{each.__qualname__}": each for each in classes_in(kind)})
        return found


def _require_equality(game: FrozenGame, kind: Type) -> None:
    """Check that states that are equal to the rules are equal in machine code.

    Raises:
        NotRepresentable: the author's own `__eq__` looks at a part of a state only.
    """
    seen: dict[object, list[int]] = {}
    for state in sampled(game) if is_thawed(kind) else ():
        words = flatten(state, kind)
        if seen.setdefault(state, words) != words:
            raise NotRepresentable("__eq__ says that states with different attributes are equal")


def _keeps_classes(game: FrozenGame, kind: Type) -> bool:
    """Return whether states come back from machine code with the classes of their numbers.

    A truth value becomes a whole number where whole numbers may stand, too, as in a dictionary of both.
    """
    try:
        for state in {game.initial_state(), *sampled(game)}:
            text = repr(state)
            words = flatten(state, kind) if "True" in text or "False" in text or "<" in text else None
            if words is not None and repr(build(iter(words), kind)) != text:
                return False
    except NotRepresentable:
        return False
    return True


def _words(kind: Type | None) -> int | None:
    """Return the number of words of the values of a type; None if it is not fixed."""
    try:
        return None if kind is None else size(kind)
    except NotRepresentable:
        return None


def _packages(game: AnyGame) -> frozenset[str]:
    """Return the packages of a game's class and of its base classes."""
    return frozenset(each.__module__.partition(".")[0] for each in type(game).__mro__ if each is not object)


def _place_of(game: AnyGame) -> tuple[str, int] | None:
    return _place(method_of(type(game), "initial_state"))


def _place(function: object) -> tuple[str, int] | None:
    code = code_of(function)
    return (code.co_filename, code.co_firstlineno) if code else None
