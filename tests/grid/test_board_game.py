"""`ggp.BoardGame`: what a game inherits, and what it is told if its states do not suit."""

import re
from types import MappingProxyType
from typing import NamedTuple

import attrs
import pytest

import ggp
from ggp import Bits
from ggp.board_game import MOVE


class Placing:
    """The rules of all games here: put a piece into an empty cell; the game never ends."""

    name = "placing"
    grid = ggp.Grid(2, 3)

    def initial_state(self):
        return Bits(), Bits(), ggp.MAX

    def to_move(self, state):
        return state[-1]

    def actions(self, state):
        return self.grid.board - state[0] - state[1]

    def result(self, state, action):
        first, second, mover = state
        return (second, first, 1) if mover else (first.including(action), second, 1)

    def terminal_test(self, state):
        return False

    def utility(self, state, player):
        return 0


class Stones(Placing, ggp.BoardGame):
    pieces = MappingProxyType({"w": (ggp.MAX, "○"), "W": (ggp.MAX, "♔"), "b": (ggp.MIN, "●")})

    def initial_state(self):
        return Bits(), Bits(), Bits(), ggp.MAX


class Position(NamedTuple):
    covered: Bits
    mover: int


class Dominoes(Placing, ggp.BoardGame):
    """An action is a pair of cells, or a word that is not on the board."""

    pieces = MappingProxyType({"#": (None, "■")})

    def initial_state(self):
        return Position(Bits(), ggp.MAX)

    def actions(self, state):
        return [(0, 1), (0, 2, 5), "turn"]

    def where(self, state, action):
        return None if action == "turn" else action


def test_a_state_of_sets_has_a_notation():
    state = Bits.of(0), Bits.of(4), Bits.of(2), ggp.MIN
    assert Stones().format_state(state) == "w.b/.W. b"
    assert Stones().parse_state("w.b/.W. b") == state
    assert Dominoes().parse_state("#../..# O") == Position(Bits.of(0, 5), ggp.MIN)
    assert type(Dominoes().parse_state("#../..# O")) is Position


def test_the_players_are_named_by_their_first_marks_or_by_x_and_o_or_as_the_game_says():
    named = type("Named", (Dominoes,), {"movers": "VH"})
    texts = [game.format_state(game.initial_state()) for game in (Stones(), Dominoes(), named())]
    assert texts == [".../... w", ".../... X", ".../... V"]


def test_actions_are_cells_or_moves_or_beside_the_board():
    stones, dominoes = Stones(), Dominoes()
    assert stones.format_action(stones.initial_state(), 4) == "b2"
    state = Position(Bits.of(1), ggp.MAX)
    assert [dominoes.format_action(state, action) for action in dominoes.actions(state)] == ["a1xb1", "a1-c2", "turn"]
    assert dominoes.parse_action(state, "A1-C2") == (0, 2, 5)
    scene = dominoes.scene(state)
    assert [(move.start, move.end, move.via) for move in scene.moves] == [("a1", "b1", ()), ("a1", "c2", ("c1",))]
    assert [cell.text for cell in scene.cells if cell.shape == "button"] == ["turn"]


@pytest.mark.parametrize(
    ("form", "text", "message"),
    [
        (None, "turns", "'turns' is not a move: a move is written like a1-b1$"),
        ((MOVE, "b2-b3"), "a1", "'a1' is not a move: a move is written like b2-b3$"),
    ],
)
def test_what_is_no_move_is_refused_with_an_example(form, text, message):
    game = type("Formed", (Dominoes,), {"move_form": form} if form else {})()
    with pytest.raises(ggp.NotationError, match=message):
        game.parse_action(game.initial_state(), text)


def test_a_move_that_is_not_legal_is_refused_with_the_legal_ones():
    with pytest.raises(ggp.IllegalActionError, match=r"b1-c1 cannot be played in .../... X: MAX can play a1-b1, a1-c2"):
        Dominoes().parse_action(Dominoes().initial_state(), "b1-c1")


def test_a_scene_has_properties_and_looks():
    game = Stones()
    scene = game.board_scene(
        game.initial_state(), lambda number, cell: attrs.evolve(cell, label=str(number)), below=ggp.MIN, chequered=True
    )
    assert (scene.below, scene["b1"].label, scene["b1"].shade, scene["a1"].shade) == (ggp.MIN, "1", "light", "dark")


def test_a_board_of_points_may_be_the_grid():
    game = type("Pointed", (Dominoes,), {"grid": ggp.Points("o---o---o\n\no---o---o")})()
    state = Position(Bits.of(0, 5), ggp.MAX)
    assert game.parse_state("#../..# X") == state
    scene = game.scene(state)
    assert (scene["c1"].text, scene.material, len(scene.lines), len(scene.moves)) == ("■", "wood", 4, 2)
    with pytest.raises(TypeError, match="chequered"):
        game.board_scene(state, chequered=True)


@attrs.frozen
class Written:
    cells: str
    mover: int


@pytest.mark.parametrize("start", [(("w", "."), 0), (Bits(), Bits(), 0), "w.b", Written("w.b", 0)])
def test_other_states_need_methods_of_their_own(start):
    game = type("Other", (Stones,), {"initial_state": lambda self: start, "to_move": lambda self, state: ggp.MAX})()
    states = "tuples of a ggp.Bits for each of w W b and the player to move"
    message = f"Other needs its own marks and parse_state, since its states are not {states}"
    with pytest.raises(TypeError, match=message):
        game.format_state(start)
    with pytest.raises(TypeError, match=message):
        game.parse_state("w.b/.W. b")


def test_a_set_of_cells_alone_is_no_state_with_a_player():
    game = type("Other", (Dominoes,), {"initial_state": lambda self: (Bits(),), "to_move": lambda self, state: 0})()
    assert game.format_state((Bits.of(1),)) == ".#./... X"
    with pytest.raises(TypeError, match="Other needs its own parse_state, since its states are not just sets of cells"):
        game.parse_state(".#./... X")


def test_a_game_in_which_chance_moves_needs_a_notation_of_its_own():
    game = type("Rolled", (Stones,), {"to_move": lambda self, state: ggp.CHANCE})()
    message = "Rolled needs its own format_state and parse_state, since chance moves in it"
    with pytest.raises(TypeError, match=message):
        game.format_state(game.initial_state())


def test_an_action_that_is_no_place_needs_a_place():
    game = type("Stepping", (Stones,), {"actions": lambda self, state: ["north"]})()
    message = "Stepping needs a method `where`, since its action 'north' is neither a cell nor cells"
    with pytest.raises(TypeError, match=message):
        game.format_action(game.initial_state(), "north")


@pytest.mark.parametrize(
    ("members", "got"),
    [
        ({"pieces": {"X": "✕"}}, "'X': '✕'"),
        ({"pieces": {"XX": (ggp.MAX, "✕")}}, "'XX': (0, '✕')"),
        ({"pieces": {"/": (ggp.MAX, "✕")}}, "'/': (0, '✕')"),
        ({"pieces": {"X": (ggp.MAX, "✕", "cube")}}, "'X': (0, '✕', 'cube')"),
        ({"movers": "V"}, "two characters in `movers`, for MAX and MIN; got 'V'"),
    ],
)
def test_pieces_and_movers_are_checked(members, got):
    game = type("Wrong", (Dominoes,), members)()
    with pytest.raises(TypeError, match=f"^Wrong needs .*{re.escape(got)}$"):
        game.format_state(game.initial_state())
    with pytest.raises(TypeError, match=f"^Wrong needs .*{re.escape(got)}$"):
        game.parse_state(".../... X")
