"""`ggp play`: a game between humans, searchers, or one of each."""

import re
import sys
from typing import Any

import click

from ggp import capabilities
from ggp.cli import completion
from ggp.cli.failure import FAILURE, INTERRUPTED, Stopped
from ggp.cli.help import Helpful
from ggp.cli.prompt import InputEndedError, Prompt, QuitError, wants_another
from ggp.cli.session import Position, Session, takes_position
from ggp.errors import UsageError
from ggp.game import CHANCE, MAX, MIN, Game
from ggp.play import Human, Machine, Match, Move, Participant, make_player, preferred_searcher
from ggp.play.players import HUMAN
from ggp.plugins import Entry, Registry
from ggp.show.numbers import number

SIDES = ("first", "second")
"""The options for MAX and for MIN in every game."""

DEFAULT_NAMES = ("MAX", "MIN")
"""The players of a game that has no names for them."""


class PlayCommand(Helpful):
    """A command whose options for the players go by the names that any game has for them, too."""

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        parameters = super().get_params(context)
        taken = {option for parameter in parameters for option in parameter.opts}
        games = _registry(context).games
        names = sorted({name for entry in games.values() for name in side_names(entry)})
        return parameters + [
            click.Option([f"--{name}", keyword(name)], hidden=True, shell_complete=completion.players)
            for name in names
            if f"--{name}" not in taken
        ]


def _registry(context: click.Context) -> Registry:
    if context.resilient_parsing:  # the shell completes: no word of what cannot be used
        return completion.registry(context)
    return context.ensure_object(Session).registry


def side_names(entry: Entry) -> tuple[str, ...]:
    """What the options for the players of a game are called besides: `south` and `north`."""
    names = getattr(entry.factory, "player_names", DEFAULT_NAMES)
    return tuple(map(option_name, names)) if isinstance(names, (tuple, list)) else ()


def option_name(name: str) -> str:
    """The name of a player as the name of an option."""
    return "-".join(name.lower().split())


def keyword(option: str) -> str:
    """The name of an option for a player as a name in Python."""
    return "side_" + re.sub(r"\W", "_", option)


def takes_players(command: Any) -> Any:
    """`--first` and `--second`."""
    for side, who in zip(reversed(SIDES), ("MIN", "MAX, who begins"), strict=True):
        command = click.option(
            f"--{side}", metavar="PLAYER", shell_complete=completion.players, help=f"Who plays {who}."
        )(command)
    return command


@click.command("play", cls=PlayCommand)
@takes_position
@takes_players
@click.option("--seed", type=int, help="Seeds the dice: what chance does where it moves.")
@click.option("--quiet", is_flag=True, help="Show no boards and no moves, only the result.")
def command(
    session: Session,
    position: Position,
    first: str | None,
    second: str | None,
    seed: int | None,
    quiet: bool,
    **named: str | None,
) -> None:
    """Play GAME: `human` or any searcher on either side.

    A searcher is written with its options and limits, NAME:depth=6; without a limit it takes a second a move. The
    game's own names for the players serve too, such as --south or --x. By default a human plays against the
    searcher that suits the game best.

    At the prompt, ? tells what can be entered, and quit ends the game. The exit status is 1 if the input ends
    before the game does, and 130 after Ctrl-C.
    """
    prompt = Prompt(sys.stdin, quiet)
    texts = sides(session, position.game, {"first": first, "second": second} | named)
    players = [make_player(session.registry, text, position.game, prompt.ask) for text in texts]
    for player in players:
        if isinstance(player, Machine):
            session.uses(player.searcher)
    asks_again = sys.stdin.isatty() and any(isinstance(player, Human) for player in players)
    table = Table(position.game, (players[MAX], players[MIN]), quiet)
    while True:
        match = Match(position.game, table.players, position.state, *(() if seed is None else (seed,)))
        play_out(match, table)
        if not (asks_again and wants_another(prompt)):
            return


