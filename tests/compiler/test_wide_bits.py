"""`ggp.Bits` of any number of cells: what Python does with them, machine code does, too."""

import random

import attrs
import pytest
from speeds import disagreements

import ggp
from ggp import Bits, compiler
from ggp.compiler.types import INT

WIDTHS = [129, *(pytest.param(width, marks=pytest.mark.slow) for width in (63, 64, 65, 127, 128))]


def operators(one, other, cell, count):
    """All that may be done with sets."""
    found = [one | other, one & other, one ^ other, one - other, ~one, one << count, one >> count, one << 1, one >> 65]
    inside = 0 <= cell < one.width
    if inside:
        found.append(one.including(cell))
        found.append(one.excluding(cell))
        found.append(Bits.of(cell, 0, width=one.width))
    total = 0
    for each in one:
        total = total * 3 + each & 0xFFFFFFF
    tests = (cell in one, bool(one), one < other, one > other, one == other, one != other, not other)
    return tuple(found[:9]), found[-1], tests, (len(one), one.lowest(), one.width, total)


def raising(one, cell):
    return one.including(cell), one.excluding(cell)


def pairs(width, chance):
    """Return sets of a width: empty, full, single cells at the edges of words, and random ones."""
    edges = [cell for cell in (0, 62, 63, 64, 65, 126, 127, 128) if cell < width]
    sets = [Bits(width=width), ~Bits(width=width), *(Bits.of(cell, width=width) for cell in edges)]
    sets += [Bits(chance.getrandbits(width), width) for _ in range(4)]
    return [(one, chance.choice(sets)) for one in sets for _ in range(3)] + [(one, one) for one in sets]


@pytest.mark.parametrize("width", WIDTHS)
def test_operators_are_the_same_at_both_speeds(width):
    chance = random.Random(width)
    numbers = [0, 1, 31, 62, 63, 64, 65, 126, 127, 128, 129, 500]
    rows = [(one, other, chance.choice([-1, *numbers]), chance.choice(numbers)) for one, other in pairs(width, chance)]
    assert disagreements(operators, rows) == []
    assert disagreements(raising, [(one, cell) for one, _, cell, _ in rows]) == []


def made(number):
    return Bits(number, 65), Bits(word=number, width=5)


def test_sets_are_made_of_numbers_that_fit():
    assert disagreements(made, [(0,), (31,), (32,), (-1,)]) == []


def test_sets_of_two_widths_raise_at_both_speeds():
    def use(one, other, way):
        if way == 0:
            return one == other, one != other
        if way == 1:
            one = one | other
        elif way == 2:
            one = one - other
        return one < other, False

    assert disagreements(use, [(Bits.of(1), Bits.of(1, width=65), way) for way in range(4)]) == []


BEYOND = ~(1 << 100)


def giving_up(number):
    """Use a mask of more than 64 bits, in a function that is too long to be written into its callers."""
    total = 0
    for each in range(number):
        if each % 3 == 2 and each > number - 3:
            total = total + each
        elif each % 5 == 0:
            total = total * 2
        else:
            total = total - each
        if total > 100:
            total = total // 3
        while total > 50:
            total -= 7
    return (number & BEYOND) << 1 | total


def giving_up_at_times(number):
    if number > 5:
        return giving_up(number) + giving_up(number + 1) + giving_up(number + 2)
    return giving_up(number) if number < -3 else number


def test_a_function_that_always_gives_up_is_asked_of_python():
    code = compiler.compile(giving_up_at_times, INT)
    assert code(code.variables(), 3) == 3
    with pytest.raises(compiler.Fault):
        code(code.variables(), 30)


TABLE = tuple(Bits.of(cell, 128 - cell, width=129) for cell in range(129))


def from_table(cell):
    rows = [TABLE[cell], TABLE[0]]
    rows.append(rows[0] & ~rows[1])
    best = None
    for each in rows:
        if best is None or best < each:
            best = each
    return rows[cell % 3], best, max(len(each) for each in rows)


def test_tables_and_lists_hold_sets():
    assert disagreements(from_table, [(cell,) for cell in range(-1, 130)]) == []


def test_a_width_that_is_not_known_and_one_without_end_are_refused():
    with pytest.raises(compiler.Refused, match="the width of Bits must be known while compiling"):
        compiler.compile(lambda width: Bits(0, width), INT)
    with pytest.raises(compiler.Refused, match="Bits of more than 1024 cells cannot be compiled; got 1025"):
        compiler.compile(lambda word: Bits(word, 1025), INT)


@attrs.frozen
class Neighbours:
    """Taking cells in turn, none beside another one's: whoever cannot has lost."""

    name = "neighbours"
    width: int = 64
    free: int = 6

    def initial_state(self):
        """Return a board on which only cells at the edges of words are free."""
        edges = [cell for cell in (0, 1, 2, 61, 62, 63, 64, 65, 66, 126, 127, 128) if cell < self.width]
        return ~Bits.of(*edges[-self.free :], width=self.width), Bits(width=self.width), ggp.MAX

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return ~(state[0] | state[1] << 1 | state[1] >> 1)

    def result(self, state, cell):
        return state[0].including(cell), state[1].including(cell), 1 - state[2]

    def terminal_test(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        odd = len(state[1]) % 2 == 1
        return 1 if odd == (player == ggp.MAX) else -1


@pytest.mark.parametrize("width", WIDTHS)
def test_a_search_is_the_same_at_both_speeds(width):
    game = Neighbours(width)
    for searcher, options in (("alphabeta", {"table": 0}), ("mcts", {"seed": 3})):
        found = [_searched(game, searcher, options, speed) for speed in ("compiled", "interpreted")]
        assert found[0] == found[1]


def _searched(game, searcher, options, speed):
    made = ggp.load_registry().searcher(searcher, speed=speed, **options)
    found = made.search(game, game.initial_state(), ggp.Limits(nodes=300))
    return found.action, found.value, found.statistics.nodes, found.principal_variation
