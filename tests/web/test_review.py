"""What the review of a game says of its moves."""

import attrs
import pytest

import ggp
from ggp import Limits
from ggp.play import review
from ggp.web import address, game_review, live_results, value_store
from ggp.web.game_history import read_history
from ggp.web.value_store import ValueCache, value_of

REGISTRY = ggp.load_registry()


def shown(game, moves):
    entry = REGISTRY.games[game]
    return read_history(REGISTRY, entry, address.read(entry, f"moves={moves}"))


def test_a_review_of_the_page_goes_on_at_the_next_look(monkeypatch):
    history, values = shown("tictactoe", "5,2,1,9"), ValueCache()
    monkeypatch.setattr(game_review, "LOOK", -1.0)
    begun = game_review.game_review(history, values)
    assert (begun.done, begun.wanted, begun.running) == (0, 4, True)
    monkeypatch.setattr(game_review, "LOOK", 600.0)
    monkeypatch.setattr(game_review, "PATIENCE", 600.0)
    monkeypatch.setattr(game_review, "EACH", 600.0)
    found = game_review.game_review(history, values)
    assert (found.done, found.running) == (4, False)
    assert found.mistakes((1,), history) == [2]
    monkeypatch.setattr(game_review, "LOOK", -1.0)
    assert game_review.game_review(history, values).moves == found.moves  # nothing is searched twice


def test_the_page_knows_a_move_of_the_solved_table_without_search(monkeypatch):
    history, values = shown("kalah", "B"), ValueCache()
    monkeypatch.setattr(game_review, "PATIENCE", -1.0)  # a search would find no time
    (found,) = game_review.game_review(history, values).moves
    assert found.sentence == "best was C (8 seeds for South), South lost 18 seeds"
    (after,) = value_store.along(history.game, history.states[1:], values, None)
    assert (after.value, after.exact) == (-10, True)


def test_the_bar_is_even_at_zero_and_full_at_a_win():
    game = REGISTRY.game("tictactoe")
    state = game.initial_state()
    assert [review.share(game, state, value) for value in (-1, 0, 1)] == pytest.approx([0, 0.5, 1], abs=0.01)


@pytest.mark.parametrize(
    ("game", "query", "sure"),
    [
        ("tictactoe", "moves=1,2,4", "exact, 4 plies to the end"),  # whatever O does, X has two threats
        ("tictactoe", "moves=1,5", "exact, to the end of the game"),  # a draw
        ("kalah", "houses=2&seeds=1", "exact, to the end of the game"),  # its values are margins
    ],
)
def test_an_analysis_says_how_soon_a_game_that_is_decided_ends(game, query, sure, monkeypatch):
    monkeypatch.setattr(live_results, "SHORTLY", Limits(nodes=5_000_000))
    entry = REGISTRY.games[game]
    history = read_history(REGISTRY, entry, address.read(entry, query))
    found = live_results.with_distance(history, live_results.analyse(history, Limits()))
    shown = live_results.finding(history, found, value_of(history.game, history.state, found), running=False)
    assert shown.sure == sure


def test_where_the_limits_are_reached_at_once_an_analysis_looks_one_ply_ahead(monkeypatch):
    monkeypatch.setattr(live_results, "AT_ONCE", Limits(nodes=1))  # a clock would be looked at after some plies or none
    entry = REGISTRY.games["kalah"]
    found = live_results.at_once(read_history(REGISTRY, entry, address.read(entry, "seeds=12")))
    assert (found.statistics.depth, len(found.values)) == (1, 6)


def test_points_that_the_clock_has_cut_short_are_searched_again(monkeypatch):
    game = REGISTRY.game("tictactoe")
    start = game.initial_state()
    states, cache = [start, game.result(start, next(iter(game.actions(start))))], value_store.ValueCache()
    find = value_store._search
    with monkeypatch.context() as clock:
        clock.setattr(value_store, "_search", lambda *asked: attrs.evolve(find(*asked), exact=False, stopped="seconds"))
        cut = value_store.along(game, states, cache, REGISTRY.searcher("alphabeta"))
    assert [(value.exact, value.hurried) for value in cut] == [(False, True)] * 2
    monkeypatch.setattr(value_store, "PATIENCE", 600.0)
    found = value_store.along(game, states, cache, REGISTRY.searcher("alphabeta"))
    assert [(value.value, value.hurried) for value in found] == [(0, False)] * 2
