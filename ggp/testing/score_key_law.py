"""The laws of score, key and value bounds, checked on small searches: states with equal keys have equal futures."""

import functools
from collections.abc import Callable, Hashable, Mapping

import attrs

from ggp import capabilities
from ggp.game import CHANCE, MAX, AnyGame, Evaluation, Foreseeing, Scored, State, capable
from ggp.testing.promises import Examination
from ggp.testing.rule_promises import Observation, close

STATES = 250
"""Maximum number of nodes of one small search."""
DEPTH = 3
"""Maximum depth of a search with an evaluation, in plies."""


class _TooLargeError(Exception):
    """The search has reached its maximum number of nodes."""


class Futures:
    """For each key, the first value found, minus the score of its state, over all plays of one examination."""

    def __init__(self) -> None:
        self._worth: dict[tuple[str, int | None, Hashable], tuple[float, object]] = {}
        self._solved: set[State] = set()
        """States that were compared with their exact values."""

    def check(self, exam: Examination, path: list[tuple[State, Observation]], index: int) -> None:
        """Search below the end of a play and below the state at `index`, and compare states with the same key."""
        if not isinstance(exam.game, (Scored, Foreseeing)):
            return
        offered = capabilities.evaluations(exam.game).items()
        separable = {}
        if isinstance(exam.game, Scored):
            separable = {name: evaluation for name, evaluation in offered if evaluation.separable}
        self._solve_ends(exam, path, separable)
        state = path[index % len(path)][0]
        for name, evaluation in separable.items():
            for depth in range(1, DEPTH + 1):
                compare = functools.partial(self._compare, exam, "separable evaluations", name)
                _attempt(_Search(exam.game, evaluation, compare), state, depth)

    def _solve_ends(
        self, exam: Examination, path: list[tuple[State, Observation]], separable: Mapping[str, Evaluation]
    ) -> None:
        """Find exact values of the states of the play, from its end backwards, as long as the searches are small."""

        def compare(state: State, depth: int | None, value: float) -> None:
            if state in self._solved:
                return
            self._solved.add(state)
            if isinstance(exam.game, Foreseeing) and not exam.game.terminal_test(state):
                exam.at(state)
                low, high = exam.game.value_bounds(state)
                within = low - 1e-9 <= value <= high + 1e-9
                exam.expect("value bounds", within, "the bounds are [{}, {}], but the value is {}", low, high, value)
            if isinstance(exam.game, Scored):
                self._compare(exam, "score and key", "utility", state, depth, value)
            for name, evaluation in {} if exam.game.terminal_test(state) else separable.items():
                self._compare(exam, "separable evaluations", name, state, 0, evaluation(state))

        for state, _ in reversed(path if path[-1][1][0] else []):
            if not _attempt(_Search(exam.game, _never, compare), state, None):
                return

    def _compare(
        self, exam: Examination, promise: str, name: str, state: State, depth: int | None, value: float
    ) -> None:
        """Compare a value of `state` with the value of the first state that had the same key."""
        game = capable(exam.game)
        future = value - game.score(state)
        first, other = self._worth.setdefault((name, depth, game.key(state)), (future, state))
        if other != state:
            exam.at(state)
            text = "it has the same key as {}, but {} minus the score is {} here and {} there"
            exam.expect(promise, close(first, future), text, other, name, future, first)


@attrs.define
class _Search:
    """A small search that reports every value it finds."""

    game: AnyGame
    evaluate: Callable[[State], float]
    found: Callable[[State, int | None, float], None]
    """Called with a state, the remaining plies, and the value."""
    left: int = STATES

    def value(self, state: State, depth: int | None) -> float:
        """Return the value of `state` at depth `depth`; if `depth` is None, search to the end of the game."""
        game = self.game
        self.left -= 1
        if self.left < 0:
            raise _TooLargeError
        if game.terminal_test(state):
            value: float = game.utility(state, MAX)
            if depth is not None:  # a table is not asked about a state where the game is over
                return value
        elif depth == 0:
            value = self.evaluate(state)
        else:
            deeper = None if depth is None else depth - 1
            actions = capabilities.all_actions(game, state)
            children = [self.value(game.result(state, action), deeper) for action in actions]
            value = self._backed_up(state, children)
        self.found(state, depth, value)
        return value

    def _backed_up(self, state: State, children: list[float]) -> float:
        mover = self.game.to_move(state)
        if mover == CHANCE:
            mean: float = sum(
                p * child for (_, p), child in zip(capable(self.game).outcomes(state), children, strict=True)
            )
            return mean
        return max(children) if mover == MAX else min(children)


def _attempt(search: _Search, state: State, depth: int | None) -> bool:
    """Run the search; return whether it finished."""
    try:
        search.value(state, depth)
    except _TooLargeError:
        return False
    return True


def _never(state: State) -> float:
    raise AssertionError("a search to the end of the game evaluates nothing")
