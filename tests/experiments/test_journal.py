"""The journal: an experiment goes on after whatever ended it."""

import pathlib

import attrs
import pytest

import ggp
from ggp.experiments import HERE, Journal, outcomes, play_job
from ggp.storage import sealed, unsealed


@pytest.fixture
def match(experiment):
    return experiment("nim", "random", "easy", pairs=6)


@pytest.fixture
def written(match, played, tmp_path):
    """The path of a journal that has the whole match."""
    path = tmp_path / "match.jsonl"
    journal = Journal.open(path, match)
    played(match, HERE, journal)
    journal.close()
    return path


def counting(begun):
    def play(job):
        begun.append(job.number)
        return play_job(job)

    return play


def again(match, path):
    """The games and the numbers of those that had to be played once more."""
    journal, begun = Journal.open(path, match), []
    games = list(outcomes(match, HERE, journal, counting(begun)))
    journal.close()
    return games, begun


def test_what_is_in_the_journal_is_not_played_again(match, written):
    games, begun = again(match, written)
    assert begun == []
    assert [outcome.number for outcome in games] == list(range(12))


def test_records_come_back_as_they_were(match, written):
    fresh = {outcome.number: outcome.record.moves for outcome in outcomes(match)}
    kept = Journal.open(written, match)
    kept.close()
    for number, outcome in kept.games.items():
        assert [move.action for move in outcome.record.moves] == [move.action for move in fresh[number]]


@pytest.mark.slow
def test_cut_off_anywhere_the_match_goes_on_and_comes_to_the_same(match, written, played):
    content, right = written.read_bytes(), played(match)[1]
    ends = [place for place, byte in enumerate(content) if byte == ord("\n")]  # a line is whole without its end, too
    for length in {*range(0, len(content), 97), *ends, *(end + 1 for end in ends)}:
        written.write_bytes(content[:length])
        games, begun = again(match, written)
        assert len(begun) == 12 - sum(end <= length for end in ends[1:])
        assert [tuple(move.action for move in each.record.moves) for each in games] == [told[3] for told in right]
        assert again(match, written)[1] == []


@pytest.mark.parametrize("damage", [b"{", b"\xff\xfe", b'{"number":"3"}', b'{"number":3,"record":{}}', b"null"])
def test_a_damaged_line_is_a_game_to_be_played_again(match, written, damage):
    lines = written.read_bytes().splitlines(keepends=True)
    written.write_bytes(b"".join([*lines[:4], damage + b"\n", *lines[5:]]))
    journal = Journal.open(written, match)
    journal.close()
    assert (journal.damaged, len(journal.games)) == (1, 11)
    assert again(match, written)[1] == [3]


def test_any_single_bit_that_is_flipped_is_found(match, written):
    """Of the first line, and of that of a game."""
    journal = Journal.open(written, match)
    journal.close()
    lines = written.read_bytes().splitlines(keepends=True)
    for place, step in ((0, 5), (3, 17)):
        for bit in range(0, 8 * len(lines[place]), step):
            damaged = bytearray(lines[place])
            damaged[bit // 8] ^= 1 << bit % 8
            written.write_bytes(b"".join([*lines[:place], damaged, *lines[place + 1 :]]))
            try:
                again = Journal.open(written, match)
            except ggp.UsageError:
                assert place == 0
                continue
            again.close()
            assert again.damaged > 0, bit
            assert all(outcome == journal.games[number] for number, outcome in again.games.items())


def test_games_of_a_number_that_is_none_are_passed_over(match, written):
    lines = written.read_bytes().splitlines(keepends=True)
    strange = sealed(unsealed(lines[1].strip()).replace(b'"number":0', b'"number":99'))
    written.write_bytes(lines[0] + strange + b"\n")
    journal = Journal.open(written, match)
    journal.close()
    assert journal.games == {}


@pytest.mark.skipif(not pathlib.Path("/dev/zero").exists(), reason="there is no file without end here")
def test_a_file_without_end_is_refused(match):
    with pytest.raises(ggp.UsageError, match="/dev/zero is not a journal of an experiment"):
        Journal.open(pathlib.Path("/dev/zero"), match)


@pytest.mark.parametrize("content", [b"something else\n", b"x", b"{}\n", b"\x00\xff\n"])
def test_another_file_is_refused_and_left_as_it_is(match, tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(ggp.UsageError, match=r"notes.txt is not a journal of an experiment, or its first line is"):
        Journal.open(path, match)
    assert path.read_bytes() == content


def test_the_journal_of_another_experiment_is_refused_with_what_differs(match, written):
    with pytest.raises(ggp.UsageError, match="is the journal of another experiment: its players and seed differ"):
        Journal.open(written, attrs.evolve(match, players=("easy", "hard"), seed=5))


def test_a_journal_of_another_version_is_refused(match, written):
    written.write_bytes(written.read_bytes().replace(b'"version":2', b'"version":3', 1))
    with pytest.raises(ggp.UsageError, match="is a journal of version 3, and this ggp reads version 2"):
        Journal.open(written, match)


def test_a_place_where_no_journal_can_be_is_told(match, tmp_path):
    with pytest.raises(ggp.StoreError, match=r"the journal .* cannot be used: is a directory"):
        Journal.open(tmp_path, match)


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="no disk that is always full")
def test_a_full_disk_is_told(match, tmp_path):
    path = tmp_path / "full.jsonl"
    journal = Journal.open(path, match)
    journal._file.close()
    journal._file = open("/dev/full", "ab", buffering=0)  # noqa: SIM115
    with pytest.raises(ggp.StoreError, match="cannot be written: no space left on device; the games in it are safe"):
        list(outcomes(match, HERE, journal))
    journal.close()


def test_two_at_one_journal_do_no_harm(match, tmp_path, played):
    path = tmp_path / "shared.jsonl"
    journals = [Journal.open(path, match) for _ in range(2)]
    runs = [outcomes(match, HERE, journal) for journal in journals]
    for _ in range(match.games):
        for run in runs:
            next(run)
    for journal in journals:
        journal.close()
    journal = Journal.open(path, match)
    journal.close()
    assert (journal.damaged, len(journal.games)) == (0, 12)
