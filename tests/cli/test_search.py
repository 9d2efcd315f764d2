"""`ggp search`: the answer for people and for programs."""

import json

import pytest

from ggp.cli.session import split_actions

KEYS = {
    "game",
    "parameters",
    "state",
    "to_move",
    "searcher",
    "options",
    "action",
    "value",
    "principal_variation",
    "complete",
    "exact",
    "distance",
    "stopped",
    "speed",
    "note",
    "statistics",
}


def search(ggp, *arguments):
    found = ggp("search", *arguments, "--json")
    assert (found.status, found.err) == (0, "")
    return json.loads(found.out)


def test_figure_52_is_worth_3_by_a1_after_7_leaves(ggp):
    found = search(ggp, "fig52", "--searcher", "alphabeta")
    assert set(found) == KEYS
    assert (found["value"], found["action"], found["statistics"]["leaves"]) == (3, "a1", 7)
    assert found["principal_variation"] == ["a1", "b1"]
    assert found["complete"] is True
    assert found["exact"] is True
    assert found["stopped"] is None
    assert (found["game"], found["parameters"], found["state"], found["to_move"]) == ("fig52", {}, "A", "MAX")
    assert {"nodes", "leaves", "depth", "seconds"} <= set(found["statistics"])


def test_a_tablebase_that_is_not_there_is_refused(ggp, tmp_path):
    found = ggp("search", "othello", "--searcher", f"alphabeta:tablebase={tmp_path}", "--depth", "1")
    said = f"tablebase={tmp_path} is not a directory with tables of othello with these parameters"
    assert (found.status, found.out) == (2, "")
    assert said in found.err


def test_values_are_asked_for(ggp):
    found = search(ggp, "fig52", "--values")
    assert set(found) == KEYS | {"values", "best_actions"}
    assert found["values"] == {"a1": 3, "a2": 2, "a3": 2}
    assert found["best_actions"] == ["a1"]


def test_a_position_is_given_as_text_or_by_moves_or_both(ggp):
    by_text = search(ggp, "fig52", "--position", "D")
    by_moves = search(ggp, "fig52", "--moves", "a3")
    assert by_text["state"] == by_moves["state"] == "D"
    assert by_text["to_move"] == "MIN"
    assert by_text["value"] == by_moves["value"] == 2
    assert search(ggp, "fig52", "--position", "D", "--moves", "d1")["state"] == "D1"


def test_where_the_game_is_over_there_is_a_value_and_no_action(ggp):
    found = search(ggp, "fig52", "--moves", "a1,b2")
    assert (found["action"], found["value"], found["to_move"]) == (None, 12, None)
    assert found["principal_variation"] == []
    assert "none: the game is over" in ggp("search", "fig52", "--moves", "a1,b2").out


def test_parameters_are_options_of_the_command_line(ggp):
    found = search(ggp, "nim", "--option", "heaps=1,2", "--option", "misere=yes")
    assert found["parameters"] == {"heaps": [1, 2], "misere": True}
    assert found["value"] == 1


def test_a_limit_of_the_command_line_wins_over_one_in_the_searchers_text(ggp):
    text = ["nim", "--searcher", "alphabeta:depth=3"]
    assert search(ggp, *text)["statistics"]["depth"] == 3
    assert search(ggp, *text, "--depth", "2")["statistics"]["depth"] == 2


def test_the_preferred_searcher_can_serve_the_game(ggp):
    assert search(ggp, "pig", "--depth", "2")["searcher"] not in ("alphabeta", "minimax", "scout")


def test_a_limit_that_stops_the_search_is_told(ggp):
    found = ggp("search", "nim", "--option", "heaps=9,9,9", "--nodes", "3000", "--searcher", "minimax")
    assert found.status == 0
    assert "stopped by the limit of 3,000 states" in " ".join(found.out.split())
    data = search(ggp, "nim", "--option", "heaps=9,9,9", "--nodes", "3000", "--searcher", "minimax")
    assert (data["complete"], data["stopped"]) == (False, "nodes")


