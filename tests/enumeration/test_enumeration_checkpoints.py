"""Checkpoints of an enumeration: what was found is kept, and the same command resumes from there."""

import pytest
from ggp_morris import Morris
from ggp_ponghauki import PongHauKi
from ggp_solve.enumeration.enumeration import Enumeration, StoppedError
from ggp_solve.enumeration.enumeration_checkpoint import EnumerationCheckpoint
from ggp_solve.enumeration.speed import Compiled, Interpreted
from ggp_solve.solver import Solver
from ggp_tictactoe import TicTacToe

import ggp
from ggp import compiler
from ggp.cli import main
from ggp.searcher import stop_when


def speeds(game):
    return [Interpreted(), *([Compiled(game)] if compiler.machine.available() else [])]


@pytest.mark.parametrize("game", [pytest.param(Morris(), marks=pytest.mark.slow), TicTacToe()], ids=str)
def test_an_enumeration_that_was_stopped_goes_on_at_either_speed(game, tmp_path):
    whole = Enumeration(game, game.initial_state(), 10_000)
    whole.find_positions()
    for first in speeds(game):
        for second in speeds(game):
            checkpoint = EnumerationCheckpoint(tmp_path / "kept")
            checkpoint.path.unlink(missing_ok=True)
            first.chunk = 100
            looks = iter(range(10))
            stopped = Enumeration(game, game.initial_state(), 10_000, first)
            with stop_when(lambda looks=looks: next(looks) >= 3), pytest.raises(StoppedError):
                stopped.find_positions(checkpoint)
            assert 0 < stopped.expanded < whole.count
            again = Enumeration(game, game.initial_state(), 10_000, second)
            checkpoint.load(again)
            assert (again.count, again.expanded) == (stopped.count, stopped.expanded)
            again = Enumeration(game, game.initial_state(), 10_000, second)
            again.find_positions(checkpoint)
            assert [again.state(n) for n in range(again.count)] == [whole.state(n) for n in range(whole.count)]
            assert [again.values.get(n) for n in range(again.count)] == [
                whole.values.get(n) for n in range(whole.count)
            ]
            assert (again.edges, again.degree, again.solved, again.worths) == (
                whole.edges,
                whole.degree,
                whole.solved,
                whole.worths,
            )


def test_a_solver_goes_on_from_a_whole_enumeration(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    game = Morris()
    checkpoint = EnumerationCheckpoint(tmp_path / "kept")
    values = []
    for _ in range(2):
        solver = Solver(game, game.initial_state(), checkpoint=checkpoint)
        solver.run()
        values.append((solver.solved(0).value, solver.solved(0).distance))
    assert values == [(1, 9), (1, 9)]


def test_a_checkpoint_of_another_position_is_refused(tmp_path):
    game = PongHauKi()
    checkpoint = EnumerationCheckpoint(tmp_path / "kept")
    Enumeration(game, game.initial_state(), 100).find_positions(checkpoint)
    with pytest.raises(ggp.GGPError, match="is the checkpoint of another game or position: name another"):
        Enumeration(PongHauKi(occurrences=4), game.initial_state(), 100).find_positions(checkpoint)
    content = bytearray(checkpoint.path.read_bytes())
    content[-1] ^= 1
    checkpoint.path.write_bytes(bytes(content))
    with pytest.raises(ggp.GGPError, match="is damaged: its checksum is wrong: remove it to start again"):
        Enumeration(game, game.initial_state(), 100).find_positions(checkpoint)


def test_the_command_keeps_a_checkpoint(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    kept = tmp_path / "kept"
    assert main(["solve", "morris", "--checkpoint", str(kept)]) == 0
    assert kept.exists()
    assert main(["solve", "morris", "--checkpoint", str(kept)]) == 0
    assert main(["solve", "morris", "--every", "3"]) == 2
    assert "--every needs --checkpoint FILE" in capsys.readouterr().err
