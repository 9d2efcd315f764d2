"""Players from text, as they are written on the command line.

human                          a person, who is asked
human:name=Ann                 the same, by name
hard                           a level of the game
hard:seconds=5                 a level with another limit instead of its own
alphabeta:depth=8,table=16     a searcher with its options and limits
alphabeta:depth=8,ties=score   the same; how to choose among equal moves: `score`, `random`, `random:seed=7`
alphabeta:depth=2,weak=0.2     the same, but a fifth of its moves is random: `weak=0.2`, `weak=0.2:seed=7`
replay:FILE                    the moves of a record, in a file or by its number in the store
"""

import contextlib
import re
import secrets

import attrs

from ggp.errors import GGPError, OptionError, UnknownNameError, UsageError, did_you_mean
from ggp.game import Action, AnyGame, Scored, State
from ggp.levels import levels
from ggp.options import changed, options_of, split_options
from ggp.play.players import (
    DEFAULT_LIMITS,
    HUMAN,
    Ask,
    AtRandom,
    Human,
    Machine,
    Participant,
    Replayed,
    Ties,
    Weak,
    by_score,
)
from ggp.plugins import Registry
from ggp.searcher import Limits, Searcher, Seeded, limits_itself

REPLAY = "replay"
"""The prefix of a player that plays the moves of a record."""


def make_player(
    registry: Registry,
    text: str,
    game: AnyGame,
    ask: Ask | None = None,
    *,
    seed: int | None = None,
    name: str | None = None,
) -> Participant:
    """Return the player that `text` describes.

    Arguments:
        ask: asks a human for an action; None if no human can be asked.
        seed: seed of random choices, if `text` has none; None draws one. The player's text includes the seed.
        name: the player's name; None: `text`.

    Raises:
        UnknownNameError: no level or searcher has that name; the message lists them.
        OptionError: an option of the searcher is wrong.
        UnsupportedGameError: the searcher cannot play the game.
        RecordError: the record cannot be read, or is of another game.
        UsageError: the player is a human, but no human can be asked.
    """
    text = text.strip()
    prefix, _, rest = text.partition(":")
    if prefix == HUMAN:
        return _human(rest, ask)
    if prefix == REPLAY:
        return _replayed(registry, rest, game)
    if prefix in registry.players:
        player: Participant = registry.players[prefix].factory.parse(
            rest, game, seed=secrets.randbits(32) if seed is None else seed, name=name or text
        )
        return player
    graded = levels(registry, game)
    if prefix in graded:
        written = _joined(graded[prefix], rest)
        _require_searcher(registry, game, prefix, written)
    elif prefix in registry.searchers:
        written = text
    else:
        raise UnknownNameError(
            f"there is no player {prefix!r}{did_you_mean(prefix, [HUMAN, *graded, *registry.searchers])}:"
            f" a player is human, replay:RECORD, a level ({', '.join(graded)}),"
            + "".join(f" {entry.factory.written}," for entry in registry.players.values())
            + f" or one of the searchers {', '.join(registry.searchers)}"
        )
    return _machine(registry, written, game, secrets.randbits(32) if seed is None else seed, name or text)


def offered_players(registry: Registry, game: AnyGame) -> dict[str, str]:
    """Return the players of `Registry.offered` that can play a game, each with its text."""
    offered = {}
    for name, text in registry.offered.items():
        with contextlib.suppress(GGPError):
            make_player(registry, text, game)
            offered[name] = text
    return offered


def _require_searcher(registry: Registry, game: AnyGame, level: str, written: str) -> None:
    searcher = written.partition(":")[0]
    if searcher not in registry.searchers:
        raise UnknownNameError(
            f"the level {level} of {game.name} is played by {searcher!r}, which is not a searcher:"
            f" the searchers are {', '.join(registry.searchers)}"
        )


def _joined(level: str, rest: str) -> str:
    """Return a level with more options, which override its own; a limit replaces all limits of the level."""
    prefix, _, text = level.partition(":")
    own, given = split_options(text), split_options(rest)
    limits = {option.name for option in options_of(Limits)}
    if limits & given.keys():
        own = {name: value for name, value in own.items() if name not in limits}
    return _written(prefix, own | given)


