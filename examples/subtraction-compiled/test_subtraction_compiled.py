from ggp_subtraction_compiled.game import Subtraction

import ggp
from ggp.testing import check_game


def test_the_game_keeps_its_promises_at_both_speeds() -> None:
    kept = check_game(Subtraction())
    assert kept["compiled form"] > 0
    assert kept["machine code"] > 0


def test_both_speeds_visit_the_same_states_and_find_the_known_winner() -> None:
    for stones in (12, 13):
        game = Subtraction(stones=stones)
        both = [
            ggp.load_registry().searcher("minimax", speed=speed, table=0).search(game, game.initial_state())
            for speed in ("interpreted", "compiled")
        ]
        assert [found.value for found in both] == [-1 if stones % 4 == 0 else 1] * 2
        assert both[0].statistics.nodes == both[1].statistics.nodes
        assert [found.speed for found in both] == ["interpreted", "compiled"]
