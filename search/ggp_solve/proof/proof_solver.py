"""Solving: the exact value of a position, by proof to the end of the game.

    solved = solve(kalah, kalah.initial_state(), Resources(memory=2048, threads=2))
    solved.value, solved.principal_variation

A solve begins with a small table, which is enough for small games. A longer proof gets a large table and, if the game's
positions can be numbered (`ggp.game.Ranking`), an endgame tablebase in memory. A very long proof gets a larger
tablebase. Proved bounds are kept from one stage to the next.
"""

import random
import time
import warnings
from collections.abc import Callable

import attrs
from ggp_search.engine.driver import prepare
from ggp_search.engine.engine import CompiledFormError
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped
from ggp_search.tablebases.tablebase import Tablebase

from ggp import repetition
from ggp.capabilities import evaluation, legal_actions, play
from ggp.errors import ConformanceError, GGPWarning, StoreError
from ggp.game import Action, AnyGame, State
from ggp.rule_faults import rule_faults
from ggp.searcher import Limits
from ggp_solve.proof.prover import Prover, new_prover, require_solvable
from ggp_solve.proof.solution import ProofProgress, Resources, Solution, Wanted
from ggp_solve.tablebases.builder import grow, new_tablebase

TINY_TABLE, SMALL_TABLE = 4, 64
"""Sizes of the first tables in MB: allocating much memory takes longer than a small proof."""
TINY_STATES, SMALL_STATES = 300_000, 8_000_000
"""Maximum numbers of nodes of the first two attempts: with a tiny table, and with a small table and a small
tablebase.
"""
SHORT_GUESS, LONG_GUESS = 200_000, 5_000_000
"""Numbers of nodes for a first guess of the value: in short proofs, and in long proofs. A wrong guess costs one more
question, which takes longer in a long proof.
"""
GUESSING_TABLE = 16
"""Size of the table for guesses, in megabytes."""
SMALL_POSITIONS = 3_000_000
"""Number of positions of a small tablebase."""
ENDLESS = 1 << 62
"""A number that is practically infinite: more than the nodes of any search and the positions of any tablebase."""
GROWTH: tuple[tuple[int, float | None], ...] = ((120_000_000, 60.0), (1_300_000_000, 150.0), (ENDLESS, None))
"""Stages in which the tablebase grows: for each, the number of positions, and the seconds of search before the next
stage. A tablebase given by the user does not grow.
"""
PLAYS, PLIES = 4, 1000
"""Number of random plays that test whether states come back, and the maximum number of plies of each play."""
ENDGAME_SHARE, TABLE_SHARE = 0.6, 0.25
"""Shares of the memory: for the tablebase, and for the table. (The first access to each part of the memory takes time.)
"""


