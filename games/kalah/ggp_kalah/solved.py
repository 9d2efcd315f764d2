"""Solved boards of Kalah: The file `solved.jsonl` has the value of every opening move, and a line of best play.

`tools/solved_kalah.py` builds that file.
"""

import functools
import importlib.resources
import json
from collections.abc import Mapping
from typing import Any

from ggp_kalah.rules import KalahRules, State

TABLE = "solved.jsonl"


@functools.cache
def boards() -> Mapping[tuple[int, int, str], Mapping[str, Any]]:
    """Return the solved boards by number of houses, number of seeds, and rule of capture."""
    text = importlib.resources.files("ggp_kalah").joinpath(TABLE).read_text(encoding="utf-8")
    rows = map(json.loads, text.splitlines())
    return {(row["houses"], row["seeds"], row["capture"]): row for row in rows}


@functools.lru_cache(64)
def positions(game: Any) -> Mapping[State, Mapping[int, float]]:
    """Return the known exact values of actions on a board, by state."""
    row = boards().get((game.houses, game.seeds, game.capture))
    if row is None or (game.majority, game.turn, game.scoring) != (False, "single", "margin"):
        return {}
    state = game.initial_state()
    solved = {state: {game.parse_action(state, move): value for move, value in (row["values"] or {}).items()}}
    for move in row["line"]:
        action = game.parse_action(state, move)
        solved.setdefault(state, {}).setdefault(action, row["value"])
        state = game.result(state, action)
    return solved


def known_values(game: KalahRules, state: State) -> Mapping[int, float]:
    """Return the exact values to South of actions of `state`, including the best action; {} if they are not known."""
    return positions(game).get(state, {})
