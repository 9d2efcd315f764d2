"""Accuracy: the moves of players, compared with exact values.

positions = solved_positions(game, 100)
accuracy = measure(game, player, positions)
accuracy.best, accuracy.loss
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence

import attrs
from ggp_solve.analysis import TABLE, Analyser
from ggp_solve.enumeration.enumeration import StoppedError, TooLargeError
from ggp_solve.solver import Solver

from ggp import capabilities, repetition
from ggp.errors import GGPError
from ggp.frozen_games import frozen_play
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.play.players import Participant
from ggp.plugins import installed_registry
from ggp.progress import lengthy
from ggp.searcher import stop_requested, stop_when
from ggp.tables import ResultTable, Tabular
from ggp_learn.cells import PLIES, random_action

PATIENCE = 0.1
"""Seconds in which the values of a position must be found. With ten times this time, few more positions of random games
in Connect Four are solved: 30 of 60 instead of 18, and one of the 30 took most of the time.
"""
ENUMERATION = 15.0
"""Maximum time for enumerating a whole game, in seconds."""
MEMORY = 1024
"""Maximum memory for enumerating a whole game, in megabytes."""
ATTEMPTS = 20
"""Number of random games that are played for each wanted position."""
HOPELESS = 50
"""If this number of positions was tried and none was solved, no further positions are tried."""
NEAR, TRIES, SOLVED = 1, 6, 0.4
"""Positions up to `NEAR` plies away count as near.

