"""Building a position table: enumerate and solve a game, and write the values to a file."""

import pathlib

import msgspec
from ggp_search.tablebases.position_table import FORMAT, PositionHeader, PositionTable, path_of, read, require_numbers

from ggp.capabilities import parameters
from ggp.compiler.types import describe
from ggp.storage import encoded
from ggp_solve.memory.columns import two_bytes
from ggp_solve.memory.packing import packed
from ggp_solve.solver import Solver


def write(solver: Solver, directory: pathlib.Path) -> PositionTable:
    """Write the results of a solver to the file of its game in a directory, and return the table.

    Raises:
        TablebaseError: the states cannot be stored, or the file cannot be written.
    """
    game, enumeration = solver.game, solver.found
    positions = packed(enumeration)
    layout = positions.layout
    require_numbers(layout.kind, game.name)
    iteration = solver.iteration
    if iteration is None:
        columns = [two_bytes(column, enumeration.count) for column in (enumeration.values, enumeration.distances)]
    else:
        columns = [column.content(enumeration.count) for column in (iteration.lower, iteration.upper)]
    header = PositionHeader(
        game=game.name,
        parameters=msgspec.to_builtins(parameters(game)),
        method=solver.method,
        positions=positions.count,
        slots=positions.slots,
        stride=layout.stride,
        fields=layout.fields,
        kind=describe(layout.kind),
        worths=tuple(enumeration.worths) if iteration is None else (),
    )
    path = path_of(game, directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FORMAT.unwritable(path, error) from None
    FORMAT.write(path, encoded(header), positions.states, positions.index, *columns)
    return read(game, path)
