"""UCT: Monte Carlo tree search that explores as a gambler at many one-armed bandits should.

Sources: L. Kocsis and C. Szepesvari, Bandit based Monte-Carlo planning, ECML 2006; for what is proven along the way,
T. Cazenave and A. Saffidine, Score bounded Monte-Carlo tree search, Computers and Games 2010.
"""

from math import log, sqrt
from typing import Any

from ggp.game import CHANCE, MAX, MIN
from ggp_search.monte_carlo_tree import (
    CHILDREN,
    COUNT,
    END,
    EXPLORATION,
    GREATEST,
    LEAST,
    LOWER,
    NODE,
    RANDOM,
    ROOT,
    TOTAL,
    UPPER,
    USED,
    VISITS,
)
from ggp_search.parts import HUGE, Compile, Live, Parts
from ggp_search.words import bits_of, load, mix, save, spread, value_of


def uct(parts: Parts, compile: Compile[Any]) -> Any:
    """A function `value(state, depth, live)`: playouts from `state`, until its value is proven or `visit` stops them.

    The tree is at `live.tree` (see `ggp_search.monte_carlo_tree`) and grows from the node that its `ROOT` names. With
    `depth` plies played a state is worth its estimate, in the tree as in playouts; so what is proven is the value
    that minimax finds with that depth.
    """
    terminal_test, to_move, result, bounds = parts.terminal_test, parts.to_move, parts.result, parts.bounds
    utility, evaluate, visit, lowest, highest = parts.utility, parts.evaluate, parts.visit, parts.lowest, parts.highest
    fall, playout = _playing(parts, compile)
    worth, select = _choosing(parts, compile)
    grow, revise = _growing(parts, compile), _revising(parts, compile)

    @compile
    def descend(state: Any, node: int, depth: int, live: Live) -> float:
        """One playout down the tree from `state`, whose node is `node`: its result, or what is sure."""
        lower, upper = value_of(load(node + LOWER)), value_of(load(node + UPPER))
        found = lower
        if lower < upper:
            if terminal_test(state):
                found = utility(state, live)
                lower, upper = found, found
            elif depth == 0:
                found = evaluate(state, live)
                lower, upper = found, found
            elif load(node + VISITS) == 0:
                least, greatest = bounds(state)
                lower, upper = max(lower, least), min(upper, greatest)
                found = playout(state, depth, live)
            elif grow(state, node, live):
                action, index = fall(state, live) if to_move(state) == CHANCE else select(state, node, live)
                child = load(node + CHILDREN) + index * NODE
                low, high = load(child + LOWER), load(child + UPPER)
                tried = load(child + VISITS) > 0
                hoped = worth(child) if tried else 0.0
                found = descend(result(state, action), child, depth - 1, live)
                if load(child + LOWER) != low or load(child + UPPER) != high:
                    least, greatest = revise(state, node)
                    lower, upper = max(lower, least), min(upper, greatest)
                if tried and to_move(state) == MAX and hoped < lower:
                    found = lower  # what is sure would have been played
                elif tried and to_move(state) == MIN and hoped > upper:
                    found = upper
            else:
                found = playout(state, depth, live)
            save(node + LOWER, bits_of(lower))
            save(node + UPPER, bits_of(upper))
            if lower >= upper:
                found = lower
        save(node + VISITS, load(node + VISITS) + 1)
        save(node + TOTAL, bits_of(value_of(load(node + TOTAL)) + found))
        return found

    @compile
    def value(state: Any, depth: int, live: Live) -> float:
        root = load(live.tree + ROOT)
        while value_of(load(root + LOWER)) < value_of(load(root + UPPER)):
            visit(state, depth, lowest, highest, live)
            found = descend(state, root, depth, live)
            save(live.tree + LEAST, bits_of(min(found, value_of(load(live.tree + LEAST)))))
            save(live.tree + GREATEST, bits_of(max(found, value_of(load(live.tree + GREATEST)))))
        return value_of(load(root + LOWER))

    return value


