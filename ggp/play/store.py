"""The store: a user's games in one SQLite file. Each move is on the disk before the next one is chosen.

Several processes may use a store at once. If two processes continue the same game, the first one to save a move
succeeds, and the other one gets a StoreError.
"""

import contextlib
import errno
import os
import pathlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
import msgspec

from ggp.errors import RecordError, StoreError
from ggp.files import user_path
from ggp.play.json_format import checked
from ggp.play.match import Match, now
from ggp.play.record_writer import record_of, recorded
from ggp.play.records import MOST, Ending, Record, RecordedMove
from ggp.storage import checksum_of
from ggp.tables import ResultTable, TableRow, result_table

if TYPE_CHECKING:
    import pandas

VARIABLE = "GGP_STORE"
"""The environment variable that names the store's file."""

APPLICATION, VERSION = 0x67677031, 2
"""The application number in the SQLite header of a store, and the version of its tables."""

PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""

TABLES = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    revision INTEGER NOT NULL DEFAULT 0,
    changed TEXT NOT NULL,
    head TEXT NOT NULL,
    ending TEXT,
    checksum TEXT NOT NULL DEFAULT ''
);
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL,
    move TEXT NOT NULL,
    checksum TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
"""
"""The tables. `head` is a record in JSON without moves and ending, `move` is one move, `ending` is the ending.
`revision` grows by 1 with each change, and shows whether another process has changed the game. A checksum covers the
rest of its row; the checksum of a game also covers the number of its moves.
"""

OLDER = """
ALTER TABLE games ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE moves ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
"""
"""Statements that convert a store of version 1 to version 2."""


@attrs.frozen
class StoredGame:
    """A game in the store, without its moves."""

    number: int
    head: Record
    moves: int
    """Number of moves played."""
    ending: Ending | None
    changed: str

    @property
    def winner(self) -> str | None:
        """The name of the player who won; None if nobody has."""
        if self.ending is None or self.ending.winner is None:
            return None
        return self.head.players[self.ending.winner].name


def games_table(games: Iterable[StoredGame]) -> ResultTable:
    """Return a row for each game: who played, how it ended, how many moves it has."""
    return result_table(
        (
            {
                "number": each.number,
                "changed": each.changed,
                "game": each.head.game,
                "parameters": dict(each.head.parameters),
                "first": each.head.players[0].name,
                "second": each.head.players[1].name,
                "winner": each.winner,
                "ending": "unfinished" if each.ending is None else each.ending.how,
                "utility": each.ending and each.ending.utility,
                "moves": each.moves,
            }
            for each in games
        ),
        ("number", "changed", "game", "first", "second", "winner", "ending", "utility", "moves"),
    )


def default_path() -> pathlib.Path:
    """Return the path of the user's own store: the file that GGP_STORE names, or one in the user's data directory."""
    return user_path("games.db", VARIABLE)


@contextlib.contextmanager
def open_store(path: str | os.PathLike[str] | None = None) -> Iterator["Store"]:
    """Open the store in a file, which is created if it does not exist; None opens the user's own store.

    Raises:
        StoreError: the file cannot be written, or is not a store.
    """
    store = Store(default_path() if path is None else pathlib.Path(path))
    try:
        yield store
    finally:
        store.close()


class Store:
    """Games by number. Every change is on the disk when the method returns."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        with self._store_errors("opened"):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise OSError(errno.EINVAL, "it is not a regular file")
            self._database = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            with self._store_errors("opened"):
                self._prepare()
        except BaseException:
            self._database.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _prepare(self) -> None:
        run = self._database.execute
        run("PRAGMA foreign_keys = ON")
        with self._reading():
            version = self._version()
        if version < VERSION:
            self._write_ahead()
            with self._change():
                version = self._version()  # another process may have been first
                for statement in filter(str.strip, {0: TABLES, 1: OLDER}.get(version, "").split(";")):
                    run(statement)
                if version == 1:
                    self._seal_all()
                run(f"PRAGMA application_id = {APPLICATION}")
                run(f"PRAGMA user_version = {VERSION}")
        # In write-ahead mode the default may lose the last transactions in a power cut; moves must not be lost.
        run("PRAGMA synchronous = FULL")

    def _write_ahead(self) -> None:
        """Set the store to write changes to a log first, so that readers and a writer do not wait for each other.

        If two processes do this to a new file at once, SQLite refuses one of them immediately: inside a transaction,
        waiting could be a deadlock. Here no transaction is open, so trying again is safe.
        """
        patient_until = time.monotonic() + PATIENCE
        while True:
            try:
                self._database.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > patient_until:
                    raise
                time.sleep(0.01)

    def _seal_all(self) -> None:
        """Add checksums to the rows of a store of version 1."""
        run = self._database.execute
        for game, number, move in run("SELECT game, number, move FROM moves").fetchall():
            seal = checksum_of(game, number, move)
            run("UPDATE moves SET checksum = ? WHERE game = ? AND number = ?", (seal, game, number))
        for (game,) in run("SELECT number FROM games").fetchall():
            self._seal(game)

    def _seal(self, number: int) -> None:
        """Store the checksum of a game's row."""
        row = self._database.execute(f"SELECT {ROW} FROM games WHERE number = ?", (number,)).fetchone()  # noqa: S608
        self._database.execute("UPDATE games SET checksum = ? WHERE number = ?", (checksum_of(*row), number))

    def _add_moves(self, number: int, first: int, moves: Sequence[RecordedMove]) -> None:
        rows = [(number, index, _json(move)) for index, move in enumerate(moves, first)]
        sealed = ((*row, checksum_of(*row)) for row in rows)
        self._database.executemany("INSERT INTO moves VALUES (?, ?, ?, ?)", sealed)

    def _version(self) -> int:
        """Return the version of the tables; 0 for a new file. Call this within a transaction."""
        (application,) = self._database.execute("PRAGMA application_id").fetchone()
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        (tables,) = self._database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if (application or tables) and application != APPLICATION:
            raise StoreError(f"{self.path} is not a store of games: it is the database of another program")
        if not 0 <= version <= VERSION:
            raise StoreError(
                f"the store {self.path} has version {version}, and this ggp reads versions up to {VERSION}"
            )
        return int(version)

    @contextlib.contextmanager
    def _store_errors(self, done: str) -> Iterator[None]:
        """Turn errors of SQLite and the system into a sentence. `done` completes "the store cannot be ..."."""
        try:
            yield
        except UnicodeDecodeError:  # SQLite has found a text that is none
            raise StoreError(f"the store {self.path} is damaged: name another file with --store FILE") from None
        except (sqlite3.Error, OSError) as error:
            said = (error.strerror if isinstance(error, OSError) else "") or str(error)
            what = " ".join(said.lower().split())[:100]  # SQLite quotes whole statements
            right = "name another file with --store FILE"
            raise StoreError(f"the store {self.path} cannot be {done}: {what}; {right}") from error

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        """Run the `with` block as one transaction: all of its changes are made, or none."""
        # IMMEDIATE takes the write lock now: a deferred transaction could fail later, when it first writes.
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def add(self, record: Record) -> int:
        """Store a record and return its number."""
        head = attrs.evolve(record, moves=(), ending=None)
        with self._store_errors("written"), self._change():
            added = self._database.execute(
                "INSERT INTO games (changed, head, ending) VALUES (?, ?, ?)",
                (now(), _json(head), _ending(record.ending)),
            )
            number = added.lastrowid or 0
            self._add_moves(number, 1, record.moves)
            self._seal(number)
        return number

    def save(
        self, number: int, revision: int, unchanged: int, moves: Sequence[RecordedMove], ending: Ending | None
    ) -> None:
        """Save the present moves and ending of a game; its revision grows by 1.

        Arguments:
            revision: the revision that the caller expects the game to have.
            unchanged: the number of stored moves that are unchanged.
            moves: the moves that follow the unchanged ones.

        Raises:
            StoreError: the game does not exist or has another revision, or the file cannot be written.
        """
        with self._store_errors("written"), self._change():
            changed = self._database.execute(
                # Compare and set: no row matches if another process has changed the game since.
                "UPDATE games SET changed = ?, ending = ?, revision = revision + 1 WHERE number = ? AND revision = ?",
                (now(), _ending(ending), number, revision),
            )
            if not changed.rowcount:
                row = self._database.execute("SELECT 1 FROM games WHERE number = ?", (number,)).fetchone()
                if not row:
                    raise self._missing(number)
                reason = f"game {number} of {self.path} has been continued elsewhere"
                raise StoreError(f"{reason}: `ggp resume` shows its present position")
            # Moves that were taken back are deleted, and the new ones added, in the same transaction.
            self._database.execute("DELETE FROM moves WHERE game = ? AND number > ?", (number, unchanged))
            self._add_moves(number, unchanged + 1, moves)
            self._seal(number)

    def entries(self, on_damage: Callable[[str], object] | None = None) -> list[StoredGame]:
        """Return the games, the most recently changed first.

        Arguments:
            on_damage: called with a sentence for each damaged game; None raises a RecordError for the first one.
        """
        with self._store_errors("read"):
            query = f"SELECT checksum, {ROW} FROM games ORDER BY changed DESC, number DESC"  # noqa: S608
            rows = self._database.execute(query).fetchall()
        entries = []
        for checksum, *row in rows:
            number, _, changed, head, ending, moves = row
            try:
                self._require(number, checksum == checksum_of(*row))
                record = self._record(number, head, ending, [])
            except RecordError as error:
                if on_damage is None:
                    raise
                on_damage(str(error))
                continue
            entries.append(StoredGame(number, attrs.evolve(record, ending=None), moves, record.ending, changed))
        return entries

    def to_pandas(self) -> "pandas.DataFrame | list[TableRow]":
        """Return the games as a data frame; without pandas, as a list of rows."""
        return games_table(self.entries()).to_pandas()

    def get(self, number: int) -> Record:
        """Return the record of a game.

        Raises:
            StoreError: the store has no game with that number.
            RecordError: the stored game is damaged.
        """
        return self.take(number)[0]

    def take(self, number: int) -> tuple[Record, int]:
        """Return the record and the revision of a game, to continue it. Raises as `get` does."""
        if number > MOST:
            raise self._missing(number)
        with self._store_errors("read"), self._reading():
            query = f"SELECT checksum, {ROW} FROM games WHERE number = ?"  # noqa: S608
            saved = self._database.execute(query, (number,)).fetchone()
            if not saved:
                raise self._missing(number)
            query = "SELECT checksum, game, number, move FROM moves WHERE game = ? ORDER BY number"
            moves = self._database.execute(query, (number,)).fetchall()
        checksum, *row = saved
        _, revision, _, head, ending, count = row
        self._require(number, checksum == checksum_of(*row))
        self._require(number, [index for _, _, index, _ in moves] == list(range(1, count + 1)))
        self._require(number, all(checksum == checksum_of(*rest) for checksum, *rest in moves))
        return self._record(number, head, ending, [move for *_, move in moves]), revision

    def _require(self, number: object, sound: bool) -> None:
        """Raise RecordError, which says that the stored game is damaged, unless `sound` is true."""
        if not sound:
            remedy = f"`ggp record delete {number}` removes it"
            raise RecordError(f"game {number} of {self.path} is damaged: its checksum is wrong; {remedy}")

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Read everything in the `with` block from one snapshot."""
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            if self._database.in_transaction:
                self._database.execute("COMMIT")

    def _record(self, number: int, head: str, ending: str | None, moves: list[str]) -> Record:
        source = f"game {number} of {self.path}"
        try:
            raw: dict[str, object] = dict(msgspec.json.decode(head))
            raw["ending"] = None if ending is None else msgspec.json.decode(ending)
            raw["moves"] = [msgspec.json.decode(move) for move in moves]
        except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
            raise RecordError(f"{source} is damaged: the stored data is not JSON") from None
        return checked(raw, source, lambda path: path)

    def delete(self, number: int) -> None:
        """Delete a game. Raises as `get` does."""
        if number > MOST:
            raise self._missing(number)
        with self._store_errors("written"), self._change():
            if not self._database.execute("DELETE FROM games WHERE number = ?", (number,)).rowcount:
                raise self._missing(number)

    def _missing(self, number: int) -> StoreError:
        return StoreError(f"there is no game {number} in {self.path}: `ggp record list` lists them")


@attrs.define
class StoredMatch:
    """Keeps a match in a store. A change that could not be saved is saved with the next one."""

    store: Store
    number: int
    revision: int
    """The revision of the game after the last change by this process."""
    unchanged: int
    """Number of moves, counted from the start, that the match and the store have in common."""

    def save(self, match: Match) -> None:
        """Save the match as it is now; see `ggp.play.match.Keeper`."""
        self.unchanged = min(self.unchanged, len(match.moves))
        moves = [recorded(match.game, move) for move in match.moves[self.unchanged :]]
        self.store.save(self.number, self.revision, self.unchanged, moves, match.ending)
        self.revision += 1
        self.unchanged = len(match.moves)


def store_match(store: Store, match: Match) -> int:
    """Store a match with its moves so far, and save every later move. Returns the number of the game.

    Raises:
        StoreError: the store cannot be written.
    """
    number = store.add(record_of(match))
    match.keeper = StoredMatch(store, number, 0, len(match.moves)).save
    return number


ROW = "number, revision, changed, head, ending, (SELECT count(*) FROM moves WHERE game = games.number)"
"""The columns of a game that its checksum covers."""


def _json(value: attrs.AttrsInstance) -> str:
    return msgspec.json.encode(attrs.asdict(value)).decode()


def _ending(ending: Ending | None) -> str | None:
    return None if ending is None else _json(ending)
