"""Games as they are played: players, and a match between two of them."""

from ggp.play.match import Match, Move
from ggp.play.players import Choice, Human, Machine, Participant, make_player, preferred_searcher

__all__ = ["Choice", "Human", "Machine", "Match", "Move", "Participant", "make_player", "preferred_searcher"]
