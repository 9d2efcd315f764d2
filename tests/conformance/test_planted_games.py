"""Every fault planted in a game is found, under a promise that it breaks; the games without them pass."""

import pytest
from ggp_awari import Awari
from ggp_kalah import Kalah
from ggp_tictactoe import TicTacToe
from planted_games import PLANTED, RIGHT

import ggp
from ggp.testing import PROMISES, check_game

LONG = {Awari, Kalah, TicTacToe}
"""Games whose plays take long to check."""


FIRST = {promises[0]: fault for fault, (promises, _) in reversed(PLANTED.items())}
"""The first fault that breaks each promise, which the default run finds, besides those that are soon found."""

PROCESSES = {"processes", "options", "purity", "determinism"}
"""Promises that are checked in other processes, or on many games."""


def slow_if_long(given, game):
    long = LONG.intersection(game.__mro__) or given in ("never an end", "a least value that fails")
    if given in PLANTED:
        promises = PLANTED[given][0]
        long = long or (PROCESSES.intersection(promises) and given not in FIRST.values())
    return pytest.param(given, marks=pytest.mark.slow if long else ())


@pytest.mark.parametrize("game", [slow_if_long(game, game) for game in RIGHT])
def test_a_right_game_in_which_they_are_planted_passes(game):
    check_game(game(), examples=5)


@pytest.mark.parametrize("fault", [slow_if_long(fault, game) for fault, (_, game) in PLANTED.items()])
def test_a_planted_fault_is_found(fault):
    promises, game = PLANTED[fault]
    with pytest.raises(ggp.ConformanceError) as found:
        check_game(game(), examples=12)
    assert any(f'breaks the promise "{promise}" ({PROMISES[promise]})' in str(found.value) for promise in promises)
