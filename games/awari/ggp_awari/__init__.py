"""Awari, a plugin of ggp: the mancala game that has been solved."""

from ggp_awari.game import Awari

__all__ = ["Awari"]
