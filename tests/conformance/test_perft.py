"""Counting plays, at both speeds."""

import _thread
import threading

import pytest

import ggp
from ggp.testing import perft
from ggp.testing.perft_counts import Watch, plays

REGISTRY = ggp.load_registry()


@pytest.mark.parametrize("name", ["kalah", "tictactoe", "nim", "pig", "fig52", "connectfour", "othello", "morris"])
def test_machine_code_counts_as_the_rules_do(name):
    game = REGISTRY.game(name)
    for depth in range(5):
        assert perft(game, game.initial_state(), depth) == plays(game, Watch(), game.initial_state(), depth)


def test_a_game_that_cannot_be_compiled_is_counted_all_the_same():
    class TablebasePaths:
        name = "paths"

        def initial_state(self):
            return ()

        def to_move(self, state):
            return len(state) % 2

        def actions(self, state):
            return ("left", "right")

        def result(self, state, action):
            return (*state, action)

        def terminal_test(self, state):
            return len(state) == 6

        def utility(self, state, player):
            return 0

    assert [perft(TablebasePaths(), (), depth) for depth in range(8)] == [1, 2, 4, 8, 16, 32, 64, 0]


def test_a_negative_depth_is_refused():
    with pytest.raises(ggp.UsageError, match="perft cannot look -1 plies ahead: the depth is 0 or more"):
        perft(REGISTRY.game("nim"), (3, 0), -1)


def test_ctrl_c_ends_a_long_count():
    game = REGISTRY.game("kalah")
    perft(game, game.initial_state(), 4)  # so that it is compiled
    timer = threading.Timer(0.3, _thread.interrupt_main)

    def count():
        timer.start()
        perft(game, game.initial_state(), 60)

    with pytest.raises(KeyboardInterrupt):
        count()
    timer.join()
