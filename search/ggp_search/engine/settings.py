"""Settings of one search: the searcher's options, with all automatic choices decided."""

import functools
import os
from collections.abc import Callable
from typing import Any

import attrs

from ggp.capabilities import UNKNOWN, evaluation, evaluations
from ggp.errors import OptionError
from ggp.game import AnyGame, Bounded, Evaluation, Scored, Suggesting, Symmetric
from ggp.plugins import Registry, load_registry
from ggp.repetition import depends_on_state

ORDERINGS = ("auto", "none", "table", "suggestion", "evaluation")
SPEEDS = ("auto", "interpreted", "compiled")


@attrs.frozen(kw_only=True)
class Settings:
    """Settings of one search."""

    evaluation: Evaluation
    evaluation_name: str | None
    """The name of the evaluation; "" for the constant 0; None for a function of the caller."""
    table: float
    """Size of the transposition table in megabytes; 0 means none."""
    ordering: str
    """One of `ORDERINGS`, except "auto"."""
    cuts: bool
    """Whether the game's bounds cause cutoffs (futility cuts)."""
    bounded: bool
    """Whether all leaves, estimates included, lie within the game's bounds."""
    separable: bool
    """Whether the table is indexed by `key` and `score`; otherwise by the whole state."""
    symmetric: bool
    """Whether the table is indexed by canonical states."""
    etc: bool
    """Whether table entries of the children may cause a cutoff."""
    speed: str
    threads: int
    promise: Evaluation
    """The evaluation that orders the actions, if `ordering` is "evaluation"."""
    proof: bool = False
    """Whether the search goes to the end of the game, so that `value_bounds` may cause cutoffs too."""
    tablebase: Any = None
    """The `ggp_search.tablebases.tablebase.Tablebase` to probe, or None."""

    def is_plain(self) -> bool:
        """Return whether nothing is stored between states; then both speeds enter the same states in the same order."""
        return self.table == 0 and self.threads == 1 and self.tablebase is None

    def plain(self) -> "Settings":
        """Return the settings of the textbook's search: no table, and the actions in the game's order."""
        return attrs.evolve(self, table=0, ordering="none", cuts=False, etc=False, tablebase=None)


def choose_settings(
    game: AnyGame,
    *,
    wanted: str | Callable[..., float],
    table: float,
    ordering: str,
    bounds: bool | None,
    etc: bool,
    speed: str,
    threads: int,
    tablebase: Any = None,
    proof: bool = False,
) -> Settings:
    """Decide the automatic choices.

    Arguments:
        wanted: the evaluation, by name or a function.
        bounds: whether the game's bounds cause cutoffs; None: if there is a table.
        speed: one of `SPEEDS`; for "auto", the environment variable GGP_SPEED decides.
        proof: whether the search goes to the end of the game; the evaluation then only orders actions.
    """
    promise = find_evaluation(game, wanted)
    estimate = UNKNOWN if proof else promise
    # A proof meets no estimates, so its leaves are utilities, which lie within the bounds by the rules.
    bounded = isinstance(game, Bounded) and (estimate.bounded or proof)
    separable = isinstance(game, Scored) and (estimate.separable or proof)
    return Settings(
        evaluation=estimate,
        evaluation_name=_name(game, wanted),
        table=table,
        ordering=_ordering(game, ordering, promise),
        cuts=bounded and (table > 0 if bounds is None else bounds),
        bounded=bounded,
        etc=table > 0 and etc,
        # a repetition's value that a method returns promises nothing about keys
        separable=separable and not depends_on_state(game),
        # A caller's own evaluation may differ between symmetric states, so the table then uses the states themselves.
        # So may one of a plugin, if only by rounding.
        symmetric=isinstance(game, Symmetric) and (wanted == "default" or wanted in evaluations(game)),
        speed=choose_speed(speed),
        threads=threads,
        promise=promise,
        proof=proof,
        tablebase=tablebase,
    )


def find_evaluation(game: AnyGame, wanted: str | Callable[..., float]) -> Evaluation:
    """Return an evaluation of the game, or else one that a plugin has for every game, such as `learned`.

    Raises:
        UnknownNameError: there is no evaluation of that name.
    """
    if isinstance(wanted, str) and wanted != "default" and wanted not in evaluations(game):
        found = _registry().evaluation(game, wanted)
        if found is not None:
            return found
    return evaluation(game, wanted)


@functools.cache
def _registry() -> Registry:
    """Return the installed plugins. Loading them again for each move would take a while."""
    return load_registry()


def _name(game: AnyGame, wanted: str | Callable[..., float]) -> str | None:
    if not isinstance(wanted, str):
        return None
    offered = evaluations(game)
    return next(iter(offered), "") if wanted == "default" else wanted


def _ordering(game: AnyGame, ordering: str, promise: Evaluation) -> str:
    if ordering == "suggestion" and not isinstance(game, Suggesting):
        raise OptionError(f"ordering cannot be 'suggestion': {game.name} suggests none; use evaluation, table or none")
    if ordering != "auto":
        return ordering
    if isinstance(game, Suggesting):
        return "suggestion"
    return "table" if promise is UNKNOWN else "evaluation"


def choose_speed(speed: str) -> str:
    """Return the speed that is wanted, "auto" replaced by what GGP_SPEED says.

    Raises:
        OptionError: GGP_SPEED names an unknown speed.
    """
    named = (os.environ.get("GGP_SPEED") or "auto") if speed == "auto" else speed
    if named not in SPEEDS:
        raise OptionError(f"GGP_SPEED must be one of {', '.join(SPEEDS)}; got {named!r}")
    return named
