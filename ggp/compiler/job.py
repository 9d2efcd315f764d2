"""Jobs, the interface of the compiler.

A job is a function to compile, its fingerprint, and its translation to an object file. Each job is done once, and its
result is stored in memory and on disk.
"""

import builtins
import collections
import contextlib
import functools
import inspect
import json
import random
import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import attrs

from ggp import frozen_games
from ggp.capabilities import code_of, declared, method_of, name_of, variables_of
from ggp.compiler import cache, machine
from ggp.compiler.budget import Budget, TooMuchWork
from ggp.compiler.compiled_code import Code, objects_of
from ggp.compiler.encoding import atom, build, flatten
from ggp.compiler.fingerprint import Fingerprint, NoFingerprint, compiler_digest
from ggp.compiler.library import AS_PYTHON
from ggp.compiler.refusals import FAILS, Refused
from ggp.compiler.types import (
    BOOL,
    BOTTOM,
    LONG,
    ROWS,
    SHORT,
    Mixed,
    NotRepresentable,
    Type,
    classes_in,
    describe,
    described,
    has_names,
    has_reference,
    in_atoms,
    is_thawed,
    roomy,
    size,
    type_of,
    with_room,
    with_texts,
)
from ggp.frozen_games import FrozenGame
from ggp.frozen_states import FrozenList, part_without_form
from ggp.game import AnyGame, State

if TYPE_CHECKING:
    from ggp.compiler.closed_program import Argument, ClosedProgram

ValueT = TypeVar("ValueT")

STATE, ACTION = Type("state"), Type("action")
"""Placeholders for the types of the game's states and actions, which are found during translation."""


@functools.lru_cache(16)
def sampled(game: AnyGame) -> tuple[State, ...]:
    """Return states that random players reach; they show how lists in states grow."""
    chance, states, calls = random.Random(1), list[State](), 0
    outcomes = method_of(game, "outcomes")

    def count(frame: FrameType, event: str, argument: object) -> None:
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
                actions = list(game.actions(state)) or [action for action, _ in (outcomes(state) if outcomes else ())]
                state = game.result(state, chance.choice(actions))
                states.append(state)
    except Exception:  # rules that fail are told of where they are searched
        return tuple(states)
    finally:
        sys.setprofile(outer)
    return tuple(states)


PLAYOUTS, PLIES, SAMPLING = 20, 100, 400_000
"""Limits of the random matches that show how lists in states grow: the number of matches, the plies of each, and the
calls and returns of functions in all matches (a tenth of a second).
"""


class Named(NamedTuple):
    """The fingerprint of a job, the classes that the code uses, and the attributes that become part of the code."""

    name: str
    classes: dict[str, type]
    folded: tuple[tuple[object, str, object], ...]


