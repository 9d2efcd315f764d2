"""States by number: packed at machine speed, and told apart as interpreted ones are."""

import random
from typing import ClassVar, NamedTuple

import attrs
import pytest
from ggp_connectfour import ConnectFour
from ggp_solve.enumeration.enumeration import Enumeration
from ggp_solve.enumeration.position_count import least_positions
from ggp_solve.enumeration.speed import Compiled, Interpreted
from ggp_solve.solver import Solver, TooLargeError

from ggp import compiler
from ggp.compiler.intrinsics import words_of

pytestmark = pytest.mark.skipif(not compiler.machine.available(), reason="there is no machine speed")


class Place(NamedTuple):
    """A state with words of all sizes."""

    wide: int
    small: tuple[int, int]
    marked: bool
    same: int


STEPS = ((1, 0, 0), (0, 1, -3), (1 << 61, 0, 0), (-(1 << 62), 5, 0), (-7, 0, 1 << 40))


@attrs.frozen
class Walk:
    """Steps of all sizes, a few of them."""

    name: ClassVar[str] = "walk"
    most: int = 6

    def initial_state(self):
        return Place(0, (0, 0), False, 12345)

    def to_move(self, state):
        return 0

    def actions(self, state):
        return range(len(STEPS))

    def result(self, state, action):
        wide, first, second = STEPS[action]
        moved = state.wide + wide if -(1 << 62) < state.wide < 1 << 61 else state.wide // 2
        return Place(moved, (state.small[0] + first + 1, state.small[1] + second), not state.marked, state.same)

    def terminal_test(self, state):
        return state.small[0] >= self.most

    def utility(self, state, player):
        return state.wide % 3 - 1


def enumerated(game, run=None, memory=1 << 30):
    found = Enumeration(game, game.initial_state(), 1_000_000, run, memory=memory)
    found.find_positions()
    return found


def test_packed_states_come_back_whole_and_keep_their_numbers():
    game = Walk()
    packed, plain = enumerated(game, Compiled(game)), enumerated(game)
    states = [plain.state(number) for number in range(plain.count)]
    assert len(states) > 500
    assert [packed.state(number) for number in range(packed.count)] == states
    assert [packed.positions.find(state) for state in states] == list(range(len(states)))
    assert packed.positions.find(states[0]._replace(wide=1 << 62)) == -1  # beyond its field


def test_a_state_takes_the_bits_that_its_words_need():
    dice = random.Random(1)

    @attrs.frozen
    class Bits:
        """Sets bits one by one."""

        name: ClassVar[str] = "bits"
        places: tuple[int, ...] = tuple(dice.sample(range(40), 11))

        def initial_state(self):
            return 0, 0

        def to_move(self, state):
            return state[1]

        def actions(self, state):
            return [place for place in self.places if not state[0] >> place & 1]

        def result(self, state, action):
            return state[0] | 1 << action, 1 - state[1]

        def terminal_test(self, state):
            return all(state[0] >> place & 1 for place in self.places)

        def utility(self, state, player):
            return 1

    game = Bits()
    found = enumerated(game, Compiled(game))
    assert found.count == 2**11
    assert found.positions.stride == (max(game.places) + 2 + 7) // 8


def test_memory_that_is_not_enough_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setattr("ggp_solve.solver.least_positions", lambda found, words: (1, 1))
    game = Walk(most=60)
    solver = Solver(game, game.initial_state(), speed="compiled", memory=1)
    with pytest.raises(TooLargeError, match=r"walk has more than [0-9,]+ positions, and no more fit in memory"):
        solver.run()
    assert solver.found.positions.size <= 1 << 20
    assert solver.found.count > (1 << 20) / 32


@pytest.mark.parametrize("game", [ConnectFour(width=4, height=3, connect=3), Walk(most=9)], ids=str)
def test_the_estimate_is_no_more_than_what_is_found(game):
    found = enumerated(game)
    for run in (Interpreted(), Compiled(game)):
        asked = Enumeration(game, game.initial_state(), 1_000_000, run)
        count, size = least_positions(asked, len(words_of(asked.start)))
        assert found.count / 200 < count <= found.count
        assert 9 * count < size < 40 * count


def test_a_game_that_is_too_large_by_far_is_refused_before_it_is_enumerated():
    game = ConnectFour()
    solver = Solver(game, game.initial_state(), speed="compiled", memory=100)
    with pytest.raises(
        TooLargeError, match=r"connectfour has about [0-9,]+ positions or more, which take [0-9,]+ MB at"
    ):
        solver.run()
    assert solver.found.count == 0
