"""Values in words."""

import pytest

import ggp
from ggp.show.value_text import value_text

REGISTRY = ggp.load_registry()


@pytest.mark.parametrize(
    ("game", "value", "exact", "words"),
    [
        ("kalah", -10, True, "10 seeds for North"),
        ("kalah", 3, False, "3 seeds for South"),
        ("kalah", 0, True, "a draw"),
        ("kalah", 0, False, "even"),
        ("kalah", 0.4321, False, "slightly better for South"),
        ("kalah", 4.321, False, "4.32 seeds for South"),
        ("connectfour", 0.0232558, False, "about even"),
        ("connectfour", -0.005, False, "about even"),
        ("connectfour", -0.3, False, "slightly better for O"),
        ("connectfour", 0.7, False, "better for X"),
        ("connectfour", 1, True, "a win for X"),
        ("connectfour", -1, False, "winning for O"),
        ("kalah", -1, True, "1 seed for North"),
        ("othello", 8, True, "8 discs for Black"),
        ("othello", 30, False, "slightly better for Black"),
        ("othello", -2, False, "about even"),
        ("fig52", 3, False, "3 to MAX"),
        ("pig", 0, True, "even"),
        ("pancakes", -3, True, "-3"),
    ],
)
def test_a_value_is_said_of_the_player_whom_it_favours(game, value, exact, words):
    assert value_text(REGISTRY.game(game), value, exact=exact) == words


def test_the_value_of_a_game_of_chance_is_the_chance_to_win():
    assert value_text(REGISTRY.game("pig"), -0.123456, exact=True) == "56 % for second"
