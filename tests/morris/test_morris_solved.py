"""Three men's morris, solved: the same as the program in `naive_morris`, which is written apart."""

import pytest
from ggp_morris import Morris
from ggp_morris.game import Position
from ggp_solve.solver import Solver
from naive_morris import NaiveMorris

from ggp import Bits


@pytest.mark.parametrize(
    ("diagonals", "flying"),
    [(True, False), (False, True), *(pytest.param(each, each, marks=pytest.mark.slow) for each in (True, False))],
)
def test_every_position_has_the_value_and_the_distance_of_the_naive_solution(diagonals, flying):
    game = Morris(diagonals=diagonals, flying=flying)
    solver = Solver(game, game.initial_state())
    solver.run()
    places = game.points.places
    naive = NaiveMorris(diagonals, flying).solution()
    for (men, hands, mover), expected in naive.items():
        first, second = (Bits.of(*(places.index(point) for point, side in men if side == each)) for each in (0, 1))
        state = Position(first, second, *hands, mover)
        known = solver.look(state)
        assert (known.lower, known.upper, known.distance) == (expected[0], *expected)
    assert solver.found.count < len(naive)


def test_white_wins_three_mens_morris_with_diagonals():
    game = Morris()
    solver = Solver(game, game.initial_state())
    solver.run()
    solved = solver.solved(0)
    assert (solved.value, solved.distance, game.format_action(game.initial_state(), solved.action)) == (1, 9, "b2")
    assert len(solved.principal_variation) == 9
