"""Scenes in lines of text."""

import pytest

import ggp
from ggp import MAX, Cell, Line, Scene, capabilities
from ggp.show.scene_text import scene_in_colour, scene_text

GAMES = ggp.load_registry()

BOARDS = {
    "kalah": (
        "kalah",
        {},
        "<6,0,12,4,4,0,5,5,5,4,4,100,4,4,4> N",
        """\
North   f    e    d    c    b    a
       (4)  (4)  (4) (100) (4)  (4)
 12                                   0
        4    4    0    5    5    5
        A    B    C    D    E    F  South
North to move""",
    ),
    "tic-tac-toe": (
        "tictactoe",
        {},
        "O../.X./..X",
        """\
[O] [2] [3]
[4] [X] [6]
[7] [8] [X]
O to move""",
    ),
    "a row that wins": (
        "tictactoe",
        {},
        "XXX/OO./...",
        """\
*X* *X* *X*
[O] [O] [6]
[7] [8] [9]
X has won""",
    ),
    "nim": (
        "nim",
        {},
        "3,0,5 second",
        """\
heap 1  (o)  (o) (o)             3
heap 2                           0
heap 3  (o)  (o) (o)  (o) (o)    5
second to move""",
    ),
    "pig": (
        "pig",
        {},
        "12:7 +5 turn 4 rolling",
        """\
[first 12]      [second 7]
       [at stake 5]
  [1] [2] [3] [4] [5] [6]
second has rolled the die (20 points win)""",
    ),
    "figure 5.2": (
        "fig52",
        {},
        "C",
        """\
                         △A
                a1       a2       a3
       ▽B               *▽C*               ▽D
    b1 b2 b3          c1 c2 c3          d1 d2 d3
[3]   [12]  [8]   [2]   [4]   [6]   [14]  [5]   [2]
MIN to move""",
    ),
}


@pytest.mark.parametrize("board", BOARDS)
def test_the_board_in_text(board):
    name, options, position, text = BOARDS[board]
    game = GAMES.game(name, **options)
    assert scene_text(capabilities.scene(game, game.parse_state(position))) == text


def test_no_board_in_text_is_wider_than_a_terminal():
    for game in (GAMES.game("kalah", houses=12, seeds=10), GAMES.game("tictactoe", h=19, v=19, k=5)):
        assert max(map(len, scene_text(capabilities.scene(game, game.initial_state())).splitlines())) <= 80


def scene(count=3):
    cells = (
        Cell("A", 0, 0, shape="round", count=count, label="a", owner=MAX, action=1),
        Cell("B", 1, 0, shape="round", count=0),
        Cell("C", 2, 0, text="X", highlighted=True),
    )
    return Scene(cells, "go")


def styles(text):
    return {text.plain[span.start : span.end]: set(str(span.style).split()) for span in text.spans}


def test_what_can_be_chosen_is_in_brackets_and_underlined():
    assert scene_text(scene()) == "(3)  0  *X*\n a\ngo"
    assert styles(scene_in_colour(scene())) == {"(3)": {"cyan", "underline"}, "*X*": {"reverse"}, "a": {"dim"}}


def test_what_changed_is_bold():
    assert styles(scene_in_colour(scene(), changed=["A", "C"]))["(3)"] >= {"bold", "yellow"}
    assert styles(scene_in_colour(scene(), changed=["A", "C"]))["*X*"] >= {"bold", "reverse"}


def test_no_scene_is_too_small_to_be_drawn():
    assert scene_text(Scene((), "nothing")) == "nothing"
    assert scene_text(Scene((Cell("A", 5, 5),))) == "[ ]"


def test_labels_of_lines_are_between_the_cells():
    nodes = (Cell("A", 0, 0, shape="up", text="A"), Cell("B", 0, 2, shape="down", text="B"))
    assert scene_text(Scene(nodes, lines=(Line("A", "B", "left"),))) == " △A\nleft\n ▽B"


def test_what_a_terminal_would_obey_is_printed_as_text():
    scene = Scene((Cell("a", 0, 0, text="\x1b[2J", label="\x9b31m"),), caption="\x07first\nto move")
    assert scene_text(scene) == "[\\u001b[2J]\n\\u0007first\nto move"
    assert "\x1b" not in scene_in_colour(scene).plain
