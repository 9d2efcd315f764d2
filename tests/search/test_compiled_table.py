"""Transposition tables in machine words: entries are right even if other threads write, and the size is the user's."""

import math
import os
import threading
import time
from collections import Counter

import pytest
from ggp_kalah import Kalah
from ggp_search import AlphaBeta, Mtdf
from ggp_search.engine.compiled_engine import choose_engine
from ggp_search.engine.limits import Control
from ggp_search.engine.settings import FLOATS, INTEGERS
from ggp_search.memory.transposition_table import GENERATIONS, MIN_STORED_HEIGHT, WHOLE, CompiledTable, SpareMemory
from ggp_tictactoe import TicTacToe
from ggp_toys import Nim
from hypothesis import given
from hypothesis import strategies as st

from ggp import MAX, Limits, compiler
from ggp.capabilities import play
from ggp.compiler.intrinsics import load, mix, save, spread

HAMMER_SECONDS = float(os.environ.get("GGP_HAMMER_SECONDS", "2"))
"""How long threads hammer one table; the design asks for 60."""

LIMIT = 1 << 40


class Numbered:
    """A game in which a state is its own key, and nothing is bounded."""

    def __init__(self, secured):
        self.secured = secured

    def actions(self, state):
        return range(255)

    def key(self, state):
        return state

    def score(self, state):
        return self.secured


class Table:
    """A table in memory, interpreted."""

    def __init__(self, numbers=INTEGERS, key_words=2, buckets=64, secured=0):
        self.numbers, self.game = numbers, Numbered(secured)
        self.table = CompiledTable(key_words, self.game, numbers, cuts=False, separable=True, symmetric=False)
        self.table.allocate(2 * self.table.entry * buckets / (1 << 20))
        self.table.generation = 1
        self.nothing_known = (numbers.lowest, numbers.highest, None)

    def probe(self, state, depth=MIN_STORED_HEIGHT):
        return self.table.probe(state, depth, self.numbers.lowest, self.numbers.highest)

    def store(self, state, lower, upper, choice=0, depth=MIN_STORED_HEIGHT, work=0):
        """Store what was found by entering so many states."""
        self.table.store(state, depth, lower, upper, choice, work)


words = st.integers(-(2**63), 2**63 - 1)
keys = st.tuples(words, words)
integers = st.integers(-16_000, 16_000)
floats = st.floats(-1e6, 1e6)
BOTH = pytest.mark.parametrize("numbers", [INTEGERS, FLOATS], ids=["integers", "floats"])


@given(keys, integers, integers, st.integers(0, 254), st.integers(MIN_STORED_HEIGHT, WHOLE + 5))
def test_stored_entries_are_found_again(key, lower, upper, choice, depth):
    table = Table()
    table.store(key, lower, upper, choice, depth)
    assert table.probe(key, depth) == (lower, upper, choice)
    assert table.table.hits == 1


@given(keys, floats, floats)
def test_floats_are_found_again_to_the_last_bit(key, lower, upper):
    table = Table(FLOATS)
    table.store(key, lower, upper, 7)
    assert table.probe(key) == (lower, upper, 7)


@BOTH
def test_an_empty_table_knows_nothing(numbers):
    table = Table(numbers)
    assert table.probe((0, 0)) == table.nothing_known
    assert table.table.hits == 0


@BOTH
@given(st.data())
def test_only_the_whole_key_hits(numbers, data):
    """One bucket, so that every key comes to the same place."""
    table, key = Table(numbers, buckets=1), data.draw(keys)
    table.store(key, 1, 2)
    other = data.draw(
        st.one_of(
            keys, words.map(lambda word: (key[0], word)), words.map(lambda word: (word, key[1])), st.just(key[::-1])
        )
    )
    assert (table.probe(other) == table.nothing_known) == (other != key)


