"""Marks of a search tree: symbols with texts, from which every picture of the tree is drawn."""

from typing import Literal

import attrs

from ggp import capabilities
from ggp.game import CHANCE, MAX, Action
from ggp.number_text import UNKNOWN, interval, number, window
from ggp.show import node_text
from ggp.show.search_tree import SearchTree, Visit, best_so_far

Symbol = Literal["entered", "max", "min", "chance", "terminal", "estimate", "unvisited", "more"]
"""The kind of a mark. "entered" is a state without a value yet, "unvisited" a successor that was cut, and "more" stands
for hidden visits.
"""
Labels = Literal["window", "ranges"]
"""The label of a node: its value with the search window, or with the range in which its value is known to lie."""


@attrs.frozen
class Facts:
    """The bounds known at a visit, as a table shows them."""

    name: str
    """The move that led to the visit; for the root, the name of its state or "root"."""
    mover: str
    alpha: float
    beta: float
    lower: float
    upper: float
    """The bounds of the range in which the value to MAX lies."""
    best: str
    """The best action so far."""


@attrs.frozen
class Mark:
    """A node of the picture, with the branch that leads to it."""

    key: str
    """The mark's key, unique in the tree and the same at every step."""
    symbol: Symbol
    parent: str | None
    branch: str = ""
    """The action that leads to the node."""
    inside: str = ""
    """The text in the symbol."""
    order: str = ""
    """The number in the order of visits."""
    beside: tuple[str, ...] = ()
    """Lines to the right of the symbol, the value first."""
    below: tuple[str, ...] = ()
    """Lines under the symbol."""
    principal: bool = False
    """Whether the mark is on the principal variation."""
    description: str = ""
    """The meaning of the mark, in one sentence."""
    facts: Facts | None = None
    """The facts about the visit for a table; None for a leaf."""


def marks(tree: SearchTree, labels: Labels = "window") -> list[Mark]:
    """Return the marks of a tree from left to right, each before the marks below it."""
    drawn: list[Mark] = []
    principal = {visit.order for visit in tree.principal_variation()}
    waiting: list[Mark | tuple[Visit, Visit | None]] = [(tree.root, None)] if tree.root else []
    while waiting:
        match waiting.pop():
            case Mark() as note:
                drawn.append(note)
            case visit, parent:
                drawn.append(visit_mark(tree, visit, parent, labels, principal=visit.order in principal))
                waiting += reversed(note_marks(tree, visit))
                waiting += [(child, visit) for child in reversed(visit.children)]
    return drawn


def visit_mark(tree: SearchTree, visit: Visit, parent: Visit | None, labels: Labels, *, principal: bool) -> Mark:
    """Return the mark of a visit, by its current bounds."""
    symbol = _symbol(visit)
    name = node_text.state_name(tree.game, visit)
    order = f"#{visit.order}"
    mark = Mark(
        str(visit.order),
        symbol,
        None if parent is None else str(parent.order),
        branch="" if parent is None else node_text.move(tree.game, visit, parent),
        order=order,
        principal=principal,
        description=_description(tree, visit, parent, name),
    )
    if visit.leaf:
        below = (*((name,) if name else ()), *visit.note)
        return attrs.evolve(mark, inside=number(visit.lower, node_text.DIGITS), below=below)
    if visit.mover is None:
        return attrs.evolve(mark, inside="?", below=(name,) if name else ())
    return attrs.evolve(
        mark, inside=name, beside=visit.note or LINES[labels](tree, visit), facts=_facts(tree, visit, mark, name)
    )


def _facts(tree: SearchTree, visit: Visit, mark: Mark, name: str) -> Facts:
    window = visit.windows[-1] if visit.windows else visit.window
    best = visit.choice if visit.closed else best_so_far(visit)
    text = "" if best is None else capabilities.notation(tree.game).format_action(visit.state, best)
    return Facts(mark.branch or name or "root", node_text.mover(tree.game, visit), *window, *visit.range, text)


def _symbol(visit: Visit) -> Symbol:
    if visit.leaf:
        return "terminal" if visit.leaf == "terminal" else "estimate"
    if visit.mover is None:
        return "entered"
    return "chance" if visit.mover == CHANCE else "max" if visit.mover == MAX else "min"


