"""The promises of a ranking: each state has a unique number, and actions lead to lower numbers."""

from collections import Counter
from itertools import islice

from ggp.capabilities import score_and_key
from ggp.game import CHANCE, MAX, MIN, AnyGame, Ranked, Ranking, State
from ggp.testing.promises import Examination
from ggp.testing.rule_promises import Observation

PROMISE = "ranking"
BEFORE = 2
"""The order of states is also checked at this number of indices before the index of a state."""

Place = tuple[int, int, int]
"""The place of a state: layer, section, index."""


def check_rank(exam: Examination, state: State, seen: Observation) -> None:
    """Check the promises of the ranking, if any, at a state that is not terminal and at its successors."""
    ranking = exam.game.ranking if isinstance(exam.game, Ranked) else None
    if ranking is None or seen[0]:
        return
    exam.at(state)
    with exam.answering(PROMISE):
        rank = _place(exam, ranking, state)
        if rank is None:
            return
        _check_order(exam, ranking, rank)
        _check_future(exam, ranking, state, rank)
        for action in seen[2]:
            child = exam.game.result(state, action)
            if not exam.game.terminal_test(child):
                below = _place(exam, ranking, child)
                lower = below is not None and (below[0] < rank[0] or (below[:2] == rank[:2] and below[2] < rank[2]))
                exam.at(state, action)
                exam.expect(
                    PROMISE,
                    lower,
                    "the action leads from (layer, section, index) {} to {}, which is not lower",
                    rank,
                    below,
                )


def _place(exam: Examination, ranking: Ranking[State], state: State) -> Place | None:
    """Return the place of a state; None if its layer has no sections."""
    layer = ranking.layer(state)
    exam.expect(PROMISE, type(layer) is int and layer >= 0, "the layer is {}, but must be 0 or more", layer)
    sizes = ranking.sections(layer)
    if not sizes:
        return None
    section, index = ranking.rank(state)
    exam.expect(PROMISE, 0 <= section < len(sizes), "the section is {} of {}", section, len(sizes))
    exam.expect(PROMISE, 0 <= index < sizes[section], "the index is {} of {}", index, sizes[section])
    return layer, section, index


def _check_order(exam: Examination, ranking: Ranking[State], rank: Place) -> None:
    """Check that the states around this place are listed in the order of their indices, and that none of them is
    terminal.
    """
    layer, section, index = rank
    first, size = max(0, index - BEFORE), ranking.sections(layer)[section]
    listed = list(islice(ranking.positions(layer, section, first), BEFORE + 1))
    wanted = [(layer, section, each) for each in range(first, min(size, first + BEFORE + 1))]
    ranks = [(ranking.layer(each), *ranking.rank(each)) for each in listed]
    exam.expect(PROMISE, ranks == wanted, "positions from index {} on have the places {}", first, ranks)
    exam.expect(PROMISE, not any(map(exam.game.terminal_test, listed)), "one of the positions {} is terminal", listed)
    back = ranking.rank(ranking.unrank(*rank))
    exam.expect(PROMISE, back == rank[1:], "the state of index {} has the rank {}", index, back)


def _check_future(exam: Examination, ranking: Ranking[State], state: State, rank: Place) -> None:
    """Check that `unrank` returns, for the number of a state, a state with the same future for the player to move."""
    numbered = ranking.unrank(*rank)
    here, there = _future(exam.game, ranking, state), _future(exam.game, ranking, numbered)
    exam.expect(PROMISE, here == there, "the state has the same number as {}, whose actions lead elsewhere", numbered)


def _future(game: AnyGame, ranking: Ranking[State], state: State) -> Counter[object]:
    """Return the number of each successor, with the points that the player who moves gains by moving there."""
    mover, (score, _) = game.to_move(state), score_and_key(game)
    side = -1 if mover == MIN else 1
    future: Counter[object] = Counter()
    for action in game.actions(state):
        child = game.result(state, action)
        if game.terminal_test(child):
            future["end", side * (game.utility(child, MAX) - score(state))] += 1
        else:
            after = game.to_move(child)
            moves = "chance" if after == CHANCE else after if mover == CHANCE else after == mover
            layer = ranking.layer(child)
            number = ranking.rank(child) if ranking.sections(layer) else None
            future[moves, layer, number, side * (score(child) - score(state))] += 1
    return future
