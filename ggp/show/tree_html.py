"""Web pages that step through searches, each in one file without dependencies.

A page of one search shows the searcher's source beside the tree. A page of several searches shows their trees side by
side, and steps through them together. The page stores every version of every mark, but draws only the marks in view. So
a tree of ten thousand visits moves as smoothly as a small one. Python decides how a mark looks, as for all other
pictures.
"""

import functools
import importlib.resources
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

import attrs

from ggp import capabilities
from ggp.show import board_style, node_text, tree_style
from ggp.show.album import Album
from ggp.show.document import document
from ggp.show.search_tree import SearchTree
from ggp.show.tree_film import Film, Step, Version, film
from ggp.show.tree_layout import ABOVE, GAP, HIGH, LOW, MARGIN, STEEP, SYMBOL, largest, size
from ggp.show.tree_marks import Facts, Labels
from ggp.show.tree_svg import clean, outline, texts, tree_svg
from ggp.trace import Event

STATIC = 1000
"""Maximum number of marks for which the page includes a picture for browsers without scripts."""


@attrs.frozen
class SearchTrace:
    """A search to show."""

    name: str
    tree: SearchTree
    """An empty tree; its limits decide how much is shown."""
    events: Iterable[Event]
    source: Sequence[str] = ()
    """The lines of the searcher's source."""


def tree_page(
    tree: SearchTree,
    events: Iterable[Event],
    *,
    labels: Labels = "window",
    source: Sequence[str] = (),
    title: str = "A search tree",
) -> str:
    """Return a page that steps through the search. The page can be opened from a file or shown in a frame, and loads
    nothing.

    Arguments:
        tree: an empty tree; its limits decide how much is shown.
        labels: see `ggp.show.tree_svg.tree_svg`.
        source: the lines of the searcher's source, shown beside the tree.
        title: a description of the search.
    """
    return searches_page([SearchTrace("", tree, events, source)], labels=labels, title=title)


def searches_page(
    searches: Sequence[SearchTrace],
    *,
    labels: Labels = "window",
    title: str = "Search trees",
    back: tuple[str, str] | None = None,
) -> str:
    """Return a page that steps through several searches of one state together; see `tree_page`.

    Arguments:
        back: the text and the address of a link back to the previous page.
    """
    films = [film(each.tree, each.events, labels, each.source) for each in searches]
    album = Album(searches[0].tree.game) if any(map(_long_names, films)) else None
    data: dict[str, object] = {"panes": [_pane(*each, album) for each in zip(searches, films, strict=True)]}
    data |= {"shapes": {css_class: height / 2 for css_class, (_, height) in SYMBOL.items()}}
    data |= {"lengths": {"above": ABOVE, "gap": GAP, "high": HIGH, "low": LOW, "margin": MARGIN, "steep": STEEP}}
    if album:
        data |= {"pieces": [*album.pieces], "boards": [*album.boards]}
    return _page(title, data, _body(searches, films, title, back))


def _long_names(shown: Film) -> bool:
    """Return whether to show boards, because the texts of the states are too long for the symbols."""
    root = shown.tree.root
    return root is not None and not node_text.state_name(shown.tree.game, root)


def _pane(search: SearchTrace, shown: Film, album: Album | None) -> dict[str, object]:
    """Return what the page needs to know about a search: its steps, and the versions of its marks with positions."""
    places = {mark.key: index for index, mark in enumerate(shown.marks)}
    pictures = _Pictures()
    boards = {} if album is None else _boards(shown.tree, album)
    return {
        "name": search.name,
        "marks": [
            [
                mark.key,
                -1 if mark.parent is None else places[mark.parent],
                _room(shown.versions[mark.key]),
                mark.branch,
                boards.get(mark.key, -1),
                [pictures.version(each) for each in shown.versions[mark.key]],
            ]
            for mark in shown.marks
        ],
        "outlines": [*pictures.outlines],
        "classes": [*pictures.classes],
        "steps": [_step(each, places) for each in shown.steps],
        "visits": shown.tree.visits,
    }


def _room(versions: Sequence[Version]) -> list[float]:
    """Return how far a mark extends in any of its versions: to the left, right, top and bottom."""
    sizes = largest(size(each.mark) for each in versions if each.mark)
    return [round(each, 3) for each in attrs.astuple(sizes)]


