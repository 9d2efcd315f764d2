"""Searches that have to be compiled first."""

import contextlib
import threading
import time

import attrs
import pytest

import ggp
from ggp.play import Clock, Human, Match, background, make_player
from ggp.progress import shown
from ggp.searcher import stop_requested


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(background, "COMPILING", 0.05)
    monkeypatch.setattr(background, "GRACE", 0.05)
    monkeypatch.setattr(background, "LOOK", 0.01)
    yield
    background.finish()


def searching(compiling):
    """A search that is interpreted, and at machine speed is compiled first."""
    game = ggp.load_registry().game("tictactoe")

    def find(searcher, report):
        if searcher.speed == "auto":
            compiling()
        return searcher.search(game, game.initial_state(), ggp.Limits(depth=2), report=report)

    return find, ggp.load_registry().searcher("alphabeta")


def test_a_search_that_is_slow_to_compile_runs_interpreted_meanwhile():
    may_end = threading.Event()
    find, searcher = searching(may_end.wait)
    assert background.search(find, searcher).speed == "interpreted"
    assert background.busy()
    may_end.set()
    background.finish()
    assert not background.busy()


def test_a_search_that_is_compiled_just_after_the_wait_is_not_stopped(monkeypatch):
    monkeypatch.setattr(background, "GRACE", 120)
    find, searcher = searching(lambda: None)
    speeds = []

    def late(searcher, report):
        result = find(searcher, lambda _: None)
        speeds.append(searcher.speed)
        while len(speeds) == 1 and not stop_requested():
            time.sleep(0.01)
        return attrs.evolve(result, stopped="interrupt" if stop_requested() else None)

    assert background.search(late, searcher).stopped is None
    assert speeds == ["auto", "auto"]


def test_short_searches_begin_one_compilation_only():
    may_end, begun = threading.Event(), []

    def compiling():
        begun.append(True)
        may_end.wait()

    find, searcher = searching(compiling)
    assert [background.short_search(find, searcher).speed for _ in range(3)] == ["interpreted"] * 3
    assert len(begun) == 1
    may_end.set()
    background.finish()
    assert background.short_search(find, searcher).action is not None
    assert len(begun) == 2


def test_quick_compilation_is_waited_for(monkeypatch):
    monkeypatch.setattr(background, "COMPILING", 120)
    find, searcher = searching(lambda: None)
    assert background.search(find, attrs.evolve(searcher, speed="auto")).action is not None
    assert not background.busy()


def test_a_search_that_has_reported_takes_as_long_as_it_likes():
    begun = threading.Event()
    begun.set()
    assert background.result_within(0.02, lambda: time.sleep(0.2) or "found", begun) == "found"


def test_a_task_asked_to_end_passes_on_its_exception(monkeypatch):
    monkeypatch.setattr(background, "GRACE", 120)

    def task():
        while not stop_requested():
            time.sleep(0.01)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        background.result_within(0.02, task)


@pytest.mark.parametrize(("seconds", "says", "waits"), [(0.5, True, True), (0.2, True, False), (0.5, False, False)])
def test_a_machine_with_time_waits_for_the_compiler_if_the_front_end_says_so(monkeypatch, seconds, says, waits):
    registry, may_end = ggp.load_registry(), threading.Event()
    game = registry.game("tictactoe")
    machine, search = make_player(registry, f"mcts:seconds={seconds}", game), type(registry.searcher("mcts")).search

    def slow_to_compile(self, *arguments, **named):
        if self.speed == "auto":
            may_end.wait(1 if waits else 120)
            return attrs.evolve(search(self, *arguments, **named), note="waited for")
        return search(self, *arguments, **named)

    monkeypatch.setattr(type(machine.searcher), "search", slow_to_compile)
    monkeypatch.setattr(background, "COMPILING", 0.05)
    with contextlib.ExitStack() as stack:
        if says:
            token = shown.set(lambda what: contextlib.nullcontext())
            stack.callback(shown.reset, token)
        found = background.choose(machine, game, game.initial_state(), Clock(60)).thinking
    assert (found.note == "waited for") == waits
    # What was waited for in vain does not count on the clock either.
    assert waits or found.statistics.compile_seconds > 0.04
    may_end.set()
    background.finish()


def test_a_person_does_not_wait_until_the_other_side_is_compiled(monkeypatch):
    registry, may_end = ggp.load_registry(), threading.Event()
    game = registry.game("tictactoe")
    machine, search = make_player(registry, "mcts", game), type(registry.searcher("mcts")).search

    def slow_to_compile(self, *arguments, **named):
        if self.speed == "auto":
            may_end.wait(120)
        return search(self, *arguments, **named)

    monkeypatch.setattr(type(machine.searcher), "search", slow_to_compile)
    monkeypatch.setattr(background, "AT_PLAY", 0.05)
    monkeypatch.setattr(background, "HURRIED", 0.05)
    first = Human(lambda game, state, clock: next(iter(game.actions(state))))
    match = Match(game, (first, machine), game.initial_state())
    for _ in range(2):  # it is still being compiled at the second move
        match.step()
        match.step()
        assert match.moves[-1].thinking.speed == "interpreted"
    may_end.set()
    background.finish()
    assert not background.busy()
