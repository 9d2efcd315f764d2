"""Games as people write them, with states that change: they play as they stand."""

import copy
import pickle

import habits
import pytest
from test_authors import counted

import ggp
from ggp import capabilities, compiler, testing
from ggp.frozen_states import FrozenGame, freeze, playable, thaw

NAMES = [kind.__name__ for kind in habits.HABITS]
VALUES = {"DictionaryOfMarks": 0, "DataClassWithList": 1, "PrivateNames": 1, "FrozenSets": 0}


@pytest.fixture
def registry():
    registry = ggp.load_registry()
    registry.register(*habits.HABITS)
    return registry


def made(name):
    return getattr(habits, name)()


@pytest.mark.parametrize("name", NAMES)
def test_every_searcher_plays_a_game_with_states_that_change(name):
    game, registry = made(name), ggp.load_registry()
    for searcher in ("minimax", "alphabeta", "mtdf", "mcts"):
        limits = ggp.Limits(nodes=50) if searcher == "mcts" else ggp.Limits(depth=2)
        found = registry.searcher(searcher, speed="interpreted").search(game, game.initial_state(), limits)
        assert found.action in list(playable(game).actions(freeze(game.initial_state())))


@pytest.mark.parametrize("name", ["DictionaryOfMarks", "DataClassWithList", "PrivateNames", "FrozenSets"])
def test_a_table_knows_states_that_change(name):
    game, registry = made(name), ggp.load_registry()
    found = registry.searcher("alphabeta", speed="interpreted", table=8).search(game, game.initial_state())
    assert (found.value, found.exact) == (VALUES[name], True)
    assert found.statistics.table_hits > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_game_with_states_that_change_keeps_all_promises(name):
    testing.check_game(made(name), examples=5)


@pytest.mark.parametrize("name", NAMES)
def test_the_registry_gives_states_that_can_be_kept(name, registry):
    game = registry.game(made(name).name)
    state = game.initial_state()
    after = game.result(state, next(iter(game.actions(state))))
    assert len({state, after, game.initial_state()}) == 2
    again = pickle.loads(pickle.dumps(game))  # noqa: S301
    assert again.initial_state() == game.initial_state()


def test_texts_of_states_that_change_are_read_back(registry):
    for name in ("lists-of-lists", "dictionary-of-marks", "moves-so-far", "deep-copies", "data-class-with-list",
                 "numpy-board"):  # fmt: skip
        game = registry.game(name)
        state = game.initial_state()
        state = game.result(state, next(iter(game.actions(state))))
        notation = capabilities.notation(game)
        assert notation.parse_state(notation.format_state(state)) == state


def test_options_of_a_class_with_its_own_init_are_those_of_the_game(registry):
    assert len(registry.game("lists-of-lists", size=2).initial_state()) == 2


@pytest.mark.parametrize(
    "value",
    [[1, [2, 3]], {(0, 1): [1], (0, 0): []}, {3, 1}, ([1], {2: {3}}), habits.Heaps(), [frozenset((1,)), None]],
    ids=repr,
)
def test_what_is_frozen_and_thawed_is_equal_and_new(value):
    frozen = freeze(value)
    assert hash(frozen) == hash(freeze(copy.deepcopy(value)))
    assert thaw(frozen) == value
    assert thaw(frozen) is not value


def test_the_order_in_which_a_dictionary_was_filled_makes_no_other_state():
    assert freeze({1: "a", 2: "b"}) == freeze({2: "b", 1: "a"})


def test_a_state_that_cannot_be_copied_is_named():
    with pytest.raises(ggp.ConformanceError, match="cannot be compared with what it will be later"):
        freeze(iter([1]))


def test_numbers_of_numpy_become_pythons():
    numpy = pytest.importorskip("numpy")
    assert type(freeze(numpy.int64(3))) is int
    assert freeze((numpy.int64(3), 4)) == (3, 4)


def test_rules_that_change_their_argument_harm_nobody():
    class Pops(habits.MovesSoFar):
        def actions(self, state):
            state.append(8)
            return [move for move in range(9) if move not in state]

    game = playable(Pops())
    state = game.initial_state()
    assert list(game.actions(state)) == list(game.actions(state)) == list(range(8))
    assert isinstance(game, FrozenGame)


