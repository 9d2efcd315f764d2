"""`ggp check`: whether a game keeps the promises of the protocol."""

from collections.abc import Iterator, Mapping, Sequence

import click

from ggp.cli.help import Helpful
from ggp.cli.numbers import takes_number
from ggp.cli.session import Session, as_json, takes_game
from ggp.cli.words import echo, echo_game, echo_json, hanging
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
    kept = check_game(game, examples=examples)
    interpreted = not_compiled(game)
    if as_json:
        promises = [{"promise": each, "meaning": PROMISES[each], "checks": count} for each, count in kept.items()]
        echo_json({"game": game.name, "parameters": values_of(game), "promises": promises, "not_compiled": interpreted})
        return
    echo_game(game.name, values_of(game))
    echo("   checks  promise")
    for promise, count in kept.items():
        times = f"{count:>9,}" if count else "     none"
        for line in hanging(times, f"{promise}: {PROMISES[promise]}", 11):
            echo(line)
    for line in _compiled(interpreted):
        echo(line)
    echo("all promises are kept")


def _compiled(interpreted: Mapping[str, str]) -> Iterator[str]:
    """Say what is compiled: one paragraph for each reason why something is not."""
    if not interpreted:
        yield "every operation is compiled"
    for reason in dict.fromkeys(interpreted.values()):
        names = [name for name, each in interpreted.items() if each == reason]
        yield from hanging("interpreted", f"{', '.join(names)}: {reason}", 13)
