"""Games as they are played: players, a match between two of them, and its record."""

from ggp.levels import levels
from ggp.play.clock import UNTIMED, Clock
from ggp.play.game import play_game
from ggp.play.making import make_player
from ggp.play.match import Keeper, Match, Move
from ggp.play.players import Choice, Human, Machine, Participant, Replayed
from ggp.play.recording import record_of
from ggp.play.records import Ending, Record, RecordedMove, RecordedPlayer, Thought, TimeControl

__all__ = [
    "UNTIMED",
    "Choice",
    "Clock",
    "Ending",
    "Human",
    "Keeper",
    "Machine",
    "Match",
    "Move",
    "Participant",
    "Record",
    "RecordedMove",
    "RecordedPlayer",
    "Replayed",
    "Thought",
    "TimeControl",
    "levels",
    "make_player",
    "play_game",
    "record_of",
]
