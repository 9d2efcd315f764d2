"""Functions of Python's library in plain Python, which are compiled like the functions of an author.

`LIBRARY` maps Python's functions to the functions that implement them. The functions use only what core has: numbers,
tuples, lists, loops. `set_length` and similar functions are operations of closed core, with a meaning in Python.
"""

import bisect
import builtins
import collections
import functools
import heapq
import itertools
import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from ggp.bits import CELLS, Bits
from ggp.compiler import field_dicts
from ggp.compiler.field_dicts import FieldDict, Item, give_up, hashed
from ggp.compiler.intrinsics import words_of
from ggp.frozen_states import freeze, thaw


class Beyond(Exception):
    """Raised if machine code cannot represent a result: a number beyond 64 bits, or a value of another type."""


# Operations with a meaning in Python ----------------------------------------------------------------------------------


def set_length(items: list[object], length: int) -> None:
    """Drop the items from index `length` on."""
    del items[length:]


def to_the_power(base: float, exponent: float) -> float:
    """Return one float to the power of another, as C's library does."""
    return math.pow(base, exponent)


def is_float(value: object) -> bool:
    """Return whether a number is a float."""
    return isinstance(value, float)


def only_float(value: object) -> Item:
    """Return a float; raise Beyond for any other value.

    CPython's rules for adding other numbers to floats differ from version to version.
    """
    if not isinstance(value, float):
        raise Beyond
    return value


def lowest_bit(bits: Bits) -> int:
    """Return the lowest cell; -1 if the set is empty."""
    return bits.lowest()


def without_lowest(bits: Bits) -> Bits:
    """Return the set without its lowest cell; the set is not empty."""
    return bits.excluding(bits.lowest())


# Numbers --------------------------------------------------------------------------------------------------------------


def power(base: int, exponent: int) -> int:
    """Return base ** exponent; raise Beyond for a negative exponent, since the result would be a float."""
    if exponent < 0:
        raise Beyond
    made = 1
    while exponent:
        if exponent & 1:
            made *= base
        exponent >>= 1
        if exponent:
            base *= base
    return made


def float_power(base: float, exponent: float) -> float:
    """Return base ** exponent for floats; raise Beyond if the result is not a float."""
    if base < 0.0:
        raise Beyond
    if base == 0.0 and exponent < 0.0:
        raise ZeroDivisionError
    return to_the_power(base, exponent)


def power_modulo(base: int, exponent: int, modulus: int) -> int:
    """Return base ** exponent % modulus; Python takes over for a negative exponent."""
    if exponent < 0:
        give_up()
    made = 1 % modulus
    base %= modulus
    while exponent:
        if exponent & 1:
            made = made * base % modulus
        exponent >>= 1
        if exponent:
            base = base * base % modulus
    return made


def gcd(*integers: int) -> int:
    """Return the greatest common divisor."""
    made = 0
    for each in integers:
        made = gcd_of_two(made, each)
    return made


def gcd_of_two(one: int, other: int) -> int:
    """Return the greatest common divisor of two numbers."""
    while other:
        one, other = other, one % other
    return abs(one)


