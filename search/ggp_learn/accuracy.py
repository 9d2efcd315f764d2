"""Accuracy: the moves of players, compared with exact values.

positions = solved_positions(game, 100)
accuracy = measure(game, player, positions)
accuracy.best, accuracy.loss
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
from ggp_solve.analysis import analyse
from ggp_solve.enumeration.enumeration import StoppedError, TooLargeError
from ggp_solve.solver import Solver

from ggp import capabilities, repetition
from ggp.errors import GGPError, UnsupportedGameError
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.play.players import Participant
from ggp.searcher import stop_when
from ggp.tables import Table, Tabular
from ggp_learn.cells import PLIES, random_action

SMALL = 2_000_000
"""Maximum number of positions at which a game is enumerated, though its values can also be proved one by one."""
ENUMERATION, WHOLE = 10.0, 300.0
"""Seconds for enumerating such a game, and any other."""
ATTEMPTS = 20
"""Random games for each position that is wanted."""
EQUAL = 1e-9
"""Values that differ by no more than this are equal."""
PHASES = ("beginning", "middle", "end")
"""The thirds of a game, by the number of moves."""


@attrs.frozen
class SolvedPosition:
    """A position in which the exact value of every move is known."""

    state: State
    ply: int
    plies: int
    """The number of moves before the position, and those of the random game that it is from."""
    values: dict[Action, float]
    """The value to MAX of each action."""
    best: float

    @property
    def phase(self) -> str:
        """The third of the game."""
        return PHASES[min(2, 3 * self.ply // max(1, self.plies))]

    @property
    def matters(self) -> bool:
        """Whether some moves are better than others."""
        return max(self.values.values()) - min(self.values.values()) > EQUAL

    def loss(self, action: Action) -> float:
        """Return what an action loses against best play."""
        return abs(self.best - self.values[action])

    def is_best(self, action: Action) -> bool:
        """Return whether no action is better."""
        return self.loss(action) <= EQUAL


@attrs.frozen
class JudgedMove:
    """A player's move in a position with known values."""

    position: SolvedPosition
    action: Action
    seconds: float

    @property
    def loss(self) -> float:
        """The loss of the move against best play."""
        return self.position.loss(self.action)

    @property
    def is_best(self) -> bool:
        """Whether no move is better."""
        return self.position.is_best(self.action)


@attrs.frozen
class Accuracy(Tabular):
    """The moves of a player."""

    player: str
    moves: tuple[JudgedMove, ...]

    @property
    def best(self) -> float:
        """The share of best moves, 0 to 1."""
        return _share(self.moves)

    @property
    def best_where_it_matters(self) -> float | None:
        """Share of best moves in positions where some moves are worse; None if there are no such positions."""
        moves = [move for move in self.moves if move.position.matters]
        return _share(moves) if moves else None

    @property
    def loss(self) -> float:
        """Mean loss of a move against best play."""
        return sum(move.loss for move in self.moves) / max(1, len(self.moves))

    @property
    def phases(self) -> dict[str, "Accuracy"]:
        """The moves of each third of the game."""
        parts = {phase: tuple(move for move in self.moves if move.position.phase == phase) for phase in PHASES}
        return {phase: Accuracy(self.player, moves) for phase, moves in parts.items() if moves}

    def worst(self, count: int) -> tuple[JudgedMove, ...]:
        """Return the moves that lose most, at most `count`."""
        lost = [move for move in self.moves if not move.is_best]
        return tuple(sorted(lost, key=lambda move: -move.loss)[:count])

    def table(self, game: AnyGame | None = None, state: State = None) -> Table:
        """Return a row for each move."""
        text = None if game is None else capabilities.notation(game)
        return Table(
            {
                "player": self.player,
                "state": repr(move.position.state) if text is None else text.format_state(move.position.state),
                "ply": move.position.ply,
                "phase": move.position.phase,
                "move": repr(move.action) if text is None else text.format_action(move.position.state, move.action),
                "value": move.position.values[move.action],
                "best": move.position.best,
                "loss": move.loss,
                "matters": move.position.matters,
                "seconds": move.seconds,
            }
            for move in self.moves
        )


def _share(moves: Sequence[JudgedMove]) -> float:
    return sum(move.is_best for move in moves) / max(1, len(moves))


@attrs.frozen
class PositionSet:
    """Positions with known values."""

    positions: tuple[SolvedPosition, ...]
    unsolved: int
    """Number of positions that were left out, because their values were not found in time."""
    method: str
    """How the values were found."""


