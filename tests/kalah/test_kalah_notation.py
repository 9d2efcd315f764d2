"""Positions and actions in text, both ways, what is refused, and the drawing."""

import contextlib
import re

import pytest
from boards import VARIANTS, boards, name, walk
from ggp_kalah import Kalah
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp import IllegalActionError, NotationError

START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S"


def test_the_start_is_written_as_the_kalah_game_protocol_writes_it():
    assert Kalah().format_state(Kalah().initial_state()) == START
    assert Kalah().parse_state(START) == Kalah().initial_state()


@given(boards())
def test_any_position_is_read_as_it_is_written(board):
    game, south, north, mover = board
    state = game.state(south, north, mover)
    text = game.format_state(state)
    m = game.houses
    assert text == f"<{','.join(map(str, [m, south[m], north[m], *south[:m], *north[:m]]))}> {'SN'[mover]}"
    assert game.parse_state(text) == state


@pytest.mark.parametrize("text", [" < 2, 0,0 ,1,2,3, 04 >s ", "<2,0,0,1,2,3,4>S", "\t<2,0,0,1,2,3,4> S\n"])
def test_spaces_and_case_do_not_matter_in_a_position(text):
    game = Kalah(houses=2)
    assert game.format_state(game.parse_state(text)) == "<2,0,0,1,2,3,4> S"


RIGHT = "it is written like <2,0,0,4,4,4,4> S"
HELD = "a board that starts with 4 in each house holds at most 2097150"
WRONG = {
    "": f"'' is not a position of Kalah: {RIGHT}",
    "start": f"'start' is not a position of Kalah: {RIGHT}",
    "<2,0,0,1,2,3,4>": f"'<2,0,0,1,2,3,4>' is not a position of Kalah: {RIGHT}",
    "<2,0,0,1,2,3,4> W": f"'<2,0,0,1,2,3,4> W' is not a position of Kalah: {RIGHT}",
    "2,0,0,1,2,3,4 S": f"'2,0,0,1,2,3,4 S' is not a position of Kalah: {RIGHT}",
    "<> S": f"'<> S' is not a position of Kalah, since '' is not a number of seeds: {RIGHT}",
    "<2,0,0,1,2,,4> S": f"since '' is not a number of seeds: {RIGHT}",
    "<2,0,0,1,2,-3,4> S": f"since '-3' is not a number of seeds: {RIGHT}",
    "<2,0,0,1,2,x,4> S": f"since 'x' is not a number of seeds: {RIGHT}",
    "<2,0,0,1,2,1.5,4> S": f"since '1.5' is not a number of seeds: {RIGHT}",
    "<2,0,0,1,2,²,4> S": f"since '²' is not a number of seeds: {RIGHT}",
    "<3,0,0,1,2,3,4,5,6> S": f"'<3,0,0,1,2,3,4,5,6> S' has 3 houses a side, and this game has 2: {RIGHT}",
    "<2,0,0,1,2,3> S": f"'<2,0,0,1,2,3> S' has 5 stores and houses, and a board with 2 houses a side has 6: {RIGHT}",
    "<2,0,0,1,2,3,4,5> S": f"has 7 stores and houses, and a board with 2 houses a side has 6: {RIGHT}",
    "<2> S": f"has 0 stores and houses, and a board with 2 houses a side has 6: {RIGHT}",
    "<2,2097145,0,1,1,3,1> S": f"has too many seeds: {HELD}",
    f"<2,{'9' * 99},0,1,1,3,1> S": f"...' has too many seeds: {HELD}",
    f"<2,{'9' * 9999},0,1,1,3,1> S": f"...' is not a number of seeds: {RIGHT}",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: repr(text)[:30])
def test_what_is_no_position_is_refused_in_words(text):
    with pytest.raises(NotationError, match=f"{re.escape(WRONG[text])}$") as refused:
        Kalah(houses=2).parse_state(text)
    assert len(str(refused.value)) < 300


def test_as_many_seeds_as_the_board_holds_are_read():
    game = Kalah(houses=2)
    state = game.parse_state("<2,65528,0,1,1,3,1> N")
    assert game.format_state(state) == "<2,65528,0,1,1,3,1> N"
    assert game.format_state(game.result(state, 1)) == "<2,65528,1,1,1,3,0> N"


def test_a_position_with_an_empty_side_is_read_as_the_end_of_the_game():
    game = Kalah(houses=2)
    state = game.parse_state("<2,1,2,0,0,3,4> S")
    assert game.terminal_test(state)
    assert game.format_state(state) == "<2,1,9,0,0,0,0> S"


@given(st.text(alphabet="<>0123456789,-SN sn\nx", max_size=40))
def test_no_text_does_worse_than_a_notation_error(text):
    for game in (Kalah(houses=2), Kalah(houses=2, turn="whole")):
        with contextlib.suppress(NotationError):
            game.parse_state(text)
        with contextlib.suppress(NotationError, IllegalActionError):
            game.parse_action(game.initial_state(), text)


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
def test_every_action_is_read_as_it_is_written(variant):
    for game in (Kalah(1, 4, **variant), Kalah(4, 3, **variant), Kalah(12, 1, **variant)):
        for state, action in walk(game, 5):
            if action is not None:
                texts = {game.format_action(state, each): each for each in game.actions(state)}
                assert len(texts) == len(list(game.actions(state)))
                assert all(text.isupper() == (game.to_move(state) == ggp.MAX) for text in texts)
                assert {text: game.parse_action(state, text) for text in texts} == texts


