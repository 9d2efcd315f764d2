"""Ratings by Bradley and Terry's model."""

import math
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from laws import drawn, law, score

import ggp
from ggp.experiments import Pairs, rate
from ggp.experiments.pairs import elo

DECISIVE = st.tuples(*[st.integers(0, 20)] * 3).map(lambda counts: Pairs((counts[0], 0, counts[1], 0, counts[2])))


@st.composite
def round_robins(draw):
    number = draw(st.integers(2, 6))
    return number, {(i, j): draw(DECISIVE) for j in range(number) for i in range(j)}


@pytest.mark.slow
@settings(max_examples=25)
@given(round_robins())
def test_ratings_of_decisive_results_agree_with_choix_to_a_hundredth(tournament):
    number, results = tournament
    rated = rate(results, number)
    assume(not rated.prior)
    games = []
    for (i, j), pairs in results.items():
        lost, shared, won = pairs.counts[::2]
        games += [(i, j)] * (2 * won + shared) + [(j, i)] * (2 * lost + shared)
    import choix  # with SciPy: more than a second

    theirs = choix.opt_pairwise(number, games, method="Newton-CG", tol=1e-12) * 400 / math.log(10)
    assert [player.elo for player in rated.players] == pytest.approx(list(theirs - theirs.mean()), abs=0.01)


@given(round_robins())
def test_the_points_expected_are_those_scored(tournament):
    """The likelihood's equations, for any results, those of players who won or lost all included."""
    number, results = tournament
    rated = rate(results, number)
    strengths = [player.elo for player in rated.players]
    assert sum(strengths) == pytest.approx(0, abs=1e-6)
    for one in range(number):
        assume(rated.prior == 0)
        scored = expected = 0.0
        for (i, j), pairs in results.items():
            if one in (i, j):
                share = pairs.share if one == i else 1 - pairs.share
                other = j if one == i else i
                scored += 2 * pairs.number * share
                expected += 2 * pairs.number / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
        assert expected == pytest.approx(scored, abs=1e-6)


def test_two_players_are_as_far_apart_as_their_score_says():
    first, second = rate({(0, 1): Pairs((5, 3, 10, 9, 23))}, 2).players
    assert first.elo - second.elo == pytest.approx(elo(Pairs((5, 3, 10, 9, 23)).share))
    assert first.error == pytest.approx(second.error)


def test_draws_are_half_wins():
    drawn_games = rate({(0, 1): Pairs((0, 0, 0, 10, 0)), (1, 2): Pairs((0, 0, 0, 10, 0))}, 3)
    decisive = rate({(0, 1): Pairs((0, 0, 5, 0, 5)), (1, 2): Pairs((0, 0, 5, 0, 5))}, 3)
    assert [p.elo for p in drawn_games.players] == pytest.approx([p.elo for p in decisive.players])
    assert drawn_games.players[0].error < decisive.players[0].error


def test_who_has_won_all_is_rated_by_a_prior_and_better_the_more_games_they_won():
    few, many = (rate({(0, 1): Pairs((0, 0, 0, 0, n))}, 2) for n in (5, 50))
    assert (few.prior, many.prior) == (1, 1)
    assert 0 < few.players[0].elo < many.players[0].elo < 1000
    assert many.players[0].error > 100


def test_players_who_never_met_are_rated_by_a_prior():
    rated = rate({(0, 1): Pairs((1, 0, 2, 0, 3)), (2, 3): Pairs((1, 0, 2, 0, 3))}, 4)
    assert rated.prior == 1
    assert rated.players[0].elo == pytest.approx(rated.players[2].elo)


def test_without_games_all_are_equal():
    assert [player.elo for player in rate({}, 3).players] == [0, 0, 0]


def test_without_a_prior_what_has_no_answer_is_refused():
    with pytest.raises(ggp.GGPError, match="cannot be rated without a prior: some have won or lost all games"):
        rate({(0, 1): Pairs((0, 0, 0, 0, 5))}, 2, prior=0)


@pytest.mark.parametrize(("draws", "bias"), [(0, 0), (0.3, 100)])
@pytest.mark.parametrize("elos", [(0, 100, 250), (0, 50, 100, 300)])
def test_the_errors_cover_the_truth_in_93_to_97_percent_of_simulated_tournaments(elos, draws, bias):
    laws = {(i, j): law(elos[i] - elos[j], draws, bias) for j in range(len(elos)) for i in range(j)}
    true = rate({couple: Pairs([round(1e9 * p) for p in chances]) for couple, chances in laws.items()}, len(elos))
    dice, tournaments, covered = random.Random(f"{elos} {draws}"), 500, 0
    for _ in range(tournaments):
        rated = rate({couple: drawn(dice, chances, 50) for couple, chances in laws.items()}, len(elos))
        both = zip(rated.players, true.players, strict=True)
        covered += sum(abs(found.elo - truth.elo) <= found.error for found, truth in both)
    assert 0.93 <= covered / tournaments / len(elos) <= 0.97


def test_the_law_of_the_simulations_has_the_score_that_is_meant():
    assert score(law(150)) == pytest.approx(1 / (1 + 10 ** (-150 / 400)))
