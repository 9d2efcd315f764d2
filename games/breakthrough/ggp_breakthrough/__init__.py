"""Breakthrough, a plugin of ggp."""

from ggp_breakthrough.game import Breakthrough

__all__ = ["Breakthrough"]
