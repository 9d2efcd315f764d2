"""Compare two implementations of one game in random play: the end, the mover, the actions, chance, the utilities."""

import random

import attrs

from ggp import capabilities
from ggp.errors import ConformanceError, GGPError, UsageError
from ggp.game import CHANCE, MAX, Action, AnyGame, State

SURE = 1e-9
"""Probabilities that differ by no more than this count as equal."""


@attrs.frozen(kw_only=True)
class Agreement:
    """How far two games were compared."""

    plies: int
    games: int
    """Number of random games that were played to their end."""
    margins: bool
    """Whether the utilities were equal; if not, only their signs were equal."""


def compare_games(ours: AnyGame, theirs: AnyGame, plies: int = 10_000, seed: int = 0) -> Agreement:
    """Play random games in both implementations, move by move, until this number of plies has been compared.

    Raises:
        ConformanceError: the games differ; the message says where and how.
        UsageError: the games have no common notation for actions.
    """
    dice, done, games, margins = random.Random(seed), 0, 0, True
    while done < plies:
        state, other = ours.initial_state(), theirs.initial_state()
        while not _over(ours, state, theirs, other):
            pairs = _paired(ours, state, theirs, other)
            action = dice.choice(list(pairs))
            state, other = ours.result(state, action), theirs.result(other, pairs[action])
            done += 1
        one, two = ours.utility(state, MAX), theirs.utility(other, MAX)
        margins = margins and one == two
        if (one > 0) - (one < 0) != (two > 0) - (two < 0):
            raise _different(ours, state, f"the utilities are {one:g} and {two:g}")
        games += 1
    return Agreement(plies=done, games=games, margins=margins)


def _over(ours: AnyGame, state: State, theirs: AnyGame, other: State) -> bool:
    """Return whether the game is over, after checking that both games agree on that and on the mover."""
    ends = ours.terminal_test(state), theirs.terminal_test(other)
    if ends[0] != ends[1]:
        raise _different(
            ours,
            state,
            "the game is over in this implementation, but not in the other one"
            if ends[0]
            else "the game is over in the other implementation, but not in this one",
        )
    if not ends[0] and ours.to_move(state) != theirs.to_move(other):
        raise _different(
            ours, state, f"player {ours.to_move(state)} moves, but player {theirs.to_move(other)} in the other game"
        )
    return ends[0]


def _paired(ours: AnyGame, state: State, theirs: AnyGame, other: State) -> dict[Action, Action]:
    """Return a dictionary from each action of `ours` to the same action in the other game. Check that both games have
    the same actions.
    """
    dialect = capabilities.dialects(ours).get(theirs.name.partition(":")[0])
    text, there = capabilities.notation(ours), capabilities.notation(theirs)
    pairs: dict[Action, Action] = {}
    legal, others = list(ours.actions(state)), list(theirs.actions(other))
    for action in legal:
        word = dialect.action(state, action) if dialect else text.format_action(state, action)
        try:
            pairs[action] = there.parse_action(other, word)
        except GGPError:
            names = ", ".join(there.format_action(other, each) for each in others)
            where = text.format_state(state)
            if dialect or len(legal) != len(others):
                raise _different(ours, state, f"{word} is legal, but the other game has {names}") from None
            raise UsageError(
                f"{ours.name} and {theirs.name} write actions differently: {word} is an action in {where}, where the "
                f"other game has {names}; a method `dialect` of the game says how the other one writes them (see "
                f"ggp.game.Spoken)"
            ) from None
    if sorted(map(repr, pairs.values())) != sorted(map(repr, others)):
        missing = next(each for each in others if each not in pairs.values())
        raise _different(ours, state, f"{there.format_action(other, missing)} is legal only in the other game")
    if ours.to_move(state) == CHANCE:
        one, two = (dict(game.outcomes(at)) for game, at in ((ours, state), (theirs, other)))  # type: ignore[attr-defined]
        for action, chance in one.items():
            if abs(chance - two[pairs[action]]) > SURE:
                raise _different(
                    ours, state, f"{text.format_action(state, action)} has a different probability in the other game"
                )
    return pairs


def _different(game: AnyGame, state: State, what: str) -> ConformanceError:
    return ConformanceError(f"the games differ in {capabilities.notation(game).format_state(state)}: {what}")
