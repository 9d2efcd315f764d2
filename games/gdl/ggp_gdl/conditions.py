"""Conditions: write the nodes of a net as code of methods.

Conditions that only require some facts to hold, and others not to hold, become rows of a table. A loop tests the rows.
All other conditions become expressions; a gate that is used more than once gets a name.
"""

import math
import pprint
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from ggp_gdl.counts import Counts, Sum, lowest, size
from ggp_gdl.fields import Field, find_field
from ggp_gdl.game import WORD
from ggp_gdl.layout import WIDTH
from ggp_gdl.net import TRUE, Net
from ggp_gdl.shapes import ItemT, Literal, find_shapes, literals_of

MOST_CASES = 24
"""A condition with at most this many cases becomes rows of a table of moves, one row for each case."""
MOST_PRODUCT, MOST_UNION = 48, 800
"""Maximum number of cases of a conjunction, and maximum number of cases of a disjunction."""
ALIKE = 4
"""Minimum number of rows of a table."""
DEEPEST_TEXT = 8
"""Maximum depth of an expression before a part of it gets a name."""
LONGEST_TEXT = 12
"""Maximum number of parts of an expression."""
LONGEST_TUPLE = 200
"""Maximum number of numbers that are written as a tuple; more numbers are written as a text: Python reads such a text
faster than a tuple.
"""

Cube = tuple[tuple[int, int], ...]
"""A condition: for each word, the bits that matter and the bits that must be set."""


Literals = tuple[frozenset[int], ...]
"""A disjunctive normal form: conjunctions of nodes and of negations of nodes."""


