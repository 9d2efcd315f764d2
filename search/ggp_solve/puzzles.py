"""Make puzzles: positions in which exactly one move wins. The positions come from games between strong players, and
each puzzle is proved.

If positions cannot come back, iterative-deepening searches ask two questions about each move. Does the move win if
every line that is cut off counts as lost? Does it win if every such line counts as won? A "yes" to the first question
proves that the move wins, and a "no" to the second proves that it does not win. If positions can come back, all
positions that can be reached from a position are enumerated instead.
"""

import itertools
import random
import time
from collections.abc import Iterator, Sequence
from typing import Protocol

import attrs
from ggp_search.algorithms.alphabeta import AlphaBeta
from ggp_search.engine import compiled_engine
from ggp_search.engine.driver import prepare
from ggp_search.engine.engine import Engine
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped
from ggp_search.engine.settings import SearchPlan, choose_settings
from ggp_search.engine.tree_searcher import TreeSearcher
from ggp_search.tablebases.best_play import KnownValues
from ggp_search.tablebases.ranking import is_layered

from ggp import capabilities
from ggp.errors import GGPError
from ggp.game import MAX, Action, AnyGame, Bounded, CapableGame, Evaluation, State, capable
from ggp.play.puzzle import FEWEST, LONGEST, Puzzle, exact_searcher, theme
from ggp.plugins import Registry
from ggp.repetition import may_repeat
from ggp.searcher import Limits, Searcher
from ggp_solve.solver import Solver, TooLargeError
from ggp_solve.tablebases.builder import build

WIN, PROOF = 40_000, 400_000
"""Maximum number of nodes for the proof that a move wins, and for the proof that the other moves do not win. Most
positions fail the first proof, and cost little.
"""
DEEPEST = 60
"""Maximum number of plies of a proof."""
TABLE = 32
"""Size of the tables of a proof, in megabytes."""
STRENGTH = Limits(nodes=1_000)
"""Limits of the players from whose games the puzzles are taken."""
MISTAKES = 0.1
"""Probability that a player makes a random move in these games; without mistakes, there is little to win."""
OPENING = (0.1, 0.6)
"""Minimum and maximum share of a game that is played at random at its beginning, so that games differ."""
FARTHEST = 30
"""Maximum number of plies before the end of a game at which a puzzle may begin."""
EARLIEST = 3
"""Minimum number of plies of a puzzle during the first tries."""
TRIES = 40
"""Number of games to play for each puzzle, if there is no limit of time. After this many games, no more puzzles are
expected.
"""
FIRST_TRIES = 10
"""A shorter puzzle is accepted after this number of games without a puzzle of at least `EARLIEST` plies."""
MEGABYTES, POSITIONS = 64, 1_000_000
"""Memory for an enumeration, in megabytes, and the maximum number of positions in a table of layers."""
MOST_MEGABYTES = 1024
"""Memory, in megabytes, for enumerating all positions that can be reached from a position that the user has given."""
FIRST_TABLE = 4
"""Number of plies before the end of a game at which the first enumeration begins. Each further enumeration begins twice
as far from the end.
"""
LINE = 30
"""Maximum number of moves that the explanation gives after the first move."""


class OnlyWins(Protocol):
    """Finds out whether exactly one move of a position wins."""

    def only_win(self, state: State) -> tuple[Action, int] | None:
        """Return the only winning move and the number of plies that its proof needs.

        Return None if the number of winning moves is not one.

        Raises:
            SearchStopped: the number of winning moves cannot be decided within the limits.
        """


# ---- positions that never come back


@attrs.frozen
class CutOff:
    """The evaluation that gives the same value to each line that is cut off."""

    game: CapableGame
    value: int

    def estimate(self, state: State) -> float:
        """Return the value."""
        return self.value


@attrs.frozen
class BoundedCutOff(CutOff):
    """The value of a line that is cut off, limited to the bounds of the game's values."""

    def estimate(self, state: State) -> float:
        """Return the value for lines that are cut off, or the nearest value that is possible in this state."""
        lower, upper = self.game.bounds(state)
        return lower if self.value < lower else upper if self.value > upper else self.value


def unfinished(game: AnyGame, value: int) -> Evaluation:
    """Return the evaluation that gives lines that are cut off the value `value`, or the nearest value within the game's
    bounds.
    """
    cls = BoundedCutOff if isinstance(game, Bounded) else CutOff
    return Evaluation(cls(capable(game), value).estimate, "the same for every state", bounded=cls is BoundedCutOff)


