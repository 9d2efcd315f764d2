"""Learning: a network plays a game against itself, and becomes an evaluation for every searcher.

`cells`, `board_shape` and `colours` find the board that the network looks at, `tuples` its tuples, and `training`
learns. `accuracy` and `learning_curve` measure the result; the networks themselves are in `ggp_search.learned`.
"""

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_pages() -> list[object]:
    """Return the page that learns a game."""
    from ggp_learn.served_learning import ServedLearning

    return [ServedLearning()]
