"""Analysis of a position: the value of every move, proved if there is enough time, otherwise estimated by a search.

    analysis = analyse(kalah, state, seconds=5)
    analysis.moves[0].action, analysis.moves[0].value, analysis.moves[0].exact

First, a searcher with iterative deepening estimates the values. Then the values are proved one move after another, the
most promising move first, by searches to the end of the game with a common table (`ggp_solve.proof.prover`). The proofs
do not share the table of the first search, so no estimate can be mistaken for an exact value.
"""

import time
from collections.abc import Callable, Mapping
from math import inf

import attrs
from ggp_search.engine.engine import CompiledFormError
from ggp_search.tablebases.best_play import KnownValues
from ggp_search.tablebases.tablebase import Tablebase

from ggp.capabilities import evaluation, format_line, is_stochastic, notation
from ggp.errors import DepthError, GGPError, UsageError
from ggp.frozen_games import frozen_play
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.opening_book import known_values
from ggp.plugins import installed_registry
from ggp.repetition import may_repeat
from ggp.searcher import Limits, Parallel, Searcher, SearchResult, action_columns, stop_when
from ggp.tables import ResultTable, Tabular
from ggp_solve.enumeration.enumeration import StoppedError
from ggp_solve.proof.move_proofs import MoveProofs
from ggp_solve.proof.prover import Interval, new_prover
from ggp_solve.solver import Solver

FEW_POSITIONS = 2000
"""Maximum number of positions of a game that is enumerated before any search; the enumeration takes a few hundredths of
a second.
"""
ENUMERATION = 0.1
"""The share of the time that this first enumeration may take."""
DEEPENING, LINES = 0.25, 0.1
"""The share of the time for estimates, and the share for the principal variations of moves whose values were not
proved.
"""
TABLE = 16
"""Size of the table, in megabytes for each second of the given time.

A larger table would not be filled, and takes time to allocate.
"""


@attrs.frozen(kw_only=True)
class AnalysedMove:
    """A move with its value, and how reliable the value is."""

    action: Action
    value: float
    """The value to MAX: exact, or an estimate within the proved bounds."""
    proved: Interval
    """The proved bounds of the value to MAX."""
    depth: int | None
    """The depth of the search behind an estimate, in plies from the position; None for an exact value."""
    line: tuple[Action, ...]
    """The move, and best play of both sides after it, as far as it is known."""
    distance: int | None = None
    """Plies to the end with best play, the move included; None if unknown."""

    @property
    def exact(self) -> bool:
        """Whether the value is the game's true value."""
        return self.proved[0] == self.proved[1]


@attrs.frozen(kw_only=True)
class PositionAnalysis(Tabular):
    """All moves of a position."""

    value: float
    """The value of the position to MAX: exact, or an estimate."""
    exact: bool
    """Whether this value is exact; it may be exact before the values of all moves are exact."""
    moves: tuple[AnalysedMove, ...]
    """The moves, the best move for the player to move first; empty if the game is over."""
    distance: int | None = None
    """Plies to the end with best play; None if unknown."""
    stopped: str | None = None
    """"interrupt" if Ctrl-C ended the analysis early; otherwise None."""
    searcher: str = ""
    """The name of the searcher that made the estimates."""
    speed: str = "interpreted"
    states: int = 0
    """Number of nodes."""
    seconds: float = 0.0
    """Seconds of search."""
    note: str | None = None
    """A clause with the reason why something, such as compiling, was impossible."""

    @property
    def complete(self) -> bool:
        """Whether all values are exact."""
        return all(move.exact for move in self.moves)

    def to_table(self, game: AnyGame | None = None, state: State = None) -> ResultTable:
        """Return a row for each move, the best move first; the rest is as in `ggp.searcher.SearchResult.to_table`."""
        return ResultTable(
            action_columns(move.action, game, state)
            | {
                "value": move.value,
                "exact": move.exact,
                "depth": move.depth,
                "distance": move.distance,
                "lower": move.proved[0],
                "upper": move.proved[1],
                "line": repr(move.line) if game is None else " ".join(format_line(game, state, move.line)),
                "nodes": self.states,
                "seconds": self.seconds,
            }
            for move in self.moves
        )


Report = Callable[[PositionAnalysis], None]


