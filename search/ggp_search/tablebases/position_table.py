"""A table of all positions of a game: the results of an enumeration, in a file, for play and analysis.

The first line of the file names the format and has a checksum of the whole file. The second line is a `PositionHeader`.
After these lines come the packed states and their index (see `ggp_search.tablebases.packed_positions`). Then follow,
for each position, two bytes with the code of its value and two bytes with its distance. In games with chance, two
bounds of eight bytes each take the place of code and distance.
"""

import hashlib
import pathlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

import attrs
import msgspec
from msgspec import Meta

from ggp.capabilities import canonical, parameters
from ggp.compiler.encoding import flatten
from ggp.compiler.types import (
    ATOM,
    List,
    NotRepresentable,
    ObjectOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
    classes_in,
    described,
    size,
    type_of,
)
from ggp.errors import TablebaseError
from ggp.game import AnyGame, State
from ggp.storage import Format, checksum_of
from ggp_search.tablebases.best_play import FOREVER, KnownValue, KnownValues
from ggp_search.tablebases.packed_positions import BitField, PackedPositions, PositionLayout

AGAIN: Final = "remove it, and `ggp tablebase build` builds it again"
FORMAT: Final = Format("position tablebase", 1, TablebaseError, AGAIN, 16 << 30)
SUFFIX: Final = ".ggpp"


@attrs.frozen(kw_only=True)
class PositionHeader:
    """The header of a file."""

    game: str
    parameters: dict[str, object]
    method: str
    positions: Annotated[int, Meta(ge=1, le=1 << 31)]
    slots: Annotated[int, Meta(ge=1, le=1 << 33)]
    """Number of slots of the index."""
    stride: Annotated[int, Meta(ge=1, le=1 << 16)]
    fields: tuple[tuple[int, int, Annotated[int, Meta(ge=0, le=63)], Annotated[int, Meta(ge=0, le=1 << 16)]], ...]
    kind: object
    """The type of the states."""
    worths: tuple[float, ...]
    """The values in the order of their codes; code 0 means that there is no value. Empty for a game with chance, which
    has bounds instead of codes.
    """

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the sizes in bytes: of states, index, codes and distances, or of states, index and two bounds."""
        each = 2 if self.worths else 8
        return self.stride * self.positions, 4 * self.slots, each * self.positions, each * self.positions


class PositionTable(KnownValues):
    """The table of a game in a file."""

    def __init__(self, game: AnyGame, path: pathlib.Path, header: PositionHeader, body: bytes) -> None:
        self.digest = hashlib.sha256(body).hexdigest()
        if len(body) != sum(header.sizes):
            raise FORMAT.damaged(path, f"it has {len(body):,} bytes of data, and should have {sum(header.sizes):,}")
        self.game, self.path, self.header = game, path, header
        self.canonical = canonical(game)
        # The type comes from the file, but its classes come from the game: a file cannot have other classes built.
        kind = kind_of(game, header.kind, header.fields, path)
        parts, at = [], 0
        for length in header.sizes:
            parts.append(memoryview(body)[at : at + length])
            at += length
        layout = PositionLayout(kind, header.fields, header.stride)
        self.positions = PackedPositions(layout, parts[0], parts[1])
        code: Any = "H" if header.worths else "d"
        self._values, self._others = parts[2].cast(code), parts[3].cast(code)

    @property
    def count(self) -> int:
        """Number of positions."""
        return self.header.positions

    def state(self, number: int) -> State:
        """Return the state with this number."""
        return self.positions.state(number)

    def find(self, state: State) -> int:
        """Return the number of a state; -1 if it is not in the table."""
        return self.positions.find(self.canonical(state))

    def look(self, state: State) -> KnownValue | None:
        """Return the value of a state; None if the state is not in the table."""
        number = self.find(state)
        if number < 0:
            return None
        value, other = self._values[number], self._others[number]
        if not self.header.worths:
            return KnownValue(lower=value, upper=other)
        worth = self.header.worths[value]
        return KnownValue(lower=worth, upper=worth, distance=None if other == FOREVER else other)


def kind_of(game: AnyGame, said: object, fields: Sequence[BitField], path: pathlib.Path) -> Type:
    """Return the type of the states in a file, after checking that it is the type of the game's states."""
    start = game.initial_state()
    named = {f"{cls.__module__}.{cls.__qualname__}": cls for cls in classes_in(type_of(start))}
    try:
        kind = described(said, named)
        if size(kind) != len(fields):
            raise ValueError
        flatten(start, kind)
    except (LookupError, TypeError, ValueError, NotRepresentable):
        raise TablebaseError(f"{path} is of another version of {game.name}, whose states differ: {AGAIN}") from None
    return kind


def path_of(game: AnyGame, directory: pathlib.Path) -> pathlib.Path:
    """Return the file of a game's table in a directory."""
    return directory / f"{game.name}-{checksum_of(parameters(game))[:8]}{SUFFIX}"


def summary(path: pathlib.Path) -> tuple[str, dict[str, object], None, int]:
    """Return the game, its parameters, None (there is no layer) and the number of positions, from the header of a file.

    Raises:
        TablebaseError: the file has another format, or its header is damaged.
    """
    header = FORMAT.header(path, FORMAT.second_line(path), PositionHeader)
    return header.game, header.parameters, None, header.positions


def read(game: AnyGame, path: pathlib.Path) -> PositionTable:
    """Return the table of a game in a file.

    Raises:
        TablebaseError: the file cannot be read, is damaged, or belongs to another game.
    """
    header, body = FORMAT.read_with_header(path, PositionHeader)
    if (header.game, header.parameters) != (game.name, msgspec.to_builtins(parameters(game))):
        raise TablebaseError(f"{path} belongs to another game: {AGAIN}")
    return PositionTable(game, path, header, body)


def require_numbers(kind: Type, name: str) -> None:
    """Check that states can be stored. States with texts cannot be stored, since texts cannot be recovered from their
    numbers.

    Raises:
        TablebaseError: states of this game cannot be stored.
    """
    if ATOM in _parts(kind):
        raise TablebaseError(f"the states of {name} hold texts, so its positions cannot be stored in a file")


def _parts(kind: Type) -> Iterator[Type]:
    yield kind
    if isinstance(kind, (Tuple, RecordOf, ObjectOf)):
        for each in kind.items:
            yield from _parts(each)
    elif isinstance(kind, (List, Optional)):
        yield from _parts(kind.item)
