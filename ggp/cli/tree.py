"""`ggp tree`: the search tree, as text."""

from typing import Any

import attrs
import click

from ggp import capabilities
from ggp.cli.help import Helpful
from ggp.cli.session import Position, Session, as_json, limits_from, takes_position, takes_searcher
from ggp.cli.words import echo_json
from ggp.errors import UsageError
from ggp.options import Option
from ggp.play import preferred_searcher
from ggp.searcher import Limits
from ggp.show.text import draw_tree
from ggp.show.tree import Tree, Visit, fold
from ggp.trace import Traced

DEFAULT_DEPTH = 3
LIMIT = Option("limit", int, None, "visits to show", minimum=1)


@click.command("tree", cls=Helpful)
@takes_position
@takes_searcher
@click.option("--depth", metavar="PLIES", help=f"Look so many plies ahead, {DEFAULT_DEPTH} if not given.")
@click.option("--limit", metavar="N", default="200", show_default=True, help="Show no more than the first N visits.")
@as_json
def command(
    session: Session, position: Position, searcher: str | None, depth: str | None, limit: str, as_json: bool
) -> None:
    """Draw the tree that a searcher visits from a position of GAME.

    Each line is a visit: its place in the order of visits, the action that led there, who moves, the window and
    what it became, and the value to MAX or what is known of it. What was cut is shown as not visited.
    """
    finder, limits = session.searcher(searcher or traceable(session, position), position.game)
    if not isinstance(finder, Traced):
        able = ", ".join(traceable_searchers(session, position)) or "no searcher that is installed"
        raise UsageError(f"{finder.name} cannot be watched, so its tree cannot be drawn; {able} can")
    limits = limits_from({"depth": depth}, limits)
    limits = limits if limits.depth else attrs.evolve(limits, depth=DEFAULT_DEPTH)
    shown = LIMIT.parse(limit)
    tree = fold(position.game, finder.trace(position.game, position.state, limits), shown)
    if as_json:
        echo_json(position.head() | {"searcher": finder.name} | as_data(tree, limits))
        return
    click.echo(draw_tree(tree))
    if tree.visits > shown:
        click.echo(f"the first {shown:,} of {tree.visits:,} visits; --limit shows more", err=True)


def traceable_searchers(session: Session, position: Position) -> list[str]:
    """The searchers that can be watched on this game."""
    registry = session.registry
    able = registry.searchers_for(position.game)
    return [name for name in able if hasattr(registry.searchers[name].factory, "trace")]


def traceable(session: Session, position: Position) -> str:
    """The searcher to watch if none is named: the preferred one, or else the first that can be watched."""
    preferred = preferred_searcher(session.registry, position.game)
    able = traceable_searchers(session, position)
    return preferred if preferred in able or not able else able[0]


def as_data(tree: Tree, limits: Limits) -> dict[str, Any]:
    """The tree as what a program reads; a bound that is infinite is null."""
    root = visit_as_data(tree, tree.root, None) if tree.root else None
    return {"depth": limits.depth, "visits": tree.visits, "tree": root}


def visit_as_data(tree: Tree, visit: Visit, parent: Visit | None) -> dict[str, Any]:
    """A visit, and below it those that it led to."""
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
        "choice": None if visit.choice is None else text.format_action(visit.state, visit.choice),
        "cut": [text.format_action(visit.state, action) for action in visit.cut],
        "hidden": visit.hidden,
        "children": [visit_as_data(tree, child, visit) for child in visit.children],
    }
