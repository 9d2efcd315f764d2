"""Checkpoints of a solve: the proved values, and the table entries that took the most work.

A checkpoint is one file, see `ggp.storage`. A line of JSON describes the solve; the indices and the words of table
entries follow it. A checkpoint can be used on any machine, for the same position and the same size of the table.
"""

import json
import pathlib
import time
from typing import TYPE_CHECKING, Any

import attrs
from ggp_search.engine.engine import Engine
from ggp_search.memory.transposition_table import WORK_AT, WORKS, CompiledTable

from ggp.capabilities import notation, parameters
from ggp.errors import StoreError
from ggp.game import AnyGame, State
from ggp.storage import Format, decoded
from ggp_solve.proof.prover import Prover

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = Format("checkpoint of a solve", 3, remedy="remove it to start again")
ROOM = 64 << 20
"""Maximum size of the entries in a checkpoint, in bytes."""
CHUNK = 1 << 20
"""Number of entries that are examined in one step."""


@attrs.define
class Checkpoint:
    """The checkpoint file of one solve."""

    path: pathlib.Path
    game: AnyGame
    state: State
    every: float = 60.0
    """Seconds between two checkpoints."""
    _saved: float = attrs.field(factory=time.monotonic)

    def is_due(self) -> bool:
        """Return whether the next checkpoint is due."""
        return time.monotonic() - self._saved >= self.every

    def require_place(self) -> None:
        """Raise StoreError if no checkpoint can be written.

        Call this before a long search, so that the search is not lost.
        """
        FORMAT.require_place(self.path)

    def _subject(self) -> dict[str, object]:
        values = " ".join(f"{name}={value}" for name, value in parameters(self.game).items())
        state = notation(self.game).format_state(self.state)
        return {"game": self.game.name, "parameters": values, "state": state}

    def save(self, prover: Prover, states: int, memory: float, *, table: bool = True) -> None:
        """Save the proved bounds and the most valuable part of the table.

        Arguments:
            states: the number of nodes so far.
            memory: the memory limit of the solve in megabytes, which determines the size of the table.
            table: whether to save entries of the table.

        Raises:
            StoreError: the file cannot be written; the solve continues, and an older file is left unchanged.
        """
        self._saved = time.monotonic()
        words, places = _valuable(prover.engine) if table else (b"", b"")
        text = notation(self.game).format_state
        proved = [[text(state), *map(_plain, interval)] for state, interval in list(prover.proved.items())]
        head = self._subject() | {
            "proved": proved,
            "guesses": [[text(state), guess] for state, guess in list(prover.guesses.items())],
            "states": states,
            "memory": memory,
            "speed": prover.engine.speed,
            "buckets": _buckets(prover.engine) if table else 0,
            "places": len(places),
        }
        FORMAT.write(self.path, json.dumps(head).encode() + b"\n", places, words)

    def restore(self, prover: Prover) -> None:
        """Restore the prover from the checkpoint, if there is one.

        Raises:
            StoreError: the file is damaged or belongs to another solve; the message says which.
        """
        if not self.path.exists():
            return
        head, body = self._read()
        try:
            self._restore(prover, head, body)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise FORMAT.damaged(self.path, "it belongs to another kind of solve") from None

    def _restore(self, prover: Prover, head: dict[str, Any], body: bytes) -> None:
        # Entries are saved by their place in the table, which depends on the number of buckets.
        if head["buckets"] and head["buckets"] != _buckets(prover.engine):
            raise StoreError(
                f"{self.path} is a checkpoint of a solve with --memory {head['memory']:g}, {head['speed']}: only"
                " a solve with the same settings can resume from it"
            )
        parse = notation(self.game).parse_state
        for state, lower, upper in head["proved"]:
            prover.proved[parse(state)] = (
                _number(lower, prover.engine.numbers.lowest),
                _number(upper, prover.engine.numbers.highest),
            )
        prover.guesses.update((parse(state), guess) for state, guess in head.get("guesses", ()))
        if head["buckets"]:
            _put_back(prover.engine, body[: head["places"]], body[head["places"] :])

    def _read(self) -> tuple[dict[str, Any], bytes]:
        line, _, body = FORMAT.read(self.path).partition(b"\n")
        try:
            head = dict(decoded(line))
        except (TypeError, ValueError):
            raise FORMAT.damaged(self.path, "its second line is malformed") from None
        for name, value in self._subject().items():
            if head.get(name) != value:
                was = head.get(name)
                verb = "are" if name == "parameters" else "is"
                raise StoreError(
                    f"{self.path} is the checkpoint of another solve: its {name} {verb} {was}, not {value}"
                )
        return head, body


def _plain(value: float) -> float | None:
    return value if abs(value) < 1 << 30 else None


def _number(value: float | None, unknown: float) -> float:
    return unknown if value is None else value


def _buckets(engine: Engine) -> int:
    table = engine.search.table
    return table.buckets if isinstance(table, CompiledTable) else 0


def _entries(engine: Engine) -> "NDArray[np.int64] | None":
    """Return the table as a NumPy view of its memory, in rows of words; None if the table is not in machine words."""
    table = engine.search.table
    if not isinstance(table, CompiledTable):
        return None
    import numpy as np

    words = np.frombuffer(table.buffer.memory, dtype=np.int64)
    row = table.entry // 8
    return words[: len(words) // row * row].reshape(-1, row)


def _valuable(engine: Engine) -> tuple[bytes, bytes]:
    """Return the words and the indices of the entries that took the most work, as many as fit in a checkpoint."""
    entries = _entries(engine)
    if entries is None:
        return b"", b""
    import numpy as np

    table: CompiledTable = engine.search.table
    at, work = table.key_words, WORKS
    counts = np.zeros(work + 1, dtype=np.int64)
    chunks = range(0, len(entries), CHUNK)
    for start in chunks:
        data = entries[start : start + CHUNK, at]
        counts += np.bincount(data >> WORK_AT & work, minlength=work + 1)
    more = np.cumsum(counts[::-1])[::-1]
    least = next((each for each in range(1, work + 1) if more[each] * table.entry <= ROOM), work)
    words, places = [], []
    for start in chunks:
        rows = entries[start : start + CHUNK]
        chosen = np.flatnonzero((rows[:, at] >> WORK_AT & work) >= least)
        words.append(rows[chosen].tobytes())
        places.append((chosen + start).astype(np.int64).tobytes())
    return b"".join(words), b"".join(places)


def _put_back(engine: Engine, places: bytes, words: bytes) -> None:
    import numpy as np

    entries = _entries(engine)
    assert entries is not None
    at = np.frombuffer(places, dtype=np.int64)
    entries[at] = np.frombuffer(words, dtype=np.int64).reshape(len(at), entries.shape[1])
