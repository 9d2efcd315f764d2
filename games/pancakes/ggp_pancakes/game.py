"""Pancakes: the rules, capabilities for searches, and the scene."""

import re
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp import Cell
from ggp.board_game import read_action, shown

HALF = 0.5
"""The height of a pancake in a scene; also the difference in width between a pancake and the next larger one."""


class State(NamedTuple):
    """The sizes of the pancakes from the top, and the number of flips so far."""

    stack: tuple[int, ...]
    flips: int


@attrs.frozen
class Pancakes:
    """Pancakes: a puzzle for one; sort a stack of pancakes by size with as few flips of its upper part as you can.

    An action is the number of pancakes to flip.
    """

    name: ClassVar[str] = "pancakes"
    title: ClassVar[str] = "Pancakes"
    rules: ClassVar[str] = (
        "A stack of pancakes of all sizes is to be sorted, the largest at the bottom. The only move is to put a "
        "spatula below a pancake and flip everything above it. The fewer flips the better; after twice as "
        "many flips as there are pancakes it is too late."
    )
    player_names: ClassVar[tuple[str, ...]] = ("the cook",)

    stack: tuple[int, ...] = ggp.option(
        (4, 6, 2, 5, 1, 3),
        "the sizes from the top: each number from 1 to the number of pancakes once",
        minimum=1,
        maximum=12,
    )

    size: int = ggp.constant(lambda game: len(game.stack))
    """The number of pancakes."""
    limit: int = ggp.constant(lambda game: 2 * game.size)
    """Maximum number of flips."""

    def __attrs_post_init__(self) -> None:
        if sorted(self.stack) != list(range(1, self.size + 1)):
            sizes = f"each size from 1 to {self.size} once"
            raise ggp.OptionError(f"stack must have {sizes}; got {','.join(map(str, self.stack))}")

    def initial_state(self) -> State:
        return State(self.stack, 0)

    def to_move(self, state: State) -> ggp.Player:
        return ggp.MAX

    def actions(self, state: State) -> range:
        return range(2, self.size + 1)

    def result(self, state: State, count: int) -> State:
        stack = state.stack
        flipped = tuple(stack[count - 1 - i] if i < count else stack[i] for i in range(self.size))
        return State(flipped, state.flips + 1)

    def is_sorted(self, stack: tuple[int, ...]) -> bool:
        return all(stack[i] == i + 1 for i in range(self.size))

    def terminal_test(self, state: State) -> bool:
        return state.flips == self.limit or self.is_sorted(state.stack)

    def utility(self, state: State, player: ggp.Player) -> int:
        worth = -state.flips if self.is_sorted(state.stack) else -self.limit - 1
        return worth if player == ggp.MAX else -worth

    # what a search may use

    def gaps(self, stack: tuple[int, ...]) -> int:
        """Return the number of gaps: neighbouring pairs, the plate included, whose sizes do not differ by 1.

        Each gap needs at least one flip.

        Source: M. Helmert, Landmark heuristics for the pancake problem, 2010.
        """
        count = 1 if stack[self.size - 1] != self.size else 0
        for i in range(self.size - 1):
            if abs(stack[i] - stack[i + 1]) != 1:
                count += 1
        return count

    def best(self, state: State) -> int:
        """Return the greatest utility that is possible with the present gaps."""
        flips = state.flips + self.gaps(state.stack)
        return -flips if flips <= self.limit else -self.limit - 1

    def bounds(self, state: State) -> tuple[int, int]:
        return -self.limit - 1, self.best(state)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "minus the flips made, minus the gaps (neighbouring pancakes whose sizes do not differ by 1)"
        return {"gaps": ggp.Evaluation(self.best, meaning, bounded=True)}

    def suggest(self, state: State, count: int) -> int:
        """Prefer the flips that leave the fewest gaps."""
        return -self.gaps(self.result(state, count).stack)

    # text and scene

    def format_state(self, state: State) -> str:
        return f"{','.join(map(str, state.stack))} after {state.flips}"

    def parse_state(self, text: str) -> State:
        matched = re.fullmatch(r"([0-9,]+) after ([0-9]{1,2})", text.strip(), re.ASCII)
        stack = tuple(int(size or "0") for size in matched[1].split(",")) if matched else ()
        if not matched or sorted(stack) != list(range(1, self.size + 1)) or int(matched[2]) > self.limit:
            sizes = f"each size from 1 to {self.size} once"
            flips, example = (
                f"the number of flips so far, at most {self.limit}",
                self.format_state(self.initial_state()),
            )
            raise ggp.NotationError(f"{shown(text)} is not a stack: write {sizes}, and {flips}, like {example}")
        return State(stack, int(matched[2]))

    def format_action(self, state: State, count: int) -> str:
        return str(count)

    def parse_action(self, state: State, text: str) -> int:
        return read_action(self, state, text, "[0-9]{1,2}", "the number of pancakes that are flipped: 3")

    def scene(self, state: State) -> ggp.Scene:
        over = self.terminal_test(state)
        cells = []
        for index, size in enumerate(state.stack, start=1):
            x, y, width = (self.size - size) * HALF / 2, index * HALF, (size + 1) * HALF
            action, hint = (None, "") if over or index == 1 else (index, f"flip {index}")
            place_ = Cell(f"place {index}", x, y, width, HALF, "piece", str(size), piece="pancake")
            cells.append(attrs.evolve(place_, action=action, hint=hint))
        plate = Cell("plate", -HALF / 2, (self.size + 1) * HALF, (self.size + 2) * HALF, HALF, "tray")
        ended = f"sorted after {state.flips} flips" if self.is_sorted(state.stack) else "too late"
        going = f"{state.flips} flips so far"
        return ggp.Scene((*cells, plate), ended if over else going)
