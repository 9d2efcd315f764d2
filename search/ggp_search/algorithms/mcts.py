"""Monte Carlo tree search in its four phases: selection, expansion, simulation, backpropagation.

Sources: L. Kocsis and C. Szepesvari, Bandit based Monte-Carlo planning, ECML 2006 (UCT); C. Browne and others, A survey
of Monte Carlo tree search methods, IEEE Transactions on Computational Intelligence and AI in Games 4 (2012), for the
phases; T. Cazenave and A. Saffidine, Score bounded Monte-Carlo tree search, Computers and Games 2010, for proved
bounds; S. Gelly and D. Silver, Combining online and offline knowledge in UCT, ICML 2007, for priors and for all moves
as first (RAVE); T. Cazenave, Generalized rapid action value estimation, IJCAI 2015 (GRAVE); M. Lanctot and others,
Monte Carlo tree search with heuristic evaluations using implicit minimax backups, Computational Intelligence and Games
2014; G. Chaslot, M. Winands and H. J. van den Herik, Parallel Monte-Carlo tree search, Computers and Games 2008, for
virtual losses; F. Teytaud and O. Teytaud, On the huge benefit of decisive moves in Monte-Carlo tree search algorithms,
Computational Intelligence and Games 2010.
"""

from collections.abc import Callable, Iterator
from math import inf, log, sqrt
from typing import ClassVar, Self

import attrs

from ggp.capabilities import evaluations
from ggp.compiler.intrinsics import spread
from ggp.frozen_games import frozen_play
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, Bounded, State
from ggp.number_text import many
from ggp.options import option
from ggp.searcher import Limits
from ggp.trace import Enter, Event
from ggp_search.algorithms.random import action_at, number_of_actions, random_share, sample_outcome
from ggp_search.constants import HUGE
from ggp_search.engine.playout_driver import KeptTree, PlayoutSearcher
from ggp_search.engine.search import Search, SearchStopped
from ggp_search.engine.settings import SearchPlan
from ggp_search.learned.weights_path import shipped_path
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.playout_tree import PlayoutNode, PlayoutTree, Scale
from ggp_search.tracing import tracer
from ggp_search.tracing.node_events import choice_told, playout_told, selection_told, simulation_told


def mcts(game: AnyGame, search: Search, state: State, depth: int) -> float:
    """Play out from `state` until its value is proved, and return that value.

    After `depth` plies a state counts as a leaf whose value is its estimate, both in the tree and in simulations. So
    the proved value is the minimax value at that depth.

    Raises:
        SearchStopped: the limit of playouts is reached.
    """
    root = search.own.start
    if search.options.prior > 0 and root.visits == 0:
        search.own.count(root, search.glance(state), search.options.prior)  # as for every other node
    while not root.proved:
        search.enter(state, depth, search.lowest, search.highest)
        result = playout(game, search, state, root, depth)
        search.told(playout_told, search, state, depth, root, result)
        search.own.meet(result)
    return root.lower


def playout(game: AnyGame, search: Search, state: State, node: PlayoutNode, depth: int) -> float:
    """Run one playout from `state`, whose node is `node`. Return the result of the playout, or the value if it is
    proved.
    """
    search.told(Enter, state, depth, -inf, inf, True)
    lower, upper = node.lower, node.upper
    result = lower
    if lower < upper:
        if game.terminal_test(state):
            result = search.utility(state)
            lower, upper = result, result
        elif (
            search.tablebase is not None and node.address != search.own.start.address and search.tablebase.holds(state)
        ):
            # Not at the root, which needs an action.
            result = search.known(state)
            lower, upper = result, result
        elif depth == 0:
            result = search.evaluate(state)
            lower, upper = result, result
        elif node.visits <= search.options.prior:
            # The first visit only simulates: most nodes are visited once, and their children would fill the tree.
            least, greatest = search.bounds(state)
            lower, upper = max(lower, least), min(upper, greatest)
            result = simulation(game, search, state, depth)
        elif not expansion(game, search, state, node):
            result = simulation(game, search, state, depth)
        else:
            action, child = selection(game, search, state, node)
            search.told(selection_told, search, state, action)
            low, high = child.lower, child.upper
            tried = child.visits > search.options.prior
            hoped = child.mean_value()
            successor = game.result(state, action)
            loss = virtual_loss(search, child, game.to_move(state))
            result = playout(game, search, successor, child, depth - 1)
            if loss != 0:
                search.own.expect(child, -loss)
            search.told(playout_told, search, successor, depth - 1, child, result, node, state)
            if search.options.rave > 0:
                all_moves_as_first(game, search, state, node, action, result)
            if search.options.minimax > 0 and child.expanded:
                node.set_estimate(child, minimax_backup(game, search, successor, child))
            # The bounds of this node can only change if those of the child have. Another thread may have lost such a
            # change.
            if child.lower != low or child.upper != high or (search.options.threads > 1 and child.proved):
                least, greatest = proved(game, search, state, node)
                lower, upper = max(lower, least), min(upper, greatest)
            # A proved bound may beat the mean of the child that was tried. Then the mover would have played the proved
            # action: count the bound, not the playout.
            if tried and game.to_move(state) == MAX and hoped < lower:
                result = lower
            elif tried and game.to_move(state) == MIN and hoped > upper:
                result = upper
    return backpropagation(search, node, result, lower, upper)


