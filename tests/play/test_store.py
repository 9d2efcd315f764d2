"""The store: durable, shared by processes, and plain words where it fails."""

import contextlib
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import attrs
import pytest
from random_games import REGISTRY, game

import ggp
from ggp.play import Match, make_player, record_of
from ggp.play.replay import replay
from ggp.play.store import StoredMatch, default_path, open_store, store_match


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "games.db") as opened:
        yield opened


def begun(seed=1, name="nim"):
    played = game(name)
    players = tuple(make_player(REGISTRY, "random", played, seed=seed + side) for side in (0, 1))
    return Match(played, players, played.initial_state(), seed)


def test_each_move_is_in_the_file_when_step_returns(store):
    match = begun()
    number = store_match(store, match)
    while not match.over:
        match.step()
        with open_store(store.path) as other:
            assert other.get(number) == record_of(match)
    assert store.get(number).ending is not None


def test_what_is_taken_back_or_resigned_is_so_in_the_store(store):
    match = begun()
    number = store_match(store, match)
    for _ in range(3):
        match.step()
    match.take_back(ggp.MIN)
    assert len(store.get(number).moves) == 1
    match.resign(ggp.MIN)
    assert store.get(number) == record_of(match)
    match.take_back(ggp.MAX)
    assert (store.get(number).moves, store.get(number).ending) == ((), None)


def test_a_match_that_began_elsewhere_is_kept_with_its_moves(store):
    match = begun()
    match.step()
    assert store.get(store_match(store, match)) == record_of(match)


def test_entries_come_with_the_last_one_first_and_deleted_ones_are_gone(store):
    numbers = [store.add(record_of(begun(seed))) for seed in (1, 2, 3)]
    store.delete(numbers[1])
    assert [entry.number for entry in store.entries()] == [numbers[2], numbers[0]]
    with pytest.raises(ggp.StoreError, match=r"there is no game 2 in .*games\.db: `ggp record list` lists them"):
        store.get(numbers[1])
    for number in (numbers[1], 1 << 63, 10**30):
        with pytest.raises(ggp.StoreError, match=f"there is no game {number} in"):
            store.delete(number)
        with pytest.raises(ggp.StoreError, match=f"there is no game {number} in"):
            store.take(number)


def test_a_number_is_not_given_twice(store):
    number = store.add(record_of(begun()))
    store.delete(number)
    assert store.add(record_of(begun())) > number


def test_of_two_who_play_one_game_the_second_is_told(store):
    match = begun()
    number = store_match(store, match)
    with open_store(store.path) as other:
        twin = begun(seed=5)
        twin.keeper = StoredMatch(other, number, 0, 0).save
        match.step()
        with pytest.raises(ggp.StoreError, match=r"game 1 of .* has been continued elsewhere: `ggp resume` shows its"):
            twin.step()
        with pytest.raises(ggp.StoreError, match="has been continued elsewhere"):
            twin.resign(ggp.MAX)
    assert store.get(number) == record_of(match)


