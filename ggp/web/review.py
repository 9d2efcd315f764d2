"""A review of a game: the value of each move, the mistakes, and the best moves instead."""

import itertools
from collections.abc import Sequence
from math import tanh

import attrs

from ggp import capabilities
from ggp.game import CHANCE, MAX, AnyGame, Bounded, State
from ggp.show.worth import rounded
from ggp.web.game_history import GameHistory
from ggp.web.value_store import StateValue

STEEP = 0.3
"""A lead of this share of the greatest utility counts as three quarters of a win: tanh(1) is 0.76."""
MISTAKE, BLUNDER = 0.2, 0.5
"""Loss of winning chances, on a scale from -1 to 1, from which a move is a mistake or a blunder."""
SIGNS = {"mistake": "?", "blunder": "??"}


@attrs.frozen
class Judged:
    """A move and its value."""

    value: StateValue
    """The value of the state after the move."""
    verdict: str = ""
    """"mistake", "blunder", or "" for any other."""
    best: str = ""
    """The best moves, if this one is a mistake or a blunder."""

    @property
    def sign(self) -> str:
        """The annotation after the move: "?" or "??"."""
        return SIGNS.get(self.verdict, "")

    @property
    def words(self) -> str:
        """The value, how reliable it is, and the best moves."""
        worth = f"{rounded(self.value.value)}, {self.value.sure}"
        return f"{worth}; {self.verdict}: best was {self.best}" if self.verdict else worth


def greatest(game: AnyGame, state: State, values: Sequence[float] = ()) -> float:
    """Return the greatest absolute utility that is known to be possible from a state."""
    bounds = game.bounds(state) if isinstance(game, Bounded) else ()
    return max((abs(each) for each in (*bounds, *values)), default=1.0) or 1.0


def chances(value: float, most: float) -> float:
    """Return MAX's chances in a position with that value, from -1 (loses) to 1 (wins).

    Arguments:
        most: the greatest utility.
    """
    return tanh(value / (STEEP * most))


def share(game: AnyGame, state: State, value: float) -> float:
    """Return MAX's share of the value bar, from 0 to 1."""
    return round((1 + chances(value, greatest(game, state, (value,)))) / 2, 3)


def judged(history: GameHistory, values: Sequence[StateValue | None]) -> list[Judged | None]:
    """Return each move of a game with its value; None for a move whose value is unknown.

    Arguments:
        values: the values of the states of the game.
    """
    game = history.game
    most = greatest(game, history.states[0], [each.value for each in values if each])
    found: list[Judged | None] = []
    for place, (before, after) in enumerate(itertools.pairwise(values)):
        mover = game.to_move(history.states[place])
        verdict = ""
        played = history.text(history.actions[place], place)
        if before and after and mover != CHANCE and before.best not in ("", played):
            lost = chances(before.value, most) - chances(after.value, most)
            lost = lost if mover == MAX else -lost
            verdict = "blunder" if lost >= BLUNDER else "mistake" if lost >= MISTAKE else ""
        found.append(Judged(after, verdict, before.best if before and verdict else "") if after else None)
    return found


def summary(history: GameHistory, moves: Sequence[Judged | None]) -> list[str]:
    """Return for each side the number of its mistakes and blunders: "South: 1 mistake, no blunder"."""
    names = capabilities.player_names(history.game)
    own: list[list[str]] = [[], []]
    for state, move in zip(history.states, moves, strict=False):
        mover = history.game.to_move(state)
        if move and mover != CHANCE:
            own[mover].append(move.verdict)
    return [f"{name}: {_many(all, 'mistake')}, {_many(all, 'blunder')}" for name, all in zip(names, own, strict=True)]


def _many(verdicts: Sequence[str], which: str) -> str:
    count = verdicts.count(which)
    return f"{count or 'no'} {which}{'s' if count > 1 else ''}"
