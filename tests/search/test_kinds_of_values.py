"""Scores that are whole numbers at first and floats later are floats to machine code, too."""

import pytest

import ggp


class Halves:
    """Take 1 to 3 of 7 stones: a single one scores half a point, two score a point, three a third."""

    name = "halves"

    def initial_state(self):
        return (7, 0, 0)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [taken for taken in (1, 2, 3) if taken <= state[0]]

    def result(self, state, taken):
        gain = 0.5 if taken == 1 else 1 if taken == 2 else 1 / 3
        return (state[0] - taken, state[1] + gain if state[2] == 0 else state[1] - gain, 1 - state[2])

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return state[1] if player == 0 else -state[1]


class Fractions(Halves):
    """Play a fraction, which is added to a score for MAX and subtracted for MIN."""

    name = "fractions"

    def actions(self, state):
        return [0.5, 1.25, -2.25]

    def result(self, state, fraction):
        return (state[0] - 1, state[1] + (fraction if state[2] == 0 else -fraction), 1 - state[2])


@pytest.mark.parametrize("game", [Halves(), Fractions()], ids=lambda game: game.name)
@pytest.mark.parametrize("depth", [4, None])
def test_a_score_that_becomes_a_float_is_searched_at_machine_speed(game, depth):
    found = []
    for speed in ("interpreted", "compiled"):
        searcher = ggp.load_registry().searcher("alphabeta", speed=speed)
        result = searcher.search(game, game.initial_state(), ggp.Limits(depth=depth))
        found.append((result.value, result.action, result.principal_variation))
    assert found[0] == found[1]
