"""Declared options: what is read, what is refused and in which words."""

import math
from collections.abc import Callable
from typing import Literal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp import OptionError, option
from ggp.options import build, find_option, options_of, parse_options, split_options, values_of


@attrs.frozen
class Everything:
    """One option of each kind."""

    whole: int = option(3, "a count", minimum=0, maximum=10)
    number: float = option(0.5, "a share", minimum=0)
    up_to: int = option(1, "a small count", maximum=5)
    flag: bool = option(False, "whether")
    text: str = option("abc", "some text")
    choice: str = option("red", "a colour", choices=("red", "green"))
    limit: int | None = option(None, "a limit", minimum=1)
    many: tuple[int, ...] = option((1, 2), "some counts", minimum=0)
    function: str | Callable[..., float] = option("default", "a name or a function")
    margin: float | Literal["auto"] = option(0, "a margin", minimum=0)


GOOD = {
    ("whole", "0"): 0,
    ("whole", " 7 "): 7,
    ("number", "1e-3"): 0.001,
    ("number", "2"): 2.0,
    ("up_to", "-4"): -4,
    ("flag", "yes"): True,
    ("flag", "Off"): False,
    ("flag", "1"): True,
    ("text", "a b"): "a b",
    ("choice", "green"): "green",
    ("limit", "none"): None,
    ("limit", "None"): None,
    ("limit", "4"): 4,
    ("many", "3,4,5"): (3, 4, 5),
    ("many", "3"): (3,),
    ("function", "mobility"): "mobility",
    ("margin", "auto"): "auto",
    ("margin", "2"): 2.0,
}


@pytest.mark.parametrize(("name", "text"), GOOD)
def test_a_text_is_read(name, text):
    assert parse_options(Everything, "everything", {name: text}) == {name: GOOD[name, text]}


BAD = {
    ("whole", "11"): r"^whole must be a whole number from 0 to 10 \(a count\); got 11$",
    ("whole", "-1"): "whole must be .*; got -1",
    ("whole", "1.5"): "whole must be .*; got '1.5'",
    ("whole", ""): "whole must be .*; got ''",
    ("whole", "four"): "whole must be .*; got 'four'",
    ("whole", "nan"): "whole must be .*; got 'nan'",
    ("whole", "none"): "whole must be .*; got 'none'",
    ("whole", "9" * 400): r"whole must be .*; got 9{57}\.\.\.$",
    ("whole", "9" * 5000): r"whole must be .*; got '9{56}\.\.\.",
    ("number", "nan"): r"number must be a number, 0 or more \(a share\); got nan$",
    ("number", "inf"): "number must be .*; got inf",
    ("number", "-0.1"): "number must be .*; got -0.1",
    ("number", "1e999"): "number must be .*; got inf",
    ("up_to", "6"): r"up_to must be a whole number, 5 or less \(a small count\); got 6$",
    ("flag", "maybe"): r"flag must be yes or no \(whether\); got 'maybe'$",
    ("flag", "2"): "flag must be .*; got '2'",
    ("choice", "blue"): r"choice must be one of red, green \(a colour\); got 'blue'$",
    ("limit", "0"): r"limit must be a whole number, 1 or more, or none \(a limit\); got 0$",
    ("many", "3,,4"): r"many must be whole numbers separated by commas, 0 or more \(some counts\); got '3,,4'$",
    ("many", ""): "many must be .*; got ''",
    ("many", "3,-4"): r"many must be .*; got \(3, -4\)",
    ("many", "3 4"): "many must be .*; got '3 4'",
    ("margin", "some"): r"margin must be a number, 0 or more, or auto \(a margin\); got 'some'$",
    ("margin", "-1"): "margin must be .*; got -1.0",
    ("margin", "none"): "margin must be .*; got 'none'",
}


@pytest.mark.parametrize(("name", "text"), BAD)
def test_a_wrong_text_is_refused_in_words(name, text):
    with pytest.raises(OptionError, match=BAD[name, text]):
        parse_options(Everything, "everything", {name: text})


WRONG_VALUES = [
    ("whole", True),
    ("whole", 2.0),
    ("whole", None),
    ("whole", "3"),
    ("whole", 10**100),
    ("number", math.nan),
    ("number", "x"),
    ("flag", 1),
    ("text", 1),
    ("text", None),
    ("choice", "blue"),
    ("choice", ["red"]),
    ("limit", 0),
    ("many", [1, 2]),
    ("many", (1, True)),
    ("many", (1, 2.0)),
    ("many", 3),
    ("margin", "some"),
    ("margin", None),
    ("margin", ["auto"]),
]


