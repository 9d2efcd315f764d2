"""Settings and plan of one search: everything that is decided before the search begins, with the kind of its numbers.

A plan is made once for each search. The engines are built from the plan, it is the key of the machine code, and it
tells what was decided and why (`ggp search --explain`).
"""

import functools
import os
import types
from collections.abc import Callable, Hashable
from math import inf
from pathlib import PurePath
from typing import Any

import attrs

from ggp import compiler
from ggp.capabilities import UNKNOWN, evaluation, evaluations, is_stochastic
from ggp.errors import OptionError
from ggp.game import (
    MAX,
    AnyGame,
    Bounded,
    CapableGame,
    Evaluation,
    Foreseeing,
    Quiet,
    Scored,
    State,
    Suggesting,
    Symmetric,
)
from ggp.number_text import many
from ggp.plugins import installed_registry
from ggp.repetition import depends_on_state, last_occurrence, may_repeat, repetition_value
from ggp.searcher import Limits
from ggp_search.memory.buffer import ThreadMemory

ORDERINGS = ("auto", "none", "table", "suggestion", "evaluation")
SPEEDS = ("auto", "interpreted", "compiled")


@attrs.frozen(kw_only=True)
class Settings:
    """Settings of one search."""

    evaluation: Evaluation
    evaluation_name: str | None
    """The name of the evaluation; "" for the constant 0; None for a function of the caller."""
    table: float
    """Size of the transposition table in megabytes; 0 means that there is no table."""
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
    chance: bool
    """Whether the game has chance nodes."""
    last_occurrence: int | None
    """Which occurrence of a state ends the game; see `ggp.repetition.last_occurrence`."""
    promise: Evaluation
    """The evaluation that sorts the actions, if `ordering` is "evaluation"."""
    foresees: bool = False
    """Whether `value_bounds` may cause cutoffs, too: in a search to the end of the game, or if the user asks for it."""
    tablebase: Any = None
    """The `ggp_search.tablebases.tablebase.Tablebase` to probe, or None."""

    def is_plain(self) -> bool:
        """Return whether no results are stored between states, so that both speeds enter the same states in the same
        order.
        """
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
    tablebase: object = None,
    proof: bool = False,
    foresee: bool = False,
) -> Settings:
    """Decide the automatic choices.

    Arguments:
        wanted: the name of the evaluation, or a function.
        bounds: whether the game's bounds cause cutoffs; None: they do if there is a table.
        speed: one of `SPEEDS`; for "auto", the environment variable GGP_SPEED decides.
        proof: whether the search goes to the end of the game, so that the evaluation only orders actions.
        foresee: whether `value_bounds` cause cutoffs in other searches, too, where the game's bounds do.
    """
    promise = find_evaluation(game, wanted)
    estimate = UNKNOWN if proof else promise
    # A proof meets no estimates, so its leaves are utilities, which lie within the bounds by the rules.
    bounded = isinstance(game, Bounded) and (estimate.bounded or proof)
    separable = isinstance(game, Scored) and (estimate.separable or proof)
    cuts = bounded and (table > 0 if bounds is None else bounds)
    return Settings(
        evaluation=estimate,
        evaluation_name=_name(game, wanted),
        table=table,
        ordering=_ordering(game, ordering, promise),
        cuts=cuts,
        bounded=bounded,
        etc=table > 0 and etc,
        # a repetition's value that a method returns promises nothing about keys
        separable=separable and not depends_on_state(game),
        # A caller's own evaluation may differ between symmetric states, so the table then uses the states themselves.
        # So may one of a plugin, if only by rounding.
        symmetric=isinstance(game, Symmetric) and (wanted == "default" or wanted in evaluations(game)),
        speed=choose_speed(speed),
        threads=threads,
        chance=is_stochastic(game),
        last_occurrence=last_occurrence(game),
        promise=promise,
        foresees=isinstance(game, Foreseeing) and (proof or (foresee and cuts)),
        tablebase=tablebase,
    )


def find_evaluation(game: AnyGame, wanted: str | Callable[..., float]) -> Evaluation:
    """Return an evaluation of the game, or one that a plugin has for every game, such as `learned`.

    Raises:
        UnknownNameError: there is no evaluation of that name.
    """
    if isinstance(wanted, str) and wanted != "default" and wanted not in evaluations(game):
        offered = installed_registry().evaluation(game, wanted)
        if offered is not None:
            return offered
    return evaluation(game, wanted)


def _name(game: AnyGame, wanted: str | Callable[..., float]) -> str | None:
    if not isinstance(wanted, str):
        return None
    offered = evaluations(game)
    return next(iter(offered), "") if wanted == "default" else wanted


