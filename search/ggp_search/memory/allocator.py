"""The memory of an author's searcher: rows of numbers, places for actions, and numbers for states.

A searcher's method `own_memory` asks an `Allocator` for the memory that its recursion needs. The `Allocator` gives this
memory the form that suits the speed of the search. Both forms hold the same content, so that both speeds search the
same states.
"""

from collections.abc import Hashable
from typing import Any, ClassVar, Protocol, TypeVar

from ggp.compiler import Variables
from ggp.compiler.intrinsics import bits_of, hash_of, load, save, spread, value_of, words_of
from ggp.game import Action
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.settings import Numbers
from ggp_search.memory.buffer import Buffer

NumberT = TypeVar("NumberT", int, float)
PartT = TypeVar("PartT")


class NumberRow(Protocol[NumberT]):
    """A row of numbers, all 0 at first: `row[index]`."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> NumberT: ...
    def __setitem__(self, index: int, number: NumberT) -> None: ...


class Actions(Protocol):
    """A row of places, each for an action; all are empty at first."""

    def holds(self, index: int, action: Action) -> bool:
        """Return whether the place holds this action."""

    def put(self, index: int, action: Action) -> None:
        """Store an action."""

    def copy(self, index: int, target: int) -> None:
        """Copy the content of one place to another place."""


class Index(Protocol):
    """An index that gives states or actions the numbers 0, 1, 2, ... in the order in which they first occur."""

    def number(self, value: Hashable) -> int:
        """Return the number of a state or an action.

        A value without a number gets a new number; -1 means that the index is full.
        """


class Allocator:
    """Allocates the memory of one search.

    The memory is new for each search, and stays the same while the search deepens.
    """

    variables: ClassVar[tuple[str, ...]] = ("allocated",)
    depths: ClassVar[int] = MAX_PLIES + 1
    """Number of depths that a search can have: 0 to `depths` - 1."""

    def __init__(self, numbers: Numbers, state_words: int | None = None, action_words: int | None = None) -> None:
        """Prepare the memory of a search.

        Arguments:
            numbers: whether values are integers or floats.
            state_words, action_words: the number of machine words of a state and of an action; None for an interpreted
                search.
        """
        self.numbers = numbers
        self.state_words, self.action_words = state_words, action_words
        self.allocated = 0
        """Number of parts."""
        self.parts: list[Any] = []
        self.given: list[Buffer] = []
        """The memory that was given to other threads."""

    @property
    def compiled(self) -> bool:
        """Whether the memory is for machine code; if not, it is for the interpreter."""
        return self.state_words is not None

    def integers(self, count: int) -> NumberRow[int]:
        """Return a row of `count` whole numbers of 64 bits."""
        return self._made(IntegerRow(count) if self.compiled else [0] * count)

    def floats(self, count: int) -> NumberRow[float]:
        """Return a row of `count` floats."""
        return self._made(FloatRow(count) if self.compiled else [0.0] * count)

    def values(self, count: int) -> NumberRow[int] | NumberRow[float]:
        """Return a row of `count` values of the game; in machine code, they are whole numbers if all values of the game
        are.
        """
        return self.integers(count) if not self.compiled or self.numbers.integral else self.floats(count)

    def actions(self, count: int) -> Actions:
        """Return a row of `count` empty places for actions."""
        words = self.action_words
        return self._made(ActionList(count) if words is None else ActionRow(count, words))

    def state_index(self, count: int) -> Index:
        """Return an index that numbers up to `count` states."""
        words = self.state_words
        return self._made(DictIndex(count) if words is None else WordIndex(count, words))

    def action_index(self, count: int) -> Index:
        """Return an index that numbers up to `count` actions."""
        words = self.action_words
        return self._made(DictIndex(count) if words is None else WordIndex(count, words))

    def _made(self, part: PartT) -> PartT:
        self.parts.append(part)
        # The compiler looks for parts with variables among the attributes of an object with variables.
        setattr(self, f"part_{self.allocated}", part)
        self.allocated += 1
        return part

    def give(self, variables: Variables) -> None:
        """Give another thread its own empty memory of the same size; `variables` are those of the thread's code."""
        for part in self.parts:
            memory = Buffer(part.buffer.size)
            self.given.append(memory)
            variables.set(part, "address", memory.address)


# Interpreted searches ------------------------------------------------------------------------------------------------