def _boards(tree: SearchTree, album: Album) -> dict[str, int]:
    boards = {str(tree.root.order): album.add(tree.root.state)} if tree.root else {}
    for visit in tree.all_shown():
        boards |= {str(child.order): album.add(child.state, visit.state) for child in visit.children}
    return boards


@attrs.define
class _Pictures:
    """The drawings of the versions of marks; outlines and classes of texts that they share are stored once."""

    outlines: dict[str, int] = attrs.field(factory=dict)
    classes: dict[str, int] = attrs.field(factory=dict)

    def version(self, version: Version) -> list[object]:
        mark = version.mark
        if mark is None:
            return [version.step]
        path = self.outlines.setdefault(outline(mark), len(self.outlines))
        lines: list[object] = []
        for css_class, (x, y), text in texts(mark):
            lines += [self.classes.setdefault(css_class, len(self.classes)), round(x, 1), round(y, 1), text]
        facts = [] if mark.facts is None else [_facts(mark.facts)]
        return [version.step, mark.symbol, path, int(mark.principal), mark.description, lines, *facts]


def _facts(facts: Facts) -> list[object]:
    return [each if isinstance(each, str) or isfinite(each) else None for each in attrs.astuple(facts)]


def _step(step: Step, places: Mapping[str, int]) -> list[object]:
    row = [places[step.at], -1 if step.line is None else step.line, step.say, step.visits]
    if step.question is None:
        return row
    asked = step.question
    return [*row, [places[asked.at], asked.text, int(asked.cut), asked.why]]


def _page(title: str, data: Mapping[str, object], main: Element) -> str:
    body = tostring(main, encoding="unicode", method="html")
    return document(title, style(), body, script=script(), data=("searches", data))


def script() -> str:
    """Return the page's script. A server that sends the page lists the hash of the script in the content security
    policy.
    """
    return _resource("stepper.js")


def style() -> str:
    """Return the page's style sheet; its hash is used in the same way as that of `script`."""
    return tree_style.STYLE + board_style.STYLE + _resource("stepper.css")


@functools.cache
def _resource(name: str) -> str:
    return importlib.resources.files("ggp.show").joinpath(name).read_text(encoding="utf-8")


def _body(searches: Sequence[SearchTrace], films: Sequence[Film], title: str, back: tuple[str, str] | None) -> Element:
    main = Element("main", {"class": "several" if len(searches) > 1 else "one"})
    if back:
        text, address = back
        SubElement(SubElement(main, "nav", {"class": "back"}), "a", href=address).text = clean(f"← {text}")
    SubElement(main, "h1").text = clean(title)
    _controls(main, max(len(each.steps) for each in films))
    scrolls = {"tabindex": "0", "role": "region", "aria-label": "The trees"} if len(searches) > 1 else {}
    panes = SubElement(main, "div", {"class": "panes"} | scrolls)
    for index, (search, shown) in enumerate(zip(searches, films, strict=True)):
        _section(SubElement(panes, "section", {"class": "pane"}), search, shown, index, title)
    if len(searches) == 1:
        _aside(SubElement(panes, "div", {"class": "side"}), searches[0].source, films[0].tree)
    names = capabilities.player_names(films[0].tree.game)
    hint = SubElement(main, "p", {"class": "hint"})
    hint.text = (
        "Keys: Left and Right go one step, Home and End go to the first and the last step, Space plays, Up and Down "
        "go to the node above and below, C collapses a node, P shows only the path, + and - zoom, and W shows the "
        "whole tree. Drag to move the tree, click a node to go to its step, click it twice to collapse it. "
        f"Triangles up are {names[0]}'s, triangles down {names[1]}'s, circles are chance; squares are leaves, "
        "with round corners if the value is an estimate. Dashed branches were cut; the thick line is best play. In the "
        "last column of the table, the band is the window, and the bar is the range of the value."
    )
    return main


