"""Items that machine code gathers before Python asks for them, by zip, zip_longest and groupby."""

import itertools

import pytest
import speeds

from ggp import compiler


class Counting:
    def __init__(self):
        self.given = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.given += 1
        if self.given > 3:
            raise StopIteration
        return self.given


class WithoutItems:
    pass


class Broken:
    def __iter__(self):
        raise ZeroDivisionError


class Walled:
    def __init__(self, row):
        self.row = list(row)


def zips_of_what_has_no_items(row):
    found = 0
    for make in (
        lambda: itertools.zip_longest(WithoutItems(), row),
        lambda: itertools.zip_longest(row, WithoutItems()),
        lambda: itertools.zip_longest(Broken(), row),
        lambda: itertools.zip_longest(row, Broken()),
    ):
        try:
            make()
        except TypeError:
            found += 1
        except ZeroDivisionError:
            found += 100
    return found


def a_list_that_grows(row):
    short, found = [1, 2], []
    for one, other in itertools.zip_longest(list(row), short, fillvalue=7):
        found.append((one, other))
        if len(short) < 5:
            short.append(9)
    return found


def a_first_list_that_grows(row):
    short, found = [1, 2], []
    for one, other in itertools.zip_longest(short, row, fillvalue=7):
        found.append((one, other))
        if len(short) < 4:
            short.append(8)
    return found


def a_list_that_changes_and_shrinks(row):
    rest, found = list(row), []
    for one, other in itertools.zip_longest([1, 2, 3], rest, fillvalue=7):
        found.append((one, other))
        if rest:
            rest[-1] = 5
        if len(rest) > 2:
            rest.pop()
    return found


def generators_that_read_what_stays(row):
    table, found = [each + 1 for each in row], []
    for one, other in itertools.zip_longest((table[each % 3] for each in row), (each * 2 for each in table[1:])):
        found.append((one, other))
    for one, other in zip((each for each in row), (table[0] + each for each in range(9)), strict=False):
        found.append((one, other))
    return found


def a_list_that_is_made_before_the_loop(row):
    table, found = list(row), []
    pairs = zip((each for each in row), (each for each in table), strict=False)
    table[0] = 5
    for one, other in pairs:
        found.append(one + other)
    return found


def texts_and_ranges(row):
    return list(itertools.zip_longest("abc", row, fillvalue=None)), list(itertools.zip_longest(range(2), row))


@pytest.mark.parametrize(
    "function",
    [
        zips_of_what_has_no_items,
        a_list_that_grows,
        a_first_list_that_grows,
        a_list_that_changes_and_shrinks,
        generators_that_read_what_stays,
        a_list_that_is_made_before_the_loop,
        texts_and_ranges,
    ],
)
@pytest.mark.parametrize("row", [(1,), (3, 0, 1), (2, 3, 1, 1, 2)])
def test_both_speeds_agree(function, row):
    if len(row) > 2 or function is not generators_that_read_what_stays:
        assert speeds.disagreements(function, [(row,)]) == []


def quotients(row):
    for each in row:
        yield 6 // each


def a_quotient_behind_a_pair(row):
    seen = 0
    try:
        for one, other in itertools.zip_longest(row, quotients(row), fillvalue=0):
            seen = 10 * seen + one + other
    except ZeroDivisionError:
        seen += 1000
    return seen


def a_quotient_before_a_pair(row):
    seen = 0
    try:
        for one, other in itertools.zip_longest(quotients(row), row, fillvalue=0):
            seen = 10 * seen + one + other
    except ZeroDivisionError:
        seen += 1000
    return seen


@pytest.mark.parametrize("function", [a_quotient_behind_a_pair, a_quotient_before_a_pair])
def test_an_exception_that_comes_too_early_is_left_to_python(function):
    code = speeds.compile_for(function, [((3, 0, 1),)])
    assert function((3, 0, 1)) == 1005
    with pytest.raises(compiler.Fault):
        code(code.variables(), (3, 0, 1))


def a_generator_that_reads_a_list(row):
    log, found = [0], []
    for one, other in itertools.zip_longest(row, (log[0] for _ in range(3)), fillvalue=7):
        found.append(one + other)
        log[0] += 1
    return found


def a_first_generator_that_reads_a_list(row):
    log, found = [0], []
    for one, other in itertools.zip_longest((log[0] for _ in range(3)), row, fillvalue=7):
        found.append(one + other)
        log[0] += 1
    return found


def a_zip_of_a_generator_that_reads_a_list(row):
    log, found = [0], []
    for one, other in zip((each for each in row), (log[0] for _ in range(3)), strict=False):
        found.append(one + other)
        log[0] += 1
    return found


def a_zip_of_three_that_reads_a_list(row):
    log, found = [0], []
    for one, other, third in zip(row, row, (log[0] for _ in range(3)), strict=False):
        found.append(one + other + third)
        log[0] += 1
    return found


def a_generator_that_reads_a_variable(row):
    log, found = 0, []
    for one, other in zip((each for each in row), (log for _ in range(3)), strict=False):
        found.append(one + other)
        log += other + 1
    return found


def a_generator_that_reads_an_object(row):
    held, found = Walled(row), []
    for one, other in zip((each for each in row), (held.row[0] for _ in range(3)), strict=False):
        found.append(one + other)
        held.row = [5]
    return found


def filled(row, other):
    """Change one of two lists that may be the same."""
    found = []
    for one, each in zip((each for each in (1, 2, 3)), (each for each in row), strict=False):
        found.append(one + each)
        other[-1] = 7
    return found


def two_lists_that_are_one(row):
    same = list(row)
    return filled(same, same)


def a_map_of_a_generator(row):
    log, found = [0], []
    for each in map(max, (each for each in row), (log[0] for _ in range(3))):
        found.append(each)
        log[0] += 1
    return found


def groups_of_a_list_that_changes(row):
    table, found = list(row), []
    for key, _ in itertools.groupby(table):
        found.append(key)
        table[-1] = 9
    return found


READS = "of items that read what the loop changes is not compiled; make a list of them first"


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (a_generator_that_reads_a_list, rf"zip_longest\(...\) {READS}"),
        (a_first_generator_that_reads_a_list, rf"zip_longest\(...\) {READS}"),
        (a_zip_of_a_generator_that_reads_a_list, rf"zip\(...\) {READS}"),
        (a_zip_of_three_that_reads_a_list, rf"zip\(...\) {READS}"),
        (a_generator_that_reads_a_variable, rf"zip\(...\) {READS}"),
        (a_generator_that_reads_an_object, rf"zip\(...\) {READS}"),
        (two_lists_that_are_one, rf"zip\(...\) {READS}"),
        (a_map_of_a_generator, rf"zip\(...\) {READS}"),
        (
            groups_of_a_list_that_changes,
            r"groupby\(...\) with a function or with items that read what the loop changes",
        ),
        (
            lambda row: list(itertools.zip_longest(row, Counting())),
            r"zip_longest\(...\) of items that change something",
        ),
        (lambda row: list(itertools.zip_longest(row, row, row)), r"is compiled only for two arguments; got 3"),
        (lambda row: list(zip(row, row[1:], strict=row[0] > 7)), r"for a value of strict that is known: True or False"),
    ],
)
def test_what_may_differ_is_refused(function, sentence):
    with pytest.raises(compiler.Refused, match=sentence):
        speeds.compile_for(function, [((3, 0, 1),)])
