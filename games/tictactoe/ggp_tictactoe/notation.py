"""Text for boards and cells, both ways, and the drawing.

A board is its rows from the top, "/" between them: `X.O/.X./..O`. X moves where both have as many stones. Cells
are numbered row by row from 1 on boards of up to nine cells; on larger ones a cell is row-column: `2-3`.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ggp import MAX, MIN, IllegalActionError, NotationError

if TYPE_CHECKING:
    from ggp_tictactoe.game import TicTacToe
    from ggp_tictactoe.rules import State

SMALL = 9
"""Cells of the largest board whose cells go by number alone."""


def marks(game: "TicTacToe", state: "State") -> list[str]:
    """What each cell shows: X, O or "."."""
    x, o, _ = state
    return ["X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(game.h * game.v)]


def format_board(game: "TicTacToe", state: "State") -> str:
    cells = "".join(marks(game, state))
    return "/".join(cells[start : start + game.v] for start in range(0, len(cells), game.v))


def parse_board(game: "TicTacToe", text: str) -> "State":
    """The state that `text` shows.

    Raises:
        NotationError: the board has another shape, or cannot come up when X moves first.
    """
    cells = text.strip().upper().replace("/", "")
    if len(cells) != game.h * game.v or set(cells) - set("XO.") or not _fits(game, text.strip()):
        example = format_board(game, game.initial_state())
        shape = f"{game.h} rows of {game.v} cells, each X, O or a dot, with / between, like {example}"
        raise NotationError(f"{text!r} is not a board of tictactoe: it is written as {shape}")
    x, o = (sum(1 << cell for cell, mark in enumerate(cells) if mark == stone) for stone in "XO")
    excess = x.bit_count() - o.bit_count()
    if excess not in (0, 1):
        counts = f"X has {x.bit_count()} cells and O has {o.bit_count()}"
        raise NotationError(f"{text!r} cannot come up: {counts}, but X moves first and they take turns")
    mover = MAX if excess == 0 else MIN
    alone = (x, 0, mover) if mover == MAX else (0, o, mover)
    if game.utility(alone, mover) > 0:
        early, late = game.player_names[mover], game.player_names[1 - mover]
        raise NotationError(f"{text!r} cannot come up: {early} has {game.k} in a row, yet {late} moved after that")
    return x, o, mover


def _fits(game: "TicTacToe", text: str) -> bool:
    """Whether the rows, where they are set apart, have the right lengths."""
    return "/" not in text or [len(row) for row in text.split("/")] == [game.v] * game.h


def format_cell(game: "TicTacToe", cell: int) -> str:
    if game.h * game.v <= SMALL:
        return str(cell + 1)
    return f"{cell // game.v + 1}-{cell % game.v + 1}"


def parse_cell(game: "TicTacToe", state: "State", text: str) -> int:
    """The cell that `text` names, as a number or as row-column.

    Raises:
        NotationError: it names no cell of the board.
        IllegalActionError: the cell is taken, or the game is over.
    """
    cell = _cell(game, text.strip())
    board = format_board(game, state)
    if cell is None:
        last = format_cell(game, game.h * game.v - 1)
        raise NotationError(f"{text.strip()!r} is not a cell: the cells are {format_cell(game, 0)} to {last}")
    if game.terminal_test(state):
        raise IllegalActionError(f"{text.strip()!r} cannot be played: the game is over in {board}")
    if cell not in game.actions(state):
        free = ", ".join(format_cell(game, each) for each in game.actions(state))
        raise IllegalActionError(f"cell {text.strip()} is taken in {board}: the empty cells are {free}")
    return cell


def _cell(game: "TicTacToe", text: str) -> int | None:
    named = re.fullmatch(r"(?:([0-9]{1,4})-)?([0-9]{1,4})", text)
    if not named:
        return None
    row, number = named.groups()
    if row is None:
        return int(number) - 1 if 1 <= int(number) <= game.h * game.v else None
    inside = 1 <= int(row) <= game.h and 1 <= int(number) <= game.v
    return (int(row) - 1) * game.v + int(number) - 1 if inside else None


def draw(game: "TicTacToe", state: "State") -> str:
    """The board with its empty cells numbered (on larger boards, its rows and columns), and who is to move."""
    board = _numbered(game, state) if game.h * game.v <= SMALL else _ruled(game, state)
    return "\n".join([*board, standing(game, state)])


def _numbered(game: "TicTacToe", state: "State") -> Iterator[str]:
    shown = [mark if mark != "." else str(cell + 1) for cell, mark in enumerate(marks(game, state))]
    for start in range(0, len(shown), game.v):
        if start:
            yield "+".join(["---"] * game.v)
        yield "|".join(f" {mark} " for mark in shown[start : start + game.v]).rstrip()


def _ruled(game: "TicTacToe", state: "State") -> Iterator[str]:
    cells = marks(game, state)
    yield "   " + "".join(f"{column:3}" for column in range(1, game.v + 1))
    for row in range(game.h):
        yield f"{row + 1:3}" + "".join(f"{mark:>3}" for mark in cells[row * game.v : (row + 1) * game.v])


def standing(game: "TicTacToe", state: "State") -> str:
    """Who is to move, or how the game ended."""
    if not game.terminal_test(state):
        return f"{game.player_names[game.to_move(state)]} to move"
    value = game.utility(state, MAX)
    return f"{game.player_names[MAX if value > 0 else MIN]} has won" if value else "a draw"