@pytest.mark.parametrize(("name", "value"), WRONG_VALUES)
def test_a_wrong_value_is_refused_by_the_registry_and_by_the_class(name, value):
    with pytest.raises(OptionError, match=rf"^everything: {name} must be "):
        build(Everything, "everything", {name: value})
    with pytest.raises(OptionError, match=rf"^{name} must be "):
        Everything(**{name: value})


RIGHT_VALUES = [
    ("number", 2),
    ("number", 10**100),
    ("limit", None),
    ("many", ()),
    ("function", len),
    ("text", ""),
    ("margin", "auto"),
]


@pytest.mark.parametrize(("name", "value"), RIGHT_VALUES)
def test_a_right_value_is_taken(name, value):
    assert values_of(build(Everything, "everything", {name: value}))[name] == value


def test_an_unknown_option_is_answered_with_the_right_ones():
    with pytest.raises(
        OptionError,
        match=r"everything has no option 'hole' .did you mean whole.*: its options are whole, number, up_to",
    ):
        find_option(Everything, "everything", "hole")


def test_a_class_without_options_says_so():
    with pytest.raises(OptionError, match="object has no option 'x': it has none"):
        build(object, "object", {"x": 1})


def test_a_plain_function_declares_its_defaults():
    def factory(depth: int = 3, *, name: str = "x"):
        return depth, name

    assert [(each.name, each.type, each.default) for each in options_of(factory)] == [
        ("depth", int, 3),
        ("name", str, "x"),
    ]
    assert build(factory, "factory", {"depth": 5}) == (5, "x")


def test_a_plain_class_declares_the_defaults_of_its_init():
    class Plain:
        def __init__(self, size: int = 3, shape="round", mood=None):
            self.size = size

    assert [(each.name, each.expected) for each in options_of(Plain)] == [
        ("size", "a whole number"),
        ("shape", "a text"),
        ("mood", "a value"),
    ]
    assert values_of(Plain(4)) == {"size": 4, "shape": "round", "mood": None}
    assert parse_options(Plain, "plain", {"mood": "glad"}) == {"mood": "glad"}


SPLIT = {
    "": {},
    "depth=8": {"depth": "8"},
    "depth=8,table=64": {"depth": "8", "table": "64"},
    "heaps=3,4,5,misere=yes": {"heaps": "3,4,5", "misere": "yes"},
    "file=a=b": {"file": "a=b"},
    "x=": {"x": ""},
}


@pytest.mark.parametrize("text", SPLIT)
def test_options_in_one_text_are_split(text):
    assert split_options(text) == SPLIT[text]


@pytest.mark.parametrize("text", ["8", ",depth=8", "depth"])
def test_a_text_that_does_not_begin_with_a_name_is_refused(text):
    with pytest.raises(OptionError, match=r"is not an option: options are written name=value, separated by commas"):
        split_options(text)


@given(st.sampled_from([each.name for each in options_of(Everything)]), st.text())
def test_any_text_is_read_as_a_right_value_or_refused(name, text):
    try:
        value = parse_options(Everything, "everything", {name: text})
    except OptionError as error:
        assert str(error).startswith(f"{name} must be ")  # noqa: PT017 - either outcome is right
    else:
        assert values_of(build(Everything, "everything", value))[name] == value[name]


@given(st.sampled_from([each.name for each in options_of(Everything)]), st.from_type(object).filter(lambda x: True))
def test_any_value_is_taken_or_refused(name, value):
    try:
        built = build(Everything, "everything", {name: value})
    except OptionError as error:
        assert str(error).startswith(f"everything: {name} must be ")  # noqa: PT017 - either outcome is right
    else:
        assert values_of(built)[name] is value


def test_limits_are_options_too():
    with pytest.raises(OptionError, match=r"depth must be .*; got 0"):
        ggp.Limits(depth=0)
    with pytest.raises(OptionError, match=r"seconds must be .*; got -1"):
        ggp.Limits(seconds=-1)


@attrs.frozen
class Board:
    """A board whose cells follow from its sides."""

    side: int = ggp.option(3, "cells a side", minimum=1, maximum=9)
    cells: int = ggp.constant(lambda board: board.side**2)
    last: int = ggp.constant(lambda board: 100 // board.side + board.cells)


def test_a_constant_follows_from_the_options_and_from_constants_before_it():
    assert (Board().cells, Board(2).last) == (9, 54)


def test_a_constant_is_no_option_and_no_part_of_what_is_compared():
    assert values_of(Board()) == {"side": 3}
    assert repr(Board()) == "Board(side=3)"
    assert (Board(), hash(Board())) == (Board(3), hash(Board(3)))
    assert attrs.evolve(Board(), side=4).cells == 16


def test_options_are_checked_before_constants_are_computed():
    with pytest.raises(ggp.OptionError, match=r"side must be .*; got 0"):
        Board(0)