def sides(session: Session, game: Game[Any, Any], given: dict[str, str | None]) -> tuple[str, str]:
    """The players as texts, MAX's and MIN's, whatever names of the game they were given under.

    Raises:
        UsageError: a name that the game's players do not have, or a side given twice.
    """
    own = [option_name(name) for name in capabilities.player_names(game)]
    places = {name: side for side, name in enumerate(SIDES)} | {keyword(name): side for side, name in enumerate(own)}
    texts: list[str | None] = [None, None]
    for name, text in given.items():
        if text is None:
            continue
        if name not in places:
            wrong = name.removeprefix("side_")
            raise UsageError(f"{game.name} has no player {wrong!r}: its players are --{own[0]} and --{own[1]}")
        side = places[name]
        if texts[side] is not None:
            raise UsageError(f"--{SIDES[side]} and --{own[side]} are the same player: give one of them")
        texts[side] = text
    return _filled(session, game, texts)


def _filled(session: Session, game: Game[Any, Any], texts: list[str | None]) -> tuple[str, str]:
    """A human where nothing was said, and the preferred searcher against a human."""
    first, second = texts
    if first is None:
        first = preferred_searcher(session.registry, game) if second == HUMAN else HUMAN
    if second is None:
        second = preferred_searcher(session.registry, game) if first == HUMAN else HUMAN
    return first, second


def play_out(match: Match, table: "Table") -> None:
    """Play a match to its end, showing it on the way.

    Raises:
        Stopped: somebody ended it before.
    """
    try:
        table.show_board(match)
        while not match.over:
            table.show_move(match.step())
            table.show_board(match)
    except QuitError:
        raise Stopped(f"you quit after {_moves(match)}", 0) from None
    except InputEndedError:
        raise Stopped(f"the input ended before the game did, after {_moves(match)}", FAILURE) from None
    except KeyboardInterrupt:
        click.echo(err=True)  # the terminal's ^C stands alone
        raise Stopped(f"interrupted: the game is not finished, after {_moves(match)}", INTERRUPTED) from None
    click.echo(table.result(match))


def _moves(match: Match) -> str:
    return f"{len(match.moves)} move{'s' if len(match.moves) != 1 else ''}"


class Table:
    """Shows a match on standard output."""

    def __init__(self, game: Game[Any, Any], players: tuple[Participant, Participant], quiet: bool) -> None:
        self.game = game
        self.players = players
        self.quiet = quiet
        self._names = capabilities.player_names(game)

    def show_board(self, match: Match) -> None:
        """The board as it is."""
        if not self.quiet:
            click.echo(f"\n{capabilities.draw(self.game, match.state).strip(chr(10))}\n")

    def show_move(self, move: Move) -> None:
        """Who played what, and what they thought."""
        if self.quiet:
            return
        action = capabilities.notation(self.game).format_action(move.before, move.action)
        if move.mover == CHANCE:
            click.echo(f"Chance: {action}")
            return
        player = self.players[move.mover]
        who = self._names[move.mover]
        name = "" if isinstance(player, Human) else f" ({player.name})"
        click.echo(f"{who}{name} plays {action}{_thought(move)}")

    def result(self, match: Match) -> str:
        """Who has won, and the utility to both."""
        utility = self.game.utility(match.state, MAX)
        first, second = self._names
        if match.winner is None:
            return f"A draw between {self._who(MAX)} and {self._who(MIN)}."
        return (
            f"{self._who(match.winner)} wins against {self._who(1 - match.winner)}: "
            f"utility {number(utility)} to {first}, {number(-utility)} to {second}."
        )

    def _who(self, side: int) -> str:
        return f"{self._names[side]} ({self.players[side].name})"


def _thought(move: Move) -> str:
    found = move.thinking
    if found is None or found.statistics.depth == 0:
        return ""
    done = found.statistics
    sure = "exact" if found.exact else f"depth {done.depth}"
    return f"  [value {number(found.value)}, {sure}, {done.nodes:,} states, {done.seconds:.2f} s]"
