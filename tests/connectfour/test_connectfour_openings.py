"""The opening table that Connect Four ships: the values of all positions of at most eight plies."""

import collections
import importlib.resources
import json
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp import opening_table
from ggp.errors import BookError
from ggp.game import MAX, MIN
from ggp.opening_book import known_values, listed
from ggp.play.controller import known_result

GAME = ggp.load_registry().game("connectfour")
SCORED = json.loads((pathlib.Path(__file__).parents[1] / "data/connectfour.json").read_text(encoding="utf-8"))
"""Positions with the scores of Pascal Pons's solver; a positive score is a win of the player to move."""
TROMP = {1: 44473, 0: 6449, -1: 16635}
"""J. Tromp's numbers of positions of eight plies in which nobody can complete a line at once, by their value to X
(https://archive.ics.uci.edu/dataset/26/connect+4).
"""
FILE = importlib.resources.files("ggp_connectfour").joinpath(opening_table.SHIPPED)


def after(moves):
    state = GAME.initial_state()
    for move in moves:
        state = GAME.result(state, move)
    return state


def test_only_the_middle_column_wins_and_its_neighbours_draw():
    assert known_values(GAME, GAME.initial_state()) == {0: -1, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -1}


@pytest.mark.parametrize("row", [each for each in SCORED if len(each["moves"]) <= 8], ids=lambda row: row["moves"])
def test_another_solver_has_found_the_same_winner(row):
    state = GAME.parse_state(row["moves"])
    sign = (row["score"] > 0) - (row["score"] < 0)
    assert opening_table.value(GAME, state) == (sign if GAME.to_move(state) == MAX else -sign)


@given(st.data())
def test_the_value_of_a_position_is_that_of_its_best_action(data):
    state = GAME.initial_state()
    for _ in range(data.draw(st.integers(0, 7))):
        state = GAME.result(state, data.draw(st.sampled_from(list(GAME.actions(state)))))
        if GAME.terminal_test(state):
            assert opening_table.value(GAME, state) == GAME.utility(state, MAX)
            return
    values = known_values(GAME, state)
    assert set(values) == set(GAME.actions(state))
    best = max if GAME.to_move(state) == MAX else min
    assert opening_table.value(GAME, state) == best(values.values())
    low, high = GAME.value_bounds(state)
    assert low <= best(values.values()) <= high


def test_mirror_images_have_one_value_and_later_positions_none():
    assert opening_table.value(GAME, after([0, 1, 0, 2])) == opening_table.value(GAME, after([6, 5, 6, 4])) is not None
    assert opening_table.value(GAME, after([0, 1, 0, 2, 3, 3, 4, 4])) is not None
    assert opening_table.value(GAME, after([0, 1, 0, 2, 3, 3, 4, 4, 5])) is None
    other = ggp.load_registry().game("connectfour", scoring="stones")
    assert opening_table.value(other, other.initial_state()) is None


def test_o_refutes_a_wrong_first_move_without_a_search():
    state = after([0])
    result = known_result(GAME, state)
    assert (result.value, result.exact, GAME.to_move(state)) == (-1, True, MIN)
    assert set(result.best_actions) == {1, 2, 3, 5}


def test_a_move_of_the_strategy_is_preferred_to_other_winning_moves():
    state = after([3, 0])
    values = known_values(GAME, state)
    assert [action for action in values if values[action] == 1] != list(listed(GAME, state))
    assert set(known_result(GAME, state).best_actions) == set(listed(GAME, state))


@pytest.mark.slow
def test_as_many_positions_are_won_drawn_and_lost_as_published():
    openings = opening_table.read(pathlib.Path(str(FILE)))
    counts = collections.Counter()
    for index in range(openings.header.positions):
        text = openings.content[index * openings.header.width : (index + 1) * openings.header.width].decode()
        state = GAME.parse_state(text)
        if (state[0] | state[1]).bit_count() == 8 and not GAME.terminal_test(state):
            lines = GAME.completions(state[0]) | GAME.completions(state[1])
            if not lines & GAME.landings(state):
                counts[opening_table.value(GAME, state)] += 1
    assert counts == TROMP


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "its checksum is wrong"),
        (lambda content: content[:5000], "its checksum is wrong"),
        (lambda content: b"x" * 100, "is not a ggp opening table"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path, damage, said):
    path = tmp_path / "openings.table"
    path.write_bytes(damage(FILE.read_bytes()))
    with pytest.raises(BookError, match=said):
        opening_table.read(path)


@pytest.mark.parametrize("change", [{"positions": 5}, {"positions": 1 << 40}, {"width": 0}, {"plies": "many"}])
def test_a_header_that_cannot_be_true_is_refused(tmp_path, change):
    line, _, block = opening_table.FORMAT.decode(FILE.read_bytes(), "it").partition(b"\n")
    path = tmp_path / "openings.table"
    opening_table.FORMAT.write(path, json.dumps(json.loads(line) | change).encode() + b"\n", block)
    with pytest.raises(BookError, match="is damaged: "):
        opening_table.read(path)


def test_a_table_of_another_game_is_written_and_read(tmp_path):
    nim = ggp.load_registry().game("nim", heaps=(1, 2))
    values = {nim.initial_state(): 1, nim.result(nim.initial_state(), next(iter(nim.actions(nim.initial_state())))): -1}
    opening_table.write(tmp_path / "nim.table", nim, 1, values)
    openings = opening_table.read(tmp_path / "nim.table")
    assert {state: openings.value(nim, state) for state in values} == values