def _human(rest: str, ask: Ask | None) -> Human:
    options = split_options(rest)
    wrong = sorted(set(options) - {"name"})
    if wrong:
        raise OptionError(f"human has no option {wrong[0]!r}: its only option is name")
    if ask is None:
        raise UsageError("a human cannot play here: the program cannot ask for moves; name a level or a searcher")
    return Human(ask, options.get("name", "").strip() or HUMAN)


def _replayed(registry: Registry, source: str, game: AnyGame) -> Replayed:
    from ggp.play.record_sources import read_record  # players are there before records are
    from ggp.play.replay import replay

    if not source:
        raise OptionError("replay needs a record: type replay:FILE, or replay:NUMBER for a game of the store")
    match = replay(registry, read_record(source), make=registry.game if source.isdigit() else None)
    if match.game != game:
        raise UsageError(f"{source} cannot be replayed here: it is a record of another game or variant")
    actions: dict[State, Action] = {}
    for move in match.moves:
        actions.setdefault(move.before, move.action)
    return Replayed(actions, f"{REPLAY}:{source}", f"{REPLAY}:{source}")


def _machine(registry: Registry, text: str, game: AnyGame, seed: int, name: str) -> Machine:
    prefix, _, rest = text.partition(":")
    own = {option.name for option in registry.searchers[prefix].options}
    options = split_options(rest)
    ties = _ties(options.pop("ties"), game, seed) if "ties" in options and "ties" not in own else None
    weak = _weak(options.pop("weak"), seed) if "weak" in options and "weak" not in own else None
    bare = _written(prefix, options)
    searcher, limits = registry.parse_searcher(bare)
    registry.require(searcher, game)
    if isinstance(ties, AtRandom) and "seed" in own and "seed" not in options:
        searcher = changed(searcher, seed=abs(ties.seed))  # random play differs, so its moves do, and are no weaker
    searcher, options = _seeded(searcher, options, seed)
    if ties:
        options["ties"] = f"random:seed={ties.seed}" if isinstance(ties, AtRandom) else "score"
    if weak:
        options["weak"] = f"{weak.share:g}:seed={weak.seed}"
    if limits == Limits() and not limits_itself(searcher):
        limits = DEFAULT_LIMITS
    return Machine(searcher, limits, name, _written(prefix, options), ties, weak)


def _written(prefix: str, options: dict[str, str]) -> str:
    return f"{prefix}:{','.join(f'{name}={value}' for name, value in options.items())}" if options else prefix


def _seeded(searcher: Searcher, options: dict[str, str], seed: int) -> tuple[Searcher, dict[str, str]]:
    """Return the searcher with a seed, if it accepts one and has none, so that its games can be repeated."""
    if not isinstance(searcher, Seeded) or searcher.seed is not None or not attrs.has(type(searcher)):
        return searcher, options
    seeded = changed(searcher, seed=seed)
    return seeded, {name: value for name, value in options.items() if name != "seed"} | {"seed": str(seed)}


def _weak(text: str, seed: int) -> Weak | None:
    written = re.fullmatch(r"(0|1|0?\.[0-9]{1,6}|1\.0{1,6})(?::seed=(-?[0-9]{1,18}))?", text.strip())
    if not written:
        raise OptionError(f"weak must be a share of the moves from 0 to 1, such as 0.2, or 0.2:seed=N; got {text!r}")
    return Weak(float(written[1]), int(written[2]) if written[2] else seed) if float(written[1]) else None


def _ties(text: str, game: AnyGame, seed: int) -> Ties:
    written = re.fullmatch(r"random(?::seed=(-?[0-9]{1,18}))?", text.strip())
    if written:
        return AtRandom(int(written[1]) if written[1] else seed)
    if text.strip() != "score":
        raise OptionError(f"ties must be score, random or random:seed=N; got {text!r}")
    if not isinstance(game, Scored):
        raise OptionError(f"ties cannot be score: {game.name} has no score")
    return by_score
