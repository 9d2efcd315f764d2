"""Every file of ours with one bit flipped: refused in a sentence or as good as none, and never another value.

`GGP_BITS=all` flips every bit of each file, where these tests draw some.
"""

import os
import random

import pytest
from ggp_solve.certificates.verification import verify
from ggp_solve.proof.checkpoint import Checkpoint
from ggp_solve.proof.proof_solver import solve
from ggp_solve.proof.prover import new_prover
from ggp_solve.proof.solution import Resources

import ggp
from ggp import opening_book as book
from ggp.cli import main
from ggp.compiler import cache, machine

REGISTRY = ggp.load_registry()
NIM = REGISTRY.game("nim", heaps=(1, 2, 4))
START = NIM.initial_state()
DRAWN = 400
"""Number of bits that are flipped in each file, besides all bits of its first line."""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def flipped(content):
    """The content with one bit flipped, again and again."""
    bits = range(8 * len(content))
    if os.environ.get("GGP_BITS") != "all":
        first = 8 * content.index(b"\n") + 8
        bits = [*range(0, first, 3), *random.Random(1).choices(range(first, 8 * len(content)), k=DRAWN)]
    for bit in bits:
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        yield bytes(damaged)


def certificate(path):
    main(["solve", "nim", "--option", "heaps=1,2,4", "--certificate", str(path), "--quiet"])
    return lambda: verify(REGISTRY, path).claim.value


def opening_book(path):
    main(["solve", "nim", "--option", "heaps=1,2,4", "--book", str(path), "--quiet"])
    return lambda: book.look(path, NIM, START).value


def checkpoint(path):
    kept = Checkpoint(path, NIM, START)
    solve(NIM, START, Resources(memory=4, checkpoint=kept))

    def use():
        prover = new_prover(NIM, START, memory=4)
        kept.restore(prover)
        return prover.proved[START][0]

    return use


@pytest.mark.parametrize("make", [certificate, opening_book, checkpoint])
def test_a_flipped_bit_is_refused_in_a_sentence(make, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    path = tmp_path / "file"
    use = make(path)
    assert use() == 1
    for damaged in flipped(path.read_bytes()):
        path.write_bytes(damaged)
        with pytest.raises(ggp.GGPError, match=r"(is damaged|is not a ggp|has version)") as refused:
            use()
        assert "\n" not in str(refused.value)


@pytest.mark.skipif(not machine.available(), reason="machine code needs llvmlite")
def test_object_code_with_a_flipped_bit_is_as_good_as_none(tmp_path):
    game = REGISTRY.game("tictactoe", h=2, v=5, k=2)  # of no other test: what is compiled already is not written again
    REGISTRY.searcher("alphabeta", speed="compiled").search(game, game.initial_state(), ggp.Limits(depth=1))
    path = max((tmp_path / "cache").iterdir(), key=lambda file: file.stat().st_size)
    content = path.read_bytes()
    assert cache.read(path.stem) is not None
    for damaged in flipped(content):
        path.write_bytes(damaged)
        assert cache.read(path.stem) is None
    path.write_bytes(content)
    assert cache.read(path.stem) is not None
