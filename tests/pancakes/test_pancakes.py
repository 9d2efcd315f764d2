"""Pancakes beside a breadth-first search, and the pancake numbers."""

import itertools

import pytest
from oracles import walk

import ggp
from ggp import capabilities
from ggp.play import Match, make_player
from ggp.play.controller import result

REGISTRY = ggp.load_registry()
PANCAKE_NUMBERS = [0, 1, 3, 4, 5, 7]
"""The flips that the worst stacks of 1, 2, ... pancakes take: OEIS A058986."""


def distances(size):
    """For every stack the fewest flips that sort it: breadth first from the sorted one."""
    start = tuple(range(1, size + 1))
    found, layer = {start: 0}, [start]
    for flips in itertools.count(1):
        after = {stack[:k][::-1] + stack[k:] for stack in layer for k in range(2, size + 1)} - found.keys()
        if not after:
            return found
        found |= dict.fromkeys(after, flips)
        layer = list(after)
    return None


def test_it_has_one_player_who_finishes():
    game = REGISTRY.game("pancakes", stack=(2, 1))
    cook = make_player(REGISTRY, "random", game)
    match = Match(game, (cook, cook), game.initial_state())
    match.play(2)
    assert capabilities.players(game) == ("the cook",)
    assert result(match) == "the cook (random) has finished after 1 move, with a result of -1."


@pytest.mark.parametrize("size", range(1, 7))
def test_pancake_numbers(size):
    assert max(distances(size).values()) == PANCAKE_NUMBERS[size - 1]


@pytest.mark.parametrize("size", range(1, 6))
def test_every_stack_is_sorted_by_the_fewest_flips(size):
    searcher = REGISTRY.searcher("alphabeta", ordering="suggestion", bounds=True)
    for stack, flips in list(distances(size).items())[::3]:
        game = REGISTRY.game("pancakes", stack=stack)
        assert searcher.search(game, game.initial_state()).value == -flips


def test_the_stack_that_is_given_is_one_of_the_worst():
    game = REGISTRY.game("pancakes")
    assert distances(6)[game.stack] == 7
    found = REGISTRY.searcher("alphabeta", ordering="suggestion", bounds=True).search(game, game.initial_state())
    assert (found.value, len(found.principal_variation)) == (-7, 7)


def test_gaps_promise_no_more_flips_than_are_needed():
    known = distances(6)
    for state in walk(REGISTRY.game("pancakes"), 1, 20):
        assert REGISTRY.game("pancakes").gaps(state.stack) <= known[state.stack]


def test_bounds_hold_what_can_still_be_reached():
    known = distances(4)
    game = REGISTRY.game("pancakes", stack=(2, 4, 1, 3))
    for state in walk(game, 2, 20):
        low, high = game.bounds(state)
        flips = state.flips + known[state.stack]
        assert low == -9
        assert low <= (-flips if flips <= 8 else -9) <= high
    assert game.bounds(game.parse_state("2,4,1,3 after 8")) == (-9, -9)
    assert game.bounds(game.parse_state("1,2,3,4 after 8")) == (-9, -8)


def test_it_is_too_late_after_twice_as_many_flips():
    game = REGISTRY.game("pancakes", stack=(2, 1))
    state = game.parse_state("2,1 after 4")
    assert game.terminal_test(state)
    assert game.utility(state, ggp.MAX) == -5
    assert game.scene(state).caption == "too late"


@pytest.mark.parametrize("stack", [(1, 1), (2, 3), (1, 2, 4)])
def test_a_stack_without_all_sizes_is_refused(stack):
    with pytest.raises(ggp.OptionError, match=f"stack must have each size from 1 to {len(stack)} once; got"):
        REGISTRY.game("pancakes", stack=stack)


@pytest.mark.parametrize(
    "text", ["", "1,2,3", "1,2,3,4,5,5 after 0", "1,2,3,4,5,6 after 13", "6 after 0", "1,,2 after 0"]
)
def test_texts_that_are_no_stacks(text):
    with pytest.raises(ggp.NotationError, match="is not a stack: write each size from 1 to 6 once"):
        REGISTRY.game("pancakes").parse_state(text)


def test_a_pancake_is_chosen_to_flip_all_above_it():
    game = REGISTRY.game("pancakes", stack=(2, 3, 1))
    scene = game.scene(game.initial_state())
    pancakes = [cell for cell in scene.cells if cell.text]
    assert [(cell.text, cell.action) for cell in pancakes] == [("2", None), ("3", 2), ("1", 3)]
    assert game.format_state(game.result(game.initial_state(), 2)) == "3,2,1 after 1"
