"""Flat Monte Carlo search: playouts of each action, without a tree.

Sources: B. Abramson, Expected-outcome: a general model of static evaluation, IEEE Transactions on Pattern Analysis and
Machine Intelligence 12 (1990); P. Auer, N. Cesa-Bianchi and P. Fischer, Finite-time analysis of the multiarmed bandit
problem, Machine Learning 47 (2002), for UCB1.
"""

from typing import ClassVar

import attrs

from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.options import option
from ggp_search.algorithms.mcts import backpropagation, selection, simulation
from ggp_search.algorithms.random import action_at, number_of_actions, sample_outcome
from ggp_search.engine.playout_driver import PlayoutSearcher
from ggp_search.engine.search import Search
from ggp_search.engine.settings import SearchPlan
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.playout_tree import HEADER, NODE, PlayoutNode, PlayoutTree


def flat(game: AnyGame, search: Search, state: State, depth: int) -> float:
    """Play at random after each action in turn, until a limit is reached.

    Raises:
        SearchStopped: the limit of playouts is reached.
    """
    root = search.own.start
    if not root.expanded:
        search.own.expand(root, number_of_actions(game, state))
    while not root.proved:
        search.enter(state, depth, search.lowest, search.highest)
        action, child = choice(game, search, state, root)
        result = simulation(game, search, game.result(state, action), depth - 1)
        search.own.meet(result)
        backpropagation(search, child, result, child.lower, child.upper)
        backpropagation(search, root, result, root.lower, root.upper)
    return root.lower


def choice(game: AnyGame, search: Search, state: State, root: PlayoutNode) -> tuple[Action, PlayoutNode]:
    """Return the action for the next playout, and its node.

    The actions take turns; with `selection=ucb`, the action with the greatest bound (UCB1) is chosen.
    """
    if search.options.selection == "ucb" and root.visits > 0:
        return selection(game, search, state, root)
    if search.chance and game.to_move(state) == CHANCE:
        outcome, index = sample_outcome(game, search, state)
        return outcome, root.child(index)
    index = root.visits % root.number_of_children
    return action_at(game, state, index), root.child(index)


class FlatTree(PlayoutTree):
    """The tree of flat search: the root and its children."""

    def best_children(self, node: PlayoutNode, mover: int) -> list[int]:
        """Return the indexes of the children whose playouts are worth most to `mover`; none if there was no playout."""
        scale, sign = self.scale(), 1 if mover == MAX else -1
        worth = {index: sign * scale.worth(child) for index, child in enumerate(node.children()) if child.visits}
        if mover == CHANCE:
            return []
        return [index for index in worth if worth[index] == max(worth.values())]


@attrs.frozen(kw_only=True)
class Flat(PlayoutSearcher):
    """Flat Monte Carlo search: random playouts of each action; the action with the best mean wins (Abramson 1990).

    The search grows no tree, so it never finds the opponent's best replies. `selection=ucb` plays promising actions
    more often (Auer and others 2002). `nodes` counts playouts. Nothing is proved.
    """

    name: ClassVar[str] = "flat"
    recursion = staticmethod(flat)

    prior: ClassVar[int] = 0
    decisive: ClassVar[str] = "none"
    rave: ClassVar[int] = 0
    reference: ClassVar[int] = 0
    minimax: ClassVar[float] = 0
    threads: ClassVar[int] = 1
    selection: str = option("even", "how playouts are shared: evenly, or by UCB1", choices=("even", "ucb"))

    def own_reasons(self, plan: SearchPlan) -> dict[str, str]:
        """See `PlayoutSearcher`."""
        shared = "mostly to moves with good results (UCB1)" if self.selection == "ucb" else "to each move in turn"
        return super().own_reasons(plan) | {"tree": f"none: at the root, playouts go {shared}"}

    def own_memory(self, memory: Allocator) -> FlatTree:
        """Return a tree with room for the root and its children."""
        return FlatTree(ROOM, self.seed, self.exploration, self.winning)


MOST_ACTIONS = 1 << 14
ROOM = HEADER + NODE * (1 + MOST_ACTIONS)
"""Size of the memory in bytes, for the greatest number of actions that a state may have."""
