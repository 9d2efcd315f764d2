"""Symmetry of the players: in many games a position with the players exchanged has the opposite value.

Learning finds this symmetry by itself, like other symmetries: a game need not declare any. Positions with exchanged
players are made from the words of random positions; the rules must treat a position and its counterpart alike.
"""

import collections
import itertools
import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import attrs
from ggp_search.learned.network import CellBoard, ColourSymmetry
from ggp_search.learned.state_words import ReadWords, Series, WordRows, state_type

from ggp import compiler
from ggp.capabilities import evaluations, legal_actions
from ggp.compiler.encoding import build, signed
from ggp.errors import GGPError, UnsupportedGameError
from ggp.game import CHANCE, MAX, AnyGame, CapableGame, Scored, State, capable

SAMPLES = 40
"""Number of positions whose moves are compared with the moves of their counterparts, in which the players are
exchanged.
"""
FEW_CONTENTS = 5
"""Maximum number of contents for which every exchange is tried; if there are more, only owners are exchanged."""
MOST_EXCHANGES = 64
"""Maximum number of exchanges of contents that are tried for each map of the board."""
EQUAL = 1e-9
"""Values of an evaluation that differ by no more than this count as equal."""
MOST_VALUES = 100
"""Maximum number of values of a word that belongs to several cells."""
ROUNDS = 3
"""Number of rounds in which words that belong to several cells are adapted."""

Alphabet = Mapping[Hashable, int]


@attrs.frozen
class Rules:
    """A game, and the words of its states."""

    game: CapableGame
    words_of: ReadWords
    build: Callable[[Sequence[int]], State]
    """A function that returns the state that has the given words."""


def with_colours(
    game: AnyGame,
    words_of: ReadWords,
    board: CellBoard,
    survey: tuple[WordRows, Series],
    maps: Sequence[tuple[int, ...]],
    alphabets: Sequence[Alphabet],
    seed: int,
) -> CellBoard:
    """Return `board` with its exchange of colours, which says how the contents of cells change if the players change
    places.

    Arguments:
        words_of: returns the words of a state.
        survey: the words of random positions, and the player to move in each.
        maps: permutations of the board's first cells.
        alphabets: for each cell, the number that stands for each of its contents.
    """
    try:
        kind = state_type(game)
    except UnsupportedGameError:
        return board
    identity = tuple(range(len(board.cells)))
    turned = [(*each, *identity[len(each) :]) for each in maps]
    turned = [each for each in turned if each != identity and all(each[each[cell]] == cell for cell in identity)]
    rules = Rules(capable(game), words_of, lambda words: build(iter(words), kind))
    symmetry = find_colour_symmetry(rules, board, *survey, (identity, *turned), alphabets, seed)
    return attrs.evolve(board, colours=symmetry)


