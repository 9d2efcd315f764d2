"""Build tablebases, in files or in memory.

If a game numbers its positions in layers, the layers are built one after another, and the sections of a layer in
parallel. Each finished section is a file; when all sections of a layer are finished, they are joined to form the
layer's file. So an interrupted build resumes from the finished sections. For any other game, all positions that can be
reached are enumerated and solved, and are written to one file. Proofs build low layers in memory while they run.
"""

import contextlib
import os
import pathlib
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait

import msgspec
from ggp_search.memory.buffer import Buffer
from ggp_search.tablebases import layer_file, position_table, provenance
from ggp_search.tablebases.directory import TablebasePaths
from ggp_search.tablebases.position_table import PositionHeader, PositionTable
from ggp_search.tablebases.probe import LAYERS, SECTIONS
from ggp_search.tablebases.ranking import LayeredRanking, ranking_of
from ggp_search.tablebases.tablebase import Tablebase, map_layer, open_tablebase, require

from ggp import capabilities
from ggp.compiler.types import describe
from ggp.errors import TablebaseError, UnsupportedGameError, UsageError
from ggp.files import locked, sweep
from ggp.game import AnyGame, capable
from ggp.storage import encoded
from ggp_solve.memory.columns import two_bytes
from ggp_solve.solver import Solver
from ggp_solve.tablebases.layer_solver import require_layered
from ggp_solve.tablebases.section_solver import SolveSection, is_fast, section_solver

PATIENCE = 0.1
"""Seconds between two reports."""

Submit = Callable[[int, int], "Future[None]"]
"""`submit(layer, section)` starts the work on the file of a section."""
Report = Callable[[int, int, int], None]
"""`report(layer, filled, positions)` is called in the caller's thread: `filled` of the layer's `positions` are solved.
"""


class _Stopped(Exception):
    """The build was asked to stop."""


def build_files(
    game: AnyGame,
    directory: str | os.PathLike[str],
    layer: int,
    *,
    threads: int = 1,
    executor: Executor | None = None,
    report: Report = lambda layer, filled, positions: None,
) -> Tablebase:
    """Build and return all layers up to `layer`; layers whose files exist are not built again.

    If another process is building the same tablebase, this function waits for that process.

    Arguments:
        threads: the number of sections built at the same time, in threads of this process.
        executor: runs the work on sections in other processes instead; the processes must have access to the directory.

    Raises:
        UnsupportedGameError: the game has no tablebases.
        UsageError: the game's layers do not go up to `layer`, or there is not enough memory.
        TablebaseError: a value does not fit into a byte; or a file is damaged, belongs to another game, or cannot be
            written.
    """
    ranking = ranking_of(game)
    if isinstance(ranking, LayeredRanking):
        require_layered(capable(game), layer)
    require_layers(game, ranking.sections, layer)
    paths = TablebasePaths.of(game, directory)
    with contextlib.suppress(OSError):  # writing a file reports it
        paths.directory.mkdir(parents=True, exist_ok=True)
    with locked(paths.lock, f"waiting for another process that builds this tablebase of {game.name}"):
        base = open_tablebase(game, directory, layer + 1)
        sweep(paths.directory, f"{paths.prefix}-*")
        with _elsewhere(paths, game, executor) if executor else _threads(paths, base, threads) as submit:
            for each in range(base.layers, layer + 1):
                _make_layer(paths, base, each, submit, report)
                provenance.remember(base.files[-1:])
    return base


def require_layers(game: AnyGame, sections: Callable[[int], tuple[int, ...]], highest: int) -> None:
    """Check that layers up to `highest` can be numbered.

    Each of these layers must have at least one section, and at most `SECTIONS` sections.

    Raises:
        UsageError: the layers cannot be numbered.
    """
    most = max((layer for layer in range(LAYERS) if _has_room(sections(layer))), default=0)
    if highest > most:
        raise UsageError(
            f"the tablebase of {game.name} cannot have layer {highest}: with these parameters, {most} is the last"
        )


def _has_room(sizes: tuple[int, ...]) -> bool:
    return 0 < len(sizes) <= SECTIONS