def _window_lines(tree: SearchTree, visit: Visit) -> tuple[str, ...]:
    """Return lines with the value, the window on entry, and the window at the end."""
    if not tree.windowed:
        return (_interval(visit),)
    shown = node_text.windows(visit)
    value = interval(visit.lower, visit.upper, node_text.DIGITS) if visit.closed else "…"
    return value, *shown[:1], *(f"→ {each}" for each in shown[1:][-1:])


def _interval(visit: Visit) -> str:
    """Return the value, or the bounds known so far."""
    bounds = interval(*(visit.lower, visit.upper) if visit.closed else visit.range, node_text.DIGITS)
    return bounds if visit.closed else "…" if bounds == UNKNOWN else f"{bounds} …"


def _range_lines(tree: SearchTree, visit: Visit) -> tuple[str, ...]:
    return (window(*visit.range),)


LINES = {"window": _window_lines, "ranges": _range_lines}


def note_marks(tree: SearchTree, visit: Visit) -> list[Mark]:
    """Return the marks below a visit: for successors that were cut, and for hidden visits."""
    key = str(visit.order)
    drawn = [_cut_together(tree, visit, key)] if len(visit.cut) > APART else _cut_marks(tree, visit, key)
    if visit.hidden:
        label = f"{visit.hidden:,} more"
        drawn.append(Mark(f"{key}/more", "more", key, inside=label, description=f"{label} visits, which are not shown"))
    return drawn


APART = 3
"""Maximum number of cut successors that have a mark each; more are represented by a single mark."""
NOT_VISITED = ("not", "visited")


def _cut_marks(tree: SearchTree, visit: Visit, key: str) -> list[Mark]:
    drawn = []
    places = {action: index for index, action in enumerate(tree.game.actions(visit.state))} if visit.cut else {}
    for action, name in zip(visit.cut, node_text.cut_actions(tree.game, visit.state, visit.cut)[0], strict=True):
        worth = _worth(tree, visit, action)
        label = f"{name}: not visited" + (f", a leaf worth {worth}" if worth else "")
        key_of = f"{key}/{places[action]}"
        drawn.append(Mark(key_of, "unvisited", key, name, worth, below=NOT_VISITED, description=label))
    return drawn


def _cut_together(tree: SearchTree, visit: Visit, key: str) -> Mark:
    names, more = node_text.cut_actions(tree.game, visit.state, visit.cut)
    together = " ".join(names + [f"+{more}"] * bool(more))
    label = f"{', '.join(names)}{f' and {more} more' if more else ''}: not visited"
    branch = together if len(together) <= TOGETHER else f"{len(visit.cut)} more"
    return Mark(f"{key}/{TOGETHER_KEY}", "unvisited", key, branch, "…", below=NOT_VISITED, description=label)


TOGETHER_KEY = "all that were cut"
"""The key of the single mark for all cut successors is the key of the visit, followed by this text. So the mark stays
the same when a later search cuts fewer successors.
"""
TOGETHER = 10
"""Maximum length of the names of cut successors on their single mark, in characters. If the names are longer, the mark
shows only their number.
"""


def _worth(tree: SearchTree, visit: Visit, action: Action) -> str:
    """Return the utility of a successor that was not visited; "" if it is not terminal."""
    state = tree.game.result(visit.state, action)
    return number(tree.game.utility(state, MAX), node_text.DIGITS) if tree.game.terminal_test(state) else ""


def _description(tree: SearchTree, visit: Visit, parent: Visit | None, name: str) -> str:
    parts = [f"#{visit.order}"]
    if parent:
        parts.append(node_text.move(tree.game, visit, parent))
    parts.append(name or capabilities.notation(tree.game).format_state(visit.state))
    if who := node_text.mover(tree.game, visit):
        parts.append(f"{who} to move")
    if tree.windowed and (shown := node_text.windows(visit)):
        parts.append("window " + ", then ".join(shown) if not visit.is_test else shown[0])
    if visit.closed:
        parts.append(f"value {node_text.value(tree.game, visit)}")
    return ", ".join(part for part in parts if part)
