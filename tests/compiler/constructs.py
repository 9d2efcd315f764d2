"""What people write in rules: one small function for each construct, and the arguments that it is tried on."""

import bisect
import builtins
import collections
import copy
import dataclasses
import decimal
import enum
import functools
import heapq
import itertools
import math
import operator
import random
import time
from collections.abc import Callable
from typing import ClassVar, NamedTuple, TypedDict, TypeVar

import attrs

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])
Rows = tuple[tuple[object, ...], ...]
CONSTRUCTS: dict[str, tuple[Callable[..., object], Rows, str | None]] = {}

USUAL: Rows = (
    (0, (0, 1, 2, 1)), (1, (0, 1, 2, 1)), (2, (5, -1, 2, 0)), (3, (1, 1, 1, 1)), (7, (9, 8, 7, 6)), (-1, (-3, 0, 0, 4)),
)  # fmt: skip
"""A number and a board of four."""
NUMBERS: Rows = tuple((a, b) for a in (-7, -1, 0, 1, 3, 8, 63, 64) for b in (-8, -3, -1, 0, 1, 2, 5, 62, 63, 64, 65))
LARGE: Rows = tuple(
    (a, b)
    for a in (-(1 << 63), -(1 << 62), -(1 << 53) - 1, -2, 0, 1, 1 << 31, (1 << 53) + 1, (1 << 62) - 1, (1 << 63) - 1)
    for b in (-(1 << 63), -1, 0, 1, 2, 3, 63, 1 << 32, (1 << 53) + 1, (1 << 63) - 1)
)
FRACTIONS: Rows = tuple((a, b) for a in (-2.5, -1.0, -0.5, 0.0, 0.5, 1.5, 2.5, 1e16) for b in (-3, -1, 0, 1, 2, 7))


def on(rows: Rows, refused: str | None = None) -> Callable[[FunctionT], FunctionT]:
    """Enter a function into the table.

    Arguments:
        refused: what is said where it is not compiled, as a regular expression; None where it is.
    """

    def enter(function: FunctionT) -> FunctionT:
        assert function.__name__ not in CONSTRUCTS, function.__name__
        CONSTRUCTS[function.__name__] = function, rows, refused
        return function

    return enter


def digest(items):
    """Return one number for a list of numbers and tuples of two."""
    total = 0
    for each in items:
        total = (total * 31 + each) % 1_000_003
    return total


class Side(enum.IntEnum):
    NORTH = 0
    SOUTH = 1

    @property
    def other(self) -> "Side":
        return Side(1 - self)


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"
    GREEN = "g"

    def next(self) -> "Colour":
        return Colour.BLUE if self is Colour.RED else Colour.GREEN


class Pair(NamedTuple):
    left: int
    right: int = 7

    @property
    def sum(self) -> int:
        return self.left + self.right

    def swapped(self) -> "Pair":
        return Pair(self.right, self.left)


@attrs.frozen
class Point:
    row: int
    column: int = 7
    tags: tuple[int, ...] = attrs.field(factory=lambda: (1, 2))

    @property
    def size(self) -> int:
        return abs(self.row) + abs(self.column)

    def moved(self, rows: int, columns: int = 0) -> "Point":
        return attrs.evolve(self, row=self.row + rows, column=self.column + columns)

    @classmethod
    def origin(cls) -> "Point":
        return cls(0, 0)

    @staticmethod
    def double(number: int) -> int:
        return 2 * number


@dataclasses.dataclass(frozen=True)
class Card:
    rank: int
    suit: Colour = Colour.RED
    seen: tuple[int, ...] = dataclasses.field(default_factory=tuple)

    def beats(self, other: "Card") -> bool:
        return self.rank > other.rank


PRIMES = frozenset({2, 3, 5, 7})
SQUARES = {0: 0, 1: 1, 2: 4, 3: 9}
NAMES = {"a": 1, "b": 2}
NESTED = {(0, 1): "a", (1, 0): "b"}
TABLE = ((1, 2), (3, 4))
RAGGED = ((0, 1, 2), (3,), (), (4, 5))
LINES = ((0, 1), (1, 2), (2, 3), (0, 3))
WEIGHTS = [3, 1, 4, 1]


# Arithmetic -------------------------------------------------------------------------------------------------------


@on(NUMBERS + LARGE)
def added(a, b):
    return a + b


@on(NUMBERS + LARGE)
def subtracted(a, b):
    return a - b


@on(NUMBERS + LARGE)
def multiplied(a, b):
    return a * b


@on(NUMBERS + LARGE)
def floor_divided(a, b):
    return a // b


@on(NUMBERS + LARGE)
def remainder(a, b):
    return a % b


@on(NUMBERS)
def both_at_once(a, b):
    return divmod(a, b)


@on(NUMBERS)
def comparisons_by_name(a, b):
    compared = operator.lt(a, b), operator.le(a, b), operator.gt(a, b), operator.ge(a, b)
    return compared, operator.eq(a, b), operator.ne(a, b), operator.lt(a, "x") if a == b else a


@on(NUMBERS)
def wrong_arguments_that_are_known(a, b):
    found = [a]
    try:
        found.append(abs("x"))
    except TypeError:
        found.append(b)
    try:
        found.append(round("x"))
    except TypeError:
        found.append(b + 1)
    return found, [*itertools.product((1, 2), (3, 4))][a & 3]


@on(NUMBERS + LARGE)
def divided(a, b):
    return a / b


@on(NUMBERS + LARGE)
def shifted_left(a, b):
    return a << b if b < 1 << 20 else 0


@on(NUMBERS + LARGE)
def shifted_right(a, b):
    return a >> b


@on(NUMBERS)
def raised(a, b):
    return a**b


@on(((2, 3), (-2, 62), (2, 62), (2, 63), (3, 40), (10, 18), (10, 19), (0, 0), (-1, 63)))
def raised_far(a, b):
    return a**b


@on(((2.0, 3), (0.5, 2), (-2.0, 3), (9.0, 0), (0.0, -1), (2.0, -1), (1e200, 2)))
def fraction_raised(a, b):
    return a**b


@on(NUMBERS + LARGE)
def bitwise(a, b):
    return (a & b, a | b, a ^ b, ~a)


@on(NUMBERS + LARGE)
def negated(a, b):
    return (-a, +b, abs(a))


@on(LARGE)
def masked_64(a, b):
    return (a & (1 << 64) - 1) + (b & 1)


@on(LARGE)
def popcount(a, b):
    return a.bit_count() + b.bit_length()


@on(NUMBERS)
def popcount_of_text(a, b):
    return bin(a).count("1")


@on(FRACTIONS)
def fraction_and_number(a, b):
    return (a + b, a - b, a * b, a < b, a == b, a >= b)


@on(FRACTIONS)
def fraction_divided(a, b):
    return a / b


@on(FRACTIONS)
def fraction_floor_divided(a, b):
    return a // b


@on(FRACTIONS)
def fraction_remainder(a, b):
    return a % b


@on(FRACTIONS)
def rounded(a, b):
    return (round(a), math.floor(a), math.ceil(a), int(a), math.trunc(a))


@on(LARGE)
def large_as_fraction(a, b):
    return float(a) + b


@on(LARGE)
def large_compared_with_fraction(a, b):
    return a < b * 0.5


@on(NUMBERS)
def number_or_fraction(a, b):
    return 1 if a > b else 0.5


@on(NUMBERS)
def grows_into_fraction(a, b):
    total = 0
    for step in range(abs(b)):
        total = total + a / 2 if step % 2 else total + a
    return total


@on(NUMBERS)
def truth_arithmetic(a, b):
    return (a > 1) + (b > 2) * 5 + True - (a == b)


@on(NUMBERS)
def truth_bits(a, b):
    return ((a > 1) & (b > 2), (a > 1) | (b > 2), (a > 1) ^ (b > 2), ~(a > 1), -(b > 1))


@on(NUMBERS)
def truth_and_number(a, b):
    return ((a > 1) & b, (a > 1) | b, (a > 1) << 3, (a > b) == 1, (a > b) < b)


@on(NUMBERS)
def or_value(a, b):
    return a or b or 7


@on(NUMBERS)
def and_value(a, b):
    return a and b and a + b


@on(NUMBERS)
def not_value(a, b):
    return not a, not (a and b)


@on(NUMBERS)
def chained(a, b):
    return (0 < a < b, a <= b <= 5 < 63, a != b != 0, 0 <= a == b)


@on(NUMBERS)
def remainder_of_a_row(a, b):
    return divmod(a * 3 + 1, 5)[0] * 10 + (b - 1) % 4


@on(NUMBERS)
def mathematics(a, b):
    return (math.gcd(a, b), math.isqrt(abs(a)), math.sqrt(abs(b)), math.comb(abs(a) % 20, abs(b) % 20))


@on(NUMBERS)
def mathematics_of_products(a, b):
    return math.prod((a, b, 2)) + math.prod(c + 1 for c in range(3))


@on(NUMBERS)
def least_and_greatest(a, b):
    return (min(a, b), max(a, b, 3), min(a, 2.5), max((a, b)), min([a, b, 0]))


@on(NUMBERS)
def counted_down(a, b):
    return digest([number for number in range(b, a, -3)][:4]) if -9 < b < 9 else 0


@on(NUMBERS)
def in_a_range(a, b):
    return (a in range(b), a in range(0, 9, 2), a in range(9, 0, -3), b in range(-3, a))


@on(NUMBERS)
def length_of_ranges(a, b):
    return (len(range(a, b)), len(range(b, a, -2)), len(range(0, a, 3)))


# Names, branches, loops -------------------------------------------------------------------------------------------


@on(USUAL)
def walrus(x, b):
    return y * 2 if (y := x + 1) > 2 else y


@on(USUAL)
def walrus_in_a_loop(x, b):
    total = 0
    while (x := x + 1) < 5:
        total += x
    return total, x


@on(USUAL)
def unset_on_one_way(x, b):
    if x < 2:
        y = 1
    return y


@on(USUAL)
def unset_after_a_loop(x, b):
    for i in range(x):
        last = b[i % 4]
    return last, i


@on(USUAL)
def carried_from_turn_to_turn(x, b):
    total = 0
    for i in range(4):
        if i > 0:
            total = total * 3 + before
        before = b[i]
    return total


@on(USUAL)
def deleted(x, b):
    y = x
    del y
    return x


@on(USUAL)
def used_after_it_is_deleted(x, b):
    y = x + 1
    if x > 1:
        del y
    return y


@on(USUAL)
def swapped_names(x, b):
    a, c = x, 5
    a, c = c, a
    return a - c


@on(USUAL)
def rotated_names(x, b):
    p, q, r = b[0], b[1], x
    for _ in range(4):
        p, q, r = q, r, p + 1
    return p, q, r


@on(USUAL)
def while_else(x, b):
    while x < 10:
        x += 3
        if x == 8:
            break
    else:
        x += 100
    return x


@on(USUAL)
def for_else(x, b):
    for c in b:
        if c == x:
            found = c
            break
    else:
        return -1
    return found


@on(USUAL)
def nested_break_and_continue(x, b):
    total = 0
    for i in range(6):
        if i == x:
            continue
        for c in b:
            if c == i:
                break
            total += c
        else:
            total += 100
    return total


@on(USUAL)
def assigned_loop_variable(x, b):
    total = 0
    for i in range(5):
        total = total * 10 + i
        i += x
        total += i
    return total


@on(USUAL)
def return_inside_loops(x, b):
    for i, c in enumerate(b):
        for j in range(i):
            if b[j] == c:
                return i, j
    return None


@on(USUAL)
def enumerated_from(x, b):
    total = 0
    for i, c in enumerate(b, start=x):
        total += i * c
    return total


@on(USUAL)
def zipped(x, b):
    return sum(c * w for c, w in zip(b, WEIGHTS)), digest([c - d for c, d in zip(b, b[1:])])


