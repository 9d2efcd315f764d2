"""Machine code kept on disk: never stale, never harmful, and never missed."""

import contextlib
import os
import subprocess
import sys
import textwrap
import time

import attrs
import pytest
from ggp_search import AlphaBeta, cache, compiled, machine
from ggp_search.cache import Kept
from ggp_search.translating import _translator, translating

import ggp
from ggp import Limits, progress
from ggp.compiler import cache as storage
from ggp.errors import GGPError

KEPT = Kept("some_function", True, ("sqrt",), b"\x7fELF and so on\n\n\x00")

needs_numba = pytest.mark.skipif(not machine.available(), reason="machine code needs numba")


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A cache of its own for each test."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "cache"))
    storage._warn.cache_clear()
    monkeypatch.setattr(compiled, "_LOADED", {})
    return tmp_path / "cache"


@pytest.mark.parametrize("kept", [KEPT, Kept("f", False, (), b"")])
def test_what_is_written_is_read_again(kept):
    cache.write("name", kept)
    assert cache.read("name") == kept
    assert cache.read("another") is None


@needs_numba
def test_object_code_without_its_function_is_refused(place):
    from ggp_tictactoe import TicTacToe

    AlphaBeta(speed="compiled").search(TicTacToe(), TicTacToe().initial_state(), Limits(depth=1))
    (file,) = place.iterdir()
    kept = cache.read(file.stem)
    with pytest.raises(GGPError, match="object code is damaged: no_such_function is not in it"):
        machine.load(attrs.evolve(kept, symbol="no_such_function"), 3, windowed=True)


GAME = '''
    """MAX adds WORTH times a number to a sum, and MIN takes one away."""
    import ggp
    import numpy as np

    WORTH = 1

    class Throw:
        name = "throw"

        def __init__(self, plies=3):
            self.plies = plies
            form = self.compiled(lambda function: function)
            self.to_move, self.actions, self.result = form.to_move, form.actions, form.result
            self.terminal_test = form.terminal_test
            self.utility = lambda state, player: form.utility(state) if player == ggp.MAX else -form.utility(state)

        def initial_state(self): return (0, 0)

        def compiled(self, compile):
            plies = self.plies

            @compile
            def to_move(state): return state[1] % 2

            @compile
            def actions(state):
                for step in range(1, 4):
                    yield step

            @compile
            def result(state, action):
                return (state[0] + worth(state, action), state[1] + 1)

            @compile
            def worth(state, action):
                return action * WORTH if state[1] % 2 == 0 else -action

            @compile
            def terminal_test(state): return state[1] >= plies

            @compile
            def utility(state): return state[0]

            return ggp.CompiledForm(
                encode=lambda state: state, decode=lambda position: position, to_move=to_move, actions=actions,
                result=result, terminal_test=terminal_test, utility=utility,
            )
'''

SEARCH = """
    import sys
    import ggp
    from game import Throw
    from ggp_search import {searcher}

    plies = int(sys.argv[1])
    found = {searcher}(speed="compiled").search(Throw(plies), (0, 0), ggp.Limits(depth=6))
    print(found.value, found.speed, "numba" in sys.modules)
"""


