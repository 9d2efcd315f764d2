"""Games as people write them, with states that change: they play as they stand."""

import collections
import copy
import functools
import pickle
import types

import attrs
import habits
import pytest
from samples import but_slow
from test_authors import counted

import ggp
from ggp import capabilities, compiler, testing
from ggp.compiler.encoding import flatten
from ggp.frozen_games import FrozenGame, playable
from ggp.frozen_states import freeze, thaw

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
    with pytest.raises(ggp.ConformanceError, match="cannot be compared with its later values"):
        freeze(iter([1]))


def test_numbers_of_numpy_become_pythons():
    numpy = pytest.importorskip("numpy")
    assert type(freeze(numpy.int64(3))) is int
    assert freeze((numpy.int64(3), 4)) == (3, 4)


class Heaps:
    def __init__(self):
        self.values, self.names, self.cls = [3, 4], "ab", 5


def test_a_frozen_object_has_all_attributes_of_the_object():
    frozen = freeze(Heaps())
    assert (frozen.values, frozen.names, frozen.cls) == ([3, 4], "ab", 5)
    assert vars(thaw(frozen)) == vars(Heaps())


def test_rules_that_change_their_argument_harm_nobody():
    class Pops(habits.MovesSoFar):
        def actions(self, state):
            state.append(8)
            return [move for move in range(9) if move not in state]

    game = playable(Pops())
    state = game.initial_state()
    assert list(game.actions(state)) == list(game.actions(state)) == list(range(8))
    assert isinstance(game, FrozenGame)


def test_an_option_and_an_attribute_may_be_called_kind():
    @attrs.frozen
    class Kinds(habits.MovesSoFar):
        kind: int = ggp.option(7, "the number of a variant")

        def initial_state(self):
            return [types.SimpleNamespace(kind=self.kind)]

    game = playable(Kinds())
    assert (game.kind, game.initial_state()[0].kind) == (7, 7)


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
    "FrozenSets",
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
    with pytest.raises(compiler.NotRepresentable, match="keys that no earlier state had"):
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


@attrs.frozen
class Shares:
    """Numbers that nobody has yet, and those of the two players."""

    free: frozenset = frozenset(range(1, 6))
    taken: tuple = (frozenset(), frozenset())


class Divisors:
    """Take a number; its divisors that are free go to the other player."""

    name = "divisors"

    def initial_state(self):
        return (Shares(), 0)

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        return sorted(state[0].free)

    def result(self, state, action):
        shares, ply = state
        gone = frozenset(each for each in shares.free if action % each == 0 and each != action)
        taken = [*shares.taken]
        taken[ply % 2] |= {action}
        taken[1 - ply % 2] = taken[1 - ply % 2].union(gone)
        return (attrs.evolve(shares, free=shares.free - gone - {action}, taken=tuple(taken)), ply + 1)

    def terminal_test(self, state):
        return not state[0].free

    def utility(self, state, player):
        return sum(state[0].taken[player]) - sum(state[0].taken[1 - player])


class Marked:
    """Mark pairs; the state is the set of all marks, a set that can change."""

    name = "marked"

    def initial_state(self):
        return set()

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        used = {cell for cell, _ in state}
        return sorted({(0, 0), (0, 1), (1, 0), (1, 1)} - used)

    def result(self, state, action):
        new = state.copy()
        new.add((action, "xo"[len(state) % 2]))
        return new

    def terminal_test(self, state):
        mine = {cell for cell, mark in state if mark == "x"}
        return len(state) == 4 or mine >= {(0, 0), (1, 1)}

    def utility(self, state, player):
        return len(state) if player == 0 else -len(state)


class Played:
    """Moves so far as a tuple, on a board that is made anew each time."""

    name = "played"

    def initial_state(self):
        return ()

    def to_move(self, state):
        return len(state) % 2

    def heights(self, state):
        heights = [0, 0, 0]
        for move in state:
            heights[move] += 1
        return heights

    def actions(self, state):
        return [move for move, height in enumerate(self.heights(state)) if height < 3]

    def result(self, state, action):
        return (*state, action)

    def terminal_test(self, state):
        return len(state) > 6 or state[-2:] == (2, 2)

    def utility(self, state, player):
        return sum(state[player::2]) - sum(state[1 - player :: 2])


