"""What the tests of trees' pictures share: traces, and a reader of the SVG."""

from xml.etree import ElementTree

import ggp
from ggp.show.search_tree import steps, uses_windows
from ggp.show.tree import Tree
from ggp.show.tree_svg import tree_svg

REGISTRY = ggp.load_registry()
FIG52 = REGISTRY.game("fig52")
TEXTBOOK = ["minimax", "alphabeta", "scout", "expectiminimax"]
SVG = "{http://www.w3.org/2000/svg}"


def trace(name, game=FIG52, depth=3):
    return list(REGISTRY.searcher(name).trace(game, game.initial_state(), ggp.Limits(depth=depth)))


def after(events, step=None, game=FIG52, **limits):
    """The tree after so many steps, or all."""
    tree = Tree(game, windowed=uses_windows(events), **limits)
    for number, _ in enumerate(steps(tree, events), 1):
        if number == step:
            break
    return tree


class Picture:
    """A picture of a tree, read from its SVG."""

    def __init__(self, tree, **options):
        self.root = ElementTree.fromstring(tree_svg(tree, **options))  # noqa: S314

    def groups(self, kind):
        """The groups with all of these classes."""
        return [g for g in self.root.iter(f"{SVG}g") if set(kind.split()) <= set(g.get("class", "").split())]

    def mark(self, key):
        return next(group for group in self.groups("mark") if group.get("data-key") == key)

    def texts(self, key):
        return [text.text for text in self.mark(key).iter(f"{SVG}text")]

    def words(self, key):
        return self.mark(key).find(f"{SVG}title").text
