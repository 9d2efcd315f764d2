"""Starts of experiments: after random plies, the most even ones of these, or from a file."""

import pathlib
import random
from collections.abc import Callable, Collection

from ggp import capabilities
from ggp.errors import UsageError
from ggp.files import read_bytes, reason
from ggp.game import CHANCE, AnyGame, State
from ggp.levels import joined, usual_searcher
from ggp.play import Machine, make_player
from ggp.play.controller import played
from ggp.plugins import Registry
from ggp.searcher import SearchResult, unhurried

LARGEST = 64 << 20
"""Size of the largest file of starts that is read, in bytes."""

IN_VAIN = 200
"""If this number of random walks in a row leads to no new start, no more walks are made."""

PLIES = 4
"""Default number of random plies before a start; more are played if this number gives too few starts."""

EVEN = "even"
"""The word that asks for even starts, in the place of a file's name."""

CANDIDATES = 200
"""Minimum number of random starts from which the even starts are chosen; an even start favours neither side. From most
random starts, two strong players win with the same side, which hides how strong they are. In Hex, master won 7 of 12
games against hard from any starts, and 27 of 40 from even ones; in Kalah, it won 8 of 12 from any starts, and won 14
and drew 3 of 20 from even ones.
"""

CHOICE = 4
"""At least this many candidates are searched for each even start."""

JUDGED_NODES = 100_000
"""Limit of the search that judges a start, in states. It is no limit of time, so that the same command chooses the same
starts again.
"""

JUDGED_AGAIN_NODES = 2_000_000
"""Limit of a second search of the starts that look most even, in states, if the searches run at machine speed. Of 200
starts of Kalah, it chooses 20 from which the winner of a search of 20,000,000 states is ahead by 1.3 seeds on average;
one search alone chooses 20 with 2.1.
"""

LONGEST_WALK = 60
"""Maximum number of random plies before a start, unless the user gives the number of plies."""


def random_starts(
    game: AnyGame, base: State, number: int, plies: int | None = None, seed: int = 0, *, fewest: int = PLIES
) -> tuple[str, ...]:
    """Return start positions. If there are too few different starts, they are repeated in the same order.

    Arguments:
        base: the state from which the plies are played, each legal action as likely as the others.
        plies: the number of plies, not counting plies of chance; None: `fewest`, or more if that gives too few starts.

    Returns: `number` states in the game's notation, the same for the same seed.

    Raises:
        UsageError: no game from `base` lasts that many plies.
    """
    dice = random.Random(f"{seed} starts")
    distinct: dict[str, None] = {}
    length = fewest if plies is None else plies
    nothing_new, before = 0, -1
    while _walk_on(game, base, length, number, distinct, dice) and plies is None and len(distinct) < number:
        # Where states come back, play lasts for ever, but there are only so many positions. In some games, positions
        # alternate: so an even and an odd length must both bring nothing new.
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


def even_starts(
    registry: Registry,
    game: AnyGame,
    base: State,
    number: int,
    plies: int | None = None,
    seed: int = 0,
    *,
    fewest: int = PLIES,
    judge: str | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[str, ...]:
    """Return the most even of many random starts, the most even one first. If there are too few, they are repeated.

    Arguments:
        base, plies, seed, fewest: as for `random_starts`.
        judge: the searcher that judges the starts, with its limits; None: the searcher that plays the levels of a game
            that was not measured, with the limit `JUDGED_NODES`, and then with `JUDGED_AGAIN_NODES`.
        say: called with a text that says what is being done.

    Raises:
        UsageError: no game from `base` lasts that many plies.
        UnsupportedGameError: no searcher can play the game.
    """
    usual = usual_searcher(registry, game)
    candidates = dict.fromkeys(random_starts(game, base, max(CANDIDATES, CHOICE * number), plies, seed, fewest=fewest))
    found = _judged(registry, game, candidates, judge or joined(usual, f"nodes={JUDGED_NODES}"), seed, say)
    ranking = sorted(candidates, key=lambda start: unevenness(found[start]))
    if judge is None and any(result.speed == "compiled" for result in found.values()):
        ranking = ranking[: CHOICE * number // 2]
        found = _judged(registry, game, ranking, joined(usual, f"nodes={JUDGED_AGAIN_NODES}"), seed, say)
        ranking.sort(key=lambda start: unevenness(found[start]))
    return _repeated(tuple(ranking[:number]), number)


def _judged(
    registry: Registry, game: AnyGame, starts: Collection[str], judge: str, seed: int, say: Callable[[str], None]
) -> dict[str, SearchResult]:
    results = {}
    with unhurried():
        for index, start in enumerate(starts, 1):
            say(f"choosing even starts: {index} of {len(starts)}")
            player = make_player(registry, judge, game, seed=seed)  # a new one, which remembers no other start
            assert isinstance(player, Machine)
            state = capabilities.notation(game).parse_state(start)
            results[start] = player.searcher.search(game, state, player.limits)
    return results


def unevenness(judged: SearchResult) -> tuple[bool, float]:
    """Return whether the search of a start proves that one player wins, and the distance of its value from a draw's."""
    return judged.exact and judged.value != 0, abs(judged.value)


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
    """Return start positions from a file. Each line is a state in the game's notation, or the word `moves`, followed by
    actions from `base`.

    Empty lines and lines that begin with `#` are skipped.

    Arguments:
        number: the number of starts; if the file has fewer, they are repeated. None: each start in the file once.

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
        raise UsageError(f"{where}: no game can begin in {text.format_state(state)}, where the game is over")
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
