"""Grounding: find every instance of a rule that can ever apply; facts that never change are evaluated at once.

Instances are found bottom-up, each tuple once (semi-naive evaluation): `true` may hold for each fact that `next` can
derive, and `does` for each move that `legal` can derive. A negated fact is possible if the fact can change.
"""

import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ggp_gdl.checks import components, reachable
from ggp_gdl.demand import on_demand
from ggp_gdl.description import WORD, Atom, Description, Name, Rule, Term, literal_of
from ggp_gdl.joins import Access, Join, split, tuple_code

MOST_INSTANCES = 1_000_000
"""Maximum number of instances; a game with more instances is interpreted."""
MANY = 200_000
"""If there are more instances than this, they are found on demand. If there are fewer instances, all of them are found:
it also takes time to find out which ones are needed.
"""
SECONDS = 30.0
"""Maximum processor time for the instances and everything that is made from them."""
EVERY = 64
"""Number of new tuples that are processed between two checks of the clock."""
OFTEN = 1024
"""Number of tuples that joins find, known ones included, between two checks of the clock."""

Ground = tuple[Name, tuple[Term, ...]]
"""A literal without variables."""
Args = tuple[Term, ...]


class TooLargeError(Exception):
    """The game is too large to be translated into a class."""


class OutOfTimeError(TooLargeError):
    """Translating the game into a class takes too long."""


