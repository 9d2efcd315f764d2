"""`ggp perft`: how many plays there are."""

import time

import click

from ggp.cli.console import echo, echo_json, echo_rows, echo_table
from ggp.cli.help import Helpful
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, write_csv
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.numbers import many
from ggp.options import Option
from ggp.tables import Table, flat

PLIES = Option("DEPTH", int, None, "plies", minimum=0)


@click.command("perft", cls=Helpful)
@takes_position
@click.argument("depth", metavar="DEPTH")
@takes_csv
@as_json
def command(session: Session, position: Position, depth: str, csv: str | None, as_json: bool) -> None:
    """Count the lines of play of each length up to DEPTH.

    The numbers compare one implementation of the rules with another. Outcomes of chance count as actions. The list
    ends where no line of play is that long.
    """
    plies = PLIES.parse(depth)
    rows: list[dict[str, float]] = []
    try:
        if not as_json and csv != STANDARD_OUTPUT:
            echo_rows(position.rows())
            echo()
        with ProgressLine() as line:
            for each in range(plies + 1):
                rows.append(row := count(position, each))
                line.show(f"{row['count']:,} lines of play of {many(each, 'ply', 'plies')}")
                if row["count"] == 0:
                    break
    finally:  # what was counted before Ctrl-C, too
        if csv is not None:
            write_csv(csv, Table(flat(position.head()) | row for row in rows))
        if as_json:
            echo_json(position.head() | {"perft": rows})
        elif csv != STANDARD_OUTPUT:
            counts = [[str(row["depth"]), f"{row['count']:,}", f"{row['seconds']:.3f}"] for row in rows]
            echo_table([["depth", "count", "seconds"], *counts], texts=())


def count(position: Position, depth: int) -> dict[str, float]:
    """Return the number of lines of play of exactly `depth` plies, and the seconds of counting, without compiling."""
    from ggp.testing.reference import Watch, compiled_plays, perft

    compiled_plays(position.game, Watch(), depth)
    started = time.perf_counter()
    found = perft(position.game, position.state, depth)
    return {"depth": depth, "count": found, "seconds": time.perf_counter() - started}
