"""The results of a running search: a bar for each move from a common zero, the principal variation, and statistics."""

import contextlib
from collections.abc import Sequence

import attrs
from markupsafe import Markup

from ggp import capabilities
from ggp.errors import GGPError
from ggp.game import MAX, MIN
from ggp.levels import hint_level
from ggp.play import background
from ggp.play.controller import Advice, advise, required_analyst, sure, value_moves
from ggp.play.review import share
from ggp.plugin_faults import require_sound
from ggp.searcher import Limits, Report, Searcher, SearchResult
from ggp.show.markup import markup
from ggp.show.result_chart import Bar, bar_picture, chart
from ggp.show.value_text import rounded, unit, value_text
from ggp.web import visitor_players
from ggp.web.game_history import GameHistory
from ggp.web.value_store import StateValue

STREAMED = Limits(seconds=20, nodes=100_000_000)
"""Limits of an analysis that is shown while it deepens."""
AT_ONCE = Limits(seconds=0.5, nodes=10_000_000)
"""Limits of an analysis that is part of a page."""
AT_LEAST = Limits(depth=1)
"""Limits of a second analysis, if a busy machine has found nothing within the first limits."""
SHORTLY = Limits(seconds=4, nodes=5_000_000)
"""Limits of the search for the length of a game that is already decided."""
ROWS = 20
"""Maximum number of moves with a bar; if there are more, only the best ones have a bar."""


@attrs.frozen
class FindingBar:
    """A move and its value."""

    move: str
    value: str
    picture: Markup
    best: bool


@attrs.frozen(kw_only=True)
class Finding:
    """Everything shown about a search."""

    bars: Sequence[FindingBar]
    hidden: int
    """Number of moves without a bar."""
    value: str
    """The best known value of the position, in words; it may come from an earlier, deeper search."""
    sure: str
    """How reliable the value is, in words."""
    line: Sequence[str]
    depth: int
    nodes: int
    seconds: float
    searcher: str
    speed: str
    exact: bool
    running: bool
    solved: bool
    """Whether the value was known without a search."""
    first: str
    """The player whom positive values favour."""
    unit: str
    """The unit of the values, such as " in seeds"; "" if the values count nothing that the board shows."""
    share: float
    """MAX's share of the bar beside the board."""


def analyst(history: GameHistory) -> Searcher:
    """Return the searcher that suits the game best."""
    return required_analyst(history.registry, history.game)


def analyse(history: GameHistory, limits: Limits, report: Report | None = None) -> SearchResult:
    """Return the values of all moves of the state shown.

    Raises:
        GGPError: no searcher can search the game, or its rules have a fault in this state.
    """
    game, state = history.game, history.state
    require_sound(game, state, history.registry.game_entry(game.name))

    def find(report: Report | None) -> SearchResult:
        return background.search(
            lambda searcher, look: searcher.analyse(game, state, limits, report=look), analyst(history), report
        )

    return value_moves(find, game, state, report)


def at_once(history: GameHistory) -> SearchResult:
    """Return the values of all moves for a page that waits for them. Raises as `analyse` does."""
    result = analyse(history, AT_ONCE)
    return result if result.values else analyse(history, AT_LEAST)


def with_distance(history: GameHistory, result: SearchResult) -> SearchResult:
    """Return an analysis. Add the distance to the end if the value is an exact win or loss, and a quick search finds
    how soon it is forced.
    """
    if not result.exact or not result.value or result.distance is not None:
        return result
    with contextlib.suppress(GGPError):  # it has other values than wins and losses, or its searcher counts no plies
        quickest = history.registry.searcher(analyst(history).name, quickest=True)
        timed = quickest.search(history.game, history.state, SHORTLY)
        if timed.exact and timed.value == result.value:
            return attrs.evolve(result, distance=timed.distance)
    return result


def finding(history: GameHistory, result: SearchResult, best: StateValue, *, running: bool) -> Finding:
    """Return the texts and numbers that are shown for a search; `running` says that the search has not ended.

    Arguments:
        best: the best known value of the position.
    """
    drawn = chart(result, history.mover, history.text, ROWS)
    done, counted = result.statistics, unit(history.game, exact=result.exact)
    return Finding(
        bars=[_drawn(bar, drawn.zero) for bar in drawn.bars],
        hidden=drawn.more,
        value=value_text(history.game, best.value, exact=best.exact),
        sure=_sure(result, best),
        line=capabilities.format_line(history.game, history.state, result.principal_variation),
        depth=done.depth,
        nodes=done.nodes,
        seconds=done.seconds,
        searcher=analyst(history).name,
        speed=result.speed,
        exact=result.exact,
        running=running,
        solved=result.exact and not done.nodes,
        first=capabilities.player_names(history.game)[MAX],
        unit=f" in {counted[1]}" if counted else "",
        share=share(history.game, history.state, best.value),
    )


def _sure(result: SearchResult, best: StateValue) -> str:
    if not best.exact:
        return best.sure
    return sure(result) if result.distance is not None else "exact, to the end of the game"


def _drawn(bar: Bar, zero: float) -> FindingBar:
    picture = Markup(markup(bar_picture(bar, zero)))  # noqa: S704 - numbers only
    return FindingBar(bar.name, rounded(bar.value), picture, bar.best)


def hint(history: GameHistory) -> Advice | None:
    """Return the move of the level that gives hints. If this level finds no move, return the move of the strongest
    level that finds one. Return None if no level finds a move, or the game is over.
    """
    if history.mover not in (MAX, MIN):
        return None
    levels = visitor_players.level_players(history.registry, history.game)
    first = levels.get(hint_level(history.registry, history.game)) if levels else None
    for adviser in [*([first] if first else []), *[*levels.values()][::-1]]:
        with contextlib.suppress(GGPError):
            return advise(adviser, history.game, history.state)
    return None
