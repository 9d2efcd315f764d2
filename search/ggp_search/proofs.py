"""Proofs of the values of several states, in turns: none waits for one that takes long."""

import sys
from collections.abc import Mapping
from math import inf
from typing import Any

import attrs

from ggp_search import worker
from ggp_search.parts import INTEGERS, SearchStopped
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
    stop: worker.Stop = attrs.field(factory=worker.Stop)
    lines: dict[Any, tuple[Any, ...]] = attrs.field(factory=dict)
    """Best play after the moves whose value is proved."""

    def __attrs_post_init__(self) -> None:
        self.stop.watch(self.prover.engine.live)

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
            seconds: the time there is; it is ended by `stop`.
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
        live, child = self.prover.engine.live, self.children[action]
        live.limit = sys.maxsize
        if self.stop.reason:
            raise SearchStopped
        try:
            with worker.Alarm(seconds).watching(live):
                value = self.prover.value(child, self._guess(action))
                self.lines[action] = tuple(self.prover.line(child, value))
        except SearchStopped:
            if self.stop.reason:
                raise

    def _guess(self, action: Any) -> float:
        """In the numbers of the search."""
        guess = self.guesses[action]
        return round(guess) if self.prover.engine.numbers is INTEGERS else guess
