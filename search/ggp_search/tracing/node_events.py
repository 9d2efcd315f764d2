"""Events of recursions with a stored tree: Monte Carlo tree search reports its playouts, df-pn its proof numbers."""

from math import inf, log, sqrt

from ggp import capabilities
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.number_text import at_least, many, number
from ggp.trace import Estimate, Leaf, Leave, Note, Try
from ggp_search.constants import HUGE
from ggp_search.engine.search import Search
from ggp_search.memory.playout_tree import PlayoutNode
from ggp_search.memory.proof_numbers import INFINITE, ProofNode


def proof_told(bound: float, below: float, node: ProofNode, best: Action | None = None) -> Leave:
    """Return the event in which a node answers whether its value is at least `bound`.

    Arguments:
        below: the greatest value less than `bound`.
    """
    lower, upper = bound if node.proof == 0 else -inf, below if node.disproof == 0 else inf
    return Leave(lower, upper, best, (f"{at_least(bound, 3)}?", *_numbers(node)))


def visit_told(search: Search, state: State, depth: int, bound: float, node: ProofNode) -> Leaf | Leave:
    """Return the event of a node that is visited: a leaf shows its value, any other node its numbers."""
    terminal = search.game.terminal_test(state)
    if terminal:
        return Leaf(search.game.utility(state, MAX), True, _numbers(node))
    if depth == 0:
        return Leaf(search.evaluation(state), False, _numbers(node))
    return proof_told(bound, search.below(bound), node)


def _numbers(node: ProofNode) -> tuple[str, ...]:
    shown = ("∞" if each == INFINITE else str(each) for each in (node.proof, node.disproof))
    return tuple(f"{name} {each}" for name, each in zip(("proof", "disproof"), shown, strict=True))


def selection_told(game: AnyGame, search: Search, state: State, action: Action) -> Try:
    """Return the action that was selected, or the outcome that was sampled with its probability."""
    return Try(action, dict(search.outcomes(state)).get(action) if game.to_move(state) == CHANCE else None)


def simulation_told(result: float) -> Estimate:
    """Return the result of a random simulation."""
    return Estimate(f"Random play from here comes to {number(result, 3)}.")


def playout_told(
    search: Search, state: State, depth: int, node: PlayoutNode, result: float, above: PlayoutNode, player: int
) -> Leaf | Leave:
    """Return the text of a node after a playout through it.

    Arguments:
        result: the result of the playout.
        above: the parent, where `player` chose this node; at the root, the root itself, and CHANCE is the player.
    """
    game = search.game
    terminal = game.terminal_test(state)
    if terminal or depth == 0:
        return Leaf(result, terminal)
    index = node.best(game.to_move(state))
    choice = None if index is None else list(game.actions(state))[index]
    lower, upper = max(node.lower, -HUGE), min(node.upper, HUGE)
    facts = (number(node.mean_value(), 3), many(node.visits, "playout"), *_exploration(search, node, above, player))
    return Leave(-inf if lower == -HUGE else lower, inf if upper == HUGE else upper, choice, facts)


def _exploration(search: Search, node: PlayoutNode, above: PlayoutNode, player: int) -> tuple[str, ...]:
    """Return the bonus of UCB1 for a node that was tried seldom, with this playout counted as a visit of the parent."""
    tree = search.own
    width = tree.exploration(tree.scale())
    if player == CHANCE or width <= 0:
        return ()
    return (f"{'+' if player == MAX else '-'} {number(width * sqrt(log(above.visits + 1) / node.visits), 3)}",)


def choice_told(game: AnyGame, state: State, root: PlayoutNode) -> Note | None:
    """Return a sentence about the move that the search finally chooses; None if it chooses none."""
    index = root.best(game.to_move(state))
    if index is None:
        return None
    name = capabilities.notation(game).format_action(state, list(game.actions(state))[index])
    child = root.children()[index]
    why = (
        f"it is proved to be worth {number(child.lower)}" if child.proved else f"it was tried in {child.visits} of them"
    )
    return Note(f"The search ends after {many(root.visits, 'playout')}. It chooses {name}: {why}.")
