"""Recursive relations that are grounded on demand."""

import pytest
from ggp_gdl import grounding, written
from ggp_gdl.description import read
from ggp_gdl.grounding import Grounding
from ggp_gdl.library import relation_class
from ggp_gdl.rehearsal import rehearsed

SHARES = """
    (role a) (role b) (init (control a))
    (init (cell 1 none)) (init (cell 2 none)) (init (cell 3 none)) (init (cell 4 none)) (init (cell 5 none))
    (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (first 1) (first 2) (light 1) (light 3) (heavy 2)
    (heavy 4) (heavy 5)
    (<= (legal ?p (take ?c)) (true (control ?p)) (true (cell ?c none)))
    (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
    (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
    (<= (next (cell ?c ?p)) (does ?p (take ?c)))
    (<= (next (cell ?c ?s)) (true (cell ?c ?s)) (not (taken ?c)))
    (<= (taken ?c) (does ?p (take ?c)))
    (<= (full 6) (true (control ?p)))
    (<= (full ?c) (true (cell ?c ?s)) (distinct ?s none) (after ?c ?d) (full ?d))
    (<= open (first ?c) (not (full ?c)))
    (<= terminal (not open))
    (<= (weight 6 ?n ?n) (number ?n))
    (<= (weight ?c ?m ?n) (true (cell ?c ?s)) (after ?c ?d) (own ?c ?s ?m ?k) (weight ?d ?k ?n))
    (<= (own ?c a ?m ?k) (light ?c) (true (cell ?c a)) (succ ?m ?k))
    (<= (own ?c a ?m ?k) (heavy ?c) (true (cell ?c a)) (succ ?m ?l) (succ ?l ?k))
    (<= (own ?c b ?m ?m) (true (cell ?c b)) (number ?m))
    (<= a_wins (weight 1 0 5)) (<= a_wins (weight 1 0 6))
    (<= (goal a 100) a_wins) (<= (goal b 0) a_wins)
    (<= (goal a 0) (not (weight 1 0 5)) (not (weight 1 0 6))) (<= (goal b 100) (not a_wins))
    (<= (number ?n) (succ ?n ?m)) (<= (number ?m) (succ ?n ?m))
""" + " ".join(f"(succ {n} {n + 1})" for n in range(40))


def instances(text):
    found = Grounding(read(text))
    return {name[0]: len(rows) for name, rows in found.facts.items() if len(name) == 1}


def test_only_what_is_asked_for_is_found_if_there_is_much(monkeypatch):
    every = instances(SHARES)
    monkeypatch.setattr(grounding, "MANY", 50)
    wanted = instances(SHARES)
    assert "wanted weight" not in every
    assert {name: wanted[name] for name in ("wanted full", "full", "open")} == {"wanted full": 6, "full": 6, "open": 1}
    assert wanted["wanted weight"] == 6 * 2  # the two sums with which a wins, from each cell on
    assert (every["weight"], wanted["weight"]) == (1102, 50)


@pytest.mark.parametrize("many", [50, 200_000])
def test_a_class_grounded_on_demand_is_the_game_of_the_rules(monkeypatch, many):
    monkeypatch.setattr(grounding, "MANY", many)
    referee = rehearsed(SHARES, "shares")
    one, other = written.run(written.write(referee).source, "shares")(), relation_class(referee)()
    pairs = {one.initial_state(): other.initial_state()}
    ends = set()
    pending = list(pairs.items())
    while pending:
        state, facts = pending.pop()
        assert one.terminal_test(state) == other.terminal_test(facts)
        if one.terminal_test(state):
            assert one.utility(state, 0) == other.utility(facts, 0)
            ends.add(one.utility(state, 0))
            continue
        moves = {one.move_of(action): action for action in one.actions(state)}
        assert moves.keys() == set(other.actions(facts))
        for move, action in moves.items():
            after = one.result(state, action)
            assert set(one.facts(after)) == other.result(facts, move)
            if after not in pairs:
                pairs[after] = other.result(facts, move)
                pending.append((after, pairs[after]))
    assert (len(pairs), ends) == (96, {-1, 1})  # of k cells, half are of a: 1 + 5 + 20 + 30 + 30 + 10
