"""Code that was just compiled is compared with the rules before it is trusted."""

import collections

import pytest
from ggp_search.algorithms.alphabeta import AlphaBeta
from ggp_search.algorithms.mcts import MonteCarlo
from ggp_search.algorithms.minimax import Minimax
from ggp_search.engine import compiled_engine, shadow
from ggp_search.engine.engine import interpreted

import ggp
from ggp import compiler
from ggp.compiler import cache, compiled_code, machine

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
    with pytest.raises(compiler.Refused, match=r"differ: . plies from .* they choose . and . in"):
        shadow.require_agreement(codes[1], other, state, same_tree=True)


class Reversed(Countdown):
    """The same game, where whoever takes the last one loses if `reversed`."""

    name = "reversed"

    def __init__(self, *, turned):
        super().__init__(faithful=True)
        self.turned = turned

    def utility(self, state, player):
        return -super().utility(state, player) if self.turned else super().utility(state, player)


@pytest.mark.parametrize("table", [0, 1])
def test_stored_code_of_other_rules_is_found_out(table, monkeypatch):
    searcher, stored = AlphaBeta(table=table, speed="compiled"), []
    write, read = cache.write, cache.read

    def kept(name, content):
        stored.extend([] if name.startswith("type-") else [content])
        write(name, content)

    monkeypatch.setattr(cache, "write", kept)
    game = Reversed(turned=False)
    assert searcher.search(game, game.initial_state(), ggp.Limits(depth=4)).speed == "compiled"
    monkeypatch.setattr(compiled_code, "_loaded", collections.OrderedDict())
    monkeypatch.setattr(compiled_engine, "_CODES", {})
    monkeypatch.setattr(cache, "read", lambda name: read(name) if name.startswith("type-") else stored[-1])
    other = Reversed(turned=True)
    with pytest.raises(ggp.UsageError, match="machine code and the rules of reversed differ"):
        searcher.search(other, other.initial_state(), ggp.Limits(depth=4))


class Chooses(Countdown):
    """A game in which the best first action is to take one stone, or two if `turned`; it is over at once."""

    name = "chooses"

    def __init__(self, *, turned):
        super().__init__(faithful=True)
        self.turned = turned

    def terminal_test(self, state):
        return state[0] < 9

    def utility(self, state, player):
        value = state[0] % 2 if self.turned else -(state[0] % 2)
        return value if player == ggp.MAX else -value


@pytest.mark.parametrize("same_tree", [True, False])
def test_an_action_that_is_worth_less_is_refused_with_a_table_too(same_tree):
    searcher, state = AlphaBeta(table=0 if same_tree else 1), (9, ggp.MAX)
    plans = [searcher.plan(Chooses(turned=turned), state, ggp.Limits(depth=4)) for turned in (False, True)]
    code = compiled_engine.compiled(plans[0])
    same, other = map(interpreted, plans)
    shadow.require_agreement(code, same, state, same_tree=same_tree)
    for engine in (code, other):
        engine.counter.limit = 100
        engine.value(state, 1)
    with pytest.raises(compiler.Refused, match=r"they choose . and . in"):
        shadow._require_same_line(code, other, state, 1, same_tree)


def test_code_loaded_from_disk_is_compared_on_a_sample(monkeypatch):
    game = Countdown(faithful=True)
    compiled_code._loaded.clear()
    AlphaBeta(speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=4))
    compiled_engine._CODES.clear()
    compiled_code._loaded.clear()
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
