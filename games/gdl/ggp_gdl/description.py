"""Descriptions: the text of a game in GDL (in the notation KIF) as rules, with the line of each.

The keywords `true`, `next`, `init`, `base`, `does`, `legal` and `input` contain a fact or a move. The name of a literal
with such a keyword consists of the keyword and of the name of the fact or move. `(true (cell 1 1 b))` is the literal
`("true", "cell", 3)` of `1 1 b`. If the fact or move is a single word, a dot stands for its name: `(does x noop)` is
`("does", ".", 1)` of `x noop`. The name of any other literal is its relation: `("succ",)`. So every relation has a
fixed number of arguments.

Source: M. Genesereth, N. Love and B. Pell, General game playing: overview of the AAAI competition, AI Magazine 26
(2005); N. Love, T. Hinrichs, D. Haley, E. Schkufza and M. Genesereth, General game playing: game description language
specification, Stanford Logic Group, report LG-2006-01 (2008).
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard

from ggp.errors import GGPError, UsageError
from ggp.escapes import short

Term: TypeAlias = "str | tuple[Term, ...]"
"""A word, a variable (a word that begins with "?"), or a tuple of a functor and its arguments."""
Name: TypeAlias = tuple[Any, ...]
"""The name of a relation; see the module's docstring."""
Operator: TypeAlias = Literal["holds", "not", "distinct", "same"]

FACTS = frozenset({"true", "next", "init", "base"})
"""Keywords that contain a fact of the state."""
MOVES = frozenset({"does", "legal", "input"})
"""Keywords that contain a role and a move."""
ARGUMENTS = {"role": 1, "goal": 2, "terminal": 0, "distinct": 2, **dict.fromkeys(FACTS, 1), **dict.fromkeys(MOVES, 2)}
"""The number of arguments of each keyword."""
WORD = "."
"""In the name of a literal, this replaces the functor if the fact or move is a single word."""
LARGEST = 20_000
"""Maximum number of rules after `or` has been expanded."""

DEEPEST = 100
"""Maximum depth of nested brackets."""


class DescriptionError(UsageError):
    """A text is not a description in GDL, or breaks the rules of the language."""


class UnservedGameError(GGPError):
    """A description is right, but its game is not of the kind that ggp plays."""


class Form(tuple[Term, ...]):
    """A bracketed expression, with the line in which it begins."""

    line: int


class Atom(NamedTuple):
    """A literal: a relation of terms, or a condition on two terms."""

    operator: Operator
    name: Name
    args: tuple[Term, ...]
    line: int = 0


class Rule(NamedTuple):
    """A fact (without a body) or a rule."""

    head: Atom
    body: tuple[Atom, ...]

    @property
    def atoms(self) -> tuple[Atom, ...]:
        return (self.head, *self.body)


class Description(NamedTuple):
    """A game: its rules, and the file that they are from."""

    rules: tuple[Rule, ...]
    roles: tuple[str, ...]
    comment: str
    """The comments at the beginning of the text."""


def wrong(line: int, sentence: str) -> DescriptionError:
    """Return the error for a line of a description."""
    return DescriptionError(f"line {line}: {sentence}")


def is_variable(term: Term) -> TypeGuard[str]:
    """Return whether a term is a variable."""
    return isinstance(term, str) and term.startswith("?")


def variables(term: Term) -> frozenset[str]:
    """Return the variables of a term, or of a tuple of terms."""
    if isinstance(term, str):
        return frozenset((term,)) if term.startswith("?") else frozenset()
    return frozenset().union(*map(variables, term)) if term else frozenset()


def format_term(term: Term) -> str:
    """Return a term as it is written in GDL."""
    return term if isinstance(term, str) else f"({' '.join(map(format_term, term))})"


