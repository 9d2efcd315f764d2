"""`ggp check`: check whether a game keeps the promises of the protocol."""

import re
from collections.abc import Mapping, Sequence

import attrs
import click

from ggp import capabilities
from ggp.cli.console import echo, echo_game, echo_json, echo_rows, echo_table
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.session import Session, as_json, takes_game
from ggp.errors import UsageError
from ggp.game import AnyGame
from ggp.options import values_of


@click.command("check", cls=Helpful)
@takes_game
@takes_number("--examples", "Random games to play.", default=100, minimum=1)
@click.option(
    "--against", metavar="GAME", help="Compare with another implementation of the game, such as openspiel:othello."
)
@takes_number("--plies", "Number of random plies that --against compares.", default=10_000, minimum=1)
@as_json
@click.pass_obj
def command(
    session: Session,
    name: str,
    parameters: Sequence[str],
    examples: int,
    against: str | None,
    plies: int,
    as_json: bool,
) -> None:
    """Check by random play that a game, or every game of a Python file, keeps the promises of the protocol.

    Prints each promise with the number of checks, and each operation that is not compiled, with the reason. If a
    promise is broken, the message names the promise and the state, and the exit status is 1. Needs the extra `testing`.
    """
    from ggp.testing import PROMISES, check_game, not_compiled

    if name.endswith(".py"):
        games = session.registry.games_of(name)
        if not games:
            raise UsageError(f"{name} has no game to check; to check its searchers, type pytest --ggp-plugin {name}")
        for each in games:
            click.get_current_context().invoke(
                command,
                name=each,
                parameters=parameters,
                examples=examples,
                against=against,
                plies=plies,
                as_json=as_json,
            )
        return
    if name in session.registry.searchers and name not in session.registry.games:
        raise UsageError(
            f"{name} is a searcher, and ggp check checks games: type pytest --ggp-plugin FILE.py for the searchers of a"
            " file, or pytest --ggp for those that are installed"
        )
    game = session.game(name, parameters)
    if against is not None:
        _compare(session, game, against, plies, as_json)
        return
    checks = check_game(game, examples=examples, registry=session.registry)
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
    echo_interpreted(interpreted)
    echo("all promises are kept")


def _compare(session: Session, game: AnyGame, against: str, plies: int, as_json: bool) -> None:
    """Compare a game with another implementation. The game says which parameters the other implementation gets."""
    from ggp.testing.against import compare_games

    dialect = capabilities.dialects(game).get(against.partition(":")[0])
    same = re.fullmatch(r"(\w+)\((.*)\)", dialect.variant) if dialect else None
    options = [same[2]] if same and against.endswith(f":{same[1]}") else []
    other = session.game(against, options)
    compared = compare_games(game, other, plies)
    if as_json:
        echo_json({"game": game.name, "against": other.name, "options": options, **attrs.asdict(compared)})
        return
    echo_game(game.name, values_of(game))
    echo_game(other.name, values_of(other))
    returns = "utilities are equal" if compared.margins else "the winners are the same, but not the utilities"
    echo(
        f"{compared.plies:,} random plies agree in legal moves, mover and chance; in {compared.games:,} games {returns}"
    )


def echo_interpreted(interpreted: Mapping[str, str]) -> None:
    """Print the operations that are not compiled, with one paragraph for each reason."""
    if not interpreted:
        echo("every operation is compiled")
    for reason in dict.fromkeys(interpreted.values()):
        names = [name for name, each in interpreted.items() if each == reason]
        echo_rows({"interpreted": f"{', '.join(names)}: {reason}"})
