"""benchmarks/RESULTS.md is of one whole run: its header says which sections that run had."""

import re

from click.testing import CliRunner

from benchmarks.__main__ import RESULTS, SECTIONS, main

OLDER = [each for each in SECTIONS if each not in ("turns", "calls", "web")]
"""The sections of a whole run before reports named theirs."""
TARGET = re.compile(r"^\| (.+?) *\| +at (least|most) ([\d.]+)[^|]*\| +([\d.]+)[^|]*\| (\w+) \|$", re.MULTILINE)


def header_and_parts(text):
    """The entries of the header by name, and the titles of the sections after the targets."""
    header = dict(re.findall(r"^- (\w+): (.*)$", text.split("\n## ")[0], re.MULTILINE))
    return header, re.findall(r"^## (.*)$", text, re.MULTILINE)[1:]


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
    assert not header.get("commit", "").endswith("-dirty")


def test_the_verdict_on_each_target_follows_from_what_was_wanted_and_found():
    rows = TARGET.findall(RESULTS.read_text())
    assert rows
    for what, limit, wanted, found, verdict in rows:
        met = float(found) >= float(wanted) if limit == "least" else float(found) <= float(wanted)
        assert verdict == ("pass" if met else "MISS") or float(found) == float(wanted), what  # equal when rounded
