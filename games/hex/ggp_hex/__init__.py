"""Hex, a plugin of ggp."""

from ggp_hex.game import Hex

__all__ = ["Hex"]
