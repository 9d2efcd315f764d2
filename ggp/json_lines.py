"""Lines of JSON that are read strictly, for files of ours; what is wrong with one is said in a clause."""

from typing import Any, TypeVar

import attrs
import msgspec

Kind = TypeVar("Kind")


def encoded(value: Any) -> bytes:
    """A line: an attrs instance, or plain data.

    Raises:
        TypeError: it holds what JSON has not.
    """
    return msgspec.json.encode(attrs.asdict(value) if attrs.has(type(value)) else value) + b"\n"


def decoded(data: bytes) -> Any:
    """The plain data of a line.

    Raises:
        ValueError: the line holds none; the message is a clause that says why.
    """
    try:
        return msgspec.json.decode(data.decode("utf-8"))
    except UnicodeDecodeError:
        what = "it is not UTF-8"
    except RecursionError:
        what = "its brackets are nested too deep"
    except msgspec.MsgspecError as error:
        what = f"it is no JSON: {_clause(error)}"
    raise ValueError(what)


def converted(raw: Any, kind: type[Kind]) -> Kind:
    """Plain data as what they stand for, each name and value checked. Raises as `decoded` does."""
    try:
        made = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise ValueError(_clause(error)) from None
    if attrs.has(kind):
        strange = sorted(set(raw) - {field.name for field in attrs.fields(kind)})
        if strange:
            raise ValueError(f"there is no such entry as {strange[0][:60]!r}")
    return made


def _clause(error: Exception) -> str:
    text = str(error).removeprefix("JSON is ")
    return text[:1].lower() + text[1:].replace("`", "")
