"""Players that are engines, by UCI, UGI or GTP: `uci:fairy-stockfish?variant=breakthrough,movetime=30`.

The rule for failures: an engine loses the game if it crashes, does not start, does not answer in time, writes something
that is not an answer, or answers with an illegal move. The engine is then ended, and the next game begins with a new
process. An engine with a limit of depth or nodes has `timeout` seconds for a move. An engine with `movetime` or a clock
has this time and `grace` milliseconds more.

Sources: S. Meyer-Kahlen, Universal Chess Interface (2000 and later); kz04px, Universal Game Interface; G. Farnebäck,
Specification of the Go Text Protocol, version 2.
"""

import collections
import itertools
import pathlib
import re
import shlex
import time
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

import attrs

from ggp import capabilities, repetition
from ggp.engine_dialect import Dialect
from ggp.errors import ForfeitError, GGPError, IllegalActionError, OptionError, UsageError, did_you_mean
from ggp.escapes import escaped, short
from ggp.game import MAX, Action, AnyGame, State
from ggp.options import build, option, options_of, parse_options, split_options
from ggp.play.clock import UNTIMED, Clock
from ggp.play.players import ChosenAction
from ggp_engines.moves import moves_between, parse_move
from ggp_engines.program import IDLE, Program, find_program

STARTING = 30.0
"""Maximum seconds for an engine to start, and to get ready for a game."""
LAST_LINES = 1000
"""Maximum number of lines of an answer that are kept; of a longer answer, the last lines are kept."""
USUAL = 1000
"""Milliseconds for a move, if the user gives no limit."""


@attrs.frozen
class EngineLimits:
    """ggp's own options for an engine, besides the options of the engine itself."""

    movetime: int | None = option(None, "milliseconds for a move", minimum=1)
    depth: int | None = option(None, "plies to look ahead", minimum=1)
    nodes: int | None = option(None, "states to enter", minimum=1)
    timeout: float = option(60.0, "maximum number of seconds for a move, if depth or nodes are limited", minimum=0.01)
    grace: int = option(2000, "how late a move may be, in milliseconds", minimum=0)

    @property
    def is_open(self) -> bool:
        """Whether the user has set no limit: no `movetime`, `depth` or `nodes`."""
        return self.movetime is self.depth is self.nodes is None


