"""Records: round trips, replaying, and what is refused."""

import random
import string

import attrs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import game, matches, records

import ggp
from ggp.play import Ending, Match, RecordedMove, make_player, play_game, record_of
from ggp.play.json_format import from_json, to_json
from ggp.play.record_sources import parse_record, read_record
from ggp.play.replay import replay
from ggp.play.store import open_store
from ggp.play.text_format import from_text, to_text


@given(matches())
def test_any_game_survives_json_text_and_replaying(registry, match):
    record = record_of(match)
    assert from_json(to_json(record).encode()) == record
    assert from_text(to_text(record).encode()) == record
    assert record_of(replay(registry, record, players=match.players)) == record


@given(records(plies=20))
def test_any_game_survives_the_store(record):
    with open_store(":memory:") as store:
        assert store.get(store.add(record)) == record


def test_the_format_is_told_by_the_content(registry):
    record = fixture()
    assert parse_record(to_json(record).encode(), "x") == parse_record(to_text(record).encode(), "x") == record
    assert parse_record(b"\xef\xbb\xbf" + to_text(record).replace("\n", "\r\n").encode(), "x") == record


FIXTURE = "0:0 1:4 0:2 1:2 1:0 0:3 1:4 1:2 0:4 1:0 0:0 1:2 0:5 1:0"
"""Player and house from 0, from an older program: under the standard rule over after thirteen moves."""


def fixture(moves=13):
    kalah = game("kalah")
    match = Match(kalah, (Named("South"), Named("North")), kalah.initial_state(), seed=1)
    for each in FIXTURE.split()[:13]:
        mover, house = map(int, each.split(":"))
        assert kalah.to_move(match.state) == mover
        match.play(house)
    record = record_of(match)
    more = [RecordedMove(mover=1, action="a")] * (moves - 13)
    return attrs.evolve(record, moves=(*record.moves, *more))


@attrs.frozen
class Named:
    name: str
    text: str = "human"


def test_the_older_programs_game_is_over_after_thirteen_moves_42_to_6(registry):
    match = replay(registry, fixture())
    assert [match.game.unpack(side)[-1] for side in match.state[:2]] == [6, 42]
    assert match.ending == Ending(how="finished", winner=ggp.MIN, utility=-36.0)


def test_its_fourteenth_move_is_refused(registry):
    wrong = "game.txt cannot be replayed: move 14, a by North, is wrong: the game is over in <6,6,42,0,0"
    with pytest.raises(ggp.RecordError, match=wrong):
        replay(registry, fixture(14), "game.txt")


def changed(record, number, **change):
    moves = list(record.moves)
    moves[number - 1] = attrs.evolve(moves[number - 1], **change)
    return attrs.evolve(record, moves=tuple(moves))


@pytest.mark.parametrize(
    ("damage", "message"),
    {
        "an illegal move": (
            lambda r: changed(r, 4, action="e"),
            "move 4, e by North, is wrong: 'e' cannot be played in <",
        ),
        "another mover": (lambda r: changed(r, 5, mover=0), "move 5, a by South, is wrong: North is to move in <"),
        "no move at all": (lambda r: changed(r, 1, action="?" * 90), r"move 1, \?{37}\.\.\. by South, is wrong: "),
        "another winner": (
            lambda r: attrs.evolve(r, ending=Ending(how="finished", winner=0, utility=36.0)),
            "its ending is wrong: by the rules, winner 1, utility -36.0",
        ),
        "an end before the end": (
            lambda r: attrs.evolve(r, moves=r.moves[:3]),
            "its ending is wrong: by the rules, the game goes on in <6,1,1",
        ),
        "resignation after the end": (
            lambda r: attrs.evolve(r, ending=Ending(how="resigned", winner=0)),
            "its ending is wrong: resigned is only possible for an unfinished game, with a winner and no utility",
        ),
        "another start": (
            lambda r: attrs.evolve(r, start="<6,0> S"),
            "its start is not a state: '<6,0> S' has 1 stores",
        ),
        "another game": (lambda r: attrs.evolve(r, game="chess"), "cannot be replayed: there is no game 'chess'"),
        "a wrong parameter": (
            lambda r: attrs.evolve(r, parameters={"houses": 99}),
            "cannot be replayed: kalah: houses must be a whole number from 1 to 12 .houses a side.; got 99",
        ),
        "a foreign parameter": (
            lambda r: attrs.evolve(r, parameters={"heaps": 9}),
            "cannot be replayed: kalah has no option 'heaps'",
        ),
    }.values(),
)
def test_what_does_not_replay_is_refused_with_the_first_wrong_move(registry, damage, message):
    with pytest.raises(ggp.RecordError, match=message):
        replay(registry, damage(fixture()), "it")


