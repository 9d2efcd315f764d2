"""The board of a game as learning sees it: cells with a few possible contents each, read from bits of the state.

A game need not say where its state stores the content of a cell. `find_board` plays at random, looks at the scene of
each position (or, in a game without a scene, at the words of its state), and finds the few bits of the state that
determine each cell.
"""

import collections
import itertools
import math
import random
from collections.abc import Callable, Hashable, Mapping, Sequence

import attrs
from ggp_search.engine.settings import choose_speed
from ggp_search.learned.network import CellBoard, CellReader, OwnEvaluation
from ggp_search.learned.state_words import ReadWords, Series, WordColumn, WordRows, parts, state_type

from ggp import compiler
from ggp.capabilities import evaluations, legal_actions
from ggp.compiler.encoding import build
from ggp.errors import GGPError, UnsupportedGameError
from ggp.game import CHANCE, MAX, Action, AnyGame, Scenic, Scored, State, capable
from ggp.scene import Cell, Scene
from ggp_learn.board_shape import SMALLEST, PieceWords, pieces_by_shape, places_by_shape
from ggp_learn.pieces import board_of_pieces, find_pieces
from ggp_learn.player_symmetry import Rules, halves, with_colours
from ggp_learn.tuples import ENTRIES

GAMES = 400
"""Maximum number of random games that are played to find the board."""
MOVES = 12_000
"""Number of moves after which no further random game begins."""
PLIES = 600
"""Maximum number of plies of a random game."""
POSITIONS = 3000
"""Maximum number of positions of random games whose bits are compared."""
MOST_BITS = 10
"""Maximum number of bits of the state that determine a cell."""
MOST_CONTENTS = 32
"""Maximum number of contents of a cell. A cell with more contents is left out, unless the contents are counts."""
COUNTS = (0, 1, 2, 3, 4, 5, 6, 8, 11, 16)
"""The least count of each class of counts, if many cells have counts; large counts share a class."""
MOST_WIDTH = 4
"""Maximum number of counts in a class, if few cells have counts."""
REACH = 1.5
"""Maximum distance between neighbours, as a multiple of the distance between a cell and its nearest cell."""
RELATED = 6
"""Number of neighbours of a cell in a game without a scene: the cells with the most closely related contents."""

OWN_STEPS = 96
"""Maximum number of steps between the least and the greatest value of the game's own evaluation in random games."""
UNREADABLE = 0.3
"""Maximum share of the uncertainty about a cell that may remain when its bits are known."""
MISREAD = 0.002
"""Maximum share of cells that may be misread when games are compared."""

Label = Hashable


@attrs.frozen
class Survey:
    """Positions of random games, and properties of these games."""

    states: tuple[State, ...]
    least: float
    greatest: float
    """The least and the greatest value of a game to MAX."""
    plies: int
    """The mean length of the games, in plies."""


def survey(game: AnyGame, seed: int) -> Survey:
    """Return positions of random games, and properties of these games."""
    dice = random.Random(seed)
    states: dict[State, None] = {}
    ends: list[float] = []
    games = length = 0
    while games < GAMES and length < MOVES:
        state, plies = game.initial_state(), 0
        while plies < PLIES and not game.terminal_test(state):
            states[state] = None
            state, plies = game.result(state, random_action(game, state, dice)), plies + 1
        games, length = games + 1, length + plies
        if game.terminal_test(state):
            ends.append(float(game.utility(state, MAX)))
    kept = list(states)
    if len(kept) > POSITIONS:
        kept = dice.sample(kept, POSITIONS)
    ends = ends or [-1.0, 1.0]
    return Survey(tuple(kept), min(ends), max(ends), max(1, round(length / games)))


def random_action(game: AnyGame, state: State, dice: random.Random) -> Action:
    """Return a random action, or a random outcome of chance."""
    if game.to_move(state) == CHANCE:
        outcomes, weights = zip(*capable(game).outcomes(state), strict=True)
        return dice.choices(outcomes, weights)[0]
    return dice.choice(list(legal_actions(game, state)))


