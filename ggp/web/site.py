"""The server: it identifies visitors, gives them turns, and sends pages. Workers compute the pages."""

import asyncio
import contextlib
import html
import logging
from collections.abc import AsyncIterator, Callable, Coroutine

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from ggp.errors import GGPError
from ggp.show import board_style, tree_html, tree_style
from ggp.web import record_files, visitor_players
from ggp.web.address import short
from ggp.web.answer_cache import AnswerCache
from ggp.web.processes import Workers
from ggp.web.responder import Answer, PageRequest, problem, problem_of
from ggp.web.security import Guard, hashes, security_policy
from ggp.web.visitor_limits import FairQueue, visitor

SEARCH_SECONDS = 15.0
"""Seconds for a machine's move, compiling included."""
STREAM_SECONDS = 25.0
"""Seconds for a streamed analysis."""
SEARCHES = 4
"""Maximum number of searches at once; each runs in a process, which may take 100 MB to compile."""
PATIENCE = 30.0
"""Seconds that a request waits for its turn."""
MOST = 1_000
"""Maximum number of requests of one kind under way, for all visitors together."""
SCRIPT = ("move", "answer")
"""Kinds of requests from the page's script; see `PageRequest.script`."""
PAUSE = 0.1
"""Minimum number of seconds between two parts of a stream."""
ALIVE = 1.0
"""Seconds of silence after which a stream sends a sign of life."""

PageHandler = Callable[[Request, str], Coroutine[object, object, Response]]
"""A function that responds to a request, given the request and the name of the page."""
Piece = tuple[str, str]
"""A part of a stream: its kind and its text."""

PAGES = {
    "/": "front",
    "/new/{game:path}": "new",
    "/start/{game:path}": "start",
    "/play/{game:path}": "play",
    "/puzzle/{game:path}": "puzzle",
    "/analysis/{game:path}": "analysis",
    "/compare/{game:path}": "compare",
    "/trees/{game:path}": "trees",
    "/record.{ending}/{game:path}": "record",
    "/learn/{game:path}": "learn",
    "/load": "load",
}
"""The page for each path."""
log = logging.getLogger("ggp.web")


class Site:
    """The handlers of requests.

    Arguments:
        workers: the workers that compute the responses.
    """

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.pages = FairQueue("pages", at_once=4, each=256, most=MOST, patience=PATIENCE)
        self.searches = FairQueue("searches", at_once=SEARCHES, each=8, most=MOST, patience=PATIENCE)
        self.analyses = FairQueue("analyses", at_once=2, each=4, most=MOST, patience=PATIENCE)
        self.uploads = FairQueue("uploads", at_once=1, each=2, most=64, patience=PATIENCE)
        self.answers = AnswerCache()

    async def show(self, request: Request, page: str) -> Response:
        """Respond with a page: at once if it needs no search, otherwise when it is the visitor's turn."""
        who, wanted = visitor(request), asked(request, page)
        answer = self.answers.get(wanted) or await self._at_once(who, wanted)
        if answer is None:
            with self.searches.admitted(who):
                async with self.searches.turn(who):
                    answer = await self.workers.do(wanted, searching=True, seconds=SEARCH_SECONDS)
        assert answer is not None  # only where no search is allowed
        self.answers.put(wanted, answer)
        return response(answer)

    async def _at_once(self, who: str, wanted: PageRequest) -> Answer | None:
        """Return the response; None if it needs a search."""
        with self.pages.admitted(who):
            async with self.pages.turn(who):
                return await self.workers.do(wanted, searching=False, seconds=visitor_players.SECONDS)

    async def load(self, request: Request, page: str) -> Response:
        """Redirect to the game of an uploaded record."""
        who = visitor(request)
        with self.uploads.admitted(who):
            data = await record_files.sent(request)
            answer = await self._at_once(who, PageRequest(page, data=data))
        assert answer is not None  # it never needs a search
        return response(answer)

    async def stream(self, request: Request, page: str) -> Response:
        """Stream the analysis of a position as it deepens: server-sent events, each a part of the page."""
        who, wanted = visitor(request), asked(request, page)
        refused = await self._at_once(who, wanted)
        if refused:
            return response(refused)
        admitted = contextlib.ExitStack()
        admitted.enter_context(self.analyses.admitted(who))
        pieces: asyncio.Queue[Piece | None] = asyncio.Queue()
        work = asyncio.create_task(self._analyse(who, wanted, pieces))
        work.add_done_callback(lambda _: admitted.close())
        return Stream(work, pieces)

    async def _analyse(self, who: str, wanted: PageRequest, pieces: "asyncio.Queue[Piece | None]") -> None:
        """Put the results of an analysis into `pieces`, and None at the end."""

        def tell(name: str, text: str) -> None:
            pieces.put_nowait((name, text))

        try:
            async with self.analyses.turn(who):
                tell("begun", "")
                await self.workers.do(wanted, searching=True, seconds=STREAM_SECONDS, tell=tell)
        except GGPError as error:
            tell("trouble", html.escape(str(error)))
        finally:
            pieces.put_nowait(None)

    def safely(self, handler: PageHandler, page: str) -> Callable[[Request], Coroutine[object, object, Response]]:
        """Return the handler with error pages for all exceptions; if the visitor leaves, the work is cancelled."""

        async def handle(request: Request) -> Response:
            try:
                return await unless_left(request, handler(request, page))
            except Exception as error:
                return self.problem(request, error)

        return handle

    async def missing(self, request: Request, error: Exception) -> Response:
        """Return the error page for a path or method without a handler."""
        return self.problem(request, error)

    def problem(self, request: Request, error: Exception) -> Response:
        """Return the error page for an exception."""
        if isinstance(error, GGPError):
            return response(problem_of(error))
        status, sentence = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, "")
        if status == 500:
            log.error("%s failed: %s: %s", request.url.path, type(error).__name__, error)
            sentence = f"the server has failed: {type(error).__name__}"
        elif status == 404:
            sentence = f"there is no page {short(request.url.path)}"
        return response(problem(status, sentence))


