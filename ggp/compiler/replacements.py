"""Items of a tuple or letters of a text replaced between two slices: `board[:i] + (mark,) + board[i + 1:]`."""

import ast
import functools

from ggp.compiler.generators import Generators
from ggp.compiler.llvm_types import OVERFLOW, llvm_type
from ggp.compiler.types import BOTTOM, INT, Tuple, is_text, join
from ggp.compiler.values import Known, Pack, Val, Value


class Replacements(Generators):
    """Translates sums and tuples of slices with what stands between them."""

    def spliced(self, node: ast.BinOp) -> Value | None:
        """Return `board[:i] + (value,) + board[i + 1:]`: items of a tuple or text replaced; None for other sums."""
        terms: list[ast.expr] = [node]
        while isinstance(first := terms[0], ast.BinOp) and isinstance(first.op, ast.Add):
            terms[:1] = [first.left, first.right]
        if len(terms) < 3:
            return None
        head, tail = (ast.Starred(each, ast.Load()) for each in (terms[0], terms[-1]))
        middle = [each.elts if isinstance(each, (ast.Tuple, ast.List)) else None for each in terms[1:-1]]
        if None not in middle and is_repeatable(terms[0]):
            return self.replaced_items([head, *(each for elements in middle for each in elements or ()), tail])[0]
        sliced = terms[0]
        if not (isinstance(sliced, ast.Subscript) and isinstance(sliced.slice, ast.Slice)):
            return None
        if is_repeatable(sliced) and self.is_spelled(self.evaluate(sliced.value)):
            return self.replaced_items([head, *terms[1:-1], tail])[0]
        return None

    def replaced_items(self, elements: list[ast.expr]) -> tuple[Value | None, int]:
        """Return `*board[:i], value, *board[i + 1:]`, with which a tuple begins, and how many parts it has; or None.

        There may be more values than one: then the second slice begins as many items after the first.
        """
        count = next((i for i, each in enumerate(elements[1:]) if isinstance(each, ast.Starred)), 0)
        if not count:
            return None, 0
        slices = []
        for part in (elements[0], elements[count + 1]):
            sliced = part.value if isinstance(part, ast.Starred) else None
            if not (
                isinstance(sliced, ast.Subscript) and isinstance(sliced.slice, ast.Slice) and sliced.slice.step is None
            ):
                return None, 0
            slices.append((sliced.value, sliced.slice))
        (board, before), (same_board, after) = slices
        if before.lower is not None or before.upper is None or after.lower is None or after.upper is not None:
            return None, 0
        distance = distance_between(before.upper, after.lower)
        if ast.dump(board) != ast.dump(same_board) or not distance or not is_repeatable(elements[0]):
            return None, 0
        index = self.evaluate(before.upper)
        found = self.evaluate(board)
        if isinstance(index, Known) or not (isinstance(found, (Val, Pack)) and self.items(found) is not None):
            return None, 0
        made = self.runtime(found)
        if not is_text(made.kind) and count != distance:
            return None, 0  # a sequence of another length
        values = [self.frozen(self.evaluate(each)) for each in elements[1 : count + 1]]
        if is_text(made.kind):
            values = [letter for value in values for letter in self.letters(value)]
        if len(values) != distance:
            raise self.refuse("what is put between two slices of a text must have as many letters as were there")
        for place, value in enumerate(values):
            made = self.replaced(made, self.binary(ast.Add, index, Known(place)), value)
        return made, count + 2

    def replaced(self, board: Val, index: Value, value: Value) -> Val:
        """Return a tuple or text with one item replaced; a negative index, which slices take otherwise, fails."""
        assert isinstance(board.kind, Tuple)
        new = self.runtime(value)
        if BOTTOM in (new.kind, *board.kind.items):
            return self.bottom()
        item = functools.reduce(join, board.kind.items, new.kind)
        kind = Tuple((item,) * len(board.kind.items), str if is_text(board.kind) else None)
        made = self.converted(Val(Tuple(board.kind.items, kind.kind), board.ssa, board.address, board.borrowed), kind)
        word = self.number(self.unwrapped(self.runtime(index)), INT)
        self.fail_if(self.builder.icmp_unsigned(">=", word, self.word(len(kind.items))), OVERFLOW)
        place = self.reserve(llvm_type(kind))
        self.put(made, place)
        self.put(self.converted(new, item), self.item_address(item, place, word))
        return self.at_address(kind, place)


def is_repeatable(node: ast.expr) -> bool:
    """Return whether an expression may be evaluated twice: it calls nothing, and binds no name."""
    return not any(isinstance(each, (ast.Call, ast.NamedExpr, ast.comprehension)) for each in ast.walk(node))


def distance_between(index: ast.expr, other: ast.expr) -> int:
    """Return by how much one index is less than another: 1 for `i` and `i + 1`; 0 if it is not known."""
    (base, offset), (same_base, same_offset) = map(_base_and_offset, (index, other))
    return max(0, same_offset - offset) if ast.dump(base) == ast.dump(same_base) else 0


def _base_and_offset(index: ast.expr) -> tuple[ast.expr, int]:
    """Return `i` and 2 for `i + 2`."""
    if isinstance(index, ast.BinOp) and isinstance(index.op, (ast.Add, ast.Sub)):
        left, right = index.left, index.right
        if isinstance(index.op, ast.Add) and isinstance(left, ast.Constant):
            left, right = right, left
        if isinstance(right, ast.Constant) and type(right.value) is int:
            return left, right.value if isinstance(index.op, ast.Add) else -right.value
    return index, 0
