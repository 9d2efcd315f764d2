"""Pong Hau K'i, a plugin of ggp: the smallest game whose positions can repeat."""

from ggp_ponghauki.game import PongHauKi

__all__ = ["PongHauKi"]
