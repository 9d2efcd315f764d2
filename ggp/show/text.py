"""A search tree in lines of text.

#  move   mover  window                     value
1  A      MAX    [-inf, +inf] [3, +inf]     3 by a1
2  ├─ a1  MIN    ...
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ggp import capabilities
from ggp.game import CHANCE, Game
from ggp.show.numbers import interval, number, window
from ggp.show.tree import Tree, Visit

SHORT = 6
"""States whose text is no longer than this are shown beside the action."""


MANY = 2
"""A window that changes more often than this is shown as it was at first and in the end."""


FEW = 4
"""Of more actions than this that were cut, only the first are named."""


@attrs.frozen
class Row:
    """One line of the drawing."""

    order: str
    branch: str
    mover: str = ""
    window: str = ""
    value: str = ""


def draw_tree(tree: Tree) -> str:
    """The tree as text: order of visits, actions, windows as they changed, values, and what was never visited."""
    head = Row("#", "move", "mover", "window" if tree.windowed else "", "value")
    rows = [head, *_rows(tree)]
    columns = [max(len(cell) for cell in column) for column in zip(*map(_cells, rows), strict=True)]
    return "\n".join(_line(row, columns) for row in rows)


def _cells(row: Row) -> tuple[str, ...]:
    return row.order, row.branch, row.mover, row.window, row.value


def _line(row: Row, columns: list[int]) -> str:
    order, *rest = zip(_cells(row), columns, strict=True)
    cells = [order[0].rjust(order[1]), *(cell.ljust(width) for cell, width in rest if width)]
    return "  ".join(cells).rstrip()


def _rows(tree: Tree) -> Iterator[Row]:
    if tree.root:
        yield from _visit_rows(tree, tree.root, None, "", "")


def _visit_rows(tree: Tree, visit: Visit, parent: Visit | None, stem: str, below: str) -> Iterator[Row]:
    """The visit's own line, which begins with `stem`, and those of its children, which begin with `below`."""
    order = str(visit.order)
    yield Row(
        order,
        stem + _label(tree.game, visit, parent),
        _mover(tree.game, visit),
        _windows(visit) if tree.windowed else "",
        _value(tree.game, visit),
    )
    text = capabilities.notation(tree.game)
    notes = []
    if visit.cut:
        actions = [text.format_action(visit.state, action) for action in visit.cut]
        notes.append(Row("", _some(actions), value="not visited"))
    if visit.hidden:
        notes.append(Row("", f"… {visit.hidden:,} more"))
    last = len(visit.children) + len(notes) - 1
    for place, child in enumerate(visit.children):
        joint, rest = ("├─ ", "│  ") if place < last else ("└─ ", "   ")
        yield from _visit_rows(tree, child, visit, below + joint, below + rest)
    for place, note in enumerate(notes, len(visit.children)):
        yield attrs.evolve(note, branch=below + ("├─ " if place < last else "└─ ") + note.branch)


def _some(names: list[str]) -> str:
    """All of the names, or the first few and how many more."""
    if len(names) <= FEW:
        return ", ".join(names)
    return f"{', '.join(names[: FEW - 1])}, … {len(names) - FEW + 1} more"


def _label(game: Game[Any, Any], visit: Visit, parent: Visit | None) -> str:
    text = capabilities.notation(game)
    state = text.format_state(visit.state)
    shown = state if len(state) <= SHORT else ""
    if parent is None:
        return shown or "(root)"
    action = text.format_action(parent.state, visit.action)
    chance = "" if visit.probability is None else f" ({number(visit.probability)})"
    return f"{action}{chance} {shown}".rstrip()


def _mover(game: Game[Any, Any], visit: Visit) -> str:
    if visit.mover is None:
        return ""
    return "chance" if visit.mover == CHANCE else capabilities.player_names(game)[visit.mover]


def _windows(visit: Visit) -> str:
    """The window of a visit that is no leaf, and what it became."""
    if visit.leaf:
        return ""
    if visit.is_test:
        return f"test {number(visit.window[0])}"
    later = [window(*each) for each in visit.windows]
    if len(later) > MANY:
        later = ["…", later[-1]]
    return " ".join([window(*visit.window), *later])


def _value(game: Game[Any, Any], visit: Visit) -> str:
    if not visit.closed:
        return "..."
    value = interval(visit.lower, visit.upper)
    if visit.leaf == "estimate":
        return f"{value} (estimate)"
    if visit.choice is None:
        return value
    return f"{value} by {capabilities.notation(game).format_action(visit.state, visit.choice)}"
