"""Shapes: conditions that are alike are tested at all places at once."""

import random

import pytest
from ggp_gdl.fields import find_field
from ggp_gdl.game import WORD
from ggp_gdl.library import OWN, named_files
from ggp_gdl.rehearsal import rehearsed
from ggp_gdl.shapes import FEWEST, find_shapes, literals_of
from ggp_gdl.written import write

WORDS = 4


def numbers_of(shape, words):
    """The items of a shape that hold, as the code of the shape finds them."""
    names = {f"w{i}": word for i, word in enumerate(words)}
    found = set()
    for word in shape.words():
        bits = eval(shape.test(word), names)  # noqa: S307 - code of our own
        found |= {shape.places[word * WORD + place] for place in range(WORD) if bits >> place & 1}
    return found


@pytest.mark.parametrize("seed", range(20))
def test_a_shape_holds_where_its_conditions_hold(seed):
    generator = random.Random(seed)
    conditions = []
    for _ in range(generator.randint(1, 3)):
        distances = generator.sample(range(1, 130), generator.randint(0, 3))
        signs = [generator.random() < 0.7 for _ in range(len(distances) + 1)]
        for start in generator.sample(range(WORDS * WORD - 131), 30):
            facts = [start, *(start + each for each in distances)]
            conditions.append((len(conditions), frozenset(zip(facts, signs, strict=True))))
    shapes, others = find_shapes(conditions)
    assert sorted([*others, *(item for shape in shapes for item in shape.places.values())]) == list(
        range(len(conditions))
    )
    assert sum(len(shape.places) for shape in shapes) > len(others)
    for share in (0.2, 0.5, 0.9):
        held = [generator.random() < share for _ in range(WORDS * WORD)]
        words = [sum(held[i * WORD + place] << place for place in range(WORD)) for i in range(WORDS)]
        for shape in shapes:
            wanted = dict(conditions)
            expected = {
                item
                for item in shape.places.values()
                if all(held[number] == holds for number, holds in wanted[item] - set(shape.guard))
            }
            assert numbers_of(shape, words) == expected


def test_facts_that_are_in_all_conditions_guard_the_shape():
    turn = (200, True)
    conditions = [(i, frozenset({(3 * i, True), (3 * i + 7, False), turn})) for i in range(FEWEST)]
    (shape,), others = find_shapes(conditions)
    assert (shape.guard, shape.pattern, list(shape.places), others) == (
        (turn,),
        ((0, True), (7, False)),
        [0, 3, 6, 9],
        [],
    )


def test_few_conditions_are_no_shape():
    conditions = [(i, frozenset({(i, True), (i + 2, True)})) for i in range(FEWEST - 1)]
    assert find_shapes(conditions) == ([], [0, 1, 2])


def test_the_facts_of_a_condition_are_counted_through_the_words():
    assert literals_of(((0b11, 0b01), (0b100, 0b100))) == {(0, True), (1, False), (WORD + 2, True)}


def test_all_lines_of_a_board_are_tested_by_a_few_shifts():
    source = write(rehearsed(named_files(OWN)["connectfour"].read_text(), "x")).source
    won = [part for part in source.split("\n    def ") if part.startswith("any_")]
    assert won
    assert all(part.count("return True") < 10 for part in won)


@pytest.mark.parametrize("seed", range(6))
def test_a_field_holds_where_one_of_its_cases_holds(seed):
    generator = random.Random(seed)
    anchor, turn = generator.random() < 0.7, (240, True)
    patterns = [{(generator.randint(-90, 90) or 1, generator.random() < 0.7) for _ in range(n)} for n in (1, 2, 3, 4)]
    patterns += [patterns[3] | {(95, True)}]
    conditions = []
    for place in generator.sample(range(95, 145), 30):
        around = generator.sample(patterns, generator.randint(2, 5))
        cases = [frozenset({turn, (place, anchor), *((place + d, holds) for d, holds in each)}) for each in around]
        conditions.append((place, cases))
    field, others = find_field(conditions)
    assert sorted([*others, *field.places.values()]) == sorted(place for place, _ in conditions)
    assert len(field.places) > len(others)
    assert field.guard == (turn,)
    for share in (0.3, 0.5, 0.8):
        held = [generator.random() < share for _ in range(WORDS * WORD)]
        held[240] = True
        words = {f"w{i}": sum(held[i * WORD + p] << p for p in range(WORD)) for i in range(WORDS)}
        found = set()
        for word in field.words():
            names = dict(words)
            exec("\n".join(field.lines(word, "bits")), names)  # noqa: S102 - code of our own
            found |= {field.places[word * WORD + p] for p in range(WORD) if names["bits"] >> p & 1}
        expected = {
            item for item, cases in conditions if any(all(held[n] == holds for n, holds in case) for case in cases)
        }
        assert found == expected - set(others)
