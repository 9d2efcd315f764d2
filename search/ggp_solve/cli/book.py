"""`ggp book`: make opening books and opening tables."""

import pathlib
import time
from collections.abc import Mapping
from typing import TypeVar

import attrs
import click
from click.core import ParameterSource

from ggp import capabilities, opening_table
from ggp import opening_book as book
from ggp.capabilities import player_names
from ggp.cli.console import echo
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.number_options import takes_number
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, takes_position
from ggp.errors import GGPError, StoreError, UsageError
from ggp.escapes import short
from ggp.game import AnyGame
from ggp.number_text import many
from ggp.storage import Format, converted, decoded, encoded
from ggp_solve.proof.opening_values import OpeningValues, opening_layers, require_opening_table
from ggp_solve.proof.winning_strategy import NODES, Tried, WinningStrategy, won_value

FORMAT = Format("record of attempts", 1, StoreError, "remove it, and make the book from the beginning", 256 << 20)
"""The format of the file that stores the attempts of an unfinished book."""
PROVED = Format(
    "record of proved positions", 1, StoreError, "remove it, and make the table from the beginning", 256 << 20
)
"""The format of the file that stores the values of an unfinished opening table."""
SUFFIX = ".attempts"
"""Suffix of the file with the attempts or the values; it follows the name of the file that is made."""
NO_TABLE = {"side": "--side", "nodes": "--nodes", "board": "--position", "moves": "--moves"}
"""The parameters of the command that do not work with --plies, since they are about a winning strategy; each with its
option.
"""
WorkT = TypeVar("WorkT", bound=attrs.AttrsInstance)
EVERY = 10.0
"""Seconds between two saves of the unfinished work."""


@attrs.frozen(kw_only=True)
class Attempts:
    """The attempts to prove values for a book that is not finished."""

    game: str
    parameters: Mapping[str, object]
    side: int
    nodes: int
    tried: Tried


@attrs.frozen(kw_only=True)
class ProvedPositions:
    """The values that are proved for an opening table that is not finished."""

    game: str
    parameters: Mapping[str, object]
    plies: int
    values: Mapping[str, float]
    """The value to MAX of positions of the last ply."""


@click.group("book", cls=HelpfulGroup, section="Solve")
def command() -> None:
    """Make opening books and opening tables."""


@command.command("make", cls=Helpful)
@takes_position
@takes_number("--plies", "Make an opening table of all positions of at most this number of plies.", minimum=1)
@click.option("--side", metavar="NAME", help="The side that wins (default: the side to move).")
@takes_number(
    "--nodes", "States in the search that proves a position at the end of the book.", default=NODES, minimum=1
)
@takes_number("--seconds", "Maximum processor time to spend (default: no limit).", minimum=0, type=float)
@click.option(
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False),
    help="The book to add to, or the table to make.",
)
def make(
    session: Session,
    position: Position,
    plies: int | None,
    side: str | None,
    nodes: int,
    seconds: float | None,
    output: str,
) -> None:
    """Make a book of a side's winning strategy: one move for each position of the side, against every reply.

    The book ends at positions in which a search of --nodes states proves the win. So a player who has the book, and who
    can search this many states in a move, never gives the win away. A game ships its book as book.jsonl in its package.

    With --plies, make an opening table instead: the exact values of all positions of the first plies. A game ships its
    table as openings.table in its package.

    Ctrl-C and --seconds end the command early: the results so far are in FILE.attempts, and the same command goes on
    from there.
    """
    game = position.game
    if plies is not None:
        source = click.get_current_context().get_parameter_source
        for name, flag in NO_TABLE.items():
            if source(name) is ParameterSource.COMMANDLINE:
                raise UsageError(f"{flag} does not work with --plies: a table has all positions from the start on")
        _make_table(game, plies, seconds, pathlib.Path(output))
        return
    if position.over:
        raise UsageError("the game is over: there is nothing to play")
    who = _side(position, side)
    path, tried_path = pathlib.Path(output), pathlib.Path(f"{output}{SUFFIX}")
    for each, form in ((path, book.FORMAT), (tried_path, FORMAT)):
        form.require_place(each)
    if path.exists():
        book.read(path)  # what is no book is refused now
    parameters = capabilities.parameters(position.game)
    about = Attempts(game=game.name, parameters=parameters, side=who, nodes=nodes, tried={})
    about = _continued(FORMAT, tried_path, about, "tried", "game, side or number of nodes")
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
    """Return the player whose name is `side`; if `side` is None, the player to move."""
    names = player_names(position.game)
    if side is None:
        return position.game.to_move(position.state)
    sides = [index for index, name in enumerate(names) if name.lower() == side.lower()]
    if not sides:
        raise UsageError(f"there is no side {side!r}: the sides are {' and '.join(names)}")
    return sides[0]


def _continued(form: Format, path: pathlib.Path, begun: WorkT, results: str, what: str) -> WorkT:
    """Return the unfinished work in a file; `begun`, whose field `results` is empty, if the file does not exist.

    Raises:
        UsageError: the work was begun for another game or with other arguments, which `what` names.
    """
    if not path.exists():
        return begun
    try:
        before = converted(decoded(form.read(path)), type(begun))
    except ValueError as error:
        raise form.damaged(path, str(error)) from None
    if encoded(attrs.asdict(before) | {results: {}}) != encoded(begun):
        raise UsageError(f"{path} is about another {what}: remove it to begin anew")
    return before


def _make_table(game: AnyGame, plies: int, seconds: float | None, path: pathlib.Path) -> None:
    """Make an opening table, or continue an unfinished one."""
    require_opening_table(game)
    proved_path = path.with_name(f"{path.name}{SUFFIX}")
    for each, form in ((path, opening_table.FORMAT), (proved_path, PROVED)):
        form.require_place(each)
    begun = ProvedPositions(game=game.name, parameters=capabilities.parameters(game), plies=plies, values={})
    before = _continued(PROVED, proved_path, begun, "values", "game or number of plies").values
    with ProgressLine() as line:
        layers = opening_layers(game, plies, lambda found: line.show(f"{found:,} positions found"))
        opening = OpeningValues(game, layers)
        wrong = next((text for text, value in before.items() if not opening.is_value(text, value)), None)
        if wrong is not None:
            raise PROVED.damaged(proved_path, f"{short(wrong)!r} cannot have the value {before[wrong]:g} there")
        opening.proved |= before
        written = [time.monotonic()]

        def save() -> None:
            values = dict(opening.proved)  # a copy, since the search goes on
            PROVED.write(proved_path, encoded(attrs.evolve(begun, values=values)))
            written[0] = time.monotonic()

        def look() -> None:
            line.show(*opening.progress(), share=len(opening.proved) / max(1, len(opening.unproved)))
            if time.monotonic() - written[0] > EVERY:
                save()

        try:
            complete = opening.run(seconds, look)
            interrupted = opening.control.reason == "interrupt"
        except KeyboardInterrupt:
            complete, interrupted = False, True
    if not complete:
        save()
        if interrupted:
            raise Stopped(
                f"interrupted: `ggp book make` with the same arguments goes on from {proved_path}", INTERRUPTED
            )
        raise Stopped(f"not done in the time given: the same command goes on from {proved_path}", 1)
    if opening.note:
        echo(f"ggp: note: {opening.note}", err=True)
    values = opening.values()
    opening_table.write(path, game, plies, values)
    proved_path.unlink(missing_ok=True)
    number, most = many(len(values), "position"), many(plies, "ply", "plies")
    echo(f"{number} of at most {most} in {path}, {path.stat().st_size:,} bytes")
