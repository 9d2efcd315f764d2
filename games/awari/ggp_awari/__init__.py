"""Awari, a plugin of ggp: the mancala game that has been solved."""

import ggp
from ggp_awari.game import Awari

__all__ = ["Awari"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Awari]
