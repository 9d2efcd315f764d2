"""Descriptions that take long: interpreted at once, translated in another process. Ends without goals, and goals that
are not opposed.
"""

import pickle
import subprocess

import pytest
from ggp_gdl import grounding, library, listing, translation, written
from ggp_gdl.grounding import Deadline
from ggp_gdl.library import Named, game_named, interpreted_form, load, make, relation_class
from ggp_gdl.rehearsal import rehearsed
from ggp_search.playouts import measure

import ggp
from ggp import capabilities
from ggp.cli import main

RACE = """
(role a) (role b) (succ 0 1) (succ 1 2) (succ 2 3) (init (at 0)) (init (turn a))
(<= (legal ?p win) (true (turn ?p))) (<= (legal ?p rest) (true (turn ?p)))
(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
(<= (next (won ?p)) (does ?p win)) (<= (next (won ?p)) (true (won ?p)))
(<= won (true (won ?p))) (<= terminal won) (<= terminal (true (at 3)))
"""
GOALS = "(<= (goal ?p 100) (true (won ?p))) (<= (goal ?p 0) (role ?p) won (not (true (won ?p))))"
DRAWS = RACE + GOALS + "(<= (goal ?p 50) (role ?p) never)"


def forms(text, goals="opposed"):
    """The class that is written, and the interpreted rules."""
    referee = rehearsed(text, "race", goals)
    return written.run(written.write(referee).source, "race")(), relation_class(referee)()


def play(game, *moves):
    state = game.initial_state()
    for move in moves:
        state = game.result(state, game.parse_action(state, move))
    return state


def test_an_end_at_which_nobody_has_a_goal_is_a_draw_of_a_game_that_has_draws():
    for game in forms(DRAWS):
        drawn, won = play(game, "rest", "rest", "rest"), play(game, "rest", "win")
        assert [game.terminal_test(each) for each in (drawn, won)] == [True, True]
        assert [game.utility(each, ggp.MAX) for each in (drawn, won)] == [0, -1]


def test_an_end_at_which_nobody_has_a_goal_is_refused_in_a_game_without_draws():
    with pytest.raises(ggp.GGPError, match=r"a has no goal at the end \(at 3\)"):
        make(RACE + GOALS, "gdl:race")


def test_an_end_at_which_one_player_has_no_goal_is_refused():
    goals = "(<= (goal a 50) (true (at 3))) (<= (goal ?p 100) (true (won ?p)))"
    with pytest.raises(ggp.GGPError, match="has no goal at the end"):
        make(RACE + goals, "gdl:race")


COUNTED = RACE + "(<= (goal a 60) (true (won a))) (<= (goal a 40) (not (true (won a)))) (<= (goal b 30) (true (won a)))"
COUNTED += "(<= (goal b 10) (not (true (won a))) (not (true (won b)))) (<= (goal b 90) (true (won b)))"


def test_goals_that_are_not_opposed_are_played_for_their_difference_if_the_file_beside_says_so(tmp_path):
    path = tmp_path / "race.kif"
    path.write_text(COUNTED)
    with pytest.raises(ggp.GGPError, match=r"not opposed.*60/30.*write goals = .difference. into .*race.toml"):
        load(Named(path, "gdl:race"))
    path.with_suffix(".toml").write_text('goals = "difference"')
    game = load(Named(path, "gdl:race"))()
    assert game.utility(play(game, "win"), ggp.MAX) == 30
    assert [form.utility(play(form, "rest", "win"), ggp.MAX) for form in forms(COUNTED, "difference")] == [-50, -50]


def test_the_end_of_a_name_says_that_a_game_is_played_for_the_difference(tmp_path):
    path = tmp_path / "race.kif"
    path.write_text(COUNTED)
    with pytest.raises(ggp.GGPError, match=r"name it 'gdl:.*race.kif\?goals=difference'"):
        game_named(str(path))
    game = game_named(f"{path}?goals=difference")()
    assert (game.utility(play(game, "win"), ggp.MAX), game.title) == (30, "Race")
    assert ggp.load_registry().game(game.name) == game


