"""A right searcher in the shape that authors write, and faults planted in it, one change each."""

import random

import attrs

from ggp import CHANCE, MAX, Limits, SearchResult, Statistics
from ggp.capabilities import evaluation, legal_actions
from ggp.searcher import stop_requested

INFINITE = float("inf")


class Stopped(Exception):
    """A limit is reached."""


class Textbook:
    """Alpha-beta with a transposition table, and a full window for each action of the root."""

    name = "textbook"
    highest = INFINITE

    def unsupported_reason(self, game):
        return None

    def search(self, game, state, limits=Limits(), *, report=None):
        return attrs.evolve(self.analyse(game, state, limits), values=None, best_actions=())

    def analyse(self, game, state, limits=Limits(), *, report=None):
        self.begin(game, limits)
        estimate = self.leaf(game, state)
        found = SearchResult(action=None, value=estimate, complete=True, exact=game.terminal_test(state), values={})
        values = {}
        try:
            self.enter()
            for action in legal_actions(game, state):
                values[action] = self.root_value(game, game.result(state, action), values)
        except Stopped:
            return self.cut_short(game, state, found, values)
        found = attrs.evolve(found, statistics=Statistics(nodes=self.nodes, leaves=self.leaves), values=values)
        if not values:
            return found
        if game.to_move(state) == CHANCE:
            mean = self.mean([(weight, values[each]) for each, weight in game.outcomes(state)])
            return attrs.evolve(found, value=mean, exact=self.is_exact())
        value = (max if game.to_move(state) == MAX else min)(values.values())
        best = tuple(action for action in values if values[action] == value)
        line = self.line(game, state, best[:1])
        found = attrs.evolve(found, action=best[0], value=value, best_actions=best, principal_variation=line)
        return attrs.evolve(found, exact=self.is_exact())

    def begin(self, game, limits):
        self.game, self.limits, self.estimate = game, limits, evaluation(game)
        self.table, self.nodes, self.leaves, self.reached_limit = {}, 0, 0, False
        self.left = INFINITE if limits.depth is None else limits.depth

    def root_value(self, game, state, before):
        return self.value(game, state, self.left - 1, -self.highest, self.highest)

    def cut_short(self, game, state, found, values):
        first = legal_actions(game, state) if game.to_move(state) != CHANCE else ()
        zeros = dict.fromkeys(legal_actions(game, state), 0)
        counted = Statistics(nodes=self.nodes, leaves=self.leaves)
        line = first[:1]
        stopped = "interrupt" if stop_requested() else "nodes"
        return attrs.evolve(
            found,
            action=first[0] if first else None,
            value=0,
            complete=False,
            stopped=stopped,
            values=zeros,
            best_actions=first,
            principal_variation=line,
            statistics=counted,
        )

    def enter(self):
        self.nodes += 1
        if stop_requested() or (self.limits.nodes and self.nodes > self.limits.nodes):
            raise Stopped
        if self.limits.seconds is not None and self.nodes > 300:  # a clock that always shows the same
            raise Stopped

    def is_exact(self):
        return not self.reached_limit

    def line(self, game, state, best):
        return best

    def leaf(self, game, state):
        return game.utility(state, MAX) if game.terminal_test(state) else self.estimate(state)

    def ended(self, game, state, depth):
        return game.terminal_test(state) or depth == 0

    def key(self, game, state, depth):
        return state, depth

    def value(self, game, state, depth, alpha, beta):
        self.enter()
        if self.ended(game, state, depth):
            self.leaves += 1
            self.reached_limit |= not game.terminal_test(state)
            return self.leaf(game, state)
        key = self.key(game, state, depth)
        if key in self.table:
            kept = self.kept(game, state, self.table[key], alpha, beta)
            if kept is not None:
                return kept
        mover = self.mover(game, state, depth)
        if mover == CHANCE:
            value = self.expectation(game, state, depth, alpha, beta)
        else:
            value = self.best(game, state, depth, alpha, beta, mover)
        self.table[key] = self.entry(game, state, value, alpha, beta)
        return value

    def mover(self, game, state, depth):
        return game.to_move(state)

    def kept(self, game, state, entry, alpha, beta):
        low, high = entry
        return low if low == high or low >= beta else high if high <= alpha else None

    def entry(self, game, state, value, alpha, beta):
        if game.to_move(state) == CHANCE:
            return value, value
        return (-INFINITE if value <= alpha else value), (INFINITE if value >= beta else value)

    def expectation(self, game, state, depth, alpha, beta):
        return self.mean(
            [
                (weight, self.value(game, game.result(state, each), depth - 1, -self.highest, self.highest))
                for each, weight in game.outcomes(state)
            ]
        )

    def mean(self, weighted):
        return sum(weight * value for weight, value in weighted)

    def ordered(self, game, state, depth):
        return game.actions(state)

    def best(self, game, state, depth, alpha, beta, mover):
        best = -self.highest if mover == MAX else self.highest
        for action in self.ordered(game, state, depth):
            child = self.value(game, game.result(state, action), self.deeper(depth, best), alpha, beta)
            best = self.better(mover, best, child)
            if mover == MAX:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if self.cuts(alpha, beta, best, mover):
                break
        return best

    def deeper(self, depth, best):
        return depth - 1

    def better(self, mover, best, child):
        return max(best, child) if mover == MAX else min(best, child)

    def cuts(self, alpha, beta, best, mover):
        return alpha >= beta


