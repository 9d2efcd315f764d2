"""OpenSpiel, both ways: its games are games of ggp (`openspiel:breakthrough`), and ggp's games can be registered with
OpenSpiel.

Needs the extra `openspiel`. `ggp_openspiel.register()` registers every game of ggp with pyspiel, under a name such as
`ggp_kalah`.
"""

from collections.abc import Iterable

import ggp
from ggp_openspiel.prefix import PREFIX


@ggp.hookimpl
def ggp_game_named(name: str) -> type | None:
    prefix, colon, short_name = name.partition(":")
    if prefix != PREFIX or not colon:
        return None
    from ggp_openspiel.games import game_class

    return game_class(short_name)


@ggp.hookimpl
def ggp_game_names(kind: str) -> Iterable[str]:
    if kind != PREFIX:
        return ()
    from ggp_openspiel.games import served

    return [f"{PREFIX}:{name}" for name in served()]


@ggp.hookimpl
def ggp_players() -> list[type]:
    from ggp_openspiel.bots import OpenSpielMCTS

    return [OpenSpielMCTS]


def register() -> list[str]:
    """Register the games of ggp with OpenSpiel; return their names there: `ggp_kalah`."""
    from ggp_openspiel.ours import register_all

    return register_all()
