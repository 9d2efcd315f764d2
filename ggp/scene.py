"""Scenes: the board of a state as a list of cells, from which every picture is drawn.

Text, SVG, the web page, the notebook and the terminal app all draw the same scene, by code that knows no game. A game
provides the scene by `scene(state)` (see `ggp.game.Scenic`); `ggp.capabilities.scene` returns a plain one for any other
game.

    def scene(self, state):
        heaps = enumerate(state, start=1)
        cells = [Cell(f"heap {n}", x=n, y=0, count=stones, action=n if stones else None) for n, stones in heaps]
        return Scene(tuple(cells), caption="first to move", things=("stone", "stones"))

Positions and sizes are in units of an ordinary cell's side. x points to the right and y down. Cells do not overlap.
"""

import re
from collections.abc import Hashable, Mapping
from math import sqrt
from typing import Literal, TypedDict, get_args

import attrs

Shade = Literal["", "dark", "light"]
"""The colour of a square of a chequered board."""
Material = Literal["", "wood", "felt", "paper", "frame"]
"""The material that a board is made of.

wood, felt, paper: a board in that colour, whose squares touch. frame: an upright frame with holes for discs. Without a
material, hollows are in wood, and other cells lie side by side.
"""
Colour = Literal["blue", "red", "black", "white", "yellow", "green", "orange", "purple", "brown"]
"""The colour of a player's pieces."""
COLOURS: tuple[Colour, ...] = get_args(Colour)
PieceKind = Literal["", "disc", "stone", "man", "king", "pawn", "domino", "cross", "ring", "fill", "pancake", "pebble"]
"""The piece that stands in a cell; its colour is the owner's.

- disc: flat, as in Othello.
- stone: with a rounded top.
- man: a grooved disc, as in checkers.
- king: a man with a crown.
- domino: one half of a domino. The cell `joined` has the other half.
- cross, ring: drawn by hand, as in tic-tac-toe.
- fill: the whole cell in the owner's colour.
- pebble: an uneven stone of a heap.

The text of a disc or a stone is written on it. The characters in `SIGNS` are not written on it: only terminals show
them.
"""
Shape = Literal[
    "square",
    "hexagon",
    "round",
    "edge",
    "dot",
    "die",
    "tray",
    "score",
    "piece",
    "up",
    "down",
    "button",
    "plain",
    "coordinate",
]
"""The shape of a cell.

- square: a field of a board.
- hexagon: a field with a corner above and below. The corners reach into the neighbouring rows by a sixth of the field's
  height (a height of 0.87 fits a width of 1).
- round: a hollow with round ends that holds things. Their number is in a strip above or below.
- edge: a line between two dots, along the cell's longer side. The line is drawn if the cell has a text.
- dot: the place where such lines meet.
- die: a die that shows the text, a number.
- tray: pieces beside the board, as many as the count. Without a count, it is a plate.
- score: a count in large digits.
- piece: a thing itself, such as a pancake. Its text is only for terminals.
- up, down: a triangle, as for nodes of MAX and MIN in a tree.
- button: something to press beside the board (roll, hold).
- plain: text without an outline. Without a text, it is an empty place of the board, or the number of things beside it.
- coordinate: the name of a row or column at the edge of the board. It turns with the board.
"""
TINY = 1e-6
TEXTS = frozenset({"plain", "coordinate"})
"""The shapes of cells that consist only of text."""
BESIDE = frozenset({"button", "plain", "coordinate", "die", "tray"})
"""The shapes of cells that are beside the board."""

SIGNS: Mapping[str, PieceKind] = {"●": "disc", "○": "disc", "♚": "king", "♔": "king", "♙": "pawn", "♟": "pawn"}
"""For each character that stands for a piece: the piece that pictures show, unless the cell names another one."""


