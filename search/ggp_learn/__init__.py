"""Learning: a network plays a game against itself, and becomes an evaluation for every searcher."""

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_pages() -> list[object]:
    """Return the page that learns a game."""
    from ggp_learn.served_learning import ServedLearning

    return [ServedLearning()]