def selection(game: AnyGame, search: Search, state: State, node: PlayoutNode) -> tuple[Action, PlayoutNode]:
    """Return an untried action, or the one with the greatest upper confidence bound (UCB1), and the child's node.

    Actions that cannot exceed the proved bound are skipped. If CHANCE moves, an outcome is sampled.
    """
    if search.chance and game.to_move(state) == CHANCE:
        outcome, index = sample_outcome(game, search, state)
        return outcome, node.child(index)
    if search.options.decisive != "none" and node.visits == search.options.prior + 1:
        # The children are new: if one of them wins at once, it is tried first.
        index = winning_index(game, state)
        if index >= 0:
            return action_at(game, state, index), node.child(index)
    mover = game.to_move(state)
    sign = 1 if mover == MAX else -1
    secured = node.bound(sign)
    if search.options.rave > 0 and 0 < search.options.reference <= node.visits:
        for index, action in enumerate(game.actions(state)):
            search.own.refer(action, mover, search.nodes, node.as_first(index))
    # UCB1 assumes results between 0 and 1, so exploration is scaled by the span of the results seen so far.
    scale = search.own.scale()
    width, share = search.own.exploration(scale), log(node.visits)
    best = -HUGE
    for index, action in enumerate(game.actions(state)):
        child = node.child(index)
        # A child that cannot exceed the proved bound of this node never needs another playout.
        if sign * child.bound(-sign) > sign * secured:
            first = first_moves(search, node, index, action, mover)
            if child.visits == 0 and (search.options.rave == 0 or first.visits == 0):
                return action, child
            worth = mean_value(search, scale, child, first)
            if search.options.minimax > 0:
                estimate = search.own.weigh(node.estimate(index))
                worth = (1 - search.options.minimax) * worth + search.options.minimax * estimate
            ucb = sign * worth + width * sqrt(share / max(1, child.visits))
            if ucb > best:
                chosen, chosen_index, best = action, index, ucb
    if best == -HUGE:  # another thread has proved the node meanwhile
        return action_at(game, state, 0), node.child(0)
    return chosen, node.child(chosen_index)


def first_moves(search: Search, node: PlayoutNode, index: int, action: Action, mover: int) -> PlayoutNode:
    """Return the node that counts the playouts in which an action was played, here or later (GRAVE).

    The counting node belongs to `node`. If `node` has too few playouts yet, the counting node belongs to the nearest
    ancestor with enough playouts.
    """
    if search.options.rave == 0:
        return node
    own = node.as_first(index)
    if search.options.reference == 0 or node.visits >= search.options.reference:
        return own
    return search.own.reference(action, mover, search.nodes, own)


def mean_value(search: Search, scale: Scale, child: PlayoutNode, first: PlayoutNode) -> float:
    """Return the mean value of a child's playouts; with RAVE, also of playouts in which its action was played later."""
    if search.options.rave == 0 or first.visits == 0:
        return scale.worth(child)
    worth = scale.worth(first)
    if child.visits == 0:
        return worth
    weight = sqrt(search.options.rave / (3 * child.visits + search.options.rave))
    return (1 - weight) * scale.worth(child) + weight * worth


def virtual_loss(search: Search, child: PlayoutNode, mover: int) -> float:
    """Count a loss for the mover when a playout begins, so that other threads try other moves; return this loss."""
    if search.options.threads == 1 or mover == CHANCE or child.visits > FEW_VISITS:
        return 0.0
    loss = -1.0 if mover == MAX else 1.0
    search.own.expect(child, loss)
    return loss


