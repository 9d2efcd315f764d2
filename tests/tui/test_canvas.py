"""Boards in the signs of a terminal: whole or not at all, and every place knows its cell."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import ggp
from ggp import capabilities
from ggp.tui.canvas import needed, paint

REGISTRY = ggp.load_registry()
GAMES = {
    name: REGISTRY.game(kind, **parameters)
    for name, (kind, parameters) in {
        "kalah": ("kalah", {}),
        "large kalah": ("kalah", {"houses": 12, "seeds": 9}),
        "whole turns": ("kalah", {"houses": 4, "turn": "whole"}),
        "tictactoe": ("tictactoe", {}),
        "gomoku": ("tictactoe", {"h": 19, "v": 19, "k": 5}),
        "fig52": ("fig52", {}),
        "nim": ("nim", {}),
        "pig": ("pig", {}),
        "tree": ("tree", {}),
    }.items()
}


@st.composite
def rows(draw):
    """A scene of cells side by side, with whatever counts."""
    counts = draw(st.lists(st.integers(0, 10**6), min_size=1, max_size=5))
    shape = draw(st.sampled_from(["square", "round", "button", "plain", "up"]))
    return ggp.Scene(tuple(ggp.Cell(f"cell {x}", x, 0, shape=shape, count=count) for x, count in enumerate(counts)))


@st.composite
def games(draw):
    """The scene of a state of some game."""
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    state = game.initial_state()
    for _ in range(draw(st.integers(0, 12))):
        actions = capabilities.legal_actions(game, state)
        if not actions:
            break
        state = game.result(state, actions[draw(st.integers(0, len(actions) - 1))])
    return capabilities.scene(game, state)


scenes = st.one_of(games(), rows())
rooms = st.tuples(st.integers(1, 130), st.integers(1, 45))


@given(scenes, rooms)
def test_a_board_is_drawn_within_its_room_or_not_at_all(scene, room):
    canvas = paint(scene, room)
    if canvas is None:
        columns, rows = needed(scene)
        assert columns > room[0] or rows > room[1]
    else:
        assert canvas.size[0] <= room[0]
        assert canvas.size[1] <= room[1]
        assert {len(row) for row in canvas.signs} == {canvas.size[0]}
        assert len(canvas.signs) == canvas.size[1]


@given(scenes)
def test_the_estimated_memory_is_enough(scene):
    assert paint(scene, needed(scene)) is not None


@given(scenes, rooms)
def test_cells_do_not_overlap_and_all_their_signs_are_their_own(scene, room):
    canvas = paint(scene, room)
    for area in canvas.areas if canvas else ():
        signs = [row[area.left : area.left + area.width] for row in canvas.signs[area.top : area.top + area.height]]
        assert {sign.cell for sign in itertools.chain(*signs)} == {area.cell.name}


@given(scenes, rooms)
def test_wherever_a_cell_is_seen_a_click_finds_it(scene, room):
    canvas = paint(scene, room)
    for row, signs in enumerate(canvas.signs if canvas else ()):
        for column, sign in enumerate(signs):
            found = canvas.cell_at(column, row)
            assert (found.name if found else "") == sign.cell


@given(scenes, rooms)
def test_every_text_and_count_can_be_read(scene, room):
    canvas = paint(scene, room)
    if canvas is None:
        return
    for area in canvas.areas:
        rows = canvas.signs[area.top : area.top + area.height]
        text = "\n".join("".join(sign.text for sign in row[area.left : area.left + area.width]) for row in rows)
        assert area.cell.text.strip() in text
        assert area.cell.count is None or str(area.cell.count) in text
        assert (
            area.cell.action is None or not area.cell.label or area.cell.text or area.cell.label in text or "·" in text
        )


@given(scenes, rooms)
@example(ggp.Scene((ggp.Cell("cell", 0, 0, count=12345),)), (5, 3))
def test_frames_are_whole(scene, room):
    canvas = paint(scene, room)
    for area in canvas.areas if canvas else ():
        if area.framed:
            sides = [canvas.signs[row] for row in range(area.top + 1, area.top + area.height - 1)]
            assert {row[area.left].text for row in sides} <= {"│", "┃"}
            assert {row[area.left + area.width - 1].text for row in sides} <= {"│", "┃"}


def test_kalah_in_eighty_columns_looks_like_this():
    scene = GAMES["kalah"].scene(GAMES["kalah"].initial_state())
    assert paint(scene, (52, 10), chosen="A").text == (
        "╭North─╮╭─f──╮╭─e──╮╭─d──╮╭─c──╮╭─b──╮╭─a──╮╭──────╮\n"
        "│      ││ 4  ││ 4  ││ 4  ││ 4  ││ 4  ││ 4  ││      │\n"
        "│      ││    ││    ││    ││    ││    ││    ││      │\n"
        "│  0   │╰────╯╰────╯╰────╯╰────╯╰────╯╰────╯│  0   │\n"
        "│      │┏━━━━┓╭────╮╭────╮╭────╮╭────╮╭────╮│      │\n"
        "│      │┃ 4  ┃│ 4  ││ 4  ││ 4  ││ 4  ││ 4  ││      │\n"
        "│      │┃    ┃│    ││    ││    ││    ││    ││      │\n"
        "╰──────╯┗━A━━┛╰─B──╯╰─C──╯╰─D──╯╰─E──╯╰─F──╯╰South─╯"
    )


def test_a_board_of_many_fields_has_no_frames():
    scene = GAMES["gomoku"].scene(
        GAMES["gomoku"].parse_state("/".join(["X" + "." * 18, "O" + "." * 18, *["." * 19] * 17]))
    )
    canvas = paint(scene, (80, 20))
    assert canvas.text.splitlines()[1].split() == ["1", "[X]", *["[·]"] * 18]
    assert paint(scene, (50, 20)) is None


def test_lines_of_a_tree_have_their_labels():
    scene = GAMES["fig52"].scene("A")
    text = paint(scene, (80, 20)).text
    assert all(label in text for label in ("a1", "a2", "a3", "b1", "c2", "d3", "△A", "▽D", "14"))


@pytest.mark.parametrize(
    ("changed", "chosen", "name", "style"),
    [
        ((), "", "A", "#8cc2ff bold underline"),
        ((), "", "a", "#ffa79c"),
        (("A",), "", "A", "#d5a6ff bold underline"),
    ],
)
def test_owners_and_changes_of_cells_are_visible(changed, chosen, name, style):
    scene = GAMES["kalah"].scene(GAMES["kalah"].initial_state())
    canvas = paint(scene, (110, 30), changed, chosen)
    assert {sign.style for row in canvas.signs for sign in row if sign.cell == name and sign.text == "4"} == {style}


def test_the_selected_cell_has_another_frame_or_is_reversed():
    scene = ggp.Scene(tuple(ggp.Cell(name, x, 0, shape="piece") for x, name in enumerate("ab")))
    canvas = paint(scene, (80, 20), chosen="b")
    assert {"reverse" in sign.style for row in canvas.signs for sign in row if sign.cell == "b"} == {True}
    assert {"reverse" in sign.style for row in canvas.signs for sign in row if sign.cell != "b"} == {False}


def test_a_board_contains_no_control_characters():
    scene = ggp.Scene((ggp.Cell("a", 0, 0, width=4, text="\x1b[2J", label="\x07"),), caption="")
    painted = paint(scene, (40, 10))
    signs = [sign.text for row in painted.signs for sign in row]
    assert "[" in signs
    assert not [sign for sign in signs if not sign.isprintable()]
