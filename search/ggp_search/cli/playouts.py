"""`ggp playouts`: measure how fast the rules of a game are, and how long its games are."""

import click

from ggp.capabilities import players
from ggp.cli.console import echo, echo_json, echo_rows, echo_table
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.errors import UsageError
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.settings import choose_speed
from ggp_search.playouts import PlayoutRate, measure

SPEEDS = {"auto": ("auto", "interpreted"), "compiled": ("compiled",), "interpreted": ("interpreted",)}
"""The speeds to measure, according to GGP_SPEED."""


@click.command("playouts", cls=Helpful, section="Search and learn")
@takes_position
@takes_number(
    "--seconds", "Time to play at each speed.", metavar="SECONDS", type=float, default=1, minimum=0.001, maximum=1e6
)
@takes_number(
    "--playouts", "Play this number of playouts in each thread, however long it takes.", minimum=1, maximum=1 << 60
)
@takes_number("--threads", "Number of threads at machine speed.", default=1, minimum=1, maximum=256)
@takes_number("--seed", "Seed of the random play.", default=0, minimum=0, maximum=1 << 60)
@as_json
def command(
    session: Session, position: Position, seconds: float, playouts: int | None, threads: int, seed: int, as_json: bool
) -> None:
    """Measure random playouts: how many run in a second, how long they are, and who wins.

    The playouts go from the position to the end of the game, at machine speed and interpreted, with all moves equally
    likely. So the speed of rules can be compared. With GGP_CLOCK=processor, seconds are processor time.
    """
    if position.over:
        raise UsageError(f"the game is over: there is nothing to play out; got {position.head()['state']!r}")
    limit = seconds if playouts is None else None
    rates: list[PlayoutRate] = []
    for speed in SPEEDS[choose_speed("auto")]:
        figures = measure(
            position.game, position.state, seconds=limit, playouts=playouts, threads=threads, seed=seed, speed=speed
        )
        rates.append(figures)
        if figures.speed == "interpreted":
            break
    if as_json:
        echo_json(position.head() | {"seed": seed, "rates": [each.as_data() for each in rates]})
        return
    _print(position, rates)


def _print(position: Position, rates: list[PlayoutRate]) -> None:
    first = rates[0]
    rows = position.rows() | {
        "length": f"{first.length:,.1f} plies on average",
        "branching": f"{first.branching:,.1f} moves to choose from, on average",
        "results": _results(position, first),
    }
    if first.unfinished:
        rows["unfinished"] = f"{first.unfinished / first.playouts:.1%} are not over after {MAX_PLIES:,} plies"
    if first.note:
        rows["note"] = first.note
    echo_rows(rows)
    echo()
    lines = [
        [
            each.speed,
            str(each.threads),
            f"{each.playouts:,}",
            _rate(each.playouts_a_second),
            _rate(each.states_a_second),
        ]
        for each in rates
    ]
    echo_table([["speed", "threads", "playouts", "playouts/s", "states/s"], *lines])


def _rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _results(position: Position, rate: PlayoutRate) -> str:
    """Return the shares of games that each player wins, in percent."""
    names, ended = players(position.game), max(1, rate.playouts - rate.unfinished)
    draws = ended - rate.wins - rate.losses
    shares = {names[0]: rate.wins, names[1] if len(names) > 1 else "loss": rate.losses, "draw": draws}
    return ", ".join(f"{name} {count / ended:.1%}" for name, count in shares.items() if count)
