"""`ggp.Bits` beside Python's own sets."""

import operator
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp import Bits

WIDTHS = (1, 63, 64, 65, 127, 128, 129, 361)
cells = st.sets(st.integers(0, 63))


def bits(members, width=64):
    return Bits.of(*members, width=width)


@pytest.mark.parametrize("width", WIDTHS)
@given(st.data())
def test_it_is_a_set_of_any_width(width, data):
    one, other = (data.draw(st.sets(st.integers(0, width - 1))) for _ in range(2))
    cell, count = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, 2 * width))
    first, second = bits(one, width), bits(other, width)
    assert list(first) == sorted(one)
    assert len(first) == len(one)
    assert first | second == bits(one | other, width)
    assert first & second == bits(one & other, width)
    assert first ^ second == bits(one ^ other, width)
    assert first - second == bits(one - other, width)
    assert ~first == bits(set(range(width)) - one, width)
    assert first << count == bits({each + count for each in one if each + count < width}, width)
    assert first >> count == bits({each - count for each in one if each >= count}, width)
    assert [each in first for each in range(-1, width + 2)] == [each in one for each in range(-1, width + 2)]
    assert first.including(cell) == bits(one | {cell}, width)
    assert first.excluding(cell) == bits(one - {cell}, width)
    assert (first < second) == (sum(1 << each for each in one) < sum(1 << each for each in other))
    assert eval(repr(first)) == first  # noqa: S307
    assert pickle.loads(pickle.dumps(first)) == first  # noqa: S301


@pytest.mark.parametrize("use", [operator.or_, operator.and_, operator.xor, operator.sub, operator.lt])
def test_sets_of_two_widths_do_not_go_together(use):
    with pytest.raises(ValueError, match="sets of 64 and 121 cells cannot be combined; give both the same width"):
        use(Bits(), Bits(width=121))
    assert Bits() != Bits(width=121)


@pytest.mark.parametrize(("word", "width"), [(1, 0), (0, -1), (1 << 65, 65), (-1, 121)])
def test_what_is_no_width_and_what_it_does_not_hold_is_refused(word, width):
    with pytest.raises(ValueError, match=r"the width of Bits|less than 2\*\*"):
        Bits(word, width)
    with pytest.raises(ValueError, match="the cells of Bits are 0 to 120; got 121"):
        Bits.of(121, width=121)


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
