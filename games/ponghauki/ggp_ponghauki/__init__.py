"""Pong Hau K'i, a plugin of ggp: the smallest game whose positions come back."""

import ggp
from ggp_ponghauki.game import PongHauKi

__all__ = ["PongHauKi"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [PongHauKi]
