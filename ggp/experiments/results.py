"""Results of an experiment, counted as its games end."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from ggp.experiments.experiment import Experiment, Outcome
from ggp.experiments.pairs import Pairs
from ggp.experiments.ratings import Ratings, rate
from ggp.game import MAX
from ggp.play import Record
from ggp.tables import ResultTable, TableRow, flat

if TYPE_CHECKING:
    import pandas

SHOWN = 100
"""Number of games that can be replayed on the page of the report."""


@attrs.define
class Meetings:
    """The games between two players, from the first player's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: list[float] = attrs.field(factory=list)
    """Points of each pair of games, 0 to 2."""
    margins: list[float | None] = attrs.field(factory=list)
    """Utility of each game to the first player; None if the game did not end by the rules."""
    _open: dict[int, float] = attrs.field(factory=dict)

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.wins + self.draws + self.losses

    @property
    def pairs(self) -> Pairs:
        """The results of the pairs of games of which both games were played."""
        return Pairs.of(self.points)

    def add(self, start: int, points: float) -> None:
        """Count a game from the start with this index; `points` is 1 for a win, 1/2 for a draw, 0 for a loss."""
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        if start in self._open:
            self.points.append(points + self._open.pop(start))
        else:
            self._open[start] = points


@attrs.define
class Cost:
    """Time and nodes that a player used."""

    seconds: list[float] = attrs.field(factory=list)
    """Seconds for each move."""
    nodes: int = 0
    """Number of nodes, over all moves."""
    depths: int = 0
    """Sum of the search depths of all moves, in plies."""


@attrs.define
class Results:
    """The results of an experiment so far."""

    experiment: Experiment
    meetings: list[Meetings] = attrs.field(init=False)
    """Results of each pair of players."""
    sides: Meetings = attrs.field(factory=Meetings)
    """All games from MAX's point of view: the advantage of moving first."""
    costs: list[Cost] = attrs.field(init=False)
    """Cost of each player."""
    lengths: list[int] = attrs.field(factory=list)
    """Number of moves in each game."""
    unfinished: int = 0
    """Number of games that were stopped as too long and counted as draws."""
    forfeits: dict[int, list[str]] = attrs.field(factory=dict)
    """For each player that is a program, by its index: a sentence for each game that the player lost by a failure."""
    starts: set[str] = attrs.field(factory=set)
    """The different starts of the games."""
    rows: ResultTable = attrs.field(factory=ResultTable)
    """A row for each game, in order."""
    shown: list[Outcome] = attrs.field(factory=list)
    """The first games, `SHOWN` at most, which can be replayed on the page of the report."""
    _different: "Counter[tuple[str, ...]]" = attrs.field(factory=Counter)

    def __attrs_post_init__(self) -> None:
        self.meetings = [Meetings() for _ in self.experiment.couples]
        self.costs = [Cost() for _ in self.experiment.players]

    @property
    def games(self) -> int:
        """The number of games played."""
        return len(self.lengths)

    @property
    def different(self) -> int:
        """The number of games that differ in players, start or moves."""
        return len(self._different)

    def add(self, outcome: Outcome) -> None:
        """Count a game. The two games of a pair must follow each other."""
        couple, start, swapped = self.experiment.meeting(outcome.number)
        record = outcome.record
        if len(self.shown) < SHOWN:
            self.shown.append(outcome)
        points = points_of(record)
        self.meetings[couple].add(start, 1 - points if swapped else points)
        self.sides.add(start * len(self.experiment.couples) + couple, points)
        if record.ending is None:
            self.unfinished += 1
        utility = None if record.ending is None or record.ending.utility is None else float(record.ending.utility)
        self.sides.margins.append(utility)
        self.meetings[couple].margins.append(-utility if swapped and utility is not None else utility)
        one, other = self.experiment.couples[couple]
        sides = (other, one) if swapped else (one, other)
        self._charge(record, sides)
        if record.ending is not None and (record.ending.reason or record.ending.how == "time"):
            loser = sides[1 if record.ending.winner == MAX else 0]
            self.forfeits.setdefault(loser, []).append(record.ending.reason or "out of time")
        self.lengths.append(len(record.moves))
        self.rows.append(
            _row(outcome.number, record, (self.experiment.players[sides[0]], self.experiment.players[sides[1]]))
        )
        self.starts.add(record.start)
        names = (self.experiment.players[one], self.experiment.players[other])
        actions = (move.action for move in record.moves)
        self._different[(*(reversed(names) if swapped else names), record.start, *actions)] += 1

    def _charge(self, record: Record, players: tuple[int, int]) -> None:
        for move in record.moves:
            if move.mover in (0, 1):
                cost = self.costs[players[move.mover]]
                cost.seconds.append(move.seconds)
                if move.thought:
                    cost.nodes += move.thought.nodes
                    cost.depths += move.thought.depth

    def to_pandas(self) -> "pandas.DataFrame | list[TableRow]":
        """Return the games as a data frame; without pandas, as a list of rows."""
        return self.rows.to_pandas()

    def ratings(self) -> Ratings:
        """Return the ratings of the players."""
        met = {couple: each.pairs for couple, each in zip(self.experiment.couples, self.meetings, strict=True)}
        return rate(met, len(self.experiment.players))

    def tally(self, player: int) -> tuple[int, int, int]:
        """Return a player's wins, draws and losses against all others."""
        wins = draws = losses = 0
        for (one, other), each in zip(self.experiment.couples, self.meetings, strict=True):
            if player in (one, other):
                won, lost = (each.wins, each.losses) if player == one else (each.losses, each.wins)
                wins, draws, losses = wins + won, draws + each.draws, losses + lost
        return wins, draws, losses


def together(parts: Sequence[Results]) -> Results:
    """Return the results of several games with the same players, added up: meetings, forfeits and the table."""
    whole = Results(parts[0].experiment)
    for part in parts:
        for met, own in zip(whole.meetings, part.meetings, strict=True):
            met.wins, met.draws, met.losses = met.wins + own.wins, met.draws + own.draws, met.losses + own.losses
            met.points += own.points
        for player, reasons in part.forfeits.items():
            whole.forfeits.setdefault(player, []).extend(reasons)
        whole.lengths += part.lengths
        whole.rows += part.rows
    return whole


def _row(number: int, record: Record, players: tuple[str, str]) -> TableRow:
    """Return a game as a row of the table; points and utility are the first player's."""
    ending, row = record.ending, flat({"number": number + 1, "game": record.game, "parameters": record.parameters})
    row |= {"first": players[0], "second": players[1], "start": record.start, "seed": record.seed}
    row |= {
        "points": points_of(record),
        "utility": None if ending is None else ending.utility,
        "ending": "unfinished" if ending is None else ending.how,
        "reason": None if ending is None else ending.reason,
        "moves": len(record.moves),
    }
    for side, name in ((0, "first"), (1, "second")):
        own = [move for move in record.moves if move.mover == side]
        row[f"{name}_seconds"] = round(sum(move.seconds for move in own), 6)
        row[f"{name}_nodes"] = sum(move.thought.nodes for move in own if move.thought)
    return row | {"line": " ".join(move.action for move in record.moves)}


def points_of(record: Record) -> float:
    """Return MAX's points from a game: 1, 1/2 or 0; an unfinished game counts as a draw."""
    if record.ending is None or record.ending.winner is None:
        return 0.5
    return 1.0 if record.ending.winner == MAX else 0.0
