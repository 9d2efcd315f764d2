"""Owners that only the moves tell, the mark of the last move, scores, and how pieces move."""

from itertools import pairwise

import pytest

import ggp
from ggp import MAX, MIN, capabilities
from ggp.show.motion import motion, scenes

REGISTRY = ggp.load_registry()


def played(name, moves, start=None, **parameters):
    """Play moves; return the game, and the state before each move with its action, and the last state."""
    game = REGISTRY.game(name, **parameters)
    text = capabilities.notation(game)
    state, way = game.initial_state() if start is None else game.parse_state(start), []
    for move in moves:
        action = text.parse_action(state, move)
        way.append((state, action))
        state = game.result(state, action)
    return game, way, state


def test_dominoes_belong_to_whoever_placed_them_and_join_their_two_cells():
    game, way, state = played("domineering", ["a1-a2", "b1-c1", "d4-d5"])
    scene = capabilities.scene(game, state, [before for before, _ in way])
    owners = {cell.name: cell.owner for cell in scene.cells if cell.text == "■"}
    assert owners == {"a1": MAX, "a2": MAX, "b1": MIN, "c1": MIN, "d4": MAX, "d5": MAX}
    assert {cell.name: cell.joined for cell in scene.cells if cell.joined} == {
        "a1": "a2", "a2": "a1", "b1": "c1", "c1": "b1", "d4": "d5", "d5": "d4",
    }  # fmt: skip


def test_without_the_moves_nobody_owns_a_domino():
    game, _, state = played("domineering", ["a1-a2"])
    assert {cell.owner for cell in capabilities.scene(game, state).cells} == {None}


def test_lines_and_boxes_belong_to_whoever_drew_them():
    game, way, state = played("dotsandboxes", ["a1-b1", "a1-a2", "b1-b2", "a2-b2"], rows=1, columns=2)
    scene = capabilities.scene(game, state, [before for before, _ in way])
    assert [scene[name].owner for name in ("a1-b1", "a1-a2", "b1-b2", "a2-b2", "a1-b2")] == [MAX, MIN, MAX, MIN, MIN]
    assert scene.scores == (0, 1)


def test_the_die_of_pig_shows_what_was_rolled_last():
    game, way, state = played("pig", ["roll", "5", "hold"])
    assert capabilities.scene(game, state, [before for before, _ in way])["die"].text == "5"


@pytest.mark.parametrize(
    ("name", "moves", "marked"),
    [
        ("othello", ["d3"], {"d3"}),
        ("breakthrough", ["b2-b3"], {"b2", "b3"}),
        ("connectfour", ["4"], {"d1"}),
        ("kalah", ["C"], {"C"}),
        ("checkers", ["11-15", "22-18", "15x22"], {"15", "22"}),
    ],
)
def test_the_last_move_is_marked_where_it_began_and_ended(name, moves, marked):
    game, way, state = played(name, moves)
    now, before = capabilities.scene(game, state), capabilities.scene(game, way[-1][0])
    labels = {cell.name: cell.label if name == "checkers" else cell.name for cell in now.cells}
    assert {labels[each] for each in now.last_move(before)} == marked


def test_the_score_is_told_with_the_caption_unless_the_board_shows_it():
    othello, _, state = played("othello", ["d3"])
    assert othello.scene(state).told == "White to move, 4 : 1"
    kalah, _, state = played("kalah", ["C"])
    assert kalah.scene(state).told == kalah.scene(state).caption


def test_a_triple_jump_goes_square_by_square_and_what_is_jumped_over_goes_one_by_one():
    start = "......../..b...../.w....../......../.w....../......../...w..../........ b 0"
    game = REGISTRY.game("checkers")
    state = game.parse_state(start)
    action = max(game.actions(state), key=lambda move: move.captured.bit_count())
    assert action.captured.bit_count() == 3
    before, after = game.scene(state), game.scene(game.result(state, action))
    beats = motion(before, after, action)
    assert [len(beat.flights) for beat in beats] == [2, 2, 2]
    assert [one.flights[0].end == other.flights[0].start for one, other in pairwise(beats)] == [True, True]
    men = [sum(cell.text != "" and cell.shade == "dark" for cell in scene.cells) for scene in scenes(before, beats)]
    assert men == [3, 2, 1]


def test_discs_flip_after_the_new_one_is_placed_and_stones_fall():
    game, way, state = played("othello", ["d3"])
    beats = motion(game.scene(way[0][0]), game.scene(state), way[0][1])
    assert [(len(beat.flights), beat.flips) for beat in beats] == [(1, ()), (0, ("d4",))]
    game, way, state = played("connectfour", ["4"])
    (beat,) = motion(game.scene(way[0][0]), game.scene(state), way[0][1])
    assert beat.flights[0].falls