def test_a_line_of_thought_that_cannot_be_played_is_refused(registry):
    kalah = game("kalah")
    players = tuple(make_player(registry, text, kalah) for text in ("alphabeta:depth=2", "random:seed=1"))
    record = play_game(kalah, players, seed=1, plies=2)
    thought = attrs.evolve(record.moves[0].thought, line=("C", "Z"))
    with pytest.raises(ggp.RecordError, match="move 1, C by South, is wrong: in its line, 'Z' cannot be played"):
        replay(registry, changed(record, 1, thought=thought))


LINES = {
    "tags after moves": ("1. South A", "1. South A\n[seed 1]", "line 21: a tag is written before the first move"),
    "a tag without its value": ("[seed 1]", "[seed]", 'line 17: a tag is written like [game "kalah"]'),
    "a tag twice": ("[seed 1]", "[seed 1]\n[seed 1]", "line 18: the tag seed occurs twice"),
    "an unknown tag": ("[seed 1]", "[seed 1]\n[colour 1]", "line 18 (colour): a record has no such entry"),
    "an unknown part": ("[seed 1]", "[seed 1]\n[seed.x 1]", "line 18: there is no tag seed.x"),
    "a value that is none": ("[seed 1]", "[seed one]", "line 17: one is not a value"),
    "a huge number": ("[seed 1]", f"[seed {'9' * 40}]", "line 17 (seed)"),
    "a wrong type": ("[seed 1]", '[seed "1"]', "expected int, got str at line 17 (seed)"),
    "a number that is left out": ("4. North c", "5. North c", "line 23: move 4 is expected here"),
    "another mover's name": (
        "4. North c",
        "4. East c",
        "line 23: a move is written as the player (South, North, chance) and",
    ),
    "a move without an action": ("4. North c", "4. North", "line 23: a move is written as the player"),
    "remarks that stay open": (
        "4. North c",
        "4. North c {seconds 1",
        "line 23: remarks are written in one pair of braces",
    ),
    "remarks before the end": (
        "4. North c",
        "4. North {seconds 1} c",
        "line 23: remarks are written in one pair of br",
    ),
    "marks outside": ("4. North c", "4. North ; c", "line 23: remarks are written in one pair of braces"),
    "an open quotation mark": ("4. North c", '4. North "c', 'line 23: "c cannot be read'),
    "an unknown remark": (
        "4. North c",
        "4. North c {colour 1}",
        "line 23 (moves[3].colour): a record has no such entry",
    ),
    "a remark twice": (
        "4. North c",
        "4. North c {seconds 1; seconds 1}",
        "line 23: the remark seconds is out of place",
    ),
    "a remark without value": (
        "4. North c",
        "4. North c {seconds}",
        "line 23: the remark seconds must have one value",
    ),
    "negative seconds": ("4. North c", "4. North c {seconds -1}", "at line 23 (moves[3].seconds)"),
    "a thought without a value": ("4. North c", "4. North c {depth 3}", "line 23 (moves[3].thought)"),
    "no result": ("0-1 finished {utility -36.0}", "", "the result is missing (1-0, 0-1, 1/2-1/2, or *"),
    "no known result": (
        "0-1 finished {utility -36.0}",
        "2-1 finished",
        "line 34: this line is neither a tag, nor a move, nor a result",
    ),
    "a result without its kind": (
        "0-1 finished {utility -36.0}",
        "0-1",
        "line 34: this line is neither a tag, nor a move, nor a result",
    ),
    "something after the result": ("-36.0}", "-36.0}\n14. North a", "line 35: there is more text after the result"),
    "another version": ("[version 1]", "[version 2]", "it has version 2, and this ggp reads version 1"),
    "another format": ('"ggp record"', '"pgn"', "it is not a record: its format is not 'ggp record'"),
    "no players": ('[second.name "North"]', "", "missing required field name at second"),
}


@pytest.mark.parametrize("case", LINES.values(), ids=LINES)
def test_a_text_that_is_no_record_is_refused_with_its_line(case):
    before, after, message = case
    text = to_text(fixture())
    assert before in text
    with pytest.raises(ggp.RecordError) as refused:
        from_text(text.replace(before, after).encode(), "it")
    assert message in str(refused.value)