def parse_terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a text, such as `(cell 1 1 b) (control x)`."""
    return tuple(map(plain, parse(text)))


def plain(term: Term) -> Term:
    """Return an expression as a term, which consists of words and tuples; for `(stop)`, return the word `stop`."""
    if isinstance(term, str):
        return term
    return term[0] if len(term) == 1 and isinstance(term[0], str) else tuple(map(plain, term))


def parse(text: str) -> list["str | Form"]:
    """Return the expressions of a text in KIF: each is a word, in lower case, or a bracketed expression (`Form`).

    Raises:
        DescriptionError: the brackets do not match.
    """
    stack: list[tuple[int, list[str | Form]]] = [(0, [])]
    for line, content in enumerate(text.splitlines(), start=1):
        for part in re.findall(r"[()]|[^\s()]+", content.partition(";")[0].lower()):
            if part == "(":
                if len(stack) > DEEPEST:
                    raise wrong(line, f"more than {DEEPEST} brackets are open at once")
                stack.append((line, []))
            elif part != ")":
                stack[-1][1].append(part)
            elif len(stack) == 1:
                raise wrong(line, "a closing bracket has no opening one")
            else:
                begun, parts = stack.pop()
                form = Form(parts)
                form.line = begun
                stack[-1][1].append(form)
    if len(stack) > 1:
        raise wrong(stack[1][0], "a bracket is not closed")
    return stack[0][1]


def read(text: str) -> Description:
    """Return the game that a text describes. `ggp_gdl.checks.check` tells whether the game obeys the language's rules.

    Raises:
        DescriptionError: an expression is neither a fact nor a rule; the message gives the line.
    """
    rules: list[Rule] = []
    facts = 0
    for expression in parse(text):
        if isinstance(expression, str):
            sentence = f"{short(expression)} stands outside of brackets: facts and rules are bracketed"
            raise wrong(_line_outside(text, expression), sentence)
        parsed = list(_rules(expression))
        rules.extend(parsed)
        facts += len(parsed) == 1  # what is not expanded is limited by the file's size
        if len(rules) - facts > LARGEST:
            raise wrong(expression.line, f"there are more than {LARGEST:,} rules up to here after `or` is expanded")
    if not rules:
        raise wrong(text.count("\n") + 1, "the description is empty: it has no fact and no rule")
    if all(str(rule.head.args[1]).isdecimal() for rule in rules if rule.head.name == ("goal",)):
        rules = [Rule(*_split([_numbered(each) for each in rule.atoms])) for rule in rules]
    comment = itertools.takewhile(lambda line: line.startswith(";"), filter(None, map(str.strip, text.splitlines())))
    roles = dict.fromkeys(
        format_term(rule.head.args[0]) for rule in rules if rule.head.name == ("role",) and not rule.body
    )
    return Description(
        tuple(_without_open_names(rules)), tuple(roles), " ".join(line.lstrip("; ") for line in comment).strip()
    )


def _line_outside(text: str, word: str) -> int:
    """Return the line in which a word stands outside all brackets."""
    depth = 0
    for line, content in enumerate(text.splitlines(), start=1):
        for part in re.findall(r"[()]|[^\s()]+", content.partition(";")[0].lower()):
            depth += (part == "(") - (part == ")")
            if depth == 0 and part == word:
                return line
    return 1


def _rules(expression: Form) -> Iterator[Rule]:
    if not expression:
        raise wrong(expression.line, "() is neither a fact nor a rule")
    if expression[0] != "<=":
        yield Rule(_head(expression, expression.line), ())
        return
    if len(expression) < 2:
        raise wrong(expression.line, "a rule needs a head after <=")
    head, line = _head(expression[1], expression.line), expression.line
    for choice in itertools.product(*[_bodies(each, line, True) for each in expression[2:]]):
        yield Rule(head, tuple(itertools.chain.from_iterable(choice)))


def _head(expression: Term, line: int) -> Atom:
    line = expression.line if isinstance(expression, Form) else line
    name = expression if isinstance(expression, str) else expression[0] if expression else ""
    if name in ("not", "or", "and", "distinct", "<=", "true", "does"):
        raise wrong(line, f"{name} cannot be the head of a rule, or a fact")
    return _atom("holds", expression, line)


def _atom(operator: Operator, expression: Term, line: int) -> Atom:
    """Return a literal whose name combines its keyword and its fact or move. If the fact or move is a variable, "?"
    stands for it.
    """
    line = expression.line if isinstance(expression, Form) else line
    name = expression if isinstance(expression, str) else expression[0] if expression else ()
    if not isinstance(name, str):
        raise wrong(
            line,
            f"{short(format_term(expression), 60)} names no relation: an expression in brackets must begin with a word",
        )
    args = [] if isinstance(expression, str) else [*map(plain, expression[1:])]
    if is_variable(name):
        raise wrong(line, f"the variable {name} stands where a relation is needed")
    expected = ARGUMENTS.get(name)
    if expected is not None and len(args) != expected:
        raise wrong(line, f"{name} has {_count(expected)}; got {len(args)}")
    for arg in args:
        _require_terms(arg, line)
    if name in FACTS or name in MOVES:
        *role, inner = args
        if isinstance(inner, str):
            return Atom(operator, (name, "?" if is_variable(inner) else WORD, 1), (*role, inner), line)
        return Atom(operator, (name, inner[0], len(inner) - 1), (*role, *inner[1:]), line)
    return Atom("distinct" if name == "distinct" else operator, (name,), tuple(args), line)


def _count(number: int) -> str:
    return ("no argument", "one argument", "two arguments")[number]


def _require_terms(term: Term, line: int) -> None:
    if isinstance(term, tuple):
        if not term or not isinstance(term[0], str) or is_variable(term[0]):
            raise wrong(
                line, f"{short(format_term(term), 60)} is not a term: an expression in brackets must begin with a word"
            )
        for part in term[1:]:
            _require_terms(part, line)


def _bodies(expression: Term, line: int, positive: bool) -> list[tuple[Atom, ...]]:
    """Return the disjunctive normal form of a condition."""
    line = expression.line if isinstance(expression, Form) else line
    name = expression[0] if isinstance(expression, tuple) and expression else expression
    if name == "not":
        if len(expression) != 2 or isinstance(expression, str):
            raise wrong(line, "not has one argument")
        return _bodies(expression[1], line, not positive)
    if name in ("or", "and") and not isinstance(expression, str):
        if len(expression) < 2:
            raise wrong(line, f"{name} needs one argument or more; got 0")
        parts = [_bodies(part, line, positive) for part in expression[1:]]
        if (name == "or") == positive:
            return [body for part in parts for body in part]
        if sum(map(len, parts)) > LARGEST:
            raise wrong(line, f"the condition has more than {LARGEST:,} cases")
        return [tuple(itertools.chain.from_iterable(choice)) for choice in itertools.product(*parts)]
    if name in ("next", "init", "<="):
        raise wrong(line, f"{name} cannot be a condition")
    atom = _atom("holds" if positive else "not", expression, line)
    if atom.operator == "distinct" and not positive:
        atom = atom._replace(operator="same")
    return [(atom,)]


def _without_open_names(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Copy each rule in which a fact or move is a variable, such as `(true ?x)`, once for each kind of fact or move."""
    names: dict[str, dict[Name, None]] = defaultdict(dict)
    rules = list(rules)
    for rule in rules:
        for each in rule.atoms:
            if len(each.name) == 3 and each.name[1] not in ("?", WORD):
                names[_sort(each.name)][each.name[1:]] = None
    for rule in rules:
        pending = [rule]
        while pending:
            rule = pending.pop()
            open_atom = next((each for each in rule.atoms if each.name[1:2] == ("?",)), None)
            if open_atom is None:
                yield rule
                continue
            variable = open_atom.args[-1]
            assert is_variable(variable)
            for functor, count in reversed(names[_sort(open_atom.name)]):
                fresh = tuple(f"{variable}_{i}" for i in range(count))
                term = (functor, *fresh) if count else functor
                pending.append(Rule(*_split([_substitute(each, variable, term) for each in rule.atoms])))
            if _sort(open_atom.name) != "goal":
                pending.append(Rule(*_split([_as_word(each, variable) for each in rule.atoms])))


