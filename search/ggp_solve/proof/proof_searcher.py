"""A searcher that proves the value if possible, and otherwise plays the move that another searcher finds."""

import contextlib
import threading
import time
from collections.abc import Callable
from math import inf
from typing import ClassVar

import attrs
from ggp_search import book_answer
from ggp_search.engine.engine import CompiledFormError
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped
from ggp_search.tablebases.probe import LAYERS
from ggp_search.tablebases.tablebase import Tablebase, find_tablebase

from ggp.capabilities import is_stochastic, ranking
from ggp.errors import DepthError
from ggp.frozen_games import frozen_play
from ggp.game import MAX, Action, AnyGame, Bounded, State
from ggp.options import option
from ggp.plugins import installed_registry
from ggp.repetition import may_repeat
from ggp.searcher import Explaining, Limits, Parallel, Report, Searcher, SearchResult
from ggp_solve.proof.prover import Prover, new_prover
from ggp_solve.tablebases.builder import grow, new_tablebase

ESTIMATE = 0.2
"""Share of a search's limits that is spent on the estimate. The estimate guides the proof; its move is played if
nothing is proved.
"""
CHOICE = 0.1
"""Share of the limits for finding a move that keeps the proved value. The share is small, since the move is in the
table.
"""
TABLE = 128
"""Default size of the table in megabytes: enough for several seconds of a proof."""
PROVED = "the value is proved"
WINNER = "it is proved who wins, but not by how much"
UNKNOWN = "the value is not known: it was not proved within the limits"
POSITIONS = 3_000_000
"""Number of positions of the tablebase in memory, if the game has a ranking.

The tablebase is built once, in less than a second.
"""

_bases: dict[AnyGame, Tablebase | None] = {}
"""Tablebases in memory, by game; each serves all moves of a match."""
_building = threading.Lock()


