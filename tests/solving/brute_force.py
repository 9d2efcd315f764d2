"""Kalah's endgames by brute force: seeds are laid one by one on an array, and what is known is kept in a dictionary.

It is compiled for speed, and shares no code with the packed rules, their numbering and the building of tablebases.
"""

import numba
import numpy as np

NEVER, STANDARD, EMPTY = range(3)
CAPTURES = {"none": NEVER, "standard": STANDARD, "empty": EMPTY}


@numba.njit
def worth(board, houses, capture, known):
    """What the rest of the game is worth to the mover, whose houses are the first ones of the board.

    The board is the mover's houses and then the opponent's, each from the one farthest from its store.
    """
    name = np.int64(0)
    for seeds in board:
        name = name * 32 + seeds
    if name in known:
        return known[name]
    best = -1000
    for house in range(houses):
        if board[house]:
            best = max(best, worth_of(board, houses, capture, house, known))
    known[name] = best
    return best


@numba.njit
def worth_of(board, houses, capture, house, known):
    """What playing a house is worth."""
    ring = np.zeros(2 * houses + 1, np.int64)  # own houses, own store, opponent's houses
    ring[:houses], ring[houses + 1 :] = board[:houses], board[houses:]
    hand, at = ring[house], house
    ring[house] = 0
    while hand:
        at = (at + 1) % (2 * houses + 1)
        ring[at] += 1
        hand -= 1
    if at < houses and ring[at] == 1:
        opposite = 2 * houses - at
        if capture == EMPTY or (capture == STANDARD and ring[opposite] > 0):
            ring[houses] += ring[opposite] + 1
            ring[at] = ring[opposite] = 0
    gain, own, other = ring[houses], ring[:houses].sum(), ring[houses + 1 :].sum()
    if own == 0 or other == 0:
        return gain + own - other
    after = np.empty(2 * houses, np.int64)
    if at == houses:  # an extra turn
        after[:houses], after[houses:] = ring[:houses], ring[houses + 1 :]
        return gain + worth(after, houses, capture, known)
    after[:houses], after[houses:] = ring[houses + 1 :], ring[:houses]
    return gain - worth(after, houses, capture, known)


@numba.njit
def worths(boards, houses, capture):
    """The same of many boards, one a row."""
    known = numba.typed.Dict.empty(numba.int64, numba.int64)
    found = np.empty(len(boards), np.int64)
    for row in range(len(boards)):
        found[row] = worth(boards[row], houses, capture, known)
    return found
