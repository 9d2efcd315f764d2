"""Winning strategies: one move for each position of the winning side, against every reply.

The strategy is proved by proof-number search (L. V. Allis, M. van der Meulen and H. J. van den Herik, Proof-number
search, Artificial Intelligence 66, 1994) over the opening. The leaves of the strategy are searched by alpha-beta within
a number of nodes (A. Plaat, 1996, calls such a search of two levels PN2). A leaf that is proved in this way needs no
line in a book, since a player proves it again during play. Positions that a symmetry maps to each other count as one.
"""

import math
import time
from collections.abc import Callable, Iterator

import attrs
from ggp_search.engine.search import SearchStopped

from ggp.capabilities import canonical, is_stochastic, legal_actions, notation, player_names
from ggp.errors import UnsupportedGameError
from ggp.game import MAX, Action, AnyGame, Bounded, State
from ggp.plugins import Registry
from ggp.repetition import may_repeat
from ggp.searcher import Limits, Searcher, stop_requested
from ggp_solve.proof.prover import Prover, new_prover

NODES = 6_000_000
"""Maximum number of nodes in the proof of a leaf. On one core, this many nodes take less than one second; the level
`perfect` has three seconds.
"""
TABLE = 256
"""Maximum size of the table in megabytes. The table is emptied before each attempt, as a player's table is emptied
before each move.
"""
NODE = 32
"""Number of bytes of the table for each node of an attempt; this is enough for all entries."""
RANKING = Limits(nodes=300_000)
"""Limits of the search that sorts the moves of a position by promise."""
WORSE = 30.0
"""Factor by which the expected effort for a move grows with each move that is ranked before it.

The factor is large because the first move usually wins, and turning to another move wastes the work on the first.
"""
MOST_FACTOR = WORSE**3
"""Greatest such factor."""


@attrs.define(eq=False)
class StrategyNode:
    """A position of the opening."""

    state: State
    """The canonical state."""
    own: bool
    """Whether it is the turn of the side that should win."""
    proof: float = 1.0
    """Expected effort to prove that this side wins: 0 when it is proved, infinite when it is disproved."""
    disproof: float = 1.0
    """Expected effort to disprove that this side wins."""
    children: dict[Action, "StrategyNode"] | None = None
    """The node after each action; None if the node is a leaf."""
    factors: tuple[float, ...] = ()
    """Factors of the expected efforts of the children, in the order of the children."""

    @property
    def decided(self) -> bool:
        """Whether it is proved that the side wins, or that it does not win."""
        return self.proof == 0 or self.disproof == 0

    def decide(self, wins: bool) -> None:
        """Store whether the side wins."""
        self.proof, self.disproof = (0.0, math.inf) if wins else (math.inf, 0.0)

    def update(self) -> None:
        """Compute the numbers of the node from the numbers of its children."""
        assert self.children is not None
        below = list(self.children.values())
        if self.own:
            self.proof = min(factor * each.proof for factor, each in zip(self.factors, below, strict=True))
            self.disproof = sum(each.disproof for each in below)
        else:
            self.proof = sum(each.proof for each in below)
            self.disproof = min(each.disproof for each in below)

    def most_proving(self) -> "StrategyNode":
        """Return the child that must be decided first."""
        assert self.children is not None
        below = [each for each in self.children.values() if not each.decided]
        if not self.own:
            return min(below, key=lambda each: each.disproof)
        efforts = dict(zip(map(id, self.children.values()), self.factors, strict=True))
        return min(below, key=lambda each: efforts[id(each)] * each.proof)


Tried = dict[str, bool | None]
"""Results of attempts, by position: whether the side wins, or None if the limit of nodes was reached first."""