def expansion(game: AnyGame, search: Search, state: State, node: PlayoutNode) -> bool:
    """Add the node's children to the tree if there is room; return whether the node has children.

    With a prior, each child begins with some playouts, and the child's evaluation is their result. The evaluation is
    also the child's estimate.
    """
    if node.expanded:
        return True
    if not search.own.expand(node, number_of_actions(game, state)):
        return False
    if search.options.prior > 0 or search.options.minimax > 0:
        for index, action in enumerate(game.actions(state)):
            estimate = search.glance(game.result(state, action))
            if search.options.prior > 0:
                search.own.count(node.child(index), estimate, search.options.prior)
            if search.options.minimax > 0:
                node.set_estimate(node.child(index), estimate)
    return True


def simulation(game: AnyGame, search: Search, state: State, depth: int) -> float:
    """Return the utility of one random play from `state`. If the play is cut off, return the evaluation of its last
    state.

    Raises:
        SearchStopped: the time is over; one random play by interpreted rules may take many seconds.
    """
    left = min(depth, search.options.cutoff)
    while left > 0 and not game.terminal_test(state):
        if search.limit <= 0:
            raise SearchStopped
        if search.tablebase is not None and search.tablebase.holds(state):
            return search.known(state)
        if search.chance and game.to_move(state) == CHANCE:
            action, _ = sample_outcome(game, search, state)
        else:
            action = playout_action(game, search, state)
            if search.options.rave > 0:
                search.own.play(action, game.to_move(state), search.nodes)
        state = game.result(state, action)
        left -= 1
    if search.options.cutoff < depth:
        search.leaves += 1
        result = search.glance(state)
    else:
        result = search.utility(state) if game.terminal_test(state) else search.evaluate(state)
    search.told(simulation_told, result)
    return result


def backpropagation(search: Search, node: PlayoutNode, result: float, lower: float, upper: float) -> float:
    """Count a playout and the proved bounds of the node; return the result for the parent to count."""
    node.prove(lower, upper)
    if lower >= upper:
        result = lower
    search.own.count(node, result)
    return result


def minimax_backup(game: AnyGame, search: Search, state: State, node: PlayoutNode) -> float:
    """Return the estimate of a node, computed by minimax from the estimates of its children."""
    mover = game.to_move(state)
    if mover == CHANCE:
        mean = 0.0
        for index, (_, probability) in enumerate(search.outcomes(state)):
            mean += probability * node.estimate(index)
        return mean
    best = node.estimate(0)
    for index in range(1, node.number_of_children):
        best = max(best, node.estimate(index)) if mover == MAX else min(best, node.estimate(index))
    return best


def all_moves_as_first(
    game: AnyGame, search: Search, state: State, node: PlayoutNode, action: Action, result: float
) -> None:
    """Count a playout for each action that the node's mover has played, in the node or later in the playout."""
    mover = game.to_move(state)
    if mover != CHANCE:
        search.own.play(action, mover, search.nodes)
        for index, other in enumerate(game.actions(state)):
            if search.own.was_played(other, mover, search.nodes):
                search.own.count(node.as_first(index), result)


def proved(game: AnyGame, search: Search, state: State, node: PlayoutNode) -> tuple[float, float]:
    """Return the bounds of a node's value that result from its children's bounds."""
    mover = game.to_move(state)
    if mover == CHANCE:
        lower, upper = 0.0, 0.0
        for index, (_, probability) in enumerate(search.outcomes(state)):
            lower += probability * node.child(index).lower
            upper += probability * node.child(index).upper
        return lower, upper
    lower, upper = node.child(0).lower, node.child(0).upper
    for index in range(1, node.number_of_children):
        child = node.child(index)
        if mover == MAX:
            lower, upper = max(lower, child.lower), max(upper, child.upper)
        else:
            lower, upper = min(lower, child.lower), min(upper, child.upper)
    return lower, upper


def playout_action(game: AnyGame, search: Search, state: State) -> Action:
    """Return a random action, or one that the game suggests.

    With the option `decisive`, a decisive action is preferred: one that wins at once, or else one that prevents such a
    win of the opponent.
    """
    if search.options.decisive != "none":
        index = winning_index(game, state)
        if index >= 0:
            return action_at(game, state, index)
    start = playout_index(game, search, state)
    if search.options.decisive == "both":
        count = number_of_actions(game, state)
        for turn in range(start, start + count):
            index = turn if turn < count else turn - count
            child = game.result(state, action_at(game, state, index))
            lost = not game.terminal_test(child) and game.to_move(child) == 1 - game.to_move(state)
            if not (lost and winning_index(game, child) >= 0):
                return action_at(game, state, index)
    return action_at(game, state, start)


