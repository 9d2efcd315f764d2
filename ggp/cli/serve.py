"""`ggp serve`: a page to play on."""

import contextlib
import re
import webbrowser
from collections.abc import Iterator

import click

from ggp.cli import completion
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.session import Session
from ggp.errors import GGPError, UsageError
from ggp.escapes import short
from ggp.game import AnyGame
from ggp.levels import BUDGETS
from ggp.play import make_player
from ggp.play.player_parser import offered_players
from ggp.play.players import HUMAN


@click.command("serve", cls=Helpful)
@click.argument("names", metavar="[GAME]...", nargs=-1, shell_complete=completion.games)
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Listen on this address.")
@takes_number("--port", "Listen on this port; 0 means any free port.", default=8000, minimum=0, maximum=65535)
@click.option(
    "--proxy",
    metavar="ADDRESS,...",
    help="Trust the X-Forwarded-For header of these proxies.",
)
@click.option(
    "--engine",
    "engines",
    metavar="NAME=PLAYER",
    multiple=True,
    help="Offer visitors an engine as a player, such as fish=uci:fairy-stockfish?movetime=500. May be repeated.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the web browser.")
@click.pass_obj
def command(
    session: Session, names: tuple[str, ...], host: str, port: int, proxy: str | None, engines: tuple[str, ...],
    opens: bool,
) -> None:  # fmt: skip
    """Serve a web page on which to play games and to watch searches.

    The page offers all installed games, and the games that you name here, such as game.kif or game.py. By default only
    this machine can reach the page; with --host 0.0.0.0 everybody on the network can. The server stores nothing: the
    address of a page contains the position. Ctrl-C stops it. Needs the extra `web`.
    """
    try:
        from ggp.web.server import listen, serve, url
        from ggp.web.worker import Offer
    except ModuleNotFoundError as error:
        if str(error.name).startswith("ggp"):
            raise
        raise UsageError("the page needs an extra: pip install 'ggp[web]'") from None
    session.registry.games  # noqa: B018 - plugins that cannot be loaded are reported once, at the start
    for name in names:
        if name.endswith(".py"):
            session.registry.games_of(name)
        else:
            session.registry.list_game(name)
    offer = Offer(tuple(session.registry.files), names, _offered(session, engines))
    listening = listen(host, port)
    address = url(host, listening.getsockname()[1])
    click.echo(f"Serving on {address} (Ctrl-C ends it)")
    if opens:
        webbrowser.open(address)
    serve(listening, host, offer, proxies=proxy)
    click.echo("Ended.")


def _offered(session: Session, engines: tuple[str, ...]) -> dict[str, str]:
    """Return the engines that the page offers, by name; each engine is the text of a player.

    Raises:
        UsageError: an engine is written wrongly, or can play no game.
    """
    offered: dict[str, str] = {}
    for each in engines:
        name, _, text = each.partition("=")
        prefix = text.partition(":")[0]
        players = session.registry.players
        if not re.fullmatch(NAME, name) or prefix not in players:
            written = ", ".join(f"NAME={player.factory.written}" for player in players.values())
            raise UsageError(f"--engine is written {written}, with a name of letters and digits; got {short(each)!r}")
        if name in offered or name in (*session.registry.searchers, "easy", *BUDGETS, "perfect", HUMAN):
            raise UsageError(f"--engine cannot be called {name}: there is a player of this name")
        session.registry.offered[name] = offered[name] = text
        if not any(name in offered_players(session.registry, game) for game in _games(session)):
            raise UsageError(f"--engine {each} can play no game here: {_refusal(session, text)}")
    return offered


NAME = r"\w[\w.-]{0,40}"
"""Matches the name of an engine on the page."""


def _games(session: Session) -> Iterator[AnyGame]:
    for name in session.registry.games:
        with contextlib.suppress(GGPError):
            yield session.registry.game(name)


def _refusal(session: Session, text: str) -> str:
    """Return the reason why a player cannot play; a reason that holds for every game is preferred to others."""
    reasons = []
    for game in _games(session):
        try:
            make_player(session.registry, text, game)
        except GGPError as error:
            reasons.append((game.name in str(error), str(error)))
    return min(reasons)[1] if reasons else "there are no games"
