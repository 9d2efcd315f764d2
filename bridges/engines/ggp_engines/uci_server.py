"""ggp's players as engines that speak UCI or UGI."""

import contextlib
import importlib.metadata
import itertools
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ggp import capabilities, repetition
from ggp.errors import GGPError
from ggp.escapes import short
from ggp.game import CHANCE, MAX
from ggp.play.clock import UNTIMED, Clock
from ggp.searcher import Limits, SearchResult, stop_when
from ggp_engines.server import EngineServer

LAST = 10.0
"""Seconds for which a search with a limit may continue after `quit`, since scripts send `quit` right after `go`, and
expect a move.
"""
FOREVER = 1e6
"""Time limit, in seconds, of a search that runs until it is stopped; the limit is never reached."""


class UCIServer(EngineServer):
    """An engine that speaks UCI."""

    protocol = "uci"
    clocks: ClassVar[tuple[str, str, str, str]] = ("wtime", "btime", "winc", "binc")
    _thread: threading.Thread | None = None
    _stop = threading.Event()
    _endless = False

    def obey(self, tokens: list[str]) -> None:
        """See `EngineServer`."""
        commands: Mapping[str, Callable[[list[str]], None]] = {
            self.protocol: self.introduce,
            "isready": self.get_ready,
            f"{self.protocol}newgame": self.new_game,
            "position": self.position,
            "go": self.go,
            "stop": self.stop,
            "query": self.query,
            "setoption": lambda rest: None,  # we have none
            "debug": lambda rest: None,
            "ponderhit": lambda rest: None,
            "register": lambda rest: None,
        }
        if tokens[0] not in commands:
            self.complain(f"unknown command {short(tokens[0])!r}: commands are {', '.join(commands)}, quit")
            return
        if self._thread is not None and tokens[0] not in ("isready", "stop", "debug", "setoption", "ponderhit"):
            self.leave()  # the searches of a script are all answered, in their order
        commands[tokens[0]](tokens[1:])

    def complain(self, sentence: str) -> None:
        """See `EngineServer`."""
        self.write(f"info string {sentence}")

    def introduce(self, rest: list[str]) -> None:
        """Say who we are."""
        self.write(f"id name ggp {importlib.metadata.version('ggp')} {self.game.name} {self.player.name}")
        self.write("id author the authors of ggp")
        if self.dialect.variant and self.protocol == "uci":
            name = self.dialect.variant
            self.write(f"option name UCI_Variant type combo default {name} var {name}")
        self.write(f"{self.protocol}ok")

    def get_ready(self, rest: list[str]) -> None:
        """Answer when all earlier commands are done."""
        if not self._warm:
            self.warm_up()
        self.write("readyok")

    def new_game(self, rest: list[str]) -> None:
        """Begin a game."""
        self.states = [self.game.initial_state()]

    def position(self, rest: list[str]) -> None:
        """Set up a position; if a move is wrong, the position stays as it was."""
        end = rest.index("moves") if "moves" in rest else len(rest)
        form, text = (rest[:1] or [""])[0], " ".join(rest[1:end])
        before = self.states
        if form == "startpos" and not text:
            start = self.game.initial_state()
        elif form == "fen" and self.dialect.parse_state:
            start = self.dialect.parse_state(text)
        else:
            raise GGPError("position is written `position startpos moves ...` or `position fen STATE moves ...`")
        try:
            self.states = [start]
            for word in rest[end + 1 :]:
                self.states.append(self.read(word))
        except BaseException:
            self.states = before
            raise

    def query(self, rest: list[str]) -> None:
        """Answer a question about the position: `gameover`, `p1turn` or `result`."""
        over = self.over
        utility = 0.0
        if over:
            ended = self.game.terminal_test(self.state)
            utility = (
                self.game.utility(self.state, MAX) if ended else repetition.repetition_value(self.game, self.state)
            )
        answers = {
            "gameover": str(over).lower(),
            "p1turn": str(not over and self.game.to_move(self.state) == MAX).lower(),
            "result": ("p1win" if utility > 0 else "p2win" if utility < 0 else "draw") if over else "none",
        }
        if rest[:1] and rest[0] in answers:
            self.write(f"response {answers[rest[0]]}")
        else:
            raise GGPError(f"query is followed by {', '.join(answers)}")

    def go(self, rest: list[str]) -> None:
        """Search the position, and write `bestmove`."""
        if self.over:
            self.write("bestmove (none)")
            return
        if self.game.to_move(self.state) == CHANCE:
            raise GGPError("chance is to move: roll, and send the outcome as a move")
        numbers = _numbers(rest)
        given: dict[str, Any] = {name: numbers[name] for name in ("depth", "nodes") if name in numbers}
        if "infinite" in rest:
            given = {"seconds": FOREVER}
        elif "movetime" in numbers:
            given["seconds"] = max(numbers["movetime"], 1) / 1000
        own, _, increment, _ = self.clocks if self.game.to_move(self.state) == MAX else _other(self.clocks)
        clock = (
            Clock(max(numbers[own], 1) / 1000, increment=numbers.get(increment, 0) / 1000)
            if own in numbers
            else UNTIMED
        )
        self._stop, self._endless = threading.Event(), "infinite" in rest
        self._thread = threading.Thread(target=self._search, args=(Limits(**given), clock, self._stop), daemon=True)
        self._thread.start()

    def _search(self, limits: Limits, clock: Clock, stop: threading.Event) -> None:
        move = "(none)"
        try:
            with stop_when(stop.is_set):
                move = self.dialect.action(self.state, self.best_action(limits, clock, self.report))
        except KeyboardInterrupt:  # stopped before a move was found
            move = self._any_move()
        except Exception as error:
            self.complain(short(" ".join(str(error).split()), 400))
            move = self._any_move()
        if self._endless:
            stop.wait()  # as UCI demands, even if the search has come to its end
        with contextlib.suppress(BrokenPipeError):
            self.write(f"bestmove {move}")

    def _any_move(self) -> str:
        return self.dialect.action(self.state, capabilities.legal_actions(self.game, self.state)[0])

    def report(self, result: SearchResult) -> None:
        """Write the result of a search, with the value for the player to move."""
        done, state, line = result.statistics, self.state, []
        sign = 1 if self.game.to_move(state) == MAX else -1
        for action in result.principal_variation:
            line.append(self.dialect.action(state, action))
            state = self.game.result(state, action)
        score = f"score cp {round(100 * sign * result.value)} " if abs(result.value) < 1e9 else ""
        self.write(
            f"info depth {done.depth} {score}nodes {done.nodes} time {round(1000 * done.seconds)} pv {' '.join(line)}"
        )

    def stop(self, rest: list[str]) -> None:
        """Stop the search, so that its best move so far is written."""
        self._stop.set()
        self.leave()

    def leave(self) -> None:
        """End the search, and write its move: at once, or after at most `LAST` seconds if the search has a limit of its
        own.
        """
        if self._thread is not None:
            self._thread.join(0 if self._endless else LAST)
            self._stop.set()
            self._thread.join()
            self._thread = None


class UGIServer(UCIServer):
    """An engine that speaks UGI."""

    protocol = "ugi"
    clocks = ("p1time", "p2time", "p1inc", "p2inc")


def _other(clocks: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    first, second, one, two = clocks
    return second, first, two, one


def _numbers(tokens: list[str]) -> dict[str, int]:
    """Return the numbers that follow their names; a number that is out of range is replaced by the nearest bound."""
    numbers = {}
    for name, word in itertools.pairwise(tokens):
        if word.lstrip("-").isdecimal() and len(word) < 20:
            numbers[name] = max(1, int(word)) if name in ("depth", "nodes", "movetime") else max(0, int(word))
    return numbers