class Deadline:
    """The time at which making a class must end.

    Arguments:
        seconds: the processor time that is allowed from now on.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._stop = time.process_time() + seconds

    def watch(self) -> None:
        """Raise OutOfTimeError if the time is up."""
        if time.process_time() > self._stop:
            raise OutOfTimeError(f"its class takes longer than {self.seconds:g} s to make")


class Grounding:
    """The instances of a description.

    Raises:
        TooLargeError: there are too many instances, or finding them takes too long.
    """

    def __init__(self, description: Description, deadline: Deadline | None = None) -> None:
        self.deadline = deadline or Deadline()
        numbers = itertools.count()
        rules = [
            part
            for rule in description.rules
            if rule.head.name[0] not in ("base", "input")
            for part in split(rule, lambda: f"part{next(numbers)}")
        ]
        used = {each.name for rule in rules for each in rule.atoms}
        needs: dict[Name, set[Name]] = defaultdict(set)
        for rule in rules:
            needs[rule.head.name].update(each.name for each in rule.body)
        self.changing = {n for n in used if {each[0] for each in reachable([n], needs)} & {"true", "does"}}
        self.facts: dict[Name, dict[tuple[Term, ...], None]] = defaultdict(dict)
        self.bodies: dict[Ground, dict[tuple[tuple[bool, Ground], ...], None]] = defaultdict(dict)
        self._indexes: dict[tuple[Name, tuple[int, ...]], dict[Args, list[Args]]] = {}
        self._positions: dict[Name, list[tuple[int, ...]]] = defaultdict(list)
        self._queue: list[Ground] = []
        self._count = self._found = self._kept = 0
        self._most = MOST_INSTANCES
        order = components({name: needs.get(name, set()) for name in used})
        fixed = [rule for rule in rules if rule.head.name not in self.changing]
        for stage in sorted({order[rule.head.name] for rule in fixed}):
            self._fixpoint([rule for rule in fixed if order[rule.head.name] == stage], False)
        self._fill([rule for rule in rules if rule.head.name in self.changing])

    def _fill(self, rules: list[Rule]) -> None:
        """Find the instances of the rules that depend on the state. If there are many instances, find them on
        demand.
        """
        wanted = on_demand(rules, self.changing)
        if wanted != rules:
            kept, self._most = self._kept, MANY
            try:
                self._fixpoint(rules, True)
            except OutOfTimeError:
                raise
            except TooLargeError:
                self.bodies.clear()
                self._indexes.clear()
                self._positions.clear()
                self._queue.clear()
                for name in self.changing:
                    self.facts.pop(name, None)
                self._count, self._kept, self._most = 0, kept, MOST_INSTANCES
            else:
                return
        self._fixpoint(wanted, True)

    def _fixpoint(self, rules: Iterable[Rule], links: bool) -> None:
        """Add all facts that follow from the rules. With `links`, a fact that `next` derives may hold, and a move that
        `legal` derives may be made.
        """
        heads = {rule.head.name for rule in rules} | (self.changing if links else set())
        triggers: dict[Name, list[Callable[[Args], None]]] = defaultdict(list)
        starts = []
        for rule in rules:
            places = [i for i, each in enumerate(rule.body) if each.operator == "holds" and each.name in heads]
            for index in places:
                triggers[rule.body[index].name].append(self._join(rule, index))
            if not places:
                starts.append(self._join(rule, None))
        for start in starts:
            start(())
        if links:
            for name in [name for name in self.facts if name[0] in LINKS]:
                for args in list(self.facts[name]):
                    self._add((LINKS[name[0]], *name[1:]), args)
        for clock in itertools.count():
            if not self._queue:
                return
            if clock % EVERY == 0:
                self.deadline.watch()
            name, args = self._queue.pop()
            for positions in self._positions[name]:
                self._indexes[name, positions].setdefault(tuple([args[i] for i in positions]), []).append(args)
            for trigger in triggers[name]:
                trigger(args)
            if links and name[0] in LINKS:
                self._add((LINKS[name[0]], *name[1:]), args)

    def _add(self, name: Name, args: tuple[Term, ...]) -> None:
        if name[1:2] == (WORD,) and isinstance(args[-1], tuple):  # a variable fact or move that is no word after all
            name, args = literal_of(name[0], args[-1], *args[:-1])
        self._found += 1
        if self._found % OFTEN == 0:
            self.deadline.watch()  # a single join may find millions, such as all lists of 25 elements
        if args not in self.facts[name]:
            self._kept += 1
            if self._kept > self._most:
                raise TooLargeError(f"its relations have more than {self._most:,} instances")
            self.facts[name][args] = None
            self._queue.append((name, args))

    def _emit(self, head: Ground, body: tuple[tuple[bool, Ground], ...]) -> None:
        self._count += 1
        if self._count > self._most:
            raise TooLargeError(f"it has more than {self._most:,} instances of rules")
        if head[0][1:2] == (WORD,) and isinstance(head[1][-1], tuple):
            head = literal_of(head[0][0], head[1][-1], *head[1][:-1])
        self.bodies[head][body] = None
        self._add(*head)

    def _index(self, name: Name, positions: tuple[int, ...]) -> dict[Args, list[Args]]:
        index = self._indexes.get((name, positions))
        if index is None:
            index = self._indexes[name, positions] = {}
            self._positions[name].append(positions)
            for args in self.facts[name]:
                index.setdefault(tuple([args[i] for i in positions]), []).append(args)
        return index

    def _join(self, rule: Rule, index: int | None) -> Callable[[Args], None]:
        """Return a function that finds all instances of a rule in which the tuple of one condition is new."""
        scope: dict[str, Any] = {"add": self._add, "emit": self._emit, "HEAD": rule.head.name}
        number = itertools.count()

        def find(atom: Atom, bound: tuple[int, ...], text: Callable[[Term], str]) -> Access:
            values = tuple_code([text(atom.args[i]) for i in bound])
            size = len(self.facts[atom.name]) or 1000.0
            name = f"f{next(number)}"
            if len(bound) == len(atom.args):
                scope[name] = self.facts[atom.name]
                return Access(f"{values} in {name}", 0.1)
            scope[name] = (atom.name, bound)  # the index is made when the function is complete
            return Access(f"{name}.get({values}, ())", float(size) ** (1 - len(bound) / len(atom.args)))

        join = Join(find, "return")
        rest = list(rule.body)
        if index is not None:
            for i, arg in enumerate(rest.pop(index).args):
                join.unify(f"row[{i}]", arg)
        join.body(each for each in rest if each.operator != "not" or each.name not in self.changing)
        if rule.head.name in self.changing:
            parts = [
                f"({each.operator == 'holds'}, ({each.name!r}, {join.text(each.args)}))"
                for each in rule.body
                if each.operator in ("holds", "not") and each.name in self.changing
            ]
            join.add(f"emit((HEAD, {join.text(rule.head.args)}), {tuple_code(parts)})")
        else:
            join.add(f"add(HEAD, {join.text(rule.head.args)})")
        code = "def apply(row):\n" + "\n".join(join.lines)
        for name in [name for name, value in scope.items() if isinstance(value, tuple) and name[0] == "f"]:
            if f"{name}.get(" in code:
                scope[name] = self._index(*scope[name])
        exec(code, scope)  # noqa: S102 - code that was made here from terms
        apply: Callable[[Args], None] = scope["apply"]
        return apply


LINKS = {"init": "true", "next": "true", "legal": "does"}
"""For `init`, `next` and `legal`, the keyword of the conditions that may hold for the facts or moves that they derive.
"""
