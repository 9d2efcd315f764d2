"""Each promise, broken on purpose, is caught under its own name; the same game unbroken passes."""

import collections
import itertools
import math
import re
import sys
import types
from fractions import Fraction

import pytest
from ggp_awari import Awari
from planted_games import PLANTED, Heap
from takeaway import Generous, Ranks, Takeaway

import ggp
from ggp import CHANCE, MAX, MIN, Cell, Evaluation, Line, NotationError, Scene, compiler
from ggp.testing import PROMISES, check_game, speeds


class Fickle(tuple):
    """A state whose equals have other hashes, each always its own."""

    def __hash__(self):
        return id(self)


class Board:
    """A state that can be changed."""

    def __init__(self, stones):
        self.stones = stones

    def __eq__(self, other):
        return self.stones == other.stones

    def __hash__(self):
        return hash(self.stones)

    def __repr__(self):
        return f"Board({self.stones})"


def shrinking_list(self, state):
    state.stones -= 1
    return [1]


def ranks(**changes):
    """The good game with something in its numbering changed."""
    return {"ranking": Ranks(**changes)}


def crash(*arguments):
    raise RuntimeError("out of\nstones")


def counted(*answers):
    """A method that gives one answer after the other."""
    turns = itertools.cycle(answers)
    return lambda *arguments: next(turns)


def shows(*cells, lines=()):
    """A game whose scene is always the same."""
    return {"scene": lambda self, state: Scene(cells, lines=lines)}


