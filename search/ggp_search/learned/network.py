"""N-tuple networks. Each tuple of cells has a table of weights; the value of a state is the sum of one weight from each
table.

Sources: W. W. Bledsoe and I. Browning, Pattern recognition and reading by machine, 1959 (n-tuples); S. M. Lucas,
Learning to play Othello with n-tuple systems, Australian Journal of Intelligent Information Processing 4 (2008).
"""

import copy
import itertools
import math
import types
from collections.abc import Callable, Iterable, Sequence
from math import tanh
from typing import ClassVar

import attrs

from ggp import compiler
from ggp.capabilities import evaluations, is_stochastic
from ggp.compiler.intrinsics import load, put_value, save, value_of, words_of
from ggp.game import CHANCE, AnyGame, Bounded, Scored, State, capable
from ggp_search.learned.state_words import Places, ReadWords, Series, words_at, words_by_type
from ggp_search.memory.buffer import Buffer, ThreadMemory


@attrs.frozen
class CellReader:
    """A cell of the board, and how its contents are read from a state."""

    bits: tuple[int, ...]
    """The bits of the state that determine the contents. The number of a bit is 64 times the number of its word, plus
    its number in the word.
    """
    contents: tuple[int, ...]
    """For each value of the cell's bits, the content as a number from 0. The first bit is the lowest bit of the value.
    """
    base: int
    """The number of possible contents."""

    def read(self, words: Sequence[int]) -> int:
        """Return the content that the cell has in a state with these words."""
        return self.contents[sum((words[bit >> 6] >> (bit & 63) & 1) << index for index, bit in enumerate(self.bits))]


@attrs.frozen
class ColourSymmetry:
    """How the cells and contents of a board change if the players are exchanged. Exchanging the players twice changes
    nothing.
    """

    cells: tuple[int, ...]
    """For each cell, the cell to which its content moves."""
    contents: tuple[tuple[int, ...], ...]
    """For each cell and each content of the cell, the content after the exchange."""

    def image(self, contents: Sequence[int]) -> tuple[int, ...]:
        """Return the contents of all cells after the players have changed places."""
        cells = [0] * len(contents)
        for cell, content in enumerate(contents):
            cells[self.cells[cell]] = self.contents[cell][content]
        return tuple(cells)


@attrs.frozen
class CellBoard:
    """The cells of a game's board, their neighbours, and the board's symmetries."""

    words: int
    """The number of words of a state."""
    cells: tuple[CellReader, ...]
    neighbours: tuple[tuple[int, ...], ...]
    symmetries: tuple[tuple[int, ...], ...]
    """Permutations of the cells that make no difference to the rules: the content of cell c moves to cell
    `symmetry[c]`. The identity comes first.
    """
    places: Places = attrs.field(default=(), kw_only=True)
    """If machine code cannot hold the states: the part of the state from which each word is read (see `state_words`).
    """

    colours: ColourSymmetry | None = attrs.field(default=None, kw_only=True)
    """The map from a position to the position with exchanged players, which has the opposite value. None if the rules
    do not treat the players alike.
    """

    def read(self, words: Sequence[int]) -> tuple[int, ...]:
        """Return the contents of all cells in a state with these words."""
        return tuple(cell.read(words) for cell in self.cells)

    def read_all(self, rows: Sequence[Sequence[int]]) -> Series:
        """Return an array of the contents of all cells, with a row for each state, given the states' words."""
        import numpy as np

        words = np.array([[word & (1 << 64) - 1 for word in row] for row in rows], np.uint64)
        contents = np.zeros((len(rows), len(self.cells)), np.int64)
        for number, cell in enumerate(self.cells):
            code = np.zeros(len(rows), np.uint64)
            for index, bit in enumerate(cell.bits):
                code |= (words[:, bit >> 6] >> np.uint64(bit & 63) & np.uint64(1)) << np.uint64(index)
            contents[:, number] = np.array(cell.contents)[code]
        return contents


@attrs.frozen
class OwnEvaluation:
    """The game's own evaluation as an input: its values are divided into steps, and each step has a weight."""

    name: str
    least: float
    """The least value of the first step; all lower values belong to this step, too."""
    width: float
    steps: int

    def balanced(self) -> "OwnEvaluation":
        """Return steps of equal width, symmetrical around 0, so that x and -x are in opposite steps."""
        count = math.ceil(max(-self.least, self.least + self.steps * self.width) / self.width)
        return attrs.evolve(self, least=-(count + 0.5) * self.width, steps=2 * count + 1)


