"""The searcher protocol: a searcher's methods, arguments and results."""

import contextlib
import contextvars
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, Protocol, runtime_checkable

import attrs

from ggp import capabilities
from ggp.game import Action, AnyGame, State
from ggp.options import option
from ggp.tables import ResultTable, TableRow, Tabular


@attrs.frozen
class Limits:
    """The limits of a search. None means no limit: search to the end of the game.

    A search stops at the limit that it reaches first. With a limit of seconds or nodes it uses iterative deepening.
    """

    depth: int | None = option(None, "plies to look ahead; an extra turn and a chance node are plies", minimum=1)
    seconds: float | None = option(None, "time to search, in seconds", minimum=0)
    nodes: int | None = option(None, "states to enter", minimum=1)


@attrs.frozen(kw_only=True)
class Statistics:
    """Counts and times of a search."""

    nodes: int = 0
    """Number of calls of the recursion, the root included, over all iterations."""
    leaves: int = 0
    """Number of nodes that were terminal, or evaluated at the depth limit."""
    cutoffs: int = 0
    """Number of nodes left early because the opponent had a better option higher up."""
    table_hits: int = 0
    """Number of nodes for which the transposition table gave a value or narrowed the window."""
    depth: int = 0
    """Depth of the last completed iteration, in plies."""
    seconds: float = 0.0
    """Wall-clock time of the search, without compilation."""
    compile_seconds: float = 0.0
    """Wall-clock time of compiling, or of loading compiled code from the cache."""
    extra_nodes: int = 0
    """Number of additional nodes, searched for the principal variation and for the values of the other root actions."""


@attrs.frozen(kw_only=True)
class SearchResult(Tabular):
    """The result of a search."""

    action: Action
    """A best action of the root; None if the game is over or chance is to move."""
    value: float
    """The value of the root to MAX (player 0), whichever player is to move."""
    complete: bool
    """Whether the requested search was completed. If not, this is the result of the last completed iteration."""
    exact: bool = False
    """Whether the value is the game's true value, which depends on no estimate."""
    stopped: str | None = None
    """The reason for an early end of the search: "seconds", "nodes", "interrupt"; or None."""
    principal_variation: tuple[Action, ...] = ()
    """Best play of both sides from the root, as far as it was searched, up to the first chance node."""
    values: Mapping[Action, float] | None = None
    """The exact value of each root action to MAX (never a bound), in the order of `actions`; None if not asked for."""
    best_actions: tuple[Action, ...] = ()
    """All root actions that have the best value, if `values` are known. Otherwise, the root actions that were found to
    be as good as `action`, if they were asked for.
    """
    proved: tuple[float, float] | None = None
    """Proved bounds of the value, if a searcher knows bounds without knowing the value."""
    distance: int | None = None
    """Plies to the end with best play, if known: from tablebases, or by the option `quickest`."""
    distances: Mapping[Action, int | None] | None = None
    """For each root action, the number of plies to the end, the action included; None if play may go on for ever."""
    speed: str = "interpreted"
    """"interpreted" or "compiled"."""
    note: str | None = None
    """A clause that says why the search was not compiled; None if it was compiled, or if compiling was not intended."""
    statistics: Statistics = Statistics()

    def to_table(self, game: AnyGame | None = None, state: State = None) -> ResultTable:
        """Return the result as a table: a row for each move whose value is known, or one row for the best move.

        Arguments:
            game, state: the game and the state that were searched. If they are given, moves are also in the game's
                notation.
        """
        values = self.values if self.values is not None else {self.action: self.value}
        return ResultTable(
            action_columns(action, game, state)
            | {
                "value": value,
                "best": action in self.best_actions if self.values is not None else True,
                "complete": self.complete,
                "exact": self.exact,
                "depth": self.statistics.depth,
                "nodes": self.statistics.nodes,
                "leaves": self.statistics.leaves,
                "cutoffs": self.statistics.cutoffs,
                "seconds": self.statistics.seconds,
                "speed": self.speed,
            }
            for action, value in values.items()
        )

    def _repr_html_(self) -> str:
        from ggp.show.result_chart import plain_table  # in notebooks only

        return plain_table(self)


def action_columns(action: Action, game: AnyGame | None, state: State) -> TableRow:
    """Return the columns of a table for an action: `action` as Python writes it and, if a game is given, `move` in the
    notation of the game.
    """
    row: TableRow = {"action": None if action is None else repr(action)}
    if game is not None:
        row["move"] = None if action is None else capabilities.notation(game).format_action(state, action)
    return row


Report = Callable[[SearchResult], None]
"""Called with the result so far after each completed iteration."""


ShouldStop = Callable[[], bool]
"""Returns whether the caller wants the search to end."""

_asked: contextvars.ContextVar[ShouldStop] = contextvars.ContextVar("asked", default=lambda: False)


@contextlib.contextmanager
def stop_when(asked: ShouldStop) -> Iterator[None]:
    """End searches in the `with` block soon after `asked()` returns true, as Ctrl-C would.

    If such blocks are nested, each of them can end the search. This is for programs that run several searches in
    parallel, where Ctrl-C would reach only one of them.
    """
    outer = _asked.get()
    token = _asked.set(lambda: asked() or outer())
    try:
        yield
    finally:
        _asked.reset(token)


