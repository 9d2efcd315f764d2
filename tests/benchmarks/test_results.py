"""benchmarks/RESULTS.md is of one whole run: its header says which sections that run had."""

import re

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import RESULTS, SECTIONS, main


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


def test_the_results_are_of_one_whole_run_on_one_commit():
    header, parts = header_and_parts(RESULTS.read_text())
    if "commit" not in header:
        pytest.skip("made before headers named their commit")
    assert header["sections"].split(", ") == list(SECTIONS)
    assert len(parts) == len(SECTIONS)
    assert not header["commit"].endswith("-dirty")
