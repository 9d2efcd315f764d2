"""The reasoner: what follows from rules, also from recursive ones, and play that keeps the promises of a game."""

import random

import pytest
from ggp_gdl.description import read
from ggp_gdl.library import OWN, make, named_files
from ggp_gdl.play import Referee
from ggp_gdl.reasoner import Reasoner

import ggp
from ggp.testing import check_game

NAMES = sorted(named_files(OWN))


def following(rules, facts=()):
    """The words `x` for which `(init (found x))` follows, or with facts `(next (found x))`."""
    reasoner = Reasoner(read(rules))
    if not facts:
        return {fact[1] for fact in reasoner.initial_facts()}
    return {fact[1] for fact in reasoner.next(reasoner.situation(facts), [])}


LINKS = "(link a b) (link b c) (link c a) (link d e)"


@pytest.mark.parametrize(
    ("rule", "found"),
    {
        "(<= (init (found ?x)) (link a ?x))": "b",
        "(<= (init (found ?x)) (link ?x ?y) (not (link ?y ?x)))": "abcd",
        "(<= (init (found ?x)) (link ?x ?y) (distinct ?x a))": "bcd",
        "(<= (init (found ?x)) (or (link ?x b) (link d ?x)))": "ae",
        "(<= (init (found ?x)) (link ?x ?y) (not (or (link a ?x) (distinct ?y c))))": "",
        "(<= (init (found ?x)) (reach a ?x)) (<= (reach ?x ?y) (link ?x ?y)) "
        "(<= (reach ?x ?z) (reach ?x ?y) (link ?y ?z))": "abc",
        "(<= (init (found ?x)) (term (f ?x b))) (term (f e b)) (term (f d c)) (term (g a b))": "e",
    }.items(),
)
def test_what_follows_from_facts(rule, found):
    assert following(f"{LINKS} {rule}") == set(found)


@pytest.mark.parametrize(
    "recursion",
    [
        "(<= (reach ?x ?y) (true (link ?x ?y))) (<= (reach ?x ?z) (true (link ?x ?y)) (reach ?y ?z))",
        "(<= (reach ?x ?y) (true (link ?x ?y))) (<= (reach ?x ?z) (reach ?x ?y) (true (link ?y ?z)))",
        "(<= (reach ?x ?y) (true (link ?x ?y))) (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))",
        "(<= (reach ?x ?y) (true (link ?x ?y))) (<= (reach ?x ?z) (also ?x ?y) (reach ?y ?z)) "
        "(<= (also ?x ?y) (reach ?x ?y))",
    ],
)
def test_a_relation_of_the_state_that_depends_on_itself_is_found_whole_in_any_form(recursion):
    generator = random.Random(1)
    for _ in range(30):
        links = {(generator.choice("abcdefg"), generator.choice("abcdefg")) for _ in range(9)}
        reached = {y for x, y in links if x == "a"}
        while more := {y for x, y in links if x in reached} - reached:
            reached |= more
        rules = f"(init (link a b)) {recursion} (<= (next (found ?x)) (reach a ?x))"
        assert following(rules, [("link", *link) for link in links]) == reached


def test_relations_without_an_end_are_refused():
    with pytest.raises(ggp.GGPError, match=r"line \d+: .* the recursion makes ever larger terms"):
        following("(p a) (<= (p (f ?x)) (p ?x)) (<= (init (found ?x)) (p ?x))")


LONG = ("reversi", "breakthrough", "connectfour", "eightpuzzle")


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in NAMES])
def test_our_descriptions_keep_all_promises(name):
    check_game(make(named_files(OWN)[name].read_text(), f"gdl:{name}")(), examples=3)


def test_the_referee_sees_who_has_a_choice():
    referee = Referee(read(named_files(OWN)["tictactoe"].read_text()))
    start = referee.reasoner.initial_facts()
    assert referee.position(start).mover == ggp.MAX
    after = referee.result(start, ("mark", "2", "2"))
    assert referee.position(after).mover == ggp.MIN
    assert ("cell", "2", "2", "x") in after
    assert len(referee.position(after).moves["o"]) == 8


TURNS = """
(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2)
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 2))) {}
"""
GOALS = "(goal a 100) (goal b 0)"
UNSERVED = {
    "at the same time": ("(legal a x) (legal a y) (legal b x) (legal b y)" + GOALS, "a and b choose at the same time"),
    "no move": ("(legal a x) (<= (legal b x) (true (at 0)))" + GOALS, "line 3: b has no legal move in .at 1."),
    "no goal": ("(legal a x) (legal b x) (goal a 100)", "b has no goal at the end .at 2."),
    "two goals": (
        "(legal a x) (legal b x) (goal b 0) (goal a 100) (goal a 50)",
        r"line 3: a has the goals \[50, 100\]",
    ),
    "friends": (
        "(legal a x) (legal a y) (legal b x) (<= (next good) (does a x)) (<= (goal ?p 100) (role ?p) (true good)) "
        "(<= (goal ?p 0) (role ?p) (not (true good)))",
        "its goals are not opposed: a and b prefer the same one of the outcomes",
    ),
    "three": ("(role c) (legal a x) (legal b x) (legal c x)" + GOALS, "it has 3 players .a, b, c.: ggp plays games of"),
}


@pytest.mark.parametrize("case", UNSERVED)
def test_a_game_that_is_not_our_kind_is_refused_with_the_reason(case):
    rules, sentence = UNSERVED[case]
    with pytest.raises(ggp.GGPError, match=sentence):
        make(TURNS.format(rules), "gdl:case")
