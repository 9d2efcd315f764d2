"""The quickest win and the longest resistance: a game of win, draw and loss in which the plies count, too."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import attrs

from ggp.capabilities import evaluation, is_stochastic
from ggp.errors import UsageError
from ggp.game import Action, AnyGame, Bounded, Evaluation, State
from ggp.repetition import may_repeat
from ggp.searcher import Explaining, Limits, Report, Searcher, SearchResult

LONG: Final = 10_000
"""The value of an immediate win; each ply until the end reduces it by 1."""


class TimedState(NamedTuple):
    """A state, and its number of plies after the root."""

    state: State
    ply: int


@attrs.frozen
class TimedGame:
    """A game in which early wins have higher values than late wins, and late losses higher values than early ones.

    States never come back in this game, since they include the ply. Still, no win is missed, since no state comes back
    on a shortest path to a win.
    """

    game: AnyGame
    function: Callable[[State], float]

    @property
    def name(self) -> str:
        return self.game.name

    def initial_state(self) -> TimedState:
        return TimedState(self.game.initial_state(), 0)

    def to_move(self, state: TimedState) -> int:
        return self.game.to_move(state.state)

    def actions(self, state: TimedState) -> Iterable[Action]:
        return self.game.actions(state.state)

    def result(self, state: TimedState, action: Action) -> TimedState:
        return TimedState(self.game.result(state.state, action), state.ply + 1)

    def terminal_test(self, state: TimedState) -> bool:
        return self.game.terminal_test(state.state)

    def utility(self, state: TimedState, player: int) -> int:
        value = self.game.utility(state.state, player)
        if value > 0:
            return LONG - state.ply
        return state.ply - LONG if value < 0 else 0

    def bounds(self, state: TimedState) -> tuple[float, float]:
        return state.ply - LONG, LONG - state.ply

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        return {"game": Evaluation(self.estimate, "that of the game", bounded=True)}

    def estimate(self, state: TimedState) -> float:
        """Return the game's estimate, limited so that it never counts as a win."""
        return float(min(max(self.function(state.state), -1), 1))


def require_outcomes(game: AnyGame) -> None:
    """Check that a game has no other outcomes than win, draw and loss.

    Raises:
        UsageError: the game has other outcomes.
    """
    if is_stochastic(game):
        raise UsageError(f"quickest is for games without chance, and {game.name} is a game of chance")
    if not isinstance(game, Bounded) or tuple(game.bounds(game.initial_state())) != (-1, 1):
        raise UsageError(f"quickest is for games of win, draw and loss (bounds -1 and 1), which {game.name} is not")


def explain(
    searcher: Explaining, game: AnyGame, state: State, limits: Limits, wanted: str | Callable[..., float]
) -> dict[str, str]:
    """Return an explanation of the search for the quickest win, as texts by topic.

    Raises:
        UsageError: the game has other outcomes.
    """
    require_outcomes(game)
    timed: Any = TimedGame(game, evaluation(game, wanted).function)
    how = "one search for each depth, until a win is forced; an early win is worth more than a late one"
    return {"quickest": how, **searcher.explain(timed, TimedState(state, 0), limits)}


def search(
    searcher: Searcher,
    game: AnyGame,
    state: State,
    limits: Limits,
    report: Report | None,
    wanted: str | Callable[..., float],
) -> SearchResult:
    """Return the quickest win, by a search that deepens until one player can force a win.

    Raises:
        UsageError: the game has other outcomes, or states can come back and no limit is given.
    """
    require_outcomes(game)
    if limits == Limits() and may_repeat(game):
        raise UsageError(f"quickest needs a limit of depth, seconds or nodes: positions of {game.name} come back")
    timed: Any = TimedGame(game, evaluation(game, wanted).function)
    began, nodes = time.perf_counter(), 0
    result = None
    for depth in range(1, (limits.depth or LONG // 2) + 1):
        seconds = None if limits.seconds is None else limits.seconds - (time.perf_counter() - began)
        left = None if limits.nodes is None else limits.nodes - nodes
        if result is not None and ((seconds is not None and seconds <= 0) or (left is not None and left <= 0)):
            return attrs.evolve(result, complete=False, stopped="seconds" if left is None or left > 0 else "nodes")
        allowed = Limits(depth=depth, seconds=seconds and max(seconds, 0.01), nodes=left and max(left, 1))
        step = searcher.analyse(timed, TimedState(state, 0), allowed)
        nodes += step.statistics.nodes
        if result is not None and not step.complete:
            return attrs.evolve(result, complete=False, stopped=step.stopped)
        result = in_game_values(step)
        spent = time.perf_counter() - began
        result = attrs.evolve(result, statistics=attrs.evolve(result.statistics, nodes=nodes, seconds=spent))
        if report:
            report(result)
        if result.exact or step.stopped:
            break
    assert result is not None
    return result


def in_game_values(step: SearchResult) -> SearchResult:
    """Return the result of a timed search in the values of the original game, with distances in plies."""
    values = step.values or {}
    distance = None if abs(step.value) <= 1 else int(LONG - abs(step.value))
    return attrs.evolve(
        step,
        value=outcome(step.value),
        exact=step.exact or distance is not None,
        values={action: outcome(value) for action, value in values.items()},
        best_actions=tuple(action for action, value in values.items() if value == step.value),
        distance=distance,
        distances={action: None if abs(value) <= 1 else int(LONG - abs(value)) for action, value in values.items()},
    )


def outcome(value: float) -> float:
    """Return a value of the original game: 1 for a win, -1 for a loss, otherwise an estimate between them."""
    return max(-1, min(1, value))
