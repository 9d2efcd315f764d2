"""Boards as SVG: nothing overlaps, everything is told, and it can be read."""

import re
from xml.etree import ElementTree

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picture import SVG, Picture

import ggp
from ggp import MAX, MIN, Cell, Line, Scene, capabilities
from ggp.show.board_layout import heap
from ggp.show.board_style import DARK, LIGHT, PAPER, PIECES, STYLE
from ggp.show.board_svg import board_svg, describe

TEXTS = (
    ("ink", "ground"),
    ("muted", "ground"),
    ("muted", "field"),
    ("wood-ink", "wood"),
    ("ink", "field"),
    ("ink", "glow"),
    ("ink", "button"),
    ("first", "field"),
    ("second", "field"),
    ("first", "glow"),
    ("second", "glow"),
    ("first", "button"),
    ("second", "button"),
    ("ground", "piece"),
    ("square-ink", "dark-square"),
    ("felt-ink", "felt"),
    ("felt-ink", "felt-edge"),
    ("ink", "paper"),
    ("first", "paper"),
    ("pip", "die"),
)
"""Pairs of colours: of a text, and of its background."""

GAMES = ggp.load_registry()
SEEDS = st.integers(0, 12) | st.integers(0, 130) | st.integers(0, 4000)


def drawn(scene, **options):
    return Picture(board_svg(scene, **options))


@st.composite
def kalah_states(draw):
    houses = draw(st.integers(1, 12))
    kalah = GAMES.game("kalah", houses=houses, seeds=1000)  # so that there is room for any count
    numbers = draw(st.lists(SEEDS, min_size=2 * houses + 2, max_size=2 * houses + 2))
    mover = draw(st.sampled_from("SN"))
    return kalah, kalah.parse_state(f"<{houses},{','.join(map(str, numbers))}> {mover}")


@settings(max_examples=40)
@given(kalah_states())
def test_nothing_overlaps_on_a_board_of_kalah_whatever_the_counts(place):
    scene = capabilities.scene(*place)
    assert list(drawn(scene, changed=[cell.name for cell in scene.cells]).faults()) == []


@st.composite
def states(draw):
    """A state of another game, some moves after its beginning."""
    name, options = draw(
        st.sampled_from(
            [
                ("tictactoe", {}),
                ("tictactoe", {"h": 2, "v": 7, "k": 2}),
                ("nim", {}),
                ("nim", {"heaps": (0, 1, 60, 13)}),
                ("pig", {}),
                ("pig", {"goal": 900, "sides": 100}),
                ("fig52", {}),
                ("tree", {}),
                ("tree", {"chance": 0.7, "seed": 5}),
                ("tree", {"branching": 40, "depth": 2}),
                ("kalah", {"turn": "whole", "houses": 4}),
                ("checkers", {}),
                ("connectfour", {}),
                ("dotsandboxes", {}),
                ("einstein", {}),
                ("hex", {}),
                ("othello", {}),
                ("pancakes", {}),
            ]
        )
    )
    game = GAMES.game(name, **options)
    state = game.initial_state()
    for number in draw(st.lists(st.integers(0, 99), max_size=20)):
        actions = capabilities.legal_actions(game, state)
        state = game.result(state, actions[number % len(actions)]) if actions else state
    return game, state


@settings(max_examples=60)
@given(states())
def test_nothing_overlaps_on_a_board_of_any_other_game(place):
    scene = capabilities.scene(*place)
    assert list(drawn(scene, changed=[cell.name for cell in scene.cells]).faults()) == []


@st.composite
def scenes(draw):
    """Cells of any shape and content in the places of a grid."""
    shapes = st.sampled_from(["square", "round", "piece", "button", "plain"])
    words = st.text("aWm1 ", max_size=12)
    cells = []
    for x in range(draw(st.integers(1, 4))):
        for y in range(draw(st.integers(1, 3))):
            width, height = draw(st.floats(0.3, 1)), draw(st.floats(0.3, 1))
            shape, text, label = draw(shapes), draw(words), draw(words)
            count = None if shape == "piece" else draw(st.none() | SEEDS)
            owner = draw(st.sampled_from([MAX, MIN, None]))
            cells.append(
                Cell(f"{x} {y}", x, y, width, height, shape, text if count is None else "", count, label, owner)
            )
    return Scene(tuple(cells), draw(words))


@given(scenes())
def test_nothing_overlaps_in_any_scene_whose_cells_do_not(scene):
    assert list(drawn(scene).faults()) == []


@pytest.mark.parametrize("houses", [1, 6, 12])
def test_numbers_and_letters_of_kalah_can_be_read(houses):
    kalah = GAMES.game("kalah", houses=houses, seeds=99)
    texts = list(drawn(kalah.scene(kalah.initial_state())).root.iter(f"{SVG}text"))
    caption = texts.pop()
    assert {float(text.attrib["font-size"]) for text in texts} == {16, 20}
    assert caption.text == "South to move"
    assert float(caption.attrib["font-size"]) >= 16