def test_the_users_own_store_is_named_by_the_environment_or_in_the_data_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_STORE", str(tmp_path / "mine.db"))
    assert default_path() == tmp_path / "mine.db"
    monkeypatch.delenv("GGP_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path().name == "games.db"


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, " * 100)
    with pytest.raises(ggp.StoreError, match=r"letter\.txt cannot be opened: file is not a database; name"):
        open_store(file).__enter__()
    assert file.read_text() == "Dear Ann, " * 100


def test_the_database_of_something_else_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE letters (text)")
    before = file.read_bytes()
    with pytest.raises(
        ggp.StoreError, match=r"other\.db is not a store of games: it is the database of another program"
    ):
        open_store(file).__enter__()
    assert file.read_bytes() == before


def test_a_store_of_a_later_version_is_refused(store):
    store._database.execute("PRAGMA user_version = 3")
    with pytest.raises(ggp.StoreError, match="has version 3, and this ggp reads versions up to 2"):
        open_store(store.path).__enter__()


DAMAGES = {
    "a head that is no JSON": "UPDATE games SET head = '{'",
    "a head of another type": "UPDATE games SET head = 5",
    "another player": "UPDATE games SET head = replace(head, 'random', 'rendom')",
    "another ending": "UPDATE games SET ending = NULL",
    "another moment": "UPDATE games SET changed = '2001-01-01T00:00:00Z'",
    "another revision": "UPDATE games SET revision = 7",
    "another number": "UPDATE games SET number = 7",
    "a move that is missing": "DELETE FROM moves WHERE number = 1",
    "the last move missing": "DELETE FROM moves WHERE number = (SELECT max(number) FROM moves)",
    "another move": "UPDATE moves SET move = replace(move, '\"mover\":0', '\"mover\":1')",
    "a move under another number": "UPDATE moves SET number = 99 WHERE number = 2",
    "another checksum": "UPDATE games SET checksum = ''",
}


def finished(store):
    match = begun()
    number = store_match(store, match)
    while not match.over:
        match.step()
    return number


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_game_is_refused_in_words(store, damage):
    number = finished(store)
    store._database.execute("PRAGMA foreign_keys = OFF")
    store._database.execute(damage)
    here = number if store._database.execute("SELECT 1 FROM games WHERE number = ?", (number,)).fetchone() else 7
    with pytest.raises(ggp.RecordError, match=r"game . of .* is damaged: its checksum is wrong; `ggp record delete .`"):
        store.get(here)


def test_a_record_that_another_program_has_written_is_checked(store):
    number = finished(store)
    store._database.execute("UPDATE games SET head = replace(head, '\"seed\"', '\"sead\"')")
    store._seal(number)
    with pytest.raises(ggp.RecordError, match="missing required field"):
        store.get(number)


def test_damaged_games_are_told_of_and_the_others_are_listed(store):
    first, second = finished(store), finished(store)
    store._database.execute("UPDATE games SET head = '{' WHERE number = ?", (first,))
    problems = []
    assert [entry.number for entry in store.entries(problems.append)] == [second]
    assert len(problems) == 1
    store.delete(first)
    assert len(store.entries()) == 1


def test_any_bit_of_the_file_that_is_flipped_changes_no_game(tmp_path):
    """Every bit of the page that has the game, and some of the others."""
    path = tmp_path / "games.db"
    with open_store(path) as store:
        number = finished(store)
        record = store.get(number)
    content, draws = path.read_bytes(), random.Random(1)
    at = content.index(b'"game":"nim"') // 4096 * 4096 * 8
    every = {at + bit for bit in range(0, 4096 * 8, 61)} | {draws.randrange(len(content) * 8) for _ in range(300)}
    refusals = []
    for bit in sorted(every):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        for more in ("-wal", "-shm"):
            pathlib.Path(f"{path}{more}").unlink(missing_ok=True)
        try:
            with open_store(path) as store:
                store.entries(lambda problem: None)
                assert store.get(number) == record
        except (ggp.StoreError, ggp.RecordError) as error:
            refusals.append(str(error))
    assert len(refusals) > 50
    assert not [each for each in refusals if "\n" in each or len(each) > 400]


def test_a_pipe_is_no_store(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ggp.StoreError, match="cannot be opened: it is not a regular file; name another file"):
        open_store(tmp_path / "pipe").__enter__()


VERSION_1 = """
CREATE TABLE games (number INTEGER PRIMARY KEY AUTOINCREMENT, revision INTEGER NOT NULL DEFAULT 0,
    changed TEXT NOT NULL, head TEXT NOT NULL, ending TEXT);
CREATE TABLE moves (game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL,
    move TEXT NOT NULL, PRIMARY KEY (game, number)) WITHOUT ROWID;
INSERT INTO games SELECT number, revision, changed, head, ending FROM new.games;
INSERT INTO moves SELECT game, number, move FROM new.moves;
PRAGMA application_id = 0x67677031;
PRAGMA user_version = 1;
"""


def test_a_store_of_version_1_is_brought_up_to_date_and_keeps_its_games(store, tmp_path):
    number = finished(store)
    with contextlib.closing(sqlite3.connect(tmp_path / "old.db")) as old:
        old.execute("ATTACH ? AS new", (str(store.path),))
        old.executescript(VERSION_1)
    for _ in range(2):
        with open_store(tmp_path / "old.db") as opened:
            assert opened.get(number) == store.get(number)
            assert len(opened.entries()) == 1


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ggp.StoreError, match=r"cannot be opened: (not a directory|file exists); name an"):
        open_store(tmp_path / "file" / "games.db").__enter__()


def test_a_full_disk_is_one_sentence_and_the_match_goes_on_without(store):
    match = begun()
    number = store_match(store, match)
    match.step()
    (pages,) = store._database.execute("PRAGMA page_count").fetchone()
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    big = attrs.evolve(record_of(match), start="x" * 100_000)
    with pytest.raises(ggp.StoreError, match="cannot be written: database or disk is full; name another"):
        store.add(big)
    assert store.get(number) == record_of(match)


def test_what_could_not_be_kept_is_kept_with_the_next_move(store):
    match = begun()
    number = store_match(store, match)
    match.step()
    store._database.execute("PRAGMA query_only = ON")
    for change in (match.step, lambda: match.take_back(ggp.MAX), match.step):
        with pytest.raises(ggp.StoreError):
            change()
    store._database.execute("PRAGMA query_only = OFF")
    match.step()
    assert store.get(number) == record_of(match)


