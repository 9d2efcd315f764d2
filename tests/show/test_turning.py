"""Boards that are turned: names of rows and columns stay beside their cells, and only boards with sides are turned."""

import random
from itertools import combinations, pairwise

import pytest

import ggp
from ggp import MAX, MIN, Cell, Scene, capabilities
from ggp.testing.scene_promises import overlapping

REGISTRY = ggp.load_registry()
BELOW = {
    "kalah": MAX,
    "awari": MAX,
    "breakthrough": MAX,
    "hexapawn": MAX,
    "checkers": MIN,
    "einstein": MIN,
}
"""Who sits below. All other games have no sides."""


def scene_of(name, plies=6, **parameters):
    game, dice = REGISTRY.game(name, **parameters), random.Random(3)
    state = game.initial_state()
    for _ in range(plies):
        if not game.terminal_test(state):
            state = game.result(state, dice.choice(list(capabilities.legal_actions(game, state))))
    return capabilities.scene(game, state)


def in_line(scene):
    """The cells in the row or column of each coordinate, by the coordinate's name."""
    board = [cell for cell in scene.cells if cell.shape in ("square", "hexagon")]
    left, right = min(cell.x for cell in board), max(cell.x + cell.width for cell in board)
    found = {}
    for cell in scene.cells:
        if cell.shape == "coordinate":
            x, y = cell.x + cell.width / 2, cell.y + cell.height / 2
            row = x < left or x > right
            beside = (each for each in board if (each.y < y < each.y + each.height if row else each.x < x < each.x + 1))
            found[cell.name] = {each.name for each in beside}
    return found


@pytest.mark.parametrize("name", REGISTRY.games)
def test_who_sits_below_is_a_property_of_the_game(name):
    scenes = [scene_of(name, plies) for plies in range(0, 30, 6)]
    assert {scene.below for scene in scenes} == {BELOW.get(name)}


@pytest.mark.parametrize("name", sorted(REGISTRY.games.keys() - BELOW))
def test_a_board_without_sides_is_never_turned(name):
    scene = scene_of(name)
    views = range(0, 4, 2 if scene.is_hexagonal else 1)
    assert all(scene.turned(quarters) == scene for quarters in views)


def middle(cell):
    """The middle of a cell, where rows of hexagons are as far apart as in a regular pattern."""
    return complex(cell.x + cell.width / 2, (cell.y + cell.height / 2) * (0.75**0.5 / 0.87))


def distance(scene, one, other):
    return abs(middle(scene[one]) - middle(scene[other]))


def test_a_board_of_hexagons_stands_on_a_corner_with_all_names_beside_the_same_cells():
    lying = scene_of("hex", size=5)
    standing = lying.turned(1)
    assert list(overlapping(standing)) == []
    hexagons = [cell.name for cell in lying.cells if cell.shape == "hexagon"]
    for scene in lying, standing:
        near = [
            (abs(middle(scene[one]) - middle(scene[other])), one, other) for one, other in combinations(hexagons, 2)
        ]
        assert {frozenset(names) for far, *names in near if far < 1.01} == neighbours_in_hex(5)
        for name in (cell.name for cell in scene.cells if cell.shape == "coordinate"):
            nearest = min(hexagons, key=lambda each: distance(scene, each, name))
            assert nearest == {"row": "a" + name[-1], "column": name[-1] + "1"}[name.split()[0]]
    across = [middle(standing[name]).real for name in hexagons]
    assert max(across) - min(across) == pytest.approx(4)
    assert [middle(standing[name]).real for name in ("c3", "e5")] == pytest.approx([middle(standing["a1"]).real] * 2)


def neighbours_in_hex(size):
    """All pairs of neighbouring cells, by the rules: a cell touches two in its row, its column and one diagonal."""
    cells = {(x, y): f"{'abcde'[x]}{y + 1}" for x in range(size) for y in range(size)}
    steps = (1, 0), (0, 1), (-1, 1)
    return {
        frozenset((name, cells[x + dx, y + dy]))
        for (x, y), name in cells.items()
        for dx, dy in steps
        if (x + dx, y + dy) in cells
    }


def test_a_board_on_which_pieces_fall_is_never_turned():
    scene = Scene((Cell("a", 0, 0), Cell("b", 1, 0)), below=MAX, gravity=True)
    assert scene.turned(2) == scene
    assert REGISTRY.game("connectfour").scene(REGISTRY.game("connectfour").initial_state()).gravity


@pytest.mark.parametrize("name", ["breakthrough", "hexapawn", "einstein"])
@pytest.mark.parametrize("quarters", range(4))
def test_names_of_rows_and_columns_turn_with_the_board(name, quarters):
    scene = scene_of(name).turned(quarters)
    coordinates = {cell.name: cell.text for cell in scene.cells if cell.shape == "coordinate"}
    squares = {cell.name for cell in scene.cells if cell.shape == "square"}
    assert in_line(scene) == {
        name: {square for square in squares if text == square[name.startswith("row")]}
        for name, text in coordinates.items()
    }
    assert len(coordinates) == 2 * len(squares) ** 0.5
    assert list(overlapping(scene)) == []


@pytest.mark.parametrize("quarters", range(4))
def test_names_of_rows_stay_at_the_left_and_in_order_after_a_half_turn(quarters):
    upright = scene_of("breakthrough")
    scene = upright.turned(quarters)
    rows = sorted((cell for cell in scene.cells if cell.name.startswith("row")), key=lambda cell: (cell.y, cell.x))
    texts = "".join(cell.text for cell in rows)
    assert texts == {0: "87654321", 1: "12345678", 2: "12345678", 3: "87654321"}[quarters]
    if quarters % 2 == 0:
        assert all(one.x == other.x == upright["row 1"].x for one, other in pairwise(rows))


@pytest.mark.parametrize("name", BELOW)
def test_two_half_turns_make_the_board_as_it_was(name):
    scene = scene_of(name)
    assert scene.turned(2) != scene
    for one, other in zip(scene.turned(2).turned(2).cells, scene.cells, strict=True):
        assert (one.name, one.x, one.y) == (other.name, pytest.approx(other.x), pytest.approx(other.y))


def test_a_chequered_board_turns_with_its_light_squares():
    scene = scene_of("checkers", 0)
    turned = scene.turned(2)
    light = next(cell.name for cell in scene.cells if cell.shade == "light")
    assert (turned[light].x, turned[light].y) == (7 - scene[light].x, 7 - scene[light].y)
