"""Machine words: what Numba makes of them is what Python says."""

import ctypes
import math
import struct

import pytest
from ggp_search import machine, words
from ggp_search.blocks import Block
from hypothesis import given
from hypothesis import strategies as st

numba = pytest.importorskip("numba")

WORDS = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.sampled_from([0, 1, -1, 2**63 - 1, -(2**63), 2**32, -(2**32), 2**31 - 1])
)
FLOATS = st.floats(allow_nan=False)


@pytest.fixture(scope="module")
def compiled():
    """Each function as machine code that can be called from here, by name."""
    machine.compiler()
    load, save, mix, spread = words.load, words.save, words.mix, words.spread
    bits_of, value_of = words.bits_of, words.value_of
    next_above, next_below = words.next_above, words.next_below
    return {
        "load": numba.njit(lambda address: load(address)),
        "save": numba.njit(lambda address, word: save(address, word)),
        "mix": numba.njit(lambda hashed, word: mix(hashed, word)),
        "spread": numba.njit(lambda hashed, count: spread(hashed, count)),
        "bits_of": numba.njit(lambda value: bits_of(value)),
        "value_of": numba.njit(lambda bits: value_of(bits)),
        "next_above": numba.njit(lambda value: next_above(value)),
        "next_below": numba.njit(lambda value: next_below(value)),
    }


@given(WORDS, WORDS)
def test_mix_is_the_same_compiled(compiled, hashed, word):
    mixed = compiled["mix"](hashed, word)
    assert mixed == words.mix(hashed, word)
    assert type(mixed) is int


@given(WORDS, st.integers(1, 2**31 - 1))
def test_spread_is_the_same_compiled_and_within_the_count(compiled, hashed, count):
    place = words.spread(hashed, count)
    assert compiled["spread"](hashed, count) == place
    assert 0 <= place < count


@given(FLOATS)
def test_the_bits_of_a_float_are_the_same_compiled_and_make_it_again(compiled, value):
    bits = words.bits_of(value)
    assert compiled["bits_of"](value) == bits
    assert struct.pack("<q", bits) == struct.pack("<d", value)
    assert math.copysign(1, words.value_of(bits)) == math.copysign(1, value)
    assert compiled["value_of"](bits) == words.value_of(bits) == value


@given(FLOATS)
def test_the_next_floats_are_the_same_compiled_and_none_lies_between(compiled, value):
    above, below = words.next_above(value), words.next_below(value)
    assert (compiled["next_above"](value), compiled["next_below"](value)) == (above, below)
    if math.isfinite(value):
        assert below < value < above
        assert words.next_below(above) == value == words.next_above(below)


@given(st.lists(WORDS, min_size=4, max_size=4), st.integers(0, 3))
def test_words_are_kept_where_they_are_put(compiled, content, place):
    memory = Block(64)
    for save, load in ((words.save, compiled["load"]), (compiled["save"], words.load)):
        for index, word in enumerate(content):
            save(memory.address + 8 * index, word)
        assert load(memory.address + 8 * place) == content[place]
        assert load(memory.address + 32) == 0


@given(WORDS, WORDS, WORDS)
def test_mix_tells_words_apart(hashed, word, other):
    """For each word the other is a permutation; an accident of 64 bits is not to be expected."""
    assert (words.mix(hashed, word) == words.mix(hashed, other)) == (word == other)
    assert (words.mix(word, hashed) == words.mix(other, hashed)) == (word == other)


def test_mix_depends_on_the_order():
    assert words.mix(words.mix(0, 1), 2) != words.mix(words.mix(0, 2), 1)


def test_successive_words_spread_evenly():
    counts = [0] * 64
    for word in range(64_000):
        counts[words.spread(words.mix(0, word), 64)] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 63 + 6 * math.sqrt(2 * 63)


def test_known_words():
    """By the definition, worked out apart: (h xor w) * 2**64/phi, and its upper half laid over the lower."""
    multiplier = 0x9E3779B97F4A7C15
    expected = multiplier ^ multiplier >> 32
    assert words.mix(0, 1) == expected - 2**64
    assert words.mix(0, 0) == 0
    assert words.spread(-1, 10) == 9
    assert words.spread(-(2**63), 10) == 5
    assert words.bits_of(1.0) == 0x3FF0000000000000
    assert words.value_of(-(2**63)) == 0.0


def test_a_block_is_zeros_and_can_be_zeros_again():
    memory = Block(100)
    assert not any(words.load(memory.address + place) for place in range(0, 96, 8))
    words.save(memory.address + 8, -5)
    assert ctypes.c_int64.from_address(memory.address + 8).value == -5
    memory.clear()
    assert words.load(memory.address + 8) == 0
    assert memory.size == 100