FAULTS = {
    "shouting": ("name", {"name": "Take Away"}, "the name is 'Take Away'"),
    "half a notation": (
        "capabilities",
        {"parse_action": None},
        "the game has some methods of Notated, but lacks parse_action",
    ),
    "half a law": ("capabilities", {"key": None}, "the game has some methods of Scored, but lacks key"),
    "raising": (
        "answers",
        {"result": crash},
        r"result\(.*\) raised RuntimeError: out of stones \(test_kit_games.py, line \d+\)",
    ),
    "no actions returned": (
        "answers",
        {"actions": lambda self, state: None},
        r": actions\(.*\) returned None; it must be the legal actions",
    ),
    "no result returned": (
        "answers",
        {"result": lambda self, state, action: None},
        "in .* at the action .*: result returned None; it must return a state",
    ),
    "no utility": (
        "answers",
        {"utility": lambda self, state, player: None},
        r": utility\(.*\) returned None; it must be a finite number",
    ),
    "state changed": (
        "purity",
        {
            "initial_state": lambda self: Board(5),
            "terminal_test": lambda self, state: False,
            "actions": shrinking_list,
            "to_move": lambda self, state: MAX,
        },
        r"changed the state: it was Board\(5\)",
    ),
    "dice in the rules": (
        "determinism",
        {"result": lambda self, state, action, turns=itertools.count(): (0, MAX, next(turns))},
        "played twice, it leads to",
    ),
    "dice in the evaluation": (
        "determinism",
        {"evaluations": {"bank": Evaluation(counted(1, 2))}},
        "bank returns two different values when called twice",
    ),
    "unhashable states": (
        "equality",
        {"result": lambda self, state, action: list(Takeaway.result(self, state, action))},
        "the state is not hashable",
    ),
    "states that cannot be copied": (
        "equality",
        {"initial_state": lambda self: (7, MAX, iter([0]))},
        "a state contains .*, of type list_iterator",
    ),
    "equals with two hashes": (
        "equality",
        {"result": lambda self, state, action: Fickle(Takeaway.result(self, state, action))},
        "leads to equal states with different hashes",
    ),
    "a third player": ("mover", {"to_move": lambda self, state: 3}, "to_move returns 3"),
    "unannounced chance": ("mover", {"stochastic": False}, "to_move returns -1, ggp.CHANCE, in a game without"),
    "no action": ("actions", {"actions": lambda self, state: []}, "there is no action"),
    "None as an action": ("actions", {"actions": lambda self, state: [1, None]}, "actions lists None"),
    "an action twice": ("actions", {"actions": lambda self, state: [1, 1]}, r"an action is listed twice: \(1, 1\)"),
    "shuffled actions": ("actions", {"actions": counted([1, 2], [2, 1])}, "called twice, it returns"),
    "a gift": ("zero sum", {"utility": lambda self, state, player: 1}, "the utility is 1 to MAX and 1 to MIN"),
    "a fraction": ("zero sum", {"utility": lambda self, state, player: Fraction(1, 3)}, "an int or a float"),
    "not a number": ("zero sum", {"utility": lambda self, state, player: math.inf}, "the utility is inf"),
    "too much chance": ("probabilities", {"outcomes": lambda self, state: [(1, 0.75), (2, 0.75)]}, "they sum to 1.5"),
    "no chance": ("probabilities", {"outcomes": lambda self, state: [(1, 1), (2, 0)]}, "the probabilities are"),
    "other outcomes": ("outcomes", {"outcomes": lambda self, state: [(2, 0.5), (1, 0.5)]}, r"are \(2, 1\) and the"),
    "round and round": ("repetition", {"result": lambda self, state, action: (7, state[1], 0)}, "write `repetition = "),
    "narrow bounds": ("bounds", {"bounds": lambda self, state: (0, 0), "evaluations": {}}, "play ended with the value"),
    "crossed bounds": ("bounds", {"bounds": lambda self, state: (1, -1)}, r"the bounds are \[1, -1\]"),
    "bounds that widen": ("bounds", {"bounds": lambda self, state: (-90 + state[0], 90)}, "one ply before"),
    "narrow value bounds": (
        "value bounds",
        {"value_bounds": lambda self, state: (state[2], state[2])},
        r"the bounds are \[(-?\d), \1\], but the value is",
    ),
    "endless hope": ("evaluations", {"evaluations": {"bank": lambda state: math.nan}}, "bank returns nan"),
    "boundless hope": (
        "bounded evaluations",
        {"evaluations": {"hope": Evaluation(lambda state: 99, bounded=True)}},
        "hope returns 99, outside",
    ),
    "key without the mover": ("score and key", {"key": lambda self, state: state[0]}, "it has the same key as"),
    "score with interest": ("score and key", {"score": lambda self, state: 2 * state[2]}, "utility minus the score"),
    "boundless score": ("score and key", {"score": lambda self, state: math.inf}, "the score is inf"),
    "unhashable key": ("score and key", {"key": lambda self, state: [1]}, "the key is not hashable"),
    "inseparable": (
        "separable evaluations",
        {"evaluations": {"square": Evaluation(lambda state: state[2] ** 2, separable=True)}},
        "square minus the score",
    ),
    "one text for two": (
        "state notation",
        {"format_state": lambda self, state: f"{state[0]} 0 0"},
        "stands for|parsed",
    ),
    "no text": ("state notation", {"format_state": lambda self, state: state}, "format_state returns"),
    "illegible states": ("state notation", {"parse_state": crash}, "it raised RuntimeError"),
    "one text for two actions": (
        "action notation",
        {"format_action": lambda self, state, action: "take 1"},
        "'?take 1'? is parsed as 1",
    ),
    "illegible actions": ("action notation", {"parse_action": crash}, "it raised RuntimeError"),
    "a trusting parser": (
        "wrong texts",
        {"parse_state": lambda self, text: tuple(int(part) for part in text.split())},
        "it raised ValueError|must refuse it",
    ),
    "a hopeful parser": (
        "wrong texts",
        {"parse_action": lambda self, state, text: int(text.removeprefix("take ").split()[0]) if text else 9},
        "it raised ValueError|must refuse it",
    ),
    "a silent parser": (
        "wrong texts",
        {"parse_action": lambda self, state, text: {f"take {n}": n for n in (1, 2, 3)}.get(text) or silent()},
        "without a message",
    ),
    "an empty drawing": ("drawing", {"draw": lambda self, state: " \n"}, "draw returns"),
    "no scene": ("scene", {"scene": lambda self, state: "a board"}, "scene returns a board"),
    "a cell without a name": ("scene", shows(Cell("", 0, 0)), "a cell has no name"),
    "two cells of a name": ("scene", shows(Cell("A", 0, 0), Cell("A", 1, 0)), "2 cells are called 'A'"),
    "cells that overlap": (
        "scene",
        shows(Cell("A", 0, 0), Cell("B", 2, 0), Cell("C", 0.5, 0.9)),
        "the cells 'A' and 'C' overlap",
    ),
    "a cell without a size": ("scene", shows(Cell("A", 0, 0, width=0)), r"the cell 'A' .* sides of \(0, 1\)"),
    "a cell nowhere": ("scene", shows(Cell("A", math.nan, 0)), r"the cell 'A' has its corner at \(nan, 0\)"),
    "a line to nowhere": ("scene", shows(Cell("A", 0, 0), lines=(Line("A", "{B}"),)), "a line joins '{B}'"),
    "a scene of the past": (
        "determinism",
        {"scene": lambda self, state, turns=itertools.count(): Scene((), str(next(turns)))},
        "asked twice for the scene, the game gives two different ones",
    ),
    "a move out of reach": ("scene's actions", shows(Cell("A", 0, 0, action=1)), "no cell stands for the action 2"),
    "a move that is none": (
        "scene's actions",
        shows(*(Cell(str(n), n, 0, action=n) for n in range(1, 5))),
        "a cell stands for 4, which is not a legal action",
    ),
    "an empty explanation": ("explanation", {"explain": lambda self, state, action: ""}, "explain returns"),
    "forgetful": ("pickling", {"__reduce__": lambda game: (Takeaway9, ())}, "has another initial state"),
    "not to be pickled": ("pickling", {"__reduce__": crash}, "it raised RuntimeError"),
    "canonical of another mover": (
        "canonical states",
        {"canonical": lambda self, state: (state[0], MAX, state[2])},
        "another mover, other actions or another end",
    ),
    "canonical of another value": (
        "canonical states",
        {"canonical": lambda self, state: (*state[:2], min(state[2], 0))},
        r"bank is 0 in the canonical state|its actions lead to other states|or another end",
    ),
    "canonical that is not": (
        "canonical states",
        {"canonical": lambda self, state: (max(1, state[0] - 1), *state[1:]) if state[0] else state},
        "whose own canonical state is",
    ),
    "half a number": ("hints", {"suggest": lambda self, state, action: action / 2}, "suggest returns 0.5"),
    "half a truth": ("hints", {"quiet": lambda self, state, action: 1}, "quiet returns 1"),
    "a layer below 0": ("ranking", ranks(layer=lambda state: -1), "the layer is -1"),
    "too many sections": ("ranking", ranks(rank=lambda state: (1, state[1] % 3)), "the section is 1 of 1"),
    "too many indices": ("ranking", ranks(rank=lambda state: (0, 3)), "the index is 3 of 3"),
    "a layer that does not fall": ("ranking", ranks(layer=lambda state: 9), r"index\) \(9, 0, 0\) to"),
    "other positions": (
        "ranking",
        ranks(positions=lambda layer, section, first: iter([(layer, CHANCE, 0)])),
        "positions from index 0 on have the places",
    ),
    "the end of the game numbered": (
        "ranking",
        ranks(
            positions=lambda layer, section, first: iter([(0, mover, layer) for mover in (MAX, MIN, CHANCE)[first:]]),
            layer=lambda state: state[0] or state[2],
        ),
        "is terminal",
    ),
    "another way back": (
        "ranking",
        ranks(unrank=lambda layer, section, index: (layer, MIN, 0), positions=Ranks().positions),
        r"the state of index 0 has the rank \(0, 1\)",
    ),
}


