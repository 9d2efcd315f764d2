"""Solved boards of Kalah: The file `solved.jsonl` has the value of every opening move, and a line of best play.

`tools/solved_kalah.py` builds that file.
"""

import functools
import importlib.resources
import json
from collections.abc import Mapping
from typing import TypedDict

from ggp_kalah import notation
from ggp_kalah.rules import KalahRules, State

TABLE = "solved.jsonl"


class Solved(TypedDict):
    """A solved board: the value of the start and of its actions, and a line of best play."""

    houses: int
    seeds: int
    capture: str
    value: float
    values: dict[str, float] | None
    line: list[str]


@functools.cache
def boards() -> Mapping[tuple[int, int, str], Solved]:
    """Return the solved boards by number of houses, number of seeds, and rule of capture."""
    text = importlib.resources.files("ggp_kalah").joinpath(TABLE).read_text(encoding="utf-8")
    rows: list[Solved] = [json.loads(line) for line in text.splitlines()]
    return {(row["houses"], row["seeds"], row["capture"]): row for row in rows}


@functools.lru_cache(64)
def positions(game: KalahRules) -> Mapping[State, Mapping[int, float]]:
    """Return the known exact values of actions on a board, by state."""
    row = boards().get((game.houses, game.seeds, game.capture))
    if row is None or (game.majority, game.turn, game.scoring) != (False, "single", "margin"):
        return {}

    def action_of(move: str) -> int:
        action = game.action_of(notation.parse_turn(game, move))
        assert action is not None
        return action

    state = game.initial_state()
    solved = {state: {action_of(move): value for move, value in (row["values"] or {}).items()}}
    for move in row["line"]:
        action = action_of(move)
        solved.setdefault(state, {}).setdefault(action, row["value"])
        state = game.result(state, action)
    return solved


def known_values(game: KalahRules, state: State) -> Mapping[int, float]:
    """Return the exact values of actions, including the best one, from South's point of view; {} if unknown."""
    return positions(game).get(state, {})
