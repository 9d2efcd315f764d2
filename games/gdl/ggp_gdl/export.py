"""Export: a small game of any plugin as a description in GDL.

All states are enumerated; a state is a number, and its moves are facts. So the description has exactly the behaviour of
the class, however the class is written.
"""

import re
from collections.abc import Iterator

from ggp import capabilities
from ggp.errors import UnsupportedGameError
from ggp.game import CHANCE, MAX, AnyGame, State

MOST_STATES = 50_000
"""Maximum number of states of a game that can be written as a description."""
WAIT = "noop"


def export(game: AnyGame) -> str:
    """Return the description of a game.

    Goals are 100 for a win, 50 for a draw and 0 for a loss; if other utilities occur, they are spread from 0 to 100.

    Raises:
        UnsupportedGameError: the game has chance or more than `MOST_STATES` states, or a state can come back.
    """
    if capabilities.is_stochastic(game):
        raise UnsupportedGameError(f"{game.name} has chance: only games without chance are written as GDL")
    return "\n".join(_lines(game)) + "\n"


def _lines(game: AnyGame) -> Iterator[str]:
    numbers, moves, ends = _enumerate(game)
    roles = [word(name) for name in capabilities.players(game)]
    yield f"; {capabilities.title(game)}, written by ggp: {len(numbers):,} states, each with its moves."
    yield from (f"(role {role})" for role in roles)
    yield "(init (state 0))"
    yield "(<= (legal ?role ?move) (true (state ?state)) (move ?state ?role ?move ?after))"
    for role in roles if len(roles) > 1 else ():
        others = " ".join(f"(turn ?state {other})" for other in roles if other != role)
        yield f"(<= (legal {role} {WAIT}) (true (state ?state)) {others})"
    yield "(<= (next (state ?after)) (true (state ?state)) (does ?role ?move) (move ?state ?role ?move ?after))"
    yield "(<= terminal (true (state ?state)) (end ?state ?value))"
    lowest, highest = min(ends.values(), default=0), max(ends.values(), default=0)
    reach = max(abs(lowest), abs(highest)) or 1
    for value in sorted(set(ends.values())):
        share = (
            round(50 + 50 * value / reach)
            if len(roles) > 1
            else round(100 * (value - lowest) / (highest - lowest or 1))
        )
        for role, goal in zip(roles, (share, 100 - share), strict=False):
            yield f"(<= (goal {role} {goal}) (true (state ?state)) (end ?state {written(value)}))"
    for state, mover, action, after in moves:
        yield f"(move {state} {roles[mover]} {action} {after})"
    if len(roles) > 1:
        for state, mover in dict.fromkeys((state, mover) for state, mover, _, _ in moves):
            yield f"(turn {state} {roles[mover]})"
    yield from (f"(end {state} {written(value)})" for state, value in ends.items())


def _enumerate(game: AnyGame) -> tuple[dict[State, int], list[tuple[int, int, str, int]], dict[int, float]]:
    """Return the number of each state, the moves (state, mover, action, next state), and the utilities of the ends."""
    text = capabilities.notation(game)
    start = game.initial_state()
    numbers: dict[State, int] = {start: 0}
    moves, ends, pending = [], {}, [start]
    while pending:
        state = pending.pop()
        if game.terminal_test(state):
            ends[numbers[state]] = game.utility(state, MAX)
            continue
        mover = game.to_move(state)
        if mover == CHANCE:
            raise UnsupportedGameError(f"{game.name} has chance: only games without chance are written as GDL")
        for action in game.actions(state):
            after = game.result(state, action)
            if after not in numbers:
                numbers[after] = len(numbers)
                pending.append(after)
                if len(numbers) > MOST_STATES:
                    raise UnsupportedGameError(f"{game.name} has more than {MOST_STATES:,} states: it is too large")
            moves.append((numbers[state], mover, word(text.format_action(state, action)), numbers[after]))
    return numbers, moves, ends


def written(value: float) -> str:
    """Return a utility as a word."""
    return f"{value:g}"


def word(text: str) -> str:
    """Return a text as a word of GDL: in lower case, and without blanks, brackets and question marks."""
    return re.sub(r"[\s()?;]+", "_", text.strip().lower()) or "_"
