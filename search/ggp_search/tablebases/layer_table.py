"""A table of the layers of a game whose positions come back within a layer, such as Awari: a byte for each position.

The byte is 128 plus the value of the rest of the game, without `score`, to the player to move. The file begins with a
line of JSON that names the game; the layers follow, each in the order of its ranks (see `ggp.game.Layered`).
"""

import hashlib
import pathlib
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Final

import attrs
import msgspec
from msgspec import Meta

from ggp.capabilities import parameters
from ggp.compiler.intrinsics import load, load_byte
from ggp.errors import TablebaseError
from ggp.game import MAX, AnyGame, State
from ggp.storage import Format, checksum_of
from ggp_search.memory.buffer import Buffer
from ggp_search.memory.transposition_table import MIN_STORED_HEIGHT
from ggp_search.tablebases.best_play import KnownValue, KnownValues

FORMAT: Final = Format("layer tablebase", 1, TablebaseError, remedy="build it again", largest=16 << 30)
SUFFIX: Final = ".layers"
MIDDLE: Final = 128
"""Added to a value, so that the sum fits into an unsigned byte."""


@attrs.frozen(kw_only=True)
class LayersHeader:
    """The header of a file."""

    game: str
    parameters: dict[str, Any]
    highest: Annotated[int, Meta(ge=0, le=127)]
    """The highest layer."""


class LayerTable(KnownValues):
    """The values of all positions of the layers 0 to `highest` of a game."""

    def __init__(self, game: Any, highest: int, get: Callable[[int], int]) -> None:
        self.game: Any = game
        self.highest, self.get = highest, get
        self.first = [0]
        """The index of each layer's first position, and the index after the last layer."""
        for layer in range(highest + 1):
            self.first.append(self.first[-1] + game.positions(layer))

    @property
    def count(self) -> int:
        """Number of positions."""
        return self.first[-1]

    def find(self, state: State) -> int:
        """Return the index of a state in these layers."""
        return int(self.first[self.game.layer(state)] + self.game.rank(state))

    def value(self, state: State) -> int:
        """Return the value to MAX of a state in these layers, the score included."""
        value = self.get(self.find(state)) - MIDDLE
        return int(self.game.score(state) + (value if self.game.to_move(state) == MAX else -value))

    def look(self, state: State) -> KnownValue | None:
        """Return the value of a state; None if the state is in a higher layer."""
        if self.game.layer(state) > self.highest:
            return None
        value = self.value(state)
        return KnownValue(lower=value, upper=value)

    def state(self, place: int) -> State:
        """Return the state at an index."""
        layer = next(layer for layer in range(self.highest + 1) if place < self.first[layer + 1])
        return self.game.unrank(layer, place - self.first[layer])


class FiledLayers(LayerTable):
    """A table of layers in a file, which compiled searches can probe too.

    Attributes:
        layers: the number of layers.
        address: address of an array of words, one for each layer: the address of its values.
    """

    def __init__(self, game: AnyGame, path: pathlib.Path, highest: int, values: bytes) -> None:
        self.path, self.digest = path, hashlib.sha256(values).hexdigest()
        super().__init__(game, highest, values.__getitem__)
        self._directory, self._values = Buffer(8 * (highest + 1)), Buffer(len(values))
        self._values.memory[: len(values)] = values
        for layer in range(highest + 1):
            address = self._values.address + self.first[layer]
            self._directory.memory[8 * layer : 8 * layer + 8] = address.to_bytes(8, "little")
        self.layers, self.address = highest + 1, self._directory.address

    def probe(self) -> "LayerProbe":
        """Return the object by which a search probes the table."""
        return LayerProbe(self)


class LayerProbe:
    """A table of layers, as a search probes it (see `ggp_search.tablebases.probe.TablebaseProbe`)."""

    variables: ClassVar[tuple[str, ...]] = ("address", "layers", "near")

    def __init__(self, table: FiledLayers) -> None:
        self.game: Any = table.game
        self.address, self.layers, self.near = table.address, table.layers, 0

    def grow(self, state: State) -> None:
        """Do nothing: a table in a file has all its layers."""

    def holds(self, state: State) -> bool:
        """Return whether the table has the value of a state."""
        return self.game.layer(state) < self.layers

    def value(self, state: State) -> int:
        """Return the value to MAX of a state in the table."""
        byte = load_byte(load(self.address + 8 * self.game.layer(state)) + self.game.rank(state)) & 255
        value: int = byte - MIDDLE if self.game.to_move(state) == MAX else MIDDLE - byte
        return self.game.score(state) + value

    def height(self, state: State) -> int:
        """Return the height of a state for transposition tables; all states are stored."""
        return self.game.layer(state) - self.layers + MIN_STORED_HEIGHT


def path_of(game: AnyGame, directory: pathlib.Path) -> pathlib.Path:
    """Return the file of a game's layers in a directory."""
    return directory / f"{game.name}-{checksum_of(parameters(game))[:16]}{SUFFIX}"


def summary(path: pathlib.Path) -> tuple[str, dict[str, Any], int, int]:
    """Return game, parameters, highest layer and number of positions from the header of a file.

    Raises:
        TablebaseError: the file has another format, or its header is damaged.
    """
    line = FORMAT.second_line(path)
    header = FORMAT.header(path, line, LayersHeader)
    return header.game, header.parameters, header.highest, path.stat().st_size - FORMAT.beginning - len(line) - 1


def read(game: Any, path: pathlib.Path) -> FiledLayers:
    """Return the layers of a game in a file.

    Raises:
        TablebaseError: the file cannot be read, is damaged, or belongs to another game.
    """
    header, values = FORMAT.read_with_header(path, LayersHeader)
    if (header.game, header.parameters) != (game.name, msgspec.to_builtins(parameters(game))):
        raise TablebaseError(f"{path} belongs to another game: build it again")
    if len(values) != sum(game.positions(layer) for layer in range(header.highest + 1)):
        raise FORMAT.damaged(path, "its number of values is wrong")
    return FiledLayers(game, path, header.highest, values)
