"""Nets: every literal of a grounded game is an expression over the facts of the state and the moves that are made.

A node is a number; -n means "not n", and 1 means true. The only gate is "and"; "a or b" is the node of "not (not a and
not b)". Equal gates are one node.

Source: E. Schkufza, N. Love and M. Genesereth, Propositional automata and cell automata: representational frameworks
for discrete dynamic systems, Australasian Joint Conference on Artificial Intelligence (2008).
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ggp_gdl.description import Name, Term, order, term_of
from ggp_gdl.grounding import EVERY, Ground, Grounding, TooLargeError

TRUE = 1
LARGEST_CIRCLE = 300
"""Maximum number of literals that depend on each other in a cycle."""
MOST_GATES = 400_000

Key = tuple[int, ...]
"""The sorted parts of a gate; or the key of an input, which begins with a name."""


class Net:
    """The gates of a grounding.

    Raises:
        TooLargeError: so many literals depend on each other that they cannot be written one after another.
    """

    def __init__(self, grounding: Grounding) -> None:
        self.gates: dict[int, Key | None] = {TRUE: None}
        """The parts of each gate; None for true and for inputs."""
        self.bit_of: dict[int, int] = {}
        """For the node of a fact, the number of the fact."""
        self.move_of: dict[int, int] = {}
        self._ids: dict[Key, int] = {}
        self.watch = grounding.deadline.watch
        self._moving: set[int] = set()
        self._bodies = grounding.bodies
        facts = grounding.facts
        self.bits = _by_planes(self._sorted(facts, "true"))
        self.moves = self._sorted(facts, "does")
        self._memo: dict[Ground, int] = {}
        for name in facts:
            if name[0] in ("legal", "next", "goal", "terminal"):
                for args in facts[name]:
                    if (name, args) not in self._bodies:
                        self._memo[name, args] = TRUE
        self.bit_nodes = [self._input(each, self.bit_of, i) for i, each in enumerate(self.bits)]
        self.move_nodes = [self._input(each, self.move_of, i) for i, each in enumerate(self.moves)]
        self._moving.update(self.move_nodes)

    @staticmethod
    def _sorted(facts: Mapping[Name, Iterable[tuple[Term, ...]]], keyword: str) -> list[Ground]:
        terms = [(name, args) for name in facts if name[0] == keyword for args in facts[name]]
        return sorted(terms, key=lambda each: order(term_of(*each)))

    def _input(self, ground: Ground, numbers: dict[int, int], number: int) -> int:
        node = len(self.gates) + 1
        self.gates[node] = None
        numbers[node] = number
        self._memo[ground] = node
        return node

    def _gate(self, key: Key) -> int:
        if key not in self._ids:
            if len(self.gates) > MOST_GATES:
                raise TooLargeError(f"it has more than {MOST_GATES:,} gates")
            node = self._ids[key] = len(self.gates) + 1
            self.gates[node] = key
            if node % EVERY == 0:
                self.watch()
            if any(abs(part) in self._moving for part in key):
                self._moving.add(node)
        return self._ids[key]

    def all(self, parts: Iterable[int]) -> int:
        """Return the node that is true if all parts are true."""
        kept = set(parts) - {TRUE}
        again = True
        while again:
            again, negated = False, {-part for part in kept}
            if -TRUE in kept or not kept.isdisjoint(negated):
                return -TRUE
            for part in [part for part in kept if part < 0]:
                key = self.gates[-part]
                if key and not (kept.isdisjoint(key) and negated.isdisjoint(key)):
                    kept.discard(part)  # x and not (x and y) is x and not y
                    if negated.isdisjoint(key):
                        kept.add(-self.all(each for each in key if each not in kept))
                    again, negated = True, {-each for each in kept}
            kept.discard(TRUE)
        if not kept:
            return TRUE
        return kept.pop() if len(kept) == 1 else self._gate(tuple(sorted(kept)))

    def any(self, parts: Iterable[int]) -> int:
        """Return the node that is true if one of the parts is true."""
        return -self.all([-part for part in parts])

    def node(self, ground: Ground) -> int:
        """Return the node of a literal."""
        if ground not in self._memo:
            self._build(ground)
        return self._memo[ground]

    def _build(self, goal: Ground) -> None:
        """Make the nodes of a literal and of all literals that it depends on, without recursion in Python. Literals
        that depend on each other (a strongly connected component, by Tarjan's algorithm) get their nodes together.
        """
        order, low, on = {goal: 0}, {goal: 0}, {goal}
        stack, work = [goal], [(goal, iter(self._needs(goal)))]
        while work:
            node, rest = work[-1]
            for child in rest:
                if child in self._memo:
                    continue
                if child not in order:
                    order[child] = low[child] = len(order)
                    stack.append(child)
                    on.add(child)
                    work.append((child, iter(self._needs(child))))
                    break
                if child in on:
                    low[node] = min(low[node], order[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    index = stack.index(node)
                    on.difference_update(stack[index:])
                    self._settle(stack[index:])
                    del stack[index:]

    def _needs(self, goal: Ground) -> list[Ground]:
        return [ground for body in self._bodies.get(goal, ()) for _, ground in body]

    def _settle(self, circle: Sequence[Ground]) -> None:
        first = circle[0]
        if len(circle) == 1 and first not in self._needs(first):
            self._memo[first] = self._expression(first, {})
            return
        if len(circle) > LARGEST_CIRCLE:
            raise TooLargeError(f"{len(circle)} literals depend on each other")
        now = dict.fromkeys(circle, -TRUE)
        for _ in range(len(circle) + 1):  # as many rounds as a derivation can have steps
            then = {each: self._expression(each, now) for each in circle}
            if then == now:
                break
            now = then
        self._memo.update(now)

    def _expression(self, goal: Ground, now: dict[Ground, int]) -> int:
        cases = []
        for body in self._bodies.get(goal, ()):
            nodes = [(holds, now[g] if g in now else self._memo.get(g, -TRUE)) for holds, g in body]
            cases.append(self.all([node if holds else -node for holds, node in nodes]))
        return self.any(cases)

    def literals(self, node: int) -> set[int]:
        """Return facts, or negations of facts, that hold whenever a node is true."""
        if abs(node) in self.bit_of:
            return {node}
        key = self.gates[abs(node)]
        if node < 0 or key is None:
            return set()
        return set().union(*(self.literals(part) for part in key))

    def after(self, roots: Sequence[int], made: Iterable[tuple[Iterable[int], Iterable[int]]]) -> Iterator[list[int]]:
        """Yield, for each move, the nodes that the roots become if only that move is made.

        Arguments:
            made: for each move, the nodes of all roles' moves, and the nodes that are known to be true.
        """
        cone, pending = set(), [abs(root) for root in roots]
        while pending:
            node = pending.pop()
            if node not in cone and node != TRUE:
                cone.add(node)
                pending.extend(map(abs, self.gates[node] or ()))
        users: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for node in cone:
            for part in self.gates[node] or ():
                users[abs(part)].append((node, part))
        still: dict[int, int] = {}
        """For nodes and their negations, the nodes that they become if no move is made."""
        for node in sorted(cone & self._moving):
            key = self.gates[node]
            at_rest = -TRUE if key is None else self.all([still.get(part, part) for part in key])
            still[node], still[-node] = at_rest, -at_rest
        # Most parts of "no move changes this cell" are true if no move is made. Only the other parts, and the parts
        # that a move changes, are looked at.
        open_parts = {n: [part for part in self.gates[n] or () if still.get(part) != TRUE] for n in cone}
        for moves, settled in made:
            self.watch()
            own: dict[int, int] = {}
            own.update((node, TRUE) for node in moves)
            own.update((abs(node), TRUE if node > 0 else -TRUE) for node in settled if len(users[abs(node)]) < 2000)
            changed: dict[int, list[int]] = defaultdict(list)
            for node in own:
                for user, part in users[node]:
                    changed[user].append(part)
            own.update([(-node, -at_rest) for node, at_rest in own.items()])
            heap = sorted(changed)
            while heap:
                node = heapq.heappop(heap)
                values = {own.get(part) or still.get(part, part) for part in (*open_parts[node], *changed[node])}
                new = -TRUE if -TRUE in values else self.all(values)
                if new != still.get(node, node):
                    own[node], own[-node] = new, -new
                    for user, part in users[node]:
                        if user not in changed:
                            heapq.heappush(heap, user)
                        changed[user].append(part)
            yield [own.get(root) or still.get(root, root) for root in roots]


def _by_planes(facts: Iterable[Ground]) -> list[Ground]:
    """Return facts in an order in which similar facts are adjacent, such as the facts of all empty cells. With this
    order, shifts of words handle many facts at once.
    """
    kinds: dict[tuple[Name, int], list[Ground]] = defaultdict(list)
    for name, args in facts:
        kinds[name, len(args)].append((name, args))
    return [fact for same in kinds.values() for fact in _by_content(same)]


def _by_content(facts: Sequence[Ground]) -> list[Ground]:
    """Return facts of one kind, sorted by the argument with the fewest values: usually the content of a cell."""
    length = len(facts[0][1])
    if length < 3:
        return list(facts)
    content = min(range(length), key=lambda i: len({args[i] for _, args in facts}))
    return sorted(facts, key=lambda each: order(each[1][content]))