@attrs.define
class ProofSolver:
    """A solve in progress: the proved bounds, and the cost so far."""

    game: AnyGame
    state: State
    resources: Resources
    wanted: Wanted
    control: Control = attrs.field(factory=Control)
    prover: Prover | None = None
    tablebase: Tablebase | None = None
    line: tuple[Action, ...] = ()
    action: Action = None
    outcome: int | None = None
    _doing: str = "compiling"
    _share: float | None = None
    """Share of the wanted actions whose values are proved."""
    _speed: str = "auto"
    _remembers: bool = False
    """Whether the table is the large table of a long solve, which is worth saving."""
    _guesses: bool = True
    """Whether short searches guess the values first."""
    _takes_long: bool = False
    """Whether a first attempt with all the memory has failed."""
    _before: int = 0
    """Number of nodes that earlier engines entered."""
    _kept: int = 0
    """The number of nodes at the last checkpoint."""
    _began: float = attrs.field(factory=time.perf_counter)

    def go(self) -> bool:
        """Answer all open questions; return whether all of them were answered."""
        if self.resources.checkpoint:
            self.resources.checkpoint.require_place()
        require_new_states(self.game, self.state)
        try:
            return any(stage() for stage in self._stages())
        except SearchStopped:
            return False
        except CompiledFormError:
            if self._speed == "interpreted":
                raise
            self._speed = "interpreted"  # rules as they are written may do what machine code cannot
            return self.go()

    def _stages(self) -> list[Callable[[], bool]]:
        """Return the attempts in order; each is a function that returns whether everything is proved."""
        resources = self.resources
        resumes = resources.checkpoint is not None and resources.checkpoint.path.exists()
        if resources.tablebase or resources.layer is not None or resumes:
            return [self._large]
        return [self._small, self._large]

    def _small(self) -> bool:
        """Try with a small table, first without a tablebase, and then with a small tablebase."""
        self.tablebase = new_tablebase(self.game)
        self._guesses = False
        prover = self._new_prover(TINY_TABLE, self.tablebase)
        if self._prove(prover, states=TINY_STATES):
            return True
        self._guesses = True
        prover = self._new_prover(min(SMALL_TABLE, self.resources.memory), self.tablebase)
        if self.tablebase:
            self._grow(self.tablebase, SMALL_POSITIONS)
            prover.engine.tablebase_has_grown(self.state)
        return self._prove(prover, states=SMALL_STATES)

    def _large(self) -> bool:
        """Try with all the memory that the user allows."""
        resources = self.resources
        self.tablebase = resources.tablebase or self.tablebase or new_tablebase(self.game)
        prover = self._new_prover(max(1.0, resources.memory * TABLE_SHARE), self.tablebase, remembers=True)
        for positions, seconds in GROWTH if resources.layer is None else GROWTH[-1:]:
            if self.tablebase and not resources.tablebase:
                self._grow(self.tablebase, positions)
                prover.engine.tablebase_has_grown(self.state)
            if self._prove(prover, seconds=seconds):
                return True
            self._takes_long = True
        return False

    def _grow(self, tablebase: Tablebase, positions: int) -> None:
        """Enlarge the tablebase to this many positions, or up to the layer that the user asked for."""
        room = min(positions, int(self.resources.memory * ENDGAME_SHARE * (1 << 20)))
        # Building the root's own layer would be the whole solution, at a far greater cost than a search.
        highest = tablebase.ranking.layer(self.state) - 1
        if self.resources.layer is not None:
            room, highest = ENDLESS, min(highest, self.resources.layer)
        for layer in grow(tablebase, highest, room, self.resources.threads, self.control.check):
            self._doing = f"tablebase, layer {layer}"

    def _new_prover(self, table: float, tablebase: Tablebase | None, *, remembers: bool = False) -> Prover:
        self._doing, self._before = "compiling", self.states
        proved = {state: self.prover.bounds(state) for state in self.prover.proved} if self.prover else {}
        self.prover = new_prover(
            self.game, self.state, memory=table, threads=self.resources.threads, tablebase=tablebase, speed=self._speed
        )
        # Proved bounds hold with any table and tablebase: the new engine starts from them.
        numbers = self.prover.engine.numbers  # what is unknown is another number in machine code
        for state, (lower, upper) in proved.items():
            self.prover.proved[state] = max(lower, numbers.lowest), min(upper, numbers.highest)
        self.prover.obey(self.control)
        self._remembers = remembers
        if remembers and self.resources.checkpoint:
            self.resources.checkpoint.restore(self.prover)
        return self.prover

    def _prove(self, prover: Prover, states: int = ENDLESS, seconds: float | None = None) -> bool:
        """Try to prove the value within these numbers of nodes and seconds; return whether it was proved."""
        self.control.allow(states)
        try:
            with self.control.at_most(seconds):
                self._answer(prover)
        except SearchStopped:
            self.control.check()
            return False
        return True

    def _answer(self, prover: Prover) -> None:
        if self.game.terminal_test(self.state):
            prover.interval(self.state)
            return
        if self.wanted.outcome:
            self._doing = "proving"
            self.outcome = prover.outcome(self.state)
            self.action = prover.outcome_action(self.state, self.outcome)
            return
        guess, self._doing = self._guess(self.state), "proving"
        value = prover.value(self.state, guess)
        self._doing = "finding the line"
        for action in prover.line(play(self.game, self.state, self.line), value):
            self.line = *self.line, action
        if self.wanted.values:
            actions = legal_actions(self.game, self.state)
            for done, action in enumerate(actions):
                self._share = done / len(actions)
                child = self.game.result(self.state, action)
                guess, self._doing = self._guess(child), f"proving every action, {done} of {len(actions)} done"
                prover.value(child, guess)

    def _guess(self, state: State) -> float:
        """Estimate the value of `state` by short searches.

        These searches use a separate table, because their entries would slow down a proof.
        """
        assert self.prover
        estimate = evaluation(self.game)(state)
        if not self._guesses or (self.prover.engine.numbers.integral and not isinstance(estimate, int)):
            return estimate  # no search makes it one in the unit of the values
        if state in self.prover.guesses:
            return self.prover.guesses[state]
        self._doing = "guessing"
        guesser = new_prover(
            self.game, state, memory=GUESSING_TABLE, tablebase=self.tablebase, guesses=True, speed=self._speed
        )
        guesser.obey(self.control)
        guess = guesser.guess(state, LONG_GUESS if self._takes_long else SHORT_GUESS)
        if self._takes_long:
            self.prover.guesses[state] = guess
        return guess

    @property
    def states(self) -> int:
        """Number of nodes so far, over all threads."""
        return self._before + (self.prover.engine.states if self.prover else 0)

    def look(self, report: Callable[[ProofProgress], None] | None) -> None:
        """Report the progress, and save a checkpoint if its time has come; called a few times a second during the
        solve.
        """
        prover = self.prover
        if prover:
            prover.require_end()
        if report:
            report(
                ProofProgress(
                    doing=self._doing,
                    question=prover.asked if prover else None,
                    interval=prover.bounds(self.state) if prover else None,
                    states=self.states,
                    seconds=time.perf_counter() - self._began,
                    line=self.line,
                    share=self._share,
                )
            )
        checkpoint = self.resources.checkpoint
        if checkpoint and checkpoint.is_due() and self.states > self._kept:
            self._keep()

    def _keep(self) -> None:
        """Write the checkpoint, if the user wants one. If this fails, warn and continue the solve."""
        if self.prover and self.resources.checkpoint:
            self._kept = self.states
            try:
                self.resources.checkpoint.save(self.prover, self.states, self.resources.memory, table=self._remembers)
            except StoreError as error:
                warnings.warn(f"{error}; what is proved is not lost", GGPWarning, stacklevel=1)

    def solution(self) -> Solution:
        """Return the solution as far as it is proved."""
        prover = self.prover
        lower, upper = prover.bounds(self.state) if prover else (float("-inf"), float("inf"))
        values = None
        if self.wanted.values and prover:
            actions = legal_actions(self.game, self.state)
            values = {each: prover.bounds(self.game.result(self.state, each)) for each in actions}
        outcome = self.outcome
        # Bounds on one side of 0 prove who wins before the value itself is known.
        if outcome is None and (lower > 0 or upper < 0 or lower == upper):
            outcome = (lower > 0) - (upper < 0)
        self._keep()
        proved = [(lower, upper), *(values or {}).values()]
        return Solution(
            lower=lower,
            upper=upper,
            complete=outcome is not None if self.wanted.outcome else all(least == most for least, most in proved),
            action=self.line[0] if self.line else self.action,
            principal_variation=self.line,
            values=values,
            outcome=outcome,
            stopped=self.control.reason,
            states=self.states,
            seconds=time.perf_counter() - self._began,
            layers=self.tablebase.layers if self.tablebase else 0,
            speed=prover.engine.speed if prover else "interpreted",
            note=prover.engine.note if prover else None,
        )


