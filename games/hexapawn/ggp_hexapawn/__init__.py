"""Hexapawn, a plugin of ggp."""

import ggp
from ggp_hexapawn.game import Hexapawn

__all__ = ["Hexapawn"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Hexapawn]
