"""Counts: conditions on how many facts hold, such as "one player has more discs than the other".

A description counts cell by cell: "n discs up to this cell" means "n - 1 discs up to the cell before, and a disc here"
or "n discs up to the cell before, and no disc here". The net is read from its leaves up. Each such condition becomes a
sum of facts, with the values of the sum for which the condition holds. So a class can count bits instead of following
thousands of gates.
"""

import functools
from collections.abc import Iterator
from typing import NamedTuple

from ggp_gdl.net import TRUE, Net

MOST_VALUES = 1 << 13
"""Maximum number of combinations of the values of two sums."""
MOST_READINGS = 4
"""Maximum number of ways to read one condition as a `Count` that are kept."""
FEWEST_FACTS = 6
"""Minimum number of facts of a condition that is evaluated by counting."""

Sum = tuple[tuple[int, int], ...]
"""Facts with their weights, sorted; the weight of the first fact is positive."""


class Count(NamedTuple):
    """A condition on one sum or on two. The lowest value of a sum has the number 0, the next value 1, and so on. Bit i
    * size(second) + j of `values` says whether the condition holds for value i of the first sum and value j of the
    second.
    """

    sums: tuple[Sum, ...]
    values: int

    def facts(self) -> int:
        """Return the number of facts that are counted."""
        return sum(map(len, self.sums))


def lowest(count: Sum) -> int:
    """Return the lowest value of a sum."""
    return sum(weight for _, weight in count if weight < 0)


@functools.lru_cache(1 << 12)
def size(count: Sum) -> int:
    """Return how many different values a sum may have."""
    return sum(abs(weight) for _, weight in count) + 1


class Counts:
    """The conditions of a net that are counts."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._readings: dict[int, list[Count]] = {TRUE: []}

    def of(self, node: int) -> Count | None:
        """Return a node as a condition on a number of facts; None if it is not such a condition."""
        self._read(abs(node))
        readings = [each for each in self._readings[abs(node)] if each.facts() >= FEWEST_FACTS]
        if not readings:
            return None
        best = min(readings, key=lambda each: len(each.sums))
        if len(best.sums) == 2:
            best = min((best, *_differences(best)), key=lambda each: len(each.sums))
        return best if node > 0 else _negation(best)

    def _read(self, node: int) -> None:
        cone, pending = set(), [node]
        while pending:
            each = pending.pop()
            if each not in cone and each not in self._readings:
                cone.add(each)
                pending.extend(map(abs, self._net.gates[each] or ()))
        for each in sorted(cone):
            key = self._net.gates[each]
            if each in self._net.bit_of:
                self._readings[each] = [Count((((self._net.bit_of[each], 1),),), 0b10)]
            else:
                self._readings[each] = self._all(key) if key else []

    def _all(self, parts: tuple[int, ...]) -> list[Count]:
        """Return the ways in which a gate can be read as a condition on numbers of facts."""
        counts: dict[tuple[Sum, ...], Count] | None = None
        for part in parts:
            own = self._readings[abs(part)]
            own = own if part > 0 else list(map(_negation, own))
            if counts is None:
                counts = {each.sums: each for each in own}
            else:
                pairs = (_both(one, other) for one in counts.values() for other in own)
                counts = {each.sums: each for each in pairs if each}
            if not counts:
                return []
        self._net.watch()
        for each in list((counts or {}).values()):
            for merged in _merged(each):
                counts = {merged.sums: merged, **(counts or {})}
        return list((counts or {}).values())[:MOST_READINGS]


@functools.lru_cache(1 << 12)
def _everything(sums: tuple[Sum, ...]) -> int:
    total = 1
    for each in sums:
        total *= size(each)
    return (1 << total) - 1


def _negation(count: Count) -> Count:
    return Count(count.sums, count.values ^ _everything(count.sums))


def _both(one: Count, other: Count) -> Count | None:
    """Return the conjunction of two conditions; None if it would depend on more than two sums."""
    sums = tuple(sorted({*one.sums, *other.sums}))
    if len(sums) > 2 or _everything(sums).bit_length() > MOST_VALUES:
        return None
    return Count(sums, _widened(one, sums) & _widened(other, sums))


def _widened(count: Count, sums: tuple[Sum, ...]) -> int:
    """Return the bits `values` of a condition as bits for `sums`, which include the condition's own sums."""
    if count.sums == sums:
        return count.values
    first, second = map(size, sums)
    if count.sums[0] == sums[0]:
        return int("".join(("0" * second, "1" * second)[bit == "1"] for bit in f"{count.values:b}"), 2)
    return count.values * (((1 << first * second) - 1) // ((1 << second) - 1))  # the bits of a row, in each row


def _merged(count: Count) -> Iterator[Count]:
    """Yield a condition on two sums as a condition on one sum. A single sum is enough if one of the two sums is a
    single fact that can be added to the other.
    """
    if len(count.sums) != 2:
        return
    for index in (0, 1):
        fact, base = count.sums[index], count.sums[1 - index]
        if len(fact) > 1 or fact[0][0] in dict(base):
            continue
        without, having = _split(count, index)
        length = size(base)
        for weight in (1, -1):
            low, high = (without, having << 1) if weight == 1 else (without << 1, having)
            if (low ^ high) & ((1 << length) - 2) == 0:
                yield _in_order({**dict(base), fact[0][0]: weight}, low | high)


def _split(count: Count, index: int) -> tuple[int, int]:
    """Split a condition on two sums, of which the sum with this index is a single fact. Return the values of the other
    sum for which the condition holds: first if the fact does not hold, then if it holds.
    """
    other = size(count.sums[1 - index])
    if index == 0:
        return count.values & (1 << other) - 1, count.values >> other
    bits = f"{count.values:0{2 * other}b}"
    return int(bits[1::2], 2), int(bits[::2], 2)


def _in_order(weights: dict[int, int], values: int) -> Count:
    """Return a condition on a sum. Return the condition with these weights and values; if the first weight is negative,
    as a condition on the negated sum.
    """
    ordered = tuple(sorted(weights.items()))
    if ordered[0][1] < 0:
        ordered = tuple((fact, -weight) for fact, weight in ordered)
        length = size(ordered)
        values = int(f"{values:0{length}b}"[::-1], 2)
    return Count((ordered,), values)


def _differences(count: Count) -> Iterator[Count]:
    """Yield a condition on two sums as a condition on their difference or on their total, if that is possible."""
    first, second = count.sums
    if {fact for fact, _ in first} & {fact for fact, _ in second}:
        return
    for weight in (1, -1):
        seen: dict[int, bool] = {}
        for i in range(size(first)):
            for j in range(size(second)):
                value = i + lowest(first) + weight * (j + lowest(second))
                holds = bool(count.values >> i * size(second) + j & 1)
                if seen.setdefault(value, holds) != holds:
                    break
            else:
                continue
            break
        else:
            weights = {**dict(first), **{fact: weight * own for fact, own in second}}
            yield _in_order(weights, sum(1 << value - min(seen) for value, holds in seen.items() if holds))
