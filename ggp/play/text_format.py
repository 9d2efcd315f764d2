"""Records as text: the format that people read and edit, in the spirit of PGN. The format is described in
docs/records.md.

    [game "kalah"]
    [first.name "Ann"]

    1. South C {seconds 4.2}
    2. South A {seconds 0.01; value 3.0; depth 8; nodes 4711; line A b}

    0-1 resigned

This format has the same names and values as the JSON format, and is checked by the same rules.
"""

import re
from collections.abc import Iterable, Iterator

import attrs
import msgspec

from ggp.errors import RecordError
from ggp.escapes import escaped, short
from ggp.play.json_format import checked, decoded
from ggp.play.records import Ending, Record, RecordedMove

SIDES = ("first", "second")
"""Prefixes of the tags of MAX and MIN."""

RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
"""The result as it is written, by the winner."""

UNFINISHED = "*"
"""The result of an unfinished game."""

CHANCE_NAME = "chance"

TAG = re.compile(r"\[([a-z_]+(?:\.\w+)?) (.*)\]")
TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([{};])|([^\s{};"]+))')
NUMBERED = re.compile(r"([0-9]{1,9})\.\s")

THOUGHT = ("value", "exact", "depth", "nodes", "line")
"""The fields of a search, in the order of the text format."""


def to_text(record: Record) -> str:
    """Return the record as text, with a newline at the end."""
    names = mover_names(record)
    tags = [f"[{name} {_json(value)}]" for name, value in _tags(record)]
    moves = [
        f"{number}. {_word(names[move.mover])} {_word(move.action)}{_remarks(_of_move(move))}"
        for number, move in enumerate(record.moves, 1)
    ]
    return "\n".join([*tags, "", *moves, *([""] if moves else []), _result(record.ending)]) + "\n"


def from_text(data: bytes, source: str = "the record") -> Record:
    """Return the record that `data` holds, a text in UTF-8.

    Raises:
        RecordError: the data is not a record; the message names the line.
    """
    return _Reader(source).read(decoded(data, source))


def mover_names(record: Record) -> tuple[str, str, str]:
    """Return the words for MAX, MIN and chance in the list of moves: their names if these are different; otherwise 0, 1
    and 2.
    """
    first, second = (player.side for player in record.players)
    return _distinct(first, second)


def _distinct(first: object, second: object) -> tuple[str, str, str]:
    names = (str(first), str(second), CHANCE_NAME)
    clear = len(set(names)) == 3 and not {"0", "1", "2"} & set(names)
    return names if clear else ("0", "1", "2")


def _tags(record: Record) -> Iterator[tuple[str, object]]:
    for name, value in attrs.asdict(record).items():
        if name == "players":
            for side, player in zip(SIDES, value, strict=True):
                yield from ((f"{side}.{key}", each) for key, each in player.items())
        elif name in ("parameters", "clock"):
            yield from ((f"{name}.{key}", each) for key, each in (value or {}).items())
        elif name not in ("moves", "ending"):
            yield name, value


def _of_move(move: RecordedMove) -> Iterator[str]:
    if move.seconds:
        yield f"seconds {_json(move.seconds)}"
    if move.thought is None:
        return
    for name in THOUGHT:
        value = getattr(move.thought, name)
        if name == "line":
            yield from [" ".join(["line", *map(_word, value)])] if value else []
        elif name == "exact":
            yield from ["exact"] if value else []
        else:
            yield f"{name} {_json(value)}"


def _result(ending: Ending | None) -> str:
    if ending is None:
        return UNFINISHED
    remarks = [] if ending.utility is None else [f"utility {_json(ending.utility)}"]
    remarks += [f"reason {_json(ending.reason)}"] if ending.reason else []
    return f"{RESULTS[ending.winner]} {ending.how}{_remarks(remarks)}"


def _remarks(parts: Iterable[str]) -> str:
    inner = "; ".join(parts)
    return f" {{{inner}}}" if inner else ""


def _word(text: str) -> str:
    """Return a text unchanged if it can be read as one word, otherwise in quotes."""
    matched = TOKEN.fullmatch(text)
    return text if matched and matched[3] == escaped(text) else _json(text)


def _json(value: object) -> str:
    return escaped(msgspec.json.encode(value).decode())


class _Reader:
    """Reads the lines of one record, and remembers the line of each entry for errors."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.line = 0
        self.places: dict[str, int] = {}
        self.players: list[dict[str, object]] = [{}, {}]
        self.moves: list[dict[str, object]] = []
        self.tables: dict[str, dict[str, object]] = {"parameters": {}, "clock": {}}
        self.raw: dict[str, object] = {
            "parameters": self.tables["parameters"],
            "players": self.players,
            "moves": self.moves,
        }

    def read(self, text: str) -> Record:
        """Return the record that the text holds."""
        ended = False
        for self.line, line in enumerate(text.split("\n"), 1):
            content = line.strip()
            if not content or content.startswith(";"):
                continue
            if ended:
                raise self.wrong("there is more text after the result")
            if content.startswith("["):
                self.tag(content)
            elif NUMBERED.match(content):
                self.move(content)
            else:
                self.result(content)
                ended = True
        if not ended:
            results = ", ".join(RESULTS.values())
            raise self.wrong(f"the result is missing ({results}, or {UNFINISHED} for an unfinished game)")
        return checked(self.raw, self.source, self.in_words)

    def wrong(self, what: str) -> RecordError:
        """Return an error that names the current line."""
        return RecordError(f"{self.source} is not a record: line {self.line}: {what}")

    def in_words(self, path: str) -> str:
        """Return in words the line and the name of the entry that has this path in the record."""
        spelt = re.sub(r"^players\[([01])\]", lambda side: SIDES[int(side[1])], path)
        prefixes = [each for each in self.places if path == each or path.startswith((f"{each}.", f"{each}["))]
        line = self.places[max(prefixes, key=len)] if prefixes else None
        return f"line {line} ({spelt})" if line else spelt

    def tag(self, content: str) -> None:
        """Read a line such as `[game "kalah"]`."""
        matched = TAG.fullmatch(content)
        if not matched or self.moves:
            where = "before the first move" if matched else 'like [game "kalah"]'
            raise self.wrong(f"a tag is written {where}")
        name, value = matched[1], self.value(matched[2])
        if name in self.places:
            raise self.wrong(f"the tag {name} occurs twice")
        outer, _, inner = name.partition(".")
        if outer in SIDES and inner:
            side = SIDES.index(outer)
            self.players[side][inner] = value
            self.places[f"players[{side}].{inner}"] = self.line
        elif inner and outer in ("parameters", "clock"):
            self.tables[outer][inner] = value
            self.raw[outer] = self.tables[outer]
        elif inner or name in ("moves", "players", "parameters", "clock", "ending", *SIDES):
            raise self.wrong(f"there is no tag {name}")
        else:
            self.raw[name] = value
        self.places[name] = self.line

    def value(self, text: str) -> object:
        """Return the value of a text: a number, a text in quotes, true, false, null, or a list of these."""
        try:
            return msgspec.json.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise self.wrong(f"{short(text, 40)} is not a value: a value is a number, or a text in quotes") from None

    def move(self, content: str) -> None:
        """Read a line such as `1. South C {seconds 2.5}`."""
        number, moves = NUMBERED.match(content), self.moves
        if not number or int(number[1]) != len(moves) + 1:
            raise self.wrong(f"move {len(moves) + 1} is expected here")
        parts, remarks = self.split(content[number.end() :])
        names = _distinct(*(player.get("side") for player in self.players))
        if len(parts) != 2 or parts[0] not in names:
            raise self.wrong(f"a move is written as the player ({', '.join(names)}) and the move")
        move: dict[str, object] = {"mover": names.index(parts[0]), "action": parts[1]}
        thought = {name: remarks[name] for name in THOUGHT if name in remarks}
        move |= {name: value for name, value in remarks.items() if name not in thought}
        if thought:
            move["thought"] = thought
        self.places[f"moves[{len(moves)}]"] = self.line
        moves.append(move)

    def result(self, content: str) -> None:
        """Read a line such as `1-0 finished {utility 36.0}`."""
        parts, remarks = self.split(content)
        self.places["ending"] = self.line
        winners = {result: winner for winner, result in RESULTS.items()}
        if parts == [UNFINISHED] and not remarks:
            self.raw["ending"] = None
        elif len(parts) == 2 and parts[0] in winners:
            self.raw["ending"] = {"winner": winners[parts[0]], "how": parts[1]} | remarks
        else:
            raise self.wrong("this line is neither a tag, nor a move, nor a result")

    def split(self, text: str) -> tuple[list[str], dict[str, object]]:
        """Return the words before the remarks, and the remarks in braces by their names."""
        tokens = list(self.tokens(text))
        marks = [mark for mark, _ in tokens if mark]
        if not marks:
            return [word for _, word in tokens], {}
        start = next(number for number, (mark, _) in enumerate(tokens) if mark)
        between = {mark for mark, _ in tokens[start + 1 : -1]}
        if tokens[start][0] != "{" or tokens[-1][0] != "}" or between - {"", ";"}:
            raise self.wrong("remarks are written in one pair of braces, at the end")
        return [word for _, word in tokens[:start]], self.remarks(tokens[start + 1 : -1])

    def tokens(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the marks `{`, `}` and `;` and the words of a line. Each comes as a pair (mark, word), of which one is
        empty.
        """
        at = 0
        while text[at:].strip():
            matched = TOKEN.match(text, at)
            if not matched:
                raise self.wrong(f"{text[at:].strip()[:40]} cannot be read")
            quoted, mark, word = matched.groups()
            yield mark or "", str(self.value(quoted)) if quoted else word or ""
            at = matched.end()

    def remarks(self, tokens: list[tuple[str, str]]) -> dict[str, object]:
        """Return remarks such as `depth 8; line A b; exact`, by name."""
        parts: list[list[str]] = [[]]
        for mark, word in tokens:
            if mark:
                parts.append([])
            else:
                parts[-1].append(word)
        remarks_by_name: dict[str, object] = {}
        for name, *values in filter(None, parts):
            if name in remarks_by_name or name in ("action", "mover", "thought", "winner", "how"):
                raise self.wrong(f"the remark {name} is out of place, or occurs twice")
            if name == "line":
                remarks_by_name[name] = values
            elif name == "exact" and not values:
                remarks_by_name[name] = True
            elif len(values) == 1:
                remarks_by_name[name] = self.value(values[0])
            else:
                raise self.wrong(f"the remark {name[:40]} must have one value")
        return remarks_by_name
