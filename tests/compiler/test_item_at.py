"""`item_at`, `count_of` and `random_item` are the same at both speeds; loops that only yield cells are left out."""

from typing import NamedTuple

import pytest
from speeds import disagreements

from ggp import Bits, compiler
from ggp.compiler import machine
from ggp.compiler.intrinsics import count_of, item_at, random_item
from ggp.compiler.job import Job
from ggp.compiler.types import INT, BitsOf
from ggp.compiler.verifier import listing

SETS = [Bits(word) for word in (0, 1, 0b1011, 0xF0F0, 1 << 63, (1 << 64) - 1)]
ROWS = [(bits, index) for bits in SETS for index in (-1, *range(9), 40, 62, 63, 64, 90)]


WORDS = [0, 1, 0b1011, 0b1010110, 0xF0F0, (1 << 20) - 1]


class Step(NamedTuple):
    start: int
    end: int


def of_a_set(bits, index):
    return item_at(bits, index)


def cells(bits):
    yield from bits


def of_a_generator(bits, index):
    return item_at(cells(bits), index)


def steps(bits):
    if 3 in bits:
        yield Step(-1, -1)
    for way in (1, 3):
        for cell in bits << way:
            yield Step(cell - way, cell)
    yield from (Step(cell, cell) for cell in bits)


def of_several_sets(bits, index):
    return item_at(steps(bits), index)


def nested(bits):
    for cell in bits:
        for other in bits - Bits.of(cell):
            yield cell, other


def of_pairs(bits, index):
    return item_at(nested(bits), index)


def lowest_bits(word):
    while word:
        yield (word & -word).bit_length() - 1
        word &= word - 1


def of_a_number(word, index):
    return item_at(lowest_bits(word), index)


def parts(word):
    while word:
        low = word & -word
        yield low, word
        word -= low


def of_what_is_left_of_a_number(word, index):
    return item_at(parts(word), index)


def exclusive(word):
    while word:
        low = -word & word
        word = low ^ word
        yield low.bit_length(), word
    yield -1, word


def of_what_is_left_behind(word, index):
    return item_at(exclusive(word), index)


SKIPPING = [of_a_set, of_a_generator, of_several_sets, of_pairs]
SKIPPING_BITS = [of_a_number, of_what_is_left_of_a_number, of_what_is_left_behind]


def of_cells_that_pass_a_test(bits, index):
    return item_at((cell for cell in cells(bits) if cell % 3), index)


def of_numbered_cells(bits, index):
    return item_at(enumerate(cells(bits)), index)


def of_two_at_a_time(bits, index):
    return item_at(zip(range(5), cells(bits), strict=False), index)


def listed(bits):
    log = []
    for cell in bits:
        log.append(cell)
        yield len(log) * 100 + cell


def of_what_grows(bits, index):
    return item_at(listed(bits), index)


def repeated(bits):
    log = []
    for cell in bits:
        log.append(cell)
        yield cell
    yield from log


def of_what_comes_again(bits, index):
    return item_at(repeated(bits), index)


def numbered(bits):
    number = 0
    for cell in bits:
        number += cell
        yield number


def of_sums(bits, index):
    return item_at(numbered(bits), index)


def counted(bits):
    number = 0

    def count():
        nonlocal number
        number += 1
        return number

    for cell in bits:
        yield count() * 100 + cell


def of_what_a_function_counts(bits, index):
    return item_at(counted(bits), index)


def with_last(bits):
    last = -1
    for last in bits:
        yield last
    yield last + 1000


def of_what_the_loop_leaves(bits, index):
    return item_at(with_last(bits), index)


def downwards(word):
    while word:
        yield word
        word -= 1


def of_a_countdown(word, index):
    return item_at(downwards(word % 8), index)


def other_bits(word):
    while word:  # often without end
        yield word
        word &= word - 2


def of_other_bits(word, index):
    return item_at(other_bits(word), index)


