"""`ggp tree`: the search tree, as text, as a picture, and as a page to step through."""

import itertools
import pathlib
from collections.abc import Iterable
from math import inf

import attrs
import click

from ggp import capabilities
from ggp.cli.console import echo, echo_json
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import STANDARD_OUTPUT, takes_picture, write_picture
from ggp.cli.session import Position, Session, as_json, limits_from, takes_position, takes_searcher
from ggp.errors import StoreError, UsageError
from ggp.files import reason, write_file
from ggp.play.controller import watchable_searchers
from ggp.searcher import Limits, Searcher, limits_itself
from ggp.show import tree_frames
from ggp.show.search_tree import LIMIT, SearchTree, Visit, steps, uses_windows
from ggp.show.tree_dot import tree_dot
from ggp.show.tree_film import Film, film
from ggp.show.tree_html import tree_page
from ggp.show.tree_marks import Labels
from ggp.show.tree_svg import tree_svg
from ggp.show.tree_text import draw_tree
from ggp.trace import Event, Taught, Traced, TracedSearcher

DEFAULT_DEPTH = 3


@click.command("tree", cls=Helpful)
@takes_position
@takes_searcher
@click.option("--depth", metavar="PLIES", help=f"Search this many plies ahead (default: {DEFAULT_DEPTH}).")
@takes_number("--limit", "Show only the first N visits.", default=LIMIT, minimum=1)
@takes_number("--levels", "Show only N levels below the root.", minimum=0)
@takes_number("--step", "Show the tree as it was after step K of the search.", minimum=1, metavar="K")
@click.option(
    "--labels",
    type=click.Choice(["window", "ranges"]),
    default="window",
    show_default=True,
    help="At each node, show its value and the search window, or the range of its value.",
)
@takes_picture("--svg", "the tree")
@takes_picture("--dot", "the tree for Graphviz")
@takes_picture("--html", "a page to step through the search")
@click.option(
    "--frames",
    metavar="FOLDER",
    type=click.Path(file_okay=False),
    help="Write pictures for slides: an SVG for each step, an animated SVG, and TikZ.",
)
@as_json
def command(
    session: Session,
    position: Position,
    searcher: str | None,
    depth: str | None,
    limit: int,
    levels: int | None,
    step: int | None,
    labels: Labels,
    frames: str | None,
    as_json: bool,
    **pictures: str | None,
) -> None:
    """Draw the tree that a search visits.

    The lines are the nodes in the order of visits. Each line has the move that leads to the node, the player to move,
    the search window and its changes, and the value to MAX or its bounds. Nodes that were cut off are marked as not
    visited.
    """
    finder, limits = watchable(session, position, searcher)
    limits = watched_limits(finder, depth, limits)
    files = {form: file for form, file in pictures.items() if file is not None}
    if step is not None and "html" in files:
        raise UsageError(
            "--step and --html exclude each other: the HTML file shows every step, and FILE#K opens at step K"
        )
    if list(files.values()).count(STANDARD_OUTPUT) > 1:
        raise UsageError(f"only one picture can go to standard output ({STANDARD_OUTPUT})")
    events = list(finder.trace(position.game, position.state, limits))
    tree = SearchTree(position.game, limit, inf if levels is None else levels, windowed=uses_windows(events))
    advance(tree, events, step)
    if as_json:
        echo_json(position.head() | {"searcher": finder.name} | as_data(tree, limits))
    elif not files and frames is None:
        echo(draw_tree(tree, labels))
    title = f"{capabilities.title(position.game)}: {finder.name}"
    for form, file in files.items():
        if form == "html":
            source = finder.source if isinstance(finder, Taught) else ()
            empty = SearchTree(tree.game, tree.limit, tree.levels)
            write_picture(file, tree_page(empty, events, labels=labels, source=source, title=title))
        else:
            drawn = tree_dot(tree, labels) if form == "dot" else tree_svg(tree, labels=labels, title=title)
            write_picture(file, drawn)
    if frames is not None:
        source = finder.source if isinstance(finder, Taught) else ()
        made = film(SearchTree(tree.game, tree.limit, tree.levels), events, labels, source)
        write_frames(pathlib.Path(frames), made, title)
    if tree.shown < tree.visits and tree.shown >= limit:
        echo(f"the first {tree.shown:,} of {tree.visits:,} visits; --limit shows more", err=True)


