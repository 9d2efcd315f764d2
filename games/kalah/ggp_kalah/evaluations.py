"""Evaluations of Kalah by name: estimates of an unfinished game's value to South."""

from collections.abc import Mapping
from math import exp

import attrs

from ggp import Evaluation
from ggp_kalah.rules import KalahRules, State

SEPARABLE = ("margin", "seeds", "weighted", "reply")
"""Evaluations that are the store margin plus a function of the houses alone."""
BOUNDED = {
    ("margin", False): ("margin", "seeds", "reply"),
    ("margin", True): ("margin", "seeds", "reply", "scaled", "hundredth", "logistic"),
    ("outcome", False): (),
    ("outcome", True): ("scaled", "logistic"),
}
"""For each scoring, without and with the majority rule: the evaluations that lie within the bounds of the game.

Some evaluations count seeds in the houses; at the end of the game, all these seeds could be in the store of their side.
Every other evaluation has the sign of the store margin, and is not greater in size than the margin; with the scoring by
outcome, its size is less than 1. Such an evaluation is within the bounds if they allow a draw or a reversal. The bounds
always do if a majority ends the game.
"""


@attrs.frozen
class Evaluations:
    """Estimates of a state's value to South.

    Each docstring is the formula with its unit, as it is shown to people.
    """

    game: KalahRules

    def by_name(self) -> Mapping[str, Evaluation]:
        """Return the evaluations with their promises in this variant; the first evaluation is the default.

        With the scoring by outcome, or if a majority ends the game, the key is the whole state. Then all evaluations
        are separable.
        """
        functions = {
            "margin": self.margin,
            "scaled": self.scaled,
            "hundredth": self.hundredth,
            "logistic": self.logistic,
            "seeds": self.seeds,
            "mobility": self.mobility,
            "weighted": self.weighted,
            "reply": self.reply,
        }
        default = "margin" if self.game.scoring == "margin" else "scaled"
        bounded = BOUNDED[self.game.scoring, self.game.majority]
        return {
            name: Evaluation(
                functions[name],
                " ".join((functions[name].__doc__ or "").split()),
                separable=name in SEPARABLE or not self.game.is_secured,
                bounded=name in bounded,
            )
            for name in sorted(functions, key=default.__ne__)
        }

    def margin(self, state: State) -> int:
        """South's store minus North's, in seeds"""
        return self.game.margin(state)

    def scaled(self, state: State) -> float:
        """store margin (limited to half of all seeds) / (half of all seeds + 1): within (-1, 1)"""
        total, twice = self._total(state), 2 * self.game.margin(state)
        return max(-total, min(total, twice)) / (total + 2)

    def hundredth(self, state: State) -> float:
        """store margin / 100"""
        return self.game.margin(state) / 100

    def logistic(self, state: State) -> float:
        """2 / (1 + exp(-2 x)) - 1 for x = store margin / (half of all seeds + 1): within (-1, 1)"""
        return 2 / (1 + exp(-4 * self.game.margin(state) / (self._total(state) + 2))) - 1

    def seeds(self, state: State) -> int:
        """seeds in South's houses and store minus seeds in North's houses and store"""
        return state[0] % self.game.mask - state[1] % self.game.mask

    def mobility(self, state: State) -> int:
        """South's houses with seeds minus North's houses with seeds"""
        return self._playable(state[0]) - self._playable(state[1])

    def weighted(self, state: State) -> int:
        """South's sum minus North's, each as if that side were to move: 5 for each extra turn, 1 plus the captured
        seeds for each capture, and the number of seeds on the side
        """
        return self._prospects(state[0], state[1]) - self._prospects(state[1], state[0])

    def reply(self, state: State) -> int:
        """the mover's store after the best play, minus the opponent's store after the best reply, in seeds; negated if
        North is to move"""
        game, mover = self.game, state[2]
        if game.terminal_test(state):
            return game.margin(state)
        best = -game.mask  # less than any number of seeds
        for house in range(game.houses):
            if game.seeds_in(state[mover], house):
                after = game.play(state, house)
                other = after[1 - mover] >> game.store
                if not game.terminal_test(after):
                    other = self._best_store((after[0], after[1], 1 - mover))
                best = max(best, (after[mover] >> game.store) - other)
        return -best if mover else best

    def _total(self, state: State) -> int:
        """Return the number of all seeds on the board."""
        return state[0] % self.game.mask + state[1] % self.game.mask

    def _playable(self, word: int) -> int:
        """Return how many houses hold seeds."""
        return sum(1 for house in range(self.game.houses) if self.game.seeds_in(word, house))

    def _prospects(self, own: int, other: int) -> int:
        """Return one side's points in the evaluation `weighted`."""
        game, worth = self.game, own % self.game.mask
        for house in range(game.houses):
            if game.seeds_in(own, house):
                if game.ends_in_store(own, house):
                    worth += 5
                else:
                    size = game.captured(own, other, house)
                    worth += size + 1 if size else 0
        return worth

    def _best_store(self, state: State) -> int:
        """Return the greatest number of seeds that the mover's store can hold after one play."""
        game, mover = self.game, state[2]
        best = state[mover] >> game.store
        for house in range(game.houses):
            if game.seeds_in(state[mover], house):
                best = max(best, game.play(state, house)[mover] >> game.store)
        return best
