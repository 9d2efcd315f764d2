"""Demand: recursive relations are grounded only for those arguments that some rule needs.

For example, a relation counts discs: given a cell, and n discs in the cells before it, it gives the number of all
discs. The relation has instances for every cell and every n, but is needed only for the first cell and n = 0. The
needed arguments become a new relation, and this relation becomes a condition in the rules of the old one.

Source: F. Bancilhon, D. Maier, Y. Sagiv and J. D. Ullman, Magic sets and other strange ways to implement logic
programs, Symposium on Principles of Database Systems (1986).
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ggp_gdl.checks import components
from ggp_gdl.description import ARGUMENTS, Atom, Name, Rule, variables

Positions = dict[Name, frozenset[int]]
"""For some relations, the positions of the arguments that are known in every rule that uses the relation."""


def on_demand(rules: Sequence[Rule], changing: Collection[Name]) -> list[Rule]:
    """Return rules that derive only the needed facts of recursive relations, and rules that say which facts are needed.
    Return `rules` unchanged if there is no relation for which the needed facts are known.

    Arguments:
        changing: all relations that depend on the state, among them the relations that `rules` define. Relations that
            this function adds are not included.
    """
    positions = _positions(rules, _candidates(rules, changing))
    rewritten: list[Rule] = []
    for rule in rules:
        asked = [_wanted(rule.head, positions)] if rule.head.name in positions else []
        rewritten.append(Rule(rule.head, (*asked, *rule.body)))
        for atom, conditions in _calls(rule, positions):
            rewritten.append(Rule(_wanted(atom, positions), (*asked, *conditions)))
    return rewritten


def _candidates(rules: Sequence[Rule], changing: Collection[Name]) -> set[Name]:
    """Return the recursive relations, and the relations that only the rules of recursive relations use."""
    needs: dict[Name, set[Name]] = {name: set() for name in changing}
    users: dict[Name, set[Name]] = {name: set() for name in changing}
    for rule in rules:
        for each in rule.body:
            if each.name in needs:
                needs[rule.head.name].add(each.name)
                users[each.name].add(rule.head.name)
    component = components(needs)
    sizes = Counter(component.values())
    own = {name for name in changing if name[0] not in ARGUMENTS}
    candidates = {name for name in own if name in needs[name] or sizes[component[name]] > 1}
    while more := {name for name in own - candidates if users[name] and users[name] <= candidates}:
        candidates |= more
    return candidates


def _positions(rules: Sequence[Rule], names: Collection[Name]) -> Positions:
    bound_positions = {
        rule.head.name: frozenset(range(len(rule.head.args))) for rule in rules if rule.head.name in names
    }
    before: Positions = {}
    while bound_positions != before:
        before = {name: given for name, given in bound_positions.items() if given}
        bound_positions = dict(before)
        for rule in rules:
            for atom, given in _calls(rule, before):
                bound = _bound(given) | _given(rule.head, before)
                bound_positions[atom.name] &= {i for i, arg in enumerate(atom.args) if variables(arg) <= bound}
    return bound_positions


def _calls(rule: Rule, positions: Positions) -> Iterator[tuple[Atom, list[Atom]]]:
    """Yield each condition of a rule that is computed on demand, with the conditions that are evaluated before it.

    The condition with the most known arguments comes first.
    """
    conditions = [each for each in rule.body if each.operator == "holds" and each.name not in positions]
    todo = [each for each in rule.body if each.operator in ("holds", "not") and each.name in positions]
    while todo:
        bound = _bound(conditions) | _given(rule.head, positions)
        atom = min(todo, key=lambda each: len(variables(each.args) - bound))
        yield atom, list(conditions)
        todo.remove(atom)
        conditions += [atom] if atom.operator == "holds" else []


def _bound(atoms: Sequence[Atom]) -> frozenset[str]:
    return frozenset(variable for each in atoms for variable in variables(each.args))


def _given(head: Atom, positions: Positions) -> frozenset[str]:
    return frozenset().union(*(variables(head.args[i]) for i in positions.get(head.name, ())))


def _wanted(atom: Atom, positions: Positions) -> Atom:
    """Return the literal that says for which arguments a relation is needed."""
    return Atom(
        "holds", (f"wanted {atom.name[0]}",), tuple(atom.args[i] for i in sorted(positions[atom.name])), atom.line
    )
