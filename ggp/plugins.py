"""Plugins, which provide games and searchers.

A plugin is a module (or any object) with one or both of these hooks::

    import ggp

    @ggp.hookimpl
    def ggp_games():
        return [Subtraction]

    @ggp.hookimpl
    def ggp_searchers():
        return [Greedy]

A module without hooks offers the games and searchers that it defines, so a file with one class is a plugin. A package
without hooks offers the games and searchers that it imports from its own modules.

A third hook, `ggp_game_named`, makes games from names that nobody can list, such as the names of files.

An installed distribution names its plugins in the entry point group `ggp`, one line each. A game that needs no hook may
be named in the group `ggp.games` (`kalah = "ggp_kalah:Kalah"`). Then it is imported only when this game, or all games,
are asked for. Without packaging, pass a plugin to `Registry.register`, or its file to `Registry.load_file`.
"""

import contextlib
import functools
import importlib.metadata
import importlib.util
import itertools
import operator
import pathlib
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import pluggy

from ggp.capabilities import function_name, name_of
from ggp.errors import (
    FaultError,
    GGPError,
    GGPWarning,
    OptionError,
    PluginError,
    UnknownNameError,
    UnsupportedGameError,
)
from ggp.escapes import short
from ggp.frozen_games import playable
from ggp.game import AnyGame, Evaluation
from ggp.options import build, options_of, parse_options, paths_in, split_options
from ggp.pie_rule import swapping, taken
from ggp.plugin_entries import (
    Entries,
    Entry,
    error_text,
    is_same_definition,
    make,
    missing,
    misspelt,
    role_of,
    serves,
    undecorated,
)
from ggp.plugin_files import import_file
from ggp.plugin_hooks import GAMES, GROUP, Hooks, ServedPage, entry_points, hookimpl, refusal
from ggp.searcher import Limits, Searcher, preference
from ggp.watchdog import asking

FILE_NAME = re.compile(r"[:/\\.]")
"""Match names that texts from strangers may not use: names of files, and names with the prefix of a plugin."""
OWN = re.compile(r"\(ggp [^()]*\)$")
"""Match the sources of plugins that come with ggp."""
MOST_OFFERED = 10_000
"""Maximum number of games or searchers of a plugin. A hook that yields more is assumed never to end."""

__all__ = ["Registry", "hookimpl", "load_registry"]


