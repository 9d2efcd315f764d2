"""Enumeration at machine speed finds what it finds interpreted."""

import pytest
from ggp_connectfour import ConnectFour
from ggp_morris import Morris
from ggp_ponghauki import PongHauKi
from ggp_solve.enumeration.enumeration import Enumeration
from ggp_solve.enumeration.interval_iteration import IntervalIteration
from ggp_solve.enumeration.speed import Compiled
from ggp_solve.solver import Solver
from ggp_toys import Pig
from samples import but_slow

from ggp import compiler

pytestmark = pytest.mark.skipif(not compiler.machine.available(), reason="there is no machine speed")

GAMES = {
    "with cycles": Morris(diagonals=False),
    "two stones": PongHauKi(),
    "without cycles": ConnectFour(width=4, height=3, connect=3),
    "chance": Pig(goal=9, turns=6, sides=3),
}


def everything(game, speed):
    solver = Solver(game, game.initial_state(), speed=speed)
    solver.run()
    found = solver.found
    assert found.run.name == speed
    states = [found.state(number) for number in range(found.count)]
    return [(state, solver.look(state), solver.action(state)) for state in states[::7]], (solver.solved(0))


@pytest.mark.parametrize("name", but_slow(GAMES, "without cycles"))
def test_both_speeds_number_positions_alike_and_find_the_same(name):
    game = GAMES[name]
    compiled, interpreted = everything(game, "compiled"), everything(game, "interpreted")
    assert compiled[0] == interpreted[0]
    names = ("value", "action", "distance", "positions", "wins", "draws", "losses", "method")
    assert [getattr(compiled[1], name) for name in names] == [getattr(interpreted[1], name) for name in names]


@pytest.mark.slow
def test_chance_with_cycles_has_the_same_bounds_at_both_speeds():
    class Endless(Pig):
        """Pig whose turns are not counted."""

        name = "endless-pig"
        repetition = "continues"

        def result(self, state, action):
            first, second, stake, turn, rolling = Pig.result(self, state, action)
            return first, second, stake, turn % 2, rolling

    game = Endless(goal=12, turns=10_000)
    bounds = []
    for speed in ("compiled", "interpreted"):
        solver = Solver(game, game.initial_state(), speed=speed, precision=1e-10)
        solver.run()
        assert (solver.found.run.name, solver.method) == (speed, "interval iteration")
        bounds.append(solver.look(game.initial_state()))
    assert bounds[0] == bounds[1]
    assert 0 <= bounds[0].upper - bounds[0].lower <= 1e-10


@pytest.mark.slow
def test_bounds_hold_at_machine_speed_without_chance():
    game = Morris()
    found = Enumeration(game, game.initial_state(), 10_000, Compiled(game))
    found.find_positions()
    iteration = IntervalIteration(found, 1e-9)
    iteration.run()
    solver = Solver(game, game.initial_state(), speed="interpreted")
    solver.run()
    for number in range(found.count):
        state = found.state(number)
        value = solver.look(state).lower
        assert iteration.lower.get(number) <= value <= iteration.upper.get(number)
        assert iteration.upper.get(number) - iteration.lower.get(number) <= 1e-9


@pytest.mark.parametrize(
    ("small", "speed"), [pytest.param(29, "compiled", marks=pytest.mark.slow), (30, "interpreted")]
)
def test_a_small_game_is_solved_as_it_is_written(monkeypatch, small, speed):
    monkeypatch.delenv("GGP_SPEED", raising=False)
    monkeypatch.setattr("ggp_solve.solver.SMALL", small)
    solver = Solver(PongHauKi(), PongHauKi().initial_state())
    solver.run()
    assert (solver.found.count, solver.found.run.name, solver.note) == (30, speed, None)


def test_code_that_cannot_be_compiled_is_interpreted_with_a_reason(monkeypatch):
    monkeypatch.setattr("ggp_solve.solver.SMALL", 1)

    class Wordy(PongHauKi):
        name = "wordy"
        compiled = False

    solver = Solver(Wordy(), Wordy().initial_state(), speed="auto")
    solver.run()
    assert solver.solved(0).speed == "interpreted"
    assert solver.note == "wordy declares `compiled = False`"
