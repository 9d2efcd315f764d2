"""Positions with exact values, and the accuracy of players."""

import pytest
from ggp_learn import accuracy
from ggp_learn.accuracy import SolvedPosition, measure, solved_positions
from ggp_solve.solver import Solver

import ggp
from ggp.game import MAX
from ggp.play.players import ChosenAction

EARLY = 8
"""Number of plies before which the values of no position are found in these tests."""


@pytest.fixture
def connectfour():
    return ggp.load_registry().game("connectfour", width=4, height=4)


@pytest.fixture
def tried(monkeypatch, connectfour):
    """The plies that are tried; values are found from `EARLY` on."""
    plies = []
    proved = accuracy._proved

    def late(game, state, seconds):
        plies.append(sum(cell.owner is not None for cell in game.scene(state).cells))
        return proved(game, state, 60.0) if plies[-1] >= EARLY else None

    monkeypatch.setattr(accuracy, "_enumerated", lambda *given: None)
    monkeypatch.setattr(accuracy, "_proved", late)
    return plies


def test_a_later_position_of_the_game_replaces_one_that_is_too_hard(connectfour, tried):
    found = solved_positions(connectfour, 20)
    assert len(found.positions) == 20
    assert found.unsolved > 0
    assert min(position.ply for position in found.positions) >= EARLY


def test_plies_where_nothing_is_solved_are_tried_a_few_times_only(connectfour, tried):
    solved_positions(connectfour, 120)
    counts = [tried.count(ply) for ply in range(EARLY - accuracy.NEAR)]
    assert 0 < max(counts) <= accuracy.TRIES


def test_values_by_proof_are_those_of_the_enumeration(monkeypatch):
    game = ggp.load_registry().game("connectfour", width=3, height=3, connect=3)
    whole = Solver(game, game.initial_state())
    whole.run()
    monkeypatch.setattr(accuracy, "_enumerated", lambda *given: None)
    found = solved_positions(game, 15, seconds=60.0)
    assert (len(found.positions), found.method) == (15, "proof")
    for position in found.positions:
        exact = {choice.action: choice.middle for choice in whole.choices_now(position.state)}
        assert position.values == exact
        assert position.best == (max if game.to_move(position.state) == MAX else min)(exact.values())


@pytest.mark.parametrize(("name", "parameters"), [("pong-hau-ki", {}), ("einstein", {"size": 3, "side": 1})])
def test_games_that_repeat_and_games_of_chance_are_enumerated_from_late_positions(name, parameters, monkeypatch):
    game = ggp.load_registry().game(name, **parameters)
    enumerated = accuracy._enumerated
    monkeypatch.setattr(accuracy, "_enumerated", lambda game, state=None, seconds=0.0: enumerated(game, state, 1e6))
    whole = solved_positions(game, 3).positions
    monkeypatch.setattr(
        accuracy,
        "_enumerated",
        lambda game, state=None, seconds=0.0: None if state is None else enumerated(game, state, 1e6),
    )
    found = solved_positions(game, 3).positions
    assert [position.state for position in found] == [position.state for position in whole]
    for one, other in zip(found, whole, strict=True):
        assert one.values == pytest.approx(other.values)


def test_if_nothing_can_be_solved_few_positions_are_tried(connectfour, monkeypatch):
    monkeypatch.setattr(accuracy, "_enumerated", lambda *given: None)
    monkeypatch.setattr(accuracy, "_proved", lambda game, state, seconds: None)
    found = solved_positions(connectfour, 1000)
    assert found.positions == ()
    assert found.unsolved < 2 * accuracy.HOPELESS


def test_compiling_is_no_time_for_a_move(connectfour):
    class Compiling:
        name = "compiling"

        def choose(self, game, state):
            statistics = ggp.Statistics(nodes=1, compile_seconds=3600.0)
            return ChosenAction(0, ggp.SearchResult(action=0, value=0.0, complete=False, statistics=statistics))

    position = SolvedPosition(connectfour.initial_state(), 0, 1, {0: 0.0}, 0.0)
    assert [move.seconds for move in measure(connectfour, Compiling(), [position]).moves] == [0.0]