@contextlib.contextmanager
def _threads(paths: TablebasePaths, base: Tablebase, number: int) -> Iterator[Submit]:
    """Solve sections in threads of this process."""
    solve, stop = section_solver(base.game, number), threading.Event()

    def check() -> None:
        if stop.is_set():
            raise _Stopped

    pool = ThreadPoolExecutor(number)
    try:
        yield lambda layer, section: pool.submit(write_section, paths, base, solve, layer, section, check)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _elsewhere(paths: TablebasePaths, game: AnyGame, executor: Executor) -> Iterator[Submit]:
    """Build sections in other processes."""
    try:
        yield lambda layer, section: executor.submit(write_section_there, paths, game, layer, section)
    except BrokenExecutor:
        raise TablebaseError(
            "a process that filled sections of a tablebase has died: run the same command again, and it resumes from"
            " the finished sections"
        ) from None


def _make_layer(paths: TablebasePaths, base: Tablebase, layer: int, submit: Submit, report: Report) -> None:
    """Write the file of the next layer, and add the layer to the tablebase."""
    sizes = base.ranking.sections(layer)
    left = [section for section in range(len(sizes)) if not _is_ready(paths, base, layer, section)]
    waiting = {submit(layer, section): section for section in sorted(left, key=lambda each: -sizes[each])}
    filled = sum(sizes) - sum(sizes[section] for section in left)
    report(layer, filled, sum(sizes))
    while waiting:
        done, _ = wait(waiting, PATIENCE, FIRST_COMPLETED)
        for future in done:
            future.result()
            filled += sizes[waiting.pop(future)]
        report(layer, filled, sum(sizes))
    _join(paths, base, layer)
    map_layer(paths, base, paths.layer(layer), layer)


def _is_ready(paths: TablebasePaths, base: Tablebase, layer: int, section: int) -> bool:
    """Return whether the section's file exists and is intact; a damaged file is built again."""
    path = paths.section(layer, section)
    if not path.exists():
        return False
    try:
        mapped = layer_file.open_mapped(path)
        require(paths, mapped, layer, section, (base.ranking.sections(layer)[section],))
        layer_file.check(mapped)
    except TablebaseError:
        return False
    return True


def _join(paths: TablebasePaths, base: Tablebase, layer: int) -> None:
    """Join the files of a layer's sections to form the layer's file; the files of the sections are then no longer
    needed.
    """
    parts = [paths.section(layer, section) for section in range(len(base.ranking.sections(layer)))]
    mapped = [layer_file.open_mapped(path) for path in parts]
    header = layer_file.LayerHeader(
        game=paths.game,
        parameters=dict(paths.parameters),
        layer=layer,
        section=None,
        sections=tuple(each.header.positions for each in mapped),
        checksums=tuple(checksum for each in mapped for checksum in each.header.checksums),
    )
    with contextlib.ExitStack() as stack:
        layer_file.write(paths.layer(layer), header, [stack.enter_context(each.data()) for each in mapped])
    for path in parts:
        path.unlink(missing_ok=True)