@on(USUAL)
def zipped_columns(x, b):
    rows = ((b[0], b[1]), (b[2], b[3]))
    return digest([sum(column) for column in zip(*rows)])


@on(USUAL)
def run_backwards(x, b):
    total = 0
    for c in reversed(b):
        total = total * 10 + c
    for i in reversed(range(3)):
        total = total * 2 + i
    return total


@on(USUAL)
def match_numbers(x, b):
    match x:
        case 1:
            return 10
        case 2 | 3:
            return 20
        case y if y < 0:
            return y
        case _:
            return 30


@on(USUAL)
def match_tuples(x, b):
    match (x, b[0]):
        case (1, y):
            return y
        case (a, 0):
            return a + 100
        case (a, y):
            return a * y
    return None


@on(USUAL)
def match_parts(x, b):
    match b:
        case (0, 1, *rest):
            return rest[0]
        case _:
            return -1


@on(USUAL)
def match_records(x, b):
    match Point(x, b[0]):
        case Point(row=0):
            return -5
        case Point(1, column):
            return column
        case Point(row=r, column=c):
            return r * 10 + c


@on(USUAL)
def match_truth(x, b):
    match x > 1:
        case True:
            return 1
        case False:
            return 0


@on(USUAL)
def match_a_number_with_truth(x, b):
    match x:
        case True:
            return 1
        case None:
            return 2
        case _:
            return 0


@on(USUAL, refused="isinstance.* cannot distinguish types of numbers")
def match_classes(x, b):
    match x:
        case bool():
            return 3
        case int(n):
            return n + 1
    return 0


@on(USUAL)
def caught(x, b):
    try:
        return b[x]
    except IndexError:
        return -1


@on(USUAL)
def caught_as(x, b):
    try:
        return b.index(x)
    except (ValueError, KeyError):
        return -2


@on(USUAL)
def caught_from_a_call(x, b):
    try:
        y = 10 // x
        z = y + 1
    except ZeroDivisionError:
        y = 7
    else:
        y = z
    return y


@on(USUAL)
def caught_again(x, b):
    try:
        try:
            return b[x]
        except IndexError:
            raise
    except IndexError:
        return 99


@on(USUAL)
def cleaned_up(x, b):
    total = 0
    try:
        total += b[x]
    except IndexError:
        total = 5
    finally:
        total += 100
    return total


@on(USUAL)
def raised_with_a_text(x, b):
    if x > 2:
        raise ValueError(f"too large: {x} of {b}")
    return x


@on(USUAL)
def asserted(x, b):
    if not x < 3:
        raise AssertionError(f"{x}")
    return x


# Tuples and lists -------------------------------------------------------------------------------------------------


@on(USUAL[:4])
def item_replaced_by_slices(x, b):
    return b[:x] + (9,) + b[x + 1 :]


@on(USUAL[:4])
def item_replaced_by_stars(x, b):
    return (*b[:x], 9, *b[x + 1 :])


@on(USUAL)
def item_replaced_in_a_list(x, b):
    board = list(b)
    board[x] = 9
    return tuple(board)


@on(USUAL)
def items_swapped_in_a_list(x, b):
    board = list(b)
    board[0], board[x] = board[x], board[0]
    return tuple(board)


@on(USUAL)
def items_swapped_by_a_third(x, b):
    board = list(b)
    kept = board[1]
    board[1] = board[x]
    board[x] = kept
    return board


@on(USUAL)
def sowed(x, b):
    board = list(b)
    seeds, board[0] = board[0], 0
    place = 0
    while seeds > 0:
        place = (place + 1) % len(board)
        board[place] += 1
        seeds -= 1
    return tuple(board)


@on(USUAL)
def appended(x, b):
    found = []
    for i, c in enumerate(b):
        if c > x:
            found.append(i)
            found.append(c * 2)
    return sum(found) * 10 + len(found)


@on(USUAL)
def appended_and_read(x, b):
    found = []
    for c in b:
        found.append(c)
        found += [c + 1, c + 2]
        found.extend([x])
    return found[3], found[-1], found[x], len(found)


@on(USUAL)
def lists_unset_on_one_way(x, b):
    if x > 1:
        items = list(b)
        others = [x]
        others.append(3)
    items[0] = 7
    others.append(x)
    others += [5]
    return sum(items) + sum(others) + others.pop()


@on(USUAL)
def list_unset_after_a_loop(x, b):
    for i in range(x):
        items = list(b)
    items += [x, 1]
    return sum(items)


@on(USUAL)
def popped(x, b):
    stack = [1, 2]
    for c in b:
        stack.append(c)
    total = 0
    while stack:
        total = total * 3 + stack.pop()
    return total


@on(USUAL)
def popped_from_the_front(x, b):
    queue = [x]
    seen = 0
    while queue:
        first = queue.pop(0)
        seen = seen * 5 + first
        if first < 3 and len(queue) < 3:
            queue.append(first + 1)
    return seen


@on(USUAL)
def inserted_and_removed(x, b):
    items = [3, 1, 2]
    items.insert(0, x)
    items.insert(2, 8)
    items.remove(1)
    items.reverse()
    return items[0] * 10 + items[1], len(items), digest(items)


@on(USUAL)
def sorted_in_place(x, b):
    items = [x, *b]
    items.append(4)
    items.sort()
    return items[0], items[-1]


@on(USUAL)
def cleared(x, b):
    items = [x]
    items.append(3)
    if x > 1:
        items.clear()
    items.append(5)
    return len(items), items[0]


