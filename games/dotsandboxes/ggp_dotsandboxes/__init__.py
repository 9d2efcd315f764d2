"""Dots and Boxes, a plugin of ggp."""

import ggp
from ggp_dotsandboxes.game import DotsAndBoxes

__all__ = ["DotsAndBoxes"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [DotsAndBoxes]
