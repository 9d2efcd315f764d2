"""Code that was just compiled is compared with the rules before it is trusted."""

import collections
import typing

import attrs
import pytest
from ggp_search.algorithms.alphabeta import AlphaBeta
from ggp_search.algorithms.dfpn import DfPn
from ggp_search.algorithms.mcts import MonteCarlo
from ggp_search.algorithms.minimax import Minimax
from ggp_search.algorithms.star import Star2
from ggp_search.engine import compiled_engine, shadow, tree_searcher
from ggp_search.engine.compiled_engine import CompiledEngine
from ggp_search.engine.engine import interpreted
from ggp_search.memory.buffer import Buffer
from ggp_search.tablebases.tablebase import Tablebase

import ggp
from ggp import compiler
from ggp.compiler import cache, job, machine
from ggp.compiler.intrinsics import save_byte

pytestmark = pytest.mark.skipif(not machine.available(), reason="machine code needs llvmlite")


class Stake:
    """A field whose value changes with the times that it was read, unless the game is faithful."""

    def __get__(self, game, kind):
        if not game.faithful:
            kind.reads += 1
        return 1 + kind.reads // 3


class Countdown:
    """Take one or two; whoever takes the last one wins. What it is worth is not always the same."""

    name = "countdown"
    reads = 0
    stake = Stake()
    """A constant to the compiler."""

    def __init__(self, stones=9, *, faithful):
        self.stones, self.faithful = stones, faithful

    def initial_state(self):
        return self.stones, ggp.MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(2, state[0]) + 1)

    def result(self, state, action):
        return state[0] - action, ggp.MIN if state[1] == ggp.MAX else ggp.MAX

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return self.stake if player != state[1] else -self.stake


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))


@pytest.mark.parametrize("table", [0, 1])
def test_code_that_disagrees_with_the_rules_is_neither_used_nor_stored(table, tmp_path):
    game = Countdown(faithful=False)
    with pytest.raises(ggp.UsageError, match="machine code and the rules of countdown differ"):
        AlphaBeta(table=table, speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=4))
    assert not [path for path in tmp_path.iterdir() if not path.name.startswith("type-")]


def test_playouts_that_disagree_with_the_rules_are_neither_used_nor_stored(tmp_path):
    game = Countdown(faithful=False)
    found = MonteCarlo(playouts=50).search(game, game.initial_state())
    assert found.speed == "interpreted"
    assert "machine code and the rules of countdown differ: after" in found.note
    assert not [path for path in tmp_path.iterdir() if not path.name.startswith("type-")]


def test_it_is_searched_interpreted_and_the_result_says_why():
    game = Countdown(30, faithful=False)
    result = AlphaBeta(table=1).search(game, game.initial_state(), ggp.Limits(depth=4))
    assert result.speed == "interpreted"
    assert "differ" in result.note


def test_code_that_agrees_is_stored(tmp_path):
    game = Countdown(faithful=True)
    result = AlphaBeta(speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=4))
    assert result.speed == "compiled"
    assert [path for path in tmp_path.iterdir() if not path.name.startswith("type-")]


def test_code_refused_by_the_check_is_not_stored(tmp_path):
    def check(code):
        raise compiler.Refused("no")

    with pytest.raises(compiler.Refused, match="no"):
        compiler.compile(lambda number: number + 1, compiler.INT, check=check)
    assert list(tmp_path.iterdir()) == []


class Turned(Countdown):
    """The same game with its actions in another order, worth nothing."""

    name = "turned"

    def __init__(self, *, turned):
        super().__init__(faithful=True)
        self.turned = turned

    def actions(self, state):
        found = [action for action in (1, 2) if action <= state[0]]
        return found[::-1] if self.turned else found

    def utility(self, state, player):
        return 0


def test_code_with_another_order_of_actions_is_refused():
    searcher, state = Minimax(), (9, ggp.MAX)
    plans = [searcher.plan(Turned(turned=turned), state, ggp.Limits(depth=4)) for turned in (False, True)]
    codes = [compiled_engine.compiled(plans[0]) for _ in range(2)]
    same, other = map(interpreted, plans)
    shadow.require_agreement(codes[0], same, state, same_tree=True)
    with pytest.raises(compiler.Refused, match=r"differ: at depth . from .*, they choose . and [.1-9]\. Do"):
        shadow.require_agreement(codes[1], other, state, same_tree=True)


