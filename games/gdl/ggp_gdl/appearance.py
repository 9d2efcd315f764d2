"""Appearances: a file beside a description says how pieces, colours and moves are shown.

The file is in TOML, and has the name of the description: `checkers.toml` beside `checkers.kif`.
"""

import functools
import pathlib
import re
import tomllib
from typing import Literal, get_args

import msgspec

from ggp import files
from ggp.errors import UsageError
from ggp.escapes import short
from ggp.scene import Colour, Material, PieceKind
from ggp_gdl.description import Term

LARGEST = 1 << 20
PIECES = frozenset(get_args(PieceKind)) - {""}


class Appearance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The look of a game: its title, its rules in words, its colours and its pieces."""

    title: str = ""
    rules: str = ""
    """Sentences to show before the rule sheet."""
    colours: tuple[Colour, ...] = ()
    """The colours of the first and of the second player."""
    material: Material = ""
    chequered: bool = False
    pieces: dict[str, str] = {}
    """For each content of a cell, the piece that shows it: a kind of piece such as `man`, or a text."""
    owners: dict[str, str] = {}
    """For each content of a cell, the role that owns the piece there."""
    goals: Literal["opposed", "difference"] = "opposed"
    """How to treat a game whose goals are not opposed: "opposed": refuse it; "difference": play for the difference."""
    moves: dict[str, str] = {}
    """For each move, by its first word, the text to show; {1} stands for the first argument: `move = "{1}{2}-{3}{4}"`.
    """

    def move(self, term: Term) -> str | None:
        """Return the text to show for a move; None if the file says nothing about it."""
        name, *args = (term,) if isinstance(term, str) else term
        if name not in self.moves:
            return None
        return re.sub(r"\{(\d+)\}", lambda matched: _argument(args, int(matched[1]), matched[0]), self.moves[name])


def _argument(args: list[Term], number: int, otherwise: str) -> str:
    return str(args[number - 1]) if 0 < number <= len(args) else otherwise


def text_beside(path: pathlib.Path) -> str:
    """Return the text of the file beside a description, or "" if there is no such file."""
    path_beside = path.with_suffix(".toml")
    if not path_beside.is_file():
        return ""
    try:
        return files.read_bytes(path_beside, LARGEST).decode()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path_beside} cannot be read: {error}") from None


@functools.lru_cache(maxsize=64)
def read_appearance(text: str) -> Appearance:
    """Parse the text of the file beside a description.

    Raises:
        UsageError: the text is not TOML, or an entry is unknown or wrong.
    """
    try:
        appearance = msgspec.convert(tomllib.loads(text), Appearance)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"it is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        names = ", ".join(Appearance.__struct_fields__)
        raise UsageError(f"{short(str(error), 90)}; the entries are {names}") from None
    if len(appearance.colours) not in (0, 2):
        raise UsageError(f'colours has two entries, such as ["white", "black"]; got {len(appearance.colours)}')
    return appearance
