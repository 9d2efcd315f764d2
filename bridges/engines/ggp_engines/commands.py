"""`ggp ugi`, `ggp uci` and `ggp gtp`: a game and a player as an engine."""

import sys
from collections.abc import Sequence

import click

from ggp import capabilities
from ggp.cli import completion
from ggp.cli.help import Helpful
from ggp.cli.session import Session, takes_game
from ggp.errors import UsageError
from ggp.progress import shown, unseen

WORDS = {
    "ugi": "UGI, the protocol for any game",
    "uci": "UCI, the protocol of chess engines",
    "gtp": "GTP, the protocol of Go",
}


def _command(protocol: str) -> click.Command:
    @click.command(
        protocol,
        cls=Helpful,
        section="Compare",
        help=f"""Play a game as an engine that speaks {WORDS[protocol]}.

    Other people's front ends and runners start this command, and speak to it over standard input and output. PLAYER is
    a level (hard), or a searcher with its options and limits (alphabeta:depth=6); a limit that the runner sends
    replaces the player's own limits.
    """,
    )
    @takes_game
    @click.argument("player", metavar="[PLAYER]", required=False, shell_complete=completion.players)
    @click.pass_obj
    def command(session: Session, name: str, parameters: Sequence[str], player: str | None) -> None:
        from ggp.play import make_player
        from ggp.play.players import close
        from ggp_engines.gtp_server import GTPServer
        from ggp_engines.server import lines_of
        from ggp_engines.uci_server import UCIServer, UGIServer

        servers = {"ugi": UGIServer, "uci": UCIServer, "gtp": GTPServer}
        game = session.sound_game(name, parameters)
        spoken = capabilities.dialects(game)
        if protocol not in spoken:
            others = ", ".join(f"ggp {each}" for each in spoken if each in servers)
            raise UsageError(f"{name} has no notation for {protocol} with these parameters: use {others}")
        shown.set(unseen)
        made = make_player(session.registry, player or session.registry.preferred_searcher(game), game)
        try:
            servers[protocol](game, spoken[protocol], made).serve(lines_of(sys.stdin))
        finally:
            close(made)

    return command


ugi, uci, gtp = map(_command, WORDS)
