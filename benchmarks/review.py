"""`python -m benchmarks review`: how often a review's marks are confirmed by a search of 100 times the nodes.

The games are played by a search of few nodes that plays every fifth move at random, so that there are mistakes of all
kinds. The moves are drawn from all moves at which there was a choice.
"""

import itertools
import random
import time
from collections import Counter
from collections.abc import Iterator

import attrs
import click

from benchmarks import machine
from benchmarks.ours import registry
from benchmarks.report import ReportTable
from ggp import capabilities
from ggp.game import AnyGame, State
from ggp.play import review
from ggp.play.controller import analyst, values_are_means
from ggp.play.review import MoveValue
from ggp.searcher import Limits, Searcher, SearchResult

GAMES = ("kalah", "othello", "connectfour", "checkers", "breakthrough", "awari", "dotsandboxes", "hex")
TIMES, FURTHER = 100, 10
"""The deeper search has `TIMES` times as many nodes as the review's first search.

The deeper search has at least `FURTHER` times as many nodes as the review's last search.
"""
WANTED = 0.95
"""Share of the marks that should be confirmed."""
PLAYER = Limits(nodes=500)
"""Limits of the player that plays the games."""
SLIPS = 0.2
"""Share of random moves."""
LONGEST = 200
"""Maximum number of moves of a game."""
EACH = 3
"""Maximum number of marked moves, and of unmarked moves, from one game.

An ending may repeat the same move many times.
"""


@attrs.frozen
class Checked:
    """A move, with two flags: whether the review marks it, and whether the deeper search does."""

    marked: bool
    holds: bool
    exact: bool
    text: str


def moves(game: AnyGame, searcher: Searcher, dice: random.Random) -> Iterator[tuple[int, object, object]]:
    """Yield the number of the game, a state with a choice, and the action that was played, for game after game."""
    for played in itertools.count():
        state, number = game.initial_state(), 0
        while not game.terminal_test(state) and number < LONGEST:
            actions = capabilities.legal_actions(game, state)
            slips = len(actions) == 1 or dice.random() < SLIPS
            action = dice.choice(actions) if slips else searcher.search(game, state, PLAYER).action
            if len(actions) > 1:
                yield played, state, action
            state, number = game.result(state, action), number + 1


def checked(name: str, number: int, nodes: int, seed: int) -> Iterator[Checked]:
    """Yield `number` moves that the review marks, and as many moves that it does not mark.

    Each move comes with the deeper search's result.
    """
    game = registry().game(name)
    searcher = analyst(registry(), game)
    assert searcher is not None
    mean = values_are_means(registry(), game)

    def search(state: object, limits: Limits) -> SearchResult:
        return searcher.search(game, state, limits)

    dice, left = random.Random(f"{name} {seed}"), {True: number, False: number}
    taken = Counter[tuple[int, bool]]()
    for played, state, action in moves(game, searcher, dice):
        if not left[False] and taken[played, True] == EACH:
            continue
        value = review.reviewed(game, state, action, search, nodes, mean=mean)
        marked = is_marked(game, state, value)
        if left[marked] and taken[played, marked] < EACH and (marked or dice.random() < SLIPS):
            again = review.compared(game, state, action, search, max(TIMES * nodes, FURTHER * value.limit), mean=mean)
            left[marked] -= 1
            taken[played, marked] += 1
            holds = is_marked(game, state, again) == marked
            move = capabilities.notation(game).format_action(state, action)
            where = capabilities.notation(game).format_state(state)
            yield Checked(marked, holds, value.exact, f"{where} {move}: {value} became {again}")
        if not any(left.values()):
            return


def is_marked(game: AnyGame, state: State, value: MoveValue) -> bool:
    """Return whether a move is a mistake or a blunder."""
    return bool(review.judge(game, state, value).verdict)


@click.command("review")
@click.option(
    "--number",
    default=25,
    show_default=True,
    help="Number of marked moves to check in each game, and of unmarked moves.",
)
@click.option("--nodes", default=review.NODES, show_default=True, help="The limit of the review's searches.")
@click.option("--game", "games", multiple=True, type=click.Choice(GAMES), help="Measure this game only; repeatable.")
@click.option("--seed", default=0, show_default=True, help="Seed of the games.")
@click.option("--wrong", is_flag=True, help="Print the moves on which the deeper search disagrees.")
def command(number: int, nodes: int, games: tuple[str, ...], seed: int, wrong: bool) -> None:
    """Measure how often the marks of a review are confirmed."""
    click.echo(f"{machine.processor()}; {nodes:,} nodes a search, checked with {TIMES} times as many\n")
    rows, every = [], list[Checked]()
    for name in games or GAMES:
        began, checks = time.process_time(), list[Checked]()
        for each in checked(name, number, nodes, seed):
            checks.append(each)
            if wrong and not each.holds:
                click.echo(f"{name} {each.text}", err=True)
        rows.append(row(name, checks, time.process_time() - began))
        click.echo(rows[-1], err=True)
        every += checks
    rows.append(row("all", every, 0.0))
    click.echo(
        ReportTable(
            ("game", "marked", "hold", "unmarked", "hold", "exact", "all hold", "seconds"), tuple(rows)
        ).markdown()
    )
    raise SystemExit(0 if sum(each.holds for each in every) >= WANTED * len(every) else 1)


def row(name: str, checks: list[Checked], seconds: float) -> tuple[str, ...]:
    """Return the counts of a game as a row of the table."""
    cells = []
    for marked in (True, False):
        own = [each.holds for each in checks if each.marked is marked]
        cells += [str(len(own)), str(sum(own))]
    exact, hold = sum(each.exact for each in checks), sum(each.holds for each in checks)
    return name, *cells, str(exact), f"{hold / max(1, len(checks)):.1%}", f"{seconds:.0f}" if seconds else ""
