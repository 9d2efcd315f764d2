"""The shadow check: new machine code is compared with the interpreted rules before it is used.

Both forms search the same states of a random game, to a depth of one or two plies, or run a few playouts with the same
seed. If there is a transposition table, they also search deep enough to use it. Both probe the tablebase. The check
runs once, and takes a few milliseconds. Code that passes is stored; code that fails is dropped, and the search runs in
the interpreter.
"""

import math
import random
import time
from collections.abc import Iterator

import attrs

from ggp.capabilities import all_actions, legal_actions
from ggp.compiler import Refused
from ggp.game import CHANCE, Action, CapableGame, State
from ggp_search.engine.engine import CompiledFormError, Engine
from ggp_search.engine.engine import interpreted as interpreted_engine
from ggp_search.engine.search import Search, SearchStopped
from ggp_search.engine.settings import SearchPlan
from ggp_search.memory.playout_tree import PlayoutNode
from ggp_search.memory.transposition_table import MIN_STORED_HEIGHT, InterpretedTable

NODES = 400
"""Maximum number of nodes of an interpreted search; deep searches are not limited by it."""
DEEP = MIN_STORED_HEIGHT + 1
"""The depth in plies at which the check uses a transposition table: results of the root and of its successors are
stored.
"""


@attrs.frozen
class Extent:
    """How much is compared."""

    seconds: float
    """Approximate limit of processor time; if the rules are slow, fewer states are compared."""
    plies: int
    """Maximum number of plies of the random game."""
    looks: int
    """Maximum number of states of the random game that are searched."""
    depths: tuple[int, ...]
    """The depths, in plies, to which these states are searched."""
    deep_nodes: int
    """Maximum number of nodes of the interpreted searches to depth `DEEP`, all together."""
    playouts: int
    """Maximum number of playouts of Monte Carlo searches."""
    seed: int | None = None
    """Seed of the random game; None: a different game each time."""


NEW = Extent(0.03, plies=200, looks=12, depths=(1, 2), deep_nodes=200, playouts=20, seed=1)
"""The extent of the check for code that was just compiled."""
STORED = Extent(0.005, plies=12, looks=3, depths=(1,), deep_nodes=40, playouts=4)
"""The extent of the check for code from the disk.

The extent is small, since the code passed the check when it was compiled. Each process checks the code again, in a
different random game, so that over time more and more of the rules is compared.
"""


class HighTable(InterpretedTable):
    """A table that holds no states near the leaves, like the table of machine code (see `CompiledTable`)."""

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        lower, upper = self.bounds(state)
        if lower >= beta or upper <= alpha or lower == upper or self.height(state, depth) < MIN_STORED_HEIGHT:
            return lower, upper, None
        return super().probe(state, depth, alpha, beta)

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        if self.height(state, depth) >= MIN_STORED_HEIGHT:
            super().store(state, depth, lower, upper, choice, work)


def reference(plan: SearchPlan, search: Search) -> Engine:
    """Return the interpreted engine with which machine code must agree, given the search object of that code."""
    settings = attrs.evolve(plan.settings, table=min(plan.settings.table, 1))
    engine = interpreted_engine(attrs.evolve(plan, settings=settings), table=HighTable)
    if search.table is not None:
        engine.search.table.meets_symmetry = search.table.meets_symmetry
    return engine


