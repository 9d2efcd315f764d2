"""A search to step through in a notebook: the page of `ggp tree --html` in a frame."""

import anywidget
import traitlets

from ggp.errors import UnsupportedGameError, UsageError
from ggp.game import AnyGame, State
from ggp.notebook.board_widget import resource
from ggp.searcher import Limits, Searcher
from ggp.show.search_tree import LIMIT, SearchTree
from ggp.show.tree_html import tree_page
from ggp.show.tree_marks import Labels
from ggp.trace import Taught, Traced


class StepperWidget(anywidget.AnyWidget):
    """A page of `ggp.show.tree_html.tree_page`. `step`, from 1, is the current step; Python may set it, and so may the
    reader, on the page.
    """

    _esm = resource("stepper.js")
    _css = ".ggp-stepper{width:100%;height:40rem;border:0;resize:vertical;overflow:auto}"

    page = traitlets.Unicode(read_only=True, help="The page.").tag(sync=True)
    step = traitlets.Int(1, min=1, help="The step that is shown.").tag(sync=True)

    def __init__(self, page: str) -> None:
        super().__init__()
        self.set_trait("page", page)


def step_through(
    game: AnyGame,
    searcher: Searcher,
    state: State = None,
    limits: Limits = Limits(),
    *,
    labels: Labels = "window",
    limit: int = LIMIT,
) -> StepperWidget:
    """Return a widget that shows the search of a state event by event, beside the searcher's source code.

    Arguments:
        state: where to begin; None: the game's own start.
        labels: the text at a node; see `ggp.show.tree_svg`.
        limit: the maximum number of visits to show.

    Raises:
        UsageError: the searcher cannot be watched.
        UnsupportedGameError: the searcher cannot search the game.
    """
    if not isinstance(searcher, Traced):
        raise UsageError(f"{searcher.name} cannot be watched: only searchers with a method `trace` can")
    reason = searcher.unsupported_reason(game)
    if reason:
        raise UnsupportedGameError(f"{searcher.name} cannot search {game.name}: {reason}")
    begin = game.initial_state() if state is None else state
    source = searcher.source if isinstance(searcher, Taught) else ()
    events = searcher.trace(game, begin, limits)
    title = f"{searcher.name} on {game.name}"
    return StepperWidget(tree_page(SearchTree(game, limit), events, labels=labels, source=source, title=title))