class Pegs:
    """Discs on pegs, with methods of its own for equality and for copies."""

    def __init__(self, pegs, mover):
        self.__pegs = [list(peg) for peg in pegs]
        self.__mover = mover

    def __key(self):
        return (tuple(map(tuple, self.__pegs)), self.__mover)

    def __eq__(self, other):
        return isinstance(other, Pegs) and self.__key() == other.__key()

    def __hash__(self):
        return hash(self.__key())

    def __copy__(self):
        return Pegs(self.__pegs, 1 - self.__mover)

    @property
    def mover(self):
        return self.__mover

    def heights(self):
        return [len(peg) for peg in self.__pegs]

    def move(self, one, other):
        self.__pegs[other].append(self.__pegs[one].pop())


class Towers:
    """Move a disc to another peg; the height of the last one counts."""

    name = "towers"

    def initial_state(self):
        return Pegs([[3, 1], [2], []], 0)

    def to_move(self, state):
        return state.mover

    def actions(self, state):
        heights = state.heights()
        return [(one, other) for one in range(3) for other in range(3) if heights[one] > heights[other]]

    def result(self, state, action):
        new = copy.copy(state)
        new.move(*action)
        return new

    def terminal_test(self, state):
        return max(state.heights()) == 3 or not self.actions(state)

    def utility(self, state, player):
        return state.heights()[2] - state.heights()[player]


class Card:
    def __init__(self, suit, rank):
        self.suit = suit
        self.rank = rank


class Hands:
    """Cards in two hands, and perhaps one on the table."""

    def __init__(self):
        self.hands = [[Card("s", 3), Card("h", 1)], [Card("h", 2), Card("s", 2)]]
        self.lead = None
        self.tricks = 0
        self.player = 0


class Whist:
    """Play cards in turn; whoever follows with a higher one of the suit wins the trick."""

    name = "whist"

    def initial_state(self):
        return Hands()

    def to_move(self, state):
        return state.player

    def actions(self, state):
        hand = state.hands[state.player]
        if state.lead is not None:
            same = [place for place, card in enumerate(hand) if card.suit == state.lead.suit]
            if same:
                return same
        return list(range(len(hand)))

    def result(self, state, action):
        new = copy.deepcopy(state)
        card = new.hands[new.player].pop(action)
        if new.lead is None:
            new.lead = card
        else:
            if card.suit == new.lead.suit and card.rank > new.lead.rank:
                new.tricks += 1 if new.player == 0 else -1
            new.lead = None
        new.player = 1 - new.player
        return new

    def terminal_test(self, state):
        return not any(state.hands)

    def utility(self, state, player):
        return state.tricks


class Spot:
    """A cell, compared by its value."""

    def __init__(self, row, column):
        self.row, self.column = row, column

    def __iter__(self):
        return iter((self.row, self.column))

    def __eq__(self, other):
        return isinstance(other, Spot) and tuple(self) == tuple(other)

    def __hash__(self):
        return hash(tuple(self))


