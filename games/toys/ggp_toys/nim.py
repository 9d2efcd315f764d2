"""Nim: a game of heaps, and an example of a compiled form for states that machine code cannot use as they are."""

import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import attrs

from ggp import MAX, CompiledForm, IllegalActionError, NotationError, OptionError, Player, Scene, option
from ggp_toys import nim_scenery
from ggp_toys.nim_ranking import ranking

State = tuple[int, ...]
Action = tuple[int, int]
MOST = 1000
"""Stones that a heap may hold."""


@attrs.frozen
class Nim:
    """Nim: take any number of stones from one heap; whoever takes the last stone of all wins (or loses).

    A state is the stones in each heap and then who is to move; an action is a heap, counted from 1, and how many
    stones to take from it. A win is worth 1, a loss -1. With best play the first player loses exactly if the
    exclusive or of the heaps is 0; played to lose, exactly if it is 0 and some heap has two stones or more, or
    it is 1 and none has (C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics,
    1901).
    """

    name: ClassVar[str] = "nim"
    player_names: ClassVar[tuple[str, str]] = ("first", "second")
    value_step: ClassVar[int] = 1

    heaps: tuple[int, ...] = option((3, 4, 5), "stones in each heap", minimum=0, maximum=MOST)
    misere: bool = option(False, "whether who takes the last stone loses")

    def __attrs_post_init__(self) -> None:
        if not self.heaps:
            raise OptionError("heaps cannot be empty: nim is played with one heap or more")

    def initial_state(self) -> State:
        return (*self.heaps, MAX)

    def to_move(self, state: State) -> Player:
        return state[-1]

    def actions(self, state: State) -> Iterator[Action]:
        for heap, stones in enumerate(state[:-1], start=1):
            for taken in range(1, stones + 1):
                yield heap, taken

    def result(self, state: State, action: Action) -> State:
        heap, taken = action
        return (*state[: heap - 1], state[heap - 1] - taken, *state[heap:-1], 1 - state[-1])

    def terminal_test(self, state: State) -> bool:
        return not any(state[:-1])

    def utility(self, state: State, player: Player) -> int:
        return 1 if (state[-1] == player) == self.misere else -1  # who is to move has not taken the last stone

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

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
            raise NotationError(f"{text.strip()!r} is not an action of nim: it is written as heap:stones, {right}")
        action = int(written[1]), int(written[2])
        if action not in self.actions(state):
            full = enumerate(state[:-1], start=1)
            right = ", ".join(f"{heap}:1 to {heap}:{stones}" for heap, stones in full if stones)
            legal = f"the legal actions are {right}" if right else "the game is over"
            raise IllegalActionError(f"{text.strip()} is not possible in {self.format_state(state)}: {legal}")
        return action

    def draw(self, state: State) -> str:
        heaps = [f"{heap:3}: {_stones(stones)}" for heap, stones in enumerate(state[:-1], start=1)]
        return "\n".join([*heaps, self._standing(state)])

    def scene(self, state: State) -> Scene:
        return nim_scenery.scene(self, state, self._standing(state))

    def _standing(self, state: State) -> str:
        if not self.terminal_test(state):
            return f"{self.player_names[self.to_move(state)]} to move"
        return f"{self.player_names[0 if self.utility(state, MAX) > 0 else 1]} has won"

    def compiled(self, compile: Callable[[Any], Any]) -> CompiledForm:
        return _packed(len(self.heaps), self.misere, compile)


def _stones(number: int) -> str:
    row = "o" * min(number, 30) + ("..." if number > 30 else "")
    return f"{row} ({number})" if number else "-"


def _packed(count: int, misere: bool, compile: Callable[[Any], Any]) -> CompiledForm:
    """Nim on positions (heaps, mover): all heaps are digits of one number, `bits` wide, the first heap lowest.

    An action is what it subtracts from that number. Stones that do not fit in `bits` raise OverflowError.
    """
    bits = 63 // count
    digit = (1 << bits) - 1

    @compile
    def to_move(position: tuple[int, int]) -> int:
        return position[1]

    @compile
    def actions(position: tuple[int, int]) -> Iterator[int]:
        for shift in range(0, bits * count, bits):
            for taken in range(1, (position[0] >> shift & digit) + 1):
                yield taken << shift

    @compile
    def result(position: tuple[int, int], action: int) -> tuple[int, int]:
        return position[0] - action, 1 - position[1]

    @compile
    def terminal_test(position: tuple[int, int]) -> bool:
        return position[0] == 0

    @compile
    def utility(position: tuple[int, int]) -> int:
        return 1 if (position[1] == MAX) == misere else -1

    @compile
    def bounds(position: tuple[int, int]) -> tuple[int, int]:
        return -1, 1

    def encode(state: State) -> tuple[int, int]:
        if max(state[:-1]) > digit:
            raise OverflowError(f"{max(state[:-1])} stones do not fit: {count} heaps of up to {digit} stones do")
        return sum(stones << bits * heap for heap, stones in enumerate(state[:-1])), state[-1]

    def decode(position: tuple[int, ...]) -> State:
        heaps, mover = position
        return (*(int(heaps) >> bits * heap & digit for heap in range(count)), int(mover))

    def encode_action(state: State, action: Action) -> int:
        heap, taken = action
        return taken << bits * (heap - 1)

    def decode_action(state: State, number: int) -> Action:
        heap = (int(number).bit_length() - 1) // bits
        return heap + 1, int(number) >> bits * heap

    return CompiledForm(
        encode=encode,
        decode=decode,
        to_move=to_move,
        actions=actions,
        result=result,
        terminal_test=terminal_test,
        utility=utility,
        encode_action=encode_action,
        decode_action=decode_action,
        bounds=bounds,
        ranking=ranking(count, bits, misere, compile),
    )
