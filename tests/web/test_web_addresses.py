"""An address says all that a page shows, and only what it may."""

from urllib.parse import urlsplit

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.options import option
from ggp.plugin_entries import Entry
from ggp.web.address import PANELS, Address, joined, read, side_names, split
from ggp.web.problems import ProblemError, TooLongError

KALAH = ggp.load_registry().games["kalah"]
moves = st.lists(st.text(min_size=1, max_size=8).map(str.strip).filter(bool), max_size=6).map(tuple)


@st.composite
def kalah_addresses(draw):
    played = draw(moves)
    return Address(
        "kalah",
        ("south", "north"),
        parameters=draw(st.dictionaries(st.sampled_from([each.name for each in KALAH.options]), st.text(max_size=9))),
        players=(draw(st.sampled_from(["human", "mcts:nodes=9,seed=1"])), "easy"),
        start=draw(st.none() | st.text()),
        moves=played,
        at=draw(st.none() | st.integers(0, len(played))),
        shown=tuple(each for each in PANELS if draw(st.booleans())),
        branch=draw(moves),
        command=draw(st.none() | st.sampled_from(["hint", "move"])),
    )


@given(kalah_addresses())
def test_an_address_is_read_as_it_was_written(address):
    assert read(KALAH, urlsplit(address.url()).query) == address


@given(kalah_addresses(), st.none() | st.text(min_size=1), st.sampled_from([0, 1, 2]))
def test_a_mistake_to_learn_from_is_read_as_it_was_written(address, tried, deeper):
    if address.moves:
        lesson = attrs.evolve(address, deeper=deeper).learning(len(address.moves), tried)
        assert read(KALAH, urlsplit(lesson.url()).query) == lesson


@given(moves)
def test_moves_may_hold_commas(texts):
    assert split(joined(texts)) == texts


def test_a_parameter_with_a_name_of_the_page_is_written_with_option_before_it():
    @attrs.frozen
    class Odd:
        name = "odd"
        moves: int = option(3, "moves")
        first: int = option(1, "first")

    entry = Entry("odd", Odd, "here")
    address = Address("odd", side_names(entry), parameters={"moves": "4", "first": "2"})
    assert address.url() == "/play/odd?option.moves=4&option.first=2&max=human&min=human"
    assert read(entry, urlsplit(address.url()).query) == address


@pytest.mark.parametrize(
    ("names", "right"),
    [
        (("South", "North"), ("south", "north")),
        (("The Fox", "The Geese"), ("the-fox", "the-geese")),
        (("Same", "same"), ("first", "second")),
        (("moves", "at"), ("first", "second")),
        (("stones", "other"), ("first", "second")),
        (7, ("first", "second")),
    ],
)
def test_players_go_by_the_names_of_their_sides_if_these_are_no_others(names, right):
    @attrs.frozen
    class Game:
        player_names = names
        stones: int = option(3, "stones")

    assert side_names(Entry("game", Game, "here")) == right


WRONG = {
    "moves=A&moves=B": "the address has 'moves' twice: give it once",
    "south=human&first=easy": "the address names the player south twice: give it once",
    "colour=red": "an address of kalah has no parameter 'colour': its parameters are houses, seeds, capture,"
    " majority, turn, scoring, swap, south, north, position, moves, at, show, branch, ask",
    "at=-1": "`at` must be a number of moves; got '-1'",
    "at=1": "`at` must be from 0 to 0, the number of moves; got 1",
    "show=tree,secrets": "show must be one of analysis, curve, tree; got 'secrets'",
    "moves=C&ask=learn": "with ask=learn, `at` must be less than the number of moves: it asks for a better move than "
    "the next one",
    "deeper=9": "deeper must be from 0 to 2; got '9'",
    "ask=why": "ask must be one of hint, move, learn; got 'why'",
    "moves=%ff": "the address cannot be read: it must be name=value pairs joined by &, in UTF-8",
    "branch=" + ",".join("A" * 13): "the branch is too deep: it is opened at most 12 moves from the position",
}


@pytest.mark.parametrize(("query", "words"), WRONG.items())
def test_a_wrong_address_is_told_what_would_be_right(query, words):
    with pytest.raises(ProblemError) as caught:
        read(KALAH, query)
    assert (str(caught.value), caught.value.status) == (words, 400)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("moves=" + "A" * 16_000, "the address is too long: it has 16,006 characters, and at most 16,000 are read"),
        ("moves=" + "A," * 2_001, "the address has 2,001 moves: at most 2,000 are played"),
    ],
)
def test_an_address_that_no_game_makes_is_too_long(query, words):
    with pytest.raises(TooLongError) as caught:
        read(KALAH, query)
    assert (str(caught.value), caught.value.status) == (words, 414)
