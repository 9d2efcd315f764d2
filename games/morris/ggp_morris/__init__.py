"""Morris, a plugin of ggp: three, six and nine men's morris."""

import ggp
from ggp_morris.game import Morris

__all__ = ["Morris"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Morris]
