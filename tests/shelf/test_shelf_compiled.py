"""The games of the shelf as machine code: the same numbers as interpreted."""

import pytest
from oracles import walk
from samples import sampled

import ggp
from ggp import compiler
from ggp.testing.perft_counts import perft

REGISTRY = ggp.load_registry()
GAMES = [  # the conformance kit compiles the same capabilities of each
    ("breakthrough", {}),
    ("breakthrough", {"rows": 5, "columns": 4}),
    ("checkers", {}),
    ("connectfour", {}),
    ("connectfour", {"scoring": "stones", "width": 5, "height": 4}),
    ("domineering", {}),
    ("dotsandboxes", {}),
    ("dotsandboxes", {"rows": 2, "columns": 4}),
    ("einstein", {}),
    ("hex", {}),
    ("hexapawn", {"rows": 5, "columns": 4}),
    ("othello", {}),
    ("pancakes", {}),
    ("othello", {"size": 4}),
]


def count(game, state, depth):
    """The number of sequences of `depth` actions."""
    if depth == 0:
        return 1
    if game.terminal_test(state):
        return 0
    total = 0
    for action in game.actions(state):
        total += count(game, game.result(state, action), depth - 1)
    return total


def utility(game, state):
    return game.utility(state, ggp.MAX)


def bounds(game, state):
    return game.bounds(state)


def canonical(game, state):
    return game.canonical(state)


def suggested(game, state):
    total = 0
    for action in game.actions(state):
        total = total % 1_000_000 * 3 + game.suggest(state, action)
    return total


class Estimate:
    """An evaluation as a known object."""

    def __init__(self, function):
        self.function = function


def estimated(estimate, state):
    return estimate.function(state)


@pytest.fixture(params=sampled(GAMES, 3), ids=lambda pair: "-".join([pair[0], *map(str, pair[1].values())]))
def game(request):
    name, parameters = request.param
    return REGISTRY.game(name, **parameters)


def test_counts_of_machine_code_are_the_interpreted_ones(game):
    code = compiler.compile(count, game, compiler.STATE, compiler.INT, game=game)
    for depth in range(4):
        assert code(code.variables(), game.initial_state(), depth) == perft(game, game.initial_state(), depth)


PUBLISHED = {
    "checkers": (9, 3963680),
    "connectfour": (8, 5673234),
    "othello": (9, 3005288),
}
"""Perft at a depth that takes machine code: counts that programs for these games agree on; OpenSpiel's rules and naive
programs agree with ours move by move in the games' own tests."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_counts(name):
    game, (depth, expected) = REGISTRY.game(name), PUBLISHED[name]
    code = compiler.compile(count, game, compiler.STATE, compiler.INT, game=game)
    assert code(code.variables(), game.initial_state(), depth) == expected


def test_capabilities_for_searches_are_the_same_at_both_speeds(game):
    states = [state for _, state in zip(range(120), walk(game, 8, 10), strict=False)]
    ended = [state for state in walk(game, 9, 3) if game.terminal_test(state)]
    going = [state for state in states if not game.terminal_test(state)]
    functions = [(utility, ended), (bounds, states)]
    functions += [(canonical, states)] if hasattr(game, "canonical") else []
    functions += [(suggested, going)] if hasattr(game, "suggest") else []
    for function, about in functions:
        code = compiler.compile(function, game, compiler.STATE, game=game)
        variables = code.variables()
        assert [code(variables, state) for state in about] == [function(game, state) for state in about]
    for evaluation in game.evaluations.values():
        code = compiler.compile(estimated, Estimate(evaluation.function), compiler.STATE, game=game)
        variables = code.variables()
        assert [code(variables, state) for state in going] == [evaluation(state) for state in going]
