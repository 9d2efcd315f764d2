"""Each promise of a searcher, broken on purpose, is caught under its own name; a right searcher passes."""

import math
import random

import attrs
import pytest
from planted_searchers import CONTRACT as PLANTED_CONTRACT
from planted_searchers import EXACT as PLANTED
from planted_searchers import Textbook

import ggp
from ggp import MAX, Limits, Statistics, UnsupportedGameError
from ggp.testing import (
    SEARCHER_PROMISES,
    check_exact_searcher,
    check_searcher,
    check_searchers_agree,
    minimax_value,
    random_tree,
)
from ggp.testing.reference import value_to_the_end


class Plain(Textbook):
    """A right searcher."""

    name = "plain"


class Sulking(Plain):
    """Refuses games of chance."""

    def unsupported_reason(self, game):
        return "it is a game of chance" if game.stochastic else None

    def analyse(self, game, state, limits=Limits(), *, report=None):
        if game.stochastic:
            raise UnsupportedGameError("plain cannot search layered-tree: it is a game of chance")
        return super().analyse(game, state, limits)


def faulty(**changes):
    """A searcher whose results are right but for some fields, each a function of the right result."""

    class Faulty(Plain):
        def analyse(self, game, state, limits=Limits(), *, report=None):
            found = super().analyse(game, state, limits)
            return attrs.evolve(found, **{field: change(found) for field, change in changes.items()})

    return Faulty()


def method(base, name, function):
    return type("Faulty", (base,), {name: function})()


def crash(*arguments):
    raise RuntimeError("out of luck")


def take_the_last(self, game, state, limits=Limits(), *, report=None):
    """Right values, and the last action whatever it is worth."""
    found = Plain().analyse(game, state, limits)
    line = tuple(found.values)[-1:]
    return attrs.evolve(found, action=line[0] if line else None, principal_variation=line)


def no_values(game, state, limits):
    found = Plain().analyse(game, state, limits)
    return attrs.evolve(found, values=None) if found.values else found


CONTRACT = {
    "capitals": ("name", method(Plain, "name", "Plain"), "the name is Plain"),
    "raising": ("answers", method(Plain, "search", crash), "it raised RuntimeError: out of luck"),
    "a bare no": (
        "refusal",
        method(Plain, "unsupported_reason", lambda self, game: ""),
        "unsupported_reason returns ''",
    ),
    "no and yet yes": ("refusal", method(Plain, "unsupported_reason", lambda self, game: "no"), "and yet it searches"),
    "no by crash": (
        "refusal",
        type("F", (Plain,), {"unsupported_reason": lambda *a: "no", "search": crash})(),
        "RuntimeError",
    ),
    "illegal": ("action", faulty(action=lambda found: 99), "99 is not one of"),
    "at the end": (
        "action",
        faulty(action=lambda found: found.action or 0),
        "no player is to move, yet the action is 0",
    ),
    "endless": ("value", faulty(value=lambda found: math.inf), "the value is inf"),
    "other line": (
        "principal variation",
        faulty(principal_variation=lambda found: (99, *found.principal_variation)),
        r"does not begin with",
    ),
    "illegal line": (
        "principal variation",
        faulty(principal_variation=lambda found: found.principal_variation + (99,) * bool(found.best_actions)),
        "action 1 of .* is 99, not one of",
    ),
    "no values": ("values", method(Plain, "analyse", lambda self, *asked: no_values(*asked)), "the values are None"),
    "values in another order": (
        "values",
        faulty(values=lambda found: dict(reversed(found.values.items()))),
        "the values are",
    ),
    "infinite values": ("values", faulty(values=lambda f: dict.fromkeys(f.values, math.inf)), "the values are"),
    "all best": (
        "best actions",
        faulty(best_actions=lambda found: tuple(found.values)),
        "the best actions are .*, not",
    ),
    "nothing entered": ("statistics", faulty(statistics=lambda found: Statistics()), "0 states were entered"),
    "all leaves": ("statistics", faulty(statistics=lambda found: Statistics(nodes=1, leaves=2)), "2 leaves among 1"),
    "stopped and complete": ("limits", faulty(stopped=lambda found: "nodes"), "stopped by nodes, but says that"),
}

EXACT = {
    "optimist": (
        "exactness",
        faulty(value=lambda f: f.value + bool(f.values), values=lambda f: {a: v + 1 for a, v in f.values.items()}),
        "the value is",
    ),
    "unfinished": ("exactness", faulty(complete=lambda found: False), "not complete: stopped by None"),
    "wrong line": ("exact variation", method(Plain, "analyse", take_the_last), "leads to"),
    "bounds for values": (
        "exact values",
        faulty(values=lambda f: {a: v if a in f.best_actions else v - 0.123 for a, v in f.values.items()}),
        "its value is",
    ),
}


