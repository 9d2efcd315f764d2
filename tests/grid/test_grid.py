"""`ggp.Grid` beside pairs of row and column."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp import Bits, Grid, NotationError, Scene
from ggp.grid import require_possible

shapes = st.tuples(st.integers(1, 8), st.integers(1, 8))


@st.composite
def boards(draw, square=False):
    rows, columns = draw(shapes)
    grid = Grid(rows, rows if square else columns)
    return grid, draw(st.sets(st.integers(0, grid.size - 1)))


def moved(grid, cells, move):
    """The set of the cells that are still on the board after `move` of (row, column)."""
    places = (move(grid.row(cell), grid.column(cell)) for cell in cells)
    return grid.bits(*(grid.cell(r, c) for r, c in places if 0 <= r < grid.rows and 0 <= c < grid.columns))


@given(boards(), st.integers(-8, 8), st.integers(-8, 8))
def test_nothing_wraps_when_cells_are_shifted(board, rows, columns):
    grid, cells = board
    rows, columns = max(-grid.rows, min(rows, grid.rows)), max(-grid.columns, min(columns, grid.columns))
    assert grid.shift(grid.bits(*cells), rows, columns) == moved(grid, cells, lambda r, c: (r + rows, c + columns))


@given(boards())
def test_flips(board):
    grid, cells = board
    assert grid.flip_rows(grid.bits(*cells)) == moved(grid, cells, lambda r, c: (grid.rows - 1 - r, c))
    assert grid.flip_columns(grid.bits(*cells)) == moved(grid, cells, lambda r, c: (r, grid.columns - 1 - c))
    assert grid.board == grid.bits(*range(grid.size))
    assert grid.first_row == grid.bits(*(cell for cell in range(grid.size) if grid.row(cell) == 0))
    assert grid.last_row == grid.bits(*(cell for cell in range(grid.size) if grid.row(cell) == grid.rows - 1))
    assert grid.first_column == grid.bits(*(cell for cell in range(grid.size) if grid.column(cell) == 0))
    assert grid.last_column == grid.bits(*(cell for cell in range(grid.size) if grid.column(cell) == grid.columns - 1))


@given(boards(square=True))
def test_turns_of_square_boards(board):
    grid, cells = board
    assert grid.transpose(grid.bits(*cells)) == moved(grid, cells, lambda r, c: (c, r))
    assert grid.rotate(grid.bits(*cells)) == moved(grid, cells, lambda r, c: (c, grid.rows - 1 - r))


def test_what_a_board_cannot_do_is_refused():
    with pytest.raises(ValueError, match="only a square board can be transposed; got 2 rows of 3"):
        Grid(2, 3).transpose(Bits())


@given(boards(), st.booleans())
def test_texts_come_back(board, upward):
    grid, cells = Grid(board[0].rows, board[0].columns, upward), board[1]
    marks = ["X" if cell in cells else "." for cell in range(grid.size)]
    assert grid.parse_board(grid.format_board(marks), "X.") == marks
    assert grid.parse_position(grid.format_position(marks, "O"), "X.", "XO") == (marks, 1)
    assert [grid.parse_name(grid.name(cell)) for cell in range(grid.size)] == list(range(grid.size))


def test_row_one_is_below_on_an_upward_board():
    assert Grid(2, 2).format_board("abcd") == "ab/cd"
    assert Grid(2, 2, upward=True).format_board("abcd") == "cd/ab"
    assert [Grid(2, 2).name(cell) for cell in range(4)] == ["a1", "b1", "a2", "b2"]


@pytest.mark.parametrize("text", ["", "XX", "XX/X", "XX/XO", "XX/XX/XX", "XXXX", "X/X"])
def test_what_is_no_board_is_refused(text):
    with pytest.raises(NotationError, match="is not a board: write 2 rows of 2 signs with / between them"):
        Grid(2, 2).parse_board(text, "X.")


@pytest.mark.parametrize("text", ["XX/XX", "XX/XX Z", " ", "XX/XX XO"])
def test_a_position_without_a_player_is_refused(text):
    with pytest.raises(NotationError, match="does not say who is to move"):
        Grid(2, 2).parse_position(text, "X.", "XO")


@pytest.mark.parametrize("text", ["", "c1", "a3", "a0", "a01", "1a", "a1b", "a¹", "9" * 100])
def test_what_is_no_cell_is_refused(text):
    with pytest.raises(NotationError, match="is not a cell of the board: the cells are a1 to b2"):
        Grid(2, 2).parse_name(text)


def test_a_scene_is_for_two_clicks():
    from ggp import Cell, Move

    scene = Scene((Cell("a", 0, 0, action=3), Cell("b", 1, 0), Cell("c", 2, 0)), moves=(Move("b", "c", 7, "go"),))
    assert scene.starts == {"b"}
    picked = scene.picked("b")
    assert [(cell.name, cell.action, cell.hint, cell.highlighted) for cell in picked.cells] == [
        ("a", None, "", False),
        ("b", None, "", True),
        ("c", 7, "go", False),
    ]


def test_actions_that_share_their_places_are_buttons():
    """Of two ways from a1 to b1 each is a button; the one to a2 is made by two clicks, the one in b2 by one."""
    game = Choices()
    scene = game.grid.scene(game, 0, "....", {}, {0: (0, 1), 1: (0, 1), 2: (0, 2), 3: 3}.__getitem__)
    assert [(move.start, move.end, move.action) for move in scene.moves] == [("a1", "a2", 2)]
    assert {cell.text: cell.action for cell in scene.cells if cell.shape == "button"} == {"0": 0, "1": 1}
    assert {cell.name for cell in scene.cells if cell.shape == "square" and cell.action is not None} == {"b2"}
    labelled = game.grid.scene(game, 0, "....", {}, look=lambda number, cell: attrs.evolve(cell, label=str(number)))
    labels = {"a1": "0", "b1": "1", "a2": "2", "b2": "3"}
    assert {cell.name: cell.label for cell in labelled.cells if cell.label} == labels


class Choices:
    """One player, one state and four actions."""

    name = "choices"
    grid = Grid(2, 2)

    def initial_state(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return range(4)

    def result(self, state, action):
        return 1

    def terminal_test(self, state):
        return state == 1

    def utility(self, state, player):
        return 0


class Margin(Choices):
    """Its end is worth 3 to the first player."""

    def utility(self, state, player):
        return 3 if player == 0 else -3


class AllOrNothing(Margin):
    def bounds(self, state):
        return -3, 3


@pytest.mark.parametrize(
    ("game", "scores", "caption"),
    [
        (Margin(), (), "MAX has won, 3 to MAX"),
        (Margin(), (6, 3), "MAX has won 6 : 3"),
        (AllOrNothing(), (), "MAX has won"),
        (Choices(), (), "a draw"),
    ],
)
def test_the_caption_of_an_end_has_the_score_or_the_margin(game, scores, caption):
    assert game.grid.scene(game, 1, "....", {}, scores=scores).caption == caption


def test_a_position_that_cannot_come_up_is_refused():
    require_possible("XX/..", True, "X has too many")
    with pytest.raises(NotationError, match=r"^'XX/\.\.' cannot occur: X has too many$"):
        require_possible("XX/..", False, "X has too many")
