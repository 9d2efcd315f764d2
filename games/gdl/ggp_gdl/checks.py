"""Check that a description obeys the rules of GDL: arities, keywords, safety, stratification, and restricted negation.

Source: the specification that `ggp_gdl.description` names, sections on safety, stratification and syntactic
restrictions.
"""

import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ggp.errors import did_you_mean
from ggp.number_text import many
from ggp_gdl.description import (
    ARGUMENTS,
    MOVES,
    WORD,
    Atom,
    Description,
    Name,
    Rule,
    Term,
    format_term,
    is_variable,
    variables,
    wrong,
)

NEEDED = {
    "role": "no role: add (role NAME)",
    "legal": "no legal move: add rules for (legal ROLE MOVE)",
    "next": "no rule for (next FACT): no fact would outlast the first move",
    "goal": "no goal: add rules for (goal ROLE NUMBER)",
    "terminal": "no end: add a rule for terminal",
}
"""Keywords that every game must define, each with the message for a game that does not define it."""
HEADS = (*NEEDED, "init")
"""Keywords that may be defined by rules."""
SHORTEST_MISSPELT = 3
"""A name of at most this length is never taken for a misspelt keyword: public descriptions have a relation `int`."""
MISSPELT = 0.75
"""Minimum similarity between a misspelt name and a keyword: that of `lgeal` and `legal` is 0.8, and that of `index` and
`next` only 0.67.
"""


ARROWS = ("=>", "<-", "->", "<==", ":-")
"""Signs of other languages for `<=`."""


def check(description: Description) -> None:
    """Check a description.

    Raises:
        DescriptionError: the description breaks a rule of the language; the message gives the line.
    """
    rules = description.rules
    for rule in rules:
        if rule.head.name[0] in ARROWS:
            raise wrong(rule.head.line, f"{rule.head.name[0]} is not a keyword: a rule is written (<= HEAD CONDITIONS)")
    _check_arities(rules)
    _check_spelling(rules)
    _check_facts(rules, ("init", "next"), "true")
    _check_facts(rules, ("legal",), "does")
    for rule in rules:
        _check_safety(rule)
        _check_keywords(rule)
        _check_role(rule.head, description.roles)
    for keyword, sentence in NEEDED.items():
        if not any(rule.head.name[0] == keyword for rule in rules):
            raise wrong(max(rule.head.line for rule in rules), f"the description has {sentence}")
    dependencies = _dependencies(rules)
    _check_dependencies(rules, dependencies)
    _check_strata(rules, components(dependencies))


def _check_arities(rules: Iterable[Rule]) -> None:
    first: dict[str, Atom] = {}
    for rule in rules:
        for atom in rule.atoms:
            if len(atom.name) == 1 and atom.operator in ("holds", "not"):
                earlier = first.setdefault(atom.name[0], atom)
                if len(earlier.args) != len(atom.args):
                    numbers = f"{many(len(atom.args), 'argument')} here and {len(earlier.args)} in line {earlier.line}"
                    raise wrong(atom.line, f"{atom.name[0]} has {numbers}")


def _check_spelling(rules: Sequence[Rule]) -> None:
    """Check that no relation is a misspelt keyword, such as `lgeal`; only relations that no rule uses are examined."""
    used = {each.name for rule in rules for each in rule.body}
    for head in (rule.head for rule in rules):
        word = head.name[0]
        if word not in ARGUMENTS and head.name not in used and len(word) > SHORTEST_MISSPELT:
            keywords = [each for each in HEADS if ARGUMENTS[each] == len(head.args)]
            for near in difflib.get_close_matches(word, keywords, n=1, cutoff=MISSPELT):
                raise wrong(head.line, f"{word} is defined, but used nowhere (did you mean {near}?)")


def _check_facts(rules: Sequence[Rule], givers: Sequence[str], asked: str) -> None:
    """Check that each fact or move in a condition is given by some rule, with the same number of arguments."""
    given = {each.head.name[1:]: each.head for each in rules if each.head.name[0] in givers}
    if () in given:  # a variable: any fact or move
        return
    heads = " or ".join(givers)
    for atom in (each for rule in rules for each in rule.body if each.name[0] == asked):
        if atom.name[1:] in given or len(atom.name) == 1 or atom.name[1] == WORD:
            continue
        for name, head in given.items():
            if name[0] == atom.name[1]:
                numbers = f"{many(atom.name[2], 'argument')} here and {name[1]} in line {head.line}"
                raise wrong(atom.line, f"{asked} ({atom.name[1]} ...) has {numbers}")
        near = did_you_mean(str(atom.name[1]), [str(name[0]) for name in given if name[0] != WORD])
        if near:
            raise wrong(atom.line, f"no rule for {heads} gives ({atom.name[1]} ...){near}")


def _check_safety(rule: Rule) -> None:
    bound = frozenset[str]().union(*(variables(each.args) for each in rule.body if each.operator == "holds"))
    for atom in rule.atoms:
        free = sorted(variables(atom.args) - bound)
        if not free or (atom.operator == "holds" and atom is not rule.head):
            continue
        if atom is rule.head and not rule.body:
            raise wrong(atom.line, f"a fact has no variables; got {free[0]}")
        where = "the head" if atom is rule.head else {"not": "a negation"}.get(atom.operator, "distinct")
        raise wrong(atom.line, f"{free[0]} is used in {where}, but in no positive condition of the rule")


