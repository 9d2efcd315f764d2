"""A tree as an exercise prints it: inner nodes have names and leaves have numbers, but no results of a search are
shown.
"""

from collections.abc import Iterator

from ggp.game import CHANCE, MAX
from ggp.show.markup import markup
from ggp.show.node_text import probability
from ggp.show.tree_layout import lay_out, size
from ggp.show.tree_marks import Mark
from ggp.show.tree_svg import draw_branch, draw_mark, frame
from ggp_teach.exercise_tree import ExerciseTree
from ggp_teach.quizzes.answers import number_text

PLAYERS = {MAX: "MAX", 1: "MIN", CHANCE: "chance"}


def bare_marks(tree: ExerciseTree, state: int = 0, parent: int | None = None, branch: str = "") -> Iterator[Mark]:
    """Yield the marks of the tree from left to right."""
    node, name = tree.nodes[state], tree.names[state]
    above = None if parent is None else str(parent)
    if not node.edges:
        worth = number_text(node.worth)
        description = f"leaf {name}, worth {worth}"
        yield Mark(str(state), "terminal", above, branch=branch, inside=worth, below=(name,), description=description)
        return
    player = PLAYERS[node.mover].lower()
    description = f"{name}: {PLAYERS[node.mover]} to move"
    yield Mark(str(state), player, above, branch=branch, inside=name, description=description)  # type: ignore[arg-type]
    for edge in node.edges:
        share = f" ({probability(edge.probability)})" if node.mover == CHANCE else ""
        yield from bare_marks(tree, tree.below[state][edge.label], state, f"{edge.label}{share}")


def exercise_svg(tree: ExerciseTree, identity: str) -> str:
    """Return the tree as SVG."""
    marks = list(bare_marks(tree))
    layout = lay_out(marks, {mark.key: size(mark) for mark in marks})
    root = frame(layout, identity, "The tree of the exercise", "; ".join(mark.description for mark in marks))
    for mark in marks:
        draw_branch(root, mark, layout)
    for mark in marks:
        draw_mark(root, mark, layout)
    return markup(root)


def exercise_lines(tree: ExerciseTree, state: int = 0, before: str = "", head: str = "") -> Iterator[str]:
    """Yield the tree as lines of text."""
    node, name = tree.nodes[state], tree.names[state]
    yield f"{head}{name} = {number_text(node.worth)}" if not node.edges else f"{head}{name} {PLAYERS[node.mover]}"
    for index, edge in enumerate(node.edges):
        last = index == len(node.edges) - 1
        share = f" ({probability(edge.probability)})" if node.mover == CHANCE else ""
        yield from exercise_lines(
            tree,
            tree.below[state][edge.label],
            before + ("   " if last else "│  "),
            f"{before}{'└─' if last else '├─'} {edge.label}{share}: ",
        )