def silent():
    raise NotationError


class Takeaway9(Takeaway):
    def initial_state(self):
        return (9, MAX, 0)


class Broken(Generous):
    """The good game with one fault in it."""

    def __init__(self, fault):
        self.fault = fault
        for name, change in FAULTS[fault][1].items():
            if name == "__reduce__":
                continue
            if isinstance(change, types.FunctionType) and "self" in change.__code__.co_varnames:
                change = types.MethodType(change, self)
            setattr(self, name, change)

    def __reduce__(self):
        change = FAULTS[self.fault][1].get("__reduce__")
        return change(self) if change else (Broken, (self.fault,))


@pytest.mark.slow
def test_the_good_games_keep_every_promise_and_each_was_looked_at():
    kept = collections.Counter()
    for game in (Generous(), Heap(), Awari()):
        kept.update(check_game(game, examples=5))
    assert {promise for promise in PROMISES if not kept[promise]} == set()


def test_what_a_game_does_not_offer_is_not_counted():
    kept = check_game(Takeaway(), examples=5)
    missing = {"explanation", "layers", "known values", "levels", "options", "canonical states", "hints", "ranking"}
    assert {promise for promise, times in kept.items() if not times} == {*missing, "value bounds", "passes"}


@pytest.mark.parametrize("fault", FAULTS)
def test_caught_under_its_name(fault):
    promise, _, message = FAULTS[fault]
    with pytest.raises(ggp.ConformanceError, match=message) as caught:
        check_game(Broken(fault), examples=40)
    assert f'breaks the promise "{promise}" ({PROMISES[promise]})' in str(caught.value)