@attrs.frozen
class Cell:
    """One place of the board, or one button beside it."""

    name: str
    """The cell's name: unique in the scene, and the same in every state: "C", "South's store"."""
    x: float
    y: float
    """The coordinates `x` and `y` of the upper left corner of the cell."""
    width: float = 1
    height: float = 1
    shape: Shape = "square"
    text: str = ""
    """The text in the cell: a mark, a value."""
    count: int | None = None
    """The number of things (seeds, stones) in the cell. The things are drawn if there is room, and counted in digits.
    """
    label: str = ""
    """A short text at the cell's edge: at the top of a square, and outside any other shape, on the side away from the
    middle of the scene. The label of a cell at the middle height of the scene is above the cell if MIN owns it, and
    below it otherwise.
    """
    owner: int | None = None
    """The owner as `ggp.game.Player`: MAX, MIN, or None."""
    action: Hashable = None
    """The action that is played by choosing the cell in this state; None if it cannot be chosen."""
    hint: str = ""
    """The effect of choosing the cell, in words: "play C", "take 3"."""
    highlighted: bool = False
    """Whether pictures emphasize the cell, for example as part of a winning row."""
    shade: Shade = ""
    """The cell's colour on a chequered board, whose cells touch; a label is then in the corner."""
    reach: tuple[str, ...] = ()
    """Names of other cells that may be clicked instead of this cell, such as the other cells of a column."""
    piece: PieceKind = ""
    """The piece in the cell; for a tray, the piece that `count` counts."""
    joined: str = ""
    """The name of the neighbouring cell that the same piece covers, such as the other half of a domino."""
    unowned: bool = False
    """Whether the state does not show who owns the content.

    Then the owner is the player whose move filled the cell. Where the moves are known, pictures show the owner; see
    `Scene.after`.
    """

    @property
    def stands(self) -> str:
        """The piece in the cell, as a `PieceKind`: the attribute `piece`, or the piece that `text` is a sign for."""
        there = self.text or self.count is not None or self.shape == "piece"
        return (self.piece if there else "") or SIGNS.get(self.text, "")


@attrs.frozen
class Line:
    """A line between the centres of two cells, which are given by name."""

    start: str
    end: str
    label: str = ""


@attrs.frozen
class Move:
    """An action that is chosen by clicking two cells, given by name: first where it starts, then where it ends."""

    start: str
    end: str
    action: Hashable
    hint: str = ""
    """The effect of the move, in words: "play e2-e4"."""
    via: tuple[str, ...] = ()
    """The cells in which the piece lands on its way, in order, as in a chain of jumps."""


class SceneOptions(TypedDict, total=False):
    """The properties of a scene that a game may set if a board, such as `ggp.Grid`, makes the scene; see `Scene`."""

    lines: tuple[Line, ...]
    things: tuple[str, str]
    below: int | None
    gravity: bool
    material: Material
    colours: tuple[Colour, ...]
    edges: tuple[int | None, ...]
    on_corner: bool
    scores: tuple[float, ...]


