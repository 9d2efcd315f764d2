"""Awari's layers, solved: the same as a naive fixed point over rules written apart, and no contradiction anywhere."""

import functools
import itertools
import json

import pytest
from ggp_awari import Awari
from ggp_search.tablebases.layer_table import path_of, read
from ggp_solve.enumeration.speed import Compiled, Interpreted
from ggp_solve.tablebases.consistency import ContradictionError, hold_to_rules
from ggp_solve.tablebases.layer_builder import LayerBuilder
from test_awari import naive_move, naive_moves

import ggp
from ggp import compiler
from ggp.cli import main

HIGHEST = 3


def boards(seeds, houses=12):
    """All ways to put so many seeds into so many houses."""
    if houses == 1:
        return [(seeds,)]
    return [(first, *rest) for first in range(seeds + 1) for rest in boards(seeds - first, houses - 1)]


@functools.cache
def naive_values(seeds, grand_slam):
    """The value to the player to move of each board of a layer, seen by that player; endless play is worth 0.

    For each value the boards from which a player can force as much are found in rounds, until there are no more.
    """
    options = {}
    for board in boards(seeds):
        state = ggp_state(board)
        options[board] = []
        for house in naive_moves(state, grand_slam):
            after, stores, _ = naive_move(board, (0, 0), 0, house, grand_slam)
            child = tuple(after[6:] + after[:6])
            gain = stores[0]
            if gain:
                options[board].append(gain - naive_values(seeds - gain, grand_slam)[child])
            else:
                options[board].append(child)
    values = {board: sum(board[:6]) - sum(board[6:]) for board, choices in options.items() if not choices}
    for worth in range(seeds, 0, -1):
        forced, suffered = set(), set()  # worth at least so much to the mover; at most its negative
        while True:
            before = len(forced), len(suffered)
            for board, choices in options.items():
                if board in values:
                    good, bad = values[board] >= worth, values[board] <= -worth
                else:
                    good = any(c in suffered if isinstance(c, tuple) else c >= worth for c in choices)
                    bad = all(c in forced if isinstance(c, tuple) else c <= -worth for c in choices)
                if good:
                    forced.add(board)
                if bad:
                    suffered.add(board)
            if before == (len(forced), len(suffered)):
                break
        for board in forced:
            values.setdefault(board, worth)
        for board in suffered:
            values.setdefault(board, -worth)
    return {board: values.get(board, 0) for board in options}


def ggp_state(board):
    return Awari().unrank(0, 0)._replace(houses=board)


@pytest.mark.parametrize(
    ("grand_slam", "speed"),
    [
        ("nothing", "interpreted"),
        ("capture", "interpreted"),
        ("forbidden", "interpreted"),
        pytest.param("capture", "compiled", marks=pytest.mark.slow),
    ],
)
def test_every_position_has_the_value_of_the_naive_fixed_point(grand_slam, speed):
    game = Awari(grand_slam=grand_slam)
    if speed == "compiled" and not compiler.machine.available():
        pytest.skip("there is no machine speed")
    layers = LayerBuilder(game, HIGHEST, Compiled(game) if speed == "compiled" else Interpreted())
    layers.build()
    assert layers.first == [*itertools.accumulate((game.positions(n) for n in range(HIGHEST + 1)), initial=0)]
    for seeds in range(HIGHEST + 1):
        for board, value in naive_values(seeds, grand_slam).items():
            state = ggp_state(board)
            assert layers.value(state) == value
            assert layers.value(game.turned(state)) == -value
    assert hold_to_rules(layers, layers.count) == layers.count


def test_what_is_secured_is_part_of_the_value():
    layers = LayerBuilder(Awari(), 2)
    layers.build()
    state = ggp_state((0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0))
    assert layers.value(state._replace(south=30, north=16)) == layers.value(state) + 14


