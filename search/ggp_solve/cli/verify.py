"""Implement `ggp verify`: check whether a certificate proves the value that it claims."""

import pathlib
import time

import click

from ggp import capabilities
from ggp.cli.console import echo_json, echo_rows
from ggp.cli.help import Helpful
from ggp.cli.session import Position, Session, as_json, opens_files
from ggp.number_text import number
from ggp_solve.certificates.verification import Verified, verify


@click.command("verify", cls=Helpful, section="Solve")
@click.argument("file", metavar="CERTIFICATE", type=click.Path(dir_okay=False, allow_dash=True))
@opens_files
@as_json
@click.pass_obj
def command(session: Session, file: str, open_files: bool, as_json: bool) -> None:
    """Verify a certificate of a solved game.

    `ggp solve --certificate` writes certificates. The check uses only the rules, without search. Each strategy must
    have a reply to every move of the opponent, and must secure the claimed value. If one of the strategies fails, the
    exit status is 1. The file - is standard input.
    """
    began = time.perf_counter()
    verified = verify(session.registry, pathlib.Path(file), session.registry.game if open_files else None)
    seconds = time.perf_counter() - began
    if as_json:
        echo_json(as_data(verified, seconds))
    else:
        echo_verified(verified, seconds)


def as_data(verified: Verified, seconds: float) -> dict[str, object]:
    """Return the result of a verification as plain data for JSON."""
    return Position(verified.game, verified.state).head() | {
        "value": verified.claim.value,
        "verified": True,
        "positions": verified.positions,
        "seconds": seconds,
    }


def echo_verified(verified: Verified, seconds: float) -> None:
    """Print the result of a verification as text for people to read."""
    (first, second), most = capabilities.player_names(verified.game), verified.positions
    rows = Position(verified.game, verified.state).rows() | {
        "value": f"{number(verified.claim.value)} to {first}, verified",
        "strategies": f"{first}'s reaches {most[0]:,} positions, {second}'s reaches {most[1]:,}",
        "time": f"{seconds:.3g} s",
    }
    echo_rows(rows)
