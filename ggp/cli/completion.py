"""Completion in the shell: games and their parameters, searchers and their options, players."""

from collections.abc import Iterable

import click

from ggp.options import Option, options_of
from ggp.plugins import Registry, load_registry
from ggp.searcher import Limits


def games(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Return the games whose names begin with the text typed so far."""
    return _matching(registry(context).games, begun)


def parameters(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Return `name=` for each parameter of the game that was typed earlier in the line."""
    games = registry(context).games
    typed = [str(context.params.get("name")), *context.args]  # an option without its value leaves the words unread
    entries = (games[name] for name in typed if name in games)
    return [each for entry in entries for each in _assignments("", entry.options, begun)]


def searchers(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Return the names of searchers; after a colon, the names of the searcher's options and of the limits."""
    entries = registry(context).searchers
    name, colon, rest = begun.partition(":")
    if not colon:
        return _matching(entries, begun)
    if name not in entries:
        return []
    before = begun[: len(begun) - len(rest.rpartition(",")[2])]
    return _assignments(before, (*entries[name].options, *options_of(Limits)), begun)


def players(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Return "human", the usual levels, and the searchers."""
    return _matching(["human", "easy", "medium", "hard"], begun) + searchers(context, parameter, begun)


def _matching(names: Iterable[str], begun: str) -> list[str]:
    return [name for name in names if name.startswith(begun)]


def _assignments(before: str, options: Iterable[Option], begun: str) -> list[str]:
    return _matching((f"{before}{option.name}=" for option in options), begun)


def registry(context: click.Context) -> Registry:
    """Return the registry of all plugins, including the files of `--plugin`; plugins that fail to load are skipped
    silently.
    """
    registry_of_session = load_registry()
    files: Iterable[str] = context.find_root().params.get("files") or ()
    for file in files:
        try:
            registry_of_session.load_file(file)
        except Exception:  # noqa: S112  a shell that completes is no place for complaints
            continue
    return registry_of_session
