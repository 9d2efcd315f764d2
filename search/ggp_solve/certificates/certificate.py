"""Certificates: files that have the value of a small game and the proof of this value. The format is described in
docs/solving.md.

The first line names the format, see `ggp.storage`. The second line is the claim. Each further line is a position in
which the owner of a strategy moves, and the action to play. MAX's strategy comes first; it shows that the value is no
lower than claimed. MIN's strategy shows that the value is no higher than claimed. Positions are in the order in which
`verification.Guarantee` visits them. All lines are JSON; from the second on, they may be compressed with gzip.
"""

import gzip
import io
import itertools
import pathlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import attrs

from ggp import capabilities, storage
from ggp.errors import CertificateError
from ggp.game import AnyGame, State
from ggp.options import ParameterValue
from ggp.play.records import Name
from ggp.storage import Format, KindT

FORMAT: Final = Format("certificate", 2, CertificateError)
LONGEST: Final = 1 << 20
"""Maximum length of a line that is read, in bytes."""
GZIP: Final = b"\x1f\x8b"
"""The first bytes of compressed data."""


@attrs.frozen(kw_only=True)
class Claim:
    """The claim that a certificate proves."""

    game: Name
    parameters: dict[str, ParameterValue]
    position: Name
    """The position, in the game's notation."""
    value: float
    """The value to MAX."""


@attrs.frozen
class Reply:
    """A reply of a strategy: its line number in the file, its position and its action."""

    number: int
    position: str
    action: str


def claim_of(game: AnyGame, state: State, value: float) -> Claim:
    """Return the claim that `state` has the value `value` to MAX."""
    position = capabilities.notation(game).format_state(state)
    return Claim(game=game.name, parameters=capabilities.parameters(game), position=position, value=value)


def write(path: pathlib.Path, lines: Iterable[bytes]) -> None:
    """Write a compressed certificate; the same lines give the same bytes.

    Raises:
        CertificateError: the file cannot be written.
    """
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as file:
        for line in lines:
            file.write(line)
    FORMAT.write(path, packed.getvalue())


@attrs.define
class Reader:
    """Reads a certificate from the first line to the last.

    All methods raise:
        CertificateError: the file cannot be read, or is not a certificate; the message names the line.
    """

    path: pathlib.Path
    _lines: Iterator[tuple[int, bytes]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._lines = zip(itertools.count(2), self._read(), strict=False)

    def claim(self) -> Claim:
        """Return the claim. The claim must be read before the replies."""
        number, data = next(self._lines, (2, b""))
        return self._as(number, self._decoded(number, data), Claim)

    def line(self) -> Reply | None:
        """Return the next reply; None at the end of the file."""
        number, data = next(self._lines, (0, b""))
        if not number:
            return None
        position, action = self._as(number, self._decoded(number, data), tuple[str, str])
        return Reply(number, position, action)

    def wrong(self, number: int, what: str) -> CertificateError:
        """Return the error for the line with this number."""
        return CertificateError(f"{self.path} is not a valid certificate: line {number}: {what}")

    def _read(self) -> Iterator[bytes]:
        body = FORMAT.read(self.path)
        plain = io.BytesIO(body)
        file = gzip.GzipFile(fileobj=plain) if body.startswith(GZIP) else plain
        try:
            while line := file.readline(LONGEST):
                yield line
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise FORMAT.damaged(self.path, "it does not decompress") from None

    def _decoded(self, number: int, data: bytes) -> object:
        if len(data) == LONGEST:
            raise self.wrong(number, f"it is longer than {LONGEST:,} bytes")
        try:
            return storage.decoded(data)
        except ValueError as error:
            raise self.wrong(number, str(error)) from None

    def _as(self, number: int, raw: object, cls: type[KindT]) -> KindT:
        try:
            return storage.converted(raw, cls)
        except ValueError as error:
            raise self.wrong(number, str(error)) from None


def game_of(make: Callable[..., AnyGame], claim: Claim, source: str) -> tuple[AnyGame, State]:
    """Return the game and the state that a claim is about.

    Raises:
        CertificateError: the game, a parameter or the position is unknown.
    """
    try:
        game = make(claim.game, **claim.parameters)
        return game, capabilities.notation(game).parse_state(claim.position)
    except Exception as error:
        raise CertificateError(f"{source}, line 2: {' '.join(str(error).split())}") from error
