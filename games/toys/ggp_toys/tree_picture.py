"""The part of a large tree that is shown: a node, its branches, and the next level if that has few nodes."""

from collections.abc import Iterator

from ggp import Scene
from ggp_toys import tree_scenery
from ggp_toys.tree_graph import LEAF, Graph

FEW = 16
"""The second level is shown if it has at most this number of nodes."""


def scene(graph: Graph, node: int) -> Scene:
    """Return the scene of a node and of the nodes below it."""
    name, mover = graph.names[node], graph.movers[node]
    caption = f"{('MAX', 'MIN', 'chance')[mover]} to move" if mover != LEAF else f"The game is over in {name}"
    children = tuple(_children(graph, node, 2 if _small(graph, node) else 1))
    root = tree_scenery.Node(name, _text(graph, node), _mover(graph, node), current=True, children=children)
    return tree_scenery.scene(root, caption)


def _small(graph: Graph, node: int) -> bool:
    """Return whether there is room for two levels, and no node occurs twice in them."""
    first = [graph.targets[branch] for branch in graph.branches(node)]
    second = [graph.targets[branch] for child in first for branch in graph.branches(child)]
    return len(second) <= FEW and len({*first, *second}) == len(first) + len(second)


def _children(graph: Graph, node: int, levels: int, chosen: bool = True) -> Iterator[tree_scenery.Node]:
    """Yield the nodes at the ends of the branches; the nodes below the current node can be chosen."""
    branches = graph.branches(node)
    targets = [graph.targets[branch] for branch in branches]
    for action, (branch, target) in enumerate(zip(branches, targets, strict=True)):
        label, share, name = graph.labels[branch], graph.probabilities[branch], graph.names[target]
        yield tree_scenery.Node(
            name if targets.count(target) == 1 else f"{name} by {label}",
            _text(graph, target),
            _mover(graph, target),
            action if chosen else None,
            f"{label} ({share:.3g})" if share < 1 else label,
            children=tuple(_children(graph, target, levels - 1, chosen=False)) if levels > 1 else (),
        )


def _text(graph: Graph, node: int) -> str:
    return f"{graph.utilities[node]:g}" if graph.movers[node] == LEAF else graph.names[node]


def _mover(graph: Graph, node: int) -> int | None:
    mover = graph.movers[node]
    return None if mover == LEAF else mover
