"""Tablebases that are made in memory while a solve wants them."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ggp.game import Compiled, Game
from ggp_search import endgames, machine
from ggp_search.blocks import Block
from ggp_search.parts import interpreted
from ggp_search.tablebase import Tablebase, filling_code


def new_tablebase(game: Game[Any, Any]) -> Tablebase | None:
    """An empty tablebase; None for a game whose positions are not numbered, and where there is no machine speed."""
    if not isinstance(game, Compiled) or not machine.available():
        return None
    ranking = game.compiled(interpreted).ranking
    return Tablebase(game, ranking) if ranking else None


def grow(
    tablebase: Tablebase, highest: int, room: int, threads: int, check: Callable[[], None]
) -> Iterator[int]:
    """Make grade after grade, and answer each before it is made.

    Arguments:
        highest: the last grade to make.
        room: no grade is made that brings the tablebase to more positions than this.
        threads: how many sections of a grade are made at once.
        check: called between sections; raises SearchStopped if no more are to be made.
    """
    sizes = tablebase.ranking.sections
    positions = sum(sum(sizes(grade)) for grade in range(tablebase.grades))
    code: machine.Code | None = None
    for grade in range(tablebase.grades, min(highest + 1, endgames.GRADES)):
        positions += sum(sizes(grade))
        if positions > room or len(sizes(grade)) > endgames.SECTIONS:
            return
        yield grade
        code = code or filling_code(tablebase.game)
        _make(tablebase, grade, code, threads, check)
        tablebase.grades = grade + 1


def _make(tablebase: Tablebase, grade: int, code: machine.Code, threads: int, check: Callable[[], None]) -> None:
    sizes = tablebase.ranking.sections(grade)
    block = Block(sum(sizes))
    tablebase.place_at(grade, block.address, block)
    live = machine.Live(endgames=tablebase.address)

    def fill(section: int) -> None:
        check()
        code((grade, section, 0, sizes[section]), (0,), live)

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(fill, sorted(range(len(sizes)), key=lambda section: -sizes[section])))
