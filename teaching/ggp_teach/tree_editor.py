"""A page of `ggp serve` where people edit the leaves of a tree, and watch a search of the tree again."""

import functools
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import attrs

from ggp.errors import NotationError, UsageError
from ggp.game import CHANCE, MAX, MIN
from ggp.play.controller import watchable_searchers
from ggp.plugins import Registry
from ggp.searcher import Limits
from ggp.show.search_tree import SearchTree
from ggp.show.tree_html import script, tree_page
from ggp_teach.exercise_tree import ExerciseTree, TreeNode, read_tree

FIRST = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
"""The leaves of AIMA's figure 5.2."""
STYLE = (
    "<style>.editor{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:.5rem 0 1rem}"
    ".editor label{display:flex;flex-direction:column;font-size:.95rem}.editor .tree-text{flex:1 1 22rem}"
    ".editor input,.editor textarea{font:inherit;min-height:2.75rem;padding:.2rem .4rem}"
    ".editor .leaf input{width:4.5rem}</style>"
)


class TreeEditor:
    """A tree with a field for each leaf."""

    name = "tree"
    title = "A tree of your own"
    summary = "write a tree, change its leaves, and watch the search of it again."

    @functools.cached_property
    def scripts(self) -> tuple[str, ...]:
        """See `ggp.plugin_hooks.ServedPage`."""
        return (script(),)

    def html(self, registry: Registry, query: Mapping[str, Sequence[str]]) -> str:
        """Return the page.

        Raises:
            NotationError: the tree or a leaf cannot be read.
            UsageError: the searcher cannot search this tree.
        """
        text = (query.get("tree") or [FIRST])[0].strip() or FIRST
        first = MIN if query.get("first") == ["MIN"] else MAX
        root = read_tree(text, first)
        if query.get("shown") == [text]:  # otherwise the tree is a new one, and the leaves are those of the old one
            root = with_leaves(root, query.get("leaf", ()))
        tree = ExerciseTree(root)
        able = watchable_searchers(registry, tree)
        name = (query.get("searcher") or ["alphabeta" if "alphabeta" in able else able[0]])[0]
        if name not in able:
            if query.get("shown") == [text]:
                raise UsageError(f"{name[:40]} cannot be watched on this tree: {', '.join(able)} can")
            name = able[0]
        finder: Any = registry.searcher(name)
        events = list(finder.trace(tree, 0, Limits(nodes=MOST)))
        page = tree_page(SearchTree(tree), events, source=finder.source, title=f"A tree of your own: {name}")
        return page.replace("<main ", f"{STYLE}{_form(tree, able, name, first)}<main ", 1)


MOST = 5_000
"""Maximum number of states that a search visits."""


def with_leaves(root: TreeNode, texts: Sequence[str]) -> TreeNode:
    """Return the tree with these values at its leaves, from left to right.

    Raises:
        NotationError: there are more or fewer texts than leaves, or a text is not a number.
    """
    number = sum(not node.edges for node in root.nodes())
    if len(texts) != number:
        raise NotationError(f"the tree has {number} leaves; got {len(texts)}")
    values = iter(texts)

    def node(each: TreeNode) -> TreeNode:
        if each.edges:
            return attrs.evolve(each, edges=tuple(attrs.evolve(edge, node=node(edge.node)) for edge in each.edges))
        text = next(values)
        try:
            return attrs.evolve(each, worth=read_tree(text.strip()).worth if "[" not in text else float("x"))
        except (NotationError, ValueError):
            raise NotationError(f"{text[:20]!r} is not a number for a leaf, such as 3 or -2.5") from None

    return node(root)


def as_text(node: TreeNode) -> str:
    """Return a tree as nested lists; the inverse of `read_tree`."""
    if not node.edges:
        return f"{node.worth:g}"
    chance = ['"chance"'] if node.mover == CHANCE else []
    return f"[{', '.join([*chance, *(as_text(edge.node) for edge in node.edges)])}]"


def _form(tree: ExerciseTree, able: Sequence[str], name: str, first: int) -> str:
    text = escape(as_text(tree.root), quote=True)
    leaves = "".join(
        f'<label class="leaf">{tree.names[state]}<input name="leaf" inputmode="decimal" value="{node.worth:g}"></label>'
        for state, node in enumerate(tree.nodes)
        if not node.edges
    )
    searchers = "".join(f"<option{' selected' if each == name else ''}>{escape(each)}</option>" for each in able)
    sides = "".join(f"<option{' selected' if side == first else ''}>{('MAX', 'MIN')[side]}</option>" for side in (0, 1))
    return (
        '<nav class="back" style="padding:.5rem 1rem 0"><a href="/">← All games</a></nav>'
        '<form class="editor" action="/learn/tree" style="padding:0 1rem" aria-label="The tree">'
        f'<label class="tree-text">Tree, as nested lists <textarea name="tree" rows="1">{text}</textarea></label>'
        f'<input type="hidden" name="shown" value="{text}">'
        f'<label>First to move <select name="first">{sides}</select></label>'
        f'<label>Searcher <select name="searcher">{searchers}</select></label>{leaves}'
        "<button>Search again</button></form>"
    )