@given(keys, st.integers(MIN_STORED_HEIGHT, 60), st.integers(0, 63), st.integers(0, 3))
def test_a_flipped_bit_anywhere_in_an_entry_is_no_hit(key, depth, bit, word):
    table = Table(FLOATS, buckets=1)
    table.store(key, 0.5, 0.75, 3, depth)
    address = table.table.address + 8 * word
    flipped = (load(address) & (1 << 64) - 1) ^ 1 << bit
    save(address, flipped - (1 << 64) if flipped >> 63 else flipped)
    assert table.probe(key, depth) == table.nothing_known


def test_an_entry_that_two_threads_wrote_by_halves_is_no_hit():
    """Also where both wrote the same of different keys: what is not key does not tell them apart."""
    first, second, mixture = Table(buckets=1), Table(buckets=1), Table(buckets=1)
    first.store((10, 20), 4, 4)
    second.store((11, 21), 4, 4)
    entry = range(0, first.table.entry, 8)
    for taken in range(1 << len(entry)):
        for place in entry:
            source = second if taken >> place // 8 & 1 else first
            save(mixture.table.address + place, load(source.table.address + place))
        for key in ((10, 21), (11, 20)):
            assert mixture.probe(key) == mixture.nothing_known


@BOTH
def test_an_entry_answers_for_exactly_its_depth(numbers):
    table = Table(numbers)
    table.store((1, 2), 5, 6, 4, depth=MIDDLE)
    least, greatest, _ = table.nothing_known
    assert table.probe((1, 2), MIDDLE) == (5, 6, 4)
    for depth in (MIDDLE - 1, MIDDLE + 1, WHOLE, WHOLE + 1):
        assert table.probe((1, 2), depth) == (least, greatest, 4)


@BOTH
def test_entries_of_searches_to_the_end_answer_for_each_other(numbers):
    table = Table(numbers)
    table.store((1, 2), 5, 6, 4, depth=WHOLE)
    assert table.probe((1, 2), WHOLE + 100) == (5, 6, 4)
    table.table.generation += 1
    assert table.probe((1, 2), WHOLE + 7) == (5, 6, 4)


def test_of_an_earlier_iteration_only_the_action_is_used():
    table = Table()
    table.store((1, 2), 5, 6, 4)
    table.table.generation = 2
    least, greatest, _ = table.nothing_known
    assert table.probe((1, 2)) == (least, greatest, 4)


DEEP, MIDDLE, SHALLOW = MIN_STORED_HEIGHT + 9, MIN_STORED_HEIGHT + 4, MIN_STORED_HEIGHT


def test_the_entry_that_took_more_work_in_this_iteration_stays_and_the_other_gives_way():
    table = Table(buckets=1)
    table.store((1, 1), 5, 5, depth=DEEP, work=1000)
    table.store((2, 2), 6, 6, depth=SHALLOW, work=10)
    table.store((3, 3), 7, 7, depth=MIDDLE, work=100)
    assert [table.probe(key, depth)[0] for key, depth in (((1, 1), DEEP), ((3, 3), MIDDLE))] == [5, 7]
    assert table.probe((2, 2), SHALLOW) == table.nothing_known
    table.store((4, 4), 8, 8, depth=DEEP, work=1020)  # as many digits
    assert table.probe((1, 1), DEEP) == table.nothing_known
    table.table.generation = 2
    table.store((5, 5), 1, 1, depth=SHALLOW)
    assert table.probe((4, 4), DEEP) == table.nothing_known
    assert table.probe((5, 5), SHALLOW)[0] == 1


def test_a_state_is_stored_once():
    table = Table(buckets=1)
    table.store((1, 1), 5, 5, depth=DEEP)
    table.store((1, 1), 4, 4, depth=SHALLOW)
    assert table.probe((1, 1), SHALLOW)[:2] == (4, 4)
    assert table.probe((1, 1), DEEP)[:2] == table.nothing_known[:2]


