"""Rehearsals: before a description is played, random games show whether the description breaks a promise."""

import math
import random
import time

from ggp_gdl.description import Term
from ggp_gdl.play import Referee, referee_of
from ggp_gdl.reasoner import Situation

PLAYS, PLIES, SECONDS = 12, 300, 1.0
"""The number of random games, their maximum length in plies, and the processor time for all games together."""
LONGEST = 6.0
"""Seconds of processor time after which a rehearsal gives up, even in the middle of a state."""


def rehearsed(text: str, title: str = "", goals: str = "opposed") -> Referee:
    """Return a referee after a rehearsal of its description; the arguments are those of `Referee`."""
    referee = referee_of(text, title, goals)
    rehearse(referee)
    return referee


def rehearse(referee: Referee) -> set[Term]:
    """Play at random, unless the description was already rehearsed; return the facts that occurred.

    Raises:
        UnservedGameError: a state shows that ggp does not play games of this kind.
    """
    if not referee.rehearsed:
        _play(referee)
    return {fact for way in referee.rehearsed for state in way for fact in state}


def _play(referee: Referee) -> None:
    generator, began = random.Random(0), time.process_time()
    Situation.stop = began + LONGEST
    try:
        for _ in range(PLAYS):
            referee.rehearsed.append([])
            for state in referee.play_out(generator, PLIES):
                referee.rehearsed[-1].append(state)
                if time.process_time() > began + SECONDS:
                    return
    finally:
        Situation.stop = math.inf
