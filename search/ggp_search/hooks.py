"""The hooks of a plain search, which do next to nothing, and how all hooks are put together.

Every factory takes a `compile` decorator, so that the hooks too are one source for two speeds.
"""

from typing import Any

from ggp_search.parts import Compile, Numbers, Operations, Parts, SearchStopped
from ggp_search.words import bits_of, load, save, value_of


def assemble(operations: Operations, numbers: Numbers, memory: Any, order: Any, notes: Any, compile: Any) -> Parts:
    """The parts of a recursion.

    Arguments:
        memory: the hooks `(probe, store)`, as `no_memory` makes them.
        order: the hook `order`, as `game_order` makes it.
        notes: the hooks `(note, recall)`.
    """
    visit, utility, evaluate = _counting(operations, compile)
    probe, store = memory
    note, recall = notes
    return Parts(
        to_move=operations.to_move,
        result=operations.result,
        terminal_test=operations.terminal_test,
        outcomes=operations.outcomes,
        bounds=operations.bounds,
        utility=utility,
        evaluate=evaluate,
        visit=visit,
        probe=probe,
        store=store,
        order=order,
        note=note,
        recall=recall,
        above=compile(numbers.above),
        below=compile(numbers.below),
        lowest=numbers.lowest,
        highest=numbers.highest,
        nothing=numbers.nothing,
    )


def _counting(operations: Operations, compile: Compile[Any]) -> Any:
    """`visit`, and the leaves' values with a count of the leaves."""
    exact, estimate = operations.utility, operations.evaluate

    @compile
    def visit(state: Any, depth: int, alpha: float, beta: float, live: Any) -> None:
        if live.nodes >= live.limit:
            raise SearchStopped
        live.nodes += 1

    @compile
    def utility(state: Any, live: Any) -> float:
        live.leaves += 1
        return exact(state)

    @compile
    def evaluate(state: Any, live: Any) -> float:
        live.leaves += 1
        live.estimates += 1
        return estimate(state)

    return visit, utility, evaluate


def no_memory(numbers: Numbers, compile: Compile[Any]) -> Any:
    """`probe` that knows nothing, and `store` that keeps only the best action of the state left last."""
    lowest, highest, nothing = numbers.lowest, numbers.highest, numbers.nothing

    @compile
    def probe(state: Any, depth: int, alpha: float, beta: float, live: Any) -> tuple[float, float, Any]:
        return lowest, highest, nothing

    @compile
    def store(state: Any, depth: int, lower: float, upper: float, choice: Any, live: Any) -> None:
        live.choice = choice

    return probe, store


def bounds_only(operations: Operations, numbers: Numbers, compile: Compile[Any]) -> Any:
    """`probe` that knows the game's bounds (futility cuts), and `store` as in `no_memory`."""
    bounds, nothing = operations.bounds, numbers.nothing
    _, store = no_memory(numbers, compile)

    @compile
    def probe(state: Any, depth: int, alpha: float, beta: float, live: Any) -> tuple[float, float, Any]:
        lower, upper = bounds(state)
        return lower, upper, nothing

    return probe, store


def game_order(operations: Operations, compile: Compile[Any]) -> Any:
    """`order` that is the game's own."""
    actions = operations.actions

    @compile
    def order(state: Any, depth: int, choice: Any, live: Any) -> Any:
        return actions(state)  # not generated again: that would cost more than all the rest

    return order


def dictionary_notes() -> Any:
    """`note` and `recall` for interpreted searches."""

    def note(depth: int, index: int, lower: float, upper: float, live: Any) -> None:
        live.notes[depth, index] = lower, upper

    def recall(depth: int, index: int, live: Any) -> Any:
        return live.notes[depth, index]

    return note, recall


def word_notes(compile: Compile[Any]) -> Any:
    """`note` and `recall` in machine words: a row of `NOTES` pairs for each depth, at `live.notes`."""

    @compile
    def note(depth: int, index: int, lower: float, upper: float, live: Any) -> None:
        if index >= NOTES:
            raise OverflowError
        save(live.notes + 16 * (depth * NOTES + index), bits_of(lower))
        save(live.notes + 16 * (depth * NOTES + index) + 8, bits_of(upper))

    @compile
    def recall(depth: int, index: int, live: Any) -> Any:
        return (
            value_of(load(live.notes + 16 * (depth * NOTES + index))),
            value_of(load(live.notes + 16 * (depth * NOTES + index) + 8)),
        )

    return note, recall


NOTES = 64
"""Outcomes of one chance node that machine code can keep notes of; a game with more runs interpreted."""
