"""Analysing: what is called exact is exact, and every move has a value and a line."""

import _thread
import json
import pathlib

import pytest
from ggp_solve.analysis import analyse

import ggp
from ggp.capabilities import play
from ggp.cli import main
from ggp.errors import UsageError

DATA = pathlib.Path(__file__).parents[1] / "data"
REGISTRY = ggp.load_registry()
SOLVED = [row for row in json.loads((DATA / "kalah_solved.json").read_text()) if row["capture"] == "standard"]
OVER, CROWDED = "<4,3,9,0,0,0,0,0,0,0,0> S", "<6,12,9,0,0,2,3,1,4,5,0,3,1,6,2> S"


def seeds_in_houses(row):
    return sum(row["board"]) - row["board"][row["houses"]] - row["board"][-1]


def position(row):
    """Game, state, and the known values of its actions to MAX."""
    houses, board = row["houses"], row["board"]
    game = REGISTRY.game("kalah", houses=houses, capture=row["capture"])
    south, north = board[: houses + 1], board[houses + 1 :]
    numbers = [houses, south[-1], north[-1], *south[:-1], *north[:-1]]
    state = game.parse_state(f"<{','.join(map(str, numbers))}> {'SN'[row['player']]}")
    sign = -1 if row["player"] else 1  # the values of the table are to whoever moves
    return game, state, {int(house): sign * value for house, value in row["move_values"].items()}


@pytest.mark.parametrize("seconds", [0.02, 0.2])
def test_whatever_the_time_no_estimate_is_called_exact_and_nothing_wrong_is_proved(seconds):
    for row in SOLVED[::4]:
        game, state, known = position(row)
        told = []
        told.append(analyse(game, state, seconds, told.append))
        for analysis in told:
            assert {move.action for move in analysis.moves} == set(known)
            best = (min if row["player"] else max)(known.values())
            assert not analysis.exact or analysis.value == best, row["id"]
            for move in analysis.moves:
                lower, upper = move.proved
                assert lower <= known[move.action] <= upper, (row["id"], move)
                assert lower <= move.value <= upper
                assert move.exact == (move.depth is None) == (lower == upper)


def test_positions_with_few_seeds_are_exact_in_every_move_with_lines_that_end_in_the_value():
    rows = [row for row in SOLVED if seeds_in_houses(row) <= 14][::2]
    assert len(rows) > 10
    for row in rows:
        game, state, known = position(row)
        analysis = analyse(game, state, 60)
        assert {move.action: move.value for move in analysis.moves} == known, row["id"]
        assert (analysis.complete, analysis.exact, analysis.stopped) == (True, True, None)
        order = [move.value for move in analysis.moves]
        assert order == sorted(order, reverse=row["player"] == ggp.MAX)
        for move in analysis.moves:
            end = play(game, state, move.line)
            assert move.line[0] == move.action
            assert game.terminal_test(end)
            assert game.utility(end, ggp.MAX) == move.value


@pytest.mark.slow
def test_what_is_not_proved_by_the_searcher_is_proved_move_by_move(monkeypatch):
    monkeypatch.setattr("ggp_solve.analysis.DEEPENING", 0.001)
    game = REGISTRY.game("kalah")
    analysis = analyse(game, game.parse_state(CROWDED), 120)
    text = {game.format_action(game.parse_state(CROWDED), move.action): move.value for move in analysis.moves}
    assert text == {"E": -4, "D": -14, "F": -14, "C": -16}
    assert analysis.complete