def find_own_evaluation(game: AnyGame, states: Sequence[State]) -> OwnEvaluation | None:
    """Return the game's own evaluation as an input; None if the game has no evaluation except its score.

    Arguments:
        states: positions of random games. The range of values is taken to be twice the range in these states, since
            better play reaches more extreme positions.
    """
    for name, each in list(evaluations(game).items())[:1]:
        score = game.score if isinstance(game, Scored) else lambda state: 0.0
        try:
            values = sorted({round(float(each(state)) - float(score(state)), 9) for state in states})
            if choose_speed("auto") != "interpreted":
                compiler.compile(_call, each.function, compiler.STATE, game=game)
        except (GGPError, compiler.Refused, compiler.NotRepresentable, ArithmeticError, LookupError, TypeError):
            return None
        span = values[-1] - values[0]
        if span <= 0 or not math.isfinite(span):
            return None
        width = max(span / OWN_STEPS, min(b - a for a, b in itertools.pairwise(values)))
        beyond = math.ceil(span / 2 / width)
        return OwnEvaluation(name, values[0] - (beyond + 0.5) * width, width, math.ceil(span / width) + 1 + 2 * beyond)
    return None


def _call(function: Callable[[State], float], state: State) -> float:
    return float(function(state))


def find_board(game: AnyGame, words_of: ReadWords, states: Sequence[State], seed: int) -> CellBoard:
    """Return the board of a game: the cells of its scene. If there is no scene, or its cells cannot be read from the
    state, the words of the state serve as cells.

    Arguments:
        words_of: returns the words of a state.
        states: positions of random games.
    """
    import numpy as np

    rows = [words_of(state) for state in states]
    words = np.array([[word & (1 << 64) - 1 for word in row] for row in rows], np.uint64)
    movers = np.array([game.to_move(state) for state in states])
    if isinstance(game, Scenic):
        shown = _from_scenes([game.scene(state) for state in states])
        board = _board_of_pieces(game, words_of, words, movers, shown, seed) or _board(
            game, words_of, words, movers, shown, seed
        )
        if board.cells:
            return board
    shaped = _board_by_shape(game, words_of, words, movers, seed)
    return shaped or _board(game, words_of, words, movers, _from_words(words, movers), seed)


def _board(
    game: AnyGame, words_of: ReadWords, words: WordRows, movers: Series, shown: "_Shown", seed: int
) -> CellBoard:
    """Return the board with the given cells, except cells that cannot be read."""
    import numpy as np

    labels, places, lines = shown
    kept = [cell for cell, column in enumerate(labels) if _informs(column, movers)]
    labels, places = [labels[cell] for cell in kept], [places[cell] for cell in kept]
    alphabets = _alphabets(labels)
    bits = _varying_bits(words)
    read = []
    for column, alphabet in zip(labels, alphabets, strict=True):
        digits = np.array([alphabet[label] for label in column])
        read.append(_readout(bits, digits, len(alphabet)))
    clear = [number for number, cell in enumerate(read) if cell is not None]
    cells = [cell for cell in read if cell is not None]
    kept, labels = [kept[number] for number in clear], [labels[number] for number in clear]
    places = [places[number] for number in clear]
    alphabets = [alphabets[number] for number in clear]
    placed = [point for point in places if point is not None]
    identity = tuple(range(len(cells)))
    if len(placed) < len(places) or not cells:
        board = CellBoard(words.shape[1], tuple(cells), _related(labels), (identity,))
        return with_colours(game, words_of, board, (words, movers), halves(len(cells)), alphabets, seed)
    numbers = {cell: number for number, cell in enumerate(kept)}
    joined = [(numbers[a], numbers[b]) for a, b in lines if a in numbers and b in numbers]
    board = CellBoard(words.shape[1], tuple(cells), _near(placed, joined), (identity,))
    board = _with_symmetries(game, words_of, board, placed, seed)
    return with_colours(game, words_of, board, (words, movers), _maps(placed), alphabets, seed)