@pytest.mark.parametrize("depth", range(MIN_STORED_HEIGHT))
def test_states_next_to_the_depth_limit_are_not_stored(depth):
    table = Table()
    table.store((1, 1), 5, 5, 6, depth=depth)
    assert table.probe((1, 1), depth) == table.nothing_known
    assert not any(load(table.table.address + place) for place in range(0, table.table.buffer.size, 8))


@given(integers, st.integers(-1000, 1000))
def test_the_score_is_not_stored_in_the_table(value, secured):
    table = Table(secured=secured)
    least = table.nothing_known[0]
    table.store((1, 2), value, value + 1)
    if abs(value - secured) < 16_000:
        assert table.probe((1, 2))[:2] == (value, value + 1)
    table.game.secured += 3
    low, high, _ = table.probe((1, 2))
    assert low in (value + 3, least) or low > least
    assert high >= value + 4 or abs(value - secured) >= 16_000


@given(st.integers(-LIMIT, LIMIT), st.integers(0, LIMIT))
def test_a_bound_that_is_too_large_for_the_table_is_a_weaker_one(lower, width):
    table, upper = Table(), min(LIMIT, lower + width)
    table.store((1, 2), lower, upper)
    low, high, _ = table.probe((1, 2))
    assert low <= lower
    assert high >= upper
    if abs(lower) < 16_000:
        assert low == lower
    if abs(upper) < 16_000:
        assert high == upper


def test_no_bound_stays_none():
    table = Table()
    table.store((1, 2), INTEGERS.lowest, INTEGERS.highest, 9)
    assert table.probe((1, 2)) == (INTEGERS.lowest, INTEGERS.highest, 9)


def test_after_as_many_iterations_as_a_table_tells_apart_it_is_emptied():
    game, searcher = TicTacToe(), AlphaBeta(table=0.1)
    made = choose_engine(searcher.plan(game, game.initial_state(), Limits(depth=7)))
    control, table = Control(), made.search.table
    control.watch(made.counter)
    for _ in range(GENERATIONS):
        made.next_iteration()
    made.value(game.initial_state(), 7)
    hits = made.counts()["table_hits"]
    used = sum(load(table.address + place) != 0 for place in range(0, table.buffer.size, 8))
    assert used > 100
    made.next_iteration()
    assert not any(load(table.address + place) for place in range(0, table.buffer.size, 8))
    made.value(game.initial_state(), 7)
    assert made.counts()["table_hits"] >= hits


def searched(game, state, spare, depth):
    """Return what each iteration finds, and the last generation of the table's memory."""
    searcher, control = AlphaBeta(table=0.5), Control()
    made = choose_engine(searcher.plan(game, state, Limits(depth=depth)), spare)
    control.watch(made.counter)
    found = []
    for each in range(1, depth + 1):
        made.next_iteration()
        found.append((made.value(state, each), made.counts()))
    made.finish(spare)
    return found, made.variables[0].get(made.table, "generation")


def test_a_search_in_used_memory_is_the_search_in_fresh_memory():
    game, spare = TicTacToe(), SpareMemory()
    states = [game.initial_state(), game.result(game.initial_state(), 4)] * 20
    fresh = [searched(game, state, SpareMemory(), 8)[0] for state in states[:2]]
    generations = []
    for number, state in enumerate(states):
        found, generation = searched(game, state, spare, 8)
        assert found == fresh[number % 2]
        generations.append(generation)
    assert generations[1] > generations[0]  # the memory is used again,
    assert min(generations[10:]) == generations[0]  # and fresh before its generations are used up


@pytest.mark.parametrize(("words", "numbers", "size"), [(1, INTEGERS, 64), (2, FLOATS, 64), (2, INTEGERS, 128)])
def test_used_memory_is_only_for_a_table_with_the_same_entries(words, numbers, size):
    def table(words, numbers, size):
        made = CompiledTable(words, Numbered(0), numbers, cuts=False, separable=True, symmetric=False)
        made.allocate(2 * made.entry * size / (1 << 20))
        return made

    spare, used = SpareMemory(), table(2, INTEGERS, 64)
    spare.put(used, 1)
    other = table(words, numbers, size)
    assert spare.take(other, other.buffer.size) is None
    spare.put(used, 1)
    assert spare.take(used, used.buffer.size) == (used.buffer, 1)
    assert spare.take(used, used.buffer.size) is None  # two searches never share it


