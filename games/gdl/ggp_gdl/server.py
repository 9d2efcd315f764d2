"""`ggp gdl serve`: one of ggp's players, for hosts of the GGP protocol.

A move is never late and never illegal: if anything fails or takes too long, the player sends any legal move.
"""

import contextlib
import http.server
import threading
import time
import urllib.parse
from collections.abc import Callable
from typing import Any

import attrs

from ggp import repetition
from ggp.errors import GGPError
from ggp.escapes import escaped, short
from ggp.files import reason
from ggp.play import Clock, make_player
from ggp.play.players import Machine, Participant
from ggp.plugins import Registry
from ggp.searcher import stop_when
from ggp_gdl.description import Form, Term, format_term, order, plain
from ggp_gdl.game import AnyDescribed
from ggp_gdl.library import make
from ggp_gdl.play import Referee, State, referee_of
from ggp_gdl.protocol import CONTENT, LARGEST, message, spelled, spellings

MATCHES = 4
"""Maximum number of matches at a time. During so many matches, the player answers any new host that it is busy."""
FORGOTTEN = 60.0
"""Seconds by which a message may be late before the match counts as over."""
RESERVE = 0.2
"""The share of a clock that is left for the network; it is at most a second."""
LONGEST_CLOCK = 86_400.0
"""Maximum length of a clock, in seconds."""


def usable(clock: float) -> float:
    """Return the seconds of a clock that the player uses."""
    return clock - min(1.0, RESERVE * clock)


@attrs.define(eq=False)
class Match:
    """A match in which our player has a role."""

    role: str
    clock: float
    """Seconds for a move."""
    spellings: dict[str, str]
    """The host's spelling of each word."""
    text: str
    """The description."""
    heard: float
    """The time until which the match waits for the host's next message, by `time.monotonic`."""
    game: AnyDescribed | None = None
    """The game in ggp; None while it is being made."""
    player: Participant | None = None
    facts: State | None = None
    """The state after all moves that were sent; None before the first moves."""
    played: list[State] = attrs.field(factory=list)
    """The states before `facts`."""
    lock: threading.Lock = attrs.field(factory=threading.Lock)

    @property
    def referee(self) -> Referee:
        """The rules."""
        return referee_of(self.text)

    def prepare(self, registry: Registry, name: str) -> None:
        """Make the game and the player. Raise GGPError if ggp does not play this game."""
        game = make(self.text, "gdl:match")()
        if self.role not in self.referee.players:
            raise GGPError(f"{short(self.role)} is not a role of the game: {', '.join(self.referee.players)}")
        player = self.player = make_player(registry, name, game)
        state = game.initial_state()
        if not isinstance(player, Machine) or game.terminal_test(state):
            self.game = game
            return
        # Compile the search now: compiling within a move's time would leave no time to think. Until then, interpret it.
        self.player = _at_speed(player, "interpreted")
        self.game = game
        with contextlib.suppress(Exception):  # what is not compiled is interpreted
            _at_speed(player, "compiled").think(game, state, Clock(move=self.clock))
        self.player = player

    def advance(self, moves: Term) -> None:
        """Play the moves of all roles; `nil` comes before the first moves.

        Raise GGPError if the moves do not fit the game.
        """
        reasoner = self.referee.reasoner
        if self.facts is None:
            self.facts = reasoner.initial_facts()
        if isinstance(moves, str):
            return
        if len(moves) != len(self.referee.roles):
            raise GGPError(f"there are {len(self.referee.roles)} roles, and {len(moves)} moves were sent")
        joint = list(zip(self.referee.roles, map(plain, moves), strict=True))
        self.played.append(self.facts)
        self.facts = reasoner.next(self.referee.situation(self.facts), joint)

    def legal(self) -> list[Term]:
        """Return our legal moves."""
        assert self.facts is not None
        legal = self.referee.reasoner.legal(self.referee.situation(self.facts))
        return sorted((move for role, move in legal if role == self.role), key=order)

    def move(self, tell: Callable[[str], object]) -> Term:
        """Return our move in the present state, in time. Raise GGPError if there is no legal move."""
        legal = self.legal()
        if not legal:
            raise GGPError(f"{self.role} has no legal move: the game is over")
        answers: list[Term] = []
        if len(legal) > 1 and self.game is not None:
            seconds, stop = usable(self.clock), threading.Event()

            def search() -> None:
                try:
                    with stop_when(stop.is_set), contextlib.suppress(KeyboardInterrupt):
                        answers.append(self._search(seconds))
                except Exception as error:
                    tell(f"the search has failed: {type(error).__name__}: {short(escaped(str(error)), 200)}")

            thread = threading.Thread(target=search, daemon=True)
            thread.start()
            rest = self.clock - seconds
            thread.join(seconds + rest / 4)
            stop.set()
            thread.join(rest / 4)  # the best move so far
            if not answers:
                tell(f"no move within {self.clock:g} s: the first legal move is sent")
        return answers[0] if answers and answers[0] in legal else legal[0]

    def _search(self, seconds: float) -> Term:
        assert self.player is not None
        assert self.facts is not None
        assert self.game is not None
        state = self.game.state_of(self.facts)
        # A match does not end if the present state has occurred before, so this state is left out of the history.
        with repetition.played_before([self.game.state_of(each) for each in self.played if each != self.facts]):
            clock, player = Clock(move=seconds), self.player
            choose = player.think if isinstance(player, Machine) else player.choose
            return self.game.move_of(choose(self.game, state, clock).action)


