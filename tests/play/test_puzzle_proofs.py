"""Puzzles of games whose positions come back, proved without the project: rules and solver are those of this file."""

import itertools
import json
import re

import numpy as np
import pytest

import ggp
from ggp.play import puzzle

REGISTRY = ggp.load_registry()
pytestmark = pytest.mark.slow


def shipped(name):
    """The state, and the move that is said to be the only one that wins, as the collection's file has them."""
    game = REGISTRY.game(name)
    data = [puzzle.as_data(game, each) for each in puzzle.collection(REGISTRY, game)]
    found = json.loads(json.dumps([(each["state"], each["line"][0]) for each in data]))
    assert len(found) >= 40
    return found


# ---- three men's morris: what wins is found by sweeps over all positions, until nothing changes

POINTS = [f"{column}{row}" for row in "321" for column in "abc"]
ROWS = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def are_joined(one, other):
    across, down = abs(one % 3 - other % 3), abs(one // 3 - other // 3)
    return across + down == 1 or (across == down == 1 and 4 in (one, other))


def has_row(board, mark):
    return any(all(board[point] == mark for point in row) for row in ROWS)


def morris_moves(board, mover, hands):
    """Yield each move with the position after it."""
    free = [point for point in range(9) if board[point] == "."]
    side = "WB".index(mover)
    if hands[side]:
        left = tuple(hand - (place == side) for place, hand in enumerate(hands))
        for end in free:
            yield POINTS[end], (board[:end] + mover + board[end + 1 :], "BW"[side], left)
        return
    for start, end in itertools.product(range(9), free):
        if board[start] == mover and are_joined(start, end):
            signs = list(board)
            signs[start], signs[end] = ".", mover
            yield f"{POINTS[start]}-{POINTS[end]}", ("".join(signs), "BW"[side], hands)


def lost_in_morris():
    """Return the positions in which the player to move loses."""
    begin = ("." * 9, "W", (3, 3))
    after, waiting = {}, [begin]
    while waiting:
        place = waiting.pop()
        if place not in after:
            over = has_row(place[0], "BW"["WB".index(place[1])])
            after[place] = [] if over else [there for _, there in morris_moves(*place)]
            waiting += after[place]
    lost, won, known = set(), set(), -1
    while known != len(lost) + len(won):
        known = len(lost) + len(won)
        for place, there in after.items():
            if all(each in won for each in there):
                lost.add(place)
            elif any(each in lost for each in there):
                won.add(place)
    return lost


def test_exactly_one_move_wins_in_each_puzzle_of_morris():
    lost, wrong = lost_in_morris(), []
    for text, move in shipped("morris"):
        board, mover, *hands = text.split()
        place = board.replace("/", ""), mover, tuple(map(int, hands))
        wins = [each for each, there in morris_moves(*place) if there in lost]
        wrong += [(text, wins)] if wins != [move] else []
    assert wrong == []


# ---- checkers: wins are carried backwards through all positions that follow from one of the puzzles
#
# The player to move has small letters (m, k) and goes to higher squares of 0 to 31; after a move the board is turned.
# Moves without progress are not counted: who wins within 80 plies wins with the count, too, and who cannot win without
# it cannot win with it.

PATIENCE = 80


def diagonal(square, down, right, distance):
    """The square at that distance along a diagonal; None outside the board."""
    row, column = square // 4, square % 4 * 2 + (square // 4 + 1) % 2
    row, column = row + distance * down, column + distance * right
    return row * 4 + column // 2 if 0 <= row < 8 and 0 <= column < 8 else None


NEAR = {
    (square, down): [(diagonal(square, down, right, 1), diagonal(square, down, right, 2)) for right in (-1, 1)]
    for square, down in itertools.product(range(32), (-1, 1))
}


def put(board, square, sign):
    return board[:square] + sign + board[square + 1 :]


def chains(board, square, sign):
    """Yield the end of every chain of one jump or more with the board after it; the piece that jumps is not on it."""
    for down in (1, -1)[: 1 + (sign == "k")]:
        for over, end in NEAR[square, down]:
            if end is not None and board[over] in "MK" and board[end] == ".":
                left = put(board, over, ".")
                crowned = sign == "m" and end >= 28
                further = [] if crowned else list(chains(left, end, sign))
                yield from further or [(end, put(left, end, "k" if crowned else sign))]


def checkers_moves(board):
    """Return start, end and the position after it for each move."""
    own = [(square, sign) for square, sign in enumerate(board) if sign in "mk"]
    found = [(start, *each) for start, sign in own for each in chains(put(board, start, "."), start, sign)]
    if not found:
        for start, sign in own:
            for down in (1, -1)[: 1 + (sign == "k")]:
                for end, _ in NEAR[start, down]:
                    if end is not None and board[end] == ".":
                        later = "k" if end >= 28 else sign
                        found.append((start, end, put(put(board, start, "."), end, later)))
    return [(start, end, after[::-1].swapcase()) for start, end, after in found]


def lost_in_checkers(begin):
    """Return the positions that may follow in which the player to move loses, with the plies to the end."""
    before, number, waiting, seen, lost = {}, {}, [*begin], {*begin}, {}
    while waiting:
        place = waiting.pop()
        there = {after for _, _, after in checkers_moves(place)}
        number[place] = len(there)
        for after in there:
            before.setdefault(after, []).append(place)
        waiting += there - seen
        seen |= there
    won, plies, now = set(), 0, [place for place, moves in number.items() if not moves]
    while now:
        lost |= dict.fromkeys(now, plies)
        later = []
        for place in {each for end in now for each in before.get(end, ())} - won:
            won.add(place)
            for earlier in before.get(place, ()):
                number[earlier] -= 1
                later += [] if number[earlier] else [earlier]
        plies, now = plies + 2, later
    return lost


def as_board(text):
    """Return the position of a puzzle as its player sees it, and who that is."""
    rows, mover, _ = text.split()
    signs = "".join(row[1 - number % 2 :: 2] for number, row in enumerate(rows.split("/")))
    board = signs.translate(str.maketrans("bBwW", "mkMK"))
    return board if mover == "b" else board[::-1].swapcase(), mover


def test_exactly_one_move_wins_in_each_puzzle_of_checkers():
    puzzles = [(*as_board(text), text, move) for text, move in shipped("checkers")]
    lost, wrong = lost_in_checkers({board for board, *_ in puzzles}), []
    for board, mover, text, move in puzzles:
        ends = [(start, end, lost[after]) for start, end, after in checkers_moves(board) if after in lost]
        # Whoever wins within that many plies wins before the moves without progress are counted out.
        assert all(plies < PATIENCE for *_, plies in ends)
        wins = [[start + 1, end + 1] if mover == "b" else [32 - start, 32 - end] for start, end, _ in ends]
        numbers = [int(each) for each in re.findall("[0-9]+", move)]
        wrong += [(text, move, wins)] if wins != [[numbers[0], numbers[-1]]] else []
    assert wrong == []


# ---- awari: values of ever longer games, which count what is left as even, until nothing changes
#
# Seen from the player to move: houses 0 to 5 are theirs. If v(s) is the value when play without end shares what is
# left, then games of n moves have values between 0 and v(s), and reach v(s): the player who is ahead needs finitely
# many moves, and the other one can keep the rest for ever.

MOST = 10
NEVER = -100


def awari_moves(houses):
    """Yield each house that may be sown, the houses after it as the opponent sees them, and the seeds captured."""
    hungry = not any(houses[6:])
    for start in range(6):
        seeds = houses[start]
        if not seeds or (hungry and start + seeds < 6):
            continue
        after, place = list(houses), start
        after[start] = 0
        while seeds:
            place = (place + 1) % 12
            if place != start:
                after[place] += 1
                seeds -= 1
        taken = []
        while place >= 6 and after[place] in (2, 3):
            taken.append(place)
            place -= 1
        captured = sum(after[each] for each in taken)
        if captured == sum(after[6:]):  # a grand slam captures nothing
            taken, captured = [], 0
        left = [0 if place in taken else count for place, count in enumerate(after)]
        yield start, (*left[6:], *left[:6]), captured


def awari_margins():
    """Return the seeds that the player to move will win more than the opponent, for all positions of few seeds."""
    margin = {}
    for seeds in range(MOST + 1):
        bars = itertools.combinations(range(seeds + 11), 11)
        layer = [tuple(end - start - 1 for start, end in itertools.pairwise((-1, *each, seeds + 11))) for each in bars]
        number = {houses: place for place, houses in enumerate(layer)}
        into = np.full((len(layer), 6), -1, dtype=np.int32)
        fixed = np.full((len(layer), 6), NEVER, dtype=np.int32)
        ended = np.zeros(len(layer), dtype=np.int32)
        for place, houses in enumerate(layer):
            ended[place] = sum(houses[:6]) - sum(houses[6:])
            for start, after, captured in awari_moves(houses):
                if captured:
                    fixed[place, start] = captured - margin[after]
                else:
                    into[place, start] = number[after]
        over = np.all((into < 0) & (fixed == NEVER), axis=1)
        values, before = np.where(over, ended, 0), None
        while before is None or not np.array_equal(values, before):
            before = values
            values = np.where(over, ended, np.where(into >= 0, -before[into], fixed).max(axis=1))
        margin |= zip(layer, values.tolist(), strict=True)
    return margin


def test_exactly_one_move_wins_in_each_puzzle_of_awari():
    margin, wrong = awari_margins(), []
    for text, move in shipped("awari"):
        south, south_store, north, north_store, mover = re.fullmatch(r"<(.*);(.*);(.*);(.*)> ([SN])", text).groups()
        sides = [tuple(map(int, each.split(","))) for each in (south, north)]
        lead = int(south_store) - int(north_store)
        if mover == "N":
            sides.reverse()
            lead = -lead
        houses = (*sides[0], *sides[1])
        assert sum(houses) <= MOST
        moves = awari_moves(houses)
        wins = [start for start, after, captured in moves if lead + captured - margin[after] > 0]
        letters = ["ABCDEFabcdef"["SN".index(mover) * 6 + start] for start in wins]
        wrong += [(text, letters)] if letters != [move] else []
    assert wrong == []