def test_without_machine_speed_a_small_game_is_exact_and_a_large_one_estimated(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    small, large = REGISTRY.game("tictactoe"), REGISTRY.game("kalah", seeds=6)
    exact = analyse(small, small.parse_state("XO./.../..."), 60)
    assert exact.complete
    assert {move.action: move.value for move in exact.moves}[exact.moves[0].action] == exact.value == 1
    estimated = analyse(large, large.initial_state(), 0.3)
    assert [move.exact for move in estimated.moves] == [False] * 6
    assert all(move.line[0] == move.action and move.depth >= 0 for move in estimated.moves)
    assert (estimated.exact, estimated.speed) == (False, "interpreted")


def test_a_game_of_chance_is_estimated_and_chance_itself_has_no_moves(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    pig = REGISTRY.game("pig", goal=30)
    rolled = pig.result(pig.initial_state(), next(iter(pig.actions(pig.initial_state()))))
    analysis = analyse(pig, pig.initial_state(), 0.2)
    assert [(move.exact, -1 <= move.value <= 1) for move in analysis.moves] == [(False, True)]
    with pytest.raises(UsageError, match=r" has no moves to analyse: chance is to move$"):
        analyse(pig, rolled, 0.2)


def test_a_game_that_is_over_has_its_utility_and_no_moves():
    game = REGISTRY.game("kalah", houses=4)
    analysis = analyse(game, game.parse_state(OVER), 1)
    assert (analysis.value, analysis.exact, analysis.complete, analysis.moves) == (-6, True, True, ())


def test_what_is_solved_is_exact_without_a_search():
    game = REGISTRY.game("kalah")
    found = analyse(game, game.initial_state(), 60)
    assert (found.value, found.complete, found.states) == (8, True, 0)
    assert [game.format_action(game.initial_state(), move.action) for move in found.moves] == list("CFDEBA")
    assert len(found.moves[0].line) == 23


def test_where_the_best_move_alone_is_known_the_value_is_exact_and_the_others_are_held_to_it(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    game = REGISTRY.game("kalah", seeds=5)
    found = analyse(game, game.initial_state(), 0.2)
    assert (found.value, found.exact, found.complete) == (10, True, False)
    assert all(move.value <= 10 for move in found.moves)


def test_ctrl_c_ends_it_with_what_is_known():
    game = REGISTRY.game("kalah", seeds=6)

    told = []

    def report(analysis):
        if not told:
            _thread.interrupt_main()
        told.append(analysis)

    analysis = analyse(game, game.initial_state(), 600, report)
    assert analysis.stopped == "interrupt"
    assert len(analysis.moves) == 6


@pytest.mark.slow
def test_a_tablebase_makes_no_difference_to_exact_values():
    from ggp_solve.tablebases import build

    row = next(row for row in SOLVED if row["houses"] == 6 and seeds_in_houses(row) > 14)
    game, state, known = position(row)
    analysis = analyse(game, state, 60, tablebase=build(game, 8))
    assert {move.action: move.value for move in analysis.moves} == known


def run(capsys, *arguments):
    status = main(["analyse", *arguments])
    return status, capsys.readouterr()


def test_the_command_prints_a_line_for_each_move(capsys, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    status, printed = run(capsys, "fig52")
    assert status == 0
    assert printed.out.endswith(
        "\n| move | value | known | best replies |\n"
        "| ---- | ----: | ----- | ------------ |\n"
        "| a1   |     3 | exact | b1           |\n"
        "| a2   |     2 | exact | c1           |\n"
        "| a3   |     2 | exact | d3           |\n"
    )  # fmt: skip
    assert "value       3 to MAX, exact\n" in printed.out


def test_the_command_prints_what_a_program_reads(capsys, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    status, printed = run(capsys, "fig52", "--json")
    found = json.loads(printed.out)
    assert (status, printed.err) == (0, "")
    assert (found["value"], found["exact"], found["complete"], found["stopped"]) == (3, True, True, None)
    first = {"action": "a1", "value": 3, "exact": True, "depth": None, "lower": 3, "upper": 3, "line": ["a1", "b1"]}
    assert found["moves"][0] == {**first, "distance": None}
    assert {"game", "parameters", "state", "to_move", "searcher", "speed", "note", "statistics"} <= set(found)


# Arguments that cannot be, and what is said of them
WRONG = {
    "no time": (
        ("fig52", "--seconds", "0"),
        "seconds must be a number from 0.01",
    ),
    "no number": (
        ("fig52", "--threads", "x"),
        "threads must be a whole number from 1",
    ),
    "no tablebase": (("kalah", "--tablebase", "nowhere"), "there is no tablebase of this kalah in nowhere: "),
    "chance": (("pig", "--moves", "roll"), "0:0 +0 turn 1 rolling has no moves to analyse: chance is to move"),
}


@pytest.mark.parametrize("case", WRONG)
def test_the_command_refuses_in_one_sentence(case, capsys):
    arguments, said = WRONG[case]
    status, printed = run(capsys, *arguments)
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert said in printed.err
