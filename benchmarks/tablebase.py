"""`python -m benchmarks tablebase`: what tablebases of Kalah cost, and a sample of them against full searches.

python -m benchmarks tablebase                   # the cost of each grade in memory, one thread, processor time
python -m benchmarks tablebase --sample 10000    # so many positions of a grade against searches without tablebase
"""

import random
import time
from collections.abc import Iterator
from math import comb
from typing import Any

import click
from ggp_search.engine.blocks import Block
from ggp_search.engine.endgames import LAYERS
from ggp_search.solution import Resources
from ggp_search.solving import solve
from ggp_search.tablebases import Tablebase, default_directory, open_tablebase, ranking_of
from ggp_search.tablebases.filling import filler

import ggp
from benchmarks import machine
from benchmarks.report import Table

LEAST = 1_000_000
"""Grades of fewer positions are too quick to be told."""


def positions(houses: int, grade: int) -> int:
    """How many positions of Kalah have at most `grade` seeds in play, and some on each side."""
    return comb(grade + 2 * houses, 2 * houses) - 2 * comb(grade + houses, houses) + 1


def costs(houses: int, most: int) -> Iterator[tuple[int, int, float]]:
    """For each grade while there are no more than `most` positions in all: the grade, its positions, its seconds."""
    game = ggp.load_registry().game("kalah", houses=houses)
    base, fill = Tablebase(game, ranking_of(game)), filler(game)
    for grade in range(LAYERS):
        sizes = base.ranking.sections(grade)
        if positions(houses, grade) > most:
            break
        block = Block(sum(sizes))
        base.place_at(grade, block.address, block)
        began = time.process_time()
        for section, size in enumerate(sizes):
            fill(grade, section, 0, size, base.address)
        yield grade, sum(sizes), time.process_time() - began


def cost_table(most: int) -> Table:
    """The cost of grades for three to six houses."""
    rows = []
    for houses in range(3, 7):
        for grade, count, seconds in costs(houses, most):
            if count >= LEAST:
                up_to, each = positions(houses, grade), seconds / count * 1e9
                rows.append((str(houses), str(grade), f"{count:,}", f"{up_to:,}", f"{seconds:.2f}", f"{each:.0f}"))
    return Table(("houses", "grade", "positions", "up to it", "seconds", "ns each"), tuple(rows))


def compare(directory: str, grade: int, sample: int, seed: int) -> int:
    """Hold random positions of a grade, six houses, to searches without a tablebase; answers how many differ."""
    game: Any = ggp.load_registry().game("kalah")
    base, draws = open_tablebase(game, directory), random.Random(seed)
    sizes, wrong = base.ranking.sections(grade), 0
    for number in range(sample):
        (section,) = draws.choices(range(len(sizes)), sizes)
        state = base.ranking.unrank(grade, section, draws.randrange(sizes[section]))
        solved = solve(game, state, Resources(memory=64))
        if solved.grades or solved.value != base.value(state):
            wrong += 1
            click.echo(f"{game.format_state(state)}: {solved.value} by search, {base.value(state)} by the tablebase")
        if number % 1000 == 999:
            click.echo(f"{number + 1:,} positions", err=True)
    return wrong


@click.command("tablebase")
@click.option("--most", default=50_000_000, show_default=True, help="Build no more positions than so many.")
@click.option("--sample", default=0, help="Compare so many positions with full searches instead.")
@click.option("--directory", default=str(default_directory()), help="Where the tablebase of the sample is.")
@click.option("--grade", default=20, show_default=True, help="Of the sample.")
@click.option("--seed", default=0, show_default=True, help="Of the sample.")
def command(most: int, sample: int, directory: str, grade: int, seed: int) -> None:
    """What tablebases cost, and whether they are right."""
    if sample:
        wrong = compare(directory, grade, sample, seed)
        click.echo(f"{sample:,} positions of grade {grade}: {wrong} differ from a full search")
        raise SystemExit(1 if wrong else 0)
    click.echo(f"{machine.processor()}, one thread, processor time\n")
    click.echo(cost_table(most).markdown())
