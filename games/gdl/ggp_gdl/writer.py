"""Write a grounded game as the source of an ordinary class, which people can read and the compiler can compile.

A state is a tuple of words, with a bit for each fact; an action is the number of a move. The effect of each move is
computed in advance: tables hold masks of the facts that the move keeps and sets. Only conditions that depend on the
state are evaluated during play. Many conditions only require that some facts hold and that others do not. Such
conditions become rows of a table, and a loop tests the rows.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ggp.game import CONTINUES, DRAW
from ggp_gdl.automaton import Automaton
from ggp_gdl.conditions import ALIKE, MOST_CASES, Conditions, Cube, touched, wrapped
from ggp_gdl.description import format_term, term_of
from ggp_gdl.fields import Field, find_field
from ggp_gdl.game import WORD
from ggp_gdl.grounding import TooLargeError
from ggp_gdl.layout import filled, fit
from ggp_gdl.net import TRUE
from ggp_gdl.parts import sentences
from ggp_gdl.play import RANDOM, Outcome
from ggp_gdl.shapes import Shape, find_shapes, literals_of

MOST_CODE = 1500
"""Maximum number of lines of a class that has a line for each condition; a longer class has its conditions in tables.
"""
MOST_ROWS = 64
"""If a move has more conditions than this on average, a branching program tests them, because it skips most of them."""
MOST_BYTES = 24 << 20
"""Maximum size of a class, in bytes."""
NO_GOAL = -1
"""A number in place of the goal of a player who has no goal."""
STOP = "raise ContradictionError(self, state)"
"""The statement that is run for a state that ggp does not support."""


class LongCodeError(Exception):
    """Raised if a class would have more than `MOST_CODE` lines, or moves with more than `MOST_ROWS` conditions."""


def _is_unguarded(other: Field[int] | None, field: Field[int]) -> bool:
    """Return whether `other` is `field` without the guard."""
    return (
        other is not None
        and not other.guard
        and other.holds == field.holds
        and other.patterns == field.patterns
        and other.places.keys() == field.places.keys()
    )


class Writer(Conditions):
    """The source of the class for an automaton.

    Raises:
        LongCodeError: the class has too many lines, or its moves have too many conditions.
    """

    def __init__(self, automaton: Automaton) -> None:
        super().__init__(automaton.net)
        self.automaton = automaton

    def write(self) -> str:
        """Return the source of the class."""
        self._turns()
        self._flush()
        for mover in range(len(self.automaton.movers)):
            self._moves(mover)
        self._actions()
        self._flush()
        self._result()
        self._flush()
        self.expression("terminal_test(self, state)", self.automaton.terminal)
        self._utility()
        self._canonical()
        self._flush()
        return self._source()

    def _flush(self) -> None:
        self.flush()
        if len(self.out) > MOST_CODE:
            raise LongCodeError

    def _turns(self) -> None:
        """Write the method that returns who moves: the role with a move other than waiting.

        If it is proved which facts tell whose turn it is, the method tests these facts; otherwise, it checks which role
        has such a move.
        """
        automaton, later = self.automaton, range(1, len(self.automaton.movers))
        lines = []
        if automaton.turns:
            for mover in later:
                test = self.text(automaton.turns[mover], {})
                lines += [f"        if {test}:", f"            return {self._player(mover)}"]
            lines.append(f"        return {self._player(0)}")
            self.method("to_move(self, state)", lines, "Return the player to move, by a proof.")
            return
        for mover in range(len(automaton.movers)) if later else ():
            self.expression(f"chooses_{mover}(self, state)", automaton.choice(mover))
        self.flush()
        for mover in later:
            others = " or ".join(f"self.chooses_{other}(state)" for other in range(mover))
            lines += [
                f"        if self.chooses_{mover}(state):",
                f"            if {others}:",
                f"                {STOP}",
                f"            return {self._player(mover)}",
            ]
        self.out += ["", "    def to_move(self, state):", *lines, f"        return {self._player(0)}"]

    def _player(self, mover: int) -> str:
        return "ggp.CHANCE" if self.automaton.movers[mover] == RANDOM else str(mover)

    def _actions(self) -> None:
        """Write the methods `actions` and `outcomes`, which choose the moves of the role whose turn it is."""
        movers = range(len(self.automaton.movers))
        lines = ["        mover = self.to_move(state)"] if len(movers) > 1 else []
        # The compiler does not return one of several generators after a loop, such as those of a check of turns.
        start = "return" if self.automaton.turns else "yield from"
        for mover in movers[1:]:
            lines += [f"        if mover == {self._player(mover)}:", f"            {start} self.moves_{mover}(state)"]
            lines += [] if self.automaton.turns else ["            return"]
        self.out += ["", "    def actions(self, state):", *lines, f"        {start} self.moves_0(state)"]
        if self.automaton.movers[-1] == RANDOM:
            self.out += [
                "",
                "    def outcomes(self, state):",
                f"        moves = list(self.moves_{movers[-1]}(state))",
                "        return [(move, 1 / len(moves)) for move in moves]",
            ]

    def _moves(self, mover: int) -> None:
        """Write the moves of a role: tables for moves whose conditions are alike, and code for the other moves."""
        alike: dict[tuple[int, ...], list[tuple[int, Cube]]] = defaultdict(list)
        others = []
        legal = self.automaton.legal
        for i in self.automaton.of_role[mover]:
            cube = self.cube(legal[i])
            if legal[i] == -TRUE:
                continue
            if cube is None:
                others.append(i)
            else:
                alike[touched(cube)].append((i, cube))
        named: dict[int, str] = {}
        lines = self._waiting(mover)
        cubes = dict(row for rows in alike.values() for row in rows)
        shapes, rest = find_shapes([(i, literals_of(cube)) for i, cube in cubes.items()])
        for shape in shapes:
            lines += self._places(shape)
        kept = set(rest)
        for rows in ([row for row in rows if row[0] in kept] for rows in alike.values()):
            if len(rows) < ALIKE:
                others += [i for i, _ in rows]
                continue
            numbers = self.lookup_table(i for i, _ in rows)
            lines.append(f"        for i in range({len(rows)}):")
            lines.append(f"            if {self.rows_test([cube for _, cube in rows], 'i')}:")
            lines += ["                some = 1", f"                yield {numbers}[i]"]
        field, rest = find_field([(i, self.cases(legal[i])) for i in others])
        if field:
            lines += self._field_moves(field, self._below(legal[i] for i in rest), named)
            others = rest
        if others:
            lines += self.shared([legal[i] for i in others], "        ", named)
        for i in sorted(others):
            self.is_lookup(abs(legal[i]))
            lines.append(f"        if {self.text(legal[i], named)}:")
            lines += ["            some = 1", f"            yield {i}  # {self.automaton.move_text(i)}"]
        self.method(f"moves_{mover}(self, state)", self._watched(mover, lines), "Yield the legal moves.")

    def _waiting(self, mover: int) -> list[str]:
        """Return code that stops the game if a role cannot wait while another role moves.

        Roles that provably can wait need no code.
        """
        lines = []
        for other in self.automaton.may_be_stuck(mover):
            head = f"waits_{other}(self, state)"
            if f"    def {head}:" not in self.out:
                wait = self.automaton.legal[self.automaton.waits[other]]
                self.expression(head, wait, f"Return whether {self.automaton.movers[other]} can wait.")
            lines += [f"        if not self.waits_{other}(state):", f"            {STOP}"]
        return lines

    def _watched(self, mover: int, lines: list[str]) -> list[str]:
        """Return the code that yields the moves of a role, and that stops the game if there is no move.

        Arguments:
            lines: the code that yields the moves, and sets `some` if there is a move. `some` is left out if there is
                provably always a move.
        """
        if not any("yield " in line for line in lines):
            lines.append("        yield from ()")
        if self.automaton.is_sure_to_move(mover):
            return [line for line in lines if not line.lstrip().startswith(("some = ", "some |= "))]
        return ["        some = 0", *lines, "        if some == 0:", f"            {STOP}"]

    def _places(self, shape: Shape[int]) -> list[str]:
        """Return the code that yields the moves of a shape, one move for each place."""
        guard, indent = self.guard_test(shape.guard).removesuffix(" and "), "        "
        lines = [f"{indent}if {guard}:"] if guard else []
        indent += "    " if guard else ""
        for word in shape.words():
            lines += [indent + line for line in (f"bits = {shape.test(word)}", *self._yields(shape.places, word))]
        return lines

    def _field_moves(self, field: Field[int], gates: Iterable[int], named: dict[int, str]) -> list[str]:
        """Return the code that yields the moves of a field.

        The code also finds out whether the field has no move, and stores the answer as `none`. A gate that is true
        exactly if the field has no move, such as the condition that a player must pass, gets the name `none`, too.
        """
        same = [node for node in gates if self.is_lookup(node) and _is_unguarded(self._fields.get(node), field)]
        named.update(dict.fromkeys(same, "none"))
        lines = ["        none = True"] if same else []
        lines += self.field_lines(
            field,
            "        ",
            lambda word: [*(["none = none and bits == 0"] if same else []), *self._yields(field.places, word)],
        )
        if same and field.guard:
            lines += ["        else:", f"            none = not self.{self._methods[same[0]]}(state)"]
        return lines

    def _yields(self, places: Mapping[int, int], word: int) -> list[str]:
        """Return the code that yields a move for each bit that is set in a word."""
        moves = self.lookup_table(places.get(word * WORD + bit, 0) for bit in range(WORD))
        texts = [self.automaton.move_text(i) for bit, i in sorted(places.items()) if bit // WORD == word]
        return [
            "some |= bits",
            f"while bits:  # {' ... '.join(dict.fromkeys([texts[0], texts[-1]]))}",
            "    low = bits & -bits",
            f"    yield {moves}[low.bit_length() - 1]",
            "    bits -= low",
        ]

    def _result(self) -> None:
        """Write the method that returns the state after a move."""
        kept, put, depends = self._changes()
        lines = [f"        n{word} = {self._column(put[word], '') or '0'}" for word in range(self.words)]
        lines += [f"        c{word} = 0" for word in self._clearing(depends)]
        users = Counter(node for each in depends for node in each)
        common = sorted(node for node, count in users.items() if count > ALIKE and self.rows(node) is None)
        named: dict[int, str] = {}
        lines += self.shared(common, "        ", named)
        for node in common:
            self.is_lookup(abs(node))
            lines.append(f"        if {self.text(node, named)}:")
            for name, number in self._marks():
                column = [self._mask(each.get(node, ()), number) for each in depends]
                if any(column):
                    lines.append(f"            {name} |= {self._column(column, '')}")
        lines += self._conditional(depends)
        shared = set(common)
        rest = [{n: p for n, p in each.items() if n not in shared and self.rows(n) is None} for each in depends]
        lines += self._tree([i for i, each in enumerate(rest) if each], rest, named, "        ")
        names = [name for name, _ in self._marks()]
        lines.append(f"        return {self._after(kept, names, self._clearing(depends))}")
        self.method("result(self, state, action)", lines)

    def _changes(self) -> tuple[list[list[int]], list[list[int]], list[dict[int, list[int]]]]:
        """Return the effects of moves on the state.

        The first two lists have, for each word and move, the facts that stay unless they are cleared, and the facts
        that are always set. The third list has, for each move, the facts that depend on the state, by the node of the
        condition. There, a fact is given by its place: place p means that the fact is set, and place
        p + `words` * WORD means that it is cleared.

        Clearing the facts that change takes far fewer conditions than setting all facts that stay.
        """
        moves, size = range(len(self.net.moves)), self.words * WORD
        kept, put = ([[0] * len(moves) for _ in range(self.words)] for _ in range(2))
        depends: list[dict[int, list[int]]] = [defaultdict(list) for _ in moves]
        for i, roots in enumerate(self.automaton.effects):
            for slot, node in enumerate(roots):
                word, bit = slot // WORD, 1 << slot % WORD
                stays, clears, sets = self._change(node, self.net.bit_nodes[slot])
                kept[word][i] |= bit if stays else 0
                put[word][i] |= bit if sets == TRUE else 0
                for condition, answer in ((sets, slot), (clears, size + slot)):
                    if abs(condition) != TRUE:
                        depends[i][condition].append(answer)
        return kept, put, depends

    def _change(self, node: int, bit: int) -> tuple[bool, int, int]:
        """Return the effect of a move on a fact: whether the fact is kept by default, the node of the condition that
        clears it, and the node of the condition that sets it.
        """
        gates = self.net.gates
        cases = [-part for part in gates[-node] or ()] if node < 0 and node != -TRUE else [node]
        for case in cases:
            others = [other for other in cases if other != case]
            if case == bit:
                return True, -TRUE, self.net.any(others)
            parts = (gates[case] or ()) if case > 0 else ()
            if bit in parts and any(map(self._may_clear, parts)):
                fails = -self.net.all(part for part in parts if part != bit)
                return True, self._clearing_condition(bit, fails), self.net.any(others)
        return False, -TRUE, node

    def _may_clear(self, part: int) -> bool:
        """Return whether to clear a fact if this condition fails, rather than to set it if the condition holds."""
        return part < 0 and self.net.gates[-part] is not None

    def _clearing_condition(self, bit: int, fails: int) -> int:
        """Return the condition for clearing a fact; it may be true even if the fact does not hold."""
        return fails

    def _marks(self) -> list[tuple[str, int]]:
        """Return the names of the variables of facts that are set and cleared, each with the index of its word."""
        return [
            (f"{letter}{word}", word + which * self.words)
            for which, letter in enumerate("nc")
            for word in range(self.words)
        ]

    def _clearing(self, depends: Iterable[dict[int, list[int]]]) -> list[int]:
        """Return the indices of the words in which some fact may be cleared."""
        size = self.words * WORD
        return sorted({(p - size) // WORD for each in depends for places in each.values() for p in places if p >= size})

    def _after(self, kept: list[list[int]], names: Sequence[str], clearing: Sequence[int]) -> str:
        """Return the expression for the state after a move.

        Arguments:
            names: for each word the variable of the facts that are set, then for each word the variable of the facts
                that are cleared.
        """
        words = []
        for word, column in enumerate(kept):
            before = f"w{word} & ~{names[word + self.words]} & " if word in clearing else f"w{word} & "
            words.append(" | ".join(filter(None, (names[word], self._column(column, before)))))
        return f"({', '.join(words)},)"

    def rows(self, node: int) -> list[Cube] | None:
        """Return the rows of a table for a condition; None if there would be too many rows."""
        cubes = self.cubes(node)
        return cubes if cubes is not None and len(cubes) <= MOST_CASES else None

    def _column(self, column: list[int], before: str) -> str:
        if not any(column):
            return ""
        return f"{before}{column[0]}" if len(set(column)) == 1 else f"{before}{self.lookup_table(column)}[action]"

    def _mask(self, places: Iterable[int], word: int) -> int:
        return sum(1 << bit % WORD for bit in places if bit // WORD == word)

    def _conditional(self, depends: list[dict[int, list[int]]]) -> list[str]:
        """Return the code of the loop over the conditions of a move.

        Each condition is a row of a table, with the facts that the condition changes.
        """
        starts, rows = [0], list[tuple[Cube, list[int]]]()
        for each in depends:
            facts_of: dict[Cube, list[int]] = defaultdict(list)
            for node, places in each.items():
                for cube in self.rows(node) or ():
                    facts_of[cube] += places
            rows += facts_of.items()
            starts.append(len(rows))
        if not rows:
            return []
        if len(rows) > MOST_ROWS * len(depends):
            raise LongCodeError
        begin = self.lookup_table(starts)
        lines = [f"        for i in range({begin}[action], {begin}[action + 1]):"]
        lines.append(f"            if {self.rows_test([cube for cube, _ in rows], 'i')}:")
        for name, number in self._marks():
            column = [self._mask(places, number) for _, places in rows]
            if any(column):
                value = column[0] if len(set(column)) == 1 else f"{self.lookup_table(column)}[i]"
                lines.append(f"                {name} |= {value}")
        return lines

    def _tree(
        self, moves: Sequence[int], rest: list[dict[int, list[int]]], named: dict[int, str], indent: str
    ) -> list[str]:
        """Return the code of the conditions that only a few moves have; the code finds a move's conditions by binary
        search.
        """
        if not moves:
            return []
        if len(moves) == 1:
            own = dict(named)
            lines = self.shared(sorted(rest[moves[0]]), indent + "    ", own)
            for node, places in rest[moves[0]].items():
                self.is_lookup(abs(node))
                lines.append(f"{indent}    if {self.text(node, own)}:")
                masks = [(name, self._mask(places, number)) for name, number in self._marks()]
                lines += [f"{indent}        {name} |= {mask}" for name, mask in masks if mask]
            return [f"{indent}if action == {moves[0]}:  # {self.automaton.move_text(moves[0])}", *lines]
        middle = len(moves) // 2
        low, high = (self._tree(part, rest, named, indent + "    ") for part in (moves[:middle], moves[middle:]))
        return [f"{indent}if action < {moves[middle]}:", *low, f"{indent}else:", *high]

    def _utility(self) -> None:
        automaton = self.automaton
        goals = self._goals()
        self.out += ["", "    def utility(self, state, player):", *goals]
        if len(automaton.goals) == 1:
            self.out += ["        return first if player == ggp.MAX else -first"]
            return
        if automaton.referee.has_draws:
            self.out += [
                f"        if first == {NO_GOAL} or second == {NO_GOAL}:",
                "            if first != second:",
                f"                {STOP}",
                "            return 0",
            ]
        ends = self._ends()
        if ends:
            columns = [self.lookup_table(each.goals[p] for each in ends) for p in (0, 1)]
            self.out += [
                f"        for i in range({len(ends)}):",
                f"            if (first - {columns[0]}[i]) * (second - {columns[1]}[i]) > 0:",
                f"                {STOP}",
            ]
        self.out += [
            "        value = (first - second) // self.unit",
            "        return value if player == ggp.MAX else -value",
        ]

    def _canonical(self) -> None:
        """Write the method that leaves out the facts that nothing reads.

        States that differ only in these facts have equal futures.
        """
        unread = self.automaton.unread
        if unread:
            read = [self._mask((p for p in range(len(self.net.bits)) if p not in unread), w) for w in range(self.words)]
            after = ", ".join(f"w{word} & {mask}" for word, mask in enumerate(read))
            doc = "Return the state without the facts that nothing reads."
            self.method("canonical(self, state)", [f"        return ({after},)"], doc)

    def _ends(self) -> list[Outcome]:
        """Return the outcomes with which every outcome is compared during play, to check that the goals are opposed.

        Return [] if all outcomes are proved to be opposed.
        """
        automaton = self.automaton
        is_proved = len(automaton.goals) == 1 or automaton.has_opposed_goals()
        return [] if is_proved else sorted(automaton.referee.outcomes)

    def _goals(self) -> list[str]:
        """Write the goals of the players; return the code that assigns them to `first` and `second`."""
        for player, goals in enumerate(self.automaton.goals):
            role = self.automaton.referee.players[player]
            self._goal(f"goal_{player}(self, state)", goals, f"Return the goal of {role}.")
        names = ("first", "second")[: len(self.automaton.goals)]
        return [f"        {name} = self.goal_{player}(state)" for player, name in enumerate(names)]

    def _goal(self, head: str, goals: list[tuple[int, int]], doc: str) -> None:
        named: dict[int, str] = {}
        lines = []
        for value, node in goals:
            lines += self.shared([node], "        ", named)
            self.is_lookup(abs(node))
            lines += [f"        if {self.text(node, named)}:", f"            return {value}"]
        lines += [self._without_goal()] if not goals or goals[-1][1] != TRUE else []
        self.method(head, lines, doc)

    def _without_goal(self) -> str:
        """Return the statement that is run if a player has no goal."""
        return f"        return {NO_GOAL}" if self.automaton.referee.has_draws else f"        {STOP}"

    def _named_columns(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the names of all tables with their values."""
        for values, name in self.lookup_tables.items():
            yield name, values

    def _attributes(self) -> Iterator[str]:
        """Yield the lines of further attributes of the class."""
        yield from ()

    def _source(self) -> str:
        names = [format_term(term_of(name, args)) for name, args in self.net.bits]
        held = [bit for bit, holds in enumerate(self.automaton.first) if holds]
        first = [self._mask(held, word) for word in range(self.words)]
        title = self.automaton.referee.title
        name = "-".join(re.findall("[a-z0-9]+", title.lower())) + "-gdl"
        chance = RANDOM in self.automaton.movers
        repetition = "None" if self.automaton.is_sure_to_end() else repr(CONTINUES if chance else DRAW)
        ends = tuple(each.goals for each in self._ends())
        head = [
            *filled(f'"""{title}, written from its description in GDL.'),
            "",
            "A state is a tuple of words, with a bit for each fact of FACTS; an action is",
            "the number of one of MOVES.",
            *[line for each in sentences(self.automaton) for line in filled(each)],
            '"""',
            "",
            "import ggp",
            "from ggp_gdl.game import ContradictionError, PackedGame, numbers",
            "",
            f"FACTS = {wrapped(names)}",
            f"MOVES = {wrapped([self.automaton.move_text(i) for i in range(len(self.net.moves))])}",
            *[f"{name} = {wrapped(values)}" for name, values in self._named_columns()],
            "",
            "",
            "class Game(PackedGame):",
            f'    """{title}: a game described in GDL."""',
            "",
            f"    name = {name!r}",
            f"    title = {title!r}",
            "    FACTS = FACTS",
            "    MOVES = MOVES",
            f"    player_names = {tuple(self.automaton.referee.players)!r}",
            f"    lowest, highest, unit = {self.automaton.referee.scale()!r}",
            f"    repetition = {repetition}",
            '    arithmetic = "unchecked"',
            *(["    stochastic = True"] if chance else []),
            *self._attributes(),
            *fit([f"    ENDS = {ends!r}"] if ends else []),
            "",
            "    def initial_state(self):",
            *fit([f"        return ({', '.join(map(str, first))},)", *self.out]),
        ]
        source = "\n".join(head) + "\n"
        if len(source) > MOST_BYTES:
            raise TooLargeError(f"its class would have more than {MOST_BYTES >> 20} MB")
        return source