def halves(count: int) -> list[tuple[int, ...]]:
    """Return permutations of `count` cells: the reverse order, and the first half exchanged with the second."""
    cells = range(count)
    return [tuple(cells)[::-1], *([(*cells[count // 2 :], *cells[: count // 2])] if count % 2 == 0 else [])]


def find_colour_symmetry(
    rules: Rules,
    board: CellBoard,
    words: WordRows,
    movers: Series,
    maps: Sequence[tuple[int, ...]],
    alphabets: Sequence[Alphabet],
    seed: int,
) -> ColourSymmetry | None:
    """Return how cells and contents change when the players are exchanged.

    Return None if the rules treat the players differently.

    Arguments:
        words, movers: the words of random positions, and the players to move.
        maps: permutations of the cells to try; each is its own inverse.
        alphabets: for each cell, the number that stands for each of its contents.
    """
    twins = Exchange(rules, board, words, movers)
    if not twins.turning:
        return None
    samples = twins.samples(words, seed)
    for contents in _exchanges(board, alphabets):
        for cells in maps:
            symmetry = ColourSymmetry(cells, contents)
            if _fits(board, alphabets, symmetry) and twins.hold(symmetry, samples):
                return symmetry
    return None


def _fits(board: CellBoard, alphabets: Sequence[Alphabet], symmetry: ColourSymmetry) -> bool:
    return all(alphabets[cell] is alphabets[other] for cell, other in enumerate(symmetry.cells))


def _exchanges(board: CellBoard, alphabets: Sequence[Alphabet]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield candidate exchanges: for each cell, a permutation of its contents. The first ones exchange the owners of
    the pieces.
    """
    kinds = {id(alphabet): (alphabet, board.cells[cell].base) for cell, alphabet in enumerate(alphabets)}
    choices = [tuple(_involutions(alphabet, base)) for alphabet, base in kinds.values()]
    for chosen in itertools.islice(itertools.product(*choices), MOST_EXCHANGES):
        of_kind = dict(zip(kinds, chosen, strict=True))
        yield tuple(of_kind[id(alphabet)] for alphabet in alphabets)


def _involutions(alphabet: Alphabet, base: int) -> Iterator[tuple[int, ...]]:
    """Yield those permutations of contents that are their own inverses."""
    involutions = {own: None for own in (_owners_exchanged(alphabet, base),) if own}
    involutions[tuple(range(base))] = None
    if base <= FEW_CONTENTS:
        for each in itertools.permutations(range(base)):
            if all(each[other] == content for content, other in enumerate(each)):
                involutions[each] = None
    yield from involutions


def _owners_exchanged(alphabet: Alphabet, base: int) -> tuple[int, ...] | None:
    """Return the contents with each piece exchanged for the other player's piece; None if they are not pieces of
    players.
    """
    owned: dict[object, list[tuple[object, ...]]] = collections.defaultdict(list)
    for label in alphabet:
        if not isinstance(label, tuple) or len(label) != 4:
            return None
        owned[label[0]].append(label)
    image = list(range(base))
    for label in owned[0]:
        same = [other for other in owned[1] if other[1:] == label[1:]]
        others = same or (owned[1] if len(owned[0]) == len(owned[1]) == 1 else [])
        if not others:
            return None
        one, other = alphabet[label], alphabet[others[0]]
        image[one], image[other] = other, one
    return tuple(image) if sorted(image) == list(range(base)) else None


class Exchange:
    """Positions in which the players have changed places."""

    def __init__(self, rules: Rules, board: CellBoard, words: WordRows, movers: Series) -> None:
        import numpy as np

        self.rules, self.board = rules, board
        chosen = movers != CHANCE
        self.turning: dict[int, int] = {}
        """The bits of each word that say who is to move."""
        self.shared: dict[int, list[int]] = {}
        """The values of each word whose bits belong to several cells, such as the place of a piece."""
        users = collections.Counter(bit for cell in board.cells for bit in cell.bits)
        for number in range(words.shape[1]):
            column = words[:, number]
            for bit in range(64):
                said = self._bit(words, 64 * number + bit)[chosen]
                if (said == movers[chosen]).all() or (said == 1 - movers[chosen]).all():
                    self.turning[number] = self.turning.get(number, 0) | 1 << bit
            values = np.unique(column).tolist()
            if len(values) <= MOST_VALUES and any(users[64 * number + bit] > 1 for bit in range(64)):
                self.shared[number] = [signed(value) for value in values]
        self.read_by = {
            number: [cell for cell, read in enumerate(board.cells) if any(bit >> 6 == number for bit in read.bits)]
            for number in self.shared
        }
        self.together: list[tuple[int, ...]] = []
        """Groups of words that are adapted together: two neighbours, such as the row and the column of a piece, or a
        single word.
        """
        for number, values in self.shared.items():
            beside = number + 1
            if (
                self.read_by.get(beside) == self.read_by[number]
                and len(values) * len(self.shared[beside]) <= MOST_VALUES
            ):
                self.together.append((number, beside))
            elif not any(number in pair for pair in self.together):
                self.together.append((number,))
        self.codes: list[dict[int, list[int]]] = []
        """For each cell and content, the values of the cell's bits that were seen, the most frequent value first."""
        self.followers: list[dict[int, dict[int, int]]] = [{} for _ in board.cells]
        """For each cell, other bits that depend only on its contents, with their value for each content."""
        columns = []
        for reader in board.cells:
            code = sum(self._bit(words, bit) << digit for digit, bit in enumerate(reader.bits))
            cells_by_content: dict[int, list[int]] = collections.defaultdict(list)
            for value, _ in collections.Counter(code.tolist()).most_common():
                cells_by_content[reader.contents[value]].append(value)
            for value, content in enumerate(reader.contents):
                if content not in cells_by_content:
                    cells_by_content[content].append(value)  # never seen, so what the bits say on their own
            self.codes.append(cells_by_content)
            columns.append(np.array(reader.contents)[code])
        for number in set(range(words.shape[1])) - set(self.shared):
            said = self.turning.get(number, 0)
            for bit in range(64 * number, 64 * number + 64):
                column = self._bit(words, bit)
                if not users[bit] and not said >> (bit & 63) & 1 and column.any() and not column.all():
                    for values, contents in zip(self.followers, columns, strict=True):
                        sums = np.bincount(contents, column)
                        counts = np.bincount(contents)
                        if ((sums == 0) | (sums == counts)).all():
                            values[bit] = {each: int(sums[each] > 0) for each in np.flatnonzero(counts).tolist()}
                            break

    @staticmethod
    def _bit(words: WordRows, bit: int) -> Any:
        import numpy as np

        return (words[:, bit >> 6] >> np.uint64(bit & 63) & np.uint64(1)).astype(np.int64)

    @staticmethod
    def samples(words: WordRows, seed: int) -> list[list[int]]:
        """Return the words of the first position, and of other positions chosen at random."""
        dice = random.Random(seed)
        rows = dice.sample(range(1, len(words)), min(SAMPLES, len(words) - 1))
        return [[signed(int(word)) for word in words[row]] for row in (0, *rows)]

    def exchanged(self, words: Sequence[int], symmetry: ColourSymmetry, *, exchanges: bool = True) -> list[int] | None:
        """Return the words of the position with exchanged players; None if it cannot be made.

        Arguments:
            exchanges: whether the players are exchanged; otherwise only the contents of the cells are exchanged.
        """
        cells = self.board.cells
        wanted = symmetry.image(self.board.read(words))
        made = list(words)
        for number, mask in self.turning.items() if exchanges else ():
            made[number] = signed((made[number] ^ mask) & (1 << 64) - 1)
        for _ in range(ROUNDS):
            for numbers in self.together:
                readers = self.read_by[numbers[0]]

                def wrong(
                    values: Sequence[int], numbers: Sequence[int] = numbers, readers: Sequence[int] = readers
                ) -> int:
                    for number, value in zip(numbers, values, strict=True):
                        made[number] = value
                    return sum(cells[cell].read(made) != wanted[cell] for cell in readers)

                present = tuple(made[number] for number in numbers)
                choices = itertools.product(*(self.shared[number] for number in numbers))
                wrong(min([present, *choices], key=wrong))
            for cell, reader in enumerate(cells):
                if reader.read(made) != wanted[cell]:
                    self._write(cell, wanted[cell], made)
                for bit, following in self.followers[cell].items():
                    _set_bit(made, bit, following.get(wanted[cell], 0))
            if self.board.read(made) == wanted:
                return made
        return None

    def _write(self, cell: int, content: int, words: list[int]) -> None:
        """Change a cell's bits until the cell has this content.

        Bits of shared words stay unchanged, since another cell may need them. So the cell does not always get the
        content.
        """
        reader = self.board.cells[cell]
        for code in (*self.codes[cell][content], *self.codes[cell][content][:1]):
            for digit, bit in enumerate(reader.bits):
                if bit >> 6 not in self.shared:
                    _set_bit(words, bit, code >> digit & 1)
            if reader.read(words) == content:
                return

    def hold(self, symmetry: ColourSymmetry, samples: Sequence[Sequence[int]], *, exchanges: bool = True) -> bool:
        """Return whether the rules treat each position and its image alike.

        The image is the position with exchanged players, or only with exchanged contents of cells.
        """
        for words in samples:
            made = self.exchanged(words, symmetry, exchanges=exchanges)
            if made is None:
                return False
            try:
                if not self._alike(self.rules.build(words), self.rules.build(made), symmetry, exchanges):
                    return False
            except (GGPError, compiler.NotRepresentable, ArithmeticError, LookupError, TypeError, ValueError):
                return False
        return True

    def _alike(self, state: State, twin: State, symmetry: ColourSymmetry, exchanges: bool) -> bool:
        """Return whether each move of a position has a counterpart in its twin."""
        game, sign = self.rules.game, -1 if exchanges else 1
        mover, other = game.to_move(state), game.to_move(twin)
        if (mover == CHANCE) != (other == CHANCE) or (mover != CHANCE and other != (1 - mover if exchanges else mover)):
            return False
        if game.terminal_test(twin) or (isinstance(game, Scored) and game.score(state) != sign * game.score(twin)):
            return False
        for each in list(evaluations(game).values())[:1]:
            if abs(float(each(state)) - sign * float(each(twin))) > EQUAL:
                return False  # it may be an input of the network, and would be worth more to one player
        return self._children(state, symmetry, 1, exchanges) == self._children(twin, None, sign, exchanges)

    def _children(
        self, state: State, symmetry: ColourSymmetry | None, sign: int, exchanges: bool
    ) -> "collections.Counter[object]":
        """Return the state after each move, with the players exchanged by the symmetry."""
        game = self.rules.game
        children: collections.Counter[object] = collections.Counter()
        chance = game.to_move(state) == CHANCE
        moves = game.outcomes(state) if chance else [(action, 0.0) for action in legal_actions(game, state)]
        for action, probability in moves:
            child = game.result(state, action)
            over = game.terminal_test(child)
            contents = self.board.read(self.rules.words_of(child))
            mover = None if over else game.to_move(child)
            children[
                contents if symmetry is None else symmetry.image(contents),
                1 - mover if exchanges and symmetry is not None and mover in (0, 1) else mover,
                sign * float(game.utility(child, MAX)) if over else None,
                round(float(probability), 9),
            ] += 1
        return children


def _set_bit(words: list[int], bit: int, value: int) -> None:
    word = words[bit >> 6] & (1 << 64) - 1 & ~(1 << (bit & 63))
    words[bit >> 6] = signed(word | value << (bit & 63))
