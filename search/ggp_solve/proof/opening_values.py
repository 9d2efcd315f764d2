"""Opening values: the exact values of all positions that are reached within a given number of plies, for an opening
table.

The positions of the last ply are proved one after another, with one transposition table for all. The values of the
earlier plies follow by minimax. Positions that a symmetry maps to each other count as one.
"""

import time
from collections.abc import Callable, Iterator

import attrs
from ggp_search.engine.engine import CompiledFormError
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped

from ggp import opening_table
from ggp.capabilities import canonical, is_stochastic, notation
from ggp.errors import UnsupportedGameError, UsageError
from ggp.game import MAX, AnyGame, State
from ggp.number_text import many
from ggp.repetition import may_repeat
from ggp_solve.proof.proof_solver import require_new_states
from ggp_solve.proof.prover import Prover, new_prover

TABLE = 256
"""Maximum size of the transposition table in megabytes."""
MOST_POSITIONS = 2_000_000
"""Maximum number of positions of an opening table. Finding this many positions takes one or two gigabytes of memory."""

REPORT = 1000
"""Number of positions that are found between two reports."""


@attrs.define
class OpeningValues:
    """The values of the first plies of a game, which are not all proved yet."""

    game: AnyGame
    layers: list[list[State]]
    """The canonical states after each number of plies (see `opening_layers`)."""
    proved: dict[str, float] = attrs.field(factory=dict)
    """The values to MAX that were proved by search, by position. The proof continues from the values of an
    earlier run.
    """
    control: Control = attrs.field(factory=Control, init=False)
    unproved: dict[str, State] = attrs.field(factory=dict, init=False)
    """The states of the last ply whose values only a search can prove, by position."""
    _different: set[float] = attrs.field(factory=set, init=False)
    """The values that the table will have, as far as they are known."""
    _speed: str = attrs.field(default="auto", init=False)
    _prover: Prover = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._prover = self._new_prover()
        text = notation(self.game).format_state
        for state in self.layers[-1]:
            lower, upper = self._prover.interval(state)
            if lower == upper:
                self._add_value(lower)
            else:
                self.unproved[text(state)] = state
        for layer in self.layers[:-1]:
            for state in filter(self.game.terminal_test, layer):
                self._add_value(self.game.utility(state, MAX))

    def is_value(self, position: str, value: float) -> bool:
        """Return whether a position is one that a search must prove, and may have this value."""
        if position not in self.unproved:
            return False
        lower, upper = self._prover.interval(self.unproved[position])
        return lower <= value <= upper

    def run(self, seconds: float | None = None, look: Callable[[], None] = lambda: None) -> bool:
        """Prove the values that are left; return whether all are proved.

        Arguments:
            seconds: the processor time that the proofs may take.
            look: called several times a second.
        """
        began = time.process_time()

        def watch() -> None:
            if seconds is not None and time.process_time() - began > seconds:
                self.control.stop("seconds")

        def look_and_watch() -> None:
            watch()
            look()

        self.control.run(lambda: self._prove(watch), look=look_and_watch)
        return len(self.proved) == len(self.unproved)

    def progress(self) -> tuple[str, str]:
        """Return the finished work in words."""
        states = self._prover.engine.states
        return (
            f"{len(self.proved):,} of {many(len(self.unproved), 'position')} proved",
            f"{states / 1e6:,.1f} M states" if states else "",
        )

    @property
    def note(self) -> str | None:
        """The reason why the search is interpreted; None if the search is not interpreted."""
        return self._prover.engine.note

    def values(self) -> dict[State, float]:
        """Return the value to MAX of each state of the layers, when all values are proved."""
        same, values = canonical(self.game), dict[State, float]()
        for state in self.layers[-1]:
            values[state] = self._prover.interval(state)[0]
        values |= {state: self.proved[text] for text, state in self.unproved.items()}
        for layer in reversed(self.layers[:-1]):
            for state in layer:
                if self.game.terminal_test(state):
                    values[state] = self.game.utility(state, MAX)
                    continue
                best = max if self.game.to_move(state) == MAX else min
                children = (self.game.result(state, action) for action in self.game.actions(state))
                values[state] = best(values[same(child)] for child in children)
        return {state: float(value) for state, value in values.items()}

    def _new_prover(self) -> Prover:
        prover = new_prover(self.game, self.layers[0][0], memory=TABLE, speed=self._speed)
        prover.obey(self.control)
        return prover

    def _prove(self, watch: Callable[[], None]) -> None:
        """Prove one value after another, until all are proved or the work is stopped."""
        guess = 0.0
        for text, state in sorted(self.unproved.items(), key=lambda item: item[0]):
            if text not in self.proved:
                watch()
                try:
                    self.control.check()
                    value = self._value(state, guess)
                except SearchStopped:
                    return
                self.proved[text] = float(value)
            guess = self.proved[text]
            self._add_value(guess)

    def _value(self, state: State, guess: float) -> float:
        """Return the value of a state. Positions that are proved one after another have similar values, so `guess` is
        the value of the previous position.
        """
        try:
            return self._prover.value(state, guess)
        except CompiledFormError:
            if self._speed == "interpreted":
                raise
            self._speed = "interpreted"  # rules as they are written may do what machine code cannot
            self._prover = self._new_prover()
            return self._prover.value(state, guess)

    def _add_value(self, value: float) -> None:
        """Add a value of the table; raise UnsupportedGameError if there are now more than a table can have."""
        self._different.add(value)
        if len(self._different) > opening_table.MOST_VALUES:
            raise UnsupportedGameError(
                f"positions of {self.game.name} have more than {opening_table.MOST_VALUES} different values, which is"
                " the most that an opening table can have"
            )


