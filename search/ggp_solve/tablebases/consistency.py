"""Verifying: what a tablebase says of a position, against the rules of the interpreted game.

A position is worth the best that its actions lead to: to the mover, the utility of a terminal state, or what the
tablebase says of another. If that holds of every position, every value is exact.
"""

import random
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

from ggp_search.tablebases.tablebase import Tablebase

from ggp.capabilities import notation
from ggp.errors import TablebaseError
from ggp.game import MAX, Game

Place = tuple[int, int, int]
"""Of a position: layer, section, number."""


def verify(
    base: Tablebase, sample: int | None = None, seed: int = 0, report: Callable[[int], None] = lambda checked: None
) -> list[int]:
    """Hold positions of the tablebase to the rules.

    Arguments:
        sample: how many positions, drawn at random from all; None, or as many as there are, is every one.
        seed: of the draws.
        report: called with the number of positions checked, after each.

    Returns:
        how many positions of each layer were checked.

    Raises:
        TablebaseError: one is wrong; the message names it and its layer.
    """
    checked = [0] * base.layers
    places = (
        _everywhere(base)
        if sample is None or sample >= positions_of(base)
        else _drawn(base, sample, random.Random(seed))
    )
    for number, (place, position) in enumerate(places, 1):
        check(base, place, position)
        checked[place[0]] += 1
        report(number)
    return checked


def positions_of(base: Tablebase) -> int:
    """How many positions the tablebase has."""
    return sum(sum(base.ranking.sections(layer)) for layer in range(base.layers))


def _everywhere(base: Tablebase) -> Iterator[tuple[Place, Any]]:
    for layer in range(base.layers):
        for section in range(len(base.ranking.sections(layer))):
            for number, position in enumerate(base.ranking.positions(layer, section, 0)):
                yield (layer, section, number), position


def _drawn(base: Tablebase, sample: int, draws: random.Random) -> Iterator[tuple[Place, Any]]:
    """Each position with the same probability, and one after the other as they lie."""
    sections = [
        (layer, section, size)
        for layer in range(base.layers)
        for section, size in enumerate(base.ranking.sections(layer))
    ]
    ends = list(accumulate(size for *_, size in sections))
    if not ends:
        return
    which, begin = 0, 0
    for drawn in sorted(draws.randrange(ends[-1]) for _ in range(sample)):
        while drawn >= ends[which]:
            begin, which = ends[which], which + 1
        layer, section, _ = sections[which]
        yield (layer, section, drawn - begin), base.ranking.unrank(layer, section, drawn - begin)


def check(base: Tablebase, place: Place, state: Any) -> None:
    """Hold one position to the rules. Raises as `verify`."""
    game: Any = base.game
    found = base.ranking.layer(state), *base.ranking.rank(state)
    if found != place:
        raise _wrong(base, state, place[0], f"has the place {found}, and lies at {place}")
    said, right = base.value(state), worth(game, base, state)
    if said != right:
        raise _wrong(base, state, place[0], f"is worth {right:g} by the rules, and {said:g} by the tablebase")


def worth(game: Game[Any, Any], base: Tablebase, state: Any) -> float:
    """What the best action leads to, as a value to MAX."""
    values = [value_of(game, base, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def value_of(game: Game[Any, Any], base: Tablebase, state: Any) -> float:
    """The utility of a terminal state, else what the tablebase says.

    Raises:
        TablebaseError: it does not have the state.
    """
    if game.terminal_test(state):
        return game.utility(state, MAX)
    value = base.value(state)
    if value is None:
        has = f"has layers 0 to {base.layers - 1}" if base.layers else "is empty"
        raise TablebaseError(
            f"the tablebase of {game.name} {has}, and {notation(game).format_state(state)} is of layer"
            f" {base.layer(state)}: `ggp tablebase build` makes more"
        )
    return value


def _wrong(base: Tablebase, state: Any, layer: int, what: str) -> TablebaseError:
    where = notation(base.game).format_state(state)
    return TablebaseError(
        f"layer {layer} of the tablebase of {base.game.name} is wrong: {where} {what}; remove the files of this layer"
        " and those above, and `ggp tablebase build` makes them again"
    )
