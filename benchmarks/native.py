"""Hand-written C: compiled by the system's compiler, if there is one, and called in this process."""

import ctypes
import functools
import pathlib
import shutil
import subprocess
import sys
import tempfile

import attrs
from ggp_search import SearchStopped
from ggp_search.memory.buffer import Buffer
from ggp_search.memory.transposition_table import MIN_STORED_HEIGHT

from benchmarks.ours import registry
from benchmarks.rounds import Contender, Unavailable

SOURCE = pathlib.Path(__file__).with_name("kalah.c")
FLAGS = ("-O3", "-march=native", "-fno-tree-vectorize", "-shared", "-fPIC")
"""Flags of the compiler. Vector instructions are off, since they are slower here: an entry of the table is written as a
whole and read in parts.
"""
GENERATIONS = 127
"""Number of iterations that the table can tell apart."""
ENTRY_PAIR = 64
"""Bytes of a bucket."""


class Live(ctypes.Structure):
    """The structure `live` of the C program: counts and limits that Python sets and reads."""

    _fields_ = [(name, ctypes.c_int64) for name in ("nodes", "limit", "generation", "table", "buckets")]


def compiler() -> str:
    """Return the system's C compiler.

    Raises:
        Unavailable: there is none.
    """
    path = shutil.which("cc")
    if path is None:
        raise Unavailable("there is no C compiler `cc` here")
    return path


@functools.cache
def library(source: pathlib.Path, *definitions: str) -> ctypes.CDLL:
    """Compile a program in C, and return it as a library.

    Raises:
        Unavailable: there is no C compiler, or it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "program.so")
        command = [compiler(), *FLAGS, *definitions, "-o", str(file), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise Unavailable(f"the C compiler failed: {(done.stderr.strip() or 'no message').splitlines()[0]}")
        return ctypes.CDLL(str(file))


def counting(name: str, depth: int) -> Contender:
    """Return the program with this name; its function `states` takes a depth and returns the number of states visited.

    Raises:
        Unavailable: there is no C compiler, or it fails.
    """
    function = library(SOURCE.with_name(f"{name}.c")).states
    function.argtypes, function.restype = [ctypes.c_int64], ctypes.c_int64

    def count() -> int:
        return int(function(depth))

    return Contender(count, count)


@attrs.define
class Native:
    """Searches of Kalah(6,4) in C."""

    depth: int
    megabytes: int
    """Size of the table; 0 means that there is no table."""
    live: Live = attrs.field(factory=lambda: Live(0, sys.maxsize, 0, 0, 0))
    value: int | None = None
    """The value that the last search found."""
    _table: Buffer | None = None

    def contender(self) -> Contender:
        """Return the search as a contender, which the benchmarks measure.

        Raises:
            Unavailable: there is no C compiler.
            SearchStopped: a run enters more states than `live.limit`.
        """
        defined = f"-DWITH_TABLE={int(self.megabytes > 0)}", f"-DREMEMBERED_FROM={MIN_STORED_HEIGHT}"
        function = library(SOURCE, *defined).search
        function.argtypes = [ctypes.c_int64] * 4 + [ctypes.c_void_p] * 2
        game = registry().game("kalah")
        if self.megabytes:
            self._table = Buffer(self.megabytes << 20)
            self.live.table, self.live.buckets = self._table.address, self._table.size // ENTRY_PAIR
        nodes = ctypes.c_int64()
        where = ctypes.addressof(self.live), ctypes.addressof(nodes)

        def count() -> int:
            before = self.live.nodes
            if function(*game.initial_state(), self.depth, *where):
                raise SearchStopped
            self.value = nodes.value
            return int(self.live.nodes - before)

        return Contender(count, count, self._next_iteration)

    def _next_iteration(self) -> None:
        self.live.generation += 1
        if self.live.generation > GENERATIONS:
            self.live.generation = 1
            if self._table:
                self._table.clear()
