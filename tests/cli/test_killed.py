"""Killed at fifty random moments, a game loses nothing that was told, and is played on to the same end."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from ggp import load_registry
from ggp.play import make_player, play_game
from ggp.play.replay import replay
from ggp.play.store import open_store

KILLS = 50
PLAYERS = ("alphabeta:depth=1", "alphabeta:depth=5")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here"),
]


def killed(moment, *arguments):
    """Runs `ggp` and kills it so many seconds after its first word; how many moves it has told of."""
    command = [sys.executable, "-m", "ggp.cli", *arguments]
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=unbuffered)  # noqa: S603
    first = process.stdout.readline()
    time.sleep(moment)
    process.kill()
    told, said = process.communicate()
    assert said == ""
    return (first + told).count(") plays ")


def moves_of(record):
    return [(move.mover, move.action) for move in record.moves]


def test_killed_at_fifty_random_moments_no_game_loses_a_move(tmp_path):
    file, dice, registry = str(tmp_path / "games.db"), random.Random(5), load_registry()
    kalah = registry.game("kalah")
    whole = moves_of(play_game(kalah, tuple(make_player(registry, each, kalah) for each in PLAYERS), seed=0))
    before = {}
    for _ in range(KILLS):
        unfinished = [number for number, moves in before.items() if len(moves) < len(whole)]
        play = ["play", "kalah", "--south", PLAYERS[0], "--north", PLAYERS[1]]
        told = killed(dice.uniform(0, 0.4), *(["resume"] if unfinished else play), "--store", file)
        with open_store(file) as store:
            after = {entry.number: moves_of(store.get(entry.number)) for entry in store.entries()}
        number = unfinished[-1] if unfinished else len(before) + 1
        assert after.keys() - before.keys() <= {number}
        assert all(moves == whole[: len(moves)] for moves in after.values())
        assert len(after.get(number, [])) >= len(before.get(number, [])) + told
        before = after
    with open_store(file) as store:
        for number in before:
            if store.get(number).ending is None:
                resume = [sys.executable, "-m", "ggp.cli", "resume", str(number), "--store", file]
                subprocess.run(resume, check=True, capture_output=True)  # noqa: S603
            record = store.get(number)
            assert moves_of(record) == whole
            assert record.ending == replay(registry, record).ending is not None
