"""Analysis of aliases: lists with two names, and iterators that are used twice, are refused if results could differ.

In Python two names may refer to one list, and a change through one name is visible through the other. Machine code
copies lists. Both give the same results as long as no list is changed while another name, tuple or iterator may still
refer to it. This module decides that from the source alone: it may refuse correct code, but it never accepts wrong
code.
"""

import ast
from collections.abc import Iterator
from typing import Any

from ggp.compiler.rows import GROWING, SCOPES
from ggp.compiler.source import Source, fresh

COPYING = {
    "all",
    "any",
    "bool",
    "frozenset",
    "isinstance",
    "len",
    "list",
    "max",
    "min",
    "set",
    "sorted",
    "sum",
    "tuple",
}
"""Built-in functions that read a list's items, and store no reference to the list."""
RUNNING = {"enumerate", "zip", "reversed", "map", "filter", "iter"}
"""Built-in functions that iterate over a list later."""
CHANGEABLE = (ast.Dict, ast.DictComp, ast.Set, ast.SetComp)
Problem = tuple[str, int]


class Aliases:
    """Tracks the lists that a function changes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parents: dict[ast.AST, ast.AST] = {}
        self.order: dict[ast.AST, int] = {}
        for number, node in enumerate(_in_order(source.node)):
            self.order[node] = number
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self.risky: set[ast.AST] = set()
        """Calls that are given a list which is changed later: they must not return it."""
        self.owned: dict[ast.AST, list[tuple[str, int | None]]] = {}
        """Calls whose result is a list that is changed: the name, and the place in a tuple that is returned."""

    def problem(self) -> Problem | None:
        """Return the first use of a list that could differ when compiled, with its line; None if there is none."""
        for name in sorted(self.source.changed):
            found = self._problem_with(name)
            if found is not None:
                return found
        return None

    # Places ------------------------------------------------------------------------------------------------------

    def _above(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parents:
            node = self.parents[node]
            yield node

    def _loops(self, node: ast.AST) -> list[ast.AST]:
        """Return the loops whose body contains a node, the innermost first."""
        found: list[ast.AST] = []
        below = node
        for each in self._above(node):
            if (
                (isinstance(each, ast.For) and below is not each.iter and below not in each.orelse)
                or (isinstance(each, ast.While) and below not in each.orelse)
                or (isinstance(each, ast.comprehension) and below is not each.iter)
            ):
                found.append(each)
            below = each
        return found

    def _blocks(self, node: ast.AST) -> list[tuple[list[ast.stmt], int]]:
        """Return the blocks that contain a node, the innermost first, each with the node's index in it."""
        found, below = [], node
        for each in [*self._above(node)]:
            for field in ("body", "orelse", "finalbody"):
                block = getattr(each, field, None)
                if isinstance(block, list) and below in block:
                    found.append((block, block.index(below)))
            below = each
        return found

    # One name ----------------------------------------------------------------------------------------------------

    def _problem_with(self, name: str) -> Problem | None:
        uses = [each for each in self.order if isinstance(each, ast.Name) and each.id == name]
        changes = {each: depth for each in uses if (depth := self._change(each))}
        if not changes:
            return None
        deepest = max(changes.values())
        bindings = [each for each in uses if isinstance(each.ctx, ast.Store)]
        for each in bindings:
            if not any(self._comes_later(each, change, bindings) for change in changes):
                continue
            problem = self._binding_problem(each, deepest)
            if problem is not None and not self._bound_anew(each, list(changes), bindings):
                return problem
        if name in self.source.parameters:
            for each in changes:
                if not self._bound_before(each, bindings):
                    return f"{name} cannot be changed; write {name} = list({name}) first", each.lineno
        for each, depth in changes.items():
            for value in self._values_put(each):
                if deepest > depth and not fresh(value, deepest - depth):
                    return (
                        f"{ast.unparse(value)} is stored in {name}, and may be changed there; write list(...)",
                        value.lineno,
                    )
        for each in uses:
            if isinstance(each.ctx, ast.Load):
                problem = self._use_problem(each, list(changes), bindings, deepest)
                if problem is not None:
                    return problem
        return None

    def _bound_before(self, change: ast.AST, bindings: list[ast.Name]) -> bool:
        """Return whether a name is bound on every path to a change."""
        blocks = [block for block, _ in self._blocks(change)]
        return any(
            self.order[each] < self.order[change] and any(self._statement(each) in block for block in blocks)
            for each in bindings
        )

    def _bound_anew(self, binding: ast.Name, changes: list[ast.Name], bindings: list[ast.Name]) -> bool:
        """Return whether the name is bound again on every path from this binding to a change."""
        later = [each for each in bindings if self.order[each] > self.order[binding]]
        return all(self._bound_before(each, later) for each in changes)

    def _change(self, use: ast.Name) -> int:
        """Return how deeply the list is changed here: 1 for its items, 2 for their items; 0 for no change."""
        node: ast.AST = use
        depth = 0
        parent = self.parents.get(node)
        while isinstance(parent, ast.Subscript) and parent.value is node:
            node, depth, parent = parent, depth + 1, self.parents.get(parent)
        if depth and isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            adds = isinstance(parent, ast.AugAssign) and isinstance(parent.value, (ast.List, ast.ListComp))
            return depth + adds
        if (
            isinstance(parent, ast.Attribute)
            and parent.attr in GROWING
            and isinstance(self.parents.get(parent), ast.Call)
        ):
            return depth + 1
        if isinstance(parent, ast.AugAssign) and parent.target is node and use.id in self.source.appended:
            return 1
        return 0

    def _values_put(self, use: ast.Name) -> list[ast.expr]:
        """Return the values that a change puts into a list."""
        for each in self._above(use):
            if isinstance(each, ast.Call):
                return each.args[-1:] if isinstance(each.func, ast.Attribute) and each.func.attr != "pop" else []
            if isinstance(each, ast.Assign):
                return [each.value]
            if isinstance(each, ast.AugAssign):
                return each.value.elts if isinstance(each.value, ast.List) else []
            if isinstance(each, ast.stmt):
                return []
        return []

    def _binding_problem(self, target: ast.Name, deepest: int) -> Problem | None:
        """Return the problem if the changed list does not belong to this function alone; None if it does."""
        parent = self.parents[target]
        value: ast.expr | None = None
        place: int | None = None
        if isinstance(parent, ast.Starred):
            return None  # `first, *rest = items` makes a list
        if isinstance(parent, ast.AugAssign):
            return None
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            value = parent.value
            if value is None:
                return None
            if isinstance(parent, ast.Assign) and len(parent.targets) > 1:
                value = None  # each target is another name of it
        elif isinstance(parent, (ast.Tuple, ast.List)):
            assignment = self.parents[parent]
            right = getattr(assignment, "value", None)
            if isinstance(assignment, ast.Assign) and isinstance(right, (ast.Tuple, ast.List)):
                if _is_permutation(parent.elts, right.elts):
                    return None
                if len(right.elts) == len(parent.elts):
                    value = right.elts[parent.elts.index(target)]
            elif isinstance(assignment, ast.Assign) and len(assignment.targets) == 1 and isinstance(right, ast.Call):
                value, place = right, parent.elts.index(target)
        if value is not None and fresh(value, deepest):
            return None
        if isinstance(value, CHANGEABLE) or (
            isinstance(value, ast.Call) and ast.unparse(value.func) in ("dict", "set")
        ):
            return (
                f"{target.id} is a dictionary or set that is changed, which cannot be compiled; use a list or a tuple",
                target.lineno,
            )
        if isinstance(value, ast.Call) and deepest == 1:
            self.owned.setdefault(value, []).append((target.id, place))  # seen to where the function is known
            return None
        if value is not None and deepest > 1 and fresh(value, 1):
            return (
                f"the rows of {target.id} are changed, but they may have other names; write [list(row) for row in ...]",
                target.lineno,
            )
        return (
            f"{target.id} is changed, but it may be another name for a list; write list(...) to copy it",
            target.lineno,
        )

    def _use_problem(
        self, use: ast.Name, changes: list[ast.Name], bindings: list[ast.Name], deepest: int
    ) -> Problem | None:
        node: ast.AST = use
        left, parent = deepest, self.parents.get(use)
        while isinstance(parent, ast.Subscript) and parent.value is node and left:
            node, parent = parent, self.parents.get(parent)
            left -= 0 if isinstance(node.slice, ast.Slice) and deepest > 1 else 1
            if isinstance(node.slice, ast.Slice) and deepest == 1:
                return None
        if left == 0 or use in changes:
            return None
        kind, place = self._kind_of_use(node, left)
        if kind == "nothing":
            return None
        later = [each for each in changes if self._comes_later(place, each, bindings)]
        if kind == "run through":
            loop = place
            inside = [each for each in changes if self._changes_within(loop, each)]
            if inside:
                return f"{use.id} is changed while it is iterated over; iterate over list({use.id})", use.lineno
            return None
        if not later:
            return None
        if kind == "call":
            self.risky.add(place)
            return None
        return (
            f"{use.id} is changed while another name or container also refers to it; write list({use.id}) here",
            use.lineno,
        )

    def _kind_of_use(self, node: ast.AST, left: int) -> tuple[str, Any]:
        """Return how a list is used: only read, iterated over, passed as an argument, or stored."""
        parent = self.parents[node]
        if self._inside_closure(node):
            return "kept", node
        if isinstance(parent, (ast.Compare, ast.If, ast.While, ast.Assert, ast.FormattedValue)) or (
            isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
        ):
            return "nothing", None
        if isinstance(parent, ast.IfExp) and parent.test is node:
            return "nothing", None
        if isinstance(parent, ast.For) and parent.iter is node:
            return "run through", parent
        if isinstance(parent, ast.comprehension) and parent.iter is node:
            return ("kept", node) if self._lazy(parent) else ("nothing", None)
        if isinstance(parent, (ast.BinOp, ast.Starred)) and left == 1:
            return "nothing", None
        if isinstance(parent, ast.Attribute):
            return ("nothing", None) if parent.attr in ("count", "index") or left == 1 else ("kept", node)
        if isinstance(parent, ast.Return):
            return "nothing", None
        if isinstance(parent, ast.Call) and node in parent.args:
            if isinstance(parent.func, ast.Attribute) and parent.func.attr in GROWING:
                return "kept", node
            name = parent.func.id if isinstance(parent.func, ast.Name) else ""
            if name in RUNNING:
                return self._kind_of_use(parent, left)
            if name in COPYING and (left == 1 or name in ("len", "all", "any", "bool", "isinstance")):
                return "nothing", None
            return "call", parent
        if isinstance(parent, ast.keyword):
            return "call", self.parents[parent]
        return "kept", node

    def _inside_closure(self, node: ast.AST) -> bool:
        if not self._is_inner(node):
            return False
        parent = self.parents[node]
        return not isinstance(parent, (ast.Compare, ast.Subscript))

    def _lazy(self, generator: ast.comprehension) -> bool:
        """Return whether a comprehension is evaluated later: a generator expression that is bound to a name."""
        made = self.parents[generator]
        return isinstance(made, ast.GeneratorExp) and not isinstance(
            self.parents[made], (ast.Call, ast.For, ast.comprehension, ast.Starred)
        )

    def _is_inner(self, node: ast.AST) -> bool:
        """Return whether a node is in an inner function, which may be called from anywhere."""
        return any(isinstance(each, SCOPES) and each is not self.source.node for each in self._above(node))

    def _changes_within(self, loop: ast.AST, change: ast.AST) -> bool:
        """Return whether a change may happen while a loop runs that continues afterwards."""
        if loop in self._above(change):
            return not self._leaves(change, loop)
        called = {
            each.func.id for each in ast.walk(loop) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
        }
        return self._is_inner(change) and any(self.source.stores[name] for name in called)

    # Results -----------------------------------------------------------------------------------------------------

    def returns_own(self, place: int | None) -> bool:
        """Return whether a result, or the item of a tuple that is returned, is a list that nothing else refers to."""
        returned = [each for each in self.order if isinstance(each, ast.Return) and not self._is_inner(each)]
        return bool(returned) and all(self._is_own(each.value, place) for each in returned)

    def _is_own(self, value: ast.expr | None, place: int | None) -> bool:
        if place is not None:
            if not isinstance(value, ast.Tuple) or any(isinstance(each, ast.Starred) for each in value.elts):
                return False
            value = value.elts[place] if place < len(value.elts) else None
        if not isinstance(value, ast.Name):
            return value is not None and fresh(value)
        uses = [each for each in self.order if isinstance(each, ast.Name) and each.id == value.id]
        return value.id not in self.source.parameters and all(
            (use is value or self._is_only_read(use)) if isinstance(use.ctx, ast.Load) else self._is_fresh_binding(use)
            for use in uses
        )

    def _is_only_read(self, use: ast.Name) -> bool:
        if isinstance(self.parents[use], ast.Return) or self._change(use):
            return True
        parent = self.parents[use]
        if isinstance(parent, ast.Subscript) and parent.value is use:
            return not self._is_inner(use)
        return self._kind_of_use(use, 1)[0] in ("nothing", "run through")

    def _is_fresh_binding(self, target: ast.Name) -> bool:
        parent = self.parents[target]
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            return fresh(parent.value)
        return isinstance(parent, ast.AugAssign)

    # Order -------------------------------------------------------------------------------------------------------

    def _comes_later(self, use: ast.AST, change: ast.AST, bindings: list[ast.Name]) -> bool:
        """Return whether a change may follow a use before the name is bound again."""
        if self._is_inner(change) and not self._is_inner(use):
            return True
        if any(isinstance(each, ast.Return) for each in self._above(use)):
            return False
        blocks = self._blocks(change)
        ids = [id(block) for block, _ in blocks]
        ending = None
        for block, _ in self._blocks(use):
            if id(block) in ids:
                break
            if isinstance(block[-1], (ast.Return, ast.Raise)):
                return False
            if isinstance(block[-1], (ast.Continue, ast.Break)):
                ending = block[-1]
        fresh_ones = [each for each in bindings if any(self._statement(each) in block for block, _ in blocks)]
        if self.order[change] > self.order[use] and ending is None and not self._exclusive(use, change):
            between = [e for e in fresh_ones if self.order[use] < self.order[e] < self.order[change]]
            if not between:
                return True
        loops = [each for each in self._loops(use) if each in self._loops(change)]
        for loop in loops:
            within = [e for e in fresh_ones if loop in self._loops(e) and self.order[e] < self.order[change]]
            if not within:
                return True
        return False

    def _statement(self, node: ast.AST) -> ast.AST:
        return next(each for each in (node, *self._above(node)) if isinstance(each, ast.stmt))

    def _exclusive(self, one: ast.AST, other: ast.AST) -> bool:
        """Return whether two nodes are in different branches of an `if`."""
        above = [other, *self._above(other)]
        below: ast.AST = one
        for each in self._above(one):
            if isinstance(each, ast.If) and each in above:
                mine = below in each.body
                theirs = above[above.index(each) - 1] in each.body
                test = below is each.test or above[above.index(each) - 1] is each.test
                return mine != theirs and not test
            below = each
        return False

    def _leaves(self, change: ast.AST, loop: ast.AST) -> bool:
        """Return whether the loop ends right after a change."""
        block, place = self._blocks(change)[0]
        last = block[-1]
        if isinstance(last, (ast.Return, ast.Raise)):
            return True
        return isinstance(last, ast.Break) and self._loops(last)[0] is loop and place < len(block)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes in the order of execution: an assignment's value before its target."""
    yield node
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None:
        children = [node.value, *[each for each in children if each is not node.value]]
    if isinstance(node, ast.For):
        children = [node.iter, node.target, *node.body, *node.orelse]
    for child in children:
        yield from _in_order(child)


def _is_permutation(targets: list[ast.expr], values: list[ast.expr]) -> bool:
    """Return whether an assignment only exchanges names."""
    names = [each.id if isinstance(each, ast.Name) else None for each in (*targets, *values)]
    half = len(targets)
    return None not in names and len(set(names[:half])) == half and set(names[:half]) == set(names[half:])
