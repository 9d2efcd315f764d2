"""Building: the grades of a tablebase in files, one after the other, the sections of a grade side by side.

A section that is ready is a file of its own, and when all of a grade are there, they become the grade's file. So a
build that ends, however it does, goes on from the sections that it had.
"""

import contextlib
import os
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from typing import Any

from ggp.errors import TablebaseError, UsageError
from ggp.game import Game
from ggp.storage import locked, sweep
from ggp_search.engine.blocks import Block
from ggp_search.engine.endgames import LAYERS, SECTIONS
from ggp_search.tablebases import files, proved
from ggp_search.tablebases.filling import Fill, filler, ranking_of
from ggp_search.tablebases.held import Tablebase
from ggp_search.tablebases.opening import map_grade, open_tablebase, require
from ggp_search.tablebases.shelf import Shelf

CHUNK = 1 << 20
"""Positions that are filled between two looks at whether to stop."""
PATIENCE = 0.1
"""Seconds between two reports."""

Submit = Callable[[int, int], "Future[None]"]
"""`submit(grade, section)`: have the section's file made."""
Report = Callable[[int, int, int], None]
"""`report(grade, filled, positions)`: so many of a grade's positions are ready. Called in the thread of the caller."""


class _Stopped(Exception):
    """The build was told to stop."""


def build_files(
    game: Game[Any, Any],
    directory: str | os.PathLike[str],
    grade: int,
    *,
    threads: int = 1,
    executor: Executor | None = None,
    report: Report = lambda grade, filled, positions: None,
) -> Tablebase:
    """All grades up to `grade`, those that are there already left as they are.

    Another process that builds the same tablebase is waited for.

    Arguments:
        threads: so many sections are filled at once, in threads of this process.
        executor: what fills the sections instead, in other processes, which have to see the directory.

    Raises:
        UnsupportedGameError: the game has no tablebases.
        UsageError: they do not go up to `grade`, or there is not enough memory.
        TablebaseError: a value does not fit into a byte; a file is damaged, of something else, or cannot be written.
    """
    ranking = ranking_of(game)
    require_grades(game, ranking.sections, grade)
    shelf = Shelf.of(game, directory)
    with contextlib.suppress(OSError):  # which is told when a file is written
        shelf.directory.mkdir(parents=True, exist_ok=True)
    with locked(shelf.lock, f"waiting for another process that builds this tablebase of {game.name}"):
        base = open_tablebase(game, directory, grade + 1)
        sweep(shelf.directory, f"{shelf.prefix}-*")
        with _elsewhere(shelf, game, executor) if executor else _threads(shelf, base, threads) as submit:
            for each in range(base.grades, grade + 1):
                _make_grade(shelf, base, each, submit, report)
                proved.remember(base.files[-1:])
    return base


def require_grades(game: Game[Any, Any], sections: Callable[[int], tuple[int, ...]], highest: int) -> None:
    """Require that grades up to `highest` can be numbered, each in no more sections than there is room for.

    Raises:
        UsageError: they cannot.
    """
    most = max((grade for grade in range(LAYERS) if _has_room(sections(grade))), default=0)
    if highest > most:
        raise UsageError(
            f"the tablebase of {game.name} cannot have grade {highest}: with these parameters, {most} is the last"
        )


def _has_room(sizes: tuple[int, ...]) -> bool:
    return 0 < len(sizes) <= SECTIONS


@contextlib.contextmanager
def _threads(shelf: Shelf, base: Tablebase, number: int) -> Iterator[Submit]:
    """Fills sections in threads of this process."""
    fill, stop = filler(base.game), threading.Event()

    def check() -> None:
        if stop.is_set():
            raise _Stopped

    pool = ThreadPoolExecutor(number)
    try:
        yield lambda grade, section: pool.submit(write_section, shelf, base, fill, grade, section, check)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _elsewhere(shelf: Shelf, game: Game[Any, Any], executor: Executor) -> Iterator[Submit]:
    """Fills sections in other processes."""
    try:
        yield lambda grade, section: executor.submit(write_section_there, shelf, game, grade, section)
    except BrokenExecutor:
        raise TablebaseError(
            "a process that filled sections of a tablebase has died: the same command goes on from those that are ready"
        ) from None


