"""Review of a game: what each move has given away, the mistakes, and the best moves instead.

A move is compared with the best move of its state at the same depth. Otherwise, a move could be blamed for something
that only a deeper search of its successor sees. What is known without search, from a table of solved positions or by
the rules, is not searched.
"""

from collections.abc import Callable, Iterable, Sequence
from math import tanh

import attrs

from ggp import capabilities
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.number_text import many
from ggp.opening_book import known_values
from ggp.play.controller import known_result
from ggp.play.match import PlayedMove
from ggp.searcher import Limits, SearchResult
from ggp.show.value_text import greatest, loss_text, value_text

NODES = 20_000
"""Maximum number of nodes, both for the search of a state and for the search of the move that was played in it."""
DEEPER = 10
"""A move that seems to be a mistake is searched again with this many times the nodes. In a deeper review, every move is
searched again.
"""
SURER = 40
"""Before a move is marked, it is searched again with this many times the nodes. Otherwise a proved loss might be
compared with an estimate that is too high. Without this search (at 2,000 nodes), 15 moves were marked in games of
checkers, ten of them wrongly.
"""
LEVELS = 3
"""Number of depths to which a game can be reviewed: the usual one, and two greater ones."""
STEEP = 0.3
"""A lead of this share of the greatest utility counts as three quarters of a win: tanh(1) is 0.76."""
MISTAKE, BLUNDER = 0.2, 0.5
"""Loss of winning chances (on a scale from -1 to 1) that makes a move a mistake, or a blunder."""
SUSPECT = 0.25
"""If a move loses at least this share of `MISTAKE`, the move is searched again. A search with 100 times as many nodes
examined 15 moves of awari that were not marked: with a share of 0.5, one of these moves was a mistake; with 0.25, none
was.
"""
SIGNS = {"mistake": "?", "blunder": "??"}

SearchState = Callable[[State, Limits], SearchResult]
"""Searches a state of the reviewed game."""


@attrs.frozen
class MoveValue:
    """The value of a move and the value of the best move of its state, both to MAX and from searches of the
    same depth.
    """

    best: str
    """A best move, in the game's notation."""
    best_value: float
    value: float
    """The value of the move that was played."""
    exact: bool
    """True if both values are exact."""
    depth: int
    """How many plies the searches looked ahead."""
    nodes: int
    """The limit, in nodes, of the first search."""
    limit: int
    """The limit, in nodes, of the last search: higher than `nodes` if the move was searched again."""
    reply: str = ""
    """The best reply to the move that was played; "" if it is not known, or the game is over."""
    hurried: bool = False
    """True if the clock ended the search."""
    doubt: float = 0.0
    """The doubt about the compared chances, from 0 to 2; see the function `doubt`."""
    mean: bool = False
    """Whether the values are mean results, so that they are chances themselves; see `controller.values_are_means`."""

    @property
    def done(self) -> bool:
        """Return True if a longer search would not change the values."""
        return self.exact or not self.hurried

    def better_than(self, other: "MoveValue") -> bool:
        """Return True if this value should replace `other`, a value of the same move."""
        return (self.exact, not self.hurried, self.nodes) >= (other.exact, not other.hurried, other.nodes)

    @property
    def sure(self) -> str:
        """Return in words how reliable the values are: "exact", "8 plies deep"."""
        return "exact" if self.exact else f"{many(self.depth, 'ply', 'plies')} deep"


@attrs.frozen
class Judged:
    """A move with its value, and whether it is a mistake."""

    compared: MoveValue
    verdict: str = ""
    """"mistake", "blunder", or "" for any other move."""
    sentence: str = ""
    """The best move, and what was lost, if it is a mistake or a blunder: "best was C (8 seeds for South), South lost 18
    seeds".
    """
    loss: str = ""
    """The loss alone: "South lost 18 seeds"."""

    @property
    def sign(self) -> str:
        """The annotation after the move: "?" or "??"."""
        return SIGNS.get(self.verdict, "")


def chances(game: AnyGame, value: float, most: float, *, mean: bool = False) -> float:
    """Return MAX's chances in a position with that value, from -1 (loses) to 1 (wins).

    Arguments:
        most: the greatest utility.
        mean: whether the value is an average of results. If it is, as in all games of chance, half the value of a win
            means half the chances.
    """
    return value / most if mean or capabilities.is_stochastic(game) else tanh(value / (STEEP * most))


