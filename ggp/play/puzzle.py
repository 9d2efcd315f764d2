"""Puzzles: positions in which exactly one move wins, as their exact values prove. Each number always gives the same
puzzle.

A game may ship a collection as the file `puzzles/NAME.jsonl` in its package, with a puzzle in each line. `ggp puzzles
make` makes such a file. The puzzles of any other game are made when they are asked for.
"""

import datetime
import functools
import json
import random
from collections.abc import Sequence

import attrs

from ggp import capabilities
from ggp.errors import GGPError, UnsupportedGameError
from ggp.game import MAX, Action, AnyGame, State
from ggp.number_text import many
from ggp.play.controller import known_result, tally
from ggp.plugins import Registry
from ggp.searcher import Limits, Searcher, SearchResult
from ggp.show.effects import effect, gains, pieces
from ggp.storage import packaged

FIRST_DAY = datetime.date(2026, 1, 1)
"""The day of puzzle 1."""
TRIES = 40
"""Number of random games whose last positions are tried."""
BACK = range(3, 11)
"""Number of plies before the end of the game at which a puzzle begins if it is made on demand."""
LONGEST = 400
"""Maximum number of plies of a random game."""
FEWEST = 3
"""Minimum number of legal moves in a puzzle."""
PROOF = Limits(nodes=2_000)
"""Limits for proving the values of a position. There is no time limit, so that the result does not depend on the
machine.
"""
TOLD = 4
"""Maximum number of moves in an explanation."""
EFFECTS = {
    "sacrifice": "gives up a piece, and wins",
    "double threat": "wins at the next move, whatever the reply",
    "forced reply": "leaves only one reply",
    "defence": "keeps the opponent from winning at once",
}
"""Effects of moves, by theme, that cannot be seen by comparing the boards before and after the move."""
FEW = 5
"""Maximum number of replies that an explanation counts."""


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
    theme: str = ""
    """Theme of the move, such as "extra turn"; see the function `theme`."""


def today() -> int:
    """Return the number of today's puzzle. Days are counted in UTC, so the puzzle is the same everywhere."""
    return (datetime.datetime.now(datetime.UTC).date() - FIRST_DAY).days + 1


def puzzle(registry: Registry, game: AnyGame, number: int) -> Puzzle:
    """Return the puzzle with this number. After the last puzzle of a collection, the first puzzle comes again.

    Raises:
        GGPError: no suitable position was found, or no searcher can search the game.
    """
    shipped = collection(registry, game)
    if shipped:
        return attrs.evolve(shipped[(number - 1) % len(shipped)], number=number)
    searcher = exact_searcher(registry, game)
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
    """Return the puzzle with this number if it begins with `state`, or else a new puzzle that does.

    Return None if no move of `state` is known to be the only one that wins.
    """
    shipped = collection(registry, game)
    puzzle = shipped[(number - 1) % len(shipped)] if shipped else None
    if puzzle and puzzle.state == state:
        return attrs.evolve(puzzle, number=number)
    searcher = exact_searcher(registry, game)
    action = only_win(searcher, game, state) if searcher else None
    return None if action is None else Puzzle(number, state, action)


def exact_searcher(registry: Registry, game: AnyGame) -> Searcher | None:
    """Return the searcher that proves wins; None if no searcher can. The searcher does not depend on what this machine
    has learned, so a number gives everybody the same puzzle.
    """
    try:
        return registry.searcher(registry.preferred_searcher(game))
    except UnsupportedGameError:
        return None


def only_win(searcher: Searcher, game: AnyGame, state: State, limits: Limits = PROOF) -> Action:
    """Return the only action that wins for the player to move.

    Return None if several actions win or none does, or if this is not known.
    """
    legal = capabilities.legal_actions(game, state)
    if len(legal) < FEWEST:
        return None
    known = known_result(game, state)
    whole = known is not None and len(known.values or ()) == len(legal)
    return _only(game, state, known if known and whole else searcher.analyse(game, state, limits))


