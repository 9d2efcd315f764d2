"""Every value of a tablebase is the exact one, and every position has one."""

import ctypes
import functools
import operator
from math import comb

import pytest
from ggp_search.tablebases.probe import SECTIONS
from ggp_solve.tablebases import build, verify
from ggp_toys import Nim
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.compiler import machine
from ggp.compiler.intrinsics import load
from ggp.testing import minimax_value

REGISTRY = ggp.load_registry()
needs_numba = pytest.mark.skipif(not machine.available(), reason="brute force needs llvmlite")
MOST_SEEDS = 10

INTERPRETED = 3
"""So many houses, and fewer, are filled by the interpreted filler, which has to be right, too."""


def boards_and_bytes(base, houses):
    """All positions of a tablebase as boards, mover first, beside what it says of the rest of the game."""
    import numpy as np

    bits, words, found = 63 // (houses + 1), [], b""
    for layer in range(base.layers):
        for section, size in enumerate(base.ranking.sections(layer)):
            words += [position[:2] for position in base.ranking.positions(layer, section, 0)]
            found += ctypes.string_at(load(base.address + 8 * (SECTIONS * layer + section)), size)
    sides = np.array(words, dtype=np.int64)
    fields = [sides[:, side] >> bits * house & (1 << bits) - 1 for side in (0, 1) for house in range(houses)]
    return np.stack(fields, axis=1), np.frombuffer(found, dtype=np.int8)


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("capture", ["standard", "empty", "none"])
@pytest.mark.parametrize("houses", range(1, 7))
def test_every_layer_equals_brute_force_on_every_position(houses, capture, monkeypatch):
    import brute_force
    import numpy as np

    monkeypatch.setenv("GGP_SPEED", "compiled" if houses > INTERPRETED else "interpreted")
    base = build(REGISTRY.game("kalah", houses=houses, capture=capture), MOST_SEEDS + 1, threads=2)
    boards, values = boards_and_bytes(base, houses)
    ways = sum(
        comb(few + houses - 1, few) * comb(seeds - few + houses - 1, seeds - few)
        for seeds in range(2, MOST_SEEDS + 1)
        for few in range(1, seeds)
    )
    assert len(boards) == len(np.unique(boards, axis=0)) == ways
    assert (brute_force.worths(boards, houses, brute_force.CAPTURES[capture]) == values).all()


NIMS = [{"heaps": (3, 4, 5)}, {"heaps": (3, 4, 5), "misere": True}, {"heaps": (9,)}, {"heaps": (2, 2, 2, 2, 2)}]


@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
@pytest.mark.parametrize("parameters", NIMS, ids=str)
def test_nim_is_what_bouton_says(parameters, speed, monkeypatch):
    if speed == "compiled" and not machine.available():
        pytest.skip("machine code needs llvmlite")
    monkeypatch.setenv("GGP_SPEED", speed)
    game = REGISTRY.game("nim", **parameters)
    base = build(game, 13)
    checked = 0
    for layer in range(1, 13):
        for state in base.ranking.positions(layer, 0, 0):
            *heaps, mover = state
            decided = functools.reduce(operator.xor, heaps) != 0
            wins = not decided if game.misere and max(heaps) == 1 else decided
            assert base.value(state) == (1 if wins == (mover == ggp.MAX) else -1)
            assert base.value((*heaps, 1 - mover)) == -base.value(state)
            checked += 1
    assert checked == sum(comb(stones + len(heaps) - 1, stones) for stones in range(1, 13))


@given(data=st.data(), houses=st.integers(1, 6), capture=st.sampled_from(["standard", "empty", "none"]))
def test_whatever_is_in_the_stores_and_whoever_moves_the_value_is_that_of_minimax(data, houses, capture):
    game = REGISTRY.game("kalah", houses=houses, capture=capture)
    base = based(game)
    seeds = st.lists(st.integers(0, 2), min_size=houses, max_size=houses)
    south, north = data.draw(seeds), data.draw(seeds)
    stores = st.integers(0, 40)
    numbers = [houses, data.draw(stores), data.draw(stores), *south, *north]
    state = game.parse_state(f"<{','.join(map(str, numbers))}> {data.draw(st.sampled_from('SN'))}")
    if game.terminal_test(state):
        return
    if sum(south) + sum(north) < base.layers:
        assert base.value(state) == minimax_value(game, state)
    else:
        assert base.value(state) is None


@functools.cache
def based(game):
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GGP_SPEED", "interpreted")  # it is filled in a moment, and compiled in some seconds
        return build(game, 6)


