"""`ggp.Points`: boards of points and lines, read from their pictures."""

import attrs
import pytest

import ggp
from ggp import Bits, NotationError, Points

SQUARE = Points(r"""
    o-------o
    | \   / |
    |   o   |
    | /   \ |
    o-------o
""")
LADDER = Points("""
    o---o
    |   |
    o---o---o
""")


@attrs.frozen
class Wandering:
    """Move the only man to a point next to it, or take the point that is named: for scenes alone."""

    name = "wandering"
    title = "Wandering"
    actions_at_start: tuple = ()

    def initial_state(self):
        return 0

    def to_move(self, state):
        return ggp.MAX

    def actions(self, state):
        return self.actions_at_start

    def result(self, state, action):
        return state

    def terminal_test(self, state):
        return False

    def utility(self, state, player):
        return 0

    def format_state(self, state):
        return str(state)

    def parse_state(self, text):
        return int(text)

    def format_action(self, state, action):
        return "-".join(map(str, action))

    def parse_action(self, state, text):
        return tuple(map(int, text.split("-")))


def test_lines_join_points_however_long_they_are():
    assert [list(joined) for joined in SQUARE.joined] == [[1, 2, 3], [0, 2, 4], [0, 1, 3, 4], [0, 2, 4], [1, 2, 3]]
    assert [list(joined) for joined in LADDER.joined] == [[1, 2], [0, 3], [0, 3], [1, 2, 4], [3]]


def test_rows_of_three_are_straight():
    assert set(SQUARE.threes) == {Bits.of(0, 2, 4), Bits.of(1, 2, 3)}
    assert LADDER.threes == (Bits.of(2, 3, 4),)
    assert LADDER.threes_at[3] == (Bits.of(2, 3, 4),)
    assert LADDER.threes_at[0] == ()


def test_points_that_are_beside_each_other_without_a_line_are_not_joined():
    assert list(map(list, Points("o   o---o").joined)) == [[], [2], [1]]


def test_symmetries_are_those_of_the_lines_whatever_their_lengths():
    assert len(SQUARE.symmetries) == 7
    assert LADDER.symmetries == ()
    for number, images in enumerate(SQUARE.symmetries):
        assert list(SQUARE.image(number, Bits.of(0, 3))) == sorted((images[0], images[3]))


def test_points_have_names_as_in_chess():
    assert [SQUARE.name(point) for point in range(5)] == ["a3", "c3", "b2", "a1", "c1"]


def test_texts_come_back():
    text = SQUARE.format_position("XO..X", "O")
    assert text == "XO/./.X O"
    assert SQUARE.parse_position(text, "XO.", "XO") == (list("XO..X"), ggp.MIN)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XO/./.X", "does not say who is to move"),
        ("XO/./.X A", "does not say who is to move"),
        ("XO/../X X", r"is not a board: write 3 rows of 2, 1, 2 signs with / between them, from the top, of X O \."),
        ("XO/./.A X", "is not a board"),
        ("XO./.X X", "is not a board"),
    ],
)
def test_wrong_texts_are_refused(text, message):
    with pytest.raises(NotationError, match=message):
        SQUARE.parse_position(text, "XO.", "XO")


def test_a_drawing_is_the_picture_with_names():
    assert LADDER.draw("XO.X.") == "2 X---O\n  |   |\n1 .---X---.\n  a   b   c"


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("o--o", "points are 4 characters and 2 lines apart; got one at line 1, character 4"),
        ("o--", "a line of the board ends in row 1 of the picture, at character 4, where there is no point"),
        ("o\n|", "a line of the board ends in row 3 of the picture, at character 1, where there is no point"),
    ],
)
def test_wrong_pictures_are_refused(picture, message):
    with pytest.raises(ValueError, match=message):
        Points(picture)


def test_a_scene_has_points_lines_moves_and_buttons():
    game = Wandering(((0, 1), (0, 2), (0, 2, 9), (4,)))

    def where(action):
        return action[:2] if len(action) > 1 else action[0]

    scene = LADDER.scene(game, 0, "X....", {"X": (ggp.MAX, "●")}, where)
    assert [(line.start, line.end) for line in scene.lines] == [
        ("a2", "b2"),
        ("a2", "a1"),
        ("b2", "b1"),
        ("a1", "b1"),
        ("b1", "c1"),
    ]
    assert [(move.start, move.end, move.action) for move in scene.moves] == [("a2", "b2", (0, 1))]
    assert (scene["a2"].text, scene["a2"].owner) == ("●", ggp.MAX)
    assert (scene["c1"].action, scene["c1"].hint) == ((4,), "play 4")
    assert [cell.text for cell in scene.cells if cell.shape == "button"] == ["0-2", "0-2-9"]
