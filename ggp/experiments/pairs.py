"""Statistics of pairs of games: share of the points, its interval, Elo difference.

A pair is one start position that is played twice, with sides swapped. The points of a pair, 0 to 2, are one
observation. The two games share a start, so they are not independent, and counting them separately would give a wrong
error. So the pairs with each of the five possible shares are counted (a *pentanomial*), as in the test frameworks of
chess engines.
"""

import math
import statistics
from collections.abc import Iterable, Sequence

import attrs

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible shares of the two points of a pair."""

CONFIDENCE = 0.95
"""The probability that an interval contains the true value."""

CAUTION = 0.25
"""Weight of an imagined pair that is added to estimate the spread: two independent games between equals,
without draws.
"""


def five(values: Iterable[int]) -> tuple[int, ...]:
    """Return the values as a tuple of five counts.

    Raises:
        ValueError: there are not five values, or a value is negative.
    """
    counts = tuple(values)
    if len(counts) != len(SHARES) or any(count < 0 for count in counts):
        raise ValueError(f"counts of pairs must be {len(SHARES)} numbers that are not negative; got {counts}")
    return counts


@attrs.frozen
class Pairs:
    """The number of pairs with 0, 1/2, 1, 3/2 and 2 points for the first of two players."""

    counts: tuple[int, ...] = attrs.field(default=(0, 0, 0, 0, 0), converter=five)

    @classmethod
    def of(cls, points: Iterable[float]) -> "Pairs":
        """Return the counts of pairs by their points, 0 to 2."""
        counts = [0] * len(SHARES)
        for each in points:
            counts[round(2 * each)] += 1
        return cls(counts)

    @property
    def number(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def share(self) -> float:
        """The mean share of the points, 0 to 1; 1/2 if there are no pairs."""
        return mean(self.counts) if self.number else 0.5

    @property
    def score(self) -> float:
        """The former name of `share`."""
        return self.share

    @property
    def spread(self) -> float:
        """The variance of a pair's share, divided by the greatest possible variance: s (1 - s), if s is the mean share.

        The spread is 1/2 for two independent games without draws. It is less with draws, and if the same side wins both
        games of a pair. If each player won one game of every pair, `CAUTION` keeps the spread above 0. If one player
        won all games, `CAUTION` keeps the spread at 1/2.
        """
        share = self.share
        seen = sum(n * (each - share) ** 2 for n, each in zip(self.counts, SHARES, strict=True))
        # The mean is computed from the same games, so the sum is divided by one less than their number.
        return (seen + CAUTION / 2) / (max(0, self.number - 1) * share * (1 - share) + CAUTION)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the bounds of the true share: Wilson's interval for the number of coin tosses whose mean has the same
        variance.

        Sources: E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the
        American Statistical Association 22 (1927); L. Kish, Survey Sampling (1965), for the effective sample size.
        """
        if not self.number:
            return 0.0, 1.0
        z2 = normal_quantile((1 + confidence) / 2) ** 2 * self.spread / self.number
        middle, half = (self.share + z2 / 2) / (1 + z2), self.share * (1 - self.share) * z2 + z2 * z2 / 4
        reach = math.sqrt(half) / (1 + z2)
        low, high = middle - reach, middle + reach
        return (0.0 if self.share == 0 else max(0.0, low)), (1.0 if self.share == 1 else min(1.0, high))

    def elo(self, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
        """Return the Elo difference and its confidence interval."""
        low, high = self.interval(confidence)
        return elo(self.share), elo(low), elo(high)

    @property
    def superiority(self) -> float:
        """Return the probability, 0 to 1, that the first player is stronger; before the games, it is 1/2."""
        if not self.number:
            return 0.5
        error = math.sqrt(self.spread / 4 / self.number)
        return statistics.NormalDist().cdf((self.share - 0.5) / error)

    def swapped(self) -> "Pairs":
        """Return the counts from the other player's point of view."""
        return Pairs(self.counts[::-1])


def mean(counts: Sequence[float]) -> float:
    """Return the mean share of the points of one or more pairs."""
    return sum(n * each for n, each in zip(counts, SHARES, strict=True)) / sum(counts)


def elo(share: float) -> float:
    """Return the Elo difference for an expected share of the points, 0 to 1.

    Source: A. E. Elo, The Rating of Chessplayers, Past and Present (1978), in the logistic form that is in use today.
    """
    if not 0 < share < 1:
        return -math.inf if share <= 0 else math.inf
    return 0.0 - 400 * math.log10(1 / share - 1)  # from 0, so that nothing is -0


def elo_text(elo: float) -> str:
    """Return an Elo difference as text: "+120", "-∞"."""
    return f"{round(elo):+d}" if math.isfinite(elo) else "+∞" if elo > 0 else "-∞"


def expected(elo: float) -> float:
    """Return the expected share of the points, 0 to 1, of a player who is stronger by `elo` points."""
    return 1 / (1 + 10 ** (-elo / 400)) if elo > -100_000 else 0.0


def normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution: the number below which a value lies with this
    probability.
    """
    return statistics.NormalDist().inv_cdf(probability)
