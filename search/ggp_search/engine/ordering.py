"""Move ordering: the table's action first, then the others by the game's suggestions or by estimates of children.

`order(state, depth, choice)` yields the actions one by one, best first, since the search leaves most states after the
first action. Actions that are equally promising stay in the game's own order.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar

from ggp.capabilities import all_actions
from ggp.compiler.intrinsics import get_value, load, put_value, save, words_of
from ggp.game import MAX, Action, CapableGame, State
from ggp_search.constants import MAX_PLIES
from ggp_search.memory.buffer import ThreadMemory

ROW = 128
"""Maximum number of actions of a state that machine code sorts; further actions follow in the game's own order."""

CLOSEST = 1
"""Maximum distance from the depth limit, in plies, at which ordering by estimates costs more than it saves."""


class TableOrder:
    """The order in which the table's action comes first, and the others follow in the game's own order."""

    def __init__(self, game: CapableGame) -> None:
        self.game = game

    def order(self, state: State, depth: int, choice: Action | None) -> Iterator[Action]:
        """Yield the actions of a state, best first."""
        if choice is not None:
            yield choice
        for action in self.game.actions(state):
            if choice is None or action != choice:
                yield action


class SortedOrder(TableOrder):
    """The order for interpreted searches: the table's action, then the others sorted by `priority`."""

    def __init__(self, game: CapableGame, by: str, evaluation: Callable[[State], float]) -> None:
        """Prepare the order.

        Arguments:
            by: "suggestion" for the game's suggestions, "evaluation" for estimates of the children; with any other
                text, all actions count as equal.
        """
        super().__init__(game)
        self.by, self.evaluation = by, evaluation

    def priority(self, state: State, action: Action, depth: int) -> int:
        """Return the priority of an action; the greatest comes first. An estimate is in units of 1/1024."""
        if self.by == "suggestion":
            return self.game.suggest(state, action)
        if self.by != "evaluation" or depth <= CLOSEST:
            return 0
        child = self.game.result(state, action)
        worth = self.game.utility(child, MAX) if self.game.terminal_test(child) else self.evaluation(child)
        return int(1024 * worth) if self.game.to_move(state) == MAX else int(-1024 * worth)

    def order(self, state: State, depth: int, choice: Action | None) -> Iterator[Action]:
        if choice is not None:
            yield choice
        actions = all_actions(self.game, state)
        ranks = [-self.priority(state, action, depth) for action in actions]
        for index in sorted(range(len(actions)), key=ranks.__getitem__):
            if choice is None or actions[index] != choice:
                yield actions[index]


class RowOrder(SortedOrder, ThreadMemory):
    """`SortedOrder` for machine code: the best of the remaining actions is determined only when it is needed.

    For each depth, a row of words holds the actions and their priorities. No memory is allocated during the
    search.
    """

    variables: ClassVar[tuple[str, ...]] = ("rows",)

    def __init__(self, game: CapableGame, by: str, evaluation: Callable[[State], float], action_words: int) -> None:
        super().__init__(game, by, evaluation)
        self.action_words = action_words
        self.width = 8 * (1 + action_words)
        self.rows = 0
        """The address of the first row."""

    def room(self) -> tuple[str, int]:
        return "rows", self.width * ROW * (MAX_PLIES + 1)

    def order(self, state: State, depth: int, choice: Action | None) -> Iterator[Action]:
        if choice is not None:
            yield choice
        row = self.rows + self.width * ROW * depth
        count = self.fill(state, depth, choice, row)
        for first in range(min(count, ROW)):
            yield self.pick(row, first, min(count, ROW), choice)
        if count > ROW:
            for action in self.beyond_row(state, choice):
                yield action

    def beyond_row(self, state: State, choice: Action | None) -> Iterator[Action]:
        """Yield the actions that did not fit into the row, except `choice`."""
        kept = 0
        for action in self.game.actions(state):
            if choice is None or action != choice:
                kept += 1
                if kept > ROW:
                    yield action

    def fill(self, state: State, depth: int, choice: Action | None, row: int) -> int:
        """Store the actions except `choice` in a row; return their number, which includes actions that do not fit."""
        count = 0
        for action in self.game.actions(state):
            if choice is None or action != choice:
                if len(words_of(action)) > self.action_words:
                    raise OverflowError  # actions are longer than the first one
                if count < ROW:
                    save(row + self.width * count, self.priority(state, action, depth))
                    put_value(row + self.width * count + 8, action)
                count += 1
        return count

    def pick(self, row: int, first: int, count: int, like: Action | None) -> Action:
        """Find the most promising action in the entries `first` to `count` - 1, move it to entry `first`, and return
        it.

        Arguments:
            like: any action, which shows the type of the actions, or None.
        """
        # Select one action at a time: after a cut, the other actions need not be sorted.
        best, highest = first, load(row + self.width * first)
        for index in range(first + 1, count):
            if load(row + self.width * index) > highest:
                best, highest = index, load(row + self.width * index)
        action = get_value(row + self.width * best + 8, like)
        for index in range(best, first, -1):  # those in between move up: equals stay in order
            for offset in range(0, self.width, 8):
                save(row + self.width * index + offset, load(row + self.width * (index - 1) + offset))
        return action