class Registry:
    """The available games and searchers, by name.

    Searchers and kinds of players are loaded only when one of them is needed, so that listing games is fast.

    Arguments:
        on_problem: called with each sentence of `problems` as it is found.
    """

    def __init__(self, on_problem: Callable[[str], object] = lambda problem: None) -> None:
        self._on_problem = on_problem
        self._manager = pluggy.PluginManager(GROUP)
        self._manager.add_hookspecs(Hooks)
        self._games = Entries("game")
        self._searchers = Entries("searcher")
        self._players = Entries("kind of player", "kinds of players")
        self._waiting: dict[str, list[tuple[object, str]]] = {"ggp_searchers": [], "ggp_players": []}
        """For each hook, the plugins for which it has not been called yet, with their sources."""
        self._unloaded: dict[str, list[tuple[Callable[[], object], str]]] = {}
        """Games that are not imported yet, by name: the function that imports the class, and its source."""
        self._problems: list[str] = []
        self._left_out: set[str] = set()
        self._trials: set[tuple[str, str]] = set()
        """Searchers that were tried, each with the name of a game."""
        self.offered: dict[str, str] = {}
        """Players that visitors of a page may choose although these players run programs.

        By name, the text of each as on the command line.
        """
        self._named: dict[str, Entry] = {}
        """The games that plugins have made from their names."""
        self.files: list[str] = []
        """The Python files that were loaded as plugins."""

    @property
    def problems(self) -> list[str]:
        """Plugins that cannot be used, one sentence each: the plugin, its source, and the reason."""
        self._load_games()
        for hook in self._waiting:
            self._ask_waiting(hook)
        return self._problems

    def _problem(self, sentence: str) -> None:
        self._problems.append(sentence)
        self._on_problem(sentence)

    @property
    def games(self) -> Mapping[str, Entry]:
        """The usable games by name, sorted."""
        self._load_games()
        return self._games.usable

    @property
    def players(self) -> Mapping[str, Entry]:
        """The kinds of players that are not searchers, by name, sorted."""
        self._ask_waiting("ggp_players")
        return self._players.usable

    @property
    def pages(self) -> Mapping[str, ServedPage]:
        """Further pages of `ggp serve`, by name."""
        return {page.name: page for pages in self._manager.hook.ggp_pages() for page in pages}

    @property
    def searchers(self) -> Mapping[str, Entry]:
        """The usable searchers by name, sorted."""
        return self._loaded_searchers.usable

    @property
    def _loaded_searchers(self) -> Entries:
        self._ask_waiting("ggp_searchers")
        return self._searchers

    def game(self, name: str, /, **parameters: object) -> AnyGame:
        """Return the game with this name and these parameters.

        Raises:
            UnknownNameError: no game has that name; the message lists the names.
            OptionError: a parameter is unknown, of the wrong type, or out of range.
            PluginError: two plugins claim the name, or the plugin itself failed.
        """
        entry = self.game_entry(name)
        swaps = taken(options_of(entry.factory), parameters)
        return swapping(playable(make(entry, parameters)), swaps=swaps)

    def game_entry(self, name: str) -> Entry:
        """Return the entry of the game with this name.

        It may be a listed game, the only game of a Python file, or a game that a plugin makes from a name. Such a name
        may be the name of a file. Raises as `game` does.
        """
        self._load_games(name)
        if name.endswith(".py") and name not in self._games.claims:
            games = self.games_of(name)
            if len(games) != 1:
                has = f"has the games {', '.join(games)}: add --plugin {name}, and name one" if games else "has no game"
                raise UnknownNameError(f"{name} {has}")
            name = games[0]
        if name not in self._games.claims:
            if name not in self._named and (entry := self._entry_named(name)):
                self._named[name] = self._named[entry.name] = entry
            if name in self._named:
                return self._named[name]
            self._load_games()  # whose names the message lists
            if FILE_NAME.search(name) and pathlib.Path(name).is_dir():
                listed = ", ".join(self.games)
                raise UnknownNameError(f"{name} is a directory: the games are {listed}, or a file such as game.py")
        return self._games.find(name)

    def list_game(self, name: str) -> Entry:
        """Add to `games` a game that a plugin makes from its name, and return its entry. The name may be the name of a
        file. Raises as `game` does.
        """
        entry = self.game_entry(name)
        if entry.name not in self._games.claims:
            self._add(entry.factory, entry.source)
        return entry

    def _load_games(self, name: str | None = None) -> None:
        """Import the game of this name, unless it is imported already; by default, import all games."""
        for each in list(self._unloaded) if name is None else [name]:
            for load, source in self._unloaded.pop(each, []):
                factory: object = self._imported(source, load)
                if factory is not None and name_of(factory) != each:
                    self._problem(f"plugin {source} offers no game of the name {short(each)}")
                elif factory is not None:
                    self._add(factory, source)

    def game_names(self, prefix: str) -> tuple[str, ...]:
        """Return the names of all games with a prefix, such as `openspiel` in `openspiel:chess`.

        Return () if no plugin knows the prefix, or if the names with this prefix are names of files.
        """
        return tuple(name for names in self._manager.hook.ggp_game_names(kind=prefix) for name in names)

    def evaluation(self, game: AnyGame, name: str) -> Evaluation | None:
        """Return a plugin's evaluation for a game, such as a learned one, or None if no plugin knows the name.

        Raises:
            GGPError: the name belongs to a plugin, but there is no such evaluation of this game.
        """
        offered: Evaluation | None = self._manager.hook.ggp_evaluation(game=game, name=name)
        return offered

    def best_evaluation(self, game: AnyGame, searcher: str) -> dict[str, str]:
        """Return the searcher's option that selects a plugin's evaluation, or {} if no plugin has a better evaluation
        than the game.
        """
        own = {option.name for option in self._loaded_searchers.find(searcher).options}
        name: str | None = self._manager.hook.ggp_best_evaluation(game=game) if "evaluation" in own else None
        return {} if name is None else {"evaluation": name}

    def _entry_named(self, name: str) -> Entry | None:
        for hook in self._manager.hook.ggp_game_named.get_hookimpls():
            try:
                with asking("its ggp_game_named"):
                    factory: Any = hook.function(name)
            except FaultError as error:
                raise PluginError(f"plugin {hook.plugin_name} cannot make {short(name)}: {error}") from None
            except GGPError:
                raise
            except (Exception, SystemExit) as error:
                raise PluginError(
                    f"plugin {hook.plugin_name} cannot make {short(name)}: {error_text(error)}"
                ) from error
            if factory is not None:
                return Entry(factory.name, factory, hook.plugin_name)
        return None

    def foreign_game(self, name: str, /, **parameters: object) -> AnyGame:
        """Return the game named in an untrusted file. Raises as `game` does, and:

        Raises:
            OptionError: a parameter names a file of this machine; the file is not opened.
        """
        self._load_games(name)
        is_ours = name in self._games.claims or name in self._named or name in self.game_names(name.partition(":")[0])
        if not is_ours and FILE_NAME.search(name):
            _require_none("the game", [short(name)])
        _require_none(name, paths_in(self.game_entry(name).options, parameters))
        return self.game(name, **parameters)

    def require_foreign_player(self, text: str) -> None:
        """Check that a player named in an untrusted file opens no file itself.

        Raises:
            OptionError: the player would open a file, or run a program.
        """
        prefix, _, rest = text.strip().partition(":")
        if prefix in self.players:
            raise OptionError(f"{prefix} would run a program of this machine, {rest}: allow it with --open-files")
        _require_none(prefix, self.paths_of_player(text))

    def paths_of_player(self, text: str) -> list[str]:
        """Return those options of a player or level that name files of this machine, each written as `name=value`."""
        prefix, _, rest = (part.strip() for part in text.partition(":"))
        if prefix in ("human", "replay"):
            return [rest] if prefix == "replay" else []
        try:
            options = split_options(rest)
        except OptionError:
            return []  # neither a searcher nor a level is written like this
        entries = [self.searchers[prefix]] if prefix in self.searchers else self.searchers.values()
        named = dict.fromkeys(paths_in((option for entry in entries for option in entry.options), options))
        evaluation = options.get("evaluation", "")  # "learned:FILE"
        return [*named, *[f"evaluation={evaluation}"] * (":" in evaluation)]

    @property
    def loaded_games(self) -> tuple[Entry, ...]:
        """The usable games that were imported, and the games that plugins have made from their names."""
        # The watchdog calls this in a thread of its own, which must import nothing.
        return (*self._games.usable.values(), *self._named.values())

    def searcher(self, name: str, /, **options: object) -> Searcher:
        """Return the searcher with this name and these options. Raises as `game` does."""
        searcher: Searcher = make(self._loaded_searchers.find(name), options)
        return searcher

    def parse_game(self, name: str, parameters: Mapping[str, str]) -> AnyGame:
        """Return a game from its name and from parameters as typed by a person. Raises as `game` does."""
        entry = self.game_entry(name)
        texts = dict(parameters)
        swaps = taken(options_of(entry.factory), texts)
        return swapping(playable(make(entry, parse_options(entry.factory, entry.name, texts))), swaps=swaps)

    def parse_searcher(self, text: str) -> tuple[Searcher, Limits]:
        """Return the searcher and the limits that a text such as `alphabeta:depth=8,table=64` describes. Raises as
        `game` does.
        """
        name, _, rest = text.partition(":")
        entry = self._loaded_searchers.find(name.strip())
        own = {option.name for option in entry.options}
        texts = split_options(rest)
        limiting = {key: texts.pop(key) for key in list(texts) if key in _LIMITS and key not in own}
        try:
            options = parse_options(entry.factory, entry.name, texts)
        except OptionError as error:
            limits = "" if any(key in own for key in texts) else f"; its limits are {', '.join(_LIMITS)}"
            raise OptionError(f"{error}{limits}") from None
        return make(entry, options), build(Limits, entry.name, parse_options(Limits, entry.name, limiting))

    def searchers_for(self, game: AnyGame) -> tuple[str, ...]:
        """Return the names of the searchers that can search `game`."""
        return tuple(name for name, entry in self.searchers.items() if serves(entry, game))

    def preferred_searcher(self, game: AnyGame) -> str:
        """Return the name of the searcher with the highest `preference` among those that can search `game`. If the
        searcher does not come with ggp, a short search tests it before its name is returned.

        Raises:
            UnsupportedGameError: no searcher can search the game.
        """
        usable = [entry for entry in self.searchers.values() if entry.name not in self._left_out]
        for entry in sorted(usable, key=operator.attrgetter("preference"), reverse=True):
            if serves(entry, game) and (OWN.search(entry.source) or self._works(entry, game)):
                return entry.name
        raise UnsupportedGameError(f"no searcher that is installed can search {game.name}")

    def _works(self, entry: Entry, game: AnyGame) -> bool:
        """Return whether a searcher finds a move in a game's first state; a searcher that fails is left out."""
        from ggp.plugin_faults import at_fault  # most commands need none of it

        trial = entry.name, game.name
        if trial not in self._trials:
            self._trials.add(trial)
            try:
                with asking(f"{entry.name}, from {entry.source}, failed: a search of depth 1"):
                    searcher: Searcher = make(entry, {})
                    _ = searcher.search(game, game.initial_state(), Limits(depth=1)).principal_variation
            except FaultError as error:
                if not str(error).startswith(f"{entry.name}, "):
                    raise
                self._left_out.add(entry.name)
                self._problem(f"{error}; it is left out")
            except (GGPError, KeyboardInterrupt):
                raise
            except BaseException as error:
                failed = at_fault(error, self)
                if failed and failed[0] == entry:
                    self._left_out.add(entry.name)
                    self._problem(f"{failed[1]}; it is left out")
        return entry.name not in self._left_out

    def leave_out(self, name: str) -> None:
        """Exclude the searcher with this name from the choice of the default searcher."""
        self._left_out.add(name)

    def require(self, searcher: Searcher, game: AnyGame) -> None:
        """Check that `searcher` can search `game`.

        Raises:
            UnsupportedGameError: the searcher cannot search the game; the message gives the reason, and names searchers
                that can.
        """
        reason = searcher.unsupported_reason(game)
        if reason:
            able = ", ".join(self.searchers_for(game)) or "no searcher that is installed"
            raise UnsupportedGameError(f"{searcher.name} cannot search {game.name}: {reason}; {able} can")

    def register(self, *plugins: object) -> None:
        """Add plugins without packaging: modules with hooks, or games and searchers themselves.

        Raises:
            PluginError: a plugin offers no game or searcher, misspells a hook, or uses a name that is taken.
        """
        for plugin in plugins:
            label = function_name(plugin)
            with self._raising():
                if isinstance(plugin, type) and role_of(plugin):
                    self._add(plugin, f"{plugin.__module__}.{plugin.__qualname__}")
                else:
                    self._plug(plugin, label)

    def load_file(self, path: str | pathlib.Path) -> None:
        """Add the plugin in a Python file.

        Raises:
            PluginError: the file does not exist, fails to run, or is not a plugin.
        """
        path = pathlib.Path(path)
        if not path.is_file():
            raise PluginError(f"plugin {path}: there is no such file")
        self.files.append(str(path))
        try:
            with self._raising():
                self._attempt(str(path), lambda: import_file(path))
        except PluginError:
            self.files.remove(str(path))
            raise

    def games_of(self, path: str | pathlib.Path) -> list[str]:
        """Return the names of the games of a Python file, which is loaded if it was not loaded yet.

        Raises:
            UnknownNameError: there is no such file.
            PluginError: the file fails to run, or is not a plugin.
        """
        source = str(pathlib.Path(path))
        if source not in self.files:
            if not pathlib.Path(path).is_file():
                raise UnknownNameError(f"there is no file {source}")
            self.load_file(path)
        return [name for name, entry in self.games.items() if entry.source == source]

    @contextlib.contextmanager
    def _raising(self) -> Iterator[None]:
        """Raise problems found in the `with` block, instead of passing them to `on_problem`."""
        before, on_problem = len(self.problems), self._on_problem
        self._on_problem = lambda problem: None
        try:
            yield
            raised = self.problems[before:]
        finally:
            self._on_problem = on_problem
        if raised:
            raise PluginError(raised[-1])

    def load_entry_points(self) -> None:
        """Add the plugins of all installed distributions; plugins that fail are listed in `problems`."""
        distribution = functools.cache(_distribution)  # each look at its name reads a file
        order = operator.attrgetter("name", "value")
        for point in sorted(entry_points(group=GAMES), key=order):
            source = f"{point.module.partition('.')[0].removeprefix('ggp_')} ({distribution(point.dist)})"
            self._unloaded.setdefault(point.name, []).append((point.load, source))
        for point in sorted(entry_points(group=GROUP), key=order):
            self._attempt(f"{point.name} ({distribution(point.dist)})", point.load)

    def _attempt(self, source: str, load: Callable[[], object]) -> None:
        plugin = self._imported(source, load)
        if plugin is not None:
            self._plug(plugin, source)

    def _imported(self, source: str, load: Callable[[], object]) -> object | None:
        """Return a plugin; if it cannot be imported, report a problem and return None."""
        try:
            with contextlib.redirect_stdout(sys.stderr), asking("its import"):  # what it prints is no data
                return load()
        except KeyboardInterrupt:
            raise
        except FaultError as error:
            self._problem(f"plugin {source} cannot be loaded: {error}")
        except BaseException as error:  # a plugin that calls sys.exit on import must not take the rest with it
            self._problem(f"plugin {source} cannot be loaded: {error_text(error)}")
        return None

    def _plug(self, plugin: object, source: str) -> None:
        """Register one plugin with pluggy, and add the games and searchers that its hooks return."""
        try:
            self._manager.register(plugin, name=source)
            self._manager.check_pending()
        except (pluggy.PluginValidationError, ValueError) as error:
            if self._manager.has_plugin(source):
                self._manager.unregister(name=source)
            self._problem(f"plugin {source} cannot be used: {refusal(error)}")
            return
        implementations = self._manager.get_hookcallers(plugin) or []
        if not implementations:
            self._take_defined(plugin, source)
        for hook in sorted(map(operator.attrgetter("name"), implementations)):
            if hook in self._waiting:
                self._waiting[hook].append((plugin, source))
            elif hook == "ggp_games":  # the others are asked when they are needed
                self._take(plugin, hook, source)

    def _take_defined(self, plugin: object, source: str) -> None:
        """Add the games and searchers that a module without hooks defines.

        If it defines none, report what its classes lack. Otherwise warn of classes with misspelt methods.
        """
        home = plugin.__name__ if isinstance(plugin, ModuleType) else ""
        classes = [each for each in vars(plugin).values() if isinstance(each, type)]
        defined = [each for each in classes if each.__module__ == home or each.__module__.startswith(f"{home}.")]
        named = [each for each in dict.fromkeys(defined) if isinstance(name_of(each), str)]
        offered = list(filter(role_of, named))
        adapted, refusals = ([], []) if offered else self._adapted([plugin, *dict.fromkeys(defined)])
        offered = offered or adapted
        wrong = [each for each in named if not role_of(each) and misspelt(each)]
        for each in wrong if offered else ():
            if not any(issubclass(other, each) for other in offered):
                sentence = f"plugin {source} leaves out {name_of(each)}, {missing(each)}"
                warnings.warn(sentence, GGPWarning, stacklevel=2)
        offered = offered or wrong or ([] if refusals else named or list(filter(role_of, dict.fromkeys(defined))))
        for each in offered:
            self._add(each, source)
        if refusals and not offered:
            self._problem(f"plugin {source} cannot be used: {refusals[0]}")
        elif not offered:
            right = "the class of a game or searcher with a `name`, or a function ggp_games or ggp_searchers marked"
            self._problem(f"plugin {source} offers nothing: it needs {right} with @ggp.hookimpl")

    def _adapted(self, things: Iterable[object]) -> tuple[list[type], list[str]]:
        """Return the games that adapters recognize in these classes and modules, and why some cannot be served."""
        games: list[type] = []
        refusals: list[str] = []
        for adapter in [adapter for offered in self._manager.hook.ggp_adapters() for adapter in offered]:
            for thing in things:
                try:
                    game = adapter(thing)
                except GGPError as error:
                    refusals.append(str(error))
                else:
                    games += [game] if game is not None else []
        return games, refusals

    def _ask_waiting(self, hook: str) -> None:
        while self._waiting[hook]:
            plugin, source = self._waiting[hook].pop(0)
            self._take(plugin, hook, source)

    def _take(self, plugin: object, hook: str, source: str) -> None:
        try:
            with contextlib.redirect_stdout(sys.stderr), asking(f"its {hook}"):
                offered = list(itertools.islice(getattr(plugin, hook)(), MOST_OFFERED + 1))
        except FaultError as error:
            self._problem(f"plugin {source} cannot be used: {error}")
            return
        except (Exception, SystemExit) as error:  # sys.exit in a hook must not take the rest with it
            self._problem(f"plugin {source} cannot be used: its {hook} raised {error_text(error)}")
            return
        if len(offered) > MOST_OFFERED:
            self._problem(f"plugin {source} cannot be used: its {hook} offers more than {MOST_OFFERED:,} classes")
            return
        for each in offered:
            self._add(each, source)

    def _add(self, factory: object, source: str) -> None:
        role, name = role_of(factory), name_of(factory)
        chosen_by = preference(factory) if role == "searcher" else 0
        if not isinstance(name, str) or not name:
            right = "give it a class attribute `name`, such as name = 'chomp'"
            self._problem(f"plugin {source} offers {factory!r}, which has no name: {right}")
        elif not role:
            self._problem(f"plugin {source} offers {name}, {missing(factory)}")
        elif not isinstance(chosen_by, int | float):
            given = short(repr(chosen_by))
            self._problem(f"plugin {source} offers {name}, whose preference is {given}: it must be a number")
        elif wrong := undecorated(factory):
            self._problem(f"plugin {source} offers {name}, {wrong}")
        else:
            entries = {"game": self._games, "searcher": self._searchers, "player": self._players}
            names = entries[role]
            claims, entry = names.claims.setdefault(name, []), Entry(name, factory, source, chosen_by)
            for index, other in enumerate(claims):
                named = (source in self.files) != (other.source in self.files)
                if named and is_same_definition(factory, other.factory):  # the file of a plugin that is also installed
                    claims[index] = entry if source in self.files else other
                    return
            claims.append(entry)
            if len(claims) > 1:
                self._problem(names.contested(name))


def load_registry(on_problem: Callable[[str], object] = lambda problem: None) -> Registry:
    """Return a new registry with all installed plugins; for `on_problem`, see `Registry`."""
    registry = Registry(on_problem)
    registry.load_entry_points()
    return registry


@functools.cache
def installed_registry() -> Registry:
    """Return the registry of the installed plugins, which is loaded once: do not change it."""
    return load_registry()


def _require_none(name: str, named: list[str]) -> None:
    if named:
        raise OptionError(f"{name} would open a file of this machine, {named[0]}: allow it with --open-files")


_LIMITS = tuple(option.name for option in options_of(Limits))


def _distribution(distribution: importlib.metadata.Distribution | None) -> str:
    return f"{distribution.name} {distribution.version}" if distribution else "unknown distribution"