OBJECTS = {
    "no object": (b"[]", "it is not a record: its format is not 'ggp record'"),
    "nothing": (b"", "it is not a record: it ends abruptly in line 1"),
    "not UTF-8": (b'{\n"a": "\xff"}', "it is not a record: line 2, byte 8 is not UTF-8"),
    "not JSON": (b'{\n"a": }', "it is not a record: JSON is malformed: invalid character at line 2, column 6"),
    "too deep": (b"[" * 100_000, "it is not a record: its brackets are nested too deep"),
    "a name twice": (b'{"a": 1, "a": 2}', "it is not a record: the name a occurs twice in one object"),
    "a number of a million digits": (b'{"a": ' + b"9" * 1_000_000 + b"}", "it is not a record: "),
}


@pytest.mark.parametrize("case", OBJECTS.values(), ids=OBJECTS)
def test_json_that_is_no_record_is_refused_with_its_place(case):
    with pytest.raises(ggp.RecordError) as refused:
        from_json(case[0], "it")
    assert case[1] in str(refused.value)


def wounds(rng, text, is_json):
    """A thousand ways to spoil a record of which none can be a record."""
    data = text.encode()
    end = len(data.rstrip())
    for _ in range(250):
        yield data[: rng.randrange(end)]  # truncated
    for _ in range(250):  # something is there that no record has
        at = rng.randrange(end)
        yield data[:at] + rng.choice([b"\xff", b"\xc3\x28", b"\xed\xa0\x80"]) + data[at:]
    for _ in range(250):  # a name or a mark is gone
        names = ["format", "version", "game", "players", "start", "seed", "began", "action", "mover"]
        marks = names if is_json else ['[game "', "[first.name", "[start", "[seed", "[began", "1. ", "5. ", "-1 fin"]
        yield text.replace(rng.choice(marks), rng.choice(["", "x", '"', "{"]), 1).encode()
    for _ in range(250):  # numbers that are too large, of the wrong kind, of another version
        huge = rng.choice(["9" * rng.randrange(20, 5000), "1e999", "-1e99999", "NaN", "[]", "{}", "2.5", '"1"', "true"])
        name = rng.choice(["seed", "version"])
        yield (
            text.replace(f'"{name}": 1', f'"{name}": {huge}')
            if is_json
            else text.replace(f"[{name} 1]", f"[{name} {huge}]")
        ).encode()


@pytest.mark.parametrize(("write", "is_json"), [(to_json, True), (to_text, False)], ids=["json", "text"])
def test_a_thousand_damaged_records_are_refused_in_one_sentence_each(registry, write, is_json):
    text = write(fixture())
    answers = [refusal(registry, data) for data in wounds(random.Random(7), text, is_json)]
    assert len(answers) == 1000
    assert [each for each in answers if not each.startswith("it ") or len(each) > 700 or "\n" in each] == []


def refusal(registry, data):
    """The sentence that refuses the record; the record itself if none does."""
    try:
        return str(record_of(replay(registry, parse_record(data, "it"), "it")))
    except ggp.RecordError as error:
        return str(error)


@given(st.data())
def test_random_edits_are_refused_or_are_sound_records(registry, data):
    text = data.draw(st.sampled_from([to_json, to_text]))(fixture())
    at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 5))
    piece = data.draw(
        st.text(string.printable, max_size=3) | st.sampled_from(["1e400", "null", '"', "\\ud800", "{", "["])
    )
    try:
        match = replay(registry, parse_record((text[:at] + piece + text[at + length :]).encode(), "it"))
    except ggp.RecordError as error:
        assert str(error)  # noqa: PT017
    else:
        assert from_json(to_json(record_of(match)).encode()) == record_of(match)


def test_a_record_of_a_game_that_cannot_be_written_is_refused():
    class Odd:
        name = "odd"

        def __init__(self, shape=frozenset()):
            self.shape = shape

    with pytest.raises(
        ggp.RecordError, match="odd cannot be recorded: its shape must be a number or a text; got frozenset"
    ):
        record_of(Match(Odd(), (Named("a"), Named("b")), 0))


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path, monkeypatch):
    with pytest.raises(ggp.RecordError, match=r"none\.json cannot be read: no such file or directory"):
        read_record(str(tmp_path / "none.json"))
    monkeypatch.setattr("ggp.play.record_sources.LARGEST", 1 << 20)
    large = tmp_path / "large"
    large.write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(ggp.RecordError, match="large cannot be read: it is larger than 1 MB"):
        read_record(str(large))


def test_names_that_do_not_tell_the_players_apart_are_numbers_in_the_text():
    record = fixture()
    first, second = (attrs.evolve(player, side="chance") for player in record.players)
    same = attrs.evolve(record, players=(first, second))
    assert "\n4. 1 c\n" in to_text(same)
    assert from_text(to_text(same).encode()) == same


def test_json_lists_the_entries_in_the_order_of_their_declaration():
    assert list(msgspec.json.decode(to_json(fixture())))[:4] == ["format", "version", "game", "parameters"]