def _playing(parts: Parts, compile: Compile[Any]) -> Any:
    """`fall(state, live)`, an outcome of chance and its index, and `playout(state, depth, live)`."""
    terminal_test, to_move, result, outcomes = parts.terminal_test, parts.to_move, parts.result, parts.outcomes
    utility, evaluate, order, nothing = parts.utility, parts.evaluate, parts.order, parts.nothing

    @compile
    def draw(live: Live) -> int:
        """The next random word."""
        number = load(live.tree + RANDOM) + 1
        save(live.tree + RANDOM, number)
        return mix(mix(0, number), number)

    @compile
    def fall(state: Any, live: Live) -> tuple[Any, int]:
        point, chosen, index = (draw(live) >> 11 & UNIT_BITS) * UNIT, nothing, -1
        for outcome, probability in outcomes(state):
            chosen = outcome
            index += 1
            point -= probability
            if point < 0:
                break
        return chosen, index

    @compile
    def pick(state: Any, live: Live) -> Any:
        """An action at random, each as likely as the others."""
        count, chosen = 0, nothing
        for _ in order(state, 0, nothing, live):
            count += 1
        left = spread(draw(live), count)
        for action in order(state, 0, nothing, live):
            chosen = action
            if left == 0:
                break
            left -= 1
        return chosen

    @compile
    def playout(state: Any, depth: int, live: Live) -> float:
        """What random play from `state` comes to."""
        while depth > 0 and not terminal_test(state):
            if to_move(state) == CHANCE:
                action, _ = fall(state, live)
            else:
                action = pick(state, live)
            state = result(state, action)
            depth -= 1
        return utility(state, live) if terminal_test(state) else evaluate(state, live)

    return fall, playout


def _choosing(parts: Parts, compile: Compile[Any]) -> Any:
    """`worth(node)`, and `select(state, node, live)`: where a player moves, the action to try and its index."""
    to_move, order, nothing = parts.to_move, parts.order, parts.nothing

    @compile
    def worth(node: int) -> float:
        """The mean of a node's playouts, within what is proven of it."""
        mean = value_of(load(node + TOTAL)) / load(node + VISITS)
        return min(max(mean, value_of(load(node + LOWER))), value_of(load(node + UPPER)))

    @compile
    def select(state: Any, node: int, live: Live) -> tuple[Any, int]:
        """An untried action, else that of the greatest upper confidence bound (UCB1).

        Actions that cannot be better than what is proven already are left out.
        """
        sign = 1.0 if to_move(state) == MAX else -1.0
        secured = value_of(load(node + LOWER)) if sign > 0 else value_of(load(node + UPPER))
        width = value_of(load(live.tree + GREATEST)) - value_of(load(live.tree + LEAST))
        width *= value_of(load(live.tree + EXPLORATION))
        share = log(load(node + VISITS))
        chosen, place, index, best = nothing, 0, -1, -HUGE
        child = load(node + CHILDREN) - NODE
        for action in order(state, 0, nothing, live):
            index += 1
            child += NODE
            hoped = load(child + UPPER) if sign > 0 else load(child + LOWER)
            if sign * value_of(hoped) <= sign * secured:
                continue
            visits = load(child + VISITS)
            if visits == 0:
                return action, index
            score = sign * worth(child) + width * sqrt(share / visits)
            if score > best:
                chosen, place, best = action, index, score
        return chosen, place

    return worth, select


def _growing(parts: Parts, compile: Compile[Any]) -> Any:
    """`grow(state, node, live)`: whether the node has children, which it is given if there is room."""
    order, nothing = parts.order, parts.nothing

    @compile
    def grow(state: Any, node: int, live: Live) -> bool:
        if load(node + CHILDREN) != 0:
            return True
        count = 0
        for _ in order(state, 0, nothing, live):
            count += 1
        first = load(live.tree + USED)
        if first + count * NODE > load(live.tree + END):
            return False
        save(live.tree + USED, first + count * NODE)
        for child in range(first, first + count * NODE, NODE):
            save(child + LOWER, load(node + LOWER))
            save(child + UPPER, load(node + UPPER))
        save(node + CHILDREN, first)
        save(node + COUNT, count)
        return True

    return grow


def _revising(parts: Parts, compile: Compile[Any]) -> Any:
    """`revise(state, node)`: what the children of a node prove of it, as (lower bound, upper bound)."""
    to_move, outcomes = parts.to_move, parts.outcomes

    @compile
    def revise(state: Any, node: int) -> tuple[float, float]:
        child, mover = load(node + CHILDREN), to_move(state)
        if mover == CHANCE:
            lower, upper = 0.0, 0.0
            for _, probability in outcomes(state):
                lower += probability * value_of(load(child + LOWER))
                upper += probability * value_of(load(child + UPPER))
                child += NODE
            return lower, upper
        lower, upper = value_of(load(child + LOWER)), value_of(load(child + UPPER))
        for other in range(child + NODE, child + NODE * load(node + COUNT), NODE):
            if mover == MAX:
                lower = max(lower, value_of(load(other + LOWER)))
                upper = max(upper, value_of(load(other + UPPER)))
            else:
                lower = min(lower, value_of(load(other + LOWER)))
                upper = min(upper, value_of(load(other + UPPER)))
        return lower, upper

    return revise


UNIT_BITS = (1 << 53) - 1
UNIT = 2.0**-53
"""So many random bits make a number from 0 to 1, 1 left out."""
