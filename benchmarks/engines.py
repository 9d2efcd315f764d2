"""Engines: how many moves a second two trivial engines play against each other over pipes."""

import pathlib
import sys
import time

from benchmarks.ours import registry
from benchmarks.report import ReportTable, Section, at_least
from benchmarks.scale import Scale
from ggp import capabilities
from ggp.experiments.experiment import GameJob, play_at

ENGINE = pathlib.Path(__file__).with_name("trivial_engine.py")
LEAST = 2_000
"""Minimum number of moves a second."""


def play(games: int) -> tuple[int, float, float]:
    """Play this number of games of Connect Four; return the number of moves, the seconds, and this process's processor
    time.
    """
    game = registry().game("connectfour")
    player = f"ugi:{sys.executable} -I -S {ENGINE}?movetime=1000"
    start = capabilities.notation(game).format_state(game.initial_state())
    moves, began, used = 0, time.perf_counter(), time.process_time()
    for number in range(games):
        job = GameJob(
            number=number, game="connectfour", parameters={}, players=(player, player), seeds=(1, 2), start=start,
            seed=number, longest=100,
        )  # fmt: skip
        moves += len(play_at(registry(), game, job).record.moves)
    return moves, time.perf_counter() - began, time.process_time() - used


def engines(scale: Scale) -> Section:
    """Measure the moves a second."""
    play(1)  # starts the engines, which play on
    rounds = sorted((play(scale.engine_games) for _ in range(scale.rounds)), key=lambda each: each[0] / each[1])
    moves, seconds, used = rounds[len(rounds) // 2]
    rows = (("moves of a game", f"{moves / scale.engine_games:.0f}"), ("moves a second", f"{moves / seconds:,.0f}"),
            ("microseconds of ggp's processor time for a move", f"{1e6 * used / moves:,.0f}"))  # fmt: skip
    return Section(
        "Two trivial engines over pipes",
        f"Connect Four over UGI, {scale.engine_games} games a round, the median of {len(rounds)} rounds. Each engine"
        " is a process that plays the first column with room. So nearly all of the time is spent on the match and on"
        " the pipes."
        " Moves are checked and recorded as in `ggp match`.",
        (ReportTable(("", "figure"), rows),),
        (at_least("moves a second of two trivial engines over pipes", LEAST, moves / seconds),),
    )
