"""Domineering, a plugin of ggp."""

from ggp_domineering.game import Domineering

__all__ = ["Domineering"]