def require_agreement(
    compiled: Engine, interpreted: Engine, state: State, *, same_tree: bool = True, extent: Extent = NEW
) -> None:
    """Check that both engines find the same values for states that can follow `state`, and choose the same lines.

    A transposition table is not used near the leaves. So both engines must enter the same states near the leaves, in
    the same order. In a deep search, one table may lose results that the other keeps. So a different action is accepted
    if it has the same value.

    Arguments:
        same_tree: whether both engines must enter the same number of nodes, and choose the same actions.
        extent: how much to compare.

    Raises:
        Refused: the engines find different values, nodes or lines.
    """
    started, deep = time.thread_time(), extent.deep_nodes if interpreted.search.table is not None else 0
    # If one table has lost results, its engine searches more, and memory of the recursion's own (a history) learns from
    # that: all later searches would differ.
    if interpreted.search.own is not None:
        deep = 0
    interpreted.counter.limit, compiled.counter.limit = NODES, 100 * NODES
    try:
        played = _random_game(interpreted.search.game, state, extent)
        step = max(1, len(played) // extent.looks)
        for each in [*played[::-step], *played[-1:]]:
            for depth in extent.depths:
                _require_same_line(compiled, interpreted, each, depth, same_tree)
                if time.thread_time() - started > extent.seconds:
                    return
            if deep:
                deep = _require_same_deep(compiled, interpreted, each, deep)
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


def _grown(node: PlayoutNode) -> Iterator[tuple[float, ...]]:
    """Yield the visits, the mean result and the proved bounds of a node and of all nodes below it."""
    yield node.visits, node.mean_value(), node.lower, node.upper
    for each in node.children():
        yield from _grown(each)


def _is_close(want: tuple[float, ...], got: tuple[float, ...]) -> bool:
    return all(math.isclose(*pair, rel_tol=1e-9) for pair in zip(want, got, strict=True))


def _require_same_line(compiled: Engine, interpreted: Engine, state: State, depth: int, same_tree: bool) -> None:
    """Check that both engines find the same values and choose the same actions, state by state along the line of these
    actions.
    """
    game, line = interpreted.search.game, state
    for remaining in range(depth, 0, -1):
        action = _require_same(compiled, interpreted, line, remaining, same_tree)
        if action is None:
            return
        line = game.result(line, action)
        if game.terminal_test(line):
            return


def _require_same_deep(compiled: Engine, interpreted: Engine, state: State, nodes: int) -> int:
    """Check that both engines agree on a state when they search it, and when they find it in the table.

    Return how many of `nodes` are left.
    """
    allowed, entered = interpreted.counter.limit, interpreted.states
    interpreted.counter.limit = entered + nodes
    try:
        for _ in ("searched", "found"):
            _require_same(compiled, interpreted, state, DEEP, same_tree=False)
    except SearchStopped:
        return 0
    finally:
        used = interpreted.states - entered
        interpreted.counter.limit = allowed + used
    return nodes - used


def _require_same(compiled: Engine, interpreted: Engine, state: State, depth: int, same_tree: bool) -> Action | None:
    """Check that both engines find the same value for a state. Both engines must also choose the same action, or
    equally good actions. Return the action that the interpreted engine chooses.
    """
    name, before = interpreted.search.game.name, (interpreted.states, compiled.states)
    want, got = interpreted.value(state, depth), compiled.value(state, depth)
    entered = interpreted.states - before[0], compiled.states - before[1]
    if not math.isclose(want, got, rel_tol=1e-9) or (same_tree and entered[0] != entered[1]):
        raise Refused(
            f"machine code and the rules of {name} differ: at depth {depth} from {state!r}, the values are {got:g} and"
            f" {want:g}, after {entered[1]:,} and {entered[0]:,} states. Do the rules depend on something that changes?"
        )
    action, other = interpreted.choice(), compiled.choice()
    if action != other and (same_tree or _is_worse(interpreted, state, depth - 1, action, other)):
        raise Refused(
            f"machine code and the rules of {name} differ: at depth {depth} from {state!r}, they choose"
            f" {other!r} and {action!r}. Do the rules depend on something that changes?"
        )
    return action


def _is_worse(interpreted: Engine, state: State, depth: int, want: Action | None, got: Action | None) -> bool:
    """Return whether an action is illegal, or differs in value from the action that the interpreted search chooses."""
    game = interpreted.search.game
    if want is None or got is None:  # a table may know a value without an action
        return False
    if got not in legal_actions(game, state):
        return True
    best, chosen = (interpreted.value(game.result(state, each), depth) for each in (want, got))
    return not math.isclose(best, chosen, rel_tol=1e-9)


def _random_game(game: CapableGame, state: State, extent: Extent) -> list[State]:
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
