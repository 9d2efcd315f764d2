"""Move ordering: the table's action first, then what the game suggests or what the children are estimated at.

`order(state, depth, choice, live)` yields the actions lazily, best first: most states are left after the first.
Equally promising actions stay in the game's own order.
"""

from collections.abc import Iterator
from typing import Any

from ggp.game import MAX
from ggp_search.parts import Compile, Numbers, Operations
from ggp_search.words import load, save

ROW = 128
"""Actions of one state that machine code can sort; more than these follow in the game's own order."""

CLOSEST = 1
"""At so many plies from the horizon, looking at each child's estimate costs more than it saves."""


def by_table(operations: Operations, numbers: Numbers, compile: Compile[Any]) -> Any:
    """The table's action first, the others in the game's own order."""
    actions, nothing = operations.actions, numbers.nothing

    @compile
    def choice_first(state: Any, choice: Any) -> Iterator[Any]:
        if choice != nothing:
            yield choice
        for action in actions(state):
            if action != choice:
                yield action

    @compile
    def order(state: Any, depth: int, choice: Any, live: Any) -> Any:
        return choice_first(state, choice)

    return order


def promise(operations: Operations, ordering: str, compile: Compile[Any]) -> Any:
    """`promise(state, action, depth)`: how promising an action is, greater is better; an integer.

    Arguments:
        ordering: "suggestion", the game's; "evaluation", the child's in units of 1/1024; by any other, all are alike.
    """
    suggest, estimate, to_move = operations.suggest, operations.evaluate, operations.to_move
    result, terminal_test, utility = operations.result, operations.terminal_test, operations.utility

    @compile
    def suggested(state: Any, action: Any, depth: int) -> int:
        return suggest(state, action)

    @compile
    def estimated(state: Any, action: Any, depth: int) -> int:
        if depth <= CLOSEST:
            return 0
        child = result(state, action)
        worth = utility(child) if terminal_test(child) else estimate(child)
        return int(1024 * worth) if to_move(state) == MAX else int(-1024 * worth)

    @compile
    def unknown(state: Any, action: Any, depth: int) -> int:
        return 0

    return {"suggestion": suggested, "evaluation": estimated}.get(ordering, unknown)


def sorted_order(operations: Operations, ordering: str) -> Any:
    """For interpreted searches: the table's action, then the others sorted by `promise`."""
    actions, worth = operations.actions, promise(operations, ordering, lambda function: function)

    def order(state: Any, depth: int, choice: Any, live: Any) -> Iterator[Any]:
        if choice is not None:
            yield choice
        ranked = [(-worth(state, action, depth), index, action) for index, action in enumerate(actions(state))]
        ranked.sort(key=_rank)
        for _, _, action in ranked:
            if choice is None or action != choice:
                yield action

    return order


def _rank(entry: tuple[int, int, Any]) -> tuple[int, int]:
    return entry[0], entry[1]


def row_order(operations: Operations, numbers: Numbers, ordering: str, compile: Compile[Any]) -> Any:
    """For machine code: the same, the best of the rest looked for when it is wanted.

    A row of words for each depth, at `live.rows`, holds promise and action; nothing is allocated. (A generator is
    handed the address, not `live`: Numba gives it a copy of a record, which costs more than the search.)
    """
    actions, nothing = operations.actions, numbers.nothing
    fill, pick = rows(operations, ordering, compile)

    @compile
    def best_first(state: Any, depth: int, choice: Any, row: int) -> Iterator[Any]:
        if choice != nothing:
            yield choice
        count = fill(state, depth, choice, row)
        for first in range(min(count, ROW)):
            yield pick(row, first, min(count, ROW))
        if count > ROW:
            kept = 0
            for action in actions(state):
                if action != choice:
                    kept += 1
                    if kept > ROW:
                        yield action

    @compile
    def order(state: Any, depth: int, choice: Any, live: Any) -> Any:
        return best_first(state, depth, choice, live.rows + 16 * ROW * depth)

    return order


def rows(operations: Operations, ordering: str, compile: Compile[Any]) -> Any:
    """`fill`, which puts the actions but `choice` into a row and counts them all; and `pick`, which takes the best.

    `pick(row, first, count)` moves the most promising of the places from `first` on to `first`, the others keeping
    their order, and answers its action.
    """
    actions, worth = operations.actions, promise(operations, ordering, compile)

    @compile
    def fill(state: Any, depth: int, choice: Any, row: int) -> int:
        count = 0
        for action in actions(state):
            if action != choice:
                if count < ROW:
                    save(row + 16 * count, worth(state, action, depth))
                    save(row + 16 * count + 8, action)
                count += 1
        return count

    @compile
    def pick(row: int, first: int, count: int) -> Any:
        best, promised = first, load(row + 16 * first)
        for place in range(first + 1, count):
            if load(row + 16 * place) > promised:
                best, promised = place, load(row + 16 * place)
        action = load(row + 16 * best + 8)
        for place in range(best, first, -1):  # those in between move up: equals stay in order
            save(row + 16 * place, load(row + 16 * place - 16))
            save(row + 16 * place + 8, load(row + 16 * place - 8))
        return action

    return fill, pick
