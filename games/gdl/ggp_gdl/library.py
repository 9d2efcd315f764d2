"""The library: descriptions by name or file, and the classes of games that are made from these descriptions."""

import contextlib
import functools
import os
import pathlib
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

from ggp import files
from ggp.errors import UnknownNameError, UsageError, did_you_mean
from ggp.escapes import short
from ggp.game import CONTINUES, DRAW
from ggp_gdl import written
from ggp_gdl.appearance import read_appearance, text_beside
from ggp_gdl.boards import find_board
from ggp_gdl.checks import check
from ggp_gdl.description import Description, DescriptionError, Term, UnservedGameError, parse_terms, read, term_of
from ggp_gdl.game import AnyDescribed, ChanceRelationGame, RelationGame
from ggp_gdl.layout import fit
from ggp_gdl.play import RANDOM, Referee, UnopposedGoalsError, referee_of
from ggp_gdl.rehearsal import rehearse, rehearsed
from ggp_gdl.rule_sheet import rule_sheet
from ggp_gdl.translation import Request, patience, translate

PREFIX = "gdl:"
SUFFIXES = (".kif", ".gdl")
DIFFERENCE = "?goals=difference"
"""A game whose name ends in this text is played for the difference of the goals. The file beside the description can
ask for the same.
"""
OWN = pathlib.Path(__file__).parent / "descriptions"
LARGEST = 4 << 20
"""Maximum size of a description, in bytes."""
SHORT = 8 << 10
"""Maximum length, in characters, of a description whose class is made at once. The class of a longer description is
made when the game is first played.
"""


def folders() -> list[pathlib.Path]:
    """Return the folders whose descriptions can be used by name: the folder in `GGP_GDL`, and ggp's own."""
    named = os.environ.get("GGP_GDL")
    return [*([pathlib.Path(named)] if named else []), OWN]


