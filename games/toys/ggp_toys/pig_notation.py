"""Text for Pig: `12:7 +5 turn 4` is the points of both, the points at stake and the turn, counted from 1.

The first player has the odd turns. `rolling` follows where the die is about to fall.
"""

import re
from typing import TYPE_CHECKING

from ggp import MAX, IllegalActionError, NotationError

if TYPE_CHECKING:
    from ggp_toys.pig import Pig, State

WORDS = ("roll", "hold")
BAR = 30
"""Characters that stand for the whole way to the goal."""


def format_state(state: "State") -> str:
    first, second, stake, turn, rolling = state
    return f"{first}:{second} +{stake} turn {turn + 1}" + (" rolling" if rolling else "")


def parse_state(game: "Pig", text: str) -> "State":
    """The state that `text` stands for.

    Raises:
        NotationError: it is written otherwise, or no such state can come up.
    """
    digits = r"(\d{1,5})"
    pattern = rf"\s*{digits}\s*:\s*{digits}\s+\+{digits}\s+turn\s+{digits}(\s+rolling)?\s*"
    written = re.fullmatch(pattern, text, re.ASCII | re.IGNORECASE)
    if not written:
        shape = "the points of both, those at stake and the turn, like 12:7 +5 turn 4, and rolling if the die is"
        raise NotationError(f"{text!r} is not a state of pig: it is written as {shape}")
    first, second, stake, turn = (int(number) for number in written.groups()[:4])
    state = (first, second, stake, turn - 1, 1 if written[5] else 0)
    wrong = _impossible(game, state)
    if wrong:
        raise NotationError(f"{text!r} cannot come up: {wrong}")
    return state


def _impossible(game: "Pig", state: "State") -> str | None:
    """Why this state cannot come up in the game; None if it can."""
    first, second, stake, turn, rolling = state
    if not 0 <= turn <= game.turns:
        return f"the turns are 1 to {game.turns}, and {game.turns + 1} when all are over"
    if first >= game.goal and second >= game.goal:
        return f"only one player can reach the goal of {game.goal}"
    most = game.goal + game.sides - 1
    if max(first, second) > most:
        return f"a game to {game.goal} ends with {most} points at the most"
    if game.terminal_test(state) and (stake or rolling):
        return "the game is over, so nothing is at stake and no die is rolling"
    if stake == 1:
        return "a turn's points are at least 2"
    if stake and (first, second)[turn % 2] + stake >= game.goal:
        return f"with these points at stake the goal of {game.goal} is reached and the turn is over"
    return None


def format_action(state: "State", action: int) -> str:
    return str(action) if state[4] else WORDS[action]


def parse_action(game: "Pig", state: "State", text: str) -> int:
    """The action or the face of the die that `text` names.

    Raises:
        NotationError: it is neither.
        IllegalActionError: it cannot be done in `state`.
    """
    word = text.strip().lower()
    faces = [str(face) for face in range(1, game.sides + 1)]
    if word not in WORDS and word not in faces:
        raise NotationError(f"{text.strip()!r} is not an action of pig: roll, hold, or 1 to {game.sides} for the die")
    if game.terminal_test(state):
        raise IllegalActionError(f"{word} is not possible in {format_state(state)}: the game is over")
    legal = {format_action(state, action): action for action in game.actions(state)}
    if word not in legal:
        raise IllegalActionError(f"{word} is not possible in {format_state(state)}: possible is {', '.join(legal)}")
    return legal[word]


def draw(game: "Pig", state: "State") -> str:
    """Both ways to the goal as bars, the points at stake, and whose turn it is."""
    first, second, stake, turn, _ = state
    stakes = (stake, 0) if turn % 2 == MAX else (0, stake)
    rows = zip(game.player_names, (first, second), stakes, strict=True)
    bars = [f"{name:7}{_bar(game, points, risk)} {_points(points, risk)} of {game.goal}" for name, points, risk in rows]
    return "\n".join([*bars, standing(game, state)])


def _bar(game: "Pig", points: int, risk: int) -> str:
    solid, faint = (min(BAR, BAR * number // game.goal) for number in (points, points + risk))
    return f"[{'#' * solid}{'?' * (faint - solid)}{' ' * (BAR - faint)}]"


def _points(points: int, risk: int) -> str:
    return f"{points} + {risk}" if risk else f"{points}"


def standing(game: "Pig", state: "State") -> str:
    """Whose turn it is and what they do, or how the game ended."""
    first, second, stake, turn, rolling = state
    if game.terminal_test(state):
        return "first has won" if first >= game.goal else "second has won" if second >= game.goal else "a draw"
    mover = game.player_names[turn % 2]
    does = "has rolled the die" if rolling else "is to roll or hold" if stake else "is to roll"
    return f"turn {turn + 1} of {game.turns}: {mover} {does}"