def _as_word(atom: Atom, variable: str) -> Atom:
    """Return a literal whose whole fact or move is a variable, with a word in place of this variable."""
    if atom.name[1:2] == ("?",) and atom.args[-1] == variable:
        return atom._replace(name=(atom.name[0], WORD, 1))
    return atom


def _sort(name: Name) -> str:
    return "move" if name[0] in MOVES else "goal" if name[0] == "goal" else "fact"


def _split(atoms: list[Atom]) -> tuple[Atom, tuple[Atom, ...]]:
    return atoms[0], tuple(atoms[1:])


def _numbered(atom: Atom) -> Atom:
    """Return a goal whose name includes its number. With the number in the name, one goal may depend on the negation of
    another goal.
    """
    if atom.name != ("goal",):
        return atom
    role, number = atom.args
    if is_variable(number):
        return atom._replace(name=("goal", "?", 1))
    return atom._replace(name=("goal", number, 0), args=(role,))


def _substitute(atom: Atom, variable: str, term: Term) -> Atom:
    """Replace a variable by a term, also where it stands for a whole fact or move."""
    if atom.name[1:2] == ("?",) and atom.args[-1] == variable:
        functor, *args = (term,) if isinstance(term, str) else term
        return atom._replace(name=(atom.name[0], functor, len(args)), args=(*atom.args[:-1], *args))
    return atom._replace(args=tuple(_replaced(each, variable, term) for each in atom.args))


def _replaced(part: Term, variable: str, term: Term) -> Term:
    if part == variable:
        return term
    return tuple(_replaced(each, variable, term) for each in part) if isinstance(part, tuple) else part


def term_of(name: Name, args: tuple[Term, ...]) -> Term:
    """Return the fact or move of a literal whose name has a keyword such as `true` or `does`, as a word or a tuple."""
    inner = args[1:] if name[0] in MOVES else args
    return inner[0] if name[1] == WORD else (name[1], *inner)


def literal_of(keyword: str, term: Term, *role: Term) -> tuple[Name, tuple[Term, ...]]:
    """Return the name and the arguments of a fact or move: the inverse of `term_of`."""
    if isinstance(term, str):
        return (keyword, WORD, 1), (*role, term)
    return (keyword, term[0], len(term) - 1), (*role, *term[1:])


def order(term: Term) -> tuple[object, ...]:
    """Return a key by which terms are sorted: numbers first, by their size, then words, then tuples."""
    if isinstance(term, tuple):
        return (2, tuple(map(order, term)))
    return (0, int(term), term) if term.isdecimal() else (1, term)
