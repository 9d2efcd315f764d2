"""Puzzles: positions in which exactly one move wins, by exact values. A number always gives the same puzzle."""

import datetime
import random

import attrs

from ggp import capabilities
from ggp.errors import GGPError
from ggp.game import MAX, Action, AnyGame, State
from ggp.play.controller import analyst
from ggp.plugins import Registry
from ggp.searcher import Limits, Searcher

FIRST_DAY = datetime.date(2026, 1, 1)
"""The day of puzzle 1."""
TRIES = 20
"""Random games whose last positions are looked at."""
BACK = range(3, 11)
"""How many plies before the end these are."""
LONGEST = 400
"""Plies of a random game."""
FEWEST = 3
"""Moves that there are to choose from, at least."""
PROOF = Limits(nodes=2_000)
"""Limits of finding the values of a position. There is no limit of time, so that it ends the same everywhere."""


@attrs.frozen
class Puzzle:
    """A position, and the only move that wins."""

    number: int
    state: State
    action: Action


def today() -> int:
    """Return the number of the day's puzzle, the same everywhere: days are counted in UTC."""
    return (datetime.datetime.now(datetime.UTC).date() - FIRST_DAY).days + 1


def puzzle(registry: Registry, game: AnyGame, number: int) -> Puzzle:
    """Return the puzzle of that number.

    Raises:
        GGPError: no position that makes a puzzle was found, or no searcher can search the game.
    """
    searcher = analyst(registry, game)
    if searcher and not capabilities.is_stochastic(game):
        dice = random.Random(f"{game.name} {capabilities.parameters(game)} {number}")
        for _ in range(TRIES):
            for state in _positions(game, dice):
                action = only_win(searcher, game, state)
                if action is not None:
                    return Puzzle(number, state, action)
    raise GGPError(f"there is no puzzle {number} of {game.name}: no position was found in which exactly one move wins")


def only_win(searcher: Searcher, game: AnyGame, state: State) -> Action:
    """Return the only action that wins for whoever is to move; None if others win, none does, or it is not known."""
    if len(capabilities.legal_actions(game, state)) < FEWEST:
        return None
    found = searcher.analyse(game, state, PROOF)
    if not found.exact or found.values is None:
        return None
    sign = 1 if game.to_move(state) == MAX else -1
    wins = [action for action, value in found.values.items() if sign * value > 0]
    return wins[0] if len(wins) == 1 else None


def _positions(game: AnyGame, dice: random.Random) -> list[State]:
    """Return the last positions of a random game, in any order; none if it does not come to its end."""
    states = [game.initial_state()]
    while not game.terminal_test(states[-1]) and len(states) < LONGEST:
        states.append(game.result(states[-1], dice.choice(list(game.actions(states[-1])))))
    back = [number for number in BACK if number < len(states)] if game.terminal_test(states[-1]) else []
    return [states[-1 - number] for number in dice.sample(back, len(back))]
