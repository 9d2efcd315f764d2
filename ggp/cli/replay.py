"""Implement `ggp replay`: print a game again, step through it, search its positions again, or continue it from any
move.
"""

import sys

import click

from ggp import capabilities
from ggp.cli.console import assignments, echo, echo_line
from ggp.cli.failure import FAILURE, Stopped
from ggp.cli.keyboard_match import (
    new_player,
    opened,
    play_out,
    prompt_for,
    resume_command,
    start_recording,
    takes_store,
)
from ggp.cli.match_view import MatchView
from ggp.cli.player_options import PlayCommand, sides, takes_players
from ggp.cli.prompt import InputEndedError, Prompt
from ggp.cli.record import maker
from ggp.cli.session import Session, opens_files
from ggp.errors import UsageError
from ggp.files import STANDARD_INPUT
from ggp.game import AnyGame
from ggp.play import Human, Machine, Match, PlayedMove, Record
from ggp.play.record_sources import read_record
from ggp.play.replay import Make, game_of, replay
from ggp.searcher import SearchResult
from ggp.show.value_text import value_text


@click.command("replay", cls=PlayCommand)
@click.argument("source", metavar="RECORD")
@click.option("--from", "begin", metavar="N", type=click.IntRange(min=0), help="Start after move N.")
@takes_players
@click.option("--again", is_flag=True, help="Let the machine players think again, and compare their moves.")
@click.option("--step", "stepping", is_flag=True, help="Wait for Enter after each move.")
@click.option("--quiet", is_flag=True, help="Print moves only.")
@opens_files
@takes_store
@click.option("--no-store", "unkept", is_flag=True, help="Do not record the continued game.")
@click.pass_obj
def command(
    session: Session,
    /,
    source: str,
    begin: int | None,
    first: str | None,
    second: str | None,
    again: bool,
    stepping: bool,
    quiet: bool,
    open_files: bool,
    store: str | None,
    unkept: bool,
    **named: str | None,
) -> None:
    """Show a recorded game, or play on from any of its moves.

    RECORD is the number of a stored game, a file, or - for standard input. With a player for either side (--south
    hard), play continues after move N as a new game; the record names the other player. The record is checked first: if
    it cannot be replayed, the message names the first wrong move.
    """
    if source == STANDARD_INPUT and (stepping or (first, second) != (None, None) or any(named.values())):
        raise UsageError("- reads the record from standard input, which --step and players need: give a file")
    record = read_record(source, store)
    make = maker(session, record, source, open_files or source.isdigit())
    match = replay(session.registry, record, _called(source), make=make)
    start = begin or 0
    if start > len(match.moves):
        raise UsageError(f"{_called(source)} has {len(match.moves)} moves: --from must be from 0 to {len(match.moves)}")
    wanted = sides(match.game, {"first": first, "second": second} | named)
    if wanted != (None, None):
        if again or stepping:
            raise UsageError("--again and --step show a game, and cannot be used with players, who continue it")
        _play_on(session, record, make, len(match.moves) if begin is None else begin, wanted, quiet, store, not unkept)
    elif again:
        _again(session, record, match, start)
    else:
        _show(match, record, start, quiet, Prompt(sys.stdin, quiet) if stepping else None)


def _called(source: str) -> str:
    return f"game {source}" if source.isdigit() else source


def _show(match: Match, record: Record, start: int, quiet: bool, prompt: Prompt | None) -> None:
    """Print the heading, and each move after the first `start` moves with the board."""
    first, second = record.players
    echo_line(f"{record.game} {assignments(record.parameters)}".rstrip())
    echo_line(f"{first.side}: {first.name}, {second.side}: {second.name}, {record.began}")
    view = MatchView(match.game, match.players, quiet)
    so_far = match.moves[start - 1].after if start else match.start
    if not quiet:
        view.show_state(so_far)
    for number, move in enumerate(match.moves[start:], start + 1):
        if prompt:
            try:
                prompt.read("Enter: the next move ")
            except InputEndedError:
                raise Stopped(f"the input ended before the game did, after move {number - 1}", FAILURE) from None
        echo_line(f"{number}. {view.describe(move)}")
        if not quiet:
            view.show_state(move.after)
    echo_line(view.result(match))


def _again(session: Session, record: Record, match: Match, start: int) -> None:
    """Print what the machine players would play now, and mark the moves that differ from the record."""
    prompt, text = Prompt(sys.stdin, True), capabilities.notation(match.game)
    players = [new_player(session, each.player, match.game, prompt, name=each.name) for each in record.players]
    asked = differing = 0
    for number, move in enumerate(match.moves[start:], start + 1):
        player = players[move.mover] if move.mover < len(players) else None
        if not isinstance(player, Machine):
            continue
        asked += 1
        choice = player.choose(match.game, move.before)
        same = choice.action == move.action
        differing += not same
        now = "the same" if same else text.format_action(move.before, choice.action)
        played = text.format_action(move.before, move.action)
        value = "" if choice.thinking is None else _values(match.game, move, choice.thinking)
        side = record.players[move.mover].side
        echo_line(f"{number}. {side} ({player.name}) played {played}, now {now}{value}")
    if not asked:
        raise UsageError("no move here was made by a machine player, so --again has nothing to repeat")
    echo(f"{differing} of {asked} moves differ.")


def _values(game: AnyGame, move: PlayedMove, now: SearchResult) -> str:
    before, value = move.thinking, value_text(game, now.value, exact=now.exact)
    if before is None or before.value == now.value:
        return f"  [{value}]"
    return f"  [{value_text(game, before.value, exact=before.exact)}, now {value}]"


def _play_on(
    session: Session,
    record: Record,
    make: Make,
    begin: int,
    wanted: tuple[str | None, str | None],
    quiet: bool,
    store: str | None,
    keeps: bool,
) -> None:
    """Play a new game from move `begin`. Players that are not given are taken from the record."""
    game, prompt = game_of(session.registry, record, make=make), prompt_for(session, quiet)
    first, second = (
        new_player(session, text, game, prompt)
        if text is not None
        else new_player(session, each.player, game, prompt, name=each.name)
        for text, each in zip(wanted, record.players, strict=True)
    )
    match = replay(session.registry, record, players=(first, second), moves=begin, make=make)
    human = any(isinstance(player, Human) for player in match.players)
    asks = prompt.agrees if human else None
    with opened(store, keeps, asks) as games:
        start_recording(games, match, store is not None, asks)
        play_out(prompt, match, MatchView(game, match.players, quiet), resume_command(session, store))