def analyse(
    game: AnyGame,
    state: State,
    seconds: float = 5.0,
    report: Report | None = None,
    *,
    searcher: Searcher | None = None,
    memory: float = 512,
    threads: int = 1,
    tablebase: Tablebase | None = None,
    positions: KnownValues | None = None,
) -> PositionAnalysis:
    """Find the value of every move of `state`: proved if there is enough time, otherwise estimated.

    Ctrl-C ends the analysis early; the result then has `stopped == "interrupt"`.

    Arguments:
        seconds: the time to search, not counting compilation.
        report: called several times a second with the analysis so far.
        searcher: the searcher for the estimates; None: the searcher that suits the game best.
        memory: maximum size of the table for proofs, in megabytes.
        threads: the number of threads.
        tablebase: the tablebase that searches probe.
        positions: a table of known values; if the table has the position, nothing is searched.

    Raises:
        UnsupportedGameError: no searcher can search the game.
        UsageError: chance is to move.
    """
    game, state = frozen_play(game, state)
    finder = searcher or _preferred(game)
    if threads > 1 and isinstance(finder, Parallel):
        finder = attrs.evolve(finder, threads=threads)  # type: ignore[misc]
    if game.terminal_test(state):
        return PositionAnalysis(value=game.utility(state, MAX), exact=True, moves=(), searcher=finder.name)
    if game.to_move(state) == CHANCE:
        where = notation(game).format_state(state)
        raise UsageError(f"{where} has no moves to analyse: chance is to move")
    known = (positions and look_up(positions, state)) or _enumerated(game, state, seconds)
    if known:
        return known
    analyser = Analyser(game, state, seconds, finder, report or (lambda analysis: None))
    analyser.estimate()
    analyser.prove(memory, threads, tablebase)
    analyser.find_lines()
    return analyser.analysis


def look_up(positions: KnownValues, state: State) -> PositionAnalysis | None:
    """Return the analysis from a table; None if the table lacks the value of a move."""
    game, choices = positions.game, positions.choices_now(state)
    if not choices:
        return None
    moves = []
    while choices:  # the best, and the best of those left
        best = positions.preferred(state, choices)
        choices = tuple(choice for choice in choices if choice is not best)
        line = () if best.ended else positions.line(game.result(state, best.action))
        moves.append(
            AnalysedMove(
                action=best.action,
                value=best.middle,
                proved=(best.lower, best.upper),
                depth=None,
                line=(best.action, *line),
                distance=best.distance,
            )
        )
    first = moves[0]
    return PositionAnalysis(
        value=first.value, exact=first.exact, moves=tuple(moves), distance=first.distance, searcher="tablebase"
    )


def _enumerated(game: AnyGame, state: State, seconds: float) -> PositionAnalysis | None:
    """Return the analysis of a position of a game with repetitions, if all reachable positions can
    be solved quickly.
    """
    if is_stochastic(game) or not may_repeat(game):
        return None
    began = time.perf_counter()
    solver = Solver(game, state, most=FEW_POSITIONS)
    try:
        with stop_when(lambda: time.perf_counter() - began > ENUMERATION * seconds):
            solver.run()
    except (StoppedError, GGPError):  # searches find out what is wrong, if anything is
        return None
    found = look_up(solver, state)
    return found and attrs.evolve(
        found,
        searcher=solver.method,
        speed=solver.found.run.name,
        states=solver.found.count,
        seconds=time.perf_counter() - began,
    )


def _preferred(game: AnyGame) -> Searcher:
    registry = installed_registry()
    return registry.searcher(registry.preferred_searcher(game))


