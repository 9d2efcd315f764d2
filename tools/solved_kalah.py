"""Make the table of solved Kalah boards that the game ships. The table has the value of every opening, and a line of
best play.

    python tools/solved_kalah.py [SEEDS]

The tool reads docs/data/kalah-solved.jsonl (made by `python -m benchmarks solve --table`). The tool proves the values
of all openings on boards with at most SEEDS seeds on one side (default: 24). For larger boards, only the value of
the best opening is known. Values that the table already has are not proved again.
"""

import json
import pathlib
import sys
from typing import Any

from ggp_solve.proof.proof_solver import solve
from ggp_solve.proof.solution import Resources

import ggp

ROOT = pathlib.Path(__file__).parents[1]
SOURCE, TARGET = ROOT / "docs/data/kalah-solved.jsonl", ROOT / "games/kalah/ggp_kalah/solved.jsonl"
MEMORY = 1_000
"""Megabytes for a proof."""


def main(largest: int) -> None:
    """Write the table, line by line as the values become known.

    Arguments:
        largest: maximum number of seeds of a board whose openings are all proved.
    """
    registry = ggp.load_registry()
    done = {board(each): each for each in rows(TARGET)} if TARGET.exists() else {}
    for row in sorted(rows(SOURCE), key=lambda each: (each["houses"] * each["seeds"], each["houses"])):
        solved = done.get(board(row), {"values": None})
        values = solved["values"]
        if values is None and row["houses"] * row["seeds"] <= largest:
            values = openings(registry, row)
        done[board(row)] = {name: row[name] for name in ("houses", "seeds", "capture", "value", "line")} | {
            "values": values
        }
        text = "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in done.values())
        TARGET.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{board(row)} {row['value']} {values}\n")


def rows(path: pathlib.Path) -> list[dict[str, Any]]:
    """Return the lines of a table."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def board(row: dict[str, object]) -> tuple[object, ...]:
    """Return the board that a line is about, as a key."""
    return row["houses"], row["seeds"], row["capture"]


def openings(registry: ggp.Registry, row: dict[str, object]) -> dict[str, int]:
    """Return the proved value to South of each opening move, by the letter of the move."""
    kalah: Any = registry.game("kalah", **{name: row[name] for name in ("houses", "seeds", "capture")})
    state = kalah.initial_state()
    solution = solve(kalah, state, Resources(memory=MEMORY), values=True)
    if solution.value != row["value"] or not solution.complete or solution.values is None:
        raise SystemExit(f"{kalah} is worth {solution.value}, and {SOURCE.name} says {row['value']}")
    return {kalah.format_action(state, action): int(lower) for action, (lower, _) in solution.values.items()}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 24)
