"""Whatever is registered keeps its promises: a plugin is tested by being installed."""

import itertools
import os
import random
import subprocess
import sys

import pytest

import ggp
from ggp.capabilities import legal_actions, notation
from ggp.options import options_of
from ggp.play.player_parser import make_player
from ggp.play.players import Machine
from ggp.testing import check_exact_searcher, check_game, check_searcher, check_searchers_agree

REGISTRY = ggp.load_registry()

VARIANTS = {
    "kalah": [
        {"houses": 1, "seeds": 3},
        {"houses": 2, "seeds": 9, "capture": "empty"},
        {"houses": 3, "seeds": 2, "capture": "none", "majority": True},
        {"houses": 3, "seeds": 3, "turn": "whole"},
        {"houses": 4, "seeds": 2, "scoring": "outcome"},
        {"houses": 4, "seeds": 3, "scoring": "outcome", "majority": True, "capture": "empty", "turn": "whole"},
        {"houses": 12, "seeds": 1},
        {"seeds": 0},
    ],
    "nim": [{"heaps": (1,)}, {"heaps": (2, 2), "misere": True}, {"heaps": (5, 5, 5)}],
    "pig": [{"goal": 5}, {"sides": 2, "goal": 4}],
    "tree": [{"seed": seed} for seed in (2, 3)] + [{"seed": 4, "depth": 3, "branching": 4}],
    "tictactoe": [{"h": 4, "v": 3, "k": 3}, {"h": 1, "v": 1, "k": 1}, {"h": 5, "v": 5, "k": 4}],
}
"""Parameters besides the defaults, of the games that we know."""

INEXACT = {"random", "mcts", "flat"}
"""Searchers that do not promise minimax's value."""

FEW, MANY = 2, 10
"""Games or trees that a test draws, and that a slow one draws."""

SMALLER = {
    "breakthrough": {"rows": 5, "columns": 4},
    "domineering": {"rows": 5, "columns": 5},
    "dotsandboxes": {"rows": 2, "columns": 2},
    "hex": {"size": 4},
    "kalah": {"houses": 4},
    "othello": {"size": 6},
}
"""Boards that are checked in a moment; the usual ones are checked with the slow tests."""

COMPILED_LONG = {"awari", "checkers", "connectfour", "domineering", "einstein", "hex", "othello"}
"""Games whose rules take a second or more to compile, which has tests in their own folders."""

GAMES = [
    pytest.param(name, SMALLER.get(name, {}), FEW, id=name, marks=[pytest.mark.slow] * (name in COMPILED_LONG))
    for name in REGISTRY.games
    if name in SMALLER or name not in COMPILED_LONG  # the others are checked at length below, as they are
] + [
    pytest.param(name, parameters, MANY, id=f"{name}-{number}", marks=pytest.mark.slow)
    for name in REGISTRY.games
    for number, parameters in enumerate([{}, *VARIANTS.get(name, [])])
]


def depths(quick, *more):
    """Depths with the number of trees: few at the quick ones, many at all with the slow tests."""
    many = [pytest.param(each, MANY, marks=pytest.mark.slow) for each in (*quick, *more)]
    return [*((each, FEW) for each in quick), *many]


def test_all_plugins_load():
    assert REGISTRY.problems == []


@pytest.mark.parametrize(("name", "parameters", "examples"), GAMES)
def test_the_game_keeps_its_promises(name, parameters, examples):
    check_game(REGISTRY.game(name, **parameters), examples=examples)


@pytest.mark.parametrize("name", REGISTRY.searchers)
@pytest.mark.parametrize(("depth", "examples"), depths([3], None, 1))
def test_the_searcher_keeps_its_contract_on_random_trees(name, depth, examples):
    nodes = 200 if name in INEXACT else None  # what samples would do so for as long as it may
    check_searcher(REGISTRY.searcher(name), limits=ggp.Limits(depth=depth, nodes=nodes), examples=examples)


@pytest.mark.parametrize("name", sorted(set(REGISTRY.searchers) - INEXACT))
@pytest.mark.parametrize(("depth", "examples"), depths([None, 2], 1, 4))
def test_the_searcher_finds_minimax_on_random_trees(name, depth, examples):
    check_exact_searcher(REGISTRY.searcher(name), limits=ggp.Limits(depth=depth), examples=examples)


@pytest.mark.parametrize("name", REGISTRY.games)
@pytest.mark.parametrize("after", [(5,), pytest.param((0, 1, 20), marks=pytest.mark.slow)])
def test_all_searchers_agree_in_random_positions(name, after, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")  # machine speed is compared with it elsewhere
    game, rng = REGISTRY.game(name, **SMALLER.get(name, {})), random.Random(name)
    # Quiescence search looks beyond the limit of depth where the game says which moves are quiet.
    other = {*INEXACT, "quiescence"} if hasattr(game, "quiet") else INEXACT
    searchers = [REGISTRY.searcher(each) for each in REGISTRY.searchers if each not in other]
    for plies in after:
        state = game.initial_state()
        for _ in range(plies):
            actions = legal_actions(game, state)
            state = game.result(state, rng.choice(actions)) if actions else state
        check_searchers_agree(game, state, searchers, ggp.Limits(depth=2))


WALKS = """
import random, ggp
from ggp.capabilities import legal_actions, notation
registry = ggp.load_registry()
for name in registry.games:
    game, dice = registry.game(name), random.Random(name)
    state, text = game.initial_state(), notation(game)
    for _ in range(12):
        actions = legal_actions(game, state)
        print(name, text.format_state(state), [text.format_action(state, action) for action in actions])
        if not actions:
            break
        state = game.result(state, dice.choice(actions))
"""


def test_the_order_of_actions_does_not_depend_on_how_texts_are_hashed():
    def walks(seed):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        program = [sys.executable, "-c", WALKS]
        return subprocess.run(program, env=environment, capture_output=True, check=True).stdout  # noqa: S603 - our own

    assert walks("1") == walks("2") != b""


EXTREMES = [
    pytest.param(name, {each.name: value}, id=f"{name}-{each.name}={value}")
    for name in REGISTRY.games
    for each in options_of(REGISTRY.games[name].factory)
    for value in (each.minimum, each.maximum)
    if value is not None and each.type in (int, float)
]


@pytest.mark.parametrize(("name", "parameters"), EXTREMES)
def test_the_least_and_the_greatest_parameters_can_be_played_or_are_refused_in_words(name, parameters):
    try:
        game = REGISTRY.game(name, **parameters)
    except ggp.OptionError:
        return
    state = game.initial_state()
    for action in itertools.islice(legal_actions(game, state), 3):
        after = game.result(state, action)
        assert notation(game).parse_state(notation(game).format_state(after)) == after


@pytest.mark.parametrize("name", REGISTRY.games)
def test_levels_are_players_that_there_are(name):
    game = REGISTRY.game(name)
    for text in getattr(game, "levels", {}).values():
        assert isinstance(make_player(REGISTRY, text, game), Machine)
