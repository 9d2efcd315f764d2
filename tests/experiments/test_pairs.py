"""Pairs of games: score, interval, Elo."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import drawn, law, score

from ggp.experiments import Pairs
from ggp.experiments.pairs import elo, expected

COUNTS = st.lists(st.integers(0, 200), min_size=5, max_size=5)


def test_points_are_counted_by_halves():
    assert Pairs.of([0, 0.5, 1, 1, 1.5, 2, 2]).counts == (1, 1, 2, 1, 2)
    assert Pairs((1, 1, 2, 1, 2)).share == pytest.approx((0.5 + 2 + 1.5 + 4) / 14)
    assert Pairs((1, 1, 2, 1, 2)).score == Pairs((1, 1, 2, 1, 2)).share  # the former name
    assert Pairs((1, 1, 2, 1, 2)).number == 7


@pytest.mark.parametrize("counts", [(1, 2), (0, 0, 0, 0, -1)])
def test_what_are_no_five_counts_is_refused(counts):
    with pytest.raises(ValueError, match="counts of pairs must be 5 numbers that are not negative"):
        Pairs(counts)


@pytest.mark.parametrize(("share", "difference"), [(0.5, 0), (10 / 11, 400), (1 / 11, -400), (0.76, 200.24)])
def test_elo_differences_are_what_the_tables_say(share, difference):
    assert elo(share) == pytest.approx(difference, abs=0.01)
    assert expected(difference) == pytest.approx(share, abs=1e-4)


def test_equal_players_are_apart_by_a_zero_without_a_sign():
    assert f"{elo(0.5):+.0f}" == "+0"


def test_all_won_or_lost_is_infinitely_better_or_worse_but_no_more_than_a_bound_is_sure():
    best, low, high = Pairs((0, 0, 0, 0, 20)).elo()
    assert (best, high) == (math.inf, math.inf)
    assert 100 < low < 500
    assert Pairs((20, 0, 0, 0, 0)).elo() == (-math.inf, -math.inf, -low)


def test_of_no_games_nothing_is_known():
    assert Pairs().elo() == (0, -math.inf, math.inf)
    assert Pairs().superiority == 0.5


def test_independent_games_without_draws_have_the_interval_of_as_many_coin_tosses():
    """Wilson's interval for 120 of 200: 0.5308 to 0.6654 (computed by hand from the 1927 formula)."""
    pairs = Pairs((16, 0, 48, 0, 36))  # 120 of 200, and as many alike pairs as independence gives
    assert pairs.spread == pytest.approx(0.5, abs=0.01)
    assert pairs.interval() == pytest.approx((0.5308, 0.6654), abs=0.001)


def test_pairs_that_are_always_shared_narrow_the_interval():
    low, high = Pairs((0, 0, 100, 0, 0)).interval()
    independent = Pairs((25, 0, 50, 0, 25)).interval()
    assert high - low < 0.2 * (independent[1] - independent[0])


@given(COUNTS)
def test_the_interval_holds_the_score_and_the_other_player_sees_its_mirror_image(counts):
    pairs = Pairs(counts)
    low, high = pairs.interval()
    assert 0 <= low <= pairs.share <= high <= 1
    assert pairs.swapped().interval() == pytest.approx((1 - high, 1 - low))
    assert pairs.swapped().superiority == pytest.approx(1 - pairs.superiority)


@given(COUNTS)
def test_more_of_the_same_is_surer(counts):
    few, many = Pairs(counts), Pairs([10 * n for n in counts])
    if few.number:
        assert many.interval()[0] >= few.interval()[0] - 1e-12
        assert many.interval()[1] <= few.interval()[1] + 1e-12


@pytest.mark.parametrize("pairs", [50, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("difference", "draws", "bias"),
    [(0, 0, 0), (50, 0.6, 0), (150, 0, 0), (150, 0.1, 200), (300, 0, 0), (300, 0.3, 100), (450, 0, 0), (0, 0, 400)],
)
def test_the_interval_covers_the_truth_in_93_to_97_percent_of_simulated_matches(pairs, difference, draws, bias):
    dice, chances, matches = random.Random(f"{pairs} {difference} {draws} {bias}"), law(difference, draws, bias), 3000
    true = elo(score(chances))
    covered = 0
    for _ in range(matches):
        _, low, high = drawn(dice, chances, pairs).elo()
        covered += low <= true <= high
    assert 0.93 <= covered / matches <= 0.97


@pytest.mark.parametrize(
    ("counts", "spread"),
    [
        ((0, 0, 0, 0, 20), 1 / 2),
        ((0, 0, 99, 0, 0), 0.125 / 24.75),
        ((50, 0, 0, 0, 49), 24.7525 / 24.75 + 0.125 / 24.75),
    ],
)
def test_the_spread_is_cautious_where_all_pairs_came_out_alike(counts, spread):
    assert Pairs(counts).spread == pytest.approx(spread, rel=0.01)
