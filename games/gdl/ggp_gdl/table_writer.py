"""Write the classes of large games: the conditions of such a class are the rows of a branching program."""

import itertools
import textwrap
from collections.abc import Iterator, Sequence

from ggp_gdl.automaton import Automaton
from ggp_gdl.branching import Branching
from ggp_gdl.conditions import wrapped
from ggp_gdl.exclusion import exclusive_facts
from ggp_gdl.fields import find_field
from ggp_gdl.game import WORD
from ggp_gdl.net import TRUE
from ggp_gdl.writer import Writer

FEW = 8
"""Maximum number of parts of a condition that is written as code."""
MOST_MOVES = 300
"""If a role has more moves than this, their conditions are written as rows instead of code.

Moves that form a field do not count. As code, 250 conditions compile in five seconds, and run four times as fast as
rows. Thousands of conditions made 125,000 lines of code, which took minutes to compile.
"""
DEEPEST = 3
"""Maximum depth of nested gates that are written as code."""
STRIDE = 8
"""Length of a row: 8 numbers fit in one cache line of the processor. After the seven numbers of a `branching.Row` comes
0.
"""


class TableWriter(Writer):
    """The source of the class for an automaton, with few lines and large tables."""

    def __init__(self, automaton: Automaton) -> None:
        super().__init__(automaton)
        values = sum(map(len, automaton.goals))
        self._answers = max(2 * self.words, -(-len(self.net.moves) // WORD), -(-values // WORD))
        self._exclusive = exclusive_facts(automaton)
        self._branching = Branching(self.net, self.words, self._answers, self._exclusive)

    def _flush(self) -> None:
        """Do nothing, since the conditions are in the rows."""

    def _run(self, roots: Sequence[tuple[int, int]], settled: Sequence[int] = ()) -> list[str]:
        """Return the code that tests conditions, and sets a bit of the answer for each condition that holds."""
        row, words = self._branching.program([(node, (bit,)) for node, bit in roots], settled)
        return [
            f"        words = [*state{', 0' * (words - self.words)}]",
            f"        self.run(words, {row * STRIDE})",
        ]

    def _is_short(self, node: int, depth: int = DEEPEST) -> bool:
        """Return whether the code of a condition is short: it needs only a few facts, and conditions with methods."""
        if abs(node) in self.net.bit_of or self.is_lookup(abs(node)):
            return True
        parts = self.net.gates[abs(node)] or ()
        return depth > 0 and len(parts) <= FEW and all(self._is_short(part, depth - 1) for part in parts)

    def expression(self, head: str, node: int, doc: str = "") -> None:
        if abs(node) == TRUE:
            self.out += ["", f"    def {head}:", f"        return {node > 0}"]
            return
        if self._is_short(node):
            super().expression(head, node, doc)
            self.flush()
            return
        lines = [*self._run([(node, 0)]), f"        return words[{self.words}] != 0"]
        self.plain_method(head, lines, doc)

    def plain_method(self, head: str, lines: Sequence[str], doc: str) -> None:
        self.out += ["", f"    def {head}:", *([f'        """{doc}"""'] if doc else []), *lines]

    def _moves(self, mover: int) -> None:
        """Write the moves of a role as a field if they form one, and as rows otherwise."""
        legal, mine = self.automaton.legal, self.automaton.of_role[mover]
        field, others = find_field([(i, self.cases(legal[i])) for i in mine if legal[i] != -TRUE])
        if field and len(others) <= MOST_MOVES and all(self._is_short(legal[i]) for i in others):
            super()._moves(mover)
            self.flush()
            return
        roots = [(self.automaton.legal[i], i) for i in self.automaton.of_role[mover]]
        numbers = [i // WORD for _, i in roots] or [0]
        base = self.words
        lines = [
            *self._waiting(mover),
            *self._run(roots, sorted(self.automaton.turn_facts(mover))),
            f"        for word in range({base + min(numbers)}, {base + max(numbers) + 1}):",
            "            bits = words[word]",
            "            some |= bits",
            "            while bits:",
            "                low = bits & -bits",
            f"                yield (word - {base}) * {WORD} + low.bit_length() - 1",
            "                bits -= low",
        ]
        self.plain_method(f"moves_{mover}(self, state)", self._watched(mover, lines), "Yield the legal moves.")

    def _may_clear(self, part: int) -> bool:
        return self.net.gates[abs(part)] is not None if self._exclusive else super()._may_clear(part)

    def _clearing_condition(self, bit: int, fails: int) -> int:
        return self.net.all([bit, fails]) if self._exclusive else fails  # other facts are excluded by this one

    def _result(self) -> None:
        kept, put, depends = self._changes()
        rows, needed = [], self.words + self._answers
        for i, each in enumerate(depends):
            program = [(node, tuple(places)) for node, places in each.items()]
            row, length = self._branching.program(program, sorted(self.automaton.settled(i)), apart=False)
            rows.append(row * STRIDE)
            needed = max(needed, length)
        names = [f"words[{number}]" for number in range(self.words, 3 * self.words)]
        words = [f"w{word}" for word in range(self.words)]
        words += [self._column(column, "") or "0" for column in put]
        words += ["0"] * (needed - len(words))
        lines = [
            f"        words = [{', '.join(words)}]",
            f"        self.run(words, {self.lookup_table(rows)}[action])",
            f"        return {self._after(kept, names, self._clearing(depends))}",
        ]
        self.method("result(self, state, action)", lines)

    def _goals(self) -> list[str]:
        """Write the goals of all players as one program, since they are made of the same conditions."""
        goals = self.automaton.goals
        if all(self._is_short(node) for mine in goals for _, node in mine if abs(node) != TRUE):
            conditions = super()._goals()
            self.flush()
            return conditions
        values = [(value, node) for mine in goals for value, node in mine]
        lines = [
            "        for place in range(first, behind):",
            f"            if words[{self.words} + place // {WORD}] >> place % {WORD} & 1:",
            f"                return {self.lookup_table(value for value, _ in values)}[place]",
            self._without_goal(),
        ]
        self.plain_method("goal(self, state, words, first, behind)", lines, "Return the first goal in a range.")
        lines, index = self._run([(node, index) for index, (_, node) in enumerate(values)]), 0
        for name, mine in zip(("first", "second"), goals, strict=False):
            lines.append(f"        {name} = self.goal(state, words, {index}, {index + len(mine)})")
            index += len(mine)
        return lines

    def _named_columns(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield from super()._named_columns()
        rows = ((*test, then * STRIDE, otherwise * STRIDE, 0) for *test, then, otherwise in self._branching.rows)
        yield "ROWS", tuple(itertools.chain.from_iterable(rows))

    def _attributes(self) -> Iterator[str]:
        bit_of = self.net.bit_of
        pairs = ((bit_of[one], bit_of[other]) for one, others in self._exclusive.items() for other in others)
        listed = sorted(pair for pair in pairs if pair[0] < pair[1])
        if listed:
            yield f"    EXCLUSIVE = {textwrap.indent(wrapped(listed), '    ').lstrip()}"

    def _source(self) -> str:
        self.plain_method(
            "run(self, words, row)",
            [
                "        while row:",
                "            if words[ROWS[row]] & ROWS[row + 1] == ROWS[row + 2]:",
                "                words[ROWS[row + 3]] |= ROWS[row + 4]",
                "                row = ROWS[row + 5]",
                "            else:",
                "                row = ROWS[row + 6]",
            ],
            f"Run rows of {STRIDE} numbers, and set a bit for each true condition.",
        )
        return super()._source()
