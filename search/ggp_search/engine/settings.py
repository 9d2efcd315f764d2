"""Settings and plan of one search: everything that is decided before the search begins, such as the kind of its
numbers.

A plan is made once for each search. The engines are built from the plan. The plan is also the key of the machine code,
and says what was decided and why (`ggp search --explain`).
"""

import copy
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
from ggp.compiler import machine
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
from ggp.searcher import Limits, Parallel, samples
from ggp_search import book_answer
from ggp_search.constants import MAX_PLIES
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
    """True if the table is indexed by `key` and `score`, False if it is indexed by the whole state."""
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
    ordering_evaluation: Evaluation
    """The evaluation that sorts the actions, if `ordering` is "evaluation"."""
    foresees: bool = False
    """Whether `value_bounds` may cause cutoffs, too. They may in a search to the end of the game, or if the user asks
    for it.
    """
    tablebase: Any = None
    """The `ggp_search.tablebases.tablebase.Tablebase` to probe, or None."""
    futility: float = 0
    """The margin of futility cuts, by which a move may improve the estimate; 0: no such cuts."""

    def is_plain(self) -> bool:
        """Return whether the search stores no results of states, so that both speeds enter the same states in the same
        order.
        """
        return self.table == 0 and self.threads == 1 and self.tablebase is None

    def plain(self) -> "Settings":
        """Return the settings of the textbook's search: no table, and the actions in the game's order."""
        return attrs.evolve(self, table=0, ordering="none", cuts=False, etc=False, tablebase=None, futility=0)


def _names(recursion: types.FunctionType, name: str) -> bool:
    """Return whether a function, or one that it calls by a global name, uses `name`."""
    met: set[object] = set()
    left: list[types.FunctionType] = [recursion]
    while left:
        function = left.pop()
        met.add(function)
        codes, names = [function.__code__], set[str]()
        for code in codes:
            names.update(code.co_names)
            codes += [each for each in code.co_consts if isinstance(each, types.CodeType)]
        if name in names:
            return True
        known = [function.__globals__.get(each) for each in names]
        known += [vars(module).get(each) for module in known if isinstance(module, types.ModuleType) for each in names]
        known += [cell.cell_contents for cell in function.__closure__ or ()]
        left += [each for each in known if isinstance(each, types.FunctionType) and each not in met]
    return False


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
        foresee: if true, `value_bounds` may cause cutoffs wherever the game's bounds do; if false, only in searches to
            the end of the game.
    """
    ordering_evaluation = find_evaluation(game, wanted)
    estimate = UNKNOWN if proof else ordering_evaluation
    # A proof meets no estimates, so its leaves are utilities, which lie within the bounds by the rules.
    bounded = isinstance(game, Bounded) and (estimate.bounded or proof)
    separable = isinstance(game, Scored) and (estimate.separable or proof)
    cuts = bounded and (table > 0 if bounds is None else bounds)
    return Settings(
        evaluation=estimate,
        evaluation_name=_name(game, wanted),
        table=table,
        ordering=_ordering(game, ordering, ordering_evaluation),
        cuts=cuts,
        bounded=bounded,
        etc=table > 0 and etc,
        # if a method returns the value of a repetition, it may depend on more than the key
        separable=separable and not depends_on_state(game),
        # A caller's own evaluation may differ between symmetric states, so the table then uses the states themselves.
        # So may one of a plugin, if only by rounding.
        symmetric=isinstance(game, Symmetric) and (wanted == "default" or wanted in evaluations(game)),
        speed=choose_speed(speed),
        threads=threads,
        chance=is_stochastic(game),
        last_occurrence=last_occurrence(game),
        ordering_evaluation=ordering_evaluation,
        foresees=isinstance(game, Foreseeing) and (proof or (foresee and cuts)),
        tablebase=tablebase,
    )


def find_evaluation(game: AnyGame, wanted: str | Callable[..., float]) -> Evaluation:
    """Return an evaluation of the game, or one that a plugin offers for every game, such as `learned`.

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


