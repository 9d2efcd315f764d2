"""Morris for people: notation, drawing and scene."""

from typing import Any

import ggp
from ggp.grid import LETTERS, read_action, shown, standing
from ggp_morris.boards import Board, Move, Position

Morris = Any
"""The game with its parameters. (The game's module imports this one, so the class cannot be imported here.)"""

MARKS = ".WB"
STONES = ("", "○", "●")


def point_name(board: Board, point: int) -> str:
    """Return the name of a point as in chess: a1 is at the lower left."""
    x, y = board.places[point]
    return f"{LETTERS[x]}{board.size - y}"


def _marks(game: Morris, state: Position) -> str:
    return "".join(
        MARKS[(state.first >> point & 1) + 2 * (state.second >> point & 1)] for point in range(game.board.points)
    )


def _rows(game: Morris) -> list[int]:
    """Return the number of points in each row, from the top."""
    return [sum(y == row for _, y in game.board.places) for row in range(game.board.size)]


def format_state(game: Morris, state: Position) -> str:
    """Return the rows from the top, the player to move, and the men in both hands: "W.B/.W./..B W 1 1"."""
    marks, rows = _marks(game, state), []
    for length in _rows(game):
        rows.append(marks[:length])
        marks = marks[length:]
    return f"{'/'.join(rows)} {MARKS[state.mover + 1]} {state.first_hand} {state.second_hand}"


def parse_state(game: Morris, text: str) -> Position:
    """Return the position that the text describes."""
    example = format_state(game, game.initial_state())
    words = text.split()
    rows = words[0].upper().split("/") if words else []
    if len(words) != 4 or list(map(len, rows)) != _rows(game) or set("".join(rows)) - set(MARKS):
        raise ggp.NotationError(f"{shown(text)} is not a position of {game.men} men's morris: write one like {example}")
    if words[1].upper() not in ("W", "B"):
        raise ggp.NotationError(f"{shown(text)} does not say who is to move: W or B, after the board")
    hands = [int(word) if word.isascii() and word.isdigit() and len(word) < 3 else game.men + 1 for word in words[2:]]
    first, second = (sum(1 << point for point, mark in enumerate("".join(rows)) if mark == side) for side in MARKS[1:])
    if hands[0] + first.bit_count() > game.men or hands[1] + second.bit_count() > game.men:
        raise ggp.NotationError(f"{shown(text)} has too many men: a player has {game.men} on the board and in the hand")
    mover = MARKS.index(words[1].upper()) - 1
    if hands != [0, 0] and hands[0] != hands[1] - mover:
        raise ggp.NotationError(f"{shown(text)} cannot occur: men are placed in turn, White first")
    return Position(first, second, hands[0], hands[1], mover)


def format_action(game: Morris, action: Move) -> str:
    """Return the point of a man that is placed or both points of a move, then the man that it takes: "a1-d1xg4"."""
    start = "" if action.start < 0 else f"{point_name(game.board, action.start)}-"
    taken = "" if action.taken < 0 else f"x{point_name(game.board, action.taken)}"
    return f"{start}{point_name(game.board, action.end)}{taken}"


def parse_action(game: Morris, state: Position, text: str) -> Move:
    """Return the move that `text` describes."""
    pattern = r"([a-g][1-7]-)?[a-g][1-7](x[a-g][1-7])?"
    move: Move = read_action(game, state, text, pattern, "a1, a1-b1 or a1xb2")
    return move


def draw(game: Morris, state: Position) -> str:
    """Return the board in lines of text, with the names of rows and columns."""
    board, marks = game.board, _marks(game, state)
    size = board.size
    lines = [[" "] * (4 * size - 3) for _ in range(2 * size - 1)]
    for point, (x, y) in enumerate(board.places):
        for other, (across, down) in enumerate(board.places):
            if board.joined[point] >> other & 1:
                _join(lines, (4 * x, 2 * y), (4 * across, 2 * down))
    for point, (x, y) in enumerate(board.places):
        lines[2 * y][4 * x] = marks[point]
    numbers = [str(size - row // 2) if row % 2 == 0 else " " for row in range(len(lines))]
    rows = [f"{number} {''.join(line).rstrip()}" for number, line in zip(numbers, lines, strict=True)]
    hands = f"in hand: White {state.first_hand}, Black {state.second_hand}"
    return "\n".join(
        [*rows, "  " + "   ".join(LETTERS[:size]), *([hands] if state.first_hand + state.second_hand else [])]
    )


def _join(lines: list[list[str]], start: tuple[int, int], end: tuple[int, int]) -> None:
    across, down = end[0] - start[0], end[1] - start[1]
    if not down:
        for x in range(min(start[0], end[0]) + 1, max(start[0], end[0])):
            lines[start[1]][x] = "-"
    elif not across:
        for y in range(min(start[1], end[1]) + 1, max(start[1], end[1])):
            lines[y][start[0]] = "|"
    else:
        lines[(start[1] + end[1]) // 2][(start[0] + end[0]) // 2] = "\\" if across * down > 0 else "/"


def scene(game: Morris, state: Position) -> ggp.Scene:
    """Return the points and lines. Moves lead from point to point; each move that takes a man is a button."""
    board, marks = game.board, _marks(game, state)
    over = game.terminal_test(state)
    legal = [] if over else list(game.actions(state))
    placing = {action.end: action for action in legal if action.start < 0 and action.taken < 0}
    cells = []
    for point, (x, y) in enumerate(board.places):
        side = MARKS.index(marks[point])
        action = placing.get(point)
        cells.append(
            ggp.Cell(
                point_name(board, point),
                1.5 * x,
                1.5 * y,
                shape="round",
                text=STONES[side],
                owner=side - 1 if side else None,
                action=action,
                hint=f"place a man on {point_name(board, point)}" if action else "",
            )
        )
    width = 1.5 * board.size - 0.5
    for side, (player, hand) in enumerate(zip(game.player_names, (state.first_hand, state.second_hand), strict=True)):
        text = f"{hand} {STONES[side + 1]}" if hand else ""
        x, y = width / 2 * side, 1.5 * board.size - 0.25
        cells.append(ggp.Cell(f"{player}'s hand", x, y, width / 2, 0.75, "plain", text, owner=side))
    for number, action in enumerate(action for action in legal if action.taken >= 0):
        text = format_action(game, action)
        x, y = number % 4 * 2.0, 1.5 * board.size + 0.75 + number // 4 * 0.75
        cells.append(ggp.Cell(f"move {text}", x, y, 1.75, 0.5, "button", text, action=action, hint=f"play {text}"))
    lines = tuple(
        ggp.Line(point_name(board, point), point_name(board, other))
        for point in range(board.points)
        for other in range(point + 1, board.points)
        if board.joined[point] >> other & 1
    )
    moves = tuple(
        ggp.scene.Move(
            point_name(board, action.start),
            point_name(board, action.end),
            action,
            f"move {format_action(game, action)}",
        )
        for action in legal
        if action.start >= 0 and action.taken < 0
    )
    return ggp.Scene(tuple(cells), standing(game, state), lines, moves=moves)
