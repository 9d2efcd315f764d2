"""Games and players for visitors. Only games that are built quickly are offered, and only players that do not take too
much of the machine.
"""

import contextlib
import functools
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NoReturn, TypeVar, TypeVarTuple

import attrs

from ggp.errors import GGPError, UsageError
from ggp.game import CHANCE, Action, AnyGame, Player, State
from ggp.levels import PERFECT, varied
from ggp.options import Option, changed, options_of, split_options
from ggp.play import UNTIMED, ChosenAction, Clock, Human, Machine, Participant, background, levels, make_player
from ggp.play.player_parser import REPLAY
from ggp.play.players import HUMAN, close
from ggp.plugin_entries import Entry
from ggp.plugins import Registry
from ggp.searcher import Limits, Parallel, Searcher, stop_requested, stop_when
from ggp.web.address import short
from ggp.web.problems import ProblemError, TooMuchError

AnswerT = TypeVar("AnswerT")
ArgumentsT = TypeVarTuple("ArgumentsT")

NUMBER = 1_000
"""The greatest number allowed for a game's parameter that declares no maximum."""
MEMBERS = 32
"""Maximum number of members of a parameter that is a tuple of numbers."""
MEGABYTES = 64
"""Greatest number for a searcher's option without a default."""
SECONDS = 5.0
"""Seconds for a player's move; also the processor time for everything on a page except searches."""
AT_ONCE = 0.3
"""Seconds of processor time for a first, interpreted try of a search, so that short searches are never compiled."""
HURRIED = Limits(seconds=1)
"""Limits of a second search, if the first one did not end in time."""
CHOICES = 2_000
"""Maximum number of actions of a state, and of cells of its board."""
TEXT = 200
"""Maximum length of a player, a move or a parameter's value, in characters."""

SEED = "seed"
"""The name of an option whose numbers are not limited: large seeds cost nothing."""


def make_game(registry: Registry, entry: Entry, texts: Mapping[str, str]) -> AnyGame:
    """Return the game with these parameters.

    Raises:
        GGPError: a parameter or its value is wrong, or is not offered to visitors.
    """
    return _made(registry, entry, tuple(sorted(texts.items())))


@functools.lru_cache(100)
def _made(registry: Registry, entry: Entry, texts: tuple[tuple[str, str], ...]) -> AnyGame:
    """Return the game of `make_game`. A game holds no position, so all visitors share it."""
    given = dict(texts)
    for option in entry.options:
        if option.name in given:
            _check_parameter(entry, option, given[option.name])
    return registry.parse_game(entry.name, given)


def offered(option: Option) -> bool:
    """Return whether visitors may set the parameter; a text without choices could name a file on the server."""
    return bool(option.choices) or not (option.accepts(str) or option.takes_anything)


def _check_parameter(entry: Entry, option: Option, text: str) -> None:
    if len(text) > TEXT:
        raise ProblemError(f"{option.name} is too long: it is {option.expected}")
    value = option.parse(text)
    if value == option.default:
        return
    if not offered(option):
        raise ProblemError(f"{option.name} of {entry.name} cannot be set here: the page opens no files")
    members = value if isinstance(value, tuple) else (value,)
    if len(members) > MEMBERS:
        raise TooMuchError(f"{option.name} cannot have {len(members)} members here: the page takes at most {MEMBERS}")
    most = max([NUMBER, *(_numbers(option.default))])
    for number in _numbers(members):
        if option.maximum is None and option.name != SEED and abs(number) > most:
            raise TooMuchError(f"{option.name} cannot be {number:,} here: the page takes at most {most:,}")


def _numbers(value: object) -> list[float]:
    members = value if isinstance(value, tuple) else (value,)
    return [each for each in members if isinstance(each, int | float) and not isinstance(each, bool)]


def make_players(
    registry: Registry, texts: tuple[str, str], game: AnyGame, *, opening: bool = False
) -> tuple[Participant, Participant]:
    """Return the players that the texts describe.

    Arguments:
        opening: whether levels choose at random among equally good moves.

    Raises:
        GGPError: a player is unknown, or is not offered to visitors.
    """
    players = opening_players(registry, game) if opening and HUMAN in texts else {}
    first, second = (players.get(text.strip()) or make_visitor(registry, text, game) for text in texts)
    return first, second