def _ordering(game: AnyGame, ordering: str, ordering_evaluation: Evaluation) -> str:
    if ordering == "suggestion" and not isinstance(game, Suggesting):
        raise OptionError(
            f"ordering cannot be 'suggestion': {game.name} has no suggestions; use evaluation, table or none"
        )
    if ordering != "auto":
        return ordering
    if isinstance(game, Suggesting):
        return "suggestion"
    return "table" if ordering_evaluation is UNKNOWN else "evaluation"


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
    """Raised in machine code if a value is a whole number of 2**40 or more, or of -2**40 or less."""


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
    """Return the kind of the game's values: integers if all of them are integers, otherwise floats. Return None if
    `find` returns None.

    Arguments:
        chance: whether the searcher averages over the outcomes of chance.
        find: returns the type of a function's result; None if the compiler cannot find it.
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

    This function is compiled only to find the type of its result. The flags are constants in this function, so code
    that they switch off is not examined.
    """
    for action in game.actions(state):
        game.result(state, action)  # later states may have floats where the first one has whole numbers
    repeated = game.repetition(state) if by_state else 0
    least, greatest = game.bounds(state) if bounded else (0, 0)
    worst, best = game.value_bounds(state) if foreseen else (0, 0)
    score = game.score(state) if separable else 0
    return game.utility(state, MAX), evaluation(state), repeated, least, greatest, worst, best, score


PLAIN_DEPTH = 12
"""A search with a depth limit of at most this many plies is plain, as in textbooks, unless the user chooses options."""

STRONG_TABLE = 64
"""Default size of the table in megabytes, if the search needs one."""

INTERPRETED_FIRST = 20_000
"""Maximum number of nodes of a quick search. Such a search takes a few hundredths of a second, and is tried before code
is compiled or a table is allocated.
"""

INTERPRETED_SECONDS = 1.0
"""Maximum number of seconds of a quick search that runs interpreted: if the rules are slow, compiling is faster."""

TOY = 1_000
"""Maximum number of nodes of a quick search if only time is limited. This is enough for small trees and the ends of
games.
"""

WHOLE_GAME_FIRST = 20_000
"""Maximum number of nodes of a first attempt to search the whole game without deepening. This is enough for small
games.
"""