class Near:
    """Mark cells of 2 by 3, each in the row or the column of the last one; whoever cannot loses."""

    name = "near"
    last = Spot

    def initial_state(self):
        return ((0,) * 6, None, 0)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        cells, last, _ = state
        free = [index for index in range(6) if cells[index] == 0]
        if last is None:
            return free
        row, column = last
        return [index for index in free if index // 3 == row or index % 3 == column]

    def result(self, state, index):
        cells, _, mover = state
        return (
            (*cells[:index], mover + 1, *cells[index + 1 :]),
            self.last(index // 3, index % 3),
            1 - mover,
        )

    def terminal_test(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return 1 if state[2] != player else -1


class Unequal:
    """A cell without a value of its own."""

    def __init__(self, row, column):
        self.row, self.column = row, column

    def __iter__(self):
        yield self.row
        yield self.column


class NearUnequal(Near):
    name = "near-unequal"
    last = Unequal


class Late:
    """Count to 40; from 36 on, the state holds the cell of the count."""

    name = "late"

    def initial_state(self):
        return (0, None, 0)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [1, 2]

    def result(self, state, step):
        count, _, mover = state
        return (count + step, Spot(count, step) if count >= 36 else None, 1 - mover)

    def terminal_test(self, state):
        return state[0] >= 40

    def utility(self, state, player):
        value = 0 if state[1] is None else state[1].column
        return value if player == 0 else -value


def test_objects_that_only_late_states_hold_are_refused_in_words(registry):
    game = playable(Late())
    with pytest.raises(ggp.UsageError, match="later states of late hold lists or objects that may change"):
        registry.searcher("alphabeta", speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=2))


@pytest.mark.parametrize("kind", but_slow([Divisors, Marked, Near, NearUnequal, Played, Towers, Whist], Near, Played))
def test_sets_and_objects_and_tuples_that_grow_are_parts_of_states(kind):
    game = playable(kind())
    assert isinstance(game, FrozenGame)
    code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
    for depth in range(5):
        assert code(code.variables(), game.initial_state(), depth) == counted(game, game.initial_state(), depth)
    code = compiler.compile(after, game, compiler.STATE, compiler.INT, game=game)
    for index in range(3):
        found = code(code.variables(), game.initial_state(), index)
        assert found == after(game, game.initial_state(), index)
        assert type(found) is type(game.initial_state())


def test_a_set_has_one_form_however_it_was_made():
    game = playable(Marked())
    code = compiler.compile(after, game, compiler.STATE, compiler.INT, game=game)
    kind = code.arguments[0]
    one = freeze({((0, 1), "x"), ((1, 0), "o"), ((1, 1), "x")})
    other = freeze({((1, 1), "x"), ((0, 1), "x"), ((1, 0), "o")})
    assert flatten(one, kind) == flatten(other, kind)
    assert flatten(code(code.variables(), game.initial_state(), 1), kind) == flatten(
        after(game, freeze(set()), 1), kind
    )


def test_a_game_with_sets_is_compiled_in_its_frozen_form_only():
    game = habits.FrozenSets()
    with pytest.raises(compiler.Refused, match="sets and objects in states are compiled only for"):
        compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)


class ByHeight(Pegs):
    """Is equal to all pegs with the same heights."""

    def __eq__(self, other):
        return self.heights() == other.heights()

    def __hash__(self):
        return hash(tuple(self.heights()))


def test_states_that_are_equal_by_a_part_of_them_are_refused():
    class Heights(Towers):
        def initial_state(self):
            return ByHeight([[3, 1], [2], []], 0)

        def result(self, state, action):
            pegs = [list(peg) for peg in state._Pegs__pegs]
            pegs[action[1]].append(pegs[action[0]].pop())
            return ByHeight(pegs, 1 - state.mover)

    game = playable(Heights())
    with pytest.raises(compiler.Refused, match="states with different attributes are equal"):
        compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)


class Passes:
    """A state that holds a truth value beside whole numbers, in a dictionary."""

    name = "passes"

    def initial_state(self):
        return {1: False, 2: 0}

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [1, 2]

    def result(self, state, action):
        return {1: action == 2, 2: 1 - state[2]}

    def terminal_test(self, state):
        return state[1] is True

    def utility(self, state, player):
        return 1 if state[1] else 0


def test_a_truth_value_beside_numbers_in_a_state_is_not_told_from_one():
    game = playable(Passes())
    with pytest.raises(compiler.Refused, match="of a number that may be a truth value or a member of an Enum"):
        compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)


class Fields:
    """Fill a row, or pass; the state is a dictionary with values of several types."""

    name = "fields"

    def initial_state(self):
        return {"board": (0,) * 4, "turn": 0, "passed": False, "last": None, "hands": [["x"], []]}

    def to_move(self, state):
        return state["turn"]

    def actions(self, state):
        return [place for place, cell in enumerate(state["board"]) if cell == 0] + [9]

    def placed(self, state, action):
        board = list(state["board"])
        board[action] = state["turn"] + 1
        return tuple(board)

    def result(self, state, action):
        new = dict(state)
        new["passed"] = action == 9
        if action != 9:
            new["board"] = self.placed(state, action)
            new["last"] = (action, "ab"[action % 2])
            new["hands"] = [list(hand) for hand in reversed(state["hands"])]
        new["turn"] = 1 - new["turn"]
        return new

    def terminal_test(self, state):
        return 0 not in state["board"] or (state["passed"] is True and state.get("last") is not None)

    def utility(self, state, player):
        return sum(state["board"]) * (1 if state["last"] is None or state["last"][1] == "a" else -2)


class Spread(Fields):
    """The same by `{**state}`, in another order of keys."""

    def result(self, state, action):
        if action == 9:
            return {**state, "turn": 1 - state["turn"], "passed": True}
        hands = [list(hand) for hand in reversed(state["hands"])]
        return {
            "turn": 1 - state["turn"], "last": (action, "ab"[action % 2]), "board": self.placed(state, action),
            "hands": hands, "passed": False,
        }  # fmt: skip


class Deep(Fields):
    """The same by deep copies and updates."""

    def result(self, state, action):
        new = copy.deepcopy(state)
        new.update({"turn": 1 - state["turn"], "passed": action == 9})
        if action != 9:
            new |= {"board": self.placed(state, action), "last": (action, "ab"[action % 2])}
            new["hands"].reverse()
        return new