@pytest.fixture
def program(tmp_path):
    """A game and a search of it, each in a file, and a function that runs them in a new process."""

    class Program:
        directory = tmp_path / "program"

        def write(self, game=GAME, search=SEARCH, searcher="AlphaBeta"):
            self.directory.mkdir(exist_ok=True)
            (self.directory / "game.py").write_text(textwrap.dedent(game))
            (self.directory / "search.py").write_text(textwrap.dedent(search.format(searcher=searcher)))

        def start(self, plies=3, **environment):
            return subprocess.Popen(  # noqa: S603 - our own interpreter and file
                [sys.executable, "-W", "always", self.directory / "search.py", str(plies)],
                env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"} | environment,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip

        def run(self, plies=3, **environment):
            process = self.start(plies, **environment)
            said, complaint = process.communicate()
            assert process.returncode == 0, complaint
            value, speed, compiled = said.split()
            assert speed == "compiled"
            return float(value), compiled == "True", complaint

    made = Program()
    made.write()
    return made


@needs_numba
@pytest.mark.slow
def test_changed_rules_parameters_and_searchers_are_never_served_stale(program):
    assert program.run() == (3, True, "")  # 3 - 3 + 3
    assert program.run() == (3, False, "")
    program.write(GAME.replace("WORTH = 1", "WORTH = 2"))
    assert program.run() == (9, True, "")
    assert program.run(plies=2) == (3, True, "")  # 6 - 3
    program.write(GAME.replace("else -action", "else -2 * action"))
    assert program.run() == (0, True, "")
    program.write()
    assert program.run() == (3, False, "")
    program.write(searcher="Scout")
    assert program.run() == (3, True, "")
    assert program.run() == (3, False, "")


@needs_numba
@pytest.mark.slow
def test_a_searcher_whose_source_changes_is_compiled_anew(program):
    search = """
    import sys
    import attrs, ggp
    from game import Throw
    from ggp_search import TreeSearcher

    def mine(parts, compile):
        utility, result, visit, terminal_test = parts.utility, parts.result, parts.visit, parts.terminal_test

        @compile
        def value(state, depth, live):
            visit(state, depth, 0, 0, live)
            if terminal_test(state):
                return utility(state, live)
            return value(result(state, ACTION), depth - 1, live)

        return value

    class Mine(TreeSearcher):
        name = "mine"
        recursion = staticmethod(mine)
        windowed = False

    found = Mine(speed="compiled").search(Throw(int(sys.argv[1])), (0, 0), ggp.Limits(depth=6))
    print(found.value, found.speed, "numba" in sys.modules)
    """
    program.write(search=search.replace("ACTION", "1"))
    assert program.run() == (1, True, "")
    assert program.run() == (1, False, "")
    program.write(search=search.replace("ACTION", "2"))
    assert program.run() == (2, True, "")


@needs_numba
@pytest.mark.slow
def test_two_processes_that_compile_at_once_do_no_harm(program, place):
    together = [program.start() for _ in range(2)]
    said = [process.communicate() for process in together]
    assert said == [("3 compiled True\n", "")] * 2
    assert len(list(place.iterdir())) == 1
    assert program.run() == (3, False, "")


@needs_numba
@pytest.mark.slow
def test_a_damaged_cache_is_replaced_and_one_that_cannot_be_written_gives_one_line(program, place, tmp_path):
    program.run()
    (file,) = place.iterdir()
    file.write_bytes(file.read_bytes()[:-100])
    assert program.run() == (3, True, "")
    assert program.run() == (3, False, "")
    blocked = tmp_path / "file"
    blocked.write_text("no directory")
    value, compiled, complaint = program.run(GGP_CACHE_DIR=str(blocked))
    assert (value, compiled) == (3, True)
    assert complaint.count("object code cannot be kept in") == 1
    assert program.run(GGP_CACHE_DIR="") == (3, True, "")


ALLOCATING = GAME.replace(
    "def worth(state, action):",
    """def worth(state, action):
                steps = np.zeros(action + state[1])
                action += int(steps.sum())""",
)


@needs_numba
@pytest.mark.slow
def test_code_that_calls_numba_is_not_run_without_it(program):
    """It would end the process: what it calls is not there."""
    assert ALLOCATING != GAME
    program.write(ALLOCATING)
    assert program.run() == (3, True, "")
    assert program.run() == (3, True, "")


@needs_numba
@pytest.mark.slow
def test_what_cannot_be_fingerprinted_is_compiled_and_not_kept(program, place):
    source = GAME.replace("WORTH = 1", "import numba\n    @numba.njit\n    def one(): return 1")
    program.write(source.replace("* WORTH", "* one()"))
    assert program.run() == (3, True, "")
    assert not place.exists()


@needs_numba
def test_a_function_that_python_can_call_too_is_made_into_code_and_others_are_not():
    import numba

    def twice(number):
        return 2 * number

    both, inner = numba.njit(twice), numba.njit(no_cpython_wrapper=True)(twice)
    with translating():
        for each in (both, inner):
            each.compile((numba.int64,))
    assert both(4) == 8
    assert "mul" in inner.inspect_llvm(inner.signatures[0]) or "shl" in inner.inspect_llvm(inner.signatures[0])
    numba.njit(lambda: 1).compile(())  # as ever


@needs_numba
def test_where_numba_is_made_otherwise_it_makes_its_own_code(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba.core.codegen", None)
    assert _translator.__wrapped__("as ever") == "as ever"


@needs_numba
@pytest.mark.slow
def test_a_function_of_mathematics_needs_no_numba(program):
    source = GAME.replace("import numpy as np", "import math")
    program.write(
        source.replace("* WORTH", "* int(math.log(3.0 + state[1] * 0.01) * math.sqrt(1.5 + state[1] * 0.01))")
    )
    assert program.run() == (3, True, "")
    assert program.run() == (3, False, "")


@needs_numba
def test_a_search_that_finds_its_code_says_how_little_it_took():
    from ggp_tictactoe import TicTacToe

    game, times = TicTacToe(), []
    for _ in range(2):
        began = time.perf_counter()
        found = AlphaBeta(speed="compiled").search(game, game.initial_state(), Limits(depth=4))
        times.append((found.statistics.compile_seconds, time.perf_counter() - began))
        assert 0 < found.statistics.compile_seconds < times[-1][1]
    assert times[0][0] > times[1][0]


@needs_numba
def test_compiling_is_shown_and_loading_what_was_kept_is_not(monkeypatch):
    told = []
    monkeypatch.setattr(compiled, "_LOADED", {})
    before = progress.shown.set(lambda what: contextlib.nullcontext(told.append(what)))
    for _ in range(2):
        compiled._LOADED.clear()
        tictactoe = ggp.load_registry().game("tictactoe")
        AlphaBeta(speed="compiled").search(tictactoe, tictactoe.initial_state(), Limits(depth=2))
    progress.shown.reset(before)
    assert told == ["compiling alphabeta for tictactoe"]
