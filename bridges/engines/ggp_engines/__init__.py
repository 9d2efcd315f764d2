"""Other people's engines as players, over UCI, UGI and GTP; and every game and searcher of ggp as such an engine.

`players` are the engines of others, each run by `program`. `server`, `uci_server` and `gtp_server` make an engine of a
player of ggp, and `commands` starts them.
"""

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_players() -> list[type]:
    from ggp_engines.players import GTPEngine, UCIEngine, UGIEngine

    return [UCIEngine, UGIEngine, GTPEngine]