def solved_positions(
    game: AnyGame,
    count: int,
    *,
    seed: int = 0,
    plies: tuple[int, int] = (0, PLIES),
    seconds: float = 2.0,
    report: Callable[[int, int], None] = lambda solved, unsolved: None,
) -> PositionSet:
    """Return positions of random games, with the exact values of all moves.

    Small games, those with chance and those whose positions come back are enumerated. In others the values are proved
    position by position. Positions that take too long are left out, so early positions are rarer than late ones.

    Arguments:
        count: the maximum number of positions.
        plies: the least and the greatest number of moves before a position.
        seconds: the time for the values of a position, where positions are solved one by one.
        report: called with the number of positions solved so far, and the number left out.

    Raises:
        UnsupportedGameError: no exact values can be found.
    """
    solver = _enumerated(game)
    whole = repetition.may_repeat(game) or capabilities.is_stochastic(game)
    if solver is None and whole:
        raise UnsupportedGameError(
            f"the exact values of {game.name} are not known: it has too many positions for enumeration, and no others"
            " can be found in games of chance and games that repeat"
        )
    found: list[SolvedPosition] = []
    unsolved = 0
    for state, ply, length in _random_positions(game, count, seed, plies):
        values = _values(solver, state) if solver else _proved(game, state, seconds)
        if values is None:
            unsolved += 1
        else:
            best = max(values.values()) if game.to_move(state) == MAX else min(values.values())
            found.append(SolvedPosition(state, ply, length, values, best))
        report(len(found), unsolved)
        if len(found) == count or (not found and unsolved >= 50):
            break
    return PositionSet(tuple(found), unsolved, solver.method if solver else "proof")


def _enumerated(game: AnyGame) -> Solver | None:
    """Return the game with all positions solved; None if that takes too long, or too much memory."""
    whole = repetition.may_repeat(game) or capabilities.is_stochastic(game)
    limits: dict[str, Any] = {} if whole else {"most": SMALL}
    end = time.perf_counter() + (WHOLE if whole else ENUMERATION)
    try:
        solver = Solver(game, game.initial_state(), memory=1024, **limits)
        with stop_when(lambda: time.perf_counter() > end):
            solver.run()
    except (StoppedError, TooLargeError):
        return None
    except GGPError:
        if whole:
            raise
        return None
    return solver


def _values(solver: Solver, state: State) -> dict[Action, float] | None:
    choices = solver.choices_now(state)
    return {choice.action: choice.middle for choice in choices} if choices else None


def _proved(game: AnyGame, state: State, seconds: float) -> dict[Action, float] | None:
    found = analyse(game, state, seconds, memory=64)
    if found.stopped == "interrupt":
        raise KeyboardInterrupt
    return {move.action: move.value for move in found.moves} if found.complete else None


def _random_positions(game: AnyGame, count: int, seed: int, plies: tuple[int, int]) -> Iterator[tuple[State, int, int]]:
    """Yield from each random game one position in which a player has a choice, with the number of moves before it and
    the number of moves of the game.
    """
    dice, seen = random.Random(f"{seed} accuracy"), set()
    for _ in range(ATTEMPTS * count):
        states: list[State] = []
        state = game.initial_state()
        while len(states) < PLIES and not game.terminal_test(state):
            states.append(state)
            state = game.result(state, random_action(game, state, dice))
        open_to_choice = [
            ply
            for ply, each in enumerate(states)
            if plies[0] <= ply <= plies[1] and game.to_move(each) != CHANCE and len(_actions(game, each)) > 1
        ]
        if open_to_choice:
            ply = dice.choice(open_to_choice)
            if states[ply] not in seen:
                seen.add(states[ply])
                yield states[ply], ply, len(states)


def _actions(game: AnyGame, state: State) -> list[Action]:
    return list(capabilities.legal_actions(game, state))


def measure(
    game: AnyGame,
    player: Participant,
    positions: Sequence[SolvedPosition],
    report: Callable[[Accuracy], None] = lambda accuracy: None,
) -> Accuracy:
    """Return the player's moves in positions with known values. Raises as `Participant.choose`."""
    moves: list[JudgedMove] = []
    for position in positions:
        began = time.perf_counter()
        action = player.choose(game, position.state).action
        moves.append(JudgedMove(position, action, time.perf_counter() - began))
        report(Accuracy(player.name, tuple(moves)))
    return Accuracy(player.name, tuple(moves))
