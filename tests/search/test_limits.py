"""Limits, stopping, and what an answer that was cut short says."""

import itertools
import os
import re
import signal
import time
from fractions import Fraction

import attrs
import pytest
from ggp_search.constants import MAX_PLIES
from ggp_search.engine import limits as engine_limits
from ggp_search.memory.buffer import Buffer
from samples import sampled

import ggp
from ggp.capabilities import play
from ggp.plugin_faults import fault_below

REGISTRY = ggp.load_registry()
KALAH = REGISTRY.game("kalah")
START = KALAH.initial_state()
SPEEDS = ["interpreted", "compiled"]


@pytest.mark.parametrize(
    ("name", "speed"),
    [
        pytest.param(
            name, speed, marks=pytest.mark.slow if speed == "compiled" and name not in ("mtdf", "star2") else ()
        )
        for name in ("minimax", "alphabeta", "scout", "negascout", "mtdf", "expectiminimax", "star1", "star2")
        for speed in SPEEDS
    ],
)
def test_a_limit_of_nodes_is_kept_and_the_answer_is_the_last_iterations(name, speed):
    found = REGISTRY.searcher(name, speed=speed, table=1).search(KALAH, START, ggp.Limits(nodes=5_000))
    assert (found.complete, found.stopped, found.exact) == (False, "nodes", False)
    assert found.statistics.nodes + found.statistics.extra_nodes <= 5_001
    assert 1 < found.statistics.depth < 20
    again = REGISTRY.searcher(name, speed=speed).search(KALAH, START, ggp.Limits(depth=found.statistics.depth))
    assert again.value == found.value
    assert len(found.principal_variation) == found.statistics.depth


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_limit_of_time_ends_the_search(speed):
    found = REGISTRY.searcher("alphabeta", speed=speed).search(KALAH, START, ggp.Limits(seconds=0.3))
    assert (found.complete, found.stopped) == (False, "seconds")
    assert found.action in KALAH.actions(START)  # how deep and how soon is a matter for the benchmarks


def test_not_even_one_iteration_gives_some_legal_action_and_says_so():
    found = REGISTRY.searcher("alphabeta").search(KALAH, START, ggp.Limits(nodes=1))
    assert (found.complete, found.stopped, found.statistics.depth) == (False, "nodes", 0)
    assert found.action in KALAH.actions(START)
    assert found.value == 0


def test_a_small_game_is_searched_to_its_end_at_once():
    game = REGISTRY.game("tictactoe")
    found = REGISTRY.searcher("alphabeta").search(game, game.initial_state(), ggp.Limits(seconds=60))
    assert (found.complete, found.exact, found.stopped, found.value) == (True, True, None, 0)
    assert found.statistics.nodes < 20_000


def test_depth_and_time_together_deepen_to_the_depth():
    seen = []
    limits = ggp.Limits(depth=6, seconds=600)
    found = REGISTRY.searcher("alphabeta").search(KALAH, START, limits, report=seen.append)
    assert (found.complete, found.stopped, found.statistics.depth) == (True, None, 6)
    assert [each.statistics.depth for each in seen] == [1, 2, 3, 4, 5, 6]
    assert [each.value for each in seen] == [1, 2, 1, 1, 2, 3]
    assert all(not each.complete for each in seen)


@pytest.mark.parametrize("speed", SPEEDS)
def test_ctrl_c_ends_the_search_with_the_result_so_far(speed):
    def interrupt(so_far):
        if so_far.statistics.depth == 3:  # once, whenever that is
            os.kill(os.getpid(), signal.SIGINT)

    alphabeta = REGISTRY.searcher("alphabeta", speed=speed)
    found = alphabeta.search(KALAH, START, ggp.Limits(seconds=600), report=interrupt)
    assert (found.complete, found.stopped) == (False, "interrupt")
    assert found.statistics.depth > 2
    assert KALAH.terminal_test(play(KALAH, START, found.principal_variation)) is False


def test_a_search_deeper_than_the_stack_is_refused():
    with pytest.raises(ggp.DepthError, match=f"depth 5000 is deeper than the stack allows: at most {MAX_PLIES} plies"):
        REGISTRY.searcher("alphabeta").search(KALAH, START, ggp.Limits(depth=5000))
    with pytest.raises(ggp.DepthError, match="depth 5000"):
        REGISTRY.searcher("alphabeta").trace(KALAH, START, ggp.Limits(depth=5000))


