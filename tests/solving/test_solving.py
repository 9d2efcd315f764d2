"""Solving: exact values, whatever the resources."""

import json
import pathlib
from math import inf, isinf

import pytest
from ggp_search import AlphaBeta
from ggp_search.engine import compiled_engine
from ggp_search.engine.engine import CompiledFormError
from ggp_search.engine.limits import Control
from ggp_search.engine.settings import SearchPlan, choose_settings
from ggp_solve.proof import proof_solver
from ggp_solve.proof.proof_solver import run, solve
from ggp_solve.proof.prover import Prover, new_prover
from ggp_solve.proof.solution import Resources, Wanted
from ggp_solve.tablebases import build
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.capabilities import play
from ggp.repetition import RepetitionError
from ggp.testing import minimax_value

DATA = pathlib.Path(__file__).parents[1] / "data"
REGISTRY = ggp.load_registry()
KNOWN = json.loads((DATA / "kalah_values.json").read_text())
INTERPRETED = 6
"""Seeds of a player up to which a Kalah is proved in less time than it takes to compile it."""

SMALL = [
    pytest.param(row, id=row["id"], marks=[pytest.mark.slow] * (row["houses"] * row["seeds"] > INTERPRETED))
    for row in KNOWN
    if row["houses"] * row["seeds"] <= (8 if row["capture"] == "none" else 12)
]
LARGER = [row for row in KNOWN if 12 < row["houses"] * row["seeds"] <= 20 and row["capture"] != "none"]


def kalah_of(row):
    return REGISTRY.game("kalah", houses=row["houses"], seeds=row["seeds"], capture=row["capture"])


def line_ends_in(game, solved):
    end = play(game, game.initial_state(), solved.principal_variation)
    assert game.terminal_test(end)
    return game.utility(end, ggp.MAX)


@pytest.mark.parametrize("row", SMALL)
def test_the_values_of_small_kalahs_and_of_all_their_openings_are_those_known(row, monkeypatch):
    game = kalah_of(row)
    if row["houses"] * row["seeds"] <= INTERPRETED:
        monkeypatch.setenv("GGP_SPEED", "interpreted")
    solved = solve(game, game.initial_state(), Resources(memory=16), values=True)
    values = {str(action): lower for action, (lower, upper) in solved.values.items() if lower == upper}
    assert (solved.value, values) == (row["value"], row["opening_values"])
    assert solved.complete
    assert line_ends_in(game, solved) == row["value"]


@pytest.mark.slow
@pytest.mark.parametrize("row", LARGER, ids=lambda row: row["id"])
def test_the_values_of_larger_kalahs_are_those_known(row):
    game = kalah_of(row)
    solved = solve(game, game.initial_state(), Resources(memory=64, threads=2))
    assert solved.value == row["value"]
    assert line_ends_in(game, solved) == row["value"]


@pytest.mark.parametrize(
    "resources",
    [
        Resources(memory=1),
        pytest.param(Resources(memory=4, threads=2), marks=pytest.mark.slow),
        Resources(memory=64, layer=0),
        pytest.param(Resources(memory=64, layer=6), marks=pytest.mark.slow),
        Resources(memory=2, layer=11, threads=2),
    ],
)
def test_the_value_is_the_same_with_any_table_threads_and_tablebase(resources):
    game = REGISTRY.game("kalah", houses=5, seeds=3)
    solved = solve(game, game.initial_state(), resources)
    assert (solved.value, solved.complete) == (6, True)
    assert line_ends_in(game, solved) == 6


@pytest.mark.parametrize("guess", [-30, -3, 0, 5, 6, 7, 30])
def test_the_value_is_the_same_in_any_order_of_windows(guess):
    game = REGISTRY.game("kalah", houses=5, seeds=3)
    settings = choose_settings(
        game, wanted="default", table=16, ordering="auto", bounds=None, etc=True, speed="auto", threads=1
    )
    state = game.initial_state()
    prover = Prover(game, compiled_engine.choose_engine(SearchPlan(game, state, AlphaBeta(), settings)))
    prover.engine.next_iteration()
    Control().watch(prover.engine.counter)
    assert prover.value(game.initial_state(), guess) == 6


def test_what_takes_long_is_guessed_anew_and_gets_larger_tablebases(monkeypatch):
    monkeypatch.setattr(proof_solver, "TINY_STATES", 1_000)
    monkeypatch.setattr(proof_solver, "SMALL_STATES", 1_000)
    monkeypatch.setattr(proof_solver, "GROWTH", ((10_000, 0.001), (100_000, 0.001), (3_000_000, None)))
    game = REGISTRY.game("kalah", houses=6, seeds=3)
    found, solved = run(game, game.initial_state(), Resources(memory=64), Wanted(values=False, outcome=False))
    assert (solved.value, solved.complete) == (2, True)
    assert list(found.prover.guesses) == [game.initial_state()]
    assert sum(sum(found.tablebase.ranking.sections(layer)) for layer in range(solved.layers)) > 1_000_000


@pytest.mark.slow
def test_a_tablebase_that_is_given_is_used():
    game = REGISTRY.game("kalah", houses=4, seeds=3)
    with_it = solve(game, game.initial_state(), Resources(memory=16, tablebase=build(game, 13)))
    without = solve(game, game.initial_state(), Resources(memory=16))
    assert (with_it.value, with_it.layers) == (without.value, 13)
    assert with_it.states < without.states


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [("tictactoe", {}, 0), ("nim", {"heaps": (3, 4, 5)}, 1), ("nim", {"heaps": (1, 2, 3)}, -1), ("fig52", {}, 3)],
)
def test_other_games_are_solved(name, parameters, value, monkeypatch):
    if name != "tictactoe":
        monkeypatch.setenv("GGP_SPEED", "interpreted")
    game = REGISTRY.game(name, **parameters)
    solved = solve(game, game.initial_state(), Resources(memory=16))
    assert (solved.value, solved.complete) == (value, True)
    assert line_ends_in(game, solved) == value


