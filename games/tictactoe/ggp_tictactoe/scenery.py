"""The board of tic-tac-toe as a scene: a field for each cell, and on larger boards the numbers of rows and columns."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ggp import MAX, MIN, Cell, Scene
from ggp_tictactoe import notation
from ggp_tictactoe.rules import lines

if TYPE_CHECKING:
    from ggp_tictactoe.game import TicTacToe
    from ggp_tictactoe.rules import State

OWNERS = {"X": MAX, "O": MIN}


def scene(game: "TicTacToe", state: "State") -> Scene:
    """The board, its winning row highlighted."""
    return Scene((*_fields(game, state), *_numbers(game)), notation.standing(game, state))


def _fields(game: "TicTacToe", state: "State") -> Iterator[Cell]:
    over, row = game.terminal_test(state), _winning_row(game, state)
    small = game.h * game.v <= notation.SMALL
    for cell, mark in enumerate(notation.marks(game, state)):
        name, free = notation.format_cell(game, cell), mark == "."
        yield Cell(
            name,
            x=cell % game.v,
            y=cell // game.v,
            text="" if free else mark,
            label=name if small and free else "",
            owner=OWNERS.get(mark),
            action=cell if free and not over else None,
            hint=f"put {game.player_names[state[2]]} in {name}" if free and not over else "",
            highlighted=bool(row >> cell & 1),
        )


def _winning_row(game: "TicTacToe", state: "State") -> int:
    """The cells of all complete lines, as a board of bits."""
    row = 0
    for line in lines(game.h, game.v, game.k):
        if line in (state[0] & line, state[1] & line):
            row |= line
    return row


def _numbers(game: "TicTacToe") -> Iterator[Cell]:
    """Those of rows and columns, where cells do not go by a number of their own."""
    if game.h * game.v > notation.SMALL:
        for row in range(game.h):
            yield Cell(f"row {row + 1}", -0.75, row + 0.25, 0.5, 0.5, "plain", text=str(row + 1))
        for column in range(game.v):
            yield Cell(f"column {column + 1}", column + 0.25, -0.75, 0.5, 0.5, "plain", text=str(column + 1))
