"""Events of recursions with a stored tree: Monte Carlo tree search reports its playouts, and df-pn reports its proof
numbers.
"""

from math import inf, log, sqrt

from ggp import capabilities
from ggp.game import CHANCE, MAX, Action, State
from ggp.number_text import at_least, many, number
from ggp.trace import Enter, Estimate, Event, Leaf, Leave, Note, Try
from ggp_search.constants import HUGE
from ggp_search.engine.search import Search
from ggp_search.memory.playout_tree import PlayoutNode
from ggp_search.memory.proof_numbers import INFINITE, ProofNode


def proof_told(search: Search, bound: float, node: ProofNode, best: Action | None = None) -> Leave:
    """Return the event of leaving a node. Its bounds say whether it is proved that the value is at least `bound`, or
    less.
    """
    lower, upper = bound if node.proof == 0 else -inf, search.below(bound) if node.disproof == 0 else inf
    return Leave(lower, upper, best, (f"{at_least(bound, 3)}?", *_numbers(node)))


def visit_told(
    search: Search, action: Action, state: State, depth: int, bound: float, node: ProofNode
) -> tuple[Event, ...]:
    """Return the events of a node that is looked at after `action`: a leaf shows its value, and any other node shows
    its numbers.
    """
    left: Event = proof_told(search, bound, node)
    if search.game.terminal_test(state):
        left = Leaf(search.game.utility(state, MAX), True, _numbers(node))
    elif depth == 0:
        left = Leaf(search.evaluation(state), False, _numbers(node))
    return Try(action), Enter(state, depth, bound, bound, True), left


def _numbers(node: ProofNode) -> tuple[str, ...]:
    shown = ("∞" if each == INFINITE else str(each) for each in (node.proof, node.disproof))
    return tuple(f"{name} {each}" for name, each in zip(("proof", "disproof"), shown, strict=True))


def selection_told(search: Search, state: State, action: Action) -> Try:
    """Return the event that shows the selected action; at a chance node, the sampled outcome and its probability."""
    return Try(action, dict(search.outcomes(state)).get(action) if search.game.to_move(state) == CHANCE else None)


def simulation_told(result: float) -> Estimate:
    """Return the event that shows the result of a random simulation."""
    return Estimate(f"The result of random play from here is {number(result, 3)}.")


def playout_told(
    search: Search,
    state: State,
    depth: int,
    node: PlayoutNode,
    result: float,
    above: PlayoutNode | None = None,
    parent: State = None,
) -> Leaf | Leave:
    """Return the event that shows a node after a playout through it.

    Arguments:
        result: the result of the playout.
        above, parent: the node and the state from which the playout came here; None for the root.
    """
    game = search.game
    terminal = game.terminal_test(state)
    if terminal or depth == 0:
        return Leaf(result, terminal)
    index = node.best(game.to_move(state))
    choice = None if index is None else list(game.actions(state))[index]
    lower, upper = max(node.lower, -HUGE), min(node.upper, HUGE)
    facts = (
        number(node.mean_value(), 3),
        many(playouts_of(search, node), "playout"),
        *(() if above is None else _exploration(search, node, above, search.game.to_move(parent))),
    )
    return Leave(-inf if lower == -HUGE else lower, inf if upper == HUGE else upper, choice, facts)


def _exploration(search: Search, node: PlayoutNode, above: PlayoutNode, player: int) -> tuple[str, ...]:
    """Return the bonus that UCB1 gives a node that was rarely tried. The present playout counts as a visit of the
    parent.
    """
    tree = search.own
    width = tree.exploration(tree.scale())
    if player == CHANCE or width <= 0:
        return ()
    return (f"{'+' if player == MAX else '-'} {number(width * sqrt(log(above.visits + 1) / node.visits), 3)}",)


def playouts_of(search: Search, node: PlayoutNode) -> int:
    """Return the number of playouts of a node; the `prior` playouts that its evaluation stands for do not count."""
    return max(0, node.visits - search.options.prior)


def choice_told(search: Search, state: State) -> Note | None:
    """Return a sentence about the move that the search finally chooses; None if it chooses no move."""
    game, root = search.game, search.own.root
    index = root.best(game.to_move(state))
    if index is None:
        return None
    name = capabilities.notation(game).format_action(state, list(game.actions(state))[index])
    child = root.children()[index]
    why = (
        f"it is proved to be worth {number(child.lower)}"
        if child.proved
        else f"it was tried in {playouts_of(search, child)} of them"
    )
    return Note(f"The search ends after {many(playouts_of(search, root), 'playout')}. It chooses {name}: {why}.")
