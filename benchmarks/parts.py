"""`python -m benchmarks parts`: how many Elo each part of a search is worth on its own, at equal processor time a move.

A part is one option. A searcher with the option plays against the plain searcher, from each start with sides swapped.
Games are stored in journals, so that the same command continues a run that was interrupted.
"""

import os
import pathlib

import attrs
import click
from ggp_search.engine.limits import CLOCK

from benchmarks import machine
from benchmarks.ours import registry
from benchmarks.report import ReportTable
from ggp.errors import GGPError
from ggp.experiments import Experiment, Journal, Results, outcomes, random_starts
from ggp.experiments.experiment import as_texts
from ggp.levels import joined

GAMES = ("kalah", "connectfour", "othello", "breakthrough", "hex", "awari")
PLAIN = {"mcts": "mcts", "alphabeta": "alphabeta:table=16", "negascout": "negascout:table=16"}
"""The opponent of each searcher: the searcher without the measured option."""
PARTS = (
    ("mcts", "decisive=winning"),
    ("mcts", "decisive=both"),
    ("mcts", "suggested=0.5"),
    ("mcts", "rave=100"),
    ("mcts", "rave=1000"),
    ("mcts", "rave=100,reference=50"),
    ("mcts", "minimax=0"),
    ("mcts", "prior=0"),
    ("mcts", "cutoff=10"),
    ("mcts", "winning=0"),
    ("mcts", "keep=true"),
    ("alphabeta", "aspiration=1"),
    ("negascout", "aspiration=1"),
    ("negascout", "reductions=3"),
    ("negascout", "futility=1"),
    ("negascout", "futility=auto"),
    ("negascout", "nulls=2"),
    ("negascout", "singular=0.5"),
)
"""The measured parts: a searcher, and the option that sets the part."""
LONGEST = 400
"""Number of moves after which a game counts as a draw."""
FEW = 2
"""Minimum number of pairs of games for which an interval is reported."""


@attrs.frozen
class Worth:
    """How much a part of the search is worth in a game."""

    wins: int
    draws: int
    losses: int
    elo: tuple[float, float, float]
    """The Elo difference to the plain searcher, with the ends of its 95 % interval."""

    def text(self) -> str:
        """Return the result as a cell of the table."""
        difference, low, high = self.elo
        return f"{difference:+.0f} ({low:+.0f} to {high:+.0f})"


def experiment(name: str, searcher: str, part: str, games: int, seconds: float, seed: int) -> Experiment:
    """Return the match of a searcher with a part against the searcher without the part."""
    game = registry().game(name)
    plain = joined(PLAIN[searcher], f"seconds={seconds:g}")
    return Experiment(
        game=name,
        parameters=as_texts(game),
        players=(joined(plain, part), plain),
        couples=((0, 1),),
        starts=random_starts(game, game.initial_state(), games // 2, None, seed),
        seed=seed,
        longest=LONGEST,
    )


def measured(match: Experiment, file: pathlib.Path) -> Worth:
    """Play the games that are not in the journal yet, and return the result."""
    results, journal = Results(match), Journal.open(file, match)
    try:
        for outcome in outcomes(match, journal=journal):
            results.add(outcome)
    finally:
        journal.close()
    meeting = results.meetings[0]
    return Worth(meeting.wins, meeting.draws, meeting.losses, meeting.pairs.elo())


def able(name: str, searcher: str, part: str) -> bool:
    """Return whether the searcher can play the game with this part."""
    try:
        registry().require(registry().parse_searcher(joined(PLAIN[searcher], part))[0], registry().game(name))
    except GGPError:
        return False
    return True


@click.command("parts")
@click.option(
    "--game", "games_named", multiple=True, type=click.Choice(GAMES), help="Measure in this game; may be repeated."
)
@click.option("--part", "named", multiple=True, metavar="OPTION=VALUE", help="Measure this part; may be repeated.")
@click.option(
    "--games", type=click.IntRange(2 * FEW), default=20, show_default=True, help="Games for each part; must be even."
)
@click.option("--seconds", type=float, default=0.05, show_default=True, help="Processor time of a move.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--journals", type=click.Path(file_okay=False, path_type=pathlib.Path), default=pathlib.Path("dist/parts"),
    show_default=True, help="Folder in which the games are stored.",
)  # fmt: skip
def command(
    games_named: tuple[str, ...],
    named: tuple[str, ...],
    games: int,
    seconds: float,
    seed: int,
    journals: pathlib.Path,
) -> None:
    """Measure what each part of a search is worth alone: Elo against the plain searcher at equal processor time."""
    wrong = [each for each in named if each not in {part for _, part in PARTS}]
    if wrong or games % 2:
        choices = ", ".join(part for _, part in PARTS)
        raise click.UsageError(f"the parts are {choices}, and --games must be even; got {', '.join(wrong) or games}")
    os.environ[CLOCK] = "processor"
    journals.mkdir(parents=True, exist_ok=True)
    names = games_named or GAMES
    rows = []
    for searcher, part in PARTS:
        if named and part not in named:
            continue
        cells = []
        for name in names:
            if not able(name, searcher, part):
                cells.append("-")
                continue
            match = experiment(name, searcher, part, games, seconds, seed)
            worth = measured(match, journals / f"{name}-{searcher}-{part}-{games}-{seconds:g}-{seed}.jsonl")
            click.echo(f"{name} {searcher} {part}: +{worth.wins} ={worth.draws} -{worth.losses}", err=True)
            cells.append(worth.text())
        rows.append((f"`{searcher}` {part}", *cells))
    click.echo(machine.facts())
    click.echo(f"\n{games} games each, {seconds:g} s of processor time a move; Elo with 95 % intervals\n")
    click.echo(ReportTable(("part", *names), tuple(rows)).markdown())
