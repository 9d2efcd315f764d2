"""Levels: the strengths of machine players by name, the weakest first.

A level is a budget that is the same in every game. A small tournament (`ggp levels GAME --measure`) finds the searcher
that plays a game best with these budgets. The results of the tournament are stored in a file `levels.jsonl`: in the
package of the game's plugin, or in the user's data directory, which takes precedence.
"""

import contextlib
import functools
import math
import pathlib
import random
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from ggp import capabilities, repetition
from ggp.errors import GGPError, StoreError
from ggp.files import locked, user_path
from ggp.game import AnyGame, Levelled
from ggp.opening_book import known_values
from ggp.plugins import Registry
from ggp.searcher import Evaluating, preference, proves, samples
from ggp.storage import Format, converted, decoded, encoded

BEGINNER: Final = "depth=1"
"""Limits of a beginner, who looks one move ahead. A beginner has the Elo 0."""
EASY: Final = "depth=2,weak=0.2"
"""Limits of the level easy, played by the preferred searcher, unless a tournament has found better ones."""
BUDGETS: Final[Mapping[str, str]] = {"medium": "nodes=1000", "hard": "seconds=0.5", "master": "seconds=3"}
"""The limits of the other levels. Medium is limited by nodes, so that it plays the same on every machine."""
PLAYOUTS: Final[Mapping[str, str]] = {"medium": "nodes=200"}
"""Limits for searchers whose nodes are playouts, in place of those in `BUDGETS`."""
BEST: Final[Mapping[str, str]] = {"threads": "2", "book": "auto"}
"""Options of the level master, and of perfect, for searchers that have them."""
KEEPING: Final = "keep"
"""The option of searchers that keep their tree between moves. At 0.1 s of processor time a move, `mcts` with this
option won 10 and lost 10 games of Hex against `mcts` without it.
"""
PERFECT: Final = "perfect"
"""A level for games whose value is known, or is found (or likely to be found) within the time of master: see
`is_small`.

A searcher that proves values plays the level, unless a tournament found that the searcher of master finds the value.
"""
SMALL: Final = 7.2
"""The greatest size of a game (see `is_small`) that is likely to be solved within the time of master.

The size is the decimal logarithm of the number of lines of play that a proof is estimated to look at. Connect Four 6x5
has the size 7.1, and its value is proved in 2.3 seconds; Connect Four 6x6 has 7.7, Othello 6x6 has 10.5.
"""
PLAYS: Final = 8
"""Number of random games in which the size of a game is measured."""
FILE: Final = "levels.jsonl"
"""The name of the files with results of tournaments."""
VARIABLE: Final = "GGP_LEVELS"
"""The environment variable that names the user's own file."""
FORMAT: Final = Format("file of levels", 1, StoreError, "remove it, and measure the levels again", largest=16 << 20)


@attrs.frozen(kw_only=True)
class Grading:
    """The findings of a tournament about the levels of a game; a line of a file of levels."""

    game: str
    parameters: Mapping[str, object]
    searcher: str
    """The searcher that is best at equal time, with its options, as written on the command line."""
    easy: str
    """The limits at which the level `easy` loses about a third of its games to a beginner."""
    perfect: bool
    """Whether the value of the game was found within the time of master."""
    elo: Mapping[str, float]
    """The Elo of each level; a beginner, who looks one move ahead, has 0."""
    results: Mapping[str, tuple[int, int, int]]
    """Wins, draws and losses of each level against the one below it; the lowest level plays against a beginner."""
    share: float
    """Share of their usual seconds that the levels had in the tournament."""
    medium: str | None = None
    """The player of the level medium, with its limits; None: `searcher`."""

    @property
    def key(self) -> tuple[str, bytes]:
        """The game and its parameters."""
        return self.game, _written(self.parameters)

    def agrees(self, game: AnyGame) -> bool:
        """Return whether this result is about a game with exactly these parameters."""
        return self.key == (game.name, _written(capabilities.parameters(game)))


def _written(parameters: Mapping[str, object]) -> bytes:
    return encoded(dict(sorted(parameters.items())))


def levels(registry: Registry, game: AnyGame, measured: Grading | None = None) -> Mapping[str, str]:
    """Return the searcher of each level of `game`, as written on the command line.

    Arguments:
        measured: the result of a tournament; None: the stored result of the last tournament.

    Raises:
        UnsupportedGameError: the game has no levels of its own, and no searcher that is installed can serve it.
    """
    if isinstance(game, Levelled):
        return game.levels
    graded = measured or grading(registry, game) or _grading_of_variant(registry, game)
    searcher = (
        graded.searcher if graded and _serves(registry, graded.searcher, game) else usual_searcher(registry, game)
    )
    preferred = registry.preferred_searcher(game)
    made = {"easy": joined(preferred, graded.easy if graded else EASY)}
    made |= levels_above_easy(registry, game, searcher)
    if graded and graded.medium and _serves(registry, graded.medium, game):
        made["medium"] = graded.medium
    known, measured_perfect = known_values(game, game.initial_state()), bool(graded and graded.perfect)
    if graded and measured_perfect and graded.agrees(game) and not known:
        made[PERFECT] = made["master"]
    elif (known or (graded and is_small(game))) and (proving := _proving(registry, game)):
        made[PERFECT] = joined(proving, budgets(registry, proving)["master"])
    return made


