"""A search tree that a notebook displays as a picture."""

from collections.abc import Iterable
from math import inf

import attrs

from ggp.game import AnyGame
from ggp.show.search_tree import LIMIT, SearchTree
from ggp.show.tree_svg import tree_svg
from ggp.trace import Event


@attrs.define(eq=False, repr=False)
class Tree(SearchTree):
    """See `SearchTree`."""

    def _repr_svg_(self) -> str:
        return tree_svg(self)


def fold(game: AnyGame, events: Iterable[Event], limit: float = LIMIT, levels: float = inf) -> Tree:
    """Return the tree of all `events`: the first `limit` visits, down to `levels` below the root."""
    tree = Tree(game, limit, levels)
    for event in events:
        tree.add(event)
    return tree
