"""Where nobody asks for machine speed, compiling a search has a limit."""

import pytest
from ggp_search.algorithms.minimax import Minimax
from ggp_search.engine import compiled_engine

import ggp
from ggp import compiler
from ggp.compiler import budget, job, machine
from ggp.searcher import unhurried

pytestmark = pytest.mark.skipif(not machine.available(), reason="machine code needs llvmlite")


class Heap:
    """Take one or two; whoever takes the last one wins."""

    name = "heap"

    compiling_seconds = 2.0

    def initial_state(self):
        return 40, ggp.MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(2, state[0]) + 1)

    def result(self, state, action):
        return state[0] - action, 1 - state[1]

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1


@pytest.fixture(autouse=True)
def nothing_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("GGP_SPEED", raising=False)
    monkeypatch.setattr(compiled_engine, "_CODES", {})
    monkeypatch.setattr(job, "_loaded", type(job._loaded)())
    monkeypatch.setattr(job, "_refused", type(job._refused)())
    monkeypatch.setattr(job, "_too_much", {})
    monkeypatch.setattr(Heap, "compiling_seconds", 100 * budget.STATEMENT)


class RefusedHeap(Heap):
    """A game whose rules machine code cannot serve."""

    def result(self, state, action):
        def less(count, steps):
            return count if steps == 0 else less(count - 1, steps - 1)

        return less(state[0], action), 1 - state[1]


def engine(speed="auto", game=None):
    game = game or Heap()
    plan = Minimax(speed=speed).plan(game, game.initial_state(), ggp.Limits(depth=4))
    return compiled_engine.choose_engine(plan)


def test_a_search_that_costs_more_is_interpreted_and_says_so(monkeypatch):
    found = engine()
    assert found.speed == "interpreted"
    assert found.note == (
        "compiling takes more than about 0.005 s of processor time; speed=compiled compiles it anyway"
    )
    monkeypatch.setattr(job, "_too_much", {})  # as in another process
    monkeypatch.setattr(job, "_build", None)  # it does not try again
    assert engine().note == found.note
    plan = Minimax().plan(Heap(), (40, ggp.MAX), ggp.Limits(depth=4))
    assert compiled_engine.speed_of(plan) == f"interpreted: {found.note}"


def test_a_game_that_is_refused_is_not_compiled_again_at_the_next_move(monkeypatch):
    attempts, specialized = [], job.Job.specialized
    monkeypatch.setattr(job.Job, "specialized", lambda self: (attempts.append(self), specialized(self))[1])
    monkeypatch.setattr(Heap, "compiling_seconds", 10.0)
    first, second = (engine(game=RefusedHeap()) for _ in range(2))
    assert first.speed == second.speed == "interpreted"
    assert first.note == second.note
    assert "less" in first.note
    assert len(attempts) == 1


def test_a_search_is_compiled_at_any_price_where_that_is_asked_for_and_its_code_used_from_then_on():
    assert engine().speed == "interpreted"
    assert engine("compiled").speed == "compiled"
    assert engine().speed == "compiled"


def test_a_search_that_nobody_waits_for_is_compiled_at_any_price():
    with unhurried():
        assert engine().speed == "compiled"


def test_what_llvm_does_with_the_code_is_part_of_the_price():
    game = Heap()
    program = Heap.result, game, compiler.STATE, compiler.ACTION
    assert compiler.result_type(*program, game=game, budget=compiler.Budget(0.006))
    with pytest.raises(compiler.Refused, match="more than about"):
        compiler.compile(*program, game=game, budget=compiler.Budget(0.006))