def test_what_takes_long_is_interpreted_until_another_process_has_made_the_class(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    begun = []
    monkeypatch.setattr(subprocess, "Popen", lambda *command, **_: begun.append(command) or Idle())
    request = translation.Request(DRAWS, "race", "opposed", "key")
    for _ in range(2):
        found = translation.translate(rehearsed(DRAWS, "race"), request, Deadline(-1))
        assert (found.source, found.reason) == ("", translation.BEGUN)
    assert len(begun) == 1
    assert written.recall("key") is None
    translation.serve(request)
    assert "class Game(PackedGame)" in written.recall("key").source
    assert not list((tmp_path / "gdl").glob("*.begun"))


def test_a_long_description_is_checked_when_it_is_named_and_read_when_it_is_played(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(library, "SHORT", len(DRAWS) - 1)
    path = tmp_path / "race.kif"
    path.write_text(DRAWS)
    with monkeypatch.context() as patched:
        patched.setattr(library, "make", None)
        named = listing.game_named(str(path))
    assert (named.deferred, named.title, named.player_names) == (True, "Race", ("a", "b"))
    game = named()
    assert game == game_named(str(path))() == ggp.load_registry().game(named.name)
    assert game.utility(play(game, "rest", "win"), ggp.MAX) == -1
    assert not capabilities.declared(listing.game_named(str(path)), "deferred")  # its class is kept now
    path.write_text(DRAWS + "(<= (next (won ?q)) true)")
    with pytest.raises(ggp.GGPError, match=r"race.kif, line 9: true has one argument; got 0"):
        listing.game_named(str(path))


def test_a_short_description_is_read_when_it_is_named(tmp_path):
    path = tmp_path / "race.kif"
    path.write_text(DRAWS)
    assert listing.game_named(str(path)) is game_named(str(path))


def test_a_game_comes_out_of_a_pickle_in_the_form_in_which_it_went_in():
    for game in (interpreted_form(DRAWS, "gdl:race")(), make(DRAWS, "gdl:race")()):
        assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301 - our own
    assert interpreted_form(DRAWS, "gdl:race")() != make(DRAWS, "gdl:race")()


RARE = """
(role a) (role b) (opt 0) (opt 1) (opt 2) (opt 3) (opt 4) (opt 5) (opt 6) (opt 7) (opt 8) (opt 9) (opt 10) (opt 11)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (at 0)) (init (turn a)) (init lucky)
(<= (legal ?p (pick ?i)) (true (turn ?p)) (opt ?i))
(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
(<= (next lucky) (true lucky) (does ?p (pick 0)))
(<= (next (last ?i)) (does ?p (pick ?i)))
(<= terminal (true (at 4)))
(<= low (true (last 0))) (<= low (true (last 1)))
(<= (goal ?p 60) (role ?p) (true lucky))
(<= (goal a 100) (not (true lucky)) low) (<= (goal b 0) (not (true lucky)) low)
(<= (goal ?p 50) (role ?p) (not (true lucky)) (not low))
"""
"""In one of 20,736 games all moves are 0, and both players prefer that end to a draw."""


def test_goals_that_are_found_not_opposed_stop_a_search_with_both_outcomes():
    game = make(RARE, "gdl:rare")()
    with pytest.raises(
        ggp.GGPError, match=r"a and b prefer the same one of the outcomes 50/50 and 60/60, in lucky \(at 4\)"
    ):
        ggp.load_registry().searcher("minimax").search(game, game.initial_state())


def test_playouts_say_which_goals_are_not_opposed():
    game = make(RARE, "gdl:rare")()
    with pytest.raises(ggp.GGPError, match="outcomes 50/50 and 60/60"):
        measure(game, game.initial_state(), seconds=None, playouts=100_000)


@pytest.mark.parametrize("limits", [{"nodes": 200_000}, {"seconds": 30.0}], ids=["nodes", "seconds"])
def test_a_monte_carlo_search_at_machine_speed_says_so_instead_of_going_on(limits):
    game = make(RARE, "gdl:rare")()
    with pytest.raises(ggp.GGPError, match=r"outcomes 50/50 and 60/60, in lucky \(at 4\)"):
        ggp.load_registry().searcher("mcts", speed="compiled").search(game, game.initial_state(), ggp.Limits(**limits))


def test_a_match_ends_with_the_goals_that_are_not_opposed(tmp_path, capsys):
    path = tmp_path / "rare.kif"
    path.write_text(RARE)
    assert main(["match", str(path), "mcts:playouts=100000", "random", "--games", "2", "--plies", "0"]) == 1
    said = capsys.readouterr()
    assert "game 1, mcts:playouts=100000 against random from" in said.err
    assert "a and b prefer the same one of the outcomes 50/50 and 60/60, in lucky (at 4)" in " ".join(said.err.split())
    assert "draws" not in said.out


LUCK = """
(role a) (role b) (opt 0) (opt 1) (opt 2) (opt 3) (opt 4) (opt 5) (opt 6) (opt 7) (opt 8) (opt 9) (opt 10) (opt 11)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (at 0)) (init (turn a)) (init lucky)
(<= (legal ?p (pick ?i)) (true (turn ?p)) (opt ?i) may)
(<= (legal b noop) (true (turn a)) rests) (<= (legal a noop) (true (turn b)))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= (next lucky) (true lucky) (does ?p (pick 0)))
(<= terminal (true (at 4))) (goal a 100) (goal b 0)
(<= common (not (true lucky))) (<= common (not (true (at 2))))
"""
"""After one of 144 beginnings, nothing is common."""
SURE = "(<= {} (true (turn ?p)))"


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (f"(<= may common) {SURE.format('rests')}", r"line 4: a has no legal move in lucky \(at 2\) \(turn a\)"),
        (f"{SURE.format('may')} (<= rests common)", r"line 4: b has no legal move in lucky \(at 2\) \(turn a\)"),
    ],
    ids=["to move", "to wait"],
)
def test_a_role_without_a_legal_move_stops_searches_and_playouts_in_either_form(rules, sentence):
    for game in (make(LUCK + rules, "gdl:luck")(), interpreted_form(LUCK + rules, "gdl:luck")()):
        for searcher in ("minimax", "mcts"):
            with pytest.raises(ggp.GGPError, match=sentence):
                ggp.load_registry().searcher(searcher).search(game, game.initial_state(), ggp.Limits(nodes=20_000))
    game = make(LUCK + rules, "gdl:luck")()
    with pytest.raises(ggp.GGPError, match=sentence):
        measure(game, game.initial_state(), seconds=None, playouts=100_000)


def test_a_class_does_not_check_what_is_proved():
    source = written.write(rehearsed(LUCK + SURE.format("may") + SURE.format("rests"))).source
    assert "waits_" not in source
    assert "some = " not in source


def test_a_game_with_too_many_lists_is_interpreted(monkeypatch):
    monkeypatch.setattr(grounding, "MOST_INSTANCES", 5_000)
    names = [f"?x{i}" for i in range(12)]
    term = "nil"
    for each in names:
        term = f"(l {each} {term})"
    lists = f"(<= (list {term}) {' '.join(f'(succ {each} {each}2)' for each in names)})"  # three to the power of twelve
    made = written.write(rehearsed(DRAWS + lists, "race"))
    assert made == ("", "its relations have more than 5,000 instances")


def test_a_game_of_facts_is_played_as_it_is(tmp_path, monkeypatch):
    path = tmp_path / "race.kif"
    path.write_text(DRAWS)
    monkeypatch.setattr("ggp_gdl.library.make", interpreted_form)
    game = ggp.load_registry().game(str(path))
    assert ("at", "0") in game.facts(game.initial_state())


class Idle:
    def communicate(self, text):
        pass
