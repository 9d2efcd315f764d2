"""The scene of Kalah."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp

GAMES = ggp.load_registry()
KALAH = GAMES.game("kalah")
MIDGAME = "<6,3,5,0,4,4,0,5,5,4,4,4,4,3,3> S"


def counts(scene):
    return {cell.name: cell.count for cell in scene.cells}


def test_every_house_and_store_is_a_cell_with_its_seeds():
    south = {"A": 0, "B": 4, "C": 4, "D": 0, "E": 5, "F": 5, "South's store": 3}
    north = {"a": 4, "b": 4, "c": 4, "d": 4, "e": 3, "f": 3, "North's store": 5}
    assert counts(KALAH.scene(KALAH.parse_state(MIDGAME))) == south | north


def test_the_cells_are_in_the_order_of_sowing():
    names = [cell.name for cell in KALAH.scene(KALAH.initial_state()).cells]
    assert names == [*"ABCDEF", "South's store", *"abcdef", "North's store"]


def test_south_is_below_from_left_to_right_and_opposite_houses_face_each_other():
    scene = KALAH.scene(KALAH.initial_state())
    assert [scene[name].x for name in "ABCDEF"] == [scene[name].x for name in "fedcba"]
    assert [scene[name].x for name in "ABCDEF"] == sorted(scene[name].x for name in "ABCDEF")
    assert {scene[name].y for name in "abcdef"} == {0}
    assert all(scene[name].y > 0 for name in "ABCDEF")
    assert scene["North's store"].x < scene["A"].x < scene["F"].x < scene["South's store"].x


def chosen(scene):
    return {cell.name: cell.action for cell in scene.cells if cell.action is not None}


@pytest.mark.parametrize(
    ("position", "expected"),
    {
        "houses with seeds": (MIDGAME, {"B": 1, "C": 2, "E": 4, "F": 5}),
        "north's own": (MIDGAME.replace(" S", " N"), dict(zip("abcdef", range(6), strict=True))),
        "the game is over": ("<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> S", {}),
    }.values(),
)
def test_what_can_be_chosen(position, expected):
    assert chosen(KALAH.scene(KALAH.parse_state(position))) == expected


def test_turns_of_several_houses_are_buttons_below_the_board():
    whole = GAMES.game("kalah", houses=3, seeds=3, turn="whole")
    scene = whole.scene(whole.initial_state())
    turns = {name: whole.houses_of(action) for name, action in chosen(scene).items()}
    assert turns == {"B": (1,), "C": (2,), "turn AB": (0, 1), "turn AC": (0, 2)}
    assert scene["turn AB"].shape == "button"
    assert scene["turn AB"].y > scene["A"].y + scene["A"].height
    assert scene["turn AB"].hint == "sows 3 seeds from A, ends in the store: an extra turn; then sows 4 seeds from B"


def test_a_house_says_what_choosing_it_does():
    assert KALAH.scene(KALAH.initial_state())["C"].hint == "sows 4 seeds from C, ends in the store: an extra turn"


@pytest.mark.parametrize(
    ("stores", "winner"), [("27,21", ["South's store"]), ("20,28", ["North's store"]), ("24,24", [])]
)
def test_the_winners_store_is_highlighted(stores, winner):
    scene = KALAH.scene(KALAH.parse_state(f"<6,{stores},0,0,0,0,0,0,0,0,0,0,0,0> N"))
    assert [cell.name for cell in scene.cells if cell.highlighted] == winner
    assert scene.caption == f"The game is over: South has {stores[:2]}, North has {stores[3:]}."


@given(st.lists(st.integers(0, 30), min_size=10, max_size=10), st.sampled_from("SN"))
def test_the_scene_shows_every_seed(seeds, mover):
    game = GAMES.game("kalah", houses=4, seeds=1)
    state = game.parse_state(f"<4,{','.join(map(str, seeds))}> {mover}")
    assert sum(counts(game.scene(state)).values()) == sum(seeds)
