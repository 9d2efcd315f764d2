"""A client of the Kalah Game Protocol, in the mode `freeplay`, over TCP or WebSocket.

The server sends boards, always from the side to move, and may stop a search at any time. Several searches may run at
the same time.

Source: P. Kaludercic and T. Völk, Kalah Game Protocol, versions 1.0 and 1.1.
"""

import contextlib
import importlib.metadata
import re
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import attrs

from ggp import capabilities
from ggp.errors import GGPError, UsageError
from ggp.escapes import escaped, short
from ggp.files import reason
from ggp.play import Clock, make_player
from ggp.play.clock import UNTIMED
from ggp.play.players import Machine
from ggp.plugins import Registry
from ggp.searcher import SearchResult, stop_when

LONGEST = 16_384
"""Maximum number of characters of a command; longer commands are ignored."""
PORT = 2671
"""The port of a server, if the user names none."""
PATIENCE = 30.0
"""Maximum wait, in seconds, for a server to accept the connection, and again for its greeting."""
AT_ONCE = 8
"""Maximum number of searches at the same time. If the server sends more boards, ggp does not answer them, and the
server moves at random.
"""
HOUSES = 12
"""Maximum number of houses a side; ggp does not play on larger boards."""
COMMAND = re.compile(r'\s*(\d+)?(?:@(\d+))?\s*([A-Za-z0-9]+)((?:\s+(?:"(?:\\.|[^"\\])*"|[^\s"]+))*)\s*')
ARGUMENT = re.compile(r'"((?:\\.|[^"\\])*)"|([^\s"]+)')


class Channel(Protocol):
    """A connection that carries lines."""

    def send(self, line: str) -> None:
        """Send a line."""

    def lines(self) -> Iterator[str]:
        """Yield the lines that arrive, until the connection ends."""

    def close(self) -> None:
        """End the connection."""


class TCP:
    """Lines over TCP."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port), PATIENCE)
        self._socket.settimeout(None)

    def send(self, line: str) -> None:
        """See `Channel`."""
        self._socket.sendall(f"{line}\r\n".encode())

    def lines(self) -> Iterator[str]:
        """See `Channel`."""
        with self._socket.makefile("r", encoding="utf-8", errors="replace", newline="\n") as file:
            while line := file.readline(LONGEST):
                yield line

    def close(self) -> None:
        """See `Channel`."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class WebSocket:
    """A connection over WebSocket: a message has one or more lines."""

    def __init__(self, address: str) -> None:
        try:
            from websockets.sync.client import connect
        except ImportError:
            raise UsageError("a server at ws:// needs an extra: pip install 'ggp[kgp]'") from None
        self._stack = contextlib.ExitStack()
        self._connection = self._stack.enter_context(connect(address, open_timeout=PATIENCE, max_size=LONGEST * 4))

    def send(self, line: str) -> None:
        """See `Channel`."""
        self._connection.send(f"{line}\r\n")

    def lines(self) -> Iterator[str]:
        """See `Channel`."""
        for message in self._connection:
            text = message.decode(errors="replace") if isinstance(message, bytes) else message
            yield from text.splitlines()

    def close(self) -> None:
        """See `Channel`."""
        self._stack.close()


def connected(server: str) -> Channel:
    """Return a connection to a server: HOST, HOST:PORT, kgp://HOST:PORT, ws://... or wss://...

    Raises:
        UsageError: the address has none of these forms.
        GGPError: the server does not answer.
    """
    address = urllib.parse.urlsplit(server if "://" in server else f"kgp://{server}")
    try:
        host, port = address.hostname, address.port
    except ValueError:
        host, port = None, None
    if address.scheme not in ("kgp", "tcp", "ws", "wss") or not host:
        raise UsageError(f"{short(server)!r} is not a server: write HOST:PORT, or ws://HOST:PORT for WebSocket")
    try:
        return WebSocket(server) if address.scheme.startswith("ws") else TCP(host, port or PORT)
    except GGPError:
        raise
    except Exception as error:  # of the network, or of the library
        raise GGPError(f"there is no server at {short(server)}: {short(reason(error))}") from None


