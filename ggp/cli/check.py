"""`ggp check`: whether a game keeps the promises of the protocol."""

from collections.abc import Mapping, Sequence

import click

from ggp.cli.console import echo, echo_game, echo_json, echo_rows, echo_table
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.session import Session, as_json, takes_game
from ggp.options import values_of


@click.command("check", cls=Helpful)
@takes_game
@takes_number("--examples", "Random games to play.", default=100, minimum=1)
@as_json
@click.pass_obj
def command(session: Session, name: str, parameters: Sequence[str], examples: int, as_json: bool) -> None:
    """Test the rules of a game against the protocol, on random play.

    Prints each promise with the number of checks, and the operations that are not compiled with the reasons. If a
    promise is broken, the message names it and the state, and the exit status is 1. Needs the extra `testing`.
    """
    from ggp.testing import PROMISES, check_game, not_compiled

    game = session.game(name, parameters)
    checks = check_game(game, examples=examples)
    interpreted = not_compiled(game)
    if as_json:
        promises = [{"promise": each, "meaning": PROMISES[each], "checks": count} for each, count in checks.items()]
        echo_json({"game": game.name, "parameters": values_of(game), "promises": promises, "not_compiled": interpreted})
        return
    echo_game(game.name, values_of(game))
    echo()
    rows = [[each, PROMISES[each], f"{count:,}" if count else "none"] for each, count in checks.items()]
    echo_table([["promise", "meaning", "checks"], *rows], texts=(0, 1))
    echo()
    _echo_compiled(interpreted)
    echo("all promises are kept")


def _echo_compiled(interpreted: Mapping[str, str]) -> None:
    """Print what is compiled, with one paragraph for each reason why an operation is not."""
    if not interpreted:
        echo("every operation is compiled")
    for reason in dict.fromkeys(interpreted.values()):
        names = [name for name, each in interpreted.items() if each == reason]
        echo_rows({"interpreted": f"{', '.join(names)}: {reason}"})
