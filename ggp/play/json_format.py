"""Records as JSON: the format for programs. The format is described in docs/records.md.

Reading is strict. Another version, an unknown name, a wrong type or a number out of range is refused, in one sentence
that names the place.
"""

import json
import re
from collections.abc import Callable, Iterator

import attrs
import msgspec

from ggp.errors import RecordError
from ggp.escapes import LAYOUT, escaped, short
from ggp.play.records import VERSION, Record

FORMAT = "ggp record"

PathInWords = Callable[[str], str]
"""Returns a path such as `moves[3].mover` in words."""


def to_json(record: Record) -> str:
    """Return the record as JSON, with a newline at the end."""
    text = msgspec.json.format(msgspec.json.encode(attrs.asdict(record)), indent=2).decode() + "\n"
    return escaped(text, LAYOUT)  # which stand only between the strings of JSON


def from_json(data: bytes, source: str = "the record") -> Record:
    """Return the record that `data` holds.

    Arguments:
        source: the name of the data in errors.

    Raises:
        RecordError: the data is not a record; the message names the place.
    """
    text = decoded(data, source)
    try:
        raw = msgspec.json.decode(text)
        json.loads(text, object_pairs_hook=_each_once)
    except RecursionError:
        raise RecordError(f"{source} is not a record: its brackets are nested too deep") from None
    except _TwiceError as error:
        raise RecordError(f"{source} is not a record: the name {error} occurs twice in one object") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise RecordError(f"{source} is not a record: {_syntax(str(error), text)}") from None
    return checked(raw, source, lambda path: path)


def decoded(data: bytes, source: str) -> str:
    """Return the text of the bytes, which must be UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"{source} is not a record: line {line}, byte {error.start} is not UTF-8") from None


def checked(raw: object, source: str, path_in_words: PathInWords) -> Record:
    """Return the record in the plain data `raw`, after checking each name and value."""
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise RecordError(f"{source} is not a record: its format is not {FORMAT!r}")
    if raw.get("version") != VERSION or isinstance(raw["version"], bool):
        raise RecordError(f"{source} has version {_short(raw.get('version'))}, and this ggp reads version {VERSION}")
    try:
        record = msgspec.convert(raw, Record)
    except msgspec.ValidationError as error:
        raise RecordError(f"{source} is damaged: {_violation(str(error), path_in_words)}") from None
    for path in _strangers(raw, msgspec.to_builtins(record), ""):
        raise RecordError(f"{source} is damaged at {path_in_words(path)}: a record has no such entry")
    return record


class _TwiceError(ValueError):
    """A JSON object has the same name twice."""


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(_short(name) for name in names if names.count(name) > 1))
    return fields


def _syntax(message: str, text: str) -> str:
    """Return a description of a JSON syntax error, and its place."""
    at = re.search(r"\(byte (\d+)\)$", message)
    if at:
        before = text.encode()[: int(at[1])].decode(errors="replace")
        column = len(before) - before.rfind("\n")
        return f"{message[: at.start()].strip()} at line {before.count(chr(10)) + 1}, column {column}"
    if "truncated" in message:
        return f"it ends abruptly in line {text.count(chr(10)) + 1}"
    return message


def _violation(message: str, path_in_words: PathInWords) -> str:
    what, _, path = message.partition(" - at `")
    where = path.rstrip("`").removeprefix("$").lstrip(".")
    sentence = what[:1].lower() + what[1:].replace("`", "")
    return f"{sentence} at {path_in_words(where)}" if where else sentence


def _strangers(raw: object, expected: object, path: str) -> Iterator[str]:
    """Yield the paths of entries in `raw` that records do not have."""
    if isinstance(raw, dict) and isinstance(expected, dict):
        for name, value in raw.items():
            inner = f"{path}.{name}" if path else str(name)
            if name not in expected:
                yield _short(inner)
            else:
                yield from _strangers(value, expected[name], inner)
    elif isinstance(raw, list | tuple) and isinstance(expected, list | tuple):
        for number, (each, other) in enumerate(zip(raw, expected, strict=False)):
            yield from _strangers(each, other, f"{path}[{number}]")


def _short(value: object) -> str:
    return short(value if isinstance(value, str) else repr(value))
