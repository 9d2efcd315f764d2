"""`ggp tablebase`: what is said, and the exit statuses."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from ggp.cli import main

THREE = ("kalah", "--option", "houses=3")


@pytest.fixture
def tablebase(capsys, monkeypatch, tmp_path):
    """Runs `ggp tablebase`: status, output, complaint."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setenv("GGP_TABLEBASES", str(tmp_path / "tables"))

    def run(*arguments):
        capsys.readouterr()
        status = main(["tablebase", *map(str, arguments)])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def built(tablebase):
    assert tablebase("build", *THREE, "--layer", 5)[0] == 0
    return tablebase


def test_build_tells_what_is_there_then(tablebase, tmp_path):
    status, out, _ = tablebase("build", *THREE, "--layer", 5)
    assert status == 0
    assert "layers 0 to 5, 351 positions, are in " in out
    found = json.loads(tablebase("build", *THREE, "--layer", 6, "--directory", tmp_path / "other", "--json")[1])
    assert (found["game"], found["layer"], found["positions"]) == ("kalah", 6, 757)
    assert (tmp_path / "other").is_dir()


def test_build_in_processes(tablebase):
    assert "layers 0 to 4" in tablebase("build", *THREE, "--layer", 4, "--processes", 2)[1]


def test_list_lists_what_is_there(built, tmp_path):
    built("build", "nim", "--layer", 3)
    assert built("list")[1] == (
        "kalah houses=3 capture=standard\n"
        "  layers 0 to 5: 351 positions in 24,927 bytes\n"
        "nim number_of_heaps=3 misere=false\n"
        "  layers 0 to 3: 19 positions in 16,403 bytes\n"
    )
    found = json.loads(built("list", "--json")[1])
    assert [(each["game"], each["layer"], each["missing"]) for each in found["tablebases"]] == [
        ("kalah", 5, []),
        ("nim", 3, []),
    ]
    next((tmp_path / "tables").glob("kalah*-002.ggpt")).unlink()
    assert "layers 0 to 5, without 2: 342 positions" in built("list")[1]


def test_list_names_what_is_no_tablebase(built, tmp_path):
    (tmp_path / "tables" / "x.ggpt").write_text("something")
    status, out, complaint = built("list")
    assert (status, "layers 0 to 5" in out) == (1, True)
    assert complaint.endswith(
        "x.ggpt is not a ggp tablebase, or its first line is damaged: "
        "remove it, and `ggp tablebase build` builds it again\n"
    )
    assert "no tablebases in" in built("list", "--directory", tmp_path / "none")[2]


def test_verify_says_how_many_were_checked(built):
    assert (
        "50 of 351 positions of layers 0 to 5: all values agree with the rules"
        in built("verify", *THREE, "--sample", 50)[1]
    )
    assert "351 of 351 positions" in built("verify", *THREE, "--all")[1]
    found = json.loads(built("verify", *THREE, "--all", "--json")[1])
    assert (found["checked"], found["of"], found["by_layer"][:3]) == (351, 351, [0, 0, 9])


def test_verify_names_the_layer_that_is_wrong(built, tmp_path):
    import zlib

    path = next((tmp_path / "tables").glob("kalah*-005.ggpt"))
    content = path.read_bytes()
    data = bytearray(content[4096:])
    data[70] ^= 1
    header = json.loads(content.partition(b"\n")[0])
    header["checksums"][0] = zlib.crc32(data[: header["sections"][0]])
    header["checksums"][1] = zlib.crc32(data[header["sections"][0] :])
    line = json.dumps(header).encode() + b"\n"
    path.write_bytes((line + b"%08x\n" % zlib.crc32(line)).ljust(4096) + data)
    status, _, complaint = built("verify", *THREE, "--all")
    assert status == 1
    assert "layer 5 of the tablebase of kalah is wrong: <" in complaint
    assert complaint.endswith(
        "remove the files of this layer and those above, and `ggp tablebase build` builds them again\n"
    )


def test_probe_tells_values_and_the_best(built):
    status, out, complaint = built("probe", *THREE, "--position", "<3,2,0,0,1,1,0,0,1> S")
    assert (status, complaint) == (0, "")
    found = json.loads(built("probe", *THREE, "--position", "<3,2,0,0,1,1,0,0,1> S", "--json")[1])
    assert found["value"] == max(found["values"].values())
    assert found["best_actions"] == [name for name, value in found["values"].items() if value == found["value"]]
    assert f"value       {found['value']} to South, exact" in out
    assert f"best        {', '.join(found['best_actions'])}" in out