def stop_requested() -> bool:
    """Return whether the running search should end. Searchers call this several times a second."""
    return _asked.get()()


_unhurried: contextvars.ContextVar[bool] = contextvars.ContextVar("unhurried", default=False)


@contextlib.contextmanager
def unhurried() -> Iterator[None]:
    """Let searches in the `with` block prepare as long as they need. Use it for work in the background, for which
    nobody waits.
    """
    token = _unhurried.set(True)
    try:
        yield
    finally:
        _unhurried.reset(token)


def is_unhurried() -> bool:
    """Return whether nobody waits for the running search."""
    return _unhurried.get()


class Searcher(Protocol):
    """Finds the value of a state, and an action with that value. The options are the arguments of the class."""

    name: ClassVar[str]

    def unsupported_reason(self, game: AnyGame) -> str | None:
        """Return the reason why the searcher cannot search the game, as a clause ("pig is a game of chance"); None if
        it can.
        """

    def search(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """Return the value of `state`, a best action, and the principal variation.

        Ctrl-C and `stop_when` end the search as a limit does; the result then has `stopped == "interrupt"`.

        Raises:
            UnsupportedGameError: the searcher cannot search the game; the message names one that can.
            DepthError: the search goes deeper than the stack allows.
        """

    def analyse(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """Search as `search` does, and find the exact value of every action: `values` and `best_actions`."""


# What a searcher may offer in addition. If it can be watched, it is a `ggp.trace.Traced`.
# -------------------------------------------


@runtime_checkable
class Preferred(Protocol):
    """Capability: the searcher's rank among those to use by default."""

    preference: ClassVar[int]
    """ggp prefers the searcher with the highest preference among those that can search the game; default: 0."""


@runtime_checkable
class Evaluating(Protocol):
    """Capability: the searcher has an option for the evaluation at its leaves."""

    @property
    def evaluation(self) -> str | Callable[..., float]:
        """The name of the evaluation in the game, or a function."""


@runtime_checkable
class Limiting(Protocol):
    """Capability: without limits, the searcher ends by itself soon enough for play."""

    limits_itself: ClassVar[bool]
    """Whether the searcher ends by itself. If False (the default), ggp gives a limit to a search without limits."""


@runtime_checkable
class Sampling(Protocol):
    """Capability: the searcher plays whole games at random (playouts), and so needs no evaluation."""

    samples: ClassVar[bool]
    """Whether each of the searcher's nodes is a playout; default: False."""


@runtime_checkable
class Proving(Protocol):
    """Capability: the searcher proves values by searching to the end of the game, as far as its limits allow."""

    proves: ClassVar[bool]
    """Whether the searcher proves values; default: False."""


@runtime_checkable
class Tying(Protocol):
    """Capability: the searcher can also find the moves that are as good as its best one, at the same depth."""

    def search_ties(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """Search as `search` does; `best_actions` then has further moves that were found to be equally good. Some may
        be missing, since this search takes little more than the limits allow. Raises as `search` does.
        """


@runtime_checkable
class Explaining(Protocol):
    """Capability of a searcher: it says how it would search."""

    def explain(self, game: AnyGame, state: State, limits: Limits = Limits()) -> Mapping[str, str]:
        """Return the decisions before a search (table, order, speed, limits) with their reasons, by name."""


@runtime_checkable
class Parallel(Protocol):
    """Capability: several threads can search together."""

    threads: int
    """Number of threads; an option of the searcher."""


@runtime_checkable
class Pondering(Protocol):
    """Capability: the searcher reuses the results of one search in the next, so it can search while a human thinks."""

    ponder: bool
    """Whether to search while a human thinks; an option of the searcher."""


@runtime_checkable
class Probing(Protocol):
    """Capability: the searcher reads tablebases."""

    tablebase: str
    """Directory of the tablebases, or "default" for the user's own; an option of the searcher."""


@runtime_checkable
class TwoSpeed(Protocol):
    """Capability: the searcher can run compiled."""

    speed: str
    """"auto", "interpreted" or "compiled"; an option of the searcher."""


@runtime_checkable
class Seeded(Protocol):
    """Capability: the searcher makes random choices."""

    seed: int | None
    """The same seed gives the same choices; with None, the choices differ each time. An option of the searcher."""


def preference(searcher: object) -> int:
    """Return the preference of a searcher or of its class."""
    return searcher.preference if isinstance(searcher, Preferred) else 0


def samples(searcher: object) -> bool:
    """Return whether a searcher, or its class, plays whole games at random."""
    return isinstance(searcher, Sampling) and searcher.samples


def proves(searcher: object) -> bool:
    """Return whether a searcher, or its class, proves values."""
    return isinstance(searcher, Proving) and searcher.proves


def limits_itself(searcher: object) -> bool:
    """Return whether a searcher ends by itself if it has no limits."""
    return isinstance(searcher, Limiting) and searcher.limits_itself
