"""Random playouts: how many run in a second, and what they show about a game (lengths, choices, wins)."""

import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import ClassVar

import attrs

from ggp.compiler import Fault, Refused
from ggp.compiler.intrinsics import random_item
from ggp.errors import GGPError
from ggp.frozen_games import frozen_play
from ggp.game import CHANCE, AnyGame, State, capable
from ggp.searcher import Limits
from ggp_search.algorithms.random import sample_outcome
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.compiled_engine import CompiledEngine, choose_engine, compiled
from ggp_search.engine.driver import Find, full_window, prepare
from ggp_search.engine.engine import CompiledFormError, Engine, RulesRefuseError, interpreted
from ggp_search.engine.limits import CLOCK, Control
from ggp_search.engine.search import Search, SearchStopped
from ggp_search.engine.settings import SearchPlan, Settings, choose_settings
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.playout_tree import first_number, random_word_of


def playouts(game: AnyGame, search: Search, state: State, depth: int) -> float:
    """Play random games from `state`, of at most `depth` plies, and count what happens in them.

    Raises:
        SearchStopped: a limit is reached.
    """
    counts = search.own
    while counts.plies >= 0:
        counts.first = counts.number
        search.enter(state, depth, search.lowest, search.highest)
        last, left = state, depth
        while True:
            over = game.terminal_test(last)
            if over or left <= 0:
                break
            if search.chance and game.to_move(last) == CHANCE:
                action, _ = sample_outcome(game, search, last)
            else:
                action, count = random_item(game.actions, last, counts.random_word())
                counts.choices += 1
                counts.branches += count
            last = game.result(last, action)
            left -= 1
        counts.plies += depth - left
        if over:
            result = search.utility(last)
            counts.wins += 1 if result > 0 else 0
            counts.losses += 1 if result < 0 else 0
        else:
            counts.unfinished += 1
    return 0.0


class PlayoutCounts:
    """Counts of the playouts of one thread."""

    variables: ClassVar[tuple[str, ...]] = (
        "number", "first", "plies", "choices", "branches", "wins", "losses", "unfinished",
    )  # fmt: skip

    def __init__(self, seed: int) -> None:
        self.number = first_number(seed)
        """The number of the last random word."""
        self.first = 0
        """The number of the last random word that was used before the present playout."""
        self.plies = 0
        """Number of plies, including plies of chance."""
        self.choices = 0
        """Number of plies at which a player chose."""
        self.branches = 0
        """Total number of legal actions at the plies at which a player chose."""
        self.wins = 0
        """Number of playouts that MAX won."""
        self.losses = 0
        """Number of playouts that MIN won."""
        self.unfinished = 0
        """Number of playouts that were not over at the maximum depth."""

    def random_word(self) -> int:
        """Return the next random machine word."""
        self.number += 1
        return random_word_of(self.number)


@attrs.frozen(kw_only=True)
class RandomPlayouts:
    """The engine's interface to `playouts`; see `ggp_search.engine.search.Recursion`."""

    name: ClassVar[str] = "playouts"
    recursion = staticmethod(playouts)
    horizon: ClassVar[None] = None
    find: ClassVar[Find] = staticmethod(full_window)
    windowed: ClassVar[bool] = False
    direct: ClassVar[bool] = True
    serves_chance: ClassVar[bool] = True
    needs_table: ClassVar[bool] = False

    speed: str = "auto"
    seed: int = 0

    def plan(self, game: AnyGame, state: State) -> SearchPlan:
        """Return the plan of playouts from a state."""
        settings: Settings = choose_settings(
            game, wanted="default", table=0, ordering="none", bounds=False, etc=False, speed=self.speed, threads=1
        )
        return SearchPlan(capable(game), state, self, settings)

    def own_memory(self, memory: Allocator) -> PlayoutCounts:
        """Return the counts."""
        return PlayoutCounts(self.seed)


@attrs.frozen(kw_only=True)
class PlayoutRate:
    """A measurement at one speed. All counts are of whole playouts."""

    speed: str
    note: str | None
    """The reason why the playouts are interpreted, if machine speed was wanted."""
    threads: int
    seconds: float
    playouts: int
    plies: int
    choices: int
    branches: int
    wins: int
    losses: int
    unfinished: int

    @property
    def playouts_a_second(self) -> float:
        """Playouts a second, in all threads."""
        return self.playouts / self.seconds

    @property
    def states_a_second(self) -> float:
        """States a second: the moves that were made, in all threads."""
        return self.plies / self.seconds

    @property
    def length(self) -> float:
        """Mean number of plies of a playout."""
        return self.plies / max(1, self.playouts)

    @property
    def branching(self) -> float:
        """Mean number of legal actions at the plies at which a player chose."""
        return self.branches / max(1, self.choices)

    def as_data(self) -> dict[str, object]:
        """Return the whole measurement, for JSON."""
        names = ("playouts_a_second", "states_a_second", "length", "branching")
        return attrs.asdict(self) | {name: getattr(self, name) for name in names}


