"""EinStein würfelt nicht, a plugin of ggp."""

import ggp
from ggp_einstein.game import Einstein

__all__ = ["Einstein"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Einstein]
