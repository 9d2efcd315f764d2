"""Memory of lists is given back where nothing uses it any more, and not before."""

import pytest

from ggp import compiler
from ggp.compiler import machine

pytestmark = pytest.mark.skipif(not machine.available(), reason="machine code needs llvmlite")


def list_of_the_round_before(rounds):
    """A list that is made in one round is used in the next one, while other lists come and go."""
    last, total = [0, 0], 0
    for number in range(rounds):
        scratch = [number] * 6
        total += last[0] * 3 + last[1] + len(scratch)
        last = [number, total % 7]
        for each in [9] * 5:
            scratch.append(each)
        total += scratch[-1]
    return total, last


def list_first_made_in_a_round(rounds):
    """No list is there before the loop: it is made in one round and read in the next one, behind other lists."""
    total = 0
    for number in range(rounds):
        scratch = [number + 100] * (4 + 8 * number)
        if number > 0:
            total = total * 3 + kept[0] + kept[1] + scratch[3]
        kept = [number, total % 7]
    return total


def list_first_made_in_an_inner_loop(rounds):
    total = 0
    for number in range(rounds):
        for place in range(3):
            scratch = [place + 50] * (5 + 9 * place)
            if place > 0:
                total += kept[0] * scratch[4]
            kept = [number + place] * 2
    return total


def rows_that_go_on(rounds):
    """What a list holds is made in one round and read in later ones."""
    rows = [[0]]
    for number in range(rounds):
        scratch = list(range(number, number + 5))
        rows = [*rows[-2:], [scratch[0], len(rows)]]
        scratch.reverse()
    return rows


def grown(numbers, depth):
    if depth > 0:
        grown(numbers, depth - 1)
    scratch = [depth] * 3
    numbers.append(depth)
    return scratch


def list_grown_by_a_call_whose_result_nobody_reads(rounds):
    """A call takes memory for two lists: for its result, which is gone at once, and for one that goes on."""
    kept = [7]
    for number in range(rounds):
        grown(kept, 3)
        scratch = [number + 100] * 9
        scratch.append(5)
    return kept


def list_given_back_by_a_call(rounds):
    """A function returns a list that the next round still needs."""

    def doubled(numbers):
        scratch = [each + 1 for each in numbers]
        return [each * 2 for each in scratch]

    kept = [1]
    for _ in range(rounds):
        kept = doubled(kept)[:3] + [len(kept)]
    return kept


def digits(number):
    """Call itself, so that it is not written into its caller."""
    return [*digits(number // 10), number % 10] if number > 9 else [number]


def falling(row):
    """Yield what is smaller than the number before it; the generator expression captures the list."""
    for place in range(1, len(row)):
        if any(row[before] > row[place] for before in range(place - 1, place)):
            yield row[place]


def list_captured_in_some_rounds(rounds):
    """A list comes from a call, and a generator that captures it is written into the loop, for some rounds only."""
    total = 0
    for number in range(rounds):
        row = [0] * 400 + digits(number)
        if number % 3:
            total += sum(falling(row[-3:]))
        if number % 2:
            row = [each + 1 for each in row]
        total += len(row)
    return total


def copied_list_of_the_round_before(rounds):
    """What was made in the round before is used only under another name, behind other lists."""
    total = 0
    for number in range(rounds):
        row = last if number > 0 else [5, 6]
        scratch = [number + 100] * (8 << 2 * number)
        total = total * 3 + sum(row) + scratch[0]
        last = [number, total % 7]
    return total


def counted(number, row):
    """Call itself, so that its result is a tuple and not its parts."""
    return counted(number - 7, row) if number >= 7 else (number, [number, *row[:2]])


def part_of_the_round_before(rounds):
    """What was made in the round before is used only as a part of a tuple."""
    total = 0
    for number in range(rounds):
        row = last[1] if number > 0 else [5, 6]
        scratch = [number + 100] * (8 << 2 * number)
        total = total * 3 + sum(row) + scratch[0]
        last = counted(number, [total % 7, number])
    return total


@pytest.mark.parametrize(
    "function",
    [
    list_of_the_round_before, list_first_made_in_a_round, list_first_made_in_an_inner_loop, rows_that_go_on,
    list_given_back_by_a_call, list_captured_in_some_rounds, copied_list_of_the_round_before,
    part_of_the_round_before, list_grown_by_a_call_whose_result_nobody_reads,
])  # fmt: skip
@pytest.mark.parametrize("rounds", [0, 1, 2, 9])
def test_a_list_lives_as_long_as_it_is_used(function, rounds):
    code = compiler.compile(function, compiler.INT)
    assert code(code.variables(), rounds) == function(rounds)


@pytest.mark.parametrize(
    ("function", "rounds"), [(list_of_the_round_before, 400_000), (list_captured_in_some_rounds, 20_000)]
)
def test_memory_of_rounds_is_given_back(function, rounds):
    code = compiler.compile(function, compiler.INT)
    assert code(code.variables(), rounds) == function(rounds)
