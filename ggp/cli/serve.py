"""`ggp serve`: a page to play on."""

import webbrowser

import click

from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.session import Session
from ggp.errors import UsageError


@click.command("serve", cls=Helpful)
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Listen on this address.")
@takes_number("--port", "Listen on this port; 0 is any free one.", default=8000, minimum=0, maximum=65535)
@click.option(
    "--proxy",
    metavar="ADDRESS,...",
    help="Trust the X-Forwarded-For header of these proxies.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the web browser.")
@click.pass_obj
def command(session: Session, host: str, port: int, proxy: str | None, opens: bool) -> None:
    """Serve a web page to play and to watch searches on.

    By default only this machine can reach it; with --host 0.0.0.0 everybody on the network can. The server stores
    nothing: a position is an address. Ctrl-C stops it. Needs the extra `web`.
    """
    try:
        from ggp.web.server import listen, serve, url
    except ModuleNotFoundError as error:
        if str(error.name).startswith("ggp"):
            raise
        raise UsageError("the page needs an extra: pip install 'ggp[web]'") from None
    session.registry.games  # noqa: B018 - plugins that cannot be loaded are reported once, at the start
    listening = listen(host, port)
    address = url(host, listening.getsockname()[1])
    click.echo(f"Serving on {address} (Ctrl-C ends it)")
    if opens:
        webbrowser.open(address)
    serve(listening, host, files=session.files, proxies=proxy)
    click.echo("Ended.")
