"""Records: games as plain data, from the start to the end, or to the last move of an unfinished game.

A record holds texts and numbers only: states and actions in the game's notation, players as they are written on the
command line. `ggp.play.json_format` and `ggp.play.text_format` write and read records. `ggp.play.replay` checks a
record by playing it through.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import attrs
from msgspec import Meta

from ggp.errors import UsageError
from ggp.options import ParameterValue, build, option, parse_options, split_options
from ggp.tables import ResultTable, Tabular

VERSION: Final = 1
"""The version of the format that is written; no other version is read."""

MOST = (1 << 63) - 1
Seed = Annotated[int, Meta(ge=-MOST, le=MOST)]
Count = Annotated[int, Meta(ge=0, le=MOST)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Moment = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
"""A time in UTC, to the second, in the format of ISO 8601."""
Name = Annotated[str, Meta(min_length=1, max_length=1000)]


@attrs.frozen(kw_only=True)
class RecordedPlayer:
    """A player of a recorded game."""

    side: Name
    """The game's name for the side: South."""
    name: Name
    """The player's name: Ann, hard."""
    player: Name
    """The player as written on the command line, with its seed: human, alphabeta:depth=8, random:seed=3. A level is
    recorded as the searcher that it stands for.
    """


@attrs.frozen(kw_only=True)
class TimeControl:
    """The time control of a match. None: no limit."""

    move: Seconds | None = option(None, "seconds a move", minimum=0.001, maximum=1e9)
    game: Seconds | None = option(None, "seconds a player for the game", minimum=0.001, maximum=1e9)
    increment: Seconds = option(0.0, "seconds that a player gets back for each move", minimum=0, maximum=1e9)

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Return the clock that the command line asks for.

        Raises:
            UsageError: an entry is unknown or wrong, or there is no limit.
        """
        control: TimeControl = build(cls, "a clock", parse_options(cls, "a clock", split_options(text)))
        if control.move is None and control.game is None:
            raise UsageError("a clock needs a limit: game=SECONDS for the game, or move=SECONDS for each move")
        return control


@attrs.frozen(kw_only=True)
class Thought:
    """The search behind a machine's move."""

    value: float
    """The value to MAX."""
    exact: bool = False
    """Whether the value is the game's true value."""
    depth: Count = 0
    """Search depth in plies."""
    nodes: Count = 0
    """Number of nodes."""
    line: tuple[str, ...] = ()
    """The principal variation, which begins with the move itself."""


CHANCE_MOVER: Final = 2
"""The mover of a chance outcome in a record. This number is not `ggp.CHANCE`, so that files do not depend on that
constant.
"""


@attrs.frozen(kw_only=True)
class RecordedMove:
    """A move of a recorded game."""

    mover: Literal[0, 1, 2]
    """The mover: 0 is MAX, 1 is MIN, 2 is chance."""
    action: str
    """The action, in the game's notation."""
    seconds: Seconds = 0.0
    """Seconds that the player took."""
    thought: Thought | None = None


@attrs.frozen(kw_only=True)
class Ending:
    """How a game ended."""

    how: Literal["finished", "repetition", "resigned", "time", "forfeit"]
    """The reason: a terminal state, a repetition, a resignation, exceeded time, or a program that failed."""
    winner: Literal[0, 1] | None
    """The winner; None for a draw."""
    utility: float | None = None
    """The utility to MAX of a game that ended by its rules: finished or repetition."""
    reason: str | None = None
    """How the program failed, in words, if it forfeited the game."""


@attrs.frozen(kw_only=True)
class Record(Tabular):
    """A game as it was played."""

    format: Literal["ggp record"] = "ggp record"
    version: Literal[1] = VERSION
    game: Name
    parameters: Mapping[str, ParameterValue] = attrs.field(factory=dict)
    players: tuple[RecordedPlayer, RecordedPlayer]
    """MAX's and MIN's player."""
    start: str
    """The first state, in the game's notation."""
    seed: Seed
    """Seed of the dice; the dice of move n are `ggp.play.match.dice(seed, n)`."""
    clock: TimeControl | None = None
    began: Moment
    moves: tuple[RecordedMove, ...] = ()
    ending: Ending | None = None
    """How the game ended; None if it is not over."""

    def to_table(self, game: object = None, state: object = None) -> ResultTable:
        """Return a row for each move, in the game's notation, with the search that found it. The table does not need
        the game.
        """
        sides = (*(player.side for player in self.players), "chance")
        names = (*(player.name for player in self.players), "chance")
        return ResultTable(
            (
                {
                    "number": number,
                    "side": sides[move.mover],
                    "player": names[move.mover],
                    "move": move.action,
                    "seconds": move.seconds,
                    "value": move.thought and move.thought.value,
                    "exact": move.thought and move.thought.exact,
                    "depth": move.thought and move.thought.depth,
                    "nodes": move.thought and move.thought.nodes,
                    "line": move.thought and " ".join(move.thought.line),
                }
                for number, move in enumerate(self.moves, 1)
            ),
            ("number", "side", "player", "move", "seconds", "value", "exact", "depth", "nodes", "line"),
        )
