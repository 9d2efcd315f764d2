"""Entries: the games and searchers that plugins offer, by name."""

import difflib
import functools
import inspect
import pathlib
from collections.abc import Mapping
from typing import Any, Protocol

import attrs

from ggp import capabilities, pie_rule
from ggp.errors import GGPError, PluginError, UnknownNameError, did_you_mean
from ggp.files import is_pythons
from ggp.game import AnyGame
from ggp.options import Option, build, options_of

PROMISES = {
    "game": ("initial_state", "to_move", "actions", "result", "terminal_test", "utility"),
    "searcher": ("unsupported_reason", "search", "analyse"),
    "player": ("choose", "parse"),
}
"""Methods that identify a class as a game, a searcher or a player."""
OURS = pathlib.Path(__file__).parent
"""Directory of the code that calls plugins."""
UNUSED_FIELD: type = type(attrs.field())
"""Class of what `ggp.option` and `ggp.constant` return, which attrs removes from the classes that it decorates."""


@attrs.frozen
class Entry:
    """One game or searcher in the registry."""

    name: str
    factory: Any
    """The class of the game, the searcher or the player, or the family of games."""
    source: str
    """The plugin, and the distribution or file that it comes from."""
    preference: int = 0
    """The rank of a searcher as the default; see `ggp.searcher.Preferred`."""

    @property
    def summary(self) -> str:
        """A one-line description."""
        return capabilities.summary(self.factory)

    @property
    def options(self) -> tuple[Option, ...]:
        """The game's parameters, or the searcher's options. A game for two players also has the pie rule's option."""
        own = options_of(self.factory)
        return (*own, pie_rule.RULE) if role_of(self.factory) == "game" and pie_rule.is_offered(self.factory) else own


class Offered(Protocol):
    """The games and searchers that can be used, as a registry knows them."""

    @property
    def loaded_games(self) -> tuple[Entry, ...]: ...

    @property
    def searchers(self) -> Mapping[str, Entry]: ...


class Entries:
    """Entries of games, searchers or players, by name. A name that two plugins use cannot be used."""

    def __init__(self, noun: str, plural: str = "") -> None:
        self.noun = noun
        self.plural = plural or f"{noun}s"
        self.claims: dict[str, list[Entry]] = {}

    @property
    def usable(self) -> Mapping[str, Entry]:
        """The entries that can be used, in the order of their names."""
        return {name: claims[0] for name, claims in sorted(self.claims.items()) if len(claims) == 1}

    def contested(self, name: str) -> str:
        """Return a sentence that says which plugins claim a name."""
        sources = [entry.source for entry in self.claims[name]]
        has_one_file = sum(source.endswith(".py") for source in sources) == 1
        return (
            f"the {self.noun} name {name!r} is claimed by {' and '.join(sources)}: it is unusable until one of them is"
            f" removed{f'; to use the installed one, type {name} in place of the file' if has_one_file else ''}"
        )

    def find(self, name: str) -> Entry:
        """Return the entry of that name.

        Raises:
            UnknownNameError: no entry has the name; the message lists the names.
            PluginError: two plugins claim the name.
        """
        if len(self.claims.get(name, ())) > 1:
            raise PluginError(self.contested(name))
        if name not in self.claims:
            near, names = did_you_mean(name, self.usable), ", ".join(self.usable) or "none"
            raise UnknownNameError(f"there is no {self.noun} {name!r}{near or f': the {self.plural} are {names}'}")
        return self.claims[name][0]


def is_same_definition(factory: Any, other: Any) -> bool:
    """Return whether two classes are one definition in one file, which may have been imported under two names."""
    if not isinstance(factory, type) or not isinstance(other, type) or factory.__qualname__ != other.__qualname__:
        return False
    try:
        files = {pathlib.Path(inspect.getfile(each)).resolve() for each in (factory, other)}
    except (TypeError, OSError):  # a class that was not read from a file
        return False
    return len(files) == 1


def make(entry: Entry, values: Mapping[str, object]) -> Any:
    """Return the game or searcher of an entry; whatever its plugin raises becomes a PluginError."""
    try:
        return build(entry.factory, entry.name, values)
    except (GGPError, KeyboardInterrupt):
        raise
    except BaseException as error:  # sys.exit is no way to refuse
        raise PluginError(f"{entry.name} (from {entry.source}) cannot be created: {error_text(error)}") from error


def serves(entry: Entry, game: AnyGame) -> bool:
    """Return whether the searcher of an entry can search a game; False if asking the searcher raises an error."""
    try:
        return make(entry, {}).unsupported_reason(game) is None
    except KeyboardInterrupt:
        raise
    except BaseException:  # whoever asks for this searcher gets the error
        return False


def role_of(factory: object) -> str | None:
    """Return the role of a class (game, searcher or player), judged by its attributes; None if it has no role."""
    for role, names in PROMISES.items():
        if all(map(functools.partial(hasattr, factory), names)):
            return role
    return None


def undecorated(factory: object) -> str:
    """Return what is wrong if a class declares an option or a constant, but is no class of attrs; otherwise ""."""
    for cls in inspect.getmro(factory) if isinstance(factory, type) else ():
        for name, value in vars(cls).items():
            if isinstance(value, UNUSED_FIELD):
                instead = " instead of @dataclass" if "__dataclass_fields__" in vars(cls) else ""
                return f"whose {name} has no value: write @attrs.frozen{instead} above class {cls.__name__}"
    return ""


def missing(factory: object) -> str:
    """Return the methods that a class lacks to be a game or a searcher, whichever the class resembles more."""
    promises = {role: PROMISES[role] for role in ("game", "searcher")}
    lacks = {role: [name for name in names if not hasattr(factory, name)] for role, names in promises.items()}
    role = min(lacks, key=lambda each: len(lacks[each]) / len(PROMISES[each]))
    similar = "".join(f" (did you mean {name} instead of {each}?)" for name, each in misspelt(factory, role))
    return f"a {role} that lacks {', '.join(lacks[role])}{similar}"


def misspelt(factory: object, role: str = "game") -> list[tuple[str, str]]:
    """Return the methods that a class lacks to be a game, a searcher or a player. Each missing method comes with a
    method of the class that has a similar name.
    """
    own = [each for each in vars(factory) if each[0] != "_" and each not in PROMISES[role]]
    lacks = [name for name in PROMISES[role] if not hasattr(factory, name)]
    near = {name: difflib.get_close_matches(name, own, n=1, cutoff=0.75) for name in lacks}
    return [(name, each) for name, similar in near.items() for each in similar]


def error_text(error: BaseException) -> str:
    """Return an error in one line, with the line of the plugin where it was raised."""
    text = " ".join(str(error).split())
    if isinstance(error, PluginError):
        return text
    frames = inspect.getinnerframes(error.__traceback__) if error.__traceback__ else []
    foreign = [each for each in frames if each.filename[0] != "<" and OURS not in pathlib.Path(each.filename).parents]
    theirs = [each for each in foreign if not is_pythons(each.filename)] or foreign
    location = f" ({pathlib.Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""
    if isinstance(error, SyntaxError) and error.lineno is not None:
        location = ""  # Python has said it
    return f"{type(error).__name__}: {text}{location}" if text else f"{type(error).__name__}{location}"
