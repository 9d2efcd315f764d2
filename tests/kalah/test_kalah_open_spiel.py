"""Random games of Kalah(6,4) against open_spiel's `mancala`, an independent program in C++."""

import random

import pytest
from boards import sides
from ggp_kalah import Kalah

import ggp

pyspiel = pytest.importorskip("pyspiel")


def test_a_thousand_random_games_agree_state_by_state_and_in_their_returns():
    """Its board is North's store, South's houses, South's store, North's houses; it leaves the last board unswept."""
    kalah, mancala, chance = Kalah(), pyspiel.load_game("mancala"), random.Random(20)
    for _ in range(1000):
        ours, theirs = kalah.initial_state(), mancala.new_initial_state()
        while not kalah.terminal_test(ours):
            south, north, mover = sides(kalah, ours)
            assert theirs.current_player() == mover
            assert [int(seeds) for seeds in theirs.observation_tensor(0)[:14]] == [
                north[6],
                *south[:6],
                south[6],
                *north[:6],
            ]
            houses = list(kalah.actions(ours))
            assert theirs.legal_actions() == [house + (8 if mover else 1) for house in houses]
            house = chance.choice(houses)
            ours = kalah.result(ours, house)
            theirs.apply_action(house + (8 if mover else 1))
        assert theirs.is_terminal()
        margin = kalah.utility(ours, ggp.MAX)
        assert theirs.returns()[0] == (margin > 0) - (margin < 0)