Thinks = Callable[[Machine, AnyGame, State], ChosenAction]


def make_visitor(registry: Registry, text: str, game: AnyGame) -> Participant:
    """Return one player. Raises as `make_players` does."""
    if len(text) > TEXT:
        raise ProblemError(f"the player {short(text)} is too long: at most {TEXT} characters are read")
    prefix = text.partition(":")[0].strip()
    if prefix == REPLAY:
        raise ProblemError("a record cannot play here: load it, and it is shown move by move")
    if text.strip() in registry.offered:
        name = text.strip()
        return OfferedEngine(make_player(registry, registry.offered[name], game, _nobody, name=name), name)
    if prefix in registry.players:
        raise ProblemError(f"{short(prefix)} cannot play here: the page runs no program that a visitor names")
    if prefix == HUMAN:
        return make_player(registry, text, game, _nobody)
    if named := registry.paths_of_player(text):
        raise ProblemError(f"{short(named[0])} cannot be set here: the page opens no files")
    return level_players(registry, game).get(text.strip()) or _new_player(registry, text, game, Machine.choose)


@attrs.frozen
class OfferedEngine:
    """An engine that the owner of the page offers. After each move, the engine's process is released, so that other
    games can use it.
    """

    engine: Participant
    name: str

    @property
    def text(self) -> str:
        """See `ggp.play.players.Participant`."""
        return self.name

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `ggp.play.players.Participant`."""
        try:
            return self.engine.choose(game, state, clock)
        finally:
            close(self.engine)


def _new_player(registry: Registry, text: str, game: AnyGame, choice: Thinks) -> Participant:
    player = make_player(registry, text, game, _nobody)
    if not isinstance(player, Machine):
        return player
    if text in levels(registry, game):
        player = attrs.evolve(player, searcher=_in_one_thread(player.searcher))
    _check_means(player)
    return InTime(player, choice)


def _in_one_thread(searcher: Searcher) -> Searcher:
    """Return the searcher with one thread, since other visitors need processors, too."""
    return changed(searcher, threads=1) if isinstance(searcher, Parallel) else searcher


def _cached(function: Callable[[*ArgumentsT], AnswerT], size: int = 100) -> Callable[[*ArgumentsT], AnswerT]:
    """Return the function with a cache of its results; calls with an argument that cannot be hashed are not cached."""
    cache = functools.lru_cache(size)(function)

    @functools.wraps(function)
    def found(*arguments: *ArgumentsT) -> AnswerT:
        try:
            hash(arguments)
        except TypeError:
            return function(*arguments)
        return cache(*arguments)

    return found


_remembered: Thinks = _cached(lambda machine, game, state: machine.choose(game, state), 10_000)
"""A cache of the moves of levels, which on the page always play the same move in a state."""


@attrs.frozen
class InTime:
    """A machine that moves within the time that the page gives to a move.

    If its own search takes longer, it plays the result of a second search with a time limit. The search first runs
    interpreted: a short search ends before the compiler would have finished, with the same result.
    """

    machine: Machine
    choice: Thinks = Machine.choose
    thinks_long: set[str] = attrs.field(factory=set, eq=False)
    """The games for which the interpreted search is known to take too long."""

    @property
    def name(self) -> str:
        """See `ggp.play.players.Participant`."""
        return self.machine.name

    @property
    def text(self) -> str:
        """See `ggp.play.players.Participant`."""
        return self.machine.text

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `ggp.play.players.Participant`."""
        quick, slow = self._interpreted(), background.interpreted(self.machine.searcher)
        first = quick if repr(game) not in self.thinks_long else None
        chosen = first and self._within(AT_ONCE, first, game, state)
        if chosen:
            return chosen
        compiled = self.machine
        try:
            if not slow:
                chosen = self._within(SECONDS, self.machine, game, state)
            else:
                chosen = background.result_within(SECONDS, lambda: self.choice(self.machine, game, state))
                compiled = compiled if chosen else attrs.evolve(compiled, searcher=slow)
        except KeyboardInterrupt:
            if stop_requested():
                raise
        return chosen or attrs.evolve(compiled, limits=HURRIED).choose(game, state, clock)

    def _within(self, seconds: float, machine: Machine, game: AnyGame, state: State) -> ChosenAction | None:
        """Return the machine's choice; None if it takes more than `seconds` of processor time, or more than `SECONDS`
        by the clock.
        """
        used, end = time.process_time() + seconds, time.monotonic() + SECONDS
        try:
            with stop_when(lambda: time.process_time() > used or time.monotonic() > end):
                return self.choice(machine, game, state)
        except KeyboardInterrupt:
            if stop_requested():
                raise
            self.thinks_long.add(repr(game))
            return None

    def _interpreted(self) -> Machine | None:
        """Return the machine with its searcher at interpreted speed; None if the machine has a limit of time."""
        searcher = None if self.machine.limits.seconds is not None else background.interpreted(self.machine.searcher)
        return None if searcher is None else attrs.evolve(self.machine, searcher=searcher)