def _ordering(game: AnyGame, ordering: str, promise: Evaluation) -> str:
    if ordering == "suggestion" and not isinstance(game, Suggesting):
        raise OptionError(
            f"ordering cannot be 'suggestion': {game.name} has no suggestions; use evaluation, table or none"
        )
    if ordering != "auto":
        return ordering
    if isinstance(game, Suggesting):
        return "suggestion"
    return "table" if promise is UNKNOWN else "evaluation"


def choose_speed(speed: str) -> str:
    """Return the speed to use; "auto" is replaced by the value of GGP_SPEED.

    Raises:
        OptionError: UsageError: GGP_SPEED names an unknown speed.
    """
    named = (os.environ.get("GGP_SPEED") or "auto") if speed == "auto" else speed
    if named not in SPEEDS:
        raise OptionError(f"GGP_SPEED must be one of {', '.join(SPEEDS)}; got {named!r}")
    return named


class LargeValueError(Exception):
    """Raised in machine code for a whole number of 2**40 or more, or of -2**40 or less, as a value."""


@attrs.frozen
class Numbers:
    """A kind of numbers for the values of a search."""

    lowest: float
    """A number less than every value."""
    highest: float
    """A number greater than every value."""
    integral: bool = False
    """Whether all values are integers, so that the next value above n is n + 1."""
    floats: bool = False
    """Whether every value is converted to a float."""

    def of(self, value: float) -> float:
        """Return a value of the game as a number of this kind.

        Raises:
            LargeValueError: the value is not between `lowest` and `highest`, which have to lie beyond every value.
        """
        if self.floats:
            return float(value)
        if self.integral and (value <= self.lowest or value >= self.highest):
            raise LargeValueError
        return value

    def between(self, lower: float, upper: float) -> tuple[float, float]:
        """Return bounds of a value, as floats if values are floats. The bounds may lie beyond every possible value.

        Raises:
            LargeValueError: machine code cannot hold any value between the bounds.
        """
        if self.floats:
            return float(lower), float(upper)
        if self.integral and (lower >= self.highest or upper <= self.lowest):
            raise LargeValueError
        return lower, upper


Evaluate = Callable[[State], float]

ANY_NUMBERS = Numbers(-inf, inf)
"""The numbers of interpreted searches, which are used as the game returns them."""
FLOATS = Numbers(-inf, inf, floats=True)
INTEGERS = Numbers(-(1 << 40), 1 << 40, integral=True)
"""The whole numbers of machine code: values stay below 2**40, so that their sums stay within 64 bits."""


def numbers_of(
    game: AnyGame, settings: Settings, chance: bool, find: Callable[..., Any] = compiler.result_type
) -> Numbers | None:
    """Return the kind of numbers: integers if all values of the game are, otherwise floats; None if `find` does not
    know.

    Arguments:
        chance: whether the searcher averages over the outcomes of chance.
    """
    by_state = depends_on_state(game)
    fractional = may_repeat(game) and not by_state and not repetition_value(game, None).is_integer()
    if chance or fractional or memory_behind(settings.evaluation.function):  # what was learned is no whole number
        return FLOATS
    kind = find(
        _values,
        game,
        settings.evaluation.function,
        by_state,
        settings.bounded,
        settings.foresees,
        settings.separable,
        compiler.STATE,
        game=game,
    )
    if kind is None:
        return None
    return INTEGERS if {compiler.INT, compiler.BOOL}.issuperset(kind.items) else FLOATS


def memory_behind(function: object) -> ThreadMemory | None:
    """Return the object of a method, if the object has separate memory for each thread; None for any other function."""
    owner = function.__self__ if isinstance(function, types.MethodType) else None
    return owner if isinstance(owner, ThreadMemory) else None


def _values(
    game: CapableGame,
    evaluation: Callable[[State], float],
    by_state: bool,
    bounded: bool,
    foreseen: bool,
    separable: bool,
    state: State,
) -> tuple[float, ...]:
    """Return one example of each number that a search compares with values; 0 if the search has no such number.

    This function is compiled only to find the type of its result. The flags are constants in it, so code that they
    switch off is not examined.
    """
    for action in game.actions(state):
        game.result(state, action)  # later states may have floats where the first one has whole numbers
    repeated = game.repetition(state) if by_state else 0
    least, greatest = game.bounds(state) if bounded else (0, 0)
    worst, best = game.value_bounds(state) if foreseen else (0, 0)
    score = game.score(state) if separable else 0
    return game.utility(state, MAX), evaluation(state), repeated, least, greatest, worst, best, score


PLAIN_DEPTH = 12
"""Maximum depth in plies of a limit for which the search is a plain one, as in textbooks, unless the user chooses
options.
"""


