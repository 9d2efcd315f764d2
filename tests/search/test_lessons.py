"""The pseudo-code of the textbook's searchers: every step has its line, and every line that is meant has a step."""

import random

import pytest

import ggp
from ggp.show.tree import Tree
from ggp.show.tree_html import film
from ggp.testing import random_tree
from ggp.trace import Cut, Enter, Leaf, Leave, Lesson, Line, Taught, Try

REGISTRY = ggp.load_registry()
TEXTBOOK = ["minimax", "alphabeta", "scout", "expectiminimax"]


def lines_of(name):
    """The lines that are current at some step of the searches of random trees."""
    searcher, found = REGISTRY.searcher(name), []
    for seed in range(15):
        game = random_tree(random.Random(seed), stochastic=name == "expectiminimax")
        for depth in (1, 3):
            events = searcher.trace(game, game.initial_state(), ggp.Limits(depth=depth))
            found += [step.line for step in film(Tree(game, limit=10**6), events, lesson=searcher.lesson).steps]
    return found


@pytest.mark.parametrize("name", TEXTBOOK)
def test_every_step_has_a_line_and_every_line_with_moments_is_met(name):
    lesson = REGISTRY.searcher(name).lesson
    assert set(lines_of(name)) == {index for index, line in enumerate(lesson.lines) if line.moments}


def test_only_the_textbook_searchers_have_a_lesson():
    taught = [name for name in REGISTRY.searchers if isinstance(REGISTRY.searcher(name), Taught)]
    assert sorted(taught) == sorted(TEXTBOOK)


def current(name, event, mover="", test=False):
    lesson = REGISTRY.searcher(name).lesson
    return lesson.lines[lesson.current(event, mover, test=test)].text.strip()


def test_the_line_depends_on_the_mover():
    cut = Cut(("a",))
    assert current("alphabeta", cut, "MAX") == "if value ≥ β: leave the loop   — MIN has better higher up"
    assert current("alphabeta", cut, "MIN") == "if value ≤ α: leave the loop   — MAX has better higher up"


def test_a_test_of_scout_has_lines_of_its_own():
    enter = Enter("A", 2, 3, 3)
    assert (current("scout", enter), current("scout", enter, test=True)) == (
        "scout(state, depth):",
        "test(state, depth, bound):",
    )


def test_the_line_that_says_most_is_the_current_one():
    texts = ["leave", "leave MAX", "test leave", "test leave MAX"]
    lesson = Lesson(tuple(Line(text, (text,)) for text in texts))
    leave = Leave(1, 1, None)
    found = [lesson.current(leave, mover, test=test) for test in (False, True) for mover in ("MIN", "MAX")]
    assert [texts[index] for index in found] == texts


def test_an_event_that_no_line_stands_for_has_none():
    lesson = Lesson((Line("enter", ("enter",)),))
    for event in (Try("a"), Leaf(1, terminal=True), Leaf(1, terminal=False), Cut(("a",)), Leave(1, 1, None)):
        assert lesson.current(event, "MAX", test=True) is None
