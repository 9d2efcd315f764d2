"""Many boards in little room: each is what it would be if it were drawn alone."""

import itertools
import random
from xml.etree.ElementTree import Element, tostring

import attrs
import pytest

import ggp
from ggp import capabilities
from ggp.show.album import Album
from ggp.show.board_layout import Box, hull, lay_out
from ggp.show.board_svg import Drawing

REGISTRY = ggp.load_registry()


def played(game, seed):
    """The states of a random game, chance included."""
    dice, state, found = random.Random(seed), game.initial_state(), []
    while not game.terminal_test(state) and len(found) < 60:
        found.append(state)
        state = game.result(state, dice.choice(list(game.actions(state))))
    return [*found, state]


def alone(game, state, earlier):
    """The cells of a board, drawn without an album."""
    scene, before = (capabilities.scene(game, each) for each in (state, earlier))
    cells = tuple(attrs.evolve(cell, action=None, hint="") for cell in scene.cells if cell.shape != "button")
    plain = attrs.evolve(scene, cells=cells, moves=(), caption="")
    drawing = Drawing(plain, lay_out(plain), None, None, plain.changed_since(before), "")
    root = Element("g")
    drawing.draw_ground(root)
    for placed in drawing.layout.cells:
        drawing.cell(root, placed)
    for group in root.iter("g"):
        for title in group.findall("title"):
            group.remove(title)
    return [tostring(part, encoding="unicode") for part in root]


@pytest.mark.parametrize("name", ["kalah", "tictactoe", "pig", "nim", "othello", "hex"])
def test_every_board_is_what_it_is_alone(name):
    game = REGISTRY.game(name)
    album = Album(game)
    states = played(game, 1)
    for earlier, state in itertools.pairwise(states):
        place = album.add(state, earlier)
        (*_, parts, caption) = list(album.boards)[place]
        pieces = list(album.pieces)
        assert [pieces[part] for part in parts] == alone(game, state, earlier)
        assert caption == capabilities.scene(game, state).caption


def test_boards_share_their_pieces():
    kalah = REGISTRY.game("kalah")
    album = Album(kalah)
    for seed in range(10):
        for state in played(kalah, seed):
            album.add(state)
    assert len(album.boards) > 100
    assert len(album.pieces) < 2 * len(album.boards)


def test_the_same_board_is_kept_once():
    kalah = REGISTRY.game("kalah")
    album = Album(kalah)
    assert album.add(kalah.initial_state()) == album.add(kalah.initial_state()) == 0
    assert len(album.boards) == 1


def test_a_board_of_buttons_alone_is_a_board_and_one_of_nothing_is_empty():
    pancakes = REGISTRY.game("pancakes")
    album = Album(pancakes)
    album.add(pancakes.initial_state())
    ((*_, pieces, _),) = album.boards
    assert len(pieces) == len(capabilities.scene(pancakes, pancakes.initial_state()).cells)
    assert hull([]) == Box(0, 0, 0, 0)
