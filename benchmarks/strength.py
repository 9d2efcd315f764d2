"""Measure our levels against programs that others wrote, and write docs/strength.md: `python -m benchmarks.strength`.

Each row is a match, played in batches of ten games; each batch has other starts. The figures of a batch are stored in
docs/data/strength.jsonl as soon as the batch ends, so that an interrupted run can resume, and games can be added.
The limits of ggp's players count processor time, so that a busy machine does not weaken them.
"""

import argparse
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys
from collections.abc import Sequence
from typing import TypedDict

from ggp.experiments.pairs import Pairs
from ggp.files import write_file
from ggp.markdown import markdown_table

DOCS = pathlib.Path(__file__).parents[1] / "docs"
PAGE, KEPT = DOCS / "strength.md", DOCS / "data" / "strength.jsonl"
BATCH = 10
"""Number of games of a batch, and the minimum number of games of a match."""
FISH, RHINO, SPIEL = "uci:fairy-stockfish?variant=breakthrough", "gtp:gtp-rhino", "openspiel-mcts:simulations"
OURS = ("easy", "medium", "hard")
AGAINST = (
    ("breakthrough", f"{FISH},nodes=1000", OURS),
    ("othello", f"{RHINO} -l 1", OURS),
    ("othello", f"{RHINO} -l 3", ("hard",)),
    ("connectfour", f"{SPIEL}=1000", OURS),
    ("kalah", f"{SPIEL}=1000", OURS),
)
"""The game, the opponent, and ggp's players, for matches from starts after four plies."""
SIMULATIONS = {"dotsandboxes": 100_000, "kalah": 200_000, "connectfour": 70_000, "hex": 42_000}
SIMULATIONS |= {"breakthrough": 12_000, "othello": 3_600, "awari": 21_000, "checkers": 6_000}
"""How many simulations OpenSpiel's search plays in 0.3 s of processor time, on average over the positions of a game."""
BUDGETS = ("hard:seconds=0.3", "mcts:seconds=0.3", "master:seconds=0.15")
EQUAL = [(game, ours, f"{SPIEL}={number}") for ours in BUDGETS for game, number in SIMULATIONS.items()]
EQUAL += [("dotsandboxes", "mcts:seconds=0.3", f"{SPIEL}=60000")]
FORMER = {"breakthrough": 8_000, "othello": 2_000}
"""The smaller numbers of simulations that the opponent had in earlier matches of `mcts`, by game."""
OWN = "mcts:evaluation=default,seconds=0.3"
EQUAL += [
    (game, OWN, f"{SPIEL}={(SIMULATIONS | FORMER)[game]}")
    for game in ("awari", "breakthrough", "checkers", "connectfour", "hex", "othello")
]
"""`mcts` without the learned weights that come with these games."""
EQUAL += [
    ("breakthrough", "hard", f"{FISH},nodes=300000"),
    ("breakthrough", "hard:seconds=0.1", f"{FISH},nodes=60000"),
    ("breakthrough", "hard:seconds=0.1", f"{FISH},movetime=100"),
    ("othello", "master", f"{RHINO} -l 3"),
    ("othello", "master:seconds=0.5", f"{RHINO} -l 3"),
]
"""Matches at about equal processor time, and the match of `master`; all have starts after two plies."""
EVEN = [("kalah", ours, f"{SPIEL}={SIMULATIONS['kalah']}", "even starts") for ours in BUDGETS]
"""The same matches in Kalah from even starts."""
ROWS: list[tuple[str, ...]]
ROWS = sorted(((game, one, other) for game, other, ours in AGAINST for one in ours), key=lambda row: row[1] == "hard")
ROWS += [*EQUAL, *EVEN]
"""The matches, in order; the quick ones come first."""
HEAD = """# Strength

This page shows how strong our levels and our Monte Carlo tree search are against programs that others wrote:
Fairy-Stockfish and grhino in Debian's versions, and OpenSpiel's tree search. Each row is a match. The Elo difference of
a match is positive if our player is stronger. If one player won all games, the 95 % interval has no bound on one side.

In matches of `hard` and `mcts` with `seconds=0.3`, and of `master:seconds=0.15`, OpenSpiel's search has about as much
processor time as our player. That is 0.3 s a move on average over a game, and some 0.2 s where `mcts` plays against
60,000, 8,000 and 2,000 simulations. `master` uses two threads. Fairy-Stockfish needs half a second for 300,000 nodes,
which is the time of `hard`, and 0.1 s for 60,000 nodes. These matches, and those of `master`, start after two random
moves, and the others after four; the rows with even starts are described below. Each start is played twice, with sides
swapped. Level 3 is grhino's highest here: at level 4 it lost three of four games by taking more than 3 s for a move.

`python -m benchmarks.strength` plays until each match has ten games, and writes this page. It resumes where it was
stopped; `--games 20` plays more games, and `--row TEXT` plays only the matches with this text in their command. Our
limits count processor time (`GGP_CLOCK=processor`), and the limits of the other programs count clock time. The median
times are clock times on a machine that had other work: there `seconds=0.3` takes longer than 300 ms. The page
[Play](play.md) explains the levels: `medium` visits 1,000 states, and `hard` takes half a second. Players may have
become stronger since the date of a row: `hard` in Othello is stronger now because of learned weights. `mcts` uses the
learned weights that come with a game; with `evaluation=default`, it plays without them. In OpenSpiel, Checkers is a
draw after 40 moves without a capture; if the game goes on in ggp, OpenSpiel's player still chooses moves.

In Othello, a game of `master` against grhino takes more than two minutes of processor time, and has not been measured.
With a sixth of that time (`master:seconds=0.5`), `master` won all ten games against level 3.

In Kalah, the start decides most games: `master` lost five of 20. The five starts were different, and `master` won the
other game from each of them. No start is a draw: `ggp solve kalah --outcome --position` proves who wins from each of
the nine different starts, in 0.5 to 30 s; in six of them, South wins. So each player has the lost side in half of the
games, and wins such a game only if the other player errs. Without random moves (`--plies 0`), the same two players
played ten games, and South won all of them. When `mcts` played ten games against alpha-beta, both with 0.2 s a move,
the same side won both games from each of the five starts.

So Kalah also has rows with even starts (`ggp match --starts even`). Of 200 random starts, each batch takes the five
whose value, found by a search of 2,000,000 states, is nearest to that of a draw. From 20 such starts, `master` scored
88 % of 40 games: from 13 starts it won both games, and from the others it scored one point or one and a half. `hard`
scored the same. Before, the starts were chosen by searches of 100,000 states, and `ggp solve` proved that one side
wins from eight of nine. From those, `master` scored 80 % of 20 games: it had the side that provably loses in nine
games, and lost four of these; it won all other games.

In Hex, `master` won 16 of 20 games when alpha-beta still played this level. In one of the four lost games, a longer
search finds a better move. `mcts` won all ten games with `--seed 1`; alpha-beta had won eight of them. So `mcts`
plays the upper levels of Hex now.
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

Row = tuple[str, ...]
"""The game, ggp's player, and the opponent; the words "even starts" follow if the match has such starts."""


