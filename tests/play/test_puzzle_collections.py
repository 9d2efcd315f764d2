"""Collections of puzzles: each shipped puzzle has exactly one winning move, and there is one for every day."""

from itertools import pairwise

import pytest

import ggp
from ggp.play import puzzle
from ggp.play.controller import analyst

REGISTRY = ggp.load_registry()
SHIPPED = [name for name in REGISTRY.games if puzzle.collection(REGISTRY, REGISTRY.game(name))]


def test_games_ship_puzzles():
    assert {"kalah", "connectfour"} <= {*SHIPPED}


@pytest.mark.parametrize("name", SHIPPED)
def test_there_is_a_puzzle_on_each_of_the_next_400_days(name):
    game = REGISTRY.game(name)
    days = [puzzle.puzzle(REGISTRY, game, puzzle.today() + day) for day in range(400)]
    assert all(one.state != other.state for one, other in pairwise(days))
    assert days[0].number == puzzle.today()


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_each_shipped_puzzle_has_exactly_one_winning_move(name):
    game = REGISTRY.game(name)
    searcher = analyst(REGISTRY, game)
    wrong = [
        found.number
        for found in puzzle.collection(REGISTRY, game)
        if puzzle.only_win(searcher, game, found.state, puzzle.LONG_PROOF) != found.action
    ]
    assert wrong == []


def test_a_file_that_holds_no_puzzles_is_refused():
    game = REGISTRY.game("tictactoe")
    with pytest.raises(ggp.GGPError, match="line 1 is not a puzzle of tictactoe"):
        puzzle.read_puzzles(game, '{"state": "nonsense"}')
