"""What Python looks at early, or late, machine code does not look at in another order."""

import itertools
import math

import pytest
import speeds

from ggp import compiler


class WithoutItems:
    pass


class WithoutIterator:
    __iter__ = None

    def __getitem__(self, place):
        return place


class Numbered:
    def __init__(self, count):
        self.count = count

    def __getitem__(self, place):
        if place >= self.count:
            raise IndexError
        return place * place


class Broken:
    def __iter__(self):
        return self

    def __next__(self):
        raise ZeroDivisionError


class WithoutNext:
    def __iter__(self):
        return self


class Counting:
    def __init__(self):
        self.asked = self.given = 0

    def __iter__(self):
        self.asked += 1
        return self

    def __next__(self):
        self.given += 1
        if self.given > 3:
            raise StopIteration
        return self.given


class Needy(Exception):
    def __init__(self, one, other):
        pass


class Owner:
    def __init__(self):
        self.cells = {1, 2, 5}


OWNER = Owner()


def iterators_of_what_has_no_items(x):
    found = 0
    for each in (WithoutItems(), WithoutIterator()):
        try:
            iter(each)
        except TypeError:
            found += x
    return found


def items_by_number(x):
    return [each + x for each in Numbered(x)], sum(Numbered(3)), list(enumerate(Numbered(2))), max(Numbered(x))


def products_of_what_breaks(x):
    try:
        itertools.product(Broken())
    except ZeroDivisionError:
        return x
    return -1


def exceptions_with_too_few_arguments(x):
    try:
        raise Needy(x)
    except TypeError:
        return x
    except Needy:
        return -1


def functions_with_too_few_arguments(x):
    try:
        enumerate()
    except TypeError:
        return x
    return -1


class Pages:
    def __getitem__(self, place):
        return place


class Blocked:
    __bool__ = None


class Broke(Exception):
    def __init__(self):
        raise ZeroDivisionError


def an_exception_that_cannot_be_made(x):
    try:
        raise Broke
    except ZeroDivisionError:
        return x


def a_cause_that_is_none(x):
    try:
        raise ValueError from 5
    except TypeError:
        return x
    except ValueError:
        return -1


def a_class_that_needs_arguments(x):
    try:
        raise Needy
    except TypeError:
        return x
    except Needy:
        return -1


def powers(x):
    found = 0
    for base, exponent in ((0.0, -1.0), (-1.0, 0.5)):
        try:
            math.pow(base, exponent)
        except ValueError:
            found += 1
    return found, math.pow(x, 2.0)


def what_cannot_be_looped_over(x):
    found = 0
    for start in (0, 1):
        try:
            enumerate(x, start)
        except TypeError:
            found += 1
    try:
        itertools.cycle(WithoutItems())
    except TypeError:
        found += 1
    try:
        enumerate((1, 2), "a")
    except TypeError:
        found += 1
    try:
        reversed(Pages())
    except TypeError:
        found += 1
    return found


def zips_of_objects_without_items(x):
    found = 0
    for make in (
        lambda: zip(WithoutItems()),
        lambda: zip(WithoutNext()),
        lambda: zip(WithoutNext(), (1, x)),
        lambda: zip((1, x), WithoutItems()),
    ):
        try:
            make()
        except TypeError:
            found += x
    return found


def zips_of_three_and_strict_zips(x):
    found = 0
    for make in (
        lambda: zip(WithoutItems(), (1, 2), [x]),
        lambda: zip(WithoutNext(), [x], strict=True),
        lambda: zip((each for each in (1, x)), [x], WithoutNext()),
    ):
        try:
            make()
        except TypeError:
            found += x
    return found


def zips_of_numbers_and_none(x):
    found = 0
    for make in (
        lambda: zip(x),
        lambda: zip(x, (1, 2)),
        lambda: map(max, x, (1, 2)),
        lambda: zip([1, 2] if x > 3 else None, [x]),
    ):
        try:
            make()
        except TypeError:
            found += x
    return found


def zips_of_what_breaks(x):
    for make in (lambda: zip(Broken()), lambda: zip(Broken(), [x]), lambda: zip([x], Broken())):
        try:
            make()
        except ZeroDivisionError:
            return -1
    return x


def iterators_are_asked_for_once(x):
    every = [Counting() for _ in range(5)]
    found = (
        list(zip(every[0])),
        list(zip((1, x), every[1])),
        list(zip(every[2], (1, x))),
        list(map(lambda each: each + x, every[3])),
        list(enumerate(every[4])),
    )
    return found, [(each.asked, each.given) for each in every]


def a_zip_that_asks_at_once(x):
    seen = Counting()
    pairs = zip(seen, [x, x])
    asked = seen.asked
    return asked, [one + other for one, other in pairs], seen.asked