def test_a_wrong_value_contradicts_the_rules():
    layers = LayerBuilder(Awari(), 3)
    layers.build()
    layers.table.put(layers.first[3] + 100, layers.table.get(layers.first[3] + 100) + 1)
    with pytest.raises(
        ContradictionError, match=r"the tablebase of awari is wrong: <.*> S does not have the value of its best move"
    ):
        hold_to_rules(layers, layers.count)


class PairedRanks(Awari):
    """Awari whose `unrank` returns one position for two numbers."""

    def unrank(self, layer, rank):
        return super().unrank(layer, rank - rank % 2)


class SharedRanks(Awari):
    """Awari whose positions share numbers in pairs."""

    def rank(self, state):
        return super().rank(state) // 2 * 2

    def unrank(self, layer, rank):
        return super().unrank(layer, rank // 2 * 2)


class OneSided(Awari):
    """Awari whose `turned` swaps the stores and the mover, and leaves the houses."""

    def turned(self, state):
        return state._replace(south=state.north, north=state.south, mover=1 - state.mover)


@pytest.mark.parametrize("wrong", [PairedRanks, SharedRanks, OneSided])
def test_a_wrong_numbering_contradicts_the_rules_though_its_values_agree_with_each_other(wrong):
    layers = LayerBuilder(wrong(), 2)
    layers.build()
    with pytest.raises(ContradictionError, match=r"is wrong: <.*> [SN] is stored under the number"):
        hold_to_rules(layers, layers.count)


def test_a_sample_has_no_position_twice():
    layers = LayerBuilder(Awari(), 3)
    layers.build()
    met = []
    state = layers.state
    layers.state = lambda place: met.append(place) or state(place)
    assert hold_to_rules(layers, layers.count, sample=400) == len(set(met)) == 400


def test_layers_come_back_from_their_file(tmp_path):
    layers = LayerBuilder(Awari(), 3)
    layers.build()
    path = layers.write(tmp_path)
    again = read(Awari(), path)
    assert again.first == layers.first
    assert [again.get(place) for place in range(again.count)] == [layers.get(place) for place in range(layers.count)]
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(ggp.TablebaseError, match="is damaged: its checksum is wrong: build it again"):
        read(Awari(), path)
    layers.write(tmp_path)
    with pytest.raises(ggp.TablebaseError, match="belongs to another game: build it again"):
        read(Awari(grand_slam="capture"), path)
    with pytest.raises(ggp.TablebaseError, match="cannot be read"):
        read(Awari(), path_of(Awari(grand_slam="capture"), tmp_path))


def run(capsys, *arguments):
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def test_the_commands_build_verify_and_probe(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    there = ("--directory", str(tmp_path))
    status, out, _ = run(capsys, "tablebase", "build", "awari", "--layer", "3", *there, "--json")
    assert (status, json.loads(out)["positions"]) == (0, 455)
    status, out, _ = run(capsys, "tablebase", "verify", "awari", "--sample", "50", *there)
    assert (status, out.splitlines()[1]) == (
        0,
        "50 of 455 positions of layers 0 to 3: all values agree with the rules",
    )
    board = "<0,0,0,0,0,1;22;1,0,0,0,0,0;24> S"
    status, out, _ = run(capsys, "tablebase", "probe", "awari", "--position", board, *there, "--json")
    told = json.loads(out)
    assert (status, told["value"], told["values"], told["best_actions"]) == (
        0,
        -4,
        {"F": -4},
        ["F"],
    )  # a grand slam takes nothing
    status, _, err = run(capsys, "tablebase", "probe", "awari", *there)
    assert (status, "is above the tablebase, whose highest layer is 3" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--layer", "128"), "got 128"),
        (
            ("--layer", "3", "--option", "repeated=own"),
            "awari cannot be solved layer by layer: its value of a repetition is not the score",
        ),
        (
            ("--layer", "3", "--processes", "2"),
            "--processes cannot be used with awari",
        ),
    ],
)
def test_what_cannot_be_built_is_refused(capsys, tmp_path, arguments, sentence):
    status, _, err = run(capsys, "tablebase", "build", "awari", "--directory", str(tmp_path), *arguments)
    assert (status, sentence in err) == (2, True)
