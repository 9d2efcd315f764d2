"""Programs: the text of the functions that find the tuples of relations; see `ggp_gdl.reasoner`."""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from ggp_gdl.checks import components, reachable
from ggp_gdl.description import FACTS, Atom, Name, Rule, Term
from ggp_gdl.joins import Access, Join, tuple_code

STATIC, STATE, MOVE = range(3)
"""Three levels: a relation depends on the game alone, on the state, or on a move."""
RECEIVERS = ("S", "s.state", "s")


class Program:
    """The text of the functions for a set of rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: dict[Name, list[Rule]] = defaultdict(list)
        for rule in rules:
            self.rules[rule.head.name].append(rule)
        used = {each.name for rules in self.rules.values() for rule in rules for each in rule.atoms}
        dependencies = {name: {each.name for rule in self.rules.get(name, ()) for each in rule.body} for name in used}
        self.labels = _labels(used)
        self.stratum = {name: _stratum(reachable([name], dependencies)) for name in used}
        self._groups = self._recursive(dependencies)
        ground = {name: all(not rule.body for rule in rules) for name, rules in self.rules.items()}
        self.stored = {self.labels[n]: {r.head.args for r in self.rules[n]} for n, plain in ground.items() if plain}
        self._stored = {n for n in used if ground.get(n) or n[0] in ("true", "does") or n not in self.rules}
        self._sizes = self._guess_sizes()
        self._texts: dict[str, list[str]] = {}
        self._numbers = itertools.count()

    def _recursive(self, dependencies: dict[Name, set[Name]]) -> dict[Name, tuple[Name, ...]]:
        """Return, for each recursive relation, its group: the relations that depend on each other, including itself."""
        groups: dict[int, list[Name]] = defaultdict(list)
        for name, number in components(dependencies).items():
            groups[number].append(name)
        loops = [group for group in groups.values() if len(group) > 1 or group[0] in dependencies[group[0]]]
        return {name: tuple(group) for group in loops for name in group}

    def _guess_sizes(self) -> dict[Name, float]:
        """Return the expected number of tuples of each stored relation. For facts of a state, this is their number in
        the initial state.
        """
        sizes = Counter[Name]({name: len(self.stored[self.labels[name]]) for name in self._stored & self.rules.keys()})
        for name, rules in self.rules.items():
            if name[0] == "init":
                sizes["true", *name[1:]] += len(rules)
        return dict(sizes)

    def source(self) -> str:
        """Return the code of all functions that are needed so far."""
        return "\n".join(line for text in self._texts.values() for line in text) + "\n"

    def call(self, name: Name) -> str:
        """Return the code that finds all tuples of a relation."""
        args = tuple(f"?{i}" for i in range(self._arity(name)))
        code = self._find(Atom("holds", name, args), (), repr).code
        return code if args else f"[()] if {code} else []"

    def _arity(self, name: Name) -> int:
        return len(self.rules[name][0].head.args)

    def _find(self, atom: Atom, bound: tuple[int, ...], text: Callable[[Term], str]) -> Access:
        name, count = atom.name, len(atom.args)
        receiver, label = RECEIVERS[self.stratum[name]], self.labels[name]
        values = [text(atom.args[i]) for i in bound]
        few = name[0] in ("true", "does") or name in self._stored
        size = self._sizes.get(name, 4 if few else 1e4 if name in self._groups else 100.0)  # recursion goes last
        share = 1 - len(bound) / count if count else 0.0
        if name in self._stored or self._is_whole(name, bound):
            rows, row_index = f"{receiver}.facts[{label!r}]", f"{receiver}.index({label!r}, {bound!r})"
            if name in self._groups:
                fill = self._fixpoint(self._groups[name])
                rows = f"{receiver}.all({label!r}, {fill})"
                row_index = f"({rows} is not None and {row_index})"
            if len(bound) == count:
                return Access(f"{tuple_code(values)} in {rows}", 0.1)
            code = f"{row_index}.get({tuple_code(values)}, ())" if bound else rows
            return Access(f"list({code})" if name in self._groups else code, size**share)
        function = self._function(name, bound)
        code = f"{function}({', '.join([receiver, *values])})"
        if name in self._groups and len(bound) < count:
            code = f"list({code})"  # it may grow while it is read
        return Access(code, 2.0 if len(bound) == count else 2 + size**share)

    def _is_whole(self, name: Name, bound: tuple[int, ...]) -> bool:
        """Return whether a relation is recursive and all of its tuples are found at once."""
        if name not in self._groups or not bound:
            return name in self._groups
        makes_terms = any(
            isinstance(arg, tuple) for each in self._groups[name] for rule in self.rules[each] for arg in rule.head.args
        )
        return self.stratum[name] == STATIC and not makes_terms  # such as all lists

    def _function(self, name: Name, bound: tuple[int, ...]) -> str:
        """Return the name of the function for a relation, given which arguments are known; write the function if
        necessary.
        """
        pattern = "".join("b" if i in bound else "f" for i in range(self._arity(name)))
        function = f"{self.labels[name]}_{pattern}" if pattern else self.labels[name]
        if function in self._texts:
            return function
        self._texts[function] = []  # now, since rules below may ask for it again
        tables, number = name in self._groups, next(self._numbers)
        tests = len(bound) == len(pattern) and not tables
        params = [f"a{i}" for i in bound]
        key, given = tuple_code([str(number), *params]) if params else str(number), ", ".join(["s", *params])
        if tables:
            lines = [f"def {function}_all({', '.join(['s', 'found', *params])}):"]
            for index, rule in enumerate(self.rules[name], start=1):
                call = f"{function}_{index}({given}, found)"
                lines = [*self._rule(call, rule, bound, False), *lines, f"    {call}"]
            arguments = ", ".join([key, f"{function}_all", *params])
            self._texts[function] = [*lines, "", f"def {function}({given}):", f"    return s.tabled({arguments})", ""]
            return function
        lines = [f"def {function}({given}):", f"    found = s.memo.get({key})", "    if found is None:"]
        parts: list[str] = []
        calls: list[str] = []
        for index, rule in enumerate(self.rules[name], start=1):
            calls.append(f"{function}_{index}({given}{'' if tests else ', found'})")
            parts += self._rule(calls[-1], rule, bound, tests)
        if tests:
            lines.append(f"        found = s.memo[{key}] = bool({' or '.join(calls)})")
        else:
            lines += [f"        found = s.memo[{key}] = set()", *[f"        {call}" for call in calls]]
        self._texts[function] = [*parts, *lines, "    return found", ""]
        return function

    def _rule(self, call: str, rule: Rule, bound: tuple[int, ...], tests: bool) -> list[str]:
        """Return the code of the function for one rule. If `tests` is true, the function returns whether the rule
        applies; otherwise it adds all tuples to `found`.
        """
        join = Join(self._find, "return False" if tests else "return")
        for i in bound:
            join.unify(f"a{i}", rule.head.args[i])
        join.body(rule.body)
        join.add("return True" if tests else f"found.add({join.text(rule.head.args)})")
        return [f"def {call}:", f"    # line {rule.head.line}", *join.lines, ""]

    def _fixpoint(self, group: tuple[Name, ...]) -> str:
        """Return the name of the function that finds relations which depend on each other; write the function if
        necessary.
        """
        function = f"fill_{self.labels[min(group, key=str)]}"
        if function in self._texts:
            return function
        self._texts[function] = []
        receiver = RECEIVERS[max(self.stratum[name] for name in group)]
        starts: list[str] = []
        triggers: dict[str, list[str]] = defaultdict(list)
        texts: list[str] = []
        for name in group:
            for rule in self.rules[name]:
                inside: list[int | None] = [
                    i for i, each in enumerate(rule.body) if each.operator == "holds" and each.name in group
                ]
                for i in inside or [None]:
                    step = f"step{next(self._numbers)}"
                    texts += self._step(step, rule, i, group, receiver)
                    if i is None:
                        starts.append(step)
                    else:
                        triggers[self.labels[rule.body[i].name]].append(step)
        labels = [self.labels[name] for name in group]
        steps_of = ", ".join(f"{label!r}: [{', '.join(steps)}]" for label, steps in triggers.items())
        line = max(rule.head.line for name in group for rule in self.rules[name])
        lines = [
            f"def {function}(s):",
            f"    s.fixpoint({labels!r}, [{', '.join(starts)}], {{{steps_of}}}, {line})",
            "",
        ]
        self._texts[function] = [*texts, *lines]
        return function

    def _step(self, step: str, rule: Rule, index: int | None, group: tuple[Name, ...], receiver: str) -> list[str]:
        def find(atom: Atom, bound: tuple[int, ...], text: Callable[[Term], str]) -> Access:
            if atom.name not in group:
                return self._find(atom, bound, text)
            label, values = self.labels[atom.name], tuple_code([text(atom.args[i]) for i in bound])
            if len(bound) == len(atom.args):
                return Access(f"{values} in s.facts[{label!r}]", 0.1)
            return Access(f"s.index({label!r}, {bound!r}).get({values}, ())", 10)

        join = Join(find, "return")
        rest = list(rule.body)
        if index is not None:
            for i, arg in enumerate(rest.pop(index).args):
                join.unify(f"row[{i}]", arg)
        join.body(rest)
        join.add(f"yield {self.labels[rule.head.name]!r}, {join.text(rule.head.args)}")
        return [
            f"def {step}(s{', row' if index is not None else ''}):",
            f"    # line {rule.head.line}",
            *join.lines,
            "",
        ]


def _stratum(names: set[Name]) -> int:
    keywords = {name[0] for name in names}
    return MOVE if "does" in keywords else STATE if "true" in keywords else STATIC


def _labels(names: Iterable[Name]) -> dict[Name, str]:
    """Return, for each relation, a name that Python allows."""
    labels: dict[Name, str] = {}
    for name in sorted(names, key=str):
        joined = "_".join(str(part) for part in name[: 2 if name[0] in FACTS or len(name) == 3 else 1])
        label = re.sub(r"\W", "_", joined, flags=re.ASCII)
        while label in labels.values() or not label.isidentifier():
            label = f"{label}_" if label.isidentifier() else f"r_{label}"
        labels[name] = label
    return labels
