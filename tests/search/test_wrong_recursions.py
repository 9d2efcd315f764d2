"""A recursion with the wrong arguments or the wrong result is refused, with a sentence that says what is accepted."""

import pathlib

import attrs
import pytest
from ggp_search import TreeSearcher

import ggp

FIG52 = ggp.load_registry().game("fig52")


def without_window(game, search, state, depth, choice):
    return max((search.value(game.result(state, action), depth - 1), action) for action in game.actions(state))


def illegal(game, search, state, depth, choice):
    return 3, "z9"


def whole(game, search, state, depth):
    """Return the value, and leave the best action in `search.choice`, without `search.value`."""
    search.enter(state, depth, search.lowest, search.highest)
    if game.terminal_test(state):
        return search.utility(state)
    sign = 1 if game.to_move(state) == ggp.MAX else -1
    best, chosen = -float("inf"), None
    for action in game.actions(state):
        value = sign * whole(game, search, game.result(state, action), depth - 1)
        if value > best:
            best, chosen = value, action
    search.choice = chosen
    return sign * best


def pair(game, search, state, depth):
    return whole(game, search, state, depth), "a1"


def searcher(function, **attributes):
    described = {"name": "mine", "__doc__": "Mine.", "recursion": staticmethod(function), **attributes}
    return attrs.frozen(kw_only=True)(type("Mine", (TreeSearcher,), described))


def test_a_recursion_must_have_the_arguments_that_its_class_declares():
    with pytest.raises(ggp.UsageError) as caught:
        searcher(without_window)
    assert str(caught.value) == (
        "Mine has windowed = True and direct = False, so its recursion must have the arguments (game, search, state,"
        " depth, alpha, beta, choice); got without_window(game, search, state, depth, choice), which fits windowed ="
        " False and direct = False"
    )
    with pytest.raises(ggp.UsageError, match=r"arguments \(game, search, state, depth\); got .*, which fits windowed"):
        searcher(without_window, windowed=False, direct=True)
    with pytest.raises(ggp.UsageError, match=r"got <lambda>\(game\)$"):
        searcher(lambda game: 0)


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
def test_an_illegal_action_is_no_answer(speed):
    with pytest.raises(ggp.ConformanceError, match="mine returned the action 'z9', which is not legal in 'A'"):
        searcher(illegal, windowed=False)(speed=speed).search(FIG52, "A", ggp.Limits(depth=2))


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
def test_a_direct_recursion_returns_the_value_alone(speed):
    found = searcher(whole, windowed=False, direct=True)(speed=speed).analyse(FIG52, "A", ggp.Limits(depth=2))
    assert (found.value, found.action, found.statistics.nodes, found.speed) == (3, "a1", 13, speed)
    assert (found.values, found.principal_variation) == ({"a1": 3, "a2": 2, "a3": 2}, ("a1", "b1"))
    with pytest.raises(ggp.ConformanceError, match=r"mine returned \(3(\.0)?, 'a1'\): a recursion with direct = True"):
        searcher(pair, windowed=False, direct=True)(speed=speed).search(FIG52, "A", ggp.Limits(depth=2))


def test_the_plan_of_a_direct_recursion_has_no_table():
    said = searcher(whole, windowed=False, direct=True)().explain(FIG52, "A", ggp.Limits(depth=2))
    for name in ("table", "bounds", "tablebase"):
        assert said[name] == "none: the recursion does not call search.value (direct = True)"


def test_only_a_searcher_that_limits_itself_may_estimate_in_a_search_without_limits():
    def guess(game, search, state, depth):
        search.choice = next(iter(game.actions(state)))
        return search.evaluate(state)

    sampling = searcher(guess, windowed=False, direct=True, limits_itself=True)(speed="interpreted").search(FIG52, "A")
    assert (sampling.value, sampling.exact, sampling.complete) == (0, False, True)
    with pytest.raises(ggp.DepthError, match="give a limit of depth, seconds or nodes"):
        searcher(guess, windowed=False, direct=True)(speed="interpreted").search(FIG52, "A")


def test_an_analysis_names_the_action_that_came_out_best_though_samples_differ():
    def luck(game, search, state, depth):
        search.choice = next(iter(game.actions(state)), None)
        search.nodes += 1
        search.estimates += 1
        return search.nodes  # the later, the better

    lucky = searcher(luck, windowed=False, direct=True, limits_itself=True)(speed="interpreted").analyse(FIG52, "A")
    assert lucky.values == {"a1": 1, "a2": 2, "a3": 3}
    assert (lucky.action, lucky.value, lucky.best_actions, lucky.principal_variation[0]) == ("a3", 3, ("a3",), "a3")


@pytest.mark.parametrize(
    ("name", "order"),
    [("killers", "the recursion's own: it does not call search.order"), ("alphabeta", "the game's own")],
)
def test_the_plan_says_whose_order_the_actions_have(name, order):
    registry = ggp.load_registry()
    registry.load_file(pathlib.Path(__file__).parents[2] / "examples" / "killers" / "ggp_killers" / "searcher.py")
    assert registry.searcher(name).explain(FIG52, "A", ggp.Limits(depth=2))["order"] == order
