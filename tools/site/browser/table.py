"""The Python part of the page's worker: it lists games and players, begins a game, and handles clicks and plugins."""

import functools
import json
import os
import pathlib
import random

import anywidget

import ggp
from ggp import capabilities
from ggp.notebook.board_players import play
from ggp.notebook.board_widget import BoardWidget
from ggp.options import split_options
from ggp.play import levels

os.environ |= {"GGP_LEVELS": "levels.jsonl", "GGP_LEARNED": "learned"}  # there is no user's directory to look in
registry = ggp.load_registry()
board: BoardWidget | None = None


def listen(post: object) -> None:
    """Send the traits that the board synchronizes to `post`, as JSON."""
    random.seed()  # the memory that the page starts from is the same for every visitor
    anywidget.send = lambda values: post(json.dumps(values))


def catalogue() -> str:
    """Return the games with their parameters and players, as JSON."""
    return json.dumps([_described(name) for name in registry.games])


@functools.cache
def _described(name: str) -> dict[str, object]:
    game = registry.game(name)
    return {
        "name": name,
        "title": capabilities.title(game),
        "summary": registry.games[name].summary,
        "parameters": " ".join(f"{key}={_typed(value)}" for key, value in capabilities.parameters(game).items()),
        "sides": capabilities.player_names(game),
        "players": ["human", *levels(registry, game), *registry.searchers_for(game)],
    }


def _typed(value: object) -> str:
    """Return a value in the form in which people type it."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


def begin(name: str, parameters: str, first: str, second: str) -> None:
    """Begin a game. Raises `GGPError` with a sentence."""
    global board
    texts = {key: value for each in parameters.split() for key, value in split_options(each).items()}
    board = play(registry.parse_game(name, texts), registry=registry, first=first, second=second)
    anywidget.send({each: getattr(board, each) for each in ("board", "status", "enabled", "moves", "state", "over")})


def ask(request: str) -> None:
    """Do what the click on the page asks for; see `BoardWidget.asked`."""
    if board is not None:
        board.asked = json.loads(request)


def add(source: str) -> str:
    """Load a plugin from its source; return the names of its games. Raises `GGPError` with a sentence."""
    global registry
    names = set(registry.games)
    _described.cache_clear()
    file = pathlib.Path("/home/pyodide/plugin.py")
    file.write_text(source)
    registry = ggp.load_registry()
    registry.load_file(file)
    return json.dumps([name for name in registry.games if name not in names] or list(registry.games))
