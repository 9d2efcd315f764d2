"""Rule sheets, and files beside descriptions: pieces, colours, names of moves."""

import copy

import pytest
from ggp_gdl.library import OWN, Named, interpreted_form, load, make, named_files

import ggp

TICTACTOE = named_files(OWN)["tictactoe"].read_text()
LOOK = """
title = "Noughts and crosses"
colours = ["red", "blue"]
material = "wood"
[pieces]
x = "cross"
o = "zero"
[moves]
mark = "{1}/{2} {3}"
noop = "Wait"
"""


BOTH = [interpreted_form, pytest.param(make, marks=pytest.mark.slow)]
"""The forms of a game whose class takes long to make."""


@pytest.mark.parametrize(
    "sentence",
    [
        "Two players, x and o, move in turn.",
        "The board has 3 columns and 3 rows.",
        "A cell holds x (of x), o (of o) or b (empty).",
        "At the start, control x.",
        "PLAYER may mark COLUMN ROW if control PLAYER and cell COLUMN ROW b.",
        "The game ends if won; or if not open.",
        "PLAYER gets 50 if role PLAYER and not won.",
        "Won holds if role PLAYER and line PLAYER.",
    ],
)
def test_the_rules_are_told_in_sentences(sentence):
    assert sentence in make(TICTACTOE, "gdl:tictactoe").rules


DERIVED = """; take 1 or 2
(role left) (role right) (heap a) (heap b)
(init (control left)) (<= (init (full ?h)) (heap ?h))
(<= (legal ?p (take ?h)) (true (control ?p)) (true (full ?h)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (full ?h)) (true (full ?h)) (not (taken ?h)))
(<= (taken ?h) (does ?p (take ?h)))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= some (true (full ?h)))
(<= terminal (not some))
(<= (goal ?p 100) (true (control ?p))) (<= (goal ?p 0) (role ?p) (not (true (control ?p))))
"""


def test_facts_of_the_start_that_are_derived_are_told_and_a_comment_is_a_sentence():
    rules = make(DERIVED, "gdl:derived").rules
    assert rules.startswith("take 1 or 2. Two players, left and right, move in turn.")
    assert "At the start, control left. At the start, full H if heap H." in rules


def test_a_puzzle_and_chance_are_told():
    pegs, pig = (make(named_files(OWN)[name].read_text(), f"gdl:{name}").rules for name in ("pegs", "pig"))
    assert "plays alone, for a goal of up to 100." in pegs
    assert "Chance moves as well" in pig


def after(name, *moves, form=make):
    """The scene of a game of ours after these moves, without the file beside its description."""
    game = form(named_files(OWN)[name].read_text(), f"gdl:{name}")()
    state = game.initial_state()
    for move in moves:
        state = game.result(state, game.parse_action(state, move))
    return game.scene(state)


def test_crosses_and_rings_are_drawn_on_paper():
    scene = after("tictactoe", "mark-1-1", "mark-2-2")
    assert scene.material == "paper"
    assert {cell.name: (cell.piece, cell.owner) for cell in scene.cells if cell.piece} == {
        "a1": ("cross", ggp.MAX),
        "b2": ("ring", ggp.MIN),
    }


def test_a_move_that_names_a_column_is_made_by_a_click_on_it():
    scene = after("connectfour", "drop-4", "drop-4")
    assert [cell.name for cell in scene.cells if cell.shape == "button"] == []
    fourth = next(cell for cell in scene.cells if cell.action is not None and cell.name[0] == "d")
    assert (fourth.name, {*fourth.reach}) == ("d3", {"d1", "d2", "d4", "d5", "d6"})
    assert len([cell for cell in scene.cells if cell.action is not None]) == 7


@pytest.mark.parametrize("form", [make, interpreted_form])
@pytest.mark.parametrize(
    ("name", "fall"),
    [("connectfour", True), ("tictactoe", False), pytest.param("reversi", False, marks=pytest.mark.slow)],
)
def test_pieces_fall_if_moves_name_a_column_and_fill_its_lowest_cell(form, name, fall):
    game = form(named_files(OWN)[name].read_text(), f"gdl:{name}")()
    assert game.scene(game.initial_state()).gravity is fall


