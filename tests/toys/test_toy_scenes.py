"""The scenes of tic-tac-toe, Nim, Pig, figure 5.2 and trees."""

import json

import pytest

import ggp
from ggp import MAX, MIN

GAMES = ggp.load_registry()


def scene(name, position=None, **options):
    game = GAMES.game(name, **options)
    return game.scene(game.initial_state() if position is None else game.parse_state(position))


def chosen(scene):
    return {cell.name: cell.action for cell in scene.cells if cell.action is not None}


def highlighted(scene):
    return [cell.name for cell in scene.cells if cell.highlighted]


def test_tictactoe_has_marks_and_free_cells():
    board = scene("tictactoe", "O../.X./..X")
    assert [cell.text for cell in board.cells] == ["O", "", "", "", "X", "", "", "", "X"]
    assert [board[name].owner for name in "159"] == [MIN, MAX, MAX]
    assert chosen(board) == {"2": 1, "3": 2, "4": 3, "6": 5, "7": 6, "8": 7}
    assert board["2"].hint == "put O in 2"


ROWS = {
    "nobody has won": ("X../.O./...", []),
    "a row": ("XXX/OO./...", ["1", "2", "3"]),
    "a diagonal": ("O.X/.OX/X.O", ["1", "5", "9"]),
    "two lines at once": ("XXX/XOO/XOO", ["1", "2", "3", "4", "7"]),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_winning_row_is_highlighted(row):
    position, cells = ROWS[row]
    assert highlighted(scene("tictactoe", position)) == cells


def test_a_large_board_has_numbers_at_its_sides():
    board = scene("tictactoe", h=4, v=5, k=4)
    numbers = {cell.name: cell.text for cell in board.cells if cell.shape == "coordinate"}
    assert numbers == {f"row {n}": str(n) for n in range(1, 5)} | {f"column {n}": str(n) for n in range(1, 6)}
    assert board["2-3"].action == 7
    assert (board["2-3"].x, board["2-3"].y) == (2, 1)


def test_choosing_a_stone_takes_it_and_those_after_it():
    heaps = scene("nim", "3,0,2 second")
    assert {cell.name: cell.count for cell in heaps.cells if cell.count is not None} == {
        "heap 1": 3,
        "heap 2": 0,
        "heap 3": 2,
    }
    assert chosen(heaps) == {
        "heap 1, stone 1": (1, 3),
        "heap 1, stone 2": (1, 2),
        "heap 1, stone 3": (1, 1),
        "heap 3, stone 1": (3, 2),
        "heap 3, stone 2": (3, 1),
    }
    assert heaps["heap 3, stone 1"].hint == "take 2 stones of heap 3"
    assert heaps["heap 3, stone 2"].hint == "take 1 stone of heap 3"


def test_a_large_heap_has_several_rows():
    heap = scene("nim", heaps=(60, 1))
    assert len({heap[f"heap 1, stone {stone}"].y for stone in range(1, 61)}) == 3
    assert heap["heap 2"].y > heap["heap 1, stone 60"].y


def test_pig_shows_points_and_what_can_be_done():
    points = scene("pig", "12:7 +5 turn 4", turns=20)
    assert {cell.name: cell.count for cell in points.cells if cell.count is not None} == {
        "first's points": 12,
        "at stake": 5,
        "second's points": 7,
    }
    assert chosen(points) == {"roll": 0, "hold": 1}
    assert points.caption == "turn 4 of 20: second is to roll or hold (20 points win)"


def test_pig_shows_the_faces_of_the_die_where_it_rolls():
    assert chosen(scene("pig", "12:7 +5 turn 4 rolling")) == {str(face): face for face in range(1, 7)}


def test_the_winner_of_pig_is_highlighted():
    ended = scene("pig", "7:21 +0 turn 5")
    assert highlighted(ended) == ["second's points"]
    assert chosen(ended) == {}


def test_figure_5_2_is_drawn_whole_with_the_current_node_highlighted():
    tree = scene("fig52", "C")
    assert len(tree.cells) == 13
    assert highlighted(tree) == ["C"]
    assert chosen(tree) == {"C1": "c1", "C2": "c2", "C3": "c3"}
    assert {(line.start, line.end, line.label) for line in tree.lines} >= {("A", "B", "a1"), ("D", "D3", "d3")}
    assert [tree[name].shape for name in ("A", "B", "B1")] == ["up", "down", "square"]
    assert [tree[name].text for name in ("A", "C1", "D1")] == ["A", "2", "14"]
    assert tree["A"].x == tree["C"].x == tree["C2"].x


def test_a_leaf_of_figure_5_2_is_the_end():
    tree = scene("fig52", "B2")
    assert (highlighted(tree), chosen(tree), tree.caption) == (["B2"], {}, "The game is over in B2: 12")


def test_a_small_tree_shows_two_levels_and_only_the_first_can_be_chosen():
    tree = scene("tree", branching=3, depth=4)
    assert len(tree.cells) == 13
    assert chosen(tree) == {"A.1": 0, "A.2": 1, "A.3": 2}


def test_nodes_below_are_labelled_from_the_current_node_on():
    shown = {cell.name: cell.label or cell.text for cell in scene("tree", branching=3, depth=2).cells}
    assert {"A": "A", "A.3": ".3", "A.3.2": ".3.2"}.items() <= shown.items()


def test_a_wide_tree_shows_one_level_in_rows():
    tree = scene("tree", branching=30, depth=2)
    assert len(tree.cells) == 31
    assert tree.lines == ()
    assert sorted(chosen(tree).values()) == list(range(30))


def nodes(tmp_path, **players):
    ends = {"C": {"utility": 2}, "D": {"utility": -1.5}}
    root = {"root": "A", "nodes": {"A": players} | ends}
    file = tmp_path / "tree.json"
    file.write_text(json.dumps(root))
    return scene("tree", file=str(file))


def test_branches_to_one_node_are_cells_of_their_own(tmp_path):
    tree = nodes(tmp_path, player="max", actions={"left": "C", "middle": "C", "right": "D"})
    assert chosen(tree) == {"C by left": 0, "C by middle": 1, "D": 2}


def test_branches_of_chance_tell_their_probabilities(tmp_path):
    tree = nodes(tmp_path, player="chance", actions={"heads": "C", "tails": "D"}, probabilities=["1/3", "2/3"])
    assert [line.label for line in tree.lines] == ["heads (0.333)", "tails (0.667)"]
    assert (tree["A"].shape, tree.caption) == ("round", "chance to move")
