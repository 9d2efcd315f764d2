"""Files of ours: whole or not there, damage found wherever it is, and nothing waited for."""

import errno
import io
import json
import os
import signal
import subprocess
import sys

import pytest

from ggp import files
from ggp.errors import BookError, StoreError
from ggp.storage import Format

BOOK = Format("opening book", 2, BookError, "remove it, and solve again")
LINE = b'{"value":1}\n'


@pytest.fixture
def path(tmp_path):
    BOOK.write(tmp_path / "book", LINE, LINE)
    return tmp_path / "book"


def test_what_is_written_is_read_again(path):
    assert BOOK.read(path) == LINE + LINE
    assert json.loads(path.read_bytes().splitlines()[0]).keys() == {"format", "version", "sha256"}


def test_the_checksum_is_that_of_the_file_without_its_digits(path):
    head, _, _ = path.read_bytes().partition(b"\n")
    script = 'sed \'1s/"sha256":"[0-9a-f]*"/"sha256":""/\' "$1" | sha256sum'
    found = subprocess.run(["/bin/sh", "-c", script, "sh", path], capture_output=True, text=True, check=True)  # noqa: S603
    assert found.stdout.split()[0] == json.loads(head)["sha256"]


def test_every_single_bit_that_is_flipped_is_refused_in_a_sentence(path):
    content = path.read_bytes()
    for bit in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(
            BookError, match=r"^b (is damaged: its checksum is wrong|is not a ggp|has version)"
        ) as refused:
            BOOK.decode(bytes(damaged), "b")
        assert str(refused.value).endswith(": remove it, and solve again")
        assert "\n" not in str(refused.value)


DAMAGES = {
    "empty": (b"", "is not a ggp opening book, or its first line is damaged"),
    "a list": (b"[1]\n", "is not a ggp opening book"),
    "deep brackets": (b"[" * 100_000, "is not a ggp opening book"),
    "not UTF-8": (b"\xff\xfe\n", "is not a ggp opening book"),
    "another format": (Format("certificate", 2).encode(LINE), "is not a ggp opening book"),
    "another version": (Format("opening book", 1).encode(LINE), "has version 1, and this ggp reads version 2"),
    "a version of another kind": (
        b'{"format":"ggp opening book","version":[[[[[[[[[]]]]]]]]]}\n',
        "has version [[[[[[",
    ),
    "no checksum": (b'{"format":"ggp opening book","version":2}\n', "is damaged: its checksum is wrong"),
    "cut short": (BOOK.encode(LINE)[:-1], "is damaged: its checksum is wrong"),
    "longer": (BOOK.encode(LINE) + b"\n", "is damaged: its checksum is wrong"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_refused_in_a_sentence(damage):
    content, said = DAMAGES[damage]
    with pytest.raises(BookError) as refused:
        BOOK.decode(content, "b")
    assert str(refused.value).startswith(f"b {said}")


def test_what_is_not_a_regular_file_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(BookError, match=r"^the opening book .* cannot be read: (it is not a regular|is a dir)"):
            BOOK.read(tmp_path / name)
    with pytest.raises(BookError, match="cannot be read: it is not a regular file"):
        BOOK.read("/dev/zero")
    with pytest.raises(BookError, match="cannot be written: it is not a regular file"):
        BOOK.write(tmp_path / "pipe", LINE)
    with pytest.raises(BookError, match="cannot be read: embedded null byte"):
        BOOK.read("a\0b")


def test_a_file_that_is_too_large_is_refused(path):
    with pytest.raises(StoreError, match="cannot be read: it is larger than 0 MB"):
        Format("opening book", 2, largest=10).read(path)


def test_a_file_keeps_its_permissions_when_it_is_written_over(path):
    path.chmod(0o600)
    BOOK.write(path, LINE)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_standard_input_that_is_closed_is_told(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BookError, match="the opening book - cannot be read: standard input is closed"):
        BOOK.read("-")


def test_a_hyphen_is_standard_input(path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert BOOK.read("-") == LINE + LINE


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(path, monkeypatch):
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BookError, match=r"^the opening book .* cannot be written: no space left on device$"):
        BOOK.write(path, b"other")
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["book"]


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX")
def test_a_writer_that_is_killed_leaves_the_old_file_or_the_new_one(tmp_path):
    code = (
        "import sys, pathlib\n"
        "from ggp.storage import Format\n"
        "number = 0\n"
        "while True:\n"
        "    number += 1\n"
        "    Format('opening book', 2).write(pathlib.Path(sys.argv[1]), b'%09d' % number * 100_000)\n"
    )
    path = tmp_path / "book"
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", code, path]) as writer:  # noqa: S603
            path.unlink(missing_ok=True)
            while not path.exists():
                assert writer.poll() is None
            writer.send_signal(signal.SIGKILL)
        body = Format("opening book", 2).read(path)
        assert body == body[:9] * 100_000


def test_what_a_place_has_is_looked_at_before_it_is_written_over(path, tmp_path):
    BOOK.require_place(path)
    BOOK.require_place(tmp_path / "new")
    (tmp_path / "notes").write_text("notes")
    with pytest.raises(StoreError, match="notes exists and is not a ggp opening book: name another file, or remove it"):
        BOOK.require_place(tmp_path / "notes")
    with pytest.raises(StoreError, match="there is no directory"):
        BOOK.require_place(tmp_path / "nowhere" / "b")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="pipe cannot be written: it is not a regular file"):
        files.require_place(tmp_path / "pipe", "file")


def test_a_large_limit_takes_no_more_memory_than_the_file_has(tmp_path):
    (tmp_path / "file").write_bytes(b"content")
    assert files.read_bytes(tmp_path / "file", 1 << 60) == b"content"
    with pytest.raises(OSError, match="it is larger than 0 MB"):
        files.read_bytes(tmp_path / "file", 3)
