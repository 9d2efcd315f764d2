"""Conditions: nodes of a net as the code of methods.

Conditions that are alike (facts that must hold, and facts that must not) are rows of a table with a loop over it; all
others are expressions, in which a gate that is used more than once has a name.
"""

import pprint
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from ggp_gdl.game import WORD
from ggp_gdl.net import TRUE, Net

MOST_CASES = 8
"""Maximum number of cases of one condition that become rows of a table."""
ALIKE = 4
"""Minimum number of rows of a table."""
DEEPEST_TEXT = 8
"""Maximum depth of an expression before a part of it gets a name."""
LONGEST_TEXT = 12
"""Maximum number of parts of an expression."""

Cube = tuple[tuple[int, int], ...]
"""A condition: for each word, the bits that matter and those that must be set."""


class Conditions:
    """The methods and tables of a class that is being written."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.words = max(1, -(-len(net.bits) // WORD))
        self.tables: dict[tuple[int, ...], str] = {}
        self.out: list[str] = []
        """The lines of the class."""
        self._methods: dict[int, str] = {}
        self._pending: list[int] = []

    def cube(self, node: int) -> Cube | None:
        """Return a node as a condition on facts; None if it is not a conjunction of facts and negations of facts."""
        parts, pending = [], [node]
        while pending:
            part = pending.pop()
            key = self.net.gates.get(abs(part))
            if abs(part) in self.net.bit_of:
                parts.append(part)
            elif part > 0 and key is not None:
                pending.extend(key)
            else:
                return None
        masks: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for part in parts:
            word, place = divmod(self.net.bit_of[abs(part)], WORD)
            masks[word][0] |= 1 << place
            masks[word][1] |= (part > 0) << place
        return tuple((masks[w][0], masks[w][1]) if w in masks else (0, 0) for w in range(self.words))

    def cases(self, node: int) -> list[int] | None:
        """Return the nodes of which one must hold, for a node that is such a choice."""
        key = self.net.gates.get(-node) if node < -1 else None
        return [-part for part in key] if key else None

    def table(self, column: Iterable[int]) -> str:
        """Return the name of a table."""
        values = tuple(column)
        if values not in self.tables:
            self.tables[values] = f"T{len(self.tables)}"
        return self.tables[values]

    def rows_test(self, cubes: Sequence[Cube], index: str) -> str:
        """Return the code that tests a row of a table of conditions."""
        tests = []
        for word in range(self.words):
            masks, wanted = [cube[word][0] for cube in cubes], [cube[word][1] for cube in cubes]
            if any(masks):
                left = masks[0] if len(set(masks)) == 1 else f"{self.table(masks)}[{index}]"
                right = wanted[0] if len(set(wanted)) == 1 else f"{self.table(wanted)}[{index}]"
                tests.append(f"w{word} & {left} == {right}")
        return " and ".join(tests) or "True"

    def text(self, node: int, named: dict[int, str]) -> str:
        """Return the code of a node."""
        if abs(node) == TRUE:
            return str(node > 0)
        if abs(node) in named:
            return named[abs(node)] if node > 0 else f"not {named[abs(node)]}"
        if abs(node) in self._methods:
            return f"{'not ' if node > 0 else ''}self.{self._methods[abs(node)]}(state)"
        if abs(node) in self.net.bit_of:
            word, place = divmod(self.net.bit_of[abs(node)], WORD)
            return f"w{word} & {1 << place} {'!=' if node > 0 else '=='} 0"
        parts = self.net.gates[abs(node)] or ()
        bits = [part for part in parts if abs(part) in self.net.bit_of]
        tests: list[str] = []
        if bits:
            cube = self.cube(self.net.all(bits))
            for word, (mask, wanted) in enumerate(cube or ()):
                if mask:
                    tests.append(f"w{word} & {mask} {'==' if node > 0 else '!='} {wanted}")
        for part in parts:
            if part not in bits:
                inner = self.text(part if node > 0 else -part, named)
                tests.append(f"({inner})" if " or " in inner or " and " in inner else inner)
        return (" and " if node > 0 else " or ").join(tests)

    def shared(self, roots: Iterable[int], indent: str, named: dict[int, str]) -> list[str]:
        """Return assignments for the gates that are used more than once below some nodes, and name them.

        A gate that is a choice of many conditions alike becomes a method with a table.
        """
        uses: Counter[int] = Counter()
        seen: set[int] = set()
        pending = [abs(root) for root in roots]
        uses.update(pending)
        while pending:
            node = pending.pop()
            key = self.net.gates.get(node)
            if node in seen or node in named or key is None or self.is_table(node):
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

    def is_table(self, node: int) -> bool:
        if node in self._methods:
            return True
        cases = self.cases(-node)
        if cases is None or len(cases) < ALIKE or any(self.cube(case) is None for case in cases):
            return False
        self._methods[node] = f"any_{node}"
        self._pending.append(node)
        return True

    def method(self, head: str, lines: Iterable[str], doc: str = "") -> None:
        unpack = f"{', '.join(f'w{i}' for i in range(self.words))}{',' if self.words == 1 else ''} = state"
        self.out += ["", f"    def {head}:", *([f'        """{doc}"""'] if doc else []), f"        {unpack}", *lines]

    def expression(self, head: str, node: int, doc: str = "") -> None:
        """Write a method that returns the truth of a node."""
        named: dict[int, str] = {}
        lines = self.shared([node], "        ", named)
        self.is_table(abs(node))
        self.method(head, [*lines, f"        return {self.text(node, named)}"], doc)

    def flush(self) -> None:
        """Write the methods with tables that the last ones use."""
        while self._pending:
            node = self._pending.pop()
            alike: dict[tuple[int, ...], list[Cube]] = defaultdict(list)
            for case in self.cases(-node) or ():
                if cube := self.cube(case):
                    alike[touched(cube)].append(cube)
            lines = []
            for cubes in alike.values():
                lines += [f"        for i in range({len(cubes)}):", f"            if {self.rows_test(cubes, 'i')}:"]
                lines += ["                return True"]
            lines.append("        return False")
            self.method(
                f"{self._methods[node]}(self, state)", lines, "Return whether one of the rows of a table holds."
            )


def touched(cube: Cube) -> tuple[int, ...]:
    """Return the words that a condition looks at."""
    return tuple(word for word, (mask, _) in enumerate(cube) if mask)


def wrapped(values: Sequence[object]) -> str:
    """Return the code of a tuple in lines of readable length."""
    text = pprint.pformat(tuple(values), width=118, compact=True)
    return text if "\n" not in text else "(\n" + textwrap.indent(text[1:-1].replace("\n ", "\n"), "    ") + ",\n)"
