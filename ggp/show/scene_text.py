"""A scene in lines of text, plain or for a coloured terminal.

    North  f    e    d
          4    4    4
    0                     0
         (4)  (4)  (4)
           A    B    C  South

Cells that can be chosen are in brackets; highlighted cells are between asterisks.
"""

import itertools
from collections.abc import Collection, Iterator
from math import floor
from typing import TYPE_CHECKING

import attrs

from ggp.escapes import LAYOUT, escaped
from ggp.game import MAX, MIN
from ggp.scene import Cell, Scene
from ggp.show.board_layout import UNIT, BoardLayout, Box, lay_out

if TYPE_CHECKING:
    from rich.text import Text

SHAPES = {"up": "△", "down": "▽"}
LABELLED = ("square", "score")
"""The shapes of cells that have their label inside."""
OWNERS = {MAX: "cyan", MIN: "magenta"}
CLOSEST = 2
"""Minimum number of columns of an ordinary cell."""
SAME = 0.3
"""Greatest vertical distance between texts in one line, in sides of an ordinary cell."""


@attrs.frozen
class Token:
    """A few characters, centred at their position."""

    text: str
    x: float
    y: float
    """The vertical position, in sides of an ordinary cell."""
    style: str = ""
    """The style, in the syntax of `rich`."""


def scene_text(scene: Scene) -> str:
    """Return the board as plain text, with the caption below it."""
    return "\n".join(line.rstrip() for line in scene_in_colour(scene).plain.splitlines())


def scene_in_colour(scene: Scene, changed: Collection[str] = ()) -> "Text":
    """Return the board as text for `rich`: players in colours, cells that can be chosen underlined, changed cells bold.

    Arguments:
        changed: names of cells, see `Scene.changed_since`.
    """
    from rich.text import Text  # not every command draws

    drawn = Text()
    for line in _lines(list(_tokens(scene, lay_out(scene), changed))):
        for blanks, token in line:
            drawn.append(" " * blanks).append(token.text, token.style)
        drawn.append("\n")
    return drawn.append(escaped(scene.caption, LAYOUT))


def _tokens(scene: Scene, layout: BoardLayout, changed: Collection[str]) -> Iterator[Token]:
    for placed in layout.cells:
        cell = placed.cell
        text = _content(cell)
        if cell.shape == "die" and not text:
            continue
        yield _token(text, placed.box, _style(cell, cell.name in changed))
        if placed.label and cell.shape not in LABELLED:
            yield _token(cell.label, placed.label, "dim")
    for line, box in zip(scene.lines, layout.line_labels, strict=True):
        if box:
            yield _token(line.label, box, "dim")


def _token(text: str, box: Box, style: str) -> Token:
    x, y = box.middle
    return Token(escaped(text), x / UNIT, y / UNIT, style)


def _content(cell: Cell) -> str:
    """Return the content of a cell; brackets show that the cell can be chosen."""
    inside = [part for part in (cell.text, "" if cell.count is None else str(cell.count)) if part]
    if cell.shape in LABELLED and cell.label and (cell.count is not None or not inside):
        inside.insert(0, cell.label)
    text = SHAPES.get(cell.shape, "") + " ".join(inside)
    if cell.highlighted:
        return f"*{text}*"
    match cell.shape:
        case "plain" | "coordinate":
            return text.rstrip()
        case "tray":
            return "" if cell.count is None else f"{cell.name}: {cell.count}"
        case "piece":
            return text or "o"
        case "edge" | "dot" | "die" if text or cell.action is None:
            return f"[{text}]" if cell.shape == "die" and text else text
        case "edge" | "score" | "square" | "hexagon" | "button":
            return f"[{text or ' '}]"
    return f"({text})" if cell.action is not None else f" {text} "


def _style(cell: Cell, changed: bool) -> str:
    styles = {
        OWNERS.get(cell.owner, "") if cell.owner is not None else "": True,
        "bold yellow": changed,
        "underline": cell.action is not None and cell.shape != "piece",
        "reverse": cell.highlighted,
    }
    return " ".join(style for style, holds in styles.items() if holds and style)


def _lines(tokens: list[Token]) -> Iterator[list[tuple[int, Token]]]:
    """Yield the tokens line by line, each with the number of blanks in front of it."""
    rows = list(_rows(tokens))
    scale = next(scale for scale in itertools.count(CLOSEST) if all(_fits(row, scale) for row in rows))
    margin = min((_column(token, scale) for token in tokens), default=0)
    for row in rows:
        line, end = [], margin
        for token in row:
            line.append((_column(token, scale) - end, token))
            end = _column(token, scale) + len(token.text)
        yield line


def _column(token: Token, scale: int) -> int:
    """Return the column where the token begins, if an ordinary cell has `scale` columns."""
    return floor(token.x * scale - len(token.text) / 2 + 0.5 + 1e-9)


def _rows(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each line, from left to right."""
    row: list[Token] = []
    for token in sorted(tokens, key=lambda token: token.y):
        if row and token.y - row[0].y > SAME:
            yield sorted(row, key=lambda token: token.x)
            row = []
        row.append(token)
    if row:
        yield sorted(row, key=lambda token: token.x)


def _fits(row: list[Token], scale: int) -> bool:
    """Return whether at least one blank separates neighbouring tokens of the row."""
    return all(_column(right, scale) > _column(left, scale) + len(left.text) for left, right in itertools.pairwise(row))
