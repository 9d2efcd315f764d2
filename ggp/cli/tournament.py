"""Implement `ggp tournament`: ratings of several players."""

import click

from ggp.cli import completion
from ggp.cli.experiment import GAMES_OF_A_TEST, ExperimentOptions, conduct, conduct_all, takes_experiment, takes_sprt
from ggp.cli.help import Helpful
from ggp.cli.session import Position, Session, takes_position
from ggp.errors import UsageError
from ggp.experiments import SPRT, gauntlet, round_robin
from ggp.experiments.starts import EVEN
from ggp.options import split_options

GAMES = 40
"""Default number of games of each pair of players."""


@click.command("tournament", cls=Helpful)
@takes_position
@click.argument("players", metavar="PLAYER...", nargs=-1, shell_complete=completion.players)
@click.option("--gauntlet", "against_first", is_flag=True, help="Play only the pairs with the first player.")
@click.option(
    "--also",
    metavar="GAME[:NAME=VALUE,...]",
    multiple=True,
    shell_complete=completion.games,
    help="Also play this game, with its parameters; the ratings are over all games. May be repeated.",
)
@takes_sprt
@takes_experiment
def command(
    session: Session,
    position: Position,
    players: tuple[str, ...],
    against_first: bool,
    also: tuple[str, ...],
    sprt: str | None,
    **given: object,
) -> None:
    """Rate several players in a round robin.

    Players are written as for `ggp match`, and every pair plays from the same starts. The report gives Bradley-Terry
    ratings in Elo with their errors, and a cross table. With a sequential test, two players stop playing each other as
    soon as the test has decided between them.
    """
    options = ExperimentOptions.of(given)
    if len(players) < 2:
        raise UsageError(f"a tournament needs two players or more; got {len(players)}")
    if len(set(players)) < len(players):
        raise UsageError(
            "a player is named twice; the players of a tournament must differ (`ggp match` lets a player play itself)"
        )
    couples = (gauntlet if against_first else round_robin)(len(players))
    test = SPRT.parse(sprt) if sprt is not None else None
    default = GAMES_OF_A_TEST if test else GAMES
    if not also:
        conduct(options, options.experiment(session, position, players, couples, default), session, position.game, test)
        return
    if options.starts not in (None, EVEN):
        raise UsageError(
            "a file of starts is for one game: leave out --starts, or use `ggp experiment run` with starts for each"
            " game"
        )
    places = [position, *(_position(session, text) for text in also)]
    experiments = [(each.game, options.experiment(session, each, players, couples, default)) for each in places]
    conduct_all(options, experiments, session, test)


def _position(session: Session, text: str) -> Position:
    """Return the start of a game that is written as GAME:NAME=VALUE,..."""
    name, _, options = text.partition(":")
    if name == "gdl":  # its names have a colon
        name, _, options = text.removeprefix("gdl:").partition(":")
        name = f"gdl:{name}"
    game = session.registry.parse_game(name, split_options(options))
    return Position(game, game.initial_state())
