"""Awari."""

import math
import random

import pytest
from ggp_awari import Awari
from ggp_awari.game import Position

import ggp
import ggp.compiler
from ggp.testing import check_game

EVERY = [
    Awari(seeds=2, grand_slam="capture"),
    *(
        pytest.param(game, marks=pytest.mark.slow)
        for game in (Awari(), Awari(seeds=2, grand_slam="forbidden", repeated="own"))
    ),
]


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_the_game_keeps_its_promises(game):
    check_game(game, examples=5)


def naive_move(houses, stores, mover, house, grand_slam):
    """The houses and stores after a move, seed by seed; and whether it was a grand slam."""
    houses, stores = list(houses), list(stores)
    start = place = 6 * mover + house
    seeds, houses[start] = houses[start], 0
    while seeds:
        place = (place + 1) % 12
        if place != start:
            houses[place] += 1
            seeds -= 1
    after, captured = list(houses), 0
    while place // 6 == 1 - mover and after[place] in (2, 3):
        captured += after[place]
        after[place] = 0
        place -= 1
        if place < 0:
            break
    slam = bool(captured) and not any(after[6 * (1 - mover) : 6 * (2 - mover)])
    if slam and grand_slam == "nothing":
        return houses, stores, slam
    stores[mover] += captured
    return after, stores, slam


def naive_moves(state, grand_slam):
    """The moves that the rules allow, each tried."""
    found = []
    mover = state.mover
    for house in range(6):
        if state.houses[6 * mover + house] == 0:
            continue
        sown, _, _ = naive_move(state.houses, (0, 0), mover, house, "nothing")
        _, _, slam = naive_move(state.houses, (0, 0), mover, house, "capture")
        opponents = slice(6 * (1 - mover), 6 * (2 - mover))
        if not any(sown[opponents]) or (slam and grand_slam == "forbidden"):
            continue
        found.append(house)
    return found


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_random_play_follows_the_rules_told_seed_by_seed(game):
    dice = random.Random(7)
    slams = 0
    for _ in range(300):
        state = game.unrank(dice.randint(1, 24), 0)
        state = game.unrank(game.layer(state), dice.randrange(game.positions(game.layer(state))))
        state = state._replace(mover=dice.randrange(2))
        assert list(game.actions(state)) == naive_moves(state, game.grand_slam)
        for house in game.actions(state):
            houses, stores, slam = naive_move(state.houses, (0, 0), state.mover, house, game.grand_slam)
            slams += slam
            after = game.result(state, house)
            assert (after.houses, (after.south, after.north)) == (tuple(houses), tuple(stores))
            assert after.mover == 1 - state.mover
    assert slams or game.grand_slam == "forbidden"


RULES = {
    "13 seeds leave out their house": ("<0,0,0,0,0,13;0;2,0,0,0,0,0;33> S", "F", "<1,1,1,1,1,0;2;4,0,1,1,1,1;33> N"),
    "two are captured": ("<0,0,0,0,0,1;20;1,1,0,0,0,5;20> S", "F", "<0,0,0,0,0,0;22;0,1,0,0,0,5;20> N"),
    "houses before it, too": ("<0,0,0,0,0,2;20;1,2,0,0,0,5;18> S", "F", "<0,0,0,0,0,0;25;0,0,0,0,0,5;18> N"),
    "a grand slam takes nothing": ("<0,0,0,0,1,2;20;1,2,0,0,0,0;22> S", "F", "<0,0,0,0,1,0;20;2,3,0,0,0,0;22> N"),
}


@pytest.mark.parametrize(("before", "action", "after"), RULES.values(), ids=RULES)
def test_a_rule(before, action, after):
    game = Awari()
    state = game.parse_state(before)
    assert game.format_state(game.result(state, game.parse_action(state, action))) == after


def test_who_cannot_feed_ends_the_game():
    game = Awari()
    state = game.parse_state("<1,0,0,0,0,0;20;0,0,0,0,0,0;27> S")
    assert game.terminal_test(state)
    assert game.utility(state, ggp.MAX) == 21 - 27


def test_who_can_feed_must():
    game = Awari()
    state = game.parse_state("<1,0,0,0,2,0;20;0,0,0,0,0,0;25> S")
    assert list(game.actions(state)) == [4]
    with pytest.raises(ggp.IllegalActionError, match=r"A cannot be sown in .*: the moves are E"):
        game.parse_action(state, "A")


def test_a_repetition_is_worth_what_the_option_says():
    state = Position((3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0), 20, 24, ggp.MAX)
    assert Awari().repetition(state) == -4
    assert Awari(repeated="own").repetition(state) == -2


@pytest.mark.parametrize("layer", range(6))
def test_a_layer_is_numbered_without_gaps(layer):
    game = Awari()
    states = [game.unrank(layer, rank) for rank in range(game.positions(layer))]
    assert len(set(states)) == len(states) == math.comb(layer + 11, 11)
    assert all(sum(state.houses) == layer for state in states)
    assert [game.rank(state) for state in states] == list(range(len(states)))


def test_large_layers_are_numbered_and_turned_to_the_mover():
    game, dice = Awari(), random.Random(1)
    for _ in range(200):
        layer = dice.randint(1, 48)
        rank = dice.randrange(math.comb(layer + 11, 11))
        state = game.unrank(layer, rank)
        assert game.rank(state) == rank
        turned = state._replace(houses=state.houses[6:] + state.houses[:6], mover=ggp.MIN)
        assert game.rank(turned) == rank


@pytest.mark.parametrize(
    "text", ["", "<4,4,4,4,4,4;0;4,4,4,4,4,4;0>", "<4,4,4,4,4,4;1;4,4,4,4,4,4;0> S", "<4;0;4;0> S"]
)
def test_wrong_positions_are_refused(text):
    with pytest.raises(ggp.NotationError):
        Awari().parse_state(text)


@pytest.mark.skipif(not ggp.compiler.machine.available(), reason="there is no machine speed")
@pytest.mark.parametrize(
    "options", ["", *(pytest.param(each, marks=pytest.mark.slow) for each in (",table=4", ",table=4,ordering=table"))]
)
def test_what_a_repetition_is_worth_depends_on_the_state_at_both_speeds(options):
    registry, dice = ggp.load_registry(), random.Random(5)
    for repeated in ("split", "own"):
        game = Awari(repeated=repeated)
        for _ in range(5):
            state = game.unrank(5, dice.randrange(game.positions(5)))._replace(south=20, north=23)
            plain, _ = registry.parse_searcher("minimax:speed=interpreted")
            fast, _ = registry.parse_searcher(f"alphabeta:speed=compiled{options}")
            limits = ggp.Limits(depth=7)
            assert fast.search(game, state, limits).value == plain.search(game, state, limits).value
