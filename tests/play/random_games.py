"""Games at random, and their records."""

import functools

from hypothesis import strategies as st

import ggp
from ggp.capabilities import legal_actions
from ggp.play import Match, TimeControl, record_of

REGISTRY = ggp.load_registry()


@functools.cache
def game(name, **parameters):
    return REGISTRY.game(name, **parameters)


class Silent:
    """A player with a name only."""

    def __init__(self, name):
        self.name = self.text = name


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
SECONDS = st.floats(0, 1e6) | st.just(0.0)


@st.composite
def matches(draw, names=st.sampled_from(sorted(REGISTRY.games)), plies=60):
    """A match of a registered game at random, over or not, with thoughts and times, and any names."""
    played = game(draw(names))
    players = (Silent(draw(NAMES)), Silent(draw(NAMES)))
    control = st.none() | st.builds(
        TimeControl, move=st.none() | st.floats(0.01, 1e6), game=st.none() | st.floats(1, 1e6)
    )
    seed, timing = draw(st.integers(-(1 << 62), 1 << 62)), draw(control)
    match = Match(played, players, played.initial_state(), seed, timing=timing)
    choices = draw(st.lists(st.integers(0, 1 << 20), max_size=plies))
    for choice in choices:
        if match.over:
            break
        if played.to_move(match.state) == ggp.CHANCE:
            match.step()
            continue
        legal = legal_actions(played, match.state)
        action = legal[choice % len(legal)]
        match.play(action, draw(thoughts(action)), draw(SECONDS))
    if not match.over and draw(st.booleans()):
        match.resign(draw(st.sampled_from((ggp.MAX, ggp.MIN))))
    return match


def thoughts(action):
    """What a searcher may have thought."""
    numbers = st.builds(ggp.Statistics, nodes=st.integers(0, 1 << 50), depth=st.integers(0, 4000))
    return st.none() | st.builds(
        ggp.SearchResult,
        action=st.just(action),
        value=st.floats(allow_nan=False, allow_infinity=False),
        complete=st.just(True),
        exact=st.booleans(),
        principal_variation=st.just((action,)) | st.just(()),
        statistics=numbers,
    )


def records(**more):
    """Their records."""
    return matches(**more).map(record_of)
