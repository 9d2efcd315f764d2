"""The speed of an enumeration: its functions run compiled or interpreted."""

import functools
import os
import threading
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from ggp import compiler
from ggp.capabilities import variables_of
from ggp.errors import OptionError, UsageError
from ggp.game import MAX, AnyGame, State

ResultT = TypeVar("ResultT")

MOST_THREADS = 64
"""Maximum number of threads; more would have too little to do in each step."""
SPEEDS = ("auto", "compiled", "interpreted")


def wanted() -> str:
    """Return the speed in the environment variable GGP_SPEED.

    Raises:
        OptionError: UsageError: GGP_SPEED names an unknown speed.
    """
    named = os.environ.get("GGP_SPEED") or "auto"
    if named not in SPEEDS:
        raise OptionError(f"GGP_SPEED must be one of {', '.join(SPEEDS)}; got {named!r}")
    return named


class RuleCalls:
    """A count of the positions for which rules were called.

    If the count does not change, a call of the rules does not return; see `ggp.plugin_faults.machine_progress`.

    Arguments:
        start: a position of the game.
    """

    variables: ClassVar[tuple[str, ...]] = ("count",)
    progress: ClassVar[str] = "count"

    def __init__(self, start: State) -> None:
        self.start, self.count = start, 0


class Interpreted:
    """Runs functions interpreted."""

    name = "interpreted"
    chunk = 2000
    """Number of positions between two checks of the clock."""

    threads = 1

    def __call__(self, function: Callable[..., ResultT], receiver: object, *values: object) -> ResultT:
        return function(receiver, *values)

    def forget(self) -> None:
        """Forget all objects, because their parts have been replaced."""

    def together(
        self, function: Callable[..., ResultT], receiver: object, calls: Sequence[tuple[object, ...]]
    ) -> list[ResultT]:
        """Call a function with each of `calls`, one after the other; return the results."""
        return [function(receiver, *values) for values in calls]


class Compiled:
    """Runs functions compiled.

    Before each call, the variables of the machine code are set from the attributes of the objects; after the call, the
    attributes are set from the variables.
    """

    name = "compiled"
    chunk = 100_000

    def __init__(self, game: AnyGame, threads: int = 1) -> None:
        self.game, self.threads = game, min(threads, MOST_THREADS)
        self._codes: dict[tuple[object, int, int], tuple[compiler.Code, compiler.Variables, object]] = {}

    @functools.cached_property
    def kind(self) -> compiler.Type:
        """The type of the states."""
        return compiler.compile(_plies, self.game, compiler.STATE, game=self.game).arguments[0]

    def __call__(self, function: Callable[..., ResultT], receiver: object, *values: object) -> ResultT:
        code, variables = self._prepare(function, receiver, values, 0)
        result = code(variables, *values)
        for index, thing, name in _variables(code):
            setattr(thing, name, variables.get(index, name))
        return result

    def forget(self) -> None:
        """Forget all objects, because their parts have been replaced."""
        self._codes.clear()

    def together(
        self, function: Callable[..., ResultT], receiver: object, calls: Sequence[tuple[object, ...]]
    ) -> list[ResultT]:
        """Call a function with each of `calls`, each in a thread; return the results.

        During the calls, the variables of known objects have the values from the beginning, and do not change. The
        threads store results in memory; no two of them write to the same part.
        """
        ready = [(*self._prepare(function, receiver, values, thread), values) for thread, values in enumerate(calls)]
        results: dict[int, ResultT] = {}
        errors: list[BaseException] = []

        def run(game: AnyGame, number: int) -> None:  # the game, for `ggp.plugin_faults.running_call`
            code, variables, values = ready[number]
            try:
                results[number] = code(variables, *values)
            except BaseException as error:  # raised below
                errors.append(error)

        # Daemon threads, since a process can end while the rules in one of them do not.
        others = [threading.Thread(target=run, args=(self.game, n), daemon=True) for n in range(1, len(ready))]
        for thread in others:
            thread.start()
        run(self.game, 0)
        for thread in others:
            thread.join()  # before an error is raised: they write to memory that may be given back
        if errors:
            raise errors[0]
        return [results[number] for number in range(len(ready))]

    def _prepare(
        self, function: Callable[..., object], receiver: object, values: tuple[object, ...], thread: int
    ) -> tuple[compiler.Code, compiler.Variables]:
        """Return the machine code of a function, and its variables for a thread with their current values."""
        key = function, id(receiver), thread
        if key not in self._codes:
            kinds = [_KINDS.get(type(value), self.kind) for value in values]
            code = compiler.compile(function, receiver, *kinds, game=self.game)
            self._codes[key] = code, code.variables(), receiver  # so that no other object gets its id
        code, variables, _ = self._codes[key]
        for index, thing, name in _variables(code):
            variables.set(index, name, getattr(thing, name))
        return code, variables


Runner = Interpreted | Compiled


def _variables(code: compiler.Code) -> list[tuple[int, object, str]]:
    """Return the variables of the objects that the machine code knows. Each entry has the number of the object, the
    object, and the name of the variable.
    """
    return [(index, thing, name) for index, thing in enumerate(code.objects) for name in variables_of(thing)]


_KINDS = {int: compiler.INT, float: compiler.FLOAT}


def runner(game: AnyGame, state: State, speed: str | None = None, threads: int = 1) -> tuple[Runner, str | None]:
    """Return the runner of an enumeration. If the runner is interpreted, also return the reason why it could not be
    compiled.

    Arguments:
        speed: "auto", "compiled" or "interpreted"; None uses the environment variable GGP_SPEED.
        threads: the number of threads for machine code.

    Raises:
        UsageError: the speed is "compiled", but the game cannot be compiled.
    """
    speed = speed or wanted()
    if speed == "interpreted":
        return Interpreted(), None
    try:
        compiler.compile(_plies, game, compiler.STATE, game=game)
    except (compiler.Refused, compiler.NotRepresentable) as error:
        if speed == "compiled":
            raise UsageError(f"{game.name} cannot be enumerated at machine speed: {error}") from None
        return Interpreted(), str(error)
    return Compiled(game, threads), None


def _plies(game: AnyGame, state: State) -> float:
    """Call every operation that an enumeration calls, to test whether these operations can be compiled."""
    if game.terminal_test(state):
        return float(game.utility(state, MAX))
    number = float(game.to_move(state))
    for action in game.actions(state):
        if game.result(state, action) == state:
            number += 1
    return number
