"""NegaScout, also known as principal variation search: alpha-beta that expects the first action to be best."""

from collections.abc import Iterator
from math import ceil
from typing import ClassVar, Literal

import attrs

from ggp.errors import UsageError
from ggp.game import MAX, Action, AnyGame, CapableGame, Passing, State
from ggp.options import option
from ggp.searcher import Limits
from ggp.trace import Event
from ggp_search.engine.driver import Find, aspiration_window
from ggp_search.engine.futility import PERCENT, measured_margin, usable_margin
from ggp_search.engine.search import Best, Search
from ggp_search.engine.settings import SearchPlan, Settings
from ggp_search.engine.tree_searcher import TreeSearcher


def negascout(
    game: CapableGame, search: Search, state: State, depth: int, alpha: float, beta: float, choice: Action | None
) -> Best:
    """Return a value of `state` and the best action, with the contract of `alphabeta`.

    Every action but the first is searched with a null window, to test whether it is better. A better action is searched
    again, with the bound from that test. With late-move reductions, late actions are first tested less deeply. With
    such reductions, a value that depends on an estimate may differ from the minimax value at this depth. The same is
    true of futility cuts, of null moves and of singular extensions.

    Source: A. Reinefeld, An improvement to the Scout tree search algorithm, ICCA Journal 6(4) (1983).
    """
    hopeless, bound = futile(game, search, state, depth, alpha, beta)
    if not hopeless:
        hopeless, bound = null_move(game, search, state, depth, alpha, beta)
    if hopeless:
        return bound, choice
    stored, forced = choice, singular(game, search, state, depth, alpha, beta, choice)
    index = 0
    if game.to_move(state) == MAX:
        best = search.lowest
        for action in search.order(state, depth, choice):
            successor = game.result(state, action)
            less = -1 if forced and action == stored else reduction(search, depth, index)
            search.extended += less < 0
            child = search.value(successor, depth - 1 - less, alpha, beta if index == 0 else search.above(alpha))
            search.extended -= less < 0
            if less > 0 and child > alpha:
                child = search.value(successor, depth - 1, alpha, search.above(alpha))
            if index > 0 and alpha < child < beta and depth > 1:  # a leaf's value is exact
                child = max(child, search.value(successor, depth - 1, child, beta))
            index += 1
            best = max(best, child)
            if child > alpha:
                alpha, choice = child, action
                if alpha >= beta:
                    break  # MIN has a better option higher up
    else:
        best = search.highest
        for action in search.order(state, depth, choice):
            successor = game.result(state, action)
            less = -1 if forced and action == stored else reduction(search, depth, index)
            search.extended += less < 0
            child = search.value(successor, depth - 1 - less, alpha if index == 0 else search.below(beta), beta)
            search.extended -= less < 0
            if less > 0 and child < beta:
                child = search.value(successor, depth - 1, search.below(beta), beta)
            if index > 0 and alpha < child < beta and depth > 1:
                child = min(child, search.value(successor, depth - 1, alpha, child))
            index += 1
            best = min(best, child)
            if child < beta:
                beta, choice = child, action
                if beta <= alpha:
                    break  # MAX has a better option higher up
    return best, choice


def reduction(search: Search, depth: int, index: int) -> int:
    """Return by how many plies the test of the action at an index is reduced: by 1 for a late action."""
    late = search.options.reductions > 0 and index >= search.options.reductions
    # In a search to the end of the game, reductions save nothing: it would meet the same states at other depths.
    return 1 if late and LEAST_REDUCED <= depth <= MOST_REDUCED else 0


def futile(game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float) -> tuple[bool, float]:
    """Return whether a state one ply above the leaves is hopeless for its mover, and a bound of the state's value.

    A state is hopeless if its evaluation is outside the window by at least the margin, from the option `futility`.

    Source: J. Schaeffer, Experiments in search and knowledge, dissertation, University of Waterloo (1986).
    """
    if search.futility == 0 or depth != 1:
        return False, alpha
    estimate = search.glance(state)
    bound = estimate + search.futility if game.to_move(state) == MAX else estimate - search.futility
    hopeless = bound <= alpha if game.to_move(state) == MAX else bound >= beta
    if hopeless:
        search.leaves += 1
        search.estimates += 1
    return hopeless, bound


def null_move(
    game: CapableGame, search: Search, state: State, depth: int, alpha: float, beta: float
) -> tuple[bool, float]:
    """Return whether the opponent would avoid the state even if its mover passed.

    Also return a bound of the state's value.

    The game says where passing does no harm. After a pass, the search is less deep by `nulls` plies. The other player
    may pass, too: then the search continues from the same state, much less deep.

    Source: D. F. Beal, Experiments with the null move, in Advances in Computer Chess 5 (1989); C. Donninger, Null move
    and deep search, ICCA Journal 16(3) (1993).
    """
    less = search.options.nulls
    if less == 0 or not search.passes or depth <= less + 1 or depth > MOST_REDUCED:
        return False, alpha
    if search.above(alpha) < beta:  # in an open window the best action is wanted
        return False, alpha
    after = game.passed(state)
    if after == state:
        return False, alpha
    value = search.value(after, depth - 1 - less, alpha, beta)
    return value >= beta if game.to_move(state) == MAX else value <= alpha, value


