"""Engines that others wrote as players, by UCI, UGI and GTP; and every game and searcher of ggp as such an engine."""

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_players() -> list[type]:
    from ggp_engines.players import GTPEngine, UCIEngine, UGIEngine

    return [UCIEngine, UGIEngine, GTPEngine]
