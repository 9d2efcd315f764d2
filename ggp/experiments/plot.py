"""Plots of an experiment: the score in the course of a match, its pairs of games, and the ratings of the players."""

import pathlib
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from ggp.errors import UsageError
from ggp.escapes import escaped, short
from ggp.experiments.pairs import SHARES, Pairs, elo, elo_text
from ggp.experiments.report import Figures, title
from ggp.experiments.results import Results
from ggp.files import require_place, write_file
from ggp.show.board_layout import Box
from ggp.show.line_chart import Axes, drawing, label, svg_file
from ggp.show.svg_elements import circle, line, rectangle

WIDTH, HEIGHT, LEFT, RIGHT = 760, 300, 60, 70
"""Sizes and margins of a plot, in pixels."""
CURVE = 400
"""Maximum number of points of a curve."""
LONGEST = 26
"""Maximum number of characters of a player's name in a plot."""
TITLE = 70
"""Maximum number of characters of the players' names in the title of a file."""


def check_plot(path: pathlib.Path) -> None:
    """Check that a plot can be written.

    Raises:
        UsageError: the file has another extension, or the directory does not exist.
        StoreError: the directory cannot be written to.
    """
    if path.suffix != ".svg":
        raise UsageError(f"the name of a plot must end in .svg (browsers show and print such files); got {path}")
    if not path.parent.is_dir():
        raise UsageError(f"no plot can be drawn into {path}: there is no directory {path.parent}")
    require_place(path, "plot")


def plot(figures: Figures, results: Results, path: pathlib.Path) -> None:
    """Draw the ratings, or the course of a match between two, to a file that was checked by `check_plot`.

    Raises:
        StoreError: the file cannot be written.
    """
    if "ratings" in figures:
        drawn, what = ratings_chart(figures["ratings"]["players"]), "Elo"
    else:
        drawn, what = score_chart(results.meetings[0].points, escaped(figures["players"][0])), "score"
    drawn.set("aria-label", f"{escaped(short(title(figures), TITLE))}: {what}, with 95 % intervals")
    write_file(path, svg_file(drawn).encode(), "plot")


def score_chart(
    scored: Sequence[float], player: str, length: int | None = None, *, width: float = WIDTH, height: float = HEIGHT
) -> Element:
    """Return a plot of the score so far after each pair of games, with its interval.

    Arguments:
        scored: the player's points in each pair.
        length: the number of pairs of the whole match; None if it is over.
    """
    length = max(1, len(scored) if length is None else length)
    ends = sorted({round(len(scored) * step / CURVE) for step in range(CURVE + 1)})
    scores = [Pairs.of(scored[:end]) for end in ends]
    told = f"{player} scored {100 * scores[-1].share:.0f} % after {2 * len(scored)} games, with the 95 % interval"
    root = drawing(width, height, told, "curve course")
    axes = Axes(width=width, height=height, left=LEFT, right=RIGHT, bottom=36, last=length, low=0, high=1)
    below: dict[float, str] = {round(length * share): f"{2 * round(length * share):,}" for share in SHARES[1:]}
    below[length] += " games"
    axes.frame(root, {share: f"{100 * share:.0f} %" for share in SHARES}, below, zero=0.5)
    axes.notes(root, {share: elo_text(elo(share)) for share in (0.25, 0.75)} | {0.5: "Elo 0"})
    lower, upper = zip(*(each.interval() for each in scores), strict=True)
    axes.band(root, zip(ends, lower, strict=True), zip(ends, upper, strict=True))
    axes.curve(root, [(end, each.share) for end, each in zip(ends, scores, strict=True)])
    circle(root, axes.at(ends[-1], scores[-1].share), 4, "dot")
    return root


def pairs_chart(pairs: Pairs) -> Element:
    """Return a plot of how many pairs of games gave 0, 1/2, 1, 3/2 and 2 points."""
    counts = ", ".join(f"{count} of {2 * share:g} points" for count, share in zip(pairs.counts, SHARES, strict=True))
    root, step = drawing(WIDTH, 190, f"Pairs of games: {counts}"), (WIDTH - LEFT - RIGHT) / len(SHARES)
    for index, (count, share) in enumerate(zip(pairs.counts, SHARES, strict=True)):
        x, height = LEFT + step * (index + 0.5), 120 * count / max(1, *pairs.counts)
        rectangle(root, Box(x - step / 3, 145 - height, step / 1.5, height), "dot", 0)
        label(root, (x, 138 - height), str(count), css_class="")
        label(root, (x, 168), f"{2 * share:g} {'point' if share == 0.5 else 'points'}")
    return root


def ratings_chart(players: Sequence[Figures]) -> Element:
    """Return a plot of each player's rating, best first, as a dot with its interval."""
    shown = ", ".join(f"{row['player']} {row['elo']:+.0f}" for row in players)
    height, room = 34 * len(players) + 40, 200
    root = drawing(WIDTH, height, f"Ratings in Elo, with 95 % intervals: {escaped(shown)}")
    low: float = min(row["elo"] - row["error"] for row in players)
    high = max(row["elo"] + row["error"] for row in players)
    axes = Axes(width=WIDTH, height=height, left=room, right=RIGHT, last=(high - low) or 1.0, low=0, high=1)

    def across(elo: float) -> float:
        return axes.at(elo - low, 0)[0]

    for mark in (low, 0, high):
        if low <= mark <= high:
            line(root, (across(mark), 8), (across(mark), height - 30), "zero" if mark == 0 else "level")
            label(root, (across(mark), height - 10), f"{mark:+.0f}" if mark else "0")
    for index, row in enumerate(players):
        y, name = 34 * index + 24, escaped(row["player"])
        left, right = across(row["elo"] - row["error"]), across(row["elo"] + row["error"])
        label(root, (room - 12, y + 4), name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…", "end", "")
        line(root, (left, y), (right, y), "error")
        circle(root, (across(row["elo"]), y), 5, "dot")
        label(root, (right + 8, y + 4), f"{row['elo']:+.0f}", "start", "")
    return root