class ActionList:
    """See `Actions`."""

    def __init__(self, count: int) -> None:
        self.held: list[tuple[Action, ...]] = [()] * count

    def holds(self, index: int, action: Action) -> bool:
        return self.held[index] == (action,)

    def put(self, index: int, action: Action) -> None:
        self.held[index] = (action,)

    def copy(self, index: int, target: int) -> None:
        self.held[target] = self.held[index]


class DictIndex:
    """See `Index`."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.met: dict[Hashable, int] = {}

    def number(self, value: Hashable) -> int:
        number = self.met.get(value, -1)
        if number < 0 and len(self.met) < self.count:
            number = self.met[value] = len(self.met)
        return number


# Machine words -------------------------------------------------------------------------------------------------------


class IntegerRow:
    """See `NumberRow`."""

    variables: ClassVar[tuple[str, ...]] = ("address",)

    def __init__(self, count: int) -> None:
        self.count = count
        self.buffer = Buffer(8 * count)
        self.address = self.buffer.address

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> int:
        return load(self.address_of(index))

    def __setitem__(self, index: int, number: int) -> None:
        save(self.address_of(index), number)

    def address_of(self, index: int) -> int:
        """Return the address of the number with this index.

        An index outside the row raises IndexError. Then the interpreted search runs instead, where the
        index means what it means in a Python list.
        """
        if index < 0 or index >= self.count:
            raise IndexError
        return self.address + 8 * index


class FloatRow(IntegerRow):
    """See `NumberRow`."""

    def __getitem__(self, index: int) -> float:  # type: ignore[override]
        return value_of(load(self.address_of(index)))

    def __setitem__(self, index: int, number: float) -> None:
        save(self.address_of(index), bits_of(float(number)))


class ActionRow:
    """See `Actions`.

    A row of places in machine words. Each place has a word that says whether it is taken, and the words of the action.
    """

    variables: ClassVar[tuple[str, ...]] = ("address",)

    def __init__(self, count: int, words: int) -> None:
        self.count, self.words = count, words
        self.width = 8 * (1 + words)
        self.buffer = Buffer(self.width * count)
        self.address = self.buffer.address

    def address_of(self, index: int) -> int:
        """Return the address of the place with this index."""
        if index < 0 or index >= self.count:
            raise IndexError
        return self.address + self.width * index

    def holds(self, index: int, action: Action) -> bool:
        address, words = self.address_of(index), words_of(action)
        if len(words) != self.words:
            raise OverflowError  # actions have another length than the first one
        differing = load(address) ^ 1
        for offset, word in enumerate(words):
            differing |= load(address + 8 * offset + 8) ^ word
        return differing == 0

    def put(self, index: int, action: Action) -> None:
        address, words = self.address_of(index), words_of(action)
        if len(words) != self.words:
            raise OverflowError
        save(address, 1)
        for offset, word in enumerate(words):
            save(address + 8 * offset + 8, word)

    def copy(self, index: int, target: int) -> None:
        first, second = self.address_of(index), self.address_of(target)
        for offset in range(0, self.width, 8):
            save(second + offset, load(first + offset))


class WordIndex:
    """An index (see `Index`) as a hash table, whose entries are a number plus 1 and the words of a state or action."""

    variables: ClassVar[tuple[str, ...]] = ("address", "met")

    def __init__(self, count: int, words: int) -> None:
        self.count, self.words = count, words
        self.width = 8 * (1 + words)
        self.entries = 2 * count + 1  # at most half are taken, so few are looked at
        self.buffer = Buffer(self.width * self.entries)
        self.address = self.buffer.address
        self.met = 0
        """Number of states or actions that have a number."""

    def number(self, value: Hashable) -> int:
        words = words_of(value)
        if len(words) != self.words:
            raise OverflowError  # longer than the first one
        entry = spread(hash_of(words), self.entries)
        address = self.address + self.width * entry
        while load(address) != 0:
            if self.is_at(address, words):
                return load(address) - 1
            entry = entry + 1 if entry + 1 < self.entries else 0
            address = self.address + self.width * entry
        if self.met >= self.count:
            return -1
        self.met += 1
        save(address, self.met)
        for offset, word in enumerate(words):
            save(address + 8 * offset + 8, word)
        return self.met - 1

    def is_at(self, address: int, words: tuple[int, ...]) -> bool:
        """Return whether the entry at `address` has these words."""
        return all(load(address + 8 * offset + 8) == word for offset, word in enumerate(words))
