"""Connect Four, a plugin of ggp: any board, any number in a row."""

from ggp_connectfour.game import ConnectFour

__all__ = ["ConnectFour"]
