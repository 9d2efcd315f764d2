"""Arithmetic is checked, unless a game promises to need no check. The promise holds for all of its modules."""

import ggp
from ggp import compiler
from ggp.compiler.job import Job


def translation(game):
    job = Job(type(game).result, (game, compiler.STATE, compiler.ACTION), game)
    return job.specialized()[0].lowered().assembly()


def test_a_promise_holds_for_the_modules_that_a_game_inherits_from():
    kalah = ggp.load_registry().game("kalah")
    assert kalah.arithmetic == "unchecked"
    assert type(kalah).result.__module__ != type(kalah).__module__
    assert "with.overflow" not in translation(kalah)


def test_other_games_are_checked():
    assert "with.overflow" in translation(ggp.load_registry().game("othello"))
