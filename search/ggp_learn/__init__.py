"""Learning: a network plays a game against itself, and becomes an evaluation for every searcher."""

import ggp
from ggp.game import AnyGame, Evaluation


@ggp.hookimpl
def ggp_evaluation(game: AnyGame, name: str) -> Evaluation | None:
    """Return the evaluation `learned`, or `learned:FILE`."""
    if name.partition(":")[0] != "learned":
        return None
    from ggp_learn.evaluation import learned

    return learned(game, name)
