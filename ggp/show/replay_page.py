"""A page that replays games without a server: a board, with buttons to go through each game."""

import functools
import importlib.resources
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

import attrs

from ggp import capabilities
from ggp.game import CHANCE, Action, AnyGame, State
from ggp.show.album import Album
from ggp.show.board_svg import colour_classes


@attrs.frozen
class PlayedGame:
    """A game to play through."""

    number: int
    """The number of the game on the page, as in `#game-3`."""
    title: str
    start: State
    actions: Sequence[Action]


def games_data(game: AnyGame, played: Sequence[PlayedGame]) -> tuple[str, object]:
    """Return the games as the data of `script` in a `document`. Boards that games share are stored once."""
    album = Album(game)
    games = [_data(game, each, album) for each in played]
    return "games", {"pieces": [*album.pieces], "boards": [*album.boards], "games": games}


def _data(game: AnyGame, played: PlayedGame, album: Album) -> dict[str, object]:
    text, names = capabilities.notation(game), (*capabilities.player_names(game), "chance")
    state, scene = played.start, capabilities.scene(game, played.start)
    boards, moves, told, sides = [album.add(state)], [], [], []
    for action in played.actions:
        mover, move = game.to_move(state), text.format_action(state, action)
        explanation = capabilities.explain(game, state, action)
        after = game.result(state, action)
        boards.append(album.add(after, state))
        moves.append(move)
        told.append(f"{names[mover]}: {move}{f' {explanation}' if explanation else ''}")
        sides.append(2 if mover == CHANCE else mover)
        state = after
    material = f"on-{scene.material} " if scene.material else ""
    return {
        "number": played.number,
        "title": played.title,
        "look": material + colour_classes(scene),
        "boards": boards,
        "moves": moves,
        "told": told,
        "sides": sides,
    }


def viewer() -> Element:
    """Return the board with its buttons, hidden until a game is chosen."""
    root = Element("section", {"id": "replay", "hidden": "hidden", "aria-labelledby": "title"})
    SubElement(root, "h2", {"id": "title", "tabindex": "-1"})
    SubElement(root, "div", {"id": "board"})
    SubElement(root, "p", {"id": "caption"})
    SubElement(root, "p", {"id": "told", "aria-live": "polite"})
    bar = SubElement(root, "p", {"class": "buttons"})
    for name, label in (("first", "Start"), ("back", "Back"), ("play", "Play"), ("next", "Next"), ("last", "End")):
        SubElement(bar, "button", {"type": "button", "id": name}).text = label
    slider = {"type": "range", "id": "at", "min": "0", "value": "0", "aria-label": "Move"}
    SubElement(bar, "input", slider)
    SubElement(root, "ol", {"id": "moves"})
    return root


@functools.cache
def script() -> str:
    """Return the script that shows the games move by move."""
    return importlib.resources.files("ggp.show").joinpath("static/replay.js").read_text(encoding="utf-8")


STYLE = """
#replay{border:1px solid var(--line);border-radius:12px;padding:.5rem 1rem;margin:1rem 0}
#replay #board svg{max-height:60vh;min-width:0;margin:0 auto}
#replay #caption{text-align:center;color:var(--muted);margin:.2rem}
#replay #told{font-weight:600;margin:.2rem 0;min-height:1.5em}
#replay .buttons{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}#replay #at{flex:1;min-width:10rem}
#replay button{font:inherit;min-height:2.5rem;padding:.2rem .8rem;border:1px solid var(--line);border-radius:8px;
background:var(--ground);color:var(--ink);cursor:pointer}
#replay #moves{display:flex;flex-wrap:wrap;gap:.25rem;list-style:none;padding:0;max-height:10rem;overflow:auto}
#replay #moves button{min-width:2.5rem;padding:.1rem .4rem}#replay #moves [aria-current]{outline:3px solid var(--one)}
"""
"""The style of the viewer, for a page that has the properties `--line`, `--ground`, `--ink`, `--muted` and `--one`."""
