"""Positions: the states of a game by number, in the order in which they were found; and the codes of values."""

from collections.abc import Hashable
from typing import Any, ClassVar

from ggp.compiler.memory import bits_of, get_value, load, mix, save, spread, value_of, words_of
from ggp_solve.columns import Memory, MemoryColumn

MOST_CODES = 65_534
"""Different values of one game."""
FIRST_SLOTS = 1 << 12
FULL = 3, 4
"""The part of an index that may be taken, as a fraction: fuller, and looking up takes long."""
GROWTH = 1.6
"""How many times as large an index becomes when it is full: at least half of it is taken then."""


class Positions:
    """States and their numbers from 0 up, for interpreted code.

    Arguments:
        most: states that there may be.
    """

    variables: ClassVar[tuple[str, ...]] = ()

    def __init__(self, most: int) -> None:
        self.most = most
        self._numbers: dict[Hashable, int] = {}
        self._states: list[Any] = []

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._states)

    def state(self, number: int, like: Any = None) -> Any:
        """Return the state of that number; `like` is any state."""
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

    def grow(self, run: Any) -> bool:
        """Make room for more, and return whether there is."""
        return False


class MemoryPositions:
    """States and their numbers from 0 up, for machine code.

    The words of the states lie one after another in the order of their numbers. An index leads from the hash of a state
    to its number: open addressing with linear probing (D. E. Knuth, The Art of Computer Programming 3, section 6.4).
    """

    variables: ClassVar[tuple[str, ...]] = ("count", "keys", "slots", "room")

    def __init__(self, most: int, sample: Any) -> None:
        self.most = most
        self.words = len(words_of(sample))
        """Of a state."""
        self.memory = Memory(8 * self.words * most)
        self.keys = self.memory.address
        self.count = 0
        self.slots = FIRST_SLOTS
        self.room = min(most, self.slots * FULL[0] // FULL[1])
        """States for which the index is large enough."""
        self.index = MemoryColumn(4, self.slots)
        """A state's number and 1, or 0."""

    def state(self, number: int, like: Any) -> Any:
        return get_value(self.keys + 8 * self.words * number, like)

    def find(self, state: Any) -> int:
        slot = spread(hash_of(state), self.slots)
        while True:
            number = self.index.get(slot) - 1
            if number < 0 or self.holds(number, state):
                return number
            slot += 1
            if slot == self.slots:
                slot = 0

    def holds(self, number: int, state: Any) -> bool:
        """Return whether the state has that number."""
        address = self.keys + 8 * self.words * number
        return all(load(address + 8 * place) == word for place, word in enumerate(words_of(state)))

    def number(self, state: Any) -> int:
        slot = spread(hash_of(state), self.slots)
        while True:
            number = self.index.get(slot) - 1
            if number < 0:
                break
            if self.holds(number, state):
                return number
            slot += 1
            if slot == self.slots:
                slot = 0
        number = self.count
        if number >= self.room:
            return -1
        address = self.keys + 8 * self.words * number
        for place, word in enumerate(words_of(state)):
            save(address + 8 * place, word)
        self.index.put(slot, number + 1)
        self.count = number + 1
        return number

    def grow(self, run: Any) -> bool:
        """Make room for more, and return whether there is.

        Arguments:
            run: runs a function at machine speed, `run(function, known, *values)`.
        """
        if self.room >= self.most:
            return False
        self.slots = int(self.slots * GROWTH)
        self.room = min(self.most, self.slots * FULL[0] // FULL[1])
        self.index.renew(self.slots)
        run(reindex, self, self.count)
        return True


def hash_of(state: Any) -> int:
    """Return a hash of a state."""
    hashed = 0
    for word in words_of(state):
        hashed = mix(hashed, word)
    return mix(hashed, 0)


def reindex(positions: MemoryPositions, count: int) -> None:
    """Put all states into a new index."""
    for number in range(count):
        address = positions.keys + 8 * positions.words * number
        hashed = 0
        for place in range(positions.words):
            hashed = mix(hashed, load(address + 8 * place))
        slot = spread(mix(hashed, 0), positions.slots)
        while positions.index.get(slot) != 0:
            slot += 1
            if slot == positions.slots:
                slot = 0
        positions.index.put(slot, number + 1)


class Codes:
    """Values and their codes from 1 up, in the order in which they were met, for interpreted code."""

    variables: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        self._codes: dict[float, int] = {}

    def code(self, value: float) -> int:
        """Return the code of a value; 0 if there are too many."""
        if value not in self._codes and len(self._codes) == MOST_CODES:
            return 0
        return self._codes.setdefault(value, len(self._codes) + 1)

    @property
    def values(self) -> list[float]:
        """The values in the order of their codes."""
        return list(self._codes)


class MemoryCodes:
    """Values and their codes, for machine code."""

    variables: ClassVar[tuple[str, ...]] = ("address", "count")

    def __init__(self) -> None:
        self.memory = Memory(8 * MOST_CODES)
        self.address = self.memory.address
        self.count = 0

    def code(self, value: float) -> int:
        word = bits_of(value + 0.0)
        for place in range(self.count):
            if load(self.address + 8 * place) == word:
                return place + 1
        if self.count == MOST_CODES:
            return 0
        save(self.address + 8 * self.count, word)
        self.count += 1
        return self.count

    @property
    def values(self) -> list[float]:
        """The values in the order of their codes."""
        return [value_of(load(self.address + 8 * place)) for place in range(self.count)]
