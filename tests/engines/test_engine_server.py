"""Our games and players as engines: what they answer."""

import io
import random
import re
import subprocess
import sys

import pytest
from ggp_engines.gtp_server import GTPServer
from ggp_engines.server import lines_of
from ggp_engines.uci_server import UCIServer, UGIServer

import ggp
from ggp import capabilities
from ggp.cli.app import main
from ggp.play import make_player

SERVERS = {"ugi": UGIServer, "uci": UCIServer, "gtp": GTPServer}
WORDS = re.findall(
    r"\S+",
    """ugi uci isready position startpos fen moves go depth nodes movetime -5 1e9 99999999999999999999999 stop query
    p1turn gameover result A F a d3 b w setoption name infinite uginewgame ( ) <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S p1time
    1 0 nan ' " %s {} clear_board play genmove undo showboard boardsize 8 komi # 17 black white final_score""",
)
WORDS += ["\x00", "é", "\\", "\x1b[2J", "\udcff"]


def answers(protocol, name, lines, player="alphabeta:depth=2,speed=interpreted", **parameters):
    registry = ggp.load_registry()
    game, output = registry.game(name, **parameters), io.StringIO()
    server = SERVERS[protocol](game, capabilities.dialects(game)[protocol], make_player(registry, player, game), output)
    server.serve(lines_of(io.StringIO("\n".join(lines) + "\n")))
    return output.getvalue().splitlines()


def test_ugi_is_spoken_as_its_document_shows():
    said = answers(
        "ugi",
        "tictactoe",
        ["ugi", "isready", "uginewgame", "position startpos moves 1 2", "query p1turn", "go depth 2"],
    )
    assert said[0].startswith("id name ggp")
    assert said[2:5] == ["ugiok", "readyok", "response true"]
    assert re.fullmatch(r"info depth 2 score cp -?\d+ nodes \d+ time \d+ pv \d \d", said[-2])
    assert re.fullmatch(r"bestmove [3-9]", said[-1])


QUERIES = {
    "startpos": ("none", "true", "false"),
    "startpos moves 1 4 2 5 3": ("p1win", "false", "true"),
    "startpos moves 1 4 2 5 7 6": ("p2win", "false", "true"),
    "fen XOX/XOO/OXX": ("draw", "false", "true"),
}


@pytest.mark.parametrize("position", QUERIES)
def test_queries_tell_result_and_turn(position):
    said = answers("ugi", "tictactoe", [f"position {position}", "query result", "query p1turn", "query gameover", "go"])
    assert said[:3] == [f"response {each}" for each in QUERIES[position]]
    assert (said[3] == "bestmove (none)") == (QUERIES[position][2] == "true")


def test_extra_turns_passes_and_outcomes_of_chance_are_moves():
    assert answers("ugi", "kalah", ["position startpos moves C", "query p1turn"]) == ["response true"]
    board = "OX....../......../......../......../......../......../......../........ X"
    assert answers("ugi", "othello", [f"position fen {board} moves pass", "query p1turn"])[-1] == "response false"
    rolled = answers(
        "ugi",
        "pig",
        ["position startpos moves roll 3", "query p1turn", "position startpos moves roll", "go depth 1"],
        "star1:depth=1",
    )
    assert rolled == ["response true", "info string chance is to move: roll, and send the outcome as a move"]


def test_a_wrong_move_changes_nothing():
    said = answers("ugi", "tictactoe", ["position startpos moves 5", "position startpos moves 1 1", "query p1turn"])
    assert said == [
        "info string '1' is not legal in X../.../...: the legal moves are 2, 3, 4, 5, 6, 7, 8, 9",
        "response false",
    ]


def test_a_search_without_end_is_stopped_with_a_move():
    said = answers("ugi", "nim", ["isready", "go infinite", "isready", "stop"])
    assert said[0] == "readyok"
    assert said[-1].startswith("bestmove ")