def require_new_states(game: AnyGame, state: State) -> None:
    """Check that no state comes back in some random plays. If states came back, a proof would run in circles.

    Raises:
        RepetitionError: a state comes back, and the game declares no `repetition`.
        ConformanceError: the utility at the end of a play is not a number.
    """
    rng = random.Random(0)
    for _ in range(PLAYS):
        reached, met = state, repetition.Occurrences(game)
        for _ in range(PLIES):
            met.require_declared(reached)
            met.add(reached)
            if game.terminal_test(reached):
                if fault := next(rule_faults(game, reached), None):
                    raise ConformanceError(f"{game.name} failed: {fault}")
                break
            reached = game.result(reached, rng.choice(list(game.actions(reached))))


Report = Callable[[ProofProgress], None]


def solve(
    game: AnyGame,
    state: State,
    resources: Resources = Resources(),
    *,
    values: bool = False,
    outcome: bool = False,
    report: Report | None = None,
) -> Solution:
    """Prove the value of `state`.

    Arguments:
        values: whether to find the value of every action, too.
        outcome: whether to prove only who wins.
        report: called with the progress several times a second.

    Raises:
        UnsupportedGameError: the game is a game of chance.
        DepthError: the game has more plies than the maximum depth of a search.
    """
    return run(game, state, resources, Wanted(values, outcome), report)[1]


def run(
    game: AnyGame, state: State, resources: Resources, wanted: Wanted, report: Report | None = None
) -> tuple[ProofSolver, Solution]:
    """Solve as `solve` does, and return everything that was found."""
    require_solvable(game)
    prepare(Limits())
    solver = ProofSolver(game, state, resources, wanted)
    solver.control.run(solver.go, resources.seconds, lambda: solver.look(report))
    return solver, solver.solution()
