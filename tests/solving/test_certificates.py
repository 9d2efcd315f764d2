"""Certificates: what is proved is verified by the rules alone, and nothing else is."""

import gzip
import json
import os
import subprocess
import sys

import pytest
from ggp_search import SearchStopped
from ggp_solve.certificates import verification
from ggp_solve.certificates.certificate import FORMAT
from ggp_solve.certificates.strategy import Strategy, write_certificate
from ggp_solve.certificates.verification import Guarantee, NoGuaranteeError, verify
from ggp_solve.proof.prover import Prover, new_prover
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.cli import main
from ggp.errors import CertificateError, UsageError
from ggp.testing import minimax_value, trees

REGISTRY = ggp.load_registry()
SMALL = {
    "kalah": {"houses": 3, "seeds": 2},
    "tictactoe": {},
    "nim": {"heaps": (1, 2, 3)},
    "fig52": {},
    "tree": {"seed": 5},
}


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")


def certify(path, name, parameters, state=None):
    game = REGISTRY.game(name, **parameters)
    state = game.initial_state() if state is None else state
    prover = new_prover(game, state, memory=4)
    value = prover.value(state, 0)
    write_certificate(path, game, state, value, prover)
    return value


@pytest.mark.parametrize("name", SMALL)
def test_what_is_certified_is_verified(name, tmp_path):
    path = tmp_path / "certificate"
    value = certify(path, name, SMALL[name])
    verified = verify(REGISTRY, path)
    game = REGISTRY.game(name, **SMALL[name])
    assert verified.claim.value == value == minimax_value(game, game.initial_state())
    assert (verified.game, verified.state) == (game, game.initial_state())


@pytest.mark.slow
def test_kalah_with_4_houses_and_3_seeds_is_certified_and_verified(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "auto")
    path = tmp_path / "certificate"
    assert certify(path, "kalah", {"houses": 4, "seeds": 3}) == 6  # tests/data/kalah_values.json
    first, second = verify(REGISTRY, path).positions
    assert first < second < 60_000
    assert path.stat().st_size < 300_000


def test_the_end_of_a_game_needs_no_strategy(tmp_path):
    game = REGISTRY.game("tictactoe")
    certify(tmp_path / "over", "tictactoe", {}, game.parse_state("XXX/OO./..."))
    assert verify(REGISTRY, tmp_path / "over").positions == (0, 0)


def test_the_same_proof_is_the_same_file(tmp_path):
    for each in ("one", "other"):
        certify(tmp_path / each, "tictactoe", {})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def sure_of(game, state, side, action_of):
    """Return the value that a strategy guarantees, found by trying every reply."""
    if game.terminal_test(state):
        return game.utility(state, ggp.MAX)
    if game.to_move(state) == side:
        return sure_of(game, game.result(state, action_of(state)), side, action_of)
    worse = min if side == ggp.MAX else max
    return worse(sure_of(game, game.result(state, each), side, action_of) for each in game.actions(state))


@given(trees(), st.sampled_from((ggp.MAX, ggp.MIN)), st.integers(0, 1000))
def test_a_strategy_makes_sure_of_what_the_worst_replies_leave(tree, side, seed):
    def action_of(state):
        return (seed + sum(tree.key(state))) % len(tree.actions(state))

    root = tree.initial_state()
    assert Guarantee(tree, side, action_of).of(root) == sure_of(tree, root, side, action_of)


@given(trees(), st.sampled_from((ggp.MAX, ggp.MIN)))
def test_the_strategy_that_is_found_makes_sure_of_the_value(tree, side):
    root = tree.initial_state()
    value = minimax_value(tree, root)
    strategy = Strategy(tree, side, new_prover(tree, root, memory=1), lambda: None)
    strategy.find(root, value)
    assert Guarantee(tree, side, lambda state: strategy.actions[tree.key(state)]).of(root) == value


class Merry:
    """It goes round and round."""

    name = "merry"

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return (state + action) % 4

    def terminal_test(self, state):
        return False


