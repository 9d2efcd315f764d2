"""`ggp tree` with pictures, steps, ranges and levels."""

from xml.etree import ElementTree

import pytest

RANGES = """\
 #  move          mover  range      value
 1  A             MAX    [3, 3]     3 by a1
 2  ├─ a1 B       MIN    [3, 3]     3 by b1
 3  │  ├─ b1 B1          [3, 3]     3
 4  │  ├─ b2 B2          [12, 12]   12
 5  │  └─ b3 B3          [8, 8]     8
 6  ├─ a2 C       MIN    [-inf, 2]  ≤ 2 by c1
 7  │  ├─ c1 C1          [2, 2]     2
    │  └─ c2, c3                    not visited
 8  └─ a3 D       MIN    [2, 2]     ≤ 2 by d3
 9     ├─ d1 D1          [14, 14]   14
10     ├─ d2 D2          [5, 5]     5
11     └─ d3 D3          [2, 2]     2
"""


def test_pictures_are_written_to_files_and_said_to_be(ggp, tmp_path):
    files = {kind: str(tmp_path / f"tree.{kind}") for kind in ("svg", "dot", "html")}
    options = [text for kind, file in files.items() for text in (f"--{kind}", file)]
    found = ggp("tree", "fig52", "--searcher", "alphabeta", *options)
    assert (found.status, found.out) == (0, "")
    assert found.err.splitlines() == [f"written: {file}" for file in files.values()]
    root = ElementTree.fromstring((tmp_path / "tree.svg").read_text(encoding="utf-8"))  # noqa: S314
    assert root.tag.endswith("svg")
    assert root[0].text == "Figure 5.2: alphabeta"
    assert (tmp_path / "tree.dot").read_text(encoding="utf-8").startswith("digraph")
    page = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "def alphabeta(" in page


def test_a_picture_goes_to_standard_output(ggp):
    found = ggp("tree", "fig52", "--searcher", "alphabeta", "--svg", "-")
    assert found.err == ""
    assert ElementTree.fromstring(found.out).tag.endswith("svg")  # noqa: S314


def test_ranges_in_text(ggp):
    assert ggp("tree", "fig52", "--searcher", "alphabeta", "--labels", "ranges").out == RANGES


def test_a_step_shows_what_was_known_then(ggp):
    found = ggp("tree", "fig52", "--searcher", "alphabeta", "--step", "6")
    assert [" ".join(line.split()) for line in found.out.splitlines()] == [
        "# move mover window value",
        "1 A MAX [-inf, +inf] ...",
        "2 └─ a1 B MIN [-inf, +inf] [-inf, 3] ...",
        "3 └─ b1 B1 3",
    ]
    picture = ggp("tree", "fig52", "--searcher", "alphabeta", "--step", "13", "--svg", "-").out
    assert ">a1<" in picture
    assert ">a2<" not in picture


def test_levels_below_the_root_are_left_out_and_counted(ggp):
    found = ggp("tree", "fig52", "--searcher", "alphabeta", "--levels", "1").out
    assert [" ".join(line.split()[-2:]) for line in found.splitlines() if "…" in line] == ["3 more", "1 more", "3 more"]


def test_a_page_shows_the_source_of_every_tree_searcher(ggp):
    page = ggp("tree", "fig52", "--searcher", "negascout", "--html", "-").out
    assert "<li>    for action in search.order(state, depth, choice):</li>" in page.replace("        for", "    for")


@pytest.mark.parametrize(
    ("options", "sentence"),
    {
        "a step past the end": (["--step", "34"], "step 34 is past the end: the search has 33 steps"),
        "no step": (["--step", "0"], "--step must be a whole number, 1 or more; got 0"),
        "no level": (["--levels", "-1"], "got -1"),
        "a step of a page": (
            ["--step", "3", "--html", "-"],
            "the HTML file shows every step, and FILE#K opens at step K",
        ),
        "two pictures at once": (["--svg", "-", "--dot", "-"], "only one picture can go to standard output (-)"),
        "other labels": (["--labels", "values"], "'values' is not one of 'window', 'ranges'"),
    }.values(),
)
def test_what_is_asked_wrongly_is_said(ggp, options, sentence):
    found = ggp("tree", "fig52", "--searcher", "alphabeta", *options)
    assert (found.status, found.out) == (2, "")
    assert sentence in found.err


def test_a_file_that_cannot_be_written_is_named(ggp, tmp_path):
    file = str(tmp_path / "none" / "tree.svg")
    found = ggp("tree", "fig52", "--svg", file)
    assert (found.status, found.err) == (
        1,
        f"ggp: the file {file} cannot be written: there is no directory {tmp_path}/none\n",
    )


@pytest.mark.slow
def test_a_deep_tree_keeps_to_eighty_columns(ggp):
    found = ggp("tree", "tictactoe", "--depth", "7", "--limit", "60").out
    assert max(map(len, found.splitlines())) <= 80
    assert "│├" in found


@pytest.mark.slow
def test_a_tree_deeper_than_pythons_stack_is_drawn(ggp):
    found = ggp(
        "tree", "nim", "--option", "heaps=700", "--depth", "650", "--searcher", "minimax:nodes=650", "--limit", "650"
    )
    assert found.status == 0
    assert found.out.count("\n") > 650
