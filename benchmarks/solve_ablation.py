"""The gain of each enhancement of the solver: Kalah(6, 3) is solved with all enhancements, and without each of them."""

import contextlib
import time
from collections.abc import Callable

import attrs
from ggp_search import AlphaBeta, SearchStopped
from ggp_search.engine.compiled_engine import CompiledEngine, compiled
from ggp_search.engine.driver import prepare
from ggp_search.engine.limits import Control
from ggp_search.engine.settings import SearchPlan, Settings, choose_settings
from ggp_search.tablebases.tablebase import Tablebase
from ggp_solve.proof import proof_solver
from ggp_solve.proof.prover import Prover
from ggp_solve.tablebases import build

import ggp
from ggp.game import AnyGame, capable

MOST = 300_000_000
"""Number of states after which a row is given up."""


@attrs.frozen
class Row:
    """One way to solve."""

    name: str
    changed: Callable[[Settings], Settings] = lambda settings: settings
    """A function that changes the settings with all enhancements into the settings of this row."""
    layers: int = 0
    """Layers of the tablebase."""
    near: int | None = None
    """Number of layers whose states are not stored; None: the search chooses the number."""
    guessed: bool = True


ROWS = (
    Row("all, no tablebase"),
    Row("every state remembered", near=0),
    Row("no first guess", guessed=False),
    Row("no enhanced transposition cutoffs", lambda usual: attrs.evolve(usual, etc=False)),
    Row("no order but the table's action", lambda usual: attrs.evolve(usual, ordering="table")),
    Row("no order at all", lambda usual: attrs.evolve(usual, ordering="none")),
    Row("a table of 1 MB", lambda usual: attrs.evolve(usual, table=1)),
    Row("no bounds by the seeds in play", lambda usual: attrs.evolve(usual, cuts=False)),
    Row("tablebase of 8 seeds", layers=9),
    Row("tablebase of 12 seeds", layers=13),
    Row("tablebase of 16 seeds", layers=17),
)


def table() -> str:
    """Return the table of all rows, in Markdown."""
    prepare(ggp.Limits())
    game = ggp.load_registry().game("kalah", seeds=3)
    lines = ["| solver | value | states | processor seconds |", "|---|---:|---:|---:|"]
    bases: dict[int, Tablebase] = {}
    for row in ROWS:
        base = bases.setdefault(row.layers, build(game, row.layers))
        value, states, seconds = _solved(game, row, base)
        shown = "not within" if value is None else f"{value:+g}"
        lines.append(f"| {row.name} | {shown} | {states:,} | {seconds:.2f} |")
    return "\n".join(lines)


def _solved(game: AnyGame, row: Row, base: Tablebase) -> tuple[float | None, int, float]:
    state = game.initial_state()
    settings: Settings = choose_settings(
        game, wanted="default", table=64, ordering="auto", bounds=None, etc=True, speed="compiled", threads=1,
        tablebase=base,
    )  # fmt: skip
    engine: CompiledEngine = compiled(SearchPlan(capable(game), state, AlphaBeta(), row.changed(settings)))
    if row.near is not None:
        engine.variables[0].set(engine.search.tablebase, "near", row.near)
    engine.next_iteration()
    prover, started = Prover(game, engine, control=Control(MOST)), time.process_time()
    value: float | None = None
    with contextlib.suppress(SearchStopped):
        value = prover.value(state, prover.guess(state, proof_solver.SHORT_GUESS) if row.guessed else 0)
    return value, engine.states, time.process_time() - started
