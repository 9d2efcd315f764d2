"""How many games each framework has."""

import ggp
from benchmarks import games
from benchmarks.rounds import Unavailable
from benchmarks.scale import QUICK


def counted():
    ((table,),) = (games.games(QUICK).tables,)
    return dict(table.rows)


def test_the_games_of_ggp_are_those_that_are_listed():
    assert counted()["ggp"] == str(len(ggp.load_registry().games))


def test_what_is_not_installed_is_said_in_its_row(monkeypatch):
    def missing(name):
        raise Unavailable(f"{name.partition('.')[0]} is not installed")

    monkeypatch.setattr(games, "imported", missing)
    assert counted()["easyAI: easyAI is not installed"] == "-"
    assert counted()["open_spiel: open_spiel is not installed"] == "-"
