"""The command itself: `python -m benchmarks --quick`."""

import pathlib
import subprocess
import sys

import pytest
from click.testing import CliRunner

from benchmarks import growth
from benchmarks.__main__ import SECTIONS, main
from benchmarks.rounds import Timing, Unequal

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.slow
def test_a_smoke_run_of_everything_succeeds_and_tells_every_section(tmp_path):
    """The run itself fails if two programs differ in the value, or in the number of states of the same tree."""
    file = tmp_path / "results.md"
    command = [sys.executable, "-W", "error", "-m", "benchmarks", "--quick", "--output", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    text = file.read_text()
    assert text.rstrip() == done.stdout.rstrip()
    assert text.count("\n## ") == 1 + len(SECTIONS)
    assert [line.partition(" ...")[0] for line in done.stderr.splitlines() if line.endswith(" ...")] == list(SECTIONS)


@pytest.mark.slow
def test_one_section_alone_is_told_and_no_results_are_written():
    before = {file: file.stat().st_mtime_ns for file in (ROOT / "benchmarks").glob("*.md")}
    done = CliRunner().invoke(main, ["--quick", "--only", "tictactoe"])
    assert done.exit_code == 0
    assert "18,297" in done.output
    assert {file: file.stat().st_mtime_ns for file in (ROOT / "benchmarks").glob("*.md")} == before


def test_unequal_counts_end_the_run_with_one_sentence(monkeypatch):
    def unequal(scale):
        raise Unequal("the same tree should have as many states for all: a 1, b 2")

    monkeypatch.setitem(SECTIONS, "table", unequal)
    done = CliRunner().invoke(main, ["--quick", "--only", "table"])
    assert done.exit_code == 1
    assert "Error: the same tree should have as many states for all: a 1, b 2" in done.output


def test_the_plot_is_drawn_into_the_file_that_is_named(tmp_path):
    line = {depth: Timing("plain", 7**depth, (0.1 * depth,)) for depth in (1, 2, 3)}
    file = tmp_path / "growth.svg"
    growth.plot({"plain": line}, file)
    drawn = file.read_text()
    assert drawn.count("<polyline") == 2
    assert ">plain</text>" in drawn


def test_the_table_of_growth_leaves_out_what_was_not_searched():
    found = {"plain": {1: Timing("plain", 7, (0.5,))}, "strong": {2: Timing("strong", 17, (0.25,))}}
    (table,) = growth.section(found).tables
    assert table.rows == (("1", "7", "0.5", "-", "-"), ("2", "-", "-", "17", "0.25"))
