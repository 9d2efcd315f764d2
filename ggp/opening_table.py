"""Opening tables: the exact values of all positions of the first plies of a game, stored in a compressed file.

`ggp book make --plies` makes such a table. A game may ship such a table as `openings.table` in its package:
`ggp.opening_book.known_values` reads it. `ggp.opening_book.look` reads the user's own tables. After the header, the
file has a compressed block. First come all positions in the game's notation, sorted and padded to one length. Then
comes one byte for each position, the index of its value in the header. Symmetric positions share one entry.
"""

import functools
import lzma
import pathlib
from collections.abc import Mapping
from typing import Final

import attrs

from ggp.capabilities import canonical, notation, parameters
from ggp.errors import BookError
from ggp.game import AnyGame, State
from ggp.storage import Format, converted, decoded, encoded

SHIPPED: Final = "openings.table"
"""The name of an opening table in the package of a game."""
FORMAT: Final = Format("opening table", 1, BookError, largest=64 << 20)
"""The format of opening tables."""
LARGEST: Final = 256 << 20
"""Maximum size of a table in memory, in bytes."""
MOST_VALUES: Final = 256
"""Maximum number of different values in a table."""


@attrs.frozen(kw_only=True)
class Header:
    """The second line of the file of an opening table."""

    game: str
    parameters: Mapping[str, object]
    plies: int
    """The table has the positions after at most this many plies."""
    positions: int
    """Number of positions."""
    width: int
    """Length of a position in bytes."""
    values: tuple[float, ...]
    """The different values to MAX."""


@attrs.frozen
class OpeningTable:
    """The exact values of all positions of the first plies of a game."""

    header: Header
    content: bytes
    """The sorted positions, and then the index of each position's value."""

    def is_about(self, game: AnyGame) -> bool:
        """Return whether the table was made for this game with the same parameters."""
        same = encoded(parameters(game)) == encoded(self.header.parameters)
        return game.name == self.header.game and same

    def value(self, game: AnyGame, state: State) -> float | None:
        """Return the exact value of a state to MAX; None if the table does not have it."""
        text = _text(game, canonical(game)(state))
        if len(text) > self.header.width:
            return None
        text, (low, high) = text.ljust(self.header.width), (0, self.header.positions)
        while low < high:
            middle = (low + high) // 2
            if self._position(middle) < text:
                low = middle + 1
            else:
                high = middle
        if low == self.header.positions or self._position(low) != text:
            return None
        return self.header.values[self.content[self.header.positions * self.header.width + low]]

    def _position(self, index: int) -> bytes:
        return self.content[index * self.header.width : (index + 1) * self.header.width]


def value(game: AnyGame, state: State) -> float | None:
    """Return the exact value of a state to MAX by the table in the game's package; None if the value is not known.

    Raises:
        BookError: the table in the package is damaged.
    """
    openings = _shipped(type(game).__module__.partition(".")[0])
    return openings.value(game, state) if openings is not None and openings.is_about(game) else None


@functools.cache
def _shipped(package: str) -> OpeningTable | None:
    """Return the table in a package; None if the package has none."""
    body = FORMAT.shipped(package, SHIPPED)
    return None if body is None else _table(body, f"{package}/{SHIPPED}")


def read(path: pathlib.Path) -> OpeningTable:
    """Return the table in a file.

    Raises:
        BookError: the file cannot be read, or is damaged.
    """
    return _table(FORMAT.read(path), str(path))


def write(path: pathlib.Path, game: AnyGame, plies: int, values: Mapping[State, float]) -> None:
    """Write a table.

    Arguments:
        plies: the greatest number of plies of the positions.
        values: the exact value to MAX of each canonical state; at most `MOST_VALUES` different values.

    Raises:
        BookError: the file cannot be written; an existing file is left unchanged.
    """
    entries = sorted((_text(game, state), each) for state, each in values.items())
    width, different = max(len(text) for text, _ in entries), sorted(set(values.values()))
    header = Header(
        game=game.name,
        parameters=parameters(game),
        plies=plies,
        positions=len(entries),
        width=width,
        values=tuple(map(float, different)),
    )
    positions = b"".join(text.ljust(width) for text, _ in entries)
    indices = bytes(different.index(each) for _, each in entries)
    FORMAT.write(path, encoded(header), lzma.compress(positions + indices, preset=9 | lzma.PRESET_EXTREME))


def _text(game: AnyGame, state: State) -> bytes:
    return notation(game).format_state(state).encode()


def _table(body: bytes, source: str) -> OpeningTable:
    """Return the table in the body of a file."""
    line, _, block = body.partition(b"\n")
    try:
        header = converted(decoded(line), Header)
        size = header.positions * (header.width + 1)
        if not 0 < size <= LARGEST:
            raise ValueError(f"it cannot have {header.positions} positions of {header.width} bytes")
        content = lzma.LZMADecompressor().decompress(block, size + 1)
    except (ValueError, lzma.LZMAError) as error:
        raise FORMAT.damaged(source, str(error)) from None
    if len(content) != size:
        raise FORMAT.damaged(source, f"it has {len(content)} bytes of positions and values, not {size}")
    return OpeningTable(header, content)
