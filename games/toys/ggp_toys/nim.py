"""Nim for people: `3,4,5 first` gives the heaps and the player to move; `2:3` takes three stones
from the second heap.
"""

import re
from collections.abc import Iterator
from typing import ClassVar

import attrs

from ggp import Cell, IllegalActionError, NotationError, Scene
from ggp.board_game import standing
from ggp_toys.nim_rules import MOST, Action, NimRules, State

ROW = 20
"""Number of stones side by side in the scene; a larger heap has several rows."""
STONE = 0.75
BETWEEN = 0.35
"""Distance of two heaps."""
NAME, NUMBER = 1.6, 0.6
"""Widths of a heap's name and of the number of its stones, to the left and to the right of the stones."""


@attrs.frozen
class Nim(NimRules):
    """Nim: take any number of stones from one heap; whoever takes the last stone of all wins (or loses).

    A win is worth 1, a loss -1. With best play, the first player loses exactly if the exclusive or of the heaps is 0.
    In the misère game, this holds as long as a heap has two or more stones. If every heap has at most one stone, the
    first player loses exactly if the exclusive or is 1. Source: C. L. Bouton, Nim, a game with a complete mathematical
    theory, Annals of Mathematics, 1901.
    """

    name: ClassVar[str] = "nim"
    title: ClassVar[str] = "Nim"
    rules: ClassVar[str] = (
        "Take any number of stones from one heap. Whoever takes the last stone wins; in the misère game, they lose."
    )

    def format_state(self, state: State) -> str:
        return f"{','.join(map(str, state[:-1]))} {self.player_names[state[-1]]}"

    def parse_state(self, text: str) -> State:
        written = re.fullmatch(r"\s*(\d{1,4}(?:\s*,\s*\d{1,4})*)\s+(first|second)\s*", text, re.ASCII | re.IGNORECASE)
        heaps = tuple(int(stones) for stones in written[1].split(",")) if written else ()
        if not written or len(heaps) != len(self.heaps) or max(heaps) > MOST:
            shape = f"{len(self.heaps)} heaps of 0 to {MOST} stones and who is to move"
            example = self.format_state(self.initial_state())
            raise NotationError(f"{text!r} is not a state of this nim: it is written as {shape}, like {example}")
        return (*heaps, self.player_names.index(written[2].lower()))

    def format_action(self, state: State, action: Action) -> str:
        return f"{action[0]}:{action[1]}"

    def parse_action(self, state: State, text: str) -> Action:
        written = re.fullmatch(r"\s*(\d{1,4})\s*:\s*(\d{1,4})\s*", text, re.ASCII)
        if not written:
            right = "2:3 takes three stones from the second heap"
            raise NotationError(
                f"{text.strip()!r} is not an action of nim: an action is written as heap:stones; {right}"
            )
        action = int(written[1]), int(written[2])
        if action not in self.actions(state):
            full = enumerate(state[:-1], start=1)
            right = ", ".join(f"{heap}:1 to {heap}:{stones}" for heap, stones in full if stones)
            legal = f"the legal actions are {right}" if right else "the game is over"
            raise IllegalActionError(f"{text.strip()} is not possible in {self.format_state(state)}: {legal}")
        return action

    def explain(self, state: State, action: Action) -> str:
        heap, stones = action
        return f"takes {stones} stone{'' if stones == 1 else 's'} of heap {heap}"

    def draw(self, state: State) -> str:
        heaps = [f"{heap:3}: {_row(stones)}" for heap, stones in enumerate(state[:-1], start=1)]
        return "\n".join([*heaps, standing(self, state)])

    def scene(self, state: State) -> Scene:
        """Return the scene with one heap below the other. Choosing a stone takes this stone and all stones after it."""
        cells: list[Cell] = []
        heaps = [(stones, max(1, stones, most)) for stones, most in zip(state[:-1], self.heaps, strict=True)]
        right, top = NAME + STONE * min(ROW, max(places for _, places in heaps)), 0.0
        for heap, (stones, places) in enumerate(heaps, start=1):
            cells.append(Cell(f"name of heap {heap}", 0, top, NAME, STONE, "coordinate", text=f"heap {heap}"))
            cells += _places(heap, stones, places, top)
            cells.append(Cell(f"heap {heap}", right + 0.2, top, NUMBER, STONE, "plain", count=stones))
            top += STONE * -(-places // ROW) + BETWEEN
        return Scene(tuple(cells), standing(self, state), things=("stone", "stones"))


def _places(heap: int, stones: int, places: int, top: float) -> Iterator[Cell]:
    """Yield the hollows for a heap's stones; the hollow of a stone that was taken is empty."""
    for stone in range(1, places + 1):
        x, y = NAME + (stone - 1) % ROW * STONE, top + (stone - 1) // ROW * STONE
        cell = Cell(f"heap {heap}, stone {stone}", x, y, STONE, STONE, "round")
        if stone <= stones:
            taken = stones - stone + 1
            hint = f"take {taken} stone{'' if taken == 1 else 's'} of heap {heap}"
            cell = attrs.evolve(cell, text="o", piece="pebble", action=(heap, taken), hint=hint)
        yield cell


def _row(stones: int) -> str:
    """Return the stones of a heap as text; of a large heap, return the first 30 stones."""
    row = "o" * min(stones, 30) + ("..." if stones > 30 else "")
    return f"{row} ({stones})" if stones else "-"
