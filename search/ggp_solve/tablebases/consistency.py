"""Verify a tablebase: compare its values with the rules of the interpreted game.

The value of a position must be the best value among its successors. The value of a terminal successor is its utility;
the value of any other successor is in the tablebase. If this is true of every position, every value is exact, provided
that the numbers of positions are right. So the numbers are checked, too. A position must have the number under which it
is stored, and its form with the sides swapped must have the same number. The value stored under the number of a
successor must be the successor's own value. Otherwise, two positions share a number.
"""

import random
from collections.abc import Callable, Iterator
from itertools import accumulate

from ggp_search.tablebases.best_play import KnownValue
from ggp_search.tablebases.position_table import PositionTable
from ggp_search.tablebases.ranking import is_layered
from ggp_search.tablebases.tablebase import Tablebase

from ggp import capabilities
from ggp.capabilities import notation
from ggp.errors import TablebaseError
from ggp.game import CHANCE, MAX, AnyGame, CapableGame, State, capable

ROUNDING = 1e-9
"""Maximum rounding error of an expected value."""
TablePlace = tuple[int, int, int]
"""The place of a position: layer, section, index."""


def verify(
    base: Tablebase, sample: int | None = None, seed: int = 0, report: Callable[[int], None] = lambda checked: None
) -> list[int]:
    """Check positions of the tablebase against the rules.

    Arguments:
        sample: the number of different positions to draw at random. None, or a number as large as the tablebase, checks
            all positions.
        report: called after each position with the number of positions checked.

    Returns:
        the number of positions checked in each layer.

    Raises:
        TablebaseError: a position's value is wrong; the message names the position and its layer.
    """
    checked, draws = [0] * base.layers, random.Random(seed)
    everything = sample is None or sample >= base.count
    places = _everywhere(base) if sample is None or everything else _drawn(base, sample, draws)
    for number, (index, position) in enumerate(places, 1):
        for form in _forms(capable(base.game), position):
            check(base, index, form)
        successor = _successor(base.game, position, draws)
        if successor is not None:
            check(base, (base.ranking.layer(successor), *base.ranking.rank(successor)), successor)
        checked[index[0]] += 1
        report(number)
    return checked


def _forms(game: CapableGame, state: State) -> tuple[State, ...]:
    """Return the positions that share a number: in a game with layers, `state` and `state` with the sides swapped."""
    return (state, game.turned(state)) if is_layered(game) else (state,)


def _everywhere(base: Tablebase) -> Iterator[tuple[TablePlace, State]]:
    for layer in range(base.layers):
        for section in range(len(base.ranking.sections(layer))):
            for number, position in enumerate(base.ranking.positions(layer, section, 0)):
                yield (layer, section, number), position


def _drawn(base: Tablebase, sample: int, draws: random.Random) -> Iterator[tuple[TablePlace, State]]:
    """Yield positions drawn with equal probability, in the order in which they are stored."""
    sections = [
        (layer, section, size)
        for layer in range(base.layers)
        for section, size in enumerate(base.ranking.sections(layer))
    ]
    ends = list(accumulate(size for *_, size in sections))
    if not ends:
        return
    which, begin = 0, 0
    for drawn in sorted(draws.sample(range(ends[-1]), sample)):
        while drawn >= ends[which]:
            begin, which = ends[which], which + 1
        layer, section, _ = sections[which]
        yield (layer, section, drawn - begin), base.ranking.unrank(layer, section, drawn - begin)


class ContradictionError(TablebaseError):
    """A table contradicts the rules."""


def hold_to_rules(
    tablebase: PositionTable,
    count: int,
    sample: int | None = None,
    seed: int = 0,
    report: Callable[[int], None] = lambda checked: None,
) -> int:
    """Check positions in the table of a whole game against the rules.

    Arguments: as for `verify`; `count` is the number of positions in the table.

    Returns:
        the number of positions checked.

    Raises:
        ContradictionError: a position's value is wrong; the message names the position.
    """
    draws = random.Random(seed)
    places = range(count) if sample is None or sample >= count else sorted(draws.sample(range(count), sample))
    for number, index in enumerate(places, 1):
        state = tablebase.state(index)
        _require_number(tablebase, index, state)
        _require_value(tablebase, state)
        successor = _successor(tablebase.game, state, draws)
        if successor is not None and tablebase.look(successor) is not None:
            _require_value(tablebase, successor)
        report(number)
    return len(places)


