"""The promises of a ranking: each state has a unique number, and actions lead to lower numbers."""

from itertools import islice

from ggp.game import Ranked, Ranking, State
from ggp.testing.promises import Examination
from ggp.testing.rule_promises import Observation

PROMISE = "ranking"
BEFORE = 2
"""Number of indices before a state's own for which the order of states is checked too."""

Place = tuple[int, int, int]
"""The place of a state: layer, section, index."""


def check_rank(exam: Examination, state: State, seen: Observation) -> None:
    """Check the promises of the ranking, if any, at a state that is not terminal and at its successors."""
    ranking = exam.game.ranking if isinstance(exam.game, Ranked) else None
    if ranking is None or seen[0]:
        return
    exam.at(state)
    with exam.answering(PROMISE):
        place = _place(exam, ranking, state)
        if place is None:
            return
        _check_order(exam, ranking, place)
        for action in seen[2]:
            child = exam.game.result(state, action)
            if not exam.game.terminal_test(child):
                below = _place(exam, ranking, child)
                lower = below is not None and (below[0] < place[0] or (below[:2] == place[:2] and below[2] < place[2]))
                exam.at(state, action)
                exam.expect(PROMISE, lower, "the action leads from {} to {}, which is not below", place, below)


def _place(exam: Examination, ranking: Ranking[State], state: State) -> Place | None:
    """Return the place of a state; None if its layer has no sections."""
    layer = ranking.layer(state)
    exam.expect(PROMISE, type(layer) is int and layer >= 0, "the layer is {}, and has to be 0 or more", layer)
    sizes = ranking.sections(layer)
    if not sizes:
        return None
    section, index = ranking.rank(state)
    exam.expect(PROMISE, 0 <= section < len(sizes), "the section is {} of {}", section, len(sizes))
    exam.expect(PROMISE, 0 <= index < sizes[section], "the index is {} of {}", index, sizes[section])
    return layer, section, index


def _check_order(exam: Examination, ranking: Ranking[State], place: Place) -> None:
    """Check that the states around this place are listed in the order of their indices, and that none of them is
    terminal.
    """
    layer, section, index = place
    first, size = max(0, index - BEFORE), ranking.sections(layer)[section]
    listed = list(islice(ranking.positions(layer, section, first), BEFORE + 1))
    wanted = [(layer, section, each) for each in range(first, min(size, first + BEFORE + 1))]
    found = [(ranking.layer(each), *ranking.rank(each)) for each in listed]
    exam.expect(PROMISE, found == wanted, "positions from index {} on have the places {}", first, found)
    exam.expect(PROMISE, not any(map(exam.game.terminal_test, listed)), "one of the positions {} is terminal", listed)
    back = ranking.rank(ranking.unrank(*place))
    exam.expect(PROMISE, back == place[1:], "the state of index {} has the rank {}", index, back)
