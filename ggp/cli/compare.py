"""`ggp compare`: what several searchers visit from the same position, as a table and as trees side by side."""

import click

from ggp.cli import completion
from ggp.cli.console import echo, echo_json, echo_line, echo_table
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, takes_picture, write_csv, write_picture
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.cli.tree import DEFAULT_DEPTH, watchable, watched_limits
from ggp.errors import UsageError
from ggp.searcher import action_columns
from ggp.show.comparison import Searched, comparison_page, largest, summary, watch
from ggp.show.search_tree import LIMIT
from ggp.tables import ResultTable, TableRow


@click.command("compare", cls=Helpful)
@takes_position
@click.argument("searchers", metavar="SEARCHER...", nargs=-1, required=True, shell_complete=completion.searchers)
@click.option("--depth", metavar="PLIES", help=f"Search this many plies ahead (default: {DEFAULT_DEPTH}).")
@takes_number("--limit", "Show only the first N visits of each tree.", default=LIMIT, minimum=1)
@takes_picture("--html", "a page that steps through the searches side by side")
@takes_csv
@as_json
def command(
    session: Session,
    position: Position,
    searchers: tuple[str, ...],
    depth: str | None,
    limit: int,
    html: str | None,
    csv: str | None,
    as_json: bool,
) -> None:
    """Compare what several searchers visit from the same position.

    For each searcher, the table has its move and its value, the states that it visits, the branches that it cuts, and
    its savings compared with the searcher that visits the most states. The page draws the trees side by side and steps
    through them.
    """
    if len(set(searchers)) < len(searchers):
        raise UsageError("a searcher is named twice: leave one out, or give it other options")
    searches = [_searched(session, position, text, depth) for text in searchers]
    most = largest(searches)
    if csv is not None:
        write_csv(csv, ResultTable(_row(each, most) for each in searches).headed(position.head()))
    if as_json:
        echo_json(position.head() | {"searches": [each.as_data(most) for each in searches]})
    elif STANDARD_OUTPUT not in (html, csv):
        for line in summary(searches, most):
            echo_line(line)
        echo()
        echo_table(
            [["searcher", "move", "value", "visits", "leaves", "cut", "saved"], *(each.row(most) for each in searches)],
            texts=(0, 1),
        )
    if html is not None:
        write_picture(html, comparison_page(searches, limit))


def _row(searched: Searched, most: Searched) -> TableRow:
    """Return a search as a row of the table."""
    row = searched.as_data(most)
    row |= action_columns(searched.result.action, searched.game, searched.root.state)
    return row


def _searched(session: Session, position: Position, text: str, depth: str | None) -> Searched:
    finder, limits = watchable(session, position, text)
    return watch(finder, text, position.game, position.state, watched_limits(finder, depth, limits))
