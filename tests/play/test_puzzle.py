"""Puzzles: one move wins, the same for everybody."""

import pytest

import ggp
from ggp.errors import GGPError
from ggp.play import puzzle
from ggp.play.controller import analyst

REGISTRY = ggp.load_registry()


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")


@pytest.mark.parametrize("name", ["tictactoe", "hexapawn", "nim"])
@pytest.mark.parametrize("number", [1, 2])
def test_exactly_one_move_wins(name, number):
    game = REGISTRY.game(name)
    found = puzzle.puzzle(REGISTRY, game, number)
    values = analyst(REGISTRY, game).analyse(game, found.state).values
    sign = 1 if game.to_move(found.state) == ggp.MAX else -1
    assert [action for action, value in values.items() if sign * value > 0] == [found.action]
    assert len(values) >= puzzle.FEWEST


def test_a_number_is_always_the_same_puzzle_and_others_are_others():
    game = REGISTRY.game("tictactoe")
    found = [puzzle.puzzle(REGISTRY, game, number) for number in (3, 3, 4, 5)]
    assert found[0] == found[1]
    assert len({each.state for each in found[1:]}) > 1


def test_a_game_of_chance_has_no_puzzles():
    with pytest.raises(GGPError, match="there is no puzzle 1 of pig"):
        puzzle.puzzle(REGISTRY, REGISTRY.game("pig"), 1)


def test_where_several_moves_win_or_none_does_there_is_no_only_win():
    game = REGISTRY.game("nim")
    searcher = analyst(REGISTRY, game)
    only, several, none = (game.parse_state(text) for text in ("4,1,0 first", "1,1,1 first", "2,2,0 first"))
    assert game.format_action(only, puzzle.only_win(searcher, game, only)) == "1:3"
    assert puzzle.only_win(searcher, game, several) is None
    assert puzzle.only_win(searcher, game, none) is None