def _successor(game: AnyGame, state: State, draws: random.Random) -> State | None:
    """Return a random successor; None if it is a terminal state, or if the position has no successor."""
    actions = capabilities.legal_actions(game, state)
    successor = game.result(state, draws.choice(actions)) if actions else None
    return None if successor is None or game.terminal_test(successor) else successor


def _require_number(tablebase: PositionTable, index: int, state: State) -> None:
    """Check that a position has the number under which it is stored."""
    game, number = tablebase.game, tablebase.find(state)
    if number != index:
        raise ContradictionError(
            f"the tablebase of {game.name} is wrong: {notation(game).format_state(state)} is stored under the number"
            f" {index:,}, and is looked up under {number:,}; `ggp check {game.name}` checks the game's numbering"
        )


def _require_value(tablebase: PositionTable, state: State) -> None:
    """Check that a position has the value of its best action."""
    known = tablebase.look(state)
    if known is None or not agrees(known, by_the_rules(tablebase, state)):
        raise ContradictionError(
            f"the tablebase of {tablebase.game.name} is wrong: {notation(tablebase.game).format_state(state)} does not"
            " have the value of its best move; remove the file, and `ggp tablebase build` builds it again"
        )


def by_the_rules(tablebase: PositionTable, state: State) -> KnownValue | None:
    """Return a state's value, computed from the values of its successors in the table.

    Return None if the table lacks a successor.
    """
    game = capable(tablebase.game)
    if game.terminal_test(state):
        worth = game.utility(state, MAX)
        return KnownValue(lower=worth, upper=worth, distance=0)
    choices = tablebase.choices(state)
    if not choices:
        return None
    if game.to_move(state) == CHANCE:
        weights = [probability for _, probability in game.outcomes(state)]
        bounds = [
            sum(weight * bound for weight, bound in zip(weights, each, strict=True))
            for each in ([choice.lower for choice in choices], [choice.upper for choice in choices])
        ]
        return KnownValue(lower=bounds[0], upper=bounds[1])
    return tablebase.preferred(state, choices)


def agrees(known: KnownValue, right: KnownValue | None) -> bool:
    """Return whether the bounds overlap, and an exact value has the right distance; endless play has no distance."""
    if right is None or known.lower > right.upper + ROUNDING or known.upper < right.lower - ROUNDING:
        return False
    decided = known.distance is not None and right.distance is not None and known.lower != 0
    return not decided or known.distance == right.distance


def check(base: Tablebase, position: TablePlace, state: State) -> None:
    """Check one position against the rules. Raises as `verify` does."""
    game: AnyGame = base.game
    rank = base.ranking.layer(state), *base.ranking.rank(state)
    if rank != position:
        raise _wrong(base, state, position[0], f"has the place {rank}, but is stored at {position}")
    unranked = base.ranking.unrank(*position)
    if (base.ranking.layer(unranked), *base.ranking.rank(unranked)) != position:
        raise _wrong(
            base,
            unranked,
            position[0],
            f"is what `unrank` returns for the place {position}, but `rank` returns another place for it",
        )
    said, right = base.value(state), worth(game, base, state)
    if said != right:
        raise _wrong(base, state, position[0], f"has the value {right:g} by the rules, but {said:g} in the tablebase")


def worth(game: AnyGame, base: Tablebase, state: State) -> float:
    """Return the value to MAX of the best action, or the utility of a terminal state."""
    if game.terminal_test(state):
        return game.utility(state, MAX)
    values = [value_of(game, base, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def value_of(game: AnyGame, base: Tablebase, state: State) -> float:
    """Return the utility of a terminal state, or the tablebase's value of any other state.

    Raises:
        TablebaseError: the tablebase does not have the state.
    """
    if game.terminal_test(state):
        return game.utility(state, MAX)
    value = base.value(state)
    if value is None:
        has = f"has layers 0 to {base.layers - 1}" if base.layers else "is empty"
        raise TablebaseError(
            f"the tablebase of {game.name} {has}, and {notation(game).format_state(state)} is of layer"
            f" {base.layer(state)}: `ggp tablebase build` builds more"
        )
    return value


def _wrong(base: Tablebase, state: State, layer: int, what: str) -> TablebaseError:
    where = notation(base.game).format_state(state)
    return TablebaseError(
        f"layer {layer} of the tablebase of {base.game.name} is wrong: {where} {what}; remove the files of this layer"
        " and those above, and `ggp tablebase build` builds them again"
    )
