"""Kalah, the flagship game: rules on packed integers."""

from collections.abc import Iterable

import ggp
from ggp_kalah.game import Kalah

__all__ = ["Kalah"]


@ggp.hookimpl
def ggp_games() -> Iterable[type]:
    return [Kalah]