@_cached
def level_players(registry: Registry, game: AnyGame) -> Mapping[str, Participant]:
    """Return the levels of the game, the weakest first, with their players; empty if no searcher can play it."""
    players: dict[str, Participant] = {}
    with contextlib.suppress(GGPError):
        for name in levels(registry, game):
            with contextlib.suppress(Exception):  # whoever asks for it gets the error
                players[name] = _new_player(registry, name, game, _remembered)
    return players


@_cached
def opening_players(registry: Registry, game: AnyGame) -> Mapping[str, Participant]:
    """Return the levels for the opening of a game against a visitor: they choose at random among equally good moves."""
    players: dict[str, Participant] = {}
    for name in level_players(registry, game):
        with contextlib.suppress(GGPError):
            player = _new_player(registry, varied(registry, name, game), game, _any_of_the_best)
            if isinstance(player, InTime):
                players[name] = attrs.evolve(player, machine=attrs.evolve(player.machine, name=name))
    return players


def _any_of_the_best(machine: Machine, game: AnyGame, state: State) -> ChosenAction:
    """Return one of the moves that the machine's search finds equally good."""
    remembered = _remembered(machine, game, state)
    best = remembered.thinking.best_actions if remembered.thinking else ()
    return ChosenAction(secrets.choice(best), remembered.thinking) if len(best) > 1 else remembered


def are_levels(registry: Registry, game: AnyGame, players: Iterable[Participant]) -> bool:
    """Return whether all machines among the players are levels of the game, which always play the same move."""
    levels = level_players(registry, game).values()
    return all(is_human(player) or any(player is level for level in levels) for player in players)


def plays_perfectly(players: Sequence[Participant], mover: Player) -> bool:
    """Return whether the mover is the level `perfect`; False for chance."""
    return mover != CHANCE and players[mover].name == PERFECT


def settled(registry: Registry, text: str, player: Participant) -> str:
    """Return the player for an address, with its seed, so that the game continues with the same random numbers."""
    prefix, _, rest = text.partition(":")
    if prefix.strip() not in registry.searchers or SEED in split_options(rest):
        return text
    return player.text if SEED in split_options(player.text.partition(":")[2]) else text


def is_human(player: Participant) -> bool:
    """Return whether the visitor moves for this player."""
    return isinstance(player, Human)


def _nobody(*_: object) -> NoReturn:
    raise UsageError(f"{HUMAN} moves by a link")  # never asked: the visitor moves


def _check_means(player: Machine) -> None:
    name = player.searcher.name
    for option in options_of(type(player.searcher)):
        value, default = getattr(player.searcher, option.name, option.default), option.default
        most = default if isinstance(default, int | float) else MEGABYTES
        for number in _numbers(value):
            if option.name != SEED and number > most:
                raise TooMuchError(
                    f"{option.name} of {name} cannot be {number:g} here: the page gives at most {most:g}"
                )
    seconds = player.limits.seconds
    if seconds is not None and seconds > SECONDS:
        raise TooMuchError(f"{name} cannot take {seconds:g} seconds a move here: the page gives at most {SECONDS:g}")


def choices(game: AnyGame, state: State) -> tuple[Action, ...]:
    """Return the legal actions of a state; none if the game is over.

    Raises:
        TooMuchError: the state has more actions than a page can show.
    """
    if game.terminal_test(state):
        return ()
    listed = tuple(islice(game.actions(state), CHOICES + 1))
    if len(listed) > CHOICES:
        raise TooMuchError(
            f"there are more than {CHOICES:,} moves to choose from, too many for a page: choose a smaller game"
        )
    return listed
