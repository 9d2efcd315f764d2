"""The GGP protocol: ggp's player for hosts, and other programs' players in matches."""

import re
import socket
import subprocess
import sys
import threading
import time

import pytest
from ggp_gdl.library import find
from ggp_gdl.server import Player, Server

import ggp
from ggp.errors import ForfeitError, GGPError, UsageError
from ggp.play import Machine, make_player

REGISTRY = ggp.load_registry()
RULES = re.sub(";.*", "", find("gdl:tictactoe").read_text())


@pytest.fixture
def player():
    return Player(REGISTRY, "mcts:playouts=50", lambda sentence: None)


@pytest.fixture
def server(player):
    with Server("127.0.0.1", 0, player) as found:
        thread = threading.Thread(target=found.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def start(player, match="m", role="x", rules=RULES):
    return player.answer(f"(START {match} {role} ({rules}) 120 60)")


def test_a_player_is_available(player):
    assert player.answer("( INFO )") == "((name ggp) (status available))"


@pytest.mark.slow
def test_a_player_waits_for_its_turn(player):
    assert start(player, role="o") == "ready"
    assert player.answer("(PLAY m nil)") == "noop"
    assert re.fullmatch(r"\(mark \d \d\)", player.answer("(PLAY m ((mark 2 2) noop))"))


def test_a_move_is_written_in_the_spelling_of_the_host(player):
    assert start(player, rules=RULES.replace("mark", "MarkCell")) == "ready"
    assert player.answer("(PLAY m nil)").startswith("(MarkCell ")


def test_a_winning_move_is_found(player):
    start(player)
    player.answer("(PLAY m nil)")
    for moves in ("((mark 1 1) noop)", "(noop (mark 2 2))", "((mark 1 2) noop)"):
        player.answer(f"(PLAY m {moves})")
    assert player.answer("(PLAY m (noop (mark 3 3)))") == "(mark 1 3)"


def test_moves_are_found_while_the_search_is_compiled(monkeypatch):
    compiled, think = threading.Event(), Machine.think

    def slow(machine, *arguments):
        if machine.searcher.speed != "interpreted":
            assert compiled.wait(120)
        return think(machine, *arguments)

    monkeypatch.setattr(Machine, "think", slow)
    player = Player(REGISTRY, "hard:nodes=500", lambda sentence: None)
    assert player.answer(f"(START m x ({RULES}) 1 20)") == "ready"
    while player.matches["m"].game is None:
        time.sleep(0.01)
    player.answer("(PLAY m nil)")
    for moves in ("((mark 3 1) noop)", "(noop (mark 2 2))", "((mark 3 2) noop)"):
        player.answer(f"(PLAY m {moves})")
    assert player.answer("(PLAY m (noop (mark 1 1)))") == "(mark 3 3)"
    compiled.set()


def test_a_match_ends_with_stop_and_abort(player):
    for end in ("(STOP m ((mark 1 1) noop))", "(ABORT m)"):
        assert start(player) == "ready"
        assert start(player) == "busy"
        assert player.answer(end) == "done"
        assert player.answer("(PLAY m nil)") == "busy"


def test_a_player_is_busy_for_a_game_that_is_not_played(player):
    said = []
    player.tell = said.append
    assert start(player, rules="(role a) (role b) (role c)") == "busy"
    assert "is refused" in said[0]


@pytest.mark.parametrize("text", ["", "(", "hello", "(play)", "(start m x () 1)", "(start m x (()) a b)"])
def test_what_is_no_message_is_refused_in_a_sentence(player, text):
    with pytest.raises(GGPError):
        player.answer(text)


@pytest.mark.parametrize("side", ["first", "second"])
def test_a_player_at_an_address_plays_a_whole_match(server, side):
    port = server.server_address[1]
    remote = f"gdl:127.0.0.1:{port}?start=120,play=60"
    players = [remote, "random:seed=1"] if side == "first" else ["random:seed=1", remote]
    run = [sys.executable, "-m", "ggp", "match", "gdl:tictactoe", *players, "--games", "2", "--json"]
    done = subprocess.run(run, capture_output=True, text=True, check=True)  # noqa: S603 - our own command
    assert '"forfeits": []' in done.stdout
    end = time.monotonic() + 120
    while server.player.matches and time.monotonic() < end:  # the host may not have waited for its last message
        time.sleep(0.01)
    assert server.player.matches == {}


def test_a_player_that_cannot_be_reached_loses():
    game = REGISTRY.game("gdl:tictactoe")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there, nor can anybody
        player = make_player(REGISTRY, f"gdl:127.0.0.1:{taken.getsockname()[1]}", game)
        with pytest.raises(ForfeitError, match="cannot be reached"):
            player.choose(game, game.initial_state())


def test_an_illegal_answer_loses(server, monkeypatch):
    monkeypatch.setattr(Player, "answer", lambda self, text: "ready" if "start" in text else "(mark 9 9)")
    game = REGISTRY.game("gdl:tictactoe")
    player = make_player(REGISTRY, f"gdl:127.0.0.1:{server.server_address[1]}", game)
    with pytest.raises(ForfeitError, match="not legal"):
        player.choose(game, game.initial_state())


@pytest.mark.parametrize(
    ("game", "player"), [("gdl:tictactoe", "gdl:"), ("gdl:tictactoe", "gdl:a:0"), ("nim", "gdl:a:1")]
)
def test_a_wrong_player_is_refused(game, player):
    with pytest.raises(UsageError):
        make_player(REGISTRY, player, REGISTRY.game(game))