class Reversed(Countdown):
    """The same game, where whoever takes the last one loses if `reversed`."""

    name = "reversed"

    def __init__(self, *, turned):
        super().__init__(faithful=True)
        self.turned = turned

    def utility(self, state, player):
        return -super().utility(state, player) if self.turned else super().utility(state, player)


def nothing(state):
    return 0


class Keyed(Countdown):
    """The same game, whose table takes different numbers of stones for one if `turned`."""

    name = "keyed"

    def __init__(self, *, turned):
        super().__init__(40, faithful=True)
        self.turned = turned

    @property
    def evaluations(self):
        return {"nothing": ggp.Evaluation(nothing, separable=True)}

    def key(self, state):
        return (0, state[1]) if self.turned else state

    def score(self, state):
        return 0


class Canonical(Turned):
    """The same game, in which all states are symmetric to each other if `turned`."""

    name = "canonical"

    def utility(self, state, player):
        return 1 if player != state[1] else -1

    def actions(self, state):
        return range(1, min(2, state[0]) + 1)

    def canonical(self, state):
        return (1, ggp.MAX) if self.turned else state


class OneByOne:
    """A ranking with a layer for each number of stones, which has a second, wrong place for it."""

    parameters: typing.ClassVar = {}

    def __init__(self, *, turned):
        self.turned = turned

    def sections(self, layer):
        return (2,)

    def layer(self, state):
        return state[0] - 1

    def rank(self, state):
        return 0, int(self.turned)

    def unrank(self, layer, section, index):
        return layer + 1, ggp.MAX

    def positions(self, layer, section, first):
        return [(layer + 1, ggp.MAX)] * (2 - first)


class Ranked(Turned):
    """The same game with a tablebase of up to three stones, which is read at the wrong place if `turned`."""

    name = "ranked"

    def actions(self, state):
        return range(1, min(2, state[0]) + 1)

    @property
    def ranking(self):
        return OneByOne(turned=self.turned)


def tablebase_of(game, directory):
    base, memory = Tablebase(game, game.ranking), Buffer(6)
    for layer, (right, wrong) in enumerate([(1, 1), (1, 0), (-1, 1)]):
        save_byte(memory.address + 2 * layer, right)
        save_byte(memory.address + 2 * layer + 1, wrong)
        base.place_at(layer, memory.address + 2 * layer, memory)
        base.layers = layer + 1
    return base


@pytest.mark.parametrize(
    ("searcher", "rules"),
    [
        (AlphaBeta(table=0), Reversed),
        (AlphaBeta(table=1), Reversed),
        (Star2(), Reversed),
        (DfPn(), Reversed),
        (MonteCarlo(playouts=50), Reversed),
        (AlphaBeta(table=0), Turned),
        (AlphaBeta(table=1), Turned),
        (AlphaBeta(table=1), Keyed),
        (AlphaBeta(table=1), Canonical),
        (AlphaBeta(table=0), Ranked),
        (AlphaBeta(table=1), Ranked),
    ],
    ids=lambda value: value.name,
)
def test_stored_code_of_other_rules_is_found_out(searcher, rules, monkeypatch):
    stored, write, read = [], cache.write, cache.read

    def kept(name, content):
        stored.extend([] if name.startswith("type-") else [content])
        write(name, content)

    monkeypatch.setattr(cache, "write", kept)
    monkeypatch.setattr(tree_searcher, "find_tablebase", tablebase_of if rules is Ranked else lambda *_: None)
    monkeypatch.setattr(compiled_engine, "STORED", shadow.NEW)  # a sample would find it out sooner or later
    searcher = attrs.evolve(searcher, speed="compiled")
    game = rules(turned=False)
    if not isinstance(searcher, MonteCarlo):
        searcher = attrs.evolve(searcher, tablebase="here" if rules is Ranked else "none")
    assert searcher.search(game, game.initial_state(), ggp.Limits(depth=4)).speed == "compiled"
    monkeypatch.setattr(job, "_loaded", collections.OrderedDict())
    monkeypatch.setattr(compiled_engine, "_CODES", {})
    monkeypatch.setattr(cache, "read", lambda name: read(name) if name.startswith("type-") else stored[-1])
    other = rules(turned=True)
    with pytest.raises(ggp.UsageError, match=f"machine code and the rules of {rules.name} differ"):
        searcher.search(other, other.initial_state(), ggp.Limits(depth=4))


