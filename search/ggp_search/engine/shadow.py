"""The shadow check: new machine code is compared with the interpreted rules before it is used.

Both search the same states along a random game, to a depth of one or two plies, or run a few playouts with the same
seed. This takes a few milliseconds, once.
Code that passes is stored; code that fails is dropped, and the game is searched interpreted.
"""

import math
import random
import time
from collections.abc import Iterator
from typing import Any

import attrs

from ggp.capabilities import all_actions, legal_actions
from ggp.compiler import Refused
from ggp.game import CHANCE, Action, AnyGame, State
from ggp_search.engine.engine import CompiledFormError, Engine
from ggp_search.engine.search import SearchStopped

NODES = 400
"""Maximum number of nodes of the interpreted searches."""


@attrs.frozen
class Extent:
    """How much is compared."""

    seconds: float
    """Approximate limit of processor time; if the rules are slow, fewer states are compared."""
    plies: int
    """Maximum number of plies of the random game."""
    looks: int
    """Maximum number of states of that game that are searched."""
    depths: tuple[int, ...]
    """The depths of these searches in plies."""
    playouts: int
    """Maximum number of playouts of Monte Carlo searches."""
    seed: int | None = None
    """Seed of the random game; None: another game each time."""


NEW = Extent(0.03, plies=200, looks=12, depths=(1, 2), playouts=20, seed=1)
"""For code that was compiled now."""
STORED = Extent(0.005, plies=12, looks=3, depths=(1,), playouts=4)
"""For code from the disk, which passed the check when it was compiled: a sample, since each process takes it. Each
looks at another game, so that in time more of the rules is compared than any one could afford.
"""


def require_agreement(
    compiled: Engine, interpreted: Engine, state: State, *, same_tree: bool, extent: Extent = NEW
) -> None:
    """Check that both engines find the same values for states that can follow `state`.

    Arguments:
        same_tree: whether they must also enter the same number of nodes, and choose the same line of actions. Without
            a table this is so; an order of actions that differs shows in either. With one, the actions that they choose
            may differ, if they are worth the same.
        extent: how much to compare.

    Raises:
        Refused: the engines find different values, nodes or lines.
    """
    started = time.thread_time()
    interpreted.counter.limit, compiled.counter.limit = NODES, 100 * NODES
    try:
        played = _random_game(interpreted.search.game, state, extent)
        step = max(1, len(played) // extent.looks)
        for each in [*played[::-step], *played[-1:]]:
            for depth in extent.depths:
                want = interpreted.value(each, depth), interpreted.states
                got = compiled.value(each, depth), compiled.states
                if not math.isclose(want[0], got[0], rel_tol=1e-9) or (same_tree and want[1] != got[1]):
                    _refuse(interpreted.search.game, each, depth, want, got)
                _require_same_line(compiled, interpreted, each, depth, same_tree)
                if time.thread_time() - started > extent.seconds:
                    return
    except Refused:
        raise
    except (SearchStopped, CompiledFormError):
        return  # enough was compared; or machine code says itself that it cannot go on
    except Exception:
        return  # the rules fail, as the search itself will say


def require_same_playouts(compiled: Engine, interpreted: Engine, state: State, *, extent: Extent = NEW) -> None:
    """Check that both engines grow the same tree in their first playouts from `state`.

    Raises:
        Refused: the visits, the results or the proved bounds of a node differ.
    """
    if interpreted.search.game.terminal_test(state):
        return
    started, playouts = time.thread_time(), 0
    while playouts < extent.playouts and time.thread_time() - started < extent.seconds:
        playouts += 1
        for engine in (interpreted, compiled):
            engine.counter.limit = playouts
            try:
                engine.value(state, extent.plies)
            except SearchStopped:
                pass  # it has played them
            except Exception:
                return  # machine code cannot go on, or the rules fail, as the search itself will say
    want, got = (list(_grown(engine.search.own.root)) for engine in (interpreted, compiled))
    if len(want) != len(got) or not all(map(_is_close, want, got)):
        raise Refused(
            f"machine code and the rules of {interpreted.search.game.name} differ: after {playouts} playouts from"
            f" {state!r} the trees are not the same. Do the rules depend on something that changes?"
        )


def _grown(node: Any) -> Iterator[tuple[float, ...]]:
    """Yield the visits, the mean result and the proved bounds of a node and of all below it."""
    yield node.visits, node.mean_value(), node.lower, node.upper
    for each in node.children():
        yield from _grown(each)


def _is_close(want: tuple[float, ...], got: tuple[float, ...]) -> bool:
    return all(math.isclose(*pair, rel_tol=1e-9) for pair in zip(want, got, strict=True))


def _require_same_line(compiled: Engine, interpreted: Engine, state: State, depth: int, same_tree: bool) -> None:
    """Check that both engines choose the same actions, or equally good ones, from a state that both have searched."""
    game, line = interpreted.search.game, state
    for remaining in range(depth - 1, -1, -1):
        want, got = interpreted.choice(), compiled.choice()
        if want != got and (same_tree or _is_worse(interpreted, line, remaining, want, got)):
            raise Refused(
                f"machine code and the rules of {game.name} differ: {depth} plies from {state!r} they choose"
                f" {got!r} and {want!r} in {line!r}. Do the rules depend on something that changes?"
            )
        if want is None or not remaining:
            return
        line = game.result(line, want)
        if game.terminal_test(line):
            return
        for engine in (interpreted, compiled):
            engine.value(line, remaining)


def _is_worse(interpreted: Engine, state: State, depth: int, want: Action | None, got: Action | None) -> bool:
    """Return whether an action is illegal, or has another value than the one that the interpreted search chooses."""
    game = interpreted.search.game
    if want is None or got is None:  # a table may know a value without an action
        return False
    if got not in legal_actions(game, state):
        return True
    best, chosen = (interpreted.value(game.result(state, each), depth) for each in (want, got))
    return not math.isclose(best, chosen, rel_tol=1e-9)


def _refuse(game: AnyGame, state: State, depth: int, want: tuple[float, int], got: tuple[float, int]) -> None:
    raise Refused(
        f"machine code and the rules of {game.name} differ: {depth} plies from {state!r} the value is {got[0]:g} and"
        f" {want[0]:g}, after {got[1]:,} and {want[1]:,} states. Do the rules depend on something that changes?"
    )


def _random_game(game: Any, state: State, extent: Extent) -> list[State]:
    """Return the states of a random game, except the last one."""
    dice = random.Random(extent.seed)
    played: list[State] = []
    while len(played) < extent.plies and not game.terminal_test(state):
        played.append(state)
        if game.to_move(state) == CHANCE:
            actions = [action for action, _ in game.outcomes(state)]
        else:
            actions = list(all_actions(game, state))
        state = game.result(state, dice.choice(actions))
    return played
