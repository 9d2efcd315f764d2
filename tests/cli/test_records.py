"""`ggp resume`, `ggp replay` and `ggp record`, and what `ggp play` keeps."""

import json
import os
import pathlib
import re
import signal
import sqlite3

import pytest
from test_play import wait_for

from ggp.play.store import open_store

SIDES = ["--first", "random:seed=1", "--second", "alphabeta:depth=1"]


@pytest.fixture
def played(ggp):
    """A game of nim is in the store."""
    assert ggp("play", "nim", *SIDES, "--seed", "3", "--quiet").status == 0
    return json.loads(ggp("record", "show", "1", "--json").out)


def test_a_game_that_is_played_is_kept(ggp, played):
    assert played["players"][0] == {"side": "first", "name": "random:seed=1", "player": "random:seed=1"}
    assert played["seed"] == 3
    assert played["ending"]["how"] == "finished"
    row = ggp("record", "list").out.splitlines()[2].strip("| ").split(" | ")
    number, saved, game, players, ended, moves = map(str.strip, row)
    assert (number, saved[:10], game) == ("1", played["began"][:10], "nim")  # its parameters are the defaults
    assert players == "first random:seed=1 - second alphabeta:depth=1"
    assert (ended[-8:], int(moves)) == ("finished", len(played["moves"]))


def test_the_list_as_json_has_all_but_the_moves(ggp, played):
    (entry,) = json.loads(ggp("record", "list", "--json").out)
    assert entry["number"] == 1
    assert entry["moves"] == len(played["moves"])
    assert entry["ending"] == played["ending"]
    assert entry["players"] == played["players"]


def test_an_empty_store_says_so(ggp):
    assert ggp("record", "list") == (0, "", "no games\n")
    assert ggp("resume", "--list") == (0, "", "no games\n")
    found = ggp("resume")
    assert found.status == 1
    assert re.fullmatch(r"ggp: there is no unfinished game in .*: `ggp play` begins one\n", found.err)


def test_no_store_keeps_nothing(ggp):
    assert ggp("play", "nim", *SIDES, "--quiet", "--no-store").status == 0
    assert ggp("record", "list").err == "no games\n"


def test_a_store_of_ones_own_is_used_by_all_commands(ggp, tmp_path):
    own = ["--store", str(tmp_path / "deep" / "own.db")]
    found = ggp("play", "fig52", "--second", "random:seed=1", *own)
    assert (
        found.err
        == f"ggp: the input ended before the game did, after 0 moves; `ggp resume {' '.join(own)}` continues it\n"
    )
    assert re.search(r"human - MIN random:seed=1 \| \* +\| +0 \|", ggp("resume", "--list", *own).out)
    assert ggp("resume", *own, input="a1\n").status == 0
    assert re.search(r"\n2. MIN b\d .*\n\n1-0 finished {utility \d+\.0}\n$", ggp("record", "show", "1", *own).out)
    assert ggp("record", "list").err == "no games\n"


def test_resume_goes_on_with_the_newest_that_is_not_over(ggp):
    for number in (1, 2):
        ggp("play", "fig52", "--first", f"human:name=Ann {number}", "--second", "random:seed=1")
    ggp("play", "fig52", "--first", "random:seed=1", "--second", "random:seed=1")
    found = ggp("resume", input="a2\n")
    assert found.out.startswith("Game 2, after 0 moves:\n")
    assert "MAX (Ann 2) wins against MIN (random:seed=1)" in found.out
    assert "Game 1, after 0 moves:" in ggp("resume", "1", input="a1\n").out


def test_resume_refuses_a_game_that_is_over(ggp, played):
    found = ggp("resume", "1")
    assert found.status == 2
    assert found.err == "ggp: game 1 is over: `ggp replay 1 --from N` plays on from any move\n"


def test_a_level_that_resumes_is_the_searcher_that_it_was(ggp):
    ggp("play", "kalah", "--south", "human", "--north", "easy", input="A\n")
    shown = ggp("record", "show", "1").out
    assert '[second.name "easy"]\n[second.player "alphabeta:depth=2,ties=random:seed=' in shown
    assert re.search(r",weak=0\.[0-9]+:seed=[0-9]+", shown)
    houses = "B\nC\nD\n"  # easy chooses among equal moves, and may have captured what was in one of them
    assert "North (easy) plays" in ggp("resume", input=f"{houses}resign\n").out
    assert ggp("record", "show", "1").out.endswith("0-1 resigned\n")