def share(game: AnyGame, state: State, value: float) -> float:
    """Return MAX's share of the value bar, from 0 to 1."""
    return round((1 + chances(game, value, greatest(game, state, (value,)))) / 2, 3)


def praise(tried: MoveValue, move: str) -> str:
    """Return in words how good a move is if it is not a mistake: "C is best", "D is as good as C"."""
    if move == tried.best:
        return f"{move} is best"
    return f"{move} is {'' if tried.value == tried.best_value else 'almost '}as good as {tried.best}"


def lost(game: AnyGame, mover: int, move_value: MoveValue) -> float:
    """Return by how much a move has reduced the chances of the player who made it, from 0 to 2."""
    most = greatest(game, game.initial_state(), (move_value.best_value, move_value.value))
    best, own = (
        chances(game, value, most, mean=move_value.mean) for value in (move_value.best_value, move_value.value)
    )
    gone = best - own
    return max(0.0, gone if mover == MAX else -gone)


def judge(game: AnyGame, state: State, move_value: MoveValue, who: str = "") -> Judged:
    """Judge a move in `state`. It is a mistake or a blunder if what it loses, minus the doubt, reaches a threshold.

    Arguments:
        move_value: the values of the move and of the best move.
        who: who has moved, as the subject of a sentence (default: the name of the side).
    """
    mover = game.to_move(state)
    gone = lost(game, mover, move_value) - move_value.doubt
    verdict = "blunder" if gone >= BLUNDER else "mistake" if gone >= MISTAKE else ""
    if not verdict:
        return Judged(move_value)
    best = f"best was {move_value.best} ({value_text(game, move_value.best_value, exact=move_value.exact)})"
    who = who or capabilities.mover_name(game, state)
    loss = loss_text(game, move_value.best_value, move_value.value, exact=move_value.exact, mover=who, side=mover)
    return Judged(move_value, verdict, f"{best}, {loss}", loss)


def reviewed(
    game: AnyGame, state: State, action: Action, search: SearchState, nodes: int = NODES, *, mean: bool = False
) -> MoveValue:
    """Compare a move with the best move; return the values of both.

    A move that seems to be a mistake is searched deeper. If the move still seems to be a mistake, it is searched once
    more. Once both values are exact, there is no further search. The judgement is in doubt if `near` returns False.

    Arguments:
        mean: whether the values that are found are mean results; see `controller.values_are_means`.

    Raises:
        GGPError: the state cannot be searched.
    """
    mover, judged = game.to_move(state), compared(game, state, action, search, nodes, mean=mean)
    if judged.exact or not judged.done or lost(game, mover, judged) < SUSPECT * MISTAKE:
        return judged
    for times in DEEPER, SURER:
        deeper = compared(game, state, action, search, times * nodes, mean=mean)
        judged = attrs.evolve(deeper, nodes=nodes, doubt=doubt(game, judged, deeper))
        if judged.exact or not judged.done or lost(game, mover, judged) < MISTAKE:
            return judged
    return judged if near(game, state, action, search, judged) else attrs.evolve(judged, doubt=2.0)


