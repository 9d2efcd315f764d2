"""The board of Kalah as a scene: South's houses below, North's above, each player's store on the right hand.

The cells are in the order in which South sows. A turn of several houses is a button below the board.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ggp import MAX, MIN, Cell, Scene
from ggp_kalah.notation import format_turn
from ggp_kalah.packing import Packing, State

HEIGHT = 1.4
"""Of a house, its number included."""
STORE = 1.3
"""The width of a store."""
BUTTONS = 1.25
"""From one button to the next."""


@attrs.frozen
class Choice:
    """What choosing a turn stands for."""

    action: Any
    hint: str


def scene(
    packing: Packing, state: State, names: tuple[str, str], turns: Mapping[tuple[int, ...], Choice], caption: str
) -> Scene:
    """The board of a state.

    Arguments:
        names: of South and of North.
        turns: what can be played, by the houses of the turn; nothing where the game is over.
    """
    sides = [packing.unpack(word) for word in state[:2]]
    singles = {turn[0]: choice for turn, choice in turns.items() if len(turn) == 1}
    cells: list[Cell] = []
    for player, side in enumerate(sides):
        choices = singles if player == state[2] else {}
        cells += _houses(packing, player, side, choices)
        ahead = not turns and side[-1] > sides[1 - player][-1]
        cells.append(_store(packing, player, names[player], side[-1], ahead))
    longer = {turn: choice for turn, choice in turns.items() if len(turn) > 1}
    return Scene((*cells, *_buttons(packing, state[2], longer)), caption, things=("seed", "seeds"))


def _houses(packing: Packing, player: int, side: list[int], choices: Mapping[int, Choice]) -> Iterator[Cell]:
    for house in range(packing.houses):
        letter = format_turn((house,), player)
        choice = choices.get(house)
        yield Cell(
            letter,
            x=STORE + (house if player == MAX else packing.houses - 1 - house),
            y=HEIGHT if player == MAX else 0,
            height=HEIGHT,
            shape="round",
            count=side[house],
            label=letter,
            owner=player,
            action=choice.action if choice else None,
            hint=choice.hint if choice else "",
        )


def _store(packing: Packing, player: int, name: str, seeds: int, ahead: bool) -> Cell:
    return Cell(
        f"{name}'s store",
        x=STORE + packing.houses if player == MAX else 0,
        y=0,
        width=STORE,
        height=2 * HEIGHT,
        shape="round",
        count=seeds,
        label=name,
        owner=player,
        highlighted=ahead,
    )


def _buttons(packing: Packing, mover: int, turns: Mapping[tuple[int, ...], Choice]) -> Iterator[Cell]:
    """The turns of several houses, in rows as wide as the board."""
    row = max(3, int((packing.houses + 2 * STORE) / BUTTONS))
    for place, (turn, choice) in enumerate(turns.items()):
        text, owner = format_turn(turn, mover), MAX if mover == MAX else MIN
        x, y = place % row * BUTTONS, 2 * HEIGHT + 0.75 + place // row * 0.75
        yield Cell(
            f"turn {text}",
            x,
            y,
            BUTTONS - 0.25,
            0.5,
            "button",
            text,
            owner=owner,
            action=choice.action,
            hint=choice.hint,
        )
