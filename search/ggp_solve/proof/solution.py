"""A solve: its resources, its progress and its solution."""

import attrs
from ggp_search.tablebases.best_play import ValueBounds
from ggp_search.tablebases.tablebase import Tablebase

from ggp.game import Action, AnyGame, State
from ggp.searcher import action_columns
from ggp.tables import ResultTable, Tabular
from ggp_solve.proof.checkpoint import Checkpoint
from ggp_solve.proof.prover import Interval


@attrs.frozen(kw_only=True)
class Resources:
    """The resources that a solve may use."""

    memory: float = 3072
    """Maximum size of the table and tablebases together, in megabytes; a small game uses less."""
    threads: int = 1
    tablebase: Tablebase | None = None
    """A tablebase to use; if it is given, no tablebase is built."""
    layer: int | None = None
    """Highest layer of the tablebase to build (None: chosen automatically)."""
    seconds: float | None = None
    checkpoint: Checkpoint | None = None
    """The file for checkpoints, from which the solve resumes."""


@attrs.frozen(kw_only=True)
class ProofProgress:
    """Progress of a solve."""

    doing: str
    """The current step of the solve, in words."""
    question: tuple[State, float] | None
    """The current question, as a state and a number: is the state's value to MAX at least this number? None between
    questions.
    """
    interval: Interval | None
    """The proved bounds of the root's value to MAX; None if no bound is proved."""
    states: int
    """Number of nodes so far, over all threads."""
    seconds: float
    line: tuple[Action, ...] = ()
    """The best actions from the root, as far as they are known."""
    share: float | None = None
    """Share of the wanted actions whose values are proved; None before the root's own value is proved."""


@attrs.frozen(kw_only=True)
class Solution(ValueBounds, Tabular):
    """The result of a solve."""

    complete: bool
    """Whether everything that the user asked for is proved: every value, or only the outcome."""
    action: Action = None
    """A best action; None if the solve was stopped before it was found."""
    principal_variation: tuple[Action, ...] = ()
    """Best play of both sides to the end of the game, or as far as it was found before the solve was stopped."""
    values: dict[Action, Interval] | None = None
    """The proved bounds of each action's value to MAX; None if the user did not ask for them."""
    outcome: int | None = None
    """1 if MAX wins, 0 for a draw, -1 if MIN wins; None if unknown."""
    stopped: str | None = None
    """The reason why the solve ended early: "seconds", "interrupt"; or None."""
    states: int = 0
    seconds: float = 0.0
    layers: int = 0
    """Number of layers of the tablebase that was used."""
    speed: str = "interpreted"
    note: str | None = None

    def to_table(self, game: AnyGame | None = None, state: State = None) -> ResultTable:
        """Return a row for each action if the values of all actions were asked for. Otherwise, return a row for the
        best action. For the arguments, see `ggp.searcher.SearchResult.to_table`.
        """
        values = self.values if self.values is not None else {self.action: (self.lower, self.upper)}
        return ResultTable(
            action_columns(action, game, state)
            | {
                "value": lower if lower == upper else None,
                "lower": lower,
                "upper": upper,
                "best": (lower, upper) == (self.lower, self.upper),
                "complete": self.complete,
                "nodes": self.states,
                "seconds": self.seconds,
                "speed": self.speed,
            }
            for action, (lower, upper) in values.items()
        )


@attrs.frozen
class Wanted:
    """The results that a solve should find."""

    values: bool = False
    """Whether to find the value of every action."""
    outcome: bool = False
    """Whether to find only who wins."""