@attrs.define(eq=False, slots=False)
class Engine:
    """An engine as a player; each subclass speaks a protocol."""

    name: str
    text: str
    command: tuple[str, ...]
    game: AnyGame
    dialect: Dialect
    limits: EngineLimits
    own: Mapping[str, str]
    """Values of the engine's own options, as written by the user."""
    program: Program | None = attrs.field(default=None, init=False)
    _states: tuple[State, ...] = attrs.field(default=(), init=False)
    _moves: list[str] = attrs.field(factory=list, init=False)
    """The texts of the moves that lead from each state of `_states` to the next."""

    protocol: ClassVar[str]
    first: ClassVar[str]
    """The first command, to which the engine answers with its name."""
    written: ClassVar[str]

    @classmethod
    def parse(cls, rest: str, game: AnyGame, *, seed: int, name: str) -> "Engine":
        """Return the engine that `COMMAND?OPTION=VALUE,...` describes. See `ggp.play.players.PlayerKind`."""
        dialect = capabilities.dialects(game).get(cls.protocol)
        if dialect is None:
            raise UsageError(
                f"{game.name} has no notation for {cls.protocol} with these parameters: write ugi:COMMAND for an engine"
                " that knows the game's own notation"
            )
        written = re.fullmatch(r"(.*)\?(\w[^?=]*=.*)", rest)
        command, options = (written[1], split_options(written[2])) if written else (rest, {})
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"the command {short(command)!r} cannot be read: {error}") from None
        limit_names = {each.name for each in options_of(EngineLimits)}
        values = parse_options(EngineLimits, cls.protocol, {key: options[key] for key in options if key in limit_names})
        limits = build(EngineLimits, cls.protocol, values)
        own = {key: value for key, value in options.items() if key not in limit_names}
        text = f"{cls.protocol}:{rest}"
        return cls(name, text, tuple(find_program(arguments)), game, dialect, limits, own)

    # the methods that differ between protocols

    def handshake(self, program: Program) -> None:
        """Exchange the first messages of the protocol with a new process, and set the engine's options."""
        raise NotImplementedError

    def new_game(self, program: Program) -> None:
        """Begin a game."""
        raise NotImplementedError

    def ask(self, program: Program, states: tuple[State, ...], clock: Clock, until: float) -> str:
        """Return the text of the engine's move in the last of the states."""
        raise NotImplementedError

    # the methods that all protocols share

    def begin(self) -> None:
        """Start the engine, or take one that is still running after another game, and begin a game."""
        if self.program is not None:
            return
        key = (self.protocol, self.game.name, repr(self.game), self.command, tuple(sorted(self.own.items())))
        program = IDLE.take(key) or Program(self.command)
        try:
            if program.key is None:
                self.handshake(program)
                program.key = key
            self.new_game(program)
        except TimeoutError:
            raise program.failed(f"has not got ready for a game within {STARTING:g} s") from None
        except BaseException:
            program.close(0)
            raise
        self.program = program
        self._states, self._moves = (), []

    def close(self) -> None:
        """Keep the process for the next game."""
        if self.program is not None:
            IDLE.give_back(self.program)
        self.program = None

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `ggp.play.players.Participant`."""
        self.begin()
        assert self.program is not None
        states = (*repetition.states_played(), state)
        self._follow(states)
        begun, seconds = time.monotonic(), self.seconds(clock)
        try:
            text = self.ask(self.program, states, clock, begun + seconds)
            return ChosenAction(self._read(state, text))
        except TimeoutError:
            how: Literal["time", "forfeit"] = "time" if clock.limit is not None else "forfeit"
            raise self._lost(self.program.failed(f"has not moved within {seconds:g} s", how)) from None
        except ForfeitError as error:
            raise self._lost(error) from None
        except BaseException:  # Ctrl-C: the engine may still be thinking
            self.program.close(0)
            self.program = None
            raise

    def _lost(self, error: ForfeitError) -> ForfeitError:
        if self.program is not None:
            self.program.close(0)
        self.program = None
        return error

    def seconds(self, clock: Clock) -> float:
        """Return how many seconds the engine may take for the next move, including those by which it may be late."""
        grace = self.limits.grace / 1000
        if clock.limit is not None:
            return clock.limit + grace
        time_for_move = self.limits.movetime or (USUAL if self.limits.is_open else None)
        return self.limits.timeout if time_for_move is None else time_for_move / 1000 + grace

    def _follow(self, states: tuple[State, ...]) -> None:
        """Add to `_moves` the texts of the moves that were played since the last call."""
        followed = len(self._states)
        if states[:followed] != self._states or not followed:
            followed, self._moves = 1, []
        self._moves += [
            self.dialect.action(states[followed - 1 + number], action)
            for number, action in enumerate(moves_between(self.game, states[followed - 1 :]))
        ]
        self._states = states

    def _read(self, state: State, text: str) -> Action:
        try:
            return parse_move(self.game, self.dialect, state, text)
        except IllegalActionError:
            where, engine = capabilities.notation(self.game).format_state(state), pathlib.Path(self.command[0]).name
            raise ForfeitError(
                f"{engine} played {short(escaped(text), 100)!r}, which is not legal in {where}"
            ) from None

    def _wait_for(self, program: Program, word: str, until: float) -> list[str]:
        """Return the lines that the engine writes, up to and including the line that begins with `word`.

        Raises:
            TimeoutError: the line that begins with `word` does not come in time.
        """
        lines: collections.deque[str] = collections.deque(maxlen=LAST_LINES)
        while not lines or lines[-1].split()[:1] != [word]:
            lines.append(program.receive(until))
        return list(lines)

    @property
    def _starts_at_the_beginning(self) -> bool:
        return bool(self._states[0] == self.game.initial_state())

    def _no_start(self) -> GGPError:
        where = capabilities.notation(self.game).format_state(self._states[0])
        return GGPError(f"{self.name} can only start from the initial position, not from {where}: use --plies 0")


class UCIEngine(Engine):
    """An engine that speaks UCI, the protocol of chess engines."""

    name = "uci"
    protocol = "uci"
    first = "uci"
    written = "uci:COMMAND?variant=NAME,movetime=MS"
    newgame: ClassVar[str] = "ucinewgame"
    clocks: ClassVar[str] = "wtime {0} btime {0} winc {1} binc {1}"

    def handshake(self, program: Program) -> None:
        """See `Engine`."""
        program.send(self.first, STARTING)
        options = [
            line.split()
            for line in self._wait_for(program, f"{self.first}ok", time.monotonic() + STARTING)
            if line.startswith("option ")
        ]
        offered: dict[str, list[str]] = {}
        for tokens in options:
            if "name" in tokens:
                stop = tokens.index("type") if "type" in tokens else len(tokens)
                offered[" ".join(tokens[tokens.index("name") + 1 : stop])] = tokens[stop:]
        for name, value in self._settings(program, offered):
            program.send(f"setoption name {name} value {value}", STARTING)

    def _settings(self, program: Program, offered: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
        """Yield the options to set, each with its value.

        Raises:
            OptionError: the engine has no such option, or does not play the game.
        """
        own = {"UCI_Variant" if name == "variant" else name: value for name, value in self.own.items()}
        if self.dialect.variant and "UCI_Variant" in offered:
            own.setdefault("UCI_Variant", self.dialect.variant)
        for name, value in own.items():
            same = [each for each in offered if each.lower().replace(" ", "_") == name.lower().replace(" ", "_")]
            if not same:
                near = did_you_mean(name, offered) or f": its options are {', '.join(offered) or 'none'}"
                raise OptionError(f"{program.name} has no option {short(name)!r}{near}")
            tokens = offered[same[0]]
            choices = [after for word, after in itertools.pairwise(tokens) if word == "var"]
            if same[0] == "UCI_Variant" and choices and value not in choices:
                raise OptionError(f"{program.name} does not play {short(value)!r}: it plays {', '.join(choices)}")
            yield same[0], value

    def new_game(self, program: Program) -> None:
        """See `Engine`."""
        program.send(self.newgame, STARTING)
        program.send("isready", STARTING)
        self._wait_for(program, "readyok", time.monotonic() + STARTING)

    def ask(self, program: Program, states: tuple[State, ...], clock: Clock, until: float) -> str:
        """See `Engine`."""
        if self._starts_at_the_beginning:
            start = "startpos"
        elif self.dialect.state:
            start = f"fen {self.dialect.state(states[0])}"
        else:
            raise self._no_start()
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        program.skip()
        program.send(f"position {start}{moves}\ngo {self._go(clock)}", until - time.monotonic())
        answer = self._wait_for(program, "bestmove", until)[-1].split()
        if len(answer) < 2:
            raise program.failed("answered bestmove without a move")
        return answer[1]

    def _go(self, clock: Clock) -> str:
        own = self.limits
        limits = {"depth": own.depth, "nodes": own.nodes, "movetime": own.movetime}
        if clock.left is not None:
            return self.clocks.format(round(1000 * clock.left), round(1000 * clock.increment))
        if clock.move is not None:
            limits["movetime"] = min(own.movetime or USUAL * 1000, max(1, round(1000 * (clock.budget or clock.move))))
        elif own.is_open:
            limits["movetime"] = USUAL
        return " ".join(f"{name} {value}" for name, value in limits.items() if value is not None)


class UGIEngine(UCIEngine):
    """An engine that speaks UGI, the protocol for any game, in the game's own notation."""

    name = "ugi"
    protocol = "ugi"
    first = "ugi"
    written = "ugi:COMMAND?movetime=MS"
    newgame = "uginewgame"
    clocks = "p1time {0} p2time {0} p1inc {1} p2inc {1}"