class Empty(Fields):
    """A dictionary of cells that hold None, and one of several types in a tuple."""

    def initial_state(self):
        return {(r, c): None for r in range(2) for c in range(2)}, {"turn": 0, "last": ()}

    def to_move(self, state):
        return state[1]["turn"]

    def actions(self, state):
        return [cell for cell, mark in state[0].items() if mark is None]

    def result(self, state, action):
        cells = state[0].copy()
        cells[action] = "XO"[state[1]["turn"]]
        return cells, {"turn": 1 - state[1]["turn"], "last": action}

    def terminal_test(self, state):
        return None not in state[0].values() or len(state[0]) != 4

    def utility(self, state, player):
        return 1 if state[0][0, 0] == state[0][1, 1] == "X" else sum(state[1]["last"])


class Listed(Fields):
    """The same with a list in place of the dictionary."""

    def initial_state(self):
        return [(0,) * 4, 0, False, None, [["x"], []], "." * 9]

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        board, *_ = state
        return [place for place, cell in enumerate(board) if cell == 0] + [9]

    def placed(self, state, action):
        return state[0][:action] + (state[1] + 1,) + state[0][action + 1 :]

    def result(self, state, action):
        new = copy.deepcopy(state)
        new[1], new[2] = 1 - new[1], action == 9
        if action != 9:
            new[0], new[3] = self.placed(state, action), (action, "ab"[action % 2])
            new[4].reverse()
            new[-1] = new[-1][:action] + "ab"[state[1]] + new[-1][action + 1 :]
        return new

    def terminal_test(self, state):
        return 0 not in state[0] or (state[2] is True and state[3] is not None)

    def utility(self, state, player):
        board, _, _, last, _, text = state
        return sum(board) * (1 if last is None or last[1] == "a" else -2) + text.count("a")


class Relisted(Listed):
    """The same with a new list for each state."""

    def result(self, state, action):
        board, mover, _, _, hands, text = state
        if action == 9:
            return [board, 1 - mover, True, *state[3:]]
        text = "".join("ab"[mover] if place == action else letter for place, letter in enumerate(text))
        return [self.placed(state, action), 1 - mover, False, (action, "ab"[action % 2]), list(reversed(hands)), text]


@pytest.mark.parametrize("kind", but_slow([Fields, Spread, Deep, Empty, Listed, Relisted], Spread, Relisted))
def test_values_of_a_dictionary_or_list_in_a_state_may_be_of_several_types(kind):
    game = playable(kind())
    code = compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)
    for depth in range(5):
        assert code(code.variables(), game.initial_state(), depth) == counted(game, game.initial_state(), depth)
    code = compiler.compile(after, game, compiler.STATE, compiler.INT, game=game)
    for index in range(4):
        found = code(code.variables(), game.initial_state(), index)
        assert repr(found) == repr(after(game, game.initial_state(), index))
        assert found == after(game, game.initial_state(), index)


def test_states_whose_dictionaries_have_other_keys_are_refused_in_words():
    class More(Fields):
        def result(self, state, action):
            return {**super().result(state, action), "more": 1}

    game = playable(More())
    with pytest.raises(compiler.Refused, match=r"'turn' in one state, and .* in another; give it all of them in every"):
        compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)


def test_python_is_asked_for_a_dictionary_with_other_keys():
    game = playable(Fields())
    code = compiler.compile(after, game, compiler.STATE, compiler.INT, game=game)
    with pytest.raises(compiler.NotRepresentable, match="has other keys than board, hands, last, passed, turn"):
        code(code.variables(), freeze({"turn": 0}), 0)


class SetOfMoves(habits.ListsOfLists):
    """A board of None and texts; moves are a set."""

    def initial_state(self):
        return [[None] * 2 for _ in range(2)]

    def to_move(self, state):
        return sum(row.count("X") - row.count("O") for row in state)

    def actions(self, state):
        moves = set()
        for r in reversed(range(2)):
            for c in range(2):
                if state[r][c] is None:
                    moves.add((r, c))
        return moves

    def result(self, state, action):
        board = copy.deepcopy(state)
        board[action[0]][action[1]] = "XO"[self.to_move(state)]
        return board

    def terminal_test(self, state):
        return all(cell is not None for row in state for cell in row)

    def utility(self, state, player):
        return 1 if state[0][0] == state[1][1] else 0


