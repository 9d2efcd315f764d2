"""Levels: budgets that every game has, and the files of what tournaments found."""

from typing import ClassVar

import attrs
import pytest
from random_games import game

import ggp
from ggp import capabilities
from ggp.levels import (
    FORMAT,
    Grading,
    against_person,
    elo,
    hint_level,
    is_small,
    levels,
    own_file,
    read,
    usual_level,
    varied,
    write,
)
from ggp.play import Machine, make_player


@attrs.frozen
class Plain:
    """A game without a word about levels: take 1 to 3 of the stones; whoever takes the last one wins."""

    name: ClassVar[str] = "plain"
    stones: int = ggp.option(9, "stones", minimum=1, maximum=99)

    def initial_state(self):
        return (self.stones, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def result(self, state, action):
        return (state[0] - action, 1 - state[1])

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if state[1] == player else 1


class Judged(Plain):
    """The same with an evaluation."""

    name: ClassVar[str] = "judged"
    evaluations: ClassVar = {"none": ggp.Evaluation(lambda state: 0, "nothing")}


FOUND = Grading(
    game="plain",
    parameters={"stones": 9},
    searcher="negascout:table=4",
    easy="depth=3,weak=0.4",
    perfect=True,
    elo={"easy": 80, "medium": 200, "hard": 300, "master": 300, "perfect": 300},
    results={"easy": (6, 0, 4)},
    share=0.1,
)


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The user's own file, which does not exist yet."""
    monkeypatch.setenv("GGP_LEVELS", str(tmp_path / "data" / "levels.jsonl"))
    return own_file()


@pytest.fixture
def table(own):
    """A registry with the games of this file."""
    registry = ggp.load_registry()
    registry.register(Plain)
    registry.register(Judged)
    return registry


def test_a_game_without_a_word_about_levels_gets_them_all(table):
    assert dict(levels(table, Judged())) == {
        "easy": "alphabeta:depth=2,weak=0.2",
        "medium": "alphabeta:nodes=1000",
        "hard": "alphabeta:seconds=0.5",
        "master": "alphabeta:seconds=3,threads=2,book=auto",
    }
    assert elo(table, Judged()) == {}


def test_without_an_evaluation_a_searcher_that_samples_plays_the_upper_levels(table):
    assert list(levels(table, Plain()).values()) == [
        "alphabeta:depth=2,weak=0.2",
        "mcts:nodes=200",
        "mcts:seconds=0.5",
        "mcts:seconds=3,threads=2,book=auto",
    ]


def test_levels_are_played_by_the_searcher_that_a_tournament_found(table, own):
    write(own, [FOUND])
    assert dict(levels(table, Plain())) == {
        "easy": "alphabeta:depth=3,weak=0.4",
        "medium": "negascout:table=4,nodes=1000",
        "hard": "negascout:table=4,seconds=0.5",
        "master": "negascout:table=4,seconds=3,threads=2,book=auto",
        "perfect": "negascout:table=4,seconds=3,threads=2,book=auto",
    }
    assert elo(table, Plain()) == FOUND.elo


def test_with_other_parameters_there_is_the_searcher_but_no_elo(table, own):
    write(own, [FOUND])
    assert list(levels(table, Plain(stones=99))) == ["easy", "medium", "hard", "master"]
    assert levels(table, Plain(stones=10))["perfect"] == "solver:seconds=3,threads=2,book=auto"
    assert levels(table, Plain(stones=10))["hard"] == "negascout:table=4,seconds=0.5"
    assert elo(table, Plain(stones=10)) == {}


def test_a_searcher_that_is_not_installed_is_replaced(table, own):
    write(own, [attrs.evolve(FOUND, searcher="gone:table=4")])
    assert levels(table, Plain())["hard"] == "mcts:seconds=0.5"


def test_a_searcher_that_chooses_the_evaluation_itself_may_have_been_found(table, own):
    write(own, [attrs.evolve(FOUND, searcher="mcts:prior=5")])
    assert levels(table, Plain())["hard"] == "mcts:prior=5,seconds=0.5"


def test_a_searcher_that_needs_learned_weights_plays_only_the_board_that_they_are_for(own):
    registry = ggp.load_registry()
    assert levels(registry, registry.game("hex"))["hard"] == "mcts:evaluation=learned,seconds=0.5"
    assert levels(registry, registry.game("hex", size=11))["hard"] == "alphabeta:seconds=0.5"


def test_medium_may_have_a_player_of_its_own(table, own):
    write(own, [attrs.evolve(FOUND, medium="scout:nodes=1000")])
    assert levels(table, Plain())["medium"] == "scout:nodes=1000"
    assert levels(table, Plain())["hard"] == "negascout:table=4,seconds=0.5"
    write(own, [attrs.evolve(FOUND, medium="gone:nodes=1000")])
    assert levels(table, Plain())["medium"] == "negascout:table=4,nodes=1000"


def test_findings_replace_those_of_the_same_game_and_parameters_only(own):
    write(own, [FOUND, attrs.evolve(FOUND, parameters={"stones": 10})])
    write(own, [attrs.evolve(FOUND, share=1.0)])
    assert [(each.parameters, each.share) for each in read(own)] == [({"stones": 10}, 0.1), ({"stones": 9}, 1.0)]


def test_a_damaged_file_is_reported_when_it_is_read_and_leaves_the_usual_levels(table, own):
    write(own, [FOUND])
    own.write_bytes(own.read_bytes().replace(b"negascout", b"negascoot"))
    with pytest.raises(
        ggp.StoreError, match=r"levels.jsonl is damaged: its checksum is wrong.*measure the levels again"
    ):
        read(own)
    assert levels(table, Plain())["hard"] == "mcts:seconds=0.5"


def test_a_line_that_says_too_little_is_damage(own):
    own.parent.mkdir()
    own.write_bytes(FORMAT.encode(b'{"game":"plain"}\n'))
    with pytest.raises(ggp.StoreError, match="damaged"):
        read(own)


@pytest.mark.parametrize("name", ggp.load_registry().games)
def test_the_levels_of_every_game_are_machines_within_their_budgets(registry, name):
    found, played = levels(registry, game(name)), game(name)
    assert list(found)[:4] == ["easy", "medium", "hard", "master"]
    limits = {}
    for level in found:
        player = make_player(registry, level, played, seed=1)
        assert isinstance(player, Machine)
        limits[level] = player.limits
        threads = getattr(player.searcher, "threads", 1)
        assert threads == (2 if level in ("master", "perfect") and hasattr(player.searcher, "threads") else 1)
    assert limits["easy"].depth in (2, 3, 4)
    assert limits["medium"].nodes in (200, 1000)
    assert (limits["hard"].seconds, limits["master"].seconds) == (0.5, 3)


@pytest.mark.parametrize("name", ["kalah", "connectfour", "nim"])
def test_the_elo_of_shipped_games_grows_from_level_to_level(registry, name):
    found = elo(registry, game(name))
    assert list(found) == list(levels(registry, game(name)))
    assert sorted(found.values()) == list(found.values())


@pytest.mark.parametrize("name", ["kalah", "connectfour"])
def test_where_the_value_is_known_perfect_proves_what_no_book_has(registry, name):
    played = game(name)
    assert levels(registry, played)["perfect"] == "solver:seconds=3,threads=2,book=auto"
    found = make_player(registry, "perfect", played).think(played, played.initial_state())
    assert (found.exact, found.statistics.nodes) == (True, 0)
    assert varied(registry, "perfect", played) == "perfect"  # a proof finds one best move, not all


def test_with_other_parameters_nothing_is_known_and_there_is_no_perfect(registry):
    assert "perfect" not in levels(registry, registry.game("connectfour", width=6))


def test_against_a_person_a_level_with_a_limit_of_time_keeps_its_tree(registry):
    hexes = game("hex")
    assert against_person(registry, "hard", hexes) == "hard:ties=random,keep=yes"
    assert make_player(registry, "hard:ties=random,keep=yes", hexes).searcher.keep
    assert against_person(registry, "medium", game("nim")) == "medium:ties=random"
    assert against_person(registry, "hard", game("kalah")) == "hard:ties=random"  # it has no tree
    assert against_person(registry, "perfect", game("kalah")) == "perfect"
    assert against_person(registry, "mcts:seconds=1", hexes) == "mcts:seconds=1"


SMALL = {"othello": {"size": 4}, "domineering": {"rows": 4, "columns": 4}, "connectfour": {"width": 6, "height": 5}}


@pytest.mark.parametrize("name", SMALL)
def test_variants_whose_value_is_likely_to_be_found_have_the_level_perfect(registry, name):
    played = registry.game(name, **SMALL[name])
    assert levels(registry, played)["perfect"] == "solver:seconds=3,threads=2,book=auto"
    assert "perfect" not in elo(registry, played)


@pytest.mark.parametrize("name", ["othello", "checkers", "pig", "breakthrough"])
def test_games_that_are_large_or_have_no_proof_have_no_level_perfect(registry, name):
    assert not is_small(game(name))
    assert "perfect" not in levels(registry, game(name))


def test_faults_in_the_rules_cost_no_level(registry):
    class Faulty(type(game("nim"))):
        def result(self, state, action):
            raise ZeroDivisionError

    assert not is_small(Faulty())


@pytest.mark.parametrize("name", ["nim", "tictactoe", "fig52", "hexapawn"])
def test_the_level_perfect_finds_the_value_of_a_small_game(registry, name):
    played = game(name)
    found = make_player(registry, "perfect", played).think(played, played.initial_state())
    assert found.exact


def test_master_plays_what_the_game_knows(registry):
    kalah = game("kalah")
    found = make_player(registry, "master", kalah).think(kalah, kalah.initial_state())
    known = capabilities.known_values(kalah, kalah.initial_state())
    assert (found.exact, found.value, found.statistics.nodes) == (True, known[found.action], 0)


def test_a_person_meets_medium_and_is_advised_by_hard(registry):
    assert (usual_level(registry, game("kalah")), hint_level(registry, game("kalah"))) == ("medium", "hard")

    class Own(Plain):
        levels: ClassVar = {"one": "random", "two": "random", "three": "random"}

    assert (usual_level(registry, Own()), hint_level(registry, Own())) == ("two", "three")
