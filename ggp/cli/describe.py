"""`ggp describe`: a game as data, for programs."""

import attrs
import click

from ggp.cli.console import echo_json, echo_rows
from ggp.cli.games import echo_entry, echo_more
from ggp.cli.help import Helpful
from ggp.cli.search import echo_drawing
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.description import describe, schema


def _print_schema(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        echo_json(schema())
        context.exit()


@click.command("describe", cls=Helpful)
@takes_position
@click.option(
    "--schema", is_flag=True, is_eager=True, expose_value=False, callback=_print_schema, help="Print the JSON Schema."
)
@as_json
def command(session: Session, position: Position, as_json: bool) -> None:
    """Describe a game and a position for other programs.

    With --json, print rules, parameters, players and levels. Also print the position with its legal moves, its drawing,
    and its board as a list of cells. The format is stable, and --schema prints its JSON Schema.
    """
    description = describe(session.registry, position.game, position.state)
    if as_json:
        echo_json(attrs.asdict(description))
        return
    echo_entry(session.registry.game_entry(position.game.name))
    echo_more(position.game)
    echo_drawing(position)
    rows = {"levels": ", ".join(description.levels), "searchers": ", ".join(description.searchers)}
    rows |= {
        "engines": ", ".join(description.protocols),
        "moves": " ".join(each.action for each in description.position.actions),
    }
    echo_rows(rows)
