"""Responses: every page is computed from its request alone.

Games and searchers run only here, in a worker process; the server's main process never runs their code.
"""

import contextlib
import errno
import functools
import html
import logging
import time
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any
from urllib.parse import parse_qs, urlencode

import attrs
import jinja2
from markupsafe import Markup

from ggp import capabilities
from ggp.errors import GGPError
from ggp.game import MAX, AnyGame, State
from ggp.levels import hint_level
from ggp.play import puzzle
from ggp.play.controller import analyst
from ggp.play.review import Judged, judge
from ggp.plugin_entries import Entry
from ggp.plugin_faults import blame
from ggp.plugin_hooks import ServedPage
from ggp.plugins import Registry
from ggp.searcher import SearchResult
from ggp.show import line_chart
from ggp.show.value_text import rounded, value_text
from ggp.web import (
    address,
    branches,
    forms,
    game_review,
    live_results,
    record_files,
    searcher_comparison,
    value_store,
    views,
    visitor_players,
)
from ggp.web.address import short
from ggp.web.game_history import GameHistory, machine_moves, read_history, read_move
from ggp.web.ponderer import Ponderer
from ggp.web.problems import NowhereError, PluginFailedError, ProblemError, TooMuchError
from ggp.web.security import hashes

log = logging.getLogger("ggp.web")

Tell = Callable[[str, str], None]
"""`tell(kind, text)` sends a part of the response while the rest is being computed."""


@attrs.frozen
class PageRequest:
    """A request: everything that a response depends on."""

    page: str
    """The page: the name of a method of `Responder`."""
    game: str = ""
    query: str = ""
    """The part of the address after the question mark."""
    ending: str = ""
    """The extension of a record's file name, which is its format."""
    data: bytes = b""
    """The record that was uploaded."""
    script: str = ""
    """The kind of request from the page's script: "move" shows the visitor's move before a machine replies, and
    "answer" requests the reply. The script shows the boards one after the other, and requests the analysis
    separately.
    """


@attrs.frozen
class Answer:
    """A response that is ready to be sent."""

    body: str = ""
    status: int = 200
    media_type: str = "text/html"
    headers: dict[str, str] = attrs.field(factory=dict)
    lasting: bool = False
    """Whether the response is the same for everybody while the server runs."""


