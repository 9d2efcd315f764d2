"""`ggp.Bits` beside Python's own sets."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp import Bits

cells = st.sets(st.integers(0, 63))


def bits(members):
    return Bits.of(*members)


@given(cells, cells)
def test_it_is_a_set(one, other):
    assert set(bits(one)) == one
    assert list(bits(one)) == sorted(one)
    assert len(bits(one)) == len(one)
    assert bool(bits(one)) == bool(one)
    assert bits(one) | bits(other) == bits(one | other)
    assert bits(one) & bits(other) == bits(one & other)
    assert bits(one) ^ bits(other) == bits(one ^ other)
    assert bits(one) - bits(other) == bits(one - other)
    assert ~bits(one) == bits(set(range(64)) - one)
    assert (bits(one) == bits(other)) == (one == other)
    assert hash(bits(one)) == hash(bits(set(one)))
    assert bits(one).lowest() == min(one, default=-1)


@given(cells, st.integers(0, 63), st.integers(0, 130))
def test_cells_and_shifts(one, cell, count):
    assert [each in bits(one) for each in range(-2, 70)] == [each in one for each in range(-2, 70)]
    assert bits(one).including(cell) == bits(one | {cell})
    assert bits(one).excluding(cell) == bits(one - {cell})
    assert bits(one) << count == bits({each + count for each in one if each + count < 64})
    assert bits(one) >> count == bits({each - count for each in one if each >= count})


@given(cells)
def test_a_word_is_the_set(one):
    word = sum(1 << cell for cell in one)
    assert Bits(word) == bits(one)
    assert bits(one).word == word
    assert pickle.loads(pickle.dumps(bits(one))) == bits(one)  # noqa: S301
    assert eval(repr(bits(one))) == bits(one)  # noqa: S307
    assert (Bits(word) < Bits(5)) == (word < 5)


@pytest.mark.parametrize("word", [-1, 1 << 64])
def test_what_is_no_word_is_refused(word):
    with pytest.raises(ValueError, match=f"at least 0 and less than 2\\*\\*64; got {word}"):
        Bits(word)


@pytest.mark.parametrize("change", [Bits().including, Bits().excluding, Bits.of])
@pytest.mark.parametrize("cell", [-1, 64])
def test_what_is_no_cell_is_refused(change, cell):
    with pytest.raises(ValueError, match=f"the cells of Bits are 0 to 63; got {cell}"):
        change(cell)


def test_a_set_cannot_be_changed():
    with pytest.raises(AttributeError):
        Bits().word = 3
