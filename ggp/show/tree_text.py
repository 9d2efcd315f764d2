"""A search tree as lines of text.

#  move   mover  window                     value
1  A      MAX    [-inf, +inf] [3, +inf]     3 by a1
2  ├─ a1  MIN    ...
"""

from collections.abc import Iterator

import attrs

from ggp.number_text import window
from ggp.show import node_text
from ggp.show.search_tree import SearchTree, Visit
from ggp.show.tree_marks import Labels

MANY = 2
BROAD = 28
"""Maximum number of changes of a window, and of columns for the windows. If there are more, only the first and the last
window are shown.
"""
WIDTH = 80
"""Maximum number of columns of a line. In deep trees, branches are drawn closer together to stay within this width."""


@attrs.frozen
class Joints:
    """Characters that draw branches."""

    on: str
    last: str
    past: str
    past_last: str


JOINTS = (Joints("├─ ", "└─ ", "│  ", "   "), Joints("├ ", "└ ", "│ ", "  "), Joints("├", "└", "│", " "))
"""The styles of branches, from wide to narrow."""


@attrs.frozen
class Row:
    """One line of the drawing."""

    order: str
    branch: str
    mover: str = ""
    window: str = ""
    value: str = ""


def draw_tree(tree: SearchTree, labels: Labels = "window") -> str:
    """Return the tree as text: order of visits, actions, changes of windows, values, and unvisited nodes.

    Arguments:
        labels: "ranges" replaces the windows by the range in which the value of each state is known to lie.
    """
    title = "range" if labels == "ranges" else "window" if tree.windowed else ""
    head = Row("#", "move", "mover", title, "value")
    for joints in JOINTS:
        rows = [head, *_rows(tree, labels, joints)]
        columns = [max(len(cell) for cell in column) for column in zip(*map(_cells, rows), strict=True)]
        lines = [_line(row, columns) for row in rows]
        if max(map(len, lines)) <= WIDTH:
            break
    return "\n".join(lines)


def _cells(row: Row) -> tuple[str, ...]:
    return row.order, row.branch, row.mover, row.window, row.value


def _line(row: Row, columns: list[int]) -> str:
    order, *rest = zip(_cells(row), columns, strict=True)
    cells = [order[0].rjust(order[1]), *(cell.ljust(width) for cell, width in rest if width)]
    return "  ".join(cells).rstrip()


def _rows(tree: SearchTree, labels: Labels, joints: Joints) -> Iterator[Row]:
    """Yield the line of each visit, followed by the lines of the visits below this visit."""
    waiting: list[tuple[Row, str, Visit | None]] = []
    if tree.root:
        waiting.append((_row(tree, tree.root, None, labels), "", tree.root))
    while waiting:
        row, below, visit = waiting.pop()
        yield row
        if visit is None:
            continue
        hanging: list[tuple[Row, Visit | None]] = []
        hanging += ((_row(tree, child, visit, labels), child) for child in visit.children)
        hanging += ((note, None) for note in _notes(tree, visit))
        for index, (each, child) in enumerate(reversed(hanging)):
            joint, past = (joints.on, joints.past) if index else (joints.last, joints.past_last)
            waiting.append((attrs.evolve(each, branch=below + joint + each.branch), below + past, child))


def _row(tree: SearchTree, visit: Visit, parent: Visit | None, labels: Labels) -> Row:
    return Row(
        str(visit.order),
        _label(tree, visit, parent),
        node_text.mover(tree.game, visit),
        window(*visit.range) if labels == "ranges" else _windows(visit) if tree.windowed else "",
        ", ".join([node_text.value(tree.game, visit)] * (visit.leaf is not None or not visit.note) + [*visit.note]),
    )


def _notes(tree: SearchTree, visit: Visit) -> Iterator[Row]:
    """Yield notes on nodes that were not visited or are not shown."""
    if visit.cut:
        names, more = node_text.cut_actions(tree.game, visit.state, visit.cut)
        yield Row("", ", ".join(names + [f"… {more} more"] * bool(more)), value="not visited")
    if visit.hidden:
        yield Row("", f"… {visit.hidden:,} more")


def _label(tree: SearchTree, visit: Visit, parent: Visit | None) -> str:
    shown = node_text.state_name(tree.game, visit)
    if parent is None:
        return shown or "(root)"
    return f"{node_text.move(tree.game, visit, parent)} {shown}".rstrip()


def _windows(visit: Visit) -> str:
    first, *later = node_text.windows(visit) or [""]
    whole = " ".join([first, *later])
    return f"{first} … {later[-1]}" if len(later) > MANY or (len(later) > 1 and len(whole) > BROAD) else whole
