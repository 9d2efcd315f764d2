"""The promises of numbered layers (see `ggp.game.Layered`): a number leads back to its state, swapping the sides twice
changes nothing, and no action leads to a higher layer.
"""

import math
from collections import Counter
from typing import Final

from ggp import capabilities
from ggp.game import MAX, MIN, CapableGame, Layered, State, capable
from ggp.testing.promises import Examination
from ggp.testing.rule_promises import Observation, close

PROMISE: Final = "layers"
LISTED: Final = 400
"""Maximum number of positions that are listed to check the lowest layers."""


def check_lowest_layers(exam: Examination) -> None:
    """Check that each number of the lowest layers stands for a position of its own."""
    game = capable(exam.game)
    if not isinstance(game, Layered):
        return
    layer, left = 0, LISTED
    while 0 < (size := game.positions(layer)) <= left:
        for rank in range(size):
            _check_number(exam, layer, rank)
        layer, left = layer + 1, left - size
    exam.expect(PROMISE, size > 0 or layer, "layer 0 has {} positions", size)


def _check_number(exam: Examination, layer: int, rank: int) -> None:
    """Check that the position of a number has that number, MAX to move, and no score."""
    game = capable(exam.game)
    with exam.answering(PROMISE):
        state = game.unrank(layer, rank)
        exam.at(state)
        number = game.layer(state), game.rank(state)
        exam.expect(
            PROMISE,
            number == (layer, rank),
            "unrank returns this state for the number {} of layer {}, but its layer and number are {}",
            rank,
            layer,
            number,
        )
        if not game.terminal_test(state):
            mover = game.to_move(state)
            exam.expect(
                PROMISE, mover == MAX, "unrank returns this state, in which the player to move is {}, not MAX", mover
            )
        exam.expect(
            PROMISE,
            close(_score(game, state), 0),
            "unrank returns this state, whose score is {}, not 0",
            _score(game, state),
        )


def check_layer(exam: Examination, state: State, seen: Observation) -> None:
    """Check a state's layer, its number, and its form with the sides swapped. Also check that no action leads to a
    higher layer.
    """
    game = capable(exam.game)
    if not isinstance(exam.game, Layered):
        return
    exam.at(state)
    with exam.answering(PROMISE):
        layer, rank = game.layer(state), game.rank(state)
        exam.expect(PROMISE, type(layer) is int and layer >= 0, "the layer is {}, but must be 0 or more", layer)
        size = game.positions(layer)
        exam.expect(PROMISE, 0 <= rank < size, "the number is {}, but layer {} has {} positions", rank, layer, size)
        _check_number(exam, layer, rank)
        exam.at(state)
        _check_turned(exam, state, seen)
        _check_same_future(exam, state, game.unrank(layer, rank), seen)
        for action in seen[2]:
            after = game.layer(game.result(state, action))
            exam.at(state, action)
            exam.expect(PROMISE, after <= layer, "it leads from layer {} up to layer {}", layer, after)
        if seen[0]:
            gain = abs(seen[3] - _score(game, state))
            exam.expect(
                PROMISE,
                gain <= layer,
                "the final utility differs from the score by {}; at most {}, the number of the layer, is allowed",
                gain,
                layer,
            )


def _check_turned(exam: Examination, state: State, seen: Observation) -> None:
    """Check that swapping the sides changes the mover, the score and the values, and nothing else."""
    game = capable(exam.game)
    turned = game.turned(state)
    back = game.turned(turned)
    exam.expect(PROMISE, back == state, "`turned` gives {}, and applied to that state it gives {}", turned, back)
    places = [(game.layer(each), game.rank(each)) for each in (state, turned)]
    exam.expect(
        PROMISE,
        places[0] == places[1],
        "`turned` gives {}, which has the number {} and not {}",
        turned,
        places[1],
        places[0],
    )
    here, there = _score(game, state), _score(game, turned)
    exam.expect(PROMISE, close(here, -there), "the score is {}, and after `turned` it is {}", here, there)
    over = game.terminal_test(turned)
    exam.expect(PROMISE, over == seen[0], "`turned` gives {}, and only one of the two states is terminal", turned)
    if not over:
        mover = game.to_move(turned)
        exam.expect(
            PROMISE,
            {mover, seen[1]} == {MAX, MIN},
            "`turned` gives {}, in which {} is to move, as before",
            turned,
            mover,
        )


def _check_same_future(exam: Examination, state: State, numbered: State, seen: Observation) -> None:
    """Check that a state and the position that has its number have the same future for the player to move."""
    game = capable(exam.game)
    if not seen[0] and not game.terminal_test(numbered):
        here, there = _future(game, state), _future(game, numbered)
        exam.expect(
            PROMISE, here == there, "the state has the same number as {}, whose actions lead elsewhere", numbered
        )


def _future(game: CapableGame, state: State) -> Counter[object]:
    """Return the numbers of the successors, with what each gains for the player who moves."""
    side = 1 if game.to_move(state) == MAX else -1
    future: Counter[object] = Counter()
    for action in game.actions(state):
        child = game.result(state, action)
        over = game.terminal_test(child)
        worth = game.utility(child, MAX) if over else _score(game, child)
        stays = over or game.to_move(child) == game.to_move(state)
        future[over, stays, game.layer(child), game.rank(child), round(side * (worth - _score(game, state)), 9)] += 1
    return future


def _score(game: CapableGame, state: State) -> float:
    score: float = game.score(state) if capabilities.method_of(game, "score") else 0
    return score if math.isfinite(score) else 0
