"""Simulated matches: how likely a pair comes to 0, 1/2, 1, 3/2 or 2 points."""

import random

from ggp.experiments import Pairs
from ggp.experiments.pairs import SHARES, expected


def law(difference, draws=0.0, bias=0.0):
    """Of two games between players `difference` Elo apart, one with the better side (`bias` Elo), one with the worse.

    `draws` is how many there are between equals; between others there are fewer.
    """

    def game(elo):
        score = expected(elo)
        share = 2 * draws * score * (1 - score)
        return score - share, 2 * share, 1 - score - share

    found = [0.0] * 5
    for i, one in enumerate(game(difference + bias)):
        for j, other in enumerate(game(difference - bias)):
            found[4 - i - j] += one * other
    assert min(found) >= 0
    return found


def score(chances):
    """The expected score of a pair."""
    return sum(chance * each for chance, each in zip(chances, SHARES, strict=True))


def law_of_score(wanted, draws=0.0, bias=0.0):
    """The law whose expected score is `wanted`."""
    low, high = -1000.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if score(law(middle, draws, bias)) < wanted else (low, middle)
    return law(low, draws, bias)


def drawn(dice: random.Random, chances, pairs):
    """So many pairs."""
    counts = [0] * 5
    for place in dice.choices(range(5), chances, k=pairs):
        counts[place] += 1
    return Pairs(counts)
