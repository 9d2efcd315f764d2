"""Count the calls of ggp's functions that a command, or a call of the library, makes before the search begins."""

import os
import subprocess
import sys
import threading
from collections.abc import Collection
from types import FrameType
from typing import Self

from benchmarks.report import NONE, ReportTable, Section, Target
from benchmarks.scale import Scale

WAYS = {
    "command": ("`ggp search kalah --depth 1`, to the first state that is searched", 400),
    "library": ("`searcher.search(...)` with machine code loaded, to that code", 700),
    "whole": ("`ggp search kalah --depth 6` with machine code on disk, to its end", 4_000),
}
"""The ways to a search whose calls are counted, each with a title and the maximum number of calls."""
ENDS = {("search.py", "enter"), ("compiled_code.py", "Code.__call__")}
"""Files and functions at which counting ends: the search has reached its first state, or its machine code."""
OURS = tuple(os.path.dirname(__file__).removesuffix("benchmarks") + folder for folder in ("ggp", "search", "games"))
NEW_LOCALS = 0x2
"""Flag of code that belongs to a function, and not to a module or a class."""


class CallCounter:
    """Counts the calls of ggp's functions, without calls made while a module is imported.

    Arguments:
        ends: files and functions at which the count ends; by default, it ends with the `with` block.
    """

    def __init__(self, ends: Collection[tuple[str, str]] = ()) -> None:
        self.ends = ends
        self.calls = 0
        self.ended = False

    def __enter__(self) -> Self:
        threading.setprofile(self._look)
        sys.setprofile(self._look)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _look(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if self.ended or event != "call" or not code.co_filename.startswith(OURS) or not code.co_flags & NEW_LOCALS:
            return
        name = code.co_qualname.removeprefix("Search.")
        self.ended = (os.path.basename(code.co_filename), name) in self.ends
        self.calls += not self.ended and not _imports(frame)


def _imports(frame: FrameType) -> bool:
    """Return whether a module is being imported."""
    above: FrameType | None = frame
    while above is not None:
        if above.f_code.co_name == "<module>" and above.f_code.co_filename.startswith(OURS):
            return True
        above = above.f_back
    return False


def count_command() -> int:
    """Count the calls that a search from the command line makes before it enters its first state."""
    from ggp.cli.app import main

    with CallCounter(ENDS) as counter:
        main(["search", "kalah", "--depth", "1"])
    return counter.calls


def count_library() -> int:
    """Count the calls that a search makes before it enters its machine code, if the code is already loaded."""
    import ggp

    registry = ggp.load_registry()
    game, searcher = registry.game("kalah"), registry.searcher("alphabeta", speed="compiled")
    state, limits = game.initial_state(), ggp.Limits(depth=6)
    searcher.search(game, state, limits)
    with CallCounter(ENDS) as counter:
        searcher.search(game, state, limits)
    return counter.calls


def count_whole() -> int:
    """Count all calls that a search from the command line makes, if its machine code is on disk."""
    from ggp.cli.app import main

    deeper = (sys.executable, "-m", "ggp.cli", "search", "kalah", "--depth", "11")
    subprocess.run(deeper, capture_output=True, check=True)  # noqa: S603
    with CallCounter() as counter:
        main(["search", "kalah", "--depth", "6"])
    return counter.calls


def count(way: str) -> int | None:
    """Count the calls on a way to a search, in a separate process; return None if the process fails."""
    environment = {**os.environ, "GGP_SPEED": "interpreted" if way == "command" else "auto"}
    done = subprocess.run(  # noqa: S603
        (sys.executable, "-m", "benchmarks.calls", way), env=environment, capture_output=True, text=True, check=False
    )
    return None if done.returncode else int(done.stderr.splitlines()[-1])


def calls(scale: Scale) -> Section:
    """Count the calls on each way to a search."""
    calls_by_way = {way: count(way) for way in WAYS}
    counts = ReportTable(
        ("", "calls"), tuple((WAYS[way][0], NONE if n is None else f"{n:,}") for way, n in calls_by_way.items())
    )
    targets = [
        Target(f"calls: {WAYS[way][0]}", f"at most {WAYS[way][1]}", n, n is not None and n <= WAYS[way][1])
        for way, n in calls_by_way.items()
    ]
    text = "Calls of functions of ggp, its searchers and its games; calls while modules are imported are left out."
    return Section("The way to the search", text, (counts,), tuple(targets))


if __name__ == "__main__":
    counted = {"command": count_command, "library": count_library, "whole": count_whole}[sys.argv[1]]()
    print(counted, file=sys.stderr)  # noqa: T201
