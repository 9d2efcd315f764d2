"""A search to step through: one page that needs nothing besides itself, with the searcher's program beside the tree.

What is seen at a step is what was known then: every mark is drawn anew whenever an event has changed it, and the page
has all that was drawn, each with the steps at which it is to be seen.
"""

import base64
import hashlib
import importlib.resources
import json
from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

import attrs

from ggp.show.tree import Tree, Visit, steps, uses_windows
from ggp.show.tree_layout import Layout, largest, lay_out, size
from ggp.show.tree_marks import Labels, Mark, marks, note_marks, visit_mark
from ggp.show.tree_story import tell
from ggp.show.tree_svg import clean, draw_branch, draw_mark, frame, in_words
from ggp.trace import Event


@attrs.frozen
class Version:
    """How a mark looks from one step on, until there is a later version of it."""

    step: int
    mark: Mark


@attrs.frozen
class Step:
    """What one step is about."""

    at: str
    """The key of the mark."""
    line: int | None
    """The line of the program that runs."""
    say: str


@attrs.frozen
class Film:
    """A search as a film: all its steps, and what every mark looked like at each of them."""

    steps: list[Step]
    versions: dict[str, list[Version]]
    """By the marks' keys, each list in the order of steps, which are counted from 1."""
    marks: list[Mark]
    """All marks, as they are in the end."""

    def at(self, step: int) -> dict[str, Mark]:
        """The marks that are to be seen at a step."""
        seen = {key: [each for each in made if each.step <= step] for key, made in self.versions.items()}
        return {key: made[-1].mark for key, made in seen.items() if made}

    def layout(self) -> Layout:
        """Places for all marks, with room for each of their versions."""
        sizes = {key: largest(size(each.mark) for each in made) for key, made in self.versions.items()}
        return lay_out(self.marks, sizes)


def film(tree: Tree, events: Iterable[Event], labels: Labels = "window", source: Sequence[str] = ()) -> Film:
    """Add the events to a tree that has none yet, and keep what is to be seen after each step."""
    events = list(events)
    tree.windowed = uses_windows(events)
    told: list[Step] = []
    versions: dict[str, list[Version]] = {}
    for number, event in enumerate(steps(tree, events), start=1):
        place = tree.place
        if place is None or tree.latest is None:
            continue
        line = event.line if source and tree.latest.kept else None
        told.append(Step(str(place.order), line, tell(tree, event)))
        for mark in _touched(tree, place, labels):
            made = versions.setdefault(mark.key, [])
            if not made or made[-1].mark != mark:
                made.append(Version(number, mark))
    return Film(told, versions, marks(tree, labels))


def _touched(tree: Tree, place: Visit, labels: Labels) -> list[Mark]:
    """The marks that the last step may have changed: of its visit and of all above it; in the end, the main line's."""
    principal = tree.principal_variation()
    if principal:
        above = {visit.order: parent for visit, parent in zip(principal, [None, *principal], strict=False)}
        return [visit_mark(tree, visit, above[visit.order], labels, principal=True) for visit in principal]
    kept = [visit for visit in tree.path if visit.kept]
    if not kept or kept[-1] is not place:
        kept.append(place)
    found = [
        visit_mark(tree, visit, parent, labels, principal=False)
        for visit, parent in zip(kept, [None, *kept], strict=False)
    ]
    return found + note_marks(tree, place)


def tree_page(
    tree: Tree,
    events: Iterable[Event],
    *,
    labels: Labels = "window",
    source: Sequence[str] = (),
    title: str = "A search tree",
) -> str:
    """A page to step through the search, to be opened from a file or shown in a frame. It loads nothing.

    Arguments:
        tree: to which no event was added yet; its limits say how much is kept.
        labels: see `ggp.show.tree_svg.tree_svg`.
        source: the lines of the searcher's program, to be shown beside the tree.
        title: which search it is.
    """
    shown = film(tree, events, labels, source)
    script, style = _resource("stepper.js"), _resource("stepper.css")
    html = Element("html", lang="en")
    head, body = SubElement(html, "head"), SubElement(html, "body")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": _policy(script)})
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(head, "title").text = clean(title)
    SubElement(head, "style").text = style
    main = SubElement(body, "main")
    SubElement(main, "h1").text = clean(title)
    _controls(main, len(shown.steps))
    _beside(main, shown, source, tree)
    page = tostring(html, encoding="unicode", method="html")
    data = json.dumps([attrs.asdict(each) for each in shown.steps], ensure_ascii=False).replace("<", "\\u003c")
    scripts = f'<script type="application/json" id="steps">{clean(data)}</script><script>{script}</script>'
    return "<!DOCTYPE html>\n" + page.replace("</body>", f"{scripts}</body>")


def _resource(name: str) -> str:
    return importlib.resources.files("ggp.show").joinpath(name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    """What the page may do: run its one script, and style itself."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _controls(main: Element, count: int) -> None:
    bar = SubElement(main, "div", {"class": "steps", "role": "group", "aria-label": "Steps"})
    for name in ("first", "back", "play", "next", "last"):
        SubElement(bar, "button", {"type": "button", "id": name}).text = name.capitalize()
    label = SubElement(bar, "label")
    SubElement(label, "span").text = "Step"
    SubElement(label, "input", {"type": "range", "id": "step", "min": "1", "max": str(count), "value": str(count)})
    SubElement(label, "output", {"id": "count", "for": "step"})
    whole = SubElement(bar, "button", {"type": "button", "id": "whole", "aria-pressed": "false"})
    whole.text = "Whole tree"
    SubElement(main, "p", {"id": "told", "class": "told", "aria-live": "polite"})


def _beside(main: Element, shown: Film, source: Sequence[str], tree: Tree) -> None:
    """The tree, and the program at its side."""
    beside = SubElement(main, "div", {"class": "beside"})
    box = SubElement(beside, "div", {"class": "tree", "tabindex": "0", "role": "region", "aria-label": "The tree"})
    box.append(_picture(shown, tree))
    if source:
        section = SubElement(beside, "section", {"aria-label": "The program"})
        code = SubElement(section, "ol", {"class": "code", "tabindex": "0"})
        for line in source:
            SubElement(code, "li").text = clean(line)
    hint = SubElement(main, "p", {"class": "hint"})
    hint.text = "Keys: left and right step, home and end jump, space plays. "
    hint.text += "Triangles up are MAX's, triangles down MIN's, circles are chance; squares are leaves, round ones "
    hint.text += "estimates. Dashed branches were cut; the thick line is best play."


def _picture(shown: Film, tree: Tree) -> Element:
    """All versions of all marks; those that are not there in the end are hidden."""
    layout = shown.layout()
    root = frame(layout, "tree", "The search tree", in_words(tree))
    branches, symbols = SubElement(root, "g"), SubElement(root, "g")
    for mark in shown.marks:
        made = shown.versions[mark.key]
        for version, later in zip(made, [*made[1:], None], strict=True):
            for element in (draw_branch(branches, version.mark, layout), draw_mark(symbols, version.mark, layout)):
                element.set("data-from", str(version.step))
                if later:
                    element.set("data-to", str(later.step))
                    element.set("hidden", "hidden")
    return root
