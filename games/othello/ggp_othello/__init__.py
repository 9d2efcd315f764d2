"""Othello, a plugin of ggp."""

from ggp_othello.game import Othello

__all__ = ["Othello"]
