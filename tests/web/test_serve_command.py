"""`ggp serve`: where it listens, whom it answers, and how it ends."""

import builtins
import contextlib
import functools
import os
import pathlib
import re
import signal
import socket
import threading

import httpx
import pytest
from ggp_gdl.library import find
from visiting import Here
from waiting import alive, wait_until

import ggp
from ggp.cli import main
from ggp.web.server import listen, names, url
from ggp.web.site import create_app

WAIT = 120
"""Seconds; a server that has just begun has to import everything, on a busy machine."""

FAULTY = str(pathlib.Path(__file__).with_name("faulty_plugin.py"))

get = functools.partial(httpx.get, timeout=WAIT)


def test_ctrl_c_ends_it_with_a_word(serve):
    with serve("serve", "--port", "0") as (address, process):
        assert get(address).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "Ended.\n"
        assert process.wait() == 0


def test_a_game_that_is_named_is_on_the_page(serve, tmp_path):
    file = tmp_path / "my pawns.kif"
    file.write_text(find("gdl:hexapawn").read_text())
    with serve("serve", str(file), "--port", "0") as (address, _):
        found = re.search('href="(/new/gdl[^"]*)"', get(address).text)
        assert found
        page = get(httpx.URL(address).join(found[1].replace("/new/", "/play/"))).text
        assert "My pawns: white to move" in page
        assert "a1: white disc" in page
        assert get(f"{address}play/gdl%3A{find('gdl:nim')}").status_code == 404  # nobody named it


def test_a_game_that_is_not_there_is_reported(capsys):
    assert main(["serve", "nothere", "--port", "0"]) == 2
    assert "there is no game 'nothere'" in capsys.readouterr().err


def test_ctrl_c_does_not_wait_for_an_analysis(serve):
    with serve("serve", "--port", "0") as (address, process):
        with httpx.stream("GET", f"{address}analysis/kalah?houses=6", timeout=WAIT) as answer:
            lines = answer.iter_lines()
            assert "event: begun" in lines  # at once, or after saying that it waits
            process.send_signal(signal.SIGINT)
            assert list(lines)
        assert process.wait(WAIT) == 0


