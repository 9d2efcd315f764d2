"""The promises of a ranking: every position has a place of its own, and all that an action leads to is below it."""

from itertools import islice
from typing import Any

from ggp.game import CompiledForm
from ggp.testing.promises import Examination

PROMISE = "ranking"
BEFORE = 2
"""Numbers before a position's own at which the order of positions is looked at, too."""

Place = tuple[int, int, int]
"""Of a position: grade, section, number."""


def check_place(exam: Examination, form: CompiledForm, state: Any, position: tuple[int, ...]) -> None:
    """Hold a position that is not terminal, and what its actions lead to, to the promises of the ranking, if any."""
    if form.ranking is None:
        return
    exam.at(state)
    with exam.answering(PROMISE):
        place = _place(exam, form, position)
        if place is None:
            return
        _check_order(exam, form, place)
        for action in form.actions(position):
            child = form.result(position, action)
            if not form.terminal_test(child):
                below = _place(exam, form, child)
                lower = below is not None and (below[0] < place[0] or (below[:2] == place[:2] and below[2] < place[2]))
                exam.expect(
                    PROMISE, lower, "the action {} leads from {} to {}, which is not below", action, place, below
                )


def _place(exam: Examination, form: CompiledForm, position: tuple[int, ...]) -> Place | None:
    """The place of a position; None if its grade has no sections."""
    ranking: Any = form.ranking
    grade = ranking.grade(position)
    exam.expect(PROMISE, type(grade) is int and grade >= 0, "the grade is {}, and has to be 0 or more", grade)
    sizes = ranking.sections(grade)
    if not sizes:
        return None
    section, number = ranking.place(position)
    exam.expect(PROMISE, 0 <= section < len(sizes), "the section is {} of {}", section, len(sizes))
    exam.expect(PROMISE, 0 <= number < sizes[section], "the number is {} of {}", number, sizes[section])
    return grade, section, number


def _check_order(exam: Examination, form: CompiledForm, place: Place) -> None:
    """Hold the positions about this place to be in the order of their numbers, none of them terminal."""
    ranking: Any = form.ranking
    grade, section, number = place
    first, size = max(0, number - BEFORE), ranking.sections(grade)[section]
    listed = list(islice(ranking.positions(grade, section, first), BEFORE + 1))
    wanted = [(grade, section, each) for each in range(first, min(size, first + BEFORE + 1))]
    found = [(ranking.grade(each), *ranking.place(each)) for each in listed]
    exam.expect(PROMISE, found == wanted, "positions from number {} on have the places {}", first, found)
    exam.expect(PROMISE, not any(map(form.terminal_test, listed)), "one of the positions {} is terminal", listed)