@attrs.frozen(kw_only=True)
class ProofSearcher:
    """Solver: proves the value by searches to the end of the game; otherwise plays the preferred searcher's move."""

    name: ClassVar[str] = "solver"
    preference: ClassVar[int] = -1
    proves: ClassVar[bool] = True

    table: float = option(TABLE, "size of the proof's transposition table in MB", minimum=1, maximum=1 << 20)
    threads: int = option(1, "number of threads; used by compiled searches only", minimum=1, maximum=256)
    book: str = book_answer.book_option()

    def unsupported_reason(self, game: AnyGame) -> str | None:
        """See `ggp.searcher.Searcher`."""
        return f"{game.name} is a game of chance" if is_stochastic(game) else None

    def search(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`. A value that is not proved within the limits is not exact; `note` says so."""
        known = book_answer.answer(self.book, game, state)
        if known:
            return known
        game, state = frozen_play(game, state)
        installed_registry().require(self, game)
        estimator = self._estimator(game, limits)
        if not _is_proved(game, state, limits):
            return _told(estimator.search(game, state, limits, report=report))
        began = time.perf_counter()
        result = estimator.search(game, state, _part(limits, ESTIMATE), report=report)
        if result.exact or result.stopped == "interrupt":
            return _told(result)
        if result.speed != "compiled":  # a proof by the interpreted rules would be too slow
            return _told(estimator.search(game, state, _part(limits, 1 - ESTIMATE), report=report))
        try:
            return self._prove(game, state, limits, result, began)
        except (CompiledFormError, DepthError) as error:
            return _told(attrs.evolve(result, note=str(error)))

    def search_ties(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Tying`. A book has equally good moves; a proof finds one move."""
        return self.search(game, state, limits, report=report)

    def analyse(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`. The values of actions are the preferred searcher's values."""
        installed_registry().require(self, game)
        return self._estimator(game, limits).analyse(game, state, limits, report=report)

    def explain(self, game: AnyGame, state: State, limits: Limits = Limits()) -> dict[str, str]:
        """See `ggp.searcher.Explaining`."""
        game, state = frozen_play(game, state)
        installed_registry().require(self, game)
        estimator = self._estimator(game, limits)
        proved = _is_proved(game, state, limits)
        if proved:
            proof = f"at machine speed, after {estimator.name} has searched for {ESTIMATE:.0%} of the limits"
        else:
            proof = f"none: {estimator.name} searches alone, to the end of the game or as deep as its limits allow"
        said = {"proof": proof}
        if proved:
            said["table"] = f"{self.table:g} MB, for the proof"
        if self.book != book_answer.NONE:
            said["book"] = f"{self.book}, consulted first"
        estimate = _part(limits, ESTIMATE) if proved else limits
        if isinstance(estimator, Explaining):
            reasons = estimator.explain(game, state, estimate)
            said |= {f"{estimator.name}'s {name}": text for name, text in reasons.items()}
        return said

    def _estimator(self, game: AnyGame, limits: Limits) -> Searcher:
        """Return the preferred searcher. If the depth is limited, the searcher uses the game's own evaluation."""
        registry = installed_registry()
        name = registry.preferred_searcher(game)
        options = registry.best_evaluation(game, name) if limits.depth is None else {}
        searcher = registry.searcher(name, **options)
        return attrs.evolve(searcher, threads=self.threads) if isinstance(searcher, Parallel) else searcher  # type: ignore[misc]

    def _prove(self, game: AnyGame, state: State, limits: Limits, result: SearchResult, began: float) -> SearchResult:
        """Return the result of a proof that is guided by an estimate.

        If all moves have the same value, choose the estimate's move.
        """
        base = find_tablebase(game) if limits.nodes is None else None
        prover = new_prover(game, state, memory=self.table, threads=self.threads, tablebase=base or _tablebase(game))
        compiling = result.statistics.compile_seconds + prover.engine.compile_seconds
        proof = _part(limits, 1 - ESTIMATE - CHOICE)
        # Who wins comes first: a win that can be proved must not be missed for the sake of its size.
        control = _run(prover, proof, lambda: (prover.outcome(state), prover.value(state, result.value)))
        lower, upper = prover.interval(state)
        is_max = game.to_move(state) == MAX
        proved, action = (lower if is_max else upper), result.action
        least = _least(game, state, is_max)
        kept = lower == upper == least  # no move is worse than the worst
        if proved != least and control.reason != "interrupt":
            chosen: list[Action] = []
            control = _run(prover, _part(limits, CHOICE), lambda: chosen.append(prover.best_action(state, proved)))
            kept, action = bool(chosen), chosen[0] if chosen else result.action
        exact = kept and lower == upper
        return attrs.evolve(
            result,
            action=action,
            value=min(max(result.value, lower), upper),
            exact=exact,
            complete=exact,
            stopped=None if exact else control.reason or result.stopped,
            principal_variation=result.principal_variation if action == result.action else (action,),
            note=PROVED if exact else _known(lower, upper),
            proved=prover.bounds(state),
            statistics=attrs.evolve(
                result.statistics,
                nodes=result.statistics.nodes + prover.engine.states,
                seconds=time.perf_counter() - began - compiling,
                compile_seconds=compiling,
            ),
        )


def _is_proved(game: AnyGame, state: State, limits: Limits) -> bool:
    """Return whether a proof is tried. If no proof is tried, the search goes to the end of the game, or to the depth
    limit.
    """
    limited = limits.depth is None and limits != Limits()
    return limited and not game.terminal_test(state) and not may_repeat(game)


def _known(lower: float, upper: float) -> str:
    """Return in words what is known about a value that lies between two bounds."""
    return WINNER if lower > 0 or upper < 0 else UNKNOWN


def _told(result: SearchResult) -> SearchResult:
    """Return a result. If the value is not known, the note of the result says so."""
    if result.exact:
        return result
    return attrs.evolve(result, note=f"{UNKNOWN}; {result.note}" if result.note else UNKNOWN)


def _least(game: AnyGame, state: State, is_max: bool) -> float:
    """Return the worst value that the game can still have for the player to move, by the game's own bounds."""
    lower, upper = game.bounds(state) if isinstance(game, Bounded) else (-inf, inf)
    return lower if is_max else upper


def _part(limits: Limits, share: float) -> Limits:
    """Return a share of the limits of seconds and nodes."""
    return Limits(
        seconds=None if limits.seconds is None else share * limits.seconds,
        nodes=None if limits.nodes is None else max(1, int(share * limits.nodes)),
    )


def _run(prover: Prover, limits: Limits, task: Callable[[], object]) -> Control:
    """Run a task of a prover as long as the limits allow; return its control, which has the reason if the task ended
    early.
    """
    control = Control()
    prover.obey(control)
    control.allow(limits.nodes)

    def body() -> None:
        with contextlib.suppress(SearchStopped):
            task()

    control.run(body, limits.seconds)
    return control


def _tablebase(game: AnyGame) -> Tablebase | None:
    """Return a small tablebase in memory, built at the first call; None for a game without a ranking."""
    if ranking(game) is None:
        return None
    with _building:
        if game not in _bases:
            base = _bases[game] = new_tablebase(game)
            if base is not None:
                for _ in grow(base, LAYERS, POSITIONS, 1, lambda: None):
                    pass
        return _bases[game]
