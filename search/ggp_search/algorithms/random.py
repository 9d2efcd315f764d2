"""Random play: the searcher that returns any legal action, and the choices that Monte Carlo searches make."""

import random
import time
from typing import ClassVar

import attrs

from ggp.capabilities import evaluation, legal_actions
from ggp.compiler.intrinsics import count_of, item_at
from ggp.frozen_games import frozen_play
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.options import option
from ggp.searcher import Limits, Report, SearchResult, Statistics
from ggp_search.engine.driver import best_of
from ggp_search.engine.search import Search


@attrs.frozen(kw_only=True)
class RandomChoice:
    """Random: a legal action, the same for the same seed and state."""

    name: ClassVar[str] = "random"

    seed: int | None = option(None, "seed that makes the choices repeatable: one choice for each state")

    def unsupported_reason(self, game: AnyGame) -> str | None:
        """Return None: the random searcher plays every game."""
        return None

    def search(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """Return a random action. The value is the estimate of the state, since nothing is searched."""
        started = time.perf_counter()
        game, state = frozen_play(game, state)
        actions = legal_actions(game, state) if _moves(game, state) else ()
        chosen = random.Random(None if self.seed is None else f"{self.seed} {state!r}")
        return SearchResult(
            action=chosen.choice(actions) if actions else None,
            value=_estimate(game, state),
            complete=True,
            exact=game.terminal_test(state),
            statistics=Statistics(nodes=1, leaves=1, seconds=time.perf_counter() - started),
        )

    def analyse(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """Return a random action, with the estimate of the state after each action as `values`."""
        game, state = frozen_play(game, state)
        values = {each: _estimate(game, game.result(state, each)) for each in legal_actions(game, state)}
        best = values[best_of(game.to_move(state), values)] if values and _moves(game, state) else None
        best_actions = tuple(each for each in values if values[each] == best)
        return attrs.evolve(self.search(game, state, limits), values=values, best_actions=best_actions)

    def explain(self, game: AnyGame, state: State, limits: Limits = Limits()) -> dict[str, str]:
        """See `ggp.searcher.Explaining`."""
        again = "another choice each time" if self.seed is None else "the same choice for the same position each time"
        return {
            "searched": "nothing: all legal moves are equally likely",
            "value": "the estimate of the position",
            "seed": f"{'none' if self.seed is None else self.seed}: {again}",
        }


def _moves(game: AnyGame, state: State) -> bool:
    return not game.terminal_test(state) and game.to_move(state) != CHANCE


def _estimate(game: AnyGame, state: State) -> float:
    return game.utility(state, MAX) if game.terminal_test(state) else evaluation(game)(state)


UNIT_BITS = (1 << 53) - 1
"""A mask for the 53 random bits of a number from 0 up to, but not including, 1."""
UNIT = 2.0**-53
"""The value of the lowest of the 53 bits."""


def random_share(search: Search) -> float:
    """Return a random number from 0 up to, but not including, 1."""
    return (search.own.random_word() >> 11 & UNIT_BITS) * UNIT


def sample_outcome(game: AnyGame, search: Search, state: State) -> tuple[Action, int]:
    """Return an outcome of chance, sampled by its probability, and its index."""
    # If rounding leaves `point` at 0 or above after the last outcome, the last outcome is taken.
    point, index = random_share(search), -1
    for outcome, probability in search.outcomes(state):
        chosen = outcome
        index += 1
        point -= probability
        if point < 0:
            break
    return chosen, index


def number_of_actions(game: AnyGame, state: State) -> int:
    """Return the number of legal actions, or of outcomes of chance."""
    return count_of(game.actions(state))


def action_at(game: AnyGame, state: State, index: int) -> Action:
    """Return the action with this index in the game's own order."""
    return item_at(game.actions(state), index)