def near(game: AnyGame, state: State, action: Action, search: SearchState, move_value: MoveValue) -> bool:
    """Return whether the values of the move and of the best move can be compared. If only one of the two values is a
    certain win or loss, a search at half the depth must find it, too.

    When a search sees how one move ends, it has often not yet seen that another move ends in the same way. Of eight
    moves that were marked in games of checkers, three were marked wrongly without this rule (at 20,000 nodes).
    """
    most = greatest(game, game.initial_state(), (move_value.best_value, move_value.value))
    of_best, of_move = (abs(value) >= most for value in (move_value.best_value, move_value.value))
    start = state if of_best else game.result(state, action)
    if of_best == of_move or game.terminal_test(start):
        return True
    seen = search(start, Limits(depth=max(1, move_value.depth // 2), nodes=move_value.limit))
    return abs(seen.value) >= most


def doubt(game: AnyGame, before: MoveValue, after: MoveValue) -> float:
    """Return the doubt about the compared chances, from 0 to 2: how much a deeper search has changed them.

    A value that is a certain win or loss is not an estimate, so it adds no doubt.
    """
    if after.exact:
        return 0.0
    most = greatest(game, game.initial_state(), (after.best_value, after.value))
    pairs = (before.best_value, after.best_value), (before.value, after.value)
    changes = (
        abs(chances(game, later, most, mean=after.mean) - chances(game, earlier, most, mean=after.mean))
        for earlier, later in pairs
        if abs(later) < most
    )
    return max(changes, default=0.0)


def compared(
    game: AnyGame, state: State, action: Action, search: SearchState, nodes: int, *, mean: bool = False
) -> MoveValue:
    """Return the values of a move and of the best move, found by searches with this many nodes. Raises as `reviewed`
    does.
    """
    known = known_values(game, state)
    best = known_result(game, state) or search(state, Limits(nodes=nodes))
    text, after = capabilities.notation(game), game.result(state, action)
    if action == best.action:
        line = capabilities.format_line(game, state, best.principal_variation[:2])
        move = line[0] if line else text.format_action(state, action)
        return attrs.evolve(_value(best, move, best.value, nodes, line[1:]), mean=mean)
    if action in known:
        own = _known(game, after, known[action])
    elif game.terminal_test(after):
        own = _known(game, after, float(game.utility(after, MAX)))
    else:
        own, best = _alike(game, state, after, best, search, nodes)
    sign = 1 if game.to_move(state) == MAX else -1
    if sign * (own.value - best.value) >= 0:  # as good; a table may even have seen more of it
        best = attrs.evolve(best, value=own.value)
    reply = "" if own.action is None else text.format_action(after, own.action)
    judged = _value(best, text.format_action(state, best.action), own.value, nodes, [reply])
    return attrs.evolve(
        judged,
        mean=mean,
        exact=best.exact and own.exact,
        depth=max(judged.depth, own.statistics.depth + 1),
        hurried=judged.hurried or own.stopped == "seconds",
    )


def _alike(
    game: AnyGame, state: State, after: State, best: SearchResult, search: SearchState, nodes: int
) -> tuple[SearchResult, SearchResult]:
    """Return the results of two searches that look equally far ahead: one of the state after a move, one of the state
    before the move.
    """
    known = known_result(game, after)
    if known:
        return known, best
    depth = None if best.exact else max(1, best.statistics.depth - 1)
    own = search(after, Limits(depth=depth, nodes=4 * nodes))
    if depth is not None and not own.exact and own.statistics.depth < depth:
        # The move is harder to search than the best one, so both are compared at a smaller depth.
        best = search(state, Limits(depth=own.statistics.depth + 1))
    elif not own.exact and known_values(game, state):
        # A book may name only one of several best moves. So the value that a search finds for the move is compared with
        # the value that a search finds for the state.
        seen = search(state, Limits(depth=own.statistics.depth + 1))
        best = attrs.evolve(best, value=seen.value, exact=False, statistics=seen.statistics)
    return own, best


def _known(game: AnyGame, state: State, value: float) -> SearchResult:
    """Return a search result with the value of the state that is known without search."""
    known = known_result(game, state) if not game.terminal_test(state) else None
    return (
        attrs.evolve(known, value=value) if known else SearchResult(action=None, value=value, complete=True, exact=True)
    )


def _value(best: SearchResult, move: str, value: float, nodes: int, reply: Sequence[str]) -> MoveValue:
    return MoveValue(
        best=move,
        best_value=float(best.value),
        value=float(value),
        exact=best.exact,
        depth=best.statistics.depth,
        nodes=nodes,
        limit=nodes,
        reply="".join(reply),
        hurried=best.stopped in ("seconds", "interrupt"),
    )


def moves_of_players(game: AnyGame, moves: Iterable[PlayedMove]) -> list[int]:
    """Return the indices of the moves of players (not of chance) that were not forced."""
    return [
        index
        for index, move in enumerate(moves)
        if move.mover != CHANCE and len(capabilities.legal_actions(game, move.before)) > 1
    ]


def summary(game: AnyGame, moves: Iterable[tuple[int, Judged | None]]) -> list[str]:
    """Return for each side the number of its mistakes and blunders: "South: 1 mistake, no blunder".

    Arguments:
        moves: for each move, the player who made it, and its review.
    """
    own: list[list[str]] = [[], []]
    for mover, move in moves:
        if move and mover != CHANCE:
            own[mover].append(move.verdict)
    names = capabilities.players(game)
    return [f"{name}: {_many(all, 'mistake')}, {_many(all, 'blunder')}" for name, all in zip(names, own, strict=False)]


def _many(verdicts: Sequence[str], which: str) -> str:
    count = verdicts.count(which)
    return f"{count or 'no'} {which}{'s' if count > 1 else ''}"
