"""Store many boards of one game in little space. Each board is a list of pieces, and a shared piece is stored once."""

from collections.abc import Collection
from xml.etree.ElementTree import Element, tostring

import attrs

from ggp import capabilities
from ggp.game import AnyGame, State
from ggp.scene import Cell, Scene
from ggp.show.board_layout import BoardLayout, hull, lay_out
from ggp.show.board_svg import MARGIN, Drawing

DrawnCell = tuple[object, int, int | None, str, bool, bool]
"""The values that determine the picture of a cell: layout, index, content, and whether the cell is marked."""


@attrs.define
class Album:
    """Boards of a game's states. Each entry of `boards` is (width, height, indices in `pieces`, caption)."""

    game: AnyGame
    pieces: dict[str, int] = attrs.field(factory=dict)
    boards: dict[tuple[object, ...], int] = attrs.field(factory=dict)
    _scenes: dict[State, Scene] = attrs.field(factory=dict)
    _layouts: dict[tuple[object, ...], BoardLayout] = attrs.field(factory=dict)
    """The layouts found so far, by the positions and labels of the cells."""
    _drawn: dict[DrawnCell, int] = attrs.field(factory=dict)

    def add(self, state: State, earlier: State = None) -> int:
        """Add the board of a state, and return its index; changes since the state `earlier` are marked."""
        scene = self._scene(state)
        changed = frozenset() if earlier is None else scene.changed_since(self._scene(earlier))
        board = self._board(scene, changed)
        return self.boards.setdefault(board, len(self.boards))

    def _scene(self, state: State) -> Scene:
        """Return the scene of a state, without its actions."""
        index = self._scenes.get(state)
        if index is None:
            scene = capabilities.scene(self.game, state)
            board = [cell for cell in scene.cells if cell.shape != "button"] or scene.cells  # a stack is all buttons
            cells = tuple(attrs.evolve(cell, action=None, hint="") for cell in board)
            index = self._scenes[state] = attrs.evolve(scene, cells=cells, moves=())
        return index

    def _board(self, scene: Scene, changed: Collection[str]) -> tuple[object, ...]:
        shape = scene.lines, tuple(map(_place, scene.cells))
        if shape not in self._layouts:
            self._layouts[shape] = lay_out(scene)
        layout = self._layouts[shape]
        drawing = Drawing(scene, layout, None, None, frozenset(changed), "")
        whole = hull(layout.boxes).grown(MARGIN)
        ground = Element("g")
        drawing.draw_ground(ground)
        pieces = [self._piece(part) for part in ground]
        pieces += [
            self._cell(drawing, (shape, index, cell.count, cell.text, cell.highlighted, cell.name in changed), cell)
            for index, cell in enumerate(scene.cells)
        ]
        return (*(round(each) for each in (whole.x, whole.y, whole.width, whole.height)), tuple(pieces), scene.caption)

    def _cell(self, drawing: Drawing, look: DrawnCell, cell: Cell) -> int:
        index = self._drawn.get(look)
        if index is None:
            root = Element("g")
            drawing.cell(root, attrs.evolve(drawing.layout.cells[look[1]], cell=cell))
            for group in root.iter("g"):
                for title in group.findall("title"):
                    group.remove(title)
            index = self._drawn[look] = self._piece(root[0])
        return index

    def _piece(self, part: Element) -> int:
        return self.pieces.setdefault(tostring(part, encoding="unicode"), len(self.pieces))


def _place(cell: Cell) -> tuple[object, ...]:
    """Return everything about a cell that affects the layout: of its content, only the number of digits."""
    digits = None if cell.count is None else len(str(cell.count))
    return cell.name, cell.x, cell.y, cell.width, cell.height, cell.shape, cell.label, cell.owner, digits
