"""Measure our levels against programs that others wrote, and write docs/strength.md: `python -m benchmarks.strength`.

Each row is a match. Its figures are stored in docs/data/strength.jsonl as soon as it ends, so an interrupted run can
resume. Limits of our players count processor time, so that a busy machine does not weaken them.
"""

import argparse
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys
from typing import Any

from ggp.files import write_file
from ggp.markdown import markdown_table

DOCS = pathlib.Path(__file__).parents[1] / "docs"
PAGE, KEPT = DOCS / "strength.md", DOCS / "data" / "strength.jsonl"
GAMES, FEWER = 10, 6
"""Games of a match; and of one that takes long."""
FISH, RHINO, SPIEL = "uci:fairy-stockfish?variant=breakthrough", "gtp:gtp-rhino", "openspiel-mcts:simulations=1000"
OURS = ("easy", "medium", "hard")
AGAINST = (
    ("breakthrough", f"{FISH},nodes=1000", OURS),
    ("othello", f"{RHINO} -l 1", OURS),
    ("othello", f"{RHINO} -l 3", ("hard",)),
    ("connectfour", SPIEL, OURS),
    ("kalah", SPIEL, OURS),
)
"""The game, the opponent, and the players of ours."""
SIMULATIONS = {"kalah": 200_000, "connectfour": 70_000, "dotsandboxes": 100_000, "hex": 42_000, "awari": 21_000}
SIMULATIONS |= {"breakthrough": 12_000, "checkers": 6_000}
"""How many simulations OpenSpiel's search plays in 0.3 s of processor time, on average over the positions of a game."""
FORMER = {"hex": 35_000, "connectfour": 55_000, "othello": 2_000, "dotsandboxes": 60_000, "breakthrough": 8_000}
"""Those against which `mcts` played, where that is not repeated yet: they take some 0.2 s."""
EQUAL = [(game, "hard:seconds=0.3", f"openspiel-mcts:simulations={number}") for game, number in SIMULATIONS.items()]
EQUAL += [
    (game, "mcts:seconds=0.3", f"openspiel-mcts:simulations={(SIMULATIONS | FORMER)[game]}")
    for game in ("kalah", "awari", *FORMER)
]
EQUAL.append(("breakthrough", "hard", f"{FISH},nodes=300000"))
"""Matches at about equal processor time."""
SHORT = {row for row in EQUAL if row[1].startswith("mcts") or row[0] == "checkers"}
"""Matches of fewer games."""
ROWS = sorted(((game, one, other) for game, other, ours in AGAINST for one in ours), key=lambda row: row[1] == "hard")
ROWS += EQUAL
"""The matches, the quick ones first."""
HEAD = """# Strength

This page shows how strong our levels and our Monte Carlo tree search are against programs that others wrote:
Fairy-Stockfish and grhino in Debian's versions, and OpenSpiel's tree search. Each row is a match. Its Elo difference is
positive if our player is stronger. If one player won all games, the 95 % interval has no bound on one side.

In matches of `hard:seconds=0.3` and `mcts:seconds=0.3`, OpenSpiel's search has about as much processor time: 0.3 s a
move on average over a game, or some 0.2 s where `mcts` plays against fewer simulations than `hard`. Fairy-Stockfish
needs half a second for 300,000 nodes, as `hard` does. These matches start after two random moves, the others after
four. Each start is played twice, with sides swapped. Level 3 is grhino's highest here: at level 4 it lost three of four
games by taking more than 3 s for a move.

`python -m benchmarks.strength` writes this page, and resumes where it was stopped; `--anew` measures everything again.
Our limits count processor time (`GGP_CLOCK=processor`), and the limits of the other programs count clock time. The
median times are clock times on a machine that had other work: there `seconds=0.3` takes longer than 300 ms. The page
[Play](play.md) explains the levels: `medium` visits 1,000 states, and `hard` takes half a second. Players may have
become stronger since the date of a row: `hard` in Othello has, by learned weights. Checkers in OpenSpiel is a draw
after 40 moves without a capture; if the game goes on here, its player moves anyhow.
"""
HEADS = [
    "game",
    "ours",
    "theirs",
    "games",
    "score",
    "Elo",
    "95 % interval",
    "median ms a move, ours / theirs",
    "lost by fault",
    "measured on",
]


