"""Puzzles: positions in which exactly one move wins, by exact values. Each number always gives the same puzzle.

A game may ship a collection, made by `ggp puzzles make`: the file `puzzles/NAME.jsonl` in its package, with a puzzle in
each line. The puzzles of any other game are made when they are asked for.
"""

import datetime
import functools
import importlib.resources
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ggp import capabilities
from ggp.errors import GGPError, UnsupportedGameError
from ggp.game import MAX, Action, AnyGame, State
from ggp.plugins import Registry
from ggp.searcher import Limits, Searcher, SearchResult

FIRST_DAY = datetime.date(2026, 1, 1)
"""The day of puzzle 1."""
TRIES = 40
"""Number of random games whose last positions are tried."""
BACK = range(3, 11)
"""Number of plies before the end of the game at which a puzzle begins that is made when it is asked for."""
LONGEST = 400
"""Maximum number of plies of a random game."""
FEWEST = 3
"""Minimum number of legal moves in a puzzle."""
PROOF = Limits(nodes=2_000)
"""Limits for proving the values of a position. There is no time limit, so that the result does not depend on the
machine.
"""
LONG_PROOF = Limits(nodes=150_000)
"""Limits for the proofs of a collection, which is made once."""
STRENGTH = Limits(nodes=1_000)
"""Limits of the players from whose games a collection is made."""
LATEST = 0.6
"""Greatest share of a random game that is played at random at the beginning of these games, so that games differ."""
FARTHEST = 16
"""Maximum number of plies before the end of such a game at which a puzzle begins."""
MISSES = 1
"""How many positions that cannot be proved are passed over on the way back from the end of a game."""
TOLD = 4
"""Number of moves in an explanation."""
EARLIEST = 3
"""Fewest plies that a puzzle of a collection needs, while there are enough of them."""


@attrs.frozen
class Puzzle:
    """A position, and the only move that wins."""

    number: int
    state: State
    action: Action
    depth: int | None = None
    """Number of plies that a search needs to look ahead until it has proved the move; None if it was not measured."""
    line: tuple[Action, ...] = ()
    """Best play from the move on, as far as it was proved."""


def today() -> int:
    """Return the number of today's puzzle. Days are counted in UTC, so the puzzle is the same everywhere."""
    return (datetime.datetime.now(datetime.UTC).date() - FIRST_DAY).days + 1


def puzzle(registry: Registry, game: AnyGame, number: int) -> Puzzle:
    """Return the puzzle with this number. The numbers of a collection begin again after its last puzzle.

    Raises:
        GGPError: no suitable position was found, or no searcher can search the game.
    """
    shipped = collection(registry, game)
    if shipped:
        return attrs.evolve(shipped[(number - 1) % len(shipped)], number=number)
    searcher = _searcher(registry, game)
    if searcher and not capabilities.is_stochastic(game):
        # Seeded by text, since `hash` of a string differs from process to process.
        dice = random.Random(f"{game.name} {capabilities.parameters(game)} {number}")
        for _ in range(TRIES):
            for state in _positions(game, dice):
                action = only_win(searcher, game, state)
                if action is not None:
                    return Puzzle(number, state, action)
    raise GGPError(f"there is no puzzle {number} of {game.name}: no position was found in which exactly one move wins")


def solved(registry: Registry, game: AnyGame, number: int, state: State) -> Puzzle | None:
    """Return the puzzle with this number if it begins with `state`, or else a puzzle of that position; None if no move
    of it is known to be the only one that wins.
    """
    shipped = collection(registry, game)
    found = shipped[(number - 1) % len(shipped)] if shipped else None
    if found and found.state == state:
        return attrs.evolve(found, number=number)
    searcher = _searcher(registry, game)
    action = only_win(searcher, game, state) if searcher else None
    return None if action is None else Puzzle(number, state, action)


def _searcher(registry: Registry, game: AnyGame) -> Searcher | None:
    """Return the searcher that proves wins; None if none can. It is the same whatever this machine has learned, so that
    a number gives everybody the same puzzle.
    """
    try:
        return registry.searcher(registry.preferred_searcher(game))
    except UnsupportedGameError:
        return None


def only_win(searcher: Searcher, game: AnyGame, state: State, limits: Limits = PROOF) -> Action:
    """Return the only action that wins for the player to move; None if there is not exactly one, or it is not known."""
    if len(capabilities.legal_actions(game, state)) < FEWEST:
        return None
    return _only(game, state, searcher.analyse(game, state, limits))


def _only(game: AnyGame, state: State, found: SearchResult) -> Action:
    """Return the only winning action by the values that were found; None if there is not exactly one."""
    if not found.exact or found.values is None:
        return None
    sign = 1 if game.to_move(state) == MAX else -1
    # Exact values only: a puzzle must not have a second solution.
    wins = [action for action, value in found.values.items() if sign * value > 0]
    return wins[0] if len(wins) == 1 else None


def explanation(game: AnyGame, found: Puzzle) -> str:
    """Return why the move wins, in words: what it does, and best play after it."""
    text, words, state = capabilities.notation(game), list[str](), found.state
    for place, action in enumerate((found.line or (found.action,))[:TOLD]):
        mover, move = capabilities.mover_name(game, state), text.format_action(state, action)
        told = capabilities.explain(game, state, action)
        later = f"{mover} {move}{f' ({told})' if told else ''}"
        words.append(later if place else f"{move} {told}".strip())
        state = game.result(state, action)
        if game.terminal_test(state):
            words[-1] += "" if "ends the game" in told else ", which ends the game"
            break
    return "; then ".join(words) + "."


