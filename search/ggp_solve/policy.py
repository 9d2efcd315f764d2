"""Policies. The file of a policy has a best action for every position that can be reached.

Two header lines name the format and the game. Each further line is a position in which a player moves. The line has a
best action, the bounds of the position's value to MAX, and the plies to the end.
"""

import pathlib
from collections.abc import Iterator

import msgspec

from ggp import capabilities
from ggp.game import CHANCE
from ggp.storage import Format
from ggp_solve.solver import Solver

FORMAT = Format("policy", 1, remedy="solve the game again")


def write_policy(path: pathlib.Path, solver: Solver) -> None:
    """Write the policy found by an enumeration.

    Raises:
        GGPError: the file cannot be written.
    """
    FORMAT.write(path, b"".join(_lines(solver)))


def _lines(solver: Solver) -> Iterator[bytes]:
    game, text = solver.game, capabilities.notation(solver.game)
    encode = msgspec.json.encode
    yield encode({"game": game.name, "parameters": capabilities.parameters(game), "method": solver.method}) + b"\n"
    for number in range(solver.found.count):
        state = solver.found.state(number)
        if game.terminal_test(state) or game.to_move(state) == CHANCE:
            continue
        known = solver.known(state)
        line: dict[str, object] = {
            "state": text.format_state(state),
            "action": text.format_action(state, solver.action(state)),
            "lower": known.lower,
            "upper": known.upper,
            "distance": known.distance,
        }
        yield encode(line) + b"\n"
