"""Implement `ggp match`: which of two players is stronger."""

import click

from ggp.cli import completion
from ggp.cli.experiment import GAMES_OF_A_TEST, ExperimentOptions, conduct, takes_experiment, takes_sprt
from ggp.cli.help import Helpful
from ggp.cli.session import Position, Session, takes_position
from ggp.experiments import SPRT

GAMES = 100
"""Default number of games."""


@click.command("match", cls=Helpful)
@takes_position
@click.argument("one", metavar="PLAYER", shell_complete=completion.players)
@click.argument("other", metavar="PLAYER", shell_complete=completion.players)
@takes_sprt
@takes_experiment
def command(session: Session, position: Position, one: str, other: str, sprt: str | None, **given: object) -> None:
    """Play many games between two players to find the stronger one.

    A player is a level (easy, medium, hard), or a searcher with its options and limits (alphabeta:depth=6). Each start
    is played twice with sides swapped. The report gives wins, draws and losses, the score, the Elo difference with its
    95 % interval from pairs of games, the advantage of a side, and the cost of a move.

    The same seed gives the same games in any number of processes, unless a player is limited by time.
    """
    options = ExperimentOptions.of(given)
    test = SPRT.parse(sprt) if sprt is not None else None
    default = GAMES_OF_A_TEST if test else GAMES
    experiment = options.experiment(session, position, (one, other), ((0, 1),), default)
    conduct(options, experiment, session, position.game, test)
