"""Greedy, a searcher for ggp."""

from typing import Any, ClassVar

import attrs

import ggp
from ggp.capabilities import evaluation, legal_actions

Game = ggp.Game[Any, Any]


@attrs.frozen
class Greedy:
    """Greedy: looks at the state after each action and no further."""

    name: ClassVar[str] = "greedy"

    evaluation: str = ggp.option("default", "estimate of a state, by the game's name for it")

    def unsupported_reason(self, game: Game) -> str | None:
        return None  # it plays every game

    def search(
        self, game: Game, state: Any, limits: ggp.Limits = ggp.Limits(), *, report: Any = None
    ) -> ggp.SearchResult:
        return attrs.evolve(self.analyse(game, state, limits), values=None, best_actions=())

    def analyse(
        self, game: Game, state: Any, limits: ggp.Limits = ggp.Limits(), *, report: Any = None
    ) -> ggp.SearchResult:
        values = {action: self._worth(game, game.result(state, action)) for action in legal_actions(game, state)}
        counts = ggp.Statistics(nodes=1 + len(values), leaves=max(1, len(values)), depth=1)
        if not values or game.to_move(state) == ggp.CHANCE:
            value = self._worth(game, state)
            return ggp.SearchResult(action=None, value=value, values=values, complete=True, statistics=counts)
        value = max(values.values()) if game.to_move(state) == ggp.MAX else min(values.values())
        best = tuple(action for action in values if values[action] == value)
        return ggp.SearchResult(
            action=best[0],
            value=value,
            values=values,
            best_actions=best,
            principal_variation=best[:1],
            complete=True,
            statistics=counts,
        )

    def _worth(self, game: Game, state: Any) -> float:
        return game.utility(state, ggp.MAX) if game.terminal_test(state) else evaluation(game, self.evaluation)(state)


@ggp.hookimpl
def ggp_searchers() -> list[type]:
    return [Greedy]
