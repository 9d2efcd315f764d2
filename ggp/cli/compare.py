"""`ggp compare`: what several searchers visit from the same position, as a table and as trees side by side."""

from collections.abc import Sequence
from typing import Any

import attrs
import click

from ggp import capabilities
from ggp.cli import completion
from ggp.cli.console import echo, echo_json, echo_line, echo_table
from ggp.cli.help import Helpful
from ggp.cli.numbers import takes_number
from ggp.cli.output_file import takes_picture, write_picture
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.cli.tree import DEFAULT_DEPTH, watchable, watched_limits
from ggp.errors import UsageError
from ggp.game import AnyGame
from ggp.searcher import Limits
from ggp.show.numbers import interval
from ggp.show.search_tree import LIMIT, SearchTree
from ggp.show.tree_html import SearchTrace, searches_page
from ggp.trace import Cut, Enter, Event, Leaf, Taught


@click.command("compare", cls=Helpful)
@takes_position
@click.argument("searchers", metavar="SEARCHER...", nargs=-1, required=True, shell_complete=completion.searchers)
@click.option("--depth", metavar="PLIES", help=f"SearchTrace this many plies ahead (default: {DEFAULT_DEPTH}).")
@takes_number("--limit", "Show the first N visits of each tree only.", default=LIMIT, minimum=1)
@takes_picture("--html", "a page that steps through the searches side by side")
@as_json
def command(
    session: Session,
    position: Position,
    searchers: tuple[str, ...],
    depth: str | None,
    limit: int,
    html: str | None,
    as_json: bool,
) -> None:
    """Compare what several searchers visit from the same position.

    The table has the move and the value that each finds, the states that it visits, the branches that it cuts, and how
    much it saves against the one that visits most. The page draws the trees side by side and steps through them.
    """
    if len(set(searchers)) < len(searchers):
        raise UsageError("a searcher is named twice: give each once, or with other options")
    found = [_searched(session, position, text, depth) for text in searchers]
    most = max(found, key=lambda each: each.visits)
    if as_json:
        echo_json(position.head() | {"searches": [each.as_data(most) for each in found]})
    elif html is None:
        for line in _summary(found, most):
            echo_line(line)
        echo()
        echo_table(
            [["searcher", "move", "value", "visits", "leaves", "cut", "saved"], *(each.row(most) for each in found)],
            texts=(0, 1),
        )
    if html is not None:
        write_picture(html, _page(position, found, limit))


@attrs.frozen
class Searched:
    """The work of one searcher."""

    text: str
    """As it was typed."""
    events: Sequence[Event]
    root: Any
    """The root's visit in the end."""
    game: AnyGame
    limits: Limits
    source: Sequence[str]

    @property
    def visits(self) -> int:
        """Return how many states were visited, each as often as it was."""
        return sum(isinstance(event, Enter) for event in self.events)

    @property
    def leaves(self) -> int:
        """Return how many of them were leaves."""
        return sum(isinstance(event, Leaf) for event in self.events)

    @property
    def cut(self) -> int:
        """Return how many branches were never tried."""
        return sum(len(event.actions) for event in self.events if isinstance(event, Cut))

    @property
    def move(self) -> str:
        """The move that it found."""
        choice = self.root.choice
        return "" if choice is None else capabilities.notation(self.game).format_action(self.root.state, choice)

    @property
    def value(self) -> str:
        """The value that it found; where nothing is proved, what it says itself."""
        lower, upper = self.root.range
        return interval(lower, upper, 4) if lower == upper or not self.root.note else self.root.note[0]

    def saved(self, most: "Searched") -> float:
        """Return what share of another's visits it saves."""
        return 1 - self.visits / most.visits

    def row(self, most: "Searched") -> list[str]:
        """Return a row of the table."""
        counts = [f"{each:,}" for each in (self.visits, self.leaves, self.cut)]
        return [
            self.text,
            self.move,
            interval(self.root.range[0], self.root.range[1], 4),
            *counts,
            f"{100 * self.saved(most):.0f} %",
        ]

    def as_data(self, most: "Searched") -> dict[str, Any]:
        """Return the same as what a program reads."""
        lower, upper = self.root.range
        return {
            "searcher": self.text,
            "depth": self.limits.depth,
            "action": self.move or None,
            "value": lower if lower == upper else None,
            "lower": lower,
            "upper": upper,
            "visits": self.visits,
            "leaves": self.leaves,
            "cut": self.cut,
            "saved": self.saved(most),
        }


def _searched(session: Session, position: Position, text: str, depth: str | None) -> Searched:
    finder, limits = watchable(session, position, text)
    limits = watched_limits(finder, depth, limits)
    events = list(finder.trace(position.game, position.state, limits))
    tree = SearchTree(position.game, limit=1)
    for event in events:
        tree.add(event)
    source = finder.source if isinstance(finder, Taught) else ()
    return Searched(text, events, tree.root, position.game, limits, source)


def _summary(found: Sequence[Searched], most: Searched) -> list[str]:
    """Return what the table says, in sentences."""
    least = min(found, key=lambda each: each.visits)
    lines = []
    if least.visits < most.visits:
        share = f"{100 * least.saved(most):.0f} %"
        lines.append(
            f"{least.text} visits {least.visits:,} states where {most.text} visits {most.visits:,}: it saves {share}."
        )
    elif len(found) > 1:
        lines.append(f"All visit {most.visits:,} states.")
    values = {each.root.range for each in found}
    moves = {each.move for each in found}
    if len(found) > 1 and len(values) == 1:
        (value,) = values
        by = f", by {moves.pop()}" if len(moves) == 1 and moves != {""} else ""
        lines.append(f"All find the value {interval(value[0], value[1], 4)}{by}.")
    elif len(found) > 1:
        lines.append("They do not find the same value.")
    return lines


def _page(position: Position, found: Sequence[Searched], limit: int) -> str:
    searches = [SearchTrace(each.text, SearchTree(position.game, limit), each.events, each.source) for each in found]
    depths = {each.limits.depth for each in found}
    ahead = f", {depths.pop()} plies ahead" if len(depths) == 1 else ""
    names = ", ".join(each.text for each in found)
    return searches_page(searches, title=f"{names} on {position.game.name}{ahead}")
