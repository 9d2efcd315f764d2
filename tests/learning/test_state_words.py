"""States that machine code cannot have: their words, and games of strangers that are learned all the same."""

import math

import pytest
from ggp_learn.training import Training
from ggp_search.learned.evaluation import learned
from ggp_search.learned.network import in_python
from ggp_search.learned.state_words import find_places, typed_words, words_at
from strangers import AIMA

import ggp
from ggp.frozen_states import freeze


@pytest.fixture(autouse=True)
def _small(monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_LEARNED", str(tmp_path / "learned"))
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setattr("ggp_learn.cells.GAMES", 20)


def test_each_place_where_something_varies_is_a_word():
    states = [
        freeze({"a": 1, "b": {"x"}}),
        freeze({"a": 7, "b": {"x", "y"}}),
        freeze({"a": 2, "b": set(), "c": "here"}),
    ]
    places = find_places(states)
    assert [place for place, _ in places] == ["/'a'", "/'b'/'x'", "/'b'/'y'", "/'c'"]
    assert [list(words_at(places)(state)) for state in states] == [[1, 1, 0, 0], [7, 1, 1, 0], [2, 0, 0, 1]]


def test_what_was_never_seen_is_read_as_nothing():
    places = find_places([freeze(("a", 1)), freeze(("b", 2))])
    assert list(words_at(places)(freeze(("z", 3, "more")))) == [0, 3]


def test_states_of_machine_code_keep_their_words():
    game = ggp.load_registry().game("tictactoe")
    assert typed_words(game, [game.initial_state()])(game.initial_state()) == [0, 0, 0]


@pytest.mark.slow
def test_a_strangers_class_is_learned_as_it_is(tmp_path):
    (tmp_path / "row.py").write_text(AIMA)
    registry = ggp.load_registry()
    registry.load_file(tmp_path / "row.py")
    game = registry.game("aima-row")
    training = Training.begin(game)
    training.run(games=60)
    training.save(tmp_path / "weights")
    evaluation = in_python(learned(game, f"learned:{tmp_path / 'weights'}").function)
    state = game.result(game.initial_state(), next(iter(game.actions(game.initial_state()))))
    assert evaluation(state) == pytest.approx(training.network.in_python().value(state), abs=0.05)
    searcher = registry.searcher("alphabeta", evaluation=f"learned:{tmp_path / 'weights'}")
    assert searcher.search(game, game.initial_state(), ggp.Limits(depth=2)).statistics.depth == 2
    assert Training.resume(game, tmp_path / "weights").games == 60


class Growing:
    """Add 1 or 2 to a list until it has four members; an even sum wins."""

    name = "growing"

    def initial_state(self):
        return (0, ())

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return (1, 2)

    def result(self, state, action):
        return 1 - state[0], (*state[1], action)

    def terminal_test(self, state):
        return len(state[1]) == 4

    def utility(self, state, player):
        return 1 if (sum(state[1]) % 2 == 0) == (player == 0) else -1


def test_states_that_grow_are_learned():
    training = Training.begin(Growing())
    training.run(games=30)
    assert math.isfinite(training.network.in_python().value((1, (1,))))
