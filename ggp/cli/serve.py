"""`ggp serve`: a page to play on."""

import webbrowser

import click

from ggp.cli.help import Helpful
from ggp.cli.session import Session
from ggp.errors import UsageError
from ggp.options import Option

PORT = Option("port", int, 8000, "where browsers find it; 0 is any that is free", minimum=0, maximum=65535)


@click.command("serve", cls=Helpful)
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Listen on this address.")
@click.option("--port", metavar="N", default="8000", show_default=True, help="Listen on this port; 0 is any free one.")
@click.option(
    "--proxy",
    metavar="ADDRESS,...",
    help="Believe these proxies, and no other peer, whom they speak for (X-Forwarded-For).",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.pass_obj
def command(session: Session, host: str, port: str, proxy: str | None, opens: bool) -> None:
    """Serve a page on which any game can be played, against any player, and searches can be watched.

    It answers this machine only, unless --host says otherwise: 0.0.0.0 is everybody who can reach it. Nothing is kept
    on the server: an address is a position. Ctrl-C ends it. Needs the extra `web`.
    """
    number = PORT.parse(port)
    try:
        from ggp.web.serving import listen, serve, url
    except ModuleNotFoundError as error:
        if str(error.name).startswith("ggp"):
            raise
        raise UsageError("the page needs an extra: pip install 'ggp[web]'") from None
    session.registry.games  # noqa: B018 - what cannot be loaded is told once, before it begins
    listening = listen(host, number)
    address = url(host, listening.getsockname()[1])
    click.echo(f"Serving on {address} (Ctrl-C ends it)")
    if opens:
        webbrowser.open(address)
    serve(listening, host, files=session.files, proxies=proxy)
    click.echo("Ended.")
