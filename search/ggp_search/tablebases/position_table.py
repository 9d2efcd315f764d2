"""A table of all positions of a game: the results of an enumeration in a file, for play and analysis.

The first line names the format and has a checksum of the whole file; the second is a `PositionHeader`. Then follow the
packed states in the order of their numbers; an index from the hash of a state to its number plus 1; and for each
position the code of its value and the distance, two bytes each. In games with chance, two bounds of eight bytes take
their place.
"""

import hashlib
import pathlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

import attrs
import msgspec
from msgspec import Meta

from ggp.capabilities import canonical, parameters
from ggp.compiler.encoding import build, flatten, signed
from ggp.compiler.intrinsics import ALL, mix, spread
from ggp.compiler.types import ATOM, NotRepresentable, Type, classes_in, described, size, type_of
from ggp.errors import TablebaseError
from ggp.game import AnyGame, State
from ggp.storage import Format, checksum_of
from ggp_search.tablebases.best_play import FOREVER, KnownValue, KnownValues

AGAIN: Final = "remove it, and `ggp tablebase build` builds it again"
FORMAT: Final = Format("position tablebase", 1, TablebaseError, AGAIN, 16 << 30)
SUFFIX: Final = ".ggpp"

BitField = tuple[int, int, int, int]
"""The place of a word in a packed state: its least value, a mask, a shift, and an offset in bytes."""


@attrs.frozen
class PositionLayout:
    """How states are packed: each word in a field with as many bits as it needs."""

    kind: Type
    """The type of the states."""
    fields: tuple[BitField, ...]
    stride: int
    """Size of a packed state in bytes."""

    @property
    def mask(self) -> int:
        """A mask of all bits that are used."""
        return sum((mask & ALL) << shift + 8 * place for _, mask, shift, place in self.fields)

    def words(self, state: State) -> list[int] | None:
        """Return the words of a state; None if the state has another type."""
        try:
            return flatten(state, self.kind)
        except NotRepresentable:
            return None

    def packed(self, words: Sequence[int]) -> int | None:
        """Return the words packed into one number; None if a word does not fit its field."""
        number = 0
        for word, (low, mask, shift, place) in zip(words, self.fields, strict=True):
            part = word - low & ALL
            if part & ~(mask & ALL):
                return None
            number |= part << shift + 8 * place
        return number

    def state(self, number: int) -> State:
        """Return the state that is packed in this number."""
        fields = self.fields
        words = (signed((number >> shift + 8 * place & mask & ALL) + low & ALL) for low, mask, shift, place in fields)
        return build(words, self.kind)


def lay_out(lows: Sequence[int], highs: Sequence[int]) -> tuple[tuple[BitField, ...], int]:
    """Return fields for words with these least and greatest values, and the size of a packed state in bytes.

    No field crosses the boundary of a 64-bit word; the widest fields are placed first.
    """
    bits = [(high - low).bit_length() for low, high in zip(lows, highs, strict=True)]
    fields, used = [(0, 0, 0, 0)] * len(bits), [0]
    # Widest first (first-fit decreasing): narrow fields fill the gaps that wide ones leave.
    for number in sorted(range(len(bits)), key=lambda number: -bits[number]):
        place = next((place for place, taken in enumerate(used) if taken + bits[number] <= 64), len(used))
        if place == len(used):
            used.append(0)
        shift = used[place] if bits[number] else 0
        fields[number] = lows[number], signed((1 << bits[number]) - 1), shift, 8 * place
        used[place] += bits[number]
    return tuple(fields), 8 * (len(used) - 1) + max(1, -(-used[-1] // 8))


def hash_words(words: Sequence[int]) -> int:
    """Return the hash of a state with these words."""
    hashed = 0
    for word in words:
        hashed = mix(hashed, word)
    return mix(hashed, 0)


@attrs.frozen(kw_only=True)
class PositionHeader:
    """The header of a file."""

    game: str
    parameters: dict[str, Any]
    method: str
    positions: Annotated[int, Meta(ge=1, le=1 << 31)]
    slots: Annotated[int, Meta(ge=1, le=1 << 33)]
    """Number of slots of the index."""
    stride: Annotated[int, Meta(ge=1, le=1 << 16)]
    fields: tuple[tuple[int, int, Annotated[int, Meta(ge=0, le=63)], Annotated[int, Meta(ge=0, le=1 << 16)]], ...]
    kind: Any
    """The type of the states."""
    worths: tuple[float, ...]
    """The values in the order of their codes; code 0 means none. Empty for a game with chance, which has bounds
    instead.
    """

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the bytes of states, index, codes and distances; or of states, index, lower and upper bounds."""
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
        # The type comes from the file, but its classes from the game: a file can name no other class to be built.
        kind = kind_of(game, header.kind, header.fields, path)
        self.layout = PositionLayout(kind, header.fields, header.stride)
        self._mask = self.layout.mask
        parts, at = [], 0
        for length in header.sizes:
            parts.append(memoryview(body)[at : at + length])
            at += length
        self._states, self._index = parts[:2]
        code: Any = "H" if header.worths else "d"
        self._values, self._others = parts[2].cast(code), parts[3].cast(code)

    @property
    def count(self) -> int:
        """Number of positions."""
        return self.header.positions

    def entry(self, number: int) -> int:
        """Return a packed state."""
        at = number * self.header.stride
        return int.from_bytes(self._states[at : at + self.header.stride], "little") & self._mask

    def state(self, number: int) -> State:
        """Return the state with this number."""
        return self.layout.state(self.entry(number))

    def find(self, state: State) -> int:
        """Return the number of a state; -1 if it is not in the table."""
        words = self.layout.words(self.canonical(state))
        packed = None if words is None else self.layout.packed(words)
        if words is None or packed is None:
            return -1
        slot = spread(hash_words(words), self.header.slots)
        # Bounded: in a damaged file without an empty slot, probing would never end.
        for _ in range(self.header.slots):
            number = int.from_bytes(self._index[4 * slot : 4 * slot + 4], "little") - 1
            if number < 0 or number >= self.count or self.entry(number) == packed:
                return number if number < self.count else -1
            slot = (slot + 1) % self.header.slots
        return -1

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


def kind_of(game: AnyGame, said: Any, fields: Sequence[BitField], path: pathlib.Path) -> Type:
    """Return the type of the states in a file, after checking that it is the type of the game's states."""
    start = game.initial_state()
    named = {f"{kind.__module__}.{kind.__qualname__}": kind for kind in classes_in(type_of(start))}
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


def summary(path: pathlib.Path) -> tuple[str, dict[str, Any], None, int]:
    """Return game, parameters, None (no layer) and the number of positions from the header of a file.

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
    """Check that states can be stored. Those with texts cannot, since texts cannot be recovered from their numbers.

    Raises:
        TablebaseError: states of this game cannot be stored.
    """
    if ATOM in _parts(kind):
        raise TablebaseError(f"the states of {name} hold texts, so its positions cannot be stored in a file")


def _parts(kind: Type) -> Iterator[Type]:
    yield kind
    for each in (*getattr(kind, "items", ()), *([kind.item] if hasattr(kind, "item") else [])):
        yield from _parts(each)
