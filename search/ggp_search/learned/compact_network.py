"""Networks to play with: weights of 16 bits, which fit into the processor's cache, and a table instead of tanh.

A search spends most of its time on estimates. What was learned is rounded once, when it is loaded.
"""

from math import tanh
from typing import Any, ClassVar

from ggp.compiler.intrinsics import bits_of, load, save, value_of
from ggp.game import AnyGame, State
from ggp_search.learned.network import Network, NetworkPlan, PythonNetwork
from ggp_search.memory.buffer import Buffer

UNIT = 4096
"""Units of a weight in 1."""
ZERO = 1 << 15
"""The word of a weight of 0: words are not negative."""
STEP_BITS = 7
"""Base-2 logarithm of the units in a step of the table of tanh; 32 steps in 1."""
HALF = 128
"""Steps on each side of 0. Beyond them tanh is 1, but for less than 0.001. Few different values make more cutoffs."""


class CompactNetwork(Network):
    """A network whose weights do not change."""

    variables: ClassVar[tuple[str, ...]] = (*Network.variables, "curve", "offset")
    width: ClassVar[int] = 2

    def __init__(self, game: AnyGame, plan: NetworkPlan, weights: Any) -> None:
        """Create a network.

        Arguments:
            weights: an array of the weights of all sides, in 1.
        """
        import numpy as np

        super().__init__(game, plan)
        kept = np.frombuffer(self.memory.memory, np.uint16, len(weights))
        kept[:] = np.clip(np.rint(np.asarray(weights) * UNIT) + ZERO, 0, 2 * ZERO - 1)
        self._curve = Buffer(8 * 2 * HALF, large_pages=False)
        self.curve = self._curve.address
        for step in range(2 * HALF):
            save(self.curve + 8 * step, bits_of(tanh((step - HALF) * (1 << STEP_BITS) / UNIT)))
        self.offset = (HALF << STEP_BITS) + (1 << STEP_BITS - 1) - len(plan.images) * ZERO

    def rest(self, state: State) -> float:
        self.look(state)
        weights = self.weights + self.side * self.set_of(state)
        total = self.offset
        for place in range(self.scratch + self.first, self.scratch + self.last, 8):
            total += load(weights + load(place)) & 0xFFFF
        step = min(max(total >> STEP_BITS, 0), 2 * HALF - 1)
        return value_of(load(self.curve + 8 * step))

    @classmethod
    def _class_in_python(cls) -> type[PythonNetwork]:
        return PythonCompactNetwork


class PythonCompactNetwork(PythonNetwork, CompactNetwork):
    """A network to play with, for states in Python."""
