"""Pong Hau K'i, a plugin of ggp: the smallest game whose positions come back."""

from ggp_ponghauki.game import PongHauKi

__all__ = ["PongHauKi"]
