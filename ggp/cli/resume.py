"""`ggp resume`: continue an unfinished game."""

import click

from ggp.cli.console import echo, say
from ggp.cli.failure import FAILURE, Stopped
from ggp.cli.help import Helpful
from ggp.cli.keyboard_match import Asker, new_player, play_out, prompt_for, resume_command, takes_store
from ggp.cli.match_view import MatchView, moves_text
from ggp.cli.record import echo_entries
from ggp.cli.session import Session
from ggp.errors import UsageError
from ggp.game import AnyGame
from ggp.play import Participant, Record
from ggp.play.replay import game_of, replay
from ggp.play.store import Store, StoredMatch, open_store


@click.command("resume", cls=Helpful)
@click.argument("number", metavar="[NUMBER]", type=click.IntRange(min=1), required=False)
@click.option("--list", "listing", is_flag=True, help="List the unfinished games instead.")
@click.option("--quiet", is_flag=True, help="Print the result only.")
@takes_store
@click.pass_obj
def command(session: Session, number: int | None, listing: bool, quiet: bool, store: str | None) -> None:
    """Continue an unfinished game.

    Without NUMBER, the unfinished game that was played last is continued. The game keeps its players and their seeds.
    The moves are checked by replaying them first.
    """
    with open_store(store) as games:
        if listing:
            echo_entries([entry for entry in games.entries(_warn) if entry.ending is None], session.registry)
            return
        number = number or _newest(games)
        record, revision = games.take(number)
        if record.ending is not None:
            raise UsageError(f"game {number} is over: `ggp replay {number} --from N` plays on from any move")
        command = resume_command(session, store)
        _go_on(session, StoredMatch(games, number, revision, len(record.moves)), record, quiet, command)


def _warn(problem: str) -> None:
    say(f"warning: {problem}")


def _newest(games: Store) -> int:
    for entry in games.entries(_warn):
        if entry.ending is None:
            return entry.number
    raise Stopped(f"there is no unfinished game in {games.path}: `ggp play` begins one", FAILURE)


def _go_on(session: Session, keeper: StoredMatch, record: Record, quiet: bool, again: str) -> None:
    source = f"game {keeper.number} of {keeper.store.path}"
    game, prompt = game_of(session.registry, record, source, session.registry.game), prompt_for(session, quiet)
    players = recorded_players(session, record, game, prompt)
    match = replay(session.registry, record, source, players=players, make=session.registry.game)
    match.keeper = keeper.save
    if not quiet:
        echo(f"Game {keeper.number}, after {moves_text(match)}:")
    if match.ending is not None:  # the record says nothing of it, and the rules do
        keeper.save(match)
    play_out(prompt, match, MatchView(game, match.players, quiet), again)


def recorded_players(session: Session, record: Record, game: AnyGame, prompt: Asker) -> tuple[Participant, Participant]:
    """Return the players of a record, ready to continue its game."""
    first, second = (new_player(session, each.player, game, prompt, name=each.name) for each in record.players)
    return first, second