@pytest.mark.parametrize("side", [ggp.MAX, ggp.MIN])
def test_a_play_that_comes_back_proves_nothing(side):
    with pytest.raises(NoGuaranteeError, match=r"^play returns to 0$"):
        Guarantee(Merry(), side, lambda state: 1).of(0)


def test_what_is_too_large_is_refused_and_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr("ggp_solve.certificates.strategy.MOST", 100)
    with pytest.raises(UsageError, match=r"^tictactoe in \S+ cannot be certified: a strategy reaches more than"):
        certify(tmp_path / "certificate", "tictactoe", {})
    assert list(tmp_path.iterdir()) == []


def test_what_is_too_large_to_verify_is_refused(tmp_path, monkeypatch):
    certify(tmp_path / "certificate", "tictactoe", {})
    monkeypatch.setattr(verification, "MOST", 100)
    with pytest.raises(CertificateError, match=r"certificate proves nothing: a strategy reaches more than 100 positi"):
        verify(REGISTRY, tmp_path / "certificate")


def test_ctrl_c_leaves_no_file(tmp_path, monkeypatch):
    def interrupted(prover, state, wanted):
        prover.engine.counter.limit = 0
        raise SearchStopped

    monkeypatch.setattr(Prover, "at_least", interrupted)
    game = REGISTRY.game("tictactoe")
    prover = new_prover(game, game.initial_state(), memory=1)
    with pytest.raises(KeyboardInterrupt):
        write_certificate(tmp_path / "certificate", game, game.initial_state(), 0, prover)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_is_not_there_is_told_of(tmp_path):
    with pytest.raises(CertificateError, match=r"^the certificate .*nowhere/c cannot be written: no such file or dir"):
        certify(tmp_path / "nowhere" / "c", "fig52", {})


def test_places_that_are_not_there_are_refused_before_the_solve(tmp_path, capsys):
    for option in ("certificate", "book"):
        assert main(["solve", "nim", f"--{option}", str(tmp_path / "nowhere" / "file"), "--quiet"]) == 1
        out, err = capsys.readouterr()
        assert not out
        assert "cannot be written: there is no directory" in err


