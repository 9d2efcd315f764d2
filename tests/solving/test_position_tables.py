"""Tablebases of whole games: what enumeration found, in a file, by which the game is played, analysed and verified."""

import json
from typing import ClassVar, NamedTuple

import attrs
import pytest
from ggp_morris import Morris
from ggp_ponghauki import PongHauKi
from ggp_search.tablebases.best_play import Choice, best_choice
from ggp_search.tablebases.position_table import path_of, read
from ggp_search.tablebases.whole_game_tables import find_whole_game
from ggp_solve.analysis import analyse
from ggp_solve.solver import Solver
from ggp_solve.tablebases import build_position_table
from ggp_solve.tablebases.consistency import ContradictionError, hold_to_rules
from ggp_tictactoe import TicTacToe
from ggp_toys import Pig

import ggp
from ggp import compiler
from ggp.cli import main
from ggp.repetition import played_before

GAMES = {"cycles": Morris(), "two stones": PongHauKi(), "no cycles": TicTacToe(), "chance": Pig(goal=9)}


def built(game, directory, speed="interpreted"):
    solver = Solver(game, game.initial_state(), speed=speed)
    solver.run()
    return solver, build_position_table(solver, directory)


@pytest.mark.parametrize(
    ("name", "speed"),
    [(name, "interpreted") for name in GAMES]
    + [pytest.param(name, "compiled", marks=pytest.mark.slow) for name in GAMES],
)
def test_a_table_says_what_the_solver_found(name, speed, tmp_path):
    if speed == "compiled" and not compiler.machine.available():
        pytest.skip("there is no machine speed")
    solver, table = built(GAMES[name], tmp_path, speed)
    assert table.count == solver.found.count
    for number in range(0, table.count, 3):
        state = solver.found.state(number)
        assert table.state(number) == state
        assert table.look(state) == solver.look(state)
        assert table.action(state) == solver.action(state)
    assert hold_to_rules(table, table.count, sample=100) == min(100, table.count)


class Place(NamedTuple):
    """A state of which a part may be missing."""

    steps: int
    last: int | None


@attrs.frozen
class Steps:
    """Take one or two steps; whoever makes the seventh has won."""

    name: ClassVar[str] = "steps"

    def initial_state(self):
        return Place(0, None)

    def to_move(self, state):
        return state.steps % 2

    def actions(self, state):
        return [step for step in (1, 3) if step != state.last] if state.steps < 6 else [1]

    def result(self, state, action):
        return Place(state.steps + action, action)

    def terminal_test(self, state):
        return state.steps >= 7

    def utility(self, state, player):
        return 1 if state.steps % 2 else -1


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
def test_a_part_of_a_state_may_be_missing(speed, tmp_path):
    if speed == "compiled" and not compiler.machine.available():
        pytest.skip("there is no machine speed")
    solver, table = built(Steps(), tmp_path, speed)
    states = [solver.found.state(number) for number in range(solver.found.count)]
    assert Place(0, None) in states
    assert [table.look(state) for state in states] == [solver.look(state) for state in states]


def test_what_cannot_be_reached_is_not_in_the_table(tmp_path):
    _, table = built(TicTacToe(), tmp_path)
    assert table.look(TicTacToe().initial_state()) is not None
    assert table.look((0b111, 0b111000, 0)) is None