def fault(promise, **changes):
    """A row of the table: the promise broken, and the searcher."""
    return promise, type("Planted", (Textbook,), {"name": "planted", **changes})


def negated(self, game, state, depth, alpha, beta):
    """Negamax: the value changes its sign at every ply, whoever moves."""

    def negamax(state, depth, sign):
        self.enter()
        if self.ended(game, state, depth):
            self.leaves += 1
            self.reached_limit |= not game.terminal_test(state)
            return sign * self.leaf(game, state)
        if game.to_move(state) == CHANCE:
            return sum(w * negamax(game.result(state, a), depth - 1, sign) for a, w in game.outcomes(state))
        return max(-negamax(game.result(state, action), depth - 1, -sign) for action in game.actions(state))

    sign = 1 if game.terminal_test(state) or game.to_move(state) != 1 else -1
    return sign * negamax(state, depth, sign)


def through_chance(self, game, state, depth, alpha, beta):
    return self.mean(
        [(w, self.value(game, game.result(state, a), depth - 1, alpha, beta)) for a, w in game.outcomes(state)]
    )


def bounded_by_game(self, game, state, depth, alpha, beta):
    """Cut by the bounds of the game, whatever the evaluation."""
    if depth and hasattr(game, "bounds") and not game.terminal_test(state):
        low, high = game.bounds(state)
        if low >= beta:
            return low
        if high <= alpha:
            return high
    return Textbook.value(self, game, state, depth, alpha, beta)


def scored_key(self, game, state, depth):
    return (game.key(state) if hasattr(game, "key") else state), depth


def without_score(self, game, state, value, alpha, beta):
    banked = game.score(state) if hasattr(game, "score") else 0
    low, high = Textbook.entry(self, game, state, value, alpha, beta)
    return low - banked, high - banked


def with_score(self, game, state, entry, alpha, beta):
    banked = game.score(state) if hasattr(game, "score") else 0
    return Textbook.kept(self, game, state, (entry[0] + banked, entry[1] + banked), alpha, beta)


def narrowing(self, game, state, before):
    """Search each action with the window that the ones before left: its value is a bound."""
    best = max(before.values(), default=-INFINITE)
    return self.value(game, state, self.left - 1, best, INFINITE)


def remembering(self, game, limits, kept={}):  # noqa: B006 - the fault
    Textbook.begin(self, game, limits)
    self.table = kept


def canonical_root(self, game, state, best):
    """Return the line found in the canonical state."""
    if hasattr(game, "canonical") and best:
        there = legal_actions(game, game.canonical(state))
        return (there[legal_actions(game, state).index(best[0])],)
    return best


def visited_once(self, game, state, depth, alpha, beta):
    if (state, "visited") in self.table and not game.terminal_test(state):
        return 0
    self.table[(state, "visited")] = 0, 0
    return Textbook.value(self, game, state, depth, alpha, beta)


def endless_line(self, game, state, best):
    """Play the first action after the best one to the end, through chance nodes."""
    line, after = list(best), game.result(state, best[0])
    while not game.terminal_test(after) and len(line) < 9:
        line.append(legal_actions(game, after)[0])
        after = game.result(after, line[-1])
    return tuple(line)


def unlimited(self):
    self.nodes += 1
    if stop_requested():
        raise Stopped


def deaf(self):
    self.nodes += 1
    if self.limits.nodes and self.nodes > self.limits.nodes:
        raise Stopped
    if self.limits.seconds is not None and self.nodes > 300:
        raise Stopped


def untimed(self):
    self.nodes += 1
    if stop_requested() or (self.limits.nodes and self.nodes > self.limits.nodes):
        raise Stopped


def finished(self, game, state, found, values):
    return attrs.evolve(Textbook.cut_short(self, game, state, found, values), complete=True, stopped=None)


def result_with(**fields):
    """A method that changes fields of the right result, each by a function of it."""

    def analyse(self, game, state, limits=Limits(), *, report=None):
        found = Textbook.analyse(self, game, state, limits)
        return attrs.evolve(found, **{field: change(found) for field, change in fields.items()})

    return analyse


def asks_at_the_end(self, game, state):
    return game.utility(state, game.to_move(state) * 0) if game.terminal_test(state) else self.estimate(state)


def tries_anything(self, game, state, depth):
    """List actions, and try one that is not there."""
    actions = list(game.actions(state))
    game.result(state, 77)
    return actions


