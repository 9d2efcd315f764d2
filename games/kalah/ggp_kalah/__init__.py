"""Kalah, the flagship game: one set of rules on packed integers, interpreted and at machine speed."""

from collections.abc import Iterable

import ggp
from ggp_kalah.game import Kalah

__all__ = ["Kalah"]


@ggp.hookimpl
def ggp_games() -> Iterable[type]:
    return [Kalah]
