"""Propositional automata: a grounded game as a net, with what can be proved about its turns, its moves and its end.

Source: the paper that `ggp_gdl.net` names.
"""

import functools
import itertools
import math
from collections.abc import Iterable, Iterator

from ggp.game import CHANCE, Player
from ggp_gdl.description import format_term, term_of
from ggp_gdl.grounding import Deadline, Grounding, TooLargeError
from ggp_gdl.net import TRUE, Net
from ggp_gdl.play import DRAW, RANDOM, Outcome, Referee

MOST_PAIRS = 100
"""Maximum number of pairs of goals, one of each player, that are compared to prove that the goals are opposed."""
ENOUGH = 60
"""Minimum number of plies of a rehearsal from which conclusions are drawn."""


class Automaton:
    """The net of a referee's game.

    Arguments:
        deadline: the time at which to give up.

    Raises:
        TooLargeError: the game is too large, or a role that only waits has several moves for waiting.
    """

    def __init__(self, referee: Referee, deadline: Deadline | None = None) -> None:
        self.referee = referee
        grounding = Grounding(referee.description, deadline)
        net = self.net = Net(grounding)
        self.movers = [*referee.players, *([RANDOM] if RANDOM in referee.roles else [])]
        """The roles: first the players, then chance."""
        self.next = [net.node((("next", *name[1:]), args)) for name, args in net.bits]
        self.legal = [net.node((("legal", *name[1:]), args)) for name, args in net.moves]
        self.terminal = net.node((("terminal",), ()))
        self.goals = [self._goals(grounding, role) for role in referee.players]
        init = ((name, args) for name in grounding.facts if name[0] == "init" for args in grounding.facts[name])
        starts = {(("true", *name[1:]), args) for name, args in init}
        self.first = [bit in starts for bit in net.bits]
        self.of_role = [[i for i, (_, args) in enumerate(net.moves) if args[0] == role] for role in self.movers]
        self.mover_of = {i: mover for mover, mine in enumerate(self.of_role) for i in mine}
        self.alone = len(self.movers) == 1
        self.waits = [] if self.alone else [self._wait(role) for role in self.movers]
        self.turns = None if self.alone else self._proved_turns()
        """For each role, a fact that holds exactly when the role has to move. None if no such facts are proved.
        """

    def player(self, mover: int) -> Player:
        """Return the player of a role, given the role's number in `movers`."""
        return CHANCE if self.movers[mover] == RANDOM else mover

    def move_text(self, i: int) -> str:
        """Return a move as the description writes it."""
        return format_term(term_of(*self.net.moves[i]))

    def _goals(self, grounding: Grounding, role: str) -> list[tuple[int, int]]:
        """Return each goal of a role with its node, the highest goal first."""
        goals = []
        for name, args in [(n, a) for n in grounding.facts if n[0] == "goal" for a in grounding.facts[n]]:
            if args[0] == role:
                goals.append((int(format_term(args[1] if len(args) == 2 else name[1])), self.net.node((name, args))))
        return sorted(goals, reverse=True)

    def _wait(self, role: str) -> int:
        """Return the number of the move with which a role waits while another role chooses."""
        wait = self.referee.waits.get(role)
        for i, (name, args) in enumerate(self.net.moves):
            if args[0] == role and term_of(name, args) == wait:
                return i
        raise TooLargeError(f"{role} has no move to wait with")

    def _proved_turns(self) -> tuple[int, ...] | None:
        """Return a fact, or a negated fact, for each role. Every move of the role except waiting requires this fact.

        No two of these facts hold together. Return None if no such facts exist.
        """
        common: list[list[int]] = []
        for mover, wait in enumerate(self.waits):
            needed = [self.net.literals(self.legal[i]) for i in self.of_role[mover] if i != wait]
            common.append(sorted(set.intersection(*needed)) if needed else [])
        for facts in itertools.product(*common):
            if all(one == -other or self._are_exclusive(one, other) for one, other in itertools.combinations(facts, 2)):
                return facts
        return None

    def _are_exclusive(self, first: int, second: int) -> bool:
        """Return whether induction over the moves proves that two facts never hold together."""
        if first < 0 or second < 0:
            return False
        bits = [self.net.bit_of[first], self.net.bit_of[second]]
        if all(self.first[bit] for bit in bits):
            return False
        after = [self.net.literals(self.next[bit]) for bit in bits]
        both = after[0] | after[1]
        return {first, second} <= both or any(-part in both for part in both)

    def settled(self, i: int) -> set[int]:
        """Return facts, and negations of facts, that hold in every state in which move `i` is made."""
        mover = self.mover_of[i]
        literals = self.net.literals(self.legal[i])
        if self.turns and i != self.waits[mover]:
            literals |= self.turn_facts(mover)
        return literals

    def turn_facts(self, mover: int) -> set[int]:
        """Return the literals that provably hold in every state in which a role has to move."""
        if not self.turns:
            return set()
        return {self.turns[mover], *(-fact for other, fact in enumerate(self.turns) if other != mover)}

    def is_sure_to_move(self, mover: int) -> bool:
        """Return whether it is proved that a role always has a legal move when it has to move."""
        return self._are_never_true([*self._before_move(mover), *(-self.legal[i] for i in self.of_role[mover])])

    def may_be_stuck(self, mover: int) -> list[int]:
        """Return the other roles that may be unable to wait while a role moves: no proof shows that they can."""
        others = [other for other in range(len(self.waits)) if other != mover]
        before = self._before_move(mover)
        return [each for each in others if not self._are_never_true([*before, -self.legal[self.waits[each]]])]

    def _before_move(self, mover: int) -> list[int]:
        """Return nodes that are true in every state in which a role has to move."""
        return [-self.terminal, *sorted(self.turn_facts(mover))]

    def _are_never_true(self, nodes: Iterable[int]) -> bool:
        """Return whether the net shows that some nodes are never true together."""
        parts, pending = set[int](), list(nodes)
        while pending:
            node = pending.pop()
            if node > 0 and self.net.gates[node]:
                pending.extend(self.net.gates[node] or ())
            else:
                parts.add(node)
        return self.net.all(parts) == -TRUE

    @functools.cached_property
    def effects(self) -> list[list[int]]:
        """For each move, the nodes of all facts after the move, if the other roles wait."""
        made = []
        for i in range(len(self.net.moves)):
            others = [wait for other, wait in enumerate(self.waits) if other != self.mover_of[i]]
            made.append(([self.net.move_nodes[j] for j in (i, *others)], self.settled(i)))
        return list(self.net.after(self.next, made))

    def has_opposed_goals(self) -> bool:
        """Return whether it is proved that the goals of two players are opposed.

        The net must not allow two ends of which one is better for both players.
        """
        if not self.referee.are_goals_opposed:
            return True  # their difference is
        if math.prod(map(len, self.goals)) > MOST_PAIRS:
            return False
        pairs = [
            Outcome((first, second))
            for (first, one), (second, other) in itertools.product(*self.goals)
            if self.net.all([one, other]) != -TRUE
        ]
        if self.referee.has_draws:
            pairs.append(Outcome((DRAW, DRAW)))
        return all(one.is_opposed(other) for one, other in itertools.combinations(pairs, 2))

    def choice(self, mover: int) -> int:
        """Return the node of the condition that a role has a move other than waiting."""
        return self.net.any(self.legal[i] for i in self.of_role[mover] if i != self.waits[mover])

    def is_sure_to_end(self) -> bool:
        """Return whether no state can come back.

        "Yes" is proved if each move ends a fact that never holds again. "Yes" is also proved if each move passes a fact
        on along a chain (a counter of steps) until the game is over. Without a proof, "yes" is assumed if each move of
        the rehearsal ended a fact that provably never holds again. For example, in a game in which discs fall and stay,
        a filled cell never becomes empty again.
        """
        bits = self.net.bit_nodes
        kept = [p for p in range(len(bits)) if all(self._implies(roots[p], bits[p]) for roots in self.effects)]
        waits = set(self.waits)
        ends = (
            any(bits[p] in needed and self.effects[i][p] == -TRUE for p in kept)
            for i, needed in ((i, self.net.literals(self.legal[i])) for i in self.mover_of)
            if i not in waits
        )
        if self._has_counter() or all(ends):
            return True
        fading = {term_of(*self.net.bits[p]) for p in kept if p not in self.unread}
        steps = [pair for way in self.referee.rehearsed for pair in itertools.pairwise(way)]
        return len(steps) >= ENOUGH and all(fading & before - after for before, after in steps)

    @functools.cached_property
    def unread(self) -> set[int]:
        """The facts that never influence a legal move, a goal or the end of the game."""
        pending = [
            abs(node) for node in (self.terminal, *self.legal, *(node for mine in self.goals for _, node in mine))
        ]
        used: set[int] = set()
        while pending:
            node = pending.pop()
            if node not in used:
                used.add(node)
                pending.extend(map(abs, self.net.gates[node] or ()))
                if node in self.net.bit_of:
                    pending.append(abs(self.next[self.net.bit_of[node]]))
        return {bit for bit, node in enumerate(self.net.bit_nodes) if node not in used}

    def _implies(self, node: int, fact: int) -> bool:
        return node in (-TRUE, fact) or fact in self.net.literals(node)

    def _has_counter(self) -> bool:
        handed = {}
        for bit, node in enumerate(self.next):
            if node in self.net.bit_of:
                handed[self.net.bit_of[node]] = bit
        closing = set(self._closing())
        for start in [bit for bit, value in enumerate(self.first) if value and self.next[bit] == -TRUE]:
            bit, length = start, 0
            while bit in handed and length < len(self.first):
                bit, length = handed[bit], length + 1
            if length and self.net.bit_nodes[bit] in closing:
                return True
        return False

    def _closing(self) -> Iterator[int]:
        """Yield nodes, each of which ends the game if it is true."""
        yield self.terminal
        for part in self.net.gates.get(-self.terminal) or ():
            yield -part
