"""Tables in machine words: what they know is right, whoever else writes, and they are as large as the user says."""

import math
import os
import threading
import time

import attrs
import pytest
from ggp_kalah import Kalah
from ggp_search import AlphaBeta, Mtdf, alphabeta, compiled_engine, machine, word_tables
from ggp_search.blocks import Block
from ggp_search.driver import MAX_PLIES
from ggp_search.parts import FLOATS, HUGE, INTEGERS, Operations, interpreted
from ggp_search.tables import WHOLE, by_depth
from ggp_search.word_tables import REMEMBERED_FROM
from ggp_search.words import load, mix, save, spread
from ggp_tictactoe import TicTacToe
from ggp_toys import Nim
from hypothesis import given
from hypothesis import strategies as st

from ggp import MAX, Limits
from ggp.capabilities import play

HAMMER_SECONDS = float(os.environ.get("GGP_HAMMER_SECONDS", "2"))
"""How long threads hammer one table; the design asks for 60."""

LIMIT = 1 << 40


def operations(numbers, secured=0, compile=interpreted):
    """A game in which a state is its own key, and nothing is bounded."""
    least, greatest = (numbers.lowest, numbers.highest) if numbers is INTEGERS else (-HUGE, HUGE)
    unused = compile(lambda state: 0)
    return Operations(
        **dict.fromkeys(attrs.fields_dict(Operations), unused)
        | {
            "bounds": compile(lambda state: (least, greatest)),
            "key": compile(lambda state: state),
            "score": compile(lambda state: secured),
        }
    )


class Table:
    """A table in memory, with its hooks as they are."""

    def __init__(self, numbers=INTEGERS, key_words=2, buckets=64, secured=0):
        self.numbers = numbers
        self.layout = word_tables.layout(key_words, numbers is INTEGERS)
        self.memory = Block(self.layout.bucket_bytes * buckets)
        self.entered = Block(8 * (MAX_PLIES + 10))
        self.live = machine.Live(table=self.memory.address, buckets=buckets, generation=1, entered=self.entered.address)
        rules = operations(numbers, secured)
        self._probe, self._store = word_tables.word_memory(
            rules, numbers, self.layout, by_depth(interpreted), interpreted
        )
        low, high = rules.bounds(None)
        self.nothing_known = (low, high, -1)

    def probe(self, state, depth=REMEMBERED_FROM):
        return self._probe(state, depth, self.numbers.lowest, self.numbers.highest, self.live)

    def store(self, state, lower, upper, choice=0, depth=REMEMBERED_FROM, work=0):
        """Store what was found by entering so many states."""
        save(self.live.entered + 8 * depth, self.live.nodes)
        self.live.nodes += work
        self._store(state, depth, lower, upper, choice, self.live)


words = st.integers(-(2**63), 2**63 - 1)
keys = st.tuples(words, words)
integers = st.integers(-16_000, 16_000)
floats = st.floats(-1e6, 1e6)
BOTH = pytest.mark.parametrize("numbers", [INTEGERS, FLOATS], ids=["integers", "floats"])


@given(keys, integers, integers, st.integers(0, 254), st.integers(REMEMBERED_FROM, WHOLE + 5))
def test_what_is_stored_is_found_again(key, lower, upper, choice, depth):
    table = Table()
    table.store(key, lower, upper, choice, depth)
    assert table.probe(key, depth) == (lower, upper, choice)
    assert (table.live.table_hits, table.live.choice) == (1, choice)


@given(keys, floats, floats)
def test_floats_are_found_again_to_the_last_bit(key, lower, upper):
    table = Table(FLOATS)
    table.store(key, lower, upper, 7)
    assert table.probe(key) == (lower, upper, 7)


@BOTH
def test_an_empty_table_knows_nothing(numbers):
    table = Table(numbers)
    assert table.probe((0, 0)) == table.nothing_known
    assert table.live.table_hits == 0


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


@given(keys, st.integers(REMEMBERED_FROM, 60), st.integers(0, 63), st.integers(0, 3))
def test_a_flipped_bit_anywhere_in_an_entry_is_no_hit(key, depth, bit, word):
    table = Table(FLOATS, buckets=1)
    table.store(key, 0.5, 0.75, 3, depth)
    address = table.live.table + 8 * word
    flipped = (load(address) & (1 << 64) - 1) ^ 1 << bit
    save(address, flipped - (1 << 64) if flipped >> 63 else flipped)
    assert table.probe(key, depth) == table.nothing_known