class GTPEngine(Engine):
    """An engine that speaks GTP, the protocol of Go, which programs for Othello and Hex speak, too."""

    name = "gtp"
    protocol = "gtp"
    first = "list_commands"
    written = "gtp:COMMAND?movetime=MS"

    def handshake(self, program: Program) -> None:
        """See `Engine`."""
        if self.own:
            names = ", ".join(each.name for each in options_of(EngineLimits))
            raise OptionError(f"gtp has no option {short(next(iter(self.own)))!r}: its options are {names}")
        self._order(program, "protocol_version", time.monotonic() + STARTING)

    def new_game(self, program: Program) -> None:
        """See `Engine`."""
        until = time.monotonic() + STARTING
        if self.dialect.size is not None:
            self._order(program, f"boardsize {self.dialect.size}", until)
        self._order(program, "clear_board", until)
        if self.limits.movetime:
            self._order(program, f"time_settings 0 {max(1, self.limits.movetime // 1000)} 1", until)
        self._played: tuple[State, ...] = ()

    def ask(self, program: Program, states: tuple[State, ...], clock: Clock, until: float) -> str:
        """See `Engine`."""
        if states[: len(self._played)] != self._played or not self._played:
            if self._played:
                self._order(program, "clear_board", until)
            if not self._starts_at_the_beginning:
                if self.dialect.setup is None:
                    raise self._no_start()
                for command in self.dialect.setup(states[0]):
                    self._order(program, command, until)
            self._played = states[:1]
        for index in range(len(self._played) - 1, len(states) - 1):
            colour = self._colour(states[index])
            move = self._moves[index]
            # Some engines pass on their own, and refuse the command: grhino 0.16 does.
            self._order(program, f"play {colour} {move}", until, refusable=move.lower() == "pass")
        colour = self._colour(states[-1])
        if clock.left is not None:
            self._order(program, f"time_left {colour} {max(1, int(clock.left))} 0", until)
        text = self._order(program, f"genmove {colour}", until)
        if text.lower() == "resign":
            raise ForfeitError(f"{program.name} resigned", "resigned")
        action = self._read(states[-1], text)
        self._played = (*states, self.game.result(states[-1], action))
        return text

    def _colour(self, state: State) -> str:
        return self.dialect.colours[0 if self.game.to_move(state) == MAX else 1]

    def _order(self, program: Program, command: str, until: float, *, refusable: bool = False) -> str:
        """Return the answer to a command; "" if the command is refusable, and the engine refuses it.

        Raises:
            ForfeitError: the program refuses the command, or gives no valid answer.
            TimeoutError: the program does not answer in time.
        """
        program.send(command, until - time.monotonic())
        line = ""
        while not line:
            line = program.receive(until).strip()
        answer = collections.deque([line], maxlen=LAST_LINES)
        while line := program.receive(until).strip():
            answer.append(line)
        said = " ".join(answer)
        if said[0] == "?" and refusable:
            return ""
        if said[0] != "=":
            what = "refused" if said[0] == "?" else "gave no answer to"
            raise program.failed(f"{what} {short(command)!r}: {short(escaped(said), 100)!r}")
        return said[1:].strip()
