"""Boards: facts such as `(cell 3 4 x)` that give the content of a cell."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import attrs

from ggp.game import MAX, MIN, Player
from ggp_gdl.description import Term, format_term

FEWEST = 2
"""Minimum number of rows and of columns of a board."""
MOST = 26
"""Maximum number of rows and of columns, since letters name the columns."""
EMPTY = ("blank", "empty", "none", "clear", "nothing", "free", "e", "b", "0")
"""Contents that mean an empty cell, the most certain one first."""
CHESSMEN = {"p": "♟", "r": "♜", "n": "♞", "b": "♝", "q": "♛", "k": "♚"}
MEN = {"x": "X", "o": "O"}


@attrs.frozen
class FactBoard:
    """A board given by the facts with one functor, such as (cell 1 2 x).

    The first coordinate counts columns from the left, and the second counts rows from below, as in chess.
    """

    functor: str
    arity: int
    column: int
    """The index of the argument that gives the column."""
    row: int
    content: int
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    empty: str | None
    owners: Mapping[str, Player | None]
    """The owner of each content of a cell."""

    def cell_at(self, column: Term, row: Term) -> int | None:
        """Return the number of the cell with these coordinates; cells are counted row by row from below."""
        if column in self.columns and row in self.rows:
            return self.rows.index(row) * len(self.columns) + self.columns.index(column)
        return None

    def contents(self, state: Iterable[Term]) -> tuple[list[str], list[Term]]:
        """Return the content of each cell ("" if it is empty), and the facts that do not belong to the board."""
        marks, others = [""] * (len(self.rows) * len(self.columns)), []
        for fact in state:
            if self._is_cell(fact):
                square = self.cell_at(fact[1 + self.column], fact[1 + self.row])
                content = fact[1 + self.content]
                if square is not None and content != self.empty:
                    marks[square] = content if isinstance(content, str) else format_term(content)
            else:
                others.append(fact)
        return marks, others

    def _is_cell(self, fact: Term) -> bool:
        return isinstance(fact, tuple) and fact[0] == self.functor and len(fact) == self.arity + 1

    def where(self, move: Term) -> int | tuple[int, int] | None:
        """Return the cell that a move names by coordinates, or the cells where the move starts and ends."""
        args = move[1:] if isinstance(move, tuple) else ()
        pairs = [self.cell_at(*args[i : i + 2]) for i in range(len(args) - 1)]
        for i, start in enumerate(pairs[:-2]):
            end = pairs[i + 2]
            if start is not None and end is not None:
                return (start, end) if start != end else start
        return next((square for square in pairs if square is not None), None)

    def names_column(self, move: Term) -> bool:
        """Return whether a move names only a column, as `(drop 4)` does."""
        return isinstance(move, tuple) and len(move) == 2 and move[1] in self.columns

    def filled(self, move: Term, marks: Sequence[str], after: Iterable[Term]) -> int | None:
        """Return the cell that a move fills in the column that it names; None if the move changes anything else.

        Arguments:
            marks: the content of each cell before the move.
            after: the facts after the move.
        """
        changed = [
            cell for cell, (old, new) in enumerate(zip(marks, self.contents(after)[0], strict=True)) if old != new
        ]
        in_column = len(changed) == 1 and self.columns[changed[0] % len(self.columns)] == move[1]
        return changed[0] if in_column and not marks[changed[0]] else None

    def sign(self, content: str) -> str:
        """Return the character that shows a content of a cell."""
        owner = self.owners.get(content)
        letters = content.lower()
        if letters in MEN:
            return MEN[letters]
        if owner is not None:
            man = re.fullmatch("[wb]([prnbqk])[a-h0-9]?", letters)
            return CHESSMEN[man[1]] if man else "●" if len(letters) == 1 or len(letters) > 2 else content
        return content[:3]


def find_board(facts: Iterable[Term], roles: Sequence[str], following: Mapping[str, str]) -> FactBoard | None:
    """Return the largest board among the facts that a game may have; None if there is no board.

    Arguments:
        facts: all facts of the game that have been seen, each once.
        roles: the roles of MAX and MIN.
        following: for each word, the next word, if the description has an order.
    """
    by_functor: dict[tuple[str, int], list[tuple[str, ...]]] = defaultdict(list)
    for fact in facts:
        names = [part for part in fact if isinstance(part, str)] if isinstance(fact, tuple) else []
        if len(names) == 4 == len(fact):
            by_functor[names[0], 3].append(tuple(names[1:]))
    best: tuple[int, FactBoard | None] = (0, None)
    for (functor, arity), rows in sorted(by_functor.items()):
        for column, row, content in ((0, 1, 2), (1, 2, 0)):
            xs, ys = (ordered({each[i] for each in rows}, following) for i in (column, row))
            if not (FEWEST <= len(xs) <= MOST and FEWEST <= len(ys) <= MOST):
                continue
            contents = Counter(each[content] for each in rows)
            if len({(each[column], each[row]) for each in rows}) < len(xs) * len(ys) / 4:
                continue
            size = len(xs) * len(ys)
            if size > best[0] and len(contents) <= max(size, 8):
                empty = next(
                    (word for word in EMPTY if word in contents and not _is_piece(word, contents, roles)), None
                )
                owners = _owners([word for word in contents if word != empty], roles)
                best = size, FactBoard(functor, arity, column, row, content, xs, ys, empty, owners)
    return best[1]


def ordered(coordinates: Iterable[str], following: Mapping[str, str]) -> tuple[str, ...]:
    """Return coordinates in their order if they are numbers, single letters, or words that follow each other; otherwise
    ().
    """
    numbers = set(coordinates)
    if all(word.isdecimal() for word in numbers):
        return tuple(sorted(numbers, key=int))
    if all(len(word) == 1 and word.isalpha() for word in numbers):
        return tuple(sorted(numbers))
    if (
        all(re.fullmatch(r"[a-z]+[0-9]+", word) for word in numbers)
        and len({re.sub("[0-9]", "", w) for w in numbers}) == 1
    ):
        return tuple(sorted(numbers, key=lambda word: int(re.sub("[^0-9]", "", word))))
    starts = numbers - set(following.values())
    if len(starts) != 1:
        return ()
    chain = [starts.pop()]
    while following.get(chain[-1]) in numbers - set(chain):
        chain.append(following[chain[-1]])
    return tuple(chain) if len(chain) == len(numbers) else ()


def _is_piece(word: str, contents: Iterable[str], roles: Sequence[str]) -> bool:
    """Return whether a word such as `b` means a piece (black), and not an empty cell (blank)."""
    others = set(contents) - {word}
    return (word == "b" and "w" in others and not others & {"x", "o"}) or word in roles


def _owners(contents: Sequence[str], roles: Sequence[str]) -> dict[str, Player | None]:
    owners: dict[str, Player | None] = {}
    initials = [role[0] for role in roles]
    for content in contents:
        exact = [player for player, role in enumerate(roles) if content in (role, role[0]) or role in content]
        begun = [player for player, initial in enumerate(initials) if content.startswith(initial)]
        owner = exact[0] if len(exact) == 1 else begun[0] if len(begun) == 1 and len(set(initials)) > 1 else None
        owners[content] = owner
    if len(roles) == 2 and len(contents) == 2 and set(owners.values()) == {None}:
        return dict(zip(contents, (MAX, MIN), strict=True))
    return owners
