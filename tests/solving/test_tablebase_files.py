"""Tablebases on disk: whole or not there, never taken for another, and never lost."""

import errno
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import zlib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from ggp_search.tablebases import layer_file
from ggp_solve.tablebases import build, build_files, builder, find_tablebase, open_tablebase, verify
from ggp_solve.tablebases.inventory import inventory

import ggp
from ggp.files import UNFINISHED

REGISTRY = ggp.load_registry()
KALAH = REGISTRY.game("kalah", houses=3)
NIM = REGISTRY.game("nim")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """These tests are about files; nothing has to be compiled for them."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def file_of(directory, layer, game="kalah"):
    (found,) = directory.glob(f"{game}-*-{layer:03}.ggpt")
    return found


def test_what_is_on_disk_says_what_is_in_memory(tmp_path):
    built, memory = build_files(KALAH, tmp_path, 6, threads=2), build(KALAH, 7)
    opened = open_tablebase(KALAH, tmp_path)
    assert built.layers == opened.layers == 7
    states = [p for layer in range(7) for s in range(layer // 2) for p in memory.ranking.positions(layer, s, 0)]
    assert len(states) > 400
    assert [opened.value(s) for s in states] == [memory.value(s) for s in states] == [built.value(s) for s in states]
    assert sum(verify(opened)) == len(states)


def test_a_file_is_a_header_of_one_page_and_a_byte_for_each_position(tmp_path):
    build_files(KALAH, tmp_path, 4)
    content = file_of(tmp_path, 4).read_bytes()
    line, checksum, blanks = content[:4096].split(b"\n")
    assert json.loads(line) == {
        "format": "ggp tablebase",
        "version": 2,
        "game": "kalah",
        "parameters": {"houses": 3, "capture": "standard"},
        "layer": 4,
        "section": None,
        "sections": [60, 36],
        "checksums": [zlib.crc32(content[4096:4156]), zlib.crc32(content[4156:])],
    }
    assert int(checksum, 16) == zlib.crc32(line + b"\n")
    assert (blanks.strip(), len(content)) == (b"", 4096 + 96)


def test_building_again_and_further_changes_nothing_that_is_there(tmp_path):
    build_files(KALAH, tmp_path, 3)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert build_files(KALAH, tmp_path, 2).layers == 3
    assert build_files(KALAH, tmp_path, 5).layers == 6
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_games_that_agree_in_what_matters_share_their_tables_and_others_lie_side_by_side(tmp_path):
    build_files(KALAH, tmp_path, 4)
    many = REGISTRY.game("kalah", houses=3, seeds=9)
    assert open_tablebase(many, tmp_path).layers == 5
    for game in (REGISTRY.game("kalah", houses=3, capture="empty"), REGISTRY.game("kalah", houses=2), NIM):
        assert open_tablebase(game, tmp_path).layers == 0
        assert sum(verify(build_files(game, tmp_path, 4))) > 0
    found, problems = inventory(tmp_path)
    assert problems == []
    assert [(each["game"], each["parameters"], each["layer"]) for each in found] == [
        ("kalah", {"houses": 3, "capture": "empty"}, 4),
        ("kalah", {"houses": 2, "capture": "standard"}, 4),
        ("kalah", {"houses": 3, "capture": "standard"}, 4),
        ("nim", {"number_of_heaps": 3, "misere": False}, 4),
    ]
    assert found[2]["positions"] == sum(sum(open_tablebase(KALAH, tmp_path).ranking.sections(g)) for g in range(5))
    assert found[2]["bytes"] == found[2]["positions"] + 5 * 4096


def test_only_layers_below_the_first_that_is_missing_are_opened(tmp_path):
    build_files(KALAH, tmp_path, 5)
    assert open_tablebase(KALAH, tmp_path, layers=4).layers == 4
    file_of(tmp_path, 3).unlink()
    assert open_tablebase(KALAH, tmp_path).layers == 3
    assert inventory(tmp_path)[0][0]["missing"] == [3]
    whole = contents(tmp_path)
    assert build_files(KALAH, tmp_path, 5).layers == 6
    assert {name: content for name, content in contents(tmp_path).items() if name in whole} == whole


def test_the_default_directory_is_named_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_TABLEBASES", str(tmp_path))
    assert find_tablebase(KALAH) is None
    build_files(KALAH, tmp_path, 4)
    assert find_tablebase(KALAH).layers == 5
    assert find_tablebase(REGISTRY.game("pig")) is None


def header_with(**changes):
    def change(content):
        line = json.dumps(json.loads(content.partition(b"\n")[0]) | changes).encode() + b"\n"
        line = line.replace(b'"deep"', b"[" * 50_000 + b"]" * 50_000)  # which json.dumps itself cannot write
        return (line + b"%08x\n" % zlib.crc32(line)).ljust(4096) + content[4096:]

    return change


AGAIN = "remove it, and `ggp tablebase build` builds it again"
DAMAGES = {
    "empty": (lambda content: b"", f"is not a ggp tablebase, or its first line is damaged: {AGAIN}"),
    "of something else": (lambda content: b"GIF89a" * 999, "is not a ggp tablebase"),
    "a list": (lambda content: b"[1]\n" + content, "is not a ggp tablebase"),
    "deep brackets": (lambda content: b"[" * 100_000, "is not a ggp tablebase"),
    "deep brackets in its header": (header_with(parameters="deep"), "is not a ggp tablebase"),
    "cut short": (lambda content: content[:-1], f"is damaged: it has 4,191 bytes and should have 4,192: {AGAIN}"),
    "longer": (lambda content: content + b"\0", "is damaged: it has 4,193 bytes and should have 4,192"),
    "cut in the header": (lambda content: content[:50], "is not a ggp tablebase"),
    "cut behind the line": (lambda content: content[: content.index(b"\n") + 3], "its header is damaged"),
    "a byte of the data": (
        lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
        f"is damaged: its data is damaged: {AGAIN}",
    ),
    "a byte of the header": (
        lambda content: content.replace(b'"houses":3', b'"houses":4'),
        f"is damaged: its header is damaged: {AGAIN}",
    ),
    "another version": (header_with(version=1), "has version 1, and this ggp reads version 2: remove it"),
    "a header of other types": (header_with(layer="4"), "is damaged: its header is wrong: expected int, got str"),
    "a section of fewer than no positions": (
        header_with(sections=[-60, 156]),
        "is damaged: its header is wrong: expected int >= 0",
    ),
    "a layer beyond all": (header_with(layer=1 << 60), "is damaged: its header is wrong: expected int <= 9999"),
    "short checksums": (
        header_with(checksums=[1]),
        "is damaged: its header is wrong: there are 1 checksums of 2 sections",
    ),
    "no sections and no checksums": (header_with(sections=[], checksums=[]), "is damaged: it has 4,192 bytes"),
    "a strange entry": (header_with(by="me"), "is damaged: its header is wrong: there is no such entry as 'by'"),
    "a byte of the blanks": (
        lambda content: content[:4000] + b"x" + content[4001:],
        "is damaged: its header is damaged",
    ),
    "another game": (
        header_with(game="nim"),
        "is a tablebase of nim houses=3 capture=standard, and not of kalah houses=3 capture=standard",
    ),
    "other parameters": (
        header_with(parameters={"houses": 3, "capture": "empty"}),
        "is a tablebase of kalah houses=3 capture=empty, and not of kalah houses=3 capture=standard",
    ),
    "another layer": (header_with(layer=5), "is a tablebase of layer 5, and not of layer 4"),
    "another numbering": (
        header_with(sections=[36, 60]),
        "is a tablebase of another numbering of the positions of kalah",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_refused_by_name(damage, tmp_path):
    change, message = DAMAGES[damage]
    build_files(KALAH, tmp_path, 4)
    path = file_of(tmp_path, 4)
    path.write_bytes(change(path.read_bytes()))
    before = contents(tmp_path)
    for use in (open_tablebase, lambda game, directory: build_files(game, directory, 6)):
        with pytest.raises(ggp.TablebaseError) as refused:
            use(KALAH, tmp_path)
        assert message in str(refused.value)
        assert str(path) in str(refused.value)
    assert contents(tmp_path) == before


def test_every_single_bit_that_is_flipped_is_refused_by_name(tmp_path):
    build_files(KALAH, tmp_path, 2)
    path = file_of(tmp_path, 2)
    content = path.read_bytes()
    for bit in [*range(0, 8 * 400, 3), *range(8 * 400, 8 * 4096, 101), *range(8 * 4096, 8 * len(content))]:
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(
            ggp.TablebaseError, match=r"remove it, and `ggp tablebase build` builds it again$"
        ) as refused:
            layer_file.check(layer_file.open_mapped(path))
        assert str(path) in str(refused.value)


def test_a_pipe_in_the_place_of_a_layer_is_refused(tmp_path):
    build_files(KALAH, tmp_path, 2)
    path = file_of(tmp_path, 2)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ggp.TablebaseError, match="cannot be read: it is not a regular file"):
        open_tablebase(KALAH, tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no locks")
def test_builders_at_one_directory_take_turns_and_all_end_well(tmp_path):
    command = [sys.executable, "-W", "error", "-m", "ggp.cli", "tablebase", "build", "kalah", "--option", "houses=3"]
    command += ["--layer", "9", "--directory", str(tmp_path / "shared")]
    builders = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]  # noqa: S603
    said = [builder.communicate() for builder in builders]
    assert [builder.returncode for builder in builders] == [0] * 4, said
    build_files(KALAH, tmp_path / "alone", 9)
    assert contents(tmp_path / "shared") == contents(tmp_path / "alone")


def test_a_layer_beyond_the_numbering_is_refused(tmp_path):
    wide = REGISTRY.game("kalah", houses=12, seeds=1)
    message = "the tablebase of kalah cannot have layer 128: with these parameters, 127 is the last"
    with pytest.raises(ggp.UsageError, match=message):
        build_files(wide, tmp_path, 128)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_what_cannot_be_written_is_told_in_a_sentence_and_nothing_is_lost(number, tmp_path, monkeypatch):
    build_files(KALAH, tmp_path, 3)
    before, written, replace = contents(tmp_path), [], os.replace

    def replace_some(source, target):
        if len(written) == 3:
            raise OSError(number, os.strerror(number))
        written.append(target)
        replace(source, target)

    monkeypatch.setattr(layer_file.os, "replace", replace_some)
    message = f"cannot be written: {os.strerror(number).lower()}; finished sections are saved: make room or name"
    with pytest.raises(ggp.TablebaseError, match=message):
        build_files(KALAH, tmp_path, 6)
    kept = contents(tmp_path)
    assert len(kept) == len(before) + len([each for each in written if pathlib.Path(each).exists()])
    assert before.items() <= kept.items()
    monkeypatch.undo()
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    assert sum(verify(build_files(KALAH, tmp_path, 6))) > 0


def test_what_killed_builds_left_half_written_is_swept_up_once_it_is_old(tmp_path):
    build_files(KALAH, tmp_path, 3)
    name = file_of(tmp_path, 3).name
    old, new = tmp_path / f"{name}.0123abcd.part", tmp_path / f"{name}.4567abcd.part"
    for path in (old, new, tmp_path / "mine.part"):
        path.write_bytes(b"half")
        os.utime(path, (0, 0))
    os.utime(new)
    build_files(KALAH, tmp_path, 4)
    assert [path.exists() for path in (old, new, tmp_path / "mine.part")] == [False, True, True]


def test_a_directory_that_is_none_is_told_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ggp.TablebaseError, match="cannot be written: "):
        build_files(KALAH, tmp_path / "file" / "directory", 3)


def test_a_disk_that_is_full_is_told_in_a_sentence(tmp_path):
    pytest.importorskip("resource")
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4200, 4200));"
        "from ggp.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-W", "error", "-c", limited, "tablebase", "build", "kalah", "--option", "houses=3"]
    run = subprocess.run([*command, "--layer", "8", "--directory", tmp_path], capture_output=True, text=True)  # noqa: S603
    assert (run.returncode, run.stderr.count("\n")) == (1, 1)
    assert "cannot be written: file too large; finished sections are saved" in run.stderr
    assert open_tablebase(KALAH, tmp_path).layers == 5


def test_sections_that_are_ready_are_not_made_again_and_damaged_ones_are(tmp_path, monkeypatch):
    made, write = [], builder.write_section

    def interrupted(shelf, base, fill, layer, section, check):
        made.append((layer, section))
        if (layer, section) == (8, 0):
            raise KeyboardInterrupt
        write(shelf, base, fill, layer, section, check)

    monkeypatch.setattr(builder, "write_section", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_files(KALAH, tmp_path, 8)
    assert made[-1] == (8, 0)  # the smallest is the last
    (damaged,) = tmp_path.glob("*-008-002.ggps")
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\x7f")
    made.clear()
    monkeypatch.setattr(builder, "write_section", lambda *given: (made.append(given[3:5]), write(*given)))
    assert sum(verify(build_files(KALAH, tmp_path, 8))) > 0
    assert sorted(made) == [(8, 0), (8, 2)]
    assert list(tmp_path.glob("*.ggps")) == []


def test_processes_make_the_same_files_as_threads(tmp_path):
    build_files(KALAH, tmp_path / "threads", 7, threads=2)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        build_files(KALAH, tmp_path / "processes", 7, executor=pool)
    assert contents(tmp_path / "threads") == contents(tmp_path / "processes")


def test_a_process_that_dies_is_told_in_a_sentence(tmp_path):
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        pool.submit(int).result()
        for pid in pool._processes:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(
            ggp.TablebaseError, match="a process that filled sections of a tablebase has died: run the same"
        ):
            build_files(KALAH, tmp_path, 5, executor=pool)


@pytest.mark.slow
def test_a_build_killed_at_random_moments_goes_on_and_ends_with_the_same_files(tmp_path):
    whole, pieces, draws, kills = tmp_path / "whole", tmp_path / "pieces", random.Random(5), 0
    build_files(KALAH, whole, 13)
    arguments = ["tablebase", "build", "kalah", "--option", "houses=3", "--layer", "13", "--directory", str(pieces)]
    while True:
        process = subprocess.Popen([sys.executable, "-m", "ggp.cli", *arguments], stdout=subprocess.DEVNULL)  # noqa: S603
        try:
            process.wait(0.1 + 0.8 * draws.random() * min(kills, 1) if kills < 6 else None)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            kills += process.wait() != 0
    assert process.returncode == 0
    left = {name: content for name, content in contents(pieces).items() if not name.endswith(UNFINISHED)}
    assert left == contents(whole)
    assert kills > 0
