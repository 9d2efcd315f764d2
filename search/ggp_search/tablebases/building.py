"""Building: the grades of a tablebase in files, one after the other, the sections of a grade side by side.

A section that is ready is a file of its own, and when all of a grade are there, they become the grade's file. So a build
that ends, however it does, goes on from the sections that it had.
"""

import contextlib
import os
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from typing import Any

import attrs

from ggp.errors import TablebaseError, UsageError
from ggp.game import Game
from ggp_search import endgames
from ggp_search.blocks import Block
from ggp_search.tablebases import files
from ggp_search.tablebases.filling import Fill, filler, ranking_of
from ggp_search.tablebases.held import Tablebase
from ggp_search.tablebases.opening import map_grade, open_tablebase, require
from ggp_search.tablebases.shelf import Shelf

CHUNK = 1 << 20
"""Positions that are filled between two looks at whether to stop."""
PATIENCE = 0.1
"""Seconds between two reports."""

Tick = Callable[[int], None]
"""Called with the number of positions that were filled since; what it raises ends the filling."""
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
    shelf, base = Shelf.of(game, directory), open_tablebase(game, directory, grade + 1)
    with contextlib.ExitStack() as stack:
        crew = stack.enter_context(_elsewhere(shelf, game, executor) if executor else _threads(shelf, base, threads))
        for each in range(base.grades, grade + 1):
            _make_grade(shelf, base, each, crew, report)
    return base


def require_grades(game: Game[Any, Any], sections: Callable[[int], tuple[int, ...]], highest: int) -> None:
    """Require that grades up to `highest` can be numbered, each in no more sections than there is room for.

    Raises:
        UsageError: they cannot.
    """
    most = max((grade for grade in range(endgames.GRADES) if _has_room(sections(grade))), default=0)
    if highest > most:
        raise UsageError(f"the tablebase of {game.name} cannot have grade {highest}: with these parameters, {most} is the last")


def _has_room(sizes: tuple[int, ...]) -> bool:
    return 0 < len(sizes) <= endgames.SECTIONS


@attrs.frozen
class Crew:
    """Who fills the sections of a grade: `submit(grade, section)`, and what they have filled of those not ready yet."""

    submit: Callable[[int, int], "Future[None]"]
    under_way: Callable[[], int]


@contextlib.contextmanager
def _threads(shelf: Shelf, base: Tablebase, number: int) -> Iterator[Crew]:
    """Threads of this process."""
    stop, counts = threading.Event(), list[int]()
    fill = filler(base.game)

    def tick(filled: int) -> None:
        counts.append(filled)
        if stop.is_set():
            raise _Stopped

    def submit(grade: int, section: int) -> "Future[None]":
        return pool.submit(write_section, shelf, base, fill, grade, section, tick)

    def under_way() -> int:
        return sum(counts)

    pool = ThreadPoolExecutor(number)
    try:
        yield Crew(submit, under_way)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