def command(row: tuple[str, str, str]) -> list[str]:
    """Return the command that measures a row."""
    game, one, other = row
    return ["ggp", "match", game, one, other, *(["--plies", "2"] if row in EQUAL else []), "--games", str(games(row))]


def games(row: tuple[str, ...]) -> int:
    """Return the number of games of a match."""
    return FEWER if row in SHORT else GAMES


def measured(row: tuple[str, str, str]) -> dict[str, Any]:
    """Return the figures of a match."""
    arguments = [sys.executable, "-m", *command(row), "--json"]
    environment = {**os.environ, "GGP_CLOCK": "processor"}
    run = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True, env=environment)  # noqa: S603
    found = json.loads(run.stdout)
    (match,), costs = found["matches"], {each["player"]: each for each in found["costs"]}
    return {
        "row": row,
        "games": games(row),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        **{name: match[name] for name in ("score", "elo", "elo_low", "elo_high")},
        "milliseconds": [round(1000 * costs[name]["median_seconds"], 1) for name in row[1:]],
        "forfeits": found["forfeits"],
    }


def kept() -> dict[tuple[str, ...], dict[str, Any]]:
    """Return the figures that were measured with as many games, by row."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.is_file() else []
    found = [json.loads(line) for line in lines]
    return {tuple(each["row"]): each for each in found if each["games"] == games(tuple(each["row"]))}


def keep(figures: dict[tuple[str, ...], dict[str, object]]) -> None:
    """Write the figures, and the page of them."""
    write_file(KEPT, "".join(json.dumps(each) + "\n" for each in figures.values()).encode(), "figures")
    rows = [HEADS, *(written(figures[each]) for each in sorted(ROWS) if each in figures)]
    missing = [shlex.join(command(each)) for each in ROWS if each not in figures]
    commands = "\n".join(shlex.join(command(each)) for each in sorted(ROWS))
    page = [HEAD, markdown_table(rows, (0, 1, 2)), "\n## The commands\n", "```sh"]
    page += ["export GGP_CLOCK=processor", commands, "```"]
    if missing:
        page += ["\nNot measured yet:\n", "```sh", *missing, "```"]
    write_file(PAGE, ("\n".join(page) + "\n").encode(), "page")


def elo(value: float | None, *, low: bool) -> str:
    """Return an Elo difference as text; None is infinite."""
    return ("-∞" if low else "+∞") if value is None else f"{value:+.0f}"


def written(found: dict[str, Any]) -> list[str]:
    """Return a row of the table."""
    game, one, other = found["row"]
    interval = f"{elo(found['elo_low'], low=True)} to {elo(found['elo_high'], low=False)}"
    times = " / ".join(f"{each:.0f}" for each in found["milliseconds"])
    score = f"{100 * found['score']:.0f} %"
    difference = elo(found["elo"], low=found["score"] < 0.5)
    return [
        game,
        f"`{one}`",
        f"`{other}`",
        str(found["games"]),
        score,
        difference,
        interval,
        times,
        str(len(found["forfeits"])),
        found["date"],
    ]


def main() -> None:
    """Measure the rows that are missing, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=main.__doc__)
    parser.add_argument("--anew", action="store_true", help="measure all rows again")
    parser.add_argument("--page", action="store_true", help="measure nothing: write the page from the figures kept")
    given = parser.parse_args()
    figures = {} if given.anew else kept()
    for row in ROWS:
        if row not in figures and not given.page:
            print(shlex.join(command(row)), file=sys.stderr)  # noqa: T201
            figures[row] = measured(row)
            keep(figures)
    keep(figures)


if __name__ == "__main__":
    main()
