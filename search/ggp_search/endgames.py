"""What searches know from endgame tablebases. For both speeds.

A tablebase holds, for each position of a grade (see `ggp.game.Ranking`), what the rest of the game is worth to whoever
moves, in one byte. Its sections lie at the addresses in a directory: that of section s of grade g is the word number
`SECTIONS * g + s`.
"""

from typing import Any

import attrs

from ggp.game import MAX, CompiledForm, Ranking
from ggp_search.parts import INTEGERS, Compile, Numbers, Parts
from ggp_search.word_tables import REMEMBERED_FROM
from ggp_search.words import load, load_byte

SECTIONS = 128
"""Sections that a grade may have."""
GRADES = 128
"""Grades that a directory has room for."""
MOST = 127
"""The greatest value that a byte holds."""


def known_value(form: CompiledForm, ranking: Ranking, compile: Compile[Any]) -> Any:
    """`known(position, grade, directory)`: the exact value to MAX of a position whose grade is there."""
    to_move, score, place = form.to_move, form.score or compile(_nothing_secured), ranking.place

    @compile
    def known(position: Any, grade: int, directory: int) -> int:
        section, number = place(position)
        rest = load_byte(load(directory + 8 * (SECTIONS * grade + section)) + number)
        return score(position) + (rest if to_move(position) == MAX else -rest)

    return known


def _nothing_secured(position: Any) -> int:
    return 0


def with_endgames(form: CompiledForm, ranking: Ranking, numbers: Numbers, parts: Parts, compile: Compile[Any]) -> Parts:
    """The parts of a search that asks the tablebase at `live.endgames` first: it has all grades below `live.grades`."""
    grade_of, known, nothing = ranking.grade, known_value(form, ranking, compile), numbers.nothing
    probe_else, evaluate_else = parts.probe, parts.evaluate
    number = compile(_whole if numbers is INTEGERS else _fraction)

    @compile
    def probe(state: Any, depth: int, alpha: float, beta: float, live: Any) -> Any:
        grade = grade_of(state)
        if grade < live.grades:
            live.endgame_hits += 1
            value = number(known(state, grade, live.endgames))
            return value, value, nothing
        return probe_else(state, depth, alpha, beta, live)

    @compile
    def evaluate(state: Any, live: Any) -> Any:
        grade = grade_of(state)
        if grade < live.grades:
            live.leaves += 1
            live.endgame_hits += 1
            return number(known(state, grade, live.endgames))
        return evaluate_else(state, live)

    return attrs.evolve(parts, probe=probe, evaluate=evaluate)


def _whole(value: int) -> int:
    return value


def _fraction(value: int) -> float:
    return float(value)


NEAREST = 6
"""Grades above the tablebase that are low at most: in Kalah, what is below them is sooner searched than remembered."""
NEAR_SHARE = 5
"""A search through few grades has fewer low ones: one in so many."""


def near(ranking: Ranking, position: Any, grades: int) -> int:
    """How many grades above the tablebase are low, in a search from `position` on."""
    return max(0, min(NEAREST, (ranking.grade(position) - grades) // NEAR_SHARE))


def by_grade(ranking: Ranking, compile: Compile[Any]) -> Any:
    """`height(state, depth, live)`, see `ggp_search.tables.by_depth`: so many grades above those that are low."""
    grade_of = ranking.grade

    @compile
    def height(state: Any, depth: int, live: Any) -> int:
        return min(depth, grade_of(state) - live.grades - live.near + REMEMBERED_FROM)

    return height
