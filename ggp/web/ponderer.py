"""Pondering on the page: a machine searches on while the visitor thinks, as long as no request is waiting."""

import contextlib
import time

import attrs

from ggp import repetition
from ggp.game import AnyGame, State
from ggp.play import Match, Participant
from ggp.play.pondering import LONGEST
from ggp.searcher import Limits, Pondering
from ggp.web.address import Address
from ggp.web.game_history import GameHistory
from ggp.web.visitor_players import InTime


@attrs.frozen
class _Position:
    """A position in which a visitor is to move against a machine that ponders."""

    machine: InTime
    game: AnyGame
    state: State
    before: tuple[State, ...]
    """The earlier states of the game: one of them may come back."""
    url: str
    """The address of the game up to this position."""


@attrs.define
class Ponderer:
    """Lets a machine ponder: the one that was the last to move in this worker. The searcher of this machine keeps the
    tree of its last search.
    """

    _position: _Position | None = None
    _until: float = 0.0
    """The time at which the ponderer stops searching in this position."""

    @property
    def url(self) -> str:
        """The address of the game that the ponderer would search now; "" for none."""
        return self._position.url if self._position and time.monotonic() < self._until else ""

    def recalled(self, history: GameHistory) -> GameHistory:
        """Return the history with the machine of the last position, if this machine still plays.

        So the machine's next search can reuse the tree of its last one.
        """
        position = self._position
        if position is None or position.game != history.game:
            return history
        first, second = (
            position.machine if _ponders(each) and each.text == position.machine.text else each
            for each in history.players
        )
        return attrs.evolve(history, players=(first, second))

    def watch(self, match: Match, address: Address) -> None:
        """Choose the match's position for pondering, if a human is to move and the opponent is a machine that ponders.

        The machine's last search must have run compiled: then nothing has to be compiled now, and the search can be
        stopped at any time.
        """
        self._position = None
        if match.over:
            return
        mover = match.game.to_move(match.state)
        machine = match.players[1 - mover] if mover in (0, 1) else None
        moves = [move.thinking for move in match.moves if move.mover == 1 - mover and move.thinking]
        if _ponders(machine) and isinstance(machine, InTime) and moves and moves[-1].speed == "compiled":
            before = (match.start, *(move.after for move in match.moves[:-1]))
            bare = attrs.evolve(address, shown=(), view=None, puzzle=None)
            self._position = _Position(machine, match.game, match.state, before, bare.url())
            self._until = time.monotonic() + LONGEST

    def search(self) -> None:
        """Search in this position until `ggp.searcher.stop_when` ends the search, but no longer than a minute after the
        machine's move. Errors are ignored: they occur again in the search for a move, which reports them.
        """
        position, left = self._position, self._until - time.monotonic()
        if position is None or left <= 0:
            return
        with contextlib.suppress(BaseException), repetition.played_before(position.before):
            position.machine.machine.searcher.search(position.game, position.state, Limits(seconds=left))


def _ponders(player: Participant | None) -> bool:
    searcher = player.machine.searcher if isinstance(player, InTime) else None
    return isinstance(searcher, Pondering) and searcher.ponder
