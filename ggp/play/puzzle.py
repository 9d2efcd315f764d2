"""Puzzles: positions in which exactly one move wins, by exact values. Each number always gives the same puzzle."""

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
"""Number of random games whose last positions are tried."""
BACK = range(3, 11)
"""How many plies before the end of the game a puzzle begins."""
LONGEST = 400
"""Maximum number of plies of a random game."""
FEWEST = 3
"""Minimum number of legal moves in a puzzle."""
PROOF = Limits(nodes=2_000)
"""Limits for proving the values of a position. There is no time limit, so that the result does not depend on the
machine.
"""


@attrs.frozen
class Puzzle:
    """A position, and the only move that wins."""

    number: int
    state: State
    action: Action


def today() -> int:
    """Return the number of today's puzzle. Days are counted in UTC, so the puzzle is the same everywhere."""
    return (datetime.datetime.now(datetime.UTC).date() - FIRST_DAY).days + 1


def puzzle(registry: Registry, game: AnyGame, number: int) -> Puzzle:
    """Return the puzzle with this number.

    Raises:
        GGPError: no suitable position was found, or no searcher can search the game.
    """
    searcher = analyst(registry, game)
    if searcher and not capabilities.is_stochastic(game):
        # Seeded by text, since `hash` of a string differs from process to process.
        dice = random.Random(f"{game.name} {capabilities.parameters(game)} {number}")
        for _ in range(TRIES):
            for state in _positions(game, dice):
                action = only_win(searcher, game, state)
                if action is not None:
                    return Puzzle(number, state, action)
    raise GGPError(f"there is no puzzle {number} of {game.name}: no position was found in which exactly one move wins")


def only_win(searcher: Searcher, game: AnyGame, state: State) -> Action:
    """Return the only action that wins for the player to move; None if there is not exactly one, or it is not known."""
    if len(capabilities.legal_actions(game, state)) < FEWEST:
        return None
    found = searcher.analyse(game, state, PROOF)
    if not found.exact or found.values is None:
        return None
    sign = 1 if game.to_move(state) == MAX else -1
    # Exact values only: a puzzle must not have a second solution.
    wins = [action for action, value in found.values.items() if sign * value > 0]
    return wins[0] if len(wins) == 1 else None


def _positions(game: AnyGame, dice: random.Random) -> list[State]:
    """Return the last positions of a random game, in random order; none if the game is too long."""
    states = [game.initial_state()]
    while not game.terminal_test(states[-1]) and len(states) < LONGEST:
        states.append(game.result(states[-1], dice.choice(capabilities.all_actions(game, states[-1]))))
    back = [number for number in BACK if number < len(states)] if game.terminal_test(states[-1]) else []
    return [states[-1 - number] for number in dice.sample(back, len(back))]