@attrs.frozen
class Job:
    """A function to compile."""

    function: Callable[..., object]
    arguments: tuple[object, ...]
    game: AnyGame | None
    budget: Budget = attrs.field(factory=Budget)

    def name(self) -> Named | None:
        """Return the job's fingerprint, with the classes and attributes that it covers; None if the job has no
        fingerprint.
        """
        fingerprint = Fingerprint(frozenset(map(id, (self.game, *self.arguments))))
        try:
            fingerprint.write(compiler_digest())
            fingerprint.write(machine.versions())
            fingerprint.write(declared(self.game, "arithmetic"))
            fingerprint.add(self.function)
            for each in self.arguments:
                fingerprint.add(each)
                for cls in classes_in(each) if isinstance(each, Type) else ():
                    fingerprint.add(cls)
            for thing in objects_of(self.arguments):
                for name in variables_of(thing):
                    fingerprint.write(f"{name} {type_of(getattr(thing, name))};")
            if self.game is not None:
                fingerprint.add(self.game)
                for shape in self.state_and_action():
                    fingerprint.write(f"{shape};")
                    for cls in classes_in(shape):
                        fingerprint.add(cls)
            fingerprint.close()
        except (NoFingerprint, RecursionError):
            return None
        return Named(fingerprint.name(), fingerprint.classes, tuple(fingerprint.folded))

    def state_and_action(self) -> tuple[Type, Type]:
        """Return the types of the initial state and of its first action.

        Raises:
            Refused: the state or the action has a type that machine code does not support.
        """
        game = self.game
        assert game is not None
        state = game.initial_state()
        try:
            kind = type_of(state)
            if is_thawed(kind) and not isinstance(game, FrozenGame):
                raise NotRepresentable(
                    "sets and objects in states are compiled only for what `playable(game)` has made"
                )
            if isinstance(game, FrozenGame):
                kind = roomy(functools.reduce(with_room, map(type_of, sampled(game)), kind))
                _require_equality(game, kind)
            if game.terminal_test(state):
                return kind, BOTTOM
            return kind, roomy(type_of(next(iter(game.actions(state)))))
        except NotRepresentable as error:
            if isinstance(game, FrozenGame):
                part = part_without_form(state)
                if part:
                    path, what, edit = part
                    where = f"{path} of a state" if path else "a state"
                    raise Refused(f"{where} of {game.name} is {what}, which is not compiled: make it {edit}") from None
                raise Refused(
                    f"states of {game.name} have no form in machine code: {error}. The same place in the state must"
                    " have one type in all states, such as None instead of an empty tuple"
                ) from None
            raise Refused(str(error), _line_of(game)) from None

    def build(self) -> bytes:
        """Compile the program, and return the header and the object file.

        Raises:
            Refused: a part of the program cannot be compiled.
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
            raise Refused(f"{FAILS} on {self.function.__qualname__} ({error})", _line(self.function)) from error
        facts = made.specializer.program_facts
        header = {
            "result": describe(made.result),
            "arguments": [describe(in_atoms(each)) for each in kinds.values()],
            "layout": [
                [index, name, describe(kind), offset] for (index, name), (kind, offset) in program.layout.items()
            ],
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
            # A name that is an argument is one word, whatever its length, so texts of this length are not boards.
            return with_texts(self._specialized, Refused, (LONG,) if any(map(has_names, given)) else (LONG, SHORT))
        except Refused as error:
            if self.game is None or error.line is None or error.line[0] != frozen_games.__file__:
                raise
            # The line belongs to ggp itself, between the rules and their caller.
            raise Refused(
                f"states or actions of {self.game.name} have no form in machine code: {error.message}. Moves may be"
                " of up to four types: numbers, texts, tuples, members of an Enum, and None. A list whose"
                " items are of several types must keep its length"
            ) from error

    def _specialized(self) -> tuple["ClosedProgram", dict[str, Type]]:
        from ggp.compiler.abstract import Fixed  # most commands compile nothing: they start without these
        from ggp.compiler.closed_program import ClosedProgram
        from ggp.compiler.specialization import MIXES

        facts: dict[Hashable, Type] = {}
        contracts: dict[tuple[int, str], tuple[str]] = {}
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
        given: dict[str, Argument] = {}
        for name, each in zip(names, self.arguments, strict=False):
            if isinstance(each, Type):
                given[name] = (each.name,) if each in (STATE, ACTION) else each
            else:
                given[name] = Fixed(each)
        made = ClosedProgram(
            self.function, given, facts, objects_of(self.arguments), contracts, self.game,
            _packages(self.game) if unchecked else frozenset(), self.budget,
        )  # fmt: skip
        facts_found = made.specializer.program_facts
        if self.game is not None and has_reference(facts_found.get(("state",), BOTTOM)):
            raise Refused(
                f"later states of {self.game.name} hold lists or objects that may change, and the first ones hold"
                " none: put them into the first state, too, or use tuples"
            )
        kinds = {
            name: facts_found[each] if isinstance(each, tuple) else each
            for name, each in given.items()
            if not isinstance(each, Fixed)
        }
        return made, kinds

    def result_type(self) -> Type:
        """Return the type of the function's result."""
        return self.specialized()[0].result

    def classes(self) -> dict[str, type]:
        """Return the classes that the program uses, for code without a fingerprint."""
        made, kinds = self.specialized()
        program = made.lowered()
        by_name = {f"{each.__module__}.{each.__qualname__}": each for each in program.errors}
        for kind in (made.result, *kinds.values(), *[kind for kind, _ in program.layout.values()]):
            by_name.update({f"{each.__module__}.{each.__qualname__}": each for each in classes_in(kind)})
        return by_name


def _require_equality(game: FrozenGame, kind: Type) -> None:
    """Check that two states are equal in machine code, too, if they are equal by the rules.

    Raises:
        NotRepresentable: the author's own `__eq__` compares only a part of a state.
    """
    seen: dict[object, list[int]] = {}
    for state in sampled(game) if is_thawed(kind) else ():
        words = flatten(state, kind)
        if seen.setdefault(state, words) != words:
            raise NotRepresentable("__eq__ says that states with different attributes are equal")


