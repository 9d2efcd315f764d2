"""Building: the layers of a tablebase in files, one after the other, the sections of a layer side by side.

A section that is ready is a file of its own, and when all of a layer are there, they become the layer's file. So a
build that ends, however it does, goes on from the sections that it had.
"""

import contextlib
import os
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait

from ggp_search.memory.buffer import Buffer
from ggp_search.tablebases import layer_file, provenance
from ggp_search.tablebases.directory import TablebasePaths, ranking_of
from ggp_search.tablebases.probe import LAYERS, SECTIONS
from ggp_search.tablebases.tablebase import Tablebase, map_layer, open_tablebase, require

from ggp.errors import TablebaseError, UsageError
from ggp.files import locked, sweep
from ggp.game import AnyGame
from ggp_solve.tablebases.generator import SolveSection, section_solver

CHUNK = 1 << 20
"""Positions that are filled between two looks at whether to stop."""
PATIENCE = 0.1
"""Seconds between two reports."""

Submit = Callable[[int, int], "Future[None]"]
"""`submit(layer, section)`: have the section's file built."""
Report = Callable[[int, int, int], None]
"""`report(layer, filled, positions)`: how many of a layer's positions are solved. Called in the caller's thread."""


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

    Another process that builds the same tablebase is waited for.

    Arguments:
        threads: the number of sections built at the same time, in threads of this process.
        executor: what fills the sections instead, in other processes, which have to see the directory.

    Raises:
        UnsupportedGameError: the game has no tablebases.
        UsageError: the game's layers do not go up to `layer`, or there is not enough memory.
        TablebaseError: a value does not fit into a byte; a file is damaged, of something else, or cannot be written.
    """
    ranking = ranking_of(game)
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
    """Require that layers up to `highest` can be numbered, each in no more sections than there is room for.

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
    """Fill sections in threads of this process."""
    solve, stop = section_solver(base.game), threading.Event()

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
    """Make the file of the next layer, and put it into the tablebase."""
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
    """Make the file of a layer of those of its sections, which are no longer needed then."""
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
        base: has all layers below.
        check: called now and then; what it raises ends the work.
    """
    size = base.ranking.sections(layer)[section]
    buffer = Buffer(size)
    base.place_section(layer, section, buffer.address)
    for first in range(0, size, CHUNK):
        check()
        solve(layer, section, first, min(first + CHUNK, size), base.address)
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
"""The tablebase that a process fills sections of, by directory and prefix: at most one."""


def write_section_there(paths: TablebasePaths, game: AnyGame, layer: int, section: int) -> None:
    """Build a section in a new process, which reads the layers below from the directory."""
    key = str(paths.directory), paths.prefix
    if key not in _THERE:
        _THERE.clear()
        _THERE[key] = Tablebase(game, ranking_of(game)), section_solver(game)
    base, solve = _THERE[key]
    for each in range(base.layers, layer):
        map_layer(paths, base, paths.layer(each), each)
    write_section(paths, base, solve, layer, section)
