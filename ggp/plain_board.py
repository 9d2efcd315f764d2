"""The board of a game without a scene, derived from its states.

The board is found by the shape of the states, and by a few random moves. A board consists of rows of values, or of as
many values as a square has cells. Values that appear only when MAX has moved are MAX's pieces. A click on an empty cell
chooses the action that fills it. Clicks on two cells choose the action that takes a piece from the first to the second.
"""

import dataclasses
import enum
import functools
import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import attrs

from ggp.bits import Bits
from ggp.escapes import short
from ggp.frozen_states import FrozenArray, FrozenDict, FrozenObject, field_names
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, CapableGame, Player, State, capable
from ggp.scene import Cell, Colour, Material, Move, PieceKind, Scene, Shade

PLIES = 60
"""Maximum number of random moves that are examined, from one random game after another."""
SECONDS = 0.5
"""Maximum processor time for examining the random moves, in seconds. If the rules are slower, no board is shown, since
each picture needs the result of every legal action.
"""
FEWEST, MOST = 9, 26
"""Least number of cells of a board, and maximum number of rows and of columns."""
MOST_CONTENTS = 6
"""Maximum number of different values in a board that is not given as rows.

If there are more, they are taken for counts, such as the seeds in houses.
"""
NUMBERS = 16
"""Maximum number of numbers that are shown as hollows. A hollow is a round pit with as many things as the
number says.
"""
SIDE_BY_SIDE = 8
HIGH = 2.25
"""Height of a hollow with its label, in sides of a cell."""
LETTER = 0.2
"""Width of a letter of a label, in sides of a cell."""
NUMBER = "number"
"""The text that is shown in place of a name, for a part that has no name."""
LONGEST = 60
"""Maximum number of characters beside a board."""
LABEL = 3
"""Maximum number of characters of an action's name that is written into its cell."""

EDGE = 0.375
"""Width of the edge of a board, where the numbers of rows and columns are."""

Way = int | tuple[int, int] | None
"""The place of an action: a cell, or the first and the last cell of a move."""
Rows = tuple[tuple[object, ...], ...]
Path = tuple[int, ...]
"""The path to a part of a state: the index of a member of the state, then the index of a member of that member, and so
on.
"""


def plain_board(game: AnyGame, state: State, names: Mapping[Action, str]) -> Scene | None:
    """Return a scene without a caption, and without buttons for actions that have no place on the board.

    Return None if the states show neither a board nor numbers, or the rules have a fault.

    Arguments:
        names: the legal actions, and their notation.
    """
    own: object = game  # that games can be hashed is their protocol's promise
    try:
        shape = _shape(own)
        return shape.scene(game, state, names) if shape else None
    except Exception:  # a fault is told where it is met in a game, and not where its first state is shown
        return None


@attrs.frozen
class NumberShape:
    """The shape of states that consist of a few numbers, such as the sizes of heaps."""

    mover: int | None
    """The index of the number for the player to move; that number is not shown."""

    def scene(self, game: AnyGame, state: State, names: Mapping[Action, str]) -> Scene | None:
        """Return the numbers as hollows, each with as many things as its number says."""
        numbers = [each for index, each in enumerate(_numbers(state) or ()) if index != self.mover]
        counts = [number for _, number in numbers if type(number) is int and number >= 0]
        if not numbers or len(counts) < len(numbers):
            return None
        labels = ["" if name.startswith(NUMBER) else name for name, _ in numbers]
        width = max(1.25, 3 / len(numbers), LETTER * max(map(len, labels)))
        hollows = []
        for index, (name, _) in enumerate(numbers):
            x, y = index % SIDE_BY_SIDE * width, index // SIDE_BY_SIDE * HIGH
            hollows.append(Cell(name, x, y, width, HIGH - 0.5, "round", count=counts[index], label=labels[index]))
        return Scene(tuple(hollows))


