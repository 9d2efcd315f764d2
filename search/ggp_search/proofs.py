"""Proofs of the values of several states, in turns: none waits for one that takes long."""

from collections.abc import Mapping
from math import inf
from typing import Any

import attrs

from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped
from ggp_search.proving import Interval, Prover

FIRST_TURN = 0.1
"""The part of its fair share of the time that each proof may take in the first round; in each further one, twice as
much."""


@attrs.define
class Proofs:
    """The proofs of what some moves are worth."""

    prover: Prover
    children: Mapping[Any, Any]
    """The state after each move, the most promising move first."""
    guesses: Mapping[Any, float]
    """What each is taken to be worth to MAX."""
    control: Control = attrs.field(factory=Control)
    lines: dict[Any, tuple[Any, ...]] = attrs.field(factory=dict)
    """Best play after the moves whose value is proved."""

    def __attrs_post_init__(self) -> None:
        self.control.watch(self.prover.engine.counter)

    @property
    def states(self) -> int:
        """States entered so far."""
        return self.prover.engine.states

    def interval(self, action: Any) -> Interval:
        """The interval in which the value of a move was proved to lie."""
        lower, upper = self.prover.interval(self.children[action])
        numbers = self.prover.engine.numbers
        return -inf if lower == numbers.lowest else lower, inf if upper == numbers.highest else upper

    def go(self, seconds: float) -> None:
        """Prove as much as there is time for.

        Arguments:
            seconds: the time there is; it is ended by `control`.
        """
        turn = FIRST_TURN * seconds / max(1, len(self.children))
        try:
            while unfinished := [action for action in self.children if action not in self.lines]:
                for action in unfinished:
                    self._prove(action, turn)
                turn *= 2
        except SearchStopped:
            pass

    def _prove(self, action: Any, seconds: float) -> None:
        child = self.children[action]
        self.control.check()
        self.control.allow()
        try:
            with self.control.at_most(seconds):
                value = self.prover.value(child, self._guess(action))
                self.lines[action] = tuple(self.prover.line(child, value))
        except SearchStopped:
            self.control.check()

    def _guess(self, action: Any) -> float:
        """In the numbers of the search."""
        guess = self.guesses[action]
        return round(guess) if self.prover.engine.numbers.integral else guess