def _make_grade(shelf: Shelf, base: Tablebase, grade: int, submit: Submit, report: Report) -> None:
    """Make the file of the next grade, and put it into the tablebase."""
    sizes = base.ranking.sections(grade)
    left = [section for section in range(len(sizes)) if not _is_ready(shelf, base, grade, section)]
    waiting = {submit(grade, section): section for section in sorted(left, key=lambda each: -sizes[each])}
    filled = sum(sizes) - sum(sizes[section] for section in left)
    report(grade, filled, sum(sizes))
    while waiting:
        done, _ = wait(waiting, PATIENCE, FIRST_COMPLETED)
        for future in done:
            future.result()
            filled += sizes[waiting.pop(future)]
        report(grade, filled, sum(sizes))
    _join(shelf, base, grade)
    map_grade(shelf, base, shelf.grade(grade), grade)


def _is_ready(shelf: Shelf, base: Tablebase, grade: int, section: int) -> bool:
    """Whether the section's file is there and whole; what is damaged is made again."""
    path = shelf.section(grade, section)
    if not path.exists():
        return False
    try:
        mapped = files.open_mapped(path)
        require(shelf, mapped, grade, section, (base.ranking.sections(grade)[section],))
        files.check(mapped)
    except TablebaseError:
        return False
    return True


def _join(shelf: Shelf, base: Tablebase, grade: int) -> None:
    """Make the file of a grade of those of its sections, which are no longer needed then."""
    paths = [shelf.section(grade, section) for section in range(len(base.ranking.sections(grade)))]
    mapped = [files.open_mapped(path) for path in paths]
    header = files.Header(
        game=shelf.game,
        parameters=dict(shelf.parameters),
        grade=grade,
        section=None,
        sections=tuple(each.header.positions for each in mapped),
        checksums=tuple(checksum for each in mapped for checksum in each.header.checksums),
    )
    with contextlib.ExitStack() as stack:
        files.write(shelf.grade(grade), header, [stack.enter_context(each.data()) for each in mapped])
    for path in paths:
        path.unlink(missing_ok=True)


def write_section(
    shelf: Shelf, base: Tablebase, fill: Fill, grade: int, section: int, check: Callable[[], None] = lambda: None
) -> None:
    """Fill a section, and write its file.

    Arguments:
        base: has all grades below.
        check: called now and then; what it raises ends the filling.
    """
    size = base.ranking.sections(grade)[section]
    block = Block(size)
    base.place_section(grade, section, block.address)
    for first in range(0, size, CHUNK):
        check()
        fill(grade, section, first, min(first + CHUNK, size), base.address)
    with memoryview(block.memory) as view, view[:size] as data:
        header = files.Header(
            game=shelf.game,
            parameters=dict(shelf.parameters),
            grade=grade,
            section=section,
            sections=(size,),
            checksums=(zlib.crc32(data),),
        )
        files.write(shelf.section(grade, section), header, [data])


_THERE: dict[tuple[str, str], tuple[Tablebase, Fill]] = {}
"""What a process that fills sections has at hand, by directory and prefix: the one tablebase that it works on."""


def write_section_there(shelf: Shelf, game: Game[Any, Any], grade: int, section: int) -> None:
    """The same in a process that has nothing at hand: the grades below are in the directory."""
    key = str(shelf.directory), shelf.prefix
    if key not in _THERE:
        _THERE.clear()
        _THERE[key] = Tablebase(game, ranking_of(game)), filler(game)
    base, fill = _THERE[key]
    for each in range(base.grades, grade):
        map_grade(shelf, base, shelf.grade(each), each)
    write_section(shelf, base, fill, grade, section)