@pytest.mark.parametrize("mover", "SN")
@pytest.mark.parametrize(("texts", "house"), [("A a 1 01", 0), ("C c 3", 2), ("F f 6", 5)])
def test_a_house_is_a_letter_of_either_case_or_a_number(texts, house, mover):
    game = Kalah()
    state = game.parse_state(START[:-1] + mover)
    assert {game.parse_action(state, f" {text} ") for text in texts.split()} == {house}


@pytest.mark.parametrize("text", ["CF", "cf", "Cf", "C F", "3,6", "3 6", "C, 6"])
def test_a_turn_is_its_houses_one_after_another(text):
    game = Kalah(turn="whole")
    assert game.houses_of(game.parse_action(game.initial_state(), text)) == (2, 5)


HOUSES = "the houses are A to C, or 1 to 3"
POSITION = "<3,2,1,0,2,1,3,0,1>"
REFUSED = [
    ("single", "S", "", NotationError, f"'' does not name a house: {HOUSES}"),
    ("single", "S", "!", NotationError, f"'!' does not name a house: {HOUSES}"),
    ("single", "S", "-1", NotationError, f"'-1' does not name a house: {HOUSES}"),
    ("single", "S", "B2", NotationError, f"'B2' does not name a house: {HOUSES}"),
    ("single", "S", "é", NotationError, f"'é' does not name a house: {HOUSES}"),
    ("single", "S", "9" * 99, NotationError, f"'{'9' * 77}...' does not name a house: {HOUSES}"),
    ("single", "S", "A", IllegalActionError, f"'A' cannot be played in {POSITION} S: South can play B, C"),
    ("single", "N", " b ", IllegalActionError, f"'b' cannot be played in {POSITION} N: North can play a, c"),
    ("single", "S", "D", IllegalActionError, f"'D' cannot be played in {POSITION} S: South can play B, C"),
    ("single", "S", "x", IllegalActionError, f"'x' cannot be played in {POSITION} S: South can play B, C"),
    ("single", "S", "0", IllegalActionError, f"'0' cannot be played in {POSITION} S: South can play B, C"),
    ("single", "S", "4", IllegalActionError, f"'4' cannot be played in {POSITION} S: South can play B, C"),
    ("single", "S", "BC", IllegalActionError, f"'BC' cannot be played in {POSITION} S: South can play B, C"),
    ("whole", "S", "C", IllegalActionError, f"'C' cannot be played in {POSITION} S: South can play BC, CBC"),
    ("whole", "S", "!", NotationError, f"'!' does not name a house: {HOUSES}"),
]


@pytest.mark.parametrize(("turn", "mover", "text", "error", "message"), REFUSED)
def test_what_is_no_legal_action_is_refused_in_words(turn, mover, text, error, message):
    game = Kalah(houses=3, turn=turn)
    state = game.parse_state(f"{POSITION} {mover}")
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        game.parse_action(state, text)


def test_no_action_is_legal_when_the_game_is_over():
    game = Kalah(houses=1)
    with pytest.raises(IllegalActionError, match=r"^'A' cannot be played in <1,1,1,0,0> S: the game is over$"):
        game.parse_action(game.parse_state("<1,1,1,0,0> S"), "A")


def test_of_many_legal_turns_some_are_listed():
    game = Kalah(turn="whole")
    state = game.parse_state("<6,0,0,6,5,4,3,2,1,4,4,4,4,4,4> S")
    count = len(list(game.actions(state)))
    assert count > 100
    with pytest.raises(
        IllegalActionError, match=f"^'A' cannot be .*: South can play ([A-F]+, ){{23}}[A-F]+ and {count - 24} more$"
    ):
        game.parse_action(state, "A")


DRAWINGS = {
    START: """\
 North   f     e     d     c     b     a
+-----+-----+-----+-----+-----+-----+-----+-----+
|     |  4  |  4  |  4  |  4  |  4  |  4  |     |
|  0  +-----+-----+-----+-----+-----+-----+  0  |
|     |  4  |  4  |  4  |  4  |  4  |  4  |     |
+-----+-----+-----+-----+-----+-----+-----+-----+
         A     B     C     D     E     F   South
South to move""",
    "<3,10,123,1,20,0,4,5,666> N": """\
 North   c     b     a
+-----+-----+-----+-----+-----+
|     | 666 |  5  |  4  |     |
| 123 +-----+-----+-----+ 10  |
|     |  1  | 20  |  0  |     |
+-----+-----+-----+-----+-----+
         A     B     C   South
North to move""",
    "<1,65000,2,0,0> S": """\
 North    a
+------+------+------+
|      |  0   |      |
|  2   +------+65000 |
|      |  0   |      |
+------+------+------+
          A    South
The game is over: South has 65000, North has 2.""",
}


@pytest.mark.parametrize("position", DRAWINGS)
def test_the_board_is_drawn_as_people_know_it(position):
    game = Kalah(houses=int(position[1]))
    assert game.draw(game.parse_state(position)) == DRAWINGS[position]


@pytest.mark.parametrize("houses", range(1, 13))
def test_a_drawing_is_aligned_and_fits_a_terminal(houses):
    game = Kalah(houses, 100)
    lines = game.draw(game.initial_state()).splitlines()
    assert len({len(line) for line in lines[1:6]}) == 1
    assert max(map(len, lines)) <= 80
    for line, letters in ((6, "ABCDEFGHIJKL"[:houses]), (0, "abcdefghijkl"[:houses][::-1])):
        places = [number.span() for number in re.finditer("100", lines[4])]
        assert [lines[line][start:end].strip() for start, end in places] == list(letters)
    assert lines[0].split()[0] == "North"
    assert lines[6].split()[-1] == "South"