@attrs.define(eq=False)
class Client:
    """A session with a server.

    Arguments:
        player: a level or a searcher, as written on the command line.
        tell: called with a sentence that tells the user what happens.
    """

    registry: Registry
    player: str
    channel: Channel
    tell: Callable[[str], object]
    token: str = ""
    """The secret that identifies the client to the server; "" if there is none."""
    answered: int = attrs.field(default=0, init=False)
    """Boards that were answered."""
    _clock: Clock = attrs.field(default=UNTIMED, init=False)
    _searches: dict[str, threading.Event] = attrs.field(factory=dict, init=False)
    _sending: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def serve(self) -> None:
        """Answer the server until it says goodbye, or ends the connection.

        Raises:
            GGPError: the server speaks another protocol or version.
        """
        greeted, late = False, threading.Event()

        def give_up() -> None:
            late.set()
            self.channel.close()

        timer = threading.Timer(PATIENCE, give_up)
        timer.daemon = True
        timer.start()
        try:
            for line in self.channel.lines():
                matched = COMMAND.fullmatch(line)
                if matched is None:
                    continue  # the protocol says to ignore what is not understood
                number, reference, name, rest = matched.groups()
                arguments = [text or word for text, word in ARGUMENT.findall(rest or "")]
                if name == "kgp":
                    greeted = self._greet(arguments)
                    timer.cancel()
                elif not greeted:
                    raise GGPError(
                        f"the server does not speak the Kalah Game Protocol: {short(escaped(line.strip()))!r}"
                    )
                elif name == "goodbye":
                    break
                else:
                    self._obey(name, number or "", reference or "", arguments)
        except (OSError, EOFError) as error:
            if not late.is_set():
                raise GGPError(f"the connection has failed: {short(reason(error))}") from None
        finally:
            timer.cancel()
            for stop in [*self._searches.values()]:
                stop.set()
        if late.is_set():
            raise GGPError(f"the server has sent no greeting within {PATIENCE:g} s")
        if not greeted:
            raise GGPError("the server has ended the connection without a greeting")

    def _greet(self, arguments: list[str]) -> bool:
        if arguments[:1] != ["1"]:
            version = short(".".join(arguments))
            raise GGPError(f"the server speaks version {version} of the protocol, and ggp speaks version 1")
        self._send(f'set info:name "ggp {importlib.metadata.version("ggp")} {self.player}"')
        if self.token:
            self._send(f'set auth:token "{self.token}"')
        self._send("mode freeplay")
        return True

    def _send(self, line: str) -> None:
        with self._sending, contextlib.suppress(OSError, EOFError):
            self.channel.send(line)

    def _obey(self, name: str, number: str, reference: str, arguments: list[str]) -> None:
        match name, arguments:
            case "ping", _:
                self._send(f"@{number} pong" if number else "pong")
            case "state", [board, *_]:
                self._begin(number, board)
            case "stop", _:
                for key in [reference] if reference else [*self._searches]:
                    if key in self._searches:
                        self._searches[key].set()
            case "set", ["time:clock", seconds, *_] if seconds.lstrip("+").isdecimal():
                self._clock = Clock(left=max(float(seconds), 0.1))
            case "set", ["time:mode", "none", *_]:
                self._clock = UNTIMED
            case "set", ["game:opponent", opponent, *_] if opponent:
                self.tell(f"playing against {escaped(short(opponent))}")
            case "error", _:
                self.tell(f"the server reports an error: {escaped(short(' '.join(arguments), 200))}")

    def _begin(self, number: str, board: str) -> None:
        if len(self._searches) >= AT_ONCE:
            return
        stop = threading.Event()
        self._searches[number] = stop
        threading.Thread(target=self._search, args=(number, board, stop), daemon=True).start()

    def _search(self, number: str, board: str, stop: threading.Event) -> None:
        """Search a board, send each better move that is found, and send the command `yield` at the end."""
        prefix = f"@{number} " if number else ""
        sent: list[int] = []

        def report(result: SearchResult) -> None:
            if isinstance(result.action, int) and not stop.is_set() and sent[-1:] != [result.action]:
                sent.append(result.action)
                self._send(f"{prefix}move {result.action + 1}")

        try:
            game, state = self._position(board)
            player = make_player(self.registry, self.player, game)
            if not isinstance(player, Machine):
                raise UsageError(f"{self.player} cannot play here: name a level or a searcher")
            with stop_when(stop.is_set):
                report(player.think(game, state, self._clock, report))
            self.answered += 1
        except KeyboardInterrupt:  # stopped before anything was found
            pass
        except Exception as error:
            self.tell(f"no answer to {escaped(short(board))}: {short(' '.join(str(error).split()), 200)}")
        finally:
            self._searches.pop(number, None)
        if not stop.is_set():
            self._send(f"{prefix}yield")

    def _position(self, board: str) -> tuple[Any, Any]:
        """Return the game and the state of a board, in which South is to move."""
        numbers = board.strip("<>").split(",")
        houses = int(numbers[0]) if numbers[0].isdecimal() else 0
        if not 1 <= houses <= HOUSES or len(numbers) != 3 + 2 * houses or not all(map(str.isdecimal, numbers)):
            raise GGPError("it is not a board of Kalah")
        seeds = max(1, sum(map(int, numbers[1:])) // (2 * houses))
        game = self.registry.game("kalah", houses=houses, seeds=seeds)
        return game, capabilities.notation(game).parse_state(f"{board} S")


def play(registry: Registry, server: str, player: str, tell: Callable[[str], object], token: str = "") -> int:
    """Play on a server until it ends the session; return the number of boards that were answered.

    Raises:
        GGPError: there is no server, or it does not speak the protocol.
    """
    make_player(registry, player, registry.game("kalah"))
    channel = connected(server)
    client = Client(registry, player, channel, tell, token)
    try:
        client.serve()
        time.sleep(0)  # searches that were stopped end by themselves
    finally:
        channel.close()
    return client.answered