def two_bits(word):
    while word:
        word &= word - 1
        yield word
        word &= word - 1


def of_every_other_bit(word, index):
    return item_at(two_bits(word), index)


def until_the_last(word):
    low = 0
    while word:
        low = word & -word
        yield low
        word ^= low
    yield low + 1


def of_the_last_bit(word, index):
    return item_at(until_the_last(word), index)


def repeated_by_another(bits):
    log = []
    for cell in cells(bits):
        log.append(cell)
        yield cell
    yield from log


def of_what_another_repeats(bits, index):
    return item_at(repeated_by_another(bits), index)


CHANGING = [of_cells_that_pass_a_test, of_numbered_cells, of_two_at_a_time, of_what_grows, of_what_comes_again, of_sums,
            of_what_a_function_counts, of_what_the_loop_leaves, of_what_another_repeats]  # fmt: skip
CHANGING_BITS = [of_a_countdown, of_other_bits, of_every_other_bit, of_the_last_bit]


@pytest.mark.parametrize("function", [*SKIPPING, *CHANGING])
def test_an_item_is_the_same_at_both_speeds(function):
    assert disagreements(function, ROWS) == []


@pytest.mark.parametrize("function", [*SKIPPING_BITS, *CHANGING_BITS])
def test_an_item_made_of_bits_is_the_same_at_both_speeds(function):
    assert disagreements(function, [(word, index) for word in WORDS for index in (-1, *range(10), 20)]) == []


@pytest.mark.parametrize("width", [9, 121])
def test_sets_of_any_width_have_the_same_items(width):
    sets = [Bits(word, width) for word in (0, 5, 0b101101, 1 << width - 1, (1 << width) - 1)]
    rows = [(bits, index) for bits in sets for index in (0, 1, 3, 8, 63, 64, 120, 121)]
    assert disagreements(of_several_sets if width > 9 else of_a_generator, rows) == []


@pytest.mark.parametrize("width", [1, 5, 9, 64, 121, 361])
def test_processors_without_an_instruction_for_it_find_the_same_cell(monkeypatch, width):
    monkeypatch.setattr(machine, "has_deposit", lambda: False)
    program, _ = Job(of_a_set, (BitsOf(width), INT), game=None).specialized()
    assert "pdep" not in program.lowered().assembly()
    sets = [Bits(word, width) for word in {1, 0b10101 % (1 << width), 1 << width - 1, (1 << width) - 1}]
    rows = [(bits, index) for bits in sets for index in range(width + 1)]
    assert disagreements(of_a_set, rows) == []


def loops_of(function, first):
    program, _ = Job(function, (first, INT), game=None).specialized()
    return listing(program.function).count("loop ")


def test_no_loop_runs_through_the_cells_before_an_item():
    assert [loops_of(each, BitsOf(64)) for each in SKIPPING] == [0, 0, 0, 1]  # pairs: a loop through the first cells
    assert [loops_of(each, INT) for each in SKIPPING_BITS] == [0, 0, 0]


def itself(bits):
    return bits


FIVE = (0, 10, 20, 30, 40)


def looked_up(bits):
    for cell in bits:
        yield FIVE[cell]


def looked_up_later(bits):
    for cell in cells(bits):
        yield FIVE[cell]


def divided(bits):
    for cell in bits:
        yield 12 // (cell - 2)


@pytest.mark.parametrize(
    "items",
    [
        cells,
        steps,
        nested,
        listed,
        repeated,
        numbered,
        counted,
        with_last,
        looked_up,
        divided,
        itself,
        looked_up_later,
        repeated_by_another,
    ],
)
def test_items_are_counted_alike_at_both_speeds(items):
    assert disagreements(lambda bits: count_of(items(bits)), [(bits,) for bits in SETS]) == []