def test_pieces_that_fill_the_highest_cell_of_a_column_do_not_fall():
    text = named_files(OWN)["connectfour"].read_text()
    swapped = {
        "(cell ?c 6 b)": "(cell ?c 1 b)",
        "(lands ?c 1) (true (cell ?c 1 b))": "(lands ?c 6) (true (cell ?c 6 b))",
    }
    for old, new in {**swapped, "(succ ?below ?r)": "(succ ?r ?below)"}.items():
        text = text.replace(old, new)
    game = make(text, "gdl:upwards")()
    state = game.result(game.initial_state(), game.parse_action(game.initial_state(), "drop-4"))
    assert game.scene(state)["d6"].owner == ggp.MAX
    assert game.scene(state).gravity is False


@pytest.mark.parametrize("form", BOTH)
def test_the_men_of_both_sides_are_discs_on_wood_with_two_signs(form):
    scene = after("reversi", form=form)
    assert scene.material == "wood"
    assert {(cell.text, cell.owner) for cell in scene.cells if cell.stands} == {("●", ggp.MAX), ("○", ggp.MIN)}


def test_pegs_are_stones_of_nobody_and_their_number_is_told():
    scene = after("pegs")
    assert {(cell.stands, cell.owner) for cell in scene.cells if cell.stands} == {("stone", None)}
    assert [cell.text for cell in scene.cells if cell.text.startswith("pegs")] == ["pegs 20"]


@pytest.mark.parametrize("form", [make, interpreted_form])
@pytest.mark.parametrize(("goals", "caption"), {(100, 0): "x has won", (75, 25): "x has won 75 : 25"}.items())
def test_the_caption_of_an_end_has_the_goals_unless_they_are_100_and_0(form, goals, caption):
    text = TICTACTOE.replace("?player 100)", f"?player {goals[0]})").replace("?player 0)", f"?player {goals[1]})")
    game = form(text, "gdl:goals")()
    state = game.initial_state()
    for move in ("mark-1-1", "mark-2-1", "mark-1-2", "mark-2-2", "mark-1-3"):
        state = game.result(state, game.parse_action(state, move))
    assert game.scene(state).caption == caption


@pytest.mark.parametrize("form", BOTH)
def test_the_player_to_move_is_told_by_the_caption_alone(form):
    scene = after("reversi", form=form)
    assert "black" in scene.caption
    assert [cell.text for cell in scene.cells if "black" in cell.text] == []


def test_a_file_beside_the_description_names_moves_pieces_and_colours(tmp_path):
    path = tmp_path / "game.kif"
    path.write_text(TICTACTOE)
    path.with_suffix(".toml").write_text(LOOK)
    game = load(Named(path, "gdl:game"))()
    state = game.initial_state()
    assert game.title == "Noughts and crosses"
    assert game.format_action(state, game.parse_action(state, "2/3 {3}")) == "2/3 {3}"
    assert game.parse_action(state, "mark-2-3") == game.parse_action(state, "(mark 2 3)")
    after = game.result(state, game.parse_action(state, "mark-2-3"))
    scene = game.scene(after)
    assert (scene.colours, scene.material) == (("red", "blue"), "wood")
    assert scene["b3"].piece == "cross"
    assert copy.copy(game) == game != make(TICTACTOE, "gdl:game")()


@pytest.mark.parametrize(
    ("look", "sentence"),
    {
        "colour = 3": "unknown field `colour`; the entries are title, rules, colours",
        "title": "game.toml: it is not TOML",
        'colours = ["red"]': "colours has two entries",
        'colours = ["red", "sepia"]': "Invalid enum value 'sepia'",
    }.items(),
)
def test_a_wrong_file_beside_a_description_is_a_sentence(look, sentence, tmp_path):
    path = tmp_path / "game.kif"
    path.write_text(TICTACTOE)
    path.with_suffix(".toml").write_text(look)
    with pytest.raises(ggp.UsageError, match=sentence):
        load(Named(path, "gdl:game"))