def by_chance(found):
    return random.Random(5).choice(list(found.values)) if found.action is not None else None


EXACT = {
    "depth one less": fault("exactness", ended=lambda self, g, s, d: g.terminal_test(s) or d <= 1 < INFINITE),
    "depth one more": fault("exactness", ended=lambda self, g, s, d: g.terminal_test(s) or d == -1),
    "limit of depth ignored": fault("exactness", ended=lambda self, g, s, d: g.terminal_test(s)),
    "MIN maximises": fault("value", better=lambda self, mover, best, child: max(best, child)),
    "turns alternate": fault("exact values", value=negated),
    "turns alternate by depth": fault(
        "exactness", mover=lambda self, g, s, d: CHANCE if g.to_move(s) == CHANCE else int(d) % 2 if d < 99 else 0
    ),
    "cut too early": fault("exactness", cuts=lambda self, alpha, beta, best, mover: alpha >= beta - 1),
    "cut by the own bound": fault("exactness", cuts=lambda s, alpha, beta, best, mover: best >= alpha > -9e99),
    "window through chance": fault("exactness", expectation=through_chance),
    "chance unweighted": fault("exactness", mean=lambda self, mixed: sum(v for _, v in mixed) / len(mixed)),
    "mean divided again": fault("exactness", mean=lambda self, mixed: sum(w * v for w, v in mixed) / len(mixed)),
    "chance takes the best": fault("exactness", mean=lambda self, mixed: max(v for _, v in mixed)),
    "entry of any depth": fault("exact values", key=lambda self, game, state, depth: state),
    "bound kept as a value": fault("exactness", entry=lambda self, g, s, value, alpha, beta: (value, value)),
    "any entry is a cut": fault("exactness", kept=lambda self, g, s, e, a, b: e[0] if e[0] > -9e99 else e[1]),
    "key without the score": fault("exactness", key=scored_key),
    "inseparable by key": fault("exact values", key=scored_key, entry=without_score, kept=with_score),
    "table by hash": fault("exact values", key=lambda self, game, state, depth: (hash(state), depth)),
    "table of other searches": fault("exactness", begin=remembering),
    "estimate at the end": fault("protocol", leaf=lambda self, game, state: self.estimate(state)),
    "estimate before the end": fault(
        "protocol", leaf=lambda self, g, s: self.estimate(s) if self.limits.depth else Textbook.leaf(self, g, s)
    ),
    "large values cut": fault("exact values", highest=1000),
    "values cut at a million": fault("exactness", highest=10**6),
    "whole numbers": fault("exactness", leaf=lambda self, game, state: int(Textbook.leaf(self, game, state))),
    "utility of the mover": fault("protocol", leaf=asks_at_the_end),
    "bounds of the game for estimates": fault("exactness", value=bounded_by_game),
    "only three actions": fault("exactness", ordered=lambda self, g, s, d: list(g.actions(s))[:2]),
    "later actions less deep": fault("exactness", deeper=lambda s, d, best: max(0, d - 1 - (abs(best) < 9e9))),
    "states visited once": fault("exact values", value=visited_once),
    "bounds for values": fault("exactness", root_value=narrowing),
    "an action by chance": fault("principal variation", analyse=result_with(action=by_chance)),
    "always exact": fault("exact claims", is_exact=lambda self: True),
    "actions that are not there": fault("answers", ordered=tries_anything),
    "a line of another state": fault("principal variation", line=canonical_root),
    "a line to the end": fault("exact variation", line=endless_line),
    "one state only": fault("statistics", analyse=result_with(statistics=lambda found: Statistics(nodes=1))),
    "no line": fault("exact variation", line=lambda self, game, state, best: ()),
}
"""Faults that give wrong values: the promise that is said to be broken, and the searcher."""

CONTRACT = {
    "limit of states ignored": fault("limits", enter=unlimited),
    "limit of time ignored": fault("limits", enter=untimed),
    "deaf to Ctrl-C": fault("limits", enter=deaf),
    "stopped and complete": fault("limits", cut_short=finished),
    "more leaves than states": fault(
        "statistics", analyse=result_with(statistics=lambda found: Statistics(nodes=1, leaves=2))
    ),
    "states below zero": fault("statistics", analyse=result_with(statistics=lambda f: Statistics(nodes=-1))),
    "more cuts than states": fault(
        "statistics",
        analyse=result_with(statistics=lambda f: attrs.evolve(f.statistics, cutoffs=f.statistics.nodes + 1)),
    ),
    "time runs back": fault(
        "statistics", analyse=result_with(statistics=lambda f: attrs.evolve(f.statistics, seconds=-1.0))
    ),
    "all actions best": fault("best actions", analyse=result_with(best_actions=lambda found: tuple(found.values))),
    "an unknown reason": fault("limits", analyse=result_with(stopped=lambda f: "tired", complete=lambda f: False)),
}
"""Faults of every kind of searcher."""
