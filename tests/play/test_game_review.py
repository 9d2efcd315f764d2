"""What the review of a game says of its moves, by any searcher."""

import attrs
import pytest

import ggp
from ggp.play import review
from ggp.play.controller import values_are_means
from ggp.play.review import MoveValue
from ggp.searcher import SearchResult, Statistics

REGISTRY = ggp.load_registry()


def value(best, played, *, exact=True):
    return MoveValue(
        best="best", best_value=best, value=played, exact=exact, depth=9, nodes=1, limit=1, reply="", hurried=False
    )


def searching(game, asked=None):
    """Return a search of a game that notes what it is asked."""
    searcher = REGISTRY.searcher("alphabeta", speed="interpreted")

    def search(state, limits):
        if asked is not None:
            asked.append(limits)
        return searcher.search(game, state, limits)

    return search


@pytest.mark.parametrize(
    ("game", "best", "played", "verdict"),
    [
        ("tictactoe", 0, 0, ""),
        ("tictactoe", 0, -1, "blunder"),
        ("tictactoe", 1, 0, "blunder"),
        ("kalah", 0, -1, ""),
        ("kalah", 0, -4, "mistake"),
        ("kalah", 0, -12, "blunder"),
        ("kalah", -12, 0, ""),  # better than what the search held for best
        ("pig", 0.1, 0.0, ""),
        ("pig", 0.1, -0.15, "mistake"),
    ],
)
def test_moves_are_judged_by_what_they_give_away(game, best, played, verdict):
    made = REGISTRY.game(game)
    assert review.judge(made, made.initial_state(), value(best, played)).verdict == verdict


def test_min_loses_what_max_wins():
    game = REGISTRY.game("tictactoe")
    state = game.result(game.initial_state(), 4)
    assert [review.judge(game, state, value(0, played)).verdict for played in (-1, 0, 1)] == ["", "", "blunder"]


@pytest.mark.parametrize(
    ("game", "found", "words"),
    [
        ("kalah", value(8, -10), "best was best (8 seeds for South), South lost 18 seeds"),
        ("kalah", value(8, -10, exact=False), "best was best (8 seeds for South), South lost 18 seeds"),
        ("tictactoe", value(0, -1), "best was best (a draw), now it is a win for O"),
        ("othello", value(40, -40, exact=False), "best was best (better for Black), now it is better for White"),
        ("othello", value(40, -40), "best was best (40 discs for Black), Black lost 80 discs"),
    ],
)
def test_a_mistake_is_told_in_the_words_of_the_game(game, found, words):
    made = REGISTRY.game(game)
    assert review.judge(made, made.initial_state(), found).sentence == words


def test_the_visitor_is_addressed():
    game = REGISTRY.game("kalah")
    assert review.judge(game, game.initial_state(), value(8, -10), "you").loss == "you lost 18 seeds"


def test_what_the_solved_table_knows_is_not_searched():
    game, asked = REGISTRY.game("kalah"), []
    state = game.initial_state()
    found = review.reviewed(game, state, game.parse_action(state, "B"), searching(game, asked), 100)
    assert (found.best, found.best_value, found.value, found.exact, asked) == ("C", 8, -10, True, [])


def test_a_move_and_the_best_one_are_seen_at_the_same_depth():
    game, asked = REGISTRY.game("kalah", seeds=3), []
    state = game.result(game.initial_state(), 1)
    actions = list(game.actions(state))
    for action in actions:
        asked.clear()
        found = review.compared(game, state, action, searching(game, asked), 300)
        for limits in asked[1:]:  # none if it is the best move itself
            assert limits.depth in (found.depth - 1, found.depth)
        at_depth = REGISTRY.searcher("alphabeta", speed="interpreted").analyse(
            game, state, ggp.Limits(depth=found.depth)
        )
        assert found.value == at_depth.values[action]


