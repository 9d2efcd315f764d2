"""Domineering, a plugin of ggp."""

import ggp
from ggp_domineering.game import Domineering

__all__ = ["Domineering"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Domineering]
