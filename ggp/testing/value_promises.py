"""Promises about values that a game knows without search: known values, and bounds of values."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from ggp import repetition
from ggp.capabilities import legal_actions
from ggp.game import CHANCE, MAX, Action, AnyGame, Bounded, Foreseeing, Passing, Solved, State, capable
from ggp.testing.promises import Examination
from ggp.testing.rule_promises import Observation, close

SMALL: Final = 400
"""Maximum number of states of the search below a state near the end of a play."""
LARGE: Final = 6000
"""Maximum number of states of the search below the first state whose value is known; tic-tac-toe has 5478."""
NEAR: Final = 4
"""Maximum distance from the end of a play, in plies, of a state whose values are compared."""


class _TooManyError(Exception):
    """The search has entered as many states as it may."""


class ExactValues:
    """Exact values of states, found by minimax with a memory, if the search enters few states."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._known: dict[State, float] = {}
        self._left = 0

    def value(self, state: State, states: int) -> float | None:
        """Return the value to MAX of a state; None if the search would enter more than `states` new states."""
        if repetition.may_repeat(self._game):
            return None  # the value of a state depends on how it was reached
        self._left = states
        try:
            return self._search(state)
        except (_TooManyError, RecursionError):
            return None

    def _search(self, state: State) -> float:
        if state not in self._known:
            self._left -= 1
            if self._left < 0:
                raise _TooManyError
            self._known[state] = self._backed_up(state)
        return self._known[state]

    def _backed_up(self, state: State) -> float:
        game = self._game
        if game.terminal_test(state):
            return float(game.utility(state, MAX))
        children = {action: self._search(game.result(state, action)) for action in game.actions(state)}
        mover = game.to_move(state)
        if mover == CHANCE:
            return float(sum(share * children[action] for action, share in capable(game).outcomes(state)))
        return max(children.values()) if mover == MAX else min(children.values())


class ValueClaims:
    """Values that a game claims to know, compared with exact values and with each other."""

    def __init__(self, exam: Examination) -> None:
        self._exam = exam
        self._exact = ExactValues(exam.game)
        self._searched = False

    def check(self, path: list[tuple[State, Observation]]) -> None:
        """Check the known values, the bounds of values, and the values of passes along a play."""
        game = self._exam.game
        unfinished = [state for state, seen in path if not seen[0]]
        for index, state in enumerate(unfinished if isinstance(game, Foreseeing) else ()):
            self._check_foreseen(state, self._effort(len(unfinished) - index))
        for index, state in enumerate(unfinished if isinstance(game, Passing) else ()):
            self._check_pass(state, self._effort(len(unfinished) - index))
        if isinstance(game, Solved):
            for index, state in enumerate(unfinished):
                known = game.known_values(state)
                if known:
                    self._check_known(state, known, self._effort(len(unfinished) - index))

    def _effort(self, left: int) -> int:
        """Return the number of states that a search may enter, `left` plies before the end of a play."""
        first, self._searched = not self._searched, True
        return LARGE if first else SMALL if left <= NEAR else 0

    def _check_known(self, state: State, known: Mapping[Action, float], effort: int) -> None:
        exam, game = self._exam, self._exam.game
        exam.at(state)
        legal = legal_actions(game, state)
        wrong = [action for action in known if action not in legal]
        exam.expect("known values", not wrong, "{} is not one of the actions {}", *(wrong[:1] or [None]), legal)
        low, high = game.bounds(state) if isinstance(game, Bounded) else (-math.inf, math.inf)
        for action, value in known.items():
            exam.at(state, action)
            within = math.isfinite(value) and low - 1e-9 <= value <= high + 1e-9
            exam.expect("known values", within, "the value is {}, outside the bounds [{}, {}]", value, low, high)
            right = self._after(game.result(state, action), effort)
            same = right is None or close(value, right)
            exam.expect("known values", same, "the value is {}, but best play leads to {}", value, right)
        exam.at(state)
        best = self._exact.value(state, effort)
        if best is not None and game.to_move(state) != CHANCE:
            listed = any(close(value, best) for value in known.values())
            exam.expect(
                "known values", listed, "the known values are {}, but the best action has the value {}", known, best
            )

    def _after(self, child: State, effort: int) -> float | None:
        """Return the value of a successor by the rules or by the game's own known values; None if neither gives it."""
        exact, game = self._exact.value(child, effort), self._exam.game
        if exact is not None:
            return exact
        own = {} if game.terminal_test(child) else game.known_values(child)  # type: ignore[attr-defined]
        if not own or game.to_move(child) == CHANCE:
            return None
        return _best(game.to_move(child), own.values())

    def _check_foreseen(self, state: State, effort: int) -> None:
        """Check that the bounds of a state's value contain the value, and are consistent with the bounds of its
        successors.
        """
        exam, game = self._exam, self._exam.game
        exam.at(state)
        low, high = game.value_bounds(state)  # type: ignore[attr-defined]
        exam.expect("value bounds", low <= high, "the bounds are [{}, {}]", low, high)
        value = self._exact.value(state, effort)
        within = value is None or low - 1e-9 <= value <= high + 1e-9
        exam.expect("value bounds", within, "the bounds are [{}, {}], but the value is {}", low, high, value)
        mover = game.to_move(state)
        widest = game.bounds(state) if isinstance(game, Bounded) else (-math.inf, math.inf)
        if mover == CHANCE or (low, high) == tuple(widest):  # bounds that say nothing agree with all successors
            return
        after = [self._foreseen(game.result(state, action)) for action in game.actions(state)]
        least, most = _best(mover, (each[0] for each in after)), _best(mover, (each[1] for each in after))
        meet = low <= most + 1e-9 and least <= high + 1e-9
        text = "the bounds are [{}, {}], but by the bounds of the successors they should be [{}, {}]"
        exam.expect("value bounds", meet, text, low, high, least, most)

    def _check_pass(self, state: State, effort: int) -> None:
        """Check that a pass is no better than the best action."""
        exam, game = self._exam, self._exam.game
        exam.at(state)
        after = game.passed(state)  # type: ignore[attr-defined]
        mover = game.to_move(state)
        if mover == CHANCE:
            return
        here, there = self._exact.value(state, effort), self._exact.value(after, effort)
        harmless = here is None or there is None or close(here, there) or (here > there) == (mover == MAX)
        exam.expect("passes", harmless, "the value is {}, but after a pass it is {}", here, there)

    def _foreseen(self, state: State) -> tuple[float, float]:
        game = capable(self._exam.game)
        if game.terminal_test(state):
            worth = game.utility(state, MAX)
            return worth, worth
        low, high = game.value_bounds(state)
        return low, high


def _best(mover: int, values: Iterable[float]) -> float:
    return max(values) if mover == MAX else min(values)
