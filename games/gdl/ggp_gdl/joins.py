"""Joins: Python code that finds all instances of a rule, one loop for each condition."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ggp_gdl.description import Atom, Rule, Term, is_variable, variables

DEEPEST = 14
"""Maximum number of nested loops in one function, since Python allows 20 nested blocks."""


class Access(NamedTuple):
    """A way to look up a condition when some of its arguments are known."""

    code: str
    """The code of an expression.

    If all arguments are known, its value is true or false. Otherwise, its value is a set of tuples with all arguments.
    """
    size: float
    """The expected number of tuples, or the cost of a test in the same unit."""


Find = Callable[[Atom, tuple[int, ...], Callable[[Term], str]], Access]
"""A function that returns how to look up a condition. Its arguments are the condition, the positions of the condition's
known arguments, and a function that returns the code of a known term.
"""


class Join:
    """The code for one rule.

    Arguments:
        find: see `Find`.
        leave: the statement that ends the search if a test outside all loops fails.
        indent: blanks before the first line.
    """

    def __init__(self, find: Find, leave: str, indent: str = "    ") -> None:
        self.lines: list[str] = []
        self.bound: dict[str, str] = {}
        self._find, self._leave, self.indent, self._depth = find, leave, indent, 0

    def text(self, term: Term) -> str:
        """Return the code of a known term."""
        if is_variable(term):
            return self.bound[term]
        return tuple_code(map(self.text, term)) if isinstance(term, tuple) else repr(term)

    def add(self, line: str) -> None:
        self.lines.append(self.indent + line)

    def skip_if(self, condition: str) -> None:
        self.add(f"if {condition}:")
        self.add("    " + (self._leave if self._depth == 0 else "continue"))

    def unify(self, source: str, term: Term) -> None:
        """Require that the value of `source` equals a term; this binds the term's variables."""
        if is_variable(term):
            if term in self.bound:
                self.skip_if(f"{source} != {self.bound[term]}")
            else:
                self.bound[term] = self._new_name(term)
                if self.bound[term] != source:
                    self.add(f"{self.bound[term]} = {source}")
        elif variables(term) <= self.bound.keys():
            self.skip_if(f"{source} != {self.text(term)}")
        else:
            inner = [f"type({source}) is not tuple", f"len({source}) != {len(term)}", f"{source}[0] != {term[0]!r}"]
            self.skip_if(" or ".join(inner))
            for index, part in enumerate(term[1:], start=1):
                self.unify(f"{source}[{index}]", part)

    def _new_name(self, variable: str) -> str:
        """Return the name of a variable in the code: its own name, without characters that Python does not allow."""
        plain = "".join(c if c.isalnum() and c.isascii() else "_" for c in variable[1:]) or "v"
        name = "v_" + plain
        while name in self.bound.values():
            name += "_"
        return name

    def body(self, atoms: Iterable[Atom]) -> None:
        """Add the loops and tests of all conditions, in the order that is expected to take the least work."""
        todo = list(atoms)
        while todo:
            for atom in [each for each in todo if self._is_bound(each)]:
                if atom.operator in ("distinct", "same"):
                    todo.remove(atom)
                    left, right = map(self.text, atom.args)
                    self.skip_if(f"{left} {'==' if atom.operator == 'distinct' else '!='} {right}")
            choices = [
                (self._access(atom).size, number, atom)
                for number, atom in enumerate(todo)
                if atom.operator == "holds" or (atom.operator == "not" and self._is_bound(atom))
            ]
            if not choices:
                return
            _, _, atom = min(choices)
            todo.remove(atom)
            self._condition(atom)

    def _is_bound(self, atom: Atom) -> bool:
        return variables(atom.args) <= self.bound.keys()

    def _bound_positions(self, atom: Atom) -> tuple[int, ...]:
        return tuple(i for i, arg in enumerate(atom.args) if variables(arg) <= self.bound.keys())

    def _access(self, atom: Atom) -> Access:
        return self._find(atom, self._bound_positions(atom), self.text)

    def _condition(self, atom: Atom) -> None:
        access = self._access(atom)
        if self._is_bound(atom):
            self.skip_if(f"not {access.code}" if atom.operator == "holds" else access.code)
            return
        bound = self._bound_positions(atom)
        row = f"row{self._depth}"
        self.add(f"for {row} in {access.code}:")
        self.indent += "    "
        self._depth += 1
        for index, arg in enumerate(atom.args):
            if index not in bound:
                self.unify(f"{row}[{index}]", arg)


def tuple_code(parts: Iterable[str]) -> str:
    """Return the code of a tuple of these parts."""
    codes = list(parts)
    return f"({codes[0]},)" if len(codes) == 1 else f"({', '.join(codes)})"


def split(rule: Rule, new_name: Callable[[], str]) -> list[Rule]:
    """Return rules that find the same instances in smaller steps.

    A variable that only some conditions mention is eliminated by projection: these conditions become a relation of
    their other variables. The variable that meets the fewest other variables is eliminated first. A rule over n^4
    combinations often becomes two rules over n^2 combinations.
    """
    rules: list[Rule] = []
    head, body = rule.head, list(rule.body)
    wanted = variables(head.args)
    while True:
        best = min(_projections(body, wanted), default=None, key=lambda each: (each[1], each[0]))
        if best is None:
            return [*rules, *_halves(Rule(head, tuple(body)), new_name)]
        _, _, group, rest, kept = best
        helper = Atom("holds", (new_name(),), tuple(sorted(kept)), group[0].line)
        rules.append(Rule(helper, tuple(group)))
        body = [*rest, helper]


def _halves(rule: Rule, new_name: Callable[[], str]) -> list[Rule]:
    """Return rules that replace a rule with too many loops.

    The first conditions become a rule of their own, with the variables that the rest needs.
    """
    loops = [each for each in rule.body if each.operator == "holds"]
    if len(loops) <= DEEPEST:
        return [rule]
    first = loops[:DEEPEST]
    bound = _bound(first)
    group = [*first, *[each for each in rule.body if each.operator != "holds" and variables(each.args) <= bound]]
    rest = [each for each in rule.body if each not in group]
    kept = sorted(bound & (_variables(rest) | variables(rule.head.args)))
    helper = Atom("holds", (new_name(),), tuple(kept), rule.head.line)
    return [Rule(helper, tuple(group)), *_halves(Rule(rule.head, (helper, *rest)), new_name)]


def _projections(
    body: list[Atom], wanted: frozenset[str]
) -> Iterable[tuple[str, int, list[Atom], list[Atom], frozenset[str]]]:
    """Yield each variable that can be eliminated by projection.

    With the variable, yield the number of variables in the conditions that contain it, these conditions, the other
    conditions, and the remaining variables.
    """
    every = frozenset().union(*(variables(each.args) for each in body)) if body else frozenset()
    for variable in sorted(every - wanted):
        group = [each for each in body if variable in variables(each.args)]
        rest = [each for each in body if each not in group]
        used = _variables(group)
        # each part must be safe on its own
        if not used <= _bound(group) or not any(each.operator == "holds" for each in rest):
            continue
        if (_variables(each for each in rest if each.operator != "holds") | wanted) <= _bound(rest) | used - {variable}:
            yield variable, len(used), group, rest, used - {variable}


def _variables(atoms: Iterable[Atom]) -> frozenset[str]:
    return frozenset(variable for each in atoms for variable in variables(each.args))


def _bound(atoms: Iterable[Atom]) -> frozenset[str]:
    return _variables(each for each in atoms if each.operator == "holds")
