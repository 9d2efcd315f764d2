"""Checkers (English draughts), a plugin of ggp."""

from ggp_checkers.game import Checkers

__all__ = ["Checkers"]