def test_every_promise_is_broken_by_some_game_here():
    planted = {promise for promises, _ in PLANTED.values() for promise in promises}
    assert {promise for promise, _, _ in FAULTS.values()} | planted == set(PROMISES)


def huge(state):
    return state[0] * 2**62 * 4


def texts(state):
    return len(str(state).split())


class Lying:
    """Machine code that returns nonsense."""

    def variables(self):
        return None

    def __call__(self, variables, *arguments):
        return "nonsense"


def test_machine_code_that_returns_something_else_is_a_breach_that_names_the_line(monkeypatch):
    monkeypatch.setattr(compiler, "compile", lambda *arguments, game: Lying())
    message = r'breaks the promise "machine code".*terminal_test \(takeaway.py:\d+\) returns nonsense'
    with pytest.raises(ggp.ConformanceError, match=message):
        check_game(Takeaway(), examples=5)


def test_a_number_beyond_a_machine_integer_is_noticed_and_no_breach():
    game = Takeaway()
    game.evaluations = {"huge": Evaluation(huge, "too much")}
    assert speeds.operations(game)["evaluation huge"].fast
    assert check_game(game, examples=5)["machine code"] > 0


def test_what_is_not_compiled_is_named_with_its_line_and_no_breach():
    game = Takeaway()
    game.evaluations = {"texts": Evaluation(texts, "words")}
    refused = {name: each.reason for name, each in speeds.operations(game).items() if each.reason}
    assert list(refused) == ["evaluation texts"]
    assert re.match(r"test_kit_games.py:\d+: ", refused["evaluation texts"])
    check_game(game, examples=5)


class Remembering(Takeaway):
    """A game whose state holds the last action, which is None at first."""

    def initial_state(self):
        return (*super().initial_state(), None)

    def result(self, state, action):
        return (*super().result(state[:3], action), action)


def test_operations_are_compared_in_states_that_have_more_kinds_than_the_first():
    game = Remembering()
    operations = speeds.operations(game)
    state = game.initial_state()
    for _ in range(2):
        action = next(iter(game.actions(state)))
        state = operations["result"].fast(state, action)
        assert state[3] == action
        assert operations["to_move"].fast(state) == game.to_move(state)


