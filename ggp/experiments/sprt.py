"""A sequential test of strength, which stops as soon as the games decide the question.

Two hypotheses about the Elo difference are compared after each pair of games, until their likelihood ratio leaves an
interval. The interval is chosen so that the two errors have the given probabilities.

Sources: A. Wald, Sequential tests of statistical hypotheses, Annals of Mathematical Statistics 16 (1945); M. Van den
Bergh, The generalized sequential probability ratio test (2019), for the ratio of the greatest likelihoods of the five
counts; A. B. Owen, Empirical likelihood ratio confidence intervals for a single functional, Biometrika 75 (1988), for
these likelihoods.
"""

import math
from collections.abc import Sequence

import attrs

from ggp.errors import OptionError
from ggp.experiments.pairs import SHARES, Pairs, expected
from ggp.options import build, option, parse_options, split_options

TRACE = 1e-3
"""Replacement for a count of 0, so that no outcome is impossible."""


@attrs.frozen(kw_only=True)
class SPRT:
    """A test of H0, a difference of `elo0`, against H1, a difference of `elo1`."""

    elo0: float = option(0.0, "the lesser Elo difference, H0", minimum=-1000, maximum=1000)
    elo1: float = option(20.0, "the greater Elo difference, H1", minimum=-1000, maximum=1000)
    alpha: float = option(0.05, "how often H1 may be accepted if H0 is true", minimum=1e-6, maximum=0.5)
    beta: float = option(0.05, "how often H0 may be accepted if H1 is true", minimum=1e-6, maximum=0.5)

    def __attrs_post_init__(self) -> None:
        if self.elo0 >= self.elo1:
            raise OptionError(f"elo0 must be less than elo1 ({self.elo1:g}); got {self.elo0:g}")

    @classmethod
    def parse(cls, text: str) -> "SPRT":
        """Return the test written as `elo0=0,elo1=20`; `alpha` and `beta` may follow.

        Raises:
            OptionError: a name or a value is wrong.
        """
        test: SPRT = build(cls, "a sequential test", parse_options(cls, "a sequential test", split_options(text)))
        return test

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the log-likelihood ratio: H0 is accepted at or below the first bound, H1 at or above the
        second.
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Pairs) -> float:
        """Return the logarithm of the likelihood of H1 over that of H0."""
        if not pairs.number:
            return 0.0
        counts = [max(float(n), TRACE) for n in pairs.counts]
        return likelihood(counts, expected(self.elo1)) - likelihood(counts, expected(self.elo0))

    def accepted(self, pairs: Pairs) -> str | None:
        """Return the accepted hypothesis, "H0" or "H1"; None while the test is undecided."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        return "H0" if ratio <= low else "H1" if ratio >= high else None


def likelihood(counts: Sequence[float], share: float) -> float:
    """Return the log of the greatest likelihood of positive counts for this mean share, up to a constant.

    The most likely probabilities are proportional to n / (1 + t (s - share)), where n pairs have share s and t makes
    the mean equal to `share`.
    """
    t = _tilt(counts, share)
    return -sum(n * math.log1p(t * (each - share)) for n, each in zip(counts, SHARES, strict=True))


def _tilt(counts: Sequence[float], share: float) -> float:
    """Return the root t of sum n (s - share) / (1 + t (s - share)), which decreases in t: Newton's method, with halved
    steps.
    """
    low, high = -1 / (SHARES[-1] - share), 1 / (share - SHARES[0])
    t = 0.0
    for _ in range(100):
        terms = [(n, (each - share) / (1 + t * (each - share))) for n, each in zip(counts, SHARES, strict=True)]
        slope = sum(n * each for n, each in terms)
        low, high = (t, high) if slope > 0 else (low, t)
        step = t + slope / sum(n * each * each for n, each in terms)
        following = step if low < step < high else (low + high) / 2
        if abs(following - t) < 1e-12 * (1 + abs(t)):
            break
        t = following
    return t
