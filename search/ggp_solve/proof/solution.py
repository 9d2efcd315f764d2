"""A solve: its resources, its progress and its solution."""

import attrs
from ggp_search.tablebases.tablebase import Tablebase

from ggp.game import Action, State
from ggp_solve.proof.checkpoint import Checkpoint
from ggp_solve.proof.prover import Interval


@attrs.frozen(kw_only=True)
class Resources:
    """The resources of a solve."""

    memory: float = 3072
    """Megabytes for table and tablebases together; a small game takes no more than it needs."""
    threads: int = 1
    tablebase: Tablebase | None = None
    """A tablebase to use; none is built then."""
    layer: int | None = None
    """Highest layer of the tablebase to build (None: chosen automatically)."""
    seconds: float | None = None
    checkpoint: Checkpoint | None = None
    """The file in which progress is saved from time to time, and from which the solve resumes."""


@attrs.frozen(kw_only=True)
class ProofProgress:
    """Progress of a solve."""

    doing: str
    """The present step, in words."""
    question: tuple[State, float] | None
    """A state, and how much it is asked to be worth to MAX at least; None while nothing is asked."""
    interval: Interval | None
    """The bounds proved of the root's value to MAX; None where there are none."""
    states: int
    """States entered so far, over all threads."""
    seconds: float
    line: tuple[Action, ...] = ()
    """The best actions from the root, as far as they are known."""
    share: float | None = None
    """Of the actions whose values are asked for, how many are proved; None while the root's own value is not."""


@attrs.frozen(kw_only=True)
class Solution:
    """The result of a solve."""

    lower: float
    upper: float
    """The value to MAX lies between them; they are equal if all was proved."""
    complete: bool
    """Whether all that was asked was proved."""
    action: Action = None
    principal_variation: tuple[Action, ...] = ()
    """Best play of both to the end of the game."""
    values: dict[Action, Interval] | None = None
    """The bounds proved of each action's value to MAX; None where not asked for."""
    outcome: int | None = None
    """1 if MAX wins, 0 for a draw, -1 if MIN wins; None if that is not known."""
    stopped: str | None = None
    """The reason why it was cut short: "seconds", "interrupt", or None."""
    states: int = 0
    seconds: float = 0.0
    layers: int = 0
    """Layers of the tablebase that was used."""
    speed: str = "interpreted"
    note: str | None = None

    @property
    def value(self) -> float | None:
        """The exact value to MAX; None if it was not proved."""
        return self.lower if self.lower == self.upper else None


@attrs.frozen
class Wanted:
    """The task of a solve."""

    values: bool = False
    """The value of every action, too."""
    outcome: bool = False
    """Only who wins."""
