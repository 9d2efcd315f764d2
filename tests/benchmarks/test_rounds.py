"""Interleaved rounds, and what is told of them; by a clock that ticks as it is told."""

import pytest

from benchmarks import parallel
from benchmarks.report import ReportTable, Section, at_least, at_most, rates, targets
from benchmarks.rounds import Contender, Missing, Timing, Unavailable, Unequal, interleave, ratio, same_states
from benchmarks.scale import QUICK


class Runs:
    """Contenders that take as many seconds as they are told, on a clock of their own, and note who ran."""

    def __init__(self):
        self.now = 0.0
        self.log = []

    def contender(self, letter, *seconds):
        left = list(seconds)

        def run():
            self.log.append(letter)
            self.now += left.pop(0)

        def count():
            run()
            return 10

        return lambda: Contender(run, count)

    def clock(self):
        return self.now


def unavailable():
    raise Unavailable("it is not installed")


def test_contenders_take_turns_after_each_has_warmed_up():
    runs = Runs()
    interleave({"a": runs.contender("a", 1, 1, 1), "b": runs.contender("b", 1, 1, 1)}, 2, 0.0, runs.clock)
    assert "".join(runs.log) == "ab" + "abab"


def test_the_median_and_the_spread_are_those_of_the_rounds_and_not_of_the_warming_up():
    runs = Runs()
    (row,) = interleave({"a": runs.contender("a", 100, 2, 4, 3)}, 3, 0.0, runs.clock)
    assert row == Timing("a", 10, (2, 4, 3))
    assert (row.median, row.spread, row.rate) == (3, 2 / 3, 10 / 3)


def test_what_is_shorter_than_a_turn_runs_several_times_in_it():
    runs = Runs()
    (row,) = interleave({"a": runs.contender("a", 0.25, 0.25, 0.1, 0.2, 0.3, 0.2)}, 1, 1.0, runs.clock)
    assert len(runs.log) == 2 + 4
    assert row.seconds == pytest.approx((0.2,))


def test_what_is_done_before_a_run_is_not_timed():
    runs = Runs()

    def rest():
        runs.now += 50

    contender = runs.contender("a", 1, 1, 1)()
    (row,) = interleave({"a": lambda: Contender(contender.run, contender.count, rest)}, 2, 0.0, runs.clock)
    assert row.seconds == (1, 1)


def test_a_contender_that_cannot_be_had_is_a_row_that_says_why_and_takes_part_in_no_ratio():
    runs = Runs()
    rows = interleave({"a": runs.contender("a", 1, 1), "b": unavailable}, 1, 0.0, runs.clock)
    assert rows[1] == Missing("b", "it is not installed")
    assert "b: it is not installed" in rates(rows).markdown()
    assert ratio(rows[0], rows[1]) is None
    assert at_least("as fast as b", 1.0, ratio(*rows)).cells == ("as fast as b", "at least 1", "-", "not measured")
    assert at_most("b", 1.0, rows[1]).cells[2:] == ("-", "not measured")


def test_a_ratio_is_of_states_a_second():
    assert ratio(Timing("a", 300, (2.0,)), Timing("b", 100, (1.0,))) == 1.5


def test_different_numbers_of_states_on_the_same_tree_are_an_error_that_tells_them():
    rows = [Timing("a", 1000, (1.0,)), Missing("b", "gone"), Timing("c", 999, (1.0,))]
    with pytest.raises(Unequal, match="the same tree should have as many states for all: a 1,000, c 999"):
        same_states(rows)
    assert same_states(rows[:2]) == 1000
    assert same_states(rows[1:2]) is None


@pytest.mark.parametrize(
    ("target", "cells"),
    [
        (at_least("a", 0.9, 0.9), ("a", "at least 0.9", "0.9", "pass")),
        (at_least("a", 0.9, 0.8999), ("a", "at least 0.9", "0.9", "MISS")),
        (at_most("a", 2, Timing("a", 0, (2.0,))), ("a", "at most 2 s", "2 s", "pass")),
        (at_most("a", 2, Timing("a", 0, (2.01,))), ("a", "at most 2 s", "2.01 s", "MISS")),
    ],
)
def test_a_target_is_passed_at_its_very_bound(target, cells):
    assert target.cells == cells


def test_the_targets_of_all_sections_are_one_table():
    sections = [Section("one", "", (), (at_least("a", 1, 2),)), Section("two", "", (), (at_least("b", 1, 0.5),))]
    (table,) = targets(sections).tables
    assert [row[0] for row in table.rows] == ["a", "b"]


def test_a_table_is_aligned_markdown():
    table = ReportTable(("", "states"), (("a", "1"), ("bcd", "20")))
    assert table.markdown().splitlines() == [
        "|     | states |",
        "|-----|-------:|",
        "| a   |      1 |",
        "| bcd |     20 |",
    ]


@pytest.mark.parametrize(
    ("seconds", "found", "verdict"),
    [
        ((6.0, 4.0, 6.0), "1.5", "pass"),
        ((6.0, 4.2, 6.0), "1.43", "MISS"),
        ((6.0, 4.9, 8.0), "1.22", "pass"),  # 0.8 of the processes' 1.5
        ((6.0, 5.1, 8.0), "1.18", "MISS"),
        ((6.0, 4.0, 10.0), "-", "not measured"),  # the second core is at work for somebody else
    ],
)
def test_threads_are_judged_beside_what_two_processes_gain(monkeypatch, seconds, found, verdict):
    rows = [Timing("", states, (each,)) for states, each in zip((10, 12, 20), seconds, strict=True)]
    monkeypatch.setattr(parallel, "interleave", lambda *arguments: rows)
    (target,) = parallel.parallel(QUICK).targets
    assert target.cells[2:] == (found, verdict)


def test_two_processes_that_do_not_search_the_same_are_an_error(monkeypatch):
    rows = [Timing("", states, (1.0,)) for states in (1000, 1200, 2001)]
    monkeypatch.setattr(parallel, "interleave", lambda *arguments: rows)
    with pytest.raises(Unequal, match="two processes should visit twice as many states as one: 2,001, 1,000"):
        parallel.parallel(QUICK)
