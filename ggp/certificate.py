"""Certificates: a value of a small game with its proof, in a file. The format is described in docs/solving.md.

The first line is the claim. Each further line is a position in which the one whose strategy it is moves, and the
action to play there: first MAX's strategy, with which the value is no lower than claimed, then MIN's, with which it is
no higher. They stand in the order in which `ggp.verifying.guaranteed` comes to them. All lines are JSON, and the
file is compressed with gzip or not.
"""

import contextlib
import gzip
import itertools
import pathlib
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, Literal, cast

import attrs

from ggp import capabilities, json_lines
from ggp.errors import CertificateError
from ggp.game import Game
from ggp.json_lines import Kind
from ggp.play.records import Name, Value
from ggp.plugins import Registry

FORMAT: Final = "ggp certificate"
VERSION: Final = 1
"""The version of the format that is written, and the only one that is read."""
LONGEST: Final = 1 << 20
"""Bytes of the longest line that is read."""
GZIP: Final = b"\x1f\x8b"
"""The first bytes of a compressed file."""


@attrs.frozen(kw_only=True)
class Claim:
    """What a certificate proves."""

    format: Literal["ggp certificate"] = FORMAT
    version: Literal[1] = VERSION
    game: Name
    parameters: dict[str, Value]
    position: Name
    """In the game's notation."""
    value: float
    """To MAX."""


@attrs.frozen
class Line:
    """An answer of a strategy: where in the file it is, and what it says."""

    number: int
    position: str
    action: str


def claim_of(game: Game[Any, Any], state: Any, value: float) -> Claim:
    """That `state` is worth `value` to MAX."""
    position = capabilities.notation(game).format_state(state)
    return Claim(game=game.name, parameters=capabilities.parameters(game), position=position, value=value)


@contextlib.contextmanager
def compressed(file: BinaryIO) -> Iterator[BinaryIO]:
    """What is written to it goes to `file` compressed; the same lines give the same bytes."""
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
        yield cast(BinaryIO, packed)


@attrs.define
class Reader:
    """Reads a certificate from its first line to its last.

    Raises, wherever it reads:
        CertificateError: the file cannot be read, or is no certificate; one sentence that names the line.
    """

    path: pathlib.Path
    _lines: Iterator[tuple[int, bytes]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._lines = zip(itertools.count(1), self._read(), strict=False)

    def claim(self) -> Claim:
        """The claim. It is read first."""
        number, data = next(self._lines, (1, b""))
        raw = self._decoded(number, data)
        if not isinstance(raw, dict) or raw.get("format") != FORMAT:
            raise CertificateError(f"{self.path} is no certificate: its format is not {FORMAT!r}")
        if raw.get("version") != VERSION or isinstance(raw["version"], bool):
            is_read = f"this ggp reads version {VERSION}"
            raise CertificateError(f"{self.path} has version {str(raw.get('version'))[:20]}, and {is_read}")
        return self._as(number, raw, Claim)

    def line(self) -> Line | None:
        """The next answer; None at the end of the file."""
        number, data = next(self._lines, (0, b""))
        if not number:
            return None
        position, action = self._as(number, self._decoded(number, data), tuple[str, str])
        return Line(number, position, action)

    def wrong(self, number: int, what: str) -> CertificateError:
        """The error that says what is wrong with a line."""
        return CertificateError(f"{self.path} is no valid certificate: line {number}: {what}")

    def _read(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as plain:
                compressed = plain.read(len(GZIP)) == GZIP
                plain.seek(0)
                file = gzip.GzipFile(fileobj=plain) if compressed else plain
                while line := file.readline(LONGEST):
                    yield line
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise CertificateError(f"{self.path} is damaged or cut off: it does not decompress") from None
        except (OSError, ValueError) as error:
            what = getattr(error, "strerror", None) or str(error)
            raise CertificateError(f"{self.path} cannot be read: {what}") from None

    def _decoded(self, number: int, data: bytes) -> Any:
        if len(data) == LONGEST:
            raise self.wrong(number, f"it is longer than {LONGEST:,} bytes")
        try:
            return json_lines.decoded(data)
        except ValueError as error:
            raise self.wrong(number, str(error)) from None

    def _as(self, number: int, raw: Any, kind: type[Kind]) -> Kind:
        try:
            return json_lines.converted(raw, kind)
        except ValueError as error:
            raise self.wrong(number, str(error)) from None


def game_of(registry: Registry, claim: Claim, source: str) -> tuple[Game[Any, Any], Any]:
    """The game and the state that a claim is about.

    Raises:
        CertificateError: there is no such game, or it has no such parameters or position.
    """
    try:
        game = registry.game(claim.game, **claim.parameters)
        return game, capabilities.notation(game).parse_state(claim.position)
    except Exception as error:
        raise CertificateError(f"{source}, line 1: {' '.join(str(error).split())}") from error
