"""Learning: a network plays a game against itself, and becomes an evaluation for every searcher.

`cells` and `board_shape` find the board at which the network looks. `player_symmetry` finds out whether the players are
alike. `tuples` chooses tuples of cells, and `training` learns. `accuracy` and `learning_curve` measure the result. The
code of the networks is in `ggp_search.learned`.
"""

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_pages() -> list[object]:
    """Return the page that learns a game."""
    from ggp_learn.served_learning import ServedLearning

    return [ServedLearning()]
