"""The board of Kalah as a drawing and as a scene, and the effects of moves in words.

South sits below and sows to the right; North sits above and sows to the left. Each player's store is at their right
hand. So the seeds go around counter-clockwise, and opposite houses face each other.
"""

from collections.abc import Iterator, Mapping

import attrs

from ggp import MAX, MIN, Cell, Scene
from ggp_kalah.notation import format_turn
from ggp_kalah.rules import KalahRules, State


def draw(game: KalahRules, state: State, caption: str) -> str:
    """Return the board with the letters of the houses and the stores' owners, and the caption below it."""
    south, north = game.unpack(state[0]), game.unpack(state[1])
    digits = max(len(str(seeds)) for seeds in south + north)
    width = max(5 if game.houses < 12 else 4, digits + 1)  # so that 12 houses fit into 80 columns
    line = "+".join(["", *["-" * width] * (game.houses + 2), ""])
    between = line[width + 1 : -width - 1]
    *south_houses, south_store = (_centred(str(seeds), width) for seeds in south)
    *north_houses, north_store = (_centred(str(seeds), width) for seeds in north)
    letters = [[format_turn((house,), mover).center(width) for house in range(game.houses)] for mover in (0, 1)]
    blank, wall = " " * width, "|"
    rows = [
        "North".center(width + 2) + " ".join(reversed(letters[1])),
        line,
        wall.join(["", blank, *reversed(north_houses), blank, ""]),
        wall + north_store + between + south_store + wall,
        wall.join(["", blank, *south_houses, blank, ""]),
        line,
        " " * (width + 2) + " ".join(letters[0]) + "South".center(width + 2),
        caption,
    ]
    return "\n".join(row.rstrip() for row in rows)


def _centred(number: str, width: int) -> str:
    """Return a number, centred in `width` characters. Of two digits, the last one is centred, so that numbers line
    up.
    """
    return number.center(width) if len(number) > 2 else f"{number}{' ' * (width // 2)}".rjust(width)


def explain(game: KalahRules, state: State, houses: tuple[int, ...]) -> str:
    """Return in words the effect of playing these houses in sequence: sowing, extra turns, captures, the end."""
    told = []
    for house in houses:
        told.append(", ".join(_clauses(game, state, house)))
        state = game.play(state, house)
    return "; then ".join(told)


def _clauses(game: KalahRules, state: State, house: int) -> Iterator[str]:
    mover = state[2]
    seeds = game.seeds_in(state[mover], house)
    over = game.terminal_test(game.play(state, house))
    yield f"sows {seeds} seed{'' if seeds == 1 else 's'} from {format_turn((house,), mover)}"
    captured = game.captured(state[mover], state[1 - mover], house)
    if captured:
        yield f"captures {captured}"
    elif game.ends_in_store(state[mover], house):
        yield "ends in the store" if over else "ends in the store: an extra turn"
    if over:
        yield "and ends the game"


HEIGHT = 1.4
"""Height of a house in the scene, including the house's number."""
STORE = 1.3
"""The width of a store."""
BUTTONS = 1.25
"""Distance between the left edges of two buttons."""


@attrs.frozen
class Choice:
    """The moves that make up one turn that a person has chosen."""

    action: int
    hint: str


def scene(
    game: KalahRules, state: State, names: tuple[str, str], turns: Mapping[tuple[int, ...], Choice], caption: str
) -> Scene:
    """Return the board as cells in the order in which South sows. A turn of several houses is a button below the board.

    Arguments:
        names: the names of South and North.
        turns: for the houses of each turn, in sequence, the action that plays them; empty if the game is over.
    """
    sides = [game.unpack(word) for word in state[:2]]
    singles = {turn[0]: choice for turn, choice in turns.items() if len(turn) == 1}
    cells: list[Cell] = []
    for player, side in enumerate(sides):
        choices = singles if player == state[2] else {}
        cells += _houses(game, player, side, choices)
        ahead = not turns and side[-1] > sides[1 - player][-1]
        cells.append(_store(game, player, names[player], side[-1], ahead))
    longer = {turn: choice for turn, choice in turns.items() if len(turn) > 1}
    scores = sides[0][-1], sides[1][-1]
    cells += _buttons(game, state[2], longer)
    return Scene(tuple(cells), caption, things=("seed", "seeds"), below=MAX, scores=scores)


def _houses(game: KalahRules, player: int, side: list[int], choices: Mapping[int, Choice]) -> Iterator[Cell]:
    for house in range(game.houses):
        letter = format_turn((house,), player)
        choice = choices.get(house)
        yield Cell(
            letter,
            x=STORE + (house if player == MAX else game.houses - 1 - house),
            y=HEIGHT if player == MAX else 0,
            height=HEIGHT,
            shape="round",
            count=side[house],
            label=letter,
            owner=player,
            action=choice.action if choice else None,
            hint=choice.hint if choice else "",
        )


def _store(game: KalahRules, player: int, name: str, seeds: int, ahead: bool) -> Cell:
    return Cell(
        f"{name}'s store",
        x=STORE + game.houses if player == MAX else 0,
        y=0,
        width=STORE,
        height=2 * HEIGHT,
        shape="round",
        count=seeds,
        label=name,
        owner=player,
        highlighted=ahead,
    )


def _buttons(game: KalahRules, mover: int, turns: Mapping[tuple[int, ...], Choice]) -> Iterator[Cell]:
    """Yield buttons for the turns that sow from several houses, in rows as wide as the board."""
    row = max(3, int((game.houses + 2 * STORE) / BUTTONS))
    for index, (turn, choice) in enumerate(turns.items()):
        text, owner = format_turn(turn, mover), MAX if mover == MAX else MIN
        x, y = index % row * BUTTONS, 2 * HEIGHT + 0.75 + index // row * 0.75
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