def test_a_port_in_use_is_one_sentence(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    words = f"ggp: port {port} is in use: take another with --port, or --port 0 for any that is free\n"
    assert capsys.readouterr().err == words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "70000"], "got 70000"),
        (["--port", "http"], "got 'http'"),
        (["--host", "192.0.2.1"], "192.0.2.1 is not an address of this machine"),
        (["--host", "no host"], "no host is not an address of this machine"),
    ],
)
def test_an_address_that_cannot_be_listened_on_is_reported(capsys, arguments, words):
    assert main(["serve", "--port", "0", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_without_its_extra_it_says_which_to_install(capsys, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("ggp.web"):
            raise ModuleNotFoundError("No module named 'starlette'", name="starlette")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == "ggp: the page needs an extra: pip install 'ggp[web]'\n"


@pytest.mark.parametrize(
    ("host", "called", "address"),
    [
        ("127.0.0.1", ("localhost", "127.0.0.1", "[::1]"), "http://127.0.0.1:80/"),
        ("localhost", ("localhost", "127.0.0.1", "[::1]"), "http://localhost:80/"),
        ("127.0.0.2", ("localhost", "127.0.0.1", "[::1]", "127.0.0.2"), "http://127.0.0.2:80/"),
        ("::1", ("localhost", "127.0.0.1", "[::1]"), "http://[::1]:80/"),
        ("0.0.0.0", None, "http://0.0.0.0:80/"),  # noqa: S104
        ("play.example.org", None, "http://play.example.org:80/"),
    ],
)
def test_on_loopback_it_answers_by_the_names_of_loopback_only(host, called, address):
    assert (names(host), url(host, 80)) == (called, address)


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1:8000", 200), ("LOCALHOST", 200), ("[::1]:1", 200), ("", 421),
                                              ("evil.example", 421), ("127.0.0.1.evil.example:8000", 421)])  # fmt: skip
def test_requests_for_another_host_are_refused(visitor, host, status):
    guarded = type(visitor)(create_app(Here(ggp.load_registry()), names("127.0.0.1")))
    answer = guarded.get("/new/nim", headers={"Host": host})
    guarded.close()
    assert answer.status_code == status
    assert status == 200 or answer.text.startswith(
        "This server is available only as localhost, 127.0.0.1, [::1]: the request was for"
    )


def test_any_free_port_is_listened_on():
    with listen("127.0.0.1", 0) as listening:
        assert listening.getsockname()[1] > 0


def test_an_analysis_streams_as_it_deepens_and_ends(server):
    with httpx.stream("GET", f"{server}/analysis/kalah?houses=3&seeds=2", timeout=WAIT) as answer:
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        kinds = [line.removeprefix("event: ") for line in answer.iter_lines() if line.startswith("event: ")]
    kinds = [kind for kind in kinds if kind != "waiting"]
    assert (kinds[0], kinds[-1]) == ("begun", "ended")


def test_a_visitor_who_leaves_stops_the_search(serve):
    """The places of one visitor are few: that they are free again shows that the searches have ended."""
    with serve("serve", "--port", "0") as (address, _):
        for _ in range(6):
            with httpx.stream("GET", f"{address}analysis/kalah?seeds=7", timeout=WAIT) as answer:
                assert answer.status_code in (200, 429)
                next(answer.iter_lines())
        wait_until(lambda: get(f"{address}new/nim").status_code == 200)

        def free():
            with httpx.stream("GET", f"{address}analysis/nim", timeout=WAIT) as answer:
                return answer.status_code == 200

        wait_until(free)


@pytest.mark.slow
def test_more_analyses_than_a_visitor_may_have_are_refused_in_words(serve):
    with serve("serve", "--port", "0") as (address, _), contextlib.ExitStack() as open_ones:
        lines = []  # an answer is open for as long as somebody reads it
        for _ in range(4):
            answer = open_ones.enter_context(httpx.stream("GET", f"{address}analysis/kalah?seeds=7", timeout=WAIT))
            assert answer.status_code == 200
            lines.append(answer.iter_lines())
            next(lines[-1])
        refused = get(f"{address}analysis/kalah?seeds=7")
        assert refused.status_code == 429
        assert "you have 4 analyses under way" in refused.text.lower()


def processes_of(pid):
    """The processes that a process has begun, and those that these have begun."""
    children = []
    with contextlib.suppress(OSError):  # it has ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                children += map(int, pathlib.Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return [*children, *(each for child in children for each in processes_of(child))]


@pytest.mark.skipif(not pathlib.Path("/proc/self/task").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    "how", [signal.SIGKILL, *(pytest.param(each, marks=pytest.mark.slow) for each in (signal.SIGTERM, signal.SIGINT))]
)
def test_no_process_outlives_the_server(serve, how):
    with serve("--plugin", FAULTY, "serve", "--port", "0") as (address, process), contextlib.ExitStack() as held:
        assert "<svg" in get(f"{address}play/faulty?fault=none&moves=1,2").text
        asking = threading.Thread(target=ask_in_vain, args=(f"{address}play/faulty?fault=endless&moves=1,2",))
        asking.start()
        answer = held.enter_context(httpx.stream("GET", f"{address}analysis/kalah?seeds=7", timeout=WAIT))
        next(answer.iter_lines())
        wait_until(lambda: len(processes_of(process.pid)) >= 4)  # one forks, two work, one is multiprocessing's own
        begun = processes_of(process.pid)
        process.send_signal(how)
        process.wait(WAIT)
        wait_until(lambda: not any(map(alive, begun)))
        asking.join()


def ask_in_vain(url):
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")  # somebody else, for whose page nobody has to wait
    with contextlib.suppress(httpx.HTTPError), httpx.Client(transport=elsewhere, timeout=WAIT) as client:
        client.get(url)
