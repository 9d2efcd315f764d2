"""Find the files of learned weights. This module imports nothing that only a search needs."""

import hashlib
import importlib.resources
import json
import pathlib
import re

from ggp.capabilities import changed_parameters, parameters
from ggp.files import user_path
from ggp.game import AnyGame

SUFFIX = ".ggpw"
VARIABLE = "GGP_LEARNED"
"""The environment variable that names the default directory."""
SHIPPED = "learned"
"""The directory of weights in the package of a game."""


def learned_path(game: AnyGame) -> pathlib.Path | None:
    """Return the file of weights for a game with its parameters.

    The file is the user's own, or else the one in the game's package; None if neither exists.
    """
    own = default_path(game)
    return own if own.is_file() else shipped_path(game)


def default_path(game: AnyGame) -> pathlib.Path:
    """Return the path of the file for a game with its parameters, in the user's own directory."""
    text = json.dumps(plain_parameters(game), sort_keys=True)
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", game.name)[-60:]
    digest = hashlib.sha256(f"{game.name} {text}".encode()).hexdigest()[:8]
    return user_path("learned", VARIABLE) / f"{name}-{digest}{SUFFIX}"


def shipped_path(game: AnyGame) -> pathlib.Path | None:
    """Return the file of weights in the package of a game; None if the package has none."""
    package = type(game).__module__.partition(".")[0]
    try:
        path = importlib.resources.files(package).joinpath(SHIPPED, default_path(game).name)
    except (ImportError, TypeError, ValueError, AttributeError):  # no package, or none with files
        return None
    return path if isinstance(path, pathlib.Path) and path.is_file() else None


def plain_parameters(game: AnyGame) -> dict[str, object]:
    """Return the parameters of a game as a value of JSON."""
    values: dict[str, object] = json.loads(json.dumps(parameters(game), default=str))
    return values


def learn_command(game: AnyGame, path: pathlib.Path | None = None) -> str:
    """Return the command that learns a game, as it is typed.

    Arguments:
        path: the file of weights; None: the file in which `learned` looks for weights.
    """
    options = "".join(f" --option {name}={value}" for name, value in changed_parameters(game).items())
    named = "" if path in (None, default_path(game), shipped_path(game)) else f" --to {path}"
    return f"ggp learn {game.name}{options}{named}"