def _keeps_classes(game: FrozenGame, kind: Type) -> bool:
    """Return whether numbers in states keep their classes when the states come back from machine code.

    A truth value becomes a whole number if other states have a whole number at its place, as in a dictionary with both.
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
    """Return the number of words of the values of a type; None if this number is not fixed."""
    try:
        return None if kind is None else size(kind)
    except NotRepresentable:
        return None


def _packages(game: object) -> frozenset[str]:
    """Return the packages of a game's class and of its base classes."""
    return frozenset(each.__module__.partition(".")[0] for each in type(game).__mro__ if each is not object)


def _line_of(game: AnyGame) -> tuple[str, int] | None:
    return _line(method_of(type(game), "initial_state"))


def _line(function: object) -> tuple[str, int] | None:
    code = code_of(function)
    return (code.co_filename, code.co_firstlineno) if code else None


MOST_LOADED = 256
"""Maximum number of loaded programs in a process; each takes 30 to 200 kB. The programs that were used least recently
are released.
"""

_loaded: "collections.OrderedDict[object, Code]" = collections.OrderedDict()
_refused: "collections.OrderedDict[object, tuple[str, tuple[str, int] | None]]" = collections.OrderedDict()
"""The messages and places of refusals, by the same keys as `_loaded`. The refusals are kept because a player tries to
compile the same program at each move.
"""
_lock = threading.Lock()


def compile(
    function: Callable[..., object],
    *arguments: object,
    game: AnyGame | None = None,
    check: Callable[[Code], None] | None = None,
    budget: Budget | None = None,
) -> Code:
    """Return a function as machine code: from memory, from disk, or compiled now.

    Arguments:
        arguments: one for each parameter of the function. A `Type` stands for a value that is passed at each call; any
            other argument is a constant.
        game: the game whose states and actions have the types STATE and ACTION.
        check: called with newly compiled code; if it raises `Refused`, the code is not stored.
        budget: the maximum cost of compiling; if it is exceeded, that fact is stored too.

    Raises:
        Refused: the function cannot be compiled; the message says why, with file and line.
    """
    job = _job(function, arguments, game, budget)
    with _lock:
        named = job.name()
        code = _find(job, named)
        if code is None:
            with _noted(job, named):
                code = _build(job, named, check)
        return code


def cached(
    function: Callable[..., object], *arguments: object, game: AnyGame | None = None, budget: Budget | None = None
) -> Code | None:
    """Return the code that `compile` would return, or None if it is neither in memory nor on disk.

    Raises:
        Refused: an earlier attempt showed that the function cannot be compiled, or costs more than its limit.
    """
    job = _job(function, arguments, game, budget)
    with _lock:
        named = job.name()
        code = _find(job, named)
        if code is None:
            _require_worth(job, named)
        return code


_too_much: dict[str, float] = {}
"""For programs that could not be compiled in time: the seconds that they were given, by fingerprint."""


@contextlib.contextmanager
def _noted(job: Job, named: Named | None) -> Iterator[None]:
    """Record that a program exceeds its budget, so that it is not compiled again.

    Raises:
        TooMuchWork: the program exceeds its budget, now or in an earlier attempt.
    """
    _require_worth(job, named)
    try:
        yield
    except TooMuchWork:
        if named is not None and job.budget.seconds is not None:
            _too_much[named.name] = job.budget.seconds
            cache.write("large-" + named.name, str(job.budget.seconds).encode())
        raise


def _require_worth(job: Job, named: Named | None) -> None:
    seconds = job.budget.seconds
    if named is None or seconds is None:
        return
    if named.name not in _too_much:
        _too_much[named.name] = float(cache.read("large-" + named.name) or 0)
    if seconds <= _too_much[named.name]:
        raise job.budget.refusal()


def _job(
    function: Callable[..., object], arguments: tuple[object, ...], game: AnyGame | None, budget: Budget | None = None
) -> Job:
    if not machine.available():
        raise Refused("llvmlite is not installed: pip install 'ggp[fast]' gives machine speed")
    if declared(game, "compiled") is False:
        raise Refused(f"{name_of(game)} declares `compiled = False`")
    return Job(function, arguments, game, budget or Budget())


def _find(job: Job, named: Named | None) -> Code | None:
    if named is None:
        return None
    key = _key(named)
    if key in _loaded:
        _loaded.move_to_end(key)
        return _own(job, _loaded[key], named)
    content = cache.read(named.name)
    code = _load(content, named.classes) if content is not None else None
    return _own(job, _remember(key, code), named) if code is not None else None


