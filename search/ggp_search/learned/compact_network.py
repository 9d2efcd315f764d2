"""Networks that only play: weights of 16 bits, which fit into the processor's cache, and a table in place of tanh.

A search spends most of its time on estimates. The learned weights are rounded once, when they are loaded.
"""

from math import ceil, log2, tanh
from typing import ClassVar

from ggp.compiler.intrinsics import bits_of, load, save, value_of
from ggp.game import AnyGame, State
from ggp_search.learned.network import Network, NetworkPlan, PythonNetwork
from ggp_search.learned.state_words import Floats
from ggp_search.memory.buffer import Buffer

UNIT = 4096
"""Weights are stored as whole multiples of 1 / `UNIT`."""
ZERO = 1 << 15
"""The word that stands for a weight of 0, because words are not negative."""
STEPS = 32
"""Minimum number of steps from 0 to 1 in the table of tanh. If the estimates have few different values, there are more
cutoffs.
"""
FINEST = 4
"""Number of steps for one point of the game, if this gives more steps than `STEPS`."""
FAR = 4
"""The table goes from -4 to 4. Beyond 4, tanh differs from 1 by less than 0.001."""


class CompactNetwork(Network):
    """A network whose weights do not change."""

    variables: ClassVar[tuple[str, ...]] = (*Network.variables, "curve", "offset", "shift", "last_step")
    width: ClassVar[int] = 2

    def __init__(self, game: AnyGame, plan: NetworkPlan, weights: Floats) -> None:
        """Create a network.

        Arguments:
            weights: an array of the weights of all sides, as fractions.
        """
        import numpy as np

        super().__init__(game, plan)
        kept = np.frombuffer(self.weights_memory.memory, np.uint16, len(weights))
        kept[:] = np.clip(np.rint(np.asarray(weights) * UNIT) + ZERO, 0, 2 * ZERO - 1)
        steps = 1 << min(10, ceil(log2(max(STEPS, FINEST * plan.scale))))
        self.last_step = 2 * FAR * steps - 1
        self.shift = (UNIT // steps).bit_length() - 1
        """Base-2 logarithm of the number of units in a step."""
        self._curve = Buffer(8 * (self.last_step + 1), large_pages=False)
        self.curve = self._curve.address
        for step in range(self.last_step + 1):
            save(self.curve + 8 * step, bits_of(tanh(step / steps - FAR)))
        self.offset = FAR * UNIT + (UNIT // steps) // 2 - plan.slots * ZERO

    def rest(self, state: State) -> float:
        self.look(state)
        weights = self.weights + self.side * self.set_of(state)
        total = self.offset
        for address in range(self.scratch + self.first, self.scratch + self.last, 8):
            total += load(weights + load(address)) & 0xFFFF
        step = min(max(total >> self.shift, 0), self.last_step)
        return value_of(load(self.curve + 8 * step))

    @classmethod
    def _class_in_python(cls) -> type[PythonNetwork]:
        return PythonCompactNetwork


class PythonCompactNetwork(PythonNetwork, CompactNetwork):
    """A network that only plays, for states in Python."""
