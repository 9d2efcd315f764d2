"""Pig as a scene: the points of both, those at stake between them, and below what can be done or rolled."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ggp import MAX, MIN, Cell, Scene
from ggp_toys import pig_notation as notation

if TYPE_CHECKING:
    from ggp_toys.pig import Pig, State

WIDTH = 8.5
HEIGHT = 1.5
BUTTON = 2.25
"""The width of a button, and of the room at its sides."""
ROW = 10
"""Faces of the die side by side."""
FACE = 1
HINTS = ("roll the die", "hold, and keep the points at stake")


def scene(game: "Pig", state: "State") -> Scene:
    """The points as dots and numbers; where chance is to move, the faces of the die."""
    first, second, stake, _, rolling = state
    points = (
        _points(game, MAX, 0, first),
        Cell("at stake", 3.25, 0, 2, HEIGHT, count=stake, label="at stake"),
        _points(game, MIN, 5.5, second),
    )
    below = () if game.terminal_test(state) else _faces(game) if rolling else _buttons(game, state)
    return Scene(
        (*points, *below), f"{notation.standing(game, state)} ({game.goal} points win)", things=("point", "points")
    )


def _points(game: "Pig", player: int, x: float, points: int) -> Cell:
    name, won = game.player_names[player], points >= game.goal
    return Cell(f"{name}'s points", x, 0, 3, HEIGHT, count=points, label=name, owner=player, highlighted=won)


def _buttons(game: "Pig", state: "State") -> Iterator[Cell]:
    actions = tuple(game.actions(state))
    left = (WIDTH - len(actions) * BUTTON) / 2
    for place, action in enumerate(actions):
        word = notation.format_action(state, action)
        yield Cell(
            word,
            left + BUTTON * place + 0.25,
            HEIGHT + 0.5,
            BUTTON - 0.5,
            0.75,
            "button",
            word,
            action=action,
            hint=HINTS[action],
        )


def _faces(game: "Pig") -> Iterator[Cell]:
    left = (WIDTH - min(game.sides, ROW) * FACE) / 2
    for face in range(1, game.sides + 1):
        x, y = left + (face - 1) % ROW * FACE, HEIGHT + 0.5 + (face - 1) // ROW * FACE
        yield Cell(str(face), x, y, FACE, FACE, text=str(face), action=face, hint=f"the die shows {face}")
