"""Star1 and Star2: alpha-beta for games with chance, by the bounds within which all leaves lie.

Source: B. W. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial
Intelligence 21 (1983).
"""

from typing import Any

from ggp.game import CHANCE, MAX, MIN
from ggp_search.parts import HUGE, Compile, Live, Parts


def star1(parts: Parts, compile: Compile[Any]) -> Any:
    """A function `value(state, depth, alpha, beta, live)`, with the contract of `alphabeta` up to rounding.

    At a chance node the outcomes not yet seen are taken to be as good, and as bad, as the bounds allow: when
    even so the mean cannot come back into the window, the rest is cut. (What a cut answers is kept outside the window,
    where rounding might put a bound just inside it, to be taken for a value.)
    """
    return _star(parts, compile, _star1_mean)


def star2(parts: Parts, compile: Compile[Any]) -> Any:
    """As `star1`, but each outcome is probed first: one action of the state below it gives a bound of its value.

    The bounds of all outcomes together may suffice for a cut; if not, they narrow the windows of the search that
    follows.
    """
    return _star(parts, compile, _star2_mean)


def _star(parts: Parts, compile: Compile[Any], make_mean: Any) -> Any:
    """Alpha-beta where players move, and where chance moves what `make_mean(parts, compile, value)` gives."""
    to_move, result, terminal_test, utility = parts.to_move, parts.result, parts.terminal_test, parts.utility
    evaluate, visit, probe, order, store = parts.evaluate, parts.visit, parts.probe, parts.order, parts.store

    @compile
    def value(state: Any, depth: int, alpha: float, beta: float, live: Live) -> float:
        visit(state, depth, alpha, beta, live)
        if terminal_test(state):
            return utility(state, live)
        if depth == 0:
            return evaluate(state, live)
        lower, upper, choice = probe(state, depth, alpha, beta, live)
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        mover = to_move(state)
        if mover == CHANCE:
            best = mean(state, depth, alpha, beta, live)
        elif mover == MAX:
            best, window = lower, alpha
            for action in order(state, depth, choice, live):
                child = value(result(state, action), depth - 1, window, beta, live)
                if child > best:
                    best = child
                if child > window:
                    window, choice = child, action
                    if child >= beta:
                        live.cutoffs += 1
                        break
        else:
            best, window = upper, beta
            for action in order(state, depth, choice, live):
                child = value(result(state, action), depth - 1, alpha, window, live)
                if child < best:
                    best = child
                if child < window:
                    window, choice = child, action
                    if child <= alpha:
                        live.cutoffs += 1
                        break
        store(state, depth, best if best > alpha else lower, best if best < beta else upper, choice, live)
        return best

    mean = make_mean(parts, compile, value)
    return value


def _star1_mean(parts: Parts, compile: Compile[Any], value: Any) -> Any:
    result, outcomes, bounds = parts.result, parts.outcomes, parts.bounds

    @compile
    def mean(state: Any, depth: int, alpha: float, beta: float, live: Live) -> float:
        low, high = bounds(state)
        total, rest = 0.0, 1.0
        for outcome, probability in outcomes(state):
            rest = max(0.0, rest - probability)
            least = (alpha - total - high * rest) / probability  # if it is worth no more, the mean is at most alpha
            most = (beta - total - low * rest) / probability  # if it is worth no less, the mean is at least beta
            child = value(result(state, outcome), depth - 1, max(least, low), min(most, high), live)
            total += probability * child
            if child <= least:
                live.cutoffs += 1
                return min(alpha, total + high * rest)
            if child >= most:
                live.cutoffs += 1
                return max(beta, total + low * rest)
        return total

    return mean


def _star2_mean(parts: Parts, compile: Compile[Any], value: Any) -> Any:
    result, outcomes, bounds, note, recall = parts.result, parts.outcomes, parts.bounds, parts.note, parts.recall
    bound = _first_action(parts, compile, value)
    star1_mean = _star1_mean(parts, compile, value)

    @compile
    def mean(state: Any, depth: int, alpha: float, beta: float, live: Live) -> float:
        low, high = bounds(state)
        if high - low >= HUGE or (alpha <= low and beta >= high):  # no bounds to prune by, or nothing to prune for
            return star1_mean(state, depth, alpha, beta, live)
        total_lower, total_upper = low, high
        for index, (outcome, probability) in enumerate(outcomes(state)):
            least = high - (total_upper - alpha) / probability
            most = low + (beta - total_lower) / probability
            successor = result(state, outcome)
            lower, upper = bound(successor, depth - 1, low, high, max(least, low), min(most, high), live)
            note(depth, index, lower, upper, live)
            total_lower += probability * (lower - low)
            total_upper += probability * (upper - high)
            if total_lower >= beta:
                live.cutoffs += 1
                return total_lower
            if total_upper <= alpha:
                live.cutoffs += 1
                return total_upper
        total = 0.0
        for index, (outcome, probability) in enumerate(outcomes(state)):
            lower, upper = recall(depth, index, live)
            total_lower -= probability * lower
            total_upper -= probability * upper
            least = (alpha - total - total_upper) / probability
            most = (beta - total - total_lower) / probability
            child = value(result(state, outcome), depth - 1, max(least, lower), min(most, upper), live)
            total += probability * child
            if child <= least:
                live.cutoffs += 1
                return min(alpha, total + total_upper)
            if child >= most:
                live.cutoffs += 1
                return max(beta, total + total_lower)
        return total

    return mean


def _first_action(parts: Parts, compile: Compile[Any], value: Any) -> Any:
    to_move, result, terminal_test = parts.to_move, parts.result, parts.terminal_test
    visit, order, store, lowest, highest = parts.visit, parts.order, parts.store, parts.lowest, parts.highest
    nothing = parts.nothing

    @compile
    def bound(
        state: Any, depth: int, low: float, high: float, least: float, most: float, live: Live
    ) -> tuple[float, float]:
        """Bounds of the value of `state`, by the first action of whoever moves there; all leaves lie in [low, high]."""
        if depth == 0 or terminal_test(state):
            return low, high  # the search that follows is as cheap
        choice = nothing
        mover = to_move(state)
        if mover == MAX:
            visit(state, depth, low, most, live)
            for action in order(state, depth, nothing, live):
                low, choice = max(low, value(result(state, action), depth - 1, low, most, live)), action
                break
            store(state, depth, low, highest, choice, live)  # MAX has at least this
        elif mover == MIN:
            visit(state, depth, least, high, live)
            for action in order(state, depth, nothing, live):
                high, choice = min(high, value(result(state, action), depth - 1, least, high, live)), action
                break
            store(state, depth, lowest, high, choice, live)  # MIN has at most this
        return low, high

    return bound
