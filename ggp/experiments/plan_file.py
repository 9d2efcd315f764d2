"""Experiments in files: players, games, budget, pairings and seeds in TOML.

players = ["alphabeta", "mcts", "hard"]
limits = "nodes=2000"          # added to players that have no limit of their own
games = 40                     # of each pair, in each game
pairs = "round-robin"          # or "gauntlet": the first player against every other
seed = 1
sprt = "elo0=0,elo1=20"        # stop each pair of players when it is decided; leave it out to play all games

[[game]]
name = "kalah"
seeds = 3                      # a parameter of the game

[[game]]
name = "connectfour"
plies = 2                      # random plies before each start
starts = "even"                # the most even of many random starts; otherwise, the name of a file of starts
"""

import json
import pathlib
import tomllib
from typing import Literal

import attrs
import msgspec

from ggp import capabilities
from ggp.errors import UsageError, did_you_mean
from ggp.escapes import short
from ggp.experiments.experiment import LONGEST, Experiment, as_texts, check_players, gauntlet, round_robin
from ggp.experiments.sprt import SPRT
from ggp.experiments.starts import EVEN, even_starts, random_starts, read_starts
from ggp.files import read_bytes, reason
from ggp.game import AnyGame
from ggp.levels import levels
from ggp.options import options_of, split_options
from ggp.play.records import TimeControl
from ggp.plugins import Registry
from ggp.searcher import Limits

LARGEST = 1 << 20
"""Maximum size of a file, in bytes."""
GAMES = 40
"""Default number of games of each pair of players."""
OWN = ("name", "position", "plies", "starts", "games")
"""Entries of a game that are not its parameters."""

EXAMPLES = {
    "players": 'players = ["hard", "medium"]',
    "game": '[[game]] and, below it, name = "kalah"',
    "limits": 'limits = "depth=6"',
    "games": "games = 40",
    "pairs": 'pairs = "round-robin" or pairs = "gauntlet"',
    "seed": "seed = 1",
    "longest": "longest = 500",
    "clock": 'clock = "game=60,increment=0.5"',
    "sprt": 'sprt = "elo0=0,elo1=20"',
}
"""An example of each entry, for messages."""


class _PlanFile(msgspec.Struct, forbid_unknown_fields=True):
    players: list[str]
    game: list[dict[str, object]]
    limits: str = ""
    games: int = GAMES
    pairs: Literal["round-robin", "gauntlet"] = "round-robin"
    seed: int = 0
    longest: int = LONGEST
    clock: str | None = None
    sprt: str | None = None


@attrs.frozen
class Part:
    """The part of a plan that is about one game."""

    game: AnyGame
    experiment: Experiment


@attrs.frozen(kw_only=True)
class ExperimentPlan:
    """An experiment that a file describes: one part for each game."""

    path: pathlib.Path
    parts: tuple[Part, ...]
    sprt: SPRT | None = None


def read_plan(registry: Registry, path: pathlib.Path, plugins: tuple[str, ...] = ()) -> ExperimentPlan:
    """Return the experiment of a file, checked: every game and every player is made once.

    Raises:
        UsageError: the file cannot be read, or an entry is wrong; the message names the entry.
    """
    plan = _parsed(path)
    try:
        return _checked(registry, path, plan, plugins)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _parsed(path: pathlib.Path) -> _PlanFile:
    try:
        text = read_bytes(path, LARGEST).decode()
        raw = tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {reason(error)}") from None
    except ValueError as error:
        raise UsageError(f"{path} is not TOML: {error}") from None
    names = list(_PlanFile.__struct_fields__)
    for name in raw:
        if name not in names:
            raise UsageError(f"{path}: unknown entry {name!r}{did_you_mean(name, names)}; known are {', '.join(names)}")
    for field in msgspec.structs.fields(_PlanFile):
        if field.required and field.name not in raw:
            raise UsageError(f"{path}: {field.name} is missing: write {EXAMPLES[field.name]}")
        if field.name in raw:
            _check_type(path, field, raw[field.name])
    return msgspec.convert(raw, _PlanFile)


def _check_type(path: pathlib.Path, field: msgspec.structs.FieldInfo, value: object) -> None:
    try:
        msgspec.convert(value, field.type)
    except msgspec.ValidationError:
        given = value if isinstance(value, str) else json.dumps(value, default=str)
        sentence = f"{field.name} cannot be {short(given)}: write {EXAMPLES[field.name]}"
        raise UsageError(f"{path}: {sentence}") from None


def _checked(registry: Registry, path: pathlib.Path, plan: _PlanFile, plugins: tuple[str, ...]) -> ExperimentPlan:
    if len(plan.players) < 2:
        raise UsageError(f"players needs two players or more; got {len(plan.players)}")
    if not plan.game:
        raise UsageError("there is no game: write [[game]] with a name")
    return ExperimentPlan(
        path=path,
        parts=tuple(_part(registry, path, plan, entry, plugins) for entry in plan.game),
        sprt=None if plan.sprt is None else SPRT.parse(plan.sprt),
    )


def _part(
    registry: Registry, path: pathlib.Path, plan: _PlanFile, entry: dict[str, object], plugins: tuple[str, ...]
) -> Part:
    name = entry.get("name")
    if not isinstance(name, str):
        raise UsageError('each [[game]] needs a name, such as name = "kalah"')
    parameters = {parameter: _typed(value) for parameter, value in entry.items() if parameter not in OWN}
    game = registry.parse_game(name, parameters)
    if len(capabilities.players(game)) == 1:
        raise UsageError(f"{game.name} is for one player: an experiment needs a game for two")
    players = tuple(limited(registry, game, player, plan.limits) for player in plan.players)
    if len(set(players)) < len(players):
        raise UsageError("a player is named twice")
    check_players(registry, game, players)
    number = entry.get("games", plan.games)
    if isinstance(number, bool) or not isinstance(number, int) or number < 2 or number % 2:
        raise UsageError(f"games must be even, 2 or more (each start is played twice with sides swapped); got {number}")
    text = capabilities.notation(game)
    base = text.parse_state(str(entry["position"])) if "position" in entry else game.initial_state()
    if entry.get("starts", EVEN) != EVEN:
        starts = read_starts(game, base, path.parent / str(entry["starts"]), number // 2)
    else:
        plies = entry.get("plies")
        if plies is not None and not isinstance(plies, int):
            raise UsageError(f"plies must be a whole number; got {plies!r}")
        if "starts" in entry:  # of these random starts, the most even ones
            starts = even_starts(registry, game, base, number // 2, plies, plan.seed)
        else:
            starts = random_starts(game, base, number // 2, plies, plan.seed)
    pairs = gauntlet if plan.pairs == "gauntlet" else round_robin
    experiment = Experiment(
        game=game.name,
        parameters=as_texts(game),
        players=players,
        couples=pairs(len(players)),
        starts=starts,
        seed=plan.seed,
        longest=plan.longest,
        clock=None if plan.clock is None else TimeControl.parse(plan.clock),
        plugins=plugins,
    )
    return Part(game, experiment)


def _typed(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def limited(registry: Registry, game: AnyGame, player: str, limits: str) -> str:
    """Return a player as text, with `limits` added if the player is a searcher without limits of its own."""
    prefix, _, rest = player.partition(":")
    if not limits or prefix not in (*registry.searchers, *levels(registry, game)):
        return player
    names = {each.name for each in options_of(Limits)}
    if names & split_options(rest).keys() or (prefix in levels(registry, game) and prefix not in registry.searchers):
        return player
    return f"{prefix}:{rest},{limits}" if rest else f"{prefix}:{limits}"
