"""Hex in GTP."""

import ggp


def test_a_position_is_set_up_for_gtp_by_its_stones_in_turn():
    game = ggp.load_registry().game("hex", size=3)
    state = game.initial_state()
    for move in ("b2", "a1", "c3"):
        state = game.result(state, game.parse_action(state, move))
    dialect = game.dialect("gtp")
    assert dialect.size == 3
    assert dialect.setup(state) == ("play b b2", "play w a1", "play b c3")
