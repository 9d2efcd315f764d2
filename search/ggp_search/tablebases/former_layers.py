"""The former file format of layered games such as Awari: all layers in one file. Such files are still read, but no
longer written.

A byte is 128 plus the value of the rest of the game for the player to move, without `score`. The file begins with a
line of JSON that names the game; then come the layers, each in the order of its ranks (see `ggp.game.Layered`).
"""

import hashlib
import pathlib
from typing import Annotated, Final

import attrs
import msgspec
from msgspec import Meta

from ggp.capabilities import parameters
from ggp.errors import TablebaseError
from ggp.game import AnyGame, CapableGame
from ggp.storage import Format, checksum_of
from ggp_search.memory.buffer import Buffer
from ggp_search.tablebases.layer_file import AGAIN

FORMAT: Final = Format("layer tablebase", 1, TablebaseError, remedy=AGAIN, largest=16 << 30)
SUFFIX: Final = ".layers"
SIGNED: Final = bytes(byte ^ 128 for byte in range(256))
"""For each byte of former files, the byte with the same meaning in today's files."""


@attrs.frozen(kw_only=True)
class LayersHeader:
    """The header of a file."""

    game: str
    parameters: dict[str, object]
    highest: Annotated[int, Meta(ge=0, le=127)]
    """The highest layer."""


@attrs.frozen
class FormerFile:
    """A file that was read."""

    digest: str
    """The digest of the values."""
    layers: int
    """The number of layers."""
    buffer: Buffer
    """The values of the layers, one layer after another."""


def path_of(game: AnyGame, directory: pathlib.Path) -> pathlib.Path:
    """Return the file of a game's layers in a directory."""
    return directory / f"{game.name}-{checksum_of(parameters(game))[:16]}{SUFFIX}"


def summary(path: pathlib.Path) -> tuple[str, dict[str, object], int, int]:
    """Return game, parameters, highest layer and number of positions from the header of a file.

    Raises:
        TablebaseError: the file has another format, or its header is damaged.
    """
    line = FORMAT.second_line(path)
    header = FORMAT.header(path, line, LayersHeader)
    return header.game, header.parameters, header.highest, path.stat().st_size - FORMAT.beginning - len(line) - 1


def read(game: CapableGame, path: pathlib.Path) -> FormerFile:
    """Return the layers of a game in a file.

    Raises:
        TablebaseError: the file cannot be read, is damaged, or belongs to another game.
    """
    header, values = FORMAT.read_with_header(path, LayersHeader)
    if (header.game, header.parameters) != (game.name, msgspec.to_builtins(parameters(game))):
        raise TablebaseError(f"{path} belongs to another game: {AGAIN}")
    if len(values) != sum(game.positions(layer) for layer in range(header.highest + 1)):
        raise FORMAT.damaged(path, "its number of values is wrong")
    buffer = Buffer(len(values))
    buffer.memory[: len(values)] = values.translate(SIGNED)
    return FormerFile(hashlib.sha256(values).hexdigest(), header.highest + 1, buffer)
