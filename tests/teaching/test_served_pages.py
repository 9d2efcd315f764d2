"""Pages of `ggp serve` for learning: the quiz, and a tree whose leaves are edited."""

import pytest
from ggp_teach.exercise_tree import minimax, read_tree
from ggp_teach.tree_editor import as_text, with_leaves

import ggp
from ggp.errors import NotationError
from ggp.game import CHANCE, MIN

pytest.importorskip("starlette")
from ggp.web.responder import PageRequest, Responder
from ggp.web.value_store import ValueCache


@pytest.fixture(scope="module")
def visit():
    responder = Responder(ggp.load_registry(), ValueCache())

    def visited(page, query=""):
        return responder.answer(PageRequest("learn", page, query), searching=True)

    return visited


def test_the_quiz_of_a_topic_and_a_seed_is_the_one_of_the_command_line(visit):
    answer = visit("quiz", "topic=scout&seed=3&number=5")
    assert answer.status == 200
    assert answer.body.count('class="question"') == 5
    assert "<h1>Scout: quiz 3</h1>" in answer.body
    assert "unsafe-inline" not in answer.headers["Content-Security-Policy"].partition("script-src")[2].split(";")[0]


def test_leaves_are_edited_and_the_search_runs_again(visit):
    tree = "[[3, 12, 8], [2, 4, 6]]"
    edited = "&".join(f"leaf={leaf}" for leaf in (1, 12, 8, 9, 4, 6))
    answer = visit("tree", f"tree={tree}&shown={tree}&{edited}")
    assert "[[1, 12, 8], [9, 4, 6]]" in answer.body
    assert "The search is done: A is worth 4, by a2." in answer.body
    assert "A is worth 3, by a1." in visit("tree", f"tree={tree}").body
    assert "A is worth 5, by a2." in visit("tree", f"tree=[[1], [5, 7]]&shown={tree}&{edited}").body  # another tree


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("tree=[1,", "is not a tree"),
        ("tree=[[]]", "[] is not a node"),
        ("tree=[[1],[2]]&shown=[[1],[2]]&leaf=1", "the tree has 2 leaves; got 1"),
        ("tree=[[1],[2]]&shown=[[1],[2]]&leaf=1&leaf=x", "is not a number for a leaf"),
        ("tree=" + "[" * 20 + "1" + "]" * 20, "the tree is too large"),
        ("tree=[" + "1," * 300 + "1]", "the tree is too large"),
        ("tree=[[1],[2]]&shown=[[1],[2]]&leaf=1&leaf=2&searcher=star9", "star9 cannot be watched"),
    ],
)
def test_a_wrong_tree_is_explained(visit, query, sentence):
    answer = visit("tree", query)
    assert answer.status == 400
    assert sentence.lower() in answer.body.lower()


def test_a_page_that_is_not_there_is_not_found(visit):
    assert visit("nowhere").status == 404


def test_a_tree_is_read_as_it_is_written():
    root = read_tree('[["chance", 3, 5], [2, [1, 7]]]', MIN)
    assert [each.mover for each in (root, root.edges[0].node, root.edges[1].node)] == [MIN, CHANCE, 0]
    assert as_text(root) == '[["chance", 3, 5], [2, [1, 7]]]'
    assert minimax(root) == 2
    assert as_text(with_leaves(root, ["1", "2.5", "3", "4", "5"])) == '[["chance", 1, 2.5], [3, [4, 5]]]'
    with pytest.raises(NotationError, match="is not a number"):
        with_leaves(root, ["[1]", "2", "3", "4", "5"])
