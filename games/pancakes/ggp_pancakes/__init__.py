"""Pancakes, a puzzle: a plugin of ggp."""

import ggp
from ggp_pancakes.game import Pancakes

__all__ = ["Pancakes"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Pancakes]
