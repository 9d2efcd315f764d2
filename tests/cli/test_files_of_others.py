"""Records and certificates that somebody else wrote: what they say is shown as text, and nothing is waited for."""

import json
import os

import pytest

from ggp.escapes import escaped

NASTY = "A\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\x7f\nggp: fake"
"""A name that clears the screen, turns the direction of writing, and forges a line."""


@pytest.fixture
def record(ggp, tmp_path):
    """A record whose players have such names, in a file."""
    assert ggp("play", "nim", "--first", "random:seed=1", "--second", "random:seed=2", "--quiet").status == 0
    record = json.loads(ggp("record", "show", "1", "--json").out)
    for player in record["players"]:
        player["name"] = player["side"] = NASTY
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    return path


def harmless(text):
    return escaped(text, "\n") == text and "fake" not in {line[5:9] for line in text.split("\n")}


@pytest.mark.parametrize(
    "arguments",
    [["replay"], ["replay", "--again"], ["record", "show"], ["record", "show", "--json"]],
    ids=" ".join,
)
def test_names_in_a_record_reach_the_terminal_escaped(arguments, ggp, record):
    found = ggp(*arguments, str(record))
    assert found.status == 0
    assert "\\u001b[2J" in found.out
    assert harmless(found.out)
    assert harmless(found.err)


def test_names_in_the_store_reach_the_terminal_escaped(ggp, record):
    assert ggp("record", "import", str(record)).status == 0
    for arguments in (["record", "list"], ["record", "list", "--json"]):
        found = ggp(*arguments)
        assert "\\u001b[2J" in found.out
        assert harmless(found.out)


def test_what_is_exported_is_the_same_record_and_harmless_to_print(ggp, record, tmp_path):
    before = json.loads(record.read_text())
    for name in ("out.json", "out.txt"):
        assert ggp("record", "export", str(record), str(tmp_path / name)).status == 0
        assert harmless((tmp_path / name).read_text())
        assert json.loads(ggp("record", "show", "--json", str(tmp_path / name)).out) == before


def test_errors_about_what_a_file_says_are_escaped(ggp, record):
    said = json.loads(record.read_text())
    for change in ({"game": NASTY}, {"parameters": {NASTY: 1}}, {"start": NASTY}, {"version": NASTY}, {NASTY: 1}):
        record.write_text(json.dumps(said | change))
        found = ggp("replay", str(record))
        assert (found.status, found.out) == (2, "")
        assert harmless(found.err)
        assert "\x1b" not in found.err


def test_a_record_on_standard_input_is_read(ggp, record):
    assert ggp("replay", "-", "--quiet", input=record.read_text()).status == 0
    assert ggp("record", "show", "-", input=record.read_text()).status == 0
    assert ggp("record", "import", "-", input=record.read_text()).status == 0
    found = ggp("replay", "-", "--step", input=record.read_text())
    assert (found.status, "standard input" in found.err) == (2, True)


@pytest.mark.parametrize("arguments", [["verify"], ["replay"], ["record", "show"], ["record", "import"]], ids=" ".join)
def test_a_pipe_is_refused_and_not_waited_for(arguments, ggp, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    found = ggp(*arguments, str(tmp_path / "pipe"))
    assert found.status in (1, 2)
    assert "pipe cannot be read: it is not a regular file" in found.err
