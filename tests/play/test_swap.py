"""The pie rule."""

import pytest

import ggp
from ggp.errors import OptionError
from ggp.play import make_player, play_game
from ggp.play.replay import replay
from ggp.testing import check_game

REGISTRY = ggp.load_registry()
EXACT = {"size=2": (1, -1), "size=3": (1, -1)}
"""Values to the first player of Hex without the pie rule and with it: whoever begins wins, so it is never let."""


@pytest.mark.parametrize("option", EXACT)
def test_hex_is_lost_for_the_player_who_begins(option):
    size = int(option.partition("=")[2])
    for swap, value in zip((False, True), EXACT[option], strict=True):
        game = REGISTRY.game("hex", size=size, swap=swap)
        assert REGISTRY.searcher("alphabeta").search(game, game.initial_state()).value == value


def test_a_swap_exchanges_the_sides_and_nothing_else():
    game = REGISTRY.game("kalah", swap=True)
    state = game.parse_state("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S")
    assert state == game.initial_state()
    assert "swap" not in [game.format_action(state, each) for each in game.actions(state)]
    again = game.result(state, game.parse_action(state, "C"))  # an extra turn: nothing is offered yet
    assert game.to_move(again) == ggp.MAX
    assert game.format_state(again).endswith(" open")
    offered = game.result(again, game.parse_action(again, "F"))
    assert game.to_move(offered) == ggp.MIN
    swapped = game.result(offered, game.parse_action(offered, "swap"))
    assert game.to_move(swapped) == ggp.MAX
    assert game.parse_state(game.format_state(swapped)) == swapped
    kept = game.result(offered, game.parse_action(offered, "a"))
    assert next(game.format_action(kept, each) for each in game.actions(kept)) != "swap"
    assert [each.name for each in game.scene(offered).cells][-1] == "swap"
    assert "swapped sides" in game.scene(swapped).caption


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kalah", "pig", "nim"])
def test_games_with_it_keep_the_promises(name):
    check_game(REGISTRY.game(name, swap=True), examples=4)


def test_a_record_is_replayed():
    game = REGISTRY.parse_game("kalah", {"houses": "3", "swap": "yes"})
    players = make_player(REGISTRY, "alphabeta:depth=4", game), make_player(REGISTRY, "random:seed=2", game)
    record = play_game(game, players, seed=1)
    assert record.parameters["swap"] is True
    assert replay(REGISTRY, record).ending == record.ending


def test_it_is_listed_with_the_parameters_where_it_can_be_had():
    listed = {name: [each.name for each in entry.options] for name, entry in REGISTRY.games.items()}
    assert listed["hex"] == ["size", "swap"]
    assert "swap" in listed["kalah"]
    assert "swap" not in listed["pancakes"] + listed["einstein"]


WRONG = {
    ("pancakes", "yes"): "pancakes cannot have the pie rule: that is for two players, of whom the first begins",
    ("kalah", "perhaps"): "swap must be yes or no",
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_refused(case):
    name, text = case
    with pytest.raises(OptionError, match=WRONG[case]):
        REGISTRY.parse_game(name, {"swap": text})
