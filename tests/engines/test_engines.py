"""Engines as players: what they are told, and what becomes of those that fail."""

import contextlib
import os
import pathlib
import shutil
import sys
import time

import pytest
from ggp_engines import players, program

import ggp
from ggp.errors import GGPError, OptionError, UsageError
from ggp.play import Match, TimeControl, make_player

FILE = pathlib.Path(__file__).with_name("misbehaving.py")
GAMES = {"ugi": "tictactoe", "uci": "breakthrough", "gtp": "othello"}
BEGINNING = ["crashes at once", "ends at once", "says nothing", "writes nonsense at the start", "dies of a signal"]
BEGINNING += ["is never ready"]
PLAYING = [
    "crashes",
    "ends",
    "is killed",
    "hangs",
    "ignores signals and quit",
    "crashes before the game",
    "is late",
    "plays nonsense",
    "plays an illegal move",
    "plays nothing",
    "plays a control sequence",
    "plays a null byte",
    "writes an endless line",
    "writes lines without end",
    "closes its output",
    "fills standard error",
    "refuses",
    "plays for the other side",
    "answers with bytes",
]


@pytest.fixture
def registry():
    return ggp.load_registry()


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A busy machine may take long to start a program."""
    monkeypatch.setattr(players, "STARTING", 120)
    yield
    program.IDLE.end()


def engine(registry, protocol, way, *more, options="movetime=50,grace=150"):
    game = registry.game(GAMES[protocol])
    command = " ".join([sys.executable, "-S", str(FILE), protocol, f'"{way}"', *map(str, more)])
    return game, make_player(registry, f"{protocol}:{command}?{options}", game)


def ended_game(game, player, timing=None):
    """Play against a random player until the end."""
    other = make_player(ggp.load_registry(), "random:seed=1", game)
    match = Match(game, (player, other), game.initial_state(), seed=1, timing=timing)
    while not match.over:
        match.step()
    return match


@pytest.mark.slow
@pytest.mark.parametrize("way", [*BEGINNING, *PLAYING])
@pytest.mark.parametrize("protocol", GAMES)
def test_an_engine_that_fails_loses_the_game_and_is_ended(registry, protocol, way, monkeypatch):
    monkeypatch.setattr(players, "STARTING", 0.7)
    game, player = engine(registry, protocol, way)
    began = time.monotonic()
    match = ended_game(game, player)
    assert match.ending.how == "forfeit"
    assert match.ending.winner == ggp.MIN
    assert match.ending.reason
    assert "\x1b" not in match.ending.reason
    assert player.program is None
    assert time.monotonic() - began < 300  # those that hang do so for 1000 seconds
    again = ended_game(game, player)  # the next game begins with a new process, and comes as far
    assert len(again.moves) == len(match.moves)


@pytest.mark.parametrize("protocol", GAMES)
@pytest.mark.parametrize("way", ["hangs with a child", "leaves a child"])
def test_an_engine_is_ended_with_its_children(registry, protocol, way, tmp_path):
    for grace in (150, 1500, 15_000, 150_000):  # a busy machine may take longer to start the child
        game, player = engine(registry, protocol, way, tmp_path / "pid", options=f"movetime=50,grace={grace}")
        assert ended_game(game, player).ending.how == "forfeit"
        if (tmp_path / "pid").exists():
            break
    child = int((tmp_path / "pid").read_text())
    for _ in range(1200):
        if not running(child):
            break
        time.sleep(0.1)
    assert not running(child)


def running(pid):
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        status = pathlib.Path(f"/proc/{pid}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_an_engine_that_thinks_longer_than_its_clock_allows_loses_on_time(registry):
    game, player = engine(registry, "ugi", "hangs")
    match = ended_game(game, player, TimeControl(move=0.1))
    assert (match.ending.how, match.ending.winner) == ("time", ggp.MIN)


def test_a_gtp_engine_that_resigns_has_resigned(registry):
    game, player = engine(registry, "gtp", "well")
    player.begin()
    players.GTPEngine.ask, ask = (
        lambda *_: (_ for _ in ()).throw(ggp.ForfeitError("resigned", "resigned")),
        (players.GTPEngine.ask),
    )
    try:
        assert ended_game(game, player).ending.how == "resigned"
    finally:
        players.GTPEngine.ask = ask


def test_what_an_engine_wrote_to_standard_error_is_kept(registry, monkeypatch, tmp_path):
    monkeypatch.setattr(program, "user_path", lambda name: tmp_path / name)
    monkeypatch.setattr(program, "LEAVING", 120.0)  # a busy machine may read the last words late
    game, player = engine(registry, "ugi", "crashes", options="movetime=50,grace=120000")
    assert "I cannot go on" in ended_game(game, player).ending.reason
    (kept,) = (tmp_path / "engines").iterdir()
    assert "RuntimeError: I cannot go on" in kept.read_text()


WRONG = {
    "uci:": (UsageError, "an engine needs a command"),
    "uci:nosuchprogram": (UsageError, "there is no program 'nosuchprogram': install it, or give its whole path"),
    "uci:cat 'x": (UsageError, "cannot be read: No closing quotation"),
    "uci:cat?movetime=0": (OptionError, "movetime must be a whole number, 1 or more"),
    "uci:cat?depth=x": (OptionError, "depth must be a whole number, 1 or more"),
    "gtp:cat": (UsageError, "breakthrough has no notation for gtp with these parameters: write ugi:COMMAND"),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_player_that_is_written_wrongly_is_refused(registry, text):
    kind, sentence = WRONG[text]
    with pytest.raises(kind, match=sentence):
        make_player(registry, text, registry.game("breakthrough"))


def test_an_option_that_an_engine_does_not_have_is_refused(registry):
    _, player = engine(registry, "uci", "well", options="Hash=3")
    with pytest.raises(OptionError, match="has no option 'Hash': its options are none"):
        player.begin()


def test_an_engine_that_knows_one_start_only_refuses_others(registry):
    game, player = engine(registry, "gtp", "well")
    object.__setattr__(player.dialect, "setup", None)
    state = game.result(game.initial_state(), 19)
    other = make_player(registry, "random:seed=1", game)
    with pytest.raises(GGPError, match="can only start from the initial position"):
        Match(game, (other, player), state).step()


def test_visitors_and_records_of_others_run_no_programs(registry):
    with pytest.raises(OptionError, match="uci would run a program of this machine, cat: allow it with --open-files"):
        registry.require_foreign_player("uci:cat")
    from ggp.web.problems import ProblemError
    from ggp.web.visitor_players import make_visitor

    with pytest.raises(ProblemError, match="runs no program that a visitor names"):
        make_visitor(registry, "ugi:cat", registry.game("tictactoe"))


def test_processes_play_on_in_the_next_game(registry):
    _, player = engine(registry, "ugi", "well")
    player.begin()
    first = player.program.process.pid
    player.close()
    player.begin()
    assert player.program.process.pid == first
    player.close()


def program_named(name):
    """A program of Debian's. Where it is missing the test is skipped, but never in CI."""
    found = shutil.which(name, path=os.environ["PATH"] + ":" + program.DIRECTORIES)
    if found is None and os.environ.get("CI") != "true":
        pytest.skip(f"there is no {name}: apt-get install fairy-stockfish grhino")
    return name


AGAINST = {
    "breakthrough": ("uci", "fairy-stockfish", "variant=breakthrough,movetime=10", 10),
    "othello": ("gtp", "gtp-rhino -l 1", "timeout=60", 4),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", AGAINST)
def test_engines_that_others_wrote_play_whole_games_by_the_rules(registry, name, monkeypatch):
    monkeypatch.setattr(players, "STARTING", 30.0)
    protocol, command, options, games = AGAINST[name]
    program_named(command.split()[0])
    game = registry.game(name)
    player = make_player(registry, f"{protocol}:{command}?{options}", game)
    for number in range(games):
        other = make_player(registry, f"random:seed={number}", game)
        sides = (player, other) if number % 2 else (other, player)
        match = Match(game, sides, game.initial_state(), seed=1)
        while not match.over:
            match.step()
        assert match.ending.how == "finished", match.ending.reason
        player.close()