def test_uci_reads_and_writes_the_positions_of_fairy_stockfish():
    fen = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"  # printed by its command d
    game = ggp.load_registry().game("breakthrough")
    dialect = capabilities.dialects(game)["uci"]
    assert dialect.state(game.initial_state()) == fen
    state, dice = game.initial_state(), random.Random(4)
    while not game.terminal_test(state):
        assert dialect.parse_state(dialect.state(state)) == state
        state = game.result(state, dice.choice(list(game.actions(state))))
    said = answers("uci", "breakthrough", ["uci", f"position fen {fen} moves a2a3", "go depth 1"])
    assert said[2:4] == ["option name UCI_Variant type combo default breakthrough var breakthrough", "uciok"]
    assert re.fullmatch("bestmove [a-h]7[a-h]6", said[-1])


def test_the_depth_of_a_search_to_the_end_of_the_game_is_the_length_of_its_line():
    said = answers("ugi", "nim", ["position fen 0,1,2 first", "go"], player="alphabeta:speed=interpreted")
    infos = [line.split() for line in said if line.startswith("info depth")]
    assert infos
    assert {info[2] for info in infos} == {"3"}


@pytest.mark.parametrize(("quits", "acknowledged"), [("quit", "="), ("8 quit # bye", "=8")])
def test_gtp_acknowledges_that_it_quits(quits, acknowledged):
    assert answers("gtp", "hex", [quits, "name"]) == [acknowledged, ""]


def test_gtp_is_spoken_as_its_document_says():
    lines = ["1 protocol_version", "boardsize 8", "clear_board", "play B D3", "play b c5", "genmove w", "undo", "undo"]
    said = answers("gtp", "othello", [*lines, "undo", "# a comment", "7 known_command play", "final_score", "jump"])
    assert "\n".join(said).split("\n\n")[:6] == [
        "=1 2",
        "=",
        "=",
        "=",
        "? illegal move: it is not that colour's turn",
        said[10],
    ]
    assert re.fullmatch("= [c-e][3-6]|= [a-h][1-8]", said[10])
    assert said[-8:] == [
        "? cannot undo",
        "",
        "=7 true",
        "",
        "? cannot score: the game is not over",
        "",
        "? unknown command",
        "",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "name"), [("ugi", "kalah"), ("uci", "breakthrough"), ("gtp", "othello"), ("ugi", "pig")]
)
def test_nonsense_is_answered_and_changes_nothing(protocol, name):
    dice = random.Random(5)
    lines = [" ".join(dice.choice(WORDS) for _ in range(dice.randrange(8))) for _ in range(1000)]
    player = "star1:depth=1" if name == "pig" else "alphabeta:depth=1"
    hello = {"gtp": "name"}.get(protocol, protocol)
    said = answers(protocol, name, [*(each for each in lines if "quit" not in each), hello], player)
    assert said == [each for each in said if "Traceback" not in each and "Error:" not in each and "\x1b" not in each]
    assert said[-2:] == ["= ggp alphabeta:depth=1", ""] if protocol == "gtp" else said[-1] == f"{protocol}ok"


def test_every_registered_game_is_an_engine():
    registry = ggp.load_registry()
    for name in registry.games:
        (last,) = answers("ugi", name, ["position startpos", "query gameover"], "random")
        assert last == "response false"


def test_a_game_without_a_dialect_is_refused_with_the_commands_that_serve_it(capsys):
    assert main(["uci", "kalah", "random"]) == 2
    error = capsys.readouterr().err
    assert error == "ggp: kalah has no notation for uci with these parameters: use ggp ugi\n"


@pytest.mark.slow
def test_the_program_answers_a_script_to_its_end():
    script = "ugi\nisready\nposition startpos\ngo depth 6\nquit\n"
    program = [sys.executable, "-m", "ggp", "ugi", "kalah", "alphabeta"]
    run = subprocess.run(program, input=script, capture_output=True, text=True, timeout=100, check=True)  # noqa: S603
    assert run.stderr == ""
    assert re.search(r"info depth 6 score cp 300 nodes \d+ .*\nbestmove [A-F]\n$", run.stdout)