def test_replay_prints_the_game_move_by_move(ggp, played):
    found = ggp("replay", "1", "--quiet")
    moves = [
        f"{number}. {'first' if not move['mover'] else 'second'}" for number, move in enumerate(played["moves"], 1)
    ]
    lines = found.out.splitlines()
    assert lines[0] == "nim heaps=3,4,5 misere=false"
    assert lines[1] == f"first: random:seed=1, second: alphabeta:depth=1, {played['began']}"
    assert [line[: len(move)] for line, move in zip(lines[2:], moves, strict=False)] == moves
    assert "wins against" in lines[-1]
    boards = ggp("replay", "1").out
    assert boards.count(" to move\n") == len(moves)


def test_replay_from_a_move_begins_there(ggp, played):
    assert ggp("replay", "1", "--quiet", "--from", "2").out.splitlines()[2].startswith("3. first")
    found = ggp("replay", "1", "--from", "99")
    assert found.status == 2
    assert (
        found.err == f"ggp: game 1 has {len(played['moves'])} moves: --from must be from 0 to {len(played['moves'])}\n"
    )


def test_replay_steps_at_enter(ggp, played):
    found = ggp("replay", "1", "--step", "--quiet", input="\n\n")
    assert found.status == 1
    assert found.err == "ggp: the input ended before the game did, after move 2\n"
    assert "2. second" in found.out
    assert "3. first" not in found.out


def test_replay_with_a_player_plays_on_as_a_new_game(ggp, played):
    found = ggp("replay", "1", "--from", "2", "--first", "hard", "--quiet")
    assert found.status == 0
    assert "first (hard) wins against second (alphabeta:depth=1)" in found.out
    second = json.loads(ggp("record", "show", "2", "--json").out)
    assert second["moves"][:2] == played["moves"][:2]
    assert second["players"][0] == {"side": "first", "name": "hard", "player": "alphabeta:seconds=0.5"}
    assert second["players"][1] == played["players"][1]
    assert second["ending"] is not None


def test_replay_again_shows_what_the_machines_play_now(ggp, tmp_path, played):
    found = ggp("replay", "1", "--again")
    count = len(played["moves"])
    assert found.out.endswith(f"0 of {count} moves differ.\n")
    text = ggp("record", "show", "1").out
    file = tmp_path / "other.txt"
    file.write_text(text.replace('player "alphabeta:depth=1"', 'player "random:seed=9"'))
    lines = ggp("replay", str(file), "--again").out.splitlines()
    assert any(
        re.match(r"2\. second \(alphabeta:depth=1\) played \d:\d, now (the same|\d:\d)  \[\w", line) for line in lines
    )
    assert lines[-1] != f"0 of {count} moves differ."


def test_replay_again_needs_a_machine(ggp):
    ggp("play", "fig52", "--first", "human", "--second", "human", input="a1\nb1\n")
    found = ggp("replay", "1", "--again")
    assert (found.status, found.err) == (
        2,
        "ggp: no move here was made by a machine player, so --again has nothing to repeat\n",
    )
    found = ggp("replay", "1", "--again", "--first", "hard")
    assert found.status == 2
    assert "--again and --step show a game, and cannot be used with players" in found.err


def test_a_record_that_does_not_replay_is_refused_by_every_command(ggp, tmp_path, played):
    text = ggp("record", "show", "1").out
    file = tmp_path / "wrong.txt"
    file.write_text(re.sub(r"^2\. second \S+", "2. second 3:9", text, flags=re.MULTILINE))
    for arguments in (["replay", str(file)], ["record", "import", str(file)], ["replay", str(file), "--first", "hard"]):
        found = ggp(*arguments)
        assert found.status == 2
        assert (
            "wrong.txt cannot be replayed: move 2, 3:9 by second, is wrong: " in found.err
            or "the record does" in found.err
        )
    assert len(ggp("record", "list").out.splitlines()) == 3


def usual_mode(folder):
    """The rights of a file that anybody else writes."""
    other = folder / "other"
    other.touch()
    return other.stat().st_mode