def test_an_entry_that_two_threads_wrote_by_halves_is_no_hit():
    """Also where both wrote the same of different keys: what is not key does not tell them apart."""
    first, second, mixture = Table(buckets=1), Table(buckets=1), Table(buckets=1)
    first.store((10, 20), 4, 4)
    second.store((11, 21), 4, 4)
    entry = range(0, first.layout.entry_bytes, 8)
    for taken in range(1 << len(entry)):
        for place in entry:
            source = second if taken >> place // 8 & 1 else first
            save(mixture.live.table + place, load(source.live.table + place))
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
    table.live.generation += 1
    assert table.probe((1, 2), WHOLE + 7) == (5, 6, 4)


def test_of_an_earlier_iteration_only_the_action_is_used():
    table = Table()
    table.store((1, 2), 5, 6, 4)
    table.live.generation = 2
    least, greatest, _ = table.nothing_known
    assert table.probe((1, 2)) == (least, greatest, 4)


DEEP, MIDDLE, SHALLOW = REMEMBERED_FROM + 9, REMEMBERED_FROM + 4, REMEMBERED_FROM


def test_the_entry_that_took_more_work_in_this_iteration_stays_and_the_other_gives_way():
    table = Table(buckets=1)
    table.store((1, 1), 5, 5, depth=DEEP, work=1000)
    table.store((2, 2), 6, 6, depth=SHALLOW, work=10)
    table.store((3, 3), 7, 7, depth=MIDDLE, work=100)
    assert [table.probe(key, depth)[0] for key, depth in (((1, 1), DEEP), ((3, 3), MIDDLE))] == [5, 7]
    assert table.probe((2, 2), SHALLOW) == table.nothing_known
    table.store((4, 4), 8, 8, depth=DEEP, work=1020)  # as many digits
    assert table.probe((1, 1), DEEP) == table.nothing_known
    table.live.generation = 2
    table.store((5, 5), 1, 1, depth=SHALLOW)
    assert table.probe((4, 4), DEEP) == table.nothing_known
    assert table.probe((5, 5), SHALLOW)[0] == 1


def test_a_state_is_not_kept_twice():
    table = Table(buckets=1)
    table.store((1, 1), 5, 5, depth=DEEP)
    table.store((1, 1), 4, 4, depth=SHALLOW)
    assert table.probe((1, 1), SHALLOW)[:2] == (4, 4)
    assert table.probe((1, 1), DEEP)[:2] == table.nothing_known[:2]


@pytest.mark.parametrize("depth", range(REMEMBERED_FROM))
def test_next_to_the_horizon_nothing_is_kept_but_the_action_just_found(depth):
    table = Table()
    table.store((1, 1), 5, 5, 6, depth=depth)
    assert table.live.choice == 6
    assert table.probe((1, 1), depth) == table.nothing_known
    assert not any(load(table.memory.address + place) for place in range(0, table.memory.size, 8))


@given(integers, st.integers(-1000, 1000))
def test_what_is_secured_is_kept_out_of_the_table(value, secured):
    table = Table(secured=secured)
    least = table.nothing_known[0]
    table.store((1, 2), value, value + 1)
    if abs(value - secured) < 130_000:
        assert table.probe((1, 2))[:2] == (value, value + 1)
    table._probe, _ = word_tables.word_memory(
        operations(INTEGERS, secured + 3), INTEGERS, table.layout, by_depth(interpreted), interpreted
    )
    low, high, _ = table.probe((1, 2))
    assert low in (value + 3, least) or low > least
    assert high >= value + 4 or abs(value - secured) >= 130_000


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
    pytest.importorskip("numba")
    game = TicTacToe()
    settings = AlphaBeta(table=1).settings(game, Limits(depth=7))
    engine = compiled_engine.engine(game, game.initial_state(), alphabeta.alphabeta, True, False, settings)
    engine.live.limit = 1_000_000
    for _ in range(word_tables.GENERATIONS):
        engine.next_iteration()
    engine.value(game.initial_state(), 7)
    hits = engine.live.table_hits
    assert engine.live.generation == word_tables.GENERATIONS
    used = sum(load(engine.table.address + place) != 0 for place in range(0, engine.table.size, 8))
    assert used > 100
    engine.next_iteration()
    assert engine.live.generation == 1
    assert not any(load(engine.table.address + place) for place in range(0, engine.table.size, 8))
    engine.value(game.initial_state(), 7)
    assert engine.live.table_hits >= hits


