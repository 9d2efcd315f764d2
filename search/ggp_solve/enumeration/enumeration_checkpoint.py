"""Checkpoints of an enumeration: the positions found so far, from which the same command resumes.

The second line of the file names the game and how states are packed. After this line come the states, and the code of
the value of each state whose successors were found.
"""

import pathlib
import time
from typing import Final, TypedDict

import attrs
import msgspec
from ggp_search.tablebases.packed_positions import BitField, PositionLayout
from ggp_search.tablebases.position_table import kind_of

from ggp.capabilities import notation, parameters
from ggp.compiler.types import describe
from ggp.errors import StoreError
from ggp.storage import Format, encoded
from ggp_solve.enumeration.enumeration import Enumeration
from ggp_solve.memory.columns import two_bytes

FORMAT: Final = Format("enumeration checkpoint", 1, StoreError, "remove it to start again", 16 << 30)


class Subject(TypedDict):
    """The position that an enumeration begins with."""

    game: str
    parameters: dict[str, object]
    start: str


@attrs.frozen(kw_only=True)
class CheckpointHeader:
    """The header of a checkpoint."""

    game: str
    parameters: dict[str, object]
    start: str
    count: int
    expanded: int
    """Number of positions whose successors were found."""
    edges: int
    degree: int
    solved: int
    utilities: tuple[float, ...]
    """The values in the order of their codes; the codes begin with 1."""
    stride: int
    fields: tuple[BitField, ...]
    kind: object


@attrs.define
class EnumerationCheckpoint:
    """The file in which an enumeration saves its progress.

    Arguments:
        every: seconds between two checkpoints.
    """

    path: pathlib.Path
    every: float = 60.0
    _written: float = attrs.field(factory=time.monotonic)

    def look(self, enumeration: Enumeration) -> None:
        """Write the file if the time for a checkpoint has come."""
        if time.monotonic() - self._written >= self.every:
            self.save(enumeration)

    def save(self, enumeration: Enumeration) -> None:
        """Write the file.

        Raises:
            StoreError: the file cannot be written.
        """
        positions = enumeration.packed()
        layout = positions.layout
        header = CheckpointHeader(
            **_whose(enumeration),
            count=enumeration.count,
            expanded=enumeration.expanded,
            edges=enumeration.edges,
            degree=enumeration.degree,
            solved=enumeration.solved,
            utilities=tuple(enumeration.codes.values),
            stride=layout.stride,
            fields=layout.fields,
            kind=describe(layout.kind),
        )
        FORMAT.write(self.path, encoded(header), positions.states, two_bytes(enumeration.values, enumeration.count))
        self._written = time.monotonic()

    def load(self, enumeration: Enumeration) -> None:
        """Fill `enumeration`, which must be empty, from the file; if there is no file, do nothing.

        Raises:
            StoreError: the file is damaged, or belongs to another position.
        """
        if not self.path.exists():
            return
        header, body = FORMAT.read_with_header(self.path, CheckpointHeader)
        if {name: getattr(header, name) for name in ("game", "parameters", "start")} != _whose(enumeration):
            raise StoreError(
                f"{self.path} is the checkpoint of another game or position: name another file, or remove it"
            )
        size = header.stride * header.count
        if len(body) != size + 2 * header.count or header.expanded > header.count:
            raise FORMAT.damaged(self.path, "its number of positions is wrong")
        kind = kind_of(enumeration.game, header.kind, header.fields, self.path)
        enumeration.restore(PositionLayout(kind, header.fields, header.stride), body[:size])
        for utility in header.utilities:
            while not enumeration.codes.code(utility):
                enumeration.widen()
        codes = memoryview(body)[size:].cast("H")
        for number, code in enumerate(codes):
            if code:
                enumeration.values.put(number, code)
        enumeration.expanded, enumeration.edges = header.expanded, header.edges
        enumeration.degree, enumeration.solved = header.degree, header.solved


def _whose(enumeration: Enumeration) -> Subject:
    game = enumeration.game
    start = notation(game).format_state(enumeration.start)
    return {"game": game.name, "parameters": msgspec.to_builtins(parameters(game)), "start": start}
