"""The pages: what is answered to which request."""

import asyncio
import functools
import html
import logging
import os
from collections.abc import Awaitable, Callable
from collections.abc import Set as AbstractSet
from typing import Any

import jinja2
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ggp import capabilities
from ggp.errors import GGPError
from ggp.plugins import Entry, Registry
from ggp.searcher import SearchResult
from ggp.show import board_style, tree_style
from ggp.web import address, analysis, bounds, branches, course, curve, forms, loading, views
from ggp.web.address import Address, short
from ggp.web.course import Course
from ggp.web.problems import NowhereError, ProblemError
from ggp.web.security import Guard, hashes, policy
from ggp.web.streaming import event, until_left
from ggp.web.values import Values
from ggp.web.work import Workshop

SEARCH_SECONDS = 15.0
"""What a machine's answer may take, the time to compile it included."""
ANALYSES = 4
"""Analyses of one visitor that stream, or wait for the one before to end."""
VISITOR = 400
"""Pages, or answers of machines, that one visitor may have under way."""
ALL = 1_000
"""The same of all visitors."""
Handler = Callable[[Request], Awaitable[Response]]
log = logging.getLogger("ggp.web")


class Site:
    """The server's side of the pages: the registry, the workshops, and the handlers of requests."""

    def __init__(self, registry: Registry) -> None:
        cores = os.cpu_count() or 1
        self.registry = registry
        self.values = Values()
        self.pages = Workshop("pages", at_once=2 * cores, waiting=ALL, each=VISITOR, seconds=bounds.SECONDS)
        self.searches = Workshop("searches", at_once=cores, waiting=ALL, each=VISITOR, seconds=SEARCH_SECONDS)
        self.analyses = Workshop("analyses", at_once=2 * cores, waiting=ALL, each=ANALYSES, seconds=SEARCH_SECONDS)
        loader = jinja2.PackageLoader("ggp.web")
        self.templates = jinja2.Environment(
            loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self.cards = functools.cache(lambda: [forms.card(registry, entry) for entry in registry.games.values()])

    def close(self) -> None:
        """Tell all searches to end."""
        for workshop in (self.pages, self.searches, self.analyses):
            workshop.close()

    def page(self, template: str, status: int = 200, /, **context: Any) -> Response:
        """A page from its template."""
        return HTMLResponse(self.templates.get_template(template).render(context), status)

    async def front(self, request: Request) -> Response:
        """The games there are."""
        return await self.pages.do(visitor(request), lambda: self.page("front.html", cards=self.cards()))

    async def new(self, request: Request) -> Response:
        """The form for a new game."""
        entry = self.entry(request)
        return await self.pages.do(visitor(request), lambda: self._form(entry, {}))

    def _form(self, entry: Entry, given: dict[str, str], problem: GGPError | None = None) -> Response:
        status = 200 if problem is None else status_of(problem)
        shown = forms.form(self.registry, entry, given, "" if problem is None else str(problem))
        return self.page("new.html", status, **shown)

    async def start(self, request: Request) -> Response:
        """From the form to the game, or to the form again."""
        entry = self.entry(request)
        given = dict(request.query_params)
        for name, text in list(given.items()):
            side = name.removesuffix(".written")
            if side != name:
                given[side] = text.strip() or given.get(side, "")
                del given[name]
        query = "&".join(
            f"{address.quoted(name)}={address.quoted(text)}" for name, text in given.items() if text.strip()
        )

        def begin() -> Response:
            try:
                begun = course.course(self.registry, entry, address.read(entry, query))
            except GGPError as error:
                return self._form(entry, given, error)
            return RedirectResponse(begun.address.url(), 303)

        return await self.pages.do(visitor(request), begin)

    async def play(self, request: Request) -> Response:
        """A game at some position; machines and chance play on, if it is their turn."""
        entry, who = self.entry(request), visitor(request)
        script = "x-script" in request.headers  # it shows board after board, and asks for the analysis itself

        def look() -> Response | Course:
            shown = course.course(self.registry, entry, address.read(entry, query_of(request)))
            needs = shown.waits_for_server or shown.address.wish or shown.address.shown
            return shown if needs else self._show(shown, views.Extra(), script)

        found = await self.pages.do(who, look)
        if isinstance(found, Response):
            return found
        if found.waits_for_server:
            after = await self.searches.do(who, lambda: course.answered(found, self.values.remember))
            return RedirectResponse(after.url(), 303)
        extra = await self.searches.do(who, lambda: self._extra(found, {"finding"} if script else set()))
        return await self.pages.do(who, lambda: self._show(found, extra, script))

    def _show(self, shown: Course, extra: views.Extra, moving: bool) -> Response:
        return self.page("play.html", **views.play(shown, extra, self.values.known, moving=moving))

    def _extra(self, shown: Course, later: AbstractSet[str]) -> views.Extra:
        """What has to be searched for the page, but what comes `later`."""
        made: dict[str, Any] = {}
        trouble: dict[str, str] = {}
        wanted: dict[str, Callable[[], Any]] = {
            "hint": lambda: analysis.hint(shown, self._advisers(shown)) if shown.address.wish == "hint" else None,
            "finding": lambda: self._finding(shown) if "analysis" in shown.address.shown else None,
            "curve": lambda: self._curve(shown, trouble) if "curve" in shown.address.shown else None,
            "opened": lambda: branches.opened(shown) if "tree" in shown.address.shown else None,
        }
        for name, make in wanted.items():
            try:
                made[name] = None if name in later else make()
            except ProblemError:
                raise
            except GGPError as error:
                trouble[name] = str(error)
        return views.Extra(**made, trouble=trouble)

    def _advisers(self, shown: Course) -> list[Any]:
        """The levels, the strongest first."""
        return list(bounds.level_players(self.registry, shown.game).values())[::-1]

    def _finding(self, shown: Course) -> analysis.Finding | None:
        if shown.over:
            return None
        found = analysis.analyse(shown, analysis.AT_ONCE)
        self.values.remember(shown.game, shown.state, found.value)
        return analysis.finding(shown, found, running=False)

    def _curve(self, shown: Course, trouble: dict[str, str]) -> Markup:
        names = capabilities.player_names(shown.game)
        values = self.values.along(shown)
        if None in values:
            trouble["curve"] = f"{values.count(None):,} values are not known yet: look again, and more will be."
        drawn = curve.curve_svg(values, shown.address.seen, names, lambda moves: shown.address.looking_at(moves).url())
        return Markup(drawn)  # noqa: S704 - the drawing escapes what it is given

    async def stream(self, request: Request) -> Response:
        """The analysis of a position as it deepens: server-sent events, each a piece of the page."""
        entry, who = self.entry(request), visitor(request)

        def look() -> Course:
            return course.course(self.registry, entry, address.read(entry, query_of(request)))

        shown = await self.pages.do(who, look)
        if shown.over:
            raise ProblemError("the game is over: there is nothing to analyse")
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def tell(kind: str, text: str) -> None:
            loop.call_soon_threadsafe(pieces.put_nowait, event(kind, text))

        def work() -> None:
            try:
                found = analysis.analyse(
                    shown, analysis.STREAMED, lambda found: tell("found", self._piece(shown, found, running=True))
                )
                self.values.remember(shown.game, shown.state, found.value)
                tell("ended", self._piece(shown, found, running=False))
            except GGPError as error:
                tell("trouble", html.escape(str(error)))

        task = await self.analyses.begin(who, work, lambda: pieces.put_nowait(None))
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(until_left(request, task, pieces), media_type="text/event-stream", headers=headers)

    def _piece(self, shown: Course, found: SearchResult, *, running: bool) -> str:
        finding = analysis.finding(shown, found, running=running)
        return self.templates.get_template("analysis.html").render(finding=finding)

    async def record(self, request: Request) -> Response:
        """The game as a file."""
        entry, ending = self.entry(request), request.path_params["ending"]
        if ending not in loading.FORMATS:
            raise NowhereError(f"a record is not written as {short(ending)}: it is {' or '.join(loading.FORMATS)}")

        def save() -> Response:
            shown = course.course(self.registry, entry, address.read(entry, query_of(request)))
            text, kind, name = loading.saved(shown, ending)
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return Response(text, media_type=kind, headers=headers)

        return await self.pages.do(visitor(request), save)

    async def load(self, request: Request) -> Response:
        """From a record that was sent to the page of its game."""
        data = await loading.sent(request)

        def read() -> Address:
            return loading.loaded(self.registry, data, self.values.remember)

        found = await self.pages.do(visitor(request), read)
        return RedirectResponse(found.url(), 303)

    def entry(self, request: Request) -> Entry:
        """The game that the path names."""
        name = request.path_params["game"]
        if name not in self.registry.games:
            right = ", ".join(self.registry.games)
            raise NowhereError(f"there is no game {short(name)}: the games are {right}")
        return self.registry.games[name]

    def safely(self, handler: Handler) -> Handler:
        """The handler, with a page in words for whatever it raises."""

        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except Exception as error:
                return await self.problem(request, error)

        return handle

    async def problem(self, request: Request, error: Exception) -> Response:
        """The page that says why there is none."""
        status, words = status_of(error), str(error)
        if not isinstance(error, GGPError):
            status, words = getattr(error, "status_code", 500), str(getattr(error, "detail", ""))
            if status == 500:
                log.error("%s failed: %s: %s", request.url.path, type(error).__name__, error)
                words = f"the game or the searcher has failed: {type(error).__name__}"
            elif status == 404:
                words = f"there is no page {short(request.url.path)}"
        headers = {"Retry-After": "5"} if status in (429, 503) else {}
        answer = self.page("problem.html", status, status=status, words=words)
        answer.headers.update(headers)
        return answer


def status_of(error: Exception) -> int:
    """The status of an answer that says this."""
    return error.status if isinstance(error, ProblemError) else 400


def query_of(request: Request) -> str:
    """What is behind the question mark."""
    query: bytes = request.scope["query_string"]
    return query.decode("utf-8", "replace")


def visitor(request: Request) -> str:
    """Who asks, as far as limits go."""
    return request.client.host if request.client else "somebody"


def create_app(registry: Registry, hosts: tuple[str, ...] | None = None) -> Guard:
    """The application, for any ASGI server.

    Arguments:
        hosts: the names by which the server may be called; None is any.
    """
    site = Site(registry)
    pages = {
        "/": site.front,
        "/new/{game}": site.new,
        "/start/{game}": site.start,
        "/play/{game}": site.play,
        "/analysis/{game}": site.stream,
        "/record.{ending}/{game}": site.record,
    }
    routes: list[BaseRoute] = [Route(path, site.safely(handler)) for path, handler in pages.items()]
    routes.append(Route("/load", site.safely(site.load), methods=["POST"]))
    routes.append(Mount("/static", StaticFiles(packages=[("ggp.web", "static")])))
    app = Starlette(routes=routes, exception_handlers={HTTPException: site.problem})
    return Guard(app, policy(hashes([board_style.STYLE, tree_style.STYLE])), hosts, site.close)
