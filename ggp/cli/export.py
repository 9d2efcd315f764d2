"""`ggp export`: positions of a game with their values, as a table for other programs."""

import pathlib
import random
import re

import click

from ggp import capabilities, files
from ggp.cli.console import echo
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import STANDARD_OUTPUT, write_csv
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, limits_from, takes_position, takes_searcher
from ggp.errors import UsageError
from ggp.game import CHANCE, MAX, AnyGame, State
from ggp.number_text import many
from ggp.searcher import Limits, Searcher, action_columns
from ggp.tables import ResultTable, TableRow, flat

IN_VAIN = 1000
"""The search for positions ends after this number of random games without a new position."""
LONGEST = 10_000
"""Plies of the longest random game."""


@click.command("export", cls=Helpful)
@takes_position
@takes_searcher
@takes_number("--positions", "Number of different positions.", default=1000, minimum=1, maximum=10_000_000)
@click.option(
    "--values",
    default="none",
    show_default=True,
    metavar="none|exact|depth=N|seconds=S|nodes=N",
    help="Add values: searched to the end of the game, or with a limit.",
)
@takes_number("--seed", "Seed of the random games.", default=0, minimum=0, maximum=(1 << 63) - 1)
@click.option(
    "--csv",
    "csv",
    metavar="FILE",
    help=f"Write CSV ({STANDARD_OUTPUT}, the default, is standard output).",
    default=None,
)
@click.option("--parquet", metavar="FILE", help="Write Parquet. Needs the extra `data`.")
def command(
    session: Session,
    position: Position,
    searcher: str | None,
    positions: int,
    values: str,
    seed: int,
    csv: str | None,
    parquet: str | None,
) -> None:
    """Write positions of a game as a table; --values adds their values.

    The positions come from random games, without duplicates. A row has the position in the game's notation, who is to
    move, the number of legal moves, and the value to MAX with a best move. The column `exact` says whether the value is
    exact.
    """
    finder, limits = session.searcher(searcher, position.game)
    limits = _limits(values, limits)
    for file in (csv, parquet):
        if file is not None and file != STANDARD_OUTPUT:
            files.require_place(pathlib.Path(file), "table")
    drawn = drawn_positions(position.game, position.state, positions, random.Random(seed))
    if len(drawn) < positions:
        echo(f"ggp: only {many(len(drawn), 'position')} could be found by random games", err=True)
    with ProgressLine() as line:
        rows = ResultTable()
        for index, (state, ply) in enumerate(drawn, 1):
            rows.append(_row(position.game, state, ply, None if values == "none" else finder, limits))
            line.show(f"{index:,} of {len(drawn):,} positions", share=index / len(drawn))
    if parquet is not None:
        files.write_file(pathlib.Path(parquet), rows.to_parquet(), "table")
    if csv is not None or parquet is None:
        write_csv(csv or STANDARD_OUTPUT, rows)


def _limits(values: str, limits: Limits) -> Limits:
    if values in ("none", "exact"):
        return limits
    if not re.fullmatch(r"(depth|seconds|nodes)=[\d.]+", values):
        raise UsageError(f"--values takes none, exact, depth=N, seconds=S or nodes=N; got {values!r}")
    name, _, text = values.partition("=")
    return limits_from({name: text}, Limits())


def drawn_positions(game: AnyGame, start: State, number: int, dice: random.Random) -> list[tuple[State, int]]:
    """Return different positions of random games in which a player is to move, each with its ply."""
    drawn: dict[State, int] = {}
    vain = 0
    while len(drawn) < number and vain < IN_VAIN:
        before, state = len(drawn), start
        for ply in range(LONGEST):
            if game.terminal_test(state) or len(drawn) >= number:
                break
            if game.to_move(state) == CHANCE:
                outcomes, weights = zip(*game.outcomes(state), strict=True)  # type: ignore[attr-defined]
                state = game.result(state, dice.choices(outcomes, weights)[0])
                continue
            drawn.setdefault(state, ply)
            state = game.result(state, dice.choice(tuple(game.actions(state))))
        vain = 0 if len(drawn) > before else vain + 1
    return list(drawn.items())


def _row(game: AnyGame, state: State, ply: int, finder: Searcher | None, limits: Limits) -> TableRow:
    text = capabilities.notation(game)
    row = flat({"game": game.name, "parameters": capabilities.parameters(game)}) | {
        "position": text.format_state(state),
        "to_move": capabilities.mover_name(game, state),
        "max_to_move": game.to_move(state) == MAX,
        "ply": ply,
        "moves": len(capabilities.legal_actions(game, state)),
    }
    if finder is None:
        return row
    result = finder.search(game, state, limits)
    return row | {
        "value": result.value,
        "exact": result.exact,
        **action_columns(result.action, game, state),
        "depth": result.statistics.depth,
        "nodes": result.statistics.nodes,
    }
