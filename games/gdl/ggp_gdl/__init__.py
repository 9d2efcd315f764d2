"""A plugin of ggp with games described in GDL: each file with a description is a game.

Nothing is imported before a description is named, so that listing the games is fast.

`description` reads a file and `checks` examines it; `library` finds it by its name. `reasoner` plays any description
without preparation. If a description is small enough, it becomes a class: `grounding` finds all instances of the rules,
and `net` makes expressions of them. Then `exclusion`, `boards`, `shapes`, `counts` and `fields` find what belongs
together. Last, `writer` writes the class, and `written` stores it. `protocol`, `server` and `remote_player` speak to
other programs, and `export` writes ggp's games as descriptions.
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
