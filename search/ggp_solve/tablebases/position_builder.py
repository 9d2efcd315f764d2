"""Building a position table: a game is enumerated and solved, and what is found is put into a file."""

import functools
import pathlib
from typing import Any

import msgspec
from ggp_search.tablebases.position_table import (
    FORMAT,
    PositionHeader,
    PositionLayout,
    PositionTable,
    hash_words,
    lay_out,
    path_of,
    read,
    require_numbers,
)

from ggp.capabilities import parameters
from ggp.compiler.memory import spread
from ggp.compiler.types import NotRepresentable, Type, describe, flatten, join, type_of
from ggp.errors import TablebaseError
from ggp.storage import encoded
from ggp_solve.enumeration import Enumeration
from ggp_solve.solver import Solver


def write(solver: Solver, directory: pathlib.Path) -> PositionTable:
    """Write what a solver found into the file of its game in a directory, and return the table.

    Raises:
        TablebaseError: the states cannot be kept, or the file cannot be written.
    """
    game, found = solver.game, solver.found
    layout, states, index = _packed(found) if found.compiled else _pack(found)
    require_numbers(layout.kind, game.name)
    iteration = solver.iteration
    columns = (found.values, found.distances) if iteration is None else (iteration.lower, iteration.upper)
    header = PositionHeader(
        game=game.name,
        parameters=msgspec.to_builtins(parameters(game)),
        method=solver.method,
        positions=found.count,
        slots=len(index) // 4,
        stride=layout.stride,
        fields=layout.fields,
        kind=describe(layout.kind),
        worths=tuple(found.worths) if iteration is None else (),
    )
    path = path_of(game, directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FORMAT.unwritable(path, error) from None
    FORMAT.write(path, encoded(header), states, index, *(column.content(found.count) for column in columns))
    return read(game, path)


def _packed(found: Enumeration) -> tuple[PositionLayout, bytes, bytes]:
    """Return how the states of a compiled enumeration are packed, their bytes, and those of the index."""
    positions, run = found.positions, found.run
    layout = PositionLayout(run.kind, positions.packing, positions.stride)  # type: ignore[union-attr]
    return (
        layout,
        positions.memory.content(positions.stride * positions.count),
        positions.index.content(positions.slots),
    )


def _pack(found: Enumeration) -> tuple[PositionLayout, bytes, bytes]:
    """Pack the states of an interpreted enumeration; return the same."""
    states = [found.state(number) for number in range(found.count)]
    try:
        kind: Type = functools.reduce(join, map(type_of, states))
        rows = [flatten(state, kind) for state in states]
    except NotRepresentable as error:
        raise TablebaseError(f"the states of {found.game.name} cannot be kept in a file: {error}") from None
    columns: list[Any] = list(zip(*rows, strict=True))
    layout = PositionLayout(
        kind, *lay_out([min(0, *column) for column in columns], [max(0, *column) for column in columns])
    )
    slots = len(rows) * 3 // 2 + 1
    numbers, packed = [0] * slots, []
    for number, words in enumerate(rows):
        slot = spread(hash_words(words), slots)
        while numbers[slot]:
            slot = (slot + 1) % slots
        numbers[slot] = number + 1
        packed.append((layout.packed(words) or 0).to_bytes(layout.stride, "little"))
    return layout, b"".join(packed), b"".join(number.to_bytes(4, "little") for number in numbers)