def choose_otherwise(monkeypatch):
    """Let machine code choose the other action wherever there is one."""
    choice = CompiledEngine.choice
    monkeypatch.setattr(CompiledEngine, "choice", lambda engine: None if choice(engine) is None else 3 - choice(engine))


@pytest.mark.parametrize(
    "searcher", [AlphaBeta(table=0), AlphaBeta(table=1), AlphaBeta(tablebase="here"), Star2(), DfPn()]
)
def test_code_that_chooses_another_action_is_neither_used_nor_stored(searcher, monkeypatch, tmp_path):
    choose_otherwise(monkeypatch)
    based = searcher.tablebase == "here"
    monkeypatch.setattr(tree_searcher, "find_tablebase", tablebase_of if based else lambda *_: None)
    game = Ranked(turned=False) if based else Countdown(faithful=True)
    with pytest.raises(ggp.UsageError, match=r"differ: at depth . from .*, they choose -?[12] and [12]\. Do"):
        attrs.evolve(searcher, speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=4))
    assert not [path for path in tmp_path.iterdir() if not path.name.startswith("type-")]


class Endless(Turned):
    """A game worth nothing, in which both actions are always possible."""

    name = "endless"

    def actions(self, state):
        return range(1, 3)

    def terminal_test(self, state):
        return state[0] <= 0


def test_a_deep_search_may_choose_another_action_that_is_worth_the_same(monkeypatch):
    """Tables may have lost different results."""
    choose_otherwise(monkeypatch)
    game = Endless(turned=False)
    plan = AlphaBeta(table=1).plan(game, game.initial_state(), ggp.Limits(depth=4))
    monkeypatch.setattr(shadow, "_require_same_line", lambda *_: None)
    assert compiled_engine.compiled(plan).speed == "compiled"


def test_code_loaded_from_disk_is_compared_on_a_sample(monkeypatch):
    game = Countdown(faithful=True)
    job._loaded.clear()
    AlphaBeta(speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=4))
    compiled_engine._CODES.clear()
    job._loaded.clear()
    compared = []
    monkeypatch.setattr(compiled_engine, "require_agreement", lambda *_, extent, **__: compared.append(extent))
    AlphaBeta(speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=4))
    assert compared == [shadow.STORED]
    AlphaBeta(speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=5))
    assert compared == [shadow.STORED]
    AlphaBeta(speed="compiled", table=1).search(game, game.initial_state(), ggp.Limits(depth=5))
    assert compared == [shadow.STORED, shadow.NEW]


def test_each_process_compares_another_game():
    game = Countdown(40, faithful=True)
    state = game.initial_state()
    games = {tuple(shadow._random_game(game, state, shadow.STORED)) for _ in range(8)}
    assert len(games) > 1
    assert shadow._random_game(game, state, shadow.NEW) == shadow._random_game(game, state, shadow.NEW)


@pytest.mark.parametrize("depth", [2, 3, 12])
def test_both_speeds_probe_the_tablebase(depth, monkeypatch):
    monkeypatch.setattr(tree_searcher, "find_tablebase", lambda game, _: tablebase_of(game, None))
    game = Ranked(turned=False)
    searcher, limits = AlphaBeta(table=0, ordering="none", tablebase="here"), ggp.Limits(depth=depth)
    slow, fast, alone = (
        attrs.evolve(searcher, **options).search(game, game.initial_state(), limits)
        for options in ({"speed": "interpreted"}, {"speed": "compiled"}, {"tablebase": "none"})
    )
    assert (slow.value, slow.statistics.nodes) == (fast.value, fast.statistics.nodes)
    assert depth < 12 or slow.statistics.nodes < alone.statistics.nodes
