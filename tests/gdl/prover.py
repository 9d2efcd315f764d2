"""An independent prover of GDL: resolution over the text itself, as plain as can be and as slow.

It shares nothing with the plugin, not even the reader.
"""

import re


def expressions(text):
    """Read KIF: words, and lists of them."""
    stack = [[]]
    for word in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text).lower()):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = tuple(stack.pop())
            stack[-1].append(done[0] if len(done) == 1 and isinstance(done[0], str) else done)
        else:
            stack[-1].append(word)
    return stack[0]


def value(term, known):
    """Put in what is known of the variables."""
    while isinstance(term, str) and term in known:
        term = known[term]
    return term if isinstance(term, str) else tuple(value(part, known) for part in term)


def unify(one, other, known):
    """Return what is known if two terms are the same; None if they cannot be."""
    one, other = value(one, known), value(other, known)
    if one == other:
        return known
    for variable, term in ((one, other), (other, one)):
        if isinstance(variable, str) and variable.startswith("?"):
            return {**known, variable: term}
    if isinstance(one, str) or isinstance(other, str) or len(one) != len(other):
        return None
    for left, right in zip(one, other, strict=True):
        known = unify(left, right, known)
        if known is None:
            return None
    return known


def variables(term):
    if isinstance(term, str):
        return {term} if term.startswith("?") else set()
    return set().union(*map(variables, term))


def renamed(term, names):
    """Give variables the names that follow their order, so that goals that are alike are equal."""
    if isinstance(term, str):
        return names.setdefault(term, f"?{len(names)}") if term.startswith("?") else term
    return tuple(renamed(part, names) for part in term)


class Prover:
    """What follows from a description."""

    def __init__(self, text):
        self.rules = {}
        for number, each in enumerate(expressions(text)):
            head, *body = each[1:] if each[0] == "<=" else (each,)
            self.rules.setdefault(self.kind(head), []).append((number, head, body))
        self.roles = [head[1] for _, head, _ in self.rules["role", 2]]

    @staticmethod
    def kind(term):
        return (term, 1) if isinstance(term, str) else (term[0], len(term))

    def ask(self, goal, state=(), moves=()):
        """Return all instances of a goal, given the facts of a state and the moves made in it."""
        self.given = {}
        for fact in [*(("true", fact) for fact in state), *(("does", *move) for move in moves)]:
            self.given.setdefault(self.kind(fact), []).append(fact)
        self.found, self.final = {}, set()
        return self.answers(goal)

    def answers(self, goal):
        """Find the instances of a goal; those of goals that depend on each other until nothing is added."""
        goal = renamed(goal, {})
        while goal not in self.final:
            self.opened, before = set(), sum(map(len, self.found.values()))
            self.search(goal)
            if sum(map(len, self.found.values())) == before:
                self.final |= self.opened
        return self.found[goal]

    def search(self, goal):
        goal = renamed(goal, {})
        if goal in self.final or goal in self.opened:
            return tuple(self.found[goal])
        self.opened.add(goal)
        found = self.found.setdefault(goal, {})
        kind = self.kind(goal)
        for fact in self.given.get(kind, ()):
            if unify(goal, fact, {}) is not None:
                found[fact] = None
        for number, head, body in self.rules.get(kind, ()):
            apart = renamed(("rule", head, *body), {})  # "?0", "?1" ... of the rule, marked below
            _, head, *body = own(apart, f"_{number}")
            known = unify(goal, head, {})
            if known is not None:
                for result in self.body(body, known):
                    found[value(head, result)] = None
        return tuple(found)

    def body(self, conditions, known):
        """Yield what is known wherever all conditions hold."""
        if not conditions:
            yield known
            return
        ready = (i for i, each in enumerate(conditions) if self.is_ready(each, known))
        place = next(ready)
        condition, rest = conditions[place], [*conditions[:place], *conditions[place + 1 :]]
        name = condition if isinstance(condition, str) else condition[0]
        if name == "distinct":
            if value(condition[1], known) != value(condition[2], known):
                yield from self.body(rest, known)
        elif name == "not":
            if not self.holds(condition[1], known):
                yield from self.body(rest, known)
        elif name in ("or", "and"):
            for choice in condition[1:] if name == "or" else [condition[1:]]:
                yield from self.body([*([choice] if name == "or" else choice), *rest], known)
        else:
            for fact in self.search(value(condition, known)):
                found = unify(condition, fact, known)
                if found is not None:
                    yield from self.body(rest, found)

    def is_ready(self, condition, known):
        name = condition if isinstance(condition, str) else condition[0]
        return name not in ("not", "distinct") or not variables(value(condition, known))

    def holds(self, condition, known):
        """Answer a condition without variables, whole: it may be negated."""
        if condition[0] in ("or", "and", "not", "distinct"):
            return any(True for _ in self.body([condition], known))
        opened = self.opened
        answer = bool(self.answers(value(condition, known)))
        self.opened = opened
        return answer


def own(term, mark):
    """Mark the variables of a rule, so that they are not those of a goal."""
    if isinstance(term, str):
        return term + mark if term.startswith("?") else term
    return tuple(own(part, mark) for part in term)
