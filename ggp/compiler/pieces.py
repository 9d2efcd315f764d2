"""Pieces: a long function of closed core becomes several, since LLVM's work on one grows faster than its length.

Statements that follow each other move to a function of their own, a *piece*. The end of a function's body moves with
its returns, and takes as arguments what it reads. Statements of an inner block move if they leave no block around them
and return nothing; a piece of them returns what they assign and others read.
"""

import collections
import itertools
from bisect import bisect_left, bisect_right
from typing import TypeAlias

from ggp.compiler.core import (
    Assign,
    Atom,
    Block,
    Constant,
    Consume,
    If,
    Labelled,
    Leave,
    Local,
    Loop,
    Operation,
    Produce,
    Return,
    Statement,
    TypedFunction,
    blocks_in,
    size,
    statements_in,
)
from ggp.compiler.liveness import read
from ggp.compiler.types import BOTTOM, NONE, Tuple, Type

LONG = 10_000
"""Number of statements from which a function is cut."""
FORKED = 400
"""Number of statements that branch or may fail from which a function is cut: LLVM's work grows with them most. Of ggp's
own games and searchers none has more than 204; of Reversi in GDL, one has 3,673 statements, 116 of which branch, and is
a quarter faster whole.
"""
PIECE = 500
"""Number of statements of a piece."""


Names: TypeAlias = "collections.Counter[str]"


def cut(function: TypedFunction) -> None:
    """Move statements of a long function to pieces, which it calls."""
    is_long = size(function.body) > LONG or sum(map(_forks, statements_in(function.body))) > FORKED
    if is_long and not function.is_piece:
        _Cutter(function).cut_body()


def _forks(each: Statement) -> bool:
    """Return whether control may go two ways at a statement: checked arithmetic may fail."""
    if isinstance(each, Assign) and isinstance(each.value, Operation):
        return each.value.name == "call" or each.value.detail is True
    return isinstance(each, (If, Loop))


class _Cutter:
    """The pieces of one function."""

    def __init__(self, function: TypedFunction) -> None:
        self.function = function
        self.reads, self.stores = _names(function.body)
        self.first = dict.fromkeys(function.parameters, -1)
        """Where each variable gets its first value: the number of the statement, in the order of the text."""
        self.numbers: dict[int, int] = {}
        for number, each in enumerate(statements_in(function.body)):
            self.numbers[id(each)] = number
            for name in _names([each], inner=False)[1]:
                self.first.setdefault(name, number)
        self.count = 0

    def cut_body(self) -> None:
        """Leave the first statements of the body, which then returns what the rest does."""
        body, result = self.function.body, self.function.result
        needed: set[str] = set()
        following: Block = []
        runs = _runs(body)
        for run in reversed(runs):
            start = self.numbers[id(run[0])]
            needed |= _names(run)[0].keys()
            self._cut_inside(run)
            following = [*run, *following]
            if run is not runs[0]:
                names = sorted(name for name in needed if self.first.get(name, start) < start)
                call = self._call(names, result, following)
                atom = Local(call.target) if call.target else Constant(None, NONE)
                following = [call] if result == BOTTOM else [call, Return(atom, call.line)]
        body[:] = following

    def _cut_block(self, block: Block) -> None:
        """Move the runs of an inner block to pieces, where they can be moved."""
        if size(block) <= PIECE:
            return
        made: Block = []
        for run in _runs(block):
            moved = [] if len(run) == 1 or _leaves(run) else self._moved(run)
            if not moved:
                self._cut_inside(run)
            made += moved or run
        block[:] = made

    def _cut_inside(self, run: Block) -> None:
        for each in run:
            for inner in blocks_in(each):
                self._cut_block(inner)

    def _moved(self, run: Block) -> Block:
        """Return the call of a piece, and the assignments of what it returns; nothing if a variable may have a value
        from a statement that comes later in the text.
        """
        start, kinds = self.numbers[id(run[0])], self.function.variables
        reads, stores = _names(run)
        results = sorted(name for name in stores if self.reads[name] > reads[name])
        names = sorted(name for name in {*reads, *results} if self.first.get(name, start) < start)
        always = {each.target for each in run if isinstance(each, Assign)}
        for name in {*reads, *results}.difference(names):
            if self.stores[name] > stores[name] and (name in reads or name not in always):
                return []
        result: Type = Tuple(tuple(kinds[name] for name in results)) if results else NONE
        body = list(run)
        made: Atom = Constant(None, NONE)
        if results:
            made = Local(self._variable(result) or "")
            body.append(Assign(made.name, Operation("make", tuple(map(Local, results)))))
        call = self._call(names, result, [*body, Return(made)])
        parts = (Operation("part", (Local(call.target or ""),), index) for index in range(len(results)))
        return [call, *map(Assign, results, parts)]

    def _call(self, names: list[str], result: Type, body: Block) -> Assign:
        """Return the call of a new piece."""
        function, target = self.function, self._variable(result)
        reads, stores = _names(body)
        variables = {name: function.variables[name] for name in sorted({*names, *reads, *stores})}
        piece = TypedFunction(
            f"{function.name}_piece_{self.count}", tuple(names), variables, result, body, function.file,
            body[0].line, function.checked, is_piece=True,
        )  # fmt: skip
        return Assign(target, Operation("call", tuple(map(Local, names)), piece), piece.line)

    def _variable(self, kind: Type) -> str | None:
        """Return a new variable, or None for a value without information."""
        self.count += 1
        if kind in (NONE, BOTTOM):
            return None
        name = f"piece.{len(self.function.variables)}"
        self.function.variables[name] = kind
        return name


def _names(block: Block, inner: bool = True) -> tuple[Names, Names]:
    """Return how often statements read each variable and assign it."""
    reads: Names = collections.Counter()
    stores: Names = collections.Counter()
    for each in statements_in(block) if inner else block:
        for field in ("value", "test", "error"):
            reads.update(read(getattr(each, field, None)))
        stores.update(name for field in ("target", "caught") if (name := getattr(each, field, None)))
    return reads, stores


def _runs(block: Block) -> list[Block]:
    """Return a block in runs of at most `PIECE` statements, cut where few variables have a value that is read later."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for index, each in enumerate(block):
        reads, stores = _names([each])
        last.update(dict.fromkeys(reads, index))
        for name in stores:
            first.setdefault(name, index)
    change: collections.Counter[int] = collections.Counter()
    for name, index in first.items():
        change[index + 1] += 1
        change[last.get(name, index) + 1] -= 1
    needed = list(itertools.accumulate(change[index] for index in range(len(block) + 1)))
    """The number of variables that are read behind each place."""
    sizes = list(itertools.accumulate((size([each]) for each in block), initial=0))
    cuts = [0]
    while sizes[-1] - sizes[cuts[-1]] > PIECE:
        least = bisect_left(sizes, sizes[cuts[-1]] + PIECE // 2, cuts[-1] + 1)
        most = max(least, bisect_right(sizes, sizes[cuts[-1]] + PIECE) - 1)
        cuts.append(min(range(least, most + 1), key=lambda index: (needed[index], -index)))
    return [block[start:end] for start, end in itertools.pairwise([*cuts, len(block)]) if start < end]


def _leaves(run: Block) -> bool:
    """Return whether statements return, or leave a block or produce for one that is around them."""
    own = {each.label for each in statements_in(run) if isinstance(each, (Labelled, Loop, Consume))}
    return any(
        isinstance(each, Return) or (isinstance(each, (Leave, Produce)) and each.label not in own)
        for each in statements_in(run)
    )
