"""Exclusion: groups of facts that exclude each other, such as the contents of a cell.

At most one fact of a group holds in each state that play can reach.

A group is tried if its facts differ in only one argument, and never held together in the rehearsal. A group is proved
by induction over the moves.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from ggp_gdl.automaton import Automaton
from ggp_gdl.description import Term, term_of
from ggp_gdl.net import TRUE

MOST_EFFECTS = 100_000
"""Maximum number of pairs of a move and a fact that the proof may examine. With this many pairs, the proof takes up to
2 s.
"""
MOST_STATES = 400
"""Number of states of the rehearsal that are searched for facts that may exclude each other."""
MOST_CASES = 16
"""Maximum number of cases of a fact after a move."""
DEEPEST = 3
"""Maximum depth of nested gates that a proof examines."""

Case = frozenset[int]
"""A conjunction of nodes and negations of nodes."""


def exclusive_facts(automaton: Automaton) -> dict[int, frozenset[int]]:
    """Return, for the node of each fact, the nodes of the facts that never hold together with the fact."""
    net = automaton.net
    if len(net.moves) * len(net.bits) > MOST_EFFECTS:
        return {}
    groups = _proposed(automaton)
    while True:
        proof = _Proof(automaton, groups)
        kept = [group for group in groups if proof.holds(group)]
        if len(kept) == len(groups):
            break
        groups = kept
    enemies: dict[int, set[int]] = defaultdict(set)
    for group in groups:
        for node in group:
            enemies[node].update(other for other in group if other != node)
    return {node: frozenset(others) for node, others in enemies.items()}


def _proposed(automaton: Automaton) -> list[tuple[int, ...]]:
    """Return groups of facts that differ in only one argument, and never held together in a known state."""
    alike: dict[tuple[object, ...], list[int]] = defaultdict(list)
    places: dict[Term, list[tuple[object, ...]]] = {}
    for (name, args), node in zip(automaton.net.bits, automaton.net.bit_nodes, strict=True):
        keys = places[term_of(name, args)] = [(name, i, args[:i], args[i + 1 :]) for i in range(len(args))]
        for key in keys:
            alike[key].append(node)
    states = [state for way in automaton.referee.rehearsed for state in way]
    for state in states[:: len(states) // MOST_STATES + 1]:
        held = Counter(key for fact in state for key in places.get(fact, ()))
        for key in [key for key, count in held.items() if count > 1]:
            alike.pop(key, None)
    return [tuple(nodes) for nodes in alike.values() if len(nodes) > 1]


class _Proof:
    """A step of the induction: it assumes that at most one fact of each group holds before a move."""

    def __init__(self, automaton: Automaton, groups: Iterable[tuple[int, ...]]) -> None:
        self.automaton, self.net = automaton, automaton.net
        self.others: dict[int, set[int]] = defaultdict(set)
        """For each fact, the facts that do not hold together with it."""
        for group in groups:
            for node in group:
                self.others[node].update(other for other in group if other != node)
        self._found: dict[int, list[tuple[Case, Case]]] = {}

    def holds(self, group: tuple[int, ...]) -> bool:
        """Return whether at most one fact of a group holds at the start and after each move."""
        self.net.watch()
        places = [self.net.bit_of[node] for node in group]
        if sum(self.automaton.first[bit] for bit in places) > 1:
            return False
        for move, roots in enumerate(self.automaton.effects):
            after = [(roots[bit], node) for node, bit in zip(group, places, strict=True) if roots[bit] != -TRUE]
            changed = [root for root, node in after if root != node]
            if not changed or len(after) < 2:
                continue
            against = self._against(self.automaton.settled(move))
            possible = {root: [e for e in self._with_enemies(root) if against.isdisjoint(e[0])] for root, _ in after}
            for root in changed:
                for other in possible:
                    if other != root and any(
                        enemies.isdisjoint(case) for _, enemies in possible[root] for case, _ in possible[other]
                    ):
                        return False
            if len(possible) < len(after):
                return False  # two facts become the same
        return True

    def _against(self, case: Iterable[int]) -> Case:
        """Return the literals that contradict one of the literals of a case."""
        return frozenset(-node for node in case).union(*(self.others.get(node, ()) for node in case))

    def _with_enemies(self, root: int) -> list[tuple[Case, Case]]:
        """Return the consistent cases of a node, each with the literals that contradict it."""
        cases = self._found.get(root)
        if cases is None:
            pairs = ((case, self._against(case)) for case in self._cases(root, DEEPEST))
            cases = self._found[root] = [(case, enemies) for case, enemies in pairs if enemies.isdisjoint(case)]
        return cases

    def _cases(self, node: int, depth: int) -> list[Case]:
        """Return cases of which at least one holds if a node is true; each case includes its consequences."""
        whole = [frozenset((node,))]
        key = self.net.gates[abs(node)]
        if node == TRUE or key is None or depth == 0:
            return whole
        if node < 0:
            product = [case | whole[0] for part in key for case in self._cases(-part, depth - 1)]
            return product if len(product) <= MOST_CASES else whole
        for part in key:
            cases = self._cases(part, depth - 1)
            if len(whole) * len(cases) > MOST_CASES:
                cases = [frozenset((part,))]
            whole = [one | other for one in whole for other in cases]
        return whole
