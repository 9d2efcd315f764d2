"""Inventory: the tablebases in a directory."""

import json
import pathlib
from collections.abc import Mapping
from typing import TypedDict

from ggp_search.tablebases import former_layers, layer_file, position_table
from ggp_search.tablebases.directory import SUFFIX

from ggp.errors import TablebaseError
from ggp.files import reason


class StoredTable(TypedDict):
    """The stored tables of one game with certain parameters, as `inventory` lists them."""

    game: str
    parameters: Mapping[str, object]
    layer: int | None
    """The highest layer; None for a table of the whole game."""
    missing: list[int]
    """Lower layers that are missing."""
    positions: int
    bytes: int


def inventory(directory: pathlib.Path) -> tuple[list[StoredTable], list[str]]:
    """Return the stored layers of each game with its parameters, and the errors of all other files.

    Raises:
        TablebaseError: the directory cannot be read.
    """
    tables: list[StoredTable] = []
    headers: dict[str, list[tuple[layer_file.LayerHeader, int]]] = {}
    problems = []
    try:
        paths = sorted(directory.iterdir()) if directory.exists() else []
    except OSError as error:
        raise TablebaseError(f"the directory {directory} cannot be read: {reason(error)}") from None
    for path in paths:
        try:
            if path.suffix in (position_table.SUFFIX, former_layers.SUFFIX):
                tables.append(_header_of(path))
            if path.suffix != SUFFIX:
                continue
            header = layer_file.read_header(path)
            headers.setdefault(_key(header), []).append((header, path.stat().st_size))
        except TablebaseError as error:
            problems.append(str(error))
    summaries = [*map(_summary, headers.values()), *tables]
    return sorted(summaries, key=lambda each: (each["game"], json.dumps(each["parameters"], sort_keys=True))), problems


def _header_of(path: pathlib.Path) -> StoredTable:
    """Return the header of the file of a whole game, or of a file in the former format of layers."""
    reader = position_table if path.suffix == position_table.SUFFIX else former_layers
    game, parameters, layer, positions = reader.summary(path)
    size = path.stat().st_size
    return {
        "game": game,
        "parameters": parameters,
        "layer": layer,
        "missing": [],
        "positions": positions,
        "bytes": size,
    }


def _key(header: layer_file.LayerHeader) -> str:
    return f"{header.game} {json.dumps(header.parameters, sort_keys=True)}"


def _summary(files: list[tuple[layer_file.LayerHeader, int]]) -> StoredTable:
    first, layers = files[0][0], {header.layer for header, _ in files}
    return {
        "game": first.game,
        "parameters": first.parameters,
        "layer": max(layers),
        "missing": sorted(set(range(max(layers))) - layers),
        "positions": sum(header.positions for header, _ in files),
        "bytes": sum(size for _, size in files),
    }
