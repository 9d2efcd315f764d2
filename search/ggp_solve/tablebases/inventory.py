"""What tablebases a directory has."""

import json
import pathlib
from typing import Any

from ggp_search.tablebases import layer_file
from ggp_search.tablebases.directory import SUFFIX

from ggp.errors import TablebaseError


def inventory(directory: pathlib.Path) -> tuple[list[dict[str, Any]], list[str]]:
    """For each game with its parameters what is there, and what is wrong with other layer_file. Data is not looked at.

    Raises:
        TablebaseError: the directory cannot be read.
    """
    headers: dict[str, list[tuple[layer_file.Header, int]]] = {}
    problems = []
    try:
        paths = sorted(path for path in directory.iterdir() if path.suffix == SUFFIX) if directory.exists() else []
    except OSError as error:
        raise TablebaseError(
            f"the directory {directory} cannot be read: {(error.strerror or str(error)).lower()}"
        ) from None
    for path in paths:
        try:
            header = layer_file.read_header(path)
            headers.setdefault(_key(header), []).append((header, path.stat().st_size))
        except TablebaseError as error:
            problems.append(str(error))
    return [_summary(found) for _, found in sorted(headers.items())], problems


def _key(header: layer_file.Header) -> str:
    return f"{header.game} {json.dumps(header.parameters, sort_keys=True)}"


def _summary(found: list[tuple[layer_file.Header, int]]) -> dict[str, Any]:
    first, layers = found[0][0], {header.layer for header, _ in found}
    return {
        "game": first.game,
        "parameters": first.parameters,
        "layer": max(layers),
        "missing": sorted(set(range(max(layers))) - layers),
        "positions": sum(header.positions for header, _ in found),
        "bytes": sum(size for _, size in found),
    }