def lcm(*integers: int) -> int:
    """Return the least common multiple."""
    made = 1
    for each in integers:
        made = 0 if made == 0 or each == 0 else abs(made // gcd(made, each) * each)
    return made


def factorial(n: int, /) -> int:
    """Return the product of the numbers from 1 to n."""
    if n < 0:
        raise ValueError
    made = 1
    for number in range(2, n + 1):
        made *= number
    return made


def perm(n: int, k: int | None = None, /) -> int:
    """Return the number of ways to choose k items from n in order."""
    if k is None:
        return factorial(n)
    if n < 0 or k < 0:
        raise ValueError
    made = 1 if k <= n else 0
    for number in range(n - k + 1, n + 1):
        made *= number
    return made


def comb(count: int, chosen: int) -> int:
    """Return the number of ways to choose `chosen` items from `count`."""
    if count < 0 or chosen < 0:
        raise ValueError
    if chosen > count:
        return 0
    made = 1
    for step in range(1, min(chosen, count - chosen) + 1):
        made = made * (count - min(chosen, count - chosen) + step) // step
    return made


def isqrt(number: int) -> int:
    """Return the integer part of the square root."""
    if number < 0:
        raise ValueError
    low, high = 0, 1
    while high <= 1 << 31 and high * high <= number:
        high *= 2
    while low < high - 1:
        middle = (low + high) // 2
        if middle * middle <= number:
            low = middle
        else:
            high = middle
    return low


def prod(numbers: Iterable[Item], start: Item = 1) -> Item:
    """Return the product."""
    made = start
    for number in numbers:
        made = made * number
    return made


def divmod_(one: Item, other: Item) -> Item:
    """Return quotient and remainder."""
    return (one // other, one % other)


# Sums, extremes, tests ------------------------------------------------------------------------------------------------


COMPENSATED = sys.version_info >= (3, 12)
"""Whether Python's own `sum` of floats compensates for rounding errors."""


def sum_(items: Iterable[Item], start: Item = 0) -> Item:
    """Return the sum of the items."""
    total = start
    for each in items:
        total = total + each
    return total


def sum_compensated(items: Iterable[Item], start: Item = None) -> Item:
    """Return the sum of the items; floats are summed with Neumaier's compensation, as in CPython from 3.12 on.

    Arguments:
        start: the first summand; None if it is the constant 0.
    """
    total = 0 if start is None else start
    lost = 0.0
    for each in items:
        if is_float(total):
            number = only_float(each)
            after = total + number
            lost += (total - after) + number if abs(total) >= abs(number) else (number - after) + total
            total = after
        else:
            total = total + each
    if is_float(total):
        if start is not None:
            only_float(start)
        if lost != 0.0 and lost - lost == 0.0:  # neither infinite nor no number
            return total + lost
    return total


def any_(items: Iterable[object]) -> bool:
    """Return whether an item is true."""
    found = False
    for each in items:
        if each:
            found = True
            break
    return found


def all_(items: Iterable[object]) -> bool:
    """Return whether all items are true."""
    found = True
    for each in items:
        if not each:
            found = False
            break
    return found


def lesser(one: Item, other: Item) -> Item:
    """Return `min(one, other)`."""
    return other if other < one else one


def greater(one: Item, other: Item) -> Item:
    """Return `max(one, other)`."""
    return other if other > one else one


def extreme(items: Iterable[Item], before: Callable[[Item, Item], bool], *default: Item) -> Item:
    """Return `min(items)` or `max(items)`: the first item for which `before(other, item)` is false for all
    other items.
    """
    found = False
    for each in items:
        if not found:
            best = each
            found = True
        elif before(each, best):
            best = each
    if not found:
        if len(default) == 0:
            raise ValueError
        return default[0]
    return best


def extreme_by(
    items: Iterable[object], before: Callable[[Item, Item], bool], key: Callable[[Item], Item], *default: object
) -> Item:
    """Return the first item such that no other item's key comes `before` its key."""
    found = False
    for each in items:
        rank = key(each)
        if not found:
            best, first = each, rank
            found = True
        elif before(rank, first):
            best, first = each, rank
    if not found:
        if len(default) == 0:
            raise ValueError
        return default[0]
    return best


def extreme_alone(items: Iterable[object], before: Callable[[Item, Item], bool], key: Callable[[Item], Item]) -> Item:
    """Return the item of a set with the extreme key; Python takes over if several items have this key."""
    best = extreme_by(items, before, key)
    first, found = key(best), 0
    for each in items:
        if key(each) == first:
            found += 1
    if found > 1:
        give_up()
    return best


def next_(items: Iterable[object]) -> Item:
    """Return the first item."""
    for each in items:
        return each
    raise StopIteration


def next_or(items: Iterable[object], default: object) -> Item:
    """Return the first item; if there are no items, return `default`."""
    for each in items:
        return each
    return default


def reduce(function: Callable[[Item, Item], Item], items: Iterable[object]) -> Item:
    """Return the result of combining the items by a function from left to right."""
    total: object
    is_begun = False
    for each in items:
        if is_begun:
            total = function(total, each)  # noqa: F821  it has a value where one was found
        else:
            total = each
            is_begun = True
    if not is_begun:
        raise TypeError
    return total


def reduce_from(function: Callable[[Item, Item], Item], items: Iterable[object], start: object) -> Item:
    """Return the result of combining a first value and the items by a function from left to right."""
    total = start
    for each in items:
        total = function(total, each)
    return total


# Iterators ------------------------------------------------------------------------------------------------------------


def enumerate_(items: Iterable[object], start: int = 0) -> Iterator[Item]:
    """Yield pairs of a number and an item, as `enumerate` does."""
    number = start
    for each in items:
        yield (number, each)
        number += 1


def map_(function: Callable[[Item], Item], items: Iterable[object]) -> Iterator[Item]:
    """Yield a function's result for each item."""
    for each in items:
        yield function(each)


def filter_(function: Callable[[Item], Item], items: Iterable[object]) -> Iterator[Item]:
    """Yield the items for which a function is true."""
    for each in items:
        if function(each):
            yield each


def filter_true(items: Iterable[object]) -> Iterator[Item]:
    """Yield the items that are true."""
    for each in items:
        if each:
            yield each


def filter_false(function: Callable[[Item], Item], items: Iterable[object]) -> Iterator[Item]:
    """Yield the items for which a function is false; if the function is None, the items that are false."""
    for each in items:
        if not (each if function is None else function(each)):
            yield each


def compress(data: Iterable[Item], selectors: Iterable[object]) -> Iterator[Item]:
    """Yield the items whose selectors are true."""
    for each, is_chosen in zip(data, selectors):
        if is_chosen:
            yield each


def reversed_(items: Sequence[object]) -> Iterator[Item]:
    """Yield the items from the last to the first."""
    for index in range(len(items) - 1, -1, -1):
        yield items[index]


def zip_second(one: Iterable[object], other: Sequence[object]) -> Iterator[Item]:
    """Yield pairs of an iterable's item and a sequence's item."""
    index = 0
    for each in one:
        if index >= len(other):
            return
        yield (each, other[index])
        index += 1


def zip_first(one: Sequence[object], other: Iterable[object]) -> Iterator[Item]:
    """Yield pairs of items. Read no more items of the iterable than there are pairs."""
    index = 0
    if len(one) > 0:
        for each in other:
            yield (one[index], each)
            index += 1
            if index >= len(one):
                return


def zip_strict(one: Iterable[object], other: Sequence[object]) -> Iterator[Item]:
    """Yield pairs of an item of each argument; raise ValueError if the lengths differ."""
    index = 0
    for each in one:
        if index >= len(other):
            raise ValueError
        yield (each, other[index])
        index += 1
    if index < len(other):
        raise ValueError


def columns(rows: Sequence[Item]) -> Iterator[Item]:
    """Yield the columns of rows, as `zip(*rows)` does."""
    index = 0
    while len(rows) > 0:
        for row in rows:
            if index >= len(row):
                return
        yield tuple([row[index] for row in rows])
        index += 1


def chain(*parts: Iterable[object]) -> Iterator[Item]:
    """Yield the items of one iterable after the items of another."""
    for part_ in parts:
        for each in part_:
            yield each


def chain_all(parts: Iterable[Iterable[object]]) -> Iterator[Item]:
    """Yield the items of each iterable."""
    for part_ in parts:
        for each in part_:
            yield each


def product(*pools: Sequence[object]) -> Iterator[Item]:
    """Yield all combinations that take one item from each pool."""
    if len(pools) == 0:
        yield ()
    elif len(pools) == 1:
        for each in pools[0]:
            yield (each,)
    elif len(pools) == 2:
        for each in pools[0]:
            for other in pools[1]:
                yield (each, other)
    elif len(pools) == 3:
        for each in pools[0]:
            for other in pools[1]:
                for third in pools[2]:
                    yield (each, other, third)
    else:
        raise Beyond


def combinations(pool: Sequence[object], size: int) -> Iterator[Item]:
    """Yield all choices of `size` items; raise Beyond unless `size` is 2 or 3."""
    if size == 2:
        for one in range(len(pool)):
            for other in range(one + 1, len(pool)):
                yield (pool[one], pool[other])
    elif size == 3:
        for one in range(len(pool)):
            for other in range(one + 1, len(pool)):
                for third in range(other + 1, len(pool)):
                    yield (pool[one], pool[other], pool[third])
    else:
        raise Beyond


def permutations(pool: Sequence[object], size: int) -> Iterator[Item]:
    """Yield all ordered choices of `size` items; raise Beyond unless `size` is 2."""
    if size == 2:
        for one in range(len(pool)):
            for other in range(len(pool)):
                if one != other:
                    yield (pool[one], pool[other])
    else:
        raise Beyond


def pairwise(items: Iterable[object]) -> Iterator[Item]:
    """Yield pairs of each item and the next one."""
    before: object
    first = True
    for each in items:
        if not first:
            yield (before, each)  # noqa: F821
        before = each
        first = False


def accumulate(
    items: Iterable[Item], func: Callable[[Item, Item], Item] | None = None, *, initial: Item = None
) -> Iterator[Item]:
    """Yield the running results of a function over the items, by default their running sums."""
    first = initial is None
    if not first:
        total = initial
        yield total
    for each in items:
        if first:
            total = each
            first = False
        elif func is None:
            total = total + each
        else:
            total = func(total, each)
        yield total


def starmap(function: Callable[..., Item], items: Iterable[Item]) -> Iterator[Item]:
    """Yield the results of a function; each item holds the arguments of one call."""
    for each in items:
        yield function(*each)


def cycle(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items again and again."""
    kept = []
    for each in items:
        kept.append(each)
        yield each
    while kept:
        for each in kept:
            yield each


def by_next(items: Item) -> Iterator[Item]:
    """Yield the results of an object's `__next__`, until it raises StopIteration."""
    while True:
        try:
            each = items.__next__()
        except StopIteration:
            return
        yield each


def isnan(number: float) -> bool:
    """Return whether a float is NaN."""
    return number != number


def isinf(number: float) -> bool:
    """Return whether a number is infinite."""
    return number == math.inf or number == -math.inf


def isfinite(number: float) -> bool:
    """Return whether a number is finite."""
    return -math.inf < number < math.inf


def by_index(items: Item) -> Iterator[Item]:
    """Yield the items of an object with `__getitem__`, but without `__iter__`."""
    index = 0
    while True:
        try:
            each = items[index]
        except (IndexError, StopIteration):
            return
        yield each
        index += 1


def keys_of(items: list[Item], key: Item) -> list[Item]:
    """Return the key of each item."""
    return [key(each) for each in items]


def groupby(every: list[Item], keys: list[Item]) -> Iterator[Item]:
    """Yield each key with an iterator over the adjacent items that have this key."""
    index = 0
    while index < len(every):
        first = index
        while index < len(every) and keys[index] == keys[first]:
            index += 1
        yield keys[first], iter(every[first:index])


def zip_longest(one: Sequence[object], other: Sequence[object], fillvalue: object) -> Iterator[Item]:
    """Yield pairs of items; after the end of a sequence, use `fillvalue` for it, even if the sequence grows later."""
    index, first, second = 0, True, True
    while True:
        first, second = first and index < len(one), second and index < len(other)
        if not first and not second:
            return
        yield one[index] if first else fillvalue, other[index] if second else fillvalue
        index += 1


def takewhile(function: Callable[[Item], Item], items: Iterable[object]) -> Iterator[Item]:
    """Yield the items until a function is false for an item."""
    for each in items:
        if not function(each):
            return
        yield each


def dropwhile(function: Callable[[Item], Item], items: Iterable[object]) -> Iterator[Item]:
    """Yield the items, beginning with the first item for which a function is false."""
    dropping = True
    for each in items:
        if dropping and function(each):
            continue
        dropping = False
        yield each


def count(start: int = 0, step: int = 1) -> Iterator[int]:
    """Yield numbers without end."""
    number = start
    while True:
        yield number
        number += step


def repeat(value: object, times: int) -> Iterator[Item]:
    """Yield a value `times` times."""
    for _ in range(times):
        yield value


def islice(items: Iterable[object], *bounds: int | None) -> Iterator[Item]:
    """Yield the items whose indices are in a range; do not read any items after the last one that is yielded."""
    first = bounds[0] if len(bounds) > 1 else None
    start = 0 if first is None else first
    stop = bounds[0] if len(bounds) == 1 else bounds[1]
    stride = bounds[2] if len(bounds) == 3 else None
    step = 1 if stride is None else stride
    if start < 0 or step < 1 or (stop is not None and stop < 0):
        raise ValueError
    index = 0
    if stop is None or max(start, stop) > 0:
        for each in items:
            if index >= start and (stop is None or index < stop) and (index - start) % step == 0:
                yield each
            index += 1
            if stop is not None and index >= max(start, stop):
                return


# Bits -----------------------------------------------------------------------------------------------------------------


def cells(bits: Bits) -> Iterator[int]:
    """Yield the cells in ascending order."""
    while bits:
        cell = lowest_bit(bits)
        yield cell
        bits = without_lowest(bits)


def each_of(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items."""
    yield from items


def one_bit(bits: Bits) -> Bits:
    """Return the set of cell 0, with the width of another set."""
    return Bits(1, bits.width)


def bits_contain(bits: Bits, cell: int) -> bool:
    """Return whether a cell is in a set."""
    if cell < 0:
        return False
    return bool(bits >> cell & one_bit(bits))


def including(bits: Bits, cell: int) -> Bits:
    """Return the set with a cell added."""
    if cell < 0 or cell >= bits.width:
        raise ValueError
    return bits | one_bit(bits) << cell


def excluding(bits: Bits, cell: int) -> Bits:
    """Return a set without one of its cells."""
    if cell < 0 or cell >= bits.width:
        raise ValueError
    return bits - (one_bit(bits) << cell)


def bits_of(*cells_: int, width: int = CELLS) -> Bits:
    """Return the set of these cells."""
    made = Bits(width=width)
    for cell in cells_:
        made = including(made, cell)
    return made


# Sequences ------------------------------------------------------------------------------------------------------------


def alike(one: object, other: object) -> bool:
    """Return whether two items of containers are equal. Identical items are equal, even if they compare unequal to
    themselves.
    """
    if one == other:
        return True
    if is_float(one) and is_float(other) and one != one and other != other:
        give_up()
    return False


def sequences_equal(one: Sequence[object], other: Sequence[object]) -> bool:
    """Return whether two sequences have equal items."""
    if len(one) != len(other):
        return False
    for index in range(len(one)):
        if not alike(one[index], other[index]):
            return False
    return True


def comes_before(one: Sequence[Item], other: Sequence[Item], or_equal: bool) -> bool:
    """Return whether a sequence comes before another in order: the first unequal items decide, or else the lengths."""
    for here, there in zip(one, other):
        if not alike(here, there):
            return bool(here < there)
    return len(one) <= len(other) if or_equal else len(one) < len(other)


def contains(items: Iterable[object], value: object) -> bool:
    """Return whether a value is among the items."""
    for each in items:
        if alike(each, value):
            return True
    return False


def index_of(items: Sequence[object], value: object, start: int = 0) -> int:
    """Return the first index of a value."""
    for index in range(start, len(items)):
        if alike(items[index], value):
            return index
    raise ValueError


def count_of(items: Iterable[object], value: object) -> int:
    """Return how often a value is among the items."""
    count = 0
    for each in items:
        if alike(each, value):
            count += 1
    return count


def bound(index: Item, default: int, length: int) -> int:
    """Return a bound of a slice as an index from 0 to `length`."""
    if index is None:
        return default
    if index < 0:
        index += length
    if index < 0:
        return 0
    if index > length:
        return length
    return index  # type: ignore[no-any-return]


def part(items: Sequence[Item], start: Item, stop: Item, step: Item) -> list[Item]:
    """Return the items of a slice."""
    made = []
    length = len(items)
    if step is None or step == 1:
        first, last = bound(start, 0, length), bound(stop, length, length)
        for index in range(first, last):
            made.append(items[index])
    elif step == 0:
        raise ValueError
    elif step > 0:
        first, last = bound(start, 0, length), bound(stop, length, length)
        for index in range(first, last, step):
            made.append(items[index])
    else:
        first, last = below(start, length - 1, length), below(stop, -1, length)
        for index in range(first, last, step):
            made.append(items[index])
    return made


def below(index: Item, default: int, length: int) -> int:
    """Return a bound of a slice with a negative step as an index from -1 to `length` - 1."""
    if index is None:
        return default
    if index < 0:
        index += length
    if index < -1:
        return -1
    if index >= length:
        return length - 1
    return index  # type: ignore[no-any-return]


def range_item(start: int, stop: int, step: int, index: int) -> int:
    """Return an item of a range."""
    length = range_length(start, stop, step)
    if index < 0:
        index += length
    if index < 0 or index >= length:
        raise IndexError
    return start + index * step


def range_length(start: int, stop: int, step: int) -> int:
    """Return the number of items of a range."""
    if step > 0:
        return max(0, (stop - start + step - 1) // step)
    return max(0, (start - stop - step - 1) // -step)


def range_contains(start: int, stop: int, step: int, value: Item) -> bool:
    """Return whether a number is in a range."""
    if step > 0:
        return bool(start <= value < stop and (value - start) % step == 0)
    return bool(stop < value <= start and (start - value) % -step == 0)


def dense_place(places: Sequence[int], low: int, key: int) -> int:
    """Return the index that a table of indices has for a key; -1 if the key has none."""
    if key < low or key - low >= len(places):
        return -1
    return places[key - low]


# Lists ----------------------------------------------------------------------------------------------------------------


def list_pop(items: list[object], at: int = -1) -> Item:
    """Remove an item by its index, and return it."""
    length = len(items)
    if at < 0:
        at += length
    if at < 0 or at >= length:
        raise IndexError
    item = items[at]
    for index in range(at, length - 1):
        items[index] = items[index + 1]
    set_length(items, length - 1)
    return item


def list_insert(items: list[object], wanted: int, value: object) -> None:
    """Insert an item."""
    length = len(items)
    at = bound(wanted, 0, length)
    items.append(value)
    for index in range(length, at, -1):
        items[index] = items[index - 1]
    items[at] = value


def list_remove(items: list[object], value: object) -> None:
    """Remove the first item that is equal to a value."""
    list_pop(items, index_of(items, value))


def list_reverse(items: list[object]) -> None:
    """Reverse a list in place."""
    length = len(items)
    for index in range(length // 2):
        items[index], items[length - 1 - index] = items[length - 1 - index], items[index]


def list_clear(items: list[object]) -> None:
    """Drop all items."""
    set_length(items, 0)


def list_extend(items: list[object], others: Iterable[object]) -> None:
    """Append all items of an iterable."""
    for each in others:
        items.append(each)


def repeat_into(made: list[object], items: Sequence[object], times: int) -> None:
    """Append the items of a sequence to a list, this number of times."""
    for _ in range(times):
        for each in items:
            made.append(each)


def repeat_in_place(items: list[object], times: int) -> None:
    """Repeat a list in place."""
    length = len(items)
    if times <= 0:
        set_length(items, 0)
    for _ in range(times - 1):
        for index in range(length):
            items.append(items[index])


def put_part(items: list[object], start: object, stop: object, others: list[object]) -> None:
    """Replace a slice of a list."""
    length = len(items)
    first, last = bound(start, 0, length), bound(stop, length, length)
    if last < first:
        last = first
    behind = items[last:]
    set_length(items, first)
    for each in others:
        items.append(each)
    for each in behind:
        items.append(each)


def put_steps(items: list[object], start: object, stop: object, step: int, others: list[object]) -> None:
    """Replace the items of a slice with a step."""
    length = len(items)
    if step == 0:
        raise ValueError
    if step > 0:
        first, last = bound(start, 0, length), bound(stop, length, length)
    else:
        first, last = below(start, length - 1, length), below(stop, -1, length)
    if step == 1:
        put_part(items, start, stop, others)
    elif range_length(first, last, step) != len(others):
        raise ValueError
    else:
        index = 0
        for target in range(first, last, step):
            items[target] = others[index]
            index += 1


def delete_part(items: list[object], start: object, stop: object) -> None:
    """Remove a slice of a list."""
    length = len(items)
    first, last = bound(start, 0, length), bound(stop, length, length)
    if last > first:
        for index in range(last, length):
            items[first + index - last] = items[index]
        set_length(items, length - (last - first))


def sorted_items(items: Iterable[Item], reverse: Item) -> list[Item]:
    """Return the items sorted, by an insertion sort, which is stable."""
    made: list[Item] = []
    for each in items:
        index = len(made)
        made.append(each)
        if reverse:
            while index > 0 and made[index - 1] < each:
                made[index] = made[index - 1]
                index -= 1
        else:
            while index > 0 and each < made[index - 1]:
                made[index] = made[index - 1]
                index -= 1
        made[index] = each
    return made


def sorted_by(items: Iterable[object], key: Callable[[Item], Item], reverse: object) -> list[Item]:
    """Return the items in the order of their keys."""
    made: list[object] = []
    keys: list[object] = []
    for each in items:
        rank = key(each)
        index = len(made)
        made.append(each)
        keys.append(rank)
        if reverse:
            while index > 0 and keys[index - 1] < rank:
                made[index], keys[index] = made[index - 1], keys[index - 1]
                index -= 1
        else:
            while index > 0 and rank < keys[index - 1]:
                made[index], keys[index] = made[index - 1], keys[index - 1]
                index -= 1
        made[index], keys[index] = each, rank
    return made


def sorted_alone(items: Iterable[object], key: Callable[[Item], Item], reverse: object) -> list[Item]:
    """Return the items of a set in the order of their keys; Python takes over if two have the same key."""
    made = sorted_by(items, key, reverse)
    for index in range(1, len(made)):
        if key(made[index - 1]) == key(made[index]):
            give_up()
    return made


def sort_in_place(items: list[object], ordered: list[object]) -> None:
    """Replace the items of a list by the same items in sorted order."""
    for index in range(len(ordered)):
        items[index] = ordered[index]


# Heaps and sorted lists, with the steps of `heapq` and `bisect` -------------------------------------------------------


def heap_push(heap: list[Item], item: Item, /) -> None:
    """Add an item to a heap."""
    heap.append(item)
    heap_rise(heap, 0, len(heap) - 1)


def heap_pop(heap: list[Item], /) -> Item:
    """Remove the least item of a heap, and return it."""
    last = list_pop(heap)
    return last if len(heap) == 0 else heap_replace(heap, last)


def heap_replace(heap: list[Item], item: Item, /) -> Item:
    """Remove the least item of a heap, add another one, and return the one that was removed."""
    least = heap[0]
    heap[0] = item
    heap_sink(heap, 0)
    return least


def heap_push_pop(heap: list[Item], item: Item, /) -> Item:
    """Add an item to a heap, then remove the least one and return it."""
    return heap_replace(heap, item) if len(heap) > 0 and heap[0] < item else item


def heap_of(items: list[Item], /) -> None:
    """Turn a list into a heap, in place."""
    for index in range(len(items) // 2 - 1, -1, -1):
        heap_sink(items, index)


def heap_rise(heap: list[Item], first: int, index: int) -> None:
    """Move the item with this index up, at most to index `first`, until its parent is not greater."""
    item = heap[index]
    while index > first and item < heap[(index - 1) // 2]:
        heap[index] = heap[(index - 1) // 2]
        index = (index - 1) // 2
    heap[index] = item


def heap_sink(heap: list[Item], first: int) -> None:
    """Move the item with index `first` down to a leaf, along the lesser children, and from there up again."""
    item, index, child = heap[first], first, 2 * first + 1
    while child < len(heap):
        if child + 1 < len(heap) and not heap[child] < heap[child + 1]:
            child += 1
        heap[index] = heap[child]
        index, child = child, 2 * child + 1
    heap[index] = item
    heap_rise(heap, first, index)


ItemKey = Callable[[Item], Item]
"""Function that returns what an item is compared by."""


def window_end(a: Sequence[Item], lo: int, hi: int | None) -> int:
    """Return the end of the part of a sequence in which `bisect` looks."""
    if lo < 0:
        raise ValueError
    return len(a) if hi is None else hi


def bisect_left(a: Sequence[Item], x: Item, lo: int = 0, hi: int | None = None, *, key: ItemKey | None = None) -> int:
    """Return the index before which an item belongs in a sorted sequence, before all items that are equal."""
    hi = window_end(a, lo, hi)
    while lo < hi:
        middle = (lo + hi) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def bisect_right(a: Sequence[Item], x: Item, lo: int = 0, hi: int | None = None, *, key: ItemKey | None = None) -> int:
    """Return the index before which an item belongs in a sorted sequence, after all items that are equal."""
    hi = window_end(a, lo, hi)
    while lo < hi:
        middle = (lo + hi) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            hi = middle
        else:
            lo = middle + 1
    return lo


def insort_left(a: list[Item], x: Item, lo: int = 0, hi: int | None = None, *, key: ItemKey | None = None) -> None:
    """Insert an item into a sorted list, before all items that are equal."""
    list_insert(a, bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a: list[Item], x: Item, lo: int = 0, hi: int | None = None, *, key: ItemKey | None = None) -> None:
    """Insert an item into a sorted list, after all items that are equal."""
    list_insert(a, bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


# Texts, letter by letter ----------------------------------------------------------------------------------------------


def join_letters(glue: Item, parts: Iterable[Item]) -> list[Item]:
    """Return the letters of several texts, with the letters of a separator between them."""
    made = []
    first = True
    for each in parts:
        if not first:
            for letter in glue:
                made.append(letter)
        first = False
        for letter in each:
            made.append(letter)
    return made


def place_in(numbers: Sequence[int], number: int) -> int:
    """Return the index of a number in a sorted table; -1 if the number is not in the table."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    if low < len(numbers) and numbers[low] == number:
        return low
    return -1


def is_at(text: Item, part: Item, index: int) -> bool:
    """Return whether a text contains another text at an index; the text must be long enough."""
    for offset in range(len(part)):
        if text[index + offset] != part[offset]:
            return False
    return True


def require_text(part: object) -> None:
    """Raise TypeError unless the argument is a text. Without this check, a list or tuple of letters would be accepted,
    since it has the same items.
    """
    if not isinstance(part, str):
        raise TypeError


def window(text: Item, start: Item, end: Item) -> tuple[int, int]:
    """Return the bounds of a part of a text, for bounds that are given as in a text's methods.

    The given bounds may be None, and negative numbers count from the end.
    """
    first, last = 0 if start is None else start, len(text) if end is None else end
    if isinstance(first, float) or isinstance(last, float):
        raise TypeError
    first = max(0, first + len(text)) if first < 0 else first
    return first, max(0, last + len(text)) if last < 0 else min(last, len(text))


def text_find(text: Item, part: Item, start: Item = None, end: Item = None) -> int:
    """Return the first index at which `part` occurs in a text; -1 if it does not occur."""
    require_text(part)
    first, last = window(text, start, end)
    for index in range(first, last - len(part) + 1):
        if is_at(text, part, index):
            return index
    return -1


def text_rfind(text: Item, part: Item, start: Item = None, end: Item = None) -> int:
    """Return the last index of another text in a text; -1 if it does not occur."""
    require_text(part)
    first, last = window(text, start, end)
    for index in range(last - len(part), first - 1, -1):
        if is_at(text, part, index):
            return index
    return -1


def text_index(text: object, part: object, start: Item = None, end: Item = None) -> int:
    """Return the first index at which `part` occurs in a text."""
    index = text_find(text, part, start, end)
    if index < 0:
        raise ValueError
    return index


def text_rindex(text: object, part: object, start: Item = None, end: Item = None) -> int:
    """Return the last index of another text in a text."""
    index = text_rfind(text, part, start, end)
    if index < 0:
        raise ValueError
    return index


def text_contains(text: object, part: object) -> bool:
    """Return whether a text contains another one."""
    return text_find(text, part) >= 0


def text_count(text: Item, part: Item, start: Item = None, end: Item = None) -> int:
    """Return how often a text contains another text, without overlaps."""
    require_text(part)
    index, last = window(text, start, end)
    if len(part) == 0:
        return max(0, last - index + 1)
    count = 0
    while index + len(part) <= last:
        if is_at(text, part, index):
            count += 1
            index += len(part)
        else:
            index += 1
    return count


def text_startswith(text: Item, part: Item, start: Item = None, end: Item = None) -> bool:
    """Return whether a text begins with a part, or with one of a tuple of parts."""
    first, last = window(text, start, end)
    for each in part if isinstance(part, tuple) else (part,):
        require_text(each)
        if first + len(each) <= last and is_at(text, each, first):
            return True
    return False


def text_endswith(text: Item, part: Item, start: Item = None, end: Item = None) -> bool:
    """Return whether a text ends with a part, or with one of a tuple of parts."""
    first, last = window(text, start, end)
    for each in part if isinstance(part, tuple) else (part,):
        require_text(each)
        if first + len(each) <= last and is_at(text, each, last - len(each)):
            return True
    return False


def text_replace(text: Item, old: Item, new: Item, most: int = -1) -> list[Item]:
    """Return the letters of a text with each occurrence of a part replaced; if `most` is not negative, only the first
    `most` occurrences.
    """
    require_text(old)
    require_text(new)
    made: list[Item] = []
    if len(old) == 0:
        raise Beyond
    index = 0
    while index < len(text):
        if most != 0 and index + len(old) <= len(text) and is_at(text, old, index):
            for each in new:
                made.append(each)
            index += len(old)
            most -= 1
        else:
            made.append(text[index])
            index += 1
    return made


def replace_in(made: list[Item], text: Item, old: Item, new: Item, most: int = -1) -> None:
    """Replace each occurrence of a part, in a list of a text's letters, by another part of the same length."""
    require_text(old)
    require_text(new)
    index = 0
    while most != 0 and index + len(old) <= len(text):
        if is_at(text, old, index):
            for offset in range(len(old)):
                made[index + offset] = new[offset]
            index += len(old)
            most -= 1
        else:
            index += 1


def text_ljust(text: Item, width: Item, fill: Item = " ") -> Item:
    """Return a text with copies of a letter added at its end, until it has at least a given length."""
    return padded(text, 0, width - len(text), fill)


def text_rjust(text: Item, width: Item, fill: Item = " ") -> Item:
    """Return a text with copies of a letter added at its beginning, until it has at least a given length."""
    return padded(text, width - len(text), 0, fill)


def text_zfill(text: Item, width: Item) -> Item:
    """Return a text with zeros before it up to a width; a sign stays first."""
    if len(text) > 0 and text[0] in "+-":
        return text[0] + padded(text[1:], width - len(text), 0, "0")
    return padded(text, width - len(text), 0, "0")


def text_center(text: Item, width: Item, fill: Item = " ") -> Item:
    """Return a text with copies of a letter added at both ends, until it has at least a given length."""
    missing = max(width - len(text), 0)
    before = missing // 2 + (missing & width & 1)  # where the sides differ, CPython goes by the width
    return padded(text, before, missing - before, fill)


def padded(text: Item, before: Item, behind: Item, fill: Item) -> Item:
    """Return a text between copies of a letter; a negative number of copies counts as 0."""
    require_text(fill)
    if len(fill) != 1:
        raise TypeError
    return fill * before + text + fill * behind


def text_split(text: Item, between: Item) -> list[str]:
    """Return the parts of a text that are separated by a letter."""
    made: list[str] = []
    part: list[str] = []
    for each in text:
        if each == between:
            made.append("".join(part))
            part = []
        else:
            part.append(each)
    made.append("".join(part))
    return made


def text_split_at(text: Item, between: Item, most: int = -1) -> list[str]:
    """Return the parts of a text between the occurrences of another text. If `most` is not negative, split only at the
    first `most` occurrences.
    """
    require_text(between)
    if len(between) == 0:
        raise ValueError
    made: list[str] = []
    first, index = 0, text_find(text, between)
    while index >= 0 and most != 0:
        made.append("".join(text[first:index]))
        first = index + len(between)
        index = text_find(text, between, first)
        most -= 1
    made.append("".join(text[first : len(text)]))
    return made


def text_split_at_blanks(text: Item) -> list[str]:
    """Return the parts of a text that are separated by blanks."""
    made: list[str] = []
    part: list[str] = []
    for each in text:
        if not each.isspace():
            part.append(each)
        elif len(part) > 0:
            made.append("".join(part))
            part = []
    if len(part) > 0:
        made.append("".join(part))
    return made


def text_partition(text: Item, between: Item) -> Item:
    """Return a text's part before the first separator, the separator, and the part after it."""
    require_text(between)
    if len(between) == 0:
        raise ValueError
    index = text_find(text, between)
    end = index if index >= 0 else len(text)
    start = index + len(between) if index >= 0 else len(text)
    return text[:end], text[end:start], text[start:]


def text_rpartition(text: Item, between: Item) -> Item:
    """Return a text's part before the last separator, the separator, and the part after it."""
    require_text(between)
    if len(between) == 0:
        raise ValueError
    index = text_rfind(text, between)
    start = index + len(between) if index >= 0 else 0
    return text[: max(index, 0)], text[max(index, 0) : start], text[start:]


def text_removeprefix(text: Item, part: Item) -> Item:
    """Return a text without `part` at its beginning, if it begins with `part`."""
    require_text(part)
    return text[len(part) :] if text_startswith(text, part) else text


def text_removesuffix(text: Item, part: Item) -> Item:
    """Return a text without `part` at its end, if it ends with `part`."""
    require_text(part)
    return text[: len(text) - len(part)] if text_endswith(text, part) else text


def number_in(text: Item) -> int:
    """Return the number that a text of digits stands for."""
    number, first = 0, 1 if len(text) > 1 and text[0] == "-" else 0
    if len(text) == 0:
        raise ValueError
    for index in range(first, len(text)):
        if text[index] not in "0123456789":
            require_number(text)
        number = 10 * number + int(text[index])
    return -number if first == 1 else number


def number_in_base(text: Item, base: int) -> int:
    """Return the number that a text stands for in a base from 2 to 36. Python takes over if the text is more than
    digits and a minus.
    """
    number, first = 0, 1 if len(text) > 1 and text[0] == "-" else 0
    if base < 2 or base > 36 or len(text) == 0:
        give_up()
    for index in range(first, len(text)):
        digit = text_find("0123456789abcdefghijklmnopqrstuvwxyz", text[index].lower())
        if digit < 0 or digit >= base:
            give_up()
        number = base * number + digit
    return -number if first == 1 else number


def require_number(text: Item) -> None:
    """Require a text of digits. Raise ValueError for a text that is certainly no number; for any other text, Python
    takes over.
    """
    for each in text:
        if each in NO_DIGITS:
            raise ValueError
    give_up()


NO_DIGITS = "".join(each for each in map(chr, range(128)) if not (each.isdigit() or each.isspace() or each in "+-_"))
"""The ASCII letters that cannot occur in a number. Letters that are not ASCII may be digits."""


def changed_letters(text: Item, change: Callable[[Item], Item]) -> list[Item]:
    """Return the results of a function for the letters, in order."""
    made = []
    for each in text:
        made.append(change(each))
    return made


def all_letters(text: Item, test: Callable[[Item], Item]) -> bool:
    """Return whether a text has letters, and a test is true for each of them."""
    for each in text:
        if not test(each):
            return False
    return len(text) > 0


def is_in_case(text: Item, wanted: Callable[[Item], Item], other: Callable[[Item], Item]) -> bool:
    """Return whether a text has a letter in one case, and no letter in the other case."""
    found = False
    for each in text:
        if other(each):
            return False
        if wanted(each):
            found = True
    return found


def from_keys(keys: Iterable[object], value: object = None) -> dict[Item, Item]:
    """Return a dictionary with the same value for all keys."""
    made = {}
    for each in keys:
        made[each] = value
    return made


LIBRARY: dict[Item, Callable[..., Item]] = {
    builtins.divmod: divmod_,
    builtins.enumerate: enumerate_, builtins.map: map_,
    functools.reduce: reduce, itertools.chain: chain, itertools.chain.from_iterable: chain_all,
    itertools.combinations: combinations, itertools.permutations: permutations, itertools.pairwise: pairwise,
    itertools.accumulate: accumulate, itertools.takewhile: takewhile, itertools.dropwhile: dropwhile,
    itertools.count: count, itertools.repeat: repeat, itertools.islice: islice,
    itertools.starmap: starmap, itertools.cycle: cycle, itertools.filterfalse: filter_false,
    itertools.compress: compress,
    heapq.heappush: heap_push, heapq.heappop: heap_pop, heapq.heapify: heap_of, heapq.heapreplace: heap_replace,
    heapq.heappushpop: heap_push_pop, bisect.bisect_left: bisect_left, bisect.bisect_right: bisect_right,
    bisect.insort_left: insort_left, bisect.insort_right: insort_right,
    math.isnan: isnan, math.isinf: isinf, math.isfinite: isfinite,
    dict.fromkeys: from_keys, math.gcd: gcd, math.lcm: lcm, math.comb: comb, math.isqrt: isqrt, math.prod: prod,
    math.factorial: factorial, math.perm: perm,
    Bits.__iter__: cells, Bits.__contains__: bits_contain, Bits.including: including, Bits.excluding: excluding,
    Bits.of.__func__: lambda cls, *each, width=CELLS: bits_of(*each, width=width),  # type: ignore[attr-defined]
}  # fmt: skip
"""The functions that implement Python's own functions."""
OPERATORS: dict[Item, str] = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.floordiv: "//", operator.mod: "%",
    operator.truediv: "/", operator.and_: "&", operator.or_: "|", operator.xor: "^", operator.lshift: "<<",
    operator.rshift: ">>", operator.pow: "**", operator.eq: "==", operator.ne: "!=", operator.lt: "<",
    operator.le: "<=", operator.gt: ">", operator.ge: ">=",
}  # fmt: skip


def digits(number: int) -> list[str]:
    """Return the digits of a whole number, as letters."""
    letters = ["0123456789"[abs(number) % 10]]
    rest = abs(number) // 10
    while rest > 0:
        letters.append("0123456789"[rest % 10])
        rest = rest // 10
    if number < 0:
        letters.append("-")
    return letters[::-1]


def digits_in(number: int, width: int, fill: str) -> list[str]:
    """Return the digits of a whole number, as letters, with zeros or blanks before them up to a width."""
    found = digits(number)
    signs = 1 if number < 0 and fill == "0" else 0
    return found[:signs] + [fill] * (width - len(found)) + found[signs:]


def copied_rows(rows: list[Item]) -> list[Item]:
    """Return a new list with a copy of each list; no list may occur twice."""
    copies = []
    for index, row in enumerate(rows):
        for before in range(index):
            if rows[before] is row:
                give_up()
        copies.append(row[:])
    return copies


def note_copied(thing: Item, copied: list[Item]) -> None:
    """Record that a list or an object is copied; Python takes over if it was copied before."""
    give_up_if_in(thing, copied)
    copied.append(thing)


def give_up_if_in(row: list[object], rows: list[object]) -> None:
    """Let Python take over if `row` itself is one of the lists `rows`."""
    for each in rows:
        if each is row:
            give_up()


def give_up_if_shared(rows: list[Item], others: list[Item]) -> None:
    """Let Python take over if a list in `rows` is also in `others`."""
    for each in rows:
        give_up_if_in(each, others)


def with_item(row: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """Return a tuple with one item replaced."""
    return (*row[:index], item, *row[index + 1 :])


def filled(row: tuple[object, ...], items: Iterable[object]) -> tuple[Item, ...]:
    """Return `row` with its first items replaced by `items`."""
    index = 0
    for each in items:
        row = with_item(row, index, each)
        index += 1
    return row


def thawed_pairs(keys: tuple[Item, ...], row: tuple[Item, ...]) -> Item:
    """Return a dictionary with the keys that have a value, each value thawed."""
    dictionary = {}
    for index, key in enumerate(keys):
        held = row[index]
        if held is not None:
            dictionary[key] = thaw(held[0])
    return dictionary


def filled_pairs(row: tuple[Item, ...], keys: tuple[Item, ...], dictionary: Item) -> tuple[Item, ...]:
    """Return `row` with the values of all keys that the dictionary has; Python takes over if it has other keys."""
    count = 0
    for index, key in enumerate(keys):
        if key in dictionary:
            row = with_item(row, index, (dictionary[key],))
            count += 1
    if count != len(dictionary):
        give_up()
    return row


def thawed_row(row: tuple[object, ...], length: int) -> list[Item]:
    """Return the first `length` items of a tuple as a list, each thawed."""
    return [thaw(row[index]) for index in range(length)]


def thawed_set(made: Item, row: tuple[Item, ...], length: int) -> Item:
    """Return `made`, an empty set, after adding the first `length` items of a tuple to it, each thawed."""
    for index in range(length):
        made.items.append(thaw(row[index]))
    return made


def in_order_of_words(items: list[object], like: object) -> list[Item]:
    """Return the items of a set in the order of their words, as items of frozen sets.

    Arguments:
        like: a value of the type of the members.
    """
    made: list[object] = []
    for each in items:
        item = as_member(each, like)
        index = len(made)
        made.append(item)
        while index > 0 and words_of(item) < words_of(made[index - 1]):
            made[index] = made[index - 1]
            index -= 1
        made[index] = item
    return made


def members(items: Iterable[Item], like: Item) -> list[Item]:
    """Return items in the form of items of frozen lists."""
    return [as_member(each, like) for each in items]


def as_member(item: object, like: object) -> Item:
    """Return an item, frozen, with the type of another value."""
    return freeze(item)


METHODS: dict[str, Callable[..., Item]] = {
    "pop": list_pop, "remove": list_remove, "reverse": list_reverse, "clear": list_clear, "index": index_of,
    "count": count_of,
}  # fmt: skip
"""Methods of sequences."""


# Sets and dictionaries ------------------------------------------------------------------------------------------------


class LocalFrozenSet:
    """A frozen set that a compiled function makes, stored as a list.

    The order of its items differs from Python's order, so no function may see the order.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self.items: list[Item] = []
        for each in items:
            if hashed(each) not in self.items:
                self.items.append(each)

    def like(self, items: Iterable[object]) -> Item:
        """Return a set of this class with these items."""
        return LocalFrozenSet(items)

    def plain(self) -> frozenset[Item]:
        """Return the set as a set of Python's own class."""
        return frozenset(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, item: object) -> bool:
        return hashed(item) in self.items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SETS) and len(self.items) == len(other) and self <= other

    def __le__(self, other: Item) -> bool:
        require_set(other)
        for each in self.items:
            if each not in other:
                return False
        return True

    def __ge__(self, other: object) -> bool:
        require_set(other)
        for each in items_of(other):
            if each not in self.items:
                return False
        return True

    def __lt__(self, other: Item) -> bool:
        return self <= other and len(self.items) < len(other)

    def __gt__(self, other: Item) -> bool:
        return self >= other and len(self.items) > len(other)

    def __or__(self, other: Item) -> Item:
        require_set(other)
        return self.union(other)

    def __and__(self, other: Item) -> Item:
        require_set(other)
        made = self.like(())
        for each in self.items:
            if each in other:
                made.items.append(each)
        return made

    def __sub__(self, other: Item) -> Item:
        require_set(other)
        made = self.like(())
        for each in self.items:
            if each not in other:
                made.items.append(each)
        return made

    def __xor__(self, other: Item) -> Item:
        require_set(other)
        return self.like((self - other).items + (LocalFrozenSet(items_of(other)) - self).items)

    def __ror__(self, other: object) -> Item:
        return of_constants(other) | self

    def __rand__(self, other: object) -> Item:
        return of_constants(other) & self

    def __rsub__(self, other: object) -> Item:
        return of_constants(other) - self

    def __rxor__(self, other: object) -> Item:
        return of_constants(other) ^ self

    def copy(self) -> Item:
        """Return a set with the same items."""
        return self.like(self.items)

    def union(self, *others: object) -> Item:
        """Return a set of the items that are in any of the sets."""
        made = LocalSet(self.items)
        made.update(*others)
        return self.like(made.items)

    def intersection(self, *others: object) -> Item:
        """Return a set of the items that are in all of the sets."""
        made = self.copy()
        for each in others:
            made = made & LocalFrozenSet(items_of(each))
        return made

    def difference(self, *others: Item) -> Item:
        """Return a set of the items that are in none of the other sets."""
        made = self.copy()
        for each in others:
            made = made - LocalFrozenSet(items_of(each))
        return made

    def symmetric_difference(self, others: object) -> Item:
        """Return a set of the items that are in exactly one of the two sets."""
        return self ^ LocalFrozenSet(items_of(others))

    def issubset(self, others: object) -> bool:
        """Return whether all items are in the other set."""
        return self <= LocalFrozenSet(items_of(others))

    def issuperset(self, others: object) -> bool:
        """Return whether all items of the other set are in this one."""
        return self >= LocalFrozenSet(items_of(others))

    def isdisjoint(self, others: object) -> bool:
        """Return whether no item is in the other set."""
        return len(self & LocalFrozenSet(items_of(others))) == 0


class LocalSet(LocalFrozenSet):
    """A set that a compiled function makes."""

    def like(self, items: Iterable[object]) -> Item:
        """Return a set of this class with these items."""
        return LocalSet(items)

    def plain(self) -> Item:
        """Return the set as a set of Python's own class."""
        return set(self.items)

    def __ior__(self, other: Item) -> Item:
        require_set(other)
        self.update(other)
        return self

    def __iand__(self, other: Item) -> Item:
        return self.replaced(self & other)

    def __isub__(self, other: Item) -> Item:
        return self.replaced(self - other)

    def __ixor__(self, other: Item) -> Item:
        return self.replaced(self ^ other)

    def replaced(self, other: Item) -> Item:
        """Return the set itself, after replacing its items by the items of another set."""
        set_length(self.items, 0)
        list_extend(self.items, other.items)
        return self

    def add(self, item: Item) -> None:
        """Add an item."""
        if hashed(item) not in self.items:
            self.items.append(item)

    def discard(self, item: object) -> None:
        """Remove an item if the set has it."""
        if hashed(item) in self.items:
            list_remove(self.items, item)

    def remove(self, item: object) -> None:
        """Remove an item."""
        if hashed(item) not in self.items:
            raise KeyError
        list_remove(self.items, item)

    def pop(self) -> Item:
        """Remove and return an item.

        If the set has several items, raise Beyond: only Python's own set knows which one it would remove.
        """
        if not self.items:
            raise KeyError
        if len(self.items) > 1:
            raise Beyond
        return self.items.pop()

    def clear(self) -> None:
        """Remove all items."""
        set_length(self.items, 0)

    def update(self, *others: object) -> None:
        """Add all items of iterables."""
        for other in others:
            for each in items_of(other):
                if hashed(each) not in self.items:
                    self.items.append(each)

    def intersection_update(self, *others: object) -> None:
        """Keep the items that are in all of the sets."""
        self.replaced(self.intersection(*others))

    def difference_update(self, *others: object) -> None:
        """Keep the items that are in none of the other sets."""
        self.replaced(self.difference(*others))

    def symmetric_difference_update(self, others: object) -> None:
        """Keep the items that are in exactly one of the two sets."""
        self.replaced(self.symmetric_difference(others))


def items_of(items: object) -> Item:
    """Return the items of a set, in any order; return any other iterable as it is."""
    return items.items if isinstance(items, LocalFrozenSet) else items


def of_constants(items: Item) -> Item:
    """Return a set of constants as a set of the kind that compiled functions make."""
    require_set(items)
    return LocalFrozenSet(items) if isinstance(items, frozenset) else LocalSet(items)


def require_set(other: Item) -> None:
    """Raise TypeError unless the argument is a set."""
    if not isinstance(other, SETS):
        raise TypeError


def fill(made: "LocalDict", pairs: Iterable[Item]) -> None:
    """Set the key of each pair to its value."""
    for key, value in pairs:
        made[key] = value


def require_one_at_most(given: tuple[Item, ...]) -> None:
    """Raise TypeError if there are several arguments."""
    if len(given) > 1:
        raise TypeError


class LocalDict:
    """A dictionary that a compiled function makes, stored as two lists."""

    def __init__(self) -> None:
        self.names: list[Item] = []
        self.held: list[Item] = []

    def plain(self) -> dict[Item, Item]:
        """Return the same dictionary as a `dict`."""
        return dict(zip(self.names, self.held, strict=True))

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, key: object) -> bool:
        return hashed(key) in self.names

    def __iter__(self) -> Iterator[Item]:
        count = len(self.names)
        for index in range(count):
            require_size(self, count)
            yield self.names[index]
        require_size(self, count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (dict, LocalDict, FieldDict)) or len(self.names) != len(other):
            return False
        for index in range(len(self.names)):
            if self.names[index] not in other or not alike(self.held[index], other[self.names[index]]):
                return False
        return True

    def __or__(self, other: object) -> "LocalDict":
        if not isinstance(other, (dict, LocalDict)):
            raise TypeError
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other: object) -> "LocalDict":
        self.update(other)
        return self

    def __getitem__(self, key: object) -> Item:
        hashed(key)
        for index in range(len(self.names)):
            if alike(self.names[index], key):
                return self.held[index]
        raise KeyError

    def __setitem__(self, key: object, value: object) -> None:
        hashed(key)
        for index in range(len(self.names)):
            if alike(self.names[index], key):
                self.held[index] = value
                return
        self.names.append(key)
        self.held.append(value)

    def __delitem__(self, key: object) -> None:
        hashed(key)
        for index in range(len(self.names)):
            if alike(self.names[index], key):
                list_pop(self.names, index)
                list_pop(self.held, index)
                return
        raise KeyError

    def get(self, key: object, default: object = None, /) -> Item:
        """Return the value of a key; return `default` if the key is missing."""
        hashed(key)
        for index in range(len(self.names)):
            if alike(self.names[index], key):
                return self.held[index]
        return default

    def pop(self, key: object, /, *default: object) -> Item:
        """Remove a key and return its value; return the default if the key is missing."""
        if len(default) > 0 and key not in self:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> Item:
        """Remove the last key; return the key and its value."""
        if len(self.names) == 0:
            raise KeyError
        return list_pop(self.names), list_pop(self.held)

    def setdefault(self, key: object, default: object = None, /) -> Item:
        """Return the value of a key; if the key is missing, set it to the default first."""
        if key not in self:
            self[key] = default
        return self[key]

    def keys(self) -> Item:
        """Return the keys."""
        return self.names

    def values(self) -> Item:
        """Return the values."""
        return self.held

    def items(self) -> Iterator[Item]:
        """Yield keys with values."""
        count = len(self.names)
        for index in range(count):
            require_size(self, count)
            yield (self.names[index], self.held[index])
        require_size(self, count)

    def update(self, *others: object, **named: Item) -> None:
        """Set all keys of another dictionary, and all names of keyword arguments, to their values."""
        require_one_at_most(others)
        for other in others:
            for key, value in pairs_in(other):
                self[key] = value
        for name, value in named.items():
            self[name] = value

    def copy(self) -> "LocalDict":
        """Return a new dictionary with the same keys and values."""
        made = LocalDict()
        made.update(self)
        return made

    def clear(self) -> None:
        """Remove all keys."""
        set_length(self.names, 0)
        set_length(self.held, 0)


def pairs_in(other: object) -> Item:
    """Return the pairs of a dictionary; an iterable of pairs is returned as it is."""
    return other.items() if isinstance(other, (dict, LocalDict)) else other


def require_size(dictionary: LocalDict, count: int) -> None:
    """Raise RuntimeError, as a loop does, if the dictionary has grown or shrunk during the loop."""
    if len(dictionary.names) != count:
        raise RuntimeError


class LocalDefaultDict(LocalDict):
    """A `collections.defaultdict`. `default_dict` makes a subclass for each factory."""

    factory: Item = None

    def plain(self) -> Item:
        """Return the same dictionary as a `collections.defaultdict`."""
        return collections.defaultdict(type(self).factory, zip(self.names, self.held, strict=True))

    def __getitem__(self, key: object) -> Item:
        if key not in self:
            self[key] = self.factory()
        return self.held[self.names.index(key)]

    def copy(self) -> Item:
        """Return a new dictionary with the same keys and values."""
        return collections.defaultdict(self.factory, self)


@functools.cache
def default_dict(factory: Item) -> Item:
    """Return the class of dictionaries for which a function or class makes the missing values."""
    made = type("defaultdict", (LocalDefaultDict,), {"factory": staticmethod(factory)})
    AS_PYTHON[made] = collections.defaultdict
    return made


def default_dict_of(factory: Item, items: Item) -> Item:
    """Return a `defaultdict` with the keys and values of a dictionary."""
    return collections.defaultdict(factory, items)


def counter_of(items: Item) -> Item:
    """Return a `Counter` with the keys and values of a dictionary."""
    return collections.Counter(items)


class LocalCounter(LocalDict):
    """A `collections.Counter`."""

    def __init__(self, *items: Item, **named: Item) -> None:
        super().__init__()
        self.update(*items, **named)

    def plain(self) -> Item:
        """Return the same counter as a `collections.Counter`."""
        return collections.Counter(dict(zip(self.names, self.held, strict=True)))

    def __getitem__(self, key: object) -> int:
        return self.get(key, 0)  # type: ignore[no-any-return]

    def __delitem__(self, key: object) -> None:
        self.pop(key, 0)

    def update(self, *others: Item, **named: Item) -> None:
        """Count the items of an iterable, or add the counts of a dictionary; add counts in keyword arguments, too."""
        require_one_at_most(others)
        for other in others:
            if isinstance(other, (dict, LocalDict)):
                for key, count in other.items():
                    self[key] = self[key] + count
            else:
                for each in other:
                    self[each] = self[each] + 1
        for name, number in named.items():
            self[name] = self[name] + number

    def most_common(self, most: Item = None) -> Item:
        """Return items with their counts, the largest counts first."""
        pairs = sorted(self.items(), key=lambda pair: -pair[1])
        return pairs if most is None else pairs[: max(most, 0)]

    def elements(self) -> Iterator[Item]:
        """Yield each item as many times as its count."""
        for key, count in self.items():
            for _ in range(count):
                yield key

    def total(self) -> int:
        """Return the sum of all counts."""
        return sum(self.held)

    def copy(self) -> Item:
        """Return a new counter with the same counts."""
        return LocalCounter(self)

    def __add__(self, other: object) -> Item:
        return self.positive(other, lambda one, two: one + two)

    def __sub__(self, other: object) -> Item:
        return self.positive(other, lambda one, two: one - two)

    def __or__(self, other: object) -> Item:
        return self.positive(other, max)

    def __and__(self, other: object) -> Item:
        return self.positive(other, min)

    def positive(self, other: object, function: Callable[[Item, Item], Item]) -> Item:
        """Return a counter that has, for each key, the result of a function of the key's counts in both counters. Leave
        out results of 0 or less.
        """
        if not isinstance(other, LocalCounter):
            raise TypeError
        made = LocalCounter()
        for key in self.names:
            made.set_positive(key, function(self[key], other[key]))
        for key in other.names:
            if key not in self.names:
                made.set_positive(key, function(0, other[key]))
        return made

    def set_positive(self, key: object, count: int) -> None:
        """Set a count if it is more than 0."""
        if count > 0:
            self[key] = count

    def __eq__(self, other: Item) -> bool:
        if not isinstance(other, LocalCounter):
            give_up()
        for key in [*self.names, *other.names]:
            if self[key] != other[key]:
                return False
        return True

    def __ior__(self, other: object) -> Item:
        give_up()

    __le__ = __lt__ = __ge__ = __gt__ = __ior__


class LocalDeque:
    """A `collections.deque`, stored as a list whose first items may already have been removed."""

    def __init__(self, items: Item = ()) -> None:
        self.items: list[Item] = []
        self.first = 0
        self.changes = 0
        for each in items:
            self.items.append(each)

    def plain(self) -> Item:
        """Return the same deque as a `collections.deque`."""
        return collections.deque(self.items[self.first :])

    def __len__(self) -> int:
        return len(self.items) - self.first

    def __iter__(self) -> Iterator[Item]:
        before = self.changes
        for index in range(self.first, len(self.items)):
            require_unchanged(self, before)
            yield self.items[index]
        require_unchanged(self, before)

    def __contains__(self, item: object) -> bool:
        return item in self.items[self.first :]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LocalDeque):
            return self.items[self.first :] == other.items[other.first :]
        if isinstance(other, collections.deque):
            give_up()  # a constant
        return False

    def __getitem__(self, index: Item) -> Item:
        return self.items[self.index_of(index)]

    def __setitem__(self, index: Item, item: Item) -> None:
        self.items[self.index_of(index)] = item

    def index_of(self, index: int) -> int:
        """Return the index, in the list of all items, of the item with this index in the deque."""
        if not -len(self) <= index < len(self):
            raise IndexError
        return index + (len(self.items) if index < 0 else self.first)

    def append(self, item: object) -> None:
        """Add an item at the end."""
        self.items.append(item)
        self.changes += 1

    def appendleft(self, item: object) -> None:
        """Add an item at the beginning."""
        if self.first > 0:
            self.first -= 1
            self.items[self.first] = item
        else:
            list_insert(self.items, 0, item)
        self.changes += 1

    def pop(self) -> Item:
        """Remove the last item and return it."""
        if len(self) == 0:
            raise IndexError
        self.changes += 1
        return list_pop(self.items)

    def popleft(self) -> Item:
        """Remove the first item and return it."""
        if len(self) == 0:
            raise IndexError
        self.changes += 1
        self.first += 1
        return self.items[self.first - 1]

    def extend(self, items: Iterable[object]) -> None:
        """Add items at the end."""
        for each in items:
            self.append(each)

    def extendleft(self, items: Iterable[object]) -> None:
        """Add items at the beginning, one after the other."""
        for each in items:
            self.appendleft(each)

    def clear(self) -> None:
        """Remove all items."""
        set_length(self.items, 0)
        self.first = 0
        self.changes += 1

    def rotate(self, steps: int = 1, /) -> None:
        """Move items from the end to the beginning, or the other way if `steps` is negative."""
        length = len(self)
        if length > 1:
            items = self.items[self.first :]
            for index in range(length):
                self.items[self.first + (index + steps) % length] = items[index]
            self.changes += 1

    def copy(self) -> Item:
        """Return a new deque with the same items."""
        return LocalDeque(self)

    def count(self, item: Item) -> int:
        """Return the number of items that are equal to a value."""
        return count_of(self.items[self.first :], item)


def require_unchanged(queue: LocalDeque, before: int) -> None:
    """Raise RuntimeError, as a loop does, if the deque has changed during the loop."""
    if queue.changes != before:
        raise RuntimeError


LOCAL_SETS = (LocalSet, LocalFrozenSet)
SETS = (set, frozenset, LocalFrozenSet)
"""The classes of sets, including Python's own."""
AS_LOCAL: dict[Item, Item] = {
    set: LocalSet, frozenset: LocalFrozenSet, dict: LocalDict, collections.Counter: LocalCounter,
    collections.deque: LocalDeque,
}  # fmt: skip
"""For each class of Python, the class of the library that implements it."""
AS_PYTHON = field_dicts.AS_PYTHON
AS_PYTHON.update((own, cls) for cls, own in AS_LOCAL.items())
