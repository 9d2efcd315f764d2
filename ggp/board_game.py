"""`ggp.BoardGame`: the notation and the scene of a game on a board; and what all boards share.

A game on a board declares the board and its pieces, and inherits the rest::

    @attrs.frozen
    class Hex(ggp.BoardGame):
        grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.size, game.size))
        pieces = {"X": (ggp.MAX, "●"), "O": (ggp.MIN, "○")}
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Unpack, cast, get_args

import attrs

from ggp.bits import CELLS, Bits
from ggp.capabilities import legal_actions, mover_name, notation, player_names
from ggp.errors import IllegalActionError, NotationError
from ggp.escapes import short
from ggp.game import CHANCE, MAX, MIN, Action, ActionT, AnyGame, Bounded, Game, Player, State, StateT
from ggp.scene import COLOURS, Cell, Colour, Move, PieceKind, Scene, SceneOptions, Shade, Shape

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LONGEST = 60
"""Maximum number of characters of a wrong text that a message repeats."""
LISTED = 24
"""Maximum number of actions that a message lists."""
BoardPlace = int | tuple[int, ...] | None
"""The place of an action on the board: a cell, or all cells of a move from the first to the last, or None."""
Standing = tuple[Player | None, str] | tuple[Player | None, str, str]
"""The content of a cell: its owner, the character for terminals, and a `ggp.scene.PieceKind` for pictures."""
Draw = Callable[[int, float, float, float, float, Shape, Shade], Cell]
"""A function that returns a cell with its content, given its number, its place, its size, its shape and its shade."""
Layout = tuple[list[Cell], float]
"""The cells of a scene, including the names of rows and columns; and the vertical position of the first button below
the board.
"""
EDGE = 0.375
"""Width of the edge of a board, where the names of rows and columns are."""
BUTTONS = 4
"""Number of action buttons side by side."""
KINDS = {*get_args(PieceKind)}
EMPTY = "."
"""The mark of an empty cell."""
CELL = "[a-z][0-9]{1,2}"
"""The name of a cell, as a regular expression."""
MOVE = f"{CELL}[-x]{CELL}"
"""The output of `format_move`, as a regular expression."""


class BoardOptions(SceneOptions, total=False):
    """The properties of a scene that a game on a board may set; see `NumberedBoard.scene`."""

    hexagonal: bool
    chequered: bool
    rows: Sequence[str] | None
    columns: Sequence[str] | None


class NumberedBoard:
    """A board of numbered cells: what `ggp.Grid` and `ggp.Points` share."""

    __slots__ = ()

    size: int
    """Number of cells."""

    def name(self, cell: int) -> str:
        """Return the name of a cell: "b1"."""
        raise NotImplementedError

    def _rows_of_cells(self) -> list[Sequence[int]]:
        """Return the cells of each row, from the top."""
        raise NotImplementedError

    def _layout(self, draw: Draw, options: BoardOptions) -> Layout:
        """Return the cells of a scene, and remove from `options` those that only this kind of board has."""
        raise NotImplementedError

    # text

    def format_move(self, start: int, target: int, captures: bool = False) -> str:
        """Return a move from cell to cell: "b1-b2", or for a capture "b1xc2"."""
        return f"{self.name(start)}{'x' if captures else '-'}{self.name(target)}"

    def format_board(self, marks: Sequence[str]) -> str:
        """Return the rows from the top, separated by "/"; `marks` has one character for each cell."""
        return "/".join("".join(marks[cell] for cell in row) for row in self._rows_of_cells())

    def parse_board(self, text: str, allowed: str) -> list[str]:
        """Return the mark of each cell: the inverse of `format_board`.

        Raises:
            NotationError: the shape is wrong, or a mark is not among those allowed.
        """
        rows, marks = self._rows_of_cells(), [EMPTY] * self.size
        for row, signs in zip(rows, parse_rows(text, [*map(len, rows)], allowed), strict=True):
            for cell, sign in zip(row, signs, strict=True):
                marks[cell] = sign
        return marks

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
        **options: Unpack[BoardOptions],
    ) -> Scene:
        """Return the scene of a state, with the names of rows and columns at its edges.

        Arguments:
            marks: the mark of each cell.
            pieces: for each mark that is drawn, its owner, its character in terminals, and its piece in pictures
                (default: the piece that `ggp.scene.SIGNS` has for the character).
            where: returns the place of a legal action: its cell, or all cells of a move from the first to the last.
                Actions without a place, and those that share one, become buttons.
            look: returns a cell as it is to be drawn, from its number and its plain form.
            hexagonal: whether the cells of a grid are hexagons, each row shifted to the right of the row above by half
                a cell.
            chequered: whether the squares of a grid are dark and light in turn, as in chess; the square of row 0 and
                column 0 is dark.
            rows, columns: texts at the edges of a grid, from row 0 and column 0 (default: as in the names of cells).
                The texts of columns are above the grid, or below it if row 0 is at the bottom and nothing falls.
            options: other properties of the scene, such as `below`; see `ggp.Scene`. A board of points shows its lines,
                and is made of wood unless another material is given.
        """
        chosen = choices(game, state, where, self.name)

        def draw(number: int, x: float, y: float, width: float, height: float, shape: Shape, shade: Shade) -> Cell:
            owner, sign, *piece = pieces.get(marks[number], (None, ""))
            kind, action = cast(PieceKind, (*piece, "")[0]), chosen.at.get(number)
            box, hint = (self.name(number), x, y, width, height), chosen.hint(action)
            cell = Cell(*box, shape, sign, owner=owner, action=action, hint=hint, shade=shade, piece=kind)
            return look(number, cell)

        cells, bottom = self._layout(draw, options)
        cells += button_cells(chosen, bottom)
        options["colours"] = options.get("colours") or named_colours(game)
        caption = standing(game, state, options.get("scores", ()))
        return Scene(tuple(cells), caption, moves=chosen.moves, **cast(SceneOptions, options))


class BoardGame(Generic[StateT, ActionT]):
    """The notation and the scene of a game on a board, whose states show what stands in each cell.

    The game declares its board, `grid`, and its `pieces`. This suffices if each state is a tuple of one set of cells
    (`ggp.Bits`) for each of the pieces, in the order of `pieces`, and of the player to move. For other states, the game
    defines `marks` and `parse_state`. Actions are cells or pairs of cells, or else `where` returns their places. A game
    that writes or draws something in another way overrides the method that does this. `to_move` is called in terminal
    states, too.
    """

    __slots__ = ()

    grid: NumberedBoard
    """The board."""
    pieces: ClassVar[Mapping[str, Standing]]
    """For each mark of a cell that is not empty: the owner, the character in terminals, and the piece in pictures."""
    movers: ClassVar[str] = ""
    """The characters of MAX and MIN in positions (default: the first mark of each in `pieces`, or X and O)."""
    move_form: ClassVar[tuple[str, str]] = f"{CELL}([-x]{CELL})?", ""
    """A regular expression for all actions, and examples, for messages (default: a legal action)."""

    @property
    def _game(self) -> Game[StateT, ActionT]:
        """This object, typed as a game: the subclass supplies the rules."""
        return cast("Game[StateT, ActionT]", self)

    def _needs(self, right: str) -> TypeError:
        """Return the error for a class that lacks something that the game needs; `right` says what."""
        return TypeError(f"{type(self).__name__} needs {right}")

    def _signs(self) -> str:
        """Return the marks of the pieces."""
        for mark, piece in self.pieces.items():
            suits = isinstance(piece, tuple) and 2 <= len(piece) <= 3 and {*piece[2:]} <= KINDS
            if not suits or len(mark) != 1 or mark in "./ ":
                right = "`pieces` with an owner, a character for terminals and perhaps a ggp.scene.PieceKind"
                raise self._needs(f"{right} for each mark of one character; got {mark!r}: {piece!r}")
        return "".join(self.pieces)

    def _movers(self) -> str:
        if len(self.movers) not in (0, 2):
            raise self._needs(f"two characters in `movers`, for MAX and MIN; got {self.movers!r}")
        owners = {self.pieces[mark][0]: mark for mark in reversed(self._signs())}
        return self.movers or owners.get(MAX, "X") + owners.get(MIN, "O")

    def _sets(self, state: StateT) -> tuple[Bits, ...]:
        """Return the sets of cells that a state begins with, one for each of the pieces."""
        sets = state[: len(self.pieces)] if isinstance(state, tuple) else ()
        if [*map(type, sets)] != [Bits] * len(self.pieces):
            states = f"tuples of a ggp.Bits for each of {' '.join(self.pieces)} and the player to move"
            raise self._needs(f"its own marks and parse_state, since its states are not {states}")
        return sets

    def marks(self, state: StateT) -> list[str]:
        """Return the mark of each cell; "." for an empty one."""
        marks = [EMPTY] * self.grid.size
        for mark, cells in zip(self.pieces, self._sets(state), strict=True):
            for cell in cells:
                marks[cell] = mark
        return marks

    def parse_marks(self, text: str) -> tuple[list[str], Player]:
        """Return the mark of each cell and the player to move: the inverse of the plain `format_state`.

        Raises:
            NotationError: the shape or a mark is wrong, or the player is missing.
        """
        return self.grid.parse_position(text, self._signs() + EMPTY, self._movers())

    def where(self, state: StateT, action: ActionT) -> BoardPlace:
        """Return the place of a legal action: its cell, or all cells of a move from the first to the last; None for an
        action that is not on the board.
        """
        return cast(BoardPlace, action)

    def format_state(self, state: StateT) -> str:
        mover = self._game.to_move(state)
        if mover == CHANCE:
            raise self._needs("its own format_state and parse_state, since chance moves in it")
        return self.grid.format_position(self.marks(state), self._movers()[mover])

    def parse_state(self, text: str) -> StateT:
        marks, mover = self.parse_marks(text)
        parts = (*(marked(marks, sign) for sign in self.pieces), mover)
        start: Any = self._game.initial_state()
        if len(self._sets(start)) + 1 != len(start):
            raise self._needs("its own parse_state, since its states are not just sets of cells and the player to move")
        return cast(StateT, parts) if type(start) is tuple else type(start)(*parts)

    def format_action(self, state: StateT, action: ActionT) -> str:
        place = self.where(state, action)
        if isinstance(place, tuple):
            return self.grid.format_move(place[0], place[-1], captures=self.marks(state)[place[-1]] != EMPTY)
        if place is None:
            return str(action)
        if not isinstance(place, int):
            raise self._needs(
                f"a method `where`, since its action {short(repr(place), LONGEST)} is neither a cell nor cells"
            )
        return self.grid.name(place)

    def parse_action(self, state: StateT, text: str) -> ActionT:
        return read_action(self._game, state, text, *self.move_form)

    def scene(self, state: StateT) -> Scene:
        return self.board_scene(state)

    def board_scene(
        self,
        state: StateT,
        look: Callable[[int, Cell], Cell] = lambda number, cell: cell,
        **options: Unpack[BoardOptions],
    ) -> Scene:
        """Return the scene with these properties, for the game's own `scene`; see `NumberedBoard.scene`."""

        def where(action: ActionT) -> BoardPlace:
            return self.where(state, action)

        return self.grid.scene(self._game, state, self.marks(state), self.pieces, where, look, **options)


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
        """Return, in words, the effect of choosing an action; an empty text for None."""
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
    """Yield the names of rows and columns of points, as coordinates to the left of the board and below it.

    Arguments:
        rows: the vertical position of the middle of each row, by the name of the row.
        columns: the horizontal position of the middle of each column, by the name of the column.
        right: where the names of the rows end.
        top: where the names of the columns begin.
    """
    for name, middle in rows.items():
        yield Cell(f"row {name}", right - EDGE, middle - EDGE / 2, EDGE, EDGE, "coordinate", name)
    for name, middle in columns.items():
        yield Cell(f"column {name}", middle - EDGE / 2, top, EDGE, EDGE, "coordinate", name)


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
        example: an action, for error messages; "" means any legal action.

    Raises:
        NotationError: the text is not an action.
        IllegalActionError: the action is not legal in the state; the message lists the legal actions.
    """
    wanted, write = text.strip().lower(), notation(game)
    legal = {write.format_action(state, action): action for action in legal_actions(game, state)}
    if not re.fullmatch(pattern, wanted, re.ASCII):
        right = f"a move is written like {example or next(iter(legal))}" if example or legal else "the game is over"
        raise NotationError(f"{shown(text)} is not a move: {right}")
    if wanted not in legal:
        right = f"{mover_name(game, state)} can play {listed(legal)}" if legal else "the game is over"
        raise IllegalActionError(f"{wanted} cannot be played in {write.format_state(state)}: {right}")
    return legal[wanted]


def listed(names: Collection[str]) -> str:
    """Return the names of actions for a message; if there are many, only the names of the first actions: "a1, b1, c1
    and 9 more".
    """
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join([*names][:LISTED]) + more


def marked(marks: Sequence[str], sign: str) -> Bits:
    """Return the cells with this mark, such as "X", as a set whose width is the number of marks."""
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
    """Raise NotationError if `holds` is false: the position that was read from `text` does not meet a condition.

    Arguments:
        reason: why a position that does not meet the condition cannot occur in a game.
    """
    if not holds:
        raise NotationError(f"{shown(text)} cannot occur: {reason}")


def shown(text: str) -> str:
    """Return a wrong text as messages show it: in quotes, and shortened."""
    return repr(short(text.strip(), LONGEST))