OWN_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}; img-src data:; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy of a page that a plugin offers: its own scripts and nothing else."""
MOST_FIELDS = 500
"""Maximum number of values of a form."""


class NeedsSearchError(Exception):
    """Raised if a page needs a search that is not allowed yet; the request then waits for its turn and is repeated."""


@functools.cache
def templates() -> jinja2.Environment:
    """Return the templates of the pages."""
    loader = jinja2.PackageLoader("ggp.web")
    made = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters["number"] = rounded
    return made


def page(template: str, status: int = 200, /, *, lasting: bool = False, **context: object) -> Answer:
    """Return a page from its template."""
    return Answer(templates().get_template(template).render(context), status, lasting=lasting)


def problem(status: int, sentence: str) -> Answer:
    """Return an error page with the reason."""
    headers = {"Retry-After": "5"} if status in (429, 503) else {}
    return attrs.evolve(page("problem.html", status, status=status, sentence=sentence), headers=headers)


def problem_of(error: GGPError) -> Answer:
    """Return the error page for an error of ggp, with its message."""
    return problem(status_of(error), str(error))


def status_of(error: GGPError) -> int:
    """Return the HTTP status for an error."""
    return error.status if isinstance(error, ProblemError) else 400


def redirect(url: str, *, lasting: bool = False) -> Answer:
    """Return a redirection within this server."""
    return Answer(status=303, headers={"Location": url}, lasting=lasting)


def silent(event: str, text: str) -> None:
    """Ignore a part of the response."""


def _lacks_memory(error: BaseException) -> bool:
    """Return whether an error says that there is no more memory, for example for the stack of a new thread."""
    no_thread = isinstance(error, RuntimeError) and "start new thread" in str(error)
    return isinstance(error, MemoryError) or no_thread or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


class Responder:
    """Answers requests, one at a time."""

    def __init__(self, registry: Registry, kept: value_store.Values) -> None:
        self.registry = registry
        self.values = kept
        self.lacked_memory = False
        """Whether the last response failed because memory was exhausted."""
        self.ponderer = Ponderer()
        """Lets a machine search on while the visitor thinks."""
        self._cards = functools.cache(lambda: forms.cards(registry))

    def answer(self, asked: PageRequest, *, searching: bool, tell: Tell = silent) -> Answer | None:
        """Return the requested page, or an error page.

        Arguments:
            searching: whether a search may run now. If no search may run now, but the answer needs a search, None is
            returned. tell: called with each part of an analysis.
        """
        self.lacked_memory = False
        try:
            return self._answer(asked, searching, tell)
        except NeedsSearchError:
            return None
        except BaseException as error:  # a plugin that calls sys.exit has failed, too
            failure = self._failure(asked, error)
            if asked.page == "analysis":  # its reader waits for parts, not for a page
                tell("trouble", html.escape(str(failure)))
            return problem_of(failure)

    def _failure(self, asked: PageRequest, error: BaseException) -> GGPError:
        """Return an error in the words that the visitor reads."""
        if isinstance(error, KeyboardInterrupt):  # a search was told to end, and somebody wants the answer still
            return TooMuchError("this took longer than a page may take")
        self.lacked_memory = _lacks_memory(error)
        if self.lacked_memory:
            return TooMuchError("this takes more memory than the page gives to it")
        if isinstance(error, GGPError):
            return error
        where, fault = f"{asked.page} of {asked.game or 'the site'}", blame(error, self.registry)
        if fault:
            log.error("%s: %s (%s)", where, fault, type(error).__name__)
            return PluginFailedError(fault)
        log.error("%s failed: %s: %s", where, type(error).__name__, error)
        return PluginFailedError(f"the game or the searcher has failed: {type(error).__name__}")

    def _answer(self, asked: PageRequest, searching: bool, tell: Tell) -> Answer:
        match asked.page:
            case "front":
                return page("front.html", lasting=True, cards=self._cards(), daily=self._daily(), pages=self._pages())
            case "learn":
                return self._learn(asked, searching)
            case "load":
                return redirect(record_files.loaded(self.registry, asked.data).url())
        entry = self.entry(asked.game)
        match asked.page:
            case "new":
                return self._form(entry, address.fields(asked.query), lasting=not asked.query)
            case "start":
                return self._start(entry, asked.query)
            case "record":
                return self._record(entry, asked)
            case "puzzle":
                return self._puzzle(entry, asked.query, searching)
            case "compare" | "trees":
                return self._compare(entry, asked, searching)
        given = address.read(entry, asked.query)
        history = read_history(self.registry, entry, given)
        if asked.page == "play":
            answer = self._play(history, asked.script, searching)
            drawn = history.address.players != given.players  # a seed, which is everybody's own
            return attrs.evolve(answer, lasting=False) if drawn else answer
        if history.over:
            raise ProblemError("the game is over: there is nothing to analyse")
        if not searching:
            raise NeedsSearchError
        return self._stream(history, tell)

    def entry(self, name: str) -> Entry:
        """Return the game with that name."""
        if name not in self.registry.games:
            wrong = f"there is no game {short(name)}" if name else "the address lacks the name of a game at its end"
            raise NowhereError(f"{wrong}: the games are {', '.join(self.registry.games)}")
        return self.registry.games[name]

    def _form(
        self, entry: Entry, given: dict[str, str], error: GGPError | None = None, *, lasting: bool = False
    ) -> Answer:
        status, mistake = (200, "") if error is None else (status_of(error), str(error))
        return page("new.html", status, lasting=lasting, **forms.form(self.registry, entry, given, mistake))

    def _start(self, entry: Entry, query: str) -> Answer:
        """Redirect from the form to the game, or back to the form."""
        given = address.fields(query)
        for name, text in list(given.items()):
            side = name.removesuffix(".written")
            if side != name:
                given[side] = text.strip() or given.get(side, "")
                del given[name]
        query = urlencode({name: text for name, text in given.items() if text.strip()})
        try:
            begun = read_history(self.registry, entry, address.read(entry, query))
        except GGPError as error:
            return self._form(entry, given, error)
        return redirect(begun.address.url())

    def _pages(self) -> list[ServedPage]:
        """Return the pages that plugins offer; none if a plugin fails, so that the front page still works."""
        with contextlib.suppress(Exception):
            return [*self.registry.pages.values()]
        return []

    def _learn(self, asked: PageRequest, searching: bool) -> Answer:
        """Return a page that a plugin offers."""
        pages = self.registry.pages
        if asked.game not in pages:
            raise NowhereError(f"there is no page {short(asked.game)}: the pages are {', '.join(pages) or 'none'}")
        if not searching:
            raise NeedsSearchError
        page = pages[asked.game]
        allowed = " ".join(hashes(page.scripts)) or "'none'"
        headers = {"Content-Security-Policy": OWN_POLICY.format(scripts=allowed)}
        query = parse_qs(asked.query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
        return Answer(page.html(self.registry, query), headers=headers)

    def _daily(self) -> str:
        """Return the game of the daily puzzle: the first one with a table of solved positions; "" if none has one."""
        return next((name for name, entry in self.registry.games.items() if hasattr(entry.factory, "known_values")), "")

    def _puzzle(self, entry: Entry, query: str, searching: bool) -> Answer:
        """Redirect to a puzzle: the one with the given number, or today's."""
        given = address.fields(query).get("number") or None
        number = address.number(given, "number", address.NUMBER_OF_PUZZLE, least=1)
        if not searching:
            raise NeedsSearchError
        game = self.registry.game(entry.name)
        exercise = puzzle.puzzle(self.registry, game, puzzle.today() if number is None else number)
        other = hint_level(self.registry, game)
        players = ("human", other) if game.to_move(exercise.state) == MAX else (other, "human")
        start = capabilities.notation(game).format_state(exercise.state)
        sides = address.side_names(entry)
        return redirect(address.Address(entry.name, sides, {}, players, start, puzzle=exercise.number).url())

    def _compare(self, entry: Entry, asked: PageRequest, searching: bool) -> Answer:
        """Return the results and the savings of several searchers, or their trees side by side."""
        wanted = searcher_comparison.comparison(self.registry, entry, asked.query)
        if not searching:
            raise NeedsSearchError
        if asked.page == "trees":
            return Answer(searcher_comparison.trees(wanted))
        return page("compare.html", lasting=False, **searcher_comparison.page(wanted))

    def _solution(self, history: GameHistory) -> tuple[str, str]:
        """Return the only winning move at the start of the game in notation, and why it wins; two empty texts if there
        is no such move.
        """
        solution = puzzle.solved(self.registry, history.game, history.address.puzzle or 0, history.states[0])
        if solution is None:
            return "", ""
        move = capabilities.notation(history.game).format_action(solution.state, solution.action)
        return move, puzzle.explanation(history.game, solution) if solution.line else ""

    def _record(self, entry: Entry, asked: PageRequest) -> Answer:
        """Return the game as a file."""
        if asked.ending not in record_files.FORMATS:
            raise NowhereError(
                f"the format of a record must be {' or '.join(record_files.FORMATS)}; got {short(asked.ending)}"
            )
        history = read_history(self.registry, entry, address.read(entry, asked.query))
        text, media_type, name = record_files.saved(history, asked.ending)
        return Answer(text, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    def _play(self, history: GameHistory, script: str, searching: bool) -> Answer:
        """Return the page of a game at a position. Machines and chance play on if it is their turn."""
        if history.waits_for_server and script == "move" and history.address.command is None:
            return page("play.html", lasting=True, **views.play(history, views.Extra(), moving=True, thinking=True))
        given = history.address
        needs = history.waits_for_server or given.command or given.shown or (given.puzzle and given.seen)
        if needs and not searching:
            raise NeedsSearchError
        if history.waits_for_server:
            return self._moved(history)
        extra = self._extra(history, {"finding"} if script else set()) if needs else views.Extra()
        extra = attrs.evolve(extra, certainty=self._certainty(history))
        return page("play.html", lasting=not needs, **views.play(history, extra, moving=bool(script)))

    def _moved(self, history: GameHistory) -> Answer:
        """Let machines and chance move, then redirect to the game. A level always plays the same move in the same
        state.
        """
        began = time.monotonic()
        history = self.ponderer.recalled(history)
        match = machine_moves(history)
        after = history.after(match)
        self.ponderer.watch(match, after)
        for move in match.moves[len(history.actions) :]:
            if move.thinking and visitor_players.plays_perfectly(history.players, move.mover):
                value_store.learn(self.values, history.game, move.before, move.thinking)
        hurried = time.monotonic() - began > visitor_players.SECONDS
        drawn = capabilities.is_stochastic(history.game)
        return redirect(
            after.url(),
            lasting=visitor_players.are_levels(self.registry, history.game, history.players) and not (hurried or drawn),
        )

    def _certainty(self, history: GameHistory) -> str:
        """Return a sentence that says whether the level `perfect` knew the exact value at its last move; "" if it has
        not moved.
        """
        game = history.game
        for state in reversed(history.states[: history.address.seen]):
            if visitor_players.plays_perfectly(history.players, game.to_move(state)):
                name = value_store.key(game, state)
                value = value_store.state_value(self.values, name)
                if value is None:
                    return ""
                worth = value_text(game, value.value, exact=value.exact)
                return f"{worth}, exact" if value.exact else f"{worth}, an estimate: the exact value is not known"
        return ""

    def _extra(self, history: GameHistory, later: AbstractSet[str]) -> views.Extra:
        """Return the parts of the page that need a search, except those that are requested `later`."""
        made: dict[str, Any] = {}
        began = time.monotonic()
        trouble: dict[str, str] = {}
        given = history.address
        value_store.consult(self.values, history.game, history.states[max(0, given.seen - 1) : given.seen + 1])
        wanted: dict[str, Callable[[], Any]] = {
            "hint": lambda: live_results.hint(history) if given.command == "hint" else None,
            "finding": lambda: self._finding(history) if "analysis" in given.shown else None,
            "review": lambda: self._review(history),
            "tried": lambda: self._tried(history),
            # The review comes first, and uses a part of the curve's time: it finds most values of the curve.
            "values": lambda: (
                self._best_known(history.game, history.states, time.monotonic() - began)
                if "curve" in given.shown
                else ()
            ),
            "solution": lambda: self._solution(history) if given.puzzle and given.seen else ("", ""),
            "opened": lambda: branches.opened(history, self._best_known) if "tree" in given.shown else None,
        }
        for name, make in wanted.items():
            try:
                if name not in later:
                    made[name] = make()
            except (ProblemError, MemoryError):
                raise
            except GGPError as error:
                trouble[name] = str(error)
        made.setdefault("review", game_review.GameReview())
        made["solution"], made["explanation"] = made.get("solution", ("", ""))
        unfinished = sum(each is None or each.hurried for each in made.get("values") or ())
        if unfinished:
            trouble["curve"] = f"{unfinished:,} values are missing or rough: load the page again to improve them."
        if made.get("hint") and made["hint"].thinking:
            worth = value_store.learn(self.values, history.game, history.state, made["hint"].thinking)
            made["worth"] = self._best_known(history.game, [history.state])[0] if worth.hurried else worth
        curve = self._curve(history, made.get("values"), made["review"].moves)
        return views.Extra(**made, curve=curve, trouble=trouble)

    def _review(self, history: GameHistory) -> game_review.GameReview:
        if "curve" not in history.address.shown and not history.address.learns:
            return game_review.GameReview()
        return game_review.game_review(history, self.values)

    def _tried(self, history: GameHistory) -> Judged | None:
        """Return the review of the move that the visitor has tried instead of a mistake."""
        given, game = history.address, history.game
        if not given.learns or given.tried is None:
            return None
        read_move(game, history.state, given.tried, "the move that was tried")
        value, _ = game_review.move_judge(history, self.values).value(given.seen, given.tried)
        if value is None:
            raise TooMuchError("the move that was tried could not be searched now: try it again")
        return judge(game, history.state, value)

    def _finding(self, history: GameHistory) -> live_results.Finding | None:
        if history.over:
            return None
        result = live_results.at_once(history)
        best = value_store.learn(self.values, history.game, history.state, result)
        return live_results.finding(history, result, best, running=False)

    def _best_known(
        self, game: AnyGame, states: Sequence[State], spent: float = 0.0
    ) -> list[value_store.StateValue | None]:
        """Return the best known values of states; states without a known value are searched quickly.

        Arguments:
            spent: seconds that the page has taken already.
        """
        return value_store.along(game, states, self.values, analyst(self.registry, game), spent)

    def _curve(
        self, history: GameHistory, along: list[value_store.StateValue | None] | None, moves: Sequence[Judged | None]
    ) -> Markup | None:
        if not along:
            return None
        names = capabilities.player_names(history.game)
        drawn = line_chart.curve_svg(
            [each.value if each else None for each in along],
            history.address.seen,
            names,
            lambda number: history.address.looking_at(number).url(),
            {number: each.verdict for number, each in enumerate(moves, 1) if each and each.verdict},
            lambda value: value_text(history.game, value, exact=False),
        )
        return Markup(drawn)  # noqa: S704 - the drawing escapes what it is given

    def _stream(self, history: GameHistory, tell: Tell) -> Answer:
        """Return the analysis of a position as it deepens: parts of the page, with the last one as the response."""

        name, seen = value_store.key(history.game, history.state), history.address.seen
        value_store.consult(self.values, history.game, history.states[max(0, seen - 1) : seen + 1])
        before = value_store.state_value(self.values, name)

        def piece(result: SearchResult, best: value_store.StateValue, *, running: bool) -> str:
            finding = live_results.finding(history, result, best, running=running)
            return templates().get_template("analysis.html").render(finding=finding)

        def look(result: SearchResult) -> None:
            best = value_store.better(value_store.value_of(history.game, history.state, result), before)
            tell("found", piece(result, best, running=True))

        result = live_results.with_distance(history, live_results.analyse(history, live_results.STREAMED, look))
        best = value_store.learn(self.values, history.game, history.state, result)
        tell("ended", piece(result, best, running=False))
        return Answer()
