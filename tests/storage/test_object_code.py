"""Object code kept on disk: never damaged, never another user's, and bounded."""

import os
import re

import pytest

from ggp.compiler import cache

CODE = b"\x7fELF and so on\n\n\x00"


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A cache of its own for each test, and each warning as if it were the first."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "cache"))
    cache._warn.cache_clear()
    return tmp_path / "cache"


def file_of(place, name="name"):
    return place / f"{name}.ggpo"


@pytest.mark.parametrize("code", [CODE, b"", bytes(range(256)) * 300])
def test_what_is_written_is_read_again(code):
    cache.write("name", code)
    assert cache.read("name") == code
    assert cache.read("another") is None


def test_writing_leaves_one_file_and_no_pieces(place):
    cache.write("name", CODE)
    cache.write("name", CODE)
    assert [file.name for file in place.iterdir()] == ["name.ggpo"]


def test_a_file_with_any_single_bit_flipped_is_as_good_as_none(place):
    cache.write("name", CODE)
    content = file_of(place).read_bytes()
    for bit in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        file_of(place).write_bytes(damaged)
        assert cache.read("name") is None, f"bit {bit}"
    cache.write("name", CODE)
    assert cache.read("name") == CODE


DAMAGES = {
    "empty": lambda content: b"",
    "cut short": lambda content: content[:-1],
    "cut in its first line": lambda content: content[:20],
    "longer": lambda content: content + b"\0",
    "without its first line": lambda content: content.partition(b"\n")[2],
    "of an older version": lambda content: content.replace(b'"version":3', b'"version":2', 1),
    "brackets nested deeply": lambda content: b"[" * 100_000,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_is_as_good_as_none_that_is(damage, place):
    cache.write("name", CODE)
    file_of(place).write_bytes(DAMAGES[damage](file_of(place).read_bytes()))
    assert cache.read("name") is None


def test_a_file_under_the_name_of_another_is_as_good_as_none(place):
    cache.write("name", CODE)
    file_of(place).rename(file_of(place, "another"))
    assert cache.read("another") is None


def test_what_is_not_a_regular_file_is_as_good_as_none(place):
    file_of(place, "directory").mkdir(parents=True)
    place.chmod(0o700)
    os.mkfifo(file_of(place, "pipe"))
    assert cache.read("directory") is None
    assert cache.read("pipe") is None


def test_a_cache_that_cannot_be_written_is_told_of_once_and_does_no_harm(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("no directory")
    monkeypatch.setenv("GGP_CACHE_DIR", str(blocked / "cache"))
    with pytest.warns(UserWarning, match=r"object code cannot be stored in .*cache \(.*\): it is compiled again"):
        cache.write("name", CODE)
    cache.write("name", CODE)  # without a second warning, which would be an error here
    assert cache.read("name") is None


OPEN = {
    "the directory, by all": (".", 0o777),
    "the directory, by its group": (".", 0o770),
    "the directory, sticky": (".", 0o1777),
    "what it is in": ("..", 0o777),
}


@pytest.mark.parametrize("where", OPEN)
def test_a_directory_that_others_can_write_to_is_refused_in_a_sentence(where, tmp_path, monkeypatch):
    place = tmp_path / "mine" / "cache"
    monkeypatch.setenv("GGP_CACHE_DIR", str(place))
    cache.write("name", CODE)
    step, mode = OPEN[where]
    loose = (place / step).resolve()
    loose.chmod(mode)
    sentence = f"neither stored in {place} nor read from it: other users can write to {loose}; `chmod go-w {loose}`"
    with pytest.warns(UserWarning, match=re.escape(sentence)):
        assert cache.read("name") is None
    before = sorted(place.iterdir())
    cache.write("another", CODE)
    assert sorted(place.iterdir()) == before
    loose.chmod(0o755)
    assert cache.read("name") == CODE


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a directory away")
def test_a_directory_of_another_user_is_refused_in_a_sentence(place):
    cache.write("name", CODE)
    os.chown(place, 12345, -1)
    with pytest.warns(UserWarning, match="belongs to another user; name a directory of your own with GGP_CACHE_DIR"):
        assert cache.read("name") is None


def test_a_new_directory_is_the_users_alone(place):
    cache.write("name", CODE)
    assert place.stat().st_mode & 0o777 == 0o700


def test_an_empty_name_for_the_directory_keeps_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", "")
    monkeypatch.chdir(tmp_path)
    cache.write("name", CODE)
    assert cache.read("name") is None
    assert cache.directory() is None
    assert list(tmp_path.iterdir()) == []


def test_without_a_name_the_directory_is_the_users_own(monkeypatch):
    monkeypatch.delenv("GGP_CACHE_DIR")
    assert cache.directory().parts[-2:] == ("ggp", "machine")


def kept(place):
    return sorted(file.name for file in place.iterdir())


def written(place, names, code=CODE):
    """Files under these names, the first one used longest ago."""
    for age, name in enumerate(names):
        cache.write(name, code)
        os.utime(file_of(place, name), (1000 + age, 1000 + age))


def test_the_files_used_longest_ago_go_when_there_are_too_many(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    written(place, "abc")
    (place / "not ours.txt").write_text("stays")
    assert cache.read("a") == CODE  # which is a use
    cache.write("d", CODE)
    assert kept(place) == ["a.ggpo", "c.ggpo", "d.ggpo", "not ours.txt"]


def test_the_files_used_longest_ago_go_when_they_take_too_much(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 3500)
    written(place, "abcd", bytes(1000))
    assert kept(place) == ["b.ggpo", "c.ggpo", "d.ggpo"]
