"""Upload and download of records."""

import attrs
from starlette.requests import Request

from ggp.errors import GGPError, RecordError
from ggp.play import record_of
from ggp.play.json_format import to_json
from ggp.play.record_sources import parse_record
from ggp.play.replay import game_of, replay
from ggp.play.text_format import to_text
from ggp.plugins import Registry
from ggp.web import visitor_players
from ggp.web.address import LONGEST, MOVES, Address, short, side_names
from ggp.web.game_history import GameHistory, read_history
from ggp.web.problems import ProblemError, RequestTooLargeError, TooLongError
from ggp.web.views import typed

LARGEST = 1 << 20
"""Size of the largest record that is read, in bytes."""

FORMATS = {"json": (to_json, "application/json"), "txt": (to_text, "text/plain")}
"""The functions that write records and their media types, by the extension of the file name."""


def loaded(registry: Registry, data: bytes) -> Address:
    """Return the address that shows the end of a record's game, after checking every move.

    Search results in the record are checked but not shown: they are only claims of the visitor.

    Raises:
        GGPError: the content is not a record, it cannot be replayed, or the page does not offer its game.
    """
    record = parse_record(data, "what you sent")
    if record.game not in registry.games:
        raise RecordError(f"there is no game {short(record.game)} here: the games are {', '.join(registry.games)}")
    if len(record.moves) > MOVES:
        raise TooLongError(f"the record has {len(record.moves):,} moves, and a page shows {MOVES:,}: use `ggp replay`")
    entry = registry.games[record.game]
    address = Address(
        record.game,
        side_names(entry),
        parameters={name: typed(value) for name, value in record.parameters.items() if value is not None},
        start=record.start,
        moves=tuple(move.action for move in record.moves),
        at=len(record.moves),
    )
    history = read_history(registry, entry, address)
    if game_of(registry, record) != history.game:
        raise ProblemError("the record's parameters do not fit in an address of this page: show it with `ggp replay`")
    replay(registry, record, "what you sent")
    first, second = (_player(registry, each.player, history) for each in record.players)
    address = attrs.evolve(history.address, players=(first, second))
    if len(address.url()) > LONGEST:
        raise TooLongError("the record is too long for an address of this page: show it with `ggp replay`")
    return address


def _player(registry: Registry, text: str, history: GameHistory) -> str:
    """Return the player of a record if the page offers this player; otherwise return "human", so that the visitor plays
    on.
    """
    try:
        visitor_players.make_visitor(registry, text, history.game)
    except GGPError:
        return "human"
    return text


def saved(history: GameHistory, ending: str) -> tuple[str, str, str]:
    """Return the record of the moves up to the position shown: its text, its media type and a file name."""
    match = history.match()
    del match.moves[history.address.seen :]
    record = record_of(match)
    write, media_type = FORMATS[ending]
    name = f"{history.entry.name}-{len(record.moves)}-moves.{ending}"
    return write(record), media_type, "".join(sign if sign.isalnum() or sign in "-." else "_" for sign in name)


async def sent(request: Request) -> bytes:
    """Return the record that was sent in a form, as a file or as text.

    Raises:
        ProblemError: the form has no record, or the record is too large.
    """
    length = request.headers.get("content-length", "")
    if not (length.isascii() and length.isdigit()):
        raise ProblemError("a request with a record must give its length (Content-Length), as the form does")
    if len(length) > 12 or int(length) > LARGEST:
        raise RequestTooLargeError(f"a record must be at most {LARGEST >> 20} megabyte; what you sent is larger")
    try:
        async with request.form(max_files=1, max_fields=3, max_part_size=LARGEST) as form:
            file, text = form.get("file"), form.get("text")
            data = await file.read() if file is not None and not isinstance(file, str) else b""
            data = data or (text.encode() if isinstance(text, str) else b"")
    except Exception as error:
        raise ProblemError("the request is not a form with a record in it") from error
    if not data.strip():
        raise ProblemError("there is no record in what you sent: choose a file, or paste its text")
    return data