def test_a_loss_that_is_not_larger_than_its_doubt_is_not_marked():
    game = REGISTRY.game("othello")
    state = game.initial_state()
    found = review.MoveValue("c5", 8.0, 0.0, exact=False, depth=6, nodes=100, limit=1000)
    gone = review.lost(game, 0, found)
    assert review.judge(game, state, found).sign == "?"
    assert review.judge(game, state, attrs.evolve(found, doubt=gone)).sign == ""


def test_a_lost_game_leaves_no_doubt_and_an_estimate_leaves_what_it_has_changed():
    game = REGISTRY.game("connectfour")
    before = review.MoveValue("4", 0.0, 0.0, exact=False, depth=6, nodes=100, limit=100)
    assert review.doubt(game, before, attrs.evolve(before, best_value=1.0, value=-1.0)) == 0
    changed = review.doubt(game, before, attrs.evolve(before, value=-0.2))
    assert changed == pytest.approx(review.lost(game, 0, attrs.evolve(before, value=-0.2)))
    assert review.doubt(game, before, before) == 0


def test_a_mean_result_is_the_chances_themselves():
    game = REGISTRY.game("hex")
    found = review.MoveValue("c5", 0.9, 0.6, exact=False, depth=6, nodes=100, limit=100, mean=True)
    assert review.lost(game, 0, found) == pytest.approx(0.3)
    assert review.lost(game, 0, attrs.evolve(found, mean=False)) < 0.1


def test_estimates_are_means_where_they_are_learned_and_only_wins_count():
    games = ("hex", "breakthrough", "othello", "kalah", "domineering")
    means = [name for name in games if values_are_means(REGISTRY, REGISTRY.game(name))]
    assert means == ["hex", "breakthrough"]


def test_what_seems_a_mistake_is_looked_at_again_with_more_nodes():
    game, asked = REGISTRY.game("kalah", seeds=3), []
    state = game.result(game.initial_state(), 1)
    for action in game.actions(state):
        asked.clear()
        found = review.reviewed(game, state, action, searching(game, asked), 100)
        again = any((limits.nodes or 0) >= 1000 for limits in asked)
        assert again == (found.limit >= 1000)
        assert again or review.lost(game, game.to_move(state), found) < review.MISTAKE


@pytest.mark.parametrize(("plies", "marked"), [(10, True), (11, False)])
def test_a_loss_is_marked_if_the_other_move_is_not_lost_at_twice_the_depth(plies, marked):
    """Here moves are lost from that many plies on, and the best move is never seen to be lost."""
    game = REGISTRY.game("connectfour", width=8)
    state, dull = game.initial_state(), game.parse_action(game.initial_state(), "1")

    def search(place, limits):
        is_start, depth = place == state, min(limits.depth or 20, 20)
        value = 0.0 if is_start or depth < plies else -1.0
        statistics = Statistics(depth=depth)
        best = game.parse_action(place, "4")
        return SearchResult(action=best, value=value, complete=True, statistics=statistics)

    found = review.reviewed(game, state, dull, search, 100)
    assert (found.best, found.value) == ("4", -1.0)
    assert bool(review.judge(game, state, found).verdict) is marked


def test_moves_without_a_choice_are_not_reviewed():
    game = REGISTRY.game("nim", heaps=(1, 1))
    match = ggp.play.Match(game, (None, None), game.initial_state())
    while not match.over:
        match.play(next(iter(game.actions(match.state))))
    assert review.moves_of_players(game, match.moves) == [0]


def test_mistakes_are_counted_for_each_side():
    game = REGISTRY.game("tictactoe")
    moves = [(0, None), (1, review.Judged(value(0, 1), "blunder")), (0, review.Judged(value(1, 0), "mistake"))]
    assert review.summary(game, moves) == ["X: 1 mistake, no blunder", "O: no mistake, 1 blunder"]


def test_a_move_that_is_no_mistake_is_praised_by_its_value():
    assert review.praise(value(3, 3), "best") == "best is best"
    assert review.praise(value(3, 3), "C") == "C is as good as best"
    assert review.praise(value(3, 2), "C") == "C is almost as good as best"