@attrs.frozen
class SearchPlan:
    """The plan of one search: its state, recursion, settings and limits."""

    game: CapableGame
    state: State
    searcher: Any
    """See `ggp_search.engine.search.Recursion`."""
    settings: Settings
    limits: Limits = attrs.field(factory=Limits)
    nodes: int | None = None
    """Maximum number of nodes of a quick search, which comes before the real search; None for the real search."""

    @functools.cached_property
    def key(self) -> Hashable | None:
        """Everything that the machine code of the search depends on; None if it is not hashable."""
        settings = self.settings
        if settings.evaluation_name is None:
            return None
        key = (
            type(self.game), self.game, self.searcher, settings.evaluation_name, settings.table > 0, settings.ordering,
            settings.cuts, settings.bounded, settings.separable, settings.symmetric, settings.etc,
            settings.threads > 1, settings.tablebase is not None, settings.foresees,
        )  # fmt: skip
        try:
            hash(key)
        except TypeError:
            return None
        return key

    def reasons(self) -> dict[str, str]:
        """Return what was decided and why, as a text for each name."""
        said = {
            "recursion": self.recursion_text(),
            "limits": self._limits(),
            "table": self._table(),
            "order": self._order(),
            "bounds": self._bounds(),
            "leaves": self.leaves(),
        }
        if self.settings.last_occurrence is not None:
            worth = "what its rules say" if depends_on_state(self.game) else f"{repetition_value(self.game, None):g}"
            said["repetition"] = f"a state that comes back is worth {worth}"
        said["tablebase"] = self._tablebase()
        if self.settings.threads > 1:
            said["threads"] = f"{self.settings.threads}, which share the table, at depths of at least 8 plies"
        return said

    def recursion_text(self) -> str:
        """Return the name of the recursion, and its file."""
        code = self.searcher.recursion.__code__
        return f"{code.co_name}, {'/'.join(PurePath(code.co_filename).parts[-3:])}"

    def _limits(self) -> str:
        limits = self.limits
        given = [
            *([f"{limits.depth} plies"] if limits.depth else []),
            *([f"{limits.seconds:g} s"] if limits.seconds is not None else []),
            *([many(limits.nodes, "state")] if limits.nodes else []),
        ]
        deepened = limits.seconds is not None or limits.nodes is not None or self.searcher.deepens
        how = "depth by depth; the result is from the last completed depth" if deepened else "at once"
        return f"{', '.join(given) or 'none: to the end of the game'}; searched {how}"

    def _table(self) -> str:
        settings, game = self.settings, self.game
        if not settings.table:
            return "none: a plain search, as in textbooks (table=MB adds one)"
        by = "key, apart from the score" if settings.separable else "the whole state"
        if not settings.separable and isinstance(game, Scored):
            by += " (the evaluation is not one of key and score)"
        shared = ", one entry for symmetric states" if settings.symmetric else ""
        return f"{settings.table:g} MB ({self._strength()}), by {by}{shared}"

    def _strength(self) -> str:
        """Return the reason why there is a table."""
        limits = self.limits
        if self.searcher.table is not None:
            return "as asked for"
        if self.searcher.needs_table:
            return f"{self.searcher.name} needs one"
        if limits.seconds is not None:
            return "time is limited"
        if limits.nodes is not None:
            return "states are limited"
        return f"more than {PLAIN_DEPTH} plies" if limits.depth else "no limits"

    def _order(self) -> str:
        return {
            "none": "the game's own",
            "table": "the table's best action first, then the game's own",
            "suggestion": "the table's best action first, then as the game suggests",
            "evaluation": "the table's best action first, then by estimates of the successors",
        }[self.settings.ordering]

    def _bounds(self) -> str:
        if not isinstance(self.game, Bounded):
            return "none: the game states no bounds"
        if not self.settings.bounded:
            return "not used: the evaluation may lie beyond them"
        if not self.settings.cuts:
            return "no cutoffs: a plain search (bounds=yes adds them)"
        seen = ", and by what it foresees" if self.settings.foresees else ""
        return f"cutoffs by the game's bounds{seen}"

    def leaves(self) -> str:
        """Return a sentence on where leaves get their values."""
        name = self.settings.evaluation_name
        if name is None:
            estimate = "the caller's evaluation"
        else:
            estimate = f"evaluation {name}" if name else "0 (there is no evaluation)"
        if self.searcher.horizon is not None and isinstance(self.game, Quiet):
            estimate += ", after noisy moves"
        return f"utility at the end of the game, {estimate} at the depth limit"

    def _tablebase(self) -> str:
        if self.settings.tablebase is not None:
            return "yes"
        wanted = self.searcher.tablebase
        if wanted == "auto" and (self.limits.depth is not None or self.limits.nodes is not None):
            return "none: not used if depth or states are limited, so that results are the same everywhere"
        return "none" if wanted == "none" else "none: there is no tablebase of this game here"
