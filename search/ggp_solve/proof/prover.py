"""Exact values by yes-or-no questions: is a state's value at least v? All questions about a game use one table.

A question is a search to the end of the game with a null window. The proved bounds of a state are stored as an
interval, which MTD(f) narrows (A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, Best-first fixed-depth minimax
algorithms, Artificial Intelligence 87, 1996). Kalah was solved in this way: G. Irving, J. Donkers and J. Uiterwijk,
Solving Kalah, ICGA Journal 23(3), 2000.
"""

import functools
from collections.abc import Iterator
from math import inf

import attrs
from ggp_search.algorithms.alphabeta import AlphaBeta
from ggp_search.constants import MAX_PLIES
from ggp_search.engine import compiled_engine
from ggp_search.engine.driver import prepare
from ggp_search.engine.engine import Engine
from ggp_search.engine.limits import Control
from ggp_search.engine.settings import SearchPlan, choose_settings
from ggp_search.tablebases.tablebase import Tablebase

from ggp.capabilities import is_stochastic
from ggp.errors import DepthError, UnsupportedGameError
from ggp.game import MAX, MIN, Action, AnyGame, Bounded, Foreseeing, State, capable
from ggp.searcher import Limits

Interval = tuple[float, float]


@attrs.define
class Prover:
    """The proved bounds of a game's states, and the search that proves more bounds."""

    game: AnyGame
    engine: Engine
    proved: dict[State, Interval] = attrs.field(factory=dict)
    """The proved bounds of the value to MAX, for each state that a question was about."""
    guesses: dict[Action, float] = attrs.field(factory=dict)
    """Estimates of some states' values, from searches long enough to be worth storing."""
    asked: tuple[State, float] | None = None
    """The current question, as a state and a number: is the value of the state at least this number?"""
    control: Control = attrs.field(factory=Control)
    """The limits of the searches of a prover."""
    whole: int | None = attrs.field(default=None, init=False)
    """Number of estimates before the present question; None between questions.

    The question itself must not use any estimate.
    """

    def __attrs_post_init__(self) -> None:
        self.obey(self.control)

    def obey(self, control: Control) -> None:
        """Use the limits of `control` from now on."""
        self.control = control
        control.watch(self.engine.counter)

    def interval(self, state: State) -> Interval:
        """Return the proved bounds of the value of `state`. At first, these are the game's own bounds."""
        if state not in self.proved:
            if self.game.terminal_test(state):
                value = self.game.utility(state, MAX)
                self.proved[state] = value, value
            elif isinstance(self.game, Foreseeing):
                self.proved[state] = self.game.value_bounds(state)
            elif isinstance(self.game, Bounded):
                self.proved[state] = self.game.bounds(state)
            else:
                self.proved[state] = self.engine.numbers.lowest, self.engine.numbers.highest
        return self.proved[state]

    def bounds(self, state: State) -> Interval:
        """Return the proved bounds of the value of `state`; a bound is infinite if nothing is known about it."""
        (lower, upper), numbers = self.interval(state), self.engine.numbers
        return -inf if lower == numbers.lowest else lower, inf if upper == numbers.highest else upper

    def at_least(self, state: State, wanted: float) -> bool:
        """Return whether the value of `state` is at least `wanted`, by a search.

        Raises:
            SearchStopped: the search was asked to stop.
            DepthError: the game has more plies than the maximum depth of a search.
        """
        lower, upper = self.interval(state)
        if lower >= wanted or upper < wanted:
            return lower >= wanted
        self.asked = state, wanted
        # No value lies in this window, so every bound cuts: a null window, which visits the fewest states.
        estimates = self.engine.estimates
        self.whole = estimates
        try:
            value = self.engine.within(state, MAX_PLIES, self.engine.below(wanted), wanted)
            self.require_end()
        finally:
            self.whole = None
        self.proved[state] = (max(lower, value), upper) if value >= wanted else (lower, min(upper, value))
        self.asked = None
        return value >= wanted

    def require_end(self) -> None:
        """Raise DepthError if a question has reached the maximum depth, because an estimate at that depth may decide
        it.
        """
        if self.whole is not None and self.engine.estimates > self.whole:
            raise DepthError(f"{self.game.name} was not over after {MAX_PLIES} plies, so its value is not proved")

    def guess(self, state: State, states: int) -> float:
        """Estimate the value of `state` by searches with about the given number of nodes.

        Use a separate prover for estimates. In a common table, the best actions of these searches would mislead proofs:
        in Kalah, a proof took 1.5 times as many nodes.
        """
        engine, numbers = self.engine, self.engine.numbers
        value, enough = 0.0, engine.counter.nodes + states
        for depth in range(1, MAX_PLIES):
            estimates = engine.estimates
            value = self.engine.within(state, depth, numbers.lowest, numbers.highest)
            # A search without estimates went to the end everywhere: deeper searches find the same value.
            if engine.counter.nodes > enough or engine.estimates == estimates:
                break
        return value

    def value(self, state: State, guess: float) -> float:
        """Return the value of `state`. With a good guess, few questions are needed; if the guess is right, two
        questions are enough.
        """
        lower, upper = self.interval(state)
        # The next question asks about the value beside the bound just proved, then twice as far each time. So if a
        # guess is far off, the number of questions is the logarithm of its error, not the error itself.
        stride, integral = 0, self.engine.numbers.integral
        guess = round(guess) if integral else guess
        while lower < upper:
            wanted = min(max(guess, self.engine.above(lower)), upper)
            self.at_least(state, wanted)
            lower, upper = self.interval(state)
            guess = self.engine.above(lower) + stride if lower >= wanted else upper - stride
            if integral:
                stride = 2 * stride + 1
        return lower

    def outcome(self, state: State) -> int:
        """Return 1 if MAX wins, -1 if MIN wins, 0 for a draw: the sign of the value."""
        above = self.engine.above(0)
        return 1 if self.at_least(state, above) else 0 if self.at_least(state, 0) else -1

    def best_action(self, state: State, value: float) -> Action:
        """Return an action that keeps the value of `state`, which is `value` exactly."""
        return self._good_action(state, value if self.game.to_move(state) == MAX else self.engine.above(value))

    def outcome_action(self, state: State, outcome: int) -> Action:
        """Return an action after which the game still has this outcome for MAX."""
        mover, above = self.game.to_move(state), self.engine.above(0)
        wanted = {(MAX, 1): above, (MAX, 0): 0, (MIN, -1): 0, (MIN, 0): above}.get((mover, outcome))
        if wanted is None:  # all is lost
            return next(iter(self.game.actions(state)))
        return self._good_action(state, wanted)

    def _good_action(self, state: State, wanted: float) -> Action:
        """Return an action after which the value is at least `wanted` if MAX moves, or less than `wanted` if MIN
        moves.
        """
        self.engine.within(state, MAX_PLIES, self.engine.below(wanted), wanted)  # the table knows the action
        likely, is_max = self.engine.choice(), self.game.to_move(state) == MAX
        children = {action: self.game.result(state, action) for action in self.game.actions(state)}
        for action, child in children.items():
            lower, upper = self.interval(child)
            if (lower >= wanted and is_max) or (upper < wanted and not is_max):
                return action  # known without a search
        # Trying the likely action first mostly saves all other questions. The others take turns: if a bound decided the
        # value, no action is likely, and one proof may be millions of times longer than another.
        questions = {
            action: functools.partial(self.at_least, children[action], wanted)
            for action in sorted(children, key=lambda each: each != likely)
        }
        for action, holds in self.control.in_turns(questions):
            if holds == is_max:
                return action
        raise AssertionError("no action keeps the value")

    def line(self, state: State, value: float) -> Iterator[Action]:
        """Yield best play of both sides from `state`, whose value is `value`, to the end of the game."""
        while not self.game.terminal_test(state):
            action = self.best_action(state, value)
            yield action
            state = self.game.result(state, action)


def require_solvable(game: AnyGame) -> None:
    """Raise UnsupportedGameError for a game of chance."""
    if is_stochastic(game):
        raise UnsupportedGameError(f"{game.name} is a game of chance: it has no line to prove; search it instead")


def new_prover(
    game: AnyGame,
    state: State,
    *,
    memory: float = 64,
    threads: int = 1,
    tablebase: Tablebase | None = None,
    guesses: bool = False,
    speed: str = "auto",
) -> Prover:
    """Return a prover for values of `game`, without any proved bounds.

    Arguments:
        state: any of the states that questions will be about.
        memory: size of the table in megabytes.
        guesses: whether to guess values, by the game's evaluation, instead of proving them.

    Raises:
        UnsupportedGameError: the game is a game of chance.
    """
    require_solvable(game)
    prepare(Limits())
    settings = choose_settings(
        game,
        wanted="default",
        table=memory,
        ordering="auto",
        bounds=None,
        etc=True,
        speed=speed,
        threads=threads,
        tablebase=tablebase,
        proof=not guesses,
    )
    engine = compiled_engine.choose_engine(SearchPlan(capable(game), state, AlphaBeta(), settings))
    engine.next_iteration()
    return Prover(game, engine)
