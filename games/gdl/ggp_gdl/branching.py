"""Branching programs: the conditions of a large game are rows of tables, and one loop runs them.

Each row tests some bits of one word. If the bits are as required, the row sets bits of another word. In either case,
the row names the next row. Row 0 is the end. Some words hold the state, some hold the answers, and some hold conditions
that other conditions share. The shared conditions are computed first.

Source: R. E. Bryant, Graph-based algorithms for Boolean function manipulation, IEEE Transactions on Computers C-35
(1986).
"""

import math
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ggp_gdl.conditions import Literals, least
from ggp_gdl.game import WORD
from ggp_gdl.grounding import TooLargeError
from ggp_gdl.net import TRUE, Net

MOST_CUBES = 12
"""A condition with at most this many cubes is written out in all conditions that use it."""
FEW_CUBES = 5
"""A shared condition is computed in advance if it and its negation together have more cubes than this. This limit is
used if no facts are known to be exclusive. If facts are known to be exclusive, most products of conditions are short.
"""
MOST_PRODUCT = 150
"""Maximum number of pairs of cubes that are combined for the conjunction of two conditions."""
MANY = 12
"""If a stage has at least this many shared conditions, cases of different conditions that begin alike are tested once.
"""
MOST_ROWS = 400_000
MOST_COUNTED = 600
"""Maximum number of cubes that are compared with each other."""

Cube = frozenset[int]
"""A conjunction of nodes and negations of nodes."""
Exclusive = Mapping[int, frozenset[int]]
"""For each fact, the facts that never hold together with it."""
Place = tuple[int, int]
"""The index of a word, and some bits of it."""
Case = tuple[Cube, tuple[Place, ...]]
"""A cube, and the bits to set if it holds."""
Row = tuple[int, int, int, int, int, int, int]
"""Seven numbers.

The first three numbers are the word to test, the bits that matter, and their required values. Then come the word to
change and the bits to set in it. The last two numbers are the next row after a success, and after a failure.
"""


class Conjunctions:
    """The conditions of one program as cubes of facts and of shared conditions.

    Arguments:
        known: the literals that hold in every state for which the program is run.
        exclusive: for each fact, the facts that never hold together with it.
    """

    def __init__(
        self, net: Net, roots: Iterable[int], settled: Iterable[int] = (), exclusive: Exclusive | None = None
    ) -> None:
        self.net = net
        self._exclusive = exclusive or {}
        self.shared: dict[int, tuple[int, Literals]] = {}
        """The conditions that are computed in advance.

        For each shared condition: the condition or its negation, whichever has fewer cubes, and these cubes.
        """
        self._settled = frozenset(settled).union(*(self._excluded(literal) for literal in settled))
        self._cubes: dict[int, Literals | None] = {TRUE: (frozenset(),), -TRUE: ()}
        uses: Counter[int] = Counter()
        cone, pending = set(), [abs(root) for root in roots]
        while pending:
            node = pending.pop()
            if node not in cone:
                cone.add(node)
                for part in net.gates[node] or ():
                    uses[abs(part)] += 1
                    pending.append(abs(part))
        net.watch()
        for node in sorted(cone - {TRUE}):
            if node in net.bit_of:
                for literal in (node, -node):
                    self._cubes[literal] = (
                        (frozenset(),) if literal in self._settled else () if -literal in self._settled else
                        (frozenset((literal,)),)
                    )  # fmt: skip
                continue
            one, other = self._all(net.gates[node] or ()), self._any(net.gates[node] or ())
            self._cubes[node], self._cubes[-node] = one, other
            few = 2 * MOST_CUBES if self._exclusive else FEW_CUBES
            if uses[node] > 1 and (other is None or len(one) + len(other) > few):
                self._share(node)

    def cubes(self, node: int) -> Literals:
        """Return a condition as cubes."""
        cubes = self._cubes[node]
        return self._cases(self.net.gates[-node] or ()) if cubes is None else cubes

    def _share(self, node: int) -> None:
        if node in self.shared:
            return
        pair = self.cubes(node), self.cubes(-node)
        sign = 0 if len(pair[0]) <= len(pair[1]) else 1
        self.shared[node] = (-node if sign else node), pair[sign]
        self._cubes[node], self._cubes[-node] = (frozenset((node,)),), (frozenset((-node,)),)

    def _all(self, parts: Sequence[int]) -> Literals:
        """Return the product of the parts; a part that would make the product too large becomes a shared condition."""
        for part in parts:
            if self._cubes[part] is None:
                self._share(abs(part))
        while True:
            product = self._product(sorted((self._cubes[part] or () for part in parts), key=len))
            if product is not None:
                return product
            largest = max(parts, key=lambda part: len(self._cubes[part] or ()))
            self._share(abs(largest))

    def _product(self, lists: Sequence[Literals]) -> Literals | None:
        """Return the product of some lists of cubes, without cubes that cannot hold.

        Return None if the product is too large.
        """
        if not self._exclusive and math.prod(map(len, lists)) > MOST_CUBES:
            return None
        product = {frozenset[int]()}
        for each in lists:
            self.net.watch()  # a gate may have hundreds of parts, and a cube as many facts
            if len(product) * len(each) > MOST_PRODUCT:
                return None
            product = set(filter(self._is_possible, (one | other for one in product for other in each)))
        cubes = least(map(self._shortest, product))
        return cubes if len(cubes) <= MOST_CUBES else None

    def _is_possible(self, cube: Cube) -> bool:
        others = self._exclusive
        return cube.isdisjoint(map(operator.neg, cube)) and all(
            cube.isdisjoint(others[literal]) for literal in cube if literal in others
        )

    def _shortest(self, cube: Cube) -> Cube:
        """Return a cube without the literals that follow from its other literals."""
        return cube.difference(*map(self._excluded, cube)) if self._exclusive else cube

    def _excluded(self, literal: int) -> Iterator[int]:
        """Yield the negations of the facts that cannot hold if a literal holds."""
        return (-other for other in self._exclusive.get(literal, ()))

    def _any(self, parts: Sequence[int]) -> Literals | None:
        """Return the cubes of the negation of a gate.

        Return None if there are too many cubes to write them out wherever the condition is used.
        """
        cases = self._cases(parts)
        return least(cases) if len(cases) <= MOST_CUBES else None

    def _cases(self, parts: Sequence[int]) -> Literals:
        """Return the cubes of the negation of a gate, however many there are."""
        cubes: dict[Cube, None] = {}
        for part in parts:
            if self._cubes[-part] is None:
                self._share(abs(part))
            cubes.update(dict.fromkeys(self._cubes[-part] or ()))
        return tuple(cubes)