# ---- collections


def collection(registry: Registry, game: AnyGame) -> Sequence[Puzzle]:
    """Return the puzzles that the game ships; none for other parameters than the usual ones."""
    entry = registry.games.get(game.name)
    if entry is None or game != registry.game(game.name):
        return ()
    package = type(game).__module__.partition(".")[0]
    own: Any = game  # that games can be hashed is their protocol's promise
    return _shipped(package, own)


@functools.lru_cache(64)
def _shipped(package: str, game: Any) -> Sequence[Puzzle]:
    try:
        text = (importlib.resources.files(package) / "puzzles" / f"{game.name}.jsonl").read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError, TypeError):
        return ()
    return read_puzzles(game, text)


def read_puzzles(game: AnyGame, text: str) -> Sequence[Puzzle]:
    """Return the puzzles of a file.

    Raises:
        GGPError: a line is not a puzzle of the game.
    """
    found = []
    for number, line in enumerate(filter(None, text.splitlines()), start=1):
        try:
            read = json.loads(line)
            state = capabilities.notation(game).parse_state(read["state"])
            actions, after = [], state
            for move in read["line"]:
                actions.append(capabilities.parse_action(game, after, move))
                after = game.result(after, actions[-1])
            found.append(Puzzle(number, state, actions[0], int(read["depth"]), tuple(actions)))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise GGPError(f"line {number} is not a puzzle of {game.name}: {error}") from error
    return found


def as_data(game: AnyGame, found: Puzzle) -> dict[str, Any]:
    """Return a puzzle as a line of a collection has it."""
    line = capabilities.format_line(game, found.state, found.line or (found.action,))
    return {
        "state": capabilities.notation(game).format_state(found.state),
        "line": line,
        "depth": found.depth,
    }


def make_puzzles(registry: Registry, game: AnyGame, number: int, seed: int = 1) -> Iterator[Puzzle]:
    """Yield that many puzzles, from games that strong players play after a random opening; fewer if none are found.

    Each has exactly one winning move by an exact search. There is one puzzle of each game at most.

    Raises:
        GGPError: no searcher can search the game, or it is a game of chance.
    """
    searcher = _searcher(registry, game)
    if searcher is None or capabilities.is_stochastic(game):
        raise GGPError(f"{game.name} has no puzzles: they are for games without chance that a searcher can search")
    dice, seen, made = random.Random(seed), set(), 0
    for attempt in range(TRIES * number):
        found = _of_game(searcher, game, _strong_play(searcher, game, dice))
        if found is None or found.state in seen:
            continue
        if (found.depth or 0) < EARLIEST and attempt < 5 * number:
            continue
        seen.add(found.state)
        made += 1
        yield attrs.evolve(found, number=made)
        if made == number:
            return


def _strong_play(searcher: Searcher, game: AnyGame, dice: random.Random) -> list[State]:
    """Return the states of a game between two strong players, after random moves."""
    states = [game.initial_state()]
    while not game.terminal_test(states[-1]) and len(states) < LONGEST:
        states.append(game.result(states[-1], dice.choice(capabilities.legal_actions(game, states[-1]))))
    del states[1 + int(dice.uniform(0.1, LATEST) * len(states)) :]
    while not game.terminal_test(states[-1]) and len(states) < LONGEST:
        actions = capabilities.legal_actions(game, states[-1])
        action = dice.choice(actions)
        if dice.random() > 0.1:  # strong players make a mistake now and then
            action = searcher.search(game, states[-1], STRENGTH).action
        states.append(game.result(states[-1], action))
    return states


def _of_game(searcher: Searcher, game: AnyGame, states: Sequence[State]) -> Puzzle | None:
    """Return the puzzle of a game that needs most looking ahead, of those that can be proved from its end backwards."""
    best: Puzzle | None = None
    misses = 0
    for state in reversed(states[-1 - FARTHEST : -1]):
        if len(capabilities.legal_actions(game, state)) < FEWEST:
            continue
        value = searcher.search(game, state, LONG_PROOF)
        if value.exact and (value.value > 0) != (game.to_move(state) == MAX):
            continue  # the player to move does not win; to see this is cheaper than to value all moves
        found = searcher.analyse(game, state, LONG_PROOF)
        if not found.exact:
            misses += 1
            if misses > MISSES:
                break
            continue
        action = _only(game, state, found)
        if action is not None and found.statistics.depth > (best.depth or 0 if best else 0):
            best = Puzzle(0, state, action, found.statistics.depth)
    return best and attrs.evolve(best, line=_line(searcher, game, best.state, best.action))


def _line(searcher: Searcher, game: AnyGame, state: State, action: Action) -> tuple[Action, ...]:
    """Return the move, and best play after it."""
    after = game.result(state, action)
    if game.terminal_test(after):
        return (action,)
    return (action, *(searcher.search(game, after, LONG_PROOF).principal_variation or ()))


def _positions(game: AnyGame, dice: random.Random) -> list[State]:
    """Return the last positions of a random game, in random order; none if the game is too long."""
    states = [game.initial_state()]
    while not game.terminal_test(states[-1]) and len(states) < LONGEST:
        states.append(game.result(states[-1], dice.choice(capabilities.all_actions(game, states[-1]))))
    back = [number for number in BACK if number < len(states)] if game.terminal_test(states[-1]) else []
    return [states[-1 - number] for number in dice.sample(back, len(back))]
