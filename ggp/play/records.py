"""Records: a game from its start to its end (or to where it stands), as data that outlive the program.

A record holds texts and numbers only: states and actions in the game's notation, players as they are written on the
command line. `ggp.play.json_format` and `ggp.play.text_format` write and read it; `ggp.play.replay` plays it
through, which is the check of its integrity.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import attrs
from msgspec import Meta

from ggp.options import option

VERSION: Final = 1
"""The version of the format that is written, and the only one that is read."""

ParameterValue = bool | int | float | str | tuple[bool | int | float | str, ...] | None
"""A parameter of a game."""

MOST = (1 << 63) - 1
Seed = Annotated[int, Meta(ge=-MOST, le=MOST)]
Count = Annotated[int, Meta(ge=0, le=MOST)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Moment = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
"""A time in UTC, to the second, as ISO 8601 writes it."""
Name = Annotated[str, Meta(min_length=1, max_length=1000)]


@attrs.frozen(kw_only=True)
class RecordedPlayer:
    """A player of a recorded game."""

    side: Name
    """The game's name for the player: South."""
    name: Name
    """The player's name for people: Ann, hard."""
    player: Name
    """The player as written on the command line, seed included: human, alphabeta:depth=8, random:seed=3. A
    level is written as the searcher that it stood for."""


@attrs.frozen(kw_only=True)
class TimeControl:
    """The clock of a match. None: no limit."""

    move: Seconds | None = option(None, "seconds a move", minimum=0.001, maximum=1e9)
    game: Seconds | None = option(None, "seconds a player for the game", minimum=0.001, maximum=1e9)
    increment: Seconds = option(0.0, "seconds that a player gets back for each move", minimum=0, maximum=1e9)


@attrs.frozen(kw_only=True)
class Thought:
    """The search behind a machine's move."""

    value: float
    """To MAX."""
    exact: bool = False
    """Whether the value is the game's own, to the end."""
    depth: Count = 0
    """Plies looked ahead."""
    nodes: Count = 0
    """States looked at."""
    line: tuple[str, ...] = ()
    """Best play of both, the move itself first."""


CHANCE_MOVER: Final = 2
"""The mover of an outcome of chance in a record. It differs from `ggp.CHANCE`, which files must not depend on."""


@attrs.frozen(kw_only=True)
class RecordedMove:
    """A move of a recorded game."""

    mover: Literal[0, 1, 2]
    """0 is MAX, 1 is MIN, 2 is chance."""
    action: str
    """In the game's notation."""
    seconds: Seconds = 0.0
    """Time that the player took for it, in seconds."""
    thought: Thought | None = None


@attrs.frozen(kw_only=True)
class Ending:
    """How a game ended."""

    how: Literal["finished", "repetition", "resigned", "time"]
    """In a terminal state; by a state that came back; by a player who resigned; by a player whose time ran out."""
    winner: Literal[0, 1] | None
    """None: a draw."""
    utility: float | None = None
    """To MAX, of a game that ended by its rules: that is finished, or ended by repetition."""


@attrs.frozen(kw_only=True)
class Record:
    """A game as it was played."""

    format: Literal["ggp record"] = "ggp record"
    version: Literal[1] = VERSION
    game: Name
    parameters: Mapping[str, ParameterValue] = attrs.field(factory=dict)
    players: tuple[RecordedPlayer, RecordedPlayer]
    """MAX's and MIN's."""
    start: str
    """The state in which the game began."""
    seed: Seed
    """Of chance: move n is rolled by `ggp.play.match.dice(seed, n)`."""
    clock: TimeControl | None = None
    began: Moment
    moves: tuple[RecordedMove, ...] = ()
    ending: Ending | None = None
    """None: the game is not over."""
