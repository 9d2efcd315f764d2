"""Values in words."""

import pytest

import ggp
from ggp.show.worth import in_words

REGISTRY = ggp.load_registry()


@pytest.mark.parametrize(
    ("game", "value", "exact", "words"),
    [
        ("kalah", -10, True, "10 to North"),
        ("kalah", 3, False, "3 to South"),
        ("kalah", 0, True, "a draw"),
        ("kalah", 0, False, "even"),
        ("kalah", 0.4321, False, "slightly better for South"),
        ("kalah", 4.321, False, "4.32 to South"),
        ("connectfour", 0.0232558, False, "about even"),
        ("connectfour", -0.005, False, "about even"),
        ("connectfour", -0.3, False, "slightly better for O"),
        ("connectfour", 0.7, False, "better for X"),
        ("connectfour", 1, True, "a win for X"),
        ("connectfour", -1, False, "winning for O"),
        ("pig", 0, True, "even"),
        ("pancakes", -3, True, "-3"),
    ],
)
def test_a_value_is_said_of_the_player_whom_it_favours(game, value, exact, words):
    assert in_words(REGISTRY.game(game), value, exact=exact) == words


def test_the_outcome_of_a_game_of_chance_has_two_digits():
    assert in_words(REGISTRY.game("pig"), -0.123456, exact=True) == "0.12 to second"
