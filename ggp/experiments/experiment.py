"""Experiments: players, starts, pairings and seeds, which determine every game to be played."""

import functools
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from ggp import capabilities
from ggp.errors import GGPError
from ggp.escapes import escaped
from ggp.game import AnyGame
from ggp.play import Participant, Record, make_player, play_game
from ggp.play.match import Keeper
from ggp.play.players import begin, close
from ggp.play.records import TimeControl
from ggp.plugin_faults import blame
from ggp.plugins import Registry, load_registry
from ggp.searcher import unhurried
from ggp.watchdog import watching

LONGEST = 10_000
"""Number of moves after which a game that is not over counts as a draw."""


@attrs.frozen(kw_only=True)
class GameJob:
    """One game to play, as plain data that can be sent to any process."""

    number: int
    """The game's number in the experiment, from 0."""
    game: str
    parameters: Mapping[str, str]
    players: tuple[str, str]
    """MAX's and MIN's player, as written on the command line."""
    seeds: tuple[int, int]
    """Seeds for the random choices of the two players."""
    start: str
    """The first state, in the game's notation."""
    seed: int
    """Seed of the dice."""
    longest: int
    clock: TimeControl | None = None
    """The clock of the two players; None: no limit."""
    plugins: tuple[str, ...] = ()
    """Plugin files to load besides the installed plugins."""


@attrs.frozen(kw_only=True)
class Outcome:
    """The result of a game that was played."""

    number: int
    record: Record


@attrs.frozen(kw_only=True)
class Experiment:
    """Games between players: each pair of players plays twice from each start, with sides swapped."""

    game: str
    parameters: Mapping[str, str] = attrs.field(factory=dict)
    """The parameters of the game, as they are typed on the command line."""
    players: tuple[str, ...]
    couples: tuple[tuple[int, int], ...]
    """The pairs of players that meet, by index."""
    starts: tuple[str, ...]
    """The start of each pair of games, in the game's notation."""
    seed: int = 0
    longest: int = LONGEST
    clock: TimeControl | None = None
    """The clock of each game, besides the players' own limits; None: no limit."""
    plugins: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        """Number of games to play."""
        return 2 * len(self.starts) * len(self.couples)

    def meeting(self, number: int) -> tuple[int, int, int]:
        """Return the index of a game's pair of players, the index of its start, and 1 if sides are swapped, otherwise
        0.
        """
        pair, leg = divmod(number, 2)
        start, couple = divmod(pair, len(self.couples))
        return couple, start, leg

    def job(self, number: int) -> GameJob:
        """Return the game with this number."""
        couple, start, leg = self.meeting(number)
        sides = self.couples[couple][:: -1 if leg else 1]
        return GameJob(
            number=number,
            game=self.game,
            parameters=self.parameters,
            players=(self.players[sides[0]], self.players[sides[1]]),
            seeds=(self._seed(number, "first"), self._seed(number, "second")),
            start=self.starts[start],
            seed=self._seed(start, "dice"),  # the same dice for all who meet from the same start
            longest=self.longest,
            clock=self.clock,
            plugins=self.plugins,
        )

    def jobs(self) -> Iterator[GameJob]:
        """Yield all games; the two games of a pair follow each other."""
        return map(self.job, range(self.games))

    def _seed(self, index: int, use: str) -> int:
        """Return a 32-bit seed for one use: a player of a game, or the dice of a start."""
        return int.from_bytes(hashlib.sha256(f"{self.seed} {index} {use}".encode()).digest()[:4], "big")


def round_robin(number: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a round robin: every player meets every other."""
    return tuple((i, j) for i in range(number) for j in range(i + 1, number))


def gauntlet(number: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a gauntlet: the first player meets every other."""
    return tuple((0, j) for j in range(1, number))


def as_texts(game: AnyGame) -> dict[str, str]:
    """Return the game's parameters as they are typed on the command line."""
    return {name: _typed(value) for name, value in capabilities.parameters(game).items()}


def _typed(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_typed, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def check_players(registry: Registry, game: AnyGame, texts: Iterable[str]) -> None:
    """Create each player once, so that errors appear before the first game. Raises as `make_player` and `begin` do."""
    for text in texts:
        player = make_player(registry, text, game)
        try:
            begin(player)
        finally:
            close(player)


def play_job(job: GameJob) -> Outcome:
    """Play one game, with the plugins loaded in this process.

    Raises:
        GGPError: a player, or the game, failed; the message says in which game.
    """
    registry, game = _loaded(job.game, tuple(sorted(job.parameters.items())), job.plugins)
    with watching(lambda: registry, _say):
        return play_at(registry, game, job)


def _say(sentence: str) -> None:
    """Print the message with which this process ends."""
    sys.stderr.write(f"ggp: {escaped(sentence)}\n")


def play_at(registry: Registry, game: AnyGame, job: GameJob, keeper: Keeper | None = None) -> Outcome:
    """Play one game with this registry; `keeper` is notified of every move. Raises as `play_job` does."""
    players: list[Participant] = []
    try:
        for text, seed in zip(job.players, job.seeds, strict=True):
            players.append(make_player(registry, text, game, seed=seed, name=text))
        first, second = players
        start = capabilities.notation(game).parse_state(job.start)
        with unhurried():  # what is compiled serves all games
            record = play_game(
                game, (first, second), start=start, seed=job.seed, timing=job.clock, plies=job.longest, keeper=keeper
            )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plugin that calls sys.exit has failed
        what = (
            str(error) if isinstance(error, GGPError) else blame(error, registry) or f"{type(error).__name__}: {error}"
        )
        who = " against ".join(job.players)
        raise GGPError(f"game {job.number + 1}, {who} from {job.start}, failed: {what}") from error
    finally:
        for player in players:
            close(player)
    return Outcome(number=job.number, record=record)


@functools.lru_cache(maxsize=8)
def _loaded(name: str, parameters: Sequence[tuple[str, str]], plugins: tuple[str, ...]) -> tuple[Registry, AnyGame]:
    registry = load_registry()
    for file in plugins:
        registry.load_file(file)
    return registry, registry.parse_game(name, dict(parameters))