def _controls(main: Element, count: int) -> None:
    bar = SubElement(main, "div", {"class": "steps", "role": "group", "aria-label": "Steps"})
    moves = SubElement(bar, "div", {"class": "moves"})
    for name in ("first", "back", "play", "next", "last"):
        SubElement(moves, "button", {"type": "button", "id": name}).text = name.capitalize()
    label = SubElement(bar, "label", {"class": "slider"})
    SubElement(label, "span").text = "Step"
    SubElement(
        label,
        "input",
        {"type": "range", "id": "step", "min": "1", "max": str(count), "value": str(count)} | {"aria-label": "Step"},
    )
    SubElement(label, "output", {"id": "count", "for": "step"})
    more = SubElement(
        bar, "button", {"type": "button", "id": "more", "aria-expanded": "false", "aria-controls": "view"}
    )
    more.text = "More"
    view = SubElement(bar, "div", {"class": "view", "id": "view", "role": "group", "aria-label": "Speed and view"})
    label = SubElement(view, "label")
    SubElement(label, "span").text = "Speed"
    speed = SubElement(label, "select", {"id": "speed"})
    for text, pace in {"slow": 2000, "usual": 900, "fast": 250, "very fast": 40}.items():
        chosen = {"selected": "selected"} if text == "usual" else {}
        SubElement(speed, "option", {"value": str(pace)} | chosen).text = text
    for name, text, spoken in (
        ("out", "−", "Zoom out"),
        ("in", "+", "Zoom in"),
        ("whole", "Whole tree", ""),
        ("collapse", "Collapse", ""),
        ("path", "Path only", ""),
        ("boards", "Boards", ""),
        ("predict", "Predict the cut", ""),
    ):
        button = SubElement(view, "button", {"type": "button", "id": name} | ({"aria-label": spoken} if spoken else {}))
        button.text = text
        if name not in ("in", "out"):
            button.set("aria-pressed", "false")
    quiz = SubElement(main, "div", {"class": "quiz", "id": "quiz", "hidden": "hidden"})
    SubElement(quiz, "p", {"id": "question", "aria-live": "polite"})
    for name, text in (("cut", "Cut"), ("visit", "Visited"), ("go", "Go on")):
        SubElement(quiz, "button", {"type": "button", "id": name}).text = text
    SubElement(quiz, "span", {"id": "score"})


def _section(panel: Element, search: SearchTrace, shown: Film, number: int, title: str) -> None:
    """Add one search: its tree, and the description of its last step."""
    name = search.name or "The tree"
    if search.name:
        SubElement(panel, "h2").text = clean(search.name)
    alone = {} if search.name else {"id": "narration"}
    SubElement(panel, "p", {"class": "narration", "aria-live": "polite"} | alone)
    if search.name:
        SubElement(panel, "p", {"class": "tally"})
    box = SubElement(panel, "div", {"class": "tree", "tabindex": "0", "role": "region", "aria-label": clean(name)})
    still = SubElement(box, "noscript")
    if len(shown.marks) <= STATIC:
        still.append(_element(tree_svg(shown.tree, identity=f"still-{number}", title=title)))
    else:
        still.text = "The tree is drawn by a script, and scripts are off."
    if search.name:
        _html_table(panel, shown.tree)


def _element(svg: str) -> Element:
    element = fromstring(svg)  # noqa: S314
    for each in element.iter():
        each.tag = each.tag.rpartition("}")[2]
    return element


def _aside(side: Element, source: Sequence[str], tree: SearchTree) -> None:
    """Add the board, the table of bounds on the path, and the source."""
    board = SubElement(side, "figure", {"class": "board", "id": "board", "hidden": "hidden"})
    SubElement(board, "figcaption")
    _html_table(side, tree)
    if source:
        panel = SubElement(side, "section", {"aria-label": "The program"})
        code = SubElement(panel, "ol", {"class": "code", "tabindex": "0", "aria-label": "The program"})
        for line in source:
            SubElement(code, "li").text = clean(line)


def _html_table(parent: Element, tree: SearchTree) -> None:
    """Add the table of bounds for the nodes on the path; the script fills it in. Windows have a column only if the
    search uses windows.
    """
    box = SubElement(parent, "div", {"class": "known", "tabindex": "0", "role": "region", "aria-label": "The path"})
    element = SubElement(box, "table", {} if tree.windowed else {"class": "plain"})
    SubElement(element, "caption").text = "From the root to here"
    row = SubElement(SubElement(element, "thead"), "tr")
    for head in ("move", "to move", "α", "β", "value", "best", "range"):
        SubElement(row, "th", {"scope": "col"}).text = head
    SubElement(element, "tbody")
