"""The language: what is read, what is refused, and in which words."""

import pytest
from ggp_gdl.checks import check, unknown_relations
from ggp_gdl.description import DescriptionError, format_term, parse_terms, read

SMALL = """
; Take one of three stones.
(role first) (role second)
(succ 0 1) (succ 1 2) (succ 2 3)
(init (heap 3)) (init (control first))
(<= (legal ?p take) (true (control ?p)))
(<= (legal first noop) (true (control second)))
(<= (legal second noop) (true (control first)))
(<= (next (heap ?n)) (true (heap ?m)) (succ ?n ?m))
(<= (next (control first)) (true (control second)))
(<= (next (control second)) (true (control first)))
(<= terminal (true (heap 0)))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""


def test_a_description_has_roles_in_their_order_rules_with_lines_and_a_comment():
    found = read(SMALL)
    assert found.roles == ("first", "second")
    assert found.comment == "Take one of three stones."
    assert next(rule.head.line for rule in found.rules if rule.head.name == ("terminal",)) == 12
    check(found)


def test_terms_are_written_as_they_are_read():
    text = "(cell 1 (f a b) x) done"
    assert " ".join(map(format_term, parse_terms(text))) == text
    assert parse_terms("(DONE) Done ; a comment") == ("done", "done")


def test_or_is_a_rule_for_each_case_and_the_negation_of_or_is_one_rule():
    assert len(read("(<= (p ?x) (q ?x) (or (r ?x) (s ?x)))").rules) == 2
    (rule,) = read("(<= (p ?x) (q ?x) (not (or (r ?x) (not (s ?x)))))").rules
    assert [(atom.operator, atom.name) for atom in rule.body] == [("holds", ("q",)), ("not", ("r",)), ("holds", ("s",))]


def test_a_relation_that_nothing_defines_is_named_with_the_nearest_one():
    assert unknown_relations(read(SMALL + "(<= (next far) (sucx 1 2))")) == [
        "line 15: nothing defines sucx (did you mean succ?)"
    ]


BAD = {
    "a bracket too many": ("(role x))", "line 1: a closing bracket has no opening one"),
    "a bracket too few": ("(role x)\n(role y", "line 2: a bracket is not closed"),
    "a word alone after a comment with it": ("(role x) ; role\n(role y)\nrole", "line 3: role stands outside"),
    "empty": ("; nothing", "line 1: the description is empty"),
    "a word alone": ("role x", "line 1: role stands outside of brackets"),
    "nothing in brackets": ("(role x)\n()", "line 2: .. is neither a fact nor a rule"),
    "a rule without a head": ("(<=)", "line 1: a rule needs a head"),
    "true as a head": (SMALL + "(<= (true (heap 3)) (true (heap 2)))", "line 15: true cannot be the head"),
    "true as a fact": (SMALL + "(true (heap 3))", "line 15: true cannot be the head"),
    "does as a head": (SMALL + "(<= (does first take) (true (heap 2)))", "line 15: does cannot be the head"),
    "distinct as a head": (SMALL + "(<= (distinct ?x ?y) (succ ?x ?y))", "line 15: distinct cannot be the head"),
    "not as a head": (SMALL + "(<= (not p) (succ 1 2))", "line 15: not cannot be the head"),
    "or as a head": (SMALL + "(<= (or p q) (succ 1 2))", "line 15: or cannot be the head"),
    "next as a condition": (SMALL + "(<= p (next (heap 2)))", "line 15: next cannot be a condition"),
    "init as a condition": (SMALL + "(<= p (init (heap 2)))", "line 15: init cannot be a condition"),
    "true of two": (SMALL + "(<= p\n  (true heap 2))", "line 16: true has one argument; got 2"),
    "does of one": (SMALL + "(<= p (does first))", "line 15: does has two arguments; got 1"),
    "legal of one": (SMALL + "(<= (legal first) (true (heap 1)))", "line 15: legal has two arguments; got 1"),
    "goal of one": (SMALL + "(<= (goal first) (true (heap 1)))", "line 15: goal has two arguments; got 1"),
    "terminal of one": (SMALL + "(<= (terminal first) (true (heap 1)))", "line 15: terminal has no argument; got 1"),
    "role of two": (SMALL + "(role a b)", "line 15: role has one argument; got 2"),
    "distinct of one": (SMALL + "(<= p (distinct a))", "line 15: distinct has two arguments; got 1"),
    "or of none": (SMALL + "(<= p (succ 1 2) (or))", "line 15: or needs one argument or more; got 0"),
    "brackets in each other without end": (SMALL + "(succ 4 " + "(s " * 5000, "line 15: more than 100 brackets"),
    "not of two": (SMALL + "(<= p (not (succ 1 2) (succ 2 3)))", "line 15: not has one argument"),
    "a variable as a relation": (SMALL + "(<= p (?x 1))", "line 15: the variable .x stands where a relation"),
    "a list as a relation": (SMALL + "(<= p ((succ 1) 2))", "line 15: .* names no relation"),
    "a list as a functor": (SMALL + "(<= p (true ((heap 1) 2)))", "line 15: .* is not a term"),
    "two arities": (SMALL + "(succ 3)", "line 15: succ has 1 argument here and 2 in line 4"),
    "two arities of a fact": (
        SMALL + "(<= p (true (heap 1 2)))",
        r"line 15: true \(heap ...\) has 2 arguments here and 1 in line \d+",
    ),
    "two arities of a move": (
        SMALL + "(<= (legal ?p (take 1 2)) (role ?p)) (<= p (does first (take 1)))",
        r"line 15: does \(take ...\) has 1 argument here and 2 in line 15",
    ),
    "a fact that no rule gives": (
        SMALL + "(<= p (true (heep 1)))",
        r"line 15: no rule for init or next gives \(heep ...\) \(did you mean heap\?\)",
    ),
    "a variable in a fact": (SMALL + "(succ ?x 4)", "line 15: a fact has no variables; got .x"),
    "a free variable in the head": (SMALL + "(<= (p ?x ?y) (succ ?x 1))", "line 15: .y is used in the head"),
    "a free variable in a negation": (SMALL + "(<= p (not (succ ?x 1)))", "line 15: .x is used in a negation"),
    "a free variable in distinct": (SMALL + "(<= p (distinct ?x 1))", "line 15: .x is used in distinct"),
    "a relation and its negation": (
        SMALL + "(<= (p ?x) (succ ?x 1) (not (p ?x)))",
        "line 15: p depends on its own neg",
    ),
    "a circle with a negation": (
        SMALL + "(<= (p ?x) (succ ?x 1) (not (q ?x)))\n(<= (q ?x) (succ ?x 1) (p ?x))",
        "line 15: p depends on its own negation",
    ),
    "a role by a rule": (SMALL + "(<= (role third) (succ 1 2))", "line 15: role must be a fact"),
    "a legal move of nobody": (
        SMALL + "(<= (legal third noop) (succ 1 2))",
        "line 15: third is not a role: the roles",
    ),
    "a role that is no word": (SMALL + "(role (third 3))", "line 15: a role is a word"),
    "a goal that is no number": (SMALL + "(<= (goal first win) (true (heap 0)))", "line 15: a goal is a whole number"),
    "a goal too high": (SMALL + "(<= (goal first 101) (true (heap 0)))", "line 15: a goal is a whole number from 0"),
    "init by the state": (SMALL + "(<= (init (heap 4)) (true (heap 3)))", "line 15: the initial state depends on true"),
    "legal by a move": (SMALL + "(<= (legal first rest) (does second take))", "line 15: a legal move depends on does"),
    "goal by a move": (SMALL + "(<= (goal first 7) (does second take))", "line 15: a goal depends on does"),
    "end by a move": (SMALL + "(<= terminal (does second take))", "line 15: the end of the game depends on does"),
    "role misspelt": ("(role x)\n(rloe y)\n", "line 2: rloe is defined, but used nowhere .did you mean role"),
    "init misspelt": (SMALL + "(intit (heap 4))", "line 15: intit is defined, but used nowhere .did you mean init"),
    "legal misspelt": (SMALL + "(lgeal first rest)", "line 15: lgeal is defined, but used nowhere .did you mean legal"),
    "next misspelt": (SMALL + "(nxet (heap 4))", "line 15: nxet is defined, but used nowhere .did you mean next"),
    "an arrow the other way": (SMALL + "(=> p (succ 1 2))", "line 15: => is not a keyword: a rule is written .<= HEAD"),
    "goal misspelt": (SMALL + "(gaol first 1)", "line 15: gaol is defined, but used nowhere .did you mean goal"),
    "end misspelt": (SMALL + "(<= terminall (true (heap 1)))", "line 15: terminall is defined, .* mean terminal"),
    "no roles": ("(init (heap 1))", "line 1: .* no role: add .role NAME."),
    "no moves": ("(role x) (init a)", "line 1: .* no legal move: add rules"),
    "no next": ("(role x) (init a) (legal x b)", "line 1: .* no rule for .next FACT."),
    "no goals": ("(role x) (init a) (legal x b) (next a)", "line 1: .* no goal: add rules"),
    "no end": ("(role x) (init a) (legal x b) (next a) (goal x 1)", "line 1: .* no end: add a rule for terminal"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_wrong_description_is_refused_in_a_sentence_with_the_line(case):
    text, sentence = BAD[case]
    with pytest.raises(DescriptionError, match=sentence):
        check(read(text))


def test_a_goal_may_depend_on_the_negation_of_another():
    check(read(SMALL.replace("(<= (goal ?p 0) (true (control ?p)))", "(<= (goal ?p 0) (role ?p) (not (goal ?p 100)))")))


def test_a_relation_that_no_rule_uses_is_not_taken_for_a_keyword_that_is_only_a_little_like_it():
    check(read(SMALL + "(index 1)"))


def test_there_may_be_many_facts():
    assert len(read(SMALL + " ".join(f"(number {i})" for i in range(20_001))).rules) > 20_000