class Branching:
    """Branching programs that share their rows: each different row is stored once.

    Arguments:
        words: number of words of a state.
        answers: number of words of answers.
        exclusive: for each fact, the facts that never hold together with it.
    """

    def __init__(self, net: Net, words: int, answers: int, exclusive: Exclusive | None = None) -> None:
        self.net, self.words, self.answers = net, words, answers
        self._exclusive = exclusive
        self.rows: list[Row] = [(0, 0, 0, 0, 0, 0, 0)]
        self._numbers: dict[Row, int] = {}
        self._base = words + answers

    def program(
        self, roots: Sequence[tuple[int, tuple[int, ...]]], settled: Iterable[int] = (), *, apart: bool = True
    ) -> tuple[int, int]:
        """Return the first row of a program, and the number of words that it needs.

        Arguments:
            roots: pairs of a condition and the bits of the answer that are set if it holds.
            known: the literals that hold in every state for which the program is run.
            apart: if true, the conditions are tested one by one. As soon as one cube of a condition holds, the next
                condition is tested. If false, equal cubes of several conditions are tested once.
        """
        conjunctions = Conjunctions(self.net, [node for node, _ in roots], settled, self._exclusive)
        places = {node: number for number, node in enumerate(conjunctions.shared)}
        self._places = places
        self._signs = {node: sign for node, (sign, _) in conjunctions.shared.items()}
        row = 0
        answers = [(conjunctions.cubes(node), self._bits(bits, self.words)) for node, bits in roots]
        if apart:
            for cubes, bits in reversed(answers):
                row = self._emit([(cube, bits) for cube in cubes], row, row)
        else:
            merged: dict[Cube, dict[int, int]] = {}
            for cubes, bits in answers:
                for cube in cubes:
                    own = merged.setdefault(cube, {})
                    for word, value in bits:
                        own[word] = own.get(word, 0) | value
            row = self._emit([(cube, tuple(own.items())) for cube, own in merged.items()], row, None)
        for stage in reversed(self._stages(conjunctions)):
            if len(stage) < MANY:
                for node in reversed(stage):
                    bits = self._bits((places[node],), self._base)
                    row = self._emit([(cube, bits) for cube in conjunctions.shared[node][1]], row, row)
            else:  # cases that begin alike are tested once, such as those of a count for a disc that is black
                cases = [
                    (cube, self._bits((places[n],), self._base)) for n in stage for cube in conjunctions.shared[n][1]
                ]
                row = self._emit(cases, row, None)
        return row, self._base + -(-len(places) // WORD)

    @staticmethod
    def _stages(conjunctions: Conjunctions) -> list[list[int]]:
        """Return the shared conditions in stages; a stage depends only on earlier stages."""
        depth: dict[int, int] = {}
        stages: list[list[int]] = []
        for node, (_, cubes) in conjunctions.shared.items():
            needed = (depth[abs(literal)] for cube in cubes for literal in cube if abs(literal) in depth)
            depth[node] = 1 + max(needed, default=-1)
            while len(stages) <= depth[node]:
                stages.append([])
            stages[depth[node]].append(node)
        return stages

    @staticmethod
    def _bits(numbers: Iterable[int], base: int) -> tuple[Place, ...]:
        bits: dict[int, int] = {}
        for number in numbers:
            word = base + number // WORD
            bits[word] = bits.get(word, 0) | 1 << number % WORD
        return tuple(bits.items())

    def _emit(self, cases: Sequence[Case], after: int, success: int | None) -> int:
        """Make the rows that test some cases, and return the number of the first row.

        Arguments:
            after: the row after all cases. success: the row after a case that holds; None: the next case.
        """
        for start in reversed(range(0, len(cases), MOST_COUNTED)):
            for group in reversed(_groups(cases[start : start + MOST_COUNTED])):
                after = self._group(group, after, success)
        return after

    def _group(self, group: Sequence[Case], after: int, success: int | None) -> int:
        """Make the rows for a single case, or for cases with a common part, and return the number of the first row."""
        self.net.watch()
        common = frozenset.intersection(*(cube for cube, _ in group))
        inner = [(cube - common, bits) for cube, bits in group]
        whole = [bits for cube, bits in inner if not cube]
        rest = [each for each in inner if each[0]]
        then = after if success is None else success
        places: list[Place] = []
        if whole:
            merged: dict[int, int] = {}
            for bits in whole:
                for word, value in bits:
                    merged[word] = merged.get(word, 0) | value
            places = list(merged.items())
            if success is None:
                then = self._emit(rest, after, None)
        else:
            then = self._emit(rest, after, success)
        tests = self._tests(common)
        for word, value in places[1:] if tests else places:
            then = self._row((0, 0, 0, word, value, then, then))
        for number, test in enumerate(tests):
            word, value = places[0] if places and number == 0 else (self.words, 0)
            then = self._row((*test, word, value, then, after))
        return then

    def _tests(self, cube: Cube) -> list[tuple[int, int, int]]:
        """Return the tests of a cube, the last test first.

        A test is a word, the bits that matter, and the bits that must be set.
        """
        tests: dict[int, tuple[int, int]] = {}
        for literal in cube:
            node = abs(literal)
            if node in self._places:
                slot, base, holds = self._places[node], self._base, (literal > 0) == (self._signs[node] > 0)
            else:
                slot, base, holds = self.net.bit_of[node], 0, literal > 0
            word, bit = base + slot // WORD, 1 << slot % WORD
            mask, wanted = tests.get(word, (0, 0))
            tests[word] = mask | bit, wanted | (bit if holds else 0)
        return [(word, *tests[word]) for word in sorted(tests)]

    def _row(self, row: Row) -> int:
        number = self._numbers.get(row)
        if number is None:
            if len(self.rows) > MOST_ROWS:
                raise TooLargeError(f"its tables would have more than {MOST_ROWS:,} rows")
            number = self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return number


def _groups(cases: Sequence[Case]) -> list[list[Case]]:
    """Return groups of cases that have a part in common; the group with the most frequent part comes first."""
    groups: list[list[Case]] = []
    rest = list(cases)
    while rest:
        counts = Counter(literal for cube, _ in rest for literal in cube)
        literal, count = max(counts.items(), key=lambda each: (each[1], -abs(each[0])), default=(0, 0))
        if count < 2:
            return [*groups, *([each] for each in rest)]
        groups.append([each for each in rest if literal in each[0]])
        rest = [each for each in rest if literal not in each[0]]
    return groups
