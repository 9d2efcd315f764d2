"""The other contract: a searcher's methods, arguments and results."""

import contextlib
import contextvars
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, Protocol, runtime_checkable

import attrs

from ggp.game import Action, AnyGame, State
from ggp.options import option


@attrs.frozen
class Limits:
    """The limits of a search. None: no limit, to the end of the game.

    A searcher stops at whichever comes first. A limit of seconds or nodes makes it deepen, one ply at a time.
    """

    depth: int | None = option(None, "plies to look ahead; an extra turn and a chance node are plies", minimum=1)
    seconds: float | None = option(None, "time to search, in seconds", minimum=0)
    nodes: int | None = option(None, "states to enter", minimum=1)


@attrs.frozen(kw_only=True)
class Statistics:
    """Counts and times of a search."""

    nodes: int = 0
    """States for which the recursion was entered, the root included, over all iterations."""
    leaves: int = 0
    """States among them that were terminal or evaluated at the depth limit."""
    cutoffs: int = 0
    """States left early because the opponent had a better option higher up."""
    table_hits: int = 0
    """States answered, wholly or in part, by the transposition table."""
    depth: int = 0
    """Plies looked ahead by the last completed iteration."""
    seconds: float = 0.0
    """Wall-clock time of the search, without compilation."""
    compile_seconds: float = 0.0
    """Wall-clock time of compiling, or of loading what was compiled before."""
    extra_nodes: int = 0
    """States entered besides, for the principal variation and for the values of the other root actions."""


@attrs.frozen(kw_only=True)
class SearchResult:
    """The result of a search."""

    action: Action
    """A best action of the root, in the game's terms; None where the game is over, or chance is to move."""
    value: float
    """The root's value to MAX (player 0), whoever is to move."""
    complete: bool
    """Whether everything asked for was searched. If not, this is the result of the last completed iteration."""
    exact: bool = False
    """Whether the value is the game's true value: no estimate has entered it."""
    stopped: str | None = None
    """The reason why the search was cut short: "seconds", "nodes", "interrupt", or None."""
    principal_variation: tuple[Action, ...] = ()
    """Best play of both from the root, as far as it was searched and up to the first chance node."""
    values: Mapping[Action, float] | None = None
    """The value of each root action to MAX, not merely a bound of it, in the game's order; None where not asked for."""
    best_actions: tuple[Action, ...] = ()
    """All root actions worth the value; only with `values`."""
    distance: int | None = None
    """Plies to the end with best play, where that is known: from tablebases, or by `quickest`."""
    distances: Mapping[Action, int | None] | None = None
    """The same after each root action, itself included; None for one after which play need not end."""
    speed: str = "interpreted"
    """"interpreted" or "compiled"."""
    note: str | None = None
    """Why it did not run at machine speed, where it could have: one clause for people."""
    statistics: Statistics = Statistics()

    def _repr_html_(self) -> str:
        from ggp.show.result_chart import plain_table  # in notebooks only

        return plain_table(self)


Report = Callable[[SearchResult], None]
"""Called with the result so far whenever an iteration is completed."""


ShouldStop = Callable[[], bool]
"""Returns whether the caller wants the search to end."""

_asked: contextvars.ContextVar[ShouldStop] = contextvars.ContextVar("asked", default=lambda: False)


@contextlib.contextmanager
def stop_when(asked: ShouldStop) -> Iterator[None]:
    """End searches within the `with` block, as by Ctrl-C, soon after `asked()` has become true.

    Within another `stop_when`, either ends it. It is for programs whose searches run beside one another, where
    Ctrl-C would reach but one of them.
    """
    outer = _asked.get()
    token = _asked.set(lambda: asked() or outer())
    try:
        yield
    finally:
        _asked.reset(token)


def stop_requested() -> bool:
    """Return whether the running search should end; a searcher calls this several times a second."""
    return _asked.get()()


class Searcher(Protocol):
    """Finds the value of a state and an action that reaches it. Its options are the arguments of its class."""

    name: ClassVar[str]

    def unsupported_reason(self, game: AnyGame) -> str | None:
        """Return why it cannot search the game, as a clause ("pig is a game of chance"); None if it can."""

    def search(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """Return the value of `state`, a best action, and the principal variation.

        Ctrl-C ends the search as a limit does, and so does `stop_when`: the result says `stopped == "interrupt"`.

        Raises:
            UnsupportedGameError: the searcher cannot serve the game; the message names one that can.
            DepthError: the search goes deeper than the stack allows.
        """

    def analyse(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """Search as `search` does, and find the value of every action, not merely a bound: `values`, `best_actions`."""


# What a searcher may offer besides; to be watched is `ggp.trace.Traced`. -------------------------------------------


class Preferred(Protocol):
    """Capability: the searcher's rank as the default when the user names none."""

    preference: ClassVar[int]
    """The highest among those that serve the game is taken; default: 0."""


class Limiting(Protocol):
    """Capability: without limits the searcher ends by itself, early enough to play games."""

    limits_itself: ClassVar[bool]
    """Default: False, and a searcher without limits is given some."""


@runtime_checkable
class Parallel(Protocol):
    """Capability: several threads may search together."""

    threads: int
    """How many do; an option of the searcher."""


@runtime_checkable
class Probing(Protocol):
    """Capability: the searcher reads tablebases."""

    tablebase: str
    """The directory that they are in; an option of the searcher."""


class TwoSpeed(Protocol):
    """Capability: the searcher runs at machine speed, too."""

    speed: str
    """"auto", "interpreted" or "compiled"; an option of the searcher."""


class Seeded(Protocol):
    """Capability: the searcher plays at random."""

    seed: int | None
    """The same seed plays the same; None, where each game may be another. An option of the searcher."""


def preference(searcher: object) -> int:
    """Return the rank of a searcher, or of its class, when the user names none."""
    return getattr(searcher, "preference", 0)


def limits_itself(searcher: object) -> bool:
    """Return whether a searcher ends by itself when it has no limits."""
    return getattr(searcher, "limits_itself", False)