def write_frames(folder: pathlib.Path, made: Film, title: str) -> None:
    """Write the pictures of all steps to a folder, with an animation (tree.svg) and a document in LaTeX (tree.tex).

    Raises:
        StoreError: a file cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the folder {folder} cannot be made: {reason(error)}") from None
    digits = len(str(len(made.steps)))
    for number, drawn in enumerate(tree_frames.frames(made, title), 1):
        write_file(folder / f"step-{number:0{digits}}.svg", f"{drawn}\n".encode())
    write_file(folder / "tree.svg", f"{tree_frames.animation(made, title)}\n".encode())
    write_file(folder / "tree.tex", f"{tree_frames.tikz(made, title)}\n".encode())
    echo(f"written: {len(made.steps)} steps, tree.svg and tree.tex in {folder}", err=True)


def advance(tree: SearchTree, events: Iterable[Event], step: int | None) -> None:
    """Add the events up to `step` to the tree; None adds all events.

    Raises:
        UsageError: the search has fewer steps.
    """
    taken = 0
    for _ in itertools.islice(steps(tree, events), step):
        taken += 1
    if step is not None and taken < step:
        raise UsageError(f"step {step} is past the end: the search has {taken} steps")


def watchable(session: Session, position: Position, text: str | None) -> tuple[TracedSearcher, Limits]:
    """Return the searcher that `text` describes, or a searcher that suits the game if `text` is None, and its limits.

    Raises:
        UsageError: the searcher cannot be watched; the message names the searchers that can be watched.
    """
    finder, limits = session.searcher(text or traceable(session, position), position.game)
    if not isinstance(finder, Traced):
        able = ", ".join(watchable_searchers(session.registry, position.game)) or "no searcher that is installed"
        raise UsageError(f"{finder.name} cannot be watched, so its tree cannot be drawn; {able} can")
    return finder, limits


def watched_limits(finder: Searcher, depth: str | None, limits: Limits) -> Limits:
    """Return the limits with the depth that was typed. If no depth was typed, set a default depth, unless the searcher
    limits itself.
    """
    limits = limits_from({"depth": depth}, limits)
    bounded = limits.depth or limits_itself(finder)
    return limits if bounded else attrs.evolve(limits, depth=DEFAULT_DEPTH)


def traceable(session: Session, position: Position) -> str:
    """Return the searcher to watch by default: the preferred one if it can be watched, or else the first that can."""
    preferred = session.registry.preferred_searcher(position.game)
    able = watchable_searchers(session.registry, position.game)
    return preferred if preferred in able or not able else able[0]


def as_data(tree: SearchTree, limits: Limits) -> dict[str, object]:
    """Return the tree for JSON; infinite bounds are null."""
    root = visit_as_data(tree, tree.root, None) if tree.root else None
    return {"depth": limits.depth, "visits": tree.visits, "tree": root}


def visit_as_data(tree: SearchTree, visit: Visit, parent: Visit | None) -> dict[str, object]:
    """Return a visit for JSON, with the visits below it."""
    text = capabilities.notation(tree.game)
    return {
        "order": visit.order,
        "action": None if parent is None else text.format_action(parent.state, visit.action),
        "probability": visit.probability,
        "state": text.format_state(visit.state),
        "to_move": None if visit.mover is None else capabilities.mover_name(tree.game, visit.state),
        "depth": visit.depth,
        "window": visit.window,
        "windows": visit.windows,
        "leaf": visit.leaf,
        "value": visit.lower if visit.lower == visit.upper else None,
        "lower": visit.lower,
        "upper": visit.upper,
        "range": visit.range,
        "choice": None if visit.choice is None else text.format_action(visit.state, visit.choice),
        "cut": [text.format_action(visit.state, action) for action in visit.cut],
        "hidden": visit.hidden,
        "children": [visit_as_data(tree, child, visit) for child in visit.children],
    }
