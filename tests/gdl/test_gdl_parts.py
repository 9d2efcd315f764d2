"""Independent parts of games in GDL, and facts that nothing reads."""

import pytest
from ggp_gdl.automaton import Automaton
from ggp_gdl.description import format_term, term_of
from ggp_gdl.library import interpreted_form, make
from ggp_gdl.parts import independent_parts, sentences
from ggp_gdl.rehearsal import rehearsed
from ggp_solve.solver import solve

from ggp.testing import check_game

LAMPS = """
(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(lamp a) (lamp b) (init (dark a)) (init (dark b)) (init (last none))
(<= (legal r (press ?l)) (lamp ?l))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (lit ?l)) (does r (press ?l)) (true (dark ?l)))
(<= (next (lit ?l)) (true (lit ?l)) (not (does r (press ?l))))
(<= (next (dark ?l)) (does r (press ?l)) (true (lit ?l)))
(<= (next (dark ?l)) (true (dark ?l)) (not (does r (press ?l))))
(<= (next (last ?l)) (does r (press ?l))) (<= (next (before ?l)) (true (last ?l)))
(<= terminal (true (step 4)))
(<= both (true (lit a)) (true (lit b))) (<= (goal r 100) both) (<= (goal r 0) (not both))
"""
"""Two lamps and a clock. Nothing reads which lamps were pressed last."""


def automaton(text):
    return Automaton(rehearsed(text))


def names(text):
    found = automaton(text)
    facts = [format_term(term_of(*bit)) for bit in found.net.bits]
    return [
        ([facts[each] for each in part.facts], [found.move_text(each) for each in part.moves])
        for part in independent_parts(found)
    ]


def test_each_lamp_is_a_part_and_the_clock_belongs_to_none():
    parts = names(LAMPS.replace("(<= (next (last ?l)) (does r (press ?l)))", ""))
    assert parts == [
        (["(dark a)", "(lit a)"], ["(press a)"]),
        (["(dark b)", "(lit b)"], ["(press b)"]),
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (legal r both) (true (dark a)) (true (lit b)))",
        "(<= (next (lit a)) (true (lit b)))",
        "(<= (next (dark b)) (does r (press a)) (true (lit b)))",
    ],
    ids=["a move that needs both", "a lamp that follows another", "a move that changes both"],
)
def test_what_meets_in_a_move_or_a_fact_is_one_part(rule):
    parts = names(LAMPS.replace("(<= (next (last ?l)) (does r (press ?l)))", rule))
    assert len(parts) == 1


def unread(text):
    found = automaton(text)
    return {format_term(term_of(*found.net.bits[each])) for each in found.unread}


def test_facts_are_read_by_goals_and_ends_after_any_number_of_moves():
    last, before = {"(last a)", "(last b)", "(last none)"}, {"(before a)", "(before b)", "(before none)"}
    assert unread(LAMPS) == last | before
    assert unread(LAMPS + "(<= terminal (true (before b)) (true (step 3)))") == (last | before) - {
        "(last b)",
        "(before b)",
    }
    assert unread(LAMPS + "(<= (legal r rest) (true (last a)))") == (last | before) - {"(last a)"}


def test_positions_that_differ_only_in_unread_facts_are_solved_as_one():
    game, rules = make(LAMPS, "gdl:lamps")(), interpreted_form(LAMPS, "gdl:lamps")()
    one, other = (solve(each, each.initial_state()) for each in (game, rules))
    assert one.value == other.value == 100
    assert one.positions == 1 + 2 + 2 + 2 + 2  # step by step
    assert other.positions == 1 + 2 + 4 + 8 + 8


def test_states_without_their_unread_facts_keep_all_promises():
    check_game(make(LAMPS, "gdl:lamps")(), examples=3)


def test_a_class_tells_its_unread_facts_and_its_parts():
    assert list(sentences(automaton(LAMPS.replace("(<= (next (last ?l)) (does r (press ?l)))", "")))) == [
        "Facts on which no legal move, goal or end depends: 2, such as (before none).",
        "2 independent parts, which are connected only by the end and the goals:",
        "- 2 facts such as (dark a), 1 move such as (press a)",
        "- 2 facts such as (dark b), 1 move such as (press b)",
    ]