async def unless_left(request: Request, handling: Coroutine[object, object, Response]) -> Response:
    """Return the response; if the visitor leaves before it is ready, cancel the work."""
    if request.method not in ("GET", "HEAD"):
        return await handling  # it reads what is sent itself
    work, leaving = asyncio.create_task(handling), asyncio.create_task(_left(request))
    try:
        await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
        return work.result() if work.done() else Response(status_code=LEFT)
    finally:
        work.cancel()
        leaving.cancel()


LEFT = 499
"""The HTTP status if the visitor has left."""


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Stream(StreamingResponse):
    """Server-sent events. The events end when the work ends; if the reader leaves, the work is cancelled."""

    def __init__(self, work: "asyncio.Task[None]", pieces: "asyncio.Queue[Piece | None]") -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(events(pieces), media_type="text/event-stream", headers=headers)
        self._work = work

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._work.cancel()


async def events(pieces: "asyncio.Queue[Piece | None]") -> AsyncIterator[str]:
    """Yield the first part, and then later parts until None arrives. If several parts have arrived, yield only the last
    of them. While no part arrives, yield signs of life.
    """
    began = ended = False
    while not ended:
        try:
            latest = await asyncio.wait_for(pieces.get(), ALIVE)
        except TimeoutError:
            yield ": still searching\n\n" if began else event("waiting", "")
            continue
        ended = latest is None
        while began and not pieces.empty():
            piece = pieces.get_nowait()
            latest, ended = piece or latest, ended or piece is None
        began = True
        if latest:
            yield event(*latest)
        await asyncio.sleep(0 if ended else PAUSE)


def event(name: str, text: str) -> str:
    """Return a server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines() if line.strip())
    return f"event: {name}\n{lines}\n"


def asked(request: Request, page: str) -> PageRequest:
    """Return the page, the game and the parameters of a request."""
    given = request.path_params
    if page == "front":  # the same whatever else stands in the address
        return PageRequest(page)
    query: bytes = request.scope["query_string"]
    text = query.decode("utf-8", "replace")
    if page == "new":
        return PageRequest(page, given["game"], text)
    script = request.headers.get("x-script", "")
    return PageRequest(page, given["game"], text, given.get("ending", ""), script=script if script in SCRIPT else "")


def response(answer: Answer) -> Response:
    """Return the HTTP response."""
    return Response(answer.body, answer.status, answer.headers, answer.media_type)


def create_app(workers: Workers, hosts: tuple[str, ...] | None = None) -> Guard:
    """Return the application, for any ASGI server.

    Arguments:
        hosts: the accepted host names; None: any.
    """
    site = Site(workers)
    handlers: dict[str, PageHandler] = {"analysis": site.stream, "load": site.load}
    routes: list[BaseRoute] = [
        Route(path, site.safely(handlers.get(page, site.show), page), methods=["POST" if page == "load" else "GET"])
        for path, page in PAGES.items()
    ]
    routes.append(Mount("/static", StaticFiles(packages=[("ggp.web", "static"), ("ggp.show", "static")])))
    app = Starlette(routes=routes, exception_handlers={HTTPException: site.missing})
    styles = hashes([board_style.STYLE, tree_style.STYLE, tree_html.style()])
    return Guard(app, security_policy(styles, hashes([tree_html.script()])), hosts, workers.close)
