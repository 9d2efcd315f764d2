"""The numbering of states by which tablebases go."""

import itertools
from math import comb

import pytest
from boards import CAPTURES, VARIANTS, name, states
from ggp_kalah import Kalah


def every_state(houses, layer):
    """South to move, both sides with seeds in their houses: by the seeds of the lesser side."""
    sides = [side for side in itertools.product(range(layer), repeat=houses) if 0 < sum(side) < layer]
    game = Kalah(houses, seeds=layer)
    for own, other in itertools.product(sides, repeat=2):
        if sum(own) + sum(other) == layer:
            yield min(sum(own), sum(other)), game.state([*own, 0], [*other, 0], 0)


@pytest.mark.parametrize(("houses", "layer"), [(1, 2), (1, 5), (2, 6), (3, 5)])
def test_every_state_has_a_number_of_its_own_and_no_number_is_left_over(houses, layer):
    game = Kalah(houses, seeds=layer)
    ranking, found = game.ranking, {}
    for few, state in every_state(houses, layer):
        section, index = ranking.rank(state)
        assert (ranking.layer(state), section) == (layer, few - 1)
        assert ranking.unrank(layer, section, index) == state
        found.setdefault(section, []).append(index)
    sizes = ranking.sections(layer)
    assert {section: sorted(indices) for section, indices in found.items()} == {
        section: list(range(size)) for section, size in enumerate(sizes)
    }


@pytest.mark.parametrize(("houses", "layer"), [(1, 5), (2, 6), (3, 7), (3, 8)])
def test_positions_come_in_the_order_of_their_numbers_from_any_number_on(houses, layer):
    ranking = Kalah(houses).ranking
    for section, size in enumerate(ranking.sections(layer)):
        expected = [ranking.unrank(layer, section, index) for index in range(size)]
        for first in range(size + 1):
            assert list(ranking.positions(layer, section, first)) == expected[first:]


@pytest.mark.parametrize("turn", ["single", "whole"])
@pytest.mark.parametrize("capture", CAPTURES)
def test_every_action_leads_to_the_end_to_a_lower_layer_or_to_a_lower_number_of_the_section(capture, turn):
    game = Kalah(4, 3, capture=capture, turn=turn)
    ranking = game.ranking
    for state in states(game, 3):
        layer, (section, index) = ranking.layer(state), ranking.rank(state)
        for action in game.actions(state):
            after = game.result(state, action)
            if not game.terminal_test(after) and ranking.layer(after) >= layer:
                assert ranking.layer(after) == layer
                assert ranking.rank(after)[0] == section
                assert ranking.rank(after)[1] < index


def test_who_moves_and_what_is_in_the_stores_does_not_matter():
    game = Kalah(3)
    state = game.parse_state("<3,5,2,1,0,3,2,4,1> S")
    other = game.parse_state("<3,0,0,2,4,1,1,0,3> N")
    assert game.ranking.rank(state) == game.ranking.rank(other)


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
def test_there_is_a_numbering_where_the_stores_decide_nothing_else(variant):
    game = Kalah(**variant)
    assert (game.ranking is not None) == (variant["scoring"] == "margin" and not variant["majority"])


def test_layers_are_numbered_up_to_127_seeds():
    ranking = Kalah().ranking
    assert len(ranking.sections(127)) == 63
    assert ranking.sections(128) == ()
    assert ranking.sections(2) == (comb(6, 1) ** 2,)


def test_games_that_agree_in_houses_and_capture_share_tablebases():
    assert Kalah(5, 3, turn="whole").ranking.parameters == {"houses": 5, "capture": "standard"}
