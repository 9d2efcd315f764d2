"""Convert a match to its record."""

import math

import attrs

from ggp import capabilities
from ggp.errors import RecordError
from ggp.game import CHANCE, MAX, MIN, AnyGame
from ggp.options import ParameterValue
from ggp.play.match import Match, PlayedMove
from ggp.play.records import CHANCE_MOVER, Record, RecordedMove, RecordedPlayer, Thought


def record_of(match: Match) -> Record:
    """Return the record of a match up to the present position.

    Raises:
        RecordError: a parameter of the game is not a number, a text, or a tuple of these.
    """
    moves = tuple(recorded(match.game, move) for move in match.moves)
    return attrs.evolve(head_of(match), moves=moves, ending=match.ending)


def head_of(match: Match) -> Record:
    """Return the record of a match before its first move. Raises as `record_of` does."""
    game = match.game
    return Record(
        game=game.name,
        parameters={name: _value(game, name, value) for name, value in capabilities.parameters(game).items()},
        players=(_player(match, MAX), _player(match, MIN)),
        start=capabilities.notation(game).format_state(match.start),
        seed=match.seed,
        clock=match.timing,
        began=match.began,
    )


def recorded(game: AnyGame, move: PlayedMove) -> RecordedMove:
    """Return a move in the form of a record."""
    text = capabilities.notation(game)
    return RecordedMove(
        mover=CHANCE_MOVER if move.mover == CHANCE else move.mover,  # type: ignore[arg-type]
        action=text.format_action(move.before, move.action),
        seconds=move.seconds,
        thought=_thought(game, move),
    )


def _thought(game: AnyGame, move: PlayedMove) -> Thought | None:
    thought = move.thinking
    if thought is None or not math.isfinite(thought.value):
        return None
    return Thought(
        value=float(thought.value),
        exact=thought.exact,
        depth=thought.statistics.depth,
        nodes=thought.statistics.nodes,
        line=tuple(capabilities.format_line(game, move.before, thought.principal_variation)),
    )


def _player(match: Match, side: int) -> RecordedPlayer:
    player = match.players[side]
    return RecordedPlayer(side=capabilities.player_names(match.game)[side], name=player.name, player=player.text)


def _value(game: AnyGame, name: str, value: object) -> ParameterValue:
    if isinstance(value, tuple) and all(isinstance(each, bool | int | float | str) for each in value):
        return value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise RecordError(f"{game.name} cannot be recorded: its {name} must be a number or a text; got {value!r}")
