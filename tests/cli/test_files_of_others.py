"""Records and certificates that somebody else wrote: what they say is shown as text, and nothing is waited for."""

import json
import os
import unicodedata

import pytest

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
    odd = [sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") and sign != "\n"]
    return not odd and "fake" not in {line[5:9] for line in text.split("\n")}


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


@pytest.fixture
def tree(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text(
        '{"root": "R", "nodes": {"R": {"player": "max", "actions": {"a": "A", "b": "B"}},'
        ' "A": {"utility": 1}, "B": {"player": "min", "actions": {"c": "A", "d": "C"}}, "C": {"utility": 2}}}'
    )
    return path


def trap(tmp_path):
    """A pipe that whoever opens it would wait for."""
    path = tmp_path / "trap"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("arguments", [["replay"], ["replay", "--again"], ["record", "import"]], ids=" ".join)
def test_a_record_opens_no_files_unless_it_may(arguments, ggp, record, tmp_path):
    said = json.loads(record.read_text())
    foreign = {"game": "tree", "parameters": {"file": str(trap(tmp_path))}, "start": "", "moves": [], "ending": None}
    record.write_text(json.dumps(said | foreign))
    found = ggp(*arguments, str(record))
    assert found.status == 2
    assert "tree would open a file of this machine, file=" in found.err
    assert "allow it with --open-files" in found.err
    assert "it is not a regular file" in ggp(*arguments, "--open-files", str(record)).err


@pytest.mark.parametrize(
    "player",
    [
        "alphabeta:book={}",
        "minimax:evaluation=learned:{},depth=1",
        "alphabeta:depth=1,tablebase={}",
        "hard:book={}",
        "easy:evaluation=learned:{}",
        "replay:{}",
    ],
)
@pytest.mark.parametrize("arguments", [["replay", "--again"], ["record", "import"]], ids=" ".join)
def test_a_player_of_a_record_opens_no_files_unless_it_may(player, arguments, ggp, record, tmp_path):
    said = json.loads(record.read_text())
    said["players"][0]["player"] = player.format(trap(tmp_path))
    record.write_text(json.dumps(said))
    found = ggp(*arguments, str(record))
    assert (found.status, "would open a file of this machine, " in found.err) == (2, True)


def test_a_players_own_book_and_tablebase_are_no_files_of_others(ggp, record):
    said = json.loads(record.read_text())
    said["players"][0]["player"] = "alphabeta:book=none,tablebase=auto,depth=1"
    record.write_text(json.dumps(said))
    assert ggp("replay", "--again", str(record)).status == 0


def test_a_game_of_ones_own_that_opens_a_file_is_played_on_and_replayed(ggp, tree):
    command = ["play", "tree", "--option", f"file={tree}", "--second", "random:seed=1", "--quiet"]
    assert ggp(*command).status == 1  # the input ends before the first move
    assert ggp("replay", "1").status == 0
    assert ggp("resume", "--quiet", input="a\n").status == 0


def test_a_certificate_opens_no_files_unless_it_may(ggp, tree, tmp_path):
    proof = str(tmp_path / "proof")
    assert ggp("solve", "tree", "--option", f"file={tree}", "--certificate", proof, "--quiet").status == 0
    found = ggp("verify", proof)
    assert found.status == 1
    assert "line 2: tree would open a file of this machine, file=" in found.err
    assert ggp("verify", "--open-files", proof).status == 0
    tree.unlink()
    os.mkfifo(tree)
    assert "it is not a regular file" in ggp("verify", "--open-files", proof).err
