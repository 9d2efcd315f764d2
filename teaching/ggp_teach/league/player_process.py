"""A player's file in its limited process: it is found and imported, and then asked for moves."""

import inspect
import os
import random
import re
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

from ggp import capabilities
from ggp.game import AnyGame, State
from ggp.plugins import load_registry
from ggp.searcher import Limits
from ggp_teach.limited import preload

NAMES = re.compile(
    r"^(choose|play|move|get_?move|best_?move|next_?move|choose_?(move|action)|get_?action|player|agent)$|_player$"
)
"""Names of functions that choose a move."""
METHODS = ("choose", "play", "get_move", "choose_move", "get_action", "choose_action", "best_move", "move", "__call__")
ROLES = {
    "game": "game g rules problem",
    "state": "state s board position pos gamestate game_state node",
    "seconds": "seconds time time_limit timelimit limit timeout",
    "player": "player me turn mover side",
    "seed": "seed",
}
ROLE = {name: role for role, names in ROLES.items() for name in names.split()}


class NoPlayer(Exception):
    """Raised if the file has no player."""


def serve(setup: dict[str, object]) -> "Chooser":
    """Return the object that answers questions for moves."""
    return Chooser(setup)


class Chooser:
    """Chooses moves by calling the program in a file."""

    def __init__(self, setup: dict[str, Any]) -> None:
        registry = load_registry()
        for file in setup["plugins"]:
            registry.load_file(file)
        self._game = registry.parse_game(setup["game"], setup["parameters"])
        self._path, self._seed = setup["path"], setup["seed"]
        with open(self._path, "rb") as file:
            self._source = file.read()
        preload(self._source.decode(errors="replace"))
        self._choose: Callable[..., object] | None = None
        capabilities.legal_actions(self._game, self._game.initial_state())  # what the game imports, it imports now
        self.greeting: str | None = None

    def load(self) -> None:
        """Seed the random numbers; the file is imported at the first question, within the time for a move."""
        random.seed(self._seed)

    def __call__(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the index of the chosen action among the legal ones, or a description of the problem."""
        state = capabilities.notation(self._game).parse_state(question["state"])
        legal = capabilities.legal_actions(self._game, state)
        try:
            if self._choose is None:
                self._choose = find_player(_module(self._path, self._source), self._game, self._seed)
            given = {
                "game": self._game,
                "state": state,
                "seconds": question["seconds"],
                "player": self._game.to_move(state),
                "seed": self._seed,
            }
            chosen = self._choose(given)
        except MemoryError:
            raise
        except NoPlayer as error:
            return {"problem": str(error)}
        except RecursionError:
            return {"problem": "it calls itself without end (RecursionError)"}
        except Exception as error:
            return {"problem": _told(error, self._path)}
        index = _place(self._game, state, legal, chosen)
        if index is None:
            return {"problem": f"it plays {chosen!r:.80}, which is not legal in {question['state']}"}
        return {"place": index}


def _place(game: AnyGame, state: State, legal: tuple[object, ...], chosen: object) -> int | None:
    """Return the index of the chosen action, which may be given in the game's notation; None if it is not legal."""
    try:
        if chosen in legal:
            return legal.index(chosen)
        if isinstance(chosen, str):
            texts = [capabilities.notation(game).format_action(state, action) for action in legal]
            return texts.index(chosen) if chosen in texts else None
    except Exception:
        return None
    return None


def _module(path: str, source: bytes) -> object:
    """Return the module of a file.

    A package imports its own modules; a single file cannot import the modules beside it.
    """
    module = types.ModuleType("league_player")
    module.__file__ = path
    if os.path.basename(path) == "__init__.py":
        module.__path__ = [os.path.dirname(path)]
        sys.path.insert(0, os.path.dirname(path))
    sys.modules["league_player"] = module
    exec(compile(source, path, "exec"), vars(module))  # noqa: S102 - this is what the process is for
    return module


def find_player(module: Any, game: AnyGame, seed: int) -> Callable[[dict[str, Any]], Any]:
    """Return a function that chooses a move; its argument has the values for the program's parameters by their roles.

    Raises:
        NoPlayer: the module has no such function.
    """
    own = [each for each in vars(module).values() if capabilities.module_name(each) == module.__name__]
    for each in own:
        if inspect.isfunction(each) and NAMES.search(each.__name__):
            return _call(each)
    for each in filter(inspect.isclass, own):
        if hasattr(each, "search") and hasattr(each, "name"):
            searcher: Any = each()
            return lambda given: searcher.search(game, given["state"], Limits(seconds=0.8 * given["seconds"])).action
        method = next((name for name in METHODS if name in vars(each)), None)
        if method is not None:
            arguments = _arguments(each.__init__) if "__init__" in vars(each) else {}
            made = each(**{name: {"game": game, "seed": seed}.get(role) for name, role in arguments.items()})
            return _call(getattr(made, method))
    raise NoPlayer("it has no player: write a function choose(game, state) that returns a legal action")


def _call(function: Callable[..., object]) -> Callable[[dict[str, Any]], Any]:
    arguments = _arguments(function)
    return lambda given: function(**{name: given[role] for name, role in arguments.items()})


def _arguments(function: Callable[..., object]) -> dict[str, str]:
    """Return the role of each parameter, by the parameter's name.

    Raises:
        NoPlayer: a parameter without default has an unknown name.
    """
    texts: dict[str, str] = {}
    for each in inspect.signature(function).parameters.values():
        if each.name == "self" or each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        role = ROLE.get(each.name.lower())
        if role is not None:
            texts[each.name] = role
        elif each.default is each.empty:
            raise NoPlayer(f"its parameter {each.name!r} is not known: a player has the parameters game and state")
    return texts


def _told(error: Exception, path: str) -> str:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    where = f" (line {lines[-1]})" if lines else ""
    return f"it raises {type(error).__name__}: {error}{where}"
