"""What the review of a game says of its moves."""

import pytest

import ggp
from ggp import Limits
from ggp.web import address, findings, review, value_store
from ggp.web.game_history import read_history
from ggp.web.value_store import StateValue, value_of

REGISTRY = ggp.load_registry()


def shown(game, moves):
    entry = REGISTRY.games[game]
    return read_history(REGISTRY, entry, address.read(entry, f"moves={moves}"))


def values(*found):
    return [StateValue(value, True, 1, 9, best) for value, best in found]


@pytest.mark.parametrize(
    ("known", "verdicts"),
    [
        ([(0, "5"), (0, "1")], [""]),
        ([(0, "1"), (0, "1")], [""]),
        ([(0, "1"), (-1, "1")], ["blunder"]),
        ([(1, "1"), (0, "1")], ["blunder"]),
        ([(1, "5"), (0, "1")], [""]),  # what the search held for best is no mistake
        ([(0, "1"), (0, "2"), (1, "")], ["", "blunder"]),  # MIN wants it low
        ([(1, "1"), (1, "2"), (0, "")], ["", ""]),
    ],
)
def test_moves_are_judged_by_what_they_give_away(known, verdicts):
    game = shown("tictactoe", ",".join(["5", "9"][: len(verdicts)]))
    assert [each.verdict for each in review.judged(game, values(*known))] == verdicts


def test_a_mistake_gives_away_less_than_a_blunder():
    game = shown("kalah", "A")
    lost = {1: "", 4: "mistake", 12: "blunder"}
    for seeds, verdict in lost.items():
        (found,) = review.judged(game, values((0, "C"), (-seeds, "a")))
        assert (found.verdict, found.best) == (verdict, "C" if verdict else "")


def test_moves_with_unknown_values_are_not_judged():
    game = shown("tictactoe", "5")
    assert review.judged(game, [None, *values((0, "1"))])[0].verdict == ""
    assert review.judged(game, [*values((0, "1")), None]) == [None]


def test_mistakes_are_counted_for_each_side():
    game = shown("tictactoe", "5,9")
    found = review.judged(game, values((0, "1"), (-1, "1"), (1, "")))
    assert review.summary(game, found) == ["X: no mistake, 1 blunder", "O: no mistake, 1 blunder"]


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
    monkeypatch.setattr(findings, "SHORTLY", Limits(nodes=5_000_000))
    entry = REGISTRY.games[game]
    history = read_history(REGISTRY, entry, address.read(entry, query))
    found = findings.with_distance(history, findings.analyse(history, Limits()))
    shown = findings.finding(history, found, value_of(history.game, history.state, found), running=False)
    assert shown.sure == sure


def test_where_the_time_is_over_at_once_an_analysis_looks_one_ply_ahead(monkeypatch):
    monkeypatch.setattr(findings, "AT_ONCE", Limits(seconds=1e-9))
    entry = REGISTRY.games["kalah"]
    found = findings.at_once(read_history(REGISTRY, entry, address.read(entry, "seeds=12")))
    assert (found.statistics.depth, len(found.values)) == (1, 6)


def test_points_that_the_clock_has_cut_short_are_searched_again(monkeypatch):
    game = REGISTRY.game("tictactoe")
    start = game.initial_state()
    states, cache = [start, game.result(start, next(iter(game.actions(start))))], value_store.ValueCache()
    monkeypatch.setattr(value_store, "GLANCE", 0.0)
    monkeypatch.setattr(value_store, "PATIENCE", 1e-9)
    value_store.along(game, states, cache, REGISTRY.searcher("alphabeta"))
    known = cache.known([value_store.key(game, state) for state in states])
    assert not any(value.exact for value in known.values())
    monkeypatch.setattr(value_store, "PATIENCE", 600.0)
    found = value_store.along(game, states, cache, REGISTRY.searcher("alphabeta"))
    assert [(value.value, value.hurried) for value in found] == [(0, False)] * 2
