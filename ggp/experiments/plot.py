"""A plot of an experiment, by matplotlib: the ratings of several players, or the course of a match between two."""

import importlib.util
import io
import math
import pathlib
from typing import TYPE_CHECKING

from ggp.errors import UsageError
from ggp.experiments.pairs import Pairs
from ggp.experiments.results import Results
from ggp.files import require_place, write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 400
"""Maximum number of points of a curve."""


ENDINGS = (".svg", ".png", ".pdf")


def check_plot(path: pathlib.Path) -> None:
    """Check that a plot can be drawn and written.

    Raises:
        UsageError: matplotlib is not installed or does not know this file extension, or the directory does not exist.
        StoreError: the directory cannot be written to.
    """
    if path.suffix not in ENDINGS:
        raise UsageError(f"the name of a plot must end in {', '.join(ENDINGS)}; got {path}")
    if not path.parent.is_dir():
        raise UsageError(f"no plot can be drawn into {path}: there is no directory {path.parent}")
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("a plot needs an extra: pip install 'ggp[plot]'")
    require_place(path, "plot")


def plot(results: Results, path: pathlib.Path) -> None:
    """Draw the plot to a file that was checked by `check_plot`.

    Raises:
        StoreError: the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    (_ratings if len(results.experiment.players) > 2 else _score_curve)(results, axes)
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix.removeprefix("."))
    write_file(path, drawn.getvalue(), "plot")


def _ratings(results: Results, axes: "Axes") -> None:
    rated = results.ratings().players
    order = sorted(range(len(rated)), key=lambda index: rated[index].elo)
    axes.errorbar(
        [rated[index].elo for index in order],
        range(len(order)),
        xerr=[rated[index].error for index in order],
        fmt="o",
        capsize=4,
    )
    axes.set_yticks(range(len(order)), [results.experiment.players[index] for index in order])
    axes.set_xlabel("Elo, with 95 % intervals")
    axes.set_title(f"{results.experiment.game}, {results.games} games")
    axes.grid(axis="x", alpha=0.3)


def _score_curve(results: Results, axes: "Axes") -> None:
    points = results.meetings[0].points
    places = sorted({max(1, round(len(points) * step / STEPS)) for step in range(1, STEPS + 1)} if points else ())
    curves = [Pairs.of(points[:index]).elo() for index in places]
    drawn = [(2 * index, curve) for index, curve in zip(places, curves, strict=True) if all(map(math.isfinite, curve))]
    games = [index for index, _ in drawn]
    axes.plot(games, [best for _, (best, _, _) in drawn])
    axes.fill_between(games, [low for _, (_, low, _) in drawn], [high for _, (_, _, high) in drawn], alpha=0.2)
    axes.axhline(0, color="grey", linewidth=1)
    axes.set_xlabel("games")
    axes.set_ylabel("Elo difference, with its 95 % interval")
    axes.set_title(f"{results.experiment.game}: {' against '.join(results.experiment.players)}")
    axes.grid(alpha=0.3)