def _board_of_pieces(
    game: AnyGame, words_of: ReadWords, words: WordRows, movers: Series, shown: "_Shown", seed: int
) -> CellBoard | None:
    """Return the board whose cells are the pieces.

    Return None if the state does not say where pieces stand, or if a few bits of the state determine each cell.
    """
    by_shape: dict[str, list[int]] = collections.defaultdict(list)
    for cell, column in enumerate(shown[0]):
        if isinstance(column[0], tuple):  # not a count
            by_shape[column[0][-1]].append(cell)
    board = max(by_shape.values(), key=len, default=[])  # without the dice beside it
    placed = [point for point in (shown[1][cell] for cell in board) if point is not None]
    pieces = find_pieces(words, [shown[0][cell] for cell in board])
    if len(placed) < len(board) or sum(len(piece.reader.bits) for piece in pieces) <= MOST_BITS:
        return None
    try:
        kind = state_type(game)
    except UnsupportedGameError:
        return None
    used = {piece.word for piece in pieces}
    rest = [column for number, column in enumerate(words.T) if number not in used]
    decided = movers != CHANCE  # a word that says who moves after chance informs only there, and has tables of its own
    rest = [column for column in rest if _informs(column[decided].tolist(), movers[decided])]
    others = _unplaced_cells(words, [column.tolist() for column in rest])
    rules = Rules(capable(game), words_of, lambda made: build(iter(made), kind))
    return board_of_pieces(rules, pieces, others, (words, movers), _maps(placed), seed)


def _with_symmetries(
    game: AnyGame, words_of: ReadWords, board: CellBoard, placed: Sequence[tuple[float, float]], seed: int
) -> CellBoard:
    """Return the board with its symmetries, given the places of its first cells; the other cells have no places."""
    cells, identity = board.cells, tuple(range(len(board.cells)))
    images = [(*image, *identity[len(placed) :]) for image in _maps(placed)]
    symmetries = [
        image
        for image in images
        if image != identity
        and all(cells[cell].base == cells[other].base for cell, other in enumerate(image))
        and is_symmetry(game, words_of, board, image, seed)
    ]
    return attrs.evolve(board, symmetries=(identity, *symmetries))


def _board_by_shape(game: AnyGame, words_of: ReadWords, words: WordRows, movers: Series, seed: int) -> CellBoard | None:
    """Return the board that the shape of the states shows: numbers in rows, or as many numbers as a square board has
    cells.

    If a number is always the number of a cell, it stands for a piece on that cell. Tuples are placed around the piece
    wherever it stands. Returns None if no board is seen.
    """
    grid = places_by_shape(game.initial_state())
    others = [number for number in range(words.shape[1]) if number not in grid]
    values = {number: set(words[:, number].tolist()) for number in range(words.shape[1])}
    if (
        not grid
        or len(tuple(parts(game.initial_state()))) != len(values)
        or any(len(values[number]) > len(grid) for number in others)
    ):
        return None
    pieces = pieces_by_shape(game.initial_state(), words, grid, others)
    if sum(len(_word_bits(words[:, number])) for piece in pieces for number in piece.words) + 2 > MOST_BITS + 4:
        pieces = []  # the cells would have too many bits
    standing = [[piece.cell(row) for row in words.tolist()] for piece in pieces]
    columns: list[list[Label]] = []
    for cell, number in enumerate(grid):
        rows = zip(words[:, number].tolist(), *standing, strict=True)
        columns.append([(thing, *(path == cell for path in places)) for thing, *places in rows])
    kept = [cell for cell, column in enumerate(columns) if _informs(column, movers)]
    alphabets = _alphabets([columns[cell] for cell in kept])
    numbers = list(grid)
    cells = [
        _placed_cell(words, numbers[cell], pieces, cell, alphabet)
        for cell, alphabet in zip(kept, alphabets, strict=True)
    ]
    if len(kept) < SMALLEST or any(len(cell.bits) > MOST_BITS + 4 for cell in cells):
        return None
    placed = [grid[numbers[cell]] for cell in kept]
    placing = {number for piece in pieces for number in piece.words}
    rest = [words[:, number].tolist() for number in others if number not in placing]
    cells += _unplaced_cells(words, [column for column in rest if _informs(column, movers)])
    unplaced: list[dict[Label, int]] = [{number: 0} for number in range(len(kept), len(cells))]
    alphabets = [*alphabets[: len(kept)], *unplaced]
    near = (*_near(placed, []), *(() for _ in cells[len(placed) :]))
    board = CellBoard(words.shape[1], tuple(cells), near, (tuple(range(len(cells))),))
    board = _with_symmetries(game, words_of, board, placed, seed)
    return with_colours(game, words_of, board, (words, movers), _maps(placed), alphabets, seed)


