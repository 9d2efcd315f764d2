"""A search as pictures for slides: one for each step, an animation, and TikZ."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

from ggp.show.markup import markup
from ggp.show.tree_film import Film, Version
from ggp.show.tree_layout import TreeLayout
from ggp.show.tree_marks import Mark
from ggp.show.tree_svg import draw_branch, draw_mark, frame, texts

PACE = 1.2
"""Seconds for which the animation shows a step."""
REST = 3
"""The animation shows the last step for as long as this number of steps."""
SCALE = 0.02
"""Length of a pixel in TikZ, in centimetres."""


def frames(film: Film, title: str) -> Iterator[str]:
    """Yield a picture for each step; nodes keep their places."""
    layout = film.layout()
    for number, step in enumerate(film.steps, 1):
        root = frame(layout, f"step{number}", f"{title}, step {number}", step.say)
        visible = film.at(number)
        marks = [visible[mark.key] for mark in film.marks if mark.key in visible]
        for mark in marks:
            draw_branch(root, mark, layout)
        for mark in marks:
            group = draw_mark(root, mark, layout)
            if mark.key == step.at:
                group.set("class", f"{group.get('class')} current")
        yield markup(root)


def animation(film: Film, title: str) -> str:
    """Return one picture that shows all steps in turn, again and again."""
    layout, steps = film.layout(), len(film.steps)
    root = frame(layout, "film", title, film.steps[-1].say if film.steps else "Nothing was visited.")
    spans = [(version, end) for mark in film.marks for version, end in _spans(film.versions[mark.key], steps)]
    for draw in (draw_branch, draw_mark):
        for version, end in spans:
            assert version.mark is not None
            group = draw(root, version.mark, layout)
            _show(group, version.step, end, steps)
    return markup(root)


def _spans(versions: list[Version], steps: int) -> Iterator[tuple[Version, int]]:
    """Yield each version of a mark that is drawn, with the step at which the next version replaces it."""
    ends = [version.step for version in versions[1:]] + [steps + REST + 1]
    for version, end in zip(versions, ends, strict=True):
        if version.mark is not None and end > version.step:
            yield version, end


def _show(group: Element, step: int, end: int, steps: int) -> None:
    """Show a group from one step until another."""
    whole = steps + REST
    begin, close = (step - 1) / whole, min(1.0, (end - 1) / whole)
    values, times = ["visible"], ["0"]
    if begin > 0:
        values, times = ["hidden", "visible"], ["0", f"{begin:.5f}"]
    if close < 1:
        values, times = [*values, "hidden"], [*times, f"{close:.5f}"]
    if len(values) > 1:
        timing = {"values": ";".join(values), "keyTimes": ";".join(times), "dur": f"{PACE * whole:g}s"}
        more = {"attributeName": "visibility", "calcMode": "discrete", "repeatCount": "indefinite"}
        SubElement(group, "animate", more | timing)


SHAPES = {
    "max": "regular polygon, regular polygon sides=3, inner sep=1pt, fill=blue!10",
    "min": "regular polygon, regular polygon sides=3, shape border rotate=180, inner sep=1pt, fill=red!10",
    "chance": "circle, inner sep=2pt, fill=yellow!20",
    "unvisited": "rectangle, dashed, gray",
    "more": "rectangle, draw=none, gray",
}


def tikz(film: Film, title: str) -> str:
    r"""Return the finished tree as a document in LaTeX with TikZ; `\begin{tikzpicture}` may be copied into slides."""
    layout = film.layout()
    lines = [
        f"% {_tex(title)}",
        "\\documentclass[tikz,border=4pt]{standalone}",
        "\\usetikzlibrary{shapes.geometric}",
        "\\begin{document}",
        "\\begin{tikzpicture}[every node/.style={font=\\small}, branch/.style={midway, fill=white, font=\\scriptsize}]",
    ]
    last = {mark.key: mark for mark in film.marks if mark.key in film.at(len(film.steps))}
    names = {key: f"n{index}" for index, key in enumerate(last)}
    lines += [_tikz_node(mark, names[key], layout) for key, mark in last.items()]
    for key, mark in last.items():
        if mark.parent is not None:
            style = "dashed, gray" if mark.symbol == "unvisited" else "very thick" if mark.principal else "thin"
            label = f" node[branch] {{{_tex(mark.branch)}}}" if mark.branch else ""
            lines.append(f"  \\draw[{style}] ({names[mark.parent]}) --{label} ({names[key]});")
    return "\n".join([*lines, "\\end{tikzpicture}", "\\end{document}"])


def _tikz_node(mark: Mark, name: str, layout: TreeLayout) -> str:
    x, y = layout.places[mark.key]
    style = SHAPES.get(mark.symbol, "rectangle")
    beside = [text for css_class, _, text in texts(mark) if css_class.startswith("beside")]
    lines = "\\\\{}".join(map(_tex, beside))
    label = f", label={{[font=\\scriptsize, align=left]right:{{{lines}}}}}" if beside else ""
    where = f"({SCALE * x:.2f}, {-SCALE * y:.2f})"
    return f"  \\node[draw, {style}{label}] ({name}) at {where} {{{_tex(mark.inside)}}};"


_SIGNS = {"≥": "$\\geq$", "≤": "$\\leq$", "∞": "$\\infty$", "→": "$\\to$", "…": "\\dots{}"}


def _tex(text: str) -> str:
    """Return a text with the signs that are special in LaTeX escaped."""
    escaped = text.replace("\\", "/")
    for sign in "&%$#_{}":
        escaped = escaped.replace(sign, f"\\{sign}")
    escaped = escaped.replace("~", "\\textasciitilde{}").replace("^", "\\textasciicircum{}")
    for sign, written in _SIGNS.items():
        escaped = escaped.replace(sign, written)
    return escaped
