"""Hooks: what a plugin may offer to the registry, and the entry points under which distributions name plugins."""

import functools
import importlib.metadata
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import pluggy

from ggp.game import AnyGame, Evaluation

GROUP = "ggp"
GAMES = "ggp.games"
"""The entry points of games that need no hook: the name of a game, and its class."""
hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


def entry_points(group: str) -> importlib.metadata.EntryPoints:
    """Return the entry points of a group, of all installed distributions."""
    changed = [(folder, os.stat(folder).st_mtime_ns) for folder in sys.path if os.path.exists(folder)]
    return _groups(tuple(changed))(group=group)


@functools.lru_cache(1)
def _groups(changed: tuple[tuple[str, int], ...]) -> Callable[..., importlib.metadata.EntryPoints]:
    """Return a function that finds the entry points of a group. The files of the distributions are read again only when
    a folder of `sys.path` changes.
    """
    return importlib.metadata.entry_points().select


class Hooks:
    """Hooks that a plugin may implement."""

    @hookspec
    def ggp_games(self) -> Iterable[type]:
        """Return the games that the plugin offers: classes with a `name`, whose arguments are the game's parameters."""
        return ()

    @hookspec
    def ggp_searchers(self) -> Iterable[type]:
        """Return the searchers that the plugin offers: classes with a `name`; the arguments are the searcher's
        options.
        """
        return ()

    @hookspec
    def ggp_players(self) -> Iterable[type]:
        """Return kinds of players that are not searchers, such as engines: classes with a `name`, see
        `ggp.play.players.PlayerKind`.
        """
        return ()

    @hookspec
    def ggp_game_named(self, name: str) -> type | None:
        """Return the class of the game that a name such as `gdl:FILE` describes; None if such names are not of this
        plugin.

        This hook is called for names that no plugin lists. A later process finds the game again by the `name` of the
        class. Raise a `GGPError` if the name is of this kind, but describes no game that can be played.
        """

    @hookspec
    def ggp_game_names(self, kind: str) -> Iterable[str]:
        """Return the names of all games of a kind (`openspiel` in `openspiel:chess`), as `ggp_game_named` accepts them.

        Leave out names that open files. Return nothing if the kind does not belong to this plugin.
        """
        return ()

    @hookspec(firstresult=True)
    def ggp_evaluation(self, game: AnyGame, name: str) -> Evaluation | None:
        """Return the evaluation of a game with this name, such as a learned one; None if the name is not of this
        plugin.

        This hook is called for names of evaluations that the game itself does not have. Raise a `GGPError` if the name
        is of this plugin, but there is no such evaluation of this game.
        """

    @hookspec(firstresult=True)
    def ggp_best_evaluation(self, game: AnyGame) -> str | None:
        """Return the name of an evaluation that is better than the game's own; None if there is none.

        `ggp_evaluation` accepts this name.
        """

    @hookspec
    def ggp_pages(self) -> Iterable["ServedPage"]:
        """Return further pages of `ggp serve`, such as exercises, see `ServedPage`."""
        return ()

    @hookspec
    def ggp_adapters(self) -> Iterable["Adapter"]:
        """Return functions that recognize games written for other frameworks, see `Adapter`."""
        return ()


class ServedPage(Protocol):
    """A page of `ggp serve` that a plugin offers, at `/learn/NAME`. The page loads nothing from elsewhere."""

    name: str
    title: str
    summary: str
    """A sentence for the front page."""
    scripts: tuple[str, ...]
    """The scripts that are part of the page; the browser runs no other script."""

    def html(self, registry: object, query: Mapping[str, Sequence[str]]) -> str:
        """Return the page for the values of a form.

        Raises:
            GGPError: a value is wrong; the visitor reads the message.
        """


@runtime_checkable
class LinkedPage(Protocol):
    """A `ServedPage` about one game. A page to which the pages of each game link; the link has the game's name as
    `game`, and the parameters.
    """

    game_link: str
    """The words of the link."""


Adapter = Callable[[object], type | None]
"""A function that makes the class of a game from a class, or a module, that was written for another framework.

It returns None if it does not recognize the class or module. It raises `PluginError` if it recognizes the framework,
but the game cannot be served.
"""


def refusal(error: Exception) -> str:
    """Return the message for an error of pluggy, in ggp's own words."""
    right = f"the hooks are {', '.join(name for name in vars(Hooks) if name.startswith('ggp_'))}"
    if isinstance(error, pluggy.PluginValidationError) and str(error).startswith("unknown hook"):
        return f"it misspells a hook ({str(error).split(' in plugin')[0]}): {right}"
    return " ".join(str(error).split()) + f"; {right}"
