"""Morris: place men, then move them along the lines, and make mills."""

import functools
from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

import ggp
from ggp_morris import looks
from ggp_morris.boards import BOARDS, NOWHERE, Board, Move, Position


@attrs.frozen
class Morris:
    """Morris: three men in a row are a mill, which wins with three men and takes a man with more.

    Men are placed in turn; when all are placed, a man moves along a line to the next free point. With three men,
    whoever makes a mill has won. With six or nine, a mill takes one of the opponent's men, but no man in a mill while
    there are others. A player with fewer than three men on the board and in the hand has lost, and so has a player who
    cannot move. If the option `flying` allows it, a player with three men left may fly, that is, move to any free
    point.
    """

    name: ClassVar[str] = "morris"
    title: ClassVar[str] = "Morris"
    rules: ClassVar[str] = (
        "Place your men on free points in turn; once all are placed, move one along a line to the next free point. "
        "Three men in a row are a mill: with three men each it wins, with more it takes a man of the opponent's. "
        "Whoever cannot move, or has fewer than three men left, has lost."
    )
    player_names: ClassVar[tuple[str, str]] = ("White", "Black")
    value_step: ClassVar[int] = 1
    repetition: ClassVar[str] = "draw"

    men: int = ggp.option(3, "men of a player", choices=(3, 6, 9))
    flying: bool | None = ggp.option(None, "whether three men may fly (default: with nine men only)")
    diagonals: bool = ggp.option(True, "with three men: whether the diagonals are lines, too")
    occurrences: int = ggp.option(3, "occurrences of a position that make a draw", minimum=2, maximum=100)

    @functools.cached_property
    def board(self) -> Board:
        """The board with its points and lines."""
        return BOARDS[2 if self.men == 3 and not self.diagonals else self.men]

    @functools.cached_property
    def flies(self) -> bool:
        """Whether a player with three men may fly."""
        return self.men == 9 if self.flying is None else self.flying

    def initial_state(self) -> Position:
        return Position(0, 0, self.men, self.men, ggp.MAX)

    def to_move(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[Move]:
        own, other, hand = self._sides(state)
        free = self.board.all & ~(own | other)
        if hand:
            for end in range(self.board.points):
                if free >> end & 1:
                    for taken in self._takes(own | 1 << end, other, end):
                        yield Move(NOWHERE, end, taken)
            return
        flying = self.flies and own.bit_count() == 3
        for start in range(self.board.points):
            if own >> start & 1:
                ends = free & (self.board.all if flying else self.board.joined[start])
                for end in range(self.board.points):
                    if ends >> end & 1:
                        for taken in self._takes(own ^ (1 << start | 1 << end), other, end):
                            yield Move(start, end, taken)

    def result(self, state: Position, action: Move) -> Position:
        first, second, first_hand, second_hand, mover = state
        placed = 1 << action.end
        if action.start != NOWHERE:
            placed |= 1 << action.start
        taken = 0 if action.taken == NOWHERE else 1 << action.taken
        hand = 1 if action.start == NOWHERE else 0
        if mover == ggp.MAX:
            return Position(first ^ placed, second ^ taken, first_hand - hand, second_hand, ggp.MIN)
        return Position(first ^ taken, second ^ placed, first_hand, second_hand - hand, ggp.MAX)

    def terminal_test(self, state: Position) -> bool:
        own, other, hand = self._sides(state)
        return self._beaten(own, other, hand) or not (hand or self._can_move(own, other))

    def utility(self, state: Position, player: int) -> int:
        return -1 if player == state.mover else 1  # whoever is to move has lost

    def _sides(self, state: Position) -> tuple[int, int, int]:
        """Return the men of the player to move, those of the opponent, and the number of men in the mover's hand."""
        if state.mover == ggp.MAX:
            return state.first, state.second, state.first_hand
        return state.second, state.first, state.second_hand

    def _beaten(self, own: int, other: int, hand: int) -> bool:
        if self.men == 3:
            return any(other & mill == mill for mill in self.board.mills)
        return own.bit_count() + hand < 3

    def _can_move(self, own: int, other: int) -> bool:
        free = self.board.all & ~(own | other)
        if self.flies and own.bit_count() == 3:
            return free != 0
        return any(own >> point & 1 and free & self.board.joined[point] for point in range(self.board.points))

    def _takes(self, own: int, other: int, end: int) -> Iterator[int]:
        """Yield the points of the men that may be taken after a man has moved to `end`; -1 if none is taken."""
        if self.men == 3 or not other or not self._in_mill(own, end):
            yield NOWHERE
            return
        free = any(other >> point & 1 and not self._in_mill(other, point) for point in range(self.board.points))
        for point in range(self.board.points):
            if other >> point & 1 and not (free and self._in_mill(other, point)):
                yield point

    def _in_mill(self, men: int, point: int) -> bool:
        return any(men & mill == mill for mill in self.board.mills_at[point])

    # what a search may use

    levels: ClassVar[Mapping[str, str]] = {
        "easy": "alphabeta:depth=1,ties=random",
        "medium": "alphabeta:depth=3,ties=random",
        "hard": "alphabeta:depth=5,ties=random",
    }

    def bounds(self, state: Position) -> tuple[float, float]:
        return -1, 1

    def canonical(self, state: Position) -> Position:
        """Return the least of the positions that are symmetric to this one."""
        least_first, least_second = state.first, state.second
        for symmetry in range(len(self.board.symmetries)):
            first = self._image(symmetry, state.first)
            if first <= least_first:
                second = self._image(symmetry, state.second)
                if first < least_first or second < least_second:
                    least_first, least_second = first, second
        return state._replace(first=least_first, second=least_second)

    def _image(self, symmetry: int, men: int) -> int:
        """Return the image of these men under a symmetry of the board."""
        image, table = 0, symmetry * self.bytes << 8
        for part in range(self.bytes):
            image |= self.images[table + (part << 8) + (men >> 8 * part & 255)]
        return image

    @functools.cached_property
    def bytes(self) -> int:
        """Number of bytes for a set of all points."""
        return (self.board.points + 7) // 8

    @functools.cached_property
    def images(self) -> tuple[int, ...]:
        """For each symmetry and each byte of a set of points, the images of its 256 values."""
        table = []
        for symmetry in self.board.symmetries:
            for first in range(0, 8 * self.bytes, 8):
                images = [1 << image for image in symmetry[first : first + 8]] + [0] * 8  # no point beyond the last
                table += [sum(images[bit] for bit in range(8) if men >> bit & 1) for men in range(256)]
        return tuple(table)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        words = "men of White's less Black's, and a tenth of the points that each can move to, in the hands included"
        return {"men": ggp.Evaluation(self.material, words, bounded=True)}

    def material(self, state: Position) -> float:
        """Return the lead in men and in freedom, between -0.9 and 0.9."""
        men = state.first.bit_count() + state.first_hand - state.second.bit_count() - state.second_hand
        return 0.05 * men + 0.01 * (self._freedom(state.first, state) - self._freedom(state.second, state))

    def _freedom(self, own: int, state: Position) -> int:
        free = self.board.all & ~(state.first | state.second)
        return sum(
            (free & self.board.joined[point]).bit_count() for point in range(self.board.points) if own >> point & 1
        )

    # text and scene

    def format_state(self, state: Position) -> str:
        return looks.format_state(self, state)

    def parse_state(self, text: str) -> Position:
        return looks.parse_state(self, text)

    def format_action(self, state: Position, action: Move) -> str:
        return looks.format_action(self, action)

    def parse_action(self, state: Position, text: str) -> Move:
        return looks.parse_action(self, state, text)

    def draw(self, state: Position) -> str:
        return looks.draw(self, state)

    def scene(self, state: Position) -> ggp.Scene:
        return looks.scene(self, state)
