"""`ggp show`: the board of a position, as text and as a picture."""

import attrs
import click

from ggp import capabilities
from ggp.cli.console import echo_json
from ggp.cli.help import Helpful
from ggp.cli.match_view import echo_board
from ggp.cli.output_file import STANDARD_OUTPUT, takes_picture, write_picture
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.scene import Scene
from ggp.show.board_svg import board_svg


@click.command("show", cls=Helpful)
@takes_position
@takes_picture("--svg", "the board")
@as_json
def command(session: Session, position: Position, svg: str | None, as_json: bool) -> None:
    """Print or draw the board of a position.

    With --moves, the changes of the last move are marked. With --json, each cell has its place and size in units of an
    ordinary cell, its content, and the action that a click on it plays.
    """
    scene = capabilities.scene(position.game, position.state, position.way)
    earlier = capabilities.scene(position.game, position.way[-1]) if position.way else scene
    changed = scene.changed_since(earlier)
    if as_json:
        echo_json(position.head() | as_data(position, scene) | {"changed": sorted(changed)})
    elif svg != STANDARD_OUTPUT:
        echo_board(position.game, position.state, scene, changed)
    if svg is not None:
        write_picture(svg, board_svg(scene, changed=scene.last_move(earlier), title=position.game.name))


def as_data(position: Position, scene: Scene) -> dict[str, object]:
    """Return the scene for JSON; actions are in the game's notation."""
    text = capabilities.notation(position.game)
    cells = [attrs.asdict(cell) for cell in scene.cells]
    for cell in cells:
        if cell["action"] is not None:
            cell["action"] = text.format_action(position.state, cell["action"])
    return {"caption": scene.caption, "cells": cells, "lines": [attrs.asdict(line) for line in scene.lines]}