def test_a_game_whose_states_do_not_change_is_itself():
    kalah = ggp.load_registry().game("kalah")
    assert playable(kalah) is kalah


COMPILED = [
    "DictionaryOfMarks",
    "MovesSoFar",
    "TextsAsMoves",
    "DeepCopies",
    "ListsOfLists",
    "DataClassWithList",
    "PrivateNames",
    "Numpy",
]


@pytest.mark.parametrize("name", COMPILED)
def test_a_game_with_states_that_change_is_compiled_and_the_same(name, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", "")
    game = playable(made(name))
    code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
    for depth in range(5):
        assert code(code.variables(), game.initial_state(), depth) == counted(game, game.initial_state(), depth)
    code = compiler.compile(after, game, compiler.STATE, compiler.INT, game=game)
    for index in range(3):
        found = code(code.variables(), game.initial_state(), index)
        assert found == after(game, game.initial_state(), index)
        assert type(found) is type(game.initial_state())


def after(game, state, index):
    """Return the state after some actions."""
    for _ in range(3):
        if game.terminal_test(state):
            break
        actions = list(game.actions(state))
        state = game.result(state, actions[index % len(actions)])
    return state


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_a_search_of_a_game_with_states_that_change_is_the_same_at_both_speeds(name, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", "")
    game, registry, found = made(name), ggp.load_registry(), []
    for searcher in ("minimax", "alphabeta", "expectiminimax"):
        for speed in ("compiled", "interpreted"):
            result = registry.searcher(searcher, speed=speed).search(game, game.initial_state(), ggp.Limits(depth=4))
            found.append((result.value, result.action, result.principal_variation, result.statistics.nodes))
        assert found[-2] == found[-1]


class ArrayInside(habits.DeepCopies):
    """Tic-tac-toe on an object with an array."""

    def initial_state(self):
        import numpy as np

        state = habits.Board()
        state.grids = {"marks": np.zeros(9, dtype=np.uint8)}
        return state


class Unsigned(habits.Numpy):
    """Three in a row on an array of bytes."""

    def initial_state(self):
        return super().initial_state().astype("uint8")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Unsigned, r"a state of numpy-board is an array of NumPy of the kind \|u1, .*: make it an array of int$"),
        (ArrayInside, r"grids\['marks'\] of a state of deep-copies is an array of NumPy of the kind \|u1, .* of int$"),
    ],
)
def test_a_search_says_in_the_authors_terms_why_it_is_interpreted(kind, said):
    game, searcher = playable(kind()), ggp.load_registry().searcher("minimax", speed="compiled")
    with pytest.raises(ggp.UsageError, match=said):
        searcher.search(game, game.initial_state(), ggp.Limits(depth=2))


def test_a_text_put_together_at_run_time_is_named_as_such():
    class Padded(habits.TextsAsMoves):
        def actions(self, state):
            return [f"{'abc'[i % 3]}{i // 3 + 1:>2}" for i in range(9) if state[0][i] == "."]

    game, searcher = Padded(), ggp.load_registry().searcher("minimax", speed="compiled")
    with pytest.raises(
        ggp.UsageError, match=r"test_habits.py:\d+: .*put together at run time .*a tuple of constant texts"
    ):
        searcher.search(game, game.initial_state(), ggp.Limits(depth=2))


class Heights:
    """Stacks that grow and shrink: lists in a list, whose lengths change."""

    name = "heights"

    def initial_state(self):
        return [[], [1, 1]], 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        stacks, _ = state
        return [index for index in (0, 1) if len(stacks[index]) < 3] + [2] * bool(stacks[1])

    def result(self, state, action):
        stacks = copy.deepcopy(state[0])
        if action == 2:
            stacks[0].append(stacks[1].pop())
        else:
            stacks[action].insert(0, len(stacks[action]))
        return stacks, 1 - state[1]

    def terminal_test(self, state):
        return len(state[0][0]) > 4

    def utility(self, state, player):
        return sum(state[0][0]) - len(state[0][1])


def test_lists_in_a_state_grow_and_shrink():
    game = playable(Heights())
    code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
    for depth in range(7):
        assert code(code.variables(), game.initial_state(), depth) == counted(game, game.initial_state(), depth)


