"""Replay a record: check its moves, and turn it back into a match."""

from collections.abc import Callable

import attrs

from ggp import capabilities
from ggp.errors import GGPError, IllegalActionError, RecordError
from ggp.escapes import short
from ggp.game import CHANCE, Action, AnyGame, State
from ggp.play.clock import UNTIMED, Clock
from ggp.play.match import Match, PlayedMove
from ggp.play.players import ChosenAction, Participant
from ggp.play.records import CHANCE_MOVER, Record, RecordedMove, Thought
from ggp.plugins import Registry
from ggp.searcher import SearchResult, Statistics


@attrs.frozen
class Absent:
    """Stands for a player in a record that is shown but not continued; such a player cannot choose moves."""

    name: str
    text: str

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `ggp.play.players.Participant`."""
        raise GGPError(f"{self.name} played in the record, and cannot continue the game here")


Make = Callable[..., AnyGame]
"""`make(name, **parameters)` returns the game. `Registry.foreign_game` opens no files; `Registry.game` may do so."""


def game_of(registry: Registry, record: Record, source: str = "the record", make: Make | None = None) -> AnyGame:
    """Return the game of a record.

    Arguments:
        make: the function that makes the record's game (default: `registry.foreign_game`, which opens no files).

    Raises:
        RecordError: the game or one of its parameters is unknown, or the game would open a file.
    """
    try:
        return (make or registry.foreign_game)(record.game, **dict(record.parameters))
    except Exception as error:
        raise RecordError(f"{source} cannot be replayed: {error}") from error


def replay(
    registry: Registry,
    record: Record,
    source: str = "the record",
    *,
    players: tuple[Participant, Participant] | None = None,
    moves: int | None = None,
    make: Make | None = None,
) -> Match:
    """Return the match of a record, with every move checked against the rules.

    Arguments:
        source: the name of the record in errors.
        players: the players who continue the game; None if nobody does.
        moves: the number of moves to replay; None replays all and checks the ending.
        make: see `game_of`.

    Raises:
        RecordError: the record cannot be replayed; the message names the first wrong move.
    """
    game = game_of(registry, record, source, make)
    first, second = (Absent(player.name, player.player) for player in record.players)
    match = Match(
        game,
        players or (first, second),
        _start(game, record, source),
        record.seed,
        timing=record.clock,
        began=record.began,
    )
    for number, move in enumerate(record.moves[:moves], 1):
        # Appended directly: `Match.play` would notify a keeper and check the rules a second time.
        match.moves.append(_played(match, number, move, source))
    if moves is None:
        _end(match, record, source)
    return match


def _start(game: AnyGame, record: Record, source: str) -> State:
    try:
        return capabilities.notation(game).parse_state(record.start)
    except Exception as error:
        raise RecordError(f"{source} cannot be replayed: its start is not a state: {short(str(error), 400)}") from error


def _played(match: Match, number: int, move: RecordedMove, source: str) -> PlayedMove:
    """Play a move of a record in the match's present position, and return it."""
    game, state, text = match.game, match.state, capabilities.notation(match.game)
    who = (*capabilities.player_names(game), "chance")
    wrong = f"{source} cannot be replayed: move {number}, {short(move.action, 40)} by {who[move.mover]}, is wrong: "
    if match.over:
        raise RecordError(f"{wrong}the game is over in {text.format_state(state)}")
    mover = game.to_move(state)
    if mover != (CHANCE if move.mover == CHANCE_MOVER else move.mover):
        raise RecordError(f"{wrong}{who[mover]} is to move in {text.format_state(state)}")
    action = _read(game, state, move.action, wrong)
    thinking = None if move.thought is None else _thinking(game, state, action, move.thought, wrong)
    return PlayedMove(mover, state, action, game.result(state, action), thinking, move.seconds)


def _read(game: AnyGame, state: State, action: str, wrong: str) -> Action:
    try:
        return capabilities.parse_action(game, state, action)
    except IllegalActionError as error:
        raise RecordError(f"{wrong}{error}") from error


def _thinking(game: AnyGame, state: State, action: Action, thought: Thought, wrong: str) -> SearchResult:
    line, at = [], state
    for each in thought.line:
        if game.terminal_test(at) or game.to_move(at) == CHANCE:
            raise RecordError(f"{wrong}its principal variation continues after a state in which no player is to move")
        line.append(_read(game, at, each, f"{wrong}in its line, "))
        at = game.result(at, line[-1])
    return SearchResult(
        action=action,
        value=thought.value,
        complete=True,
        exact=thought.exact,
        principal_variation=tuple(line),
        statistics=Statistics(nodes=thought.nodes, depth=thought.depth),
    )


def _end(match: Match, record: Record, source: str) -> None:
    """Check that the recorded ending agrees with the moves."""
    recorded, reached = record.ending, match.ending
    if recorded is None:
        return
    where = capabilities.notation(match.game).format_state(match.state)
    by_rules = recorded.how in ("finished", "repetition")
    if by_rules and recorded != reached:
        end = (
            f"winner {reached.winner}, utility {reached.utility}, {reached.how}"
            if reached
            else f"the game goes on in {where}"
        )
        raise RecordError(f"{source} cannot be replayed: its ending is wrong: by the rules, {end}")
    if not by_rules and (reached or recorded.winner is None or recorded.utility is not None):
        rule = "only possible for an unfinished game, with a winner and no utility"
        raise RecordError(f"{source} cannot be replayed: its ending is wrong: {recorded.how} is {rule}")
    match.decided = None if reached else recorded
