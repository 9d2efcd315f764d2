"""Learning by temporal differences: a network plays itself, and each value learns from the values after it.

Sources: R. S. Sutton, Learning to predict by the methods of temporal differences, Machine Learning 3 (1988); D. F. Beal
and M. C. Smith, Temporal coherence and prediction decay in TD learning, IJCAI 1999 (step sizes); M. Thill, P. Koch and
W. Konen, Reinforcement learning with n-tuples on the game Connect-4, PPSN 2012.
"""

from math import inf
from typing import ClassVar

from ggp.capabilities import is_stochastic
from ggp.compiler.intrinsics import bits_of, load, mix, save, spread, value_of
from ggp.game import CHANCE, MAX, Action, AnyGame, CapableGame, State, capable
from ggp.repetition import depends_on_state, last_occurrence, may_repeat, repetition_value
from ggp_search.learned.network import Network
from ggp_search.memory.buffer import ThreadMemory


class LearningStopped(Exception):
    """Raised when learning should end."""


def learn(game: CapableGame, learner: "Learner", start: State) -> None:
    """Play games from a state and learn from each, until the learner's limit of games is reached.

    Raises:
        LearningStopped: learning should end at once.
    """
    while learner.games < learner.limit:
        worth = self_play(game, learner, start)
        look_back(learner, worth)
        learner.games += 1


def self_play(game: CapableGame, learner: "Learner", state: State) -> float:
    """Play a game from a state, storing its states in the learner's rows; return the game's value to MAX.

    Each move is the best one by the current values, except for a few random moves. A game ends if a position comes
    back, since otherwise the values in a cycle would learn only from each other, and drift. A game that is too long is
    broken off.
    """
    learner.plies = 0
    worth = 0.0
    while not game.terminal_test(state):
        if learner.plies == learner.longest:
            return learner.endless(state, worth)
        if learner.stopped:
            raise LearningStopped
        learner.remember(state)
        if learner.repeats and learner.recurs():
            learner.plies -= 1
            return learner.endless(state, worth)
        explores = 0
        if learner.chance and game.to_move(state) == CHANCE:
            action = sample_outcome(game, learner, state)
            worth = outlook(game, learner.network, game.result(state, action))
        else:
            action, worth = best_action(game, learner, state)
            if learner.random() < learner.exploration:
                action, explores = random_action(game, learner, state), 1
        learner.expect(worth, explores)
        state = game.result(state, action)
    return float(game.utility(state, MAX))


def look_back(learner: "Learner", worth: float) -> None:
    """Move the value of each state of the game, the last one first, towards its target.

    The target is a mean of the value of the next state (share 1 - lambda) and of the target of the next state (share
    lambda). At the end of the game it is the game's value: TD(lambda). After a random move, the target is the value of
    the move that looked best.
    """
    for ply in range(learner.plies - 1, -1, -1):
        expected, explored = learner.expected(ply)
        worth = expected if explored else (1 - learner.trace_decay) * expected + learner.trace_decay * worth
        learner.adjust(ply, worth)


def best_action(game: AnyGame, learner: "Learner", state: State) -> tuple[Action, float]:
    """Return the action with the best value for the player to move, and that value to MAX.

    Among equal actions, one is chosen at random.
    """
    sign = 1.0 if game.to_move(state) == MAX else -1.0
    best = -inf
    for action in game.actions(state):
        worth = sign * outlook(game, learner.network, game.result(state, action)) + learner.tie * learner.random()
        if worth > best:
            best, chosen = worth, action
    return chosen, sign * best


def outlook(game: AnyGame, network: Network, state: State) -> float:
    """Return the value of a state to MAX: the utility at the end of the game, otherwise the estimate."""
    if game.terminal_test(state):
        return float(game.utility(state, MAX))
    return network.value(state)


def random_action(game: AnyGame, learner: "Learner", state: State) -> Action:
    """Return a random action; all are equally likely."""
    count = 0
    for _ in game.actions(state):
        count += 1
    left = spread(learner.random_word(), count)
    for action in game.actions(state):
        if left == 0:
            return action
        left -= 1
    raise AssertionError("no action, though the game is not over")


