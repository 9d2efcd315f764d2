"""What is seen of a move, from the scenes before and after it."""

import random

import pytest

import ggp
from ggp import capabilities
from ggp.show.motion import motion, scenes

REGISTRY = ggp.load_registry()


def seen(name, moves, **parameters):
    """Play the moves; return the beats of the last one, as texts: "C>D 4" is four things that fly from C to D."""
    game = REGISTRY.game(name, **parameters)
    state, text, beats = game.initial_state(), capabilities.notation(game), ()
    for move in moves:
        before, action = state, text.parse_action(state, move)
        state = game.result(state, action)
        beats = motion(capabilities.scene(game, before), capabilities.scene(game, state), action)
    return [" ".join(f"{each.start}>{each.end} {each.count}" for each in beat.flights) for beat in beats]


@pytest.mark.parametrize(
    ("name", "moves", "beats"),
    [
        ("kalah", ["C"], ["C>D 4", "D>E 3", "E>F 2", "F>South's store 1"]),
        ("kalah", ["B", "a"], ["a>b 4", "b>c 3", "c>d 2", "d>e 1"]),
        ("awari", ["F"], ["F>a 4", "a>b 3", "b>c 2", "c>d 1"]),
        ("breakthrough", ["b2-b3"], ["b2>b3 0"]),
        ("connectfour", ["4"], ["None>d1 0"]),
        ("tictactoe", ["5"], ["None>5 0"]),
        ("nim", ["1:2"], ["heap 1, stone 2>None 0 heap 1, stone 3>None 0"]),
        ("pig", ["roll", "3"], ["None>at stake 3"]),
        ("pig", ["roll", "3", "hold"], ["at stake>first's points 3"]),
    ],
)
def test_things_fly(name, moves, beats):
    assert seen(name, moves) == beats


def test_a_sowing_leaves_out_the_other_players_store():
    game = REGISTRY.game("kalah")
    state = game.parse_state("<6,10,5,0,0,0,0,0,9,4,4,4,4,4,4> S")
    after = game.result(state, game.parse_action(state, "F"))
    beats = motion(game.scene(state), game.scene(after), game.parse_action(state, "F"))
    ends = [beat.flights[0].end for beat in beats[:9]]
    assert ends == ["South's store", "a", "b", "c", "d", "e", "f", "A", "B"]


def test_a_capture_flies_from_both_houses_at_once():
    game = REGISTRY.game("kalah")
    state = game.parse_state("<6,12,9,0,0,0,1,0,4,4,2,5,4,4,3> S")
    action = game.parse_action(state, "D")
    beats = motion(game.scene(state), game.scene(game.result(state, action)), action)
    assert [len(beat.flights) for beat in beats] == [1, 2]
    assert {(each.start, each.end, each.count) for each in beats[1].flights} == {
        ("E", "South's store", 1),
        ("b", "South's store", 2),
    }


@pytest.mark.parametrize("name", REGISTRY.games)
def test_the_last_beat_leads_to_the_board_after_the_move(name):
    game, dice = REGISTRY.game(name), random.Random(7)
    state = game.initial_state()
    for _ in range(40):
        if game.terminal_test(state):
            return
        action = dice.choice(list(game.actions(state)))
        before, state = capabilities.scene(game, state), game.result(state, action)
        after = capabilities.scene(game, state)
        *_, last = before, *scenes(before, motion(before, after, action))
        shown = {cell.name: (cell.count, cell.text) for cell in last.cells}
        for cell in after.cells:
            if cell.shape != "plain" and cell.name in shown:
                assert shown[cell.name] == (cell.count, cell.text)