def write_section(
    paths: TablebasePaths,
    base: Tablebase,
    solve: SolveSection,
    layer: int,
    section: int,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Solve a section, and write its file.

    Arguments:
        base: the tablebase with all layers below.
        check: called from time to time; if it raises an exception, the work ends.
    """
    size = base.ranking.sections(layer)[section]
    buffer = Buffer(size)
    base.place_section(layer, section, buffer.address)
    solve(layer, section, base.address, check)
    with memoryview(buffer.memory) as view, view[:size] as data:
        header = layer_file.LayerHeader(
            game=paths.game,
            parameters=dict(paths.parameters),
            layer=layer,
            section=section,
            sections=(size,),
            checksums=(zlib.crc32(data),),
        )
        layer_file.write(paths.section(layer, section), header, [data])


_THERE: dict[tuple[str, str], tuple[Tablebase, SolveSection]] = {}
"""The tablebase, by directory and prefix, for which this process solves sections; there is at most one."""


def write_section_there(paths: TablebasePaths, game: AnyGame, layer: int, section: int) -> None:
    """Build a section in a new process, which reads the layers below the section from the directory."""
    key = str(paths.directory), paths.prefix
    if key not in _THERE:
        _THERE.clear()
        _THERE[key] = Tablebase(game, ranking_of(game)), section_solver(game)
    base, solve = _THERE[key]
    for each in range(base.layers, layer):
        map_layer(paths, base, paths.layer(each), each)
    write_section(paths, base, solve, layer, section)


def build_position_table(solver: Solver, directory: pathlib.Path) -> PositionTable:
    """Build and return the table of all positions that a solver has solved.

    Raises:
        TablebaseError: the states cannot be stored, or the file cannot be written.
    """
    game, enumeration = solver.game, solver.found
    positions = enumeration.packed()
    layout = positions.layout
    iteration = solver.iteration
    if iteration is None:
        columns = [two_bytes(column, enumeration.count) for column in (enumeration.values, enumeration.distances)]
    else:
        columns = [column.content(enumeration.count) for column in (iteration.lower, iteration.upper)]
    header = PositionHeader(
        game=game.name,
        parameters=msgspec.to_builtins(capabilities.parameters(game)),
        method=solver.method,
        positions=positions.count,
        slots=positions.slots,
        stride=layout.stride,
        fields=layout.fields,
        kind=describe(layout.kind),
        worths=tuple(enumeration.worths) if iteration is None else (),
    )
    path = position_table.path_of(game, directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise position_table.FORMAT.unwritable(path, error) from None
    position_table.FORMAT.write(path, encoded(header), positions.states, positions.index, *columns)
    tablebase = position_table.read(game, path)
    provenance.remember([tablebase])
    return tablebase


def new_tablebase(game: AnyGame) -> Tablebase | None:
    """Return an empty tablebase; None for a game whose positions are not numbered, or that cannot be compiled."""
    ranking = capabilities.ranking(game)
    return Tablebase(game, ranking) if ranking is not None and is_fast(game) else None


def require_tablebase(game: AnyGame) -> None:
    """Check that `new_tablebase` returns a tablebase.

    Raises:
        UnsupportedGameError: the game has no tablebases here; the message says why.
    """
    ranking_of(game)
    if new_tablebase(game) is None:
        raise UnsupportedGameError(f"{game.name} has no tablebase in memory here: building one needs machine speed")


def grow(tablebase: Tablebase, highest: int, room: int, threads: int, check: Callable[[], None]) -> Iterator[int]:
    """Build one layer after another, and yield each layer before it is built.

    Arguments:
        highest: the last layer to build.
        room: the maximum number of positions of the tablebase; a layer that exceeds it is not built.
        threads: the number of sections of a layer that are built in parallel.
        check: called between sections; raises SearchStopped to end the build.
    """
    sizes = tablebase.ranking.sections
    positions = sum(sum(sizes(layer)) for layer in range(tablebase.layers))
    solve: SolveSection | None = None
    for layer in range(tablebase.layers, min(highest + 1, LAYERS)):
        positions += sum(sizes(layer))
        if positions > room or len(sizes(layer)) > SECTIONS:
            return
        yield layer
        solve = solve or section_solver(tablebase.game, threads)
        _make_in_memory(tablebase, layer, solve, threads, check)
        tablebase.layers = layer + 1


def _make_in_memory(
    tablebase: Tablebase, layer: int, solve: SolveSection, threads: int, check: Callable[[], None]
) -> None:
    sizes = tablebase.ranking.sections(layer)
    buffer = Buffer(sum(sizes))
    tablebase.place_at(layer, buffer.address, buffer)

    def make(section: int) -> None:
        solve(layer, section, tablebase.address, check)

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(make, sorted(range(len(sizes)), key=lambda section: -sizes[section])))


def build(game: AnyGame, layers: int, threads: int = 1) -> Tablebase:
    """Build the layers 0 to `layers` - 1 in memory, and return them.

    Raises:
        UnsupportedGameError: the game has no tablebases.
        TablebaseError: a value does not fit into a byte.
    """
    made = Tablebase(game, ranking_of(game))
    for _ in grow(made, layers - 1, 1 << 62, threads, lambda: None):
        pass
    return made
