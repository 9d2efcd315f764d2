"""Every fault planted in a game is found, under a promise that it breaks; the games without them pass."""

import pytest
from planted_games import PLANTED, RIGHT

import ggp
from ggp.testing import PROMISES, check_game


@pytest.mark.parametrize("game", RIGHT)
def test_a_right_game_in_which_they_are_planted_passes(game):
    check_game(game(), examples=5)


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault):
    promises, game = PLANTED[fault]
    with pytest.raises(ggp.ConformanceError) as found:
        check_game(game(), examples=15)
    assert any(f'breaks the promise "{promise}" ({PROMISES[promise]})' in str(found.value) for promise in promises)