@pytest.mark.parametrize("fault", CONTRACT)
def test_a_breach_of_the_contract_is_caught(fault):
    promise, searcher, message = CONTRACT[fault]
    with pytest.raises(ggp.ConformanceError, match=message) as caught:
        check_searcher(searcher, examples=10)
    assert f'breaks the promise "{promise}" ({SEARCHER_PROMISES[promise]})' in str(caught.value)


@pytest.mark.parametrize("fault", EXACT)
def test_a_wrong_value_is_caught(fault):
    promise, searcher, message = EXACT[fault]
    check_searcher(searcher, examples=5)
    with pytest.raises(ggp.ConformanceError, match=message) as caught:
        check_exact_searcher(searcher, examples=10)
    assert f'breaks the promise "{promise}"' in str(caught.value)


class Growing(list):
    """A state that can be changed, of a game of one move."""

    def __hash__(self):
        return len(self)


class OneMove:
    name = "one-move"
    stochastic = False

    def initial_state(self):
        return Growing([MAX])

    def to_move(self, state):
        return MAX

    def actions(self, state):
        return [0]

    def result(self, state, action):
        return Growing([MAX, action])

    def terminal_test(self, state):
        return len(state) > 1

    def utility(self, state, player):
        return 0


class Scribbler(Plain):
    def analyse(self, game, state, limits=Limits(), *, report=None):
        found = super().analyse(game, state, limits)
        state.append(0)
        return found


def test_a_searcher_that_changes_the_state_is_caught():
    with pytest.raises(ggp.ConformanceError, match=r'"purity".*the search changed the state: it was \[0\]'):
        check_searcher(Scribbler(), OneMove())


def test_every_promise_of_a_searcher_is_broken_by_some_searcher_here():
    planted = {row[0] for row in (PLANTED | PLANTED_CONTRACT).values()}
    assert {row[0] for row in (CONTRACT | EXACT).values()} | planted | {"purity"} == set(SEARCHER_PROMISES)


@pytest.mark.parametrize("searcher", [Plain(), Sulking()])
@pytest.mark.parametrize("limits", [Limits(), Limits(depth=1), Limits(depth=3)])
def test_a_right_searcher_passes(searcher, limits):
    check_searcher(searcher, limits=limits, examples=20)
    check_exact_searcher(searcher, limits=limits, examples=20)


def test_the_breach_says_how_to_make_the_tree_again():
    with pytest.raises(ggp.ConformanceError, match=r"plain on random_tree\(random\.Random\(0\)\) breaks the promise"):
        check_searcher(CONTRACT["endless"][1])


def test_searchers_that_agree_have_the_value_of_the_reference():
    tree = random_tree(random.Random(5))
    value = check_searchers_agree(tree, tree.initial_state(), [Plain(), Sulking()])
    assert value == minimax_value(tree, tree.initial_state())


def test_a_searcher_that_disagrees_is_named():
    tree = random_tree(random.Random(5))
    with pytest.raises(ggp.ConformanceError, match=r'plain on layered-tree breaks the promise "exactness"'):
        check_searchers_agree(tree, tree.initial_state(), [Plain(), EXACT["optimist"][1]])


def test_nobody_to_agree_is_an_error():
    tree = random_tree(random.Random(0), stochastic=True)
    assert tree.stochastic
    with pytest.raises(ggp.UsageError, match="none of the searchers can search layered-tree"):
        check_searchers_agree(tree, tree.initial_state(), [Sulking()])


@pytest.mark.parametrize("limits", [Limits(nodes=100), Limits(seconds=1)])
def test_exact_values_want_limits_of_plies_alone(limits):
    tree = random_tree(random.Random(5))
    with pytest.raises(ggp.UsageError, match="exact values need a limit of depth only: leave out seconds and nodes"):
        check_searchers_agree(tree, tree.initial_state(), [Plain()], limits)


@pytest.mark.parametrize(
    ("name", "value"),
    [("morris", 1), ("pong-hau-ki", 0), ("tictactoe", 0), ("fig52", 3), ("nim", 1), ("pig", None), ("kalah", None)],
)
def test_the_value_to_the_end_is_known_where_few_states_follow_though_they_come_back(name, value):
    game = ggp.load_registry().game(name)
    assert value_to_the_end(game, game.initial_state(), 20_000) == value


def test_a_false_claim_about_a_game_that_repeats_is_found():
    game = ggp.load_registry().game("morris")
    won = game.parse_state("..B/WW./... B 1 2")  # though not within two plies
    with pytest.raises(ggp.ConformanceError, match=r'"exact claims".* is called exact, but the value is 1'):
        check_searchers_agree(game, won, [faulty(exact=lambda found: True)], Limits(depth=2))
