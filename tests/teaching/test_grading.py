"""Grading: right programs get full marks in every shape, and the mistake in a wrong one is named."""

import json
import pathlib

import pytest
from ggp_teach.exercise_tree import figure_5_2, minimax
from ggp_teach.grading.checking import GradingPlan
from ggp_teach.grading.grading import grade, summary
from ggp_teach.grading.mistakes import MISTAKES
from ggp_teach.grading.weights import read_weights

import ggp
from ggp.cli.app import main
from ggp.errors import OptionError

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"

WRONG = {
    "both_maximise": "max-only",
    "bound_as_value": "bound",
    "changes_board": "mutates",
    "cs188_counts_agents": "rounds",
    "cs188_cuts_ties": "loose-cut",
    "cuts_at_max_only": "one-sided",
    "depth_never_falls": "no-depth",
    "depth_off_by_one": "depth",
    "divides_again": "divided",
    "equal_chances": "even-chance",
    "ignores_chance": "chance",
    "leaf_sign": "leaf-sign",
    "never_cuts": "never-cuts",
    "not_taken_back": "mutates",
    "overwrites_state": "mutates",
    "returns_last_value": "last-value",
    "starts_at_zero": "zero-start",
    "strict_cut": "strict-cut",
    "swapped_window": "swapped-window",
    "takes_turns": "turns",
    "window_follows_last_value": "last-update",
    "window_not_narrowed": "no-update",
    "window_not_passed": "no-window",
    "wrong_sign": "wrong-sign",
}
"""The mistake in each file of examples/wrong."""

QUICK = {"takes_turns", "strict_cut"}
QUICK_RIGHT = {"aima", "function"}


def graded(path, **more):
    return grade(str(path), GradingPlan(**more), ggp.load_registry())


def quick(names, chosen):
    return [pytest.param(name, marks=[] if name in chosen else [pytest.mark.slow]) for name in sorted(names)]


def test_every_wrong_example_is_in_the_table():
    assert {path.stem for path in (EXAMPLES / "wrong").glob("*.py")} == set(WRONG)
    assert len(set(WRONG.values())) >= 12


@pytest.mark.parametrize("name", quick(WRONG, QUICK))
def test_the_mistake_is_named(name):
    found = graded(EXAMPLES / "wrong" / f"{name}.py")
    assert found.mistake == WRONG[name]
    assert found.marks < 100
    assert found.failure.checked.failed


@pytest.mark.parametrize("name", quick((path.stem for path in (EXAMPLES / "right").glob("*.py")), QUICK_RIGHT))
def test_a_right_program_gets_full_marks(name):
    found = graded(EXAMPLES / "right" / f"{name}.py")
    assert (found.problem, found.mistake, found.marks) == ("", "", 100)


FUNCTION = (EXAMPLES / "right" / "function.py").read_text()
MAX_LOOP = """            value = max(value, alphabeta(game, game.result(state, action), depth - 1, alpha, beta))
            alpha = max(alpha, value)
            if alpha >= beta:
                break
"""
MIN_LOOP = """            beta = min(beta, value)
            if beta <= alpha:
                break
"""
CHILD = "alphabeta(game, game.result(state, action), depth - 1, alpha, beta)"
TABLE = (EXAMPLES / "right" / "table.py").read_text()
CHANGES = {
    "returns in the loop": ("early-return", MAX_LOOP, f"{MAX_LOOP}            return value\n"),
    "cuts before the value is kept": (
        "stale-value",
        MAX_LOOP,
        f"            child = {CHILD}\n            if child >= beta:\n                break\n"
        "            value = max(value, child)\n            alpha = max(alpha, value)\n",
    ),
    "MIN raises alpha": ("no-update", "beta = min(beta, value)", "alpha = max(alpha, value)"),
    "two actions at most": ("skips", "game.actions(state)", "game.actions(state)[:2]"),
    "a win is enough": ("early-win", "if alpha >= beta:", "if alpha >= beta or value > 0:"),
    "the first window": ("narrow-start", "alpha=-inf, beta=inf", "alpha=-2, beta=2"),
    "the best value is handed on": (
        "no-window",
        "max(value, alphabeta(",
        "max(value, (lambda *a: alphabeta(*a[:3], value, a[4]))(",
    ),
    "goes on after the cut": ("never-cuts", "break", "continue"),
    "estimates cut": (
        "static-cut",
        "    if game.to_move",
        "    guess = game.evaluate(state)\n    if depth == 1 and not alpha < guess < beta:\n        return guess\n"
        "    if game.to_move",
    ),
    "adds the depth": ("leaf-value", "return game.evaluate(state)", "return game.evaluate(state) + 7 * depth"),
    "half the estimate": ("leaf-value", "return game.evaluate(state)", "return game.evaluate(state) // 2"),
    "starts at the estimate": ("zero-start", "value = -inf", "value = game.evaluate(state)"),
    "the window is narrower": ("narrow-window", "depth - 1, alpha, beta", "depth - 1, alpha + 1, beta - 1"),
    "the depth says who moves": ("parity", "game.to_move(state) == 0", "depth % 2 == 0"),
    "starts at -4": ("zero-start", "value = -inf", "value = -4"),
    "no test for the end": ("ends", "depth == 0 or game.terminal_test(state)", "depth == 0"),
    "compares with its own bound": ("wrong-bound", "if alpha >= beta:", "if value >= alpha:"),
}
"""Further mistakes: what is changed in the right program."""
TABLES = {
    "bounds for values": (
        "least >= beta or least == most",
        "(state, depth) in table",
        "return least\n    if most <= alpha:\n        return most\n",
        "return max(least, -99) if most == inf else most\n",
    ),
    "any depth": ("(state, depth), (-inf", "state, (-inf", "table[state, depth]", "table[state]"),
}


