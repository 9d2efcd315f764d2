"""`ggp check`: whether a game keeps the promises of the protocol."""

from collections.abc import Iterator, Mapping, Sequence

import click

from ggp.cli.help import Helpful
from ggp.cli.session import Session, as_json, takes_game
from ggp.cli.words import echo, echo_game, echo_json, hanging
from ggp.options import Option, values_of

PLAYS = Option("examples", int, None, "random plays", minimum=1)


@click.command("check", cls=Helpful)
@takes_game
@click.option("--examples", metavar="N", default="100", show_default=True, help="Play so many games at random.")
@as_json
@click.pass_obj
def command(session: Session, name: str, parameters: Sequence[str], examples: str, as_json: bool) -> None:
    """Check that GAME keeps every promise of the protocol, on random play.

    Prints each promise and how often it was checked, and which operations are not compiled and why. The exit
    status is 1 if a promise is broken: the message says which, and in which state. Needs the extra `testing`.
    """
    from ggp.testing import PROMISES, check_game, not_compiled

    game = session.game(name, parameters)
    plays = PLAYS.parse(examples)
    kept = check_game(game, examples=plays)
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
