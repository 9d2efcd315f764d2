"""`python -m benchmarks solve`: Solutions of Kalah, each in a separate process, compared with published values.

python -m benchmarks solve              # the cases that have a target
python -m benchmarks solve --ablation   # what each enhancement gains
python -m benchmarks solve --killed     # what it costs to be killed again and again
python -m benchmarks solve --table      # all Kalah(m, n) up to six houses and six seeds but (6, 6), resumable
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import NotRequired, TypedDict

import attrs
import click

from benchmarks import machine, solve_ablation, solve_killed

DATA = pathlib.Path(__file__).parent.parent / "docs" / "data" / "kalah-solved.jsonl"
"""The file of results, with a line for each case; `--table` continues at its end."""

PUBLISHED = {
    (4, 1): 2, (4, 2): 6, (4, 3): 8, (4, 4): 2, (4, 5): 2, (4, 6): 0,
    (5, 1): 0, (5, 2): 0, (5, 3): 8, (5, 4): 12, (5, 5): 2, (5, 6): 2,
    (6, 1): 2, (6, 2): 10, (6, 3): 2, (6, 4): 10, (6, 5): 12,
}  # fmt: skip
"""G. Irving, J. Donkers and J. Uiterwijk, Solving Kalah, ICGA Journal 23(3) (2000), Table 9; capture=empty."""


@attrs.frozen
class Case:
    """A position to solve, and the way to solve it."""

    houses: int
    seeds: int
    capture: str = "standard"
    more: tuple[str, ...] = ()
    """Further options of `ggp solve`."""
    target: float | None = None
    """Maximum seconds that the solution should take."""
    note: str = ""

    @property
    def name(self) -> str:
        """The name of the case in a table."""
        return f"({self.houses}, {self.seeds}) {self.capture}{' ' + self.note if self.note else ''}"


def targets(tablebase: str) -> list[Case]:
    """Return the cases with a target; `tablebase` is a directory with the tablebase of up to 20 seeds."""
    return [
        Case(6, 3, target=3),
        Case(6, 4, target=45, note="from nothing"),
        Case(6, 4, more=("--tablebase", tablebase), target=12, note="with 20 seeds on disk"),
        Case(6, 4, more=("--values", "--tablebase", tablebase), target=240, note="all six openings"),
        Case(5, 6, more=("--memory", "4500"), target=240),
        Case(6, 5, more=("--memory", "4500"), target=1200),
    ]


class Solved(TypedDict):
    """The result of `ggp solve` for a case, and its time."""

    houses: int
    seeds: int
    capture: str
    value: float | None
    action: str
    line: list[str]
    values: dict[str, float] | None
    states: int
    layers: int
    seconds: float
    processor_seconds: float
    machine: NotRequired[str]


def run(case: Case, threads: int) -> Solved:
    """Return what `ggp solve` finds and how long the whole process takes."""
    options = [f"houses={case.houses}", f"seeds={case.seeds}", f"capture={case.capture}"]
    command = [sys.executable, "-m", "ggp", "solve", "kalah", "--json", "--threads", str(threads), *case.more]
    for option in options:
        command += ["--option", option]
    before, started = os.times(), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    seconds, after = time.perf_counter() - started, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    solution = json.loads(done.stdout)
    return {
        "houses": case.houses,
        "seeds": case.seeds,
        "capture": case.capture,
        "value": solution["value"],
        "action": solution["action"],
        "line": solution["principal_variation"],
        "values": solution.get("values"),
        "states": solution["statistics"]["nodes"],
        "layers": solution["statistics"]["layers"],
        "seconds": round(seconds, 2),
        "processor_seconds": round(processor, 2),
    }


def every_case() -> Iterator[Case]:
    """Yield all cases, the shorter ones first."""
    pairs = [(houses, seeds) for houses in range(1, 7) for seeds in range(1, 7) if (houses, seeds) != (6, 6)]
    for houses, seeds in sorted(pairs, key=lambda pair: (pair[0] * pair[1], pair)):
        for capture in ("standard", "empty"):
            yield Case(houses, seeds, capture, ("--memory", "4500"))


def table(threads: int, data: pathlib.Path) -> None:
    """Solve the cases that are not in `data` yet, and print all cases."""
    rows: list[Solved] = [json.loads(line) for line in data.read_text().splitlines()] if data.exists() else []
    done = {(row["houses"], row["seeds"], row["capture"]) for row in rows}
    data.parent.mkdir(parents=True, exist_ok=True)
    for case in every_case():
        if (case.houses, case.seeds, case.capture) in done:
            continue
        click.echo(f"{case.name} ...", err=True)
        row = run(case, threads)
        row["machine"] = machine.processor()
        rows.append(row)
        with data.open("a") as file:
            file.write(json.dumps(row) + "\n")
    click.echo(markdown(rows))


def markdown(rows: Sequence[Solved]) -> str:
    """Return two tables: the values that ggp found and the published values, by (m, n); and the costs of the
    solutions.
    """
    lines = ["| m, n | standard | empty | published | states | seconds |", "|---|---:|---:|---:|---:|---:|"]
    pairs = sorted({(row["houses"], row["seeds"]) for row in rows})
    for pair in pairs:
        both = {row["capture"]: row for row in rows if (row["houses"], row["seeds"]) == pair}
        values = [_signed(both[capture]["value"]) if capture in both else "" for capture in ("standard", "empty")]
        states = " / ".join(f"{row['states']:,}" for row in both.values())
        seconds = " / ".join(f"{row['seconds']:g}" for row in both.values())
        published = _signed(PUBLISHED[pair]) if pair in PUBLISHED else ""
        lines.append(f"| {pair[0]}, {pair[1]} | {values[0]} | {values[1]} | {published} | {states} | {seconds} |")
    return "\n".join(lines)


def _signed(value: float | None) -> str:
    return "?" if value is None else f"{value:+g}" if value else "0"


@click.command("solve")
@click.option(
    "--table",
    "whole",
    is_flag=True,
    help="Solve all (m, n) up to 6 houses and 6 seeds, except (6, 6), under both rules; after an interruption, resume.",
)
@click.option("--ablation", is_flag=True, help="Measure what each enhancement gains on Kalah(6, 3).")
@click.option(
    "--killed",
    is_flag=True,
    help="Compare the time of a solve that is killed 20 times with the time of the same solve without kills.",
)
@click.option("--threads", default=2, show_default=True, help="Threads of each solve.")
@click.option("--case", "wanted", multiple=True, help="Solve only the targets whose names contain this text.")
@click.option("--data", type=click.Path(path_type=pathlib.Path), default=DATA, help="File for the results of --table.")
def command(
    whole: bool, ablation: bool, killed: bool, threads: int, wanted: tuple[str, ...], data: pathlib.Path
) -> None:
    """Solve Kalah, and compare the results with published values and with the targets."""
    if ablation:
        click.echo(solve_ablation.table())
        return
    if whole:
        table(threads, data)
        return
    click.echo(machine.facts())
    with tempfile.TemporaryDirectory() as directory:
        if killed:
            _build(directory, threads)
            click.echo(solve_killed.table(directory, threads))
            return
        cases = [case for case in targets(directory) if not wanted or any(each in case.name for each in wanted)]
        if any("--tablebase" in case.more for case in cases):
            _build(directory, threads)
        click.echo("| case | value | states | seconds | wanted | processor seconds |\n|---|---:|---:|---:|---:|---:|")
        for case in cases:
            row = run(case, threads)
            figures = [_signed(row["value"]), f"{row['states']:,}", f"{row['seconds']:g}", f"{case.target:g}"]
            click.echo(f"| {case.name} | {' | '.join(figures)} | {row['processor_seconds']:g} |")


def _build(directory: str, threads: int) -> None:
    started = time.perf_counter()
    command = ["tablebase", "build", "kalah", "--layer", "20", "--directory", directory, "--threads", str(threads)]
    subprocess.run([sys.executable, "-m", "ggp", *command], stdout=subprocess.PIPE, check=True)  # noqa: S603
    size = sum(file.stat().st_size for file in pathlib.Path(directory).iterdir())
    took = time.perf_counter() - started
    click.echo(f"\nThe tablebase of 20 seeds for six houses: {took:.1f} s (20), {size / 1e6:.0f} MB (250).\n")