def test_a_store_that_may_only_be_read_can_be_read_but_not_written(store):
    match = begun()
    number = store_match(store, match)
    store._database.execute("PRAGMA query_only = ON")
    with pytest.raises(ggp.StoreError, match="cannot be written: attempt to write a readonly database"):
        match.step()
    match.keeper = None
    match.step()
    assert len(match.moves) == 2
    assert store.get(number).moves == ()


PLAYER = """
import sys
import ggp
from ggp.play import Match, make_player
from ggp.play.store import store_match, open_store

registry = ggp.load_registry()
game = registry.game("nim", heaps=(40, 40, 40))
with open_store(sys.argv[1]) as store:
    for seed in range(int(sys.argv[2])):
        players = tuple(make_player(registry, "random", game, seed=seed) for _ in range(2))
        match = Match(game, players, game.initial_state(), seed)
        store_match(store, match)
        while not match.over:
            move = match.step()
            print(len(match.moves), flush=True)
        print("over", flush=True)
"""


def start(*arguments):
    return subprocess.Popen([sys.executable, "-c", PLAYER, *map(str, arguments)], stdout=subprocess.PIPE, text=True)  # noqa: S603


@pytest.mark.slow
def test_processes_that_share_a_store_lose_nothing(tmp_path):
    processes = [start(tmp_path / "games.db", 3) for _ in range(3)]
    outputs = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert [output.count("over") for output in outputs] == [3, 3, 3]
    with open_store(tmp_path / "games.db") as store:
        entries = store.entries()
        assert len(entries) == 9
        for entry in entries:
            assert replay(REGISTRY, store.get(entry.number)).over


def test_a_new_store_that_another_process_is_writing_is_waited_for(tmp_path):
    file = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as elsewhere:
        elsewhere.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.3, elsewhere.execute, ["COMMIT"])
        timer.start()
        with open_store(file) as store:
            assert store.entries() == []
        timer.join()


def test_a_store_that_another_process_makes_while_it_is_opened_is_a_store(tmp_path, monkeypatch):
    file = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(file)) as begun_elsewhere:
        begun_elsewhere.execute("PRAGMA journal_mode = WAL")
    connect = sqlite3.connect

    class Interrupted(sqlite3.Connection):
        def execute(self, statement, *arguments):
            if statement == "PRAGMA user_version" and sqlite3.connect != connect:  # one thing is read, and one is not
                monkeypatch.setattr(sqlite3, "connect", connect)
                with open_store(file) as other:
                    other.add(record_of(begun()))
            return super().execute(statement, *arguments)

    monkeypatch.setattr(sqlite3, "connect", lambda *given, **more: connect(*given, factory=Interrupted, **more))
    with open_store(file) as store:
        assert [entry.number for entry in store.entries()] == [1]


KILLS = int(os.environ.get("GGP_KILLS", "4"))
"""How often a process is killed; 50 by hand, once for each release."""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
@pytest.mark.parametrize("moment", range(KILLS))
def test_killed_at_any_moment_it_has_lost_no_move_and_goes_on(tmp_path, moment):
    process = start(tmp_path / "games.db", 1000)
    told = [process.stdout.readline()]
    time.sleep(0.013 * moment)
    process.kill()
    told += process.communicate()[0].splitlines()
    lines = [line.strip() for line in told if line.strip().isdigit() or line.strip() == "over"]
    over = lines.count("over")
    moves = len(lines) - max((place + 1 for place, line in enumerate(lines) if line == "over"), default=0)
    with open_store(tmp_path / "games.db") as store:
        number = len(store.entries())  # the next game may have begun before its first move was told of, or not
        assert number in (over, over + 1)
        assert number == over + 1 or not moves
        record, revision = store.take(number)
        assert moves <= len(record.moves) <= moves + 1 or number == over
        played = REGISTRY.game("nim", heaps=(40, 40, 40))
        players = tuple(make_player(REGISTRY, each.player, played) for each in record.players)
        match = replay(REGISTRY, record, players=players)
        match.keeper = StoredMatch(store, number, revision, len(record.moves)).save
        while not match.over:
            match.step()
        whole = store.get(number)
        assert whole.ending is not None
        assert replay(REGISTRY, whole).over
        assert whole.moves[: len(record.moves)] == record.moves
    uninterrupted = Match(played, players, played.initial_state(), record.seed)
    while not uninterrupted.over:
        uninterrupted.step()
    assert [move.action for move in record_of(uninterrupted).moves] == [move.action for move in whole.moves]
