"""Awari's layers, solved: the same as a naive fixed point over rules written apart, and no contradiction anywhere."""

import functools
import json

import msgspec
import pytest
from ggp_awari import Awari
from ggp_search.tablebases import former_layers
from ggp_search.tablebases.probe import SECTIONS
from ggp_solve.tablebases import build, build_files, open_tablebase, verify
from test_awari import naive_move, naive_moves

import ggp
from ggp import compiler
from ggp.capabilities import parameters
from ggp.cli import main
from ggp.compiler.intrinsics import load, load_byte, save_byte

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
def test_every_position_has_the_value_of_the_naive_fixed_point(grand_slam, speed, monkeypatch):
    game = Awari(grand_slam=grand_slam)
    if speed == "compiled" and not compiler.machine.available():
        pytest.skip("there is no machine speed")
    monkeypatch.setenv("GGP_SPEED", speed)
    layers = build(game, HIGHEST + 1)
    for seeds in range(HIGHEST + 1):
        for board, value in naive_values(seeds, grand_slam).items():
            state = ggp_state(board)
            assert layers.value(state) == value
            assert layers.value(game.turned(state)) == -value
    assert sum(verify(layers)) == layers.count == sum(game.positions(n) for n in range(HIGHEST + 1))


@pytest.fixture(scope="module")
def small():
    """The layers 0 to 2, in memory."""
    return build(Awari(), 3)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Small layers are solved before anything would be compiled."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")


def test_what_is_secured_is_part_of_the_value(small):
    state = ggp_state((0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0))
    assert small.value(state._replace(south=30, north=16)) == small.value(state) + 14


def test_a_wrong_value_contradicts_the_rules():
    layers = build(Awari(), 3)
    address = load(layers.address + 8 * SECTIONS * 2) + 50
    save_byte(address, load_byte(address) + 1)
    with pytest.raises(ggp.TablebaseError, match=r"layer 2 of the tablebase of awari is wrong: <.*> [SN] has"):
        verify(layers)


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
    layers = build(wrong(), 3)
    with pytest.raises(ggp.TablebaseError, match=r"is wrong: <.*> [SN] (has|is what `unrank` returns for) the place"):
        verify(layers)


def test_layers_come_back_from_their_files(small, tmp_path):
    build_files(Awari(), tmp_path, 1)
    built = build_files(Awari(), tmp_path, 2)
    again = open_tablebase(Awari(), tmp_path)
    assert [len(each.path.read_bytes()) - 4096 for each in built.files] == [1, 12, 78]
    assert values(again) == values(built) == values(small)
    assert open_tablebase(Awari(grand_slam="capture"), tmp_path).layers == 0


def values(base):
    return [base.value(state) for layer in range(base.layers) for state in base.ranking.positions(layer, 0, 0)]


def former_file(base, directory):
    """A file as it was written before: all layers together, and 128 added to each value."""
    path = former_layers.path_of(base.game, directory)
    head = {"game": "awari", "parameters": parameters(base.game), "highest": base.layers - 1}
    content = bytes(int(value) + 128 for value in values(base))
    former_layers.FORMAT.write(path, msgspec.json.encode(head) + b"\n", content)
    return path


def test_layers_in_a_former_file_are_read_and_continued(small, tmp_path):
    path = former_file(build(Awari(), 2), tmp_path)
    assert values(open_tablebase(Awari(), tmp_path)) == values(small)[:13]
    assert len(open_tablebase(Awari(), tmp_path, 1).files) == 1
    build_files(Awari(), tmp_path, 2)
    assert sorted(each.suffix for each in tmp_path.iterdir()) == [".ggpt", ".layers"]
    assert values(open_tablebase(Awari(), tmp_path)) == values(small)
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(ggp.TablebaseError, match="is damaged: its checksum is wrong: remove it"):
        open_tablebase(Awari(), tmp_path)


def test_a_former_file_of_another_game_is_refused(small, tmp_path):
    other = Awari(grand_slam="capture")
    former_file(small, tmp_path).rename(former_layers.path_of(other, tmp_path))
    with pytest.raises(ggp.TablebaseError, match="belongs to another game: remove it"):
        open_tablebase(other, tmp_path)


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
        (("--layer", "3", "--memory", "200"), "--memory cannot be used with awari"),
    ],
)
def test_what_cannot_be_built_is_refused(capsys, tmp_path, arguments, sentence):
    status, _, err = run(capsys, "tablebase", "build", "awari", "--directory", str(tmp_path), *arguments)
    assert (status, sentence in err) == (2, True)
