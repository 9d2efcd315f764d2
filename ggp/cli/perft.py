"""`ggp perft`: how many plays there are."""

import time
from typing import Any

import click

from ggp.cli.help import Helpful
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.cli.words import echo, echo_game, echo_json
from ggp.options import Option

PLIES = Option("DEPTH", int, None, "plies", minimum=0)


@click.command("perft", cls=Helpful)
@takes_position
@click.argument("depth", metavar="DEPTH")
@as_json
def command(session: Session, position: Position, depth: str, as_json: bool) -> None:
    """Count the lines of play of each length up to DEPTH.

    The numbers compare one implementation of the rules with another. Outcomes of chance count as actions. The list
    ends where no line of play is that long.
    """
    plies = PLIES.parse(depth)
    rows: list[dict[str, Any]] = []
    if not as_json:
        head = position.head()
        echo_game(head["game"], head["parameters"])
        echo(f"{head['state']}\n\ndepth {'count':>16} {'seconds':>9}")
    for each in range(plies + 1):
        row = count(position, each)
        rows.append(row)
        if not as_json:
            echo(f"{row['depth']:>5} {row['count']:>16,} {row['seconds']:>9.3f}")
        if row["count"] == 0:
            break
    if as_json:
        echo_json(position.head() | {"perft": rows})


def count(position: Position, depth: int) -> dict[str, Any]:
    """Return the number of plays of exactly `depth` plies, and the seconds that counting took, without compiling."""
    from ggp.testing.reference import Watch, compiled_plays, perft

    compiled_plays(position.game, Watch(), depth)
    started = time.perf_counter()
    found = perft(position.game, position.state, depth)
    return {"depth": depth, "count": found, "seconds": time.perf_counter() - started}
