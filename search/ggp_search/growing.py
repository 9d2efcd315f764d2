"""Tablebases that are made in memory while a solve wants them."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ggp.errors import UnsupportedGameError
from ggp.game import Game
from ggp_search.engine.blocks import Block
from ggp_search.engine.endgames import LAYERS, SECTIONS
from ggp_search.tablebases.filling import Fill, filler, is_fast, ranking_of
from ggp_search.tablebases.held import Tablebase


def new_tablebase(game: Game[Any, Any]) -> Tablebase | None:
    """An empty tablebase; None for a game whose positions are not numbered, and where there is no machine speed."""
    ranking = getattr(game, "ranking", None)
    return Tablebase(game, ranking) if ranking is not None and is_fast(game) else None


def require_tablebase(game: Game[Any, Any]) -> None:
    """Require that `new_tablebase` makes one.

    Raises:
        UnsupportedGameError: it makes none; the message says why.
    """
    ranking_of(game)
    if new_tablebase(game) is None:
        raise UnsupportedGameError(f"{game.name} has no tablebase in memory here: that takes machine speed")


def grow(tablebase: Tablebase, highest: int, room: int, threads: int, check: Callable[[], None]) -> Iterator[int]:
    """Make grade after grade, and answer each before it is made.

    Arguments:
        highest: the last grade to make.
        room: no grade is made that brings the tablebase to more positions than this.
        threads: how many sections of a grade are made at once.
        check: called between sections; raises SearchStopped if no more are to be made.
    """
    sizes = tablebase.ranking.sections
    positions = sum(sum(sizes(grade)) for grade in range(tablebase.grades))
    fill: Fill | None = None
    for grade in range(tablebase.grades, min(highest + 1, LAYERS)):
        positions += sum(sizes(grade))
        if positions > room or len(sizes(grade)) > SECTIONS:
            return
        yield grade
        fill = fill or filler(tablebase.game)
        _make(tablebase, grade, fill, threads, check)
        tablebase.grades = grade + 1


def _make(tablebase: Tablebase, grade: int, fill: Fill, threads: int, check: Callable[[], None]) -> None:
    sizes = tablebase.ranking.sections(grade)
    block = Block(sum(sizes))
    tablebase.place_at(grade, block.address, block)

    def make(section: int) -> None:
        check()
        fill(grade, section, 0, sizes[section], tablebase.address)

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(make, sorted(range(len(sizes)), key=lambda section: -sizes[section])))