@attrs.frozen
class BoardShape:
    """Where and how the states of a game hold a board of rows and columns."""

    path: Path
    rows: int
    columns: int
    empty: object = None
    """The value of an empty cell."""
    owners: Mapping[object, Player] = {}
    moves: bool = False
    """Whether pieces move from cell to cell."""
    first: int | None = None
    """The number of the first row and column, if actions name rows and columns; otherwise None."""
    beside: frozenset[Path] = frozenset()
    """The paths to the parts of a state that change, other than the board and the player to move."""

    def scene(self, game: AnyGame, state: State, names: Mapping[Action, str]) -> Scene | None:
        """Return the board, with the actions that fill one cell, or go from cell to cell, at their places."""
        values = self.values(state)
        if values is None:
            return None
        after = {action: self.values(game.result(state, action)) for action in names}
        ways = {action: self.way(values, later, game.to_move(state)) for action, later in after.items()}
        shared = Counter(ways.values())
        placed = {way: action for action, way in ways.items() if way is not None and shared[way] == 1}
        cells = [self._cell(number, value, placed.get(number), names) for number, value in enumerate(values)]
        moves = [
            Move(self.name(way[0]), self.name(way[1]), action, f"play {names[action]}")
            for way, action in placed.items()
            if isinstance(way, tuple)
        ]
        material: Material = "paper" if any(cell.piece in ("cross", "ring") for cell in cells) else "wood"
        return Scene(
            (*cells, *self._edges(), *self._rest(state)), moves=tuple(moves), material=material, colours=self.colours()
        )

    def _cell(self, number: int, value: object, action: Action, names: Mapping[Action, str]) -> Cell:
        """Return a cell, with the short name of the action that fills it."""
        row, column = divmod(number, self.columns)
        shade: Shade = "" if not self.moves else "light" if (row + column) % 2 else "dark"
        label = "" if action is None or self.first is not None else names[action]
        owner, sign, piece = self.piece(value)
        cell = Cell(self.name(number), column, row, text=sign, piece=piece, owner=owner, shade=shade)
        hint = "" if action is None else f"play {names[action]}"
        return attrs.evolve(cell, action=action, hint=hint, label=label if len(label) <= LABEL else "")

    def _edges(self) -> Iterator[Cell]:
        """Yield the numbers of rows and columns, if actions name them."""
        if self.first is not None:
            for row in range(self.rows):
                yield Cell(f"row {self.first + row}", -EDGE, row, EDGE, 1, "coordinate", str(self.first + row))
            for column in range(self.columns):
                edge = f"column {self.first + column}", column, -EDGE, 1, EDGE
                yield Cell(*edge, "coordinate", str(self.first + column))

    def _rest(self, state: State) -> Iterator[Cell]:
        """Yield a line with the parts of a state that are not on its board: points, a die, a number of moves."""
        fields = [(name, value) for path, name, value in _siblings(self.path, state) if path in self.beside]
        parts = [repr(value) if name.startswith(NUMBER) else f"{name}: {value!r}" for name, value in fields]
        line = short(", ".join(parts), LONGEST)
        if line:
            width = max(self.columns, LETTER * len(line))
            yield Cell("beside the board", (self.columns - width) / 2, self.rows + EDGE, width, 0.5, "plain", line)

    def name(self, number: int) -> str:
        """Return the name of a cell: its row and its column."""
        row, column = divmod(number, self.columns)
        first = 1 if self.first is None else self.first
        return f"row {first + row}, column {first + column}"

    def values(self, state: State) -> tuple[object, ...] | None:
        """Return the values of the cells, row by row; None if this state has no such board."""
        rows = dict(_boards(state)).get(self.path)
        if rows is None or (len(rows), len(rows[0])) != (self.rows, self.columns):
            return None
        return tuple(value for row in rows for value in row)

    def way(self, before: Sequence[object] | None, after: Sequence[object] | None, mover: Player) -> Way:
        """Return the cell that a move has filled, or the cells where it starts and ends; None for any other move."""
        if before is None or after is None:
            return None
        changed = [cell for cell, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
        own = [cell for cell in changed if self.owners.get(after[cell]) == mover]
        filled = [cell for cell in own if before[cell] == self.empty]
        left = [cell for cell in changed if after[cell] == self.empty and self.owners.get(before[cell]) == mover]
        if len(left) == 1 and len(own) == 1:
            return left[0], own[0]
        return filled[0] if len(filled) == 1 and not left else None

    def piece(self, value: object) -> tuple[Player | None, str, PieceKind]:
        """Return a value's owner, sign and kind of piece: a cross, a ring, or a disc.

        A disc shows the value's text if its owner has several values.
        """
        owner, text = self.owners.get(value), _text(value)
        if value == self.empty:
            return None, "", ""
        if owner is None:
            return None, text, ""
        if {str(each).lower() for each in self.owners} == {"x", "o"}:
            return owner, text.upper(), "cross" if text.lower() == "x" else "ring"
        contents = sum(each == owner for each in self.owners.values())
        return owner, text if contents > 1 else "○" if owner else "●", "disc"

    def colours(self) -> tuple[Colour, ...]:
        """Return black and white if the pieces have these names; otherwise ()."""
        initials = {(owner, str(value).lower()[:1]) for value, owner in self.owners.items()}
        if initials == {(MAX, "b"), (MIN, "w")}:
            return "black", "white"
        return ("white", "black") if initials == {(MAX, "w"), (MIN, "b")} else ()


# ---- what is seen of a game


@functools.lru_cache(64)
def _shape(game: AnyGame) -> BoardShape | NumberShape | None:
    """Return the board that the states of a game show, judged by a few random games. Return None if the states show no
    board, or if the rules are slow.
    """
    seen, began = [], time.thread_time()
    for each in _played(capable(game)):
        seen.append(each)
        if time.thread_time() - began > SECONDS:
            return None
    return _board(seen) or _counts(game, seen)


def _played(game: CapableGame) -> Iterator[tuple[State, Player, Action, State]]:
    """Yield a state, the player to move, an action and the state after it, from random games."""
    dice, state = random.Random(0), game.initial_state()
    for _ in range(PLIES):
        if game.terminal_test(state):
            state = game.initial_state()
        if game.terminal_test(state):
            return
        mover = game.to_move(state)
        chosen = [each for each, _ in game.outcomes(state)] if mover == CHANCE else list(game.actions(state))
        action = dice.choice(chosen)
        after = game.result(state, action)
        yield state, mover, action, after
        state = after


def _board(seen: Sequence[tuple[State, Player, Action, State]]) -> BoardShape | None:
    """Return the largest board that all these states have in the same place; None if they share no board."""
    shapes: dict[Path, set[tuple[int, int]]] = defaultdict(set)
    boards = [dict(_boards(after)) for *_, after in seen]
    for each in boards:
        for path, rows in each.items():
            shapes[path].add((len(rows), len(rows[0])))
    always = [path for path, sizes in shapes.items() if len(sizes) == 1 and all(path in each for each in boards)]
    for path in sorted(always, key=lambda path: -math.prod(*shapes[path])):
        shape = _owned(BoardShape(path, *next(iter(shapes[path]))), seen)
        if shape:
            return shape
    return None


def _owned(shape: BoardShape, seen: Sequence[tuple[State, Player, Action, State]]) -> BoardShape | None:
    """Return `shape` with the owners of the pieces and the value of an empty cell; None if it does not seem to be a
    board.
    """
    new: dict[object, set[Player]] = defaultdict(set)
    values, first = Counter[object](), shape.values(seen[0][0])
    for before, mover, _, after in seen:
        old, later = shape.values(before), shape.values(after)
        if old is None or later is None:
            return None
        values.update(later)
        for was, now in zip(old, later, strict=True):
            if was != now and mover != CHANCE:
                new[now].add(mover)
    flat = shape.path[-1:] == (-1,)
    owners = {value: next(iter(players)) for value, players in new.items() if len(players) == 1}
    if not new or (flat and (len(values) > MOST_CONTENTS or not owners)):
        return None
    if {*owners.values()} != {MAX, MIN}:
        owners = {}
    others = [value for value in values if value not in owners]
    empty = max(others, key=lambda value: (len(new[value]), first.count(value) if first else 0), default=None)
    if not owners and _text(empty).strip(" .-_0"):
        empty = None
    shape = attrs.evolve(shape, empty=empty, owners=owners)
    ways = [
        (action, shape.way(shape.values(before), shape.values(after), mover)) for before, mover, action, after in seen
    ]
    moves = any(isinstance(way, tuple) for _, way in ways)
    named = (number for number in (0, 1) if all(_coordinates(each) == _named(shape, way, number) for each, way in ways))
    parts: dict[Path, list[tuple[object, Player]]] = defaultdict(list)
    for before, mover, *_ in seen:
        for path, _, value in _siblings(shape.path, before):
            parts[path].append((value, mover))
    beside = frozenset(path for path, told in parts.items() if not _is_constant(told) and not _is_mover(told))
    return attrs.evolve(shape, moves=moves, first=next(named, None), beside=beside)


def _is_constant(told: Sequence[tuple[object, Player]]) -> bool:
    return len({value for value, _ in told}) == 1


def _is_mover(told: Sequence[tuple[object, Player]]) -> bool:
    """Return whether a value says who is to move, and nothing else."""
    return len({*told}) == len({value for value, _ in told}) == len({mover for _, mover in told})


def _named(shape: BoardShape, way: Way, first: int) -> list[int]:
    """Return the rows and columns of the cells of a move; the first row and column have the number `first`."""
    cells = way if isinstance(way, tuple) else () if way is None else (way,)
    return [first + number for cell in cells for number in divmod(cell, shape.columns)]


def _coordinates(action: object) -> list[int]:
    """Return the numbers in an action that is a tuple; [] for any other action, since a single number is not a row or a
    column.
    """
    numbers = [[each] if type(each) is int else _coordinates(each) for each in action] if type(action) is tuple else []
    return [number for each in numbers for number in each]


def _counts(game: AnyGame, seen: Sequence[tuple[State, Player, Action, State]]) -> NumberShape | None:
    """Return the shape of states that consist of a few numbers, all 0 or more; None for any other states."""
    rows = [(_numbers(state), mover) for state, mover, *_ in seen]
    if not rows or any(row is None or not all(type(each) is int and each >= 0 for _, each in row) for row, _ in rows):
        return None
    read = [([each for _, each in row or ()], mover) for row, mover in rows]
    if len({len(row) for row, _ in read}) != 1 or not 1 <= len(read[0][0]) <= NUMBERS:
        return None
    two = len({mover for _, mover in read}) > 1
    same = [index for index in range(len(read[0][0])) if two and all(row[index] == mover for row, mover in read)]
    return NumberShape(same[-1] if same else None) if len(read[0][0]) > len(same[-1:]) else None


def _numbers(state: State) -> list[tuple[str, object]] | None:
    """Return the numbers of a state with their names, if the state consists of nothing else."""
    members = _members(state)
    if members is None:
        return [(NUMBER, state)] if type(state) is int else None
    numbers = []
    for name, each in members:
        inner = _members(each)
        numbers += [(name, each)] if inner is None else [(f"{name} {part.split()[-1]}", one) for part, one in inner]
    return numbers if all(type(each) is int for _, each in numbers) else None


def _members(value: object) -> list[tuple[str, object]] | None:
    """Return the members of a list or an object by their names; None if the value is neither."""
    if isinstance(value, Bits):  # a set of cells, not two numbers
        return None
    if isinstance(value, FrozenObject):
        return list(zip(value.frozen_names, value.frozen_values, strict=True))
    if isinstance(value, FrozenArray):
        value = value.array().tolist()
    if isinstance(value, FrozenDict):
        return [(str(key), each) for key, each in value]
    if isinstance(value, tuple | list):
        names = field_names(value) or [f"{NUMBER} {number}" for number in range(1, len(value) + 1)]
        return list(zip(names, value, strict=True))
    cls = type(value)
    own = [*attrs.fields_dict(cls)] if attrs.has(cls) else []
    if dataclasses.is_dataclass(cls):
        own = [field.name for field in dataclasses.fields(cls)]
    return [(name, getattr(value, name)) for name in own] or None


def _boards(value: object, path: Path = ()) -> Iterator[tuple[Path, Rows]]:
    """Yield every part of a state that may be a board, with the path to it.

    If the part is one flat sequence, which is cut into the rows of a square board, the path ends with -1.
    """
    if isinstance(value, FrozenDict):
        value = _rows_of_pairs(value) or value
    parts = value.split() if isinstance(value, str) else [each for _, each in _members(value) or ()]
    if isinstance(value, str) and len(parts) == 1:
        parts = value.strip("/").split("/")
    rows = [tuple(each) if isinstance(each, str) else _line(each) for each in parts]
    if rows and all(rows) and len({len(row or ()) for row in rows}) == 1:
        board = tuple(row or () for row in rows)
        if _fits(len(board), len(board[0])):
            yield path, board
    line = tuple(value) if isinstance(value, str) else _line(value)
    width = math.isqrt(len(line or ()))
    if line and width * width == len(line) and _fits(width, width):
        yield (*path, -1), tuple(line[start : start + width] for start in range(0, len(line), width))
    if not isinstance(value, str) and not line:
        for index, part in enumerate(parts):
            yield from _boards(part, (*path, index))


def _rows_of_pairs(board: FrozenDict) -> Rows | None:
    """Return the rows of a dictionary whose keys are pairs (row, column); None for any other dictionary."""
    if not all(type(key) is tuple and list(map(type, key)) == [int, int] for key, _ in board):
        return None
    rows: dict[int, list[object]] = defaultdict(list)
    for key, value in board:  # they are in order
        assert isinstance(key, tuple)
        rows[key[0]].append(value)
    return tuple(map(tuple, rows.values()))


def _fits(rows: int, columns: int) -> bool:
    return min(rows, columns) > 1 and max(rows, columns) <= MOST and rows * columns >= FEWEST


def _siblings(path: Path, state: State) -> Iterator[tuple[Path, str, object]]:
    """Yield the parts of a state beside its board, each with the path to it and its name."""
    value = state
    for depth, index in enumerate(path):
        members = _members(value) or []
        for slot, (name, part) in enumerate(members):
            if index not in (-1, slot):
                yield (*path[:depth], slot), name, part
        value = value if index < 0 else members[index][1]


def _line(value: object) -> tuple[object, ...] | None:
    """Return the contents of a line of cells; None if the value is not a line of cells."""
    if isinstance(value, FrozenDict) and [key for key, _ in value] != [*range(len(value))]:
        return None
    members = None if isinstance(value, FrozenObject) or hasattr(value, "_fields") else _members(value)
    items = tuple(each for _, each in members or ())
    return items if items and all(_is_content(each) for each in items) else None


def _is_content(value: object) -> bool:
    short = isinstance(value, str) and len(value) <= LABEL
    return short or value is None or isinstance(value, bool | int | float | enum.Enum)


def _text(value: object) -> str:
    """Return the content of a cell as text."""
    shown = value.name if isinstance(value, enum.Enum) else value
    return "" if shown is None else f"{shown:g}" if isinstance(shown, float) else str(shown).strip()