def test_verifying_finds_one_wrong_byte_and_names_its_layer_and_position():
    base = build(REGISTRY.game("kalah", houses=2), 6)
    assert sum(verify(base)) == sum(map(sum, map(base.ranking.sections, range(6))))
    address = load(base.address + 8 * (SECTIONS * 5 + 1)) + 7
    byte = ctypes.c_int8.from_address(address)
    byte.value += 1
    wrong = r"layer 5 of the tablebase of kalah is wrong: <.*> [SN] has the value -?\d+ by the rules, but -?\d+ in"
    with pytest.raises(ggp.TablebaseError, match=wrong):
        verify(base)
    assert sum(verify(base, 20, seed=3)) == 20
    with pytest.raises(ggp.TablebaseError, match=wrong):  # as many as there are, or more, are all
        verify(base, 10_000)


class Misplaced:
    """A ranking that gives every state of a section the first number."""

    def __init__(self, ranking):
        self.ranking = ranking

    def __getattr__(self, name):
        return getattr(self.ranking, name)

    def rank(self, state):
        return self.ranking.rank(state)[0], 0


def test_verifying_finds_a_position_that_lies_in_the_place_of_another():
    base = build(REGISTRY.game("kalah", houses=2), 5)
    base.ranking = Misplaced(base.ranking)
    with pytest.raises(ggp.TablebaseError, match=r"has the place \(2, 0, 0\), but is stored at \(2, 0, 1\)"):
        verify(base)


def test_a_sample_is_drawn_alike_from_all_positions_and_the_same_for_a_seed():
    base = build(REGISTRY.game("kalah", houses=3), 12)
    sizes = [sum(base.ranking.sections(layer)) for layer in range(12)]
    found = verify(base, 2000, seed=1)
    assert found == verify(base, 2000, seed=1) != verify(base, 2000, seed=2)
    assert all(abs(count - 2000 * size / sum(sizes)) < 100 for count, size in zip(found, sizes, strict=True))


RANKING = type(Nim().ranking)


class MinListed(RANKING):
    """The ranking with MIN to move in the positions that it lists."""

    def positions(self, layer, section, first):
        for state in RANKING.positions(self, layer, section, first):
            yield (*state[:-1], 1 - state[-1])


class MinFirst(Nim):
    @property
    def ranking(self):
        listed = Nim().ranking
        return MinListed(listed.heaps, listed.misere)


class Huge(Nim):
    def utility(self, state, player):
        return 128 if state[-1] == player else -128


class Halves(Nim):
    def utility(self, state, player):
        return 0.5 if state[-1] == player else -0.5


class Chancy(Nim):
    def outcomes(self, state):
        return [((0, 1), 1.0)]


class Missing(Nim):
    def to_move(self, state):
        return eval("state[-1]")  # noqa: S307


class Unranked(Nim):
    ranking = None


@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
def test_it_does_not_matter_who_moves_in_the_positions_that_are_listed(speed, monkeypatch):
    if speed == "compiled" and not machine.available():
        pytest.skip("machine code needs llvmlite")
    monkeypatch.setenv("GGP_SPEED", speed)
    base = build(MinFirst(), 9)
    assert sum(verify(base)) == sum(sum(base.ranking.sections(layer)) for layer in range(9))
    assert base.value((1, 2, 3, ggp.MAX)) == -1
    assert base.value((1, 2, 4, ggp.MAX)) == 1


REFUSED = {
    "a value too large for a byte": (
        Huge,
        "nim has no tablebase of layer 1: number 0 of its section 0 has no value from -127 to 127",
    ),
    "fractions": (Halves, "nim has no tablebases: its utility and score have to be integers"),
    "chance": (Chancy, "nim has no tablebases: they are for games without chance"),
    "no ranking": (Unranked, "nim has no tablebases with these parameters: it offers no ranking"),
}


@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
@pytest.mark.parametrize("fault", REFUSED)
def test_refused_in_words(fault, speed, monkeypatch):
    if speed == "compiled" and not machine.available():
        pytest.skip("machine code needs llvmlite")
    monkeypatch.setenv("GGP_SPEED", speed)
    kind, message = REFUSED[fault]
    with pytest.raises(ggp.GGPError, match=message):
        build(kind(), 3)


@needs_numba
def test_what_does_not_compile_is_refused_in_words():
    with pytest.raises(ggp.UnsupportedGameError, match="nim has no tablebases: test_tablebase_values"):
        build(Missing(), 2)
