"""Playing games: players, a match between two of them, and its record.

Every front end drives the `controller`. `player_parser` makes players from text. Records are written and read in two
formats (`json_format`, `text_format`), and `store` keeps a user's games.
"""

from ggp.levels import levels
from ggp.play.clock import UNTIMED, Clock
from ggp.play.match import Keeper, Match, PlayedMove
from ggp.play.player_parser import make_player
from ggp.play.players import ChosenAction, Human, Machine, Participant, Replayed
from ggp.play.record_writer import record_of
from ggp.play.records import Ending, Record, RecordedMove, RecordedPlayer, Thought, TimeControl
from ggp.play.whole_game import play_game

__all__ = [
    "UNTIMED",
    "ChosenAction",
    "Clock",
    "Ending",
    "Human",
    "Keeper",
    "Machine",
    "Match",
    "Participant",
    "PlayedMove",
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
