"""Loops over sets: compiled where the order of the items makes no difference, refused elsewhere."""

import itertools

import pytest
from speeds import disagreements

from ggp import compiler
from ggp.compiler.job import Job


def near(cell):
    return {cell - 1, cell + 1}


def has(cells, wanted):
    for each in cells:  # noqa: SIM110
        if each == wanted:
            return True
    return False


def served(n):
    cells = {x for x in range(1, n) if (x + n) % 3}
    grown, reached, total, found = set(), set(), 0, False
    for cell in cells:
        total += cell
        reached |= near(cell)
        if any(each % 2 for each in near(cell)):
            grown.add(cell)
    for cell in cells:
        if cell == 4:
            found = True
            break
    pairs = {(a, b) for a in cells for b in grown if a < b}
    lows = sorted(a - b for a, b in pairs)
    alone = max(cells, key=lambda each: -each)
    return (
        total,
        len(grown),
        sorted(reached | grown),
        found,
        has(cells, 5),
        min(each % 4 for each in cells),
        sum(each * each for each in cells),
        all(a != b for a, b in pairs),
        len({each // 2 for each in cells}),
        lows,
        alone,
    )


@pytest.mark.slow
def test_a_loop_over_a_set_whose_order_makes_no_difference_is_compiled():
    code = compiler.compile(served, compiler.INT)
    for n in range(4, 12):
        assert code(code.variables(), n) == served(n)


def chosen(a, b, c):
    return max({a, b, c}, key=lambda each: each // 10)


def test_python_chooses_among_items_of_a_set_with_the_same_key():
    code = compiler.compile(chosen, *[compiler.INT] * 3)
    assert code(code.variables(), 11, 1, 25) == 25
    with pytest.raises(compiler.Fault):
        code(code.variables(), 1, 21, 25)


def horner(cells):
    n = 0
    for each in cells:
        n = n * 2 + each
    return n


def first(cells):
    for each in cells:
        return each
    return 0


def listed(cells):
    return [each for each in cells][0]


KNOWN = frozenset(("x", "yy"))


def known(_):
    found = [len(each) for each in KNOWN]
    return found[0]


def new_ones(cells):
    seen, n = set(), 0
    for each in cells:
        if each + 1 not in seen:
            seen.add(each)
            n += 1
    return n


def new_ones_by_another_name(cells):
    seen, n = set(), 0
    other = seen
    for each in cells:
        if each + 1 not in other:
            seen.add(each)
            n += 1
    return n


def new_ones_by_a_function(cells):
    seen = set()

    def new(each):
        if each + 1 in seen:
            return 0
        seen.add(each)
        return 1

    return sum(new(each) for each in cells)


def two_constants(cells):
    n = 0
    for each in cells:
        if each > 2:
            n = 5
        if each > 3:
            n = 7
    return n


def two_results(cells):
    for each in cells:
        if each == 3:
            return 1
        if each == 4:
            return 2
    return 0


def total_until(cells):
    n = 0
    for each in cells:
        n += each
        if each == 3:
            break
    return n


def flag_until(cells):
    n = 0
    for each in cells:
        if each == 4:
            n = 1
        if each == 3:
            break
    return n


def numbered(cells):
    return sum(index * each for index, each in enumerate(cells))


def floats(cells):
    return sum(each * 0.1 for each in cells)


def counted_outside(cells):
    n = 1

    def after(each):
        nonlocal n
        n = n * 2 + each
        return n

    return len({after(each) for each in cells})


def kept_in_a_list(cells):
    last = [0]

    def after(each):
        last[0] = last[0] * 2 + each
        return last[0] % 5

    return sum(after(each) for each in cells)


def the_one_before(cells):
    before, n = 0, 0
    for each in cells:
        n += 1 if any(each == before + more for more in (1, 2)) else 0
        before = each
    return n


def the_last(cells):
    last = 0
    for each in cells:
        last = each
    return last


def in_a_dictionary(cells):
    found = {}
    for each in cells:
        found[each] = 1
    return next(iter(found))


@pytest.mark.parametrize(
    "function",
    [
        horner, first, listed, known, new_ones, new_ones_by_another_name, new_ones_by_a_function, two_constants,
        two_results, total_until,
        flag_until, numbered, floats, counted_outside, kept_in_a_list, the_one_before, the_last,
        in_a_dictionary,
    ],
)  # fmt: skip
def test_a_loop_over_a_set_whose_order_counts_is_refused(function):
    def of_a_set(n):
        return function({each * 5 % 7 for each in range(n)})

    with pytest.raises(compiler.Refused, match="Python promises no order for the items of a set"):
        Job(of_a_set, (compiler.INT,), game=None).specialized()


def any_raises(a, b, c):
    return any(10 // each == 3 for each in {a, b, c})


def caught(a, b, c):
    made = set()
    try:
        for each in {a, b, c}:
            made.add(10 // each)
    except ZeroDivisionError:
        return sum(made)
    return sum(made) + 100


def one_of_two_errors(a, b, c):
    table = (1, 2, 3, 4, 5)
    try:
        return sum(table[each] + 3 // each for each in {a, b, c})
    except IndexError:
        return -1
    except ZeroDivisionError:
        return -2


def left(a, b, c):
    last = 0
    for each in {a, b, c}:
        if 10 % each == 1:
            last = 5
            break
    return last


def popped(a, b, c):
    return {a, b, c}.pop()


@pytest.mark.parametrize("function", [any_raises, caught, one_of_two_errors, left, popped])
def test_python_decides_which_item_of_a_set_is_met_before_one_that_raises(function):
    code = compiler.compile(function, compiler.INT, compiler.INT, compiler.INT)
    returned = asked = 0
    for numbers in itertools.product((-9, 0, 1, 3, 12), repeat=3):
        try:
            expected = function(*numbers)
        except (ZeroDivisionError, IndexError) as error:
            expected = type(error)
        try:
            assert code(code.variables(), *numbers) == expected, numbers
            returned += 1
        except compiler.Fault:
            asked += 1
    assert returned
    assert asked


def test_a_return_before_an_item_that_may_raise_is_refused():
    def first(a, b):
        for each in {a, b}:  # noqa: SIM110
            if 10 // each == 3:
                return True
        return False

    with pytest.raises(compiler.Refused, match="after the one that ends the loop may raise"):
        Job(first, (compiler.INT, compiler.INT), game=None).specialized()


def dictionaries_are_compared(a):
    table = {a: 1, 2: a}
    other = {2: a, a: 1}
    lists = {a: [1]}
    known = {2: 2, 1: 1}
    return table == other, table != other, table == {2: 2}, known != table, lists == {a: [1]}, lists == {1: [1]}


def sets_are_no_lists(a):
    return {a} == [a], {a, 2} != (a, 2), [a] == {a}, {a} == frozenset([a]), type(frozenset([a])) is frozenset


def kinds_of_sets(a):
    return isinstance({1, 2}, set), isinstance(frozenset([a]), set), isinstance({a}, frozenset), type({a}) is set


def frozen_sets_are_made_anew(a):
    one = two = frozenset([a])
    two |= {a + 1}
    three = four = {1, 2}
    four |= {a}
    try:
        one.add(3)
    except AttributeError:
        return len(one), len(two), len(three), len({1, 2}), -1
    return len(one), len(two), len(three), len({1, 2}), 0


def what_can_change_is_no_item(a):
    found = []
    for index in range(4):
        try:
            if index == 0:
                found.append(len({(a, [a])}))
            elif index == 1:
                table = {1: 2}
                table[[a]] = 1
                found.append(len(table))
            elif index == 2:
                found.append([a] in {a})
            else:
                found.append(len({a} | [a]))
        except TypeError:
            found.append(-index)
    return found


def more_operators(a):
    one, other = {a, 1, 2}, {1, 2, 3}
    one ^= {a}
    return (
        one < other, one <= other, other > one, sorted({1, 2, 3} - {a}), sorted({1, 2} ^ {a}),
        sorted({5} | frozenset([a])),
        one.issuperset([1]), len({1, a}.union([3], [4])), len({1, 2, a}.intersection([1, 2], [2])),
        sorted({1, 2}.difference([a])), {1, a}.isdisjoint([3]), sorted({1, a}.symmetric_difference([1])),
    )  # fmt: skip


def more_of_dictionaries(a):
    table = dict.fromkeys([1, 2, a], 0)
    table[a] += 1
    lost = table.pop(7, 9), table.pop(a), table.popitem()
    joined = table | {a: 5}
    table.setdefault(8)
    joined.update([(6, a)])
    return lost, list(joined.items()), len(table)


def grows_in_a_loop(a):
    table = {a: 1}
    for key in table:
        table[key + 100] = 2
        if len(table) > 3:
            break
    return len(table)


@pytest.mark.parametrize(
    "function",
    [
        dictionaries_are_compared, sets_are_no_lists, kinds_of_sets, frozen_sets_are_made_anew,
        what_can_change_is_no_item, more_operators, more_of_dictionaries, grows_in_a_loop,
    ],
)  # fmt: skip
def test_sets_and_dictionaries_do_what_they_do_in_python(function):
    assert disagreements(function, [(a,) for a in range(-1, 4)]) == []
