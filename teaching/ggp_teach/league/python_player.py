"""Players that are Python files: `python:alice.py?seconds=1`. Each file runs in a separate limited process."""

import atexit
import pathlib
import sys
from typing import Literal

import attrs

from ggp import capabilities
from ggp.errors import ForfeitError, UsageError
from ggp.escapes import escaped, short
from ggp.experiments.experiment import as_texts
from ggp.game import AnyGame, State
from ggp.options import build, option, parse_options, split_options
from ggp.play.clock import UNTIMED, Clock
from ggp.play.players import ChosenAction
from ggp_teach.limited import LimitedProcess, Overrun, ProcessLimits

SPARE_TIME = 0.25
"""Seconds beyond the limit in which a move is still accepted: passing the question and the answer between processes
takes time.
"""


@attrs.frozen
class PythonLimits:
    """The options of a player that is a Python file."""

    seconds: float = option(1.0, "seconds for a move", minimum=0.01, maximum=86400)
    memory: int = option(1024, "memory in MB", minimum=256, maximum=1 << 20)
    seed: int | None = option(None, "seed of random choices", minimum=0)


Idle = dict[tuple[str, ...], list[LimitedProcess]]
_idle: Idle = {}
"""Processes that wait for the next game of the same player."""
_failures: dict[tuple[str, ...], int] = {}
"""For each player, the number of games in a row that the player lost by a failure."""
ENOUGH = 5
"""Number of failures in a row after which a player is not started again and loses its games. Restarting such a player
for each game would take hours.
"""


@attrs.define(eq=False, slots=False)
class FilePlayer:
    """A player that is a Python file.

    A player that hangs, crashes, takes too much memory, prints a megabyte, opens a file or makes an illegal move loses
    the game; the report gives the reason.
    """

    name: str
    text: str
    path: str
    limits: PythonLimits
    game: AnyGame
    seed: int
    _process: LimitedProcess | None = attrs.field(default=None, init=False)

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `ggp.play.players.Participant`.

        Raises:
            ForfeitError: the program has failed, and loses the game.
        """
        if _failures.get(self._key(), 0) >= ENOUGH:
            raise ForfeitError(f"it has failed {ENOUGH} times, and is not started again")
        limit = self.limits.seconds if clock.limit is None else min(self.limits.seconds, clock.limit)
        try:
            process = self._taken()
            question = {"state": capabilities.notation(game).format_state(state), "seconds": limit}
            answer = process.ask(question, limit + SPARE_TIME)
        except Overrun as fault:
            self._failed()
            how: Literal["forfeit", "time"] = "time" if fault.limit == "time" else "forfeit"
            raise ForfeitError(f"it {fault}", how) from None
        legal = capabilities.legal_actions(game, state)
        index = answer.get("place") if isinstance(answer, dict) else None
        if isinstance(index, int) and 0 <= index < len(legal):
            return ChosenAction(legal[index])
        self._failed()
        raise ForfeitError(escaped(short(str(answer.get("problem", "it gives no answer")))))

    def close(self) -> None:
        """Keep the process for the next game."""
        if self._process is not None and self._process.alive:
            _idle.setdefault(self._key(), []).append(self._process)
            _failures.pop(self._key(), None)
        self._process = None

    def _failed(self) -> None:
        """Count a failure, and end the process."""
        _failures[self._key()] = _failures.get(self._key(), 0) + 1
        if self._process is not None:
            self._process.close()
        self._process = None

    def _taken(self) -> LimitedProcess:
        if self._process is not None and self._process.alive:
            return self._process
        waiting = _idle.get(self._key(), [])
        while waiting:
            process = waiting.pop()
            if process.alive:
                self._process = process
                return process
        self._process = self._begun()
        return self._process

    def _key(self) -> tuple[str, ...]:
        return self.path, self.game.name, repr(as_texts(self.game)), repr(self.limits)

    def _begun(self) -> LimitedProcess:
        path = pathlib.Path(self.path)
        own = path.parent if path.name == "__init__.py" else path
        setup: dict[str, object] = {
            "path": self.path,
            "game": self.game.name,
            "parameters": as_texts(self.game),
            "plugins": _plugin_files(self.game),
            "seed": self.seed,
        }
        limits = ProcessLimits(megabytes=self.limits.memory, readable=(str(own),), hidden=(str(path.parent),))
        return LimitedProcess("ggp_teach.league.player_process:serve", setup, limits)


class PythonPlayer(FilePlayer):
    """The kind of player that is written `python:FILE`."""

    name = "python"
    written = "python:FILE.py?seconds=1"

    @classmethod
    def parse(cls, rest: str, game: AnyGame, *, seed: int, name: str) -> "PythonPlayer":
        """See `ggp.play.players.PlayerKind`."""
        file, _, options = rest.partition("?")
        path = pathlib.Path(file)
        if path.is_dir():
            path = path / "__init__.py"
        if not file or not path.is_file():
            raise UsageError(f"there is no player {short(file)!r}: after python: comes the name of a Python file")
        limits: PythonLimits = build(
            PythonLimits, "a Python player", parse_options(PythonLimits, "a Python player", split_options(options))
        )
        chosen = seed if limits.seed is None else limits.seed
        return cls(name, f"{cls.name}:{rest}", str(path.absolute()), limits, game, chosen)


def _plugin_files(game: AnyGame) -> list[str]:
    """Return the file of a game that `--plugin` loaded."""
    module = sys.modules.get(type(game).__module__)
    file = module.__file__ if module is not None else None
    return [file] if file and type(game).__module__.startswith("ggp_plugin_") else []


@atexit.register
def _end_all() -> None:
    for processes in _idle.values():
        for process in processes:
            process.close()
    _idle.clear()