def _only(game: AnyGame, state: State, result: SearchResult) -> Action:
    """Return the only action that wins, by the exact values in `result`; None if several actions win or none does."""
    if not result.exact or result.values is None:
        return None
    sign = 1 if game.to_move(state) == MAX else -1
    # Exact values only: a puzzle must not have a second solution.
    wins = [action for action, value in result.values.items() if sign * value > 0]
    return wins[0] if len(wins) == 1 else None


def explanation(game: AnyGame, puzzle: Puzzle) -> str:
    """Return an explanation of why the move wins. The explanation gives the effect of the move, best play after it, and
    the result of the whole line.
    """
    text, steps, state = capabilities.notation(game), list[str](), puzzle.state
    for index, action in enumerate((puzzle.line or (puzzle.action,))[:TOLD]):
        mover, move = capabilities.mover_name(game, state), text.format_action(state, action)
        told = effect(game, state, action)
        later = f"{mover} {move}{f' ({told})' if told else ''}"
        steps.append(later if index else f"{move} {_point(game, puzzle, told)}".strip())
        state = game.result(state, action)
        if game.terminal_test(state):
            steps[-1] += "" if "ends the game" in told else ", which ends the game"
            break
    about = f" Theme: {puzzle.theme}." if puzzle.theme else ""
    return f"{'; then '.join(steps)}. {_whole(game, puzzle)}{about}"


def _point(game: AnyGame, puzzle: Puzzle, told: str) -> str:
    """Return what the move of a puzzle does: `told`, and the reason why the move wins if `told` does not show it."""
    state, mover = puzzle.state, game.to_move(puzzle.state)
    after = game.result(state, puzzle.action)
    parts = [told, EFFECTS.get(puzzle.theme, "")]
    if not any(parts) and not game.terminal_test(after) and game.to_move(after) != mover:
        answers = [game.result(after, reply) for reply in capabilities.legal_actions(game, after)]
        losing = [each for each in answers if not game.terminal_test(each) and wins_at_once(game, each, mover)]
        opponent = capabilities.mover_name(game, after)
        safe = len(answers) - len(losing)
        if not safe:
            parts = [EFFECTS["double threat"]]
        elif losing:
            prevent = "prevents" if safe == 1 else "prevent"
            parts = [f"threatens to win at once, and only {safe} of {len(answers)} replies {prevent} it"]
        elif len(answers) <= FEW:
            parts = [f"leaves {opponent} only {many(len(answers), 'reply', 'replies')}"]
    return ", and ".join(filter(None, parts)) or "is a quiet move"


def _whole(game: AnyGame, puzzle: Puzzle) -> str:
    """Return in a sentence what the line of a puzzle brings: captures, extra turns, and the win."""
    way, mover, name = [puzzle.state], game.to_move(puzzle.state), capabilities.mover_name(game, puzzle.state)
    for action in puzzle.line or (puzzle.action,):
        way.append(game.result(way[-1], action))
    own = [index for index, state in enumerate(way[:-1]) if game.to_move(state) == mover]
    again = sum(index + 1 in own for index in own)
    does = _gains(game, way[0], way[-1], mover)
    if again:
        does.append(f"has {many(again, 'extra turn')}")
    over = game.terminal_test(way[-1])
    if over:
        score = tally(game, way[-1], game.utility(way[-1], MAX))
        does.append(f"wins {score if mover == MAX else ' : '.join(reversed(score.split(' : ')))}".strip())
    listed = " and ".join(filter(None, [", ".join(does[:-1]), *does[-1:]]))
    brought = f"In {many(len(own), 'move')} {name} {listed}." if does else ""
    proved = f"The win is proved {many(puzzle.depth, 'ply', 'plies')} deep." if puzzle.depth and not over else ""
    return " ".join(filter(None, (brought, proved)))


