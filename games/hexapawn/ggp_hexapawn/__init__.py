"""Hexapawn, a plugin of ggp."""

from ggp_hexapawn.game import Hexapawn

__all__ = ["Hexapawn"]
