"""Whole numbers that are too large for machine code as values are searched as the rules are written."""

import attrs
import pytest
from ggp_solve.proof.proof_solver import solve
from ggp_solve.proof.solution import Resources

import ggp

KINDS = ["minimax", "alphabeta", "scout", "negascout", "mtdf", "dfpn"]
PRIZES = [10**13, -(10**13), (1 << 40) // 3, 1 << 55]


@attrs.frozen
class Doubling:
    """Take the pot or double it, in turn; the last ply pays what the other moves left of `prize`."""

    name = "doubling"
    prize: int = 10**13

    def initial_state(self):
        return (0, 0)

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        return [0, 1, 2]

    def result(self, state, action):
        return (state[0] * 3 + action, state[1] + 1)

    def terminal_test(self, state):
        return state[1] == 5

    def utility(self, state, player):
        value = self.prize * (state[0] % 7 - 3) + state[0]
        return value if player == 0 else -value


class Bounded(Doubling):
    """The same, with bounds beyond all that machine code holds."""

    name = "bounded"

    def bounds(self, state):
        return -(10**15), 10**15


def values(game):
    """Return the values by plain minimax, of each state."""

    def value(state):
        if game.terminal_test(state):
            return game.utility(state, 0)
        best = max if game.to_move(state) == 0 else min
        return best(value(game.result(state, action)) for action in game.actions(state))

    return value(game.initial_state())


@pytest.mark.parametrize(
    ("kind", "prize"),
    [  # each prize and each kind; the rest compiles the same searches once more
        pytest.param(kind, prize, marks=[pytest.mark.slow] * (kind != "alphabeta" and prize != PRIZES[0]))
        for kind in KINDS
        for prize in PRIZES
    ],
)
def test_values_beyond_those_of_machine_code_are_right_and_a_note_says_why(kind, prize):
    game = Doubling(prize=prize)
    searcher = ggp.load_registry().searcher(kind)
    found = searcher.search(game, game.initial_state(), ggp.Limits(depth=13))
    assert found.value == values(game)


def test_machine_speed_that_is_demanded_says_that_a_value_is_too_large():
    game = Doubling()
    searcher = ggp.load_registry().searcher("alphabeta", speed="compiled")
    with pytest.raises(
        ggp.GGPError, match=r"cannot continue below \(0, 0\): a value there is a whole number of 2\*\*40 or more"
    ):
        searcher.search(game, game.initial_state(), ggp.Limits(depth=13))


def test_bounds_beyond_all_values_do_not_keep_a_search_from_machine_speed():
    game = Bounded(prize=10)
    searcher = ggp.load_registry().searcher("alphabeta", speed="compiled", table=1, bounds=True)
    found = searcher.search(game, game.initial_state(), ggp.Limits(depth=13))
    assert (found.value, found.speed) == (values(game), "compiled")


def test_solve_proves_a_value_beyond_those_of_machine_code():
    game = Doubling()
    found = solve(game, game.initial_state(), Resources(memory=1))
    assert found.value == values(game)
