"""Positions: the states of a game by number, in the order in which they were found."""

from collections.abc import Hashable
from typing import Any


class Positions:
    """States and their numbers from 0 up, for interpreted code.

    Arguments:
        most: states that there may be.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._numbers: dict[Hashable, int] = {}
        self._states: list[Any] = []

    def __len__(self) -> int:
        return len(self._states)

    def state(self, number: int) -> Any:
        """Return the state of that number."""
        return self._states[number]

    def find(self, state: Any) -> int:
        """Return the number of a state; -1 if it has none."""
        return self._numbers.get(state, -1)

    def number(self, state: Any) -> int:
        """Return the number of a state, a new one if it has none; -1 if there is no room for it."""
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            if number >= self.most:
                del self._numbers[state]
                return -1
            self._states.append(state)
        return number
