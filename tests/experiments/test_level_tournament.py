"""The tournament behind the levels of a game."""

import attrs
import pytest

import ggp
from ggp.experiments.level_tournament import LevelTournament
from ggp.levels import levels


def tournament(name, *searchers, games=4, **parameters):
    registry = ggp.load_registry()
    return LevelTournament(
        registry=registry,
        game=registry.game(name, **parameters),
        games=games,
        share=0.002,
        searchers=tuple(f"{each}:speed=interpreted" for each in searchers),
    )


def test_whoever_wins_stays_on():
    met = []

    class Scripted(LevelTournament):
        def meet(self, one, other, starts=()):
            met.append((one.partition(":")[0], other.partition(":")[0]))
            found = super().meet("minimax:depth=6", "random:seed=1") if "mtdf" in other else None
            return found or super().meet("random:seed=1", "minimax:depth=6")

    plain = tournament("nim", games=10)
    found = Scripted(
        registry=plain.registry, game=plain.game, games=10, searchers=("alphabeta", "negascout", "mtdf", "scout")
    )
    assert found.best_searcher() == "scout"
    assert met == [("alphabeta", "negascout"), ("negascout", "mtdf"), ("negascout", "scout")]


def test_those_who_are_preferred_or_sample_take_part():
    assert tournament("nim").usual_searchers() == ("alphabeta", "negascout", "mtdf", "mcts")
    assert "mcts" in tournament("pig").usual_searchers()


@pytest.mark.slow
def test_easy_has_more_weak_moves_the_stronger_it_would_be():
    found = tournament("nim", games=10)
    easy = found.best_easy("alphabeta")
    assert easy.startswith("depth=2,weak=0.")
    lost = found.meet(f"alphabeta:{easy}", "alphabeta:depth=1", found.any_starts(50))
    assert 20 <= lost.losses <= 50


@pytest.mark.parametrize(
    ("hard", "weaker", "chosen"),
    [(350, 200, None), (340, 200, "alphabeta:nodes=1000"), (340, 300, None), (340, 20, None)],
)
def test_the_preferred_searcher_plays_medium_where_hard_is_too_near(hard, weaker, chosen):
    class Scripted(LevelTournament):
        def best_easy(self, searcher):
            return "depth=2,weak=0.2"

        def rate_levels(self, beginner, texts):
            own = texts["medium"] == "scout:nodes=1000"
            return {}, {"easy": 0, "medium": 200 if own else weaker, "hard": hard if own else 380, "master": 700}

    nim = tournament("nim")
    found = Scripted(registry=nim.registry, game=nim.game, share=0.002, searchers=("scout",)).run()
    assert found.medium == chosen
    assert found.elo["medium"] == (weaker if chosen else 200)


def test_players_have_a_share_of_their_seconds_and_no_book():
    found = tournament("nim")
    assert found.hurried("alphabeta:seconds=3,threads=2,book=auto") == "alphabeta:seconds=0.006,threads=2"
    assert found.hurried("alphabeta:nodes=1000") == "alphabeta:nodes=1000"


def test_a_game_that_chance_begins_has_no_known_value():
    assert not tournament("einstein").finds_value("star1:nodes=20,speed=interpreted")


def test_a_game_for_one_player_has_levels_without_elo():
    found = tournament("pancakes", stack=(3, 1, 2)).run()
    assert (found.elo, found.results, found.perfect) == ({}, {}, True)
    assert found.searcher == "alphabeta"


def test_matches_begin_at_the_most_even_starts(monkeypatch):
    begun = []
    monkeypatch.setattr(
        "ggp.experiments.level_tournament.outcomes", lambda experiment, workshop: begun.append(experiment) or ()
    )
    small = tournament("kalah", "alphabeta", houses=2, seeds=2)
    found = attrs.evolve(small, share=1, games=32)
    found.meet("random:seed=1", "random:seed=2")
    starts = begun[0].starts
    exact = small.registry.searcher("alphabeta")
    values = [abs(exact.search(small.game, small.game.parse_state(start)).value) for start in starts]
    assert values == sorted(values)
    assert values[0] == 0 < values[-1]


def test_only_matches_against_a_beginner_have_any_starts():
    met = []

    class Scripted(LevelTournament):
        def meet(self, one, other, starts=()):
            met.append((one, other, starts))
            return super().meet("random:seed=1", "random:seed=2", self.any_starts(2))

    nim = tournament("nim")
    found = Scripted(registry=nim.registry, game=nim.game, games=4, share=0.002)
    found.rate_levels("alphabeta:depth=1", {"easy": "alphabeta:depth=2", "medium": "alphabeta:depth=3"})
    assert met == [
        ("alphabeta:depth=2", "alphabeta:depth=1", nim.any_starts(2)),
        ("alphabeta:depth=3", "alphabeta:depth=2", ()),
    ]


def test_the_levels_that_are_rated_are_those_that_are_played():
    rated = []

    class Scripted(LevelTournament):
        def best_easy(self, searcher):
            return "depth=2,weak=0.2"

        def rate_levels(self, beginner, texts):
            rated.append(texts)
            return {}, {"easy": 0, "medium": 200, "hard": 400, "master": 600}

        def finds_value(self, master):
            return False

    kalah = tournament("kalah")
    found = Scripted(registry=kalah.registry, game=kalah.game, searchers=("mcts",)).run()
    (texts,) = rated
    assert texts["medium"] == "alphabeta:nodes=1000"
    assert texts.items() <= levels(kalah.registry, kalah.game, found).items()
