"""`ggp play`: a game between humans, searchers, or one of each."""

import functools
import sys
from collections.abc import Callable, Sequence

import attrs
import click

from ggp import capabilities
from ggp.cli import completion, questions, tui_match
from ggp.cli.keyboard_match import (
    Asker,
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
from ggp.cli.prompt import Prompt
from ggp.cli.session import Position, Session, position_options
from ggp.errors import UsageError
from ggp.game import MAX, MIN
from ggp.levels import against_person
from ggp.play import Human, Match, TimeControl
from ggp.play.controller import default_opponent
from ggp.play.match import new_seed
from ggp.play.players import HUMAN


@attrs.frozen
class Setting:
    """Settings of the games to play."""

    position: Position
    players: tuple[str, str]
    seed: int | None
    timing: TimeControl | None
    quiet: bool
    store: str | None
    keeps: bool


@click.command("play", cls=PlayCommand)
@click.argument("name", metavar="[GAME]", required=False, shell_complete=completion.games)
@position_options
@takes_players
@click.option("--seed", type=int, help="Seed of the dice and of players without a seed of their own.")
@click.option(
    "--clock",
    metavar="game=S,increment=S,move=S",
    help="Seconds for the game, an increment for each move, or seconds for each move.",
)
@click.option("--quiet", is_flag=True, help="Print the result only.")
@click.option("--tui", is_flag=True, help="Play in a full-screen terminal app.")
@takes_store
@click.option("--no-store", "unkept", is_flag=True, help="Do not record the game.")
@click.pass_obj
def command(
    session: Session,
    /,
    name: str | None,
    parameters: Sequence[str],
    board: str | None,
    moves: str | None,
    first: str | None,
    second: str | None,
    seed: int | None,
    clock: str | None,
    quiet: bool,
    tui: bool,
    store: str | None,
    unkept: bool,
    **named: str | None,
) -> None:
    """Play a game against the computer, or let two players play.

    Without GAME, the program asks for everything. A player is `human` (human:name=Ann), a level (easy, medium, hard;
    hard:seconds=5 thinks longer), a searcher with its options and limits (alphabeta:depth=6), or replay:RECORD. A
    searcher without a limit takes one second per move. Instead of --first and --second, you can use the game's own
    names, such as --south or --x. By default you play against the game's level `medium`.

    Every move is saved at once: `ggp resume` continues an interrupted game. At the prompt, ? lists what you can
    enter. The exit status is 1 if the input ends before the game does, and 130 after Ctrl-C.
    """
    if tui and quiet:
        raise UsageError("--tui and --quiet cannot be used together: --tui shows the board, --quiet does not")
    prompt = prompt_for(session, quiet)
    asker: Asker = prompt
    play: PlayOut = functools.partial(play_out, prompt)
    if tui:
        asker = app = tui_match.new_input()
        play = functools.partial(tui_match.play_out_in_app, session, app)
    if name is None and (parameters or board is not None or moves):
        raise UsageError("--option, --position and --moves need the name of a game, as in `ggp play nim`")
    if name is None:
        game = questions.ask_game(session, prompt)
        position = Position(game, game.initial_state())
        players = _asked(session, position, prompt, {"first": first, "second": second} | named)
    else:
        position = session.position(name, parameters, board, moves)
        players = _filled(session, position, {"first": first, "second": second} | named)
    timing = None if clock is None else TimeControl.parse(clock)
    setting = Setting(position, players, seed, timing, quiet, store, not unkept)
    _play(session, setting, prompt, asker, play)


PlayOut = Callable[[Match, MatchView, str], None]
"""Plays a match to its end, at the prompt or in the app. The last argument is the command with which the user can
resume the match later.
"""


def _play(session: Session, setting: Setting, prompt: Prompt, asker: Asker, play: PlayOut) -> None:
    """Play a match, and further ones while the human asks for more."""
    game, human = setting.position.game, any(text.partition(":")[0] == HUMAN for text in setting.players)
    asks = prompt.agrees if human else None
    with opened(setting.store, setting.keeps, asks) as store:
        seed = setting.seed
        while True:
            first, second = (
                new_player(
                    session,
                    against_person(session.registry, text, game) if human else text,
                    game,
                    asker,
                    seed=None if seed is None else seed + side,
                    name=text,
                )
                for side, text in enumerate(setting.players)
            )
            dice = new_seed() if seed is None else seed
            match = Match(game, (first, second), setting.position.state, dice, timing=setting.timing)
            start_recording(store, match, setting.store is not None, asks)
            command = resume_command(session, setting.store)
            play(match, MatchView(game, match.players, setting.quiet), command)
            at_terminal = sys.stdin.isatty() and any(isinstance(player, Human) for player in match.players)
            if not (at_terminal and prompt.agrees("\nPlay again?")):
                return
            seed = None if seed is None else seed + 2


def _filled(session: Session, position: Position, given: dict[str, str | None]) -> tuple[str, str]:
    """Return the two players. Return the two players. A player who is not named is a human, or the game's usual level
    if the other player is human.
    """
    first, second = sides(position.game, given)
    if len(capabilities.players(position.game)) == 1:
        return first or HUMAN, second or HUMAN
    second = second or default_opponent(session.registry, position.game, first or HUMAN)
    return first or default_opponent(session.registry, position.game, second), second


def _asked(session: Session, position: Position, prompt: Prompt, given: dict[str, str | None]) -> tuple[str, str]:
    """Return the two players; the human is asked for players that are not given."""
    first, second = sides(position.game, given)
    if first is not None and second is not None:
        return first, second
    wanted = questions.ask_players(session, position.game, prompt)
    return first or wanted[MAX], second or wanted[MIN]