def singular(
    game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float, choice: Action | None
) -> bool:
    """Return whether the table's action is forced.

    An action is forced if searches of half the depth find it better than every other action by at least the option
    `singular`. The line of a forced action is then searched a ply deeper.

    Source: T. Anantharaman, M. Campbell and F. Hsu, Singular extensions: adding selectivity to brute-force searching,
    Artificial Intelligence 43 (1990).
    """
    if search.options.singular == 0 or choice is None:
        return False
    if depth < LEAST_EXTENDED or depth > MOST_REDUCED or search.extended >= MOST_EXTENDED:
        return False
    best = search.value(game.result(state, choice), depth // 2 - 1, alpha, beta)
    margin = ceil(search.options.singular) if search.integral else search.options.singular
    is_max = game.to_move(state) == MAX
    if best <= alpha if is_max else best >= beta:
        return False
    alpha = best - margin if is_max else search.below(best + margin)
    beta = search.above(best - margin) if is_max else best + margin
    for action in game.actions(state):
        if action != choice:
            other = search.value(game.result(state, action), depth // 2 - 1, alpha, beta)
            if other > alpha if is_max else other < beta:
                return False
    return True


LEAST_EXTENDED = 4
"""Minimum depth at which a line is extended; below it, a test at half the depth shows nothing."""
MOST_EXTENDED = 8
"""Maximum number of plies by which a line is extended."""
LEAST_REDUCED = 3
"""Minimum depth at which late actions are tested at a reduced depth.

At a smaller depth, a reduced search would save almost nothing.
"""
MOST_REDUCED = 100
"""Maximum depth at which extensions and reductions are used; a search to the end of the game does not need them."""


@attrs.frozen(kw_only=True)
class NegaScout(TreeSearcher):
    """NegaScout, or principal variation search: alpha-beta with null windows (Reinefeld 1983)."""

    name: ClassVar[str] = "negascout"
    recursion = staticmethod(negascout)
    find: ClassVar[Find] = staticmethod(aspiration_window)
    preference: ClassVar[int] = 9

    aspiration: float = option(
        0,
        "half the width of the first window at each depth, around the value of the previous depth; 0: the full window",
        minimum=0,
        maximum=1e6,
    )
    reductions: int = option(
        0,
        "number of actions that are searched at full depth; later ones are first tested a ply less deep"
        " (late-move reductions); 0: no reductions",
        minimum=0,
        maximum=1000,
    )
    futility: float | Literal["auto"] = option(
        0,
        "how far an action can change the evaluation: a ply above the leaves, an action that cannot reach the window"
        " in this way is not tried; auto: measured in random games; 0: all are tried",
        minimum=0,
        maximum=1e6,
    )
    nulls: int = option(
        0,
        "number of plies by which the search after a pass is less deep (null moves), in games with harmless passes; "
        "0: no passes",
        minimum=0,
        maximum=100,
    )
    singular: float = option(
        0,
        "extend the line of the table's action by a ply if searches of half the depth find it this much better than all"
        " other actions (singular extensions); 0: never",
        minimum=0,
        maximum=1e6,
    )
    threads: int = option(1, "number of threads; used by compiled searches only", minimum=1, maximum=256)

    def settings(self, game: AnyGame, limits: Limits, *, strong: bool = False) -> Settings:
        """See `TreeSearcher.settings`. The margin of futility cuts is measured if the user chose "auto", and rounded up
        if estimates are whole numbers.
        """
        settings = super().settings(game, limits, strong=strong)
        margin, named = self.futility, settings.evaluation_name
        if margin == "auto":
            margin = 0 if named == "" else measured_margin(game, settings.evaluation, named)
        else:
            margin = usable_margin(margin, game, settings.evaluation, named)
        return attrs.evolve(settings, futility=margin)

    def own_reasons(self, plan: SearchPlan) -> dict[str, str]:
        """See `TreeSearcher.own_reasons`."""
        margin = plan.settings.futility
        if self.futility == 0:
            return {}
        if self.futility != "auto":
            return {"futility": f"{self.futility:g}, as asked for"}
        if plan.settings.evaluation_name == "":
            return {"futility": f"none: {plan.game.name} has no evaluation"}
        improves = f"in {PERCENT} % of the positions of some random games, no move improves the estimate"
        return {"futility": f"{margin:g}, measured: {improves} by more" if margin else f"none: {improves}"}

    def trace(self, game: AnyGame, state: State, limits: Limits = Limits()) -> Iterator[Event]:
        """See `ggp.trace.Traced`.

        Raises:
            UsageError: the search would make passes, which a tree cannot show.
        """
        if self.nulls and isinstance(game, Passing):
            raise UsageError(
                f"{self.name}: a tree cannot show passes, since they are not actions of the game: use nulls=0"
            )
        return super().trace(game, state, limits)
