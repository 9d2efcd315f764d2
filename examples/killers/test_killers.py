from ggp_killers.searcher import KillerSearch

from ggp.testing import check_exact_searcher


def test_the_searcher_finds_the_values_of_minimax() -> None:
    check_exact_searcher(KillerSearch())
