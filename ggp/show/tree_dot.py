"""A search tree in the language of Graphviz, whose programs can draw or change it."""

from ggp.show.search_tree import SearchTree
from ggp.show.tree_marks import Labels, Mark, Symbol, marks

SHAPES: dict[Symbol, str] = {
    "entered": "shape=box, style=dotted",
    "max": "shape=triangle, regular=true",
    "min": "shape=invtriangle, regular=true",
    "chance": "shape=circle",
    "terminal": "shape=box",
    "estimate": "shape=box, style=rounded",
    "unvisited": "shape=box, style=dashed, color=gray, fontcolor=gray40",
    "more": "shape=plain",
}


def tree_dot(tree: SearchTree, labels: Labels = "window") -> str:
    """Return the tree as a graph for `dot`, with the same content as the picture of `ggp.show.tree_svg`.

    A node shows its value; the branch that leads to it shows the order of visits and the window.
    """
    lines = ["digraph tree {", "  graph [ordering=out]", "  node [width=0.4, height=0.4, margin=0.03]"]
    lines.append("  edge [dir=none]")
    for mark in marks(tree, labels):
        if mark.parent is None:
            lines += ['  start [shape=plain, label=""]', f"  start -> {_quoted(mark.key)} [{', '.join(_edge(mark))}]"]
        else:
            lines.append(f"  {_quoted(mark.parent)} -> {_quoted(mark.key)} [{', '.join(_edge(mark))}]")
        lines.append(f"  {_quoted(mark.key)} [{', '.join(_node(mark))}]")
    return "\n".join([*lines, "}"])


def _node(mark: Mark) -> list[str]:
    shown = "\n".join(text for text in (mark.inside, *mark.beside[:1]) if text)
    return [f"label={_quoted(shown)}", SHAPES[mark.symbol], f"tooltip={_quoted(mark.description)}"] + (
        ["penwidth=2"] * mark.principal
    )


def _edge(mark: Mark) -> list[str]:
    below = [" ".join(mark.below)] if mark.symbol == "unvisited" else []
    beside = [f"{mark.branch} {mark.order}".strip(), *mark.beside[1:], *below]
    attributes = [f"label={_quoted(chr(10).join(beside))}"]
    if mark.symbol == "unvisited":
        return [*attributes, "style=dashed", "color=gray", "fontcolor=gray40", "dir=back", "arrowtail=teetee"]
    if mark.symbol == "more":
        return [*attributes, "style=dotted"]
    return attributes + ["penwidth=3"] * mark.principal


def _quoted(text: str) -> str:
    """Return a text quoted for Graphviz, which then takes it literally."""
    clean = text.replace("\0", "�").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{clean}"'
