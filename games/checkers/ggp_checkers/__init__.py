"""Checkers (English draughts), a plugin of ggp."""

import ggp
from ggp_checkers.game import Checkers

__all__ = ["Checkers"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Checkers]
