"""Writing: a grounded game as the source of an ordinary class, which people can read and the compiler compiles.

A state is a tuple of words, with a bit for each fact; an action is the number of a move. The effect of a move is worked
out for each move beforehand: the facts that it keeps and sets are masks in tables, and only conditions that really are
conditions are looked at. Conditions that are alike (facts that must hold, and facts that must not) are rows of a table
with a loop over it.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ggp_gdl.conditions import ALIKE, MOST_CASES, Conditions, Cube, touched, wrapped
from ggp_gdl.description import Description, format_term, term_of
from ggp_gdl.game import WORD
from ggp_gdl.grounding import Grounding, TooLargeError
from ggp_gdl.net import TRUE, Net
from ggp_gdl.play import RANDOM, Referee

MOST_LINES = 12_000
"""Maximum number of lines of a class."""
COMPILED_LINES = 1_500
"""Maximum number of lines that are compiled: more take longer than half a minute."""

ENOUGH = 60
"""Minimum number of plies of a rehearsal that shows anything."""
STOP = "raise ContradictionError(self, state)"
"""The statement for a state that is not of our kind."""


class Form(NamedTuple):
    """A class that was written."""

    source: str
    lines: int


class Writer(Conditions):
    """The source of the class for a referee's game.

    Raises:
        TooLargeError: the game is too large, or somebody else than the player to move has a choice of waiting moves.
    """

    def __init__(self, referee: Referee) -> None:
        if RANDOM in referee.roles:
            raise TooLargeError("a game with chance is interpreted")
        description: Description = referee.description
        self.referee = referee
        grounding = Grounding(description)
        net = Net(grounding)
        super().__init__(net)
        self.two = len(referee.players) == 2
        self.next = [net.node((("next", *name[1:]), args)) for name, args in net.bits]
        self.legal = [net.node((("legal", *name[1:]), args)) for name, args in net.moves]
        self.terminal = net.node((("terminal",), ()))
        self.goals = [self._goals(grounding, role) for role in referee.players]
        init = ((name, args) for name in grounding.facts if name[0] == "init" for args in grounding.facts[name])
        starts = {(("true", *name[1:]), args) for name, args in init}
        self.first = [bit in starts for bit in net.bits]
        self.of_role = [[i for i, (_, args) in enumerate(net.moves) if args[0] == role] for role in referee.players]
        self.waits = [self._wait(role) for role in referee.players] if self.two else []
        self.turn = self._proved_turn() if self.two else None

    def _goals(self, grounding: Grounding, role: str) -> list[tuple[int, int]]:
        found = []
        for name, args in [(n, a) for n in grounding.facts if n[0] == "goal" for a in grounding.facts[n]]:
            if args[0] == role:
                found.append((int(args[1] if len(args) == 2 else name[1]), self.net.node((name, args))))
        return sorted(found, reverse=True)

    def _wait(self, role: str) -> int:
        """Return the move with which a role waits while the other one chooses."""
        wait = self.referee.waits.get(role)
        for i, (name, args) in enumerate(self.net.moves):
            if args[0] == role and term_of(name, args) == wait:
                return i
        raise TooLargeError(f"{role} has no move to wait with")

    def write(self) -> Form:
        """Return the source of the class."""
        if self.two:
            self._turns()
        else:
            self.out += ["", "    def to_move(self, state):", "        return ggp.MAX"]
        for player in range(len(self.referee.players)):
            self._moves(player)
        self.out += ["", "    def actions(self, state):"]
        if self.two:
            self.out += [
                "        return self.moves_1(state) if self.to_move(state) == ggp.MIN else self.moves_0(state)"
            ]
        else:
            self.out += ["        return self.moves_0(state)"]
        self.flush()
        self._result()
        self.flush()
        self.expression("terminal_test(self, state)", self.terminal)
        self._utility()
        self.flush()
        return self._source()

    def _turns(self) -> None:
        """Write who moves: the second player if a move other than waiting is legal, proved or checked."""
        choice = [
            self.net.any(self.legal[i] for i in self.of_role[player] if i != self.waits[player]) for player in (0, 1)
        ]
        if self.turn:
            self.expression("to_move(self, state)", self.turn[1], "Return the player to move, by a proof.")
            self.out[-1] = self.out[-1].replace("return ", "return 1 if ", 1) + " else 0"
            return
        self.expression("first_chooses(self, state)", choice[0])
        self.expression("second_chooses(self, state)", choice[1])
        self.flush()
        self.out += [
            "",
            "    def to_move(self, state):",
            "        if self.second_chooses(state):",
            "            if self.first_chooses(state):",
            f"                {STOP}",
            "            return 1",
            "        return 0",
        ]

    def _proved_turn(self) -> tuple[int, int] | None:
        """Return two facts, or negations, of which the first is needed for all moves of the first player except for
        waiting, the second for those of the second player, and which never hold together. None if there are none.
        """
        common: list[set[int]] = []
        for player, wait in enumerate(self.waits):
            needed = [self.net.literals(self.legal[i]) for i in self.of_role[player] if i != wait]
            common.append(set.intersection(*needed) if needed else set())
        for first in sorted(common[0]):
            for second in sorted(common[1]):
                if first == -second or self._are_exclusive(first, second):
                    return first, second
        return None

    def _are_exclusive(self, first: int, second: int) -> bool:
        """Return whether two facts never hold together, by induction over the moves."""
        if first < 0 or second < 0:
            return False
        bits = [self.net.bit_of[first], self.net.bit_of[second]]
        if all(self.first[bit] for bit in bits):
            return False
        after = [self.net.literals(self.next[bit]) for bit in bits]
        both = after[0] | after[1]
        return {first, second} <= both or any(-part in both for part in both)

    def _moves(self, player: int) -> None:
        """Write the moves of a player: tables of moves whose conditions are alike, and the others."""
        alike: dict[tuple[int, ...], list[tuple[int, Cube]]] = defaultdict(list)
        others = []
        for i in self.of_role[player]:
            cube = self.cube(self.legal[i])
            if self.legal[i] == -TRUE:
                continue
            if cube is None:
                others.append(i)
            else:
                alike[touched(cube)].append((i, cube))
        named: dict[int, str] = {}
        lines: list[str] = []
        for rows in alike.values():
            if len(rows) < ALIKE:
                others += [i for i, _ in rows]
                continue
            numbers = self.table(i for i, _ in rows)
            lines.append(f"        for i in range({len(rows)}):")
            lines.append(f"            if {self.rows_test([cube for _, cube in rows], 'i')}:")
            lines.append(f"                yield {numbers}[i]")
        if others:
            lines += self.shared([self.legal[i] for i in others], "        ", named)
        for i in sorted(others):
            self.is_table(abs(self.legal[i]))
            lines += [f"        if {self.text(self.legal[i], named)}:", f"            yield {i}  # {self._move(i)}"]
        self.method(f"moves_{player}(self, state)", lines or ["        yield from ()"], "Yield the legal moves.")

    def _move(self, i: int) -> str:
        name, args = self.net.moves[i]
        return format_term(term_of(name, args))

    def _result(self) -> None:
        """Write the state after a move."""
        moves = range(len(self.net.moves))
        keep, put = ([[0] * len(moves) for _ in range(self.words)] for _ in range(2))
        depends: list[dict[int, list[int]]] = [defaultdict(list) for _ in moves]
        made = []
        for i in moves:
            role = next(p for p, mine in enumerate(self.of_role) if i in mine)
            other = [self.waits[1 - role]] if self.two else []
            known = self.net.literals(self.legal[i])
            if self.turn and self.two and i != self.waits[role]:
                known = known | {-self.turn[1 - role]}
            made.append(([self.net.move_nodes[j] for j in (i, *other)], known))
        self.effects = list(self.net.after(self.next, made))
        for i, roots in enumerate(self.effects):
            for place, node in enumerate(roots):
                word, bit = place // WORD, 1 << place % WORD
                if node == self.net.bit_nodes[place]:
                    keep[word][i] |= bit
                elif node == TRUE:
                    put[word][i] |= bit
                elif node != -TRUE:
                    depends[i][node].append(place)
        lines = []
        for word in range(self.words):
            parts = [self._column(keep[word], f"w{word} & "), self._column(put[word], "")]
            lines.append(f"        n{word} = {' | '.join(part for part in parts if part) or '0'}")
        users = Counter(node for each in depends for node in each)
        common = sorted(node for node, count in users.items() if count > ALIKE and self.rows(node) is None)
        named: dict[int, str] = {}
        lines += self.shared(common, "        ", named)
        for node in common:
            self.is_table(abs(node))
            lines.append(f"        if {self.text(node, named)}:")
            for word in range(self.words):
                column = [self._mask(each.get(node, ()), word) for each in depends]
                if any(column):
                    lines.append(f"            n{word} |= {self._column(column, '')}")
        lines += self._conditional(depends)
        shared = set(common)
        rest = [{n: p for n, p in each.items() if n not in shared and self.rows(n) is None} for each in depends]
        lines += self._tree([i for i in moves if rest[i]], rest, named, "        ")
        lines.append(f"        return ({', '.join(f'n{i}' for i in range(self.words))},)")
        self.method("result(self, state, action)", lines)

    def rows(self, node: int) -> list[Cube] | None:
        """Return the rows of a table for a condition: it, or its cases; None if they are no conjunctions of facts."""
        if (cube := self.cube(node)) is not None:
            return [cube]
        cubes = [self.cube(case) for case in self.cases(node) or ()]
        return [cube for cube in cubes if cube] if 0 < len(cubes) <= MOST_CASES and None not in cubes else None

    def _column(self, column: list[int], before: str) -> str:
        if not any(column):
            return ""
        return f"{before}{column[0]}" if len(set(column)) == 1 else f"{before}{self.table(column)}[action]"

    def _mask(self, places: Iterable[int], word: int) -> int:
        return sum(1 << place % WORD for place in places if place // WORD == word)

    def _conditional(self, depends: list[dict[int, list[int]]]) -> list[str]:
        """Return the loop over the conditions of a move, which are rows of a table with the facts that they set."""
        starts, cubes, masks = [0], [], []
        for each in depends:
            for node, places in each.items():
                for cube in self.rows(node) or ():
                    cubes.append(cube)
                    masks.append([self._mask(places, word) for word in range(self.words)])
            starts.append(len(cubes))
        if not cubes:
            return []
        begin = self.table(starts)
        lines = [f"        for i in range({begin}[action], {begin}[action + 1]):"]
        lines.append(f"            if {self.rows_test(cubes, 'i')}:")
        for word in range(self.words):
            column = [mask[word] for mask in masks]
            if any(column):
                value = column[0] if len(set(column)) == 1 else f"{self.table(column)}[i]"
                lines.append(f"                n{word} |= {value}")
        return lines

    def _tree(
        self, moves: Sequence[int], rest: list[dict[int, list[int]]], named: dict[int, str], indent: str
    ) -> list[str]:
        """Return the code of the conditions that only a few moves have, found by halving."""
        if not moves:
            return []
        if len(moves) == 1:
            own = dict(named)
            lines = self.shared(sorted(rest[moves[0]]), indent + "    ", own)
            for node, places in rest[moves[0]].items():
                self.is_table(abs(node))
                lines.append(f"{indent}    if {self.text(node, own)}:")
                masks = [(word, self._mask(places, word)) for word in range(self.words)]
                lines += [f"{indent}        n{word} |= {mask}" for word, mask in masks if mask]
            return [f"{indent}if action == {moves[0]}:  # {self._move(moves[0])}", *lines]
        middle = len(moves) // 2
        low, high = (self._tree(part, rest, named, indent + "    ") for part in (moves[:middle], moves[middle:]))
        return [f"{indent}if action < {moves[middle]}:", *low, f"{indent}else:", *high]

    def _utility(self) -> None:
        for player, goals in enumerate(self.goals):
            named: dict[int, str] = {}
            lines = []
            for value, node in goals:
                lines += self.shared([node], "        ", named)
                self.is_table(abs(node))
                lines += [f"        if {self.text(node, named)}:", f"            return {value}"]
            lines += ["        raise ContradictionError(self, state)"] if not goals or goals[-1][1] != TRUE else []
            doc = f"Return the goal of {self.referee.players[player]}."
            self.method(f"goal_{player}(self, state)", lines, doc)
        self.out += ["", "    def utility(self, state, player):", "        first = self.goal_0(state)"]
        if not self.two:
            self.out += ["        return first if player == ggp.MAX else -first"]
            return
        outcomes = sorted(self.referee.outcomes)
        sums = {sum(each.goals) for each in outcomes}
        self.out += ["        second = self.goal_1(state)"]
        if len(sums) == 1:
            self.out += [
                f"        if first + second != {sums.pop()}:",
                f"            {STOP}",
            ]
        else:
            columns = [self.table(each.goals[p] for each in outcomes) for p in (0, 1)]
            self.out += [
                f"        for i in range({len(outcomes)}):",
                f"            if (first - {columns[0]}[i]) * (second - {columns[1]}[i]) > 0:",
                f"                {STOP}",
            ]
        self.out += [
            "        value = (first - second) // self.unit",
            "        return value if player == ggp.MAX else -value",
        ]

    def is_sure_to_end(self) -> bool:
        """Return whether no state can come back.

        It is proved if each move ends a fact that never holds again, or if a fact is handed on along a chain (a counter
        of steps) until the game is over. It is taken for granted if in all of the rehearsal each move ended a fact that
        provably never holds again: such as the emptiness of a cell into which something falls.
        """
        bits = self.net.bit_nodes
        kept = [p for p in range(len(bits)) if all(self._implies(roots[p], bits[p]) for roots in self.effects)]
        waits = set(self.waits)
        ends = (
            any(bits[p] in self.net.literals(self.legal[i]) and self.effects[i][p] == -TRUE for p in kept)
            for i in range(len(self.net.moves))
            if i not in waits
        )
        if self._has_counter() or all(ends):
            return True
        fading = {term_of(*self.net.bits[p]) for p in kept}
        steps = [pair for way in self.referee.rehearsed for pair in itertools.pairwise(way)]
        return len(steps) >= ENOUGH and all(fading & before - after for before, after in steps)

    def _implies(self, node: int, fact: int) -> bool:
        return node in (-TRUE, fact) or fact in self.net.literals(node)

    def _has_counter(self) -> bool:
        handed = {}
        for place, node in enumerate(self.next):
            if node in self.net.bit_of:
                handed[self.net.bit_of[node]] = place
        closing = {-part for part in self.net.gates.get(-self.terminal) or ()} | {self.terminal}
        for start in [place for place, value in enumerate(self.first) if value and self.next[place] == -TRUE]:
            place, length = start, 0
            while place in handed and length < len(self.first):
                place, length = handed[place], length + 1
            if length and self.net.bit_nodes[place] in closing:
                return True
        return False

    def _source(self) -> Form:
        names = [format_term(term_of(name, args)) for name, args in self.net.bits]
        first = [
            sum(1 << i % WORD for i, v in enumerate(self.first) if v and i // WORD == w) for w in range(self.words)
        ]
        repetition = "None" if self.is_sure_to_end() else '"draw"'
        head = [
            f'"""{self.referee.title}, written from its description in GDL.',
            "",
            "A state is a tuple of words, with a bit for each fact of FACTS; an action is the number of one of MOVES.",
            '"""',
            "",
            "import ggp",
            "from ggp_gdl.game import ContradictionError, PackedGame",
            "",
            f"FACTS = {wrapped(names)}",
            f"MOVES = {wrapped([self._move(i) for i in range(len(self.net.moves))])}",
            *[f"{name} = {wrapped(values)}" for values, name in self.tables.items()],
            "",
            "",
            "class Game(PackedGame):",
            f'    """{self.referee.title}: a game described in GDL."""',
            "",
            "    FACTS = FACTS",
            "    MOVES = MOVES",
            f"    player_names = {tuple(self.referee.players)!r}",
            f"    lowest, highest, unit = {self.referee.scale()!r}",
            f"    repetition = {repetition}",
            '    arithmetic = "unchecked"',
            *(["    compiled = False"] if len(self.out) > COMPILED_LINES else []),
            "",
            "    def initial_state(self):",
            f"        return ({', '.join(map(str, first))},)",
        ]
        lines = [*head, *self.out]
        if len(lines) > MOST_LINES:
            raise TooLargeError(f"its class would have more than {MOST_LINES:,} lines")
        return Form("\n".join(lines) + "\n", len(lines))
