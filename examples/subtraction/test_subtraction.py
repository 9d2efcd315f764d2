from ggp_subtraction.game import Subtraction
from ggp_subtraction.searcher import Greedy

from ggp.testing import check_game, check_searcher


def test_the_game_keeps_its_promises() -> None:
    check_game(Subtraction())


def test_the_searcher_keeps_its_contract() -> None:
    check_searcher(Greedy())