def changed(text, *pairs):
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.slow
@pytest.mark.parametrize("case", CHANGES)
def test_further_mistakes_are_named(case, tmp_path):
    mistake, old, new = CHANGES[case]
    file = tmp_path / "student.py"
    file.write_text(changed(FUNCTION, old, new))
    assert graded(file).mistake == mistake


@pytest.mark.slow
@pytest.mark.parametrize("case", TABLES)
def test_a_table_that_holds_bounds_for_values_is_named(case, tmp_path):
    file = tmp_path / "student.py"
    file.write_text(changed(TABLE, *TABLES[case]))
    assert graded(file).mistake == "table"


@pytest.mark.slow
def test_a_path_from_here_names_the_mistake_as_well(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "student.py").write_text(
        changed(FUNCTION, "return game.evaluate(state)", "return game.evaluate(state) // 2")
    )
    assert graded("student.py").mistake == "leaf-value"


@pytest.mark.slow
def test_another_order_of_actions_is_no_mistake(tmp_path):
    file = tmp_path / "student.py"
    file.write_text(changed(FUNCTION, "in game.actions(state)", "in reversed(game.actions(state))"))
    assert graded(file).marks == 100


@pytest.mark.slow
def test_aimas_search_with_dice_may_divide_again(tmp_path):
    file = tmp_path / "student.py"
    text = (EXAMPLES / "right" / "aima_chance.py").read_text()
    file.write_text(changed(text, "game.chances(after))", "game.chances(after)) / len(game.chances(after))"))
    assert graded(file).mistake == "divided"


BEGINNING = "    if depth == 0 or"
OFFENCES = {
    "time": "    while depth == 1:\n        pass\n",
    "files": "    open('/etc/hostname').read()\n",
    "memory": "    x = [0] * 10**9\n",
    "output": "    print('x' * 10**7)\n",
    "crash": "    import os; os._exit(3)\n",
    "mutates": "    state.board = None\n",
}
OTHERS = {
    "no function": ("x = 1\n", "no searcher was recognised"),
    "unknown parameter": ("def minimax(game, state, foo):\n    return 0\n", "'foo' of minimax is not known"),
    "no Python": ("def minimax(:\n", "SyntaxError: invalid syntax (line 1)"),
    "no text": (b"\xff\xfe", "it cannot be read: it is not text in UTF-8"),
    "an error at import": ("import nowhere_at_all\n", "No module named 'nowhere_at_all'"),
    "writes at import": ("open('x.txt', 'w')\ndef minimax(game, state, depth): pass\n", "tried to write the file"),
}


@pytest.mark.slow
@pytest.mark.parametrize("mistake", OFFENCES)
def test_a_program_that_breaks_a_limit_is_stopped_and_named(mistake, tmp_path):
    file = tmp_path / "student.py"
    file.write_text(FUNCTION.replace(BEGINNING, OFFENCES[mistake] + BEGINNING))
    assert graded(file, seconds=0.5 if mistake == "time" else 60.0).mistake == mistake


@pytest.mark.slow
@pytest.mark.parametrize("case", OTHERS)
def test_a_file_that_cannot_be_graded_is_explained(case, tmp_path):
    text, sentence = OTHERS[case]
    file = tmp_path / "student.py"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert sentence in graded(file).problem


@pytest.mark.slow
def test_parameters_of_other_names_are_given_by_an_option(tmp_path):
    file = tmp_path / "student.py"
    swap = {"game": "spiel", "state": "zustand", "depth": "tiefe", "alpha": "unten", "beta": "oben"}
    text = FUNCTION
    for name, other in swap.items():
        text = text.replace(name, other)
    file.write_text(text.replace("unten" + "oben", "suche"))
    found = graded(file, name="suche", arguments="game,state,depth,alpha,beta", task="alphabeta")
    assert found.marks == 100


@pytest.mark.slow
def test_json_is_for_autograders(capsys):
    assert main(["grade", str(EXAMPLES / "wrong" / "never_cuts.py"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["mistake"], found["max_score"], found["passed"]) == ("never-cuts", 100, False)
    assert all({"name", "score", "max_score"} <= test.keys() for test in found["tests"])


@pytest.mark.slow
def test_pictures_and_the_page_are_written(tmp_path, capsys):
    svg, page = tmp_path / "tree.svg", tmp_path / "report.html"
    main(["grade", str(EXAMPLES / "wrong" / "never_cuts.py"), "--svg", str(svg), "--html", str(page)])
    assert "current" in svg.read_text()
    assert page.read_text().count("<svg") == 2


@pytest.mark.slow
def test_the_smallest_failing_tree_is_small():
    found = graded(EXAMPLES / "wrong" / "takes_turns.py")
    assert found.failure.checked.case.tree.size <= 8
    assert summary(found)["failure"]["step"] >= 1


def test_weights_come_from_a_file(tmp_path):
    file = tmp_path / "weights.toml"
    file.write_text('value = 1\nmove = 0\nvisits = 0\n"extra turns" = 3\n')
    assert read_weights(file)["extra turns"] == 3
    file.write_text("values = 1\n")
    with pytest.raises(OptionError, match=r"unknown weight 'values'.*did you mean value"):
        read_weights(file)


def test_every_mistake_of_the_table_has_advice():
    assert all(each.title and each.advice for each in MISTAKES.values())
    assert set(WRONG.values()) <= MISTAKES.keys()


def test_the_value_of_figure_5_2_is_3():
    assert minimax(figure_5_2()) == 3