def named_files(folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """Return the files of the descriptions in a folder, by name."""
    return {_plain(path.stem): path for suffix in SUFFIXES for path in sorted(folder.glob(f"*{suffix}"))}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-") or "game"


def find(name: str) -> pathlib.Path | None:
    """Return the file that a game's name stands for; None if the name does not stand for a description.

    Raises:
        UnknownNameError: the name stands for a description, but the description does not exist.
    """
    given = name.removeprefix(PREFIX)
    if given == name and not name.lower().endswith(SUFFIXES):
        return None
    if given.lower().endswith(SUFFIXES) or "/" in given or os.sep in given:
        path = pathlib.Path(given).expanduser()
        path = path if path.is_file() else pathlib.Path(unquote(given)).expanduser()
        other = [folder / path for folder in folders() if folder != OWN and path.name == str(path)]
        for each in (path, *other):
            if each.is_file():
                return each
        raise UnknownNameError(
            f"there is no description {short(given)} in this folder: name a file such as game.kif, or set GGP_GDL to"
            " the folder of the description"
        )
    for folder in folders():
        listed = named_files(folder).get(given)
        if listed:
            return listed
    names = sorted({each for folder in folders() for each in named_files(folder)})
    near = did_you_mean(given, names) or f": there are {', '.join(names)}; or name a file such as gdl:game.kif"
    raise UnknownNameError(f"there is no description {short(given)!r}{near}")


class Named(NamedTuple):
    """A description in GDL to which the name of a game refers."""

    path: pathlib.Path
    name: str
    """The name of the game that the file describes."""
    for_difference: bool = False
    """Whether the game is played for the difference of the goals, whatever the file beside the description says."""

    def texts(self) -> tuple[str, str]:
        """Return the text of the description, and the text of its appearance.

        Raises:
            UsageError: one of the files cannot be read, or the appearance is wrong.
        """
        try:
            text = files.read_bytes(self.path, LARGEST).decode(errors="replace")
        except OSError as error:
            raise UsageError(f"the description {self.path} cannot be read: {files.reason(error)}") from None
        look = text_beside(self.path)
        try:
            if self.for_difference and read_appearance(look).goals != "difference":
                look = f'goals = "difference"\n{look}'
            read_appearance(look)
        except UsageError as error:
            raise UsageError(f"{self.path.with_suffix('.toml')}: {error}") from None
        return text, look

    @contextlib.contextmanager
    def in_messages(self) -> Iterator[None]:
        """Add the name of the file to the messages of errors that are raised in the `with` block."""
        try:
            yield
        except DescriptionError as error:
            raise DescriptionError(f"{self.path}, {error}") from None
        except UnopposedGoalsError as error:
            beside = self.path.with_suffix(".toml")
            raise UnopposedGoalsError(
                f"{self.path} is not a game that ggp plays: {error}; to play for the difference of the goals, name it "
                f"'{self.name}{DIFFERENCE}', or write goals = \"difference\" into {beside}"
            ) from None
        except UnservedGameError as error:
            raise UnservedGameError(f"{self.path} is not a game that ggp plays: {error}") from None


def named(name: str) -> Named | None:
    """Return the description that a name such as `gdl:tictactoe` or `game.kif` names; None if it names no description.
    Raises as `find` does.
    """
    given = name.removesuffix(DIFFERENCE)
    path = find(given)
    if path is None:
        return None
    own = PREFIX + quote(given.removeprefix(PREFIX), safe="/\\:+~()[]!@$&',;=") + name.removeprefix(given)
    return Named(path, own, name != given)


def game_named(name: str) -> type | None:
    """Return the class of the game that a name such as `gdl:tictactoe` or `game.kif` names; None if it names no
    description.

    Raises:
        GGPError: the description is not found, or the file is not a description, or its game is not of a kind that ggp
            plays.
    """
    description_file = named(name)
    return None if description_file is None else load(description_file)


def load(named: Named) -> type[AnyDescribed]:
    """Return the class of the game in a file. Raises as `game_named` does."""
    text, look = named.texts()
    with named.in_messages():
        return make(text, named.name, look)


def takes_long(named: Named) -> bool:
    """Check the description of a game, and return whether its class must still be made, which may take long.
    Raises as `game_named` does.
    """
    text, look = named.texts()
    kept = written.path_of(written.fingerprint(text, read_appearance(look).goals))
    if len(text) <= SHORT or (kept is not None and kept.is_file()):
        return False
    with named.in_messages():
        check(read(text))
    return True


@functools.lru_cache(maxsize=64)
def make(text: str, name: str, look: str = "") -> type[AnyDescribed]:
    """Return the class of the game that a text describes. Raises the same errors as `game_named`, without the file's
    name in the message.

    Arguments:
        look: the text of an appearance.
    """
    goals = read_appearance(look).goals
    key = written.fingerprint(text, goals)
    kept = written.recall(key)
    if kept is None:
        deadline = patience()
        description = read(text)
        check(description)
        referee = referee_of(text, title(name), goals)
        rehearse(referee)
        kept = translate(referee, Request(text, title(name), goals, key), deadline)
    return compiled_form(kept.source, text, name, look) if kept.source else interpreted_form(text, name, look)


def compiled_form(source: str, text: str, name: str, look: str = "") -> type[AnyDescribed]:
    """Return the class that the Python code `source` defines, with the name and the rules of the game that `text`
    describes.
    """
    made = written.run(source, written.fingerprint(text, read_appearance(look).goals))
    return finished(made, text, name, parse_terms(" ".join(made.FACTS)), look)


@functools.lru_cache(maxsize=64)
def interpreted_form(text: str, name: str, look: str = "") -> type[AnyDescribed]:
    """Return a class that interprets the rules in a text."""
    referee = rehearsed(text, title(name), read_appearance(look).goals)
    return finished(relation_class(referee), text, name, rehearse(referee), look)


@functools.lru_cache(maxsize=64)
def restored(text: str, name: str, look: str, form: str) -> AnyDescribed:
    """Return the game that a text describes, in the form of the pickled game. Each form has states of its own."""
    if form == RelationGame.form:
        return interpreted_form(text, name, look)()
    made = make(text, name, look)
    if made.form != form:
        source = written.write(rehearsed(text, title(name), read_appearance(look).goals)).source
        made = compiled_form(source, text, name, look)
    return made()


def source_of(text: str, name: str, look: str = "") -> tuple[str, str]:
    """Return the source of the Python class that was written for a description, and an empty text.

    If no class was written, return the source of the functions that interpret the rules, and the reason why there is
    no class. Raises as `make` does.
    """
    make(text, name, look)
    goals = read_appearance(look).goals
    kept = written.recall(written.fingerprint(text, goals)) or written.write(rehearsed(text, title(name), goals))
    source = kept.source or "\n".join(fit(referee_of(text, title(name), goals).reasoner.source.splitlines())) + "\n"
    return source, kept.reason


def relation_class(referee: Referee) -> type[AnyDescribed]:
    """Return a class that interprets the rules."""
    lowest, highest, unit = referee.scale()
    chance = RANDOM in referee.roles
    attributes = {
        "player_names": tuple(referee.players),
        "repetition": CONTINUES if chance else DRAW,
        "lowest": lowest,
        "highest": highest,
        "unit": unit,
        "referee": referee,
    }
    return type("Game", (ChanceRelationGame if chance else RelationGame,), attributes)


def finished(
    made: type[AnyDescribed], text: str, name: str, facts: Iterable[Term], look: str = ""
) -> type[AnyDescribed]:
    """Add the name, the rules in words and the board of a game to its class, and return the class.

    Arguments:
        facts: the facts that are known to be possible.
    """
    description, appearance = read(text), read_appearance(look)
    board = find_board({*facts, *_listed(description)}, made.player_names, following(description))
    told = appearance.title or title(name)
    said = appearance.rules or description.comment
    if said and said[-1] not in ".!?":
        said += "."
    attributes = {
        "name": name,
        "title": told,
        "text": text,
        "look": look,
        "rules": " ".join(filter(None, [said, rule_sheet(description, board)])),
        "__doc__": f"{told}: a game described in GDL.",
        "restored": staticmethod(restored),
        "board": board,
    }
    for attribute, value in attributes.items():
        setattr(made, attribute, value)
    return made


def title(name: str) -> str:
    """Return a title from the name of a game: `Connect Four` from `gdl:games/connectFour.kif`."""
    stem = pathlib.PurePath(unquote(name.removeprefix(PREFIX).removesuffix(DIFFERENCE))).name
    stem = re.sub(r"\.(kif|gdl)$", "", stem, flags=re.I)
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", stem)
    return spaced[:1].upper() + spaced[1:]


def _listed(description: Description) -> Iterator[Term]:
    """Yield the facts that the description lists as possible."""
    for rule in description.rules:
        if rule.head.name[0] in ("base", "init") and not rule.body:
            yield term_of(rule.head.name, rule.head.args)


def following(description: Description) -> dict[str, str]:
    """Return for each word the next word, according to facts of two words such as `(succ 1 2)`."""
    names: dict[str, str] = {}
    for rule in description.rules:
        head = rule.head
        if not rule.body and len(head.name) == 1 and len(head.args) == 2:
            one, other = head.args
            if isinstance(one, str) and isinstance(other, str):
                names.setdefault(one, other)
    return names