def require_opening_table(game: AnyGame) -> None:
    """Raise UnsupportedGameError for a game of chance, or one in which positions come back."""
    if is_stochastic(game) or may_repeat(game):
        why = "is a game of chance" if is_stochastic(game) else "has positions that come back"
        raise UnsupportedGameError(f"{game.name} {why}: the values of an opening table cannot be proved by search")
    require_new_states(game, game.initial_state())


def opening_layers(game: AnyGame, plies: int, report: Callable[[int], None] = lambda found: None) -> list[list[State]]:
    """Return the canonical states after 0, 1, 2, ... plies, in a fixed order; fewer layers if the game ends earlier.

    Arguments:
        report: called with the number of states so far.

    Raises:
        UsageError: there are more than `MOST_POSITIONS` states, or they are too large for an opening table.
        UnsupportedGameError: the notation writes two states in the same way.
    """
    start = canonical(game)(game.initial_state())
    layers, met = [[start]], {start}
    while len(layers) <= plies:
        following, number = dict[State, None](), len(met)  # a dictionary keeps the order
        for child in _children(game, layers[-1]):
            following[child] = None
            met.add(child)
            if len(met) > MOST_POSITIONS:
                fewer = len(layers) - 1
                raise UsageError(
                    f"{game.name} has more than {MOST_POSITIONS:,} positions of at most {len(layers)} plies, and"
                    f" {number:,} of at most {fewer}: give --plies {fewer} or less"
                )
            if not len(following) % REPORT:
                report(len(met))
        if not following:
            break
        layers.append(list(following))
    _require_distinct(game, met)
    return layers


def _children(game: AnyGame, states: list[State]) -> Iterator[State]:
    """Yield the canonical states after one more ply."""
    same = canonical(game)
    for state in states:
        if not game.terminal_test(state):
            for action in game.actions(state):
                yield same(game.result(state, action))


def _require_distinct(game: AnyGame, states: set[State]) -> None:
    """Check that an opening table can hold the states, and can tell them apart."""
    texts = {notation(game).format_state(state).encode() for state in states}
    if len(texts) < len(states):
        raise UnsupportedGameError(f"the notation of {game.name} writes two different positions in the same way")
    size = len(texts) * (1 + max(map(len, texts)))
    if size > opening_table.LARGEST:
        raise UsageError(
            f"{many(len(texts), 'position')} of {game.name} take {size >> 20:,} MB, and an opening table has at most"
            f" {opening_table.LARGEST >> 20} MB: give --plies a smaller number"
        )
