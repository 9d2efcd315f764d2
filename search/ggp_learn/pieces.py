"""The board of a game whose state says where each piece is. Each piece becomes a cell, and its place is the cell's
content.

If many different pieces move, the content of a board's cell depends on too many bits of the state. But a few bits
determine the place of each piece.
"""

import collections
import itertools
import unicodedata
from collections.abc import Hashable, Iterator, Mapping, Sequence

import attrs
from ggp_search.learned.network import CellBoard, CellReader, ColourSymmetry
from ggp_search.learned.state_words import Series, WordRows

from ggp.game import MAX, MIN
from ggp_learn.player_symmetry import Exchange, Rules

FEWEST = 3
"""Minimum number of pieces for a board whose cells are the pieces."""
MOST_CONTENTS = 256
"""Maximum number of contents of a piece; with more, a tuple could not have even two cells."""


@attrs.frozen
class MovingPiece:
    """A piece, and the word of the state that says where it is. The word is the number of the piece's cell, or another
    number if the piece is on no cell.
    """

    word: int
    owner: object
    kind: Hashable
    """The properties that the piece shares with a piece of the other player."""
    reader: CellReader


def find_pieces(words: WordRows, shown: Sequence[Sequence[Hashable]]) -> tuple[MovingPiece, ...]:
    """Return the pieces. A word of the state is the place of a piece if the cell with that number always shows the same
    content.

    Arguments:
        words: the words of random positions, a row for each.
        shown: the content of each cell of the board in each of these positions: owner, text, and more.
    """
    import numpy as np

    pieces: list[MovingPiece] = []
    count = len(shown)
    for number, column in enumerate(words.T.tolist()):
        values = set(column)
        beyond = sorted(values - set(range(count)))
        if len(values) < 2 or len(beyond) > 1 or count >= MOST_CONTENTS:
            continue
        seen = {shown[cell][row] for row, cell in enumerate(column) if cell < count}
        thing = seen.pop() if len(seen) == 1 else None
        if isinstance(thing, tuple) and thing[0] in (MAX, MIN) and _is_new(pieces, np.array(words[:, number]), words):
            owner, text, *others = thing
            kind = (unicodedata.normalize("NFKC", str(text)).casefold(), *others)
            pieces.append(MovingPiece(number, owner, kind, _reader(number, count, beyond)))
    return tuple(pieces) if len(pieces) >= FEWEST else ()


def _is_new(pieces: Sequence[MovingPiece], column: Series, words: WordRows) -> bool:
    return all((words[:, piece.word] != column).any() for piece in pieces)


def _reader(word: int, count: int, beyond: Sequence[int]) -> CellReader:
    """Return the reader of a piece. The content that the reader reads is the number of the piece's cell, or `count` if
    the piece is on no cell.
    """
    width = (count - 1).bit_length()
    bits = list(range(width))
    if beyond and beyond[0] >> width:
        bits.append(next(bit for bit in range(width, 64) if beyond[0] >> bit & 1))
    contents = tuple(min(code, count) for code in range(1 << len(bits)))
    return CellReader(tuple(64 * word + bit for bit in bits), contents, count + 1)


def board_of_pieces(
    rules: Rules,
    pieces: Sequence[MovingPiece],
    others: Sequence[CellReader],
    survey: tuple[WordRows, Series],
    maps: Sequence[tuple[int, ...]],
    seed: int,
) -> CellBoard:
    """Return the board whose cells are the pieces.

    A map of the places may be a symmetry: the rules treat a position and its image alike. Then each piece also becomes
    a second cell, whose content is the image of the piece's place. Exchanging the two cells of each piece has the
    effect of the map.

    Arguments:
        pieces: the pieces.
        others: cells without a place on the board, such as dice.
        survey: the words of random positions, and the player to move in each.
        maps: permutations of the places that may be symmetries.
    """
    words, movers = survey
    count, rest = len(pieces), len(others)
    places = range(pieces[0].reader.base)
    single = _view_board(words.shape[1], pieces, others, [tuple(places)])
    exchange = Exchange(rules, single, words, movers)
    samples = exchange.samples(words, seed)
    still = tuple(range(count + rest))
    alike = tuple(tuple(range(reader.base)) for reader in others)
    whole = [(*each, len(each)) for each in maps]  # what is on no cell stays there

    def moved(cells: tuple[int, ...], image: tuple[int, ...]) -> ColourSymmetry:
        return ColourSymmetry(cells, (*(image for _ in pieces), *alike))

    group = [tuple(places)]
    group += [
        each for each in whole if each != group[0] and exchange.hold(moved(still, each), samples, exchanges=False)
    ]
    if any(_after(one, other) not in group for one, other in itertools.product(group, group)):
        group = group[:1]
    board = _view_board(words.shape[1], pieces, others, group)
    for cells in _partners(pieces):
        for image in [tuple(places), *whole]:
            symmetry = moved((*cells, *range(count, count + rest)), image)
            own_inverse = _after(image, image) == tuple(places)
            if own_inverse and exchange.turning and exchange.hold(symmetry, samples):
                return attrs.evolve(board, colours=_of_views(symmetry, group, count))
    return board


def _view_board(
    words: int, pieces: Sequence[MovingPiece], others: Sequence[CellReader], group: Sequence[tuple[int, ...]]
) -> CellBoard:
    """Return the board with one cell for each piece and each map of the places."""
    readers = [
        attrs.evolve(piece.reader, contents=tuple(each[index] for index in piece.reader.contents))
        for each in group
        for piece in pieces
    ]
    count, first = len(pieces), len(readers)
    unplaced = range(first, first + len(others))
    near = [
        tuple(other for other in (*range(start, start + count), *unplaced) if other != cell)
        for start in range(0, first, count)
        for cell in range(start, start + count)
    ]
    numbers = {each: number for number, each in enumerate(group)}
    symmetries = tuple(
        (*(count * numbers[_after(each, image)] + index for each in group for index in range(count)), *unplaced)
        for image in group
    )
    return CellBoard(words, (*readers, *others), (*near, *(() for _ in others)), symmetries)


def _after(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Return the map that first applies `other` and then `one`."""
    return tuple(one[index] for index in other)


def _of_views(symmetry: ColourSymmetry, group: Sequence[tuple[int, ...]], count: int) -> ColourSymmetry:
    """Return the exchange of players for the cells of all maps of the places. `symmetry` is the exchange for the cells
    of the first map.
    """
    cells: list[int] = []
    contents: list[tuple[int, ...]] = []
    for number, each in enumerate(group):
        back = sorted(range(len(each)), key=each.__getitem__)
        cells += [number * count + other for other in symmetry.cells[:count]]
        contents += [tuple(each[image[index]] for index in back) for image in symmetry.contents[:count]]
    rest = range(len(group) * count, len(group) * count + len(symmetry.cells) - count)
    return ColourSymmetry((*cells, *rest), (*contents, *symmetry.contents[count:]))


def _partners(pieces: Sequence[MovingPiece]) -> Iterator[tuple[int, ...]]:
    """Yield the exchange of each piece with its partner: the other player's piece of the same kind. Yield nothing if a
    piece has no partner.
    """
    kinds: Mapping[Hashable, dict[object, list[int]]] = collections.defaultdict(lambda: {MAX: [], MIN: []})
    for number, piece in enumerate(pieces):
        kinds[piece.kind][piece.owner].append(number)
    cells = list(range(len(pieces)))
    for owned in kinds.values():
        if len(owned[MAX]) != len(owned[MIN]):
            return
        for one, other in zip(owned[MAX], owned[MIN], strict=True):
            cells[one], cells[other] = other, one
    yield tuple(cells)
