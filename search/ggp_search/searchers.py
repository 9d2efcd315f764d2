"""The searchers: each a recursion under the shared driver."""

from typing import ClassVar

import attrs

from ggp.options import option
from ggp.trace import Lesson
from ggp_search import alphabeta, expectiminimax, lessons, minimax, mtdf, negascout, scout, star
from ggp_search.driver import Find
from ggp_search.searcher import TreeSearcher


@attrs.frozen(kw_only=True)
class Minimax(TreeSearcher):
    """Minimax: looks at everything (Shannon 1950)."""

    name: ClassVar[str] = "minimax"
    recursion = staticmethod(minimax.minimax)
    lesson: ClassVar[Lesson] = lessons.MINIMAX
    windowed: ClassVar[bool] = False
    preference: ClassVar[int] = 1


@attrs.frozen(kw_only=True)
class AlphaBeta(TreeSearcher):
    """Alpha-beta, fail-soft: leaves out what cannot matter (Knuth and Moore 1975)."""

    name: ClassVar[str] = "alphabeta"
    recursion = staticmethod(alphabeta.alphabeta)
    lesson: ClassVar[Lesson] = lessons.ALPHA_BETA
    preference: ClassVar[int] = 10

    threads: int = option(1, "threads that search together, at machine speed", minimum=1, maximum=256)


@attrs.frozen(kw_only=True)
class Scout(TreeSearcher):
    """SCOUT: tests whether an action is better before it evaluates it (Pearl 1980)."""

    name: ClassVar[str] = "scout"
    recursion = staticmethod(scout.scout)
    lesson: ClassVar[Lesson] = lessons.SCOUT
    windowed: ClassVar[bool] = False
    preference: ClassVar[int] = 5


@attrs.frozen(kw_only=True)
class NegaScout(TreeSearcher):
    """NegaScout, or principal variation search: alpha-beta with null windows (Reinefeld 1983)."""

    name: ClassVar[str] = "negascout"
    recursion = staticmethod(negascout.negascout)
    preference: ClassVar[int] = 9

    threads: int = option(1, "threads that search together, at machine speed", minimum=1, maximum=256)


@attrs.frozen(kw_only=True)
class Mtdf(TreeSearcher):
    """MTD(f): alpha-beta by questions around a guess, with a table (Plaat 1996)."""

    name: ClassVar[str] = "mtdf"
    recursion = staticmethod(alphabeta.alphabeta)
    find: ClassVar[Find] = staticmethod(mtdf.mtdf)
    deepens: ClassVar[bool] = True
    needs_table: ClassVar[bool] = True
    preference: ClassVar[int] = 8

    threads: int = option(1, "threads that search together, at machine speed", minimum=1, maximum=256)


@attrs.frozen(kw_only=True)
class Expectiminimax(TreeSearcher):
    """Expectiminimax: minimax that weighs chance by its probabilities (Michie 1966)."""

    name: ClassVar[str] = "expectiminimax"
    recursion = staticmethod(expectiminimax.expectiminimax)
    lesson: ClassVar[Lesson] = lessons.EXPECTIMINIMAX
    windowed: ClassVar[bool] = False
    serves_chance: ClassVar[bool] = True
    preference: ClassVar[int] = 1


@attrs.frozen(kw_only=True)
class Star1(TreeSearcher):
    """Star1: expectiminimax that cuts by the game's bounds (Ballard 1983)."""

    name: ClassVar[str] = "star1"
    recursion = staticmethod(star.star1)
    serves_chance: ClassVar[bool] = True
    preference: ClassVar[int] = 4


@attrs.frozen(kw_only=True)
class Star2(TreeSearcher):
    """Star2: Star1 that probes each outcome first (Ballard 1983)."""

    name: ClassVar[str] = "star2"
    recursion = staticmethod(star.star2)
    serves_chance: ClassVar[bool] = True
    preference: ClassVar[int] = 3