@attrs.define
class WinningStrategy:
    """An unfinished proof that a side wins from a position."""

    registry: Registry
    game: AnyGame
    start: State
    side: int
    nodes: int = NODES
    """Maximum number of nodes for the proof of a leaf of the strategy. The number is so small that a player can repeat
    the proof during play.
    """
    tried: Tried = attrs.field(factory=dict)
    """The attempts so far. If the attempts of an earlier run are given, this run continues from them."""
    keep: Callable[[], None] = attrs.field(default=lambda: None)
    """Called after each attempt, to store `tried`."""
    _known: dict[State, StrategyNode] = attrs.field(factory=dict, init=False)
    _root: StrategyNode = attrs.field(init=False)
    _ranker: Searcher = attrs.field(init=False)
    _prover: Prover = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        require_strategy(self.game)
        name = self.registry.preferred_searcher(self.game)
        self._ranker = self.registry.searcher(name, **self.registry.best_evaluation(self.game, name))
        self._prover = new_prover(self.game, self.start, memory=min(TABLE, max(1, NODE * self.nodes >> 20)))
        self._root = self._node(self.start)

    @property
    def wins(self) -> bool | None:
        """Whether the side wins from the start; None if that is not proved yet."""
        return self._root.proof == 0 if self._root.decided else None

    def run(self, seconds: float | None = None) -> bool | None:
        """Prove whether the side wins; return the answer, or None if the time was too short.

        Arguments:
            seconds: the processor time that the proof may take.
        """
        began = time.process_time()
        while not self._root.decided and not stop_requested():
            if seconds is not None and time.process_time() - began > seconds:
                break
            self._step()
        return self.wins

    def progress(self) -> list[str]:
        """Return a sentence on the finished and the remaining work."""
        won = sum(outcome is not None for outcome in self.tried.values())
        left = f"about {self._root.proof:,.0f} left" if self._root.proof < math.inf else ""
        return [f"{won:,} of {len(self.tried):,} positions decided", left]

    def lines(self) -> Iterator[tuple[State, Action]]:
        """Yield each position above the leaves in which the side moves by its strategy, and the move to play."""
        waiting, seen = [self._root], {id(self._root)}
        while waiting:
            node = waiting.pop()
            if node.children is None:
                continue
            below = dict(node.children)
            if node.own:
                action = next(action for action, child in below.items() if child.proof == 0)
                yield node.state, action
                below = {action: below[action]}
            waiting += [each for each in below.values() if id(each) not in seen]
            seen |= {id(each) for each in below.values()}

    def _step(self) -> None:
        path = [self._root]
        while path[-1].children is not None:
            path[-1].update()  # what was found below other parents of its children is news here
            if path[-1].decided:
                break
            path.append(path[-1].most_proving())
        else:
            leaf = path.pop()
            wins = self._attempt(leaf.state)
            if wins is None:
                self._expand(leaf)
                leaf.update()
            else:
                leaf.decide(wins)
        for node in reversed(path):
            node.update()

    def _node(self, state: State) -> StrategyNode:
        """Return the node of a state. If the other side is to move, the node's children are added at once."""
        state = canonical(self.game)(state)
        if state in self._known:
            return self._known[state]
        over = self.game.terminal_test(state)
        node = self._known[state] = StrategyNode(state, not over and self.game.to_move(state) == self.side)
        if over:
            node.decide(self.game.utility(state, self.side) > 0)
        elif not node.own:
            node.children = {each: self._node(self.game.result(state, each)) for each in self.game.actions(state)}
            node.update()
        return node

    def _expand(self, node: StrategyNode) -> None:
        """Give a leaf its children, and expect more effort for a move that a short search ranks lower."""
        actions = legal_actions(self.game, node.state)
        values = self._ranker.analyse(self.game, node.state, RANKING).values or dict.fromkeys(actions, 0.0)
        sign = -1 if self.side == MAX else 1
        ranked = sorted(actions, key=lambda action: sign * values[action])
        node.children = {each: self._node(self.game.result(node.state, each)) for each in ranked}
        node.factors = tuple(min(WORSE**rank, MOST_FACTOR) for rank in range(len(ranked)))

    def _attempt(self, state: State) -> bool | None:
        """Return whether the side wins from a state, by a search.

        Return None if the limit of nodes is too low for an answer.
        """
        text = notation(self.game).format_state(state)
        if text not in self.tried:
            prover = self._prover
            prover.engine.search.table.clear()
            prover.control.allow(self.nodes)
            try:
                if self.side == MAX:
                    proved: bool | None = prover.at_least(state, prover.engine.above(0))
                else:
                    proved = not prover.at_least(state, 0)
            except SearchStopped:
                proved = None
            self.tried[text] = proved
            self.keep()
        return self.tried[text]


def require_strategy(game: AnyGame) -> None:
    """Raise UnsupportedGameError if a winning strategy has no exact values, or may never end."""
    if is_stochastic(game) or may_repeat(game):
        why = "is a game of chance" if is_stochastic(game) else "has positions that come back"
        raise UnsupportedGameError(f"{game.name} {why}: its strategy is not a tree")
    if won_value(game, MAX) is None:
        first, second = player_names(game)
        raise UnsupportedGameError(
            f"{game.name} has wins of more than one value: a strategy that wins does not say how much {first} or"
            f" {second} wins by"
        )


def won_value(game: AnyGame, side: int) -> float | None:
    """Return the value to MAX of all positions that a side wins; None if such positions have several values."""
    if not isinstance(game, Bounded):
        return None
    if game.bounds(game.initial_state()) != (-1, 1):
        return None
    return 1.0 if side == MAX else -1.0
