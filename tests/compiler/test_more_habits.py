"""More small games in the habits of strangers: all are played, and most are compiled with the same results."""

import more_habits
import pytest

import ggp

REFUSED = {
    more_habits.Weeds: "_Meadow__grass of a state of weeds is a defaultdict, which is not compiled: make it a dict, or",
    more_habits.Shares: r"more_habits\.py:\d+: .* \(in fractions\.py, line \d+, which is called here\)$",
    more_habits.Words: "states must all have the same shape: text and list of letter have no common type",
}


def _searched(kind, speed):
    game, registry = kind(), ggp.load_registry()
    found = registry.searcher("minimax", speed=speed).search(game, game.initial_state(), ggp.Limits(depth=4))
    return found.value, found.action, found.principal_variation, found.statistics.nodes


@pytest.mark.parametrize("kind", more_habits.HABITS)
def test_each_game_is_played_as_it_stands(kind):
    game, registry = kind(), ggp.load_registry()
    found = registry.searcher("alphabeta", speed="interpreted").search(game, game.initial_state(), ggp.Limits(depth=3))
    assert found.action in list(game.actions(game.initial_state()))


@pytest.mark.parametrize("kind", REFUSED)
def test_a_game_that_is_not_compiled_is_refused_in_words(kind):
    with pytest.raises(ggp.UsageError, match=REFUSED[kind]):
        _searched(kind, "compiled")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [each for each in more_habits.HABITS if each not in REFUSED])
def test_a_search_is_the_same_at_both_speeds(kind):
    assert _searched(kind, "compiled") == _searched(kind, "interpreted")