def _word_bits(column: WordColumn) -> list[int]:
    """Return the bits of a word that are not the same in all positions."""
    import numpy as np

    varying = int(np.bitwise_or.reduce(column)) ^ int(np.bitwise_and.reduce(column))
    return [bit for bit in range(64) if varying >> bit & 1]


def _placed_cell(
    words: WordRows, own: int, pieces: Sequence[PieceWords], cell: int, alphabet: Mapping[Label, int]
) -> CellReader:
    """Return the reader of a cell that has a place on the board.

    Arguments:
        own: the number of the cell's own word.
        cell: the number by which pieces refer to the cell.
    """
    import numpy as np

    used = [own, *(number for piece in pieces for number in piece.words)]
    bits = [64 * number + bit for number in used for bit in _word_bits(words[:, number])]
    least = {number: int(np.bitwise_and.reduce(words[:, number])) for number in used}
    contents = []
    for code in range(1 << min(len(bits), MOST_BITS + 4)):
        seen = dict(least)
        for index, bit in enumerate(bits):
            seen[bit >> 6] |= (code >> index & 1) << (bit & 63)
        empty = alphabet.get((seen[own], *(False for _ in pieces)), 0)
        contents.append(alphabet.get((seen[own], *(piece.cell(seen) == cell for piece in pieces)), empty))
    return CellReader(tuple(bits), tuple(contents), max(alphabet.values()) + 1)


def _unplaced_cells(words: WordRows, columns: Sequence[Sequence[Label]]) -> list[CellReader]:
    """Return the cells that are read from words outside the board."""
    import numpy as np

    bits, cells = _varying_bits(words), []
    for column in columns:
        (alphabet,) = _alphabets([column])
        cells.append(_readout(bits, np.array([alphabet[label] for label in column]), max(alphabet.values()) + 1))
    return [cell for cell in cells if cell is not None]


# What is in the cells -------------------------------------------------------------------------------------------------

_Place = tuple[float, float] | None
_Shown = tuple[list[list[Label]], list[_Place], list[tuple[int, int]]]
"""The contents of each cell in all positions, the places of the cells, and the pairs of cells joined by lines."""


def _from_scenes(scenes: Sequence[Scene]) -> _Shown:
    """Return the contents of each cell in all positions, the places of the cells, and the pairs joined by lines."""
    count = _count_classes(scenes)
    shown = [cell for cell in scenes[0].cells if cell.shape != "coordinate"]
    board = [cell for cell in shown if cell.shape != "button"]
    names = [cell.name for cell in board or shown]
    contents: dict[str, list[Label]] = {name: [] for name in names}
    for scene in scenes:
        by_name = {cell.name: cell for cell in scene.cells}
        for name in names:
            cell = by_name.get(name)
            contents[name].append(None if cell is None else _contents(cell, scene.gravity, count))
    first = {cell.name: cell for cell in scenes[0].cells}
    places: list[_Place] = [(c.x + c.width / 2, c.y + c.height / 2) for c in (first[name] for name in names)]
    numbers = {name: number for number, name in enumerate(names)}
    lines = [(numbers[a.start], numbers[a.end]) for a in scenes[0].lines if a.start in numbers and a.end in numbers]
    return list(contents.values()), places, lines