def sample_outcome(game: CapableGame, learner: "Learner", state: State) -> Action:
    """Return an outcome of chance, sampled by its probability."""
    point = learner.random()
    for outcome, probability in game.outcomes(state):
        chosen = outcome
        point -= probability
        if point < 0:
            break
    return chosen


def duel(game: CapableGame, learner: "Learner", start: State, games: int, weights: int, others: int) -> float:
    """Return the points that one set of weights scores against another; a draw counts half. Neither set learns.

    Arguments:
        games: the number of games; each begins with a few random moves, and the sides are swapped after each game.
        weights, others: the addresses of the two sets.
    """
    network, points = learner.network, 0.0
    for number in range(games):
        state, ply, mine = start, 0, number & 1
        while ply < learner.longest and not game.terminal_test(state):
            if learner.stopped:
                raise LearningStopped
            mover = game.to_move(state)
            network.weights = weights if mover == mine else others
            if learner.chance and mover == CHANCE:
                action = sample_outcome(game, learner, state)
            elif ply < OPENING or learner.random() < SLIPS:
                action = random_action(game, learner, state)
            else:
                action, _ = best_action(game, learner, state)
            state = game.result(state, action)
            ply += 1
        worth = float(game.utility(state, MAX)) if game.terminal_test(state) else 0.0
        won = worth if mine == MAX else -worth
        points += 1.0 if won > 0 else 0.5 if won == 0 else 0.0
    network.weights = weights
    return points


OPENING, SLIPS = 4, 0.02
"""Number of random moves at the beginning of each game of a duel, and the share of random moves after that. Without
random moves, many games would be the same.
"""

# The words of a row, in bytes from its beginning; the entries of the network's tables follow.
WEIGHTS, TWINS, REST, SECURED, EXPECTED, EXPLORED, HASHED = range(0, 7 * 8, 8)
"""Offsets in a row.

A row begins with the offset of the tables of the side to move, and the offset of those of the other side. Three floats
follow: the learned and the known part of the state's value, and the value of the move that looked best. The row also
says whether a random move was played instead, and has a hash of the state.
"""
HEAD = 7 * 8
RECENT = 60
"""Number of recent plies among which a repeated position is noticed."""

UNIT_BITS = (1 << 53) - 1
UNIT = 2.0**-53
"""The value of the lowest bit of a random number of 53 bits, from 0 to less than 1."""


