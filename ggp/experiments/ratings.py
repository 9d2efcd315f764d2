"""Ratings of players, in Elo: the numbers whose differences explain the results best.

In Bradley and Terry's model, the expected score against a player whose rating is lower by r is 1 / (1 + 10 ** (-r /
400)). A draw is half a win. Ratings sum to 0.

Sources: R. A. Bradley and M. E. Terry, Rank analysis of incomplete block designs I, Biometrika 39 (1952); D. R.
Hunter, MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32 (2004), for when a solution exists;
H. White, Maximum likelihood estimation of misspecified models, Econometrica 50 (1982), for the errors.
"""

import math
from collections.abc import Mapping, Sequence

import attrs

from ggp.errors import GGPError
from ggp.experiments.pairs import CONFIDENCE, Pairs, expected, normal_quantile

UNIT = 400 / math.log(10)
"""Elo points for a factor of e in the odds."""

Matrix = list[list[float]]


@attrs.frozen
class Rating:
    """A player's rating and half the width of its interval, in Elo."""

    elo: float
    error: float


@attrs.frozen
class Ratings:
    """The ratings of all players, in their order."""

    players: tuple[Rating, ...]
    prior: float
    """Number of imagined games that each player drew against an opponent rated 0."""


def rate(results: Mapping[tuple[int, int], Pairs], number: int, prior: float | None = None) -> Ratings:
    """Return the ratings of players 0 to `number` - 1.

    Arguments:
        results: for (i, j), the results of the pairs of games between players i and j, from i's point of view.
        prior: number of imagined draws of each player against an opponent rated 0. None: 0 if the results determine the
            ratings, otherwise 1. They do not if some players won all games against the others, or never met them.

    Raises:
        GGPError: `prior` is 0, and without imagined draws the results do not determine the ratings.
    """
    games = {couple: pairs for couple, pairs in results.items() if pairs.number}
    if prior is None:
        prior = 0.0 if _connected(games, number) else 1.0
    elif not prior and not _connected(games, number):
        raise GGPError(
            "the players cannot be rated without a prior: some have won or lost all games against the others,"
            " or never met them; give a prior above 0"
        )
    strengths = _strengths(games, number, prior)
    errors = _errors(games, strengths, prior)
    z = normal_quantile((1 + CONFIDENCE) / 2)
    ratings = tuple(Rating(UNIT * r, UNIT * z * e) for r, e in zip(strengths, errors, strict=True))
    return Ratings(ratings, prior)


def _connected(games: Mapping[tuple[int, int], Pairs], number: int) -> bool:
    """Return whether the results determine the ratings: from every player to every other, there is a chain of players
    in which each scored against the next.
    """
    beats: list[set[int]] = [set() for _ in range(number)]
    for (i, j), pairs in games.items():
        if pairs.share > 0:
            beats[i].add(j)
        if pairs.share < 1:
            beats[j].add(i)
    beaten = [{i for i in range(number) if j in beats[i]} for j in range(number)]
    return all(_reached(graph) == number for graph in (beats, beaten))


def _reached(graph: Sequence[set[int]]) -> int:
    """Return the number of players that can be reached from player 0 in the graph, player 0 included."""
    seen, waiting = {0}, [0]
    while waiting:
        new = graph[waiting.pop()] - seen
        seen |= new
        waiting += new
    return len(seen)


def _strengths(games: Mapping[tuple[int, int], Pairs], number: int, prior: float) -> list[float]:
    """Return the most likely ratings in natural units, by Newton's method with bounded steps."""
    strengths = [0.0] * number
    for _ in range(1000):
        slope, curvature = _slope(games, strengths, prior), _information(games, strengths, prior)
        step = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in _inverse(_anchored(curvature, prior))]
        longest = max(map(abs, step))
        shrink = min(1.0, 1 / longest) if longest else 1.0
        strengths = [r + shrink * s for r, s in zip(strengths, step, strict=True)]
        if longest < 1e-12:
            break
    middle = sum(strengths) / number
    return [r - middle for r in strengths]


def _slope(games: Mapping[tuple[int, int], Pairs], strengths: Sequence[float], prior: float) -> list[float]:
    """Return the derivative of the log-likelihood with respect to each rating: the scored points minus the expected
    points.
    """
    slope = [prior * (0.5 - expected(UNIT * r)) for r in strengths]
    for (i, j), pairs in games.items():
        more = 2 * pairs.number * (pairs.share - expected(UNIT * (strengths[i] - strengths[j])))
        slope[i] += more
        slope[j] -= more
    return slope


def _information(
    games: Mapping[tuple[int, int], Pairs], strengths: Sequence[float], prior: float, robust: bool = False
) -> Matrix:
    """Return the Fisher information of the games about the ratings. If `robust` is true, return the variance of the
    scored points instead, as the games show it.
    """
    matrix = [[0.0] * len(strengths) for _ in strengths]
    for i, r in enumerate(strengths):
        matrix[i][i] = prior * _variance(r)
    for (i, j), pairs in games.items():
        weight = 2 * pairs.number * _variance(strengths[i] - strengths[j])
        weight *= 2 * pairs.spread if robust else 1
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            matrix[a][b] += sign * weight
    return matrix


def _variance(difference: float) -> float:
    """Return the variance of the result of a game without draws, for this difference in strength, in natural units."""
    share = expected(UNIT * difference)
    return share * (1 - share)


def _anchored(information: Matrix, prior: float) -> Matrix:
    """Return the matrix, made invertible if there is no prior: games determine only differences of ratings, so the sum
    of the ratings is fixed.
    """
    return information if prior else [[each + 1 for each in row] for row in information]


def _errors(games: Mapping[tuple[int, int], Pairs], strengths: Sequence[float], prior: float) -> list[float]:
    """Return the standard errors of the ratings, relative to the mean rating. The games of a pair need not be
    independent.
    """
    number = len(strengths)
    inverse = _inverse(_anchored(_information(games, strengths, prior), prior))
    columns = [sum(row) / number for row in zip(*inverse, strict=True)]
    centred = [[each - column for each, column in zip(row, columns, strict=True)] for row in inverse]
    varied = _information(games, strengths, prior, robust=True)
    return [
        math.sqrt(max(0.0, sum(row[a] * varied[a][b] * row[b] for a in range(number) for b in range(number))))
        for row in centred
    ]


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix, by Gauss-Jordan elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda j: abs(rows[j][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [each / rows[i][i] for each in rows[i]]
        for j in range(size):
            if j != i:
                factor = rows[j][i]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]
