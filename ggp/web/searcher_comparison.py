"""Searchers compared on a position: the form to select them, their results, and the trees side by side."""

import operator
from collections.abc import Sequence
from urllib.parse import urlencode

import attrs

from ggp.capabilities import title
from ggp.errors import GGPError, UsageError
from ggp.play.controller import watchable_searchers
from ggp.plugin_entries import Entry
from ggp.plugins import Registry
from ggp.searcher import Limits, limits_itself
from ggp.show.comparison import Searched, comparison_page, largest, summary, watch
from ggp.trace import Traced, TracedSearcher
from ggp.web import address, visitor_players
from ggp.web.address import Address, short
from ggp.web.game_history import GameHistory, read_history
from ggp.web.problems import ProblemError

DEPTH, DEEPEST = 3, 8
"""Search depth in plies: the default, if that is not too much work, and the maximum."""
VISITS = 5_000
"""Maximum number of visits of each searcher."""
DRAWN = 500
"""Maximum number of visits that are drawn for each searcher."""
MOST = 6
"""Maximum number of searchers to compare."""
OWN = ("searcher", "depth")
"""Names in an address of this page that are not parameters of the game; `searcher` may be repeated."""


@attrs.frozen
class Comparison:
    """A position, and the searchers to compare on it."""

    history: GameHistory
    able: Sequence[str]
    """The searchers that can be watched while they search the game."""
    chosen: Sequence[str]
    depth: int
    asked: bool
    """Whether the visitor has named searchers."""

    @property
    def position_address(self) -> Address:
        """The address of the position."""
        shown = self.history.address
        return attrs.evolve(shown.looking_at(shown.seen), shown=(), view=None)

    def url(self, page: str) -> str:
        """Return the address of this comparison."""
        chosen = [("searcher", name) for name in self.chosen]
        return f"{self.position_address.url(page)}&{urlencode([*chosen, ('depth', str(self.depth))])}"

    def searches(self) -> list[Searched]:
        """Return the search of each searcher.

        Raises:
            GGPError: a searcher fails, or visits too many states.
        """
        limits = Limits(depth=self.depth)
        game, state = self.history.game, self.history.state
        return [watch(self._finder(name), name, game, state, limits, VISITS) for name in self.chosen]

    def _finder(self, name: str) -> TracedSearcher:
        searcher = self.history.registry.searcher(name)
        if not isinstance(searcher, Traced):
            raise UsageError(f"{name} cannot be watched: {', '.join(self.able)} can")
        return searcher


def comparison(registry: Registry, entry: Entry, query: str) -> Comparison:
    """Return the comparison that an address asks for.

    Raises:
        GGPError: the position in the address is wrong, or a searcher cannot be watched.
    """
    pairs = address.pairs(query)
    rest = urlencode([(name, text) for name, text in pairs if name not in OWN])
    history = read_history(registry, entry, address.read(entry, rest))
    if history.over:
        raise ProblemError("the game is over: there is nothing to search")
    able = watchable_searchers(registry, history.game)
    named = list(dict.fromkeys(text for name, text in pairs if name == "searcher"))
    for name in named:
        if name not in able:
            raise ProblemError(f"{short(name)} cannot be compared on {entry.name}: {', '.join(able)} can")
    if len(named) > MOST:
        raise ProblemError(f"{len(named)} searchers are too many to compare at once: at most {MOST}")
    depth = _depth(history, dict(pairs).get("depth"))
    return Comparison(history, able, named or _usual(registry, able), depth, bool(named))


def _usual(registry: Registry, able: Sequence[str]) -> list[str]:
    """Return the two searchers that suit the game best, and the plainest searcher. All three find the same value."""
    entries = [registry.searchers[name] for name in able]
    ordered = sorted(
        (entry for entry in entries if entry.preference > 0 and not limits_itself(entry.factory)),
        key=operator.attrgetter("preference"),
        reverse=True,
    )
    return list(dict.fromkeys(entry.name for entry in [*ordered[:2], *ordered[-1:]])) or list(able[:1])


def _depth(history: GameHistory, text: str | None) -> int:
    if text is None:  # as deep as the plainest searcher comes with what it may visit, roughly
        many = len(visitor_players.choices(history.game, history.state))
        return next((depth for depth in range(DEPTH, 1, -1) if many**depth < VISITS), 1)
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= DEEPEST):
        raise ProblemError(f"depth must be a number of plies from 1 to {DEEPEST}; got {short(text)}")
    return int(text)


def page(wanted: Comparison) -> dict[str, object]:
    """Return the page with the form and the table."""
    history, ply = wanted.history, wanted.position_address
    trouble, searches = "", []
    try:
        searches = wanted.searches()
    except GGPError as error:
        trouble = str(error)
    most = largest(searches) if searches else None
    return {
        "title": title(history.game),
        "caption": history.scene(history.address.seen).caption,
        "wanted": wanted,
        "hidden": address.pairs(ply.url().partition("?")[2]),
        "game": history.entry.name,
        "deepest": DEEPEST,
        "rows": [each.row(most) for each in searches] if most else [],
        "sentences": summary(searches, most) if most else [],
        "trouble": trouble,
        "game_url": ply.url(),
        "trees_url": wanted.url("trees"),
    }


def trees(wanted: Comparison) -> str:
    """Return the page that steps through the searches side by side."""
    return comparison_page(wanted.searches(), DRAWN, ("Compare other searchers", wanted.url("compare")))