@attrs.define
class Analyser:
    """Runs one analysis."""

    game: AnyGame
    state: State
    seconds: float
    searcher: Searcher
    report: Report
    children: dict[Action, State] = attrs.field(init=False)
    """The state after each action."""
    best: Callable[..., float] = attrs.field(init=False)
    """`max` or `min`: the function that returns the value that the player to move prefers."""
    found: SearchResult | None = None
    proofs: MoveProofs | None = None
    lines: dict[Action, tuple[Action, ...]] = attrs.field(factory=dict)
    """Best play after each move whose value was not proved."""
    known: Mapping[Action, float] = attrs.field(init=False)
    """The values of the actions whose values are known without a search; a best action is among them."""
    stopped: str | None = None
    note: str | None = None
    _spent: float = 0.0
    """Seconds of search."""

    def __attrs_post_init__(self) -> None:
        self.children = {each: self.game.result(self.state, each) for each in self.game.actions(self.state)}
        self.best = max if self.game.to_move(self.state) == MAX else min
        self.known = known_values(self.game, self.state)

    def estimate(self) -> None:
        """Estimate the value of every move by iterative deepening."""
        if self._is_exact():
            return

        def look(result: SearchResult) -> None:
            self.found = result
            self.report(self.analysis)

        share = 1.0 if is_stochastic(self.game) else 1 - LINES if may_repeat(self.game) else DEEPENING
        result = self.searcher.analyse(self.game, self.state, Limits(seconds=share * self.seconds), report=look)
        self.found, self.note = result, result.note
        self._spent += result.statistics.seconds
        self.stopped = "interrupt" if result.stopped == "interrupt" else None

    def prove(self, memory: float, threads: int, tablebase: Tablebase | None) -> None:
        """Prove the values move by move, until all are proved or the time is nearly over.

        In games with repetition, nothing is proved in this way, because a search to the end would first go thousands of
        plies deep.
        """
        if self.stopped or is_stochastic(self.game) or may_repeat(self.game) or self._is_exact():
            return
        memory = min(memory, TABLE * max(1.0, self.seconds))
        prover = new_prover(self.game, self.state, memory=memory, threads=threads, tablebase=tablebase)
        if prover.engine.speed != "compiled":
            return
        guesses = {move.action: move.value for move in self.analysis.moves if not move.exact}
        proofs = self.proofs = MoveProofs(prover, {action: self.children[action] for action in guesses}, guesses)
        began, left = time.perf_counter(), (1 - LINES) * self.seconds - self._spent
        try:
            proofs.control.run(lambda: proofs.go(left), left, lambda: self.report(self.analysis))
        except (CompiledFormError, DepthError) as error:
            self.note = str(error)
        self._spent += time.perf_counter() - began
        self.stopped = "interrupt" if proofs.control.reason == "interrupt" else None

    def find_lines(self) -> None:
        """Find best play after the moves whose values were not proved."""
        wanting = [move for move in self.analysis.moves if self._wants_line(move)]
        for number, move in enumerate(wanting):
            left = (self.seconds - self._spent) / (len(wanting) - number)
            if self.stopped or left <= 0:
                return
            limits = Limits(depth=max(1, move.depth - 1), seconds=left) if move.depth else Limits(seconds=left)
            result = self.searcher.search(self.game, self.children[move.action], limits)
            self.lines[move.action] = result.principal_variation
            self._spent += result.statistics.seconds
            self.stopped = "interrupt" if result.stopped == "interrupt" else None
            self.report(self.analysis)

    def _wants_line(self, move: AnalysedMove) -> bool:
        if len(move.line) > 1 or self.game.terminal_test(self.children[move.action]):
            return False
        proved = (self.proofs or move.action in self.known) and move.exact
        return not proved  # what a searcher would play need not keep the value then

    def _is_exact(self) -> bool:
        if self.known.keys() == self.children.keys():
            return True
        return self.found is not None and self.found.exact and self.found.values is not None

    @property
    def analysis(self) -> PositionAnalysis:
        """Return the analysis so far."""
        sign = 1 if self.best is max else -1
        moves = [self._move(action) for action in self.children]
        moves.sort(key=lambda move: (-sign * move.value, not move.exact))
        lower, upper = (self.best(bounds) for bounds in zip(*(move.proved for move in moves), strict=True))
        return PositionAnalysis(
            value=moves[0].value,
            exact=lower == upper,
            moves=tuple(moves),
            stopped=self.stopped,
            searcher=self.searcher.name,
            speed=self.found.speed if self.found else "interpreted",
            states=(self.found.statistics.nodes if self.found else 0) + (self.proofs.states if self.proofs else 0),
            seconds=self._spent,
            note=self.note,
        )

    def _move(self, action: Action) -> AnalysedMove:
        estimate, line = self._estimate(action), self.lines.get(action, ()) or self._known_line(action)
        lower, upper = self._proved(action, estimate)
        exact = lower == upper
        if self.found and self.found.principal_variation[:1] == (action,):
            line = line or self.found.principal_variation[1:]
        if self.proofs:
            line = self.proofs.lines.get(action, line if action in self.known or not exact else ())
        return AnalysedMove(
            action=action,
            value=min(max(estimate, lower), upper),
            depth=None if exact else self.found.statistics.depth if self.found else 0,
            proved=(lower, upper),
            line=(action, *line),
        )

    def _known_line(self, action: Action) -> tuple[Action, ...]:
        """Return best play after a move whose value is known, as far as the values of further moves are known."""
        line: list[Action] = []
        state = self.children[action]
        while action in self.known and (values := known_values(self.game, state)):
            best = max if self.game.to_move(state) == MAX else min
            line.append(best(values, key=lambda each: values[each]))
            state = self.game.result(state, line[-1])
        return tuple(line)

    def _estimate(self, action: Action) -> float:
        if self.found and self.found.values is not None:
            return self.found.values[action]
        child = self.children[action]
        return self.game.utility(child, MAX) if self.game.terminal_test(child) else evaluation(self.game)(child)

    def _proved(self, action: Action, estimate: float) -> Interval:
        if action in self.known:
            return self.known[action], self.known[action]
        if self._is_exact():
            return estimate, estimate
        lower, upper = self.proofs.interval(action) if self.proofs else (-inf, inf)
        if self.known:  # no other move is better than the best
            best = self.best(self.known.values())
            return (lower, min(upper, best)) if self.best is max else (max(lower, best), upper)
        return lower, upper