@attrs.define
class WinProver:
    """Proves which moves win, by iterative deepening."""

    game: AnyGame
    engines: dict[int, Engine] = attrs.field(factory=dict)
    """Two searches, by the value to MAX that they give to lines that are cut off: 1 or -1."""

    def only_win(self, state: State) -> tuple[Action, int] | None:
        """See `OnlyWins`."""
        children = {each: self.game.result(state, each) for each in capabilities.legal_actions(self.game, state)}
        mover, won, depth = self.game.to_move(state), dict[Action, int](), 0
        self._begin(state, mover)
        while children and depth < DEEPEST:
            for action, child in list(children.items()):
                if self.wins(child, mover, depth, unfinished=-1):
                    won[action] = depth + 1
                    del children[action]
                    if len(won) > 1:
                        return None
                elif won and not self.wins(child, mover, depth, unfinished=1):
                    del children[action]
            depth += 1
            self._deepen()
        if children:
            raise SearchStopped
        return next(iter(won.items()), None)

    def plies(self, state: State, action: Action) -> int | None:
        """Return the number of plies within which an action is proved to win; None if the proof takes too long."""
        mover, after = self.game.to_move(state), self.game.result(state, action)
        self._begin(state, mover)
        try:
            for depth in range(DEEPEST):
                if self.wins(after, mover, depth, unfinished=-1):
                    return depth + 1
                self._deepen()
        except SearchStopped:
            pass
        return None

    def wins(self, state: State, player: int, depth: int, *, unfinished: int) -> bool:
        """Return whether a player wins, by a search to this depth.

        Arguments:
            unfinished: 1 if lines that are cut off count as won by the player; -1 if they count as lost.
        """
        if self.game.terminal_test(state):
            return self.game.utility(state, player) > 0
        engine = self.engines[unfinished if player == MAX else -unfinished]
        if player == MAX:
            return engine.within(state, depth, 0, engine.above(0)) > 0
        return engine.within(state, depth, engine.below(0), 0) < 0

    def _begin(self, state: State, mover: int) -> None:
        """Begin a new proof, with the whole limit of nodes."""
        prepare(Limits())
        for value in (1, -1):
            if value not in self.engines:
                self.engines[value] = self._engine(state, value)
        self._deepen()
        for value, engine in self.engines.items():
            control = Control()
            control.watch(engine.counter)
            control.allow(PROOF if (value == 1) == (mover == MAX) else WIN)

    def _deepen(self) -> None:
        for engine in self.engines.values():
            engine.next_iteration()

    def _engine(self, state: State, value: int) -> Engine:
        estimate = unfinished(self.game, value)
        settings = choose_settings(
            self.game,
            wanted="default",
            table=TABLE,
            ordering="auto",
            bounds=None,
            etc=True,
            speed="auto",
            threads=1,
            proof=True,
        )
        settings = attrs.evolve(
            settings,
            evaluation=estimate,
            evaluation_name=f"unfinished {value}",
            bounded=estimate.bounded,
            separable=False,
        )
        return compiled_engine.choose_engine(SearchPlan(capable(self.game), state, AlphaBeta(), settings))


# ---- positions that can come back


@attrs.frozen
class KnownWins:
    """A table with the values of some positions, and of all positions that can be reached from these."""

    positions: KnownValues
    prover: WinProver
    """Finds the number of plies to look ahead, if the table has no distances."""

    def only_win(self, state: State) -> tuple[Action, int] | None:
        """See `OnlyWins`. If the table stores distances, the plies are counted to the end of the game."""
        sign = 1 if self.positions.game.to_move(state) == MAX else -1
        wins = [choice for choice in self.positions.choices(state) if sign * choice.middle > 0]
        if len(wins) != 1:
            return None
        action, plies = wins[0].action, wins[0].distance
        if plies is None:
            plies = self.prover.plies(state, action)
        return (action, plies) if plies else None


def known_wins(game: CapableGame, state: State, megabytes: float = MEGABYTES) -> KnownWins:
    """Return a table of all positions that can be reached from a state.

    Arguments:
        megabytes: memory for an enumeration.

    Raises:
        TooLargeError: there are too many positions.
    """
    if not is_layered(game):
        solver = Solver(game, state, memory=megabytes)
        solver.run()
        return KnownWins(solver, WinProver(game))
    sizes = itertools.accumulate(game.positions(layer) for layer in itertools.count())
    highest = next(layer for layer, size in enumerate(sizes) if size > POSITIONS) - 1
    if game.layer(state) > highest:
        raise TooLargeError(
            f"{game.name} has more than {POSITIONS:,} positions in the layers up to {game.layer(state)}"
        )
    return KnownWins(build(game, highest + 1), WinProver(game))


# ---- games between strong players