@pytest.mark.parametrize("megabytes", [0.1, 1, 3.7, 64])
@pytest.mark.parametrize("game", [TicTacToe(), Kalah()], ids=repr)
def test_the_table_is_as_large_as_the_user_says(game, megabytes):
    searcher = AlphaBeta(table=megabytes)
    made = choose_engine(searcher.plan(game, game.initial_state(), Limits(depth=3)))
    table = made.search.table
    assert made.speed == "compiled"
    assert math.isclose(table.buckets * 2 * table.entry, megabytes * (1 << 20), rel_tol=0.05)
    assert table.buckets * 2 * table.entry <= table.buffer.size


@pytest.mark.parametrize("heaps", [(3, 4, 5), (2, 3, 4), (1, 2, 3)], ids=str)
@pytest.mark.parametrize("searcher", [AlphaBeta, Mtdf])
def test_an_action_too_large_for_an_entry_is_found_again(searcher, heaps):
    """Nim's actions are larger than the 254 that an entry can hold."""
    game = Nim(heaps)
    found = searcher(table=1, speed="compiled").search(game, game.initial_state(), Limits(depth=20))
    end = play(game, game.initial_state(), found.principal_variation)
    assert game.terminal_test(end)
    assert game.utility(end, MAX) == found.value


def hammer(table, seed, rounds):
    """Store and probe small keys at random, and return how many hits were wrong.

    Few values stand against many keys, so that different keys often have the same data.
    """
    number, wrong = seed, 0
    for _ in range(rounds):
        number += 1
        word = mix(mix(0, number), number)
        key = (spread(word, 16), spread(mix(word, 1), 16), spread(mix(word, 2), 16))
        worth = (key[0] + 3 * key[1] + 5 * key[2]) % 7
        depth = MIN_STORED_HEIGHT + (key[0] ^ key[1]) % 2
        low, high, _ = table.probe(key, depth, table.lowest, table.highest)
        if low == high:
            wrong += 1 if low != worth else 0
        table.store(key, depth, worth, worth, 0, 0)
    return wrong


@pytest.mark.slow
@BOTH
def test_eight_threads_hammering_a_few_entries_give_no_wrong_hit(numbers):
    table = Table(numbers, key_words=3, buckets=4).table
    code = compiler.compile(hammer, table, compiler.INT, compiler.INT)
    ends, wrong, hits = time.monotonic() + HAMMER_SECONDS, [], []

    def run(seed):
        variables = code.variables()
        while True:
            seed += 1 << 32
            wrong.append(code(variables, seed, 1_000_000))
            if time.monotonic() >= ends:
                break
        hits.append(variables.get(table, "hits"))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrong) >= 8
    assert sum(hits) > 1000
    assert sum(wrong) == 0


class Bag:
    """Take one of the letters in a bag; whoever takes the third vowel in a row loses."""

    name = "bag"

    def initial_state(self):
        return Counter({"a": 2, "b": 2, "e": 2}), MAX, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [letter for letter in "abe" if state[0][letter] > 0]

    def result(self, state, action):
        bag = state[0].copy()
        bag[action] -= 1
        return bag, 1 - state[1], 0 if action == "b" else state[2] + 1

    def terminal_test(self, state):
        return state[2] == 3 or sum(state[0].values()) == 0

    def utility(self, state, player):
        return 0 if state[2] < 3 else 1 if state[1] == player else -1


def test_a_counter_is_a_state_of_a_search_with_a_table():
    game, limits = Bag(), Limits(depth=6)
    slow, fast = (
        AlphaBeta(table=1, speed=speed).search(game, game.initial_state(), limits)
        for speed in ("interpreted", "compiled")
    )
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert slow.value == fast.value
