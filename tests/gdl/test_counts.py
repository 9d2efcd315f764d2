"""Counts: conditions that say how many facts of some hold are recognised in the net, and counted."""

import itertools

import pytest
from ggp_gdl.counts import Counts, lowest, size
from ggp_gdl.description import read
from ggp_gdl.grounding import Grounding
from ggp_gdl.library import make, source_of
from ggp_gdl.net import Net

import ggp

CELLS = 12
RULES = f"""
(role a) {" ".join(f"(cell {i})" for i in range(1, CELLS + 1))}
{" ".join(f"(succ {i} {i + 1})" for i in range(-CELLS - 1, CELLS + 1))}
(init (x 1)) (<= (next (x ?i)) (does a (put ?i))) (<= (next (x ?i)) (true (x ?i)))
(<= (next (o ?i)) (does a (take ?i))) (<= (next (o ?i)) (true (o ?i)))
(<= (legal a (put ?i)) (cell ?i) (not (true (x ?i)))) (<= (legal a (take ?i)) (cell ?i) (not (true (o ?i))))
(<= (count ?f 0 0) (kind ?f)) (kind x) (kind o)
(<= (holds x ?i) (true (x ?i))) (<= (holds o ?i) (true (o ?i)))
(<= (count ?f ?j ?m) (count ?f ?i ?n) (succ ?i ?j) (holds ?f ?j) (succ ?n ?m) (cell ?j))
(<= (count ?f ?j ?n) (count ?f ?i ?n) (succ ?i ?j) (not (holds ?f ?j)) (cell ?j))
(<= (more ?n ?m) (succ ?m ?n)) (<= (more ?n ?m) (succ ?k ?n) (more ?k ?m))
(<= won (count x {CELLS} ?n) (count o {CELLS} ?m) (more ?n ?m))
(<= terminal (count x {CELLS} {CELLS - 1})) (<= terminal (count x {CELLS} {CELLS}))
(<= (goal a 100) won) (<= (goal a 0) (not won))
"""


def counts_of(text):
    grounding = Grounding(read(text))
    net = Net(grounding)
    return net, Counts(net)


def value(count, held):
    """Whether a count holds, by its definition."""
    place = 0
    for each in count.sums:
        place = place * size(each) + sum(weight for fact, weight in each if fact in held) - lowest(each)
    return bool(count.values >> place & 1)


@pytest.mark.parametrize(
    ("ground", "expected"),
    [
        ((("goal", "100", 0), ("a",)), lambda xs, os: xs > os),
        ((("goal", "0", 0), ("a",)), lambda xs, os: xs <= os),
        ((("terminal",), ()), lambda xs, os: xs >= CELLS - 1),
        ((("count",), ("o", str(CELLS), "3")), lambda xs, os: os == 3),
    ],
)
def test_a_count_is_recognised_and_right_for_all_numbers(ground, expected):
    net, counts = counts_of(RULES)
    count = counts.of(net.node(ground))
    assert len(count.sums) == 1, "a lead is a single sum"
    facts = {kind: [i for i, (name, _) in enumerate(net.bits) if name[1] == kind] for kind in "xo"}
    for xs, os in itertools.product(range(CELLS + 1), repeat=2):
        held = {*facts["x"][:xs], *facts["o"][CELLS - os :]}
        assert value(count, held) == expected(xs, os)
    assert value(counts.of(-net.node(ground)), set()) != expected(0, 0)


def test_lines_on_a_board_are_no_count():
    net, counts = counts_of("(role a) (<= (next (c ?x)) (does a ?x)) (<= (legal a ?x) (i ?x))" + "".join(
        f"(i {i})" for i in range(8)) + "(<= terminal (true (c 0)) (true (c 1)) (true (c 2)))"
        "(<= terminal (true (c 3)) (true (c 4)) (true (c 5))) (goal a 0)")  # fmt: skip
    assert counts.of(net.node((("terminal",), ()))) is None


def test_a_written_class_counts_bits():
    assert ".bit_count()" in source_of(RULES, "gdl:counting")[0]
    game = make(RULES, "gdl:counting")()
    state = game.initial_state()
    for move in ("(put 2)", "(take 1)", "(take 2)"):
        assert game.utility(state, ggp.MAX) == 100
        state = game.result(state, game.parse_action(state, move))
    assert game.utility(state, ggp.MAX) == 0