def test_a_damaged_table_is_refused_and_so_is_another_games(tmp_path):
    game = PongHauKi()
    _, table = built(game, tmp_path)
    path = path_of(game, tmp_path)
    assert read(game, path).digest == table.digest
    with pytest.raises(
        ggp.TablebaseError, match="belongs to another game: remove it, and `ggp tablebase build` builds it"
    ):
        read(PongHauKi(occurrences=4), path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(ggp.TablebaseError, match="is damaged: its checksum is wrong: remove it"):
        read(game, path)


def test_a_wrong_value_contradicts_the_rules(tmp_path):
    game = Morris()
    solver = Solver(game, game.initial_state(), speed="interpreted")
    solver.run()
    number = solver.found.count - 9
    solver.found.values.put(number, len(solver.found.worths) - solver.found.values.get(number))
    table = build_position_table(solver, tmp_path)
    with pytest.raises(ContradictionError, match=r"the tablebase of morris is wrong: .* does not have the value"):
        hold_to_rules(table, table.count)


def test_a_search_by_time_is_answered_by_the_table_and_one_by_depth_is_not(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_TABLEBASES", str(tmp_path))
    game = Morris()
    built(game, tmp_path)
    searcher, _ = ggp.load_registry().parse_searcher("alphabeta:speed=interpreted")
    found = searcher.search(game, game.initial_state(), ggp.Limits(seconds=1))
    assert (found.value, found.exact, found.distance, found.note) == (1, True, 9, "the result is from the tablebase")
    assert len(found.principal_variation) == 9
    by_depth = searcher.search(game, game.initial_state(), ggp.Limits(depth=2))
    assert (by_depth.exact, by_depth.distance) == (False, None)


def test_an_analysis_has_distances_and_the_best_move_first(tmp_path):
    game = Morris()
    _, table = built(game, tmp_path)
    for given in (None, table):  # so small a game is solved at once without one
        found = analyse(game, game.initial_state(), seconds=600, positions=given)
        assert (found.value, found.exact, found.complete, found.distance) == (1, True, True, 9)
        assert [move.distance for move in found.moves] == [9, None, None, None, None, 8, 8, 8, 8]
        assert {len(move.line) for move in found.moves if move.distance == 8} == {8}


def test_a_move_that_ends_the_game_by_repetition_is_worth_what_that_is(tmp_path):
    game = PongHauKi(occurrences=2)
    _, table = built(game, tmp_path)
    start = game.initial_state()
    after = game.result(start, next(iter(game.actions(start))))
    with played_before([after]):
        ended = table.choices_now(start)[0]
    assert (ended.lower, ended.upper, ended.distance, ended.ended) == (0, 0, 1, True)
    assert not table.choices_now(start)[0].ended


@pytest.mark.parametrize(
    ("values", "is_max", "best"),
    [
        ([(1, 5), (1, 3)], True, 1),  # a winner hurries
        ([(-1, 5), (-1, 3)], True, 0),  # a loser delays
        ([(-1, 5), (-1, 3)], False, 1),
        ([(0, None), (1, 300)], True, 1),
        ([(0, 4), (0, None)], True, 1),  # a draw is played on
    ],
)
def test_of_equal_values_the_distance_decides(values, is_max, best):
    choices = [Choice(action=n, lower=value, upper=value, distance=plies) for n, (value, plies) in enumerate(values)]
    assert best_choice(choices, is_max, 0).action == best


def run(capsys, *arguments):
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def test_the_commands_build_list_verify_and_probe(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    there = ("--directory", str(tmp_path))
    status, out, _ = run(capsys, "tablebase", "build", "morris", *there, "--json")
    assert (status, json.loads(out)["positions"]) == (0, 744)
    status, out, _ = run(capsys, "tablebase", "info", *there, "--json")
    (listed,) = json.loads(out)["tablebases"]
    assert (status, listed["game"], listed["positions"], listed["layer"]) == (0, "morris", 744, None)
    status, out, _ = run(capsys, "tablebase", "verify", "morris", "--sample", "50", *there)
    assert (status, out.splitlines()[1]) == (0, "50 of 744 positions: all values agree with the rules")
    status, out, _ = run(capsys, "tablebase", "probe", "morris", *there, "--json")
    told = json.loads(out)
    assert (status, told["value"], told["distance"], told["action"], told["distances"]["b2"]) == (0, 1, 9, "b2", 9)
    status, out, _ = run(capsys, "analyse", "morris", "--tablebase", str(tmp_path), "--json")
    assert (json.loads(out)["distance"], json.loads(out)["searcher"]) == (9, "tablebase")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("morris", "--layer", "3"), "the tablebase of morris has no layers: leave out --layer"),
        (("awari",), "the tablebase of awari has layers: add --layer N, the highest to build"),
        (("kalah",), "the tablebase of kalah has layers: add --layer N, the highest to build"),
        (("morris", "--processes", "2"), "--processes cannot be used with morris"),
        (("kalah", "--layer", "3", "--memory", "9"), "--memory cannot be used with kalah"),
        (("connectfour", "--memory", "1"), "connectfour has "),
    ],
)
def test_what_cannot_be_built_is_refused(capsys, tmp_path, arguments, sentence):
    status, _, err = run(capsys, "tablebase", "build", *arguments, "--directory", str(tmp_path))
    assert (status, sentence in err) == (2, True)


def test_a_game_without_a_table_is_named(capsys, tmp_path):
    assert find_whole_game(Morris(), str(tmp_path)) is None
    status, _, err = run(capsys, "tablebase", "verify", "morris", "--directory", str(tmp_path))
    assert (status, "there is no tablebase of morris men=3" in err) == (1, True)
