"""Pancakes, a puzzle: a plugin of ggp."""

from ggp_pancakes.game import Pancakes

__all__ = ["Pancakes"]
