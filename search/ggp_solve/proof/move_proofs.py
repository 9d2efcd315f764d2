"""Prove the values of moves in turn, the most promising move first, until all are proved or time is up."""

from collections.abc import Mapping

import attrs
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped

from ggp.game import Action, State
from ggp_solve.proof.prover import Interval, Prover

FIRST_TURN = 0.1
"""The time is divided equally among the moves, and the first turn of a move takes this share of the move's part. Each
further turn is twice as long.
"""


@attrs.define
class MoveProofs:
    """Proofs of the values of some moves."""

    prover: Prover
    children: Mapping[Action, State]
    """The state after each move, the most promising move first."""
    guesses: Mapping[Action, float]
    """The value of each move to MAX, exact or estimated."""
    control: Control = attrs.field(factory=Control)
    lines: dict[Action, tuple[Action, ...]] = attrs.field(factory=dict)
    """Best play after each move whose value is proved."""

    def __attrs_post_init__(self) -> None:
        self.prover.obey(self.control)

    @property
    def states(self) -> int:
        """Number of nodes so far."""
        return self.prover.engine.states

    def interval(self, action: Action) -> Interval:
        """Return the proved bounds of a move's value."""
        return self.prover.bounds(self.children[action])

    def go(self, seconds: float) -> None:
        """Prove as many values as the time allows.

        Arguments:
            seconds: the time that is available; `control` ends the work after this time.
        """
        turn = FIRST_TURN * seconds / max(1, len(self.children))
        try:
            while unfinished := [action for action in self.children if action not in self.lines]:
                for action in unfinished:
                    self._prove(action, turn)
                # Doubled, so that all turns that were cut short together take no longer than the next one.
                turn *= 2
        except SearchStopped:
            pass

    def _prove(self, action: Action, seconds: float) -> None:
        child = self.children[action]
        self.control.check()
        self.control.allow()
        try:
            with self.control.at_most(seconds):
                value = self.prover.value(child, self.guesses[action])
                self.lines[action] = tuple(self.prover.line(child, value))
        except SearchStopped:
            self.control.check()
