"""Games described in GDL, a plugin of ggp: each file with a description is a game.

Nothing is imported before a description is named, so that listing the games is fast.
"""

import os

import ggp

__all__ = ["ggp_game_named", "ggp_games", "ggp_players"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    if not os.environ.get("GGP_GDL"):
        return []
    from ggp_gdl.listing import listed_games

    return listed_games()


@ggp.hookimpl
def ggp_game_named(name: str) -> type | None:
    if not name.startswith("gdl:") and not name.lower().partition("?")[0].endswith((".kif", ".gdl")):
        return None
    from ggp_gdl.listing import game_named

    return game_named(name)


@ggp.hookimpl
def ggp_players() -> list[type]:
    from ggp_gdl.remote_player import RemotePlayer

    return [RemotePlayer]
