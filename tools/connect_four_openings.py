"""Make the opening table that Connect Four ships: the values of all positions of at most eight plies.

    python tools/connect_four_openings.py BOOK [NUMBER]

BOOK is the file `CFour/src/openingBook/book.dat` of M. Thill's Connect Four program
(https://github.com/MarkusThill/Connect-Four, 2014). The file lists the positions of eight plies that X does not win.
The tool computes the values of the earlier positions from these by minimax. The tool checks the list against the
numbers that J. Tromp published in 1995 for his own computation (https://archive.ics.uci.edu/dataset/26/connect+4). Then
it proves the values of NUMBER positions, chosen at random, by ggp's own search.
"""

import collections
import pathlib
import random
import sys
from typing import Any

import ggp
from ggp import opening_table
from ggp.capabilities import canonical

PLIES = 8
TARGET = pathlib.Path(__file__).parents[1] / "games/connectfour/ggp_connectfour" / opening_table.SHIPPED
PUBLISHED = {1: 44473, 0: 6449, -1: 16635}
"""The number of positions after eight plies with each value to X. The game is not over in them, and neither player can
complete a line at once.
"""
CODE = 3
"""Number of bytes of a position in the book."""

State = Any
"""A state of Connect Four: the stones of X, the stones of O, and the player to move."""


def main(book: pathlib.Path, number: int) -> None:
    """Write the table, and prove the values of `number` positions."""
    registry = ggp.load_registry()
    game: Any = registry.game("connectfour")
    layers = positions(game)
    values = dict.fromkeys(layers[PLIES], 1) | listed(game, book.read_bytes())
    values |= {state: game.utility(state, ggp.MAX) for state in layers[PLIES] if game.terminal_test(state)}
    if len(values) != len(layers[PLIES]):
        raise SystemExit(f"{book} has positions that Connect Four does not have after {PLIES} plies")
    quiet = (state for state in layers[PLIES] if not game.terminal_test(state) and not forced(game, state))
    counts = collections.Counter(values[state] for state in quiet)
    if counts != PUBLISHED:
        raise SystemExit(f"the published numbers are {PUBLISHED}, but {book} gives {dict(counts)}")
    for layer in reversed(layers[:PLIES]):
        values |= {state: minimax(game, values, state) for state in layer}
    opening_table.write(TARGET, game, PLIES, values)
    sys.stdout.write(f"{len(values):,} positions in {TARGET.stat().st_size:,} bytes\n")
    searcher = registry.searcher("mtdf", table=256)
    for state in random.Random(0).sample(sorted(set(layers[PLIES])), number):
        if game.terminal_test(state):
            continue
        proved = searcher.search(game, state).value
        sys.stdout.write(f"{game.format_state(state)}: {proved:g}\n")
        if proved != values[state]:
            raise SystemExit(f"the table says {values[state]}")


def positions(game: Any) -> list[set[State]]:
    """Return the canonical states after each number of plies."""
    same = canonical(game)
    layers: list[set[State]] = [{same(game.initial_state())}]
    for _ in range(PLIES):
        going = (state for state in layers[-1] if not game.terminal_test(state))
        layers.append({same(game.result(state, action)) for state in going for action in game.actions(state)})
    return layers


def listed(game: Any, book: bytes) -> dict[State, int]:
    """Return the values in the book, by canonical states.

    A position is a row of bits, column by column from the left. In a column, from the bottom up, 10 is a stone of X, 11
    is a stone of O, and 0 ends the column. The last two bits are the value: 0 is a draw, and 1 a win of O.
    """
    same, values = canonical(game), {}
    for start in range(0, len(book), CODE):
        code = int.from_bytes(book[start : start + CODE])
        bits = iter(f"{code:0{8 * CODE}b}")
        stones, column, row = [0, 0], 0, 0
        for _ in range(PLIES + game.width - 1):
            if next(bits) == "0":
                column, row = column + 1, 0
            else:
                stones[int(next(bits))] |= 1 << column * (game.height + 1) + row
                row += 1
        values[same((*stones, ggp.MAX))] = -(code & 3)
    return values


def forced(game: Any, state: State) -> bool:
    """Return whether a stone dropped now would complete a line of either player."""
    landings = game.landings(state)
    return bool((game.completions(state[0]) | game.completions(state[1])) & landings)


def minimax(game: Any, values: dict[State, int], state: State) -> int:
    """Return the value of a state whose successors have values."""
    if game.terminal_test(state):
        return int(game.utility(state, ggp.MAX))
    best = max if game.to_move(state) == ggp.MAX else min
    same = canonical(game)
    return best(values[same(game.result(state, action))] for action in game.actions(state))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