@attrs.frozen
class NetworkPlan:
    """The board that a network looks at, tuples of its cells, and the unit of its values."""

    board: CellBoard
    tuples: tuple[tuple[int, ...], ...]
    """The cells of each tuple. The symmetric images of a tuple use the same table."""
    middle: float
    scale: float
    """A state's value is `middle`, or the game's score if it has one, plus a number between -`scale` and `scale`."""
    sides: int
    """The number of sets of tables. There is one set for each player to move. In games of chance, there is also one set
    for each player who moves after chance.
    """
    own: OwnEvaluation | None = None
    """The game's own evaluation; None if it is not an input."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of entries of each tuple's table."""
        return tuple(_entries(self.board, cells) for cells in self.tuples)

    @property
    def entries(self) -> int:
        """The number of entries of the tables of one side."""
        return sum(self.sizes) + (self.own.steps if self.own else 0)

    def twins(self) -> "Series | None":
        """Return, for each entry of one side, the entry of the other side that has the opposite weight.

        The other entry stands for the same contents with the players exchanged. None if the rules treat the players
        differently.
        """
        import numpy as np

        board = self.board
        if board.colours is None:
            return None
        starts = list(itertools.accumulate(self.sizes, initial=0))
        entries = np.full(self.entries, -1)
        for number, cells in enumerate(self.tuples):
            for other in range(number, len(self.tuples)):
                if entries[starts[number]] >= 0:
                    break
                image = twin_entries(board, cells, self.tuples[other])
                if image is not None:
                    entries[starts[number] : starts[number + 1]] = starts[other] + image
                    entries[starts[other] + image] = starts[number] + np.arange(len(image))
        if self.own:
            entries[starts[-1] :] = np.arange(self.entries - 1, starts[-1] - 1, -1)
        return None if (entries < 0).any() else entries

    @property
    def slots(self) -> int:
        """The number of weights that are added up to a state's value."""
        return len(self.images) + (self.own is not None)

    @property
    def images(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """For each different symmetric image of a tuple: the number of the tuple, and the cells of the image."""
        images = {
            (number, tuple(image[cell] for cell in cells)): None
            for number, cells in enumerate(self.tuples)
            for image in self.board.symmetries
        }
        return tuple(images)


def twin_entries(board: CellBoard, cells: Sequence[int], others: Sequence[int]) -> "Series | None":
    """Return the twin of each entry of a tuple: the entry of another tuple that takes its place when the players are
    exchanged.

    Return None if no symmetric image of the other tuple has the right cells.

    Arguments:
        cells, others: the two tuples. If both are the same tuple, applying the result twice changes nothing.
    """
    import numpy as np

    assert board.colours is not None
    moved = [board.colours.cells[cell] for cell in cells]
    for symmetry in board.symmetries:
        places = [symmetry[cell] for cell in others]
        if sorted(places) != sorted(moved):
            continue
        strides = list(itertools.accumulate((board.cells[cell].base for cell in others), int.__mul__, initial=1))
        left = np.arange(_entries(board, cells))
        entries = np.zeros_like(left)
        for cell, target in zip(cells, moved, strict=True):
            left, content = np.divmod(left, board.cells[cell].base)
            entries = entries + np.array(board.colours.contents[cell])[content] * strides[places.index(target)]
        if cells != others or (entries[entries] == np.arange(len(entries))).all():
            return entries
    return None


def _entries(board: CellBoard, cells: Iterable[int]) -> int:
    size = 1
    for cell in cells:
        size *= board.cells[cell].base
    return size


class Network(ThreadMemory):
    """The weights of a plan, and the state that the network is looking at.

    The network follows the changes from one state to the next: a bit that changes updates only the entries that depend
    on it. The memory `scratch` describes the state. This memory holds the state's words, the halves of words whose bits
    matter, the value of each cell's bits, and for each image of a tuple the entry of its table (in bytes from the first
    weight). If the game's own evaluation is an input, its entry comes last.
    """

    variables: ClassVar[tuple[str, ...]] = (
        "scratch", "weights", "halves", "last_half", "bits", "first", "last", "side", "middle", "scale",
        "own_table", "own_least", "own_width", "own_last",
    )  # fmt: skip
    width: ClassVar[int] = 8
    """The size of a weight in bytes."""

    def __init__(self, game: AnyGame, plan: NetworkPlan, arrays: int = 1) -> None:
        """Create a network whose weights are 0.

        Arguments:
            arrays: how many numbers each entry has: its weight, and the numbers that only a learner needs.
        """
        self.game = capable(game)
        self.plan = plan
        self.scored = isinstance(game, Scored)
        self.bounded = isinstance(game, Bounded)
        self.chance = is_stochastic(game)
        self.words = plan.board.words
        self.middle, self.scale = plan.middle, plan.scale
        self.side = self.width * plan.entries
        """The size in bytes of the tables of one side."""
        self.size = self.side * plan.sides
        """The size in bytes of all weights."""
        self.first = 8 * (3 * self.words + len(plan.board.cells))
        """The address in `scratch` of the first entry."""
        self.last = self.first + 8 * plan.slots
        self.owned = plan.own is not None
        own = plan.own or OwnEvaluation("", 0.0, 1.0, 1)
        self.own: Callable[[State], float] = evaluations(game)[own.name].function if self.owned else _nothing
        self.own_least, self.own_width, self.own_last = own.least, own.width, own.steps - 1
        self.own_table = self.width * sum(plan.sizes)
        """The offset in bytes of the first weight of the game's own evaluation."""
        self._readers: list[ReadWords] = []
        """The function that reads the words of states in Python, once it is known. All views of the network share this
        list.
        """
        self.weights_memory = Buffer(self.size * arrays + 8)  # the last weight may be read as a whole word
        self.weights = self.weights_memory.address
        self._lay_out(plan)
        self._own = Buffer(self.last)
        self.scratch = self._own.address
        self.begin(self.scratch)

    def _lay_out(self, plan: NetworkPlan) -> None:
        """Store which halves of words have bits that matter, each half with a mask of these bits. For each bit that
        matters, also store the cells and the entries that depend on the bit.
        """
        starts = list(itertools.accumulate(plan.sizes, initial=0))
        uses: list[list[int]] = [[] for _ in plan.board.cells]
        self._entries = [0] * plan.slots
        for slot, (number, cells) in enumerate(plan.images):
            stride = self.width
            self._entries[slot] = self.width * starts[number]
            for cell in cells:
                uses[cell] += [self.first + 8 * slot, stride]
                self._entries[slot] += stride * plan.board.cells[cell].contents[0]
                stride *= plan.board.cells[cell].base
        changes: list[list[int]] = [[] for _ in range(64 * self.words)]
        rows = []
        for cell, (read, used) in enumerate(zip(plan.board.cells, uses, strict=True)):
            if used:
                rows.append((8 * (3 * self.words + cell), read, used))
        room = 4 * self.words + 64 * self.words
        room += sum(4 + len(read.contents) + len(used) + 2 * len(read.bits) for _, read, used in rows) + 64 * self.words
        self._layout = Buffer(8 * room)
        self.halves = self._layout.address
        self.bits = self.halves + 32 * self.words
        free = self.bits + 8 * 64 * self.words
        for address, read, used in rows:
            free, row = _put(free, [address, 0, 0, 0]), free
            save(row + CONTENTS, free)
            free = _put(free, read.contents)
            save(row + USES, free)
            free = _put(free, used)
            save(row + END, free)
            for number, bit in enumerate(read.bits):
                changes[bit] += [row, 1 << number]
        for bit, changed in enumerate(changes):
            if changed:
                save(self.bits + 8 * bit, free)
                free = _put(free, [free + 8 + 8 * len(changed), *changed])
        used = sorted({bit >> 5 for bit, changed in enumerate(changes) if changed})
        masks = [sum(1 << bit for bit in range(32) if changes[32 * half + bit]) for half in used]
        self.last_half = _put(self.halves, [each for pair in zip(used, masks, strict=True) for each in pair])

    def room(self) -> tuple[str, int]:
        return "scratch", self.last

    def begin(self, address: int, code: compiler.Code | None = None) -> None:
        """Start from a state whose bits are all 0."""
        _put(address + self.first, self._entries)

    def value(self, state: State) -> float:
        """Return the estimate of the value to MAX of a state that is not terminal."""
        return self.secured(state) + self.scale * self.rest(state)

    def estimate(self, state: State) -> float:
        """Return the value, limited to the bounds that the game knows."""
        value = self.value(state)
        if self.bounded:
            least, greatest = self.game.bounds(state)
            value = min(max(value, float(least)), float(greatest))
        return value

    def view(self) -> "Network":
        """Return a network that shares these weights, but has separate memory for the state it looks at."""
        other = copy.copy(self)
        other._own = Buffer(self.last)
        other.scratch = other._own.address
        other.begin(other.scratch)
        return other

    def in_python(self) -> "PythonNetwork":
        """Return a network with the same weights, for states in Python."""
        other = self._class_in_python().__new__(self._class_in_python())
        if not self._readers:
            places = self.plan.board.places
            self._readers.append(words_at(places) if places else words_by_type(self.game))
        vars(other).update(vars(self.view()), words_in_python=self._readers[0])
        return other

    @classmethod
    def _class_in_python(cls) -> "type[PythonNetwork]":
        return PythonNetwork

    def secured(self, state: State) -> float:
        """Return the part of a state's value that is known without learning."""
        return float(self.game.score(state)) if self.scored else self.middle

    def rest(self, state: State) -> float:
        """Return the part of a state's value that is learned, from -1 to 1."""
        self.look(state)
        weights = self.weights + self.side * self.set_of(state)
        total, other = 0.0, 0.0
        address, last = self.scratch + self.first, self.scratch + self.last
        while address + 8 < last:  # two sums, since each addition waits for the one before it
            total += value_of(load(weights + load(address)))
            other += value_of(load(weights + load(address + 8)))
            address += 16
        if address < last:
            total += value_of(load(weights + load(address)))
        return tanh(total + other)

    def set_of(self, state: State) -> int:
        """Return the index of the set of tables that belongs to the player to move."""
        mover = self.game.to_move(state)
        if self.chance and mover == CHANCE:
            return 2 + self.mover_after(state)
        return mover

    def mover_after(self, state: State) -> int:
        """Return who moves after the first outcome of chance."""
        for _ in range(FOLLOWED):
            for action in self.game.actions(state):
                outcome = action
                break
            state = self.game.result(state, outcome)
            if self.game.terminal_test(state):
                return 0
            mover = self.game.to_move(state)
            if mover != CHANCE:
                return mover
        return 0

    def look(self, state: State) -> None:
        """Look at a state: update the entries for each bit that differs from the previous state."""
        scratch = self.scratch
        self.write(scratch, state)
        for row in range(self.halves, self.last_half, 16):
            half = load(row)
            bits = load(scratch + 8 * (half >> 1)) >> 32 * (half & 1) & load(row + 8)
            seen = scratch + 8 * (self.words + half)
            changed = bits ^ load(seen)
            if changed:
                save(seen, bits)
            while changed:
                bit = changed & -changed
                changed ^= bit
                self.turn(load(self.bits + 8 * (32 * half + (bit - 1).bit_count())))
        if self.owned:
            save(scratch + self.last - 8, self.own_table + self.width * self.own_step(state))

    def own_step(self, state: State) -> int:
        """Return the step that a number belongs to.

        The number is the game's own evaluation of a state, minus the certain part of the value.
        """
        value = float(self.own(state))
        if self.scored:
            value -= self.secured(state)
        return int(min(max((value - self.own_least) / self.own_width, 0.0), float(self.own_last)))

    def write(self, address: int, state: State) -> None:
        """Store the words of a state.

        Raises:
            OverflowError: the state has more words, or fewer, than the states that were learned.
        """
        if len(words_of(state)) != self.words:
            raise OverflowError
        put_value(address, state)

    def turn(self, changes: int) -> None:
        """Update the cells that depend on a bit, and the entries that depend on those cells."""
        scratch, last = self.scratch, load(changes)
        for change in range(changes + 8, last, 16):
            cell = load(change)
            address = scratch + load(cell)
            before = load(address)
            after = before ^ load(change + 8)
            save(address, after)
            contents = load(cell + CONTENTS)
            step = load(contents + 8 * after) - load(contents + 8 * before)
            if step:
                for use in range(load(cell + USES), load(cell + END), 16):
                    entry = scratch + load(use)
                    save(entry, load(entry) + step * load(use + 8))


class PythonNetwork(Network):
    """A network that reads states as Python objects, for interpreted searches.

    A single state does not show which parts of a state can be None. So the type of all states decides which words a
    state has.
    """

    words_in_python: ReadWords

    def write(self, address: int, state: State) -> None:
        words = self.words_in_python(state)
        if len(words) != self.words:
            raise OverflowError
        _put(address, words)


def in_python(function: Callable[..., float]) -> Callable[..., float]:
    """Return an evaluation for interpreted searches: a network in its form for Python, and any other evaluation
    unchanged.
    """
    owner = function.__self__ if isinstance(function, types.MethodType) else None
    return getattr(owner.in_python(), function.__name__) if isinstance(owner, Network) else function


def _nothing(state: State) -> float:
    return 0.0


FOLLOWED = 4
"""Maximum number of successive chance nodes that are followed to see who moves after them."""
CONTENTS, USES, END = 8, 16, 24
"""Offsets in the row of a cell.

The row has three parts: the address of the cell's bits; the cell's content for each value of the bits; and the entries
whose index includes the cell, each with the cell's factor in bytes.
"""


def _put(address: int, words: Sequence[int]) -> int:
    """Store words in memory; return the address after the last word."""
    for index, word in enumerate(words):
        save(address + 8 * index, word)
    return address + 8 * len(words)