@pytest.mark.parametrize(("name", "begins"), [("game.json", '{\n  "format"'), ("game.txt", '[format "ggp record"]')])
def test_what_is_exported_can_be_imported(ggp, tmp_path, played, name, begins):
    file = tmp_path / name
    assert ggp("record", "export", "1", str(file)).status == 0
    assert file.read_text().startswith(begins)
    assert ggp("record", "import", str(file)).out == f"{file} is stored as game 2\n"
    assert json.loads(ggp("record", "show", "2", "--json").out) == played
    found = ggp("record", "export", "1", str(file))
    assert (found.status, found.err) == (2, f"ggp: {file} exists; overwrite it with --force\n")
    assert ggp("record", "export", "1", str(file), "--force", "--format", "json").status == 0
    assert file.read_text().startswith("{")
    assert list(tmp_path.glob(".game*")) == []
    assert file.stat().st_mode == usual_mode(tmp_path)


def test_an_export_that_cannot_be_written_is_one_sentence(ggp, tmp_path, played):
    found = ggp("record", "export", "1", str(tmp_path / "none" / "game.txt"))
    assert (found.status, found.err) == (
        1,
        f"ggp: the file {tmp_path}/none/game.txt cannot be written: no such file or directory\n",
    )


def test_a_deleted_game_is_gone(ggp, played):
    assert ggp("record", "delete", "1") == (0, "", "")
    assert "there is no game 1" in ggp("record", "show", "1").err
    assert "there is no game 1" in ggp("record", "delete", "1").err


def test_hint_analysis_and_taking_back_at_the_prompt(ggp):
    found = ggp("play", "fig52", "--second", "random:seed=1", input="hint\nanalyse\nback\na1\n")
    assert "hard would play a1: 3 to MAX (exact)\n" in found.out
    assert "Worth (exact): a1 3 to MAX, a2 2 to MAX, a3 2 to MAX\n" in found.out
    assert "there is no move to take back\n" in found.out
    taken = ggp("play", "nim", "--second", "random:seed=1", input="1:1\nback\n1:2\nresign\n").out
    assert "Taken back: 2 moves.\n" in taken
    assert "first plays 1:2: takes 2 stones of heap 1\n" in taken
    assert taken.endswith("first (human) resigns: second (random:seed=1) wins.\n")
    assert "\n1. first 1:2" in ggp("record", "show", "2").out


def test_hint_and_analysis_say_the_same_where_values_are_known(ggp):
    solved = ggp("play", "kalah", "--north", "random", input="hint\nanalyse\n").out
    assert "best is C" in solved
    assert "8 seeds for South (exact)" in solved
    worth = "Worth (exact): A 14 seeds for North, B 10 seeds for North, C 8 seeds for South, D 2 seeds for North,"
    assert f"{worth} E 8 seeds for North, F 4 seeds for South" in " ".join(solved.split())


def test_who_is_too_slow_loses_on_time(ggp):
    found = ggp("play", "nim", "--second", "random:seed=1", "--clock", "move=0.001", input="1:1\n" * 9)
    assert "(0 s left): " in found.out or found.out.endswith("wins.\n")
    wrong = ggp("play", "nim", "--second", "random", "--clock", "increment=3")
    assert wrong.status == 2
    assert wrong.err.startswith("ggp: a clock needs a limit: game=SECONDS for the game, or move=SECONDS")
    assert "its options are move, game, increment" in ggp("play", "nim", "--clock", "blitz=3").err


def test_a_play_is_told_in_words(ggp):
    found = ggp("play", "kalah", "--south", "human", "--north", "easy", input="C\nresign\n")
    assert "South plays C: sows 4 seeds from C, ends in the store: an extra turn\n" in found.out


def test_without_a_game_it_asks_for_one_and_for_the_players(ggp):
    found = ggp("play", input="chess\nnim\nheaps=x\nheaps=1,1\nnobody\n\nrandom:seed=1\n1:1\n")
    assert found.status == 0
    assert "there is no game 'chess'" in found.out
    assert "nim is played with:\n  heaps=3,4,5             stones in each heap" in found.out
    assert "Other values, as NAME=VALUE, or Enter: heaps=x\nheaps must" in found.out
    assert "Other values, as NAME=VALUE, or Enter: heaps=1,1\nPlayers: human, easy" in found.out
    assert "Players: human, easy, medium, hard, master, perfect, perfect:seconds=5 to think" in found.out
    assert "Who plays first? [human] nobody\nthere is no player 'nobody'" in found.out
    assert "Who plays second? [medium] random:seed=1\n" in found.out
    assert found.out.endswith("second (random:seed=1) wins against first (human).\n")
    assert ggp("play").err == "ggp: the input ended before the game began\n"
    assert "--option, --position and --moves need the name of a game" in ggp("play", "--option", "seeds=3").err


