"""Extra turns: how often a search chooses a worse move in Kalah because it assumes that players alternate.

easyAI's Negamax negates the value at every ply. The program of Russell and Norvig's textbook calls `max_value` and
`min_value` in turn, and negates nothing. Both programs assume that players alternate; in Kalah, a player whose last
seed falls into the store moves again. A move is worse if its exact value at the same depth is worse for the player to
move than the value of the best move. Exact values come from plain minimax, which asks the game who moves.
"""

import random
from collections.abc import Callable
from math import inf

from ggp_kalah import Kalah
from ggp_kalah.rules import State

from benchmarks.ours import registry
from benchmarks.peers import easy_move
from benchmarks.report import NONE, ReportTable, Section
from benchmarks.rounds import Unavailable
from benchmarks.scale import Scale
from ggp.game import MAX
from ggp.searcher import Limits

DEPTH = 4
"""Plies of every search, including the search for the exact values."""
MOST_PLIES = 30
"""Maximum number of random moves from the start to a position.

If the game is then over, or only one move is legal, another position is drawn.
"""

Chooses = Callable[[Kalah, State, int], int]


def turns(scale: Scale) -> Section:
    """Measure the share of positions in which a search chooses a worse move."""
    game = Kalah()
    drawn = list(positions(game, scale.turn_positions))
    searches: dict[str, Chooses] = {"ggp, alphabeta": ours, "easyAI, Negamax": easy_move, "AIMA, alpha-beta": textbook}
    rows = []
    for name, chooses in searches.items():
        try:
            worse = sum(is_worse(game, state, chooses(game, state, DEPTH), DEPTH) for state in drawn)
        except Unavailable as error:
            rows.append((f"{name}: {error}", NONE, NONE))
            continue
        rows.append((name, f"{worse:,}", f"{worse / len(drawn):.0%}"))
    return Section(
        f"Kalah(6,4), moves that are worse because of extra turns, depth {DEPTH}",
        f"{len(drawn):,} positions, 0 to {MOST_PLIES} random moves after the start (seed 0), with two moves at least."
        " A move is worse if its value by plain minimax at the same depth is worse than that of the best move."
        " Minimax asks who is to move. All searches value a leaf by the store margin. easyAI's game has no passes: its"
        " players alternate.",
        (ReportTable(("search", "worse moves", "share"), tuple(rows)),),
        (),
    )


def positions(game: Kalah, count: int) -> list[State]:
    """Return random positions of a game, in which at least two moves are legal."""
    rng, states = random.Random(0), list[State]()  # the same positions each time
    while len(states) < count:
        state = game.initial_state()
        for _ in range(rng.randint(0, MOST_PLIES)):
            if game.terminal_test(state):
                break
            state = game.result(state, rng.choice(list(game.actions(state))))
        if not game.terminal_test(state) and len(list(game.actions(state))) > 1:
            states.append(state)
    return states


def is_worse(game: Kalah, state: State, move: int, depth: int) -> bool:
    """Return whether a move has a worse value for the player to move than the best move has."""
    sign = 1 if game.to_move(state) == MAX else -1
    values = {each: sign * minimax(game, game.result(state, each), depth - 1) for each in game.actions(state)}
    return values[move] < max(values.values())


def minimax(game: Kalah, state: State, depth: int) -> int:
    """Return the value to MAX of a search to this depth; the value of a leaf is the store margin."""
    if depth == 0 or game.terminal_test(state):
        return margin(game, state)
    best = max if game.to_move(state) == MAX else min
    return best(minimax(game, game.result(state, each), depth - 1) for each in game.actions(state))


def margin(game: Kalah, state: State) -> int:
    """Return the store margin to MAX, or the final result if the game is over."""
    return game.utility(state, MAX) if game.terminal_test(state) else game.score(state)


def ours(game: Kalah, state: State, depth: int) -> int:
    """Return the move of ggp's alpha-beta."""
    searcher = registry().searcher("alphabeta", table=0, ordering="none", evaluation="margin")
    chosen = searcher.search(game, state, Limits(depth=depth)).action
    assert isinstance(chosen, int)
    return chosen


def textbook(game: Kalah, state: State, depth: int) -> int:
    """Return the move of alpha-beta as the textbook writes it, with a depth limit.

    Source: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, the figure of alpha-beta search:
    `max_value` calls `min_value`, which calls `max_value`, whoever is to move. Written for this benchmark from the
    book.
    """
    player = game.to_move(state)
    sign = 1 if player == MAX else -1

    def max_value(state: State, alpha: float, beta: float, depth: int) -> float:
        if depth == 0 or game.terminal_test(state):
            return sign * margin(game, state)
        value = -inf
        for action in game.actions(state):
            value = max(value, min_value(game.result(state, action), alpha, beta, depth - 1))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(state: State, alpha: float, beta: float, depth: int) -> float:
        if depth == 0 or game.terminal_test(state):
            return sign * margin(game, state)
        value = inf
        for action in game.actions(state):
            value = min(value, max_value(game.result(state, action), alpha, beta, depth - 1))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value

    best, chosen = -inf, -1
    for action in game.actions(state):
        value = min_value(game.result(state, action), best, inf, depth - 1)
        if value > best:
            best, chosen = value, action
    return chosen