@attrs.frozen
class Endless:
    """A game that never ends: one can only go on."""

    name = "endless"

    def initial_state(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return state + action

    def terminal_test(self, state):
        return False

    def utility(self, state, player):
        return 0


class OptedOut(Endless):
    compiled = False


@pytest.mark.parametrize(
    "name", ["minimax", "alphabeta", "scout", "negascout", "mtdf", "expectiminimax", "star1", "star2"]
)
def test_a_game_that_does_not_end_is_distinguished_from_a_crash(name):
    with pytest.raises(ggp.DepthError, match="endless was not over after 4000 plies"):
        REGISTRY.searcher(name).search(Endless(), 0)


@pytest.mark.slow
def test_the_greatest_depth_works_at_both_speeds():
    assert (
        REGISTRY.searcher("minimax").search(Endless(), 0, ggp.Limits(depth=MAX_PLIES)).statistics.nodes == MAX_PLIES + 1
    )
    nim = REGISTRY.game("nim", heaps=(3,))
    assert (
        REGISTRY.searcher("alphabeta", speed="compiled")
        .search(nim, nim.initial_state(), ggp.Limits(depth=MAX_PLIES))
        .exact
    )


def test_an_error_in_the_rules_reaches_the_caller():
    class Broken(Endless):
        def result(self, state, action):
            raise RuntimeError("no such house")

    with pytest.raises(RuntimeError, match="no such house"):
        REGISTRY.searcher("alphabeta").search(Broken(), 0, ggp.Limits(depth=3))


def test_a_finished_game_has_a_value_and_no_action():
    game = REGISTRY.game("nim", heaps=(1,))
    state = game.result(game.initial_state(), next(iter(game.actions(game.initial_state()))))
    for name in ("alphabeta", "minimax", "mtdf", "random"):
        found = REGISTRY.searcher(name).analyse(game, state)
        assert (found.action, found.value, found.complete, found.exact, found.values) == (None, 1, True, True, {})


def test_searchers_that_cannot_serve_a_game_name_one_that_can():
    pig = REGISTRY.game("pig")
    for name in ("minimax", "alphabeta", "scout", "negascout", "mtdf"):
        with pytest.raises(
            ggp.UnsupportedGameError, match=f"{name} cannot search pig: pig is a game of chance; .*expectiminimax"
        ):
            REGISTRY.searcher(name).search(pig, pig.initial_state())
        with pytest.raises(ggp.UnsupportedGameError):
            REGISTRY.searcher(name).trace(pig, pig.initial_state())


def test_an_unknown_evaluation_lists_those_there_are():
    with pytest.raises(ggp.UnknownNameError, match="kalah has no evaluation 'wisdom': it has margin, "):
        REGISTRY.searcher("alphabeta", evaluation="wisdom").search(KALAH, START, ggp.Limits(depth=1))


def test_machine_speed_demanded_and_not_to_be_had_is_refused_in_words():
    with pytest.raises(ggp.UsageError, match="endless cannot be searched at machine speed: endless declares"):
        REGISTRY.searcher("alphabeta", speed="compiled").search(OptedOut(), 0, ggp.Limits(depth=3))


def test_the_environment_chooses_the_speed(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    assert REGISTRY.searcher("alphabeta").search(KALAH, START, ggp.Limits(depth=3)).speed == "interpreted"
    monkeypatch.setenv("GGP_SPEED", "warp")
    with pytest.raises(ggp.OptionError, match="GGP_SPEED must be one of auto, interpreted, compiled; got 'warp'"):
        REGISTRY.searcher("alphabeta").search(KALAH, START, ggp.Limits(depth=3))


def test_the_random_searcher_repeats_itself_with_a_seed():
    moves = [REGISTRY.searcher("random", seed=seed).search(KALAH, START).action for seed in range(40)]
    assert moves == [REGISTRY.searcher("random", seed=seed).search(KALAH, START).action for seed in range(40)]
    assert set(moves) == set(KALAH.actions(START))


def test_a_compiled_form_that_cannot_go_on_is_left_for_the_interpreted_game(monkeypatch):
    monkeypatch.setattr("ggp_search.engine.tree_searcher.INTERPRETED_FIRST", 0)
    game = REGISTRY.game("pig", sides=66, goal=150)
    limits = ggp.Limits(depth=5)
    found = REGISTRY.searcher("star2").search(game, game.initial_state(), limits)
    assert (found.speed, "machine code of pig failed below" in found.note) == ("interpreted", True)
    exact = REGISTRY.searcher("expectiminimax").search(game, game.initial_state(), limits)
    assert found.value == pytest.approx(exact.value, rel=1e-9)
    with pytest.raises(ggp.GGPError, match="machine code of pig failed below"):
        REGISTRY.searcher("star2", speed="compiled").search(game, game.initial_state(), limits)


def test_a_search_that_is_slow_interpreted_is_compiled_before_it_has_entered_many_states(monkeypatch):
    game, limits = REGISTRY.game("kalah", houses=5, seeds=3), ggp.Limits(depth=10)
    first = REGISTRY.searcher("alphabeta", speed="interpreted").search(game, game.initial_state(), limits)
    monkeypatch.setattr("ggp_search.engine.tree_searcher.INTERPRETED_FIRST", 10**9)
    monkeypatch.setattr("ggp_search.engine.driver.INTERPRETED_SECONDS", 0.0)
    found = REGISTRY.searcher("alphabeta").search(game, game.initial_state(), limits)
    assert (found.speed, found.complete, found.stopped) == ("compiled", True, None)
    assert (found.value, found.action, found.statistics.nodes) == (first.value, first.action, first.statistics.nodes)


LIMITS = (ggp.Limits(), ggp.Limits(nodes=1000))
EXACT = ("minimax", "alphabeta", "scout", "negascout", "mtdf")
NO_NUMBERS = [
    *itertools.product(
        (*EXACT, "expectiminimax", "star1", "star2"), LIMITS, (float("inf"), float("-inf"), float("nan"))
    ),
    *itertools.product(EXACT, LIMITS, (Fraction(1, 3),)),  # the others average: all their values are floats
]


@pytest.mark.parametrize("case", sampled(NO_NUMBERS, 5), ids=str)  # five, with which each of all parts is drawn
def test_a_utility_that_is_no_number_is_a_broken_promise(case):
    name, limits, utility = case

    class Infinite(Endless):
        name = "infinite"

        def terminal_test(self, state):
            return state > 2

        def utility(self, state, player):
            return utility

    expected = rf"infinite failed: utility\(3, 0\) returned {re.escape(repr(utility))}; it must be a finite number"
    with pytest.raises(ggp.ConformanceError, match=expected):
        REGISTRY.searcher(name).search(Infinite(), 0, limits)


def test_a_state_without_actions_before_the_end_is_a_broken_promise():
    class Stuck(Endless):
        def actions(self, state):
            return [1] if state < 3 else []

    with pytest.raises(
        ggp.ConformanceError, match=r"failed: actions\(3\) returned \(\); there must be at least one until"
    ):
        REGISTRY.searcher("alphabeta").search(Stuck(), 0)


def test_a_broken_promise_far_below_is_found_in_random_matches():
    class Far(Endless):
        def actions(self, state):
            return [1, 2, 3] if state < 10**30 else []

        def result(self, state, action):
            return state * 10 + action

    assert fault_below(Far(), 1).endswith("returned (); there must be at least one until the game is over")


def test_a_broken_promise_that_is_not_found_again_is_told_by_the_value(monkeypatch):
    class Stuck(Endless):
        def actions(self, state):
            return [1] if state < 3 else []

    monkeypatch.setattr("ggp_search.engine.driver.fault_below", lambda game, state: None)
    with pytest.raises(ggp.ConformanceError, match="every state must have an action until the game is over"):
        REGISTRY.searcher("alphabeta").search(Stuck(), 0)


def test_a_table_that_memory_cannot_hold_is_refused():
    with pytest.raises(ggp.UsageError, match="there is no room in memory for 1,099,511,627,776 megabytes"):
        Buffer(1 << 60)


def test_without_threads_the_clock_is_read_at_the_nodes(monkeypatch):
    monkeypatch.setattr(engine_limits, "THREADS", False)
    monkeypatch.setattr("threading.Thread.start", None)
    game = REGISTRY.game("kalah")
    for name in ("alphabeta", "mcts"):
        found = REGISTRY.searcher(name, speed="interpreted").search(game, game.initial_state(), ggp.Limits(seconds=0.3))
        assert found.stopped == "seconds"
        assert found.action is not None
    alphabeta = REGISTRY.searcher("alphabeta", speed="interpreted")
    assert alphabeta.search(game, game.initial_state(), ggp.Limits(depth=4)).complete
    assert alphabeta.search(game, game.initial_state(), ggp.Limits(nodes=500)).stopped == "nodes"


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="the system does not count a thread's time")
def test_a_limit_of_time_may_count_processor_time_only(monkeypatch):
    """A search that sleeps needs no processor: it goes on."""
    monkeypatch.setenv("GGP_CLOCK", "processor")
    control = engine_limits.Control()
    assert control.run(lambda: time.sleep(0.3) or control.reason, seconds=0.2) is None

    def attempt(most):
        with control.at_most(0.1):
            end = time.monotonic() + most
            while not control.look() and time.monotonic() < end:
                time.sleep(0.05)
            return control.look()

    assert not control.run(lambda: attempt(0.2))
    monkeypatch.setenv("GGP_CLOCK", "wall")
    assert control.run(lambda: attempt(120))

    def sleep():
        end = time.monotonic() + 120  # whatever watches the clock may wait for a processor
        while control.reason is None and time.monotonic() < end:
            time.sleep(0.01)
        return control.reason

    assert control.run(sleep, seconds=0.2) == "seconds"