def winning_index(game: AnyGame, state: State) -> int:
    """Return the index of the first action that wins at once for the mover; -1 if there is none."""
    sign = 1 if game.to_move(state) == MAX else -1
    for index, action in enumerate(game.actions(state)):
        child = game.result(state, action)
        if game.terminal_test(child) and sign * game.utility(child, MAX) > 0:
            return index
    return -1


def playout_index(game: AnyGame, search: Search, state: State) -> int:
    """Return the index of an action that the game suggests, with the probability `suggested`, or of a random action."""
    if search.options.suggested > 0 and random_share(search) < search.options.suggested:
        return suggested_index(game, search, state)
    # The actions are listed twice, first to count them: storing them in a list would allocate memory.
    return spread(search.own.random_word(), number_of_actions(game, state))


def suggested_index(game: AnyGame, search: Search, state: State) -> int:
    """Return the index of the action that the game suggests most; equal ones are equally likely."""
    chosen, highest, equal = 0, 0, 0
    for index, action in enumerate(game.actions(state)):
        priority = search.game.suggest(state, action)
        if equal == 0 or priority > highest:
            chosen, highest, equal = index, priority, 1
        elif priority == highest:
            equal += 1
            # The k-th of equal actions replaces the one before it with probability 1/k.
            if spread(search.own.random_word(), equal) == 0:
                chosen = index
    return chosen


FEW_VISITS = 200
"""Children with more playouts than this get no virtual loss, since it would change little."""


MINIMAX = 0.3
"""Default share of the evaluation in the value of a move, in games that have an evaluation. At 0.05 s a move, this
share scored against a share of 0: Breakthrough 8-0-0, Othello 7-0-1, Dots and Boxes 6-0-2, Kalah 7-1-4, Connect Four
6-1-5 (wins, draws, losses). In Hex, whose evaluation is slow, it gains as much as it costs: 29-0-31 at 0.05 s, and
19-0-21 at 0.3 s; with 2,000 playouts each, 28-0-12. A share that becomes smaller with more playouts is no better in
Hex, and lost 1-0-15 in Breakthrough.
"""


PRIOR = 10
"""In games with an evaluation, the evaluation of a new node counts as this number of playouts. At 0.02 s a move, a
prior of 10 scored against a prior of 0: Breakthrough 17-0-3, Othello 15-1-4, Kalah 13-2-5, Hex 13-0-7, Connect Four
10-2-8, awari 4-0-1 (wins, draws, losses). At 0.1 s, it scored 7-1-2 in Connect Four, and 6-0-4 in Kalah and in Hex.
"""


LEARNED_MINIMAX = 0.5
"""Default share, in the value of a move, of a learned evaluation and of any other evaluation that is not the game's
own.
"""


AUTO = "auto"
"""The value of the option `evaluation` that lets the game decide."""


WATCHED = 100
"""Number of playouts to trace if no limit is given."""


