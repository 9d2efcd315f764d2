"""Checkpoints: a solve that was cut short goes on where it was."""

import pathlib
import re

import pytest
from ggp_solve.proof.checkpoint import FORMAT, Checkpoint
from ggp_solve.proof.proof_solver import solve
from ggp_solve.proof.prover import new_prover
from ggp_solve.proof.solution import Resources

import ggp

REGISTRY = ggp.load_registry()
KALAH = REGISTRY.game("kalah", houses=6, seeds=3)
START = KALAH.initial_state()


def resources(file, **more):
    return Resources(memory=96, layer=2, checkpoint=Checkpoint(pathlib.Path(file), KALAH, START, every=0.2), **more)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The content of a checkpoint of a solve."""
    file = tmp_path_factory.mktemp("solve") / "kept"
    solve(KALAH, START, resources(file))
    return file.read_bytes()


@pytest.mark.slow
def test_a_solve_cut_short_again_and_again_ends_with_the_value_and_little_lost(tmp_path):
    whole = solve(KALAH, START, resources(tmp_path / "whole")).states
    pieces = []
    for number in range(100):  # each a little longer, so that a slow machine comes to the end
        solved = solve(KALAH, START, resources(tmp_path / "pieces", seconds=0.4 * 1.1**number))
        pieces.append(solved.states)
        if solved.complete:
            break
    assert (solved.value, solved.complete) == (2, True)
    assert len(pieces) > 1
    assert sum(pieces) < 2 * whole + 200_000 * len(pieces)


@pytest.mark.slow
def test_what_a_checkpoint_has_is_not_proved_again(tmp_path):
    file = tmp_path / "kept"
    checkpoint = Checkpoint(file, KALAH, START, every=0.0)
    first = solve(KALAH, START, Resources(memory=96, layer=2, checkpoint=checkpoint))
    assert first.value == 2
    again = solve(KALAH, START, resources(file))
    assert again.value == 2
    assert again.states < first.states / 2


def test_a_guess_that_took_long_is_kept(tmp_path):
    checkpoint = Checkpoint(tmp_path / "kept", KALAH, START)
    prover = new_prover(KALAH, START, memory=1)
    prover.guesses[START] = 3
    checkpoint.save(prover, 0, 1)
    again = new_prover(KALAH, START, memory=1)
    checkpoint.restore(again)
    assert again.guesses == {START: 3}


def written_by_another(old, new):
    """The content with something else in it, and the right checksum."""
    return lambda content: FORMAT.encode(FORMAT.decode(content, "it").replace(old, new, 1))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda content: content[:-1], "is damaged: its checksum is wrong: remove it to start again"),
        (lambda content: b"{}\n", "exists and is not a ggp checkpoint of a solve: name another file, or remove it"),
        (lambda content: b"\xff\x00", "exists and is not a ggp checkpoint of a solve"),
        (lambda content: b"[1]\n", "exists and is not a ggp checkpoint of a solve"),
        (lambda content: content.replace(b":3,", b":9,", 1), "has version 9, and this ggp reads version 3: remove it"),
        (written_by_another(b'"kalah"', b'"pig"'), "another solve: its game is pig, not kalah"),
        (written_by_another(b"houses=", b"heaps="), "another solve: its parameters are heaps="),
        (written_by_another(b"{", b"["), "is damaged: its second line is malformed: remove it"),
        (
            written_by_another(b'"proved"', b'"proven"'),
            "is damaged: it belongs to another kind of solve: remove it",
        ),
        (written_by_another(b'"places": ', b'"places": 8'), "is damaged: it belongs to another kind of solve"),
        (
            written_by_another(b'"proved": [["', b'"proved": [["?'),
            "is damaged: it belongs to another kind of solve",
        ),
    ],
)
def test_a_damaged_or_foreign_checkpoint_is_refused_and_left_alone(tmp_path, kept, damage, message):
    file, spoilt = tmp_path / "kept", damage(kept)
    file.write_bytes(spoilt)
    with pytest.raises(ggp.StoreError, match=re.escape(message)):
        solve(KALAH, START, resources(file))
    assert file.read_bytes() == spoilt


def test_a_checkpoint_that_cannot_be_written_is_told(tmp_path):
    missing = tmp_path / "missing" / "kept"
    with pytest.raises(ggp.StoreError, match=r"the checkpoint .* cannot be written: there is no directory .*missing"):
        solve(KALAH, START, resources(missing, seconds=0.3))
    with pytest.raises(ggp.StoreError, match=r"the checkpoint .* cannot be written: it is a directory"):
        solve(KALAH, START, resources(tmp_path, seconds=0.3))


@pytest.mark.slow
def test_what_is_proved_is_not_lost_when_the_disk_fills_up(tmp_path, monkeypatch):
    def full(*_, **__):
        raise ggp.StoreError("the checkpoint cannot be written: No space left on device")

    monkeypatch.setattr(Checkpoint, "save", full)
    with pytest.warns(ggp.GGPWarning, match="No space left on device; what is proved is not lost"):
        assert solve(KALAH, START, resources(tmp_path / "kept")).value == 2


def test_another_size_of_table_is_refused_and_what_was_kept_stays(tmp_path, kept):
    file = tmp_path / "kept"
    file.write_bytes(kept)
    other = Resources(memory=64, layer=2, checkpoint=Checkpoint(file, KALAH, START))
    with pytest.raises(
        ggp.StoreError, match="of a solve with --memory 96, compiled: only a solve with the same settings can resume"
    ):
        solve(KALAH, START, other)
    assert file.read_bytes() == kept


def test_a_short_solve_is_known_whatever_the_memory(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    nim = REGISTRY.game("nim")
    start = nim.initial_state()
    for memory in (64, 128):
        checkpoint = Checkpoint(tmp_path / "kept", nim, start)
        assert solve(nim, start, Resources(memory=memory, checkpoint=checkpoint)).value == 1