def _at_speed(player: Machine, speed: str) -> Machine:
    """Return the player with its searcher at this speed; return the same player if the searcher has no speeds."""
    searcher: Any = player.searcher
    return attrs.evolve(player, searcher=attrs.evolve(searcher, speed=speed)) if hasattr(searcher, "speed") else player


@attrs.define(eq=False)
class Player:
    """A player that answers the messages of hosts.

    Arguments:
        player: a level or a searcher, as written on the command line.
        tell: called with a sentence that tells the user what happens.
    """

    registry: Registry
    player: str
    tell: Callable[[str], object]
    matches: dict[str, Match] = attrs.field(factory=dict)
    _lock: threading.Lock = attrs.field(factory=threading.Lock)

    def answer(self, text: str) -> str:
        """Return the answer to a message.

        Raises:
            GGPError: the message is not part of the protocol, or does not fit the match.
        """
        request = message(text)
        match request:
            case ("info",):
                with self._lock:
                    busy = len(self._alive()) >= MATCHES
                return f"((name ggp) (status {'busy' if busy else 'available'}))"
            case ("preview", *_):
                return "ready"
            case ("start", str(key), str(role), Form() as rules, start, play):
                return self._start(key, role, "\n".join(map(format_term, rules)), _clock(start), _clock(play), text)
            case ("play", str(key), moves):
                return self._play(key, moves)
            case ("stop" | "abort" as how, str(key), *_):
                ended = self._take(key)
                if ended:
                    self.tell(f"match {short(escaped(key))} has {'ended' if how == 'stop' else 'been aborted'}")
                return "done" if ended else "busy"
        raise GGPError(
            f"{short(' '.join(text.split()), 60)!r} is not a message: a message is (info), (start ...), (play ...) ..."
        )

    def _alive(self) -> dict[str, Match]:
        """Return the matches whose hosts have sent a message in time. The caller must hold the lock."""
        now = time.monotonic()
        self.matches = {key: each for key, each in self.matches.items() if now < each.heard}
        return self.matches

    def _take(self, key: str) -> Match | None:
        with self._lock:
            return self.matches.pop(key, None)

    def _start(self, key: str, role: str, text: str, start: float, clock: float, sent: str) -> str:
        match = Match(role, clock, spellings(sent), text, time.monotonic() + start + clock + FORGOTTEN)
        with self._lock:
            if key in self._alive() or len(self.matches) >= MATCHES:
                return "busy"
            self.matches[key] = match
        failed: list[str] = []

        def prepare() -> None:
            try:
                match.prepare(self.registry, self.player)
            except Exception as error:
                failed.append(" ".join(str(error).split()))

        thread = threading.Thread(target=prepare, daemon=True)
        thread.start()
        thread.join(usable(start))
        name = short(escaped(key))
        if failed:
            self._take(key)
            self.tell(f"match {name} is refused: {short(escaped(failed[0]), 300)}")
            return "busy"
        self.tell(f"match {name} has begun: {self.player} plays {short(escaped(role))}, {clock:g} s a move")
        return "ready"

    def _play(self, key: str, moves: Term) -> str:
        with self._lock:
            match = self._alive().get(key)
        if match is None:
            return "busy"
        with match.lock:
            match.heard = time.monotonic() + 2 * match.clock + FORGOTTEN
            match.advance(moves)
            return spelled(match.move(self.tell), match.spellings)


def _clock(word: Term) -> float:
    try:
        seconds = float(format_term(word))
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= LONGEST_CLOCK:
        raise GGPError(f"a clock is a number of seconds; got {short(format_term(word))!r}")
    return seconds


class Handler(http.server.BaseHTTPRequestHandler):
    """Reads messages of hosts: a message is the body of a POST, or the path of a GET."""

    server: "Server"
    timeout = FORGOTTEN

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > 9 or int(length) > LARGEST:
            self._send(413, f"a message must have a Content-Length of at most {LARGEST}")
        else:
            self._answer(self.rfile.read(int(length)).decode(errors="replace"))

    def do_GET(self) -> None:
        self._answer(urllib.parse.unquote_plus(self.path.removeprefix("/"), errors="replace"))

    def _answer(self, text: str) -> None:
        try:
            self._send(200, self.server.player.answer(text))
        except (GGPError, RecursionError) as error:
            self._send(400, " ".join(str(error).split()))
        except OSError:
            raise
        except Exception as error:
            self.server.player.tell(f"a message has failed: {type(error).__name__}: {short(escaped(str(error)), 200)}")
            self._send(500, "the message could not be answered")

    def _send(self, status: int, text: str) -> None:
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", CONTENT)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Write no log, since `Player.tell` tells the user what happens."""


class Server(http.server.ThreadingHTTPServer):
    """Return the server of the player at an address.

    Raises:
        GGPError: the address cannot be used.
    """

    def __init__(self, host: str, port: int, player: Player) -> None:
        self.player = player
        try:
            super().__init__((host, port), Handler)
        except (OSError, OverflowError) as error:
            raise GGPError(
                f"no player can be served at {host}:{port}: {reason(error)}; --port 0 chooses a free one"
            ) from None

    def handle_error(self, request: object, client_address: object) -> None:
        """Print no traceback, since a host may close its connection at any time."""