class Long(habits.MovesSoFar):
    """Moves that random players hardly make: a list becomes as long as nobody saw it."""

    name = "long"

    def result(self, state, action):
        return state + [action] * (99 if state == [0, 1, 2, 3] and action == 8 else 1)

    def terminal_test(self, state):
        return len(state) > 8


def test_python_is_asked_where_a_list_in_a_state_has_no_room():
    game = playable(Long())
    code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
    state = freeze([0, 1, 2, 3])
    assert code(code.variables(), freeze([0, 1, 2]), 1) == counted(game, freeze([0, 1, 2]), 1)
    with pytest.raises(compiler.Fault):
        code(code.variables(), state, 1)
    with pytest.raises(compiler.NotRepresentable, match="has more than"):
        code(code.variables(), freeze([1] * 99), 1)


class Stock:
    """A dictionary whose pairs come and go, and whose order counts."""

    name = "stock"

    def initial_state(self):
        return {"turn": 0, "b": 2, "a": 1}

    def to_move(self, state):
        return state["turn"]

    def actions(self, state):
        return [("take", name) for name in state if name != "turn"] + [
            ("put", name) for name in "abc" if name not in state
        ]

    def result(self, state, action):
        new = dict(state)
        what, name = action
        if what == "put":
            new[name] = sum(new.values())
        else:
            new["turn"] = 0
            del new[name]
        new["turn"] = 1 - state["turn"]
        return new

    def terminal_test(self, state):
        return sum(state.values()) > 9

    def utility(self, state, player):
        return sum(place * each for place, each in enumerate(state.values()))


def test_a_dictionary_in_a_state_has_the_order_of_its_keys():
    game = playable(Stock())
    code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
    for depth in range(6):
        assert code(code.variables(), game.initial_state(), depth) == counted(game, game.initial_state(), depth)


class Piles:
    """A dictionary of lists that grow."""

    name = "piles"

    def initial_state(self):
        return {"a": [1], "b": []}

    def to_move(self, state):
        return (len(state["a"]) + len(state["b"])) % 2

    def actions(self, state):
        return ["a", "b"]

    def result(self, state, action):
        new = {name: list(pile) for name, pile in state.items()}
        new[action].append(len(new[action]))
        return new

    def terminal_test(self, state):
        return len(state["a"]) > 2

    def utility(self, state, player):
        return sum(state["b"])


class Pair(Piles):
    """States that are a list, or a tuple: they are not equal."""

    def initial_state(self):
        return [1, 2]

    def result(self, state, action):
        return (state[0], 2) if action == "a" else [state[0], 2]

    def to_move(self, state):
        return 0

    def terminal_test(self, state):
        return state == (1, 2)

    def utility(self, state, player):
        return 0


def test_lists_in_a_dictionary_in_a_state_grow():
    game = playable(Piles())
    code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
    for depth in range(6):
        assert code(code.variables(), game.initial_state(), depth) == counted(game, game.initial_state(), depth)


def test_a_state_that_is_a_list_or_a_tuple_is_refused():
    game = playable(Pair())
    with pytest.raises(compiler.Refused):
        compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)


def test_python_is_asked_for_a_key_that_nobody_saw():
    class Rare(Stock):
        def result(self, state, action):
            new = super().result(state, action)
            if state == {"turn": 1, "b": 7, "a": 7}:
                new["z"] = 1
            return new

    game = playable(Rare())
    code = compiler.compile(after, game, compiler.STATE, compiler.INT, game=game)
    rare = freeze({"turn": 1, "b": 7, "a": 7})
    assert game.result(rare, ("put", "c")) == freeze({"turn": 0, "a": 7, "b": 7, "c": 15, "z": 1})
    with pytest.raises(compiler.NotRepresentable, match="keys that no state before had"):
        code(code.variables(), freeze({"turn": 1, "z": 1}), 0)


def test_code_for_states_that_change_is_found_again_and_never_stale(monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))

    class Limited(habits.PrivateNames):
        most = 3

        def actions(self, state):
            return range(1, min(self.most, state.stones()) + 1)

    inner = Limited()
    game = playable(inner)

    def made_now():
        code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
        assert code(code.variables(), game.initial_state(), 3) == counted(game, game.initial_state(), 3)
        return code.compiled_now

    assert [made_now(), made_now()] == [True, False]
    inner.most = 2
    assert made_now()
