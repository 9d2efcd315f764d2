"""`ggp.Grid`: a board of rows and columns: its geometry, its notation, and its scene.

A board game creates a grid from its parameters and uses it in its rules and its scene::

    @functools.cached_property
    def grid(self):
        return ggp.Grid(self.rows, self.columns)

Cells are numbered row by row from 0. Cells are named as in chess: a letter for the column, a number for the row.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Unpack, cast

import attrs

from ggp.bits import CELLS, Bits
from ggp.capabilities import legal_actions, mover_name, notation, player_names
from ggp.errors import IllegalActionError, NotationError
from ggp.escapes import short
from ggp.game import CHANCE, MAX, MIN, Action, ActionT, AnyGame, Bounded, Game, Player, State, StateT
from ggp.options import constant
from ggp.scene import COLOURS, Cell, Colour, Line, Move, PieceKind, Scene, SceneOptions, Shade, Shape

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LONGEST = 60
"""Maximum number of characters of a wrong text that a message repeats."""
LISTED = 24
"""Maximum number of actions that a message lists."""
BoardPlace = int | tuple[int, ...] | None
"""The place of an action on the board: a cell, or all cells of a move from the first to the last, or None."""
Standing = tuple[Player | None, str] | tuple[Player | None, str, str]
"""The content of a cell: its owner, the character for terminals, and a `ggp.scene.PieceKind` for pictures."""
HEXAGON = 0.87
"""Height of a row of hexagons of width 1: the square root of 3/4."""
EDGE = 0.375
"""Width of the edge of a board, where the names of rows and columns are."""
BUTTONS = 4
"""Number of action buttons side by side."""


@attrs.frozen
class Grid:
    """A board of rows and columns.

    With `upward`, row 0 is at the bottom, as in chess; otherwise at the top. The `Bits` that methods take and return
    have 64 cells, or as many as a larger board has: `grid.bits()` is the empty set.
    """

    rows: int
    columns: int
    upward: bool = False

    size: int = constant(lambda grid: grid.rows * grid.columns)
    """The number of cells."""
    first_row: Bits = constant(lambda grid: _cells(grid, range(1), range(grid.columns)))
    last_row: Bits = constant(lambda grid: _cells(grid, range(grid.rows - 1, grid.rows), range(grid.columns)))
    first_column: Bits = constant(lambda grid: _cells(grid, range(grid.rows), range(1)))
    last_column: Bits = constant(lambda grid: _cells(grid, range(grid.rows), range(grid.columns - 1, grid.columns)))
    board: Bits = constant(lambda grid: _cells(grid, range(grid.rows), range(grid.columns)))
    """All cells."""
    _staying: tuple[Bits, ...] = constant(lambda grid: tuple(map(grid._in_their_row, grid._steps())))
    """For each step from -columns to columns, the cells that stay in their row when moved by that step."""

    def cell(self, row: int, column: int) -> int:
        return row * self.columns + column

    def row(self, cell: int) -> int:
        return cell // self.columns

    def column(self, cell: int) -> int:
        return cell % self.columns

    # sets of cells

    def bits(self, *cells: int) -> Bits:
        """Return the set of these cells.

        Raises:
            ValueError: a cell is not one of 64, or of as many as a larger board has.
        """
        return Bits.of(*cells, width=max(CELLS, self.size))

    def row_cells(self, row: int) -> Bits:
        """Return the cells of a row."""
        return self.first_row << row * self.columns

    def shift(self, bits: Bits, rows: int, columns: int) -> Bits:
        """Return the cells moved by that many rows and columns; cells that leave the board are dropped.

        Arguments:
            rows: from -rows to rows of the board.
            columns: from -columns to columns of the board.
        """
        staying = bits & self._staying[self.columns + columns]
        offset = rows * self.columns + columns
        return staying << offset & self.board if offset >= 0 else staying >> -offset

    def _steps(self) -> range:
        return range(-self.columns, self.columns + 1)

    def _in_their_row(self, step: int) -> Bits:
        """Return the cells that stay in their row when moved by that many columns."""
        return _cells(self, range(self.rows), range(max(0, -step), min(self.columns, self.columns - step)))

    def flip_rows(self, bits: Bits) -> Bits:
        """Return the set mirrored top to bottom."""
        flipped = self.bits()
        for row in range(self.rows):
            flipped |= (bits >> row * self.columns & self.first_row) << (self.rows - 1 - row) * self.columns
        return flipped

    def flip_columns(self, bits: Bits) -> Bits:
        """Return the set mirrored left to right."""
        flipped = self.bits()
        for column in range(self.columns):
            flipped |= (bits >> column & self.first_column) << self.columns - 1 - column
        return flipped

    def transpose(self, bits: Bits) -> Bits:
        """Return the set with rows and columns exchanged, on a square board."""
        if self.rows != self.columns:
            raise ValueError(f"only a square board can be transposed; got {self.rows} rows of {self.columns}")
        transposed = self.bits()
        for cell in bits:
            transposed = transposed.including(self.cell(self.column(cell), self.row(cell)))
        return transposed

    def rotate(self, bits: Bits) -> Bits:
        """Return the set after a quarter turn that takes the first row to the last column, on a square board."""
        return self.flip_columns(self.transpose(bits))

    # text

    def name(self, cell: int) -> str:
        """Return the name of a cell: "a1" for cell 0, "b1" for the next in its row."""
        return f"{LETTERS[self.column(cell)]}{self.row(cell) + 1}"

    def parse_name(self, text: str) -> int:
        """Return the cell with that name.

        Raises:
            NotationError: the text is not a cell of the board.
        """
        matched = re.fullmatch(r"([a-z])([1-9][0-9]?)", text.strip().lower(), re.ASCII)
        column, row = (LETTERS.index(matched[1]), int(matched[2]) - 1) if matched else (self.columns, self.rows)
        if column >= self.columns or row >= self.rows:
            last = self.name(self.size - 1)
            raise NotationError(f"{shown(text)} is not a cell of the board: the cells are a1 to {last}")
        return self.cell(row, column)

    def format_move(self, start: int, target: int, captures: bool = False) -> str:
        """Return a move from cell to cell: "b1-b2", or for a capture "b1xc2"."""
        return f"{self.name(start)}{'x' if captures else '-'}{self.name(target)}"

    def from_top(self) -> Iterable[int]:
        """Return the row numbers in the order in which they are shown, from the top."""
        return reversed(range(self.rows)) if self.upward else range(self.rows)

    def format_board(self, marks: Sequence[str]) -> str:
        """Return the rows from the top, separated by "/"; `marks` has one character for each cell."""
        starts = (row * self.columns for row in self.from_top())
        return "/".join("".join(marks[start : start + self.columns]) for start in starts)

    def parse_board(self, text: str, allowed: str) -> list[str]:
        """Return the mark of each cell: the inverse of `format_board`.

        Raises:
            NotationError: the shape is wrong, or a mark is not among those allowed.
        """
        rows = parse_rows(text, [self.columns] * self.rows, allowed)
        rows = rows[::-1] if self.upward else rows
        return list("".join(rows))

    def format_position(self, marks: Sequence[str], mover: str) -> str:
        """Return the board, a blank, and the character of the player to move."""
        return f"{self.format_board(marks)} {mover}"

    def parse_position(self, text: str, allowed: str, movers: str) -> tuple[list[str], Player]:
        """Return the mark of each cell and the player to move: the inverse of `format_position`.

        Arguments:
            movers: the characters of MAX and MIN.

        Raises:
            NotationError: the shape or a mark is wrong, or the player is missing.
        """
        board, mover = split_mover(text, movers)
        return self.parse_board(board, allowed), mover

    # scenes

    def scene(
        self,
        game: AnyGame,
        state: State,
        marks: Sequence[str],
        pieces: Mapping[str, Standing],
        where: Callable[..., BoardPlace] = lambda action: action,
        look: Callable[[int, Cell], Cell] = lambda number, cell: cell,
        *,
        hexagonal: bool = False,
        chequered: bool = False,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        colours: tuple[Colour, ...] = (),
        lines: tuple[Line, ...] = (),
        **board: Unpack[SceneOptions],
    ) -> Scene:
        """Return the scene of a state, with the names of rows and columns at its edges.

        Arguments:
            marks: the mark of each cell.
            pieces: for each mark that is drawn, its owner, its character in terminals, and its piece in pictures
            (default: by the character) (see `ggp.scene.SIGNS`).
            where: returns the place of a legal action: its cell, or all cells of a move from the first to the last.
                Actions without a place, and those that share one, become buttons.
            look: returns a cell as it is to be drawn, from its number and its plain form.
            hexagonal: whether cells are hexagons, each row shifted to the right of the row above by half a cell.
            chequered: whether squares are dark and light in turn, as in chess; the square of row 0 and column 0 is
            dark. rows, columns: texts at the edges, from row 0 and column 0 (default: as in the names of cells). The
            texts
                of columns are above the board, or below it if row 0 is at the bottom and nothing falls.
            colours, lines, board: properties of the board, such as `below`; see `ggp.Scene`.
        """
        rows = [str(row + 1) for row in range(self.rows)] if rows is None else rows
        columns = LETTERS[: self.columns] if columns is None else columns
        chosen = choices(game, state, where, self.name)
        shape: Shape = "hexagon" if hexagonal else "square"
        lean, height = (0.5, HEXAGON) if hexagonal else (0, 1.0)
        cells = []
        apart = EDGE / 2 if board.get("edges") else 0  # the names stand beside the edges that belong to players
        for line, row in enumerate(self.from_top()):
            left, top = line * lean, line * height
            if rows:
                cells.append(Cell(f"row {rows[row]}", left - EDGE - apart, top, EDGE, height, "coordinate", rows[row]))
            for column in range(self.columns):
                number = self.cell(row, column)
                owner, sign, *piece = pieces.get(marks[number], (None, ""))
                action = chosen.at.get(number)
                box, hint = (self.name(number), left + column, top, 1, height), chosen.hint(action)
                shade: Shade = "" if not chequered else "light" if (row + column) % 2 else "dark"
                kind = cast(PieceKind, (*piece, "")[0])
                cell = Cell(*box, shape, sign, owner=owner, action=action, hint=hint, shade=shade, piece=kind)
                cells.append(look(number, cell))
        below = self.upward and not board.get("gravity")
        for column, letter in enumerate(columns):
            x, y = column + (1 - EDGE) / 2, self.rows * height + apart if below else -EDGE - apart
            cells.append(Cell(f"column {letter}", x, y, EDGE, EDGE, "coordinate", letter))
        cells += button_cells(chosen, self.rows * height + (EDGE if below and columns else 0) + 0.25)
        colours = colours or named_colours(game)
        caption = standing(game, state, board.get("scores", ()))
        return Scene(tuple(cells), caption, lines, moves=chosen.moves, colours=colours, **board)


@attrs.frozen
class Choices:
    """The legal actions of a state by their places on the board."""

    names: Mapping[Action, str]
    """The notation of each action."""
    at: Mapping[int | tuple[int, ...], Action]
    """The actions that have a place of their own: one cell, or the first and the last cell of a move."""
    moves: tuple[Move, ...]
    """The actions that are chosen by two cells."""
    buttons: tuple[Action, ...]
    """The other actions, which have no place or share one."""

    def hint(self, action: object) -> str:
        """Return the effect of choosing an action in words; an empty text for None."""
        return "" if action is None else f"play {self.names[action]}"


def choices(game: AnyGame, state: State, where: Callable[..., BoardPlace], name: Callable[[int], str]) -> Choices:
    """Return the legal actions by their places. If chance moves, there is nothing to choose: a die rolls by itself.

    Arguments:
        where: returns the place of a legal action.
        name: returns the name of a cell in the scene.
    """
    rolls = not game.terminal_test(state) and game.to_move(state) == CHANCE
    ways = {} if rolls else {action: where(action) for action in legal_actions(game, state)}
    places = {action: (way[0], way[-1]) if isinstance(way, tuple) else way for action, way in ways.items()}
    actions_at = Counter(places.values())
    names = {action: notation(game).format_action(state, action) for action in places}
    at: dict[int | tuple[int, ...], object] = {
        cell: action for action, cell in places.items() if cell is not None and actions_at[cell] == 1
    }
    buttons = tuple(action for action, cell in places.items() if cell not in at)
    moves = (
        Move(name(way[0]), name(way[-1]), action, f"play {names[action]}", tuple(map(name, way[1:-1])))
        for action, way in ways.items()
        if isinstance(way, tuple) and places[action] in at
    )
    return Choices(names, at, tuple(moves), buttons)


def button_cells(chosen: Choices, top: float) -> Iterable[Cell]:
    """Yield a button for each action without a place of its own, in rows from `top` down."""
    for number, action in enumerate(chosen.buttons):
        x, y, text = number % BUTTONS * 1.5, top + number // BUTTONS * 0.75, chosen.names[action]
        yield Cell(f"move {text}", x, y, 1.25, 0.5, "button", text, action=action, hint=chosen.hint(action))


def edge_names(rows: Mapping[str, float], columns: Mapping[str, float], right: float, top: float) -> Iterator[Cell]:
    """Yield the names of rows and columns of points, as coordinates at the left and below the board.

    Arguments:
        rows: the middle of each row, by its name.
        columns: the middle of each column, by its name.
        right: where the names of the rows end.
        top: where the names of the columns begin.
    """
    for name, middle in rows.items():
        yield Cell(f"row {name}", right - EDGE, middle - EDGE / 2, EDGE, EDGE, "coordinate", name)
    for name, middle in columns.items():
        yield Cell(f"column {name}", middle - EDGE / 2, top, EDGE, EDGE, "coordinate", name)


MOVE = "[a-z][0-9]{1,2}[-x][a-z][0-9]{1,2}"
"""The output of `format_move`, as a regular expression."""


def named_colours(game: AnyGame) -> tuple[Colour, ...]:
    """Return the colours that the players are named after; () if they have other names."""
    names = tuple(name.lower() for name in player_names(game))
    return tuple(colour for name in names for colour in COLOURS if colour == name) if {*names} <= {*COLOURS} else ()


def standing(game: AnyGame, state: State, scores: Sequence[float] = ()) -> str:
    """Return a caption: the player to move, or how the game ended.

    The winner's score comes first: "X has won 6 : 3". Without scores, a margin is shown as values are: "X has won, 3 to
    X".
    """
    if not game.terminal_test(state):
        return f"{mover_name(game, state)} to move"
    value = game.utility(state, MAX)
    if value == 0:
        return "a draw"
    winner = player_names(game)[MAX if value > 0 else MIN]
    if scores:
        return f"{winner} has won {max(scores):g} : {min(scores):g}"
    most = max(map(abs, game.bounds(state))) if isinstance(game, Bounded) else 1
    return f"{winner} has won" if abs(value) in (1, most) else f"{winner} has won, {abs(value):g} to {winner}"


def read_action(game: Game[StateT, ActionT], state: StateT, text: str, pattern: str, example: str) -> ActionT:
    """Return the legal action that `text` describes; for games whose notation is in lower case.

    Arguments:
        pattern: a regular expression for all actions of the game.
        example: an action, for error messages.

    Raises:
        NotationError: the text is not an action.
        IllegalActionError: the action is not legal here; the message lists the legal ones.
    """
    wanted = text.strip().lower()
    if not re.fullmatch(pattern, wanted, re.ASCII):
        raise NotationError(f"{shown(text)} is not a move: a move is written like {example}")
    write = notation(game)
    legal = {write.format_action(state, action): action for action in legal_actions(game, state)}
    if wanted not in legal:
        listed = ", ".join(list(legal)[:LISTED]) + (f" and {len(legal) - LISTED} more" if len(legal) > LISTED else "")
        right = f"{mover_name(game, state)} can play {listed}" if legal else "the game is over"
        raise IllegalActionError(f"{wanted} cannot be played in {write.format_state(state)}: {right}")
    return legal[wanted]


def marked(marks: Sequence[str], sign: str) -> Bits:
    """Return the cells with this mark, such as "X", as a set of as many cells as there are marks."""
    return Bits.of(*(cell for cell, mark in enumerate(marks) if mark == sign), width=max(CELLS, len(marks)))


def parse_rows(text: str, lengths: Sequence[int], allowed: str) -> list[str]:
    """Return the rows of a board, which `text` gives from the top, separated by "/".

    Arguments:
        lengths: the number of characters in each row.
        allowed: the characters that may occur.

    Raises:
        NotationError: a row has the wrong length, or a character is not allowed.
    """
    rows = text.strip().split("/")
    if [len(row) for row in rows] != list(lengths) or set("".join(rows)) - set(allowed):
        each = str(lengths[0]) if len(set(lengths)) == 1 else ", ".join(map(str, lengths))
        shape = f"{len(lengths)} rows of {each} signs with / between them, from the top, of {' '.join(allowed)}"
        raise NotationError(f"{shown(text)} is not a board: write {shape}")
    return rows


def split_mover(text: str, movers: str) -> tuple[str, Player]:
    """Return the board of a position and the player to move, whose character follows after a blank.

    Arguments:
        movers: the characters of MAX and MIN.

    Raises:
        NotationError: the player is missing.
    """
    board, _, mover = text.strip().rpartition(" ")
    if len(mover) != 1 or mover not in movers:
        after = f"after the board comes a blank and the player to move, {movers[0]} or {movers[1]}"
        raise NotationError(f"{shown(text)} does not say who is to move: {after}")
    return board, movers.index(mover)


def require_possible(text: str, holds: bool, reason: str) -> None:
    """Raise NotationError if `holds` is false: a condition that the position read from `text` has to meet.

    Arguments:
        reason: why a position that does not meet the condition cannot occur in a game.
    """
    if not holds:
        raise NotationError(f"{shown(text)} cannot occur: {reason}")


def shown(text: str) -> str:
    """Return a wrong text as a message repeats it: quoted, and shortened."""
    return repr(short(text.strip(), LONGEST))


def _cells(grid: Grid, rows: range, columns: range) -> Bits:
    """Return the cells in these rows and columns."""
    # Sums of words, not of cells: every game with a grid is made when games are listed.
    row = sum(1 << column for column in columns)
    return Bits(sum(row << each * grid.columns for each in rows), max(CELLS, grid.size))