@pytest.mark.parametrize("megabytes", [0.1, 1, 3.7, 64])
@pytest.mark.parametrize("game", [TicTacToe(), Kalah()], ids=repr)
def test_the_table_is_as_large_as_the_user_says(game, megabytes):
    pytest.importorskip("numba")
    settings = AlphaBeta(table=megabytes).settings(game, Limits(depth=3))
    engine = compiled_engine.engine(game, game.initial_state(), alphabeta.alphabeta, True, False, settings)
    used = engine.live.buckets * (engine.table.size // engine.live.buckets)
    assert math.isclose(used, megabytes * (1 << 20), rel_tol=0.05)
    assert engine.live.table == engine.table.address


@pytest.mark.parametrize("heaps", [(3, 4, 5), (2, 3, 4), (1, 2, 3)], ids=str)
@pytest.mark.parametrize("searcher", [AlphaBeta, Mtdf])
def test_an_action_too_large_for_an_entry_is_found_again(searcher, heaps):
    """Nim's actions are larger than the 254 that an entry can hold."""
    pytest.importorskip("numba")
    game = Nim(heaps)
    found = searcher(table=1, speed="compiled").search(game, game.initial_state(), Limits(depth=20))
    end = play(game, game.initial_state(), found.principal_variation)
    assert game.terminal_test(end)
    assert game.utility(end, MAX) == found.value


def hammer(numbers, key_words):
    """A recursion that is none: stores and probes small keys at random, and answers how many hits were wrong.

    Few values stand against many keys, so that different keys often have the same data.
    """
    layout = word_tables.layout(key_words, numbers is INTEGERS)
    compiler = machine.compiler()
    rules, height = operations(numbers, 0, compiler.part), by_depth(compiler.part)
    probe, store = word_tables.word_memory(rules, numbers, layout, height, compiler.part)
    lowest, highest, zero = numbers.lowest, numbers.highest, numbers.above(0) - numbers.above(0)

    def value(state, rounds, live):
        number, wrong = state[0], zero
        for _ in range(rounds):
            number += 1
            word = mix(mix(0, number), number)
            key = (spread(word, 16), spread(mix(word, 1), 16), spread(mix(word, 2), 16))
            worth = (key[0] + 3 * key[1] + 5 * key[2]) % 7 + zero
            depth = REMEMBERED_FROM + (key[0] ^ key[1]) % 2
            low, high, _ = probe(key, depth, lowest, highest, live)
            if low == high:
                live.leaves += 1
                wrong += 1 if low != worth else 0
            store(key, depth, worth, worth, 0, live)
        return wrong

    return compiler.recursion(value)


@pytest.mark.slow
@BOTH
def test_eight_threads_hammering_a_few_entries_give_no_wrong_hit(numbers):
    pytest.importorskip("numba")
    kept = machine.build(hammer(numbers, 3), 3, windowed=False, integral=numbers is INTEGERS)
    code = machine.load(kept, 3, windowed=False)
    layout = word_tables.layout(3, numbers is INTEGERS)
    memory, buckets, ends = Block(layout.bucket_bytes * 4), 4, time.monotonic() + HAMMER_SECONDS
    wrong = []

    def run(seed):
        entered = Block(8 * (MAX_PLIES + 10))
        live = machine.Live(table=memory.address, buckets=buckets, generation=1, entered=entered.address)
        while time.monotonic() < ends:
            seed += 1 << 32
            wrong.append(code((seed, 0, 0), (1_000_000,), live)[1])
        hits.append(live.leaves)

    hits = []
    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrong) >= 8
    assert sum(hits) > 1000
    assert sum(wrong) == 0