class Dominoes:
    """Cover two neighbouring cells of a row, or pass; moves are texts that are put together."""

    name = "dominoes"
    marks = 0

    def initial_state(self):
        return ("." * 10, self.marks, 0)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        free = ["cover-" + str(place) for place in range(9) if state[0][place : place + 2] == ".."]
        return sorted(free) or ["skips-0"]

    def result(self, state, action):
        row, mark, mover = state
        kind, place = action.split("-")
        if kind == "skips":
            return ("#" * 10, mark, 1 - mover)
        return (row[: int(place)] + "##" + row[int(place) + 2 :], mark, 1 - mover)

    def terminal_test(self, state):
        return "." not in state[0]

    def utility(self, state, player):
        return 1 if state[2] == player else -1


class MarkedDominoes(Dominoes):
    """The same with a text of one letter in the state."""

    marks = "X"


@pytest.mark.parametrize("kind", [Dominoes, MarkedDominoes])
def test_operations_with_texts_are_compiled_where_a_search_compiles_them(kind):
    game, operations = kind(), speeds.operations(kind())
    assert {name: each.reason for name, each in operations.items() if not each.fast} == {}
    assert operations["actions"].fast(game.initial_state(), 8) == "cover-8"
    full = ("#." * 5, game.marks, 0)
    assert operations["actions"].fast(full, 0) == "skips-0"


def test_without_a_compiler_the_machine_code_is_left_alone(monkeypatch):
    monkeypatch.setattr("ggp.compiler.machine.available", lambda: False)
    assert check_game(Takeaway(), examples=5)["machine code"] == 0


def test_without_hypothesis_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(
        ggp.GGPError, match=r"the conformance kit needs hypothesis: install it with pip install 'ggp\[te"
    ):
        check_game(Generous())


def test_the_breach_names_the_state_and_the_action_in_the_notation():
    with pytest.raises(ggp.ConformanceError, match=r"takeaway breaks .* in 7 0 0 at the action take 1: "):
        check_game(Broken("one text for two actions"))


def test_the_report_is_called_for_each_promise():
    told = {}
    kept = check_game(Generous(), examples=5, report=told.__setitem__)
    assert list(told.items()) == list(kept.items())
    assert list(told) == list(PROMISES)


def test_the_same_game_is_checked_in_the_same_way_each_time():
    assert check_game(Generous(), examples=10) == check_game(Generous(), examples=10)


class Unbounded:
    """The good game without bounds, whose evaluation is declared bounded all the same."""

    name = "unbounded"
    evaluations = Takeaway.evaluations
    stochastic = True
    initial_state, to_move, actions, outcomes = (
        Takeaway.initial_state,
        Takeaway.to_move,
        Takeaway.actions,
        Takeaway.outcomes,
    )
    result, terminal_test, utility = Takeaway.result, Takeaway.terminal_test, Takeaway.utility


def test_bounded_by_what_the_game_does_not_offer_is_a_breach():
    with pytest.raises(ggp.ConformanceError, match="bank is declared bounded, but the game has no bounds"):
        check_game(Unbounded(), examples=5)


class NewestKey:
    """Mark fields in turn; the newest key of the dictionary counts."""

    name = "newest"

    def initial_state(self):
        return {}

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return [field for field in range(4) if field not in state]

    def result(self, state, action):
        return {**state, action: self.to_move(state)}

    def terminal_test(self, state):
        return len(state) == 3

    def utility(self, state, player):
        value = list(state)[-1]
        return value if player == ggp.MAX else -value


class LargestKey(NewestKey):
    """The same, but the largest key counts, and actions are listed in the order of the dictionary."""

    name = "largest"

    def actions(self, state):
        return [*(10 + field for field in state if 10 + field not in state), *super().actions(state)]

    def result(self, state, action):
        return {**state, action: self.to_move(state)}

    def utility(self, state, player):
        return max(state) if player == ggp.MAX else -max(state)


def test_rules_that_look_at_the_order_of_a_dictionary_in_a_state_are_found():
    told = r"the utility is \d if a dictionary's keys are in .* if the rules need the order, store it in a list"
    with pytest.raises(ggp.ConformanceError, match=told):
        check_game(NewestKey(), examples=5)


def test_rules_that_list_actions_in_the_order_of_a_dictionary_in_a_state_keep_the_promises():
    check_game(LargestKey(), examples=5)
