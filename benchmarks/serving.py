"""Attacks on `ggp serve`, and their effects.

    python -m benchmarks.serving fuzz --requests 20000 --cores 8
    python -m benchmarks.serving wedge | starve | tables | hold | kills

A server is started for each attack, with a cold cache of object code. The exit status is 1 if a figure exceeds its
maximum.
"""

import argparse
import asyncio
import collections
import contextlib
import itertools
import os
import pathlib
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from urllib.parse import quote, urlencode

import attrs
import click
import httpx

import ggp
from ggp.options import Option
from ggp.plugin_entries import Entry

LONGEST = 75.0
"""Maximum seconds for an answer (a page, a turn, or a complete analysis); this includes the time for compiling.
"""
MEMORY = 600
"""Maximum memory of the server and its processes together, in megabytes."""
CLIENTS = 12
"""Number of simultaneous requests in the fuzz test."""


@attrs.frozen
class Served:
    """A server that runs."""

    process: "subprocess.Popen[str]"
    url: str
    log: pathlib.Path

    def processes(self) -> list[int]:
        """Return the numbers of the server's processes."""
        return [self.process.pid, *_descendants(self.process.pid)]

    def megabytes(self) -> tuple[float, float]:
        """Return the memory of all the server's processes: first with each shared page counted once, then with shared
        pages counted for every process.
        """
        shared, resident = 0, 0
        for pid in self.processes():
            with contextlib.suppress(OSError):
                text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
                shared += int(re.findall(r"^Pss: +(\d+)", text, re.MULTILINE)[0])
                resident += int(re.findall(r"^Rss: +(\d+)", text, re.MULTILINE)[0])
        return shared / 1024, resident / 1024


def _descendants(pid: int) -> list[int]:
    pids: list[int] = []
    with contextlib.suppress(OSError):
        for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, path.read_text(encoding="ascii").split()):
                pids += [child, *_descendants(child)]
    return pids