@on(USUAL)
def lists_of_lists(x, b):
    grid = [[0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            grid[i][j] = b[i] * j + x
    grid[1][2] += 5
    return sum(sum(row) for row in grid), grid[2][1], tuple(tuple(row) for row in grid)


@on(USUAL)
def list_repeated(x, b):
    counts = [0] * 5
    for c in b:
        counts[c % 5] += 1
    return tuple(counts)


@on(USUAL)
def slices(x, b):
    return (b[1:], b[:-1], b[::-1], b[::2], b[1:3], b[-2:], b[3:1:-1])


@on(USUAL)
def slices_at_run_time(x, b):
    return (sum(b[x:]), len(b[:x]), sum(b[-x:]), sum(b[x - 2 : x]))


@on(USUAL)
def slices_with_steps_at_run_time(x, b):
    return sum(b[x::2])


@on(USUAL)
def negative_index(x, b):
    return b[-1] + b[x - 3]


@on(USUAL)
def membership(x, b):
    return (x in b, x not in b, x in {1, 2, 3}, x in PRIMES, x in (0, None), x in [1, 5], (x, 1) in LINES)


@on(USUAL)
def index_and_count(x, b):
    return (b.count(1), b.count(x), (3, 1, 2, 0, -1, 7).index(x), b.index(b[3]))


@on(USUAL)
def star_unpacking(x, b):
    first, *rest = b
    *start, last = rest
    (a, c), d = (x, first), last
    return first + rest[0] * 2 + last * 3 + len(start), a, c, d


@on(USUAL)
def star_arguments(x, b):
    return max(*b, x), Pair(*b[:2]), [*b, *range(2)]


@on(USUAL)
def nested_tuples(x, b):
    state = ((b[0], (x, True)), b[1:])
    (p, (q, flag)), rest = state
    return (rest, ((q, p), flag)), state[0][1][0], state[1][-1]


@on(USUAL)
def tuples_compared(x, b):
    return (b == (0, 1, 2, 1), b < (1, 0, 0, 0), (x, 2) >= (1, 2), b != b[::-1], (x,) < (x, 1), b[:2] == (0, 1))


@on(USUAL)
def lists_compared(x, b):
    return [c for c in b if c > 0] == [1, 2, 1], [c for c in b if c] < [2], [c for c in b if c > 99] == []


@on(USUAL)
def tuple_or_nothing(x, b):
    return (x, 1) if x > 1 else None


@on(USUAL)
def tuple_of_two_kinds_or_nothing(x, b):
    best = ("drop" if x else "pop", (b[0], 1.5)) if x > 1 else None
    return sum(best == (kind, (each, 1.5)) for kind in ("drop", "pop") for each in b), best != ("drop", (5, 1.5))


@on(USUAL)
def sums(x, b):
    return (
        sum(b),
        sum(c * w for c, w in zip(b, WEIGHTS)),
        sum([c for c in b if c > 0]),
        sum(b, 10),
        sum(c > 0 for c in b),
    )


@on(USUAL)
def sum_of_tuples(x, b):
    return sum(((c, c + 1) for c in b), ())


@on(((0.1, (0.1, 0.2, 0.3, 0.7)), (1e16, (1.0, -1e16, 0.5, 0.25)), (0.5, (0.1, 0.1, 0.1, 1e-9))))
def sum_of_fractions(x, b):
    return sum(b), sum(c * x for c in b), sum(b, x)


@on(USUAL)
def any_and_all(x, b):
    return any(c == x for c in b), all(c >= x for c in b), any(b), all(b), any(b[i] == b[j] == x for i, j in LINES)


@on(USUAL)
def lines_compared(x, b):
    return any((b[i], b[j]) == (x, x) for i, j in LINES), any(line == (x, x) for line in [(b[0], b[1]), (b[2], b[3])])


@on(USUAL)
def all_within_any(x, b):
    return any(all(b[cell] == x for cell in line) for line in LINES)


@on(USUAL)
def best_by_key(x, b):
    return (
        max(range(4), key=lambda i: b[i]), min(b, key=lambda c: abs(c - x)), max((c for c in b if c > x), default=None),
        max(b, key=abs), min((c, i) for i, c in enumerate(b)), max([x, 3], key=lambda c: -c),
    )  # fmt: skip


@on(USUAL)
def best_of_none(x, b):
    return max(c for c in b if c > 5)


@on(USUAL)
def ordered(x, b):
    return sorted(b)[0], sorted(b, reverse=True)[1], sorted(b, key=lambda c: abs(c - x))[0], sorted((x, 2.5, 1))[1]


@on(USUAL)
def ordered_pairs(x, b):
    return sorted((c, -i) for i, c in enumerate(b))[0], sorted(range(4), key=lambda i: (b[i], -i))[0]


@on(USUAL)
def mapped_and_filtered(x, b):
    return sum(map(abs, b)), len(list(filter(None, b))), sum(filter(lambda c: c > x, b)), tuple(map(lambda c: c + x, b))


@on(USUAL)
def first_that_fits(x, b):
    return next((c for c in b if c > x), -1), next(i for i, c in enumerate(b) if c >= 0)


@on(USUAL)
def comprehensions(x, b):
    pairs = [(i, j) for i in range(2) for j in range(i + 1)]
    return tuple([c + x for c in b]), pairs[1], len(pairs), digest(tuple(c for c in b if c != x)[:1])


@on(USUAL)
def nested_comprehension(x, b):
    return tuple([c * d for d in (1, x)] for c in b), sum(sum(c * d for d in b) for c in b)


@on(USUAL)
def comprehension_over_a_grid(x, b):
    return digest([r + 5 * c for r in range(2) for c in range(2) if b[2 * r + c] == x])


@on(USUAL)
def set_length(x, b):
    return len(set(b)), len({c % 2 for c in b}), len({x, b[0], b[1]}), len(frozenset(b))


@on(USUAL)
def sets_compared(x, b):
    return {x, b[0]} == {b[0], x}, set(b) == {0, 1, 2}, {b[0], b[1]} <= {0, 1, 2}


@on(USUAL)
def set_members(x, b):
    seen = {c + 1 for c in b}
    return x in seen, x in {b[0], b[1]}, (x, 0) in {(0, 0), (b[0], 0)}


VOWELS, COLD, RANKS = {"A", "E"}, frozenset({Colour.BLUE, Colour.GREEN}), {(2, "X"), (1, "O")}


@on(USUAL)
def members_of_constant_sets(x, b):
    return ("A" if x > 1 else "B") in VOWELS, (Colour.RED if x else Colour.BLUE) in COLD, (x, "X") in RANKS


@on(
    USUAL,
    "Python promises no order for the items of a set; write sorted",
)
def set_of_members_run_through(x, b):
    return [rank + x for rank, _ in RANKS]


@on(
    USUAL,
    "Python promises no order for the items of a set; write sorted",
)
def set_of_members_numbered(x, b):
    return [place + x for place, each in enumerate(COLD) if each is Colour.BLUE]


@dataclasses.dataclass(frozen=True, order=True)
class Cell:
    row: int
    column: int = dataclasses.field(default=1)
    mark: str = dataclasses.field(default=".", compare=False)


@on(USUAL)
def names_exchanged_in_a_try(x, b):
    kept = 0
    try:
        kept, x = x, b[0]
        x += kept
        x //= b[1]
    except ZeroDivisionError:
        x -= 5
    return kept, x


@on(USUAL)
def ordered_data_classes(x, b):
    cells = [Cell(each, x) for each in b]
    least = min(cells)
    return Cell(x, b[0]) < Cell(b[1], b[2]), max(cells), sorted(cells)[1].row, least.row, Cell(x) >= Cell(x, b[1])


@on(USUAL)
def sum_of_a_set(x, b):
    return sum({x, b[0], b[1], b[2]}), sum({c % 3 for c in b})


@on(USUAL)
def sorted_set(x, b):
    return sorted(set(b))[0], sorted({c % 3 for c in b})[-1], max({c % 3 for c in b})


@on(USUAL)
def ragged_table(x, b):
    total = 0
    for row in RAGGED:
        total = total * 7 + len(row)
    for cell in RAGGED[x % 4]:
        total += b[cell % 4]
    return total


@on(USUAL)
def constant_tables(x, b):
    return TABLE[x % 2][1], TABLE[x][0] if 0 <= x < 2 else -1, WEIGHTS[x % 4], len(TABLE)


@on(USUAL)
def constant_dictionaries(x, b):
    return SQUARES.get(x, -1), SQUARES.get(x), NESTED.get((x, 1 - x)), x in SQUARES, sum(SQUARES.values())


@on(USUAL)
def missing_key(x, b):
    return SQUARES[x]


@on(USUAL)
def dictionary_items(x, b):
    total = 0
    for key, value in SQUARES.items():
        total += key * value * x
    for key in SQUARES:
        total += key
    return total, digest([value for key, value in SQUARES.items() if key != x])


@on(USUAL)
def dictionary_made_of_constants(x, b):
    values = {side: side + 1 for side in range(4)}
    return values.get(x, 0), {"a": 1, "b": 2}["a"], {0: 5, 1: 6}[x % 2]


@on(USUAL)
def dictionary_with_values_at_run_time(x, b):
    worth = {0: b[0], 1: x, 2: b[1]}
    return worth[b[0] % 3], worth.get(x, -5)


@on(USUAL)
def products(x, b):
    return (
        sum(b[2 * r + c] * r for r, c in itertools.product(range(2), repeat=2)),
        digest([i + 5 * j for i, j in itertools.combinations(range(4), 2) if b[i] == b[j]]),
        sum(i * j for i, j in itertools.permutations((1, 2, 3), 2)),
        sum(itertools.chain((1, 2), (3, 4))),
    )  # fmt: skip


@on(USUAL)
def products_of_the_board(x, b):
    return sum(p * q for p, q in itertools.product(b, b)), digest([p + q for p, q in itertools.pairwise(b)])


# Functions --------------------------------------------------------------------------------------------------------


def helper(x, y=2, *, z=3):
    return x + y * z


def twice(function, x):
    return function(function(x))


def total_of(*numbers, start=0):
    total = start
    for number in numbers:
        total += number
    return total


def with_options(x, **options):
    return x + options.get("more", 0) + len(options)


def one_more(function):
    @functools.wraps(function)
    def inner(*arguments, **named):
        return function(*arguments, **named) + 1

    return inner


@one_more
def decorated(x, y=3):
    return x * y


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def adder(amount):
    def add(x):
        return x + amount

    return add


add_five = adder(5)


def changed_by_a_default(x, seen=[]):  # noqa: B006
    seen.append(x)
    return len(seen)


@on(USUAL)
def defaults_and_keywords(x, b):
    return helper(x) + helper(x, z=1) + helper(x, 5, z=2) + helper(y=x, x=1)


@on(USUAL)
def function_as_argument(x, b):
    return twice(factorial, 3) + x, twice(lambda y: y * x, 2), twice(helper, x)


@on(USUAL)
def any_number_of_arguments(x, b):
    return total_of(x, 1, 2), total_of(*b, start=x), total_of()


@on(USUAL)
def named_arguments(x, b):
    return with_options(x, more=b[0]), with_options(x, other=1, more=2)


@on(USUAL)
def decorated_helper(x, b):
    return decorated(x), decorated(x, y=b[0])


@on(USUAL)
def cached_helper(x, b):
    return fibonacci(abs(x)), fibonacci(5)


@on(USUAL)
def recursion(x, b):
    return factorial(abs(x) % 20), even(abs(x))


@on(USUAL)
def closures(x, b):
    y = x + 1

    def inner(z, w=2):
        return z * y + w

    shorter = lambda z: z - y  # noqa: E731
    return inner(2) + inner(x, 1), shorter(5), add_five(x)


@on(USUAL)
def closure_sees_later_values(x, b):
    y = 1
    function = lambda: y + x  # noqa: E731
    y = 10
    return function()


@on(USUAL)
def closure_over_a_list(x, b):
    board = list(b)

    def at(i):
        return board[i % 4]

    board[0] = 50
    return at(0) + at(x)


@on(
    USUAL,
    refused="the inner function down calls itself; make it a function of the module",
)
def inner_recursion(x, b):
    def down(y):
        return 0 if y <= 0 else 1 + down(y - 1)

    return down(3) + down(x)


@on(USUAL)
def default_at_definition(x, b):
    y = x
    function = lambda z=y: z  # noqa: E731
    y = y + 100
    return function() + y


@on(USUAL)
def partial_functions(x, b):
    return (
        functools.partial(helper, z=x)(1),
        functools.reduce(lambda p, q: p * 3 + q, b),
        functools.reduce(helper, b, 1),
    )


@on(USUAL)
def imported_inside(x, b):
    import math as mathematics
    from itertools import product

    return mathematics.gcd(x, 4) + sum(1 for _ in product(range(2), range(3)))


# Generators -------------------------------------------------------------------------------------------------------


def evens(n):
    for i in range(n):
        if i % 2 == 0:
            yield i


def several(n, m):
    for i in range(n):
        yield i
        for j in range(m):
            if j == i:
                yield -j
                continue
            yield i * 10 + j
            if j > 3:
                break
        k = i * 2
        yield k
    yield 99


def pairs_of(n):
    for i in evens(n):
        for j in evens(i + 1):
            yield i, j


def delegating(n):
    yield from evens(n)
    yield from (7, 8)
    yield from several(1, n % 3)


def neighbours(cell):
    row, column = divmod(cell, 3)
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= row + dr < 3 and 0 <= column + dc < 3:
            yield 3 * (row + dr) + column + dc


def until(limit):
    number = 1
    while True:
        if number > limit:
            return
        yield number
        number *= 2


@on(USUAL)
def generator_loop(x, b):
    total = 0
    for i in evens(x + 3):
        for j in evens(3):
            total = total * 3 + i - j
    return total


@on(USUAL)
def several_yields(x, b):
    total = 0
    for i in several(x % 4, 3):
        if i == 11:
            continue
        total = (total * 7 + i) % 10007
        if total > 9000:
            break
    return total


@on(USUAL)
def several_yields_nested(x, b):
    total = 0
    for i in several(3, 2):
        for j in several(2, i % 5):
            carried = total + i * j
            total = (total * 31 + carried) % 100003
    return total


def odd_places(b):
    for place in range(1, len(b), 2):
        yield b[place]


def small_items(b, most):
    for each in b:
        if each < most:
            yield each


@on(USUAL)
def one_of_several_generators(x, b):
    chosen = odd_places(b) if x > 2 else small_items(b, x) if x > 0 else small_items(b, 3 - x)
    total = 0
    for each in chosen:
        total = 31 * total + each
        if each == 5:
            break
    return total


def moves_of_either(x, b):
    return odd_places(b) if x & 1 else small_items(b, 7)


@on(USUAL)
def a_function_that_returns_one_of_two_generators(x, b):
    return digest(a * c for a in moves_of_either(x, b) for c in moves_of_either(x + 1, b))


@on(USUAL)
def generators_within_generators(x, b):
    return sum(i * 7 + j for i, j in pairs_of(abs(x))), list(pairs_of(4))[x % 2], max(delegating(abs(x)), default=-1)


@on(USUAL)
def generator_in_a_comprehension(x, b):
    return (
        digest([sum(neighbours(cell)) for cell in range(9)]),
        len(list(neighbours(x % 9))),
        any(c == x for c in neighbours(4)),
    )


@on(USUAL)
def endless_generator(x, b):
    return list(until(x * 9))[-1:] == [16], sum(until(20)), 8 in until(x * 5)


@on(
    USUAL,
    refused="the iterator evens is used more than once, which is not compiled; make it a list",
)
def generator_run_through_twice(x, b):
    items = evens(6)
    return sum(items) * 100 + sum(items)


@on(
    USUAL,
    refused="the iterator <genexpr> is used more than once, which is not compiled; make it a list",
)
def generator_expression_run_through_twice(x, b):
    items = (c + x for c in b)
    return max(items), sum(items)


@on(
    USUAL,
    refused="the iterator <genexpr> is used more than once, which is not compiled; make it a list",
)
def generator_expression_in_a_loop(x, b):
    items = (c + x for c in b)
    total = 0
    for _ in range(2):
        for c in items:
            total += c
    return total


@on(USUAL)
def generator_expression_whose_source_is_rebound(x, b):
    source = b
    items = (c + x for c in source)
    source = (1, 2)
    return sum(items) + sum(source)


@on(
    USUAL,
    refused="the iterator chain is used more than once, which is not compiled; make it a list",
)
def iterator_taken_by_hand(x, b):
    items = iter(b)
    first = next(items)
    return first, sum(items)


@on(
    USUAL,
    refused="the iterator zip is used more than once, which is not compiled; make it a list",
)
def zip_run_through_twice(x, b):
    pairs = zip(b, b)
    return sum(p for p, _ in pairs), sum(p for p, _ in pairs)


# Objects ----------------------------------------------------------------------------------------------------------


@on(USUAL)
def named_tuples(x, b):
    pair = Pair(x)._replace(right=b[0])
    return (
        pair,
        pair.left + pair.right,
        pair.sum,
        pair.swapped(),
        Pair(right=x, left=1),
        pair[0],
        len(pair),
        pair == (x, b[0]),
    )


@on(USUAL)
def named_tuple_unpacked(x, b):
    left, right = Pair(x, b[1])
    return left - right, (*Pair(1, x), 5), Pair(x, 1) + (2,), max(Pair(x, 1)), list(Pair(x, 1))


@on(USUAL)
def frozen_classes(x, b):
    point = Point(x)
    moved = point.moved(1).moved(rows=b[0], columns=2)
    return point, moved, moved.size, Point.origin(), point.double(x), moved == Point(x + 1 + b[0], 9), point != moved


@on(USUAL)
def frozen_class_evolved(x, b):
    return attrs.evolve(Point(x), column=b[0], tags=(3, x)), attrs.evolve(Point(row=x, column=1), row=2).size


@on(USUAL)
def data_classes(x, b):
    card = Card(x)
    other = dataclasses.replace(card, rank=b[0], suit=Colour.BLUE)
    return other, card.beats(other), other.suit is Colour.BLUE, other.suit == card.suit


@on(USUAL)
def enumerations(x, b):
    side = Side.SOUTH if x > 1 else Side.NORTH
    return side, side.other, side == 1, side is Side.SOUTH, side + 1, -side, side * x, b[side], side in (Side.NORTH, 5)


@on(USUAL)
def enumeration_members_by_value(x, b):
    return Side(x), Side(1 - x).value, Side(x) == x


@on(USUAL)
def plain_enumerations(x, b):
    colour = Colour.RED if x > 1 else Colour.BLUE
    return (
        colour,
        colour.next(),
        colour is Colour.RED,
        colour != Colour.BLUE,
        colour.value,
        colour.name == "RED",
        colour == "r",
    )


@on(USUAL)
def all_members(x, b):
    return len(Colour), tuple(colour is not Colour.RED for colour in Colour), digest([side * x for side in Side])


@on(USUAL)
def nothing_or_number(x, b):
    y = None
    if x > 1:
        y = x
    return y, 0 if y is None else y, y == 2, y is not None, y or 5, y != None  # noqa: E711


@on(USUAL)
def texts_as_marks(x, b):
    mark = "X" if x % 2 else "O"
    cells = tuple(mark if c > 0 else "." if c == 0 else None for c in b)
    return cells, cells.count("X"), mark == "X", mark in ("X", "O"), mark in "XO", cells[0] is None, "." not in cells


@on(USUAL)
def texts_within_a_text(x, b):
    mark = ("XO", "", "Z", "O", "OX")[x % 5]
    return mark in "XOX", "XOX".find(mark), mark not in "abc"


@on(USUAL)
def texts_as_truth(x, b):
    mark = ("XO", "", "Z", "O", "OX")[x % 5]
    return mark or "none", bool(mark), not mark


@on(USUAL)
def text_items(x, b):
    return "abcd"[x % 4], "abcd"[x % 2 : 3] == "abc", "abcd".index("abcd"[x % 4]), len("abcd")


@on(USUAL)
def digits(x, b):
    return int(("1", "7", "3")[x % 3]) + x


@on(USUAL)
def conditional_kinds(x, b):
    return (
        isinstance(x, int),
        isinstance(b, tuple),
        isinstance(Point(x), Point),
        isinstance(x > 1, bool),
        isinstance(x, (str, float)),
    )


@on(USUAL)
def abs_of_the_builtins_module(x, b):
    return builtins.abs(x)


# Classes that say what operators mean ------------------------------------------------------------------------------


class Vector(NamedTuple):
    x: int
    y: int

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __bool__(self):
        return self.x != 0


@attrs.frozen
class Grid:
    cells: tuple[int, ...]
    moves: int = attrs.field(default=0, eq=False)

    def __getitem__(self, place):
        row, column = place
        return self.cells[2 * row + column]

    def __len__(self):
        return len(self.cells)

    def __contains__(self, cell):
        return any(each == cell for each in self.cells)

    def __iter__(self):
        yield from self.cells[::-1]


@attrs.frozen(eq=False)
class Modulo:
    number: int

    def __eq__(self, other):
        return self.number % 3 == other.number % 3

    def __lt__(self, other):
        return self.number % 3 < other.number % 3


@attrs.frozen(eq=False)
class Identity:
    number: int


@dataclasses.dataclass(frozen=True)
class Marked:
    number: int
    note: int = dataclasses.field(default=0, compare=False)


class Level(enum.Enum):
    LOW = 1
    HIGH = 2

    def __lt__(self, other):
        return self.value < other.value


class Text(str, enum.Enum):  # noqa: UP042
    X = "x"
    O = "o"  # noqa: E741


@on(USUAL)
def arithmetic_of_a_class(x, b):
    vector = Vector(x, b[0])
    return vector + Vector(1, 2), vector * 3, 2 * vector, -vector, 1 if vector else 0, vector == (x, b[0]), len(vector)


@on(USUAL)
def container_of_a_class(x, b):
    grid = Grid(b, x)
    return (
        grid[0, 1],
        grid[x % 2, 0],
        len(grid),
        x in grid,
        digest(grid),
        grid == Grid(b, 7),
        grid == Grid((1, 1, 1, 1), x),
    )


@on(USUAL)
def comparison_of_a_class(x, b):
    one, other = Modulo(x), Modulo(b[0])
    return one == other, one != other, one < other, (one, 1) == (other, 1)


@on(USUAL, refused="Identity has no __eq__, so that == compares identity")
def identity_of_a_class(x, b):
    return Identity(x) == Identity(b[0])


@on(USUAL)
def fields_that_are_not_compared(x, b):
    return Marked(x, 1) == Marked(x, 2), Marked(x) == Marked(b[0]), Marked(x, 3) in (Marked(1), Marked(2))


@on(USUAL)
def order_of_an_enumeration(x, b):
    level = Level.LOW if x > 1 else Level.HIGH
    return level < Level.HIGH, level > Level.LOW


@on(USUAL, refused="Text has a base class besides Enum, which cannot be compiled")
def enumeration_of_texts(x, b):
    text = Text.X if x > 1 else Text.O
    return text == "x"


# What may not be computed while compiling ------------------------------------------------------------------------

CALLS = []
DICE = random.Random(3)


def rolled():
    return random.randint(1, 6) + random.randint(1, 6) + random.randint(1, 1_000_000)


def rolled_otherwise():
    return DICE.randint(1, 1_000_000)


def counted_call():
    CALLS.append(1)
    return len(CALLS)


@on(USUAL, refused="randint is not compiled: its result differs from call to call")
def random_number(x, b):
    return x + rolled()


@on(USUAL, refused="randint is not compiled: its result differs from call to call")
def random_number_of_ones_own(x, b):
    return x + rolled_otherwise()


@on(
    USUAL,
    refused="a list that is part of the game or of a module is changed; copy it first",
)
def changes_a_global(x, b):
    return x + counted_call()


@on(USUAL, refused="is not compiled")
def time_of_the_day(x, b):
    return x + int(time.time() * 1e6)


@on(USUAL, refused=r"hash\(...\) is not compiled")
def hash_of_a_text(x, b):
    return x + hash("text")


@on(((3,), (900,), (2000,), (-1,)))
def deep_recursion(n):
    return counted_to(n)


@on(((4, 0), (7, 1), (-3, 2)))
def recursion_without_end(n, flag):
    return even(n) if flag else n


def counted_to(n):
    return 0 if n == 0 else 1 + counted_to(n - 1)


@on(USUAL)
def conditions_of_different_types(x, b):
    found = 0
    if b[0] or b or x == 3:
        found += 1
    if not (x and b[1:] and (b[2] or None)):
        found += 2
    while (x > 3 and (b, x)) or (x > 5 and 1.5):
        x -= 1
    if (first := b[1]) == 1 or (first, x):
        found += 4 * first
    return found + (8 if x and (b, None) else 16), [c for c in b if c and (c, x)] == list(b), x


def _fails():
    raise ValueError


@on(USUAL)
def conditions_that_end_early(x, b):
    try:
        if x == 0 or (b[0] == 5 and _fails()) or b[x]:
            return 1
    except (ValueError, IndexError):
        return 2
    return 3


@on(USUAL)
def functions_that_never_return(x, b):
    try:
        if x > 2:
            _fails()
        return _fails() if x == 1 else x
    except ValueError:
        return -5


@on(((0, 1), (3, 1)))
def recursion_that_only_fails(x, y):
    return _counts_down(x) if y > x else x


def _counts_down(x):
    if x < 0:
        raise ValueError
    return _counts_down(x - 1)


def _wrong(x):
    return ValueError(x) if x > 1 else KeyError(x)


@on(USUAL)
def raised_again_by_name(x, b):
    try:
        try:
            return b[x]
        except IndexError as error:
            raise error
    except LookupError:
        return -8


@on(((0, 1), (3, 1)))
def raised_as_it_is_found(x, y):
    if x > y:
        raise _wrong(x)
    return x


@on(USUAL)
def match_binds_at_its_end(x, b):
    y, rest = 5, [9, 9]
    match (x, *b):
        case (y, 0, *rest, 5):
            return -1, rest
        case (y, 5 | 9, 8) | (y, 5, -1, 2, 0):
            return y, rest
        case _:
            return y, rest


@on(USUAL)
def walrus_ends_early(x, b):
    found = any((hit := c) > x for c in b), 0 < x < (limit := b[0])
    return found, hit, limit if found[1] or x > 0 else 0


@on(USUAL)
def walrus_that_is_not_read(x, b):
    return next((place := i for i, c in enumerate(b) if c == x), None)


@on(USUAL)
def place_evaluated_once(x, b):
    board, stack, i = list(b), [0, 1], 0
    board[stack.pop()] += 5
    board[i] += (i := 2)
    return tuple(board), len(stack)


@on(USUAL)
def zip_of_one_length(x, b):
    return sum(p * q for p, q in zip(b, [c for c in b if c != x] if x < 0 else list(b), strict=True))


@on(((1, (1, 2)), (0, (3, 4))))
def zip_of_different_lengths(x, b):
    return sum(p * q for p, q in zip(b, [c for c in b if c > x], strict=True))


@on(USUAL)
def inner_function_changes_a_list(x, b):
    moves, board = [], list(b)
    add = lambda place: moves.append(place)  # noqa: E731

    def ray(place, step):
        place += step
        while 0 <= place < 4 and b[place] == 0:
            add(place)
            board[place] += 1
            place += step

    for place in range(4):
        ray(place, 1)
        ray(place, -1)
    return digest(moves), len(moves), tuple(board), moves.pop() if moves else None


@on(USUAL)
def inner_function_changes_a_list_with_two_names(x, b):
    def change():
        l[0] = 50

    l = list(b)  # noqa: E741
    other = l
    change()
    return other[0]


@on(USUAL)
def inner_function_changes_what_is_run_through(x, b):
    items = list(b)
    add = lambda c: items.append(c)  # noqa: E731
    for c in items:
        if len(items) < 6:
            add(c)
    return sum(items)


@on(((1, (Pair(1, 2), None, Pair(5), None)), (5, (Pair(5, 0), None, Pair(5, 3), None))))
def items_of_different_types_run_through(x, pairs):
    total = 0
    for pair in pairs:
        if pair is None or pair.left == x:
            total += 1000
            continue
        total = total * 3 + pair.sum
    return total


@on(USUAL[:4])
def items_of_different_types_replaced(x, b):
    cells = [None, Pair(1, 2), None, Pair(3)]
    cells[x] = None if b[0] else Pair(x)
    cells[b[1] % 4] = Pair(b[2])
    return tuple(cells), cells.count(None)


@on(USUAL)
def letters(x, b):
    mark = ("a", "B", "q", "Z", "4")[x % 5]
    return mark.isupper(), mark.islower(), mark.upper(), mark.lower() == "b", ord(mark) - ord("a"), mark.isdigit()


@on(USUAL)
def tuples_of_different_length(x, b):
    steps = ((1, 0), (0, 1), (-1, 0)) if x > 1 else ((1, 0),)
    return sum(p + 2 * q for p, q in steps), len(_ways(x)), (0, 1) in steps, steps == ((1, 0),), _ways(x)[-1]


def _ways(x):
    if x > 1:
        return [1, 2, 3]
    return [x]


@on(USUAL)
def slices_replaced(x, b):
    board, more = list(b), list(b)
    board[1:3] = [x, 7]
    board[2:] = board[:2]
    board[x:] = reversed(board[x:])
    board[3:1] = []
    more.append(9)
    more[-2:] = (c + x for c in more[:2])
    more[:] = list(reversed(more))
    return tuple(board), digest(more)


@on(USUAL)
def items_deleted(x, b):
    hand = [*b, 4]
    del hand[x]
    del hand[-1], hand[0]
    return digest(hand), len(hand)


class Castling(enum.Flag):
    SHORT = enum.auto()
    LONG = enum.auto()


@on(USUAL, refused="Castling is a set of flags, which cannot be compiled; write whole numbers or ggp.Bits")
def flags(x, b):
    rights = Castling.SHORT | Castling.LONG if x > 1 else Castling.LONG
    return Castling.SHORT in rights


@on(USUAL)
def sets_joined(x, b):
    return len(set(b) | {9})


class Man(enum.Enum):
    PAWN = ("p", 1)
    KING = ("k", 100)

    def __init__(self, letter, worth):
        self.letter = letter
        self.worth = worth

    @property
    def double(self):
        return 2 * self.worth


@on(USUAL)
def fields_of_members(x, b):
    man = Man.PAWN if x > 1 else Man.KING
    maybe = man if b[0] else None
    return man.worth, man.letter == "k", man.double, maybe is not None and maybe.worth > 1


@attrs.frozen
class Hidden:
    row: int
    word = property(None, lambda self, word: None)


@on(USUAL)
def a_property_without_a_getter(x, b):
    try:
        return Hidden(x).word + b[0]
    except AttributeError:
        return -1 - x


def _square(x):
    return x * x


WAYS = (_square, abs)
ROWS_OF_MARKS: Rows = tuple(
    (x, tuple(tuple("XO"[(r * c + x) % 2] if (r + c + x) % 3 else None for c in range(7)) for r in range(6)))
    for x in (-4, 0, 1, 5)
)


@on(ROWS_OF_MARKS)
def rows_of_a_board_by_places(x, board):
    row = board[x]
    changed = [list(each) for each in board]
    changed[x][x + 1] = "X"
    after = tuple(tuple(each) for each in changed)
    picked = after[x]
    lines = 0
    for r in range(6):
        for c in range(7):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ends = 0 <= r + 3 * dr < 6 and 0 <= c + 3 * dc < 7
                if ends and all(board[r + i * dr][c + i * dc] == row[x] for i in range(4)):
                    lines += 1
    return row[x] == picked[x], row[x + 1] == picked[x + 1], picked.count("X"), lines, board[-1][x]


@on(USUAL)
def functions_by_places_in_long_loops(x, b):
    total = 0
    for i in range(2):
        for j in range(4):
            for k in range(4):
                total += WAYS[i](b[j] - k) * (b[(j + k) % 4] + x) // (j + 1) + sum(b[m] * k % 7 for m in range(4))
    return total


@on(ROWS_OF_MARKS)
def rows_that_change_after_they_are_read(x, board):
    rows = [tuple(each[:3]) for each in board]
    first = rows[x]
    triples = tuple(rows)
    rows[x] = triples[x - 1]
    second = rows[x]
    copied = [list(each) for each in rows]
    third = tuple(copied[x])
    copied[x][0] = "Z"
    i = x % 3
    return first[i], second[i], third[i], triples[x][i], rows[x][i], copied[x][i]


TRIPLES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MARKS = ("X", "O", ".")
TEXTS: Rows = tuple(
    (x, board, mark)
    for x, board, mark in (
        (0, ".........", "X"), (4, "X...O....", "O"), (8, "XXXOO....", "X"), (-1, "XOXOXOXOX", "O"),
        (9, "..O..O..O", "X"), (2, "OXOXXOXOX", "O"), (3, "X..O..X..", "."),
    )
)  # fmt: skip


@on(TEXTS)
def text_spliced(x, board, mark):
    assert mark in MARKS
    x %= 9
    return board[:x] + mark + board[x + 1 :]


@on(TEXTS)
def text_spliced_at_a_constant(x, board, mark):
    assert mark in MARKS
    return board[:4] + mark + board[5:], mark + board[1:], board[:-1] + mark


@on(TEXTS)
def text_joined_from_a_list(x, board, mark):
    assert mark in MARKS
    cells = list(board)
    cells[x] = mark
    return "".join(cells), "".join(reversed(cells)), "".join(c for c in board)


@on(TEXTS)
def text_indexed(x, board, mark):
    return board[x], board[0], board[-1], board[x] == mark, board[x] in "XO", board[x] != "."


@on(TEXTS)
def text_iterated(x, board, mark):
    places = [i for i, c in enumerate(board) if c == "."]
    return sum(places), sum(c == mark for c in board), next((c for c in board if c != "."), None)


@on(TEXTS)
def text_lines(x, board, mark):
    return (
        any(all(board[i] == mark for i in line) for line in TRIPLES),
        any(board[a] + board[b] + board[c] in ("XXX", "OOO") for a, b, c in TRIPLES),
        any(board[a] == board[b] == board[c] != "." for a, b, c in TRIPLES),
    )


@on(TEXTS)
def text_slices_compared(x, board, mark):
    return (
        board[0:3] == "XXX", board[6:] == board[:3], board[::-1] == board, board[:2] + "X" == board[:3],
        board[1:1] == "",
        board[::3] == "X.O", bool(board[3:6]), board == "X...O....", board != "." * 9, board == mark, board == (1, 2),
        len(board[2:5] + board), "XO."[x % 3] + board[1:] == board,
    )  # fmt: skip


@on(TEXTS)
def text_contains(x, board, mark):
    assert mark in MARKS
    return "." in board, "XX" in board, "" in board, mark in board, "XOXOXOXOXO" in board, "O" not in board


@on(TEXTS)
def text_methods(x, board, mark):
    assert mark in MARKS
    return (
        board.count("."), board.count(mark), board.find("O"), board.find("OX"), board.find("ZZ"), board.index("X"),
        board.replace(".", "X").count("X"), board.startswith("X."), board.endswith(board[-2:]), board.startswith(""),
        board.replace("X", mark),
    )  # fmt: skip


@on(TEXTS)
def text_methods_with_bounds(x, board, mark):
    low, high = x % 12 - 4, x % 5 + 2
    return (
        board.count("X", 0, 6), board.count(mark, low), board.count("", low, high), board.count("", 9),
        board.count("", 10), board.count("..", low, -1), board.find("O", low), board.find("X", low, high),
        board.find("", 9), board.find("", 10), board.rfind("X", low, high), board.rfind("", low, high),
        board.rfind(mark, None, x), board.find(mark, None, None), board.startswith("X", low),
        board.startswith(("..", mark), low, high), board.startswith("", 10), board.startswith("", 9),
        board.endswith("O", low, high), board.endswith((mark, ".."), low), board.endswith("", high, low),
        board.find("X", -20, 20), board.count("X", -3), board.find("X", True),
        mark.count("X", 0, 1), "XO.".find(mark, x % 3), "placement".count("e", x % 4, -1),
    )  # fmt: skip


@on(TEXTS)
def text_replacements(x, board, mark):
    sign = "XO."[x % 3]
    even = board.replace("..", sign + "."), board.replace("..", "X.", x % 3), board.replace(".", sign, x % 4 - 1)
    longer = board.replace("X", "XX"), board.replace("..", "", 1), board.replace(".X", sign), board.replace("X", "")
    return (
        even,
        longer,
        board[: x % 9].replace(".", "X", 1),
        board.replace("X", "O", -1),
        board.replace("XXXXXXXXXX", "O" * 10),
    )


@on(TEXTS)
def text_replacement_of_known_length(x, board, mark):
    sign = "XO."[x % 3]
    return board.replace("..", "." + sign, 1)


@on(TEXTS)
def text_index_with_bounds(x, board, mark):
    try:
        return board.index(mark, x % 12 - 3, x), board.rindex("X", -6)
    except ValueError:
        return 0, -1


@on(TEXTS)
def text_bounds_that_are_no_numbers(x, board, mark):
    found = 0
    for bound in (1.0, x / 2):
        try:
            found += board.count("X", bound)
        except TypeError:
            found += 100
        try:
            found += board.find("X", 0, bound)
        except TypeError:
            found += 100
        try:
            found += board.endswith("X", bound)
        except TypeError:
            found += 100
    return found


@on(TEXTS)
def text_padding(x, board, mark):
    return (
        board.center(13, mark), board.center(12, "-"), board[:2].center(5), board[:3].rjust(x, "."), mark.ljust(x),
        board.rjust(3), f"{x}".center(4, mark), f"{x}".center(5), f"{-x}".rjust(4, "0"), "ab".ljust(x, mark),
        board[: x % 9].center(x), board.ljust(x - 2**62) == board, len("XO"[: x % 3].rjust(6)), "".center(x, board[0]),
        ("north", "so")[x % 2].center(x, mark), ("north", "so")[x % 2].rjust(7),
    )  # fmt: skip


@on(TEXTS)
def text_padding_of_known_length(x, board, mark):
    return board[:3].center(6, mark).rjust(8)


@on(TEXTS)
def text_padding_with_what_is_no_letter(x, board, mark):
    found = []
    for fill in (board[: x % 3], "", ("X",), ["X"], 1, None):
        try:
            found.append(len(board.center(3, fill)))
        except TypeError:
            found.append(-1)
    try:
        found.append(len(board.ljust(12.0)))
    except TypeError:
        found.append(-2)
    return found


@on(TEXTS)
def text_methods_with_tuples(x, board, mark):
    first = board.startswith(("X", "O")), board[: x % 9].startswith(("..", mark)), board.startswith(())
    last = board.endswith((mark, "OX", board)), board[: x % 9].endswith(("X", "..", board[x % 3 :]))
    found = 0
    try:
        found = board.count(("X",))
    except TypeError:
        found += 1
    try:
        found = board.find(["O"])
    except TypeError:
        found += 2
    try:
        found = len(board.replace("X", ("O",)))
    except TypeError:
        found += 4
    return first, last, found


@on(TEXTS, "the method center of a text is compiled only without keywords")
def text_padding_with_a_keyword(x, board, mark):
    return board.center(13, fillchar=mark)


@on(TEXTS, "the method split of a text is compiled only without keywords")
def name_split_with_a_keyword(x, board, mark):
    return mark.split(sep="X")


@on(TEXTS)
def text_counts(x, board, mark):
    assert mark in MARKS
    return board.count(mark), board.find(mark), len(board), isinstance(board, str), isinstance(board, tuple)


@on(TEXTS)
def text_chosen(x, board, mark):
    other = "........." if x % 2 else board
    best = None
    for each in (board, other):
        if best is None or each.count("X") > best.count("X"):
            best = each
    match board:
        case "X...O....":
            kind = 1
        case [_, *_]:
            kind = 2
        case _:
            kind = 3
    return other, best, kind, {"X": 1, "O": 2}.get(board[x], 0), (board, mark) == (other, mark), board in (other, "a")


@on(TEXTS)
def text_as_a_tuple(x, board, mark):
    assert mark in MARKS
    cells = tuple(board)
    first, *_, last = board
    return cells[x], cells.count("X"), first, last, max(len(c) for c in board), list(map(ord, board))


@on(TEXTS)
def text_repeated(x, board, mark):
    assert mark in MARKS
    return (board * 2)[9:] == board, len(board + board), (board + mark)[:9] == board, ("." * 8 + mark)[-1]


@on(TEXTS)
def text_sliced_by_numbers(x, board, mark):
    return board[x:]


@on(TEXTS)
def text_of_few_letters(x, board, mark):
    rows = [board[first : first + 3] for first in (0, 3, 6)]
    middle = rows[1]
    changed = tuple(row[:1] + "." + row[2:] for row in rows)
    same = (middle, rows[0] + rows[1], "XXX" in rows, max(row.count("X") for row in rows), rows[x % 3][0], changed)
    return same, "".join(rows), middle in ("...", "OO.")


@on(TEXTS)
def texts_ordered(x, board, mark):
    return board < "XXXXXXXXX"


@on(tuple((x, ((b, x), (x, b), x, b)) for x in (0, 1, -3, -4) for b in (0, 1, 5)))
def fields_by_a_number(x, state):
    own, other = state[x], state[1 - x if x >= 0 else 0]
    return own[0] - other[1], sum(own), state[state[3] % 2][1] if state[2] else None


@on(tuple((x, ((b, x), (x, b), x, b)) for x in (0, 1, 4, -5) for b in (0, 1)))
def field_out_of_range(x, state):
    return state[x]


@on(TEXTS)
def text_or_none(x, board, mark):
    maybe = board if x > 0 else None
    changed = board[:4] + "X" + board[5:]
    return maybe == board, board == maybe, maybe == changed, changed == maybe, maybe is None, maybe in (changed, None)


@on(USUAL)
def items_popped_in_sums(x, b):
    stack = [(each, x) for each in b]
    total = stack.pop()[0] + x + 1
    return total, len(stack), stack[-1][0] + stack.pop()[1] + len(stack)


class Phase(NamedTuple):
    name: str
    left: int


@on(USUAL)
def names_of_any_length(x, b):
    name = "moving"
    if x > 0:
        name = "placement of men"
    if x > 1:
        name = "elimination"
    kinds = ["north", "north-east", "a", "north-west"]
    chosen = kinds[x % 4]
    maybe = None if x == 2 else "first player" if x % 2 else "second"
    phase = Phase("placement" if b[0] else "removal", x)
    later = phase._replace(name="end of game") if x == 3 else phase
    return (
        name, name == "elimination", name in ("moving", "elimination"), chosen, chosen == "north-east", maybe,
        maybe == "first player", maybe is None, {"moving": 1, "placement of men": 2, "elimination": 3}[name],
        phase, later == phase, later.name, len(name), {"north": 1, "north-west": 4}.get(chosen, 0),
    )  # fmt: skip


@on(USUAL)
def names_compared_with_names(x, b):
    one = "placement" if x % 2 else "moving"
    other = "placement" if b[0] else "elimination"
    pairs = [(one, x), (other, b[1])]
    return (
        one == other,
        (one, 1) == (other, 1),
        pairs,
        (other, x) in pairs,
        one != "placement",
        [one, other].count("placement"),
    )


@on(TEXTS)
def text_with_several_letters_replaced(x, board, mark):
    assert mark in MARKS
    x %= 7
    jump = board[:x] + "." + mark + board[x + 2 :]
    return (
        jump,
        board[: x - 1] + mark + "..." + board[x + 3 :] if x else board,
        board[:x] + "XO" + mark + board[3 + x :],
    )


@on(USUAL)
def several_items_replaced(x, b):
    x %= 3
    swapped = b[:x] + (b[x + 1], b[x]) + b[x + 2 :]
    return swapped, (*b[:x], 9, x, *b[x + 2 :], 7), (*b[: x - 1], 5, *b[x:]) if x else b


@on(TEXTS)
def letters_replaced_by_more(x, board, mark):
    return board[:x] + "XX" + board[x + 1 :]


@on(USUAL)
def items_replaced_by_more(x, b):
    more, less = b[:x] + (1, 2) + b[x + 1 :], b[:x] + (7,) + b[x + 2 :]
    stack = [b, (x, *b[1:])]
    popped = stack.pop()[:x] + (5,) + stack.pop()[x + 1 :]
    return len(more), sum(more), len(less), sum(less), len(popped), digest(popped)


def sown(board, x):
    cells = list(board)
    place = x % 4
    seeds, cells[place] = cells[place], 0
    while seeds > 0:
        place = (place + 1) % len(cells)
        cells[place] += 1
        seeds -= 1
    return cells, place


def heightened(board, x):
    if x > 2:
        return [each + 1 for each in board]
    higher = list(board)
    for place, _ in enumerate(board):
        higher[place] += x
    return higher


@on(USUAL)
def lists_from_functions(x, b):
    cells, last = sown(b, x)
    before = cells[:]
    while last >= 0 and cells[last] in (1, 2):
        cells[last] = 0
        last -= 1
    high = heightened(cells, x)
    high.append(last)
    high[0] = 99
    return sum(cells), sum(before), last, sum(high), len(high)


def both_names(board):
    cells = list(board)
    return cells, cells


def with_its_rows(board):
    cells = list(board)
    rows = [cells]
    return cells, len(rows)


def itself(cells):
    return cells


def given_away(board):
    cells = list(board)
    other = itself(cells)
    return cells, other


@on(USUAL)
def one_list_by_two_names(x, b):
    one, other = both_names(b)
    one[0] = 5
    return other[0]


@on(USUAL)
def a_list_kept_elsewhere(x, b):
    one, count = with_its_rows(b)
    one[0] = 5
    return one[0] + count


@on(USUAL)
def a_list_given_back(x, b):
    cells = list(b)
    one = itself(cells)
    one[0] = 5
    return cells[0]


@on(USUAL)
def a_list_given_away(x, b):
    one, other = given_away(b)
    one[0] = 5
    return other[0]


@on(USUAL)
def a_list_taken_back(x, b):
    cells = list(b)
    before, taken = cells[:], 0
    while taken < 3 and cells[taken] > 0:
        cells[taken] -= 1
        taken += 1
    if taken > x:
        cells, taken = before, 0
    return sum(cells), sum(before), taken


@on(USUAL)
def a_list_taken_back_in_a_loop(x, b):
    cells, before = list(b), list(b)
    for _ in range(3):
        cells[0] += 1
        if cells[0] > x:
            cells = before
    return sum(cells), sum(before)


@on(USUAL)
def a_list_taken_back_and_changed(x, b):
    cells, before = list(b), list(b)
    if x > 1:
        cells = before
    cells[0] += 1
    return sum(cells), sum(before)


RAYS = {0: ((), (1, 2)), 1: ((3,), (2, 1, 0)), 2: ((), ())}
STEPS = {"n": [(0, 1)], "e": [(1, 0), (2, 0)], "none": []}


@on(USUAL)
def dictionaries_of_ragged_tables(x, b):
    total = 0
    for ray in RAYS[abs(x) % 3]:
        for cell in ray:
            total = total * 5 + cell
    steps = STEPS["e" if x > 1 else "none" if b[0] else "n"]
    return total, len(RAYS[1]), sum(dx for dx, _ in steps), len(steps)


@on(USUAL)
def none_where_a_number_is_meant(x, b):
    nothing = None
    if x == 3:
        return ~nothing
    if x == 2:
        return [each for each in nothing][0]
    if x == 7:
        return b[nothing]
    return 0 if nothing in b else x


@on(USUAL)
def sets_that_are_filled(x, b):
    seen = {x % 4}
    pending = [x % 4]
    while pending:
        cell = pending.pop()
        for other in (cell - 1, cell + 1):
            if 0 <= other < 4 and other not in seen and b[other] > 0:
                seen.add(other)
                pending.append(other)
    kinds, doubled = set(), set(each % 3 for each in b)
    for each in b:
        kinds.add(each > 0)
        kinds.add(each > 0)
    doubled |= {x, x + 1}
    doubled.update(each * 2 for each in b)
    doubled.discard(2)
    reached: set = {each for each in b if each > 5}
    if x == 2:
        reached.clear()
        reached.add(x + 9)
        reached.add(x + 9)
    empty = set()
    if x > 2:
        empty.add(1)
    if x == 7:
        doubled.remove(100)
    doubled.remove(x)
    return len(seen), len(kinds), len(doubled), sum(each * i for i, each in enumerate(sorted(doubled))), bool(empty), (
        1 if reached else 2, not empty, 5 in doubled, len(reached), x not in seen)  # fmt: skip


@on(USUAL, refused="set")
def sets_in_order(x, b):
    seen = set()
    for each in b:
        seen.add(each)
    total = 0
    for each in seen:
        total = total * 3 + each
    return total


@on(USUAL)
def sets_by_two_names(x, b):
    seen = set()
    other = seen
    other.add(x)
    return len(seen)


def filled(seen, x):
    seen.add(x)
    return len(seen)


@on(USUAL, refused="set")
def sets_passed_on(x, b):
    seen = {1}
    seen.add(2)
    return filled(seen, x) + len(seen)


@on(USUAL)
def a_list_beside_a_tuple(x, b):
    line = [b[0], b[1]]
    return line == ("X",) * 2, line == (x, x)


@on(USUAL)
def lists_beside_lists(x, b):
    line = [b[0], b[1]]
    return line == [x] * 2, tuple(line) == (x, x), line != [0, 1], line in ([0, 1], [5, -1])


@on(USUAL)
def columns_of_lists(x, b):
    rows = [list(b[place : place + 3]) for place in range(x % 3)]
    found = [sum(column) for column in zip(*rows)]
    rows.append([x])
    for first, *rest in zip(*rows):
        found.append(first * 3 + len(rest))
        rows[0] = [9, 9, 9, 9]
    same = [column for column in zip(*rows) if len(set(column)) == 1]
    return found, len(same), len(list(zip(*[row for row in rows if len(row) > 5])))


@on(USUAL, "zip\\(\\*rows\\) is compiled only for lists, tuples and texts")
def columns_of_dictionaries(x, b):
    return len(list(zip(*[{each: x} for each in b if each > 1])))


@dataclasses.dataclass
class Piles:
    heights: list[int]
    turn: int = 0
    moves: list[int] = dataclasses.field(default_factory=list)


@on(USUAL)
def fields_of_an_object_replaced(x, b):
    old = Piles(list(b))
    new = dataclasses.replace(old, turn=x, moves=[*old.moves, x])
    new.heights[0] = 9
    new.turn += 1
    copied = dataclasses.replace(old, heights=old.heights[:])
    copied.heights[1] = 8
    return old.heights, old.turn, old.moves, new.heights, new.turn, new.moves, copied.heights


@on(USUAL)
def parts_of_an_iterator(x, b):
    firsts = list(itertools.islice(b, 2)), list(itertools.islice(b, 1, 3)), list(itertools.islice(b, 1, None, 2))
    endless = sum(itertools.islice(itertools.count(x), 2, 40, 3)), list(itertools.islice(b, None, 9)), x
    return firsts, endless, list(itertools.islice(b, 3, 1)), list(itertools.islice(b, 0))


@on(USUAL)
def parts_of_an_iterator_from_a_place_that_changes(x, b):
    return list(itertools.islice(b, x)), list(itertools.islice(b, x, 3)), list(itertools.islice(b, 0, None, x))


def halved_until(b):
    """Fail behind the second item."""
    for each in b[:2]:
        yield each * 2
    yield b[7]


@on(USUAL)
def no_item_behind_a_part_is_asked_for(x, b):
    return list(itertools.islice(halved_until(b), 2)), list(itertools.islice(halved_until(b), x))


@on(USUAL)
def functions_of_parts(x, b):
    pairs = [(each, x) for each in b]
    return list(itertools.starmap(max, pairs)), sum(itertools.starmap(lambda one, other: one * other + x, pairs))


@on(USUAL)
def items_again_and_again(x, b):
    found = []
    for each, turn in zip(range(x + 7), itertools.cycle(b)):
        found.append(each * turn)
    for each in itertools.cycle(b[x:]):
        found.append(each)
        if len(found) > 20:
            break
    return found


@on(USUAL)
def pairs_of_a_sequence_and_an_iterator(x, b):
    row = [x, *b]
    pairs = [*zip(b, itertools.count(x)), *zip(row, (each * 2 for each in b)), *zip(range(2), halved_until(b))]
    return pairs, [one - other for one, other in zip(row[x:], map(abs, b))], list(zip(range(x), halved_until(b)))


@on(USUAL)
def results_so_far(x, b):
    best, products = list(itertools.accumulate(b, max)), list(itertools.accumulate(b, lambda one, other: one * other))
    return best, products, list(itertools.accumulate(b, initial=x)), list(itertools.accumulate(b, func=min, initial=1))


def dictionary_of_fields(x, b):
    return {"cells": b, "turn": x % 2, "last": None if x < 2 else (x, b[0])}


@on(USUAL)
def dictionaries_with_values_of_several_types(x, b):
    made = dictionary_of_fields(x, b)
    other = made.copy()
    other["turn"] += 1
    other["cells"] = (*b[:3], x)
    third = {**made, "turn": 5, "last": (1, 1)}
    fourth = dict(made, turn=made["turn"]) | {"last": made["last"], "turn": x}
    fourth.update(turn=third["turn"])
    return (
        made["turn"], other["turn"], digest(other["cells"]), third["last"][0], fourth["turn"], made == other,
        made == dict(made), made != third, len(made), "turn" in made, "x" in made, made.get("x", 7), made.get("turn"),
        made["last"] is None, made == {"turn": 0}, made == 3, isinstance(made, dict), bool(made),
        [made[key] for key in ("turn", "turn")] == [x % 2] * 2,
    )  # fmt: skip


@on(USUAL)
def key_that_a_dictionary_of_several_types_lacks(x, b):
    made = dictionary_of_fields(x, b)
    return made["first"] if x < 2 else made["turn"]


@on(USUAL)
def list_as_a_key_of_a_dictionary_of_several_types(x, b):
    made = dictionary_of_fields(x, b)
    return made.get([x]) if x < 1 else [x] in made if x < 2 else made["turn"]


@on(USUAL, "a loop over a dictionary whose values are of several types")
def loop_over_a_dictionary_of_several_types(x, b):
    return [value for value in dictionary_of_fields(x, b).values()]


@on(USUAL, "gets the key 'more': give it all its keys where it is made")
def new_key_of_a_dictionary_of_several_types(x, b):
    made = dictionary_of_fields(x, b)
    made["more"] = x
    return made["turn"]


@on(USUAL)
def copied_dictionaries_with_more_keys(x, b):
    worth = {key: key + x for key in b}
    more = {**worth, x: 1, b[0]: digest(b)}
    return digest(sorted(worth.values())), digest(sorted(more.values())), len(more), {**worth} == worth


@on(USUAL)
def attributes_set_by_name(x, b):
    made = Piles([2], x)
    for name in ("turn",):
        setattr(made, name, digest(b))
    return made.turn


@on(USUAL)
def counters(x, b):
    made = collections.Counter(b)
    other = collections.Counter([x, *b[:2]])
    made[x] += 2
    del made[99]
    more = collections.Counter({b[0]: 3, x: -1})
    more.update(b)
    marks = collections.Counter("abcab"[: x % 6])
    return (
        made[x], made[1000], 1000 in made, made.get(1000), len(made), sum(made.values()), made.total(), list(made),
        made.most_common(), made.most_common(1), (made + other).most_common(), (made - other).most_common(),
        (made | other).most_common(), (made & other).most_common(), made == other, made == made.copy(), made != other,
        more[x], list(more.items()), list(other.elements()), marks["a"], marks.most_common(2), dict(made) == {**made},
        max(made, key=made.get), isinstance(made, dict), isinstance(made, collections.Counter), bool(made),
        sorted(made), [key for key in made if made[key] > 1],
    )  # fmt: skip


@on(USUAL)
def dictionaries_with_defaults(x, b):
    places, counts = collections.defaultdict(list), collections.defaultdict(int, {x: 5})
    for place, each in enumerate(b):
        places[each].append(place)
        counts[each] += each
    before = len(counts), 77 in counts, counts.get(77)
    missing = counts[77]
    return (
        list(places.items()), list(counts.items()), before, missing, 77 in counts, len(counts), places == {},
        {**counts} == counts, dict(counts)[77], isinstance(places, dict), [len(each) for each in places.values()],
        isinstance(places, collections.defaultdict), places.get(88), sorted(places), counts.pop(77), len(counts),
    )  # fmt: skip


@on(USUAL)
def queues(x, b):
    queue = collections.deque(b)
    queue.append(x)
    first = queue.popleft()
    queue.appendleft(x + 1)
    queue.appendleft(x + 2)
    last = queue.pop()
    queue.extend([1, 2])
    queue.extendleft((3, 4))
    queue[1] = 50
    queue[-1] += 7
    other = queue.copy()
    other.popleft()
    seen, waiting = [], collections.deque([(x, 0)])
    while waiting:
        place, depth = waiting.popleft()
        seen.append(place + depth)
        if depth < 2:
            waiting.append((place + 1, depth + 1))
            waiting.append((place * 2, depth + 1))
    return (
        first, last, list(queue), len(queue), queue[0], queue[-2], x in queue, queue == other, other.count(2),
        [each for each in other], sum(other), seen, bool(queue), bool(collections.deque()), max(queue), tuple(queue),
        queue == list(queue), isinstance(queue, collections.deque),
    )  # fmt: skip


@on(USUAL)
def numbers_in_a_base(x, b):
    bits = "".join("1" if each > 1 else "0" for each in b)
    letter = "7" if x > 2 else "f"
    return (
        int(bits, 2),
        int("-" + bits, base=8),
        int("Zz" + bits, 36),
        int("ff", 16),
        int(letter, 16),
        int(str(abs(x)), 10),
    )


@on(USUAL)
def text_that_is_no_number_in_a_base(x, b):
    return int("".join(str(abs(each)) for each in b), 2 if x != 1 else 99)


@on(USUAL, "int.* of a number takes no base")
def base_of_a_number(x, b):
    return int(x, 2)


LAST, BOTH = operator.itemgetter(-1), operator.attrgetter("size", "row")


@on(USUAL)
def getters(x, b):
    pairs = [(each, index) for index, each in enumerate(b)]
    points = [Point(each, index) for index, each in enumerate(b)]
    rows = sorted(pairs, key=operator.itemgetter(0)), max(pairs, key=LAST), min(pairs, key=operator.itemgetter(1, 0))
    return rows, LAST(b), BOTH(points[1]), max(points, key=operator.attrgetter("row")).column, [*map(LAST, pairs)]


@on(USUAL)
def items_that_are_left_out(x, b):
    odd = itertools.filterfalse(lambda each: each % 2 == 0, b)
    return (
        list(odd),
        list(itertools.filterfalse(None, b)),
        list(itertools.compress(range(9), b)),
        sum(itertools.compress(b, (1, 0))),
    )


@on(NUMBERS)
def functions_of_whole_numbers(a, b):
    small = abs(a) % 12
    whole = math.gcd(a, b, 12), math.gcd(a), math.gcd(), math.lcm(a, b), math.lcm(4, 6), math.lcm(a)
    return (
        whole,
        math.factorial(small),
        math.perm(small, 2),
        math.perm(small),
        pow(3, abs(a), 7),
        pow(a, abs(b), mod=-5),
    )


@on(NUMBERS)
def factorial_of_what_has_none(a, b):
    return math.factorial(a) + math.perm(5, b)


@on(NUMBERS)
def powers_modulo_nothing(a, b):
    return pow(a, abs(b), b)


@on(USUAL)
def text_filled_with_zeros(x, b):
    return str(x).zfill(3), "".join(map(str, map(abs, b))).zfill(6), "+5".zfill(4), "".zfill(2), "-".zfill(x)


@on(USUAL)
def queues_that_turn(x, b):
    queue, made = collections.deque(b), []
    for steps in (1, -1, x, -x, 9):
        queue.rotate(steps)
        made.append((steps, *queue))
        queue.popleft()
        queue.append(steps)
    queue.rotate()
    single, empty = collections.deque([x]), collections.deque(b[:0])
    single.rotate(3)
    empty.rotate(x)
    return made, list(queue), list(single), len(empty)


@on(USUAL)
def heaps(x, b):
    heap, made = [*b, x, 4, -2, x + 1, 4], []
    heapq.heapify(heap)
    made.append(heap[:])
    for each in (x, 3, -5, 100, x):
        heapq.heappush(heap, each)
        made.append(heap[:])
    removed = [heapq.heappop(heap) for _ in range(3)]
    made.append(heap[:])
    removed.append(heapq.heapreplace(heap, x * 2))
    removed.append(heapq.heappushpop(heap, -99))
    removed.append(heapq.heappushpop(heap, 7))
    made.append(heap[:])
    while heap:
        removed.append(heapq.heappop(heap))
    return made, removed, heapq.heappushpop(heap, x)


@on(USUAL)
def shortest_paths(x, b):
    costs = [[abs(b[i] - b[k]) + i + k for k in range(4)] for i in range(4)]
    best, waiting, order = [10**6] * 4, [(0, x % 4)], []
    best[x % 4] = 0
    while waiting:
        cost, place = heapq.heappop(waiting)
        if cost > best[place]:
            continue
        order.append(place)
        for other in range(4):
            if cost + costs[place][other] < best[other]:
                best[other] = cost + costs[place][other]
                heapq.heappush(waiting, (best[other], other))
    return best, order


@on(USUAL)
def least_of_an_empty_heap(x, b):
    heap = [*b[:x]] if x > 0 else []
    return heapq.heapreplace(heap, x) + heapq.heappop(heap) + heapq.heappop(heap)


@on(USUAL)
def places_in_a_sorted_list(x, b):
    row, floats = sorted(b), [0.5, 1.5, 1.5, 2.0]
    places = [bisect.bisect(row, each) for each in range(-4, 10)]
    places += [bisect.bisect_left(row, each) for each in b]
    places += [bisect.bisect_right(row, x, 1), bisect.bisect_left(row, x, 1, 3), bisect.bisect_left(a=row, x=x, hi=2)]
    places += [bisect.bisect_left(tuple(row), x), bisect.bisect(floats, 1.5), bisect.bisect(floats, x)]
    places += [bisect.bisect_left([(0, 1), (1, 0), (1, 2)], (1, x))]
    bisect.insort(row, x)
    bisect.insort_left(row, 1)
    bisect.insort_right(row, b[0], 0, 2)
    down = sorted(b, reverse=True)
    places.append(bisect.bisect_left(down, -x, key=lambda each: -each))
    bisect.insort(down, x, key=lambda each: -each)
    return places, row, down


@on(USUAL)
def place_before_the_first(x, b):
    return bisect.bisect_left(b, 1, x)


@on(USUAL)
def items_of_an_empty_queue(x, b):
    queue = collections.deque(b[:x] if x > 0 else ())
    queue.clear() if x == 3 else None
    return queue.popleft() + queue[0 if x < 3 else 5]


@on(USUAL)
def queue_that_changes_in_a_loop(x, b):
    queue = collections.deque(b)
    total = 0
    for each in queue:
        total += each
        if each == x:
            queue.append(total)
    return total


@on(USUAL)
def groups_in_a_row(x, b):
    row = [*b, x, x, *b[:2]]
    pairs = [(key, len(list(group))) for key, group in itertools.groupby(row)]
    odd = [(key, sum(group)) for key, group in itertools.groupby(row, key=lambda each: each % 2)]
    longest = max((sum(1 for _ in group) for key, group in itertools.groupby(row) if key == x), default=0)
    return pairs, odd, longest, [key for key, _ in itertools.groupby([])]


@on(USUAL)
def pairs_of_different_lengths(x, b):
    return (
        list(itertools.zip_longest(b, [x], fillvalue=0)), list(itertools.zip_longest([x] * 6, b, fillvalue=-1)),
        [each is None for _, each in itertools.zip_longest(b, [x, 1])],
        sum(one * other for one, other in itertools.zip_longest(b, b[1:], fillvalue=2)),
    )  # fmt: skip


class Table:
    def __init__(self):
        self.most = 3

    @functools.cache  # noqa: B019
    def steps(self, x):
        return tuple(each for each in range(x) if each < self.most)


TABLE_OF_STEPS = Table()


@on(USUAL)
def methods_with_a_cache(x, b):
    return TABLE_OF_STEPS.steps(x), TABLE_OF_STEPS.steps(2), Table().steps(x + 1)


@on(USUAL, "use one of the module, or int")
def dictionary_whose_default_is_written_here(x, b):
    made = collections.defaultdict(lambda: x)
    return made[b[0]]


class Countdown:
    def __init__(self, start, least):
        self.now = start
        self.least = least

    def __iter__(self):
        return self

    def __next__(self):
        if self.now <= self.least:
            raise StopIteration
        self.now -= 1
        return self.now


@on(USUAL)
def objects_that_are_iterators(x, b):
    first = Countdown(x, 0)
    for each in first:
        if each == 1:
            break
    return list(Countdown(x, 1)), sum(Countdown(b[0], x)), list(enumerate(Countdown(x, 0))), first.now, list(first)


class NotNext:
    def __init__(self):
        self.value = 1


class Nothing:
    def __iter__(self):
        return NotNext()


@on(USUAL)
def what_is_no_iterator(x, b):
    try:
        return [each for each in Nothing()] if x < 2 else list(enumerate(Nothing()))
    except TypeError:
        return x


@on(USUAL)
def what_cannot_be_looped_over_and_is_not(x, b):
    try:
        if x < 1:
            enumerate(NotNext())
        elif x < 2:
            iter(NotNext())
        elif x < 3:
            itertools.product(NotNext())
        else:
            enumerate(Nothing())
    except TypeError:
        return x
    return -1


@on(tuple((each,) for each in (0.5, -2.0, 0.0, 1e300)))
def kinds_of_floats(x):
    large = x * 1e300 * 1e300
    return math.isnan(x), math.isinf(x), math.isfinite(x), math.isfinite(large), math.isinf(large), math.isnan(3)


class Helper:
    def twice(self, x):
        return 2 * x


class Marker:
    pass


@on(USUAL)
def objects_without_fields(x, b):
    helper, marker = Helper(), Marker()
    return helper.twice(x), marker is Marker(), marker == marker, [Marker(), marker].index(marker), bool(marker)


def list_of_fields(x, b):
    return [tuple(b), "XO"[x % 2], [x, x + 1]]


@on(USUAL)
def lists_of_several_types(x, b):
    made = list_of_fields(x, b)
    board, mark, counts = made
    first, *others = made
    counts.append(7)
    return (
        board[0], mark, len(counts), len(made), made[-1] is counts, made[-2], first == board, len(others),
        others[1] is counts, isinstance(made, list), isinstance(made, tuple), type(made) is list, bool(made),
        tuple(made) == made, made == list_of_fields(x, b), made == made[:], made[1:] == others,
    )  # fmt: skip


@on(USUAL)
def changed_lists_of_several_types(x, b):
    made = list_of_fields(x, b)
    others = [made.copy(), made[:], list(made), copy.copy(made), copy.deepcopy(made), [*made], made]
    made[1] = "X"
    made[-1] = [x]
    others[4][2].append(1)
    others[1][2].append(2)
    made[0] = (*made[0][:2], 5, 5)
    return [(digest(each[0]), each[1], digest(each[2])) for each in others], made in others, others.index(made)


@on(USUAL)
def loops_over_lists_of_several_types(x, b):
    seen = 0
    for index, each in enumerate(list_of_fields(x, b)):
        seen += index * (len(each) if not isinstance(each, str) else 100)
    return seen, "X" in list_of_fields(x, b), x in list_of_fields(x, b), [x, x + 1] in list_of_fields(x, b)


@on(USUAL)
def patterns_of_lists_of_several_types(x, b):
    match list_of_fields(x, b):
        case [_, "X", [_, y]]:
            return y
        case (board, mark, [*counts]):
            return board[0], mark, counts[0]
    return None


@on(USUAL)
def index_that_a_list_of_several_types_lacks(x, b):
    made = list_of_fields(x, b)
    if x < 1:
        return made[3]
    if x < 2:
        _, mark = made
        return mark
    if x < 4:
        made[-4] = 3
    return made[1]


@on(USUAL, "the method append of a list is not compiled")
def list_of_several_types_that_grows(x, b):
    made = list_of_fields(x, b)
    made.append(x)
    return made[1]


@on(USUAL, "is not compiled for an instance of list")
def lists_of_several_types_in_order(x, b):
    try:
        return list_of_fields(x, b) < list_of_fields(0, b)
    except TypeError:
        return -1


@on(USUAL, "an instance of list|is not compiled")
def sum_of_lists_of_several_types(x, b):
    try:
        return len(list_of_fields(x, b) + [x])
    except TypeError:
        return -1


@on(USUAL, "an instance of list|is not compiled")
def repeated_lists_of_several_types(x, b):
    try:
        return len(list_of_fields(x, b) * 2)
    except TypeError:
        return -1


def heap_move(x, b):
    return f"heap {x}: take {b[0]:02d}"


@on(USUAL)
def parts_of_texts(x, b):
    move = heap_move(x, b)
    left, right = move.split(": take ")
    first, between, rest = move.partition(" ")
    last = move.rpartition(" ")
    none = move.partition("--"), move.rpartition("--"), move.partition("heap"), move.rpartition(right)
    return (
        int(left.removeprefix("heap ")), int(right), first == "heap", between == " ", len(rest), int(last[2]),
        [[len(each) for each in row] for row in none], [len(each) for each in move.split()], len(move.split(None)),
        [len(each) for each in move.split("e", 1)], [len(each) for each in move.split(" ", -1)],
        move.removesuffix(right) + right == move, len(move.removesuffix("x")), len(last[0]),
        ("  " + move + "  ").split() == move.split(),
    )  # fmt: skip


@on(USUAL)
def separators_that_are_empty(x, b):
    try:
        return len(heap_move(x, b).partition("" if x < 9 else "xx"))
    except ValueError:
        return -1


@on(USUAL, "split of a text is compiled only with a text and a number")
def split_at_what_is_no_text(x, b):
    try:
        return heap_move(x, b).split(x)
    except TypeError:
        return [heap_move(0, b)]


@on(USUAL)
def prefix_that_is_no_text(x, b):
    try:
        return len(heap_move(x, b).removeprefix(("heap", "a")))  # type: ignore[arg-type]
    except TypeError:
        return -1


@on(USUAL)
def numbers_in_texts_of_a_width(x, b):
    text = f"{x:02d}/{b[1]:3}/{x * 100:04}/{b[2]:d}/{-x:1}"
    return len(text), text.count("0"), text.count(" "), text.split("/")[2] == "0200", text[:2] == "-1"


@on(USUAL, "put together at run time is not compiled: .* or give it a width")
def number_in_a_text_on_one_side(x, b):
    return len(f"{x:>3}")


def amount_in(text):
    try:
        return int(text)
    except ValueError:
        return -5


@on(USUAL)
def texts_that_are_no_numbers(x, b):
    name = ("1", "a2", "", "12", "-3", "h", "x")[x % 7]
    return (
        amount_in(name), amount_in(f"{x}7"), amount_in("a" * abs(x) + "7"), amount_in(f"{x}:2"),
        amount_in("9" * (x % 3)),
    )  # fmt: skip


@on(USUAL)
def names_that_raise(x, b):
    name = ("1", "a2", "", "12", "-3", "h", "-")[x % 7]
    found = []
    for each in (lambda: ord(name[1]), lambda: ord(name), lambda: name.index("2"), lambda: int(name)):
        try:
            found.append(each())
        except (IndexError, TypeError):
            found.append(-1)
        except ValueError:
            found.append(-2)
    return found


class Turn(TypedDict):
    cells: list[int]
    turn: int


@on(USUAL)
def typed_dictionaries(x, b):
    made = Turn(cells=list(b), turn=x)
    other = Turn({"turn": 0, "cells": [x]})
    made["turn"] += 1
    return made["turn"], digest(made["cells"]), len(other), other["cells"] == [x], isinstance(made, dict)


@dataclasses.dataclass(frozen=True)
class Coin:
    LARGEST: ClassVar[int] = 9
    value: int
    owner: str = "a"


@on(USUAL)
def records_with_class_variables(x, b):
    coin = Coin(x)
    match coin:
        case Coin(value=value, owner="a"):
            return (
                value,
                coin == Coin(x, "a"),
                coin == Coin(b[0], "b"),
                dataclasses.replace(coin, value=3).value,
                coin.LARGEST,
            )


@on(USUAL)
def names_of_keywords(x, b):
    made = dict(items=x, s=b[0], named=3)
    try:
        other = dict(s=x, items=(1, 2))
    except TypeError:
        return -1
    add = functools.partial(lambda function, s: function + s, function=x)
    return made["items"], made["s"], len(made), other["s"], len(other), add(s=2), Coin(1).value


@on(USUAL)
def keywords_that_become_keys(x, b):
    made, counts = {"a": x}, collections.Counter("ab", other=x)
    made.update(other=x, b=2)
    made.update({"a": 3}, items=x)
    counts.update(a=2, items=3)
    counts.update("a", other=1)
    fields = dictionary_of_fields(x, b)
    fields.update(turn=x + 1)
    return (
        made["other"], made["items"], made["a"], len(made), counts["a"], counts["items"], counts["other"], len(counts),
        fields["turn"], collections.Counter(items=x)["items"],
    )  # fmt: skip


@on(USUAL, "'default' parameter is positional only")
def keyword_of_a_dictionary_that_python_does_not_know(x, b):
    try:
        return {"a": x}.get("b", default=3)
    except TypeError:
        return -1


@on(USUAL, "is compiled only without keywords")
def keyword_of_a_list_that_python_does_not_know(x, b):
    try:
        return [x, 3].pop(index=0)
    except TypeError:
        return -1


class Cloned:
    def __init__(self, turn):
        self.turn = turn

    def clone(self):
        other = Cloned.__new__(Cloned)
        other.turn = self.turn
        return other


@on(USUAL, r"Cloned.__new__\(...\), is not compiled: call Cloned\(...\), or copy an object with copy.deepcopy")
def objects_without_their_init(x, b):
    return Cloned(x).clone().turn


@dataclasses.dataclass
class Spot:
    place: int


class Unlike:
    def __init__(self, place):
        self.place = place


GOAL, CENTRE, EXIT, NOBODY = Spot(3), Point(3, 1), Spot(0), Unlike(3)
LETTER, IMAGINARY, EXACT, QUEUED = Text.X, complex(3, 0), decimal.Decimal(3), collections.deque([0, 1])


@on(USUAL)
def constant_objects_compared(x, b):
    spot, goal, nobody = Spot(x), GOAL, NOBODY
    perhaps = Spot(x) if x > 2 else None
    return (
        spot == goal, goal == spot, spot != goal, spot in (EXIT, goal), (goal, x) == (spot, 3), perhaps == goal,
        goal != perhaps, goal == x, goal == CENTRE, Unlike(x) == nobody, nobody == x, (nobody, x) == (nobody, 3),
        Point(x, 1) == CENTRE, Point(b[0], 1) in [CENTRE], {CENTRE: 1}.get(Point(x, 1), 0),
    )  # fmt: skip


@on(USUAL)
def tuples_with_functions_compared(x, b):
    return (len, x) == (len, 3), (len, x) != (max, 3), (int, b) == (int, (1, 1, 1, 1)), x == len, (len,) == b


@on(USUAL)
def members_of_an_enum_of_texts_compared(x, b):
    letter, member = "x" if x > 2 else "o", LETTER
    return letter == member, member != letter, member == str(x)


@on(USUAL, "== of a complex and this value is not compiled")
def complex_number_compared(x, b):
    return x in (IMAGINARY, 7)


@on(USUAL, "== of a Decimal and this value is not compiled")
def decimal_number_compared(x, b):
    return x == EXACT


@on(USUAL, "== of two ranges is not compiled: compare their bounds")
def ranges_compared(x, b):
    return range(x) == range(3)


@on(USUAL, "queue_compared_with_a_constant never returns")
def queue_compared_with_a_constant(x, b):
    return collections.deque(b[:2]) == QUEUED


@dataclasses.dataclass(frozen=True)
class Fielded:
    number: int
    _fields = ("a", "b", "c")


FIELDED = Fielded(3)


@on(USUAL)
def record_with_an_attribute_of_named_tuples(x, b):
    try:
        return len([*Fielded(x)])
    except TypeError:
        return Fielded(x) == FIELDED, (x,) == Fielded(x), Fielded(x)._fields[x % 3], len(b)
