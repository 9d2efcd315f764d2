"""`ggp show`: boards on the terminal, as data, and as pictures."""

import json
from xml.etree import ElementTree

import pytest

BOARD = """\
 O | 2 | 3
---+---+---
 4 | X | 6
---+---+---
 7 | 8 | X
O to move
"""
SVG = "{http://www.w3.org/2000/svg}"


def test_the_board_is_drawn_as_the_game_draws_it(ggp):
    assert ggp("show", "tictactoe", "--moves", "5,1,9") == (0, BOARD, "")


def test_a_game_that_draws_nothing_shows_its_scene(ggp, countdown):
    found = ggp("--plugin", countdown, "show", "countdown")
    assert found.out.endswith("to move\n")
    assert "[1]" in found.out


def test_a_picture_goes_into_a_file_and_marks_the_last_move(ggp, tmp_path):
    file = tmp_path / "ttt.svg"
    assert ggp("show", "tictactoe", "--moves", "5,1,9", "--svg", str(file)) == (0, BOARD, f"written: {file}\n")
    root = ElementTree.parse(file).getroot()  # noqa: S314 - drawn on the spot
    assert root.find(f"{SVG}title").text == "tictactoe"
    changed = [each.get("data-name") for each in root.iter(f"{SVG}g") if "changed" in each.get("class").split()]
    assert changed == ["9"]


def test_without_moves_nothing_is_marked(ggp):
    assert "class='ring'" not in ggp("show", "kalah", "--svg", "-").out.replace('"', "'")


def test_a_dash_puts_the_picture_alone_on_standard_output(ggp):
    found = ggp("show", "nim", "--svg", "-")
    assert (found.status, found.err) == (0, "")
    assert ElementTree.fromstring(found.out).tag == f"{SVG}svg"  # noqa: S314 - drawn on the spot


def test_the_board_as_data_has_actions_in_the_notation(ggp):
    found = json.loads(ggp("show", "kalah", "--moves", "C,A", "--json").out)
    cells = {cell["name"]: cell for cell in found["cells"]}
    assert found["to_move"] == "North"
    assert found["caption"] == "North to move"
    assert found["changed"] == ["A", "B", "C", "D", "E"]
    assert [cells[name]["action"] for name in ("a", "f", "A", "South's store")] == ["a", "f", None, None]
    assert cells["South's store"]["count"] == 1
    assert set(cells["a"]) >= {"x", "y", "width", "height", "shape", "text", "label", "owner", "highlighted", "hint"}


def test_lines_are_data_too(ggp):
    lines = json.loads(ggp("show", "fig52", "--json").out)["lines"]
    assert {"start": "A", "end": "B", "label": "a1"} in lines


def test_a_file_that_cannot_be_written_is_a_failure_in_words(ggp, tmp_path):
    file = tmp_path / "none" / "kalah.svg"
    found = ggp("show", "kalah", "--svg", str(file))
    assert (found.status, found.err) == (
        1,
        f"ggp: the file {file} cannot be written: there is no directory {file.parent}\n",
    )


def test_what_was_there_stays_where_writing_fails(tmp_path, monkeypatch):
    from ggp.errors import StoreError
    from ggp.files import write_file

    file = tmp_path / "kalah.svg"
    file.write_text("old")

    def full(*names):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(StoreError, match=r"kalah\.svg cannot be written: no space left on device"):
        write_file(file, b"new")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]


def test_a_move_that_is_wrong_is_refused(ggp):
    found = ggp("show", "tictactoe", "--moves", "5,5")
    assert (found.status, found.out) == (2, "")
    assert "cell 5 is taken" in found.err


def test_at_a_terminal_the_board_has_colours(ggp, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = ggp("show", "tictactoe", "--moves", "5,1").out
    assert "\x1b[36m[X]\x1b[0m" in out
    assert "\x1b[1;33m[O]\x1b[0m" in out


def test_in_a_match_at_a_terminal_what_a_move_changed_stands_out(capsys, monkeypatch):
    import ggp
    from ggp.cli.match_view import MatchView

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    nim = ggp.load_registry().game("nim", heaps=(2, 1))
    table = MatchView(nim, (), quiet=False)
    table.show_state(nim.initial_state())
    assert "\x1b[1;33m" not in capsys.readouterr().out
    table.show_state(nim.result(nim.initial_state(), (1, 1)))
    assert "\x1b[1;33m1\x1b[0m" in capsys.readouterr().out
