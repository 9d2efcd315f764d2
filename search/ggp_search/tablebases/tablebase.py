"""A tablebase for searches: the addresses of its layers, their values, and where its files are."""

import os
import pathlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import attrs

from ggp.compiler import machine
from ggp.compiler.intrinsics import save
from ggp.errors import TablebaseError
from ggp.game import MAX, AnyGame, Ranking, State, capable
from ggp_search.memory.buffer import Buffer
from ggp_search.tablebases import former_layers, layer_file, provenance
from ggp_search.tablebases.best_play import KnownValue, KnownValues
from ggp_search.tablebases.directory import TablebasePaths, default_directory
from ggp_search.tablebases.former_layers import FormerFile
from ggp_search.tablebases.layer_file import MappedFile
from ggp_search.tablebases.probe import LAYERS, SECTIONS, TablebaseProbe
from ggp_search.tablebases.ranking import has_ranking, is_layered, ranking_of


@attrs.define
class Tablebase(KnownValues):
    """The layers from 0 to `layers` - 1 of a tablebase, all of them complete."""

    game: AnyGame
    ranking: Ranking[State]
    layers: int = 0
    _directory: Buffer = attrs.field(factory=lambda: Buffer(8 * SECTIONS * LAYERS))
    _held: list[object] = attrs.field(factory=list)

    @property
    def files(self) -> list[MappedFile | FormerFile]:
        """The files of the layers; empty if the tablebase is only in memory."""
        return [each for each in self._held if isinstance(each, MappedFile | FormerFile)]

    @property
    def count(self) -> int:
        """Number of positions."""
        return sum(sum(self.ranking.sections(layer)) for layer in range(self.layers))

    @property
    def address(self) -> int:
        """The address of the directory; see `ggp_search.tablebases.probe`."""
        return self._directory.address

    def probe(self) -> TablebaseProbe:
        """Return the object that probes the tablebase for a search."""
        return TablebaseProbe(self.game, self)

    def place_at(self, layer: int, address: int, memory: object) -> None:
        """Set the address of a layer, whose sections follow each other in `memory`. A reference to
        `memory` is stored.
        """
        self._held.append(memory)
        for section, size in enumerate(self.ranking.sections(layer)):
            self.place_section(layer, section, address)
            address += size

    def place_section(self, layer: int, section: int, address: int) -> None:
        """Set the address of one section; the caller must keep its memory alive."""
        save(self.address + 8 * (SECTIONS * layer + section), address)

    def layer(self, state: State) -> int:
        """Return the layer of a state that is not terminal."""
        return self.ranking.layer(state)

    def value(self, state: State) -> float | None:
        """Return the exact value to MAX of a state that is not terminal; None if its layer is missing."""
        known = self.probe()
        return float(known.value(state)) if known.holds(state) else None

    def look(self, state: State) -> KnownValue | None:
        """See `KnownValues`."""
        known = self.probe()
        if self.game.terminal_test(state):
            value = self.game.utility(state, MAX)
        elif known.holds(state):
            value = known.value(state)
        else:
            return None
        return KnownValue(lower=value, upper=value)


def open_tablebase(game: AnyGame, directory: str | os.PathLike[str], layers: int = LAYERS) -> Tablebase:
    """Return the game's tablebase in a directory: the layers from 0 up to the first one that is missing.

    Arguments:
        layers: the greatest number of layers.

    Raises:
        UnsupportedGameError: the game has no tablebases.
        TablebaseError: a file is damaged, or belongs to another game.
    """
    paths, base = TablebasePaths.of(game, directory), Tablebase(game, ranking_of(game))
    if is_layered(game):
        _add_former(base, former_layers.path_of(game, paths.directory), layers)
    mapped = []
    for layer in range(base.layers, layers):
        path = paths.layer(layer)
        if not path.exists():
            break
        mapped.append(map_layer(paths, base, path, layer))
    with ThreadPoolExecutor(os.cpu_count()) as executor:  # checksums are reckoned without the interpreter's lock
        list(executor.map(layer_file.check, mapped))
    return base


def _add_former(base: Tablebase, path: pathlib.Path, layers: int) -> None:
    """Add the layers in a file of the former format, up to `layers`, if there is such a file."""
    if not path.exists():
        return
    file: FormerFile = former_layers.read(capable(base.game), path)
    address, held = file.buffer.address, [file]
    for layer in range(min(layers, file.layers)):
        base.place_at(layer, address, held.pop() if held else file.buffer)
        base.layers, address = layer + 1, address + sum(base.ranking.sections(layer))


def map_layer(paths: TablebasePaths, base: Tablebase, path: pathlib.Path, layer: int) -> MappedFile:
    """Add a layer's file to the tablebase as its next layer, without reading the data.

    Raises:
        TablebaseError: the file belongs to another game or layer.
    """
    mapped = layer_file.open_mapped(path)
    require(paths, mapped, layer, None, base.ranking.sections(layer))
    base.place_at(layer, mapped.address, mapped)
    base.layers = layer + 1
    return mapped


def require(paths: TablebasePaths, mapped: MappedFile, layer: int, section: int | None, sizes: tuple[int, ...]) -> None:
    """Check that a file's header matches its name.

    Raises:
        TablebaseError: the header does not match.
    """
    header = mapped.header
    if (header.game, header.parameters) != (paths.game, dict(paths.parameters)):
        what = f"{header.game} {_named(header.parameters)}, and not of {paths.game} {_named(paths.parameters)}"
    elif (header.layer, header.section) != (layer, section):
        what = f"layer {header.layer}, and not of layer {layer}"
    elif header.sections != sizes:
        what = f"another numbering of the positions of {paths.game}"
    else:
        return
    raise TablebaseError(f"{mapped.path} is a tablebase of {what}: {layer_file.AGAIN}")


def _named(parameters: Mapping[str, object]) -> str:
    return " ".join(f"{name}={value}" for name, value in parameters.items())


_OPENED: dict[tuple[pathlib.Path, str], Tablebase] = {}
"""Cache of opened tablebases; each checksum is verified once."""


def find_tablebase(game: AnyGame, directory: str | None = None) -> Tablebase | None:
    """Return the game's tablebase for use by searches, from a directory or from the default one. Return None if there
    is no tablebase.

    Raises:
        TablebaseError: a file is damaged, or belongs to another game.
    """
    return find_layers(game, directory) if machine.available() else None


def find_layers(game: AnyGame, directory: str | None = None) -> Tablebase | None:
    """Return the game's tablebase as `find_tablebase` does, but also if there is no compiler: then its values can be
    read, but searches cannot probe it.
    """
    if not has_ranking(game):
        return None
    paths = TablebasePaths.of(game, directory if directory is not None else default_directory())
    if not paths.directory.is_dir():
        return None
    key = paths.directory, paths.prefix
    if key not in _OPENED:
        base = open_tablebase(game, paths.directory)
        if not base.layers:
            return None
        provenance.warn_of_others(game.name, paths.directory, base.files)
        _OPENED[key] = base
    return _OPENED[key]
