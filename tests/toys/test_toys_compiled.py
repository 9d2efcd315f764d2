"""The compiled forms against the games: operation by operation, as they are and as machine code."""

import json
import random

import pytest
from ggp_tictactoe import TicTacToe
from ggp_toys import Nim, Pig, Tree

import ggp
from ggp import capabilities

numba = pytest.importorskip("numba")

GAMES = [
    TicTacToe(),
    TicTacToe(4, 5, 3),
    TicTacToe(7, 8, 4),
    Nim(),
    Nim((1, 0, 7), misere=True),
    Nim((100,) * 9),
    Pig(),
    Pig(3, 7, 5),
    Tree(seed=4),
    Tree(depth=3, chance=0.5, seed=1),
]


def machine(function):
    """What only compiled code may call, as something to call from here."""

    @numba.njit
    def call(*arguments):
        return function(*arguments)

    return call


def listing(generate):
    @numba.njit
    def call(position):
        return [each for each in generate(position)]  # noqa: C416 - Numba lists what a loop draws

    return call


def compiled(game):
    """The game's operations as machine code that can be called from here."""
    form = game.compiled(numba.extending.register_jitable)
    fast = {name: machine(getattr(form, name)) for name in ("to_move", "result", "terminal_test", "utility", "bounds")}
    fast["actions"] = listing(form.actions)
    if capabilities.is_stochastic(game):
        fast["outcomes"] = listing(form.outcomes)
    for name, evaluate in form.evaluations.items():
        fast[name] = machine(evaluate)
    if form.suggest:
        fast["suggest"] = machine(form.suggest)
    return form, fast


def plain(game):
    form = game.compiled(lambda function: function)
    fast = {
        name: getattr(form, name)
        for name in ("to_move", "result", "terminal_test", "utility", "bounds", "suggest", "outcomes", "actions")
    }
    return form, {name: each for name, each in fast.items() if each} | dict(form.evaluations)


def compare(game, form, fast, state):
    """Hold all operations on one state to agree; returns the children."""
    position = form.encode(state)
    assert form.decode(position) == state
    assert fast["bounds"](position) == game.bounds(state)
    assert fast["terminal_test"](position) == game.terminal_test(state)
    if game.terminal_test(state):
        assert fast["utility"](position) == game.utility(state, ggp.MAX)
        return []
    mover = game.to_move(state)
    assert fast["to_move"](position) == mover
    for name, evaluate in capabilities.evaluations(game).items():
        assert fast[name](position) == evaluate(state)
    numbers = list(fast["actions"](position))
    actions = list(game.actions(state))
    assert [form.decode_action(state, number) for number in numbers] == actions
    assert [form.encode_action(state, action) for action in actions] == numbers
    if mover == ggp.CHANCE:
        assert list(fast["outcomes"](position)) == list(game.outcomes(state))
    for number, action in zip(numbers, actions, strict=True):
        assert form.decode(fast["result"](position, number)) == game.result(state, action)
        if "suggest" in fast:
            assert fast["suggest"](position, number) == game.suggest(state, action)
    return [game.result(state, action) for action in actions]


@pytest.mark.parametrize("speed", [plain, compiled])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_compiled_form_agrees_with_the_game_on_random_walks(game, speed):
    form, fast = speed(game)
    draw = random.Random(5)
    for _ in range(5):
        state = game.initial_state()
        for _ in range(60):
            children = compare(game, form, fast, state)
            if not children:
                break
            state = draw.choice(children)


def test_a_tree_from_a_file_has_a_compiled_form(tmp_path):
    nodes = {
        "A": {"player": "chance", "actions": {"a": "B", "b": "C"}, "probabilities": ["1/3", "2/3"]},
        "B": {"player": "min", "actions": {"c": "C", "d": "D"}},
        "C": {"utility": 2},
        "D": {"utility": -1.5},
    }
    path = tmp_path / "tree.json"
    path.write_text(json.dumps({"root": "A", "nodes": nodes}))
    game = Tree(file=str(path))
    form, fast = compiled(game)
    for node in range(4):
        compare(game, form, fast, (node,))


@pytest.mark.parametrize("game", [TicTacToe(), Nim(), Tree(seed=4)], ids=repr)
def test_whole_numbers_stay_whole_as_machine_code(game):
    form, fast = compiled(game)
    position = form.encode(game.initial_state())
    assert {type(bound) for bound in fast["bounds"](position)} == {int}
    while not fast["terminal_test"](position):
        position = fast["result"](position, fast["actions"](position)[0])
        assert {type(part) for part in position} == {int}
    assert type(fast["utility"](position)) is int


def test_a_tree_too_large_for_constants_of_the_code_overflows():
    fits, large = Tree(depth=16, branching=1), Tree(depth=16, branching=2, low=1, high=1)
    assert fits.compiled(lambda function: function).encode((3,)) == (3,)
    with pytest.raises(
        OverflowError, match="a tree of 131,071 nodes or branches is too large for machine code: 100,000 do"
    ):
        large.compiled(lambda function: function).encode(large.initial_state())


def test_a_recursion_over_a_compiled_form_finds_the_value():
    game = TicTacToe()
    form = game.compiled(numba.extending.register_jitable)
    to_move, actions, result = form.to_move, form.actions, form.result
    terminal_test, utility, bounds = form.terminal_test, form.utility, form.bounds

    @numba.njit
    def value(position, count):
        count[0] += 1
        if terminal_test(position):
            return utility(position)
        worst, best = bounds(position)
        found = worst if to_move(position) == 0 else best
        for action in actions(position):
            child = value(result(position, action), count)
            found = max(found, child) if to_move(position) == 0 else min(found, child)
        return found

    numpy = pytest.importorskip("numpy")
    count = numpy.zeros(1, numpy.int64)
    assert value(form.encode(game.initial_state()), count) == 0
    assert count[0] == 549_946  # counted by two independent programs