def test_what_cannot_be_kept_or_made_is_refused_before_the_solve(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    file = tmp_path / "notes"
    file.write_text("notes")
    refused = {
        ("--certificate", str(file), "--checkpoint", str(file)): (2, "must be different files"),
        ("--book", str(file)): (1, "notes exists and is not a ggp opening book: name another file, or remove it"),
        ("--certificate", str(file)): (1, "notes exists and is not a ggp certificate: name another file, or remove"),
        ("--checkpoint", str(file)): (1, "notes exists and is not a ggp checkpoint of a solve: name another file"),
        ("--book", ""): (2, "--book needs the name of a file"),
        ("--every", "5"): (2, "--every needs --checkpoint FILE: it is the time between two checkpoints"),
        ("--layer", "3"): (2, "nim has no tablebase in memory here: building one needs machine speed"),
        ("--tablebase", str(tmp_path)): (
            2,
            "build nim --option heaps=3,4,5 --option misere=false --directory",
        ),
    }
    for options, (status, words) in refused.items():
        found = main(["solve", "nim", *options, "--quiet"])
        out, err = capsys.readouterr()
        assert (found, out) == (status, "")
        assert words in err
    assert file.read_text() == "notes"


def test_a_link_stays_one_and_a_device_is_no_file(tmp_path, capsys):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert main(["solve", "tictactoe", "--certificate", str(tmp_path / "link"), "--quiet"]) == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").is_file()
    os.mkfifo(tmp_path / "pipe")
    assert main(["solve", "tictactoe", "--certificate", str(tmp_path / "pipe"), "--quiet"]) == 1
    assert "pipe cannot be written: it is not a regular file" in capsys.readouterr().err


def test_the_value_is_told_even_if_it_cannot_be_certified(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ggp_solve.certificates.strategy.MOST", 100)
    assert main(["solve", "tictactoe", "--certificate", str(tmp_path / "c"), "--quiet"]) == 2
    out, err = capsys.readouterr()
    assert "0 to X, exact" in out
    assert "cannot be certified" in err


def test_a_file_that_cannot_be_replaced_stays_as_it_was(tmp_path):
    (tmp_path / "c").mkdir()
    with pytest.raises(CertificateError, match=r"/c cannot be written: is a directory$"):
        certify(tmp_path / "c", "fig52", {})
    assert [each.name for each in tmp_path.iterdir()] == ["c"]


def test_a_game_of_chance_is_refused(tmp_path):
    claim = {"game": "pig", "parameters": {}, "value": 0}
    claim["position"] = REGISTRY.game("pig").format_state((0, 0, 0, 1, 0))
    (tmp_path / "c").write_bytes(sealed([claim]))
    with pytest.raises(UsageError, match=r"/c: pig is a game of chance, and chance follows no strategy$"):
        verify(REGISTRY, tmp_path / "c")


def sealed(lines):
    """The file of a certificate with these lines after its first one, uncompressed and with the right checksum."""
    return FORMAT.encode(*(f"{json.dumps(line)}\n".encode() for line in lines))


def unsealed(path):
    return gzip.decompress(FORMAT.read(path))


# What was changed: (how the lines are changed, what is said of it)
CHANGED = {
    "a value too high for MAX": (
        lambda lines: [{**lines[0], "value": 1}, *lines[1:]],
        r"the strategy of X in \.\.\./\.\.\./\.\.\. guarantees only at least 0, not 1 as claimed$",
    ),
    "a value too low for MIN": (
        lambda lines: [{**lines[0], "value": -1}, *lines[1:]],
        r"the strategy of O in \.\.\./\.\.\./\.\.\. guarantees only at most 0, not -1 as claimed$",
    ),
    "a huge value": (
        lambda lines: [{**lines[0], "value": 10**300}, *lines[1:]],
        r"guarantees only at least 0, not 1e\+300 as",
    ),
    "another action": (
        lambda lines: [*lines[:2], [lines[2][0], "9"], *lines[3:]],
        r"line 5: the answer in \S+ is expected here, not in '\S+'$",
    ),
    "an answer left out": (
        lambda lines: lines[:5] + lines[6:],
        r"line 7: the answer in \S+ is expected here, not in '\S+'$",
    ),
    "the last answer left out": (lambda lines: lines[:-1], r"is incomplete: the answer in \S+ is missing$"),
    "all answers left out": (lambda lines: lines[:1], r"is incomplete: the answer in \.\.\./\.\.\./\.\.\. is missing$"),
    "an answer too many": (lambda lines: [*lines, lines[-1]], r"this line follows after the end of both strategies$"),
    "an action that is not legal": (
        lambda lines: [*lines[:2], [lines[2][0], "1"], *lines[3:]],
        r"line 4: cell 1 is taken in XO./\.\.\./\.\.\.: the empty cells are 3, ",
    ),
    "an action that is none": (lambda lines: [lines[0], [lines[1][0], "pass"]], r"line 3: 'pass' is not a cell: "),
    "another game": (lambda lines: [{**lines[0], "game": "chess"}, *lines[1:]], r"line 2: there is no game 'chess'"),
    "a huge parameter": (
        lambda lines: [{**lines[0], "parameters": {"k": 10**30}}],
        r"line 2: tictactoe: k must be .*; got 1000000000000000000000000000000",
    ),
    "another variant": (
        lambda lines: [{**lines[0], "parameters": {"h": 4}}, *lines[1:]],
        r"line 2: '\.\.\./\.\.\./\.\.\.' is not a board of tictactoe: ",
    ),
    "a position that is none": (
        lambda lines: [{**lines[0], "position": "X"}],
        r"line 2: 'X' is not a board of tictactoe: ",
    ),
    "an entry too many": (lambda lines: [{**lines[0], "by": "me"}], r"line 2: there is no such entry as 'by'$"),
    "no value": (lambda lines: [{**lines[0], "value": None}], r"line 2: expected float, got null - at \$\.value$"),
    "a line of another kind": (lambda lines: [lines[0], {"a": 1}], r"line 3: expected array, got object$"),
    "a line too long": (
        lambda lines: [lines[0], ["x" * (1 << 20), "1"]],
        r"line 3: it is longer than 1,048,576 bytes$",
    ),
}


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    path = tmp_path_factory.mktemp("proof") / "certificate"
    certify(path, "tictactoe", {})
    return path


@pytest.mark.parametrize("case", CHANGED)
def test_what_was_changed_is_refused(case, proof, tmp_path):
    change, said = CHANGED[case]
    lines = [json.loads(line) for line in unsealed(proof).splitlines()]
    path = tmp_path / "changed"
    path.write_bytes(sealed(change(lines)))
    with pytest.raises(CertificateError, match=said) as error:
        verify(REGISTRY, path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_what_is_not_compressed_is_read_too(proof, tmp_path):
    (tmp_path / "plain").write_bytes(FORMAT.encode(unsealed(proof)))
    assert verify(REGISTRY, tmp_path / "plain") == verify(REGISTRY, proof)


# Bytes in place of a certificate, and what is said of them
DAMAGED = {
    "cut off": (lambda data: data[:-200], r"is damaged: its checksum is wrong$"),
    "empty": (lambda data: b"", r"is not a ggp certificate, or its first line is damaged$"),
    "another version": (lambda data: data.replace(b":2,", b":1,", 1), r"has version 1, and this ggp reads version 2$"),
    "another format": (lambda data: data.replace(b"cert", b"tree", 1), r"is not a ggp certificate, or its first line"),
    "not UTF-8": (lambda data: FORMAT.encode(b'{"value": \xff}'), r"line 2: it is not UTF-8$"),
    "no claim": (lambda data: FORMAT.encode(), r"line 2: it is not JSON: input data was truncated$"),
    "no JSON": (lambda data: FORMAT.encode(b"hello"), r"line 2: it is not JSON: malformed: invalid character"),
    "deep brackets": (lambda data: FORMAT.encode(b"[" * 100_000), r"line 2: its brackets are nested too deep$"),
    "deep brackets in its first line": (lambda data: b"[" * 100_000, r"is not a ggp certificate"),
    "infinite": (lambda data: FORMAT.encode(b'{"value":1e999}'), r"line 2: it is not JSON: number"),
    "no gzip": (lambda data: FORMAT.encode(b"\x1f\x8bxxx"), r"is damaged: it does not decompress$"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_what_is_damaged_is_refused(case, proof, tmp_path):
    damage, said = DAMAGED[case]
    (tmp_path / "damaged").write_bytes(damage(proof.read_bytes()))
    with pytest.raises(CertificateError, match=said):
        verify(REGISTRY, tmp_path / "damaged")


def test_a_file_that_is_not_there_is_told_of(tmp_path):
    with pytest.raises(CertificateError, match=r"/none cannot be read: no such file or directory$"):
        verify(REGISTRY, tmp_path / "none")


def test_verifying_imports_no_searcher(proof):
    code = (
        "import sys, pathlib, ggp\n"
        "from ggp_solve.certificates.verification import verify\n"
        "registry = ggp.Registry()\n"
        "import ggp_tictactoe\n"
        "registry.register(ggp_tictactoe)\n"
        "verify(registry, pathlib.Path(sys.argv[1]))\n"
        "print([name for name in sys.modules if name.startswith('ggp_search')])"
    )
    run = subprocess.run([sys.executable, "-c", code, str(proof)], capture_output=True, text=True, check=True)  # noqa: S603
    assert run.stdout == "[]\n"


def test_the_command_says_what_is_verified(proof, capsys):
    assert main(["verify", str(proof)]) == 0
    out = capsys.readouterr().out
    assert "state       .../.../..., X to move\nvalue       0 to X, verified\n" in out
    assert main(["verify", str(proof), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["value"], found["verified"], len(found["positions"])) == ("tictactoe", 0, True, 2)


def test_the_command_refuses_in_one_sentence(tmp_path, capsys):
    (tmp_path / "c").write_text("{}")
    assert main(["verify", str(tmp_path / "c")]) == 1
    assert capsys.readouterr().err == f"ggp: {tmp_path}/c is not a ggp certificate, or its first line is damaged\n"