def _count_classes(scenes: Sequence[Scene]) -> Callable[[int], int]:
    """Return the function that maps a count to its class. The more cells have counts, the coarser the classes are."""
    seen: dict[str, set[int]] = collections.defaultdict(set)
    for scene in scenes:
        for cell in scene.cells:
            if cell.count is not None:
                seen[cell.name].add(cell.count)
    varying = [counts for counts in seen.values() if len(counts) > 1]
    for width in range(1, MOST_WIDTH + 1):
        sizes = [len({count // width for count in counts}) for counts in varying]
        if math.prod(sizes) <= ENTRIES and max(sizes, default=0) <= MOST_CONTENTS:
            return lambda count: count // width
    return _rough_class


def _rough_class(count: int) -> int:
    return sum(count >= least for least in COUNTS) - 1


def _contents(cell: Cell, gravity: bool, count: Callable[[int], int]) -> Label:
    if cell.count is not None:
        return count(cell.count)
    # Where pieces fall, an empty cell in which the next piece may land differs from an empty cell above it.
    lands = gravity and cell.owner is None and not cell.text and cell.action is not None
    # The shape distinguishes cells beside the board, such as a die with the same signs as the pieces.
    return cell.owner, cell.text, lands, cell.shape


def _from_words(words: WordRows, movers: Series) -> _Shown:
    """Return cells made from the words of the states: a word with few values is a cell, and so is a bit of another."""
    import numpy as np

    labels: list[list[Label]] = []
    sets: list[WordColumn] = []
    for word in words.T:
        values = np.unique(word)
        if len(values) <= MOST_CONTENTS:
            labels.append(word.tolist())
        elif len(values) > 2 * MOST_CONTENTS or int(values.max()) >> 32:
            sets.append(word)
        else:
            labels.append([_rough_class(int(value)) for value in word])
    while sets:
        # Sets that never overlap show different pieces on the same cells.
        group = [sets.pop(0)]
        for other in list(sets):
            if all(not (other & each).any() for each in group):
                group.append(other)
                sets = [each for each in sets if each is not other]
        for bit in range(64):
            columns = [(each >> np.uint64(bit) & np.uint64(1)).astype(int) for each in group]
            if any(column.any() and not column.all() for column in columns):
                labels.append(list(zip(*(column.tolist() for column in columns), strict=True)))
    return labels, [None] * len(labels), []


def _informs(column: Sequence[Label], movers: Series) -> bool:
    """Return whether the contents of a cell depend on more than the player to move."""
    contents: dict[int, set[Label]] = collections.defaultdict(set)
    for label, mover in zip(column, movers.tolist(), strict=True):
        contents[mover].add(label)
    return len(set(column)) <= MOST_CONTENTS and any(len(each) > 1 for each in contents.values())


def _alphabets(labels: Sequence[Sequence[Label]]) -> list[dict[Label, int]]:
    """Return, for each cell, the numbers of its contents; a content has the same number in all cells that have it."""
    groups: list[tuple[set[Label], list[int]]] = []
    for cell, column in enumerate(labels):
        own, members = set(column), [cell]
        for group in [each for each in groups if each[0] & own]:
            groups.remove(group)
            own, members = own | group[0], members + group[1]
        groups.append((own, members))
    alphabets: list[dict[Label, int]] = [{} for _ in labels]
    for own, members in groups:
        counts = collections.Counter(itertools.chain.from_iterable(labels[cell] for cell in members))
        ranked = sorted(own, key=lambda label: (-counts[label], repr(label)))
        alphabet = {label: min(rank, MOST_CONTENTS - 1) for rank, label in enumerate(ranked)}
        for cell in members:
            alphabets[cell] = alphabet
    return alphabets


def _varying_bits(words: WordRows) -> dict[int, Series]:
    """Return the columns of the bits that vary, by the number of the bit. Of equal columns, return only the first."""
    import numpy as np

    columns, seen = dict[int, Series](), set[bytes]()
    for word in range(words.shape[1]):
        for bit in range(64):
            column = (words[:, word] >> np.uint64(bit) & np.uint64(1)).astype(np.int64)
            if column.any() and not column.all() and column.tobytes() not in seen:
                seen.add(column.tobytes())
                columns[64 * word + bit] = column
    return columns


def _readout(bits: dict[int, Series], digits: Series, base: int) -> CellReader | None:
    """Return the reader of a cell with these contents. The reader reads as few bits as possible; the bits are chosen
    one by one. Return None if a few bits do not determine the contents well enough.
    """
    import numpy as np

    chosen: list[int] = []
    code = np.zeros(len(digits), np.int64)
    while len(chosen) < MOST_BITS and _doubt(code, digits, base) > 0:
        best = min(bits, key=lambda bit: _doubt(2 * code + bits[bit], digits, base))
        if _doubt(2 * code + bits[best], digits, base) >= _doubt(code, digits, base) - 1e-9:
            break
        chosen.append(best)
        code = _code(bits, chosen)
    if _doubt(code, digits, base) > UNREADABLE * _doubt(0 * code, digits, base):
        return None
    for bit in list(chosen):
        others = [each for each in chosen if each != bit]
        if others and _doubt(_code(bits, others), digits, base) <= _doubt(_code(bits, chosen), digits, base):
            chosen = others
    code = _code(bits, chosen)
    tally = np.zeros((1 << len(chosen), base), np.int64)
    np.add.at(tally, (code, digits), 1)
    # The content for bits that were never seen together is guessed from each bit, as if the bits were independent.
    ones = np.array([tally[np.arange(len(tally)) >> rank & 1 == 1].sum(axis=0) for rank in range(len(chosen))])
    counts = tally.sum(axis=0)
    likely = np.tile(np.log(counts + 1e-9), (len(tally), 1))
    for rank in range(len(chosen)):
        share = (ones[rank] + 0.3) / (counts + 0.6)
        likely += np.where((np.arange(len(tally)) >> rank & 1)[:, None] == 1, np.log(share), np.log(1 - share))
    unseen = tally.sum(axis=1) == 0
    contents = np.where(unseen, likely.argmax(axis=1), tally.argmax(axis=1))
    return CellReader(tuple(chosen), tuple(contents.tolist()), base)


def _code(bits: dict[int, Series], chosen: Sequence[int]) -> Series:
    return sum((bits[bit] << digit for digit, bit in enumerate(chosen)), start=0 * next(iter(bits.values())))


def _doubt(code: Series, digits: Series, base: int) -> float:
    """Return how uncertain the contents are when the code is known: the conditional entropy, in bits per position."""
    import numpy as np

    counts = np.bincount(code * base + digits, minlength=(int(code.max()) + 1) * base).reshape(-1, base)
    sums = counts.sum(axis=1)
    return float((sums * np.log2(np.maximum(sums, 1))).sum() - (counts * np.log2(np.maximum(counts, 1))).sum()) / len(
        digits
    )


# Neighbours and symmetries --------------------------------------------------------------------------------------------


def _near(places: Sequence[tuple[float, float]], lines: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each cell: the cells that lines join to it, or else the nearest cells."""
    neighbours = []
    for cell, point in enumerate(places):
        joined = {b if a == cell else a for a, b in lines if cell in (a, b)}
        others = [other for other in range(len(places)) if other != cell]
        nearest = min((math.dist(point, places[other]) for other in others), default=0.0)
        near = {other for other in others if math.dist(point, places[other]) <= REACH * nearest}
        neighbours.append(tuple(sorted(joined or near)))
    return tuple(neighbours)


def _related(labels: Sequence[Sequence[Label]]) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each cell: the cells that tell the most about its content (mutual information)."""
    import numpy as np

    numbered = []
    for column in labels:
        numbers = {label: number for number, label in enumerate(dict.fromkeys(column))}
        numbered.append(np.array([numbers[label] for label in column]))
    zero = [np.zeros_like(each) for each in numbered[:1]]
    alone = [_doubt(zero[0], each, int(each.max()) + 1) for each in numbered]
    neighbours = []
    for cell, own in enumerate(numbered):
        told = {
            other: alone[cell] - _doubt(column, own, int(own.max()) + 1)
            for other, column in enumerate(numbered)
            if other != cell
        }
        neighbours.append(tuple(sorted(told, key=lambda other: (-told[other], other))[:RELATED]))
    return tuple(neighbours)


def _maps(places: Sequence[tuple[float, float]]) -> list[tuple[int, ...]]:
    """Return the permutations of the cells that are affine maps of the plane, such as turns and reflections."""
    middle = tuple(sum(point[axis] for point in places) / len(places) for axis in (0, 1))
    shifted = [(x - middle[0], y - middle[1]) for x, y in places]
    numbers = {_rounded(point): cell for cell, point in enumerate(shifted)}
    farthest = sorted(range(len(shifted)), key=lambda cell: -math.hypot(*shifted[cell]))
    first = farthest[0]
    second = next((c for c in farthest if abs(_cross(shifted[first], shifted[c])) > 0.1), None)
    if second is None:
        return []
    maps = []
    (a, c), (b, d) = shifted[first], shifted[second]
    size = a * d - b * c
    for one, other in itertools.permutations(range(len(shifted)), 2):
        (p, r), (q, s) = shifted[one], shifted[other]
        turned = abs(abs(p * s - q * r) - abs(size)) < 1e-3 * abs(size)  # areas stay
        if not turned:
            continue
        m = (p * d - q * c) / size, (q * a - p * b) / size, (r * d - s * c) / size, (s * a - r * b) / size
        images = [numbers.get(_rounded((m[0] * x + m[1] * y, m[2] * x + m[3] * y))) for x, y in shifted]
        if None not in images and len(set(images)) == len(images):
            maps.append(tuple(image for image in images if image is not None))
    return sorted(set(maps))


def _cross(one: tuple[float, float], other: tuple[float, float]) -> float:
    return one[0] * other[1] - one[1] * other[0]


def _rounded(point: tuple[float, float]) -> tuple[int, int]:
    return round(100 * point[0]), round(100 * point[1])


TWINS = 12
"""Number of pairs of games that must stay images of each other before a permutation is accepted as a symmetry."""


def is_symmetry(game: AnyGame, words_of: ReadWords, board: CellBoard, image: Sequence[int], seed: int) -> bool:
    """Return whether a permutation of the cells is a symmetry: each move of a random game has a counterpart that leads
    to the image of the result, until both games end with the same value.
    """
    import numpy as np

    dice = random.Random(seed)

    def differing(state: State, twins: Sequence[State]) -> list[int]:
        contents, *others = board.read_all([words_of(each) for each in (state, *twins)])
        differences: list[int] = (np.array(others)[:, list(image)] != contents).sum(axis=1).tolist()
        return differences

    compared = misread = 0
    for _ in range(TWINS):
        state = twin = game.initial_state()
        if any(differing(state, [twin])):
            return False
        for _ in range(PLIES):
            over = game.terminal_test(state)
            if over != game.terminal_test(twin):
                return False
            if over:
                if game.utility(state, MAX) != game.utility(twin, MAX):
                    return False
                break
            if game.to_move(state) != game.to_move(twin):
                return False
            state = game.result(state, random_action(game, state, dice))
            children = [game.result(twin, action) for action in legal_actions(game, twin)]
            differences = differing(state, children)
            misread, compared = misread + min(differences), compared + len(image)
            if min(differences) > 1 or misread > 1 + MISREAD * compared:
                return False
            twin = children[differences.index(min(differences))]
    return True
