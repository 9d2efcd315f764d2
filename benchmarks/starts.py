"""The cost of starting the program, in processor time of the process."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import attrs

from benchmarks.report import NONE, ReportTable, Section, Target, at_most, seconds, spread
from benchmarks.rounds import Contender, Row, Timing, Unavailable, interleave
from benchmarks.scale import Scale

PROGRAM = (sys.executable, "-m", "ggp.cli")
SEARCH = (*PROGRAM, "search", "kalah", "--depth", "10")
COMMANDS = {
    "python": ("Python itself", (sys.executable, "-c", "pass")),
    "games": ("`ggp games`", (*PROGRAM, "games")),
    "warm": ("`ggp search kalah --depth 10`, warm", SEARCH),
    "cold": ("`ggp search kalah --depth 10`, cold", SEARCH),
}
MOST = {"games": 0.2, "warm": 0.6, "cold": 8.0}
"""Maximum seconds for each start."""


def children() -> float:
    """Return the processor time, in seconds, of all processes that this one has started and that have ended."""
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@attrs.frozen
class Start:
    """A command that is started again for each run."""

    command: tuple[str, ...]
    cache: pathlib.Path | None = None
    """The cache of machine code, if it is to be cleared before each run."""

    def contender(self) -> Contender:
        """Return the command as a contender. It visits no states.

        Raises:
            Unavailable: this system does not report the processor time of its processes.
        """
        if importlib.util.find_spec("resource") is None:
            raise Unavailable("this system does not report the processor time of its processes")
        return Contender(self.run, self._count, self._forget)

    def run(self) -> None:
        """Run the command to its end."""
        environment = dict(os.environ)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users start what Python has compiled before
        if self.cache:
            environment["GGP_CACHE_DIR"] = str(self.cache)
        subprocess.run(self.command, env=environment, capture_output=True, check=True)  # noqa: S603

    def _count(self) -> int:
        self.run()
        return 0

    def _forget(self) -> None:
        if self.cache:
            shutil.rmtree(self.cache, ignore_errors=True)


def starts(scale: Scale) -> Section:
    """Measure starts of the program; each is a separate process."""
    with tempfile.TemporaryDirectory() as folder:
        cold = pathlib.Path(folder, "machine")
        makers = {
            COMMANDS[name][0]: Start(COMMANDS[name][1], cold if name == "cold" else None).contender
            for name in scale.starts
        }
        rows = interleave(makers, scale.whole_rounds, 0.0, children)
    report_table = ReportTable(("", "seconds", "spread"), tuple(_cells(row) for row in rows))
    return Section(
        "Starts of the program",
        "Processor time of the whole process, user's and system's; cold is with nothing compiled before.",
        (report_table,),
        _targets(dict(zip(scale.starts, rows, strict=True))),
    )


def _cells(row: Row) -> tuple[str, ...]:
    if isinstance(row, Timing):
        return row.name, seconds(row.median), spread(row)
    return f"{row.name}: {row.why}", NONE, NONE


def _targets(rows: dict[str, Row]) -> tuple[Target, ...]:
    return tuple(at_most(row.name, MOST[name], row) for name, row in rows.items() if name in MOST)