@attrs.define
class PuzzleMaker:
    """Makes puzzles of a game."""

    game: AnyGame
    searcher: Searcher
    seed: int = 1
    seconds: float | None = None
    """Processor time to spend; None: no limit."""
    start: State = None
    """The state from which games are played; None: the game's initial state."""
    prover: WinProver | None = attrs.field(init=False)
    """Proves which moves win; None if positions can come back."""
    known: KnownWins | None = attrs.field(default=None, init=False)
    """The table with which wins were last found; only games whose positions can come back have such a table."""

    def __attrs_post_init__(self) -> None:
        self.prover = None if may_repeat(self.game) else WinProver(self.game)

    def puzzles(self, number: int, earlier: Sequence[Puzzle] = ()) -> Iterator[Puzzle]:
        """Yield puzzles until there are as many as asked for, or no more are found, or the time is over.

        A game gives at most one puzzle. The next puzzle depends only on the existing ones, so an interrupted collection
        is completed with the same puzzles.

        Arguments:
            earlier: the puzzles that exist already.
        """
        same, end = capabilities.canonical(self.game), time.process_time() + (self.seconds or 0)
        seen, made, tries = {same(each.state) for each in earlier}, len(earlier), 0
        while made < number and (tries < TRIES if self.seconds is None else time.process_time() < end):
            dice = random.Random(f"{self.seed} {made} {tries}")
            tries += 1
            played = strong_play(small(self.searcher), self.game, dice, self.start)
            self._find_tablebase(played)
            wanted = (state for state in self._candidates(played, dice) if same(state) not in seen)
            puzzle = self._deepest(wanted, EARLIEST if tries < FIRST_TRIES else 1)
            if puzzle is None:
                continue
            seen.add(same(puzzle.state))
            made, tries = made + 1, 0
            yield attrs.evolve(self._told(puzzle), number=made)

    def _candidates(self, played: Sequence[State], dice: random.Random) -> Iterator[State]:
        """Yield the positions of a game that may be puzzles, from the end backwards. Before each position of the game,
        yield the position after a random move in it, which may be a mistake.
        """
        for state in reversed(played[-1 - FARTHEST : -1] if self.prover else played[:-1]):
            mistake = self.game.result(state, dice.choice(capabilities.legal_actions(self.game, state)))
            for each in (mistake, state):
                if len(capabilities.legal_actions(self.game, each)) >= FEWEST and not is_decided(self.game, each):
                    yield each

    def _deepest(self, states: Iterator[State], least: int) -> Puzzle | None:
        """Return the puzzle that needs the deepest search to be proved.

        Arguments:
            least: the minimum number of plies of the puzzle's proof.
        """
        best: Puzzle | None = None
        for state in states:
            decides: OnlyWins | None = self.prover or self.known
            if decides is None or (self.known and self.known.positions.look(state) is None):
                break  # the positions before it are not in the table either
            try:
                only = decides.only_win(state)
            except SearchStopped:
                continue
            if only is not None and only[1] > (least - 1 if best is None else best.depth or 0):
                best = Puzzle(0, state, only[0], only[1])
        return best

    def _find_tablebase(self, played: Sequence[State]) -> None:
        """Find a table that has as many of the last positions of a game as possible."""
        if self.prover is None and self.known is None and self.start is not None:
            self.known = known_wins(capable(self.game), self.start, MOST_MEGABYTES)
        back = FIRST_TABLE
        while self.prover is None:
            state = played[max(0, len(played) - back)]
            if self.known is None or self.known.positions.look(state) is None:
                try:
                    self.known = known_wins(capable(self.game), state)
                except TooLargeError:
                    return
            if back >= len(played):
                return
            back *= 2

    def _told(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with best play after its move, and with its theme."""
        after = self.game.result(puzzle.state, puzzle.action)
        line: Sequence[Action] = ()
        if self.known is not None:
            line = tuple(itertools.islice(self.known.positions.line(after), LINE))
        elif not self.game.terminal_test(after):
            line = self.searcher.search(self.game, after, Limits(nodes=PROOF)).principal_variation
        puzzle = attrs.evolve(puzzle, line=(puzzle.action, *line))
        return attrs.evolve(puzzle, theme=theme(self.game, puzzle))


def is_decided(game: AnyGame, state: State) -> bool:
    """Return whether the rules alone show who wins, for example by the seeds that are in the stores."""
    if not isinstance(game, Bounded):
        return False
    lower, upper = game.bounds(state)
    return lower > 0 or upper < 0


def small(searcher: Searcher) -> Searcher:
    """Return a searcher with a small table: its searches are short, and clearing a large table takes time."""
    return attrs.evolve(searcher, table=1) if isinstance(searcher, TreeSearcher) else searcher


def strong_play(searcher: Searcher, game: AnyGame, dice: random.Random, start: State = None) -> list[State]:
    """Return the states of a game between two strong players, after random moves from the start."""
    states = [game.initial_state() if start is None else start]
    while not game.terminal_test(states[-1]) and len(states) < LONGEST:
        states.append(game.result(states[-1], dice.choice(capabilities.legal_actions(game, states[-1]))))
    del states[1 + int(dice.uniform(*OPENING) * len(states)) :]
    while not game.terminal_test(states[-1]) and len(states) < LONGEST:
        action = dice.choice(capabilities.legal_actions(game, states[-1]))
        if dice.random() > MISTAKES:
            action = searcher.search(game, states[-1], STRENGTH).action
        states.append(game.result(states[-1], action))
    return states


def puzzle_maker(
    registry: Registry, game: AnyGame, *, seed: int = 1, seconds: float | None = None, start: State = None
) -> PuzzleMaker:
    """Return the maker of a game's puzzles, with the options of `PuzzleMaker`.

    Raises:
        GGPError: no searcher can search the game, or it is a game of chance or for one player.
    """
    searcher = exact_searcher(registry, game)
    if searcher is None or capabilities.is_stochastic(game) or len(capabilities.players(game)) == 1:
        raise GGPError(
            f"{game.name} has no puzzles: they are for games of two players, without chance, that a searcher can search"
        )
    return PuzzleMaker(game, searcher, seed, seconds, start)