def test_a_tablebase_of_others_is_told_of_until_it_is_verified(built, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another user"))
    probe = ("probe", *THREE, "--position", "<3,2,0,0,1,1,0,0,1> S")
    there = ("--directory", tmp_path / "tables")
    assert built(*probe)[2] == ""  # in the user's own directory
    monkeypatch.setenv("GGP_TABLEBASES", str(tmp_path / "own"))
    told = built(*probe, *there)[2]
    assert "the tablebase of kalah in " in told
    assert "was neither built nor verified by you: `ggp tablebase verify kalah --directory " in told
    assert built("verify", *THREE, *there)[0] == 0
    assert built(*probe, *there)[2] == ""
    built("build", *THREE, "--layer", 6, *there)
    assert built(*probe, *there)[2] == ""


REFUSED = {
    "no tables": (("verify", "nim"), 1, "there is no tablebase of nim heaps=3,4,5 misere=false in "),
    "higher than the tables": (("probe", *THREE), 1, "has layers 0 to 5, and <3,0,0,4,4,4,4,4,4> S is of layer 24: "),
    "a game without ranking": (("build", "pig", "--layer", 3), 2, "the tablebase of pig has no layers"),
    "scores of another kind": (
        ("build", "kalah", "--option", "scoring=outcome", "--layer", 3),
        2,
        "the tablebase of kalah has no layers: leave out --layer",
    ),
    "too much": (("build", *THREE, "--layer", 128), 2, "layer must be a whole number from 0 to 127"),
    "no layer": (("build", "nim"), 2, "the tablebase of nim has layers: add --layer N, the highest to build"),
    "both": (("verify", *THREE, "--all", "--sample", 3), 2, "--all and --sample cannot be used together"),
    "no sample": (("verify", *THREE, "--sample", 0), 2, "sample must be a whole number, 1 or more"),
    "threads and processes": (
        ("build", *THREE, "--layer", 9, "--threads", 2, "--processes", 2),
        2,
        "--threads and --processes cannot be used together: each says where the sections are built",
    ),
    "processes and a cluster": (
        ("build", *THREE, "--layer", 9, "--processes", 2, "--executor", "dask:x"),
        2,
        "--processes and --executor cannot be used together",
    ),
    "no cluster": (("build", *THREE, "--layer", 9, "--executor", "moon"), 2, "there is no executor 'moon'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_sentence(case, built):
    arguments, status, message = REFUSED[case]
    found = built(*arguments)
    assert (found[0], found[1], found[2].count("\n")) == (status, "", 1)
    assert message in found[2]


BUILD = [sys.executable, "-W", "error", "-W", "ignore::ResourceWarning", "-m", "ggp.cli", "tablebase", "build"]
BUILD += ["kalah", "--option", "houses=4", "--layer", "60"]
"""A long build. A signal between the opening of a file and `with` leaves it to the garbage collector, which says so."""


def complaint_of(process):
    """Return what a build has said until its end, without what it says of its progress every ten seconds."""
    out, said = process.communicate()  # which waits for whoever still holds the pipes, too
    return out, re.sub(r"(?m)^\d+ (s|min)  kalah: layer .*\n", "", said)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("pause", [0, 0.02, 0.2])
def test_two_quick_ctrl_c_end_a_build_in_processes_and_all_of_them(pause, tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    command = [*BUILD, "--processes", "2", "--directory", str(tmp_path)]
    process = subprocess.Popen(  # noqa: S603 - our own interpreter
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not list(tmp_path.glob("*-007.ggpt")):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all of them hear it
    time.sleep(pause)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
    out, complaint = complaint_of(process)
    assert process.returncode in (130, -signal.SIGINT)
    assert (out, complaint.count("\n")) == ("", 1)
    assert complaint.startswith("ggp: interrupted")  # the second one may cut the sentence short


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_ctrl_c_ends_a_build_in_a_sentence_and_the_same_command_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    command = [*BUILD, "--directory", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603
    while not list(tmp_path.glob("*-007.ggpt")):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, complaint = complaint_of(process)
    assert (process.returncode, out) == (130, "")
    assert complaint == "ggp: interrupted: finished sections are saved, and the same command resumes from them\n"
    assert len(list(tmp_path.glob("*.ggpt"))) >= 8