def a_pair_that_breaks_behind_the_last(row):
    def below(count):
        for place in range(count):
            yield 6 // row[place]

    try:
        return len([one + other for one, other in zip((each for each in (1, 2)), below(3))])
    except ZeroDivisionError:
        return -1


def a_zip_that_notes(x):
    seen = []

    def noted(count):
        for place in range(count):
            seen.append(place)
            yield place

    return list(zip((1, x), [2, x], noted(3))), seen


def a_zip_behind_a_generator_that_notes(x):
    seen = Counting()
    return list(zip((each for each in (1, x)), seen)), seen.given


def a_count_of_iter(x):
    seen = Counting()
    for each in iter(seen):
        x += each
    return x, seen.asked


def a_truth_value_that_is_blocked(x):
    try:
        return x if Blocked() else -1
    except TypeError:
        return -2


def groups(row, x):
    return [(key, list(group)) for key, group in itertools.groupby(row, lambda each: each // x)]


def first_group(row):
    for key, _ in itertools.groupby(row, lambda each: 6 // each):
        return key
    return -1


def operators_of_known_sets(x):
    found = OWNER.cells | {x}
    return len(found), x in OWNER.cells & {x, 7}, len(OWNER.cells - {x}), OWNER.cells ^ OWNER.cells == set()


def a_caught_key(row):
    try:
        for key, _ in itertools.groupby(row, lambda each: 6 // each):
            return key
    except ZeroDivisionError:
        return -2
    return -1


def a_key_that_reads_the_loop(x):
    other = 0
    found = []
    for key, group in itertools.groupby(range(4), lambda each: each // 2 + other):  # noqa: B023  the point
        other = x
        found.append((key, sum(group)))
    return found


def a_key_that_notes(x):
    seen = []
    for _ in itertools.groupby(range(x), seen.append):
        return len(seen)
    return -1


def a_changed_set(x):
    OWNER.cells.difference_update({x})
    return len(OWNER.cells)


def an_error_of_the_system(x):
    try:
        raise OSError(2, "missing")
    except FileNotFoundError:
        return x


@pytest.mark.parametrize(
    ("function", "rows"),
    [
        (iterators_of_what_has_no_items, [(1,), (3,)]),
        (items_by_number, [(2,), (0,), (5,)]),
        (products_of_what_breaks, [(4,)]),
        (exceptions_with_too_few_arguments, [(4,)]),
        (functions_with_too_few_arguments, [(4,)]),
        (what_cannot_be_looped_over, [(4,)]),
        (zips_of_objects_without_items, [(4,)]),
        (zips_of_three_and_strict_zips, [(4,)]),
        (zips_of_numbers_and_none, [(4,), (2,)]),
        (zips_of_what_breaks, [(4,)]),
        (iterators_are_asked_for_once, [(4,)]),
        (a_zip_that_asks_at_once, [(4,)]),
        (a_cause_that_is_none, [(4,)]),
        (powers, [(4,), (2,)]),
        (a_class_that_needs_arguments, [(4,)]),
        (groups, [((1, 2, 5, 6, 7), 3), ((4, 4, 4, 4, 4), 0)]),
        (first_group, [((1, 2),), ((0, 1),)]),
        (operators_of_known_sets, [(1,), (4,)]),
    ],
)
def test_both_speeds_agree(function, rows):
    assert speeds.disagreements(function, rows) == []


@pytest.mark.parametrize(
    ("function", "given", "result"),
    [
        (a_caught_key, (3, 0), 2),
        (a_pair_that_breaks_behind_the_last, (3, 2, 0), 2),
        (an_error_of_the_system, 7, 7),
        (an_exception_that_cannot_be_made, 7, 7),
    ],
)
def test_an_exception_that_comes_too_early_or_has_another_class_is_left_to_python(function, given, result):
    code = speeds.compile_for(function, [(given,)])
    assert function(given) == result
    with pytest.raises(compiler.Fault):
        code(code.variables(), given)


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (a_key_that_reads_the_loop, r"groupby\(...\) is not compiled if its function reads variables that change"),
        (a_key_that_notes, r"groupby\(...\) with a function or with items that change something"),
        (a_zip_that_notes, r"zip\(...\) of items that change something"),
        (a_zip_behind_a_generator_that_notes, r"zip\(...\) of items that change something"),
        (a_count_of_iter, r"iter\(...\) of an object whose __iter__ changes something"),
        (a_truth_value_that_is_blocked, "Blocked sets __bool__ to None"),
        (a_changed_set, r"set.difference_update\(...\) is not compiled"),
    ],
)
def test_what_may_differ_is_refused(function, sentence):
    with pytest.raises(compiler.Refused, match=sentence):
        speeds.compile_for(function, [(3,)])
