"""Best play from known values: the winner wins as soon as possible, and the loser loses as late as possible."""

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.repetition import last_occurrence, repetition_value, states_played

FOREVER: Final = 65535
"""A distance that means that play does not end, or cannot be forced to end. Longer distances are stored as this number,
too.
"""
LONGEST: Final = 1000
"""Maximum number of plies of a principal variation."""


@attrs.frozen(kw_only=True)
class ValueBounds:
    """Proved bounds of a value."""

    lower: float
    upper: float
    """The value to MAX lies between these bounds; they are equal if the value is exact."""

    @property
    def exact(self) -> bool:
        """Whether the value is known exactly."""
        return self.lower == self.upper

    @property
    def value(self) -> float | None:
        """The exact value to MAX; None if only bounds are known."""
        return self.lower if self.exact else None

    @property
    def middle(self) -> float:
        """The exact value to MAX, or the middle of its bounds."""
        return (self.lower + self.upper) / 2


@attrs.frozen(kw_only=True)
class KnownValue(ValueBounds):
    """The value of a state, as far as it is known."""

    distance: int | None = None
    """Plies to the end with best play; None if play cannot be forced to end, or the distance is unknown."""


@attrs.frozen(kw_only=True)
class Choice(KnownValue):
    """An action of a state, with its value, as far as it is known; the distance includes the action itself."""

    action: Action
    ended: bool = False
    """Whether the action ends the game by repetition."""


class KnownValues:
    """The known values of all or many states of a game."""

    game: AnyGame

    def look(self, state: State) -> KnownValue | None:
        """Return the known value of a state; None if it is not known."""
        raise NotImplementedError

    def choices(self, state: State) -> tuple[Choice, ...]:
        """Return the known value of each action of a state. Return () if the game is over, or one of the values is
        unknown.
        """
        if self.game.terminal_test(state):
            return ()
        choices = []
        for action in self.game.actions(state):
            known = self.look(self.game.result(state, action))
            if known is None:
                return ()
            plies = None if known.distance is None else known.distance + 1
            choices.append(Choice(action=action, lower=known.lower, upper=known.upper, distance=plies))
        return tuple(choices)

    def choice(self, state: State) -> Choice | None:
        """Return a best choice; None if the game is over, chance is to move, or a value is unknown.

        Among actions with the same value, a winner prefers the soonest win and a loser the latest loss.
        """
        choices = self.choices(state)
        if not choices or self.game.to_move(state) == CHANCE:
            return None
        return self.preferred(state, choices)

    def preferred(self, state: State, choices: Sequence[Choice]) -> Choice:
        """Return the choice that the player to move in a state prefers."""
        return best_choice(choices, self.game.to_move(state) == MAX, repetition_value(self.game, state))

    def action(self, state: State) -> Action:
        """Return the action of a best choice; None if `choice` returns None."""
        choice = self.choice(state)
        return None if choice is None else choice.action

    def line(self, state: State) -> Iterator[Action]:
        """Yield best play from a state, up to the end, a repetition, or the first chance node."""
        seen = set[State]()
        for _ in range(LONGEST):
            action = self.action(state)
            if action is None or state in seen:
                return
            seen.add(state)
            yield action
            state = self.game.result(state, action)

    def choices_now(self, state: State) -> tuple[Choice, ...]:
        """Return the choices of a state in the game being played: an action may end the game by repetition."""
        choices, last = self.choices(state), last_occurrence(self.game)
        if last is None or not states_played():
            return choices
        played, listed = [*states_played(), state], []
        for choice in choices:
            after = self.game.result(state, choice.action)
            if played.count(after) >= last - 1:
                value = repetition_value(self.game, after)
                choice = Choice(action=choice.action, lower=value, upper=value, distance=1, ended=True)
            listed.append(choice)
        return tuple(listed)


def best_choice(choices: Sequence[Choice], is_max: bool, endless: float) -> Choice:
    """Return the choice that the player to move prefers; `endless` is the value of endless play to MAX."""
    best = choices[0]
    for choice in choices[1:]:
        values = (choice.lower, best.lower) if is_max else (choice.upper, best.upper)
        plies = [FOREVER if each.distance is None else each.distance for each in (choice, best)]
        if preferred(values[0], plies[0], values[1], plies[1], is_max, endless):
            best = choice
    return best


def preferred(value: float, distance: int, other: float, other_distance: int, is_max: bool, neutral: float) -> bool:
    """Return whether the player to move prefers the first of two values with their distances.

    If the values are equal, the distances decide. A player to whom the end of the game is worth more than endless play
    prefers the shorter distance; any other player prefers the longer one.
    """
    if value != other:
        return value > other if is_max else value < other
    hurries = value > neutral if is_max else value < neutral
    return distance < other_distance if hurries else distance > other_distance
