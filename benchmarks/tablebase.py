"""`python -m benchmarks tablebase`: the cost of tablebases of Kalah, and a comparison of a sample with full searches.

python -m benchmarks tablebase                   # the cost of each layer in memory, one thread, processor time
python -m benchmarks tablebase --sample 10000    # this many positions of a layer, compared with full searches
"""

import random
import time
from collections.abc import Iterator
from math import comb

import click
from ggp_search.memory.buffer import Buffer
from ggp_search.tablebases.probe import LAYERS
from ggp_solve.proof.proof_solver import solve
from ggp_solve.proof.solution import Resources
from ggp_solve.tablebases import Tablebase, default_directory, open_tablebase, ranking_of
from ggp_solve.tablebases.section_solver import section_solver

import ggp
from benchmarks import machine
from benchmarks.report import ReportTable
from ggp.capabilities import notation

LEAST = 1_000_000
"""Minimum number of positions of a layer that is measured; smaller layers are built too quickly to be measured."""


def positions(houses: int, layer: int) -> int:
    """Return how many positions of Kalah have at most `layer` seeds in play, and at least one on each side."""
    return comb(layer + 2 * houses, 2 * houses) - 2 * comb(layer + houses, houses) + 1


def costs(houses: int, most: int) -> Iterator[tuple[int, int, float]]:
    """Yield each layer, with its number of positions and its seconds. Stop before a layer that has, together with the
    layers below it, more than `most` positions.
    """
    game = ggp.load_registry().game("kalah", houses=houses)
    base, solve_section = Tablebase(game, ranking_of(game)), section_solver(game)
    for layer in range(LAYERS):
        sizes = base.ranking.sections(layer)
        if positions(houses, layer) > most:
            break
        buffer = Buffer(sum(sizes))
        base.place_at(layer, buffer.address, buffer)
        began = time.process_time()
        for section in range(len(sizes)):
            solve_section(layer, section, base.address, lambda: None)
        yield layer, sum(sizes), time.process_time() - began


def cost_table(most: int) -> ReportTable:
    """Return the cost of layers for three to six houses."""
    rows = []
    for houses in range(3, 7):
        for layer, count, seconds in costs(houses, most):
            if count >= LEAST:
                up_to, each = positions(houses, layer), seconds / count * 1e9
                rows.append((str(houses), str(layer), f"{count:,}", f"{up_to:,}", f"{seconds:.2f}", f"{each:.0f}"))
    return ReportTable(("houses", "layer", "positions", "up to it", "seconds", "ns each"), tuple(rows))


def compare(directory: str, layer: int, sample: int, seed: int) -> int:
    """Compare random positions of a layer of six houses with searches without a tablebase; return how many differ."""
    game = ggp.load_registry().game("kalah")
    text = notation(game)
    base, draws = open_tablebase(game, directory), random.Random(seed)
    sizes, wrong = base.ranking.sections(layer), 0
    for number in range(sample):
        (section,) = draws.choices(range(len(sizes)), sizes)
        state = base.ranking.unrank(layer, section, draws.randrange(sizes[section]))
        solved = solve(game, state, Resources(memory=64))
        if solved.layers or solved.value != base.value(state):
            wrong += 1
            click.echo(f"{text.format_state(state)}: {solved.value} by search, {base.value(state)} by the tablebase")
        if number % 1000 == 999:
            click.echo(f"{number + 1:,} positions", err=True)
    return wrong


@click.command("tablebase")
@click.option("--most", default=50_000_000, show_default=True, help="Build at most this number of positions.")
@click.option("--sample", default=0, help="Compare this number of positions with full searches instead.")
@click.option(
    "--directory", default=str(default_directory()), help="Directory of the tablebase from which the sample is drawn."
)
@click.option("--layer", default=20, show_default=True, help="Of the sample.")
@click.option("--seed", default=0, show_default=True, help="Of the sample.")
def command(most: int, sample: int, directory: str, layer: int, seed: int) -> None:
    """Measure the cost of tablebases, and check that they are right."""
    if sample:
        wrong = compare(directory, layer, sample, seed)
        click.echo(f"{sample:,} positions of layer {layer}: {wrong} differ from a full search")
        raise SystemExit(1 if wrong else 0)
    click.echo(f"{machine.processor()}, one thread, processor time\n")
    click.echo(cost_table(most).markdown())
