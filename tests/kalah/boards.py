"""Boards of Kalah for tests: text and lists to states, and hypothesis strategies."""

import random

from ggp_kalah import Kalah
from hypothesis import strategies as st

import ggp

CAPTURES = ("standard", "empty", "none")
VARIANTS = [
    {"capture": capture, "majority": majority, "scoring": scoring, "turn": turn}
    for capture in CAPTURES
    for majority in (False, True)
    for scoring in ("margin", "outcome")
    for turn in ("single", "whole")
]


def name(variant):
    return ",".join(f"{key}={value}" for key, value in variant.items())


def sides(game, state):
    """The houses and the store of South and of North, and the mover."""
    return game.unpack(state[0]), game.unpack(state[1]), state[2]


def walk(game, seed, state=None):
    """The states and the actions of one random game: pairs, and the last state with None."""
    chance = random.Random(seed)
    state = game.initial_state() if state is None else state
    while not game.terminal_test(state):
        action = chance.choice(list(game.actions(state)))
        yield state, action
        state = game.result(state, action)
    yield state, None


def states(game, count):
    """States that are not terminal, from random games."""
    found = []
    for seed in range(count):
        found += [state for state, action in walk(game, seed) if action is not None]
    return found


@st.composite
def boards(draw, most_houses=12, most_seeds=40, capture=st.sampled_from(CAPTURES)):
    """A game and two sides as lists with a mover: any board where both sides have seeds in their houses."""
    houses = draw(st.integers(1, most_houses))
    heavy = draw(st.sampled_from([2, most_seeds]))
    side = st.lists(st.integers(0, heavy), min_size=houses + 1, max_size=houses + 1).filter(lambda side: any(side[:-1]))
    return (
        Kalah(houses=houses, seeds=2 * most_seeds, capture=draw(capture)),
        draw(side),
        draw(side),
        draw(st.sampled_from((ggp.MAX, ggp.MIN))),
    )