@pytest.mark.parametrize("cells", [19 * 19, 4])
def test_a_board_of_tictactoe_has_a_cell_for_every_field(cells):
    side = int(cells**0.5)
    game = GAMES.game("tictactoe", h=side, v=side, k=2)
    picture = drawn(capabilities.scene(game, game.initial_state()), link=str)
    assert len(picture.root.findall(f"{SVG}a")) == cells


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 30, 72, 200])
def test_as_many_seeds_are_drawn_as_there_are(count):
    radius, places = heap(count, 60, 60)
    assert len(set(places)) == count
    assert radius > 1


def test_a_piece_shows_by_its_shape_what_terminals_write():
    group = drawn(Scene((Cell("a1-b1", 0, 0, 0.7, 0.3, "piece", "━━━"),))).cells["a1-b1"]
    assert (len(group.findall(f"{SVG}rect")), group.findall(f"{SVG}text")) == (1, [])


def test_where_there_is_no_room_for_seeds_there_are_only_digits():
    group = drawn(Scene((Cell("A", 0, 0, shape="round", count=3000),))).cells["A"]
    assert group.findall(f"{SVG}circle") == []
    assert [text.text for text in group.findall(f"{SVG}text")] == ["3000"]


def scene():
    cells = (
        Cell("C", 0, 0, shape="round", count=4, label="C", owner=MAX, action=2, hint="sows 4 seeds from C"),
        Cell("c", 1, 0, shape="round", count=1, owner=MIN),
        Cell("won", 2, 0, text="X", highlighted=True, action="a&b<c"),
    )
    return Scene(cells, "South to move", things=("seed", "seeds"))


def test_a_picture_says_what_it_shows():
    root = drawn(scene(), title="kalah", identity="first").root
    assert root.attrib["role"] == "img"
    title, desc = (root.find(f"{SVG}{name}") for name in ("title", "desc"))
    assert (
        root.attrib["aria-labelledby"].split()
        == [title.attrib["id"], desc.attrib["id"]]
        == ["first-title", "first-text"]
    )
    assert title.text == "kalah"
    assert desc.text == "South to move. C: 4 seeds; c: 1 seed; won: X"


def test_without_a_title_the_caption_is_the_title():
    assert drawn(scene()).root.find(f"{SVG}title").text == "South to move"
    assert drawn(Scene(())).root.find(f"{SVG}title").text == "A board"


def test_a_cell_with_an_action_is_a_link_that_says_what_it_does():
    picture = drawn(scene(), link=lambda action: f"?move={action}")
    links = picture.root.findall(f"{SVG}a")
    assert [link.attrib["href"] for link in links] == ["?move=2", "?move=a&b<c"]
    assert [link.attrib["aria-label"] for link in links] == ["C: 4 seeds — sows 4 seeds from C", "won: X — play won"]
    assert [link.find(f"{SVG}g").attrib["data-name"] for link in links] == ["C", "won"]
    assert picture.root.attrib["role"] == "group"


def test_an_action_that_has_no_address_is_no_link():
    assert drawn(scene(), link=lambda action: None).root.findall(f"{SVG}a") == []


def classes(picture):
    return {name: set(group.attrib["class"].split()) for name, group in picture.cells.items()}


def test_classes_tell_what_a_cell_is():
    assert classes(drawn(scene(), changed=["c"])) == {
        "C": {"cell", "round", "max", "playable"},
        "c": {"cell", "round", "min", "changed"},
        "won": {"cell", "square", "highlighted", "playable"},
    }


def test_the_last_move_has_one_quiet_mark():
    picture = drawn(scene(), changed=["c"])
    assert [name for name, group in picture.cells.items() if group.find(f"{SVG}rect[@class='ring']") is not None] == [
        "c"
    ]
    assert "stroke-dasharray" not in re.search(r"\.ring\{([^}]*)\}", STYLE)[1]


def test_lines_join_the_middles_of_their_cells_and_have_labels():
    nodes = (Cell("A", 0, 0, shape="up"), Cell("B", 0, 2, shape="down"))
    root = drawn(Scene(nodes, lines=(Line("A", "B", "left"),))).root
    line, label = root.find(f"{SVG}line"), root.find(f"{SVG}text[@class='line-label']")
    assert [line.attrib[name] for name in ("x1", "y1", "x2", "y2")] == ["32", "32", "32", "160"]
    assert label.text == "left"
    assert len(root.findall(f"{SVG}g/{SVG}polygon")) == 2


@given(st.text(max_size=8), st.text(max_size=8), st.text(max_size=8))
def test_any_text_makes_a_picture_that_can_be_read(name, text, caption):
    picture = drawn(
        Scene((Cell(name, 0, 0, text=text, label=text, action=1),), caption), link=lambda _: text, title=name
    )
    assert len(picture.cells) == 1


def test_two_pictures_of_one_page_share_no_id():
    pictures = [board_svg(scene(), identity=identity) for identity in ("one", "two")]
    one, two = (set(re.findall(r'id="([^"]*)"', picture)) for picture in pictures)
    assert one
    assert not one & two


