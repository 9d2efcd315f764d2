"""The reasoner: it turns rules into Python functions over sets of tuples, for every game and without preparation.

A relation is evaluated for the arguments that are known at the call: `row_bf(s, m)` returns the tuples of `row`
whose first argument is `m` (b: bound, f: free). The tuples found are kept in the situation `s`. Recursive relations are
found in the same way, again and again until no tuple is added (tabling). A recursive relation that does not depend on
the state is found as a whole, each new tuple once (semi-naive evaluation). Relations that do not depend on the state
are found once for the game. Relations that do not depend on moves are found once for each state.

Source: R. Ramakrishnan and J. D. Ullman, A survey of deductive database systems, Journal of Logic Programming 23
(1995).
"""

import itertools
import math
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import ClassVar

from ggp_gdl.description import Description, Name, Term, UnservedGameError, format_term, literal_of, term_of, wrong
from ggp_gdl.joins import DEEPEST, split
from ggp_gdl.program import Program

MOST_TUPLES = 2_000_000
"""Maximum number of tuples of a recursive relation."""
DEEPEST_TERM = 50
"""Maximum depth of a term."""
Args = tuple[Term, ...]
EMPTY: frozenset[Args] = frozenset()


class Tuples(dict[str, set[Args]]):
    """Sets of tuples, by relation; a relation without tuples has an empty set."""

    def __missing__(self, label: str) -> frozenset[Args]:
        return EMPTY


class Situation:
    """A state, or a state and the moves made in it, with all tuples that have been found for it."""

    stop: ClassVar[float] = math.inf
    """Processor time after which recursive calls give up, so that no rehearsal of a description hangs."""
    __slots__ = ("facts", "indexes", "low", "memo", "of", "opened", "round", "running", "state", "unfinished")

    def __init__(self, facts: Tuples, state: "Situation | None" = None) -> None:
        self.facts, self.state = facts, state or self
        self.indexes: dict[tuple[str, tuple[int, ...]], dict[Args, list[Args]]] = {}
        self.memo: dict[Hashable, set[Args]] = {}
        self.of: dict[str, list[tuple[int, ...]]] = defaultdict(list)
        """For each relation, the groups of argument positions by which its tuples are indexed."""
        self.running: dict[Hashable, int] = {}
        """The recursive calls that are running, with their depth."""
        self.unfinished: dict[Hashable, tuple[int, int]] = {}
        """The calls that returned before all their tuples were found. For each such call, the round in which it
        returned, and the depth of the call that it waits for.
        """
        self.opened: list[Hashable] = []
        self.low = self.round = 0

    def tabled(self, key: Hashable, run: Callable[..., None], *args: Term) -> set[Args]:
        """Return all tuples of a recursive call; if the call is already running, return the tuples found so far.

        If a running call needs the result of this call, this call is repeated until it finds nothing new.

        Arguments:
            run: evaluates the rules once, and adds the tuples found to the set that is its second argument.
        """
        tuples = self.memo.get(key)
        if tuples is None:
            tuples = self.memo[key] = set()
            self.watch()
        elif key in self.running:
            self.low = min(self.low, self.running[key])
            return tuples
        elif key not in self.unfinished:
            return tuples
        elif self.unfinished[key][0] == self.round:
            self.low = min(self.low, self.unfinished[key][1])
            return tuples
        depth, mark, outer = len(self.running) + 1, len(self.opened), self.low
        self.running[key], size = depth, -1
        while True:
            self.low = depth + 1
            run(self, tuples, *args)
            if self.low < depth:  # it waits for a call further up, which will repeat it
                if key not in self.unfinished:
                    self.opened.append(key)
                self.unfinished[key] = self.round, self.low
                self.low = min(outer, self.low)
                del self.running[key]
                return tuples
            now = len(tuples) + sum(len(self.memo[each]) for each in self.opened[mark:])
            if self.low > depth or now == size:
                break
            size = now
            self.round += 1
        for each in self.opened[mark:]:
            self.unfinished.pop(each, None)
        del self.opened[mark:]
        self.unfinished.pop(key, None)
        del self.running[key]
        self.low = outer
        return tuples

    @staticmethod
    def watch() -> None:
        """Raise UnservedGameError if the time is up."""
        if time.process_time() > Situation.stop:
            raise UnservedGameError("a single state takes too long: its recursive rules derive too many facts")

    def index(self, label: str, positions: tuple[int, ...]) -> dict[Args, list[Args]]:
        """Return the tuples of a stored relation by the values at the given positions."""
        index = self.indexes.get((label, positions))
        if index is None:
            index = self.indexes[label, positions] = {}
            self.of[label].append(positions)
            for row in self.facts[label]:
                index.setdefault(tuple([row[i] for i in positions]), []).append(row)
        return index

    def all(self, label: str, fill: Callable[["Situation"], None]) -> set[Args]:
        """Return all tuples of a recursive relation."""
        if label not in self.facts:
            fill(self)
        return self.facts[label]

    def fixpoint(
        self,
        labels: Iterable[str],
        starts: Iterable[Callable[["Situation"], Iterable[tuple[str, Args]]]],
        triggers: dict[str, list[Callable[["Situation", Args], Iterable[tuple[str, Args]]]]],
        line: int,
    ) -> None:
        """Find all tuples of relations that depend on each other.

        Arguments:
            starts: functions that yield the tuples that do not depend on these relations.
            triggers: for each relation, functions that yield the consequences of a new tuple.
            line: the line of the last rule of these relations in the description, for errors.
        """
        facts, count = self.facts, 0
        for label in labels:
            facts[label] = set()
        queue = [each for start in starts for each in list(start(self))]
        while queue:
            label, row = queue.pop()
            if row in facts[label]:
                continue
            facts[label].add(row)
            count += 1
            if count % 1000 == 0:
                self.watch()
            if count > MOST_TUPLES or any(isinstance(term, tuple) and _depth(term) > DEEPEST_TERM for term in row):
                raise wrong(line, f"{label} has instances without end: the recursion makes ever larger terms")
            for positions in self.of[label]:
                self.indexes[label, positions].setdefault(tuple([row[i] for i in positions]), []).append(row)
            for trigger in triggers.get(label, ()):
                queue.extend(list(trigger(self, row)))