@pytest.mark.parametrize("items", [lowest_bits, parts, exclusive, two_bits, until_the_last])
def test_bits_are_counted_alike_at_both_speeds(items):
    rows = [(word,) for word in (0, 1, 0b1011, 0xF0F0, (1 << 62) + 5, (1 << 63) - 1)]
    assert disagreements(lambda word: count_of(items(word)), rows) == []


@pytest.mark.parametrize("items", [lowest_bits, parts])
def test_the_bits_of_a_negative_number_are_left_to_python(items):
    for consumer in (lambda word: count_of(items(word)), lambda word: item_at(items(word), 0)):
        code = compiler.compile(consumer, INT)
        with pytest.raises(compiler.Fault):
            code(code.variables(), -2)


def test_what_cannot_fail_is_counted_without_a_loop():
    def loops(items):
        program, _ = Job(lambda bits: count_of(items(bits)), (BitsOf(64),), game=None).specialized()
        return listing(program.function).count("loop ")

    assert [loops(each) for each in (cells, steps, looked_up, listed)] == [0, 0, 1, 1]


def test_an_iterator_that_each_round_advances_is_refused():
    def names(bits):
        name = iter((7, 8, 9))
        for _ in bits:
            yield next(name)

    def named(bits, index):
        return item_at(names(bits), index)

    with pytest.raises(compiler.Refused, match="iter"):
        compiler.compile(named, BitsOf(64), INT)


def triples(bits):
    for cell in bits:
        for other in bits:
            for third in bits:
                if cell < other < third:
                    yield cell, other, third


def sums_of_triples(bits):
    log = [0]
    for cell, other, third in triples(bits):
        log.append(log[-1] + cell + other + third)
        yield log[-1]


ITEMS = [cells, steps, nested, listed, repeated, looked_up, triples, sums_of_triples]


@pytest.mark.parametrize("items_of", ITEMS)
def test_a_random_item_is_the_same_at_both_speeds(items_of):
    def chosen(bits, word):
        return random_item(items_of, bits, word)

    code = compiler.compile(chosen, BitsOf(64), INT)
    rows = [(Bits(0b111011), word << 59) for word in range(-16, 16)]
    if items_of is looked_up:
        rows = [(Bits(0b11011), word) for _, word in rows]
    assert [code(code.variables(), *row) for row in rows] == [chosen(*row) for row in rows]
    with pytest.raises(IndexError):
        chosen(Bits(), 5)
    with pytest.raises(IndexError):
        code(code.variables(), Bits(), 5)


def test_only_what_takes_deep_loops_is_listed():
    def lists(items_of):
        random = Job(lambda bits, word: random_item(items_of, bits, word), (BitsOf(64), INT), game=None)
        return "new_list" in listing(random.specialized()[0].function)

    assert [lists(each) for each in (cells, steps, nested, triples)] == [False, False, False, True]


class Fill:
    """A player fills the cells of a board."""

    name = "fill"

    def initial_state(self):
        return Bits()

    def to_move(self, state):
        return 0

    def terminal_test(self, state):
        return len(state) == 64

    def utility(self, state, player):
        return 0

    def result(self, state, action):
        return state.including(action)


class Yielding(Fill):
    def actions(self, state):
        yield from ~state


class Returning(Fill):
    def actions(self, state):
        return ~state


class Generating(Fill):
    def actions(self, state):
        return (cell for cell in ~state)


@pytest.mark.parametrize("game", [Yielding(), Returning(), Generating()], ids=lambda game: type(game).__name__)
def test_a_game_may_yield_or_return_its_actions(game):
    def after(state, word):
        for _ in range(30):
            action, count = random_item(game.actions, state, word)
            state, word = game.result(state, action), word * 3 + count
        return state

    program, _ = Job(after, (BitsOf(64), INT), game=game).specialized()
    assert listing(program.function).count("loop ") == 1
    code = compiler.compile(after, BitsOf(64), INT, game=game)
    for word in (5, 1 << 12, 7 << 10):
        assert code(code.variables(), Bits(), word) == after(Bits(), word)
