"""`ggp match`: which of two players is the stronger one."""

from typing import Any

import click

from ggp.cli import completion
from ggp.cli.experiment import Plan, conduct, takes_experiment
from ggp.cli.help import Helpful
from ggp.cli.session import Position, Session, takes_position
from ggp.experiments import SPRT

GAMES = 100
"""Games that are played where nothing is said."""
GAMES_OF_A_TEST = 4000
"""The same where a sequential test may stop it before."""


@click.command("match", cls=Helpful)
@takes_position
@click.argument("one", metavar="PLAYER", shell_complete=completion.players)
@click.argument("other", metavar="PLAYER", shell_complete=completion.players)
@click.option("--sprt", metavar="elo0=0,elo1=20", help="Stop as soon as it is sure which difference is nearer.")
@takes_experiment
def command(session: Session, position: Position, one: str, other: str, sprt: str | None, **given: Any) -> None:
    """Let two players play many games of GAME, and tell which is the stronger one.

    A player is a level (easy, medium, hard), or a searcher with its options and limits, NAME:depth=6. Each start
    position is played twice, sides swapped. Reported are wins, draws and losses, the score, the Elo difference with
    its 95 % interval from pairs of games, what the first player has of it, and what a move took.

    The same seed gives the same games, in one process or in many, unless a player's limit is a time.
    """
    plan = Plan.of(given)
    test = SPRT.parse(sprt) if sprt is not None else None
    default = GAMES_OF_A_TEST if test else GAMES
    experiment = plan.experiment(session, position, (one, other), ((0, 1),), default)
    conduct(plan, experiment, position.game, test)
