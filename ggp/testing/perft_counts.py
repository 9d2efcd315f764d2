"""Perft: the number of plays of each length, which checks the rules."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import ClassVar

from ggp import compiler
from ggp.errors import UsageError
from ggp.game import AnyGame, State
from ggp.tables import ResultTable, TableRow

INTERPRETED_PLIES = 3
"""Depth in plies up to which interpreted counting is faster than compiling or loading code."""


class ReferenceStopped(Exception):
    """Raised to end a count."""


class Watch:
    """A flag by which another thread ends a count."""

    variables: ClassVar[tuple[str, ...]] = ("stopped", "entered")
    shared: ClassVar[tuple[str, ...]] = ("stopped",)
    progress: ClassVar[str] = "entered"
    """Name of the variable that counts states above the last plies; see `ggp.plugin_faults.machine_progress`."""

    def __init__(self) -> None:
        self.stopped = self.entered = 0


def perft(game: AnyGame, state: State, depth: int) -> int:
    """Return the number of sequences of exactly `depth` actions from `state`. Outcomes of chance count as actions.

    The count is compiled if the game can be compiled. Ctrl-C ends it.

    Raises:
        UsageError: the depth is negative.
    """
    if depth < 0:
        raise UsageError(f"perft cannot look {depth} plies ahead: the depth is 0 or more")
    watch = Watch()
    code = compiled_plays(game, watch, depth)
    if code is not None:
        with contextlib.suppress(compiler.Fault, compiler.NotRepresentable):  # the interpreted count has no limits
            return _watched(game, code, watch, state, depth)
    return plays(game, Watch(), state, depth)


def perft_table(game: AnyGame, state: State, depth: int) -> ResultTable:
    """Return the numbers of sequences of 0 to `depth` actions, with the seconds that each count took without compiling.

    The table ends earlier if no sequence is so long. Raises as `perft`.
    """
    return ResultTable(perft_rows(game, state, depth))


def perft_rows(game: AnyGame, state: State, depth: int) -> Iterator[TableRow]:
    """Yield the rows of `perft_table`."""
    for plies in range(depth + 1):
        compiled_plays(game, Watch(), plies)
        began = time.perf_counter()
        count = perft(game, state, plies)
        yield {"depth": plies, "count": count, "seconds": time.perf_counter() - began}
        if not count:
            return


def compiled_plays(game: AnyGame, watch: Watch, depth: int) -> compiler.Code | None:
    """Return `plays` as machine code, compiled if necessary; None if the game must be interpreted."""
    if depth <= INTERPRETED_PLIES or os.environ.get("GGP_SPEED") == "interpreted":
        return None
    try:
        return compiler.compile(plays, game, watch, compiler.STATE, compiler.INT, game=game)
    except (compiler.Refused, compiler.NotRepresentable):
        return None


def plays(game: AnyGame, watch: Watch, state: State, depth: int) -> int:
    """Return the number of sequences of exactly `depth` actions. This function is plain Python, and is compiled
    unchanged.

    Raises:
        ReferenceStopped: the caller has asked the count to end.
    """
    if depth == 0:
        return 1
    if game.terminal_test(state):
        return 0
    if watch.stopped:
        raise ReferenceStopped
    if depth > 2:
        watch.entered += 1  # not at the last plies, where it would take time
    count = 0
    for action in game.actions(state):
        count += 1 if depth == 1 else plays(game, watch, game.result(state, action), depth - 1)
    return count


def _watched(game: AnyGame, code: compiler.Code, watch: Watch, state: State, depth: int) -> int:
    """Run the count in another thread, because Ctrl-C can only reach the thread that waits here."""
    variables = code.variables()
    returned: list[int | BaseException] = []

    def run(game: AnyGame) -> None:  # `ggp.plugin_faults.running_call` finds the game here
        try:
            returned.append(code(variables, state, depth))
        except Exception as error:  # handed on below
            returned.append(error)

    thread = threading.Thread(target=run, args=(game,), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
    except KeyboardInterrupt:
        variables.set(watch, "stopped", 1)
        thread.join()
        raise
    count = returned[0]
    if isinstance(count, (compiler.Fault, compiler.NotRepresentable)):
        raise count
    if isinstance(count, BaseException):
        raise compiler.Fault(str(count)) from count
    return int(count)
