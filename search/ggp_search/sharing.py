"""Threads that share one search: each runs the whole of it, over one table, and leaves to later what another is at.

All threads go down a state's first action together. Of the others, one that another thread is searching at the
moment is put off until the rest is done: by then, the table knows it. What is being searched is noted in a small
array of hashes, `live.busy`; a wrong or a lost note costs time, never a value.

Source: T. Kerrigan, Simplified ABDADA (2017), after J.-C. Weill, The ABDADA distributed minimax search algorithm,
ICCA Journal 19(1) (1996).
"""

import threading
from collections.abc import Iterator
from typing import Any

from ggp_search.ordering import ROW, rows
from ggp_search.parts import Compile, Numbers, Operations
from ggp_search.words import load, mix, save, spread

SHARED_FROM = 5
"""The height from which an action is worth a note; nearer to the horizon they are soon done."""

BUSY = 1 << 12
"""Notes that there is room for."""

HELPED_FROM = 8
"""Plies to look ahead from which a search is worth more than one thread."""


def run(code: Any, position: tuple[int, ...], arguments: tuple[Any, ...], live: Any, helpers: list[Any]) -> Any:
    """What `code` answers with `live`, while `helpers` run the same; their counts go to `live`."""
    if not helpers:
        return code(position, arguments, live)
    for helper in helpers:
        helper.limit, helper.generation = live.limit, live.generation
    threads = [threading.Thread(target=code, args=(position, arguments, helper), daemon=True) for helper in helpers]
    for thread in threads:
        thread.start()
    try:
        return code(position, arguments, live)
    finally:
        for helper in helpers:
            helper.limit = 0
        for thread in threads:
            thread.join()
        for helper in helpers:
            for name in COUNTS:
                setattr(live, name, getattr(live, name) + getattr(helper, name))
                setattr(helper, name, 0)


COUNTS = ("nodes", "leaves", "estimates", "cutoffs", "table_hits")


def shared(
    operations: Operations, numbers: Numbers, ordering: str, memory: Any, height: Any, compile: Compile[Any]
) -> Any:
    """The hooks `order`, as `ggp_search.ordering.row_order` makes it, and `(probe, store)`, for threads that share."""
    actions, key, nothing = operations.actions, operations.key, numbers.nothing
    fill, pick = rows(operations, ordering, compile)
    probe, store_one = memory

    @compile
    def name(state: Any, action: Any) -> int:
        hashed = 1
        for word in key(state):
            hashed = mix(hashed, word)
        return mix(hashed, action) | 1

    @compile
    def best_first(state: Any, depth: int, choice: Any, row: int, busy: int, is_low: bool) -> Iterator[Any]:
        if choice != nothing:
            yield choice
        count, waiting = fill(state, depth, choice, row), 0
        for first in range(min(count, ROW)):
            action = pick(row, first, min(count, ROW))
            if is_low or (first == 0 and choice == nothing):
                yield action
            else:
                named = name(state, action)
                slot = busy + 8 * spread(named, BUSY)
                if load(slot) == named:  # another thread is at it
                    save(row + 16 * waiting + 8, action)
                    waiting += 1
                else:
                    save(slot, named)
                    yield action
                    save(slot, 0)
        for place in range(waiting):
            yield load(row + 16 * place + 8)
        if count > ROW:
            kept = 0
            for action in actions(state):
                if action != choice:
                    kept += 1
                    if kept > ROW:
                        yield action

    @compile
    def order(state: Any, depth: int, choice: Any, live: Any) -> Any:
        is_low = height(state, depth, live) < SHARED_FROM
        return best_first(state, depth, choice, live.rows + 16 * ROW * depth, live.busy, is_low)

    @compile
    def store(state: Any, depth: int, lower: Any, upper: Any, choice: Any, live: Any) -> None:
        store_one(state, depth, lower, upper, choice, live)
        if choice != nothing and height(state, depth, live) >= SHARED_FROM:  # after a cutoff, the note is still there
            named = name(state, choice)
            slot = live.busy + 8 * spread(named, BUSY)
            if load(slot) == named:
                save(slot, 0)

    return order, (probe, store)
