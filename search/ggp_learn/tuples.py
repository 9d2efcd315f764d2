"""Tuples of cells, found by random walks over the board."""

import random

from ggp_search.learned.network import CellBoard, twin_entries

ENTRIES = 1 << 16
"""Maximum number of entries of a tuple's table."""
SLOTS = 40
"""Approximate number of weights that are added up for a value, including weights of the symmetric images of tuples."""
SHARE = 4
"""Maximum number of tuples for each cell of the board."""
LONGEST = 16
"""Maximum number of cells of a tuple."""


def choose_tuples(board: CellBoard, seed: int, number: int | None = None) -> tuple[tuple[int, ...], ...]:
    """Return tuples of neighbouring cells, found by random walks over the board.

    Arguments:
        number: the number of tuples; there may be fewer on a small board. None: a number that plays well after a short
            time of learning.
    """
    dice = random.Random(seed)
    wanted = number or max(10, min(SLOTS // len(board.symmetries), SHARE * len(board.cells)))
    tuples: dict[tuple[int, ...], None] = {}
    covered: set[tuple[int, ...]] = set()
    if not board.cells:
        return ()
    for _ in range(20 * wanted):
        cells = tuple(sorted(_walk(board, dice)))
        for each in (cells, _exchanged(board, cells)):
            if each not in covered and _has_twin(board, each):
                tuples[each] = None
                covered |= {tuple(sorted(image[cell] for cell in each)) for image in board.symmetries}
        if len(tuples) >= wanted:
            break
    return tuple(tuples)


def _exchanged(board: CellBoard, cells: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cells to which a tuple's cells move when the players change places."""
    return tuple(sorted(board.colours.cells[cell] for cell in cells)) if board.colours else cells


def _has_twin(board: CellBoard, cells: tuple[int, ...]) -> bool:
    """Return whether both players can use the same weights of a tuple.

    If exchanging the players maps a tuple to itself, each entry of the tuple's table needs a matching entry in the same
    table.
    """
    images = {tuple(sorted(image[cell] for cell in cells)) for image in board.symmetries}
    own = board.colours is None or _exchanged(board, cells) not in images
    return own or twin_entries(board, cells, cells) is not None


def _walk(board: CellBoard, dice: random.Random) -> set[int]:
    cell = dice.randrange(len(board.cells))
    cells, size = {cell}, board.cells[cell].base
    for _ in range(50):
        near = board.neighbours[cell]
        # Jump now and then, since cells without neighbours, such as dice and scores, belong to the position, too.
        cell = dice.choice(near) if near and dice.random() < 0.97 else dice.randrange(len(board.cells))
        if cell not in cells and size * board.cells[cell].base <= ENTRIES and len(cells) < LONGEST:
            cells.add(cell)
            size *= board.cells[cell].base
    return cells
