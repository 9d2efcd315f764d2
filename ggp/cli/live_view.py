"""Show the games of a match as they are played: in a terminal board by board, elsewhere in one line for each game."""

import math
import sys
import time
from collections.abc import Sequence

import click

from ggp import capabilities
from ggp.cli.console import echo_line, say
from ggp.cli.match_view import MatchView
from ggp.experiments import Pairs, Results
from ggp.experiments.experiment import GameJob, Outcome, play_at
from ggp.experiments.pairs import elo_text
from ggp.experiments.report import ALMOST
from ggp.experiments.results import Meetings, points_of
from ggp.game import AnyGame
from ggp.number_text import many
from ggp.play import Match, controller
from ggp.play.review import share
from ggp.plugins import Registry
from ggp.show.value_text import value_text

PACE = 0.5
"""Seconds for which a move is shown."""
SPOKEN = 5
"""Number of pairs of games that are played before the leader is named."""
HEIGHTS = "▁▂▃▄▅▆▇█"
"""Signs for the points of a curve; the highest sign means that MAX wins."""
LONGEST = 48
"""Maximum number of points of a curve; only the last ones are shown."""
WIDTH, ELO = 40, 400
"""Width of the Elo band in columns, and the greatest Elo difference that it shows."""


class LiveView:
    """Shows the games of a match, the value of the position as a curve, and the Elo difference with its interval."""

    def __init__(self, registry: Registry, game: AnyGame) -> None:
        self._registry, self._game = registry, game
        self._head = self._standing = self._band = ""
        self._points: list[float] = []

    def play(self, job: GameJob) -> Outcome:
        """Play a game and show it."""
        sides = zip(job.players, capabilities.player_names(self._game), strict=True)
        self._head = f"Game {job.number + 1}: " + " against ".join(f"{player} ({side})" for player, side in sides)
        return play_at(self._registry, self._game, job, self.show)

    def stands(self, results: Results, outcome: Outcome) -> None:
        """Store the results so far, to show them with the next board; after the last game, print who has won."""
        if len(results.meetings) != 1:
            return
        meeting, players = results.meetings[0], results.experiment.players
        points = points_of(outcome.record)
        self._points.append(1 - points if results.experiment.meeting(outcome.number)[2] else points)
        played = f"{results.games} of {many(results.experiment.games, 'game')}"
        self._standing = ", ".join([played, *standing(meeting, players)])
        self._band = f"{players[0]} {series(self._points)}\n{elo_band(meeting.pairs)}"
        if sys.stdout.isatty() and results.games == results.experiment.games:
            click.clear()
            self._show_standing()
            echo_line(f"★ {won(self._points, players)} ★")

    def show(self, match: Match) -> None:
        """Show the last move, and how the game ended."""
        if sys.stdout.isatty():
            click.clear()
            echo_line(self._head)
            self._show_standing()
            view = MatchView(self._game, match.players, quiet=False)
            view.show_state(match.state)
            view.show_move(match.moves[-1])
            echo_line(curve(match))
            time.sleep(PACE)
        if match.over:
            say(f"{self._head}. {controller.result(match)}")
            time.sleep(4 * PACE if sys.stdout.isatty() else 0)

    def _show_standing(self) -> None:
        for line in (self._standing, *self._band.splitlines()):
            if line:
                echo_line(line)


def standing(meeting: Meetings, players: Sequence[str]) -> list[str]:
    """Return the score of a match: games won, drawn and lost, and the leader if there is a clear one."""
    counts = f"+{meeting.wins} ={meeting.draws} -{meeting.losses}"
    pairs = meeting.pairs
    if pairs.number < SPOKEN or pairs.share == 0.5:
        return [counts]
    ahead = players[0] if pairs.share > 0.5 else players[1]
    sure = 100 * min(max(pairs.superiority, 1 - pairs.superiority), ALMOST)
    return [counts, f"{ahead} ahead, {math.floor(sure)} % sure"]


def series(points: Sequence[float]) -> str:
    """Return the points of each game, 1 for a win: "1 ½ 0 1"; in a long match, only the last games."""
    shown = " ".join({1.0: "1", 0.5: "½"}.get(each, "0") for each in points[-LONGEST // 2 :])
    return f"... {shown}" if len(points) > LONGEST // 2 else shown


def won(points: Sequence[float], players: Sequence[str]) -> str:
    """Return who has won a match, in a sentence."""
    first, second = sum(points), len(points) - sum(points)
    if first == second:
        return f"{players[0]} and {players[1]} share the match, {first:g} : {second:g}"
    if first < second:
        return f"{players[1]} wins the match, {second:g} : {first:g}"
    return f"{players[0]} wins the match, {first:g} : {second:g}"


def curve(match: Match) -> str:
    """Return the values that the players' searches have found, as a curve; "" before the first value."""
    thoughts = [move.thinking for move in match.moves if move.thinking]
    if not thoughts:
        return ""
    shares = [share(match.game, match.start, each.value) for each in thoughts[-LONGEST:]]
    line = "".join(HEIGHTS[min(int(each * len(HEIGHTS)), len(HEIGHTS) - 1)] for each in shares)
    return f"{line}  {value_text(match.game, thoughts[-1].value, exact=thoughts[-1].exact)}"


def elo_band(pairs: Pairs) -> str:
    """Return the Elo difference and its 95 % interval as a band around 0; "" before the first pair of games."""
    if not pairs.number:
        return ""
    best, low, high = pairs.elo()

    def column(elo: float) -> int:
        return round((min(max(elo, -ELO), ELO) / ELO + 1) / 2 * (WIDTH - 1))

    signs = ["─"] * WIDTH
    signs[column(low) : column(high) + 1] = "█" * (column(high) + 1 - column(low))
    signs[column(0)] = "┼"
    signs[column(best)] = "●"
    return f"-{ELO} {''.join(signs)} +{ELO}  Elo {elo_text(best)} ({elo_text(low)} to {elo_text(high)})"