@attrs.frozen(kw_only=True)
class MonteCarlo(PlayoutSearcher):
    """Monte Carlo tree search, UCT: random playouts, more of them where results are good (Kocsis and Szepesvari 2006).

    The action is the most visited one, and the value is the mean of its playouts. Bounds that follow from ends of the
    game take precedence over playouts (Cazenave and Saffidine 2010). The search is complete when the value of the root
    is proved. `nodes` counts playouts. With a depth limit, a state at that depth has its estimate as value. The
    `values` of `analyse` are means, unless the result is exact.
    """

    name: ClassVar[str] = "mcts"
    recursion = staticmethod(mcts)
    preference: ClassVar[int] = 2

    evaluation: str | Callable[..., float] = option(
        AUTO,
        "name of the evaluation for backups, priors, cut-offs and the depth limit; `default` is the game's own; `auto` "
        "is `learned` if the game comes with learned weights and the depth is not limited, and otherwise `default`",
    )
    prior: int | None = option(
        None,
        "the evaluation of a new node counts as this number of playouts "
        "(default: 10 in games with an evaluation, 0 in others)",
        minimum=0,
        maximum=1000,
    )
    decisive: str = option(
        "none",
        "which moves playouts prefer to random ones; none: no moves; winning: moves that win at once; both: also moves "
        "that prevent such a win",
        choices=("none", "winning", "both"),
    )
    rave: int = option(
        0,
        "number of a move's own playouts that weigh as much as all playouts in which the move was played later (RAVE); "
        "0: no RAVE",
        minimum=0,
        maximum=1_000_000,
    )
    reference: int = option(
        0,
        "a position with at least this number of playouts uses its own counts for RAVE; with fewer playouts, it uses "
        "an ancestor's counts (GRAVE); 0: always its own counts",
        minimum=0,
        maximum=1_000_000,
    )
    minimax: float | None = option(
        None,
        "share of the evaluation (backed up by minimax) in the value of a move; the rest comes from the move's "
        "playouts (default: 0.5 for a learned evaluation, 0.3 for the game's own, 0 without one)",
        minimum=0,
        maximum=1,
    )
    threads: int = option(
        1, "number of threads that play in one tree; used by compiled searches only", minimum=1, maximum=64
    )
    tree: float = option(
        256,
        "size of the tree in MB; when it is full, playouts continue without adding nodes",
        minimum=0.001,
        maximum=1 << 20,
    )

    keep: bool = option(
        False, "keep the tree between moves: playouts of the lines that were played count again; for one game at a time"
    )
    ponder: bool = option(False, "keep the tree, and search while a human thinks; never while a program thinks")
    kept: list[KeptTree] = attrs.field(factory=list, init=False, eq=False, repr=False)
    """The last search, if the searcher keeps its tree."""

    def last_search(self) -> list[KeptTree] | None:
        return self.kept if self.keep or self.ponder else None

    def chosen(self, game: AnyGame, limits: Limits) -> Self:
        """Return the searcher with the evaluation and numbers that the game decides."""
        own = self
        if own.evaluation == AUTO:
            from ggp_search.learned.evaluation import usable  # other searchers need no weights

            # The value at a depth limit follows from the game's own evaluation, for every searcher. Weights that the
            # user has learned are not used unasked, so that the same seed gives the same result everywhere.
            learned = limits.depth is None and shipped_path(game) is not None and usable(game)
            own = attrs.evolve(own, evaluation=learned or "default")
        own = super(MonteCarlo, own).chosen(game, limits)
        prior = own.prior if own.prior is not None else PRIOR if own.evaluates(game) else 0
        return attrs.evolve(own, prior=prior, minimax=own.share(game) if own.minimax is None else own.minimax)

    def share(self, game: AnyGame) -> float:
        """Return the default share of the evaluation in a game."""
        if not self.evaluates(game):
            return 0.0
        offered = isinstance(self.evaluation, str) and self.evaluation not in {"default", *evaluations(game)}
        return LEARNED_MINIMAX if offered else MINIMAX

    def own_reasons(self, plan: SearchPlan) -> dict[str, str]:
        """See `PlayoutSearcher`. The options of `self` are those that the game has decided."""
        name = "the caller's" if plan.settings.evaluation_name is None else plan.settings.evaluation_name
        weight = many(self.prior or 0, "playout")
        how = f"{name}: counts as {weight}, a share of {self.minimax:g} in the value of a move"
        if plan.settings.bounded:
            bounds = "from ends of the game and from the game's bounds"
        else:
            given = isinstance(plan.game, Bounded)
            why = "the evaluation may lie beyond the game's bounds" if given else "the game states no bounds"
            bounds = f"from ends of the game alone: {why}"
        kept = ", kept between moves" if (self.keep or self.ponder) and plan.limits.depth is None else ""
        return super().own_reasons(plan) | {
            "evaluation": f"{how}; the rest comes from playouts" if name else "none: playouts alone",
            "bounds": f"proved for each node, {bounds}; a proved value ends the search",
            "tree": f"{self.tree:g} MB{kept}; playouts continue without new nodes when it is full",
        }

    def own_memory(self, memory: Allocator) -> PlayoutTree:
        """Return a tree that has one node."""
        size = int(self.tree * (1 << 20))
        return PlayoutTree(
            size, self.seed, self.exploration, self.winning, memory, all_moves=self.rave > 0,
            references=self.rave > 0 and self.reference > 0, estimates=bool(self.minimax), threads=self.threads,
        )  # fmt: skip

    def trace(self, game: AnyGame, state: State, limits: Limits = Limits()) -> Iterator[Event]:
        """Yield the events of a search; see `ggp.trace.Traced`. The tree grows, and its nodes show the mean and number
        of playouts.
        """
        game, state = frozen_play(game, state)
        few = limits if limits.nodes else attrs.evolve(limits, nodes=min(WATCHED, self.playouts))
        events, search = tracer.watched(self.plan(game, state, few))
        chosen = choice_told(search, state)
        if chosen:
            events.insert(-1, attrs.evolve(chosen, line=events[-1].line))  # before the root is left for the last time
        return iter(events)

    @property
    def source(self) -> tuple[str, ...]:
        """See `ggp.trace.Taught`."""
        return tracer.source_of(type(self)).lines
