"""Compare searchers on the same state: nodes, results and savings, and the trees side by side."""

from collections.abc import Iterable, Sequence

import attrs

from ggp import capabilities
from ggp.errors import UsageError
from ggp.game import AnyGame, State
from ggp.number_text import many, number
from ggp.searcher import Limits, SearchResult, limits_itself
from ggp.show.search_tree import LIMIT, SearchTree, Visit
from ggp.show.tree_html import SearchTrace, searches_page
from ggp.trace import Cut, Enter, Estimate, Event, Leaf, Leave, Taught, TracedSearcher


@attrs.frozen
class Searched:
    """The result and the cost of one searcher."""

    text: str
    """The searcher as it was typed."""
    result: SearchResult
    """The result of `ggp search` for the same position and limits."""
    events: Sequence[Event]
    """The events of the search that was watched, for its tree."""
    root: Visit
    """The root of the finished tree."""
    game: AnyGame
    limits: Limits
    source: Sequence[str]

    @property
    def visits(self) -> int:
        """Return the number of nodes, as the search counts them; a state may be visited several times."""
        return self.result.statistics.nodes

    @property
    def plies(self) -> int:
        """Return the number of plies from the root to the deepest visit."""
        depth = deepest = 0
        for event in self.events:
            depth += isinstance(event, Enter) - isinstance(event, Leaf | Leave)
            deepest = max(deepest, depth)
        return deepest - 1

    @property
    def leaves(self) -> int:
        """Return the number of visits that were terminal or evaluated, as the search counts them."""
        return self.result.statistics.leaves

    @property
    def is_watched(self) -> bool:
        """Whether the search that was watched is also the one that found the result.

        If the searcher deepens, these are two searches: only the search to the full depth is watched.
        """
        entered = sum(isinstance(event, Enter) and not event.again for event in self.events)
        leaves = sum(isinstance(event, Leaf | Estimate) for event in self.events)
        if not entered:  # a search that stores its tree comes back to its nodes, and shows a leaf once on each path
            return leaves >= self.leaves
        return (entered, leaves) == (self.visits, self.leaves)

    @property
    def cut(self) -> int | None:
        """Return the number of branches that were never searched; None if the search that was watched is not the one
        with the result.
        """
        if not self.is_watched:
            return None
        return sum(len(event.actions) for event in self.events if isinstance(event, Cut))

    @property
    def move(self) -> str:
        """The best move that was found; "" if none was found."""
        choice = self.result.action
        return "" if choice is None else capabilities.notation(self.game).format_action(self.root.state, choice)

    @property
    def value(self) -> str:
        """The value that was found."""
        return number(self.result.value, 4)

    def saved(self, most: "Searched") -> float:
        """Return the share of visits that this search saves, compared with the search `most`."""
        return 1 - self.visits / max(1, most.visits)

    def row(self, most: "Searched") -> list[str]:
        """Return the row of this searcher in the table."""
        counts = ["-" if each is None else f"{each:,}" for each in (self.visits, self.leaves, self.cut)]
        return [
            self.text,
            self.move,
            self.value,
            *counts,
            f"{100 * self.saved(most):.0f} %",
        ]

    def as_data(self, most: "Searched") -> dict[str, object]:
        """Return the row of this searcher as plain data for JSON."""
        lower, upper = self.root.range if self.is_watched else (None, None)
        return {
            "searcher": self.text,
            "depth": self.limits.depth,
            "action": self.move or None,
            "value": self.result.value,
            "lower": lower,
            "upper": upper,
            "visits": self.visits,
            "leaves": self.leaves,
            "cut": self.cut,
            "saved": self.saved(most),
        }


def watch(
    finder: TracedSearcher, text: str, game: AnyGame, state: State, limits: Limits, most: int | None = None
) -> Searched:
    """Search the state twice: once for the result, and once with recorded events for the tree. Return both searches.

    The recorded search goes to the full depth at once. If the searcher deepens, the other search also visits other
    states.

    Arguments:
        finder: the searcher; `text` is its name for the reader.
        most: the maximum number of visits; None: no limit.

    Raises:
        UsageError: the search has more than `most` visits.
    """
    if most is not None and limits_itself(finder):
        limits = attrs.evolve(limits, nodes=PLAYOUTS)
    watched = limits if most is None or limits.nodes else attrs.evolve(limits, nodes=most + 1)
    events = list(_at_most(finder.trace(game, state, watched), text, most))
    tree = SearchTree(game, limit=1)
    for event in events:
        tree.add(event)
    assert tree.root is not None
    source = finder.source if isinstance(finder, Taught) else ()
    result = finder.search(game, state, limits)
    return Searched(text, result, events, tree.root, game, limits, source)


PLAYOUTS = 100
"""Number of playouts of a searcher that limits itself, if the number of visits is limited."""


def _at_most(events: Iterable[Event], text: str, most: int | None) -> Iterable[Event]:
    visits = 0
    for event in events:
        visits += isinstance(event, Enter)
        if most is not None and visits > most:
            raise UsageError(f"{text} visits more than {most:,} states: look fewer plies ahead")
        yield event


def largest(measured: Sequence[Searched]) -> Searched:
    """Return the search with the most visits, the basis for the savings of the others."""
    return max(measured, key=lambda each: each.visits)


def summary(measured: Sequence[Searched], most: Searched) -> list[str]:
    """Return the results of the searches, in sentences."""
    least = min(measured, key=lambda each: each.visits)
    lines = []
    if least.visits < most.visits:
        share = f"{100 * least.saved(most):.0f} %"
        lines.append(
            f"{least.text} visits {least.visits:,} states where {most.text} visits {most.visits:,}: it saves {share}."
        )
    elif len(measured) > 1:
        lines.append(f"All visit {most.visits:,} states.")
    values = {each.value for each in measured}
    moves = {each.move for each in measured}
    if len(measured) > 1 and len(values) == 1:
        by = f", by {moves.pop()}" if len(moves) == 1 and moves != {""} else ""
        lines.append(f"All find the value {values.pop()}{by}.")
    elif len(measured) > 1:
        lines.append("The searchers do not find the same value.")
    return lines


def comparison_page(measured: Sequence[Searched], limit: int = LIMIT, back: tuple[str, str] | None = None) -> str:
    """Return a page that steps through the searches side by side; see `ggp.show.tree_html.searches_page`.

    Arguments:
        limit: the number of visits to show of each tree.
        back: see `searches_page`.
    """
    game = measured[0].game
    searches = [SearchTrace(each.text, SearchTree(game, limit), each.events, each.source) for each in measured]
    depths = {each.plies for each in measured}
    ahead = f", {many(depths.pop(), 'ply', 'plies')} ahead" if len(depths) == 1 else ""
    names = ", ".join(each.text for each in measured)
    return searches_page(searches, title=f"{capabilities.title(game)}: {names}{ahead}", back=back)