class Conditions:
    """The methods and tables of a class that is being written."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.words = max(1, -(-len(net.bits) // WORD))
        self.lookup_tables: dict[tuple[int, ...], str] = {}
        self.out: list[str] = []
        """The lines of the class that are written so far."""
        self._normal_forms: dict[int, Literals | None] = {TRUE: (frozenset(),), -TRUE: ()}
        self._methods: dict[int, str] = {}
        self._fields: dict[int, Field[int] | None] = {}
        """For each gate that was examined, its field, or None; see `_field`."""
        self._counts = Counts(net)
        self._pending: list[int] = []

    def cubes(self, node: int) -> list[Cube] | None:
        """Return a node as a disjunction of conditions on facts; None if there would be too many."""
        form = self._normal_form(node)
        return None if form is None else [self._masks(each) for each in form]

    def cube(self, node: int) -> Cube | None:
        """Return a node as a single condition on facts; None if that is impossible."""
        form = self._normal_form(node)
        return self._masks(form[0]) if form and len(form) == 1 else None

    def _masks(self, literals: Iterable[int]) -> Cube:
        masks = [[0, 0] for _ in range(self.words)]
        for literal in literals:
            word, bit = divmod(self.net.bit_of[abs(literal)], WORD)
            masks[word][0] |= 1 << bit
            masks[word][1] |= (literal > 0) << bit
        return tuple((mask, wanted) for mask, wanted in masks)

    def _normal_form(self, node: int) -> Literals | None:
        """Return the disjunctive normal form of a node; None if the form is too large."""
        self.net.watch()
        forms = self._normal_forms
        cone, pending = set(), [abs(node)]
        while pending:
            each = pending.pop()
            if each not in cone and each not in forms:
                cone.add(each)
                pending.extend(map(abs, self.net.gates[each] or ()))
        for each in sorted(cone):
            key = self.net.gates[each]
            if each in self.net.bit_of:
                forms[each], forms[-each] = (frozenset((each,)),), (frozenset((-each,)),)
            elif key is None:
                forms[each] = forms[-each] = None
            else:
                forms[each] = _product([forms[part] for part in key])
                forms[-each] = _union([forms[-part] for part in key])
        return forms[node]

    def lookup_table(self, column: Iterable[int]) -> str:
        """Return the name of the table whose values are `column`."""
        values = tuple(column)
        if values not in self.lookup_tables:
            self.lookup_tables[values] = f"T{len(self.lookup_tables)}"
        return self.lookup_tables[values]

    def rows_test(self, cubes: Sequence[Cube], index: str) -> str:
        """Return the code that tests a row of a table of conditions."""
        tests = []
        for word in range(self.words):
            masks, wanted = [cube[word][0] for cube in cubes], [cube[word][1] for cube in cubes]
            if any(masks):
                left = masks[0] if len(set(masks)) == 1 else f"{self.lookup_table(masks)}[{index}]"
                right = wanted[0] if len(set(wanted)) == 1 else f"{self.lookup_table(wanted)}[{index}]"
                tests.append(f"w{word} & {left} == {right}")
        return " and ".join(tests) or "True"

    def guard_test(self, guard: Iterable[Literal]) -> str:
        """Return the code that tests the facts of a guard, with `and` at its end; an empty text for no facts."""
        masks = [[0, 0] for _ in range(self.words)]
        for number, holds in guard:
            masks[number // WORD][0] |= 1 << number % WORD
            masks[number // WORD][1] |= holds << number % WORD
        return "".join(f"w{word} & {mask} == {wanted} and " for word, (mask, wanted) in enumerate(masks) if mask)

    def text(self, node: int, named: dict[int, str]) -> str:
        """Return the code of a node."""
        if abs(node) == TRUE:
            return str(node > 0)
        if abs(node) in named:
            return named[abs(node)] if node > 0 else f"not {named[abs(node)]}"
        if abs(node) in self._methods:
            return f"{'not ' if node > 0 else ''}self.{self._methods[abs(node)]}(state)"
        if abs(node) in self.net.bit_of:
            word, bit = divmod(self.net.bit_of[abs(node)], WORD)
            return f"w{word} & {1 << bit} {'!=' if node > 0 else '=='} 0"
        parts = self.net.gates[abs(node)] or ()
        bits = [part for part in parts if abs(part) in self.net.bit_of]
        tests: list[str] = []
        if bits:
            for word, (mask, wanted) in enumerate(self._masks(bits)):
                if mask:
                    tests.append(f"w{word} & {mask} {'==' if node > 0 else '!='} {wanted}")
        for part in parts:
            if part not in bits:
                inner = self.text(part if node > 0 else -part, named)
                tests.append(f"({inner})" if " or " in inner or " and " in inner else inner)
        return (" and " if node > 0 else " or ").join(tests)

    def shared(self, roots: Iterable[int], indent: str, named: dict[int, str]) -> list[str]:
        """Give names to the gates that the conditions of some nodes use more than once, and return the assignments of
        the names.

        A gate that chooses among many similar conditions becomes a method with a table.
        """
        uses: Counter[int] = Counter()
        seen: set[int] = set()
        pending = [abs(root) for root in roots]
        uses.update(pending)
        while pending:
            node = pending.pop()
            key = self.net.gates.get(node)
            if node in seen or node in named or key is None or self.is_lookup(node):
                continue
            seen.add(node)
            for part in key:
                uses[abs(part)] += 1
                pending.append(abs(part))
        lines, depth = [], dict[int, int]()
        for node in sorted(seen):
            key = self.net.gates[node] or ()
            plain = all(abs(part) in self.net.bit_of for part in key)
            depth[node] = 1 + max((depth.get(abs(part), 0) for part in key), default=0)
            if (uses[node] > 1 and not plain) or depth[node] > DEEPEST_TEXT or len(key) > LONGEST_TEXT:
                lines.append(f"{indent}g{node} = {self.text(node, named)}")
                named[node], depth[node] = f"g{node}", 0
        return lines

    def is_lookup(self, node: int) -> bool:
        if node in self._methods:
            return True
        cases = self._normal_form(-node)
        if cases is not None and len(cases) < ALIKE:
            return False
        if cases is None and self._field(node) is None:
            if self._counts.of(node) is None:
                return False
            self._methods[node] = f"counted_{node}"
        else:
            self._methods[node] = f"any_{node}"
        self._pending.append(node)
        return True

    def _field(self, node: int) -> Field[int] | None:
        """Return the field of a gate.

        The conditions of the field are the negations of the gate's parts. So the gate holds if no condition of the
        field holds.

        Return None if the negations do not form a field.
        """
        if node not in self._fields:
            cases = [(part, self.cases(-part)) for part in self.net.gates[node] or ()]
            field, others = find_field([(part, each) for part, each in cases if each])
            self._fields[node] = None if others or not all(each for _, each in cases) else field
        return self._fields[node]

    def _below(self, nodes: Iterable[int]) -> set[int]:
        """Return the gates that some nodes depend on, down to gates that have methods of their own."""
        reached: set[int] = set()
        pending = [abs(node) for node in nodes]
        while pending:
            node = pending.pop()
            if node not in reached and self.net.gates.get(node):
                reached.add(node)
                if not self.is_lookup(node):
                    pending.extend(map(abs, self.net.gates[node] or ()))
        return reached

    def cases(self, node: int) -> list[frozenset[Literal]]:
        """Return a node as a disjunction of conjunctions of facts; an empty list if there would be too many."""
        return [
            frozenset((self.net.bit_of[abs(literal)], literal > 0) for literal in each)
            for each in self._normal_form(node) or ()
        ]

    def field_lines(
        self, field: Field[ItemT], indent: str, use: Callable[[int], list[str]], then: Sequence[str] = ()
    ) -> list[str]:
        """Return the code that finds out which conditions of a field hold, one word at a time.

        Arguments:
            use: returns the code for a word of `bits`.
            then: code that follows each group of the field's patterns.
        """
        guard = self.guard_test(field.guard).removesuffix(" and ")
        lines = [f"{indent}if {guard}:"] if guard else []
        indent += "    " if guard else ""
        for word in field.words():
            lines += [indent + line for line in (*field.lines(word, "bits", then), *use(word))]
        return lines

    def method(self, head: str, lines: Iterable[str], doc: str = "") -> None:
        unpack = f"{', '.join(f'w{i}' for i in range(self.words))}{',' if self.words == 1 else ''} = state"
        self.out += ["", f"    def {head}:", *([f'        """{doc}"""'] if doc else []), f"        {unpack}", *lines]

    def expression(self, head: str, node: int, doc: str = "") -> None:
        """Write a method that returns the truth of a node."""
        named: dict[int, str] = {}
        lines = self.shared([node], "        ", named)
        self.is_lookup(abs(node))
        self.method(head, [*lines, f"        return {self.text(node, named)}"], doc)

    def flush(self) -> None:
        """Write the methods with tables that the code written so far uses."""
        while self._pending:
            node = self._pending.pop()
            if self._methods[node].startswith("counted"):
                self._counted(node)
                continue
            alike: dict[tuple[int, ...], list[Cube]] = defaultdict(list)
            shapes, others = find_shapes([(cube, literals_of(cube)) for cube in self.cubes(-node) or ()])
            for cube in others:
                alike[touched(cube)].append(cube)
            lines = []
            field = self._fields.get(node)
            if field:
                lines += self.field_lines(field, "        ", lambda word: [], ["if bits != 0:", "    return True"])
            for shape in shapes:
                for word in shape.words():
                    lines += [
                        f"        if {self.guard_test(shape.guard)}{shape.test(word)} != 0:",
                        "            return True",
                    ]
            for cubes in alike.values():
                lines += [f"        for i in range({len(cubes)}):", f"            if {self.rows_test(cubes, 'i')}:"]
                lines += ["                return True"]
            lines.append("        return False")
            self.method(
                f"{self._methods[node]}(self, state)", lines, "Return whether one of the rows of a table holds."
            )

    def _counted(self, node: int) -> None:
        """Write the method of a gate whose negation is a condition on a count."""
        count = self._counts.of(-node)
        assert count is not None
        names = ("first", "second")[: len(count.sums)]
        lines = [f"        {name} = {self._sum(each)}" for name, each in zip(names, count.sums, strict=True)]
        index = " + ".join([f"first * {size(count.sums[1])}" if len(names) == 2 else "", names[-1]][2 - len(names) :])
        total = math.prod(map(size, count.sums))
        low = (count.values & -count.values).bit_length() - 1
        if len(names) == 1 and count.values == (1 << total) - (1 << low):
            test = f"first >= {low}"
        elif len(names) == 1 and count.values & count.values + 1 == 0:
            test = f"first < {count.values.bit_length()}"
        else:
            test = f"{self.lookup_table(count.values >> i & 1 for i in range(total))}[{index}] == 1"
        doc = "Return whether the number of true facts is one of some numbers."
        self.method(f"{self._methods[node]}(self, state)", [*lines, f"        return {test}"], doc)

    def _sum(self, weights: Sum) -> str:
        """Return the code of the value of a sum, minus the lowest value of the sum."""
        sums: dict[tuple[int, int], int] = defaultdict(int)
        for fact, weight in weights:
            sums[weight, fact // WORD] |= 1 << fact % WORD
        parts = []
        for (weight, word), mask in sorted(sums.items(), key=lambda each: (-each[0][0], each[0][1])):
            factor = "" if abs(weight) == 1 else f"{abs(weight)} * "
            parts.append(f"{'-' if weight < 0 else '+'} {factor}(w{word} & {mask}).bit_count()")
        return f"{' '.join(parts).removeprefix('+ ')} + {-lowest(weights)}".removesuffix(" + 0")


def _product(parts: Sequence[Literals | None]) -> Literals | None:
    """Return the disjunctive normal form of a conjunction."""
    forms = sorted((form for form in parts if form is not None), key=len)
    if len(forms) < len(parts) or math.prod(map(len, forms)) > MOST_PRODUCT:
        return None
    cubes = {frozenset[int]()}
    for form in forms:
        cubes = {one | other for one in cubes for other in form}
    return least(cube for cube in cubes if not any(-literal in cube for literal in cube))


def _union(parts: Sequence[Literals | None]) -> Literals | None:
    """Return the disjunctive normal form of a disjunction."""
    cubes: dict[frozenset[int], None] = {}
    for form in parts:
        if form is None:
            return None
        cubes.update(dict.fromkeys(form))
    if len(cubes) > MOST_UNION:
        return None
    return least(cubes) if len(cubes) <= MOST_PRODUCT else tuple(cubes)


def least(cubes: Iterable[frozenset[int]]) -> Literals:
    """Return conjunctions without those that imply another conjunction, in a canonical order."""
    smallest_first = sorted(set(cubes), key=lambda cube: (len(cube), sorted(cube)))
    return tuple(cube for i, cube in enumerate(smallest_first) if not any(other < cube for other in smallest_first[:i]))


def touched(cube: Cube) -> tuple[int, ...]:
    """Return the words that a condition looks at."""
    return tuple(word for word, (mask, _) in enumerate(cube) if mask)


def wrapped(values: Sequence[object]) -> str:
    """Return the code of a tuple in lines of readable length; a long tuple of numbers is written as a text."""
    if len(values) > LONGEST_TUPLE and isinstance(values[0], int):
        return f'numbers("""\n{_lines_of(values)}\n""")'
    text = pprint.pformat(tuple(values), width=WIDTH - 7, compact=True)
    return text if "\n" not in text else "(\n" + textwrap.indent(text[1:-1].replace("\n ", "\n"), "    ") + ",\n)"


def _lines_of(values: Sequence[object]) -> str:
    """Return numbers as lines of text, with the same count of numbers in each line."""
    texts = list(map(str, values))
    count = max(1, (WIDTH + 1) // (max(map(len, texts)) + 1))
    return "\n".join(" ".join(texts[i : i + count]) for i in range(0, len(texts), count))