@attrs.frozen
class Scene:
    """All that a picture of a state shows."""

    cells: tuple[Cell, ...]
    caption: str = ""
    """A sentence below the board: the player to move, or how the game ended."""
    lines: tuple[Line, ...] = ()
    things: tuple[str, str] = ("", "")
    """The noun for things in the cells, singular and plural: ("seed", "seeds")."""

    moves: tuple[Move, ...] = ()
    """The actions that lead from one cell to another; no two actions have the same two cells."""
    below: int | None = None
    """The player who sits below the board; None if the players have no sides; then the board is never turned. This
    attribute and all below it are properties of the game: they are the same in every state.
    """
    gravity: bool = False
    """Whether pieces fall. If so, they come in from above, and the board is never turned."""
    material: Material = ""
    colours: tuple[Colour, ...] = ()
    """The colours of MAX's and MIN's pieces (default: the colours in the players' names, or blue and red)."""
    edges: tuple[int | None, ...] = ()
    """Who owns the upper, right, lower and left edge of the board, as in Hex; () if nobody does."""
    on_corner: bool = False
    """Whether a board of hexagons stands on its upper left corner; see `turned`."""
    scores: tuple[float, ...] = ()
    """The score of MAX and of MIN, in `things`; () if nothing is counted. Messages give values in `things`, too, except
    in games in which only winning counts.
    """

    @property
    def told(self) -> str:
        """The caption, with the score if the scene does not show the score already: "Black to move, 34 : 30"."""
        counted = {(cell.owner, cell.count) for cell in self.cells}
        shown = counted.issuperset(enumerate(self.scores))
        shown = shown or {f"{each:g}" for each in self.scores} <= {*re.findall(r"[\d.]+", self.caption)}
        return self.caption if shown or not self.caption else f"{self.caption}, {self.score}"

    @property
    def score(self) -> str:
        """The score as text: "34 : 30"; an empty text if nothing is counted."""
        return " : ".join(f"{each:g}" for each in self.scores)

    @property
    def turnable(self) -> bool:
        """Whether the board may be turned."""
        return self.below is not None and not self.gravity

    @property
    def is_hexagonal(self) -> bool:
        """Whether the cells of the board are hexagons."""
        return any(cell.shape == "hexagon" for cell in self.cells)

    @property
    def starts(self) -> frozenset[str]:
        """The names of the cells where a move can start."""
        return frozenset(move.start for move in self.moves)

    @property
    def actions(self) -> frozenset[Hashable]:
        """All actions that can be chosen, by one cell or by two."""
        moves = {move.action for move in self.moves}
        return frozenset(moves | {cell.action for cell in self.cells if cell.action is not None})

    def picked(self, start: str) -> "Scene":
        """Return the scene after choosing `start` as the first cell of a move.

        In this scene, choosing an end completes the move.

        The cell `start` is highlighted. If no move starts there, the scene is unchanged.
        """
        if start not in self.starts:
            return self
        ends = {move.end: move for move in self.moves if move.start == start}
        cells = (
            attrs.evolve(cell, action=ends[cell.name].action, hint=ends[cell.name].hint)
            if cell.name in ends
            else attrs.evolve(cell, action=None, hint="", highlighted=cell.highlighted or cell.name == start)
            for cell in self.cells
        )
        return attrs.evolve(self, cells=tuple(cells))

    def turned(self, quarters: int) -> "Scene":
        """Return the scene turned clockwise by `quarters` quarter turns; buttons and plain texts stay below the board.

        Coordinates turn with the board. After two quarter turns they are at the same edges as before, and after three
        at the same edges as after one. A board that is not `turnable` is returned as it is. An odd number of quarter
        turns stands a board of hexagons on a corner, where it is narrowest.
        """
        if self.is_hexagonal and quarters % 2 and not self.on_corner:
            return self.turned(quarters - 1)._stood_on_corner()
        board = [cell for cell in self.cells if cell.shape not in BESIDE or cell.shade]
        if not board or quarters % 4 == 0 or not self.turnable:
            return self
        left, top = min(cell.x for cell in board), min(cell.y for cell in board)
        right, bottom = max(cell.x + cell.width for cell in board), max(cell.y + cell.height for cell in board)
        higher = 0.0 if quarters % 2 == 0 else (right - left) - (bottom - top)

        def moved(cell: Cell) -> Cell:
            if cell.shape in BESIDE and cell.shape != "coordinate" and not cell.shade:
                return attrs.evolve(cell, y=cell.y + higher if cell.y >= bottom else cell.y)
            x, y, width, height = cell.x - left, cell.y - top, cell.width, cell.height
            wide, high = right - left, bottom - top
            for _ in range(quarters % 4):
                x, y, width, height, wide, high = high - y - height, x, height, width, high, wide
            if cell.shape == "coordinate" and quarters % 4 >= 2:  # back to its edge
                beside = x >= wide - TINY or x + width <= TINY
                x, y = (wide - x - width, y) if beside else (x, high - y - height)
            return attrs.evolve(cell, x=left + x, y=top + y, width=width, height=height)

        edges = self.edges[-(quarters % 4) :] + self.edges[: -(quarters % 4)]
        return attrs.evolve(self, cells=tuple(map(moved, self.cells)), edges=edges)

    def _stood_on_corner(self) -> "Scene":
        """Return a board of hexagons turned clockwise by a sixth of a turn, after which its cells are upright again."""
        board = [cell for cell in self.cells if cell.shape not in BESIDE]
        height = next(cell.height for cell in board if cell.shape == "hexagon")
        across, steep = 0.5, sqrt(0.75)
        bottom = max(cell.y + cell.height for cell in board)

        def moved(cell: Cell) -> Cell:
            """Turn the centre of a cell. The rows of this board are `height` apart; those of regular hexagons would be
            `steep` apart.
            """
            x, y = cell.x + cell.width / 2, (cell.y + cell.height / 2) / height * steep
            x, y = across * x - steep * y, (steep * x + across * y) * height / steep
            high = min(cell.width, cell.height)  # as wide as they are high, names fit in the corners between two cells
            return attrs.evolve(cell, x=x - cell.width / 2, y=y - high / 2, height=high)

        left, lower = min(moved(cell).x for cell in board), max(moved(cell).y + cell.height for cell in board)

        def placed(cell: Cell) -> Cell:
            if cell.shape in BESIDE and cell.shape != "coordinate":
                return attrs.evolve(cell, x=cell.x + left, y=cell.y + (lower - bottom if cell.y >= bottom else 0))
            return moved(cell)

        return attrs.evolve(self, cells=tuple(map(placed, self.cells)), on_corner=True)

    def after(self, earlier: "Scene", mover: int, action: Hashable = None) -> "Scene":
        """Return the scene with the owners of its `unowned` cells.

        New content belongs to the player who has moved. Other content belongs to its owner in `earlier`, the scene
        before the move.

        Two cells that the move has filled with halves of a domino are joined. An unowned die shows what was rolled
        last: the text of the cell that was chosen by the action.
        """
        before = {cell.name: cell for cell in earlier.cells}
        new = [c.name for c in self.cells if c.unowned and c.text and not (c.name in before and before[c.name].text)]
        halves = dict(zip(new, reversed(new), strict=True)) if len(new) == 2 else {}

        rolled = [cell.text for cell in earlier.cells if cell.shape == "die" and cell.action == action is not None]

        def owned(cell: Cell) -> Cell:
            if cell.unowned and cell.shape == "die" and not cell.text and cell.name in before:
                return attrs.evolve(cell, text=(*rolled, before[cell.name].text)[0])
            if not cell.unowned or not cell.text or cell.owner is not None:
                return cell
            if cell.name not in new:
                return attrs.evolve(cell, owner=before[cell.name].owner, joined=before[cell.name].joined)
            return attrs.evolve(cell, owner=mover, joined=halves.get(cell.name, "") if cell.piece == "domino" else "")

        return attrs.evolve(self, cells=tuple(map(owned, self.cells)))

    def __getitem__(self, name: str) -> Cell:
        """Return the cell with that name."""
        return next(cell for cell in self.cells if cell.name == name)

    def changed_since(self, earlier: "Scene") -> frozenset[str]:
        """Return the names of the cells whose content differs from that in `earlier`; new cells do not count."""
        before = {cell.name: cell for cell in earlier.cells}
        return frozenset(
            cell.name
            for cell in self.cells
            if cell.name in before and (before[cell.name].count, before[cell.name].text) != (cell.count, cell.text)
        )

    def last_move(self, earlier: "Scene") -> frozenset[str]:
        """Return the names of the cells of the move since `earlier`: where a piece has arrived, and where it came from.
        If things were sown or taken, only the cell that has lost the most things is returned.
        """
        before = {cell.name: cell for cell in earlier.cells if cell.shape not in BESIDE}
        changed = [cell for cell in self.cells if cell.name in before and cell.name in self.changed_since(earlier)]
        left = [cell for cell in changed if cell.count is None and not cell.text]
        new = [cell for cell in changed if cell.text and not before[cell.name].text]
        came = new or [cell for cell in changed if cell.text and left]
        owners = {cell.owner for cell in came}
        gone = {cell.name for cell in left if before[cell.name].owner in owners}
        lost = {cell.name: (before[cell.name].count or 0) - cell.count for cell in changed if cell.count is not None}
        most = max(lost, key=lambda name: lost[name], default="")
        return frozenset({cell.name for cell in came} | gone | ({most} if lost.get(most, 0) > 0 else set()))