class Learner(ThreadMemory):
    """The learning of one thread: the network, the rows of the present game, and the parameters."""

    variables: ClassVar[tuple[str, ...]] = (
        "rows", "row_size", "longest", "games", "plies", "limit", "stopped", "drawn", "drifts", "paths", "twins",
        "exploration", "trace_decay", "step", "tie",
    )  # fmt: skip
    shared: ClassVar[tuple[str, ...]] = ("stopped", "limit")
    progress: ClassVar[str] = "drawn"
    """The variable that keeps changing as long as calls of the rules return; see `ggp.plugin_faults.machine_progress`.
    """

    def __init__(
        self,
        game: AnyGame,
        network: Network,
        *,
        longest: int,
        exploration: float = 0.1,
        trace_decay: float = 0.6,
        step: float = 1.5,
    ) -> None:
        """Prepare learning.

        Arguments:
            network: a network that was created with three arrays (see `Network`).
            longest: the number of plies after which a game is broken off.
            exploration: the share of random moves.
            trace_decay: lambda, from 0 (learn from the next state) to 1 (learn from the end of the game).
            step: the share of an error that is corrected at once.
        """
        self.game = capable(game)
        self.network = network
        self.chance = is_stochastic(game)
        self.repeats = may_repeat(game) and last_occurrence(game) is not None
        self.by_state = self.repeats and depends_on_state(game)
        self.draw = repetition_value(game, None) if self.repeats and not self.by_state else 0.0
        self.longest = longest
        self.row_size = HEAD + network.last - network.first
        """The size of a row in bytes."""
        self.exploration, self.trace_decay = exploration, trace_decay
        self.step = step / max(1, (network.last - network.first) // 8)
        self.tie = 1e-6 * network.scale
        self.drifts = network.weights + network.size
        self.paths = network.weights + 2 * network.size
        twins = network.plan.twins()
        self.alike = twins is not None
        """Whether the players are alike and share what they learn."""
        self._twins = None if twins is None else (8 * twins).astype("<i8")
        self.twins = 0 if self._twins is None else int(self._twins.ctypes.data)
        self.rows = self.games = self.plies = self.limit = self.stopped = self.drawn = 0

    def room(self) -> tuple[str, int]:
        return "rows", self.row_size * self.longest

    def random_word(self) -> int:
        """Return the next random machine word: a hash of a counter, so that the generator's state is one word."""
        self.drawn += 1
        return mix(mix(0, self.drawn), self.drawn)

    def random(self) -> float:
        """Return a random number from 0 up to, but not including, 1."""
        return (self.random_word() >> 11 & UNIT_BITS) * UNIT

    def endless(self, state: State, worth: float) -> float:
        """Return the value of a game that is broken off: the value of a repetition, if any, or the last estimate."""
        if self.by_state:
            return float(self.game.repetition(state))
        return self.draw if self.repeats else worth

    def remember(self, state: State) -> None:
        """Begin the row of a state."""
        network = self.network
        row = self.rows + self.row_size * self.plies
        self.plies += 1
        save(row + REST, bits_of(network.rest(state)))
        save(row + SECURED, bits_of(network.secured(state)))
        hashed = 0
        for address in range(network.scratch, network.scratch + 8 * network.words, 8):
            hashed = mix(hashed, load(address))
        save(row + HASHED, hashed)
        side = network.set_of(state)
        save(row + WEIGHTS, network.side * side)
        save(row + TWINS, network.side * (side ^ 1))
        source, target = network.scratch + network.first, row + HEAD
        for offset in range(0, network.last - network.first, 8):
            save(target + offset, load(source + offset))

    def recurs(self) -> bool:
        """Return whether the state of the last row occurred before in this game, at most `RECENT` plies ago."""
        row = self.rows + self.row_size * (self.plies - 1)
        hashed = load(row + HASHED)
        for earlier in range(max(0, self.plies - RECENT), self.plies - 1):
            if load(self.rows + self.row_size * earlier + HASHED) == hashed:
                return True
        return False

    def expect(self, worth: float, explored: int) -> None:
        """Complete the last row: store the value of the best move, and whether a random move is played instead."""
        row = self.rows + self.row_size * (self.plies - 1)
        save(row + EXPECTED, bits_of(worth))
        save(row + EXPLORED, explored)

    def expected(self, ply: int) -> tuple[float, bool]:
        """Return the value that `expect` stored for a ply."""
        row = self.rows + self.row_size * ply
        return value_of(load(row + EXPECTED)), load(row + EXPLORED) != 0

    def adjust(self, ply: int, worth: float) -> None:
        """Move the value of a state towards `worth`.

        Every weight has its own step size, by temporal coherence: the absolute value of the sum of its errors, divided
        by the sum of their absolute values. The step size is 1 while all errors have the same sign, and becomes small
        when they cancel out.
        """
        row = self.rows + self.row_size * ply
        rest = value_of(load(row + REST))
        aim = (worth - value_of(load(row + SECURED))) / self.network.scale
        error = (max(-1.0, min(1.0, aim)) - rest) * (1.0 - rest * rest)
        weights, drifts, paths = self.network.weights, self.drifts, self.paths
        base, other = load(row + WEIGHTS), load(row + TWINS)
        for entry in range(row + HEAD, row + self.row_size, 8):
            address = base + load(entry)
            drift, path = value_of(load(drifts + address)), value_of(load(paths + address))
            rate = abs(drift) / path if path > 0.0 else 1.0
            weight = value_of(load(weights + address)) + self.step * rate * error
            drift, path = drift + error, path + abs(error)
            save(weights + address, bits_of(weight))
            save(drifts + address, bits_of(drift))
            save(paths + address, bits_of(path))
            if self.alike:  # with the players exchanged, the same is worth as much to the other one
                address = other + load(self.twins + load(entry))
                save(weights + address, bits_of(-weight))
                save(drifts + address, bits_of(-drift))
                save(paths + address, bits_of(path))
