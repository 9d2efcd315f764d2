"""Kalah, the flagship game: rules on packed integers."""

from ggp_kalah.game import Kalah

__all__ = ["Kalah"]
