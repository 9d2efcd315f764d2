"""EinStein würfelt nicht: the rules, capabilities for searches, and the scene."""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp.board_game import MOVE, require_possible, shown

GONE = -1
"""The number that is stored as the cell of a captured stone."""
STEPS = ((0, 1), (1, 0), (1, 1))
"""Rows and columns of each step of MAX's stones; MIN's stones step in the opposite directions."""
BLUE, RED = "123456", "abcdef"
PIECES = {sign: (ggp.MAX, sign, "stone") for sign in BLUE}
PIECES |= {sign: (ggp.MIN, circled, "stone") for sign, circled in zip(RED, "①②③④⑤⑥", strict=True)}


class State(NamedTuple):
    """The cells of both players' stones in the order of the stones' numbers, the player to move, and the number on the
    die (0 before the roll).
    """

    blue: tuple[int, ...]
    red: tuple[int, ...]
    mover: ggp.Player
    die: int


@attrs.frozen
class Einstein(ggp.BoardGame[State, int]):
    """EinStein würfelt nicht: the die says which stone moves; whoever reaches the opponent's corner wins.

    An action of a player is three times the number of the stone (from 0) plus the number of the step. An action of
    chance is a face of the die.
    """

    name: ClassVar[str] = "einstein"
    title: ClassVar[str] = "EinStein würfelt nicht"
    rules: ClassVar[str] = (
        "Blue's numbered stones start in the upper left corner and go right, down, or both at once; Red's come to meet "
        "them. Before each move a die is rolled: the stone with that number moves. If it has been captured, the stone "
        "with the next lower or the next higher number moves. Entering a cell captures the stone there, even a "
        "stone of one's own. Whoever first reaches the opposite corner, or captures all of the other's stones, wins."
    )
    player_names: ClassVar[tuple[str, str]] = ("Blue", "Red")
    pieces = PIECES
    move_form = f"{MOVE}|[0-9]", "b2-c3, b2xc3 for a capture, or 4 for the die"

    size: int = ggp.option(5, "rows and columns of the board", minimum=2, maximum=8)
    side: int = ggp.option(
        3, "stones along each edge of a corner; 1, 2, 3 give 1, 3, 6 stones in all", minimum=1, maximum=3
    )

    stones: int = ggp.constant(lambda game: game.side * (game.side + 1) // 2)
    """Number of stones of each player, and of faces of the die."""
    last: int = ggp.constant(lambda game: game.size * game.size - 1)
    """The cell of Red's corner."""
    targets: tuple[tuple[tuple[int, ...], ...], ...] = ggp.constant(
        lambda game: tuple(tuple(game._targets(sign * down, sign * right) for down, right in STEPS) for sign in (1, -1))
    )
    """For each player, each step and each cell, the cell that a stone reaches; GONE if the stone would leave the board.
    """
    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.size, game.size))

    def __attrs_post_init__(self) -> None:
        if self.side >= self.size:
            raise ggp.OptionError(
                f"side must be less than size ({self.size}), or else the corners overlap; got {self.side}"
            )

    def _targets(self, down: int, right: int) -> tuple[int, ...]:
        every = range(self.size)
        places = ((row + down, column + right) for row in every for column in every)
        return tuple(row * self.size + column if row in every and column in every else GONE for row, column in places)

    def initial_state(self) -> State:
        blue = tuple(row * self.size + column for row in range(self.side) for column in range(self.side - row))
        return State(blue, tuple(self.last - cell for cell in blue), ggp.MAX, 0)

    def to_move(self, state: State) -> ggp.Player:
        return state.mover if state.die else ggp.CHANCE

    def movable(self, stones: tuple[int, ...], die: int) -> Iterator[int]:
        """Yield the stones that may move: the stone with the die's number, or else the stones with the next lower and
        the next higher number.
        """
        lower, higher = die - 1, die - 1
        while lower >= 0 and stones[lower] == GONE:
            lower -= 1
        while higher < self.stones and stones[higher] == GONE:
            higher += 1
        if lower >= 0:
            yield lower
        if higher < self.stones and higher != lower:
            yield higher

    def actions(self, state: State) -> Iterator[int]:
        if state.die == 0:
            for face in range(1, self.stones + 1):
                yield face
        else:
            stones = state.blue if state.mover == ggp.MAX else state.red
            for stone in self.movable(stones, state.die):
                for step in range(3):
                    if self.targets[state.mover][step][stones[stone]] != GONE:
                        yield 3 * stone + step

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for face in range(1, self.stones + 1):
            yield face, 1 / self.stones

    def result(self, state: State, action: int) -> State:
        blue, red, mover, die = state
        if die == 0:
            return State(blue, red, mover, action)
        own, other = (blue, red) if mover == ggp.MAX else (red, blue)
        stone = action // 3
        target = self.targets[mover][action % 3][own[stone]]
        own = tuple(target if k == stone else GONE if own[k] == target else own[k] for k in range(self.stones))
        other = tuple(GONE if cell == target else cell for cell in other)
        return State(own, other, ggp.MIN, 0) if mover == ggp.MAX else State(other, own, ggp.MAX, 0)

    def terminal_test(self, state: State) -> bool:
        if state.mover == ggp.MAX:  # Red has moved last
            return any(cell == 0 for cell in state.red) or all(cell == GONE for cell in state.blue)
        return any(cell == self.last for cell in state.blue) or all(cell == GONE for cell in state.red)

    def utility(self, state: State, player: ggp.Player) -> int:
        return -1 if state.mover == player else 1

    # what a search may use

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

    def steps(self, cell: int, goal: int) -> int:
        """Return the least number of steps from a cell to a corner."""
        return max(abs(goal // self.size - cell // self.size), abs(goal % self.size - cell % self.size))

    def nearest(self, stones: tuple[int, ...], goal: int) -> int:
        """Return the least number of steps from any of the stones to a corner."""
        least = self.size
        for cell in stones:
            if cell != GONE:
                least = min(least, self.steps(cell, goal))
        return least

    def rolled(self, stones: tuple[int, ...], goal: int) -> int:
        """Return the sum, over the faces of the die, of the least number of steps from a movable stone to a corner."""
        total = 0
        for face in range(1, self.stones + 1):
            least = self.size
            for stone in self.movable(stones, face):
                least = min(least, self.steps(stones[stone], goal))
            total += least
        return total

    def roll(self, state: State) -> float:
        return (self.rolled(state.red, 0) - self.rolled(state.blue, self.last)) / (self.size * self.stones)

    def race(self, state: State) -> float:
        return (self.nearest(state.red, 0) - self.nearest(state.blue, self.last)) / self.size

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        roll = "Red's average steps to its goal after the next roll, minus Blue's, divided by the rows"
        race = "the fewest steps of a red stone to its goal, minus the fewest of a blue stone, divided by the rows"
        return {
            "roll": ggp.Evaluation(self.roll, roll, bounded=True),
            "race": ggp.Evaluation(self.race, race, bounded=True),
        }

    def canonical(self, state: State) -> State:
        """Return the lesser of the board and the board with rows and columns exchanged."""
        blue, red = self.transposed(state.blue), self.transposed(state.red)
        return State(blue, red, state.mover, state.die) if (blue, red) < (state.blue, state.red) else state

    def transposed(self, stones: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(cell if cell == GONE else cell % self.size * self.size + cell // self.size for cell in stones)

    # text and scene

    def marks(self, state: State) -> list[str]:
        marks = {cell: BLUE[stone] for stone, cell in enumerate(state.blue)}
        marks |= {cell: RED[stone] for stone, cell in enumerate(state.red)}
        return [marks.get(cell, ".") for cell in range(self.grid.size)]

    def format_state(self, state: State) -> str:
        return f"{self.grid.format_board(self.marks(state))} {('blue', 'red')[state.mover]} {state.die or '-'}"

    def parse_state(self, text: str) -> State:
        matched = re.fullmatch(rf"(\S+) (blue|red) ([1-{self.stones}]|-)", text.strip(), re.ASCII)
        if not matched:
            example = self.format_state(self.initial_state())
            raise ggp.NotationError(f"{shown(text)} is not a position: write board, player and die like {example}")
        signs = BLUE[: self.stones] + RED[: self.stones]
        marks = self.grid.parse_board(matched[1], signs + ".")
        require_possible(text, all(marks.count(sign) <= 1 for sign in signs), "a stone is on the board twice")
        cells = [marks.index(sign) if sign in marks else GONE for sign in signs]
        blue, red = tuple(cells[: self.stones]), tuple(cells[self.stones :])
        mover, die = ("blue", "red").index(matched[2]), int(matched[3]) if matched[3] != "-" else 0
        state = State(blue, red, mover, die)
        was_over = self.terminal_test(State(blue, red, 1 - mover, 0)) or (die > 0 and self.terminal_test(state))
        require_possible(text, not was_over, "the game was over before the last move")
        return state

    def where(self, state: State, action: int) -> tuple[int, int] | None:
        if state.die == 0:
            return None
        start = (state.blue, state.red)[state.mover][action // 3]
        return start, self.targets[state.mover][action % 3][start]

    def scene(self, state: State) -> ggp.Scene:
        scene = self.board_scene(state, below=ggp.MIN, material="wood")
        face = str(state.die) if state.die else ""
        die = ggp.Cell("die", self.size + 0.5, 0, 1, 1, "die", face, owner=state.mover)
        scene = attrs.evolve(scene, cells=(*scene.cells, die))
        if not state.die and self.terminal_test(state):
            return scene
        told = f"to move, the die shows {state.die}" if state.die else "to roll the die"
        return attrs.evolve(scene, caption=f"{self.player_names[state.mover]} {told}")