def _check_keywords(rule: Rule) -> None:
    head = rule.head
    if head.name == ("role",):
        if rule.body:
            raise wrong(head.line, "role must be a fact: the roles do not depend on conditions")
        if not isinstance(head.args[0], str):
            raise wrong(head.line, f"a role is a word; got {format_term(head.args[0])}")
    if head.name[0] == "goal":
        _require_number(head.args[1] if len(head.name) == 1 else head.name[1], head.line)


def _check_role(head: Atom, roles: Sequence[str]) -> None:
    """Check that each legal move belongs to a role of the game; goals of other roles do no harm."""
    if head.name[0] == "legal" and roles and not is_variable(head.args[0]) and head.args[0] not in roles:
        near = did_you_mean(format_term(head.args[0]), roles) or f": the roles are {', '.join(roles)}"
        raise wrong(head.line, f"{format_term(head.args[0])} is not a role{near}")


def _require_number(goal: Term, line: int) -> None:
    if is_variable(goal):
        return
    if not isinstance(goal, str) or not goal.isdecimal() or int(goal) > 100:
        raise wrong(line, f"a goal is a whole number from 0 to 100; got {format_term(goal)}")


def _dependencies(rules: Iterable[Rule]) -> dict[Name, set[Name]]:
    dependencies: dict[Name, set[Name]] = defaultdict(set)
    for rule in rules:
        dependencies[rule.head.name].update(each.name for each in rule.body if each.operator in ("holds", "not"))
    return dependencies


def reachable(start: Iterable[Name], dependencies: Mapping[Name, set[Name]]) -> set[Name]:
    """Return the given names, and all names on which they depend."""
    pending = list(start)
    reached = set(pending)
    while pending:
        more = dependencies.get(pending.pop(), set()) - reached
        reached |= more
        pending.extend(more)
    return reached


def _check_dependencies(rules: Iterable[Rule], dependencies: Mapping[Name, set[Name]]) -> None:
    """Check that the initial state depends on no state, and that only `next` depends on moves."""
    forbidden = {
        "init": (("true", "does"), "the initial state depends on {}"),
        "base": (("true", "does"), "base depends on {}"),
        "input": (("true", "does"), "input depends on {}"),
        "legal": (("does",), "a legal move depends on {}"),
        "goal": (("does",), "a goal depends on {}"),
        "terminal": (("does",), "the end of the game depends on {}"),
    }
    seen: dict[Name, set[str]] = {}
    for rule in rules:
        keywords, sentence = forbidden.get(rule.head.name[0], ((), ""))
        for atom in rule.body if keywords else ():
            if atom.name not in seen:
                seen[atom.name] = {name[0] for name in reachable([atom.name], dependencies)}
            for keyword in keywords:
                if keyword in seen[atom.name]:
                    raise wrong(rule.head.line, sentence.format(keyword))


def _check_strata(rules: Iterable[Rule], component: Mapping[Name, int]) -> None:
    for rule in rules:
        for atom in rule.body:
            if atom.operator == "not" and component.get(atom.name) == component.get(rule.head.name, -1):
                raise wrong(atom.line, f"{display(rule.head.name)} depends on its own negation")


def display(name: Name) -> str:
    """Return the name of a relation for people: `succ`, or `next (cell ...)`."""
    if len(name) == 1:
        return str(name[0])
    inner = "WORD" if name[1] == WORD else f"({name[1]} ...)" if name[2] else name[1]
    return f"{name[0]} {inner}" if name[0] not in MOVES else f"{name[0]} ROLE {inner}"


def components(dependencies: Mapping[Name, set[Name]]) -> dict[Name, int]:
    """Number the strongly connected components, and return for each name the number of its component. No name depends
    on a name with a higher number.

    Source: R. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
    """
    order: dict[Name, int] = {}
    low: dict[Name, int] = {}
    component_of: dict[Name, int] = {}
    stack: list[Name] = []
    count = 0
    for root in list(dependencies):
        work: list[tuple[Name, Iterator[Name]]] = []
        if root not in order:
            order[root] = low[root] = len(order)
            stack.append(root)
            work.append((root, iter(sorted(dependencies[root], key=str))))
        while work:
            name, rest = work[-1]
            for other in rest:
                if other not in order:
                    order[other] = low[other] = len(order)
                    stack.append(other)
                    work.append((other, iter(sorted(dependencies.get(other, ()), key=str))))
                    break
                if other not in component_of:
                    low[name] = min(low[name], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == order[name]:
                    while True:
                        member = stack.pop()
                        component_of[member] = count
                        if member == name:
                            break
                    count += 1
    return component_of


def unknown_relations(description: Description) -> list[str]:
    """Return a sentence for each relation that no fact or rule defines, though it is used. Such a relation
    never holds.
    """
    defined = {rule.head.name for rule in description.rules}
    names = {name[0] for name in defined}
    sentences: dict[Name, str] = {}
    for rule in description.rules:
        for atom in rule.body:
            if len(atom.name) == 1 and atom.operator in ("holds", "not") and atom.name not in defined:
                near = did_you_mean(atom.name[0], names)
                sentences.setdefault(atom.name, f"line {atom.line}: nothing defines {atom.name[0]}{near}")
    return list(sentences.values())