def alive(pid: int) -> bool:
    """Return whether a process runs."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextlib.contextmanager
def serving(cores: int, cache: str) -> Iterator[Served]:
    """Run a server that takes `cores` for its number of processors; at the end, check that all its processes have
    ended.
    """
    program = f"import os; os.cpu_count = lambda: {cores}; from ggp.cli import main; main(['serve', '--port', '0'])"
    log = pathlib.Path(cache) / "log"
    command = [sys.executable, "-u", "-c", program]
    with log.open("w") as errors:
        process = subprocess.Popen(  # noqa: S603 - our own program
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ | {"GGP_CACHE_DIR": cache}
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    served = Served(process, line.split()[2].rstrip("/"), log)
    begun: list[int] = []
    try:
        yield served
        begun = served.processes()
    finally:
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(15)
        process.kill()
    check("processes left behind", left_of(begun), most=0)


def left_of(pids: Iterable[int]) -> int:
    """Return how many of the processes still run five seconds after this call."""
    end = time.monotonic() + 5
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    for pid in filter(alive, pids):
        with contextlib.suppress(OSError):
            command = pathlib.Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
            click.echo(f"left: {command.replace(chr(0), ' ')[:200]}")
    return sum(map(alive, pids))


failures: list[str] = []


def check(what: str, figure: float, *, most: float, unit: str = "") -> None:
    """Print a figure, and whether it exceeds its maximum."""
    verdict = "" if figure <= most else "   NOT MET"
    click.echo(f"{what}: {figure:,.6g}{unit} (at most {most:,g}{unit}){verdict}")
    if verdict:
        failures.append(what)


# ---- the fuzz


def value(option: Option, dice: random.Random) -> str:
    """Return a random text as the value of a parameter: mostly a small value, sometimes one that is not accepted."""
    junk = ["", "-1", "0", "1000", "99999999999999999999", "nan", "none", "yes", "1,2,3", "x" * 300, "\x00", "../.."]
    if dice.random() < 0.1:
        return dice.choice(junk)
    if option.choices:
        return str(dice.choice(option.choices))
    if isinstance(option.default, bool):
        return dice.choice(["yes", "no"])
    if isinstance(option.default, tuple):
        return ",".join(str(dice.randint(0, 6)) for _ in range(dice.randint(1, 4)))
    return str(dice.randint(0, 8))


PLAYERS = (
    "human", "human", "easy", "medium", "hard", "random", "alphabeta:depth=3", "minimax:depth=2", "negascout:seconds=1",
    "mtdf:depth=3", "scout:depth=2", "expectiminimax:depth=2", "star2:depth=2", "mcts:nodes=200", "alphabeta:depth=99",
    "alphabeta:table=1e9", "replay:/etc/passwd", "easy:nodes=5", ":", "\x1b[31m",
)  # fmt: skip


def request(registry: ggp.Registry, dice: random.Random, searching: float) -> tuple[str, str, bytes]:
    """Return a random request: method, address, body."""
    name = dice.choice(sorted(registry.games))
    entry: Entry = registry.games[name]
    pairs = [(option.name, value(option, dice)) for option in entry.options if dice.random() < 0.4]
    search = dice.random() < searching
    if search:
        pairs.append(("first", dice.choice(PLAYERS)))
        pairs.append(("second", dice.choice(PLAYERS)))
        if dice.random() < 0.5:
            pairs.append(("show", dice.choice(["analysis", "curve", "tree", "analysis,curve,tree"])))
        if dice.random() < 0.3:
            pairs.append(("ask", dice.choice(["hint", "move"])))
        page = dice.choice(["play", "play", "play", "analysis", "compare", "trees"])
    else:
        page = dice.choice(
            ["play"] * 5 + ["new", "start", "record.json", "record.txt", "record.x", "nowhere", "static"]
        )
    if dice.random() < 0.5:
        pairs.append(("moves", ",".join(moves(registry, entry, dice))))
    if dice.random() < 0.05:
        pairs.append(
            (dice.choice(["at", "branch", "position", "show", "ask", "zzz"]), dice.choice(["3", "a,b", "?" * 99]))
        )
    if dice.random() < 0.02:
        return "POST", "/load", bytes(dice.randrange(256) for _ in range(dice.randrange(400)))
    return "GET", f"/{page}/{quote(name)}?{urlencode(pairs)}", b""


def moves(registry: ggp.Registry, entry: Entry, dice: random.Random) -> list[str]:
    """Return a few random moves, played from the start of a game with its default parameters."""
    game = registry.game(entry.name)
    state, played = game.initial_state(), []
    for _ in range(dice.randint(0, 6)):
        if game.terminal_test(state):
            break
        action = dice.choice(list(ggp.capabilities.legal_actions(game, state)))
        played.append(ggp.capabilities.notation(game).format_action(state, action))
        state = game.result(state, action)
    return played


async def fuzz(served: Served, options: argparse.Namespace) -> None:
    """Send random requests, and check that the server still serves."""
    registry, dice = ggp.load_registry(), random.Random(options.seed)
    left = iter(range(options.requests))
    statuses: collections.Counter[int] = collections.Counter()
    wrong: list[str] = []
    slowest, peak, began = 0.0, 0.0, time.monotonic()

    async def visit(number: int) -> None:
        nonlocal slowest, peak
        transport = httpx.AsyncHTTPTransport(local_address=f"127.0.0.{2 + number % options.visitors}")
        async with httpx.AsyncClient(transport=transport, base_url=served.url, timeout=LONGEST) as client:
            for place in left:
                method, url, body = request(registry, dice, options.searching)
                begun = time.monotonic()
                try:
                    answer = await client.request(method, url, content=body or None)
                except httpx.HTTPError as error:
                    wrong.append(f"{type(error).__name__} {url}")
                    continue
                slowest = max(slowest, time.monotonic() - begun)
                statuses[answer.status_code] += 1
                if answer.status_code >= 500 and "full house" not in answer.text.lower():
                    wrong.append(f"{answer.status_code} {url}")
                if place % 1000 == 999:
                    shared, _ = served.megabytes()
                    peak = max(peak, shared)
                    spent = time.monotonic() - began
                    click.echo(f"  {place + 1:,} requests, {spent:.0f} s, {shared:.0f} MB, {dict(statuses)}")

    await asyncio.gather(*(visit(number) for number in range(CLIENTS)))
    click.echo(f"{options.requests:,} requests in {time.monotonic() - began:.0f} s: {dict(sorted(statuses.items()))}")
    click.echo("\n".join(wrong[:20]))
    check("answers that are wrong, and do not say that the server is full", len(wrong), most=0)
    check("slowest answer", slowest, most=LONGEST, unit=" s")
    await alright(served)


async def alright(served: Served) -> None:
    """Check that the server works for a new visitor after an attack."""
    transport = httpx.AsyncHTTPTransport(local_address="127.0.0.200")
    async with httpx.AsyncClient(transport=transport, base_url=served.url, timeout=LONGEST) as client:
        begun = time.monotonic()
        answer = await client.get("/play/kalah?south=human&north=easy&moves=A")
        check("HTTP status of a move by the level easy", answer.status_code, most=303)
        check("a move by the level easy", time.monotonic() - begun, most=1, unit=" s")
    shared, resident = served.megabytes()
    click.echo(f"processes: {len(served.processes())}, resident sizes added up: {resident:.0f} MB")
    check("memory", shared, most=MEMORY, unit=" MB")


# ---- the attacks of version 0.1


async def wedge(served: Served, options: argparse.Namespace) -> None:
    """Ask for fourteen variants that are not compiled, each twice, all at once: this stopped the server of ggp 0.1."""
    async with httpx.AsyncClient(base_url=served.url, timeout=LONGEST) as client:
        for _ in range(options.rounds):
            first = [f"/analysis/kalah?houses={number}&capture=none" for number in range(1, 5)]
            second = [f"/play/kalah?houses={number}&capture=empty&show=analysis" for number in range(1, 12)]
            for urls in (first, second):
                begun = time.monotonic()
                responses = await asyncio.gather(*(client.get(url) for url in urls))
                click.echo(f"{[answer.status_code for answer in responses]} in {time.monotonic() - begun:.1f} s")
    await alright(served)


async def starve(served: Served, options: argparse.Namespace) -> None:
    """Let one visitor ask for a hundred five-second searches and hold 200 streams, while another visitor plays on."""
    limits = httpx.Limits(max_connections=400)
    hog = httpx.AsyncClient(base_url=served.url, timeout=LONGEST, limits=limits)
    statuses: collections.Counter[str] = collections.Counter()
    over = asyncio.Event()

    async def search(number: int) -> None:
        while not over.is_set():
            with contextlib.suppress(httpx.HTTPError):
                answer = await hog.get(
                    f"/play/kalah?south=human&north=alphabeta:seconds=5&seeds={3 + number % 5}&moves=A"
                )
                statuses[f"search {answer.status_code}"] += 1
            await asyncio.sleep(2)

    async def stream(number: int) -> None:
        while not over.is_set():
            with contextlib.suppress(httpx.HTTPError):
                async with hog.stream("GET", f"/analysis/kalah?seeds={3 + number % 5}") as answer:
                    statuses[f"stream {answer.status_code}"] += 1
                    async for _ in answer.aiter_bytes():
                        if over.is_set():
                            break
            await asyncio.sleep(2)

    attack = [asyncio.create_task(search(number)) for number in range(100)]
    attack += [asyncio.create_task(stream(number)) for number in range(200)]
    await asyncio.sleep(3)
    times = []
    transport = httpx.AsyncHTTPTransport(local_address=options.other)
    async with httpx.AsyncClient(transport=transport, base_url=served.url, timeout=LONGEST) as other:
        for number in range(60):
            begun = time.monotonic()
            answer = await other.get(f"/play/kalah?south=human&north=medium&moves={'ABDEF'[number % 5]}")
            times.append(time.monotonic() - begun)
            if answer.status_code != 303:
                failures.append(f"status {answer.status_code}")
                click.echo(f"{answer.status_code} {answer.text[-600:]}")
            await asyncio.sleep(0.2)
    over.set()
    for task in attack:
        task.cancel()
    await asyncio.gather(*attack, return_exceptions=True)
    await hog.aclose()
    click.echo(f"the first visitor: {dict(sorted(statuses.items()))}")
    click.echo(f"the other's move: median {statistics.median(times):.3f} s, longest {max(times):.3f} s")
    check("the other's move, 95th percentile", sorted(times)[int(0.95 * len(times))], most=2, unit=" s")
    await alright(served)


HUNGRY = ("mcts:seconds=1", "mcts:nodes=3000", "alphabeta:seconds=1", "negascout:depth=4,table=64", "mtdf:depth=5")
"""Players that reserve much memory: trees and tables of different sizes."""


def trouble(answer: httpx.Response) -> str:
    """Return the reason that an error page gives."""
    return " ".join(re.findall(r'role="alert">(.*?)</p>', answer.text))


async def tables(served: Served, options: argparse.Namespace) -> None:
    """Let one visitor ask for 500 moves of players with tables, on many boards, while another visitor plays on against
    `hard`.
    """
    statuses: collections.Counter[str] = collections.Counter()
    left, peak = iter(range(500)), 0.0

    async def ask(client: httpx.AsyncClient) -> None:
        nonlocal peak
        for number in left:
            player, size = HUNGRY[number % len(HUNGRY)], number // len(HUNGRY)
            board = f"houses={1 + size % 6}&seeds={1 + size // 6 % 5}" if number % 2 else f"size={4 + size % 5}"
            name, sides = ("kalah", "south={}&north=human") if number % 2 else ("hex", "x={}&o=human")
            answer = await client.get(f"/play/{name}?{sides.format(player)}&{board}")
            statuses[str(answer.status_code)] += 1
            if answer.status_code not in (200, 303):
                failures.append(f"status {answer.status_code}")
                click.echo(f"{answer.status_code} {answer.url}: {trouble(answer)}")
            if number % 10 == 0:
                peak = max(peak, served.megabytes()[0])

    times: list[float] = []
    transport = httpx.AsyncHTTPTransport(local_address=options.other)
    async with (
        httpx.AsyncClient(base_url=served.url, timeout=2 * LONGEST) as hog,
        httpx.AsyncClient(transport=transport, base_url=served.url, timeout=LONGEST) as other,
    ):
        attack = asyncio.gather(*(ask(hog) for _ in range(4)))
        while not attack.done():
            for name, begun in itertools.product(("hex?x=human&o=hard", "kalah?south=human&north=hard"), "ABDEF"):
                started = time.monotonic()
                answer = await other.get(f"/play/{name}&moves={begun.lower() + '1' if 'hex' in name else begun}")
                replies = answer.headers.get("location", begun).count(",")  # extra turns are several moves
                times.append((time.monotonic() - started) / max(1, replies))
                if answer.status_code != 303:
                    failures.append(f"status {answer.status_code} of a move by hard")
                    click.echo(f"{answer.status_code} {answer.url}: {trouble(answer)}")
                await asyncio.sleep(0.5)
        await attack
    click.echo(f"the first visitor: {dict(sorted(statuses.items()))}")
    click.echo(f"the other's move by hard: median {statistics.median(times):.3f} s, longest {max(times):.3f} s")
    check("the other's move by hard, 95th percentile", sorted(times)[int(0.95 * len(times))], most=1, unit=" s")
    check("memory at most", peak, most=MEMORY, unit=" MB")
    await alright(served)


async def hold(served: Served, options: argparse.Namespace) -> None:
    """Hold 1,010 half-sent requests open, from as few addresses as possible, and check that others are served."""
    held = []
    with contextlib.suppress(OSError):
        for number in range(1010):
            held.append(socket.create_connection(_place(served), source_address=(f"127.0.1.{1 + number // 400}", 0)))
            held[-1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
    async with httpx.AsyncClient(base_url=served.url, timeout=LONGEST) as client:
        answer = await client.get("/new/nim")
        check("status while 1,010 requests are held half-sent", answer.status_code, most=200)
        await asyncio.sleep(12)
        closed = sum(1 for each in held if _closed(each))
        check("held connections still open after 12 s", len(held) - closed, most=0)
    await alright(served)


def _place(served: Served) -> tuple[str, int]:
    url = httpx.URL(served.url)
    return url.host, int(url.port or 80)


def _closed(connection: socket.socket) -> bool:
    connection.settimeout(0.01)
    try:
        while connection.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def kills(options: argparse.Namespace) -> None:
    """Kill the server at random moments of a game; no process may be left behind."""
    dice, left, url = random.Random(options.seed), 0, "/play/kalah?south=human&north=medium&moves=A"
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as cache, serving(2, cache) as served:
            end = time.monotonic() + dice.uniform(0, options.longest)
            pids: set[int] = set()
            while time.monotonic() < end:
                pids |= set(served.processes())
                with contextlib.suppress(httpx.HTTPError):
                    timeout = max(0.05, end - time.monotonic())
                    answer = httpx.get(served.url + url, follow_redirects=True, timeout=timeout)
                    choices = re.findall(r'href="(/play/[^"]*moves=[^"]*)"', answer.text)
                    url = dice.choice(choices).replace("&amp;", "&") if choices else url
            pids |= set(served.processes())
            served.process.send_signal(dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            served.process.wait(20)
            left += left_of(pids)
    click.echo(f"the game, which is its address: {url}")
    check(f"processes left behind by {options.rounds} kills", left, most=0)


def main() -> None:
    """Run one attack."""
    attacks = {"fuzz": fuzz, "wedge": wedge, "starve": starve, "tables": tables, "hold": hold}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attack", choices=[*attacks, "kills"])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2, help="processors that the server believes it has")
    parser.add_argument(
        "--visitors", type=int, default=1, help="number of addresses from which the requests of the fuzz come"
    )
    parser.add_argument(
        "--searching", type=float, default=0.1, help="share of the requests of the fuzz that need a search"
    )
    parser.add_argument("--other", default="127.0.0.9", help="the address of the other visitor")
    parser.add_argument("--longest", type=float, default=6.0, help="maximum number of seconds before a kill")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.attack == "kills":
        kills(options)
    else:
        with tempfile.TemporaryDirectory() as cache, serving(options.cores, cache) as served:
            asyncio.run(attacks[options.attack](served, options))
            click.echo(served.log.read_text(encoding="utf-8")[-3000:])
    if failures:
        sys.exit(f"not met: {', '.join(failures)}")


if __name__ == "__main__":
    main()
