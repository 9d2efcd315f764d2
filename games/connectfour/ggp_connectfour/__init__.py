"""Connect Four, a plugin of ggp: any board, any number in a row."""

import ggp
from ggp_connectfour.game import ConnectFour

__all__ = ["ConnectFour"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [ConnectFour]
