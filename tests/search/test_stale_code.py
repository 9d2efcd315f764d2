"""Machine code is never older than what it was made from, and compiling has an end."""

import sys
from typing import ClassVar

import attrs
import pytest

import ggp


class Heap:
    """Take up to `most` stones; who takes the last one wins. The field may be changed between searches."""

    name = "heap"

    def __init__(self):
        self.most = 3

    def initial_state(self):
        return 8, ggp.MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(self.most, state[0]) + 1)

    def result(self, state, action):
        return state[0] - action, 1 - state[1]

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if state[1] == player else 1


def test_a_field_that_changes_between_two_searches_is_used():
    game, minimax = Heap(), ggp.load_registry().searcher("minimax", speed="compiled")
    assert minimax.search(game, game.initial_state()).value == -1  # a multiple of four loses
    game.most = 2
    assert minimax.search(game, game.initial_state()).value == 1


@attrs.frozen
class Long(Heap):
    """Rules with a loop that would be long if it ran to its end."""

    name = "long"
    most: int = 3

    def actions(self, state):
        found = []
        for number in range(10**9):
            if number >= min(self.most, state[0]):
                break
            found.append(number + 1)
        return found


@pytest.mark.parametrize("speed", ["compiled", "auto"])
def test_a_long_range_that_is_left_early_stays_a_loop(speed):
    found = ggp.load_registry().searcher("minimax", speed=speed).search(Long(), (8, ggp.MAX), ggp.Limits(depth=8))
    assert found.value == -1


MOST = 3
STEPS = [1, 2, 3]


class ByGlobals(Heap):
    """The rules read names of the module, a list that is changed in place, and an attribute of the class."""

    name = "by-globals"
    extra: ClassVar[int] = 0

    def actions(self, state):
        return [each for each in STEPS if each <= min(MOST + self.extra, state[0])]


def test_names_of_modules_and_classes_that_change_between_two_searches_are_used(monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", "")
    game, minimax = ByGlobals(), ggp.load_registry().searcher("minimax", speed="compiled")

    def value():
        found = minimax.search(game, game.initial_state())
        assert found.speed == "compiled"
        return found.value

    assert value() == -1  # a multiple of four loses
    with monkeypatch.context() as changed:
        changed.setattr(sys.modules[__name__], "MOST", 2)
        assert value() == 1
    assert value() == -1
    with monkeypatch.context() as changed:
        changed.setattr(ByGlobals, "extra", -1)
        assert value() == 1
    assert value() == -1
    STEPS.remove(3)
    try:
        assert value() == 1
    finally:
        STEPS.append(3)