def levels_above_easy(registry: Registry, game: AnyGame, searcher: str) -> dict[str, str]:
    """Return the levels above easy, played by a searcher. Raises as `levels` does."""
    made = {name: joined(searcher, limits) for name, limits in budgets(registry, searcher).items()}
    if samples(registry.searchers[searcher.partition(":")[0]].factory) and capabilities.evaluations(game):
        # A few hundred playouts are weaker than easy.
        made["medium"] = joined(registry.preferred_searcher(game), BUDGETS["medium"])
    return made


def is_small(game: AnyGame) -> bool:
    """Return whether the value of a game is likely to be proved in the time of master.

    A proof looks at about the square root of all lines of play. The logarithm of this root is estimated in random
    games, from the number of legal moves at each ply, and compared with `SMALL`. The result is the same on every
    machine.
    """
    if capabilities.is_stochastic(game) or repetition.may_repeat(game):
        return False
    dice, lines = random.Random(0), 0.0
    with contextlib.suppress(Exception):  # whoever plays the game is told what is wrong with its rules
        for _ in range(PLAYS):
            state = game.initial_state()
            while not game.terminal_test(state):
                actions = list(game.actions(state))
                lines += math.log10(len(actions)) / 2
                if lines > PLAYS * SMALL:
                    return False
                state = game.result(state, dice.choice(actions))
        return True
    return False


def _proving(registry: Registry, game: AnyGame) -> str | None:
    """Return the searcher of the game that proves values; None if there is none."""
    return next((name for name in registry.searchers_for(game) if proves(registry.searchers[name].factory)), None)


def budgets(registry: Registry, searcher: str) -> Mapping[str, str]:
    """Return the limits of the levels above easy for a searcher, with those options of master that the searcher has."""
    entry = registry.searchers[searcher.partition(":")[0]]
    own = {option.name for option in entry.options}
    texts = {**BUDGETS, **(PLAYOUTS if samples(entry.factory) else {})}
    best = [f"{name}={value}" for name, value in BEST.items() if name in own]
    texts["master"] = ",".join([texts["master"], *best])
    return texts


def usual_searcher(registry: Registry, game: AnyGame) -> str:
    """Return the searcher that plays a game for which there was no tournament.

    The preferred searcher plays, with the learned evaluation if there is one. A game without an evaluation is played by
    a searcher that samples whole games, which is stronger in such a game.

    Raises:
        UnsupportedGameError: no searcher that is installed can serve the game.
    """
    preferred = registry.preferred_searcher(game)
    learned = with_best_evaluation(registry, game, preferred)
    if learned:
        return learned
    if capabilities.evaluations(game) or len(capabilities.players(game)) == 1:
        return preferred
    able = {name: registry.searchers[name].factory for name in registry.searchers_for(game)}
    sampling = [name for name in able if samples(able[name])]
    return max(sampling, key=lambda name: preference(able[name]), default=preferred)


def with_best_evaluation(registry: Registry, game: AnyGame, searcher: str) -> str | None:
    """Return a searcher with the evaluation that was learned about the game; None if none was learned."""
    options = ",".join(f"{name}={value}" for name, value in registry.best_evaluation(game, searcher).items())
    return joined(searcher, options) if options else None


def joined(searcher: str, options: str) -> str:
    """Return the text of a searcher with `options` added to it."""
    return f"{searcher}{',' if ':' in searcher else ':'}{options}"


def elo(registry: Registry, game: AnyGame, measured: Grading | None = None) -> Mapping[str, float]:
    """Return the Elo of each level, as a tournament found it; {} if no tournament had these parameters.

    The level perfect gets the Elo of master, since it is no weaker. `measured` is as for `levels`.
    """
    graded = None if isinstance(game, Levelled) else measured or grading(registry, game)
    if graded is None or "master" not in graded.elo or PERFECT not in levels(registry, game, graded):
        return {} if graded is None else graded.elo
    return {**graded.elo, PERFECT: graded.elo["master"]}


