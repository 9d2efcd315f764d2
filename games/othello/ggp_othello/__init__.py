"""Othello, a plugin of ggp."""

import ggp
from ggp_othello.game import Othello

__all__ = ["Othello"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Othello]
