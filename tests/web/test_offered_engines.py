"""Engines that the owner of a page offers by name."""

import sys

import pytest

import ggp
from ggp.cli import main
from ggp.errors import GGPError
from ggp.play.player_parser import offered_players
from ggp.web import forms, visitor_players

TWIN = f"ugi:{sys.executable} -m ggp ugi tictactoe alphabeta?depth=2"


@pytest.fixture
def registry():
    registry = ggp.load_registry()
    registry.offered |= {"twin": TWIN, "fish": f"uci:{sys.executable}?movetime=10"}
    return registry


def test_they_are_offered_where_they_can_play(registry):
    assert list(offered_players(registry, registry.game("tictactoe"))) == ["twin"]
    assert list(offered_players(registry, registry.game("breakthrough"))) == ["twin", "fish"]
    assert "twin" in forms.form(registry, registry.game_entry("tictactoe"), {})["levels"]


def test_a_visitor_names_no_program(registry):
    for text in (TWIN, "uci:fairy-stockfish", "twin?x=1"):
        with pytest.raises(GGPError):
            visitor_players.make_visitor(registry, text, registry.game("tictactoe"))


def test_its_text_on_the_page_is_its_name(registry):
    player = visitor_players.make_visitor(registry, " twin ", registry.game("tictactoe"))
    assert (player.name, player.text) == ("twin", "twin")


@pytest.mark.slow
def test_it_moves_and_keeps_its_process_for_the_next_move(registry):
    game = registry.game("tictactoe")
    player, state = visitor_players.make_visitor(registry, "twin", game), game.initial_state()
    state = game.result(state, player.choose(game, state).action)
    assert player.engine.program is None
    assert player.choose(game, state).action in game.actions(state)


WRONG = {
    "x=foo": "--engine is written NAME=",
    "uci:fish": "--engine is written NAME=",
    "hard=ugi:x": "cannot be called hard",
    "x=uci:no-such-program": "there is no program",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_said_before_the_server_starts(text, capsys):
    assert main(["serve", "--port", "0", "--engine", text]) == 2
    assert WRONG[text] in " ".join(capsys.readouterr().err.split())
