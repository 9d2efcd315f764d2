"""Lists with two names, and lists that are changed while something else still refers to them."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])
ALIASED: dict[str, tuple[Callable[..., object], str | None]] = {}


def refused(sentence: str | None = None) -> Callable[[FunctionT], FunctionT]:
    """Enter a function into the table, with what is said where it is refused."""

    def enter(function: FunctionT) -> FunctionT:
        ALIASED[function.__name__] = function, sentence
        return function

    return enter


agree = refused()


class Board(NamedTuple):
    cells: tuple[int, ...]
    turn: int


def itself(items):
    return items


def greatest(items):
    return max(items)


def lists_of(items):
    for i in range(3):
        items = list(items)
        items[0] = i
        yield items


def same_list_again(items):
    own = list(items)
    for i in range(3):
        own[0] = i
        yield own


def fills_a_default(item, seen=[]):  # noqa: B006
    seen.append(item)
    return len(seen)


def changes_its_argument(items):
    items[0] = 9
    return items[1]


@agree
def second_name(x, b):
    a = list(b)
    c = a
    a[0] = 99
    return c[0]


@agree
def second_name_is_changed(x, b):
    a = list(b)
    c = a
    c[0] = 99
    return a[0]


@agree
def copied_by_list(x, b):
    a = list(b)
    c = list(a)
    a[0] = 99
    return c[0] + a[0]


@agree
def copied_growing_list(x, b):
    a = []
    for i in b:
        a.append(i)
    c, d, e, f = list(a), a[:], a.copy(), tuple(a)
    a[0] = 99
    a.append(5)
    return c[0] + d[0] + e[0] + f[0] + a[0], len(c) + len(d), sum(a)


@agree
def copied_lists_are_changed(x, b):
    a = []
    for i in b:
        a.append(i)
    c = list(a)
    d = a[:]
    c[0] += 7
    d.append(x)
    return sum(a), sum(c), sum(d)


@agree
def sorted_list_is_changed(x, b):
    a = []
    a.extend(b)
    c = sorted(a)
    c[0] = 99
    return a[0], c[0]


@agree
def part_of_a_tuple(x, b):
    a = list(b)
    kept = (a, x)
    a[1] = 99
    return kept[0][1]


@agree
def part_of_a_tuple_at_the_end(x, b):
    a = list(b)
    a[1] = 99
    kept = (a, x)
    return kept[0][1]


@agree
def part_of_a_list(x, b):
    a = list(b)
    rows = []
    for i in range(3):
        a[0] = i
        rows.append(a)
    return rows[0][0] + rows[1][0]


@agree
def bound_anew_each_time(x, b):
    rows = []
    for i in range(3):
        a = list(b)
        a[0] = i
        rows.append(a)
    return rows[0][0] + rows[1][0] * 5 + rows[2][1]


@agree
def rows_that_are_one_list(x, b):
    grid = [[0] * 3] * 3
    grid[0][x % 3] = 1
    return grid[1][x % 3]


@agree
def rows_of_their_own(x, b):
    grid = [[0] * 3 for _ in range(3)]
    grid[0][x % 3] = 1
    return grid[1][x % 3], grid[0]


@agree
def rows_copied_together(x, b):
    grid = [[0] * 3 for _ in range(3)]
    other = list(grid)
    other[0][0] = x
    return grid[0][0]


@agree
def rows_copied_one_by_one(x, b):
    grid = ((b[0], b[1]), (b[2], b[3]))
    other = [list(row) for row in grid]
    other[0][1] = x
    return other[0][1] + grid[0][1], tuple(map(tuple, other))


@agree
def row_put_into_rows(x, b):
    grid = [[0] * 2 for _ in range(2)]
    row = [x, x]
    grid[0] = row
    grid[0][1] = 50
    return row[1]


@agree
def row_taken_from_rows(x, b):
    grid = [[0] * 2 for _ in range(2)]
    row = grid[0]
    row[0] = x
    return grid[0][0]


@agree
def rows_changed_one_after_the_other(x, b):
    grid = [[1] * 2 for _ in range(2)]
    for row in grid:
        row[0] = x
    return sum(sum(row) for row in grid)


@agree
def rows_unpacked(x, b):
    grid = [[1] * 2 for _ in range(2)]
    first, second = grid
    first[0] = x
    return grid[0][0] + second[0]


@agree
def two_names_in_one_assignment(x, b):
    a = list(b)
    c, d = a, a
    c[0] = 99
    return d[0]


@agree
def names_change_places(x, b):
    a, c = list(b), [x] * 4
    a[0] = 5
    a, c = c, a
    a[1] = 7
    return a, c


@agree
def two_targets(x, b):
    a = c = list(b)
    a[0] = 99
    return c[0] if x > 100 else itself(c)[0]


@agree
def changed_while_run_through(x, b):
    a = list(b)
    total = 0
    for c in a:
        a[3] = x
        total = total * 3 + c
    return total


@agree
def grows_while_run_through(x, b):
    a = [x]
    for c in a:
        if len(a) < 5:
            a.append(c + 1)
    return len(a)


@agree
def changed_while_enumerated(x, b):
    a = list(b)
    for i, c in enumerate(a):
        a[(i + 1) % 4] = c
    return tuple(a)


@agree
def changed_while_its_copy_is_run_through(x, b):
    a = list(b)
    for i, c in enumerate(list(a)):
        a[(i + 1) % 4] = c + x
    return tuple(a)


@agree
def changed_while_its_places_are_run_through(x, b):
    a = list(b)
    for i in range(len(a)):
        a[(i + 1) % 4] += a[i]
    return tuple(a)


@agree
def loop_left_after_a_change(x, b):
    a = list(b)
    for i, c in enumerate(a):
        if c == x:
            a[i] = 50
            break
    return tuple(a)


@refused("items of a tuple of 4 × whole number cannot be changed; make a list of it first")
def parameter_is_changed(x, b):
    return changes_its_argument(b) if x > 100 else x


@refused("a list that is part of the game or of a module is changed; copy it first")
def default_is_changed(x, b):
    return fills_a_default(x)


@agree
def returned_by_a_function(x, b):
    a = list(b)
    c = itself(a)
    a[0] = 99
    return c[0]


@agree
def looked_at_by_a_function(x, b):
    a = list(b)
    best = greatest(a)
    a[0] = 99
    return best + greatest(a)


@agree
def part_of_a_named_tuple(x, b):
    a = list(b)
    board = Board(a, x)
    a[0] = 99
    return board.cells[0]


@agree
def tuple_in_a_named_tuple(x, b):
    a = list(b)
    board = Board(tuple(a), x)
    a[0] = 99
    return board.cells[0] + a[0], board


@agree
def yielded_lists_of_their_own(x, b):
    return sum(items[0] for items in lists_of(b)), [items[0] for items in lists_of(b)][0]


@agree
def one_list_yielded_again_and_again(x, b):
    kept = []
    for items in same_list_again(b):
        kept.append(items)
    return kept[0][0]


@agree
def seen_by_a_generator_expression(x, b):
    a = list(b)
    items = (c + 1 for c in a)
    a[0] = 99
    return sum(items)


@agree
def one_or_the_other(x, b):
    a, c = list(b), [0] * 4
    d = a if x > 1 else c
    a[0] = 99
    return d[0]


@agree
def grows_by_addition(x, b):
    a = [x]
    c = a
    a += [5]
    return len(c)


@agree
def tuple_grows_by_addition(x, b):
    a = b
    c = a
    a = a + (5, x)
    return len(c), len(a), a


@agree
def changed_through_the_walrus(x, b):
    a = list(b)
    total = (c := a)[0]
    c[0] = 99
    return total + a[0]


@agree
def rows_are_changed_in_a_loop(x, b):
    rows = [list(b), [x] * len(b), list(b[::-1])]
    for row in rows:
        if row[0] > 0:
            row[0] = x
            break
        row[1] += 2
    return tuple(sum(row) for row in rows), tuple(tuple(row) for row in rows)


@agree
def rows_are_changed_in_numbered_loops(x, b):
    rows = [[0] * 3 for _ in range(3)]
    for i, row in enumerate(rows):
        for j in range(3):
            row[j] = i * j + x
    for row in rows:
        row[0] -= b[0]
    return tuple(tuple(row) for row in rows)


@agree
def a_row_that_has_a_name_is_changed(x, b):
    rows = [list(b), list(b)]
    r = x % 2
    row = rows[r]
    row[0] = 7
    row[1] = row[0] + 1
    return tuple(tuple(each) for each in rows)


@agree
def a_row_outlives_its_place(x, b):
    rows = [list(b), list(b)]
    r = 0
    row = rows[r]
    r = 1
    row[0] = x
    return rows[0][0], rows[r][0]


@agree
def a_row_is_replaced_while_it_is_changed(x, b):
    rows = [list(b), list(b)]
    for row in rows:
        rows[0] = [x] * len(b)
        row[0] = 5
    return rows[0][0], rows[1][0]


@agree
def a_row_is_used_after_its_loop(x, b):
    rows = [list(b), list(b)]
    for row in rows:
        row[0] = x
    row[1] = 3
    return rows[1][1]


@agree
def rows_of_somebody_else_are_changed(x, b):
    own = list(b)
    rows = [own, own]
    for row in rows:
        row[0] += x
    return rows[0][0]


@agree
def a_dictionary_is_filled(x, b):
    board = {}
    for place, each in enumerate(b):
        board[place] = each + x
    return board[0]


@refused("items of a set cannot be changed; make a list of it first")
def a_set_is_filled(x, b):
    seen = set()
    for each in b:
        seen[each] = x
    return len(seen)


@agree
def a_name_of_a_tuple_becomes_that_of_a_list(x, b):
    board, turn = b, x
    board = list(board)
    board[0] = turn
    return tuple(board), b


@agree
def a_name_is_bound_anew_in_each_round(x, b):
    total = 0
    for i in range(3):
        board = b
        total += board[0]
        board = list(board)
        board[0] = i + x
        total += board[0] + b[0]
    return total


@agree
def a_name_is_bound_anew_on_one_way_only(x, b):
    own = list(b)
    board = own
    if x > 0:
        board = list(own)
    board[0] = 99
    return own[0]


@agree
def a_name_is_bound_anew_after_the_change(x, b):
    own = list(b)
    board = own
    board[0] = 99
    board = list(own)
    board[0] = 98
    return own[0]


@agree
def a_name_is_bound_anew_where_an_error_may_come_first(x, b):
    own = list(b)
    board = own
    try:
        x = 1 // x
        board = list(own)
    except ZeroDivisionError:
        x = 5
    board[0] = x
    return own[0]
