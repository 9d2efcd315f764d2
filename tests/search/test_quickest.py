"""The option quickest: the shortest win and the longest resistance, as enumeration finds them."""

import pytest
from ggp_connectfour import ConnectFour
from ggp_hexapawn import Hexapawn
from ggp_kalah import Kalah
from ggp_morris import Morris
from ggp_solve.solver import Solver
from ggp_tictactoe import TicTacToe
from ggp_toys import Pig

import ggp
from ggp import compiler
from ggp.errors import UsageError

REGISTRY = ggp.load_registry()


@pytest.mark.parametrize("text", ["alphabeta:quickest=yes", "mtdf:quickest=yes", "alphabeta:quickest=yes,table=1"])
@pytest.mark.parametrize("game", [Hexapawn(), TicTacToe(), ConnectFour(width=4, height=3, connect=3)], ids=str)
def test_values_and_distances_are_those_of_enumeration(game, text):
    searcher, _ = REGISTRY.parse_searcher(f"{text},speed=interpreted")
    solver = Solver(game, game.initial_state(), speed="interpreted")
    solver.run()
    checked = 0
    for number in range(1, solver.found.count, max(1, solver.found.count // 15)):
        state, known = solver.found.state(number), solver.look(solver.found.state(number))
        if game.terminal_test(state) or known.distance > 7:
            continue
        found = searcher.search(game, state)
        assert (found.value, found.exact) == (known.lower, True)
        assert found.distance == (known.distance if known.lower else None)
        checked += 1
    assert checked > 3


@pytest.mark.parametrize("speed", [pytest.param("interpreted", marks=pytest.mark.slow), "compiled"])
def test_a_win_by_repeating_play_is_found_by_its_shortest_way(speed):
    if speed == "compiled" and not compiler.machine.available():
        pytest.skip("there is no machine speed")
    game = Morris()
    searcher, _ = REGISTRY.parse_searcher(f"alphabeta:quickest=yes,speed={speed},tablebase=none")
    found = searcher.search(game, game.initial_state(), ggp.Limits(depth=9))
    assert (found.value, found.exact, found.distance, len(found.principal_variation)) == (1, True, 9, 9)
    assert game.format_action(game.initial_state(), found.action) == "b2"
    short = searcher.search(game, game.initial_state(), ggp.Limits(depth=4))
    assert (short.exact, short.distance) == (False, None)


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (Kalah(houses=2, seeds=1), "quickest is for games of win, draw and loss"),
        (Morris(), "quickest needs a limit of depth, seconds or nodes: positions of morris come back"),
    ],
)
def test_unsupported_games_are_refused(game, sentence):
    searcher, _ = REGISTRY.parse_searcher("alphabeta:quickest=yes,tablebase=none")
    with pytest.raises(UsageError, match=sentence):
        searcher.search(game, game.initial_state())


def test_it_is_not_for_games_of_chance():
    searcher, _ = REGISTRY.parse_searcher("expectiminimax:quickest=yes")
    with pytest.raises(UsageError, match="quickest is for games without chance, and pig is a game of chance"):
        searcher.search(Pig(goal=5), Pig(goal=5).initial_state(), ggp.Limits(depth=2))
