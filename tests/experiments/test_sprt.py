"""The sequential test."""

import math
import random

import pytest
from laws import law_of_score

import ggp
from ggp.experiments import SPRT, Experiment, Pairs, Results, outcomes, random_starts, round_robin, workshop
from ggp.experiments.pairs import SHARES, expected
from ggp.experiments.sprt import likelihood


def test_the_bounds_are_walds():
    assert SPRT(alpha=0.05, beta=0.05).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert SPRT(alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def test_a_test_is_written_as_options():
    assert SPRT.parse("elo0=-5,elo1=10") == SPRT(elo0=-5, elo1=10, alpha=0.05, beta=0.05)
    assert SPRT.parse("alpha=0.1").alpha == 0.1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elo0=20,elo1=20", "elo0 must be less than elo1 .20.; got 20"),
        ("elo=1", r"has no option 'elo' \(did you mean .*: its options are elo0, elo1, alpha, beta"),
        ("alpha=2", "alpha must be a number from 1e-06 to 0.5 (.*); got 2.0"),
        ("20", "'20' is not an option"),
    ],
)
def test_what_is_no_test_is_refused(text, message):
    with pytest.raises(ggp.OptionError, match=message):
        SPRT.parse(text)


@pytest.mark.parametrize("wanted", [0.3, 0.5, 0.64, 0.9])
def test_the_likelihood_is_the_greatest_of_all_that_have_the_score(wanted):
    counts = [3.0, 5.0, 20.0, 9.0, 4.0]
    best = likelihood(counts, wanted)
    total = sum(counts)
    dice = random.Random(1)
    for _ in range(300):
        raw = [n * dice.lognormvariate(0, 0.3) for n in counts]
        low, high = -200.0, 200.0
        for _ in range(80):  # raw probabilities, bent until they have the score
            bend = (low + high) / 2
            bent = [p * math.exp(bend * (s - wanted)) for p, s in zip(raw, SHARES, strict=True)]
            mean = sum(p * s for p, s in zip(bent, SHARES, strict=True)) / sum(bent)
            low, high = (bend, high) if mean < wanted else (low, bend)
        value = sum(n * math.log(p / sum(bent) * total / n) for n, p in zip(counts, bent, strict=True))
        assert value <= best + 1e-9


def test_the_ratio_changes_its_sign_with_the_hypotheses_and_the_players():
    pairs = Pairs((10, 5, 40, 9, 12))
    assert SPRT(elo0=-30, elo1=30).ratio(pairs) == pytest.approx(-SPRT(elo0=-30, elo1=30).ratio(pairs.swapped()))
    assert SPRT().ratio(Pairs()) == 0
    assert SPRT().accepted(Pairs()) is None


def test_one_sided_results_decide_and_even_ones_do_not():
    test = SPRT(elo0=0, elo1=100)
    assert test.accepted(Pairs((0, 0, 5, 0, 40))) == "H1"
    assert test.accepted(Pairs((40, 0, 5, 0, 0))) == "H0"
    assert test.accepted(Pairs((5, 0, 5, 0, 5))) is None


@pytest.mark.slow
@pytest.mark.parametrize(("draws", "bias"), [(0, 0), (0.3, 100)])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 80), (-50, 50)])
def test_the_error_rates_in_simulation_are_no_more_than_asked_for(elo0, elo1, draws, bias):
    test, runs = SPRT(elo0=elo0, elo1=elo1, alpha=0.05, beta=0.05), 500
    for true, wrong in ((elo0, "H1"), (elo1, "H0")):
        dice, chances = random.Random(f"{true} {draws}"), law_of_score(expected(true), draws, bias)
        errors = sum(_decided(test, dice, chances) == wrong for _ in range(runs))
        assert errors / runs <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)
        assert errors > 0  # the test does not simply go on for ever


def _decided(test, dice, chances):
    counts = [0] * 5
    while True:
        counts[dice.choices(range(5), chances)[0]] += 1
        accepted = test.accepted(Pairs(counts))
        if accepted:
            return accepted


def test_looser_error_rates_are_made_use_of():
    test, chances, dice = SPRT(elo0=0, elo1=80, alpha=0.2, beta=0.2), law_of_score(expected(0)), random.Random(5)
    errors = sum(_decided(test, dice, chances) == "H1" for _ in range(300)) / 300
    assert 0.1 <= errors <= 0.25


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_in_a_tournament_only_the_pairs_that_are_decided_stop(processes):
    nim = ggp.load_registry().game("nim")
    players = ("alphabeta:depth=9", "minimax:depth=9", "random")
    starts = random_starts(nim, nim.initial_state(), 40, plies=1)
    experiment = Experiment(game="nim", players=players, couples=round_robin(3), starts=starts)
    results, test, decided = Results(experiment), SPRT(elo0=0, elo1=200), set()
    games = outcomes(experiment, workshop(processes), needed=lambda n: experiment.meeting(n)[0] not in decided)
    for outcome in games:
        couple, _, _ = experiment.meeting(outcome.number)
        assert couple not in decided
        results.add(outcome)
        if test.accepted(results.meetings[couple].pairs):
            decided.add(couple)
    assert decided == {0, 1, 2}
    assert [test.accepted(each.pairs) for each in results.meetings] == ["H0", "H1", "H1"]
    assert len({each.games for each in results.meetings}) > 1
    assert results.games < experiment.games