def measure(
    game: AnyGame,
    state: State,
    *,
    seconds: float | None = 1.0,
    playouts: int | None = None,
    threads: int = 1,
    seed: int = 0,
    speed: str = "auto",
) -> PlayoutRate:
    """Measure random playouts from a state.

    Arguments:
        seconds: the time to measure, without compilation. This is processor time if `GGP_CLOCK=processor` is set. None:
            no limit.
        playouts: the maximum number of playouts in each thread; None: no limit.
        threads: number of threads at machine speed; an interpreted measurement has one thread.
        speed: as for searchers.

    Raises:
        UsageError: machine speed is demanded and is not possible.
        GGPError: the rules refuse a state.
    """
    prepare(Limits())
    game, state = frozen_play(game, state)
    plan = RandomPlayouts(speed=speed, seed=seed).plan(game, state)
    engines = [choose_engine(plan)]
    if engines[0].speed == "compiled":
        others = (RandomPlayouts(speed=speed, seed=seed + number) for number in range(1, threads))
        engines += [choose_engine(other.plan(game, state)) for other in others]
    try:
        return _measured(engines, state, seconds, playouts)
    except RulesRefuseError as error:
        raise refusal(game, state, error) from None
    except CompiledFormError as error:
        if speed == "compiled":
            raise
        return _measured([interpreted(plan, str(error))], state, seconds, playouts)


def _measured(engines: Sequence[Engine], state: State, seconds: float | None, playouts: int | None) -> PlayoutRate:
    """Return the measurement of several engines that play at the same time, one engine in each thread.

    Raises:
        CompiledFormError: machine code failed in one of the threads.
        GGPError: the rules refuse a state.
    """
    control = Control(playouts)
    for engine in engines:
        control.watch(engine.counter)

    failed: list[GGPError] = []

    def play(engine: Engine) -> None:
        try:
            engine.value(state, MAX_PLIES)
        except SearchStopped:
            pass
        except GGPError as error:
            failed.append(error)

    def task() -> float:
        # The calling thread's own playouts are part of the measurement, so that its clock is theirs.
        clock = time.thread_time if os.environ.get(CLOCK) == "processor" else time.perf_counter
        helpers = [threading.Thread(target=play, args=(each,), daemon=True) for each in engines[1:]]
        started = clock()
        for helper in helpers:
            helper.start()
        play(engines[0])
        spent = clock() - started
        for helper in helpers:
            helper.join()
        return spent

    spent = control.run(task, seconds)
    if control.reason == "interrupt":
        raise KeyboardInterrupt
    if failed:
        raise failed[0]
    counts = {name: sum(_count(each, name) for each in engines) for name in PlayoutCounts.variables[2:]}
    first = engines[0]
    return PlayoutRate(
        speed=first.speed,
        note=first.note,
        threads=len(engines),
        seconds=spent,
        playouts=sum(each.states for each in engines),
        **counts,
    )


def _count(engine: Engine, name: str) -> int:
    """Return the counter `name` of the thread in which an engine plays."""
    counts = engine.search.own
    return int(engine.variables[0].get(counts, name)) if isinstance(engine, CompiledEngine) else getattr(counts, name)


SECONDS_TO_REFUSE = 2.0
"""Time limit, in seconds, for random games that look for a state that the rules refuse."""


def refusal(game: AnyGame, state: State, error: RulesRefuseError) -> GGPError:
    """Return the error that says which state the rules of `game` refuse; random games from `state` find it.

    Machine code of a search knows only the error's class. Random games at machine speed are played to find such a
    state; the game that reaches it is then played again by the interpreted rules. If no such state is found, return
    `error`, which names `state`.
    """
    plan = RandomPlayouts().plan(game, state)
    control = Control()
    try:
        engine = compiled(plan)
        control.watch(engine.counter)
        control.run(lambda: engine.code(engine.variables[0], state, MAX_PLIES), SECONDS_TO_REFUSE)
    except GGPError:
        again = interpreted(plan)
        again.counter.limit = sys.maxsize
        again.search.own.number = engine.variables[0].get(engine.search.own, "first")
        try:
            again.value(state, MAX_PLIES)
        except GGPError as said:
            return said
    except (Refused, Fault, SearchStopped):
        pass  # the error says what is known
    return error