class Batch(TypedDict):
    """The figures of some games of a match, in the form in which they are stored."""

    row: Sequence[str]
    seed: int
    date: str
    pairs: Sequence[int]
    milliseconds: list[float]
    forfeits: int


def command(row: Row, games: int = BATCH, seed: int = 0) -> list[str]:
    """Return the command that plays a batch."""
    starts = ["--plies", "2"] if row in EQUAL else ["--starts", "even"] if row in EVEN else []
    return ["ggp", "match", *row[:3], *starts, "--games", str(games), *(["--seed", str(seed)] if seed else [])]


def measured(row: Row, games: int, seed: int) -> Batch:
    """Play a batch, and return its figures."""
    arguments = [sys.executable, "-m", *command(row, games, seed), "--json"]
    environment = {**os.environ, "GGP_CLOCK": "processor"}
    run = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True, env=environment)  # noqa: S603
    report = json.loads(run.stdout)
    (match,), costs = report["matches"], {each["player"]: each for each in report["costs"]}
    return {
        "row": row,
        "seed": seed,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "pairs": match["pairs"],
        "milliseconds": [round(1000 * costs[name]["median_seconds"], 1) for name in row[1:3]],
        "forfeits": len(report["forfeits"]),
    }


def kept() -> list[Batch]:
    """Return the figures of all batches that have been stored."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.is_file() else []
    return [json.loads(line) for line in lines]


def batches_of(row: Row, batches: list[Batch]) -> list[Batch]:
    """Return the batches of a match."""
    return [each for each in batches if tuple(each["row"]) == row]


def pairs_of(batches: list[Batch]) -> Pairs:
    """Return the results of all pairs of games."""
    return Pairs(map(sum, zip(*(each["pairs"] for each in batches), strict=True)) if batches else (0, 0, 0, 0, 0))


def keep(batches: list[Batch]) -> None:
    """Write the figures, and the page with them."""
    write_file(KEPT, "".join(json.dumps(each) + "\n" for each in batches).encode(), "figures")
    played = {row: measured for row in sorted(ROWS) if (measured := batches_of(row, batches))}
    rows = [HEADS, *(written(row, measured) for row, measured in played.items())]
    missing = [shlex.join(command(row)) for row in ROWS if row not in played]
    commands = [shlex.join(command(row)) for row in sorted(ROWS)]
    page = [HEAD, markdown_table(rows, (0, 1, 2)), "\n## The commands\n"]
    page += [
        f"Each command plays the first {BATCH} games of a match; with `--seed 1`, it plays the next {BATCH}.\n",
        "```sh",
    ]
    page += ["export GGP_CLOCK=processor", *commands, "```"]
    if missing:
        page += ["\nNot measured yet:\n", "```sh", *missing, "```"]
    write_file(PAGE, ("\n".join(page) + "\n").encode(), "page")


def bound(value: float) -> str:
    """Return an Elo difference as text."""
    return f"{value:+.0f}".replace("inf", "∞")


def written(row: Row, batches: list[Batch]) -> list[str]:
    """Return a row of the table. The times are the times of the last batch."""
    game, one, other, *starts = row
    pairs, last = pairs_of(batches), batches[-1]
    difference, low, high = map(bound, pairs.elo())
    return [
        ", ".join([game, *starts]),
        f"`{one}`",
        f"`{other}`",
        str(2 * pairs.number),
        f"{100 * pairs.share:.0f} %",
        difference,
        f"{low} to {high}",
        " / ".join(f"{each:.0f}" for each in last["milliseconds"]),
        str(sum(each["forfeits"] for each in batches)),
        last["date"],
    ]


def main() -> None:
    """Play the games that are missing, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=main.__doc__)
    parser.add_argument("--anew", action="store_true", help="measure again")
    parser.add_argument("--page", action="store_true", help="write the page from the stored figures, without measuring")
    parser.add_argument("--games", type=int, default=BATCH, help="play until each match has N games (default: 10)")
    parser.add_argument(
        "--row", default="", metavar="TEXT", help="run only the matches whose command contains this text"
    )
    given = parser.parse_args()
    rows = [row for row in ROWS if given.row in shlex.join(command(row)) and not given.page]
    batches = [each for each in kept() if not (given.anew and tuple(each["row"]) in rows)]
    for row in rows:
        while (missing := given.games - 2 * pairs_of(own := batches_of(row, batches)).number) > 1:
            games, seed = min(BATCH, missing - missing % 2), len(own)
            print(shlex.join(command(row, games, seed)), file=sys.stderr)  # noqa: T201
            batches.append(measured(row, games, seed))
            keep(batches)
    keep(batches)


if __name__ == "__main__":
    main()
