"""Dots and Boxes, a plugin of ggp."""

from ggp_dotsandboxes.game import DotsAndBoxes

__all__ = ["DotsAndBoxes"]
