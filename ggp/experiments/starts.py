"""Starts of experiments: after random plies, or from a file."""

import pathlib
import random

from ggp import capabilities
from ggp.errors import UsageError
from ggp.files import read_bytes, reason
from ggp.game import CHANCE, AnyGame, State
from ggp.play.controller import played

LARGEST = 64 << 20
"""Size of the largest file of starts that is read, in bytes."""

IN_VAIN = 200
"""Number of random walks without a new start after which no more are made."""

PLIES = 4
"""Default number of random plies before a start; more if that gives too few starts."""

LONGEST_WALK = 60
"""Greatest number of random plies before a start, unless the user chooses it."""


def random_starts(
    game: AnyGame, base: State, number: int, plies: int | None = None, seed: int = 0, *, fewest: int = PLIES
) -> tuple[str, ...]:
    """Return start positions. If there are too few different starts, they are repeated in the same order.

    Arguments:
        base: the state from which the plies are played, each legal action as likely as the others.
        plies: the number of plies, not counting those of chance; None: `fewest`, or more if that gives too few starts.

    Returns: `number` states in the game's notation, the same for the same seed.

    Raises:
        UsageError: no game from `base` lasts that many plies.
    """
    dice = random.Random(f"{seed} starts")
    distinct: dict[str, None] = {}
    length = fewest if plies is None else plies
    nothing_new, before = 0, -1
    while _walk_on(game, base, length, number, distinct, dice) and plies is None and len(distinct) < number:
        # Where states come back, play lasts for ever and has only so many positions. Of two lengths in succession one
        # is even and one odd: the positions of some games alternate.
        nothing_new = nothing_new + 1 if len(distinct) == before else 0
        if nothing_new == 2 or length >= LONGEST_WALK:
            break
        length, before = length + 1, len(distinct)
    while not distinct and plies is None and length > 0:  # a game so short that it is over before
        length -= 1
        _walk_on(game, base, length, number, distinct, dice)
    if not distinct:
        where = capabilities.notation(game).format_state(base)
        raise UsageError(
            f"{game.name} has no start position {plies or 0} plies after {where}: every random game from there is over"
            " by then; ask for fewer plies"
        )
    return _repeated(tuple(distinct), number)


def _walk_on(
    game: AnyGame, base: State, plies: int, number: int, distinct: dict[str, None], dice: random.Random
) -> bool:
    """Add starts of `plies` plies to `distinct`, up to `number` in all. Return whether any game lasts that long."""
    text, lasts, vain = capabilities.notation(game), False, 0
    while len(distinct) < number and vain < IN_VAIN:
        state = _walk(game, base, plies, dice)
        before = len(distinct)
        if state is not None:
            lasts = True
            distinct[text.format_state(state)] = None
        vain = 0 if len(distinct) > before else vain + 1
    return lasts


def read_starts(game: AnyGame, base: State, path: pathlib.Path, number: int | None = None) -> tuple[str, ...]:
    """Return start positions from a file. Each line is a state in the game's notation, or `moves` and the actions from
    `base`.

    Empty lines and lines that begin with `#` are skipped.

    Arguments:
        number: the number of starts; if the file has fewer, they are repeated. None: each of them once.

    Raises:
        UsageError: the file does not hold positions, or a game cannot begin in one of them.
    """
    try:
        lines = read_bytes(path, LARGEST).decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise UsageError(f"{path} cannot be read: it is not text in UTF-8") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {reason(error)}") from None
    starts = [
        _start(game, base, line.strip(), f"{path}, line {index}")
        for index, line in enumerate(lines, 1)
        if line.strip() and not line.strip().startswith("#")
    ]
    if not starts:
        raise UsageError(f"{path} has no start positions; write each one on a line of its own")
    return _repeated(tuple(starts), len(starts) if number is None else number)


def _repeated(starts: tuple[str, ...], number: int) -> tuple[str, ...]:
    return tuple(starts[index % len(starts)] for index in range(number))


def _start(game: AnyGame, base: State, line: str, where: str) -> str:
    text = capabilities.notation(game)
    word, _, actions = line.partition(" ")
    try:
        if word == "moves":
            state = base
            for before, action in played(game, base, actions.replace(",", " ").split()):
                state = game.result(before, action)
        else:
            state = text.parse_state(line)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None
    if game.terminal_test(state):
        raise UsageError(f"{where}: no game can begin in {text.format_state(state)}, since it is over there")
    return text.format_state(state)


def _walk(game: AnyGame, state: State, plies: int, dice: random.Random) -> State:
    """Return the state after `plies` random plies and the chance plies that follow; None if the game ends before."""
    while not game.terminal_test(state):
        if game.to_move(state) == CHANCE:
            outcomes, weights = zip(*game.outcomes(state), strict=True)  # type: ignore[attr-defined]
            state = game.result(state, dice.choices(outcomes, weights)[0])
        elif plies == 0:
            return state
        else:
            state = game.result(state, dice.choice(capabilities.all_actions(game, state)))
            plies -= 1
    return None
