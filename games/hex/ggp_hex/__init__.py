"""Hex, a plugin of ggp."""

import ggp
from ggp_hex.game import Hex

__all__ = ["Hex"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Hex]
