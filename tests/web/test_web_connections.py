"""Connections are closed when a request does not come or an answer is not read, and there are only so many."""

import contextlib
import functools
import socket
import threading

import httpx
import pytest
import uvicorn
from waiting import wait_until

from ggp.web import connections


async def answering(scope, receive, send):
    """Answers with the body that was sent, or with much, or with who asks."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    if scope["path"] == "/much":
        body, connections.ANSWER = bytes(50_000_000), 0.1  # from now on: the request may have taken long
    if scope["path"] == "/who":
        body = scope["client"][0].encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


@contextlib.contextmanager
def listening(proxies=None):
    """A server in a thread, and its port."""
    server = uvicorn.Server(connections.config(answering, proxies, timeout_keep_alive=30))
    server.install_signal_handlers = lambda: None
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        wait_until(lambda: server.started)
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def port():
    with listening() as port:
        yield port


def to_the_end(connection):
    """All that is sent until the connection is closed."""
    connection.settimeout(120)
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(1 << 16):
            found += piece
    return found


def send(connection, data):
    """Send what a server may have refused to wait for."""
    with contextlib.suppress(ConnectionError):
        connection.sendall(data)


get = functools.partial(httpx.get, timeout=120)
GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"


@pytest.mark.parametrize(
    "begun", [b"", GET, POST, POST + b"ab"], ids=["nothing", "half a head", "no body", "half a body"]
)
def test_a_request_that_does_not_come_is_not_waited_for(monkeypatch, port, begun):
    monkeypatch.setattr(connections, "REQUEST", 0.1)
    with socket.create_connection(("127.0.0.1", port)) as connection:
        send(connection, begun)
        assert to_the_end(connection) == b""


def test_a_second_request_that_does_not_come_is_not_waited_for(monkeypatch, port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(GET + b"\r\n")
        assert connection.recv(4, socket.MSG_WAITALL) == b"HTTP"
        monkeypatch.setattr(connections, "REQUEST", 0.1)
        send(connection, GET)
        assert b"HTTP" not in to_the_end(connection)


def test_a_body_has_as_long_again_as_the_head_and_no_longer(monkeypatch, port):
    monkeypatch.setattr(connections, "REQUEST", 0.5)
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for part in (POST, b"a", b"b", b"c"):
            send(connection, part)
        assert to_the_end(connection) == b""


def test_an_answer_that_nobody_reads_is_not_sent_for_ever(monkeypatch, port):
    lost, closed = connections.Connection.connection_lost, threading.Event()
    monkeypatch.setattr(connections.Connection, "connection_lost", lambda *given: (lost(*given), closed.set()))
    monkeypatch.setattr(connections, "ANSWER", 120)
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n")
        assert closed.wait(120)
        assert 0 < len(to_the_end(connection)) < 50_000_000


def test_requests_that_come_at_once_are_answered_one_by_one(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        last = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        connection.sendall((GET + b"\r\n") * 3 + POST + b"body" + last)
        found = to_the_end(connection)
    assert found.count(b"HTTP/1.1 200 OK") == 5
    assert b"body" in found


def test_there_are_only_so_many_connections(monkeypatch, port):
    monkeypatch.setattr(connections, "ALL", 3)
    with contextlib.ExitStack() as held:
        for _ in range(3):
            begun = held.enter_context(socket.create_connection(("127.0.0.1", port)))
            begun.sendall(POST.replace(b"Host", b"Expect: 100-continue\r\nHost"))
            assert begun.recv(100).startswith(b"HTTP/1.1 100 ")
        refused = to_the_end(held.enter_context(socket.create_connection(("127.0.0.1", port)))).decode()
        assert refused.startswith("HTTP/1.1 503 ")
        assert "Retry-After: 5\r\n" in refused
        assert refused.endswith("\r\n\r\nFull house: 3 connections are open; try again in a moment.\n")
    wait_until(lambda: get(f"http://127.0.0.1:{port}/").status_code == 200)


def test_connections_without_a_request_make_room_the_oldest_first(monkeypatch, port):
    monkeypatch.setattr(connections, "ALL", 2)
    with contextlib.ExitStack() as held:
        first, second = (held.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(2))
        first.sendall(GET)
        second.sendall(GET)
        assert get(f"http://127.0.0.1:{port}/").status_code == 200
        assert to_the_end(first) == b""
        second.sendall(b"\r\n")
        assert second.recv(12) == b"HTTP/1.1 200"


def test_who_is_asked_for_is_believed_of_named_proxies_only():
    headers = {"X-Forwarded-For": "192.0.2.9"}
    for proxies, who in ((None, "127.0.0.1"), ("192.0.2.1", "127.0.0.1"), ("127.0.0.1", "192.0.2.9")):
        with listening(proxies) as port:
            assert get(f"http://127.0.0.1:{port}/who", headers=headers).text == who
