"""Measure our levels against engines that others wrote, and write docs/strength.md: `python -m benchmarks.strength`."""

import json
import pathlib
import shlex
import subprocess
import sys
from typing import Any

from ggp.files import write_file
from ggp.markdown import markdown_table

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "strength.md"
GAMES = 20
FISH, RHINO = "uci:fairy-stockfish?variant=breakthrough", "gtp:gtp-rhino"
ROWS = (
    ("breakthrough", "medium", f"{FISH},depth=1"),
    ("breakthrough", "hard", f"{FISH},depth=1"),
    ("breakthrough", "hard", f"{FISH},movetime=30"),
    ("othello", "medium", f"{RHINO} -l 1"),
    ("othello", "hard", f"{RHINO} -l 1"),
    ("othello", "hard", f"{RHINO} -l 3"),
    ("othello", "mcts:seconds=0.05", f"{RHINO} -l 1"),
    ("connectfour", "hard", "openspiel-mcts:simulations=1000"),
    ("kalah", "medium", "openspiel-mcts:simulations=1000"),
    ("kalah", "hard", "openspiel-mcts:simulations=1000"),
)
"""The game, a player of ours, and the opponent."""
HEAD = """# Strength

How strong our levels and our Monte Carlo tree search are against programs that others wrote: Fairy-Stockfish and
grhino, as Debian has them, and OpenSpiel's tree search. The Elo difference is ours minus theirs, from {games} games
each, with its 95 % interval. This page is written by `python -m benchmarks.strength`; the
commands say how each row is measured.
"""


def command(game: str, one: str, other: str) -> list[str]:
    """Return the command that measures a row."""
    return ["ggp", "match", game, one, other, "--games", str(GAMES)]


def measured(game: str, one: str, other: str) -> dict[str, Any]:
    """Return the report of a match."""
    arguments = [sys.executable, "-m", *command(game, one, other), "--json"]
    run = subprocess.run(arguments, capture_output=True, text=True, check=True)  # noqa: S603
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def elo(value: float | None, *, low: bool) -> str:
    """Return an Elo difference as text; None is infinite."""
    return ("-∞" if low else "+∞") if value is None else f"{value:+.0f}"


def row(game: str, one: str, other: str) -> list[str]:
    """Return a row of the table."""
    found = measured(game, one, other)
    (match,), costs = found["matches"], {each["player"]: each for each in found["costs"]}
    times = " / ".join(f"{1000 * costs[name]['median_seconds']:.0f}" for name in (one, other))
    lost = match["score"] < 0.5
    interval = f"{elo(match['elo_low'], low=True)} to {elo(match['elo_high'], low=False)}"
    score = f"{100 * match['score']:.0f} %"
    return [game, f"`{one}`", f"`{other}`", score, elo(match["elo"], low=lost), interval, times]


def main() -> None:
    """Measure every row, and write the page."""
    heads = ["game", "ours", "theirs", "score", "Elo", "95 % interval", "median ms a move"]
    rows = [heads]
    for each in ROWS:
        rows.append(row(*each))
        print(*rows[-1], file=sys.stderr)  # noqa: T201
    commands = "\n".join(shlex.join(command(*each)) for each in ROWS)
    page = [HEAD.format(games=GAMES), markdown_table(rows, (0, 1, 2)), "\n\n## The commands\n\n```sh", commands, "```"]
    text = "\n".join(page) + "\n"
    write_file(PAGE, text.encode(), "page")


if __name__ == "__main__":
    main()