def needs_strength(limits: Limits) -> bool:
    """Return whether a search with these limits is worth a table and move ordering."""
    return limits.seconds is not None or limits.nodes is not None or (limits.depth or 0) > PLAIN_DEPTH


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
    deepens: bool = attrs.field(init=False)
    """Whether the search deepens iteratively; a search without limits goes to the end at once."""
    tries_whole_game: bool = attrs.field(init=False)
    """Whether a search that deepens also tries to search the whole game at once."""

    @deepens.default
    def _deepens(self) -> bool:
        limits = self.limits
        if samples(self.searcher):
            return False
        limited = limits.seconds is not None or limits.nodes is not None
        return limited or (limits.depth is not None and self.searcher.deepens)

    @tries_whole_game.default
    def _tries_whole_game(self) -> bool:
        # if states come back, the whole game is thousands of plies deep, whatever its size
        return self.deepens and self.limits.depth is None and not may_repeat(self.game)

    @functools.cached_property
    def key(self) -> Hashable | None:
        """Everything that the machine code of the search depends on; None if it is not hashable."""
        settings = self.settings
        if settings.evaluation_name is None:
            return None
        searcher = copy.copy(self.searcher)  # code that is kept keeps no searcher alive, nor the memory that it has
        key = (
            type(self.game), self.game, searcher, settings.evaluation_name, settings.table > 0, settings.ordering,
            settings.cuts, settings.bounded, settings.separable, settings.symmetric, settings.etc,
            settings.threads > 1, settings.tablebase is not None, settings.foresees,
            settings.futility,
        )  # fmt: skip
        try:
            hash(key)
        except TypeError:
            return None
        return key

    @property
    def whole_game_nodes(self) -> int:
        """Maximum number of nodes of the first attempt to search the whole game."""
        return WHOLE_GAME_FIRST if self.limits.nodes is None else min(WHOLE_GAME_FIRST, self.limits.nodes // 4)

    def reasons(self, speed: str) -> dict[str, str]:
        """Return what was decided and why, as a text for each name.

        Arguments:
            speed: the speed and its reason; see `ggp_search.engine.compiled_engine.speed_of`.
        """
        code, settings = self.searcher.recursion.__code__, self.settings
        said = {"recursion": f"{code.co_name}, {'/'.join(PurePath(code.co_filename).parts[-3:])}"}
        if samples(self.searcher):
            said |= {"limits": self._playout_limits(), "leaves": self._playout_leaves()}
        else:
            said |= {
                "limits": self._limits(),
                "table": self._table(),
                "order": self._order(),
                "bounds": self._bounds(),
                "leaves": self._leaves(),
            }
            if settings.last_occurrence is not None:
                by_state = depends_on_state(self.game)
                worth = "what its rules say" if by_state else f"{repetition_value(self.game, None):g}"
                said["repetition"] = f"a state that comes back is worth {worth}"
        if settings.tablebase is not None or not samples(self.searcher):
            said["tablebase"] = self._tablebase()
            if self.tries_whole_game:
                most = many(self.whole_game_nodes, "state")
                time = "" if self.limits.seconds is None else " in a tenth of the time"
                said["whole game"] = (
                    f"tried before depth 1 with at most {most}{time}, and again after each depth at which most lines"
                    " end: a small game needs no deepening"
                )
        if isinstance(self.searcher, Parallel) and settings.threads == 1 < self.searcher.threads:
            said["threads"] = "1: there is no table to share"
        elif settings.threads > 1:
            shared = "in one tree" if samples(self.searcher) else "which share the table, at depths of at least 8 plies"
            one = speed.startswith("interpreted")
            said["threads"] = "1: interpreted searches have one thread" if one else f"{settings.threads}, {shared}"
        if self.searcher.book != book_answer.NONE:
            said["book"] = f"{self.searcher.book}, consulted first"
        return said | self.searcher.own_reasons(self) | {"speed": speed}

    def _playout_limits(self) -> str:
        limits = self.limits
        playouts = limits.nodes or (self.searcher.playouts if limits.seconds is None else None)
        given = [
            *([many(playouts, "playout")] if playouts else []),
            *([f"{limits.seconds:g} s"] if limits.seconds is not None else []),
            *([f"{many(limits.depth, 'ply', 'plies')} deep"] if limits.depth else []),
        ]
        return ", ".join(given)

    def _playout_leaves(self) -> str:
        depth, cutoff = self.limits.depth or MAX_PLIES, self.searcher.cutoff
        said = ["utility at the end of the game"]
        if self.limits.depth:
            said.append(f"{self._estimate()} at the depth limit")
        if cutoff < depth:
            said.append(f"{self._estimate()} after {many(cutoff, 'ply', 'plies')} of random play")
        return ", ".join(said)

    def _limits(self) -> str:
        limits = self.limits
        given = [
            *([many(limits.depth, "ply", "plies")] if limits.depth else []),
            *([f"{limits.seconds:g} s"] if limits.seconds is not None else []),
            *([many(limits.nodes, "state")] if limits.nodes else []),
        ]
        how = "depth by depth; the result is from the last completed depth" if self.deepens else "at once"
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
        if self.settings.threads > 1:
            return "threads share it"
        if limits.seconds is not None:
            return "time is limited"
        if limits.nodes is not None:
            return "states are limited"
        return f"more than {PLAIN_DEPTH} plies" if limits.depth else "no limits"

    def _order(self) -> str:
        if not _names(self.searcher.recursion, "order"):
            return "the recursion's own: it does not call search.order"
        return {
            "none": "the game's own",
            "table": "the table's best action first, then the game's own order",
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
        seen = ", and by what value_bounds foresees" if self.settings.foresees else ""
        return f"cutoffs by the game's bounds{seen}"

    def _leaves(self) -> str:
        """Return how leaves get their values, in words."""
        if self.limits == Limits():
            return "utility at the end of the game"
        noisy = ", after noisy moves" if self.searcher.horizon is not None and isinstance(self.game, Quiet) else ""
        return f"utility at the end of the game, {self._estimate()}{noisy} at the depth limit"

    def _estimate(self) -> str:
        name = self.settings.evaluation_name
        if name is None:
            return "the caller's evaluation"
        return f"evaluation {name}" if name else "0 (there is no evaluation)"

    def _tablebase(self) -> str:
        if self.settings.tablebase is not None:
            return "yes"
        wanted = self.searcher.tablebase
        if wanted == "auto" and (self.limits.depth is not None or self.limits.nodes is not None):
            return "none: not used if depth or states are limited, so that results are the same everywhere"
        if wanted != "none" and not machine.available():
            return "none: llvmlite is not installed"
        return "none" if wanted == "none" else "none: there is no tablebase of this game here"