class SetOfTexts:
    """States that do not change; moves are a set of texts, whose order differs from run to run."""

    name = "set-of-texts"

    def initial_state(self):
        return 3, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return {move for move in ("left", "right", "wait") if len(move) <= state[0] + 2}

    def result(self, state, action):
        return state[0] - (action != "wait"), 1 - state[1]

    def terminal_test(self, state):
        return state[0] < 2

    def utility(self, state, player):
        return 1 if state[1] == player else -1


@pytest.mark.parametrize("kind", [SetOfMoves, SetOfTexts])
def test_moves_in_a_set_are_sorted_at_both_speeds(kind):
    game = playable(kind())
    state = game.initial_state()
    assert list(game.actions(state)) == sorted(kind().actions(thaw(state)))
    code = compiler.compile(after, game, compiler.STATE, compiler.INT, game=game)
    for index in range(5):
        assert code(code.variables(), state, index) == after(game, state, index)


class Queued(habits.ListsOfLists):
    def initial_state(self):
        return (collections.deque([1, 2]), 0)


def test_a_queue_in_a_state_is_refused_in_words():
    game = playable(Queued())
    with pytest.raises(compiler.Refused, match="lists-of-lists is a deque, which is not compiled: make it a list"):
        compiler.compile(counted, game, compiler.STATE, compiler.INT, game=game)


class WrittenMoves(habits.TextsAsMoves):
    """Tic-tac-toe whose state is a text, with moves such as "X@4" that are put together."""

    def initial_state(self):
        return "." * 9

    def to_move(self, state):
        return (9 - state.count(".")) % 2

    def actions(self, state):
        mark = "XO"[self.to_move(state)]
        return ["%s@%d" % (mark, place) for place in range(9) if state[place] == "."]  # noqa: UP031

    def result(self, state, action):
        mark, place = action.split("@")
        return state[: int(place)] + mark + state[int(place) + 1 :]

    def terminal_test(self, state):
        return self.wins(state, "X") or self.wins(state, "O") or "." not in state

    def utility(self, state, player):
        value = int(self.wins(state, "X")) - int(self.wins(state, "O"))
        return value if player == ggp.MAX else -value


def test_a_search_of_moves_that_are_written_is_the_same_at_both_speeds():
    game, registry, found = WrittenMoves(), ggp.load_registry(), []
    for speed in ("compiled", "interpreted"):
        result = registry.searcher("minimax", speed=speed).search(game, game.initial_state(), ggp.Limits(depth=3))
        found.append((result.speed, result.value, result.action, result.statistics.nodes))
    assert found[0] == ("compiled", *found[1][1:])


class Stone:
    """A stone, and the one below it."""

    def __init__(self, below):
        self.below = below


class Tower(Queued):
    """A game whose state is a chain of objects."""

    def initial_state(self):
        return functools.reduce(lambda below, _: Stone(below), range(12), Stone(None))

    def actions(self, state):
        return [0]

    def result(self, state, action):
        return state.below

    def terminal_test(self, state):
        return state.below is None


def moves_of(game, state):
    return sum(1 for each in game.actions(state))


def test_what_is_refused_of_a_state_is_told_as_such_and_not_at_a_line_of_ours():
    game = playable(Tower())
    with pytest.raises(compiler.Refused, match=r"^states or actions of .*hold others of .* must keep its length$"):
        compiler.compile(moves_of, game, compiler.STATE, game=game)


class LaterList:
    """Take 1 to 3 stones, but not as many as the other took last: None at the start, a list from then on."""

    name = "later-list"

    def initial_state(self):
        return (9, None, 0)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [taken for taken in (1, 2, 3) if taken <= state[0] and (state[1] is None or state[1][0] != taken)]

    def result(self, state, action):
        return (state[0] - action, [action], 1 - state[2])

    def terminal_test(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return -1 if state[2] == player else 1


class LaterDictionary(LaterList):
    name = "later-dictionary"

    def actions(self, state):
        return [taken for taken in (1, 2, 3) if taken <= state[0] and (state[1] is None or state[1]["last"] != taken)]

    def result(self, state, action):
        return (state[0] - action, {"last": action}, 1 - state[2])


@pytest.mark.parametrize("kind", [LaterList, LaterDictionary])
def test_what_can_change_may_come_after_the_first_state(kind):
    game = kind()
    for speed in ("interpreted", "auto"):
        found = ggp.load_registry().searcher("alphabeta", speed=speed).search(game, game.initial_state())
        assert (found.value, found.exact) == (
            testing.minimax_value(playable(game), playable(game).initial_state()),
            True,
        )
