"""The searcher that proves: what it plays, and that it says whether the value is known."""

import json
import pathlib

import pytest
from ggp_solve.proof.proof_searcher import UNKNOWN, WINNER

import ggp
from ggp.opening_book import known_values

REGISTRY = ggp.load_registry()
FOUR = REGISTRY.game("connectfour")
FEW = ggp.Limits(nodes=100_000)
DATA = pathlib.Path(__file__).parents[1] / "data"
SCORED = json.loads((DATA / "connectfour.json").read_text(encoding="utf-8"))
KALAH = json.loads((DATA / "kalah_solved.json").read_text(encoding="utf-8"))


def board(game, ring, player):
    """The state of a board given as a flat ring, see tests/data/README.md."""
    houses = game.houses
    numbers = [houses, ring[houses], ring[-1], *ring[:houses], *ring[houses + 1 : -1]]
    return game.parse_state(f"<{','.join(map(str, numbers))}> {'SN'[player]}")


def sign(value):
    return (value > 0) - (value < 0)


@pytest.mark.parametrize("number", [0, *(pytest.param(number, marks=pytest.mark.slow) for number in (20, 45, 70))])
def test_what_is_proved_agrees_with_the_published_score(number):
    position = [each for each in SCORED if each["set"] in ("middle-easy", "middle-medium")][number]
    state = FOUR.parse_state(position["moves"])
    found = REGISTRY.searcher("solver").search(FOUR, state, ggp.Limits(nodes=4_000_000))
    assert (found.exact, found.complete, found.stopped) == (True, True, None)
    worth = position["score"] if FOUR.to_move(state) == ggp.MAX else -position["score"]
    assert found.value == sign(worth)
    after = FOUR.result(state, found.action)
    if not FOUR.terminal_test(after):  # the move keeps the value
        assert REGISTRY.searcher("solver").search(FOUR, after, ggp.Limits(nodes=4_000_000)).value == found.value


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 45, 90, 135, 175])
def test_it_finds_the_exact_value_in_kalah(number):
    position = KALAH[number]
    game = REGISTRY.game("kalah", houses=position["houses"], capture=position["capture"])
    state = board(game, position["board"], position["player"])
    found = REGISTRY.searcher("solver").search(game, state, ggp.Limits(nodes=8_000_000))
    value = position["value"] if position["player"] == 0 else -position["value"]
    assert (found.exact, found.value) == (True, value)


@pytest.mark.slow
def test_what_is_not_proved_is_not_exact_and_said():
    found = REGISTRY.searcher("solver").search(FOUR, FOUR.parse_state("44"), FEW)
    assert (found.exact, found.note) == (False, UNKNOWN)
    assert -1 < found.value < 1


def test_who_wins_is_proved_before_by_how_much():
    game = REGISTRY.game("kalah", houses=5, seeds=3)
    found = REGISTRY.searcher("solver").search(game, game.initial_state(), ggp.Limits(nodes=4_000))
    assert (found.exact, found.note) == (False, WINNER)
    assert found.proved[0] > 0
    value = 6  # as published
    assert found.proved[0] <= value <= found.proved[1]


def test_an_interpreted_search_that_proves_nothing_says_so(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    found = REGISTRY.searcher("solver").search(FOUR, FOUR.parse_state("44"), ggp.Limits(nodes=50))
    assert found.exact is False
    assert found.note.startswith(UNKNOWN)


def test_interpreted_rules_get_all_the_time(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    game = REGISTRY.game("othello", size=4)
    found = REGISTRY.searcher("solver").search(game, game.initial_state(), ggp.Limits(nodes=2_500))
    assert (found.exact, found.value) == (True, -8)


def test_without_limits_it_searches_to_the_end():
    game = REGISTRY.game("nim", heaps=(1, 2, 4))
    found = REGISTRY.searcher("solver").search(game, game.initial_state())
    assert (found.exact, found.value) == (True, 1)


def test_a_game_of_chance_is_refused():
    game = REGISTRY.game("pig")
    with pytest.raises(ggp.UnsupportedGameError, match="pig is a game of chance"):
        REGISTRY.searcher("solver").search(game, game.initial_state(), FEW)


def test_what_the_game_knows_needs_no_search():
    kalah = REGISTRY.game("kalah")
    found = REGISTRY.searcher("solver", book="auto").search(kalah, kalah.initial_state(), FEW)
    assert (found.exact, found.statistics.nodes) == (True, 0)
    assert found.value == known_values(kalah, kalah.initial_state())[found.action]
