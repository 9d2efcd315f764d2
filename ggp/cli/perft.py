"""`ggp perft`: the number of lines of play of each length."""

import click

from ggp.cli.console import echo, echo_json, echo_rows, echo_table
from ggp.cli.help import Helpful
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, write_csv
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.number_text import many
from ggp.options import Option
from ggp.tables import ResultTable

PLIES = Option("DEPTH", int, None, "plies", minimum=0)


@click.command("perft", cls=Helpful)
@takes_position
@click.argument("depth", metavar="DEPTH")
@takes_csv
@as_json
def command(session: Session, position: Position, depth: str, csv: str | None, as_json: bool) -> None:
    """Count the lines of play of each length up to DEPTH.

    Use the numbers to compare one implementation of the rules with another. Outcomes of chance count as actions. The
    list ends earlier if no line of play is that long.
    """
    from ggp.testing.perft_counts import perft_rows

    plies = PLIES.parse(depth)
    rows = ResultTable()
    try:
        if not as_json and csv != STANDARD_OUTPUT:
            echo_rows(position.rows())
            echo()
        with ProgressLine() as line:
            for row in perft_rows(position.game, position.state, plies):
                rows.append(row)
                line.show(f"{row['count']:,} lines of play of {many(len(rows) - 1, 'ply', 'plies')}")
    finally:  # what was counted before Ctrl-C, too
        if csv is not None:
            write_csv(csv, rows.headed(position.head()))
        if as_json:
            echo_json(position.head() | {"perft": rows})
        elif csv != STANDARD_OUTPUT:
            counts = [[str(row["depth"]), f"{row['count']:,}", f"{row['seconds']:.3f}"] for row in rows]
            echo_table([["depth", "count", "seconds"], *counts], texts=())
