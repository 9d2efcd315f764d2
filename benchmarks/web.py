"""The page under load: many visitors at once on this machine; each plays tic-tac-toe to the end. Wall-clock time."""

import asyncio
import html
import random
import re
import ssl
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from urllib.parse import parse_qs, urlsplit

import attrs
import httpx

from benchmarks.report import ReportTable, Section
from benchmarks.scale import Scale

MOVE = re.compile(r'<a href="(/play/tictactoe[^"]*)" aria-label="[^"]* — ')
OPPONENTS = ("human", "medium")


@attrs.define
class Tally:
    """The numbers of answers and of errors that the visitors have got."""

    pages: list[float] = attrs.field(factory=list)
    """Seconds for each page, including the redirection to it."""
    games: int = 0
    errors: int = 0
    lost: int = 0
    """Number of visitors' moves that the next page did not show."""


@contextmanager
def server() -> Iterator[str]:
    """Start a server in a separate process; yield its address."""
    command = [sys.executable, "-m", "ggp.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[2]
        finally:
            process.terminate()


async def play(client: httpx.AsyncClient, opponent: str, pause: float, seed: int, tally: Tally) -> None:
    """Play one game as a visitor, who thinks for up to twice `pause` seconds before each move."""
    dice, url = random.Random(seed), f"/play/tictactoe?x=human&o={opponent}"
    await asyncio.sleep(dice.uniform(0, 2 * pause))
    while url:
        began = time.perf_counter()
        try:
            page = await client.get(url)
            page.raise_for_status()
        except httpx.HTTPError:
            tally.errors += 1
            return
        tally.pages.append(time.perf_counter() - began)
        tally.lost += not _moves(str(page.url)).startswith(_moves(url))
        links = [html.unescape(link) for link in MOVE.findall(page.text)]
        url = dice.choice(links) if links else ""
        await asyncio.sleep(dice.uniform(0, 2 * pause))
    tally.games += 1


def _moves(url: str) -> str:
    return parse_qs(urlsplit(url).query).get("moves", [""])[0]


async def crowd(address: str, opponent: str, visitors: int, pause: float) -> Tally:
    """Let this number of visitors play at the same time; return their tally."""
    tally, context = Tally(), ssl.create_default_context()
    async with AsyncExitStack() as stack:  # a client each: in one for all, most of the time goes to its connections
        clients = [
            httpx.AsyncClient(
                base_url=address,
                follow_redirects=True,
                timeout=120,
                transport=httpx.AsyncHTTPTransport(
                    verify=context, local_address=f"127.1.{number // 250}.{number % 250 + 1}"
                ),
            )
            for number in range(visitors)  # an address each: the server shares its time among addresses
        ]
        for client in clients:
            await stack.enter_async_context(client)
        await clients[0].get(f"/play/tictactoe?x=human&o={opponent}&moves=1")  # whatever has to be compiled is
        await asyncio.gather(*(play(client, opponent, pause, seed, tally) for seed, client in enumerate(clients)))
    return tally


def web(scale: Scale) -> Section:
    """Measure visitors who think before they move, and visitors who do not think."""
    rows = []
    with server() as address:
        for opponent in OPPONENTS:
            for pause in scale.pauses:
                began = time.perf_counter()
                tally = asyncio.run(crowd(address, opponent, scale.visitors, pause))
                rows.append(_row(opponent, pause, tally, time.perf_counter() - began))
    header = ("against", "thinks", "games", "pages", "errors", "lost moves", "median", "95%", "pages/s")
    text = (
        f"{scale.visitors} visitors at once play tic-tac-toe to the end, on the same machine as the server. A page is"
        " the answer to a visitor's move, and shows the opponent's reply. The second column is the time that a visitor"
        " thinks before each move, on average."
    )
    return Section("The page under load", text, (ReportTable(header, tuple(rows)),))


def _row(opponent: str, pause: float, tally: Tally, seconds: float) -> tuple[str, ...]:
    ordered = sorted(tally.pages)
    median, late = statistics.median(ordered), ordered[int(0.95 * len(ordered))]
    counts = (tally.games, len(tally.pages), tally.errors, tally.lost)
    times = (f"{1000 * median:.0f} ms", f"{1000 * late:.0f} ms", f"{len(ordered) / seconds:.0f}")
    return opponent, f"{pause:g} s", *map(str, counts), *times
