"""`ggp book`: make opening books."""

import pathlib
import time
from collections.abc import Mapping

import attrs
import click

from ggp import capabilities
from ggp import opening_book as book
from ggp.capabilities import player_names
from ggp.cli.console import echo
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.number_options import takes_number
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, takes_position
from ggp.errors import GGPError, StoreError, UsageError
from ggp.number_text import many
from ggp.storage import Format, converted, decoded, encoded
from ggp_solve.proof.winning_strategy import NODES, Tried, WinningStrategy, won_value

FORMAT = Format("record of attempts", 1, StoreError, "remove it, and make the book from the beginning", 256 << 20)
"""The format of the file that stores the attempts of an unfinished book."""
SUFFIX = ".attempts"
"""Suffix of the name of the file with the attempts, after the name of the book's file."""
EVERY = 10.0
"""Seconds between two times at which the attempts are written."""


@attrs.frozen(kw_only=True)
class Attempts:
    """The attempts to prove values for a book that is not finished."""

    game: str
    parameters: Mapping[str, object]
    side: int
    nodes: int
    tried: Tried


@click.group("book", cls=HelpfulGroup, section="Solve")
def command() -> None:
    """Make opening books."""


@command.command("make", cls=Helpful)
@takes_position
@click.option("--side", metavar="NAME", help="The side that wins (default: the one to move).")
@takes_number(
    "--nodes", "States in the search that proves a position at the end of the book.", default=NODES, minimum=1
)
@takes_number("--seconds", "Processor time to spend at most (default: no limit).", minimum=0, type=float)
@click.option("--output", metavar="FILE", required=True, type=click.Path(dir_okay=False), help="The book to add to.")
def make(
    session: Session, position: Position, side: str | None, nodes: int, seconds: float | None, output: str
) -> None:
    """Make a book of a side's winning strategy: one move for each of its positions, against every reply.

    The book ends where a search of --nodes states proves the win, so that a player who has the book, and can search
    that many states in a move, never gives the win away. A game ships its book as book.jsonl in its package.

    Ctrl-C and --seconds end it early: the attempts so far are in FILE.attempts, and the same command goes on from
    there.
    """
    game = position.game
    if position.over:
        raise UsageError("the game is over: there is nothing to play")
    who = _side(position, side)
    path, tried_path = pathlib.Path(output), pathlib.Path(f"{output}{SUFFIX}")
    for each, form in ((path, book.FORMAT), (tried_path, FORMAT)):
        form.require_place(each)
    if path.exists():
        book.read(path)  # what is no book is refused now
    parameters = capabilities.parameters(position.game)
    about = Attempts(
        game=game.name, parameters=parameters, side=who, nodes=nodes, tried=_tried(tried_path, position, who, nodes)
    )
    written = [time.monotonic()]
    with ProgressLine(limit=seconds) as line:

        def keep() -> None:
            line.show(*strategy.progress())
            if time.monotonic() - written[0] > EVERY:
                FORMAT.write(tried_path, encoded(about))
                written[0] = time.monotonic()

        strategy = WinningStrategy(session.registry, game, position.state, who, nodes, about.tried, keep)
        try:
            wins = strategy.run(seconds)
        except KeyboardInterrupt:
            FORMAT.write(tried_path, encoded(about))
            raise Stopped(
                f"interrupted: `ggp book make` with the same arguments goes on from {tried_path}", INTERRUPTED
            ) from None
    name = player_names(game)[who]
    if wins is None:
        FORMAT.write(tried_path, encoded(about))
        raise Stopped(f"not done in the time given: the same command goes on from {tried_path}", 1)
    if not wins:
        raise GGPError(f"{name} does not win: there is no such strategy, and no book is written")
    value = won_value(game, who)
    assert value is not None
    new = book.add_strategy(path, game, value, strategy.lines())
    tried_path.unlink(missing_ok=True)
    echo(f"{name} wins: {many(new, 'new position')} in {path}")


def _side(position: Position, side: str | None) -> int:
    """Return the player of that name; without a name, the player to move."""
    names = player_names(position.game)
    if side is None:
        return position.game.to_move(position.state)
    sides = [index for index, name in enumerate(names) if name.lower() == side.lower()]
    if not sides:
        raise UsageError(f"there is no side {side!r}: the sides are {' and '.join(names)}")
    return sides[0]


def _tried(tried_path: pathlib.Path, position: Position, side: int, nodes: int) -> Tried:
    """Return the attempts in a file; none if the file does not exist.

    Raises:
        UsageError: the attempts were made for another game, or with other arguments.
    """
    if not tried_path.exists():
        return {}
    try:
        attempts = converted(decoded(FORMAT.read(tried_path)), Attempts)
    except ValueError as error:
        raise FORMAT.damaged(tried_path, str(error)) from None
    head = position.head()
    same = encoded(attempts.parameters) == encoded(head["parameters"])
    if (attempts.game, attempts.side, attempts.nodes) != (head["game"], side, nodes) or not same:
        raise UsageError(f"{tried_path} is about another game, side or number of nodes: remove it to begin anew")
    return dict(attempts.tried)
