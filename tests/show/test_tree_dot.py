"""Search trees for Graphviz."""

import shutil
import subprocess

import pytest
from tree_pictures import FIG52, REGISTRY, TEXTBOOK, trace

from ggp.show.tree import Tree, fold
from ggp.show.tree_dot import tree_dot


def lines(name="alphabeta", **options):
    return [line.strip() for line in tree_dot(fold(FIG52, trace(name)), **options).splitlines()]


def line(beginning, **options):
    return next(each for each in lines(**options) if each.startswith(beginning))


def test_nodes_have_their_shapes_and_values():
    assert line('"1" [').startswith('"1" [label="A\\n3", shape=triangle,')
    assert line('"6" [').startswith('"6" [label="C\\n≤ 2", shape=invtriangle,')
    assert line('"3" [').startswith('"3" [label="3", shape=box,')
    assert line('"6/1" [').startswith('"6/1" [label="4", shape=box, style=dashed,')


def test_branches_have_action_order_and_window():
    assert line('"1" -> "6"') == '"1" -> "6" [label="a2 #6\\n[3, +inf]"]'
    assert line('"1" -> "2"') == '"1" -> "2" [label="a1 #2\\n[-inf, +inf]\\n→ [-inf, 3]", penwidth=3]'


def test_branches_that_were_cut_are_dashed_and_crossed():
    dashed = "style=dashed, color=gray, fontcolor=gray40, dir=back, arrowtail=teetee"
    assert line('"6" -> "6/1"') == f'"6" -> "6/1" [label="c2\\nnot visited", {dashed}]'
    assert sum("teetee" in each for each in lines()) == 2


def test_ranges_stand_in_the_nodes():
    assert line('"8" [', labels="ranges").startswith('"8" [label="D\\n[2, 2]"')


def test_texts_are_taken_literally():
    class Sly(type(FIG52)):
        def format_action(self, state, action):
            return 'a"\\n\0'

    assert '[label="a\\"\\\\n� #2' in tree_dot(fold(Sly(), trace("alphabeta", Sly())))


@pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz is not installed")
@pytest.mark.parametrize("name", [*TEXTBOOK, "pig"])
def test_graphviz_draws_it(name):
    game = REGISTRY.game("pig") if name == "pig" else FIG52
    searcher = "expectiminimax" if name == "pig" else name
    dot = tree_dot(fold(game, trace(searcher, game, 2), limit=5))
    run = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, text=True, check=True)  # noqa: S607
    assert run.stderr == ""
    assert "<svg" in run.stdout


def test_no_events_no_nodes():
    assert "->" not in tree_dot(Tree(FIG52))
