"""Threads that share one search: a thread leaves a state that another thread has finished, and values stay the same."""

import threading
import weakref

import attrs
import pytest
from ggp_kalah import Kalah
from ggp_search import AlphaBeta, NegaScout
from ggp_search.engine import abdada, ordering
from ggp_search.engine.abdada import HelperThreads, Overtaken, SharedSearch
from ggp_search.engine.compiled_engine import MachinePlan, WordCounts
from ggp_search.engine.settings import INTEGERS
from ggp_search.memory.buffer import Buffer

from ggp import Limits
from ggp.compiler.intrinsics import load

KALAH = Kalah(houses=4, seeds=3)
DEPTH = 9
WINDOW = INTEGERS.lowest, INTEGERS.highest


@pytest.fixture(autouse=True)
def interpreted_actions(monkeypatch):
    """Read actions from memory without machine code, which would know their type."""
    for module in (abdada, ordering):
        monkeypatch.setattr(module, "get_value", lambda address, like: load(address))


class TwoThreads:
    """A shared search that runs interpreted, in turn as one of two threads."""

    def __init__(self):
        plan = AlphaBeta(threads=2, table=1).plan(KALAH, KALAH.initial_state(), Limits(depth=DEPTH))
        self.search = MachinePlan(plan, INTEGERS, WordCounts.of(plan)).search()
        self.search.table.allocate(1)
        self.search.limit = 10**9
        self.ordering = self.search.ordering
        self.buffers = [Buffer(self.ordering.room()[1], large_pages=False) for _ in range(2)]
        for each in self.buffers:
            self.ordering.begin(each.address)
        self.be(0)

    def be(self, number):
        """Continue as one of the threads."""
        self.ordering.rows = self.buffers[number].address

    def value(self):
        return self.search.value(KALAH.initial_state(), DEPTH, *WINDOW)


def test_a_thread_that_was_overtaken_takes_the_value_from_the_table():
    alone = TwoThreads()
    value, nodes = alone.value(), alone.search.nodes
    threads = TwoThreads()
    search, recursion = threads.search, threads.search.recursion
    root, calls = KALAH.initial_state(), []

    def overtaken(game, search, *arguments):
        calls.append(arguments)
        if len(calls) == 20:  # somewhere below the root, the other thread has finished the root
            search.table.store(root, DEPTH, value, value, None, nodes)
            threads.be(1)
            threads.ordering.overtake(threads.ordering.number_of(root, DEPTH), DEPTH)
            threads.be(0)
        return recursion(game, search, *arguments)

    search.recursion = overtaken
    assert isinstance(search, SharedSearch)
    assert (threads.value(), search.nodes < nodes) == (value, True)


def test_a_thread_that_was_overtaken_searches_again_if_the_table_has_lost_the_value():
    alone = TwoThreads()
    value = alone.value()
    threads = TwoThreads()
    recursion, root, calls = threads.search.recursion, KALAH.initial_state(), []

    def overtaken(game, search, *arguments):
        calls.append(arguments)
        if len(calls) == 20:
            threads.be(1)
            threads.ordering.overtake(threads.ordering.number_of(root, DEPTH), DEPTH)
            threads.be(0)
        return recursion(game, search, *arguments)

    threads.search.recursion = overtaken
    assert threads.value() == value


def test_a_thread_is_overtaken_only_in_a_state_that_it_still_searches():
    shared = (threads := TwoThreads()).ordering
    numbers = {depth: shared.number_of(KALAH.initial_state(), depth) for depth in (8, 9)}

    def overtake(depth):
        threads.be(1)
        shared.overtake(numbers[depth], depth)
        threads.be(0)

    shared.enter(numbers[9], 9, False)
    overtake(8)  # which it does not search yet
    shared.enter(numbers[8], 8, False)
    shared.leave(8)
    overtake(9)
    with pytest.raises(Overtaken):
        shared.enter(numbers[8], 8, False)
    assert shared.was_overtaken(numbers[9])
    shared.enter(numbers[8], 8, False)
    overtake(8)
    shared.leave(8)  # before it has noticed
    shared.enter(numbers[8], 8, False)


@pytest.mark.slow
@pytest.mark.parametrize("searcher", [AlphaBeta, NegaScout])
def test_threads_find_the_values_of_one_thread(searcher):
    one = searcher(table=1, speed="compiled")
    several = attrs.evolve(one, threads=3)
    for number in range(4):
        state = KALAH.initial_state()
        for _ in range(number):
            state = KALAH.result(state, list(KALAH.actions(state))[number % 2])
        found = [each.search(KALAH, state, Limits(depth=16)) for each in (one, several)]
        assert found[0].value == found[1].value


def test_helper_threads_do_tasks_and_end_with_their_owner():
    helpers, before = HelperThreads(2), set(threading.enumerate())
    done: list[int] = []
    tasks = [helpers.run(done.append, number) for number in range(5)]
    assert [task.result(120) for task in tasks] == [None] * 5
    workers = [each for each in threading.enumerate() if each.name == helpers.NAME and each not in before]
    assert (sorted(done), len(workers)) == ([0, 1, 2, 3, 4], 2)
    del helpers, tasks
    for each in workers:
        each.join(120)
        assert not each.is_alive()


def test_a_helper_thread_lets_go_of_a_task_before_it_is_over():
    class Memory:
        pass

    memory, begun, ended, seen = Memory(), threading.Event(), threading.Event(), []
    alive = weakref.ref(memory)

    def look(future):
        seen.append(alive())
        ended.set()

    future = HelperThreads(1).run(lambda each: begun.wait(60), memory)
    future.add_done_callback(look)
    del memory
    begun.set()
    assert ended.wait(60)
    assert seen == [None]
