"""Statistics of pairs of games: score, its interval, Elo difference.

A pair is one start position played twice, sides swapped; its score, 0 to 2 points, is one observation. The two games
share a start, so they are not independent, and counting them separately would give a wrong error: hence five counts (a
*pentanomial*), as in the test frameworks of chess engines.
"""

import math
import statistics
from collections.abc import Iterable, Sequence

import attrs

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair, as a share of its two points."""

CONFIDENCE = 0.95
"""The probability that an interval contains the true value."""

CAUTION = 0.25
"""Weight of an imagined pair that is added to estimate the spread: two independent games between equals, without draws.
"""


def five(values: Iterable[int]) -> tuple[int, ...]:
    """Return the values as a tuple of five counts.

    Raises:
        ValueError: there are not five, or one is negative.
    """
    counts = tuple(values)
    if len(counts) != len(SCORES) or any(count < 0 for count in counts):
        raise ValueError(f"counts of pairs must be {len(SCORES)} numbers that are not negative; got {counts}")
    return counts


@attrs.frozen
class Pairs:
    """The number of pairs with 0, 1/2, 1, 3/2 and 2 points for the first of two players."""

    counts: tuple[int, ...] = attrs.field(default=(0, 0, 0, 0, 0), converter=five)

    @classmethod
    def of(cls, points: Iterable[float]) -> "Pairs":
        """Return the counts of pairs by their points, 0 to 2."""
        counts = [0] * len(SCORES)
        for each in points:
            counts[round(2 * each)] += 1
        return cls(counts)

    @property
    def number(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean score, 0 to 1; 1/2 if there are no pairs."""
        return mean(self.counts) if self.number else 0.5

    @property
    def spread(self) -> float:
        """The variance of a pair's score, divided by s (1 - s), its maximum; s is the mean score.

        The spread is 1/2 for two independent games without draws. It is less with draws, and if the same side wins both
        games of a pair. `CAUTION` keeps the spread above 0 if each player won one game of every pair, and at 1/2 if one
        player won all games.
        """
        score = self.score
        seen = sum(n * (each - score) ** 2 for n, each in zip(self.counts, SCORES, strict=True))
        # for the mean is the games' own, a variance is divided by one less than their number
        return (seen + CAUTION / 2) / (max(0, self.number - 1) * score * (1 - score) + CAUTION)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the bounds of the true score: Wilson's interval for the number of coin tosses with the same variance.

        Sources: E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the
        American Statistical Association 22 (1927); L. Kish, Survey Sampling (1965), for the effective sample size.
        """
        if not self.number:
            return 0.0, 1.0
        z2 = normal_quantile((1 + confidence) / 2) ** 2 * self.spread / self.number
        middle, half = (self.score + z2 / 2) / (1 + z2), self.score * (1 - self.score) * z2 + z2 * z2 / 4
        reach = math.sqrt(half) / (1 + z2)
        low, high = middle - reach, middle + reach
        return (0.0 if self.score == 0 else max(0.0, low)), (1.0 if self.score == 1 else min(1.0, high))

    def elo(self, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
        """Return the Elo difference and its confidence interval."""
        low, high = self.interval(confidence)
        return elo(self.score), elo(low), elo(high)

    @property
    def superiority(self) -> float:
        """Return the probability, 0 to 1, that the first player is stronger; before the games, it is 1/2."""
        if not self.number:
            return 0.5
        error = math.sqrt(self.spread / 4 / self.number)
        return statistics.NormalDist().cdf((self.score - 0.5) / error)

    def swapped(self) -> "Pairs":
        """Return the counts as the other player sees them."""
        return Pairs(self.counts[::-1])


def mean(counts: Sequence[float]) -> float:
    """Return the mean score of one or more pairs."""
    return sum(n * each for n, each in zip(counts, SCORES, strict=True)) / sum(counts)


def elo(score: float) -> float:
    """Return the Elo difference for an expected score, 0 to 1.

    Source: A. E. Elo, The Rating of Chessplayers, Past and Present (1978), in the logistic form that is in use today.
    """
    if not 0 < score < 1:
        return -math.inf if score <= 0 else math.inf
    return 0.0 - 400 * math.log10(1 / score - 1)  # from 0, so that nothing is -0


def expected(elo: float) -> float:
    """Return the expected score, 0 to 1, of a player who is stronger by `elo` points."""
    return 1 / (1 + 10 ** (-elo / 400)) if elo > -100_000 else 0.0


def normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution: a variable is below it with this probability."""
    return statistics.NormalDist().inv_cdf(probability)