def usual_level(registry: Registry, game: AnyGame) -> str:
    """Return the level that a person plays against by default: medium, or else the middle one. Raises as `levels`."""
    if not isinstance(game, Levelled):
        registry.preferred_searcher(game)  # with one, a game has all levels; who plays them takes longer to find
        return "medium"
    names = list(game.levels)
    return "medium" if "medium" in names else names[len(names) // 2]


def hint_level(registry: Registry, game: AnyGame) -> str:
    """Return the level that gives hints, so that nobody has to wait long: hard, or else the strongest one. Raises
    as `levels`.
    """
    names = list(levels(registry, game))
    return "hard" if "hard" in names else names[-1]


def with_time(registry: Registry, game: AnyGame, seconds: int) -> str:
    """Return the text of the strongest level as a player that has `seconds` for a move in place of the level's limits.

    Raises as `levels` does.
    """
    return f"{list(levels(registry, game))[-1]}:seconds={seconds}"


def varied(registry: Registry, player: str, game: AnyGame) -> str:
    """Return a level that chooses at random among equally good moves, so that games against it differ.

    Any other player, or a level with its own `ties`, is returned unchanged. Raises as `levels` does.
    """
    own = levels(registry, game).get(player)
    # The proof of one best move takes all the time that there is. So other moves that are as good stay unknown.
    fixed = own is None or "ties=" in own or proves(registry.searchers[own.partition(":")[0]].factory)
    return player if fixed else f"{player}:ties=random"


def against_person(registry: Registry, player: str, game: AnyGame) -> str:
    """Return a level as it plays one game against a person.

    Its play is varied. The level keeps its tree between moves if its searcher has a tree and its limit is a time.

    With a limit of nodes, the tree would make a move depend on whether the game was resumed. Raises as `levels` does.
    """
    text = varied(registry, player, game)
    if text == player:
        return player
    own = levels(registry, game)[player]
    options = {option.name for option in registry.searchers[own.partition(":")[0]].options}
    keeps = KEEPING in options and "seconds=" in own and "nodes=" not in own
    return f"{text},{KEEPING}=yes" if keeps else text


# ---- files of levels


def own_file() -> pathlib.Path:
    """Return the user's own file: the one that GGP_LEVELS names, or one in the user's data directory."""
    return user_path(FILE, VARIABLE)


def grading(registry: Registry, game: AnyGame) -> Grading | None:
    """Return the findings about a game with exactly these parameters; None if there are none."""
    return next((each for each in _gradings(registry, game) if each.agrees(game)), None)


def _grading_of_variant(registry: Registry, game: AnyGame) -> Grading | None:
    """Return the result for the same game with the most similar parameters; None if the game has no results."""
    wanted = capabilities.parameters(game)

    def differences(each: Grading) -> int:
        return sum(each.parameters.get(name) != value for name, value in wanted.items())

    return min(_gradings(registry, game), key=differences, default=None)


def _gradings(registry: Registry, game: AnyGame) -> list[Grading]:
    """Return all results for a game with any parameters, the user's own first."""
    entry = registry.games.get(game.name)
    package = (entry.factory if entry else type(game)).__module__.partition(".")[0]
    with contextlib.suppress(StoreError):  # levels without findings are better than none; `ggp levels` tells
        return [each for each in (*read(own_file()), *_shipped(package)) if each.game == game.name]
    return [each for each in _shipped(package) if each.game == game.name]


@functools.cache
def _shipped(package: str) -> tuple[Grading, ...]:
    """Return the findings in a plugin's package."""
    body = FORMAT.shipped(package, FILE)
    return () if body is None else _lines(body, f"{package}/{FILE}")


def read(path: pathlib.Path) -> tuple[Grading, ...]:
    """Return the findings in a file; none if it does not exist.

    Raises:
        StoreError: the file cannot be read, or is damaged.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise FORMAT.unreadable(path, error) from None
    return _read(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=4)
def _read(path: pathlib.Path, changed: int, size: int) -> tuple[Grading, ...]:
    return _lines(FORMAT.read(path), path)


def _lines(body: bytes, source: str | pathlib.Path) -> tuple[Grading, ...]:
    try:
        return tuple(converted(decoded(line), Grading) for line in body.splitlines())
    except ValueError as error:
        raise FORMAT.damaged(source, str(error)) from None


def write(path: pathlib.Path, gradings: Iterable[Grading]) -> None:
    """Add findings to a file; they replace findings on the same game and parameters.

    Raises:
        StoreError: the file cannot be written, or is not a file of levels.
    """
    with contextlib.suppress(OSError):  # writing the file reports it
        path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_name(f"{path.name}.lock"), f"waiting for another process that writes {path}"):
        kept = {each.key: each for each in (*read(path), *gradings)}
        FORMAT.write(path, *(encoded(each) for _, each in sorted(kept.items())))
    _shipped.cache_clear()


def _serves(registry: Registry, searcher: str, game: AnyGame) -> bool:
    """Return whether a searcher as written on the command line can play the game."""
    try:
        able = registry.parse_searcher(searcher)[0]
        registry.require(able, game)
        wanted = able.evaluation if isinstance(able, Evaluating) else "default"
        if not isinstance(wanted, str) or wanted in ("default", "auto") or wanted in capabilities.evaluations(game):
            return True
        return registry.evaluation(game, wanted) is not None
    except GGPError:
        return False