@given(heaps=st.lists(st.integers(0, 3), min_size=1, max_size=3), misere=st.booleans())
def test_interpreted_games_are_solved_as_minimax_says(heaps, misere):
    game = REGISTRY.game("nim", heaps=tuple(heaps), misere=misere)
    state = game.initial_state()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GGP_SPEED", "interpreted")
        assert solve(game, state, Resources(memory=1)).value == minimax_value(game, state)


@pytest.mark.parametrize(("seeds", "outcome"), [(1, 0), (2, 1), (3, 1)])
def test_the_outcome_alone_is_proved_with_fewer_states(seeds, outcome):
    game = REGISTRY.game("kalah", houses=5, seeds=seeds)
    solved = solve(game, game.initial_state(), Resources(memory=16), outcome=True)
    child = game.result(game.initial_state(), solved.action)
    below = solve(game, child, Resources(memory=16))
    assert solved.outcome == outcome
    assert (below.value > 0) - (below.value < 0) == outcome


def test_a_solve_that_runs_out_of_time_says_what_is_proved():
    game = REGISTRY.game("kalah", houses=6, seeds=5)
    solved = solve(game, game.initial_state(), Resources(memory=64, seconds=0.5))
    assert (solved.complete, solved.stopped, solved.value) == (False, "seconds", None)
    assert solved.lower <= 10 <= solved.upper


def test_a_game_that_is_over_has_its_utility():
    game = REGISTRY.game("kalah", houses=1, seeds=1)
    state = play(game, game.initial_state(), [0])
    assert game.terminal_test(state)
    solved = solve(game, state)
    assert (solved.value, solved.complete, solved.principal_variation) == (game.utility(state, ggp.MAX), True, ())


def test_a_game_of_chance_is_refused():
    pig = REGISTRY.game("pig")
    with pytest.raises(ggp.UnsupportedGameError, match="pig is a game of chance: it has no line to prove; search it"):
        solve(pig, pig.initial_state())


class Countdown:
    """A game of three plies, whose last one decides."""

    name = "countdown"

    def initial_state(self):
        return 3, 0, ggp.MAX

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        yield from range(2)

    def result(self, state, action):
        return state[0] - 1, action, 1 - state[2]

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return (1 if state[1] else -1) * (1 if player == ggp.MAX else -1)


class Round(Countdown):
    """The same, but it begins anew and never ends."""

    name = "round"

    def result(self, state, action):
        return state[0] % 3 + 1, action, 1 - state[2]


def test_what_machine_code_cannot_do_is_proved_as_it_is_written(monkeypatch):
    def fail(engine, *window):
        raise CompiledFormError("machine code failed")

    monkeypatch.setattr(compiled_engine.CompiledEngine, "within", fail)
    assert solve(Countdown(), Countdown().initial_state()).value == 1


def test_a_game_that_repeats_and_does_not_say_so_is_refused_at_once():
    with pytest.raises(
        RepetitionError, match="of round has come back, and round does not declare the value of a repetition"
    ):
        solve(Round(), Round().initial_state())


class Known:
    """A puzzle whose value is known at once: `plies` times the last of three moves wins, and what begins with another
    move goes on for long.
    """

    name = "known"
    compiled = False

    def __init__(self, plies):
        self.plies = plies

    def initial_state(self):
        return (0, 0, True)

    def to_move(self, state):
        return ggp.MAX

    def actions(self, state):
        return range(3)

    def result(self, state, action):
        ply, place, wins = state
        return (ply + 1, 3 * place + action, action == 2) if ply == 0 else (ply + 1, 3 * place + action, wins)

    def terminal_test(self, state):
        ply, _, wins = state
        return ply == (self.plies if wins else 30)

    def utility(self, state, player):
        ply, place, _ = state
        return int(place == 3**ply - 1)

    def value_bounds(self, state):
        return (1, 1) if state[0] == 0 else (0, 1)


def test_a_line_is_found_by_the_quickest_proof_wherever_the_value_is_known_at_once():
    solved = solve(Known(plies=4), (0, 0, True), Resources(memory=1, seconds=20))
    assert (solved.value, solved.complete, solved.stopped) == (1, True, None)
    assert solved.principal_variation == (2, 2, 2, 2)
    assert solved.states < 2_000


def test_a_proved_value_is_complete_whatever_time_is_left_for_its_line(monkeypatch):
    monkeypatch.setenv("GGP_CLOCK", "processor")
    solved = solve(Known(plies=30), (0, 0, True), Resources(memory=1, seconds=0.2))
    assert (solved.value, solved.complete, solved.stopped) == (1, True, "seconds")
    assert (solved.action, solved.principal_variation) == (None, ())


def test_bounds_are_infinite_until_something_is_proved():
    game = REGISTRY.game("tree", branching=2, depth=3)
    prover = new_prover(game, game.initial_state(), speed="compiled")
    prover.proved[game.initial_state()] = (prover.engine.numbers.lowest, prover.engine.numbers.highest)
    assert prover.bounds(game.initial_state()) == (-inf, inf)
    assert not isinf(prover.value(game.initial_state(), 0))
    lower, upper = prover.bounds(game.initial_state())
    assert lower == upper