def test_people_are_told_value_action_line_and_statistics(ggp):
    lines = dict(
        line.split(None, 1) for line in ggp("search", "fig52", "--values", "--quiet").out.splitlines() if line[0] != " "
    )
    assert lines["state"] == "A, MAX to move"
    assert lines["value"] == "3 to MAX, exact: searched to the end of the game"
    assert lines["move"] == "a1"
    assert lines["variation"] == "a1 b1"
    assert lines["values"] == "a1 3, a2 2, a3 2"
    assert lines["statistics"].startswith("11 states, 7 leaves, ")


def test_an_estimate_is_told_with_its_depth(ggp):
    found = ggp("search", "pig", "--searcher", "expectiminimax", "--depth", "6")
    assert "looking 6 plies ahead" in found.out


@pytest.mark.parametrize(
    ("text", "actions"),
    [("a,b", ["a", "b"]), ("a b , c", ["a", "b", "c"]), ("", []), ("(1, 2),(3,)", ["(1, 2)", "(3,)"])],
)
def test_moves_are_split_at_commas_and_blanks_outside_brackets(text, actions):
    assert split_actions(text) == actions


def test_progress_has_depth_value_speed_and_line(capsys):
    import ggp as framework
    from ggp.cli.search import progress
    from ggp.cli.session import Position

    game = framework.load_registry().game("fig52")
    found = framework.load_registry().searcher("minimax").search(game, "A")
    progress(Position(game, "A"))(found)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("depth  2  value      3 ")
    assert shown.err.endswith("a1 b1\n")


def test_where_chance_is_to_move_there_is_a_value_and_no_action(ggp):
    found = ggp(
        "search", "pig", "--position", "5:3 +2 turn 4 rolling", "--nodes", "300", "--searcher", "expectiminimax"
    )
    assert found.status == 0
    assert "none: chance is to move" in found.out
    assert "stopped by the limit of 300 states" in " ".join(found.out.split())


def test_a_searcher_that_limits_itself_is_not_limited_in_time(ggp):
    found = search(ggp, "nim", "--searcher", "mcts:playouts=7")
    assert found["statistics"]["nodes"] <= 7
    assert found["stopped"] is None


def test_solve_prints_a_proved_value_as_proved_though_its_line_takes_longer(ggp, plugin):
    maze = plugin(
        """
import ggp

class Maze:
    "Whoever goes right 30 times wins."
    name = "maze"
    player_names = ("Walker",)
    compiled = False

    def initial_state(self): return (0, True)
    def to_move(self, state): return ggp.MAX
    def actions(self, state): return range(3)
    def result(self, state, action): return (3 * state[0] + action + 1, state[1] and action == 2)
    def terminal_test(self, state): return state[0] > 3**30
    def utility(self, state, player): return int(state[1])
    def value_bounds(self, state): return (int(state[0] == 0), 1)

@ggp.hookimpl
def ggp_games():
    return [Maze]
"""
    )
    done = ggp("--plugin", maze, "solve", "maze", "--seconds", "0.3")
    assert (done.status, done.err.count("\n")) == (0, 1)
    assert "value       1 to Walker, exact\n" in done.out
    assert "action      not found in the time given\n" in done.out
    assert done.err == "ggp: note: the value is proved; the time was over before best play was found to the end\n"


@pytest.mark.parametrize(
    ("searcher", "limit"),
    [
        ("mcts", "--nodes=200"),
        ("mcts", "--seconds=0.2"),
        ("mcts", "--depth=7"),
        ("mcts", "--nodes=1"),
        ("star1", "--nodes=1"),
        ("star1", "--nodes=200"),
        ("expectiminimax", "--depth=2"),
    ],
)
def test_a_search_within_limits_has_a_value_where_chance_moves_first(ggp, searcher, limit):
    done = ggp("search", "einstein", "--searcher", f"{searcher}{':playouts=500' if 'depth=7' in limit else ''}", limit)
    assert (done.status, done.err) == (0, "")
    assert " to Blue, " in done.out
    assert "none: chance is to move" in done.out
    assert "looking 0 plies" not in done.out
