"""Shows a match: the boards, the moves in words, and the result."""

import itertools
import os
import re
import sys
from collections.abc import Collection, Iterator
from typing import Any

import click

from ggp import capabilities
from ggp.cli.words import columns, echo, echo_line, echo_wrapped, many
from ggp.escapes import LAYOUT, escaped
from ggp.game import AnyGame, Drawn, Scenic, State
from ggp.play import Match, Participant, PlayedMove, controller
from ggp.scene import Scene
from ggp.show.numbers import number
from ggp.show.scene_text import scene_in_colour, scene_text

COLOURS = ("cyan", "magenta")
"""Of the names of MAX and of MIN."""


def has_colour() -> bool:
    """Return whether standard output is a terminal that shows colour."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def coloured(drawing: str, before: str, names: tuple[str, str]) -> str:
    """Return a drawing in which the players' names have colours, and what differs from the drawing before is bold."""
    old = before.split("\n")
    lines = []
    for place, line in enumerate(drawing.split("\n")):
        was = old[place] if len(old) == drawing.count("\n") + 1 else line
        styles: list[dict[str, Any]] = [
            {"bold": True, "fg": "yellow"} if was[at : at + 1] != sign and was else {} for at, sign in enumerate(line)
        ]
        for name, colour in zip(names, COLOURS, strict=True):
            for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", line):
                span = slice(*found.span())
                wholly = all(styles[span])  # of a name in the place of another, some letters are the same
                styles[span] = [{"bold": True, "fg": colour} if wholly else {"fg": colour}] * len(name)
        lines.append("".join(_styled(line, styles)))
    return "\n".join(lines)


def _styled(line: str, styles: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the line in runs of one style."""
    for style, run in itertools.groupby(zip(line, styles, strict=True), key=lambda each: each[1]):
        text = "".join(sign for sign, _ in run)
        yield click.style(text, **style) if style else text


def echo_board(game: AnyGame, state: State, scene: Scene, changed: Collection[str]) -> None:
    """Print the board: in colours from its scene where the terminal has them, else as the game draws it."""
    if has_colour():
        echo_scene(scene, changed)
    else:
        drawn = game.draw(state) if isinstance(game, Drawn) else scene_text(scene)
        echo(drawn.strip("\n"))


def echo_scene(scene: Scene, changed: Collection[str]) -> None:
    """Print a scene in colours."""
    from rich.console import Console  # not every command draws

    Console(highlight=False, soft_wrap=True).print(scene_in_colour(scene, changed))


class Table:
    """Shows a match on standard output."""

    def __init__(self, game: AnyGame, players: tuple[Participant, Participant], quiet: bool) -> None:
        self.game = game
        self.players = players
        self.quiet = quiet
        self._names = capabilities.player_names(game)
        self._shown = ""
        self._scene: Scene | None = None

    def show_board(self, match: Match) -> None:
        """Show the board as it is."""
        if not self.quiet:
            self.show_state(match.state)

    def show_state(self, state: State) -> None:
        """Show the board of a state; where the terminal is too narrow for it, the state's notation."""
        drawing = escaped(capabilities.draw(self.game, state).strip("\n"), LAYOUT)
        needed = max(map(len, drawing.split("\n")))
        if needed > columns(sys.stdout):
            text = capabilities.notation(self.game).format_state(state)
            echo()
            echo_wrapped(f"{text} (the board is {needed} characters wide)")
            echo()
            return
        if has_colour() and isinstance(self.game, Scenic):
            scene = self.game.scene(state)
            earlier, self._scene = self._scene or scene, scene
            echo()
            echo_scene(scene, scene.changed_since(earlier))
            echo()
            return
        before, self._shown = self._shown, drawing
        click.echo(f"\n{coloured(drawing, before or drawing, self._names) if has_colour() else drawing}\n")

    def show_move(self, move: PlayedMove) -> None:
        """Print who played what, its effect, and the value that a searcher found."""
        if not self.quiet:
            echo_line(self.told(move))

    def told(self, move: PlayedMove) -> str:
        """Return the move in one line."""
        return controller.told(self.game, self.players, move) + _thought(move)

    def result(self, match: Match) -> str:
        """Return who has won and how."""
        return controller.result(match) or f"Not finished, after {moves_in_words(match)}."


def moves_in_words(match: Match) -> str:
    """Return how many moves were played."""
    return many(len(match.moves), "move")


def _thought(move: PlayedMove) -> str:
    found = move.thinking
    if found is None or (found.statistics.depth == 0 and found.distance is None):
        return ""
    done = found.statistics
    if found.distance is not None:
        return f"  [value {number(found.value)}, exact, {many(found.distance, 'ply', 'plies')} to the end]"
    sure = "exact" if found.exact else f"depth {done.depth}"
    states = many(done.nodes, "state")
    return f"  [value {number(found.value)}, {sure}, {states}, {done.seconds or move.seconds:.2f} s]"