def luminance(colour):
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


SCHEMES = {"light": LIGHT, "dark": DARK, "paper": PAPER}
OUTLINES = [("play", "wood"), ("play", "hollow"), ("play", "field"), ("play", "ground"), ("changed", "hollow")]


@pytest.mark.parametrize("name", SCHEMES)
def test_texts_stand_out(name):
    scheme = SCHEMES[name]
    assert {pair: contrast(*map(scheme.get, pair)) for pair in TEXTS if contrast(*map(scheme.get, pair)) < 4.5} == {}


@pytest.mark.parametrize("name", SCHEMES)
def test_outlines_that_mean_something_stand_out(name):
    scheme = SCHEMES[name]
    assert {pair: contrast(*map(scheme.get, pair)) for pair in OUTLINES if contrast(*map(scheme.get, pair)) < 3} == {}


def test_the_style_needs_nothing_from_outside():
    assert not re.search(r"url\(|@import|@font-face|[<>&]", STYLE)


def circles(picture, name):
    """The classes of the circles in a cell, and their radii in parts of the cell."""
    found = picture.cells[name].iter("{http://www.w3.org/2000/svg}circle")
    return {each.attrib["class"]: float(each.attrib["r"]) / 64 for each in found}


def test_pieces_are_discs_of_four_fifths_of_the_cell_and_differ_without_colour():
    othello = GAMES.game("othello")
    picture = drawn(capabilities.scene(othello, othello.initial_state()))
    assert circles(picture, "e4") == circles(picture, "d4") == {"disc": 0.4}
    assert contrast(PIECES["black"][0], PIECES["white"][0]) > 7
    alike = capabilities.scene(othello, othello.initial_state())
    assert set(circles(drawn(attrs.evolve(alike, colours=("blue", "red"))), "d4")) == {"disc", "rim"}


@pytest.mark.parametrize("name", PIECES)
def test_what_is_written_on_pieces_and_about_them_stands_out(name):
    piece, _, sign, on_light, on_dark = PIECES[name]
    assert contrast(sign, piece) > 3
    assert min(contrast(on_light, LIGHT["ground"]), contrast(on_dark, DARK["ground"])) > 4.5


def test_empty_cells_that_can_be_chosen_have_a_dot_unless_all_can():
    othello, hexes = GAMES.game("othello"), GAMES.game("hex", size=3)
    picture = drawn(capabilities.scene(othello, othello.initial_state()))
    assert [name for name in picture.cells if "dot" in circles(picture, name)] == ["d3", "c4", "f5", "e6"]
    assert "dot" not in board_svg(capabilities.scene(hexes, hexes.initial_state())).partition("</style>")[2]


def test_a_cell_reaches_where_it_may_be_clicked_too():
    game = GAMES.game("connectfour", width=4, height=4)
    scene = capabilities.scene(game, game.parse_state("1"))
    text = board_svg(scene, link=lambda column: f"?{column}")
    first = text.partition('<a href="?0"')[2].partition("</a>")[0]
    assert first.count('class="reach"') == 4
    assert 'data-name="a2"' in first


def test_a_chequered_board_has_light_and_dark_squares():
    game = GAMES.game("checkers")
    picture = drawn(capabilities.scene(game, game.initial_state()))
    kinds = [each.attrib["class"].split() for each in picture.cells.values()]
    assert (sum("dark" in each for each in kinds), sum("light" in each for each in kinds)) == (32, 32)


def test_an_empty_point_is_smaller_than_a_piece_and_is_clicked_as_widely():
    morris = GAMES.game("morris")
    picture = board_svg(morris.scene(morris.initial_state()), link=str)
    point = next(group for group in ElementTree.fromstring(picture).iter() if group.get("data-name") == "a1")  # noqa: S314
    shapes = {each.get("class"): each for each in point}
    assert 2 * float(shapes["outline"].get("r")) < 0.5 * float(shapes["reach"].get("width"))


SPOKEN = {
    "a man": ("checkers", "11-15", "15 (e4): black man"),
    "a stone with a number": ("einstein", "", "a1: blue stone 1"),
    "a disc": ("othello", "f5", "f5: black disc"),
    "a line": ("dotsandboxes", "a1-b1", "a1-b1: blue line"),
    "an empty square": ("othello", "", "a1"),
    "a mark": ("tictactoe", "5", "5: X"),
    "a heap": ("nim", "2:2", "heap 2: 2 stones"),
}


@pytest.mark.parametrize("case", SPOKEN)
def test_a_screen_reader_is_told_pieces_in_words(case):
    name, moves, words = SPOKEN[case]
    game = ggp.load_registry().game(name)
    state, way = game.initial_state(), []
    for move in moves.split():
        way.append(state)
        state = game.result(state, game.parse_action(state, move))
    shown = capabilities.scene(game, state, way)
    spoken = [describe(shown, each) for each in shown.cells]
    assert words in spoken
    assert not {"●", "○", "♙", "♟", "━"} & set("".join(spoken) + board_svg(shown).partition("<style>")[0])
