"""The review of a game on the page: each request for the page searches some of its moves, until all are judged."""

import time
from collections.abc import Sequence

import attrs

from ggp import capabilities
from ggp.errors import GGPError
from ggp.play import background, review
from ggp.play.controller import analyst, values_are_means
from ggp.play.review import Judged, MoveValue
from ggp.searcher import Limits, Searcher, SearchResult
from ggp.web import value_store
from ggp.web.game_history import GameHistory
from ggp.web.value_store import StateValue, Values

LOOK = 1.5
"""Seconds after which no more moves are judged in one request."""
PATIENCE = 7.0
"""Seconds after which a request ends the search that still runs."""
EACH = 1.0
"""Maximum number of seconds of a search; the result of a search of this length is good enough."""


class LookIsOverError(Exception):
    """Raised if there is no time left for a search."""


@attrs.frozen
class GameReview:
    """The moves of a game, as far as they are judged."""

    moves: Sequence[Judged | None] = ()
    """The review of each move; None if it is not judged yet, or there was nothing to choose."""
    done: int = 0
    """Number of moves that have been judged."""
    wanted: int = 0
    """Number of moves to judge."""
    stuck: bool = False
    """Whether the other moves cannot be judged, since no searcher can search their states."""

    @property
    def running(self) -> bool:
        """Whether some moves have not been judged yet."""
        return self.done < self.wanted and not self.stuck

    def mistakes(self, sides: Sequence[int], history: GameHistory) -> list[int]:
        """Return the numbers of the moves, from 1, that are mistakes or blunders of these sides."""
        movers = (history.game.to_move(state) for state in history.states)
        judged = enumerate(zip(self.moves, movers, strict=False), 1)
        return [number for number, (move, mover) in judged if move and move.verdict and mover in sides]


def game_review(history: GameHistory, values: Values) -> GameReview:
    """Return the review of a game as far as it is known, after a few seconds of work on the rest."""
    places = review.moves_of_players(history.game, history.match().moves)
    judge = move_judge(history, values)
    judged: list[Judged | None] = [None] * len(history.actions)
    done = 0
    for index in places:
        value, finished = judge.value(index)
        done += finished
        if value:
            state = history.states[index]
            who = "you" if history.is_visitor(history.game.to_move(state)) else ""
            judged[index] = review.judge(history.game, state, value, who)
    return GameReview(judged, done, len(places), judge.failed)


def move_judge(history: GameHistory, values: Values) -> "MoveJudge":
    """Return the judge of a game's moves, which searches as deep as the address asks for."""
    return MoveJudge(history, values, review.NODES * review.DEEPER**history.address.deeper)


class MoveJudge:
    """Values the moves of a game as long as there is time.

    Arguments:
        nodes: the maximum number of nodes of a search.
    """

    def __init__(self, history: GameHistory, values: Values, nodes: int) -> None:
        self.history, self.game, self.values, self.nodes = history, history.game, values, nodes
        self.began = time.monotonic()
        self.searcher: Searcher | None = analyst(history.registry, history.game)
        self.failed = self.searcher is None

    def value(self, ply: int, move: str | None = None) -> tuple[MoveValue | None, bool]:
        """Return what is known so far about a move (None: nothing), and whether its search was as deep as asked.

        Arguments:
            ply: the number of moves that were played before this one.
            move: a move in the game's notation; None: the move that was played.
        """
        state = self.history.states[ply]
        text = move or self.history.text(self.history.actions[ply], ply)
        key = value_store.move_key(self.game, state, text)
        found = self.values.known([key]).get(key)
        known = found if isinstance(found, MoveValue) else None
        if known and (known.exact or known.nodes >= self.nodes):
            return known, True
        if self.failed or time.monotonic() - self.began > LOOK:
            return known, False
        action = capabilities.parse_action(self.game, state, text)
        try:
            mean = values_are_means(self.history.registry, self.game)
            judged = review.reviewed(self.game, state, action, self._search, self.nodes, mean=mean)
        except LookIsOverError:
            return known, False
        except GGPError:
            self.failed = True
            return known, False
        self.values.remember(key, judged)
        if judged.exact:
            after = self.game.result(state, action)
            value = StateValue(judged.value, True, 0, max(0, judged.depth - 1), judged.reply)
            self.values.remember(value_store.key(self.game, after), value)
        return judged, True

    def _search(self, state: object, limits: Limits) -> SearchResult:
        left = PATIENCE - (time.monotonic() - self.began)
        if left <= 0 or self.searcher is None:
            raise LookIsOverError
        limits = attrs.evolve(limits, seconds=min(EACH, left))
        result = background.short_search(
            lambda each, report: each.search(self.game, state, limits, report=report), self.searcher
        )
        if result.stopped == "seconds" and left < EACH:
            raise LookIsOverError
        value_store.learn(self.values, self.game, state, result)
        return result
