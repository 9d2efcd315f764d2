"""Awari (oware): sow seeds round the board, and capture twos and threes."""

import functools
import math
import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp.board_game import shown, standing
from ggp.engine_dialect import Dialect

HOUSES = 6
"""Number of houses of a side. House 0 is South's first house, and house 6 is North's first; seeds are sown from lower
numbers to higher ones.
"""
HEIGHT = 1.4
"""Height of a house in the scene, including the house's number."""
STORE = 1.3
"""The width of a store."""
GRAND_SLAMS = ("nothing", "capture", "forbidden")
REPETITIONS = ("split", "own")


class Position(NamedTuple):
    """The seeds in the twelve houses and in the two stores, and the player to move."""

    houses: tuple[int, ...]
    south: int
    north: int
    mover: int


@attrs.frozen
class Awari:
    """Awari: sow seeds round the board; capture them from an opponent's house that then has two or three seeds.

    Sowing skips the house where it began. If the last house is the opponent's and now has two or three seeds, these are
    captured. Then the house before it on that side is captured if it has two or three seeds, and so on. A player whose
    opponent has no seeds must give some. The game ends when a player cannot move; each player then gets the seeds on
    their own side. The utility is South's seeds minus North's.

    A move that would capture all of the opponent's seeds is a grand slam. Depending on a parameter, such a move
    captures nothing, or captures all, or is forbidden. A repetition ends the game: the seeds on the board are split
    evenly, or each player gets those on their own side.
    """

    name: ClassVar[str] = "awari"
    title: ClassVar[str] = "Awari"
    rules: ClassVar[str] = (
        "Choose one of your houses: its seeds are sown one by one into the houses that follow, counter-clockwise; "
        "the house itself is left out. If the last seed falls into a house of the opponent, and this house now has "
        "two or three seeds, they are captured. Then the house before it on that side is captured if it has two or "
        "three seeds, and so on. If the opponent has no seeds, you must give some. The game ends when a player "
        "cannot move; each player then gets the seeds on their own side. Whoever has more seeds wins."
    )
    player_names: ClassVar[tuple[str, str]] = ("South", "North")

    seeds: int = ggp.option(4, "seeds in each house at the start", minimum=0, maximum=20)
    grand_slam: str = ggp.option("nothing", "what happens when a move would capture all seeds", choices=GRAND_SLAMS)
    repeated: str = ggp.option("split", "who gets the remaining seeds when a position is repeated", choices=REPETITIONS)
    occurrences: int = ggp.option(2, "the game ends when a position occurs this many times", minimum=2, maximum=100)

    def initial_state(self) -> Position:
        n = self.seeds
        return Position((n, n, n, n, n, n, n, n, n, n, n, n), 0, 0, ggp.MAX)

    def to_move(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[int]:
        """Yield the houses that may be sown: 0 to 5, counted on the side of the player to move."""
        first, hungry = HOUSES * state.mover, self._is_hungry(state)
        for house in range(HOUSES):
            seeds = state.houses[first + house]
            feeds = seeds >= HOUSES - house
            if seeds and (feeds or not hungry) and not (self.grand_slam == "forbidden" and self._slams(state, house)):
                yield house

    def result(self, state: Position, action: int) -> Position:
        houses, last = sown(state.houses, HOUSES * state.mover + action)
        after, captured = taken(houses, last, HOUSES * (1 - state.mover))
        if captured and self.grand_slam == "nothing" and not any_seeds(after, HOUSES * (1 - state.mover)):
            after, captured = houses, 0
        if state.mover == ggp.MAX:
            return Position(after, state.south + captured, state.north, ggp.MIN)
        return Position(after, state.south, state.north + captured, ggp.MAX)

    def terminal_test(self, state: Position) -> bool:
        return not any(True for _ in self.actions(state))

    def utility(self, state: Position, player: int) -> int:
        lead = self.score(state) + side(state.houses, 0) - side(state.houses, HOUSES)
        return lead if player == ggp.MAX else -lead

    def repetition(self, state: Position) -> int:
        """See `ggp.game.Repeating`."""
        own = side(state.houses, 0) - side(state.houses, HOUSES) if self.repeated == "own" else 0
        return self.score(state) + own

    @property
    def repetition_rule(self) -> str:
        """See `ggp.game.Repeating`."""
        if self.repeated == "own":
            return "each player gets the seeds on their own side"
        return "the seeds left are shared"

    def _is_hungry(self, state: Position) -> bool:
        """Return whether the opponent of the player to move has no seeds on the board."""
        return not any_seeds(state.houses, HOUSES * (1 - state.mover))

    def _slams(self, state: Position, house: int) -> bool:
        houses, last = sown(state.houses, HOUSES * state.mover + house)
        after, captured = taken(houses, last, HOUSES * (1 - state.mover))
        return captured > 0 and not any_seeds(after, HOUSES * (1 - state.mover))

    # what searching and solving need

    def score(self, state: Position) -> int:
        return state.south - state.north

    def key(self, state: Position) -> tuple[tuple[int, ...], int]:
        return state.houses, state.mover

    def bounds(self, state: Position) -> tuple[float, float]:
        lead, left = self.score(state), sum(state.houses)
        return lead - left, lead + left

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        return {"lead": ggp.Evaluation(self.score, "seeds in South's store minus seeds in North's store", True, True)}

    def suggest(self, state: Position, action: int) -> int:
        after = self.result(state, action)
        return after.south - state.south + after.north - state.north

    def layer(self, state: Position) -> int:
        """Return the number of seeds in the houses.

        Captures lead to a lower layer; all other moves stay in the layer.
        """
        return sum(state.houses)

    def positions(self, layer: int) -> int:
        """Return the number of positions in the layer; the stores and the player to move make no difference."""
        return math.comb(layer + 2 * HOUSES - 1, 2 * HOUSES - 1)

    def turned(self, state: Position) -> Position:
        """Return the position with the sides swapped: South's houses, store and turn become North's."""
        houses = tuple(state.houses[(house + HOUSES) % (2 * HOUSES)] for house in range(2 * HOUSES))
        return Position(houses, state.north, state.south, 1 - state.mover)

    def rank(self, state: Position) -> int:
        """Return the number of a position in its layer, from 0. The number does not depend on the player to move, nor
        on the stores.
        """
        own = HOUSES * state.mover
        rank, left = 0, sum(state.houses)
        for house in range(2 * HOUSES - 1):
            seeds = state.houses[(own + house) % (2 * HOUSES)]
            # positions with fewer seeds in this house come first: n seeds can lie in k houses in C(n+k-1, k-1) ways
            row = self.row * (2 * HOUSES - house)
            rank += self.ways[row + left + 1] - self.ways[row + left - seeds + 1]
            left -= seeds
        return rank

    def unrank(self, layer: int, rank: int) -> Position:
        """Return the position that has the number `rank` in its layer, with South to move and empty stores."""
        houses: tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        left = layer
        for house in range(2 * HOUSES - 1):
            row, seeds = self.row * (2 * HOUSES - house), 0
            while self.ways[row + left + 1] - self.ways[row + left - seeds] <= rank:
                seeds += 1
            rank -= self.ways[row + left + 1] - self.ways[row + left - seeds + 1]
            left -= seeds
            houses = tuple(seeds if index == house else each for index, each in enumerate(houses))
        houses = tuple(left if index == 2 * HOUSES - 1 else each for index, each in enumerate(houses))
        return Position(houses, 0, 0, ggp.MAX)

    @functools.cached_property
    def row(self) -> int:
        """The number of entries in a row of `ways`."""
        return 2 * HOUSES * self.seeds + 2

    @functools.cached_property
    def ways(self) -> tuple[int, ...]:
        """In row k, at index n: the number of ways to distribute fewer than n seeds over k - 1 houses, C(n + k - 2, k -
        1).
        """
        rows = range(1, 2 * HOUSES + 1)
        return (0,) * self.row + tuple(math.comb(n + k - 2, k - 1) if n else 0 for k in rows for n in range(self.row))

    # what it looks like

    def format_state(self, state: Position) -> str:
        """Return South's houses, South's store, North's houses, North's store and the player to move."""
        south, north = (",".join(map(str, state.houses[first : first + HOUSES])) for first in (0, HOUSES))
        return f"<{south};{state.south};{north};{state.north}> {'SN'[state.mover]}"

    def parse_state(self, text: str) -> Position:
        matched = re.fullmatch(r"<((?:\d+,){5}\d+);(\d+);((?:\d+,){5}\d+);(\d+)> ?([SN])", text.strip(), re.ASCII)
        example = self.format_state(self.initial_state())
        if not matched or len(text) > 100:
            raise ggp.NotationError(f"{shown(text)} is not a position of awari: write one like {example}")
        houses = [int(each) for each in (*matched[1].split(","), *matched[3].split(","))]
        south, north, all_seeds = int(matched[2]), int(matched[4]), 2 * HOUSES * self.seeds
        if sum(houses) + south + north != all_seeds:
            counted = sum(houses) + south + north
            raise ggp.NotationError(
                f"{shown(text)} has {counted} seeds, and this game has {all_seeds}, as in {example}"
            )
        a, b, c, d, e, f, g, h, i, j, k, m = houses
        return Position((a, b, c, d, e, f, g, h, i, j, k, m), south, north, "SN".index(matched[5]))

    def format_action(self, state: Position, action: int) -> str:
        return ("ABCDEF" if state.mover == ggp.MAX else "abcdef")[action]

    def parse_action(self, state: Position, text: str) -> int:
        house = "abcdef".find(text.strip().lower())
        if house < 0 or len(text.strip()) != 1:
            raise ggp.NotationError(f"{shown(text)} is not a move: a move is the letter of a house, A to F")
        legal = [*self.actions(state)]
        if house not in legal:
            listed = ", ".join(self.format_action(state, each) for each in legal) or "none: the game is over"
            where = self.format_state(state)
            raise ggp.IllegalActionError(f"{text.strip()} cannot be sown in {where}: the moves are {listed}")
        return house

    def dialect(self, protocol: str) -> Dialect | None:
        """Return the letters that OpenSpiel uses for actions, if OpenSpiel has the rules of this game.

        OpenSpiel ends a game once a player has more than half of the seeds, and gives each player the seeds on their
        own side when a position is repeated.
        """
        if protocol != "openspiel" or self.seeds == 0 or (self.grand_slam, self.occurrences) != ("nothing", 2):
            return None
        return Dialect(variant=f"oware(num_seeds_per_house={self.seeds})", action=self.format_action)

    def explain(self, state: Position, action: int) -> str:
        seeds = state.houses[HOUSES * state.mover + action]
        captured = self.suggest(state, action)
        return f"sows {seeds} seed{'s' if seeds > 1 else ''}" + (f" and captures {captured}" if captured else "")

    def draw(self, state: Position) -> str:
        north = "  ".join(f"{seeds:2}" for seeds in reversed(state.houses[HOUSES:]))
        south = "  ".join(f"{seeds:2}" for seeds in state.houses[:HOUSES])
        return (
            f"        f   e   d   c   b   a\n      {north}\n{state.north:4}{' ' * 26}{state.south:4}\n      {south}\n"
            "        A   B   C   D   E   F"
        )

    def scene(self, state: Position) -> ggp.Scene:
        legal = set(self.actions(state))
        cells = []
        for house, seeds in enumerate(state.houses):
            owner, number = divmod(house, HOUSES)
            letter = ("ABCDEF", "abcdef")[owner][number]
            action = number if owner == state.mover and number in legal else None
            cells.append(
                ggp.Cell(
                    letter,
                    STORE + (number if owner == 0 else HOUSES - 1 - number),
                    HEIGHT * (1 - owner),
                    height=HEIGHT,
                    shape="round",
                    count=seeds,
                    label=letter,
                    owner=owner,
                    action=action,
                    hint="" if action is None else f"sow {letter}",
                )
            )
        for owner, (x, seeds) in enumerate(((STORE + HOUSES, state.south), (0.0, state.north))):
            player = self.player_names[owner]
            store = ggp.Cell(f"{player}'s store", x, 0, STORE, 2 * HEIGHT, "round", count=seeds, label=player)
            cells.append(attrs.evolve(store, owner=owner))
        scores = state.south, state.north
        caption = standing(self, state, scores)
        return ggp.Scene(tuple(cells), caption, things=("seed", "seeds"), below=ggp.MAX, scores=scores)


def sown(houses: tuple[int, ...], start: int) -> tuple[tuple[int, ...], int]:
    """Return the houses after sowing all seeds of `start`, and the last house."""
    seeds = houses[start]
    rounds, rest = divmod(seeds, 2 * HOUSES - 1)
    after = tuple(
        0 if house == start else count + rounds + (1 if (house - start) % (2 * HOUSES) <= rest else 0)
        for house, count in enumerate(houses)
    )
    last = (start + rest) % (2 * HOUSES) if rest else (start - 1) % (2 * HOUSES)
    return after, last


def taken(houses: tuple[int, ...], last: int, first: int) -> tuple[tuple[int, ...], int]:
    """Return the houses after the capture, and the number of captured seeds.

    Arguments:
        last: the house that got the last seed.
        first: the opponent's first house.
    """
    captured = 0
    house = last
    while first <= house < first + HOUSES and 2 <= houses[house] <= 3:
        captured += houses[house]
        house -= 1
    return tuple(0 if house < index <= last else count for index, count in enumerate(houses)), captured


def side(houses: tuple[int, ...], first: int) -> int:
    """Return the number of seeds on the side whose first house is `first`."""
    return sum(houses[house] for house in range(first, first + HOUSES))


def any_seeds(houses: tuple[int, ...], first: int) -> bool:
    """Return whether a side has seeds."""
    return any(houses[house] for house in range(first, first + HOUSES))