def test_a_store_that_cannot_be_opened_ends_the_game_or_not_as_the_user_wants(ggp, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    bad = ["--store", str(tmp_path / "file" / "games.db")]
    found = ggp("play", "fig52", "--first", "random", "--second", "random", *bad)
    assert found.status == 1
    assert re.search(r"cannot be opened: .*; name another file with --store FILE; or play with --no-store\n", found.err)
    asked = ["play", "fig52", "--second", "random:seed=1", *bad]
    found = ggp(*asked, input="no\n")
    assert "Continue without saving the game? [y/N] no\n" in found.out
    assert found.err.endswith("ggp: the game could not be saved, and you chose not to continue\n")
    found = ggp(*asked, input="y\na1\n")
    assert found.status == 0
    monkeypatch.setenv("GGP_STORE", bad[1])
    found = ggp("play", "fig52", "--first", "random", "--second", "random", "--quiet")
    assert found.status == 0
    assert found.err.startswith("ggp: warning: the game is not saved: the store ")


def test_a_disk_that_is_full_in_the_middle_is_told_and_the_game_goes_on_if_wanted(ggp, monkeypatch):
    from ggp.play import store

    def full(self, *arguments):
        with self._store_errors("written"):
            raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store.Store, "save", full)
    found = ggp("play", "fig52", "--second", "random:seed=1", input="a1\ny\n")
    assert found.status == 0
    assert "cannot be written: database or disk is full" in found.err
    assert "MAX plays a1\n" in found.out
    assert "wins against" in found.out
    found = ggp("play", "fig52", "--second", "random:seed=1", input="a1\nn\n")
    assert found.status == 1
    assert found.err.endswith("ggp: the game could not be saved, and you chose not to continue\n")
    found = ggp("play", "fig52", "--first", "random", "--second", "random:seed=1")
    assert found.status == 1
    assert "; or play with --no-store" in found.err


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_a_match_that_was_killed_is_resumed_to_its_end(ggp, start, tmp_path):
    store = str(tmp_path / "killed.db")
    heaps = ["--option", "heaps=30,30,30"]
    process = start("play", "nim", *heaps, "--first", "random:seed=1", "--second", "random:seed=2", "--store", store)
    wait_for(process, "second (random:seed=2) plays")
    process.kill()
    process.communicate()
    with open_store(store) as kept:
        before = kept.get(1)
    assert before.moves
    found = ggp("resume", "--store", store)
    assert found.status == (0 if before.ending is None else 2)
    with open_store(store) as kept:
        after = kept.get(1)
    assert after.moves[: len(before.moves)] == before.moves
    assert after.ending is not None
    assert ggp("replay", "1", "--store", store).status == 0


def test_the_same_seed_plays_the_same_game(ggp):
    for _ in range(2):
        ggp("play", "pig", "--first", "random", "--second", "random", "--seed", "5", "--quiet")
    first, second = (json.loads(ggp("record", "show", number, "--json").out) for number in ("1", "2"))
    actions = [[move["action"] for move in record["moves"]] for record in (first, second)]
    assert actions[0] == actions[1]


def test_a_terminal_has_colour_unless_the_user_wants_none(monkeypatch):
    from ggp.cli.match_view import has_colour

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert not has_colour()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert has_colour()
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colour()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour()


def test_in_a_narrow_terminal_lines_break_between_words_and_a_wide_board_is_its_notation(capsys, monkeypatch):
    from ggp.cli.match_view import MatchView
    from ggp.play import Match, make_player
    from ggp.plugins import load_registry

    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    registry = load_registry()
    kalah = registry.game("kalah")
    match = Match(kalah, (make_player(registry, "easy", kalah),) * 2, kalah.initial_state())
    table = MatchView(kalah, match.players, False)
    table.show_board(match)
    table.show_move(match.step())
    board, move = capsys.readouterr().out.split("\n\n")
    assert " ".join(board.split()) == f"{kalah.format_state(match.start)} (the terminal is too narrow for the board)"
    assert move.startswith("South (easy) plays ")
    assert all(len(line) <= 40 for line in [*board.splitlines(), *move.splitlines()])


def test_a_kept_file_is_where_the_environment_says(ggp, played):
    assert pathlib.Path(os.environ["GGP_STORE"]).is_file()