A ply is skipped if `TRIES` or more near positions were tried, and less than the share `SOLVED` of them was solved.
"""
EQUAL = 1e-9
"""Values that differ by no more than this count as equal."""
PHASES = ("beginning", "middle", "end")
"""The thirds of a game, by the number of moves."""


@attrs.frozen
class SolvedPosition:
    """A position in which the exact value of every move is known."""

    state: State
    ply: int
    plies: int
    """The number of moves before the position, and the number of moves of its random game."""
    values: dict[Action, float]
    """The value to MAX of each action."""
    best: float

    @property
    def phase(self) -> str:
        """The third of the game in which the position occurred, as in `PHASES`."""
        return PHASES[min(2, 3 * self.ply // max(1, self.plies))]

    @property
    def matters(self) -> bool:
        """Whether some moves are better than others."""
        return max(self.values.values()) - min(self.values.values()) > EQUAL

    def loss(self, action: Action) -> float:
        """Return how much less an action is worth than the best action, with best play afterwards."""
        return abs(self.best - self.values[action])

    def is_best(self, action: Action) -> bool:
        """Return whether no action is better than this one."""
        return self.loss(action) <= EQUAL


@attrs.frozen
class JudgedMove:
    """A player's move in a position with known values."""

    position: SolvedPosition
    action: Action
    seconds: float
    """The time that the player took for the move, without compiling."""

    @property
    def loss(self) -> float:
        """The value that the move loses, with best play afterwards."""
        return self.position.loss(self.action)

    @property
    def is_best(self) -> bool:
        """Whether no move is better than this one."""
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
        """The share of best moves in positions where some moves are worse; None if there are no such positions."""
        moves = [move for move in self.moves if move.position.matters]
        return _share(moves) if moves else None

    @property
    def loss(self) -> float:
        """The mean value that a move loses, with best play afterwards."""
        return sum(move.loss for move in self.moves) / max(1, len(self.moves))

    @property
    def phases(self) -> dict[str, "Accuracy"]:
        """The moves of each third of the game."""
        parts = {phase: tuple(move for move in self.moves if move.position.phase == phase) for phase in PHASES}
        return {phase: Accuracy(self.player, moves) for phase, moves in parts.items() if moves}

    def worst(self, count: int) -> tuple[JudgedMove, ...]:
        """Return the moves that lose most, at most `count` of them."""
        lost = [move for move in self.moves if not move.is_best]
        return tuple(sorted(lost, key=lambda move: -move.loss)[:count])

    def to_table(self, game: AnyGame | None = None, state: State = None) -> ResultTable:
        """Return a row for each move."""
        text = None if game is None else capabilities.notation(game)
        return ResultTable(
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
    """Number of positions whose values were not found in time. Later positions of the same games replace them.
    """
    method: str
    """The method by which the values were found."""


def solved_positions(
    game: AnyGame,
    count: int,
    *,
    seed: int = 0,
    plies: tuple[int, int] = (0, PLIES),
    seconds: float = PATIENCE,
    report: Callable[[int, int], None] = lambda solved, unsolved: None,
) -> PositionSet:
    """Return positions of random games, with the exact values of all moves.

    Small games are enumerated. For other games, values are found position by position: by proof or, in games with
    chance and games that repeat, by enumerating all positions that can follow. If solving a position takes too long, a
    later position of the same game is tried. So positions early in a game are rarer than late positions.

    Arguments:
        count: the maximum number of positions.
        plies: the least and the greatest number of moves before a position.
        seconds: the time limit for solving one position, if positions are solved one by one.
        report: called with the number of positions solved so far, and the number left out.

    Raises:
        UnsupportedGameError: no exact values can be found.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    with lengthy(f"enumerating {game.name}"):
        solver = _enumerated(game)
    whole = _is_whole(game)
    difficulty = _Difficulty()
    bound_positions: list[SolvedPosition] = []
    unsolved, method = 0, solver.method if solver else "proof"
    seen: set[State] = set()
    for states, choices, drawn in _random_games(game, count, seed, plies):
        index: int | None = drawn
        while index is not None:
            ply = choices[index]
            state = states[ply]
            if state in seen:
                break
            values = None
            if solver:
                values = _values(solver, state)
            elif not difficulty.is_hopeless(ply):
                if whole:
                    part = _enumerated(game, state, seconds)
                    values, method = (_values(part, state), part.method) if part else (None, method)
                else:
                    values = _proved(game, state, seconds)
                difficulty.add(ply, solved=values is not None)
            if values is not None:
                best = max(values.values()) if game.to_move(state) == MAX else min(values.values())
                bound_positions.append(SolvedPosition(state, ply, len(states), values, best))
                seen.add(state)
                break
            unsolved += 1
            report(len(bound_positions), unsolved)
            later = (index + len(choices)) // 2
            index = later if later > index else None
        report(len(bound_positions), unsolved)
        if len(bound_positions) == count or (not bound_positions and unsolved >= HOPELESS):
            break
    return PositionSet(tuple(bound_positions), unsolved, method)


class _Difficulty:
    """The plies of positions whose values were found in time, and the plies of positions whose values were not."""

    def __init__(self) -> None:
        self.tries: list[tuple[int, bool]] = []

    def add(self, ply: int, *, solved: bool) -> None:
        """Remember a try."""
        self.tries.append((ply, solved))

    def is_hopeless(self, ply: int) -> bool:
        """Return whether hardly any position near this ply was solved, so that it is not worth trying more."""
        near = [solved for tried, solved in self.tries if abs(tried - ply) <= NEAR]
        return len(near) >= TRIES and sum(near) < SOLVED * len(near)


def _is_whole(game: AnyGame) -> bool:
    """Return whether the values of a game can only be found together, not by a proof for each position."""
    return repetition.may_repeat(game) or capabilities.is_stochastic(game)


def _enumerated(game: AnyGame, state: State = None, seconds: float = ENUMERATION) -> Solver | None:
    """Return a solver with the values of all positions that can follow a state; None if finding them takes too much
    time or memory.

    Arguments:
        state: the state; None is the first state, so that the whole game is enumerated.
    """
    end = time.perf_counter() + seconds
    try:
        solver = Solver(game, game.initial_state() if state is None else state, memory=MEMORY)
        with stop_when(lambda: time.perf_counter() > end):
            solver.run()
    except (StoppedError, TooLargeError):
        if stop_requested():
            raise KeyboardInterrupt from None
        return None
    except GGPError:
        if _is_whole(game):
            raise
        return None
    return solver


def _values(solver: Solver, state: State) -> dict[Action, float] | None:
    choices = solver.choices_now(state)
    return {choice.action: choice.middle for choice in choices} if choices else None


def _proved(game: AnyGame, state: State, seconds: float) -> dict[Action, float] | None:
    registry = installed_registry()
    searcher = registry.searcher(registry.preferred_searcher(game))
    analyser = Analyser(*frozen_play(game, state), seconds, searcher, lambda analysis: None)
    analyser.prove(TABLE, 1, None)
    if analyser.proofs is None:  # all values are known already, or the game is interpreted
        analyser.estimate()
    if analyser.stopped == "interrupt":
        raise KeyboardInterrupt
    analysed = analyser.analysis
    return {move.action: move.value for move in analysed.moves} if analysed.complete else None


def _random_games(
    game: AnyGame, count: int, seed: int, plies: tuple[int, int]
) -> Iterator[tuple[list[State], list[int], int]]:
    """Yield random games.

    For each game, yield its states, the plies at which a player has a choice, and the index of one of these plies,
    chosen at random.
    """
    dice = random.Random(f"{seed} accuracy")
    for _ in range(ATTEMPTS * count):
        states: list[State] = []
        state = game.initial_state()
        while len(states) < PLIES and not game.terminal_test(state):
            states.append(state)
            state = game.result(state, random_action(game, state, dice))
        choices = [
            ply
            for ply, each in enumerate(states)
            if plies[0] <= ply <= plies[1] and game.to_move(each) != CHANCE and len(_actions(game, each)) > 1
        ]
        if choices:
            yield states, choices, dice.randrange(len(choices))


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
        choice = player.choose(game, position.state)
        took = max(0.0, time.perf_counter() - began - choice.compile_seconds)
        moves.append(JudgedMove(position, choice.action, took))
        report(Accuracy(player.name, tuple(moves)))
    return Accuracy(player.name, tuple(moves))
