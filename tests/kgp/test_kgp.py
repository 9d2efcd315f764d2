"""The client of the Kalah Game Protocol, with a server that plays whole games and misbehaves."""

import contextlib
import random
import re
import socket
import threading

import ggp_kgp.client
import pytest
from ggp_kgp.client import connected, play

import ggp
from ggp.errors import GGPError, UsageError

REGISTRY = ggp.load_registry()


class Server:
    """A server for one client over TCP: `script` gets functions that send and read lines."""

    def __init__(self, script):
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self.errors = []
        self._thread = threading.Thread(target=self._serve, args=(script,), daemon=True)
        self._thread.start()

    def _serve(self, script):
        connection, _ = self._listening.accept()
        connection.settimeout(120)
        file = connection.makefile("rw", encoding="utf-8", newline="\r\n")

        def send(line):
            file.write(line + "\r\n")
            file.flush()

        try:
            script(send, lambda: file.readline().strip())
        except Exception as error:
            self.errors.append(error)
        finally:
            with contextlib.suppress(OSError):
                file.close()
            connection.close()

    def end(self):
        self._thread.join(120)
        self._listening.close()
        assert self.errors == []


def greeted(send, read, version="1 0 1"):
    send(f"kgp {version}")
    said = []
    while not said or said[-1] != "mode freeplay":
        said.append(read())
    return said


def whole_game(houses, seeds, dice, numbers):
    """Play a game as a server does: the client is South in every board; the other moves at random."""

    def script(send, read):
        assert any("set info:name" in line for line in greeted(send, read))
        for client in (ggp.MAX, ggp.MIN):
            game = REGISTRY.game("kalah", houses=houses, seeds=seeds)
            state = game.initial_state()
            while not game.terminal_test(state):
                if game.to_move(state) != client:
                    state = game.result(state, dice.choice(list(game.actions(state))))
                    continue
                number = next(numbers)
                send("set time:mode relative")
                send(f"{number} state {seen_by(game, state)}")
                move = None
                while True:
                    found = re.fullmatch(rf"(?:\d+)?@{number} (move (\d+)|yield)", read())
                    assert found
                    if found[1] == "yield":
                        break
                    move = int(found[2]) - 1
                assert move in list(game.actions(state))
                send(f"{next(numbers)}@{number} stop")
                state = game.result(state, move)
        send("goodbye")

    return script


def seen_by(game, state):
    """Return the board with the mover as South."""
    text, mover = game.format_state(state).rsplit(" ", 1)
    if mover == "S":
        return text
    size, south, north, *pits = text.strip("<>").split(",")
    return f"<{','.join([size, north, south, *pits[int(size) :], *pits[: int(size)]])}>"


@pytest.mark.parametrize(
    ("houses", "seeds", "player"),
    [(6, 4, "easy"), (3, 2, "medium"), pytest.param(8, 8, "medium", marks=pytest.mark.slow)],
)
def test_whole_games_are_played_by_the_rules(houses, seeds, player):
    server = Server(whole_game(houses, seeds, random.Random(houses), iter(range(2, 10_000, 2))))
    assert play(REGISTRY, server.address, player, print) > 5
    server.end()


def test_a_ping_is_answered_and_a_search_is_stopped_with_the_move_so_far():
    def script(send, read):
        greeted(send, read, "1 1 0")
        send("8 ping")
        assert read() == "@8 pong"
        send("10 state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>")
        assert re.fullmatch(r"@10 move [1-8]", read())
        send("12@10 stop")
        send("14 set time:clock 60")
        send("goodbye")

    server = Server(script)
    assert play(REGISTRY, server.address, "alphabeta:seconds=1000,speed=interpreted", print) <= 1
    server.end()


def test_what_a_server_sends_wrongly_is_ignored_or_told():
    told = []

    def script(send, read):
        greeted(send, read)
        for line in [
            "",
            "\x00",
            "state",
            "4 state <3,1>",
            "state <x>",
            "99@7 stop",
            'error "bad \x1b[31m"',
            "5 nonsense <1> 3",
        ]:
            send(line)
        send("6 state <3,0,0,2,2,2,2,2,2>")
        while read() != "@6 yield":
            pass

    server = Server(script)
    assert play(REGISTRY, server.address, "easy", told.append) == 1
    server.end()
    assert any("no answer to <3,1>: it is not a board of Kalah" in each for each in told)
    assert not any("\x1b" in each for each in told)


WRONG = {
    "kgp 2 0 0": "the server speaks version 2.0.0 of the protocol, and ggp speaks version 1",
    "HTTP/1.1 400 Bad Request": "the server has ended the connection without a greeting",
    "hello": "the server does not speak the Kalah Game Protocol: 'hello'",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_server_of_another_kind_is_refused(line):
    server = Server(lambda send, read: send(line))
    with pytest.raises(GGPError, match=WRONG[line]):
        play(REGISTRY, server.address, "easy", print)
    server.end()


def test_a_server_that_says_nothing_is_left(monkeypatch):
    monkeypatch.setattr(ggp_kgp.client, "PATIENCE", 0.05)
    server = Server(lambda send, read: read())
    with pytest.raises(GGPError, match=r"the server has sent no greeting within 0\.05 s"):
        play(REGISTRY, server.address, "easy", print)
    server.end()


def test_wrong_addresses_are_refused():
    with pytest.raises(UsageError, match="'http://x' is not a server: write HOST:PORT, or ws://HOST:PORT"):
        connected("http://x")
    with pytest.raises(GGPError, match=r"there is no server at 127\.0\.0\.1:1: connection refused"):
        connected("127.0.0.1:1")


def test_the_same_over_websocket():
    from websockets.sync.server import serve

    numbers, failures = iter(range(2, 10_000, 2)), []

    def handler(connection):
        lines = iter(connection)
        try:
            whole_game(4, 3, random.Random(1), numbers)(connection.send, lambda: next(lines).strip())
        except Exception as error:
            failures.append(error)

    with serve(handler, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        port = server.socket.getsockname()[1]
        assert play(REGISTRY, f"ws://127.0.0.1:{port}", "easy", print) > 3
        server.shutdown()
        thread.join(120)
    assert failures == []