class Reasoner:
    """The functions for a description.

    Raises:
        DescriptionError: a relation has infinitely many instances.
    """

    def __init__(self, description: Description) -> None:
        fresh = itertools.count()
        self.rules = [
            part
            for rule in description.rules
            for part in (split(rule, lambda: f"part{next(fresh)}") if len(rule.body) > DEEPEST else [rule])
        ]
        self.program = Program(self.rules)
        roots = {name for name in self.program.rules if name[0] in ("init", "next", "legal", "goal", "terminal")}
        calls = {name: self.program.call(name) for name in sorted(roots, key=str)}
        self.source = self.program.source()
        self._static = Situation(Tuples(self.program.stored))
        scope: dict[str, object] = {"S": self._static}
        exec(compile(self.source, "<the rules>", "exec"), scope)  # noqa: S102 - code that was made here from terms
        by_keyword: dict[str, list[tuple[Name, Callable[[Situation], Iterable[Args]]]]] = defaultdict(list)
        for name, code in calls.items():
            by_keyword[name[0]].append((name, eval(f"lambda s: {code}", scope)))  # noqa: S307
        self._calls = by_keyword
        self._labels = self.program.labels

    def initial_facts(self) -> frozenset[Term]:
        """Return the facts of the initial state."""
        return frozenset(self._terms("init", self._static))

    def situation(self, state: Iterable[Term]) -> Situation:
        """Return the situation of a state, which is a set of facts."""
        facts = Tuples()
        for fact in state:
            name, args = literal_of("true", fact)
            if name in self._labels:
                facts.setdefault(self._labels[name], set()).add(args)
        return Situation(facts)

    def _terms(self, keyword: str, situation: Situation) -> Iterator[Term]:
        for name, call in self._calls[keyword]:
            for args in call(situation):
                yield term_of(name, args)

    def legal(self, situation: Situation) -> Iterator[tuple[Term, Term]]:
        """Yield each legal move, together with its role."""
        for name, call in self._calls["legal"]:
            for args in call(situation):
                yield args[0], term_of(name, args)

    def terminal(self, situation: Situation) -> bool:
        """Return whether the game is over."""
        return any(call(situation) for _, call in self._calls["terminal"])

    def goals(self, situation: Situation) -> dict[str, set[int]]:
        """Return the goals that hold, by role."""
        values: dict[str, set[int]] = defaultdict(set)
        for name, call in self._calls["goal"]:
            for args in call(situation):
                number = args[1] if len(args) == 2 else name[1]
                values[format_term(args[0])].add(int(format_term(number)))
        return values

    def next(self, situation: Situation, moves: Iterable[tuple[str, Term]]) -> frozenset[Term]:
        """Return the state after the moves of all roles."""
        facts = Tuples()
        for role, move in moves:
            name, args = literal_of("does", move, role)
            if name in self._labels:
                facts.setdefault(self._labels[name], set()).add(args)
        return frozenset(self._terms("next", Situation(facts, situation)))


def _depth(term: Term) -> int:
    """Return how deep a term is nested; counting stops a little above `DEEPEST_TERM`."""
    depth, terms = 0, [term]
    while terms and depth <= DEEPEST_TERM:
        terms = [part for each in terms if isinstance(each, tuple) for part in each]
        depth += 1
    return depth
