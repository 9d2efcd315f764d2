"""benchmarks/RESULTS.md is of one whole run: its header says which sections that run had. The README quotes it."""

import pathlib
import re

import pytest
from click.testing import CliRunner

from benchmarks import games, machine
from benchmarks.__main__ import RESULTS, SECTIONS, main
from benchmarks.scale import QUICK

README = pathlib.Path(__file__).parents[2] / "README.md"
PEERS = {"open_spiel", "easyAI"}

OLDER = [each for each in SECTIONS if each not in ("turns", "games", "calls", "web")]
"""The sections of a whole run before reports named theirs."""
TARGET = re.compile(
    r"^\| (.+?) *\| +at (least|most) ([\d.]+)[^|]*\| +([\d.]+(?:e\+\d+)?)[^|]*\| (\w+) \|$", re.MULTILINE
)


def header_and_parts(text):
    """The entries of the header by name, and the titles of the sections after the targets."""
    header = dict(re.findall(r"^- (\w+): (.*)$", text.split("\n## ")[0], re.MULTILINE))
    return header, re.findall(r"^## (.*)$", text, re.MULTILINE)[1:]


def rows(text):
    """The rows of a report's tables after the targets: title of the section, first cell, the others."""
    found = []
    for part in text.split("\n## ")[2:]:
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.split("\n") if line[:1] == "|"]
        found += [(part.partition("\n")[0], first, others) for first, *others in lines]
    return found


def figure(found, title, name):
    """The million states a second of a row."""
    (others,) = [others for section, first, others in found if (section, first) == (title, name)]
    return float(others[3])


def versions(text):
    """What the header gives the versions of, Python excepted."""
    (line,) = re.findall(r"^- CPython [\d.]+; (.*)$", text, re.MULTILINE)
    return {each.split()[0] for each in line.split(", ")}


def peers(text):
    """The peers that are in the names of rows."""
    return {peer for peer in PEERS for _, first, _ in rows(text) if peer in re.split(r"[ ,:]", first)}


def test_a_report_has_the_sections_that_its_header_names(tmp_path):
    place = tmp_path / "results.md"
    done = CliRunner().invoke(main, ["--quick", "--only", "turns", "--output", str(place)])
    assert done.exit_code == 0, done.output
    header, parts = header_and_parts(place.read_text())
    assert header["sections"] == "turns"
    assert len(parts) == 1
    assert re.fullmatch(r"[0-9a-f]{7,40}(-dirty)?|unknown", header["commit"])


def test_the_results_have_the_sections_that_their_header_names():
    header, parts = header_and_parts(RESULTS.read_text())
    named = header["sections"].split(", ") if "sections" in header else OLDER  # which it was before headers named them
    assert len(parts) == len(named)
    assert [each for each in SECTIONS if each in named] == named
    assert not header.get("commit", "").endswith(machine.CHANGED)
    assert peers(RESULTS.read_text()) == PEERS <= versions(RESULTS.read_text())


def test_the_verdict_on_each_target_follows_from_what_was_wanted_and_found():
    rows = TARGET.findall(RESULTS.read_text())
    assert rows
    for what, limit, wanted, found, verdict in rows:
        met = float(found) >= float(wanted) if limit == "least" else float(found) <= float(wanted)
        assert verdict == ("pass" if met else "MISS") or float(found) == float(wanted), what  # equal when rounded


def test_the_header_gives_the_version_of_every_peer_in_the_rows(tmp_path):
    place = tmp_path / "results.md"
    done = CliRunner().invoke(main, ["--quick", "--only", "games", "--output", str(place)])
    assert done.exit_code == 0, done.output
    assert peers(place.read_text()) == PEERS <= versions(place.read_text())


def test_a_whole_run_on_changed_files_is_refused_before_it_begins(monkeypatch):
    monkeypatch.setattr(machine, "commit", lambda: f"1234567{machine.CHANGED}")
    monkeypatch.setattr("benchmarks.__main__.SECTIONS", {"turns": None})
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 1
    assert done.output == (
        "Error: commit your changes first, or use --output: RESULTS.md names the commit that is measured\n"
    )


def quoted(row):
    """The cells of a row of the README's table."""
    (line,) = [line for line in README.read_text().splitlines() if line.startswith(f"| {row}")]
    return [cell.strip() for cell in line.split("|")[2:-1]]


def test_the_speeds_in_the_readme_are_those_of_the_results():
    found = rows(RESULTS.read_text())
    plain, slow = "Kalah(6,4), plain alpha-beta, depth 13", "Kalah(6,4), plain alpha-beta, interpreted, depth 8"
    compiled, interpreted = figure(found, plain, "ggp, compiled"), figure(found, slow, "ggp, interpreted, outcome")
    ours = f"{compiled:.0f} ({interpreted:.1f} interpreted)"
    spiel, easy = figure(found, plain, "open_spiel alpha-beta, outcome"), figure(found, slow, "easyAI Negamax")
    cells = quoted("alpha-beta on Kalah(6, 4)")
    assert (cells[0], cells[1].split()[0], cells[2]) == (ours, f"{spiel:.1f}", f"{easy:.1f}")


def test_the_numbers_of_games_in_the_readme_are_those_that_are_counted():
    for each in ("pyspiel", "easyAI"):
        pytest.importorskip(each)
    (table,) = games.games(QUICK).tables
    counts = dict(table.rows)
    assert quoted("games (")[:3] == [counts["ggp"], counts["open_spiel"], counts["easyAI"]]
    assert f"({counts['open_spiel, of the kind that ggp plays']} of OpenSpiel's are of this kind)" in README.read_text()
