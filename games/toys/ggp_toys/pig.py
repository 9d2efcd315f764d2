"""Pig for people: `12:7 +5 turn 4` gives the points of both players, the points at stake, and the number of the turn,
counted from 1.

The first player has the odd turns. The word `rolling` is added while the die is being rolled.
"""

import re
from collections.abc import Iterator
from typing import ClassVar

import attrs

from ggp import MAX, MIN, Cell, IllegalActionError, NotationError, Scene
from ggp_toys.pig_rules import PigRules, State

WORDS = ("roll", "hold")
HINTS = ("roll the die", "hold, and keep the points at stake")
BAR = 30
"""Maximum number of characters of a bar, which stands for the points from 0 to the goal."""
WIDTH = 6.0
"""Width of the scene."""
POINTS = 2.0
"""Width of the field with a player's points."""
HEIGHT = 2.25
BUTTON = 2.0
"""Width of a button, and of the space beside it."""
ROW = 6
"""Number of faces of the die that are shown side by side."""


@attrs.frozen
class Pig(PigRules):
    """Pig: roll as often as you dare; a 1 loses the turn's points, holding keeps them; first at the goal wins.

    Each turn begins with a roll. A turn that reaches the goal wins at once. If `turns` is given, the game is a draw
    after that many turns without a winner. A win has the value 1, a loss -1, a draw 0.
    """

    name: ClassVar[str] = "pig"
    title: ClassVar[str] = "Pig"
    rules: ClassVar[str] = (
        "Roll the die as often as you dare: each roll adds to the points of the turn, but a 1 loses them all and "
        "ends the turn. Hold to keep them. Whoever reaches the goal first wins."
    )

    def format_state(self, state: State) -> str:
        first, second, stake, turn, rolling = state
        return f"{first}:{second} +{stake} turn {turn + 1}" + (" rolling" if rolling else "")

    def parse_state(self, text: str) -> State:
        """Return the state that `text` describes.

        Raises:
            NotationError: the text is not a state's notation, or the state cannot occur.
        """
        digits = r"(\d{1,5})"
        pattern = rf"\s*{digits}\s*:\s*{digits}\s+\+{digits}\s+turn\s+{digits}(\s+rolling)?\s*"
        written = re.fullmatch(pattern, text, re.ASCII | re.IGNORECASE)
        if not written:
            shape = (
                "both players' points, the points at stake and the turn, like 12:7 +5 turn 4, followed by the word"
                " rolling while the die rolls"
            )
            raise NotationError(f"{text!r} is not a state of pig: it is written as {shape}")
        first, second, stake, turn = (int(number) for number in written.groups()[:4])
        if self.turns is None and turn:
            turn = 2 - turn % 2  # whose turn it is, is all that matters
        state = (first, second, stake, turn - 1, 1 if written[5] else 0)
        wrong = self._impossible(state)
        if wrong:
            raise NotationError(f"{text!r} cannot occur: {wrong}")
        return state

    def _impossible(self, state: State) -> str | None:
        """Return the reason why this state cannot occur in the game; None if it can."""
        first, second, stake, turn, rolling = state
        if self.turns is None and turn < 0:
            return "the first turn is 1"
        if self.turns is not None and not 0 <= turn <= self.turns:
            return f"the turns are 1 to {self.turns}, and {self.turns + 1} when all are over"
        if first >= self.goal and second >= self.goal:
            return f"only one player can reach the goal of {self.goal}"
        most = self.goal + self.sides - 1
        if max(first, second) > most:
            return f"in a game to {self.goal}, nobody can have more than {most} points"
        if self.terminal_test(state) and (stake or rolling):
            return "the game is over, so nothing is at stake and no die is rolling"
        if stake == 1:
            return "a turn's points are at least 2"
        if stake and (first, second)[turn % 2] + stake >= self.goal:
            return f"with these points at stake the goal of {self.goal} is reached and the turn is over"
        return None

    def format_action(self, state: State, action: int) -> str:
        return str(action) if state[4] else WORDS[action]

    def parse_action(self, state: State, text: str) -> int:
        """Return the action or the face of the die that `text` names.

        Raises:
            NotationError: the text is not an action or a face.
            IllegalActionError: the action is not legal in `state`.
        """
        word, here = text.strip().lower(), self.format_state(state)
        if word not in WORDS and word not in map(str, range(1, self.sides + 1)):
            right = f"roll, hold, or 1 to {self.sides} for the die"
            raise NotationError(f"{text.strip()!r} is not an action of pig: {right}")
        if self.terminal_test(state):
            raise IllegalActionError(f"{word} is not possible in {here}: the game is over")
        legal = {self.format_action(state, action): action for action in self.actions(state)}
        if word not in legal:
            raise IllegalActionError(f"{word} is not possible in {here}: choose from {', '.join(legal)}")
        return legal[word]

    def draw(self, state: State) -> str:
        """Return each player's points as a bar on the way to the goal, the points at stake, and whose turn it is."""
        first, second, stake, turn, _ = state
        stakes = (stake, 0) if turn % 2 == MAX else (0, stake)
        rows = zip(self.player_names, (first, second), stakes, strict=True)
        bars = [f"{name:7}{self._bar(points, risk)} {_sum(points, risk)} of {self.goal}" for name, points, risk in rows]
        return "\n".join([*bars, self._caption(state)])

    def _bar(self, points: int, risk: int) -> str:
        solid, faint = (min(BAR, BAR * number // self.goal) for number in (points, points + risk))
        return f"[{'#' * solid}{'?' * (faint - solid)}{' ' * (BAR - faint)}]"

    def _caption(self, state: State) -> str:
        """Return a caption: whose turn it is and what the player does, or how the game ended."""
        first, second, stake, turn, rolling = state
        if self.terminal_test(state):
            return "first has won" if first >= self.goal else "second has won" if second >= self.goal else "a draw"
        does = "has rolled the die" if rolling else "is to roll or hold" if stake else "is to roll"
        of = "" if self.turns is None else f"turn {turn + 1} of {self.turns}: "
        return f"{of}{self.player_names[turn % 2]} {does}"

    def scene(self, state: State) -> Scene:
        """Return a scene with the points of both players, the points at stake between them, and below the actions, or
        the faces of the die.
        """
        first, second, stake, _, rolling = state
        points = (
            self._points(MAX, 0, first),
            Cell("at stake", POINTS + 0.25, 1.25, 1.5, HEIGHT - 1.25, "score", count=stake, label="at stake"),
            self._points(MIN, POINTS + 2, second),
            Cell("die", POINTS + 0.45, 0, 1.1, 1.1, "die", unowned=True),
        )
        below = () if self.terminal_test(state) else self._faces() if rolling else self._buttons(state)
        caption = f"{self._caption(state)} ({self.goal} points win)"
        return Scene((*points, *below), caption, things=("point", "points"), material="felt", scores=(first, second))

    def _points(self, player: int, x: float, points: int) -> Cell:
        name, won = self.player_names[player], points >= self.goal
        cell = Cell(f"{name}'s points", x, 0, POINTS, HEIGHT, "score", count=points, owner=player)
        return attrs.evolve(cell, label=name, highlighted=won)

    def _buttons(self, state: State) -> Iterator[Cell]:
        actions = tuple(self.actions(state))
        left = (WIDTH - len(actions) * BUTTON) / 2
        for index, action in enumerate(actions):
            word, x = self.format_action(state, action), left + BUTTON * index + 0.25
            size = (BUTTON - 0.5, 0.9)
            yield Cell(word, x, HEIGHT + 0.5, *size, "button", word, action=action, hint=HINTS[action])

    def _faces(self) -> Iterator[Cell]:
        left = (WIDTH - min(self.sides, ROW)) / 2
        for face in range(1, self.sides + 1):
            x, y = left + (face - 1) % ROW, HEIGHT + 0.5 + (face - 1) // ROW
            yield Cell(str(face), x, y, 1, 1, "die", str(face), action=face, hint=f"the die shows {face}")


def _sum(points: int, risk: int) -> str:
    return f"{points} + {risk}" if risk else f"{points}"
