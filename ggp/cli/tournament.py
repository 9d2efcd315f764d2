"""`ggp tournament`: how several players stand."""

from typing import Any

import click

from ggp.cli import completion
from ggp.cli.experiment import Plan, conduct, takes_experiment
from ggp.cli.help import Helpful
from ggp.cli.session import Position, Session, takes_position
from ggp.errors import UsageError
from ggp.experiments import gauntlet, round_robin

GAMES = 40
"""Games of each couple that are played where nothing is said."""


@click.command("tournament", cls=Helpful)
@takes_position
@click.argument("players", metavar="PLAYER...", nargs=-1, shell_complete=completion.players)
@click.option("--gauntlet", "against_first", is_flag=True, help="Only the first player meets the others.")
@takes_experiment
def command(session: Session, position: Position, players: tuple[str, ...], against_first: bool, **given: Any) -> None:
    """Let several players of GAME meet each other, and rate them.

    Players are written as for `ggp match`, and every couple plays from the same starts. Reported are ratings
    (Bradley and Terry's, in Elo) with their errors, and a cross table.
    """
    plan = Plan.of(given)
    if len(players) < 2:
        raise UsageError(f"a tournament is of two players or more, not of {len(players)}")
    if len(set(players)) < len(players):
        raise UsageError("a player is named twice: in a tournament all are different; `ggp match` lets one play itself")
    couples = (gauntlet if against_first else round_robin)(len(players))
    conduct(plan, plan.experiment(session, position, players, couples, GAMES), position.game)