def theme(game: AnyGame, puzzle: Puzzle) -> str:
    """Return the theme of a puzzle's move, in two or three words; it follows from the rules and the scenes."""
    state, mover = puzzle.state, game.to_move(puzzle.state)
    after = game.result(state, puzzle.action)
    if game.terminal_test(after):
        return "end of the game"
    if game.to_move(after) == mover:
        return "extra turn"
    replies = capabilities.legal_actions(game, after)
    answers = [game.result(after, reply) for reply in replies]
    if all(not game.terminal_test(each) and wins_at_once(game, each, mover) for each in answers):
        return "forced reply" if len(replies) == 1 else "double threat"
    taken = _pieces(game, state, 1 - mover) - _pieces(game, after, 1 - mover)
    if taken > 1:
        return "multiple capture"
    if len(puzzle.line) > 1:
        lost = _pieces(game, after, mover) - _pieces(game, game.result(after, puzzle.line[1]), mover)
        if lost > taken:
            return "sacrifice"
    if taken == 1 or "captur" in capabilities.explain(game, state, puzzle.action):
        return "capture"
    if len(replies) == 1:
        return "forced reply"
    others = [game.result(state, each) for each in capabilities.legal_actions(game, state) if each != puzzle.action]
    if any(not game.terminal_test(each) and wins_at_once(game, each, 1 - mover) for each in others):
        return "defence"
    return "quiet move"


def wins_at_once(game: AnyGame, state: State, player: int) -> bool:
    """Return whether a player is to move and can end the game with a win."""
    if game.to_move(state) != player:
        return False
    ends = (game.result(state, action) for action in game.actions(state))
    return any(game.terminal_test(each) and game.utility(each, player) > 0 for each in ends)


def _gains(game: AnyGame, state: State, after: State, player: int) -> list[str]:
    return gains(capabilities.scene(game, state), capabilities.scene(game, after), player)


def _pieces(game: AnyGame, state: State, player: int) -> int:
    return pieces(capabilities.scene(game, state), player)


# ---- collections


def collection(registry: Registry, game: AnyGame) -> Sequence[Puzzle]:
    """Return the puzzles that the game ships; none if the game has unusual parameters."""
    entry = registry.games.get(game.name)
    if entry is None or game != registry.game(game.name):
        return ()
    package = type(game).__module__.partition(".")[0]
    own: object = game  # that games can be hashed is their protocol's promise
    return _shipped(package, own)


@functools.lru_cache(64)
def _shipped(package: str, game: AnyGame) -> Sequence[Puzzle]:
    content = packaged(package, f"puzzles/{game.name}.jsonl")
    return () if content is None else read_puzzles(game, content.decode())


def read_puzzles(game: AnyGame, text: str) -> Sequence[Puzzle]:
    """Return the puzzles of a file.

    Raises:
        GGPError: a line is not a puzzle of the game.
    """
    puzzles = []
    for number, line in enumerate(filter(None, text.splitlines()), start=1):
        try:
            read = json.loads(line)
            state = capabilities.notation(game).parse_state(read["state"])
            actions, after = [], state
            for move in read["line"]:
                actions.append(capabilities.parse_action(game, after, move))
                after = game.result(after, actions[-1])
            puzzles.append(
                Puzzle(number, state, actions[0], int(read["depth"]), tuple(actions), str(read.get("theme", "")))
            )
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise GGPError(f"line {number} is not a puzzle of {game.name}: {error}") from error
    return puzzles


def as_data(game: AnyGame, puzzle: Puzzle) -> dict[str, object]:
    """Return a puzzle in the form of a line of a collection."""
    line = capabilities.format_line(game, puzzle.state, puzzle.line or (puzzle.action,))
    state = capabilities.notation(game).format_state(puzzle.state)
    return {"state": state, "line": line, "depth": puzzle.depth, "theme": puzzle.theme}


def _positions(game: AnyGame, dice: random.Random) -> list[State]:
    """Return the last positions of a random game, in random order; none if the game is too long."""
    states = [game.initial_state()]
    while not game.terminal_test(states[-1]) and len(states) < LONGEST:
        states.append(game.result(states[-1], dice.choice(capabilities.all_actions(game, states[-1]))))
    back = [number for number in BACK if number < len(states)] if game.terminal_test(states[-1]) else []
    return [states[-1 - number] for number in dice.sample(back, len(back))]
