"""Probing: values from endgame tablebases in a search.

A tablebase holds one byte for each state of a layer (see `ggp.game.Ranking`): the value of the rest of the game to the
player to move. A directory is an array in memory with the addresses of the sections: word `SECTIONS * n + s` is the
address of section s of layer n.
"""

from typing import Any, ClassVar, Protocol

from ggp.compiler.intrinsics import load, load_byte
from ggp.game import MAX, Ranking, State
from ggp.repetition import may_repeat
from ggp_search.memory.transposition_table import MIN_STORED_HEIGHT

SECTIONS = 128
"""Maximum number of sections of a layer."""
LAYERS = 128
"""Maximum number of layers in a directory."""
NEAREST = 6
"""Transposition tables do not store states that are at most this many layers above the tablebase: searching them again
is as fast (measured on Kalah).
"""
NEAR_SHARE = 5
"""Of the layers between the tablebase and the root, at most one in `NEAR_SHARE` is left out of transposition tables.
"""


class Directory:
    """The directory of a tablebase, which compiled code uses in place of the tablebase."""

    def __init__(self, ranking: Ranking[State], address: int) -> None:
        self.ranking, self.address, self.layers = ranking, address, 0


class Probed(Protocol):
    """The part of a tablebase, or of its directory, that a probe reads."""

    @property
    def ranking(self) -> Ranking[State]: ...
    @property
    def address(self) -> int: ...
    @property
    def layers(self) -> int: ...


class TablebaseProbe:
    """A tablebase in the form in which a search probes it."""

    variables: ClassVar[tuple[str, ...]] = ("address", "layers", "near")

    def __init__(self, game: Any, base: Probed) -> None:
        """Prepare to probe `base`, which has a `ranking`, the `address` of a directory, and a number of `layers`."""
        self.game, self.ranking, self.base = game, base.ranking, base
        self.secured = hasattr(game, "score")
        self.address, self.layers, self.near = base.address, base.layers, 0

    def grow(self, state: State) -> None:
        """Make all layers that the tablebase has now available to a search from `state`."""
        self.address, self.layers = self.base.address, self.base.layers
        above = 0 if may_repeat(self.game) else self.ranking.layer(state) - self.layers
        self.near = max(0, min(NEAREST, above // NEAR_SHARE))

    def holds(self, state: State) -> bool:
        """Return whether the tablebase has the value of a state that is not terminal."""
        return self.ranking.layer(state) < self.layers

    def value(self, state: State) -> int:
        """Return the value to MAX of a state in the tablebase."""
        layer = self.ranking.layer(state)
        section, index = self.ranking.rank(state)
        rest = load_byte(load(self.address + 8 * (SECTIONS * layer + section)) + index)
        secured = self.game.score(state) if self.secured else 0
        return secured + rest if self.game.to_move(state) == MAX else secured - rest

    def height(self, state: State) -> int:
        """Return the height of a state above the tablebase, for transposition tables, which do not store states of
        small height.
        """
        return self.ranking.layer(state) - self.layers - self.near + MIN_STORED_HEIGHT