def _own(job: Job, code: Code, named: Named | None) -> Code:
    """Return the code for use with the objects of a job, which are the arguments that are known."""
    folded = named.folded if named is not None else ()
    return attrs.evolve(code, objects=objects_of(job.arguments), folded=folded, compiled_now=False)


def _build(job: Job, named: Named | None, check: Callable[[Code], None] | None) -> Code:
    content = _unless_refused(named, job.build)
    code = _load(content, named.classes if named else {}) or _load(content, job.classes())
    if code is None:
        raise Refused("the compiled code cannot be linked")
    made = attrs.evolve(_own(job, code, named), compiled_now=True)
    if check is not None:
        check(made)
    if named is None:
        return made
    cache.write(named.name, content)
    _remember(_key(named), code)
    return made


def _unless_refused(named: Named | None, make: Callable[[], ValueT]) -> ValueT:
    """Return the result of `make`, unless the program was refused earlier; store a refusal.

    Raises:
        Refused: the program cannot be compiled, now or in an earlier attempt in this process.
    """
    key = named and _key(named)
    if key in _refused:
        raise Refused(*_refused[key])
    try:
        return make()
    except TooMuchWork:
        raise
    except Refused as error:
        if key:
            _refused[key] = error.message, error.line
            while len(_refused) > MOST_LOADED:
                _refused.popitem(last=False)
        raise


def _key(named: Named) -> object:
    """Return the fingerprint together with the classes, since a plugin that is reloaded defines new classes with the
    same names.
    """
    return named.name, tuple(sorted(map(id, named.classes.values())))


def _remember(key: object, code: Code) -> Code:
    _loaded[key] = code
    while len(_loaded) > MOST_LOADED:
        _loaded.popitem(last=False)
    return code


def _load(content: bytes, classes: dict[str, type]) -> Code | None:
    """Return the code in a file; None if it is damaged."""
    header, _, code = content.partition(b"\n")
    try:
        said = json.loads(header)
        classes_by_name = {
            **classes,
            **{
                f"{each.__module__}.{each.__qualname__}": each
                for each in (*vars(builtins).values(), *AS_PYTHON, FrozenList, *ROWS, Mixed)
                if isinstance(each, type)
            },
        }
        for text in said["atoms"]:
            atom(text)
        return Code(
            described(said["result"], classes_by_name),
            tuple(described(each, classes_by_name) for each in said["arguments"]),
            {(index, name): (described(kind, classes_by_name), offset) for index, name, kind, offset in said["layout"]},
            tuple(classes_by_name[each] for each in said["errors"]),
            int(said["context"]),
            bool(said["lists"]),
            machine.Loaded(code),
            tuple(said["words"]),
        )
    except (ValueError, KeyError, TypeError, IndexError):
        return None


_types: dict[str, Type] = {}
"""Types of results that this process has inferred, by fingerprint."""


def result_type(
    function: Callable[..., object], *arguments: object, game: AnyGame | None = None, budget: Budget | None = None
) -> Type:
    """Return the type that `compile` would find for a function's result.

    Raises:
        Refused: the function cannot be compiled.
    """
    job = _job(function, arguments, game, budget)
    named = job.name()
    kind = _cached_type(named)
    if kind is None:
        with _noted(job, named):
            kind = _unless_refused(named, job.result_type)
        if named:
            _types[named.name] = kind
            cache.write("type-" + named.name, json.dumps(describe(kind)).encode())
    return kind


def state_and_action(game: AnyGame) -> tuple[Type, Type]:
    """Return the first assumption about the types of a game's states and actions.

    Raises:
        Refused: machine code does not support one of the types.
    """
    return Job(_no_function, (), game).state_and_action()


def _no_function() -> None:
    """Do nothing; used as the function of a job that compiles no function."""


def cached_type(
    function: Callable[..., object], *arguments: object, game: AnyGame | None = None, budget: Budget | None = None
) -> Type | None:
    """Return what `result_type` would return, or None if it is neither in memory nor on disk.

    Raises:
        Refused: an earlier attempt showed that the function cannot be compiled, or costs more than its limit.
    """
    job = _job(function, arguments, game, budget)
    named = job.name()
    kind = _cached_type(named)
    if kind is None:
        _require_worth(job, named)
    return kind


def _cached_type(named: Named | None) -> Type | None:
    if named is None:
        return None
    name, classes = named.name, named.classes
    if name not in _types:
        content = cache.read("type-" + name)
        if content is None:
            return None
        try:
            _types[name] = described(json.loads(content), classes)
        except (ValueError, KeyError, TypeError, IndexError):
            return None
    return _types[name]
