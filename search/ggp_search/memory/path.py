"""The path: the states from the root to the current one, for games with repetition (see `ggp.repetition`).

A state that is already on the path has the value of a repetition. A value that depends on the repetition of a state
higher up holds only below that state (the graph-history interaction problem). So the table does not store it: M.
Campbell, The graph-history interaction: on ignoring position history, ACM Annual Conference (1985).
"""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from ggp import compiler
from ggp.compiler.intrinsics import load, put_value, save, words_of
from ggp.game import AnyGame, CapableGame, State
from ggp.repetition import last_occurrence, repetition_value, states_played
from ggp_search.constants import MAX_PLIES
from ggp_search.memory.buffer import ThreadMemory

NEVER = 1 << 40
"""A ply number greater than all others; it means that no repetition has occurred."""
BEFORE = -1
"""A ply number that stands for all states before the root."""


class InterpretedPath:
    """The path of an interpreted search.

    Arguments:
        played: the states of the game before the root. The path includes every such state that would end the game if it
            came back.
    """

    def __init__(self, game: AnyGame, played: Sequence[State] = ()) -> None:
        self.game = game
        last = last_occurrence(game) or NEVER
        self.played = [state for state, times in Counter(played).items() if times >= last - 1]
        self.plies: dict[State, int] = {}
        self.earliest = NEVER
        """The least ply of a path state that was repeated below the current state."""

    def clear(self) -> None:
        """Start at a new root."""
        self.plies = dict.fromkeys(self.played, BEFORE)
        self.earliest = NEVER

    def holds(self, state: State) -> bool:
        """Return whether `state` is on the path; if it is, record the repetition."""
        ply = self.plies.get(state, NEVER)
        if ply < self.earliest:
            self.earliest = ply
        return ply < NEVER

    def repeated(self, state: State) -> float:
        """Return the value to MAX of a repetition of `state`."""
        return repetition_value(self.game, state)

    def enter(self, state: State) -> int:
        """Add `state` to the path; return a value to pass to `leave`."""
        outer, self.earliest = self.earliest, NEVER
        self.plies[state] = len(self.plies)
        return outer

    def leave(self, state: State, outer: int) -> bool:
        """Remove `state` from the path; return whether its value does not depend on the repetition of a state above
        it.
        """
        ply, met = self.plies.pop(state), self.earliest
        self.earliest = min(outer, met) if met < ply else outer
        return met >= ply


class CompiledPath(ThreadMemory):
    """The path of a compiled search: the words of its states, one after another."""

    variables: ClassVar[tuple[str, ...]] = ("address", "length", "earliest")

    def __init__(self, game: CapableGame, worth: float | None, state_words: int, played: Sequence[State] = ()) -> None:
        """Prepare a path.

        Arguments:
            worth: the value of a repetition; None if a method of the game returns it.
            state_words: the number of machine words of a state.
            played: see `InterpretedPath`.
        """
        self.game = game
        self.worth, self.state_words = worth, state_words
        self.width = 8 * state_words
        self.played = InterpretedPath(game, played).played
        self.address = 0
        self.length = len(self.played)
        self.earliest = NEVER

    def room(self) -> tuple[str, int]:
        return "address", self.width * (MAX_PLIES + 1 + len(self.played))

    def begin(self, address: int, code: compiler.Code | None = None) -> None:
        """Write the states before the root into a thread's memory.

        Raises:
            Refused: a state has a longer list than the code was compiled for.
        """
        assert code is not None
        try:
            rows = [compiler.flatten(state, code.arguments[0]) for state in self.played]
        except compiler.NotRepresentable as error:
            raise compiler.Refused(str(error)) from None
        for index, row in enumerate(rows):
            for offset, word in enumerate(row):
                save(address + self.width * index + 8 * offset, word)

    def holds(self, state: State) -> bool:
        words = words_of(state)
        # States may be longer than the first one: code for such an estimate is made, measured and made again. That the
        # length is not negative is not known while compiling, so that this code has an end.
        if len(words) != self.state_words and self.length >= 0:
            raise OverflowError
        for ply in range(self.length):
            at, differing = self.address + self.width * ply, 0
            for index, word in enumerate(words):
                differing |= load(at + 8 * index) ^ word
            if differing == 0:
                if ply < self.earliest:
                    self.earliest = ply
                return True
        return False

    def repeated(self, state: State) -> int | float:
        if self.worth is None:
            return self.game.repetition(state)
        return self.worth

    def enter(self, state: State) -> int:
        outer = self.earliest
        self.earliest = NEVER
        put_value(self.address + self.width * self.length, state)
        self.length += 1
        return outer

    def leave(self, state: State, outer: int) -> bool:
        self.length -= 1
        ply, met = self.length, self.earliest
        self.earliest = min(outer, met) if met < ply else outer
        return met >= ply


def path_of(game: AnyGame) -> InterpretedPath | None:
    """Return a path for a search of `game`; None if no repetition can end the game."""
    return None if last_occurrence(game) is None else InterpretedPath(game, states_played())
