"""Breakthrough, a plugin of ggp."""

import ggp
from ggp_breakthrough.game import Breakthrough

__all__ = ["Breakthrough"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Breakthrough]
