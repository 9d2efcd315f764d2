"""Morris: place men, then move them along the lines, and make mills."""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp import Bits
from ggp.board_game import BoardPlace, marked, require_possible, shown
from ggp_morris.boards import board

NOWHERE = -1
"""Stands for no point."""


class Position(NamedTuple):
    """The men on the board and in the hands, and the player to move."""

    first: Bits
    """The points with MAX's men."""
    second: Bits
    """The points with MIN's men."""
    first_hand: int
    """Number of men that MAX has not placed yet."""
    second_hand: int
    mover: int


class Move(NamedTuple):
    """A man that is placed or moved, and a man that is taken, if there is one."""

    start: int
    """The point that the man leaves; -1 for a man from the hand."""
    end: int
    taken: int = NOWHERE
    """The point of the man that is taken; -1 if no man is taken."""


@attrs.frozen
class Morris(ggp.BoardGame[Position, Move]):
    """Morris: three men in a row are a mill; with three men each, a mill wins; with more men, it takes a man.

    Men are placed in turn; when all are placed, a man moves along a line to the next free point. With three men,
    whoever makes a mill has won. With more men, a mill takes one of the opponent's men. A man in a mill may be taken
    only if there are no other men. A player with fewer than three men on the board and in the hand has lost, and so has
    a player who cannot move. But if twelve men of each player fill the board, the game is a draw. If the option
    `flying` allows it, a player with three men left may fly, that is, move to any free point.
    """

    name: ClassVar[str] = "morris"
    title: ClassVar[str] = "Morris"
    rules: ClassVar[str] = (
        "Place your men on free points in turn; once all are placed, move one along a line to the next free point. "
        "Three men in a row are a mill: with three men each it wins, with more it takes a man of the opponent's. "
        "Whoever cannot move, or has fewer than three men left, has lost."
    )
    player_names: ClassVar[tuple[str, str]] = ("White", "Black")
    repetition: ClassVar[str] = "draw"
    pieces: ClassVar = {"W": (ggp.MAX, "○", "man"), "B": (ggp.MIN, "●", "man")}
    move_form = r"([a-g][1-7]-)?[a-g][1-7](x[a-g][1-7])?", "a1, a1-b1 or a1xb2"

    men: int = ggp.option(3, "men of a player", choices=(3, 6, 9, 12))
    flying: bool | None = ggp.option(None, "whether three men may fly (default: with nine or twelve men)")
    diagonals: bool = ggp.option(True, "whether the diagonals are lines, too; only used with three men")
    occurrences: int = ggp.option(
        3, "the game is a draw when a position occurs this many times", minimum=2, maximum=100
    )

    points: ggp.Points = ggp.constant(lambda game: board(game.men, game.diagonals))
    """The board, with its points and lines."""
    grid: ggp.Points = ggp.constant(lambda game: game.points)
    flies: bool = ggp.constant(lambda game: game.men >= 9 if game.flying is None else game.flying)
    """Whether a player with three men may fly, that is, move to any free point."""

    def initial_state(self) -> Position:
        return Position(Bits(), Bits(), self.men, self.men, ggp.MAX)

    def to_move(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[Move]:
        own, other, hand = self._sides(state)
        free = self.points.board - own - other
        if hand:
            for end in free:
                for taken in self._takes(own.including(end), other, end):
                    yield Move(NOWHERE, end, taken)
            return
        flying = self.flies and len(own) == 3
        for start in own:
            for end in free if flying else free & self.points.joined[start]:
                for taken in self._takes(own.excluding(start).including(end), other, end):
                    yield Move(start, end, taken)

    def result(self, state: Position, action: Move) -> Position:
        own, other, hand = self._sides(state)
        own = own.including(action.end)
        if action.start == NOWHERE:
            hand -= 1
        else:
            own = own.excluding(action.start)
        if action.taken != NOWHERE:
            other = other.excluding(action.taken)
        if state.mover == ggp.MAX:
            return Position(own, other, hand, state.second_hand, ggp.MIN)
        return Position(other, own, state.first_hand, hand, ggp.MAX)

    def terminal_test(self, state: Position) -> bool:
        own, other, hand = self._sides(state)
        return self._beaten(own, other, hand) or not (hand or self._can_move(own, other))

    def utility(self, state: Position, player: int) -> int:
        if self.men == 12 and state.first | state.second == self.points.board:
            return 0  # nobody can move
        return -1 if player == state.mover else 1  # whoever is to move has lost

    def _sides(self, state: Position) -> tuple[Bits, Bits, int]:
        """Return the men of the player to move, the opponent's men, and the number of men in the mover's hand."""
        if state.mover == ggp.MAX:
            return state.first, state.second, state.first_hand
        return state.second, state.first, state.second_hand

    def _beaten(self, own: Bits, other: Bits, hand: int) -> bool:
        if self.men == 3:
            return any(mill & other == mill for mill in self.points.threes)
        return len(own) + hand < 3

    def _can_move(self, own: Bits, other: Bits) -> bool:
        free = self.points.board - own - other
        if self.flies and len(own) == 3:
            return bool(free)
        return any(free & self.points.joined[point] for point in own)

    def _takes(self, own: Bits, other: Bits, end: int) -> Iterator[int]:
        """Yield the points of the men that may be taken after a man has moved to `end`; -1 if no man is taken."""
        if self.men == 3 or not other or not self._in_mill(own, end):
            yield NOWHERE
            return
        only_mills = all(self._in_mill(other, point) for point in other)
        for point in other:
            if only_mills or not self._in_mill(other, point):
                yield point

    def _in_mill(self, men: Bits, point: int) -> bool:
        return any(men & mill == mill for mill in self.points.threes_at[point])

    # what a search may use

    def bounds(self, state: Position) -> tuple[float, float]:
        return -1, 1

    def canonical(self, state: Position) -> Position:
        """Return the least of the positions that are symmetric to this one."""
        least_first, least_second = state.first, state.second
        for symmetry in range(len(self.points.symmetries)):
            first = self.points.image(symmetry, state.first)
            if not least_first < first:
                second = self.points.image(symmetry, state.second)
                if first < least_first or second < least_second:
                    least_first, least_second = first, second
        return state._replace(first=least_first, second=least_second)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "the lead in men on the board and in hand, plus a fifth of the lead in free neighbouring points"
        return {"men": ggp.Evaluation(self.material, meaning, bounded=True)}

    def material(self, state: Position) -> float:
        """Return MAX's lead in men and in freedom, between -0.9 and 0.9."""
        men = len(state.first) + state.first_hand - len(state.second) - state.second_hand
        return 0.05 * men + 0.01 * (self._freedom(state.first, state) - self._freedom(state.second, state))

    def _freedom(self, own: Bits, state: Position) -> int:
        free = self.points.board - state.first - state.second
        return sum(len(free & self.points.joined[point]) for point in own)

    # text and scene

    def format_state(self, state: Position) -> str:
        return f"{super().format_state(state)} {state.first_hand} {state.second_hand}"

    def parse_state(self, text: str) -> Position:
        matched = re.fullmatch(r"(.+) ([0-9]{1,2}) ([0-9]{1,2})", text.strip(), re.ASCII)
        if not matched:
            example = self.format_state(self.initial_state())
            raise ggp.NotationError(f"{shown(text)} does not say how many men are in the hands: write {example}")
        marks, mover = self.parse_marks(matched[1].upper())
        first, second = marked(marks, "W"), marked(marks, "B")
        hands = int(matched[2]), int(matched[3])
        most = max(hands[0] + len(first), hands[1] + len(second))
        require_possible(text, most <= self.men, f"a player has {self.men} men on the board and in the hand")
        in_turn = hands == (0, 0) or hands[0] == hands[1] - mover
        require_possible(text, in_turn, "men are placed in turn, White first")
        return Position(first, second, hands[0], hands[1], mover)

    def format_action(self, state: Position, action: Move) -> str:
        """Return the point of a placed man, or both points of a moved man, and the point of a taken man: "a1-d1xg4"."""
        start = "" if action.start == NOWHERE else f"{self.points.name(action.start)}-"
        taken = "" if action.taken == NOWHERE else f"x{self.points.name(action.taken)}"
        return f"{start}{self.points.name(action.end)}{taken}"

    def where(self, state: Position, action: Move) -> BoardPlace:
        return action.end if action.start == NOWHERE else (action.start, action.end)

    def hands(self, state: Position) -> str:
        return f"in hand: White {state.first_hand}, Black {state.second_hand}"

    def draw(self, state: Position) -> str:
        board = self.points.draw(self.marks(state))
        return f"{board}\n{self.hands(state)}" if state.first_hand + state.second_hand else board

    def scene(self, state: Position) -> ggp.Scene:
        scene = self.board_scene(state)
        width = max(cell.x + cell.width for cell in scene.cells)
        hands = (
            ggp.Cell(f"{name}'s hand", owner * (width + 0.4) / 2, -1.2, (width - 0.4) / 2, 0.8, "tray", owner=owner)
            for owner, name in enumerate(self.player_names)
        )
        men = state.first_hand, state.second_hand
        filled = (attrs.evolve(each, piece="man", count=count) for each, count in zip(hands, men, strict=True))
        return attrs.evolve(scene, cells=(*scene.cells, *filled), things=("man", "men"))
