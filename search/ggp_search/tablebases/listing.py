"""What tablebases a directory has."""

import json
import pathlib
from typing import Any

from ggp.errors import TablebaseError
from ggp_search.tablebases import files
from ggp_search.tablebases.shelf import SUFFIX


def shelves(directory: pathlib.Path) -> tuple[list[dict[str, Any]], list[str]]:
    """For each game with its parameters what is there, and what is wrong with other files. Data is not looked at.

    Raises:
        TablebaseError: the directory cannot be read.
    """
    headers: dict[str, list[tuple[files.Header, int]]] = {}
    problems = []
    try:
        paths = sorted(path for path in directory.iterdir() if path.suffix == SUFFIX) if directory.exists() else []
    except OSError as error:
        raise TablebaseError(
            f"the directory {directory} cannot be read: {(error.strerror or str(error)).lower()}"
        ) from None
    for path in paths:
        try:
            header = files.read_header(path)
            headers.setdefault(_key(header), []).append((header, path.stat().st_size))
        except TablebaseError as error:
            problems.append(str(error))
    return [_shelf(found) for _, found in sorted(headers.items())], problems


def _key(header: files.Header) -> str:
    return f"{header.game} {json.dumps(header.parameters, sort_keys=True)}"


def _shelf(found: list[tuple[files.Header, int]]) -> dict[str, Any]:
    first, grades = found[0][0], {header.grade for header, _ in found}
    return {
        "game": first.game,
        "parameters": first.parameters,
        "grade": max(grades),
        "missing": sorted(set(range(max(grades))) - grades),
        "positions": sum(header.positions for header, _ in found),
        "bytes": sum(size for _, size in found),
    }
