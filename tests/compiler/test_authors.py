"""Games in the styles of different authors are compiled as they stand, and are the same games."""

import pytest
from authors import GAMES, MAX, MIN
from ggp_search.algorithms.alphabeta import AlphaBeta

from ggp import compiler
from ggp.searcher import Limits

DEPTH = 4


def counted(game, state, depth):
    """Return a number that all states down to a depth, their players, values and the order of actions are part of."""
    total = game.to_move(state) + 1
    if game.terminal_test(state):
        return total + 7 * game.utility(state, MAX) + 1000 * game.utility(state, MIN)
    if depth == 0:
        return total
    for action in game.actions(state):
        total = (total * 31 + counted(game, game.result(state, action), depth - 1)) % 1_000_003
    return total


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_a_game_in_any_style_is_compiled_and_the_same(game):
    code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
    state = game.initial_state()
    for depth in range(DEPTH + 1):
        assert code(code.variables(), state, depth) == counted(game, state, depth)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_a_search_with_table_and_ordering_compiles_it_too(game):
    """A table holds actions, or None: no state that holds an action gets room for None by that."""
    found = [
        AlphaBeta(table=1, ordering="auto", speed=speed).search(game, game.initial_state(), Limits(depth=DEPTH))
        for speed in ("compiled", "interpreted")
    ]
    assert found[0].value == found[1].value
    assert found[0].action == found[1].action
