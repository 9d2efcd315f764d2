"""Players on a notebook's board."""

from collections.abc import Callable
from typing import Any, NoReturn

import attrs

from ggp import capabilities
from ggp.capabilities import function_name
from ggp.errors import GGPError, UsageError
from ggp.game import MAX, MIN, Action, AnyGame, State
from ggp.levels import against_person
from ggp.notebook.board_widget import BoardWidget
from ggp.play import UNTIMED, ChosenAction, Clock, Match, Participant, make_player
from ggp.play.controller import Controller, default_opponent
from ggp.play.match import new_seed
from ggp.play.players import HUMAN
from ggp.plugins import Registry, load_registry

Function = Callable[..., Action]
"""`function(game, state)`: returns the action of a user's own player."""
Seat = str | Participant | Function
"""A player as text ("human", "medium", "alphabeta:depth=6"), as an object, or as a function."""
SIDES = {"first": MAX, "second": MIN}


@attrs.frozen
class Own:
    """A player whose moves are chosen by a function."""

    function: Function
    name: str = attrs.field(default=attrs.Factory(lambda self: _name_of(self.function), takes_self=True))

    @property
    def text(self) -> str:
        """See `ggp.play.Participant`."""
        return self.name

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `ggp.play.Participant`."""
        try:
            return ChosenAction(self.function(game, state))
        except Exception as error:  # it is somebody's first attempt, perhaps
            raise GGPError(f"{self.name} failed: {type(error).__name__}: {error}") from error


def _name_of(function: Function) -> str:
    return function_name(function)


def play(
    game: AnyGame,
    state: State = None,
    *,
    registry: Registry | None = None,
    seed: int | None = None,
    **players: Seat,
) -> BoardWidget:
    """Return a board to play `game` on.

    Arguments:
        state: the first state of the game; None: the game's initial state.
        registry: the plugins in which players are looked up by name; None loads the installed plugins.
        seed: seed of the dice, and of players without a seed.
        players: the players, as `first` and `second` or by the game's own names: `south="human", north="medium"`. A
            player who is not named is a human, or the game's level `medium` if the other player is a human.

    Raises:
        UsageError: the game has no player of that name, or a player is unknown.
    """
    registry = registry or load_registry()
    begin = game.initial_state() if state is None else state
    seed = new_seed() if seed is None else seed
    seats = _seats(game, players)
    if MIN not in seats:
        seats[MIN] = default_opponent(registry, game, seats.get(MAX, HUMAN))
    if MAX not in seats:
        seats[MAX] = default_opponent(registry, game, seats[MIN])
    human = any(isinstance(seat, str) and seat.partition(":")[0] == HUMAN for seat in seats.values())
    first, second = (_seated(registry, game, seats[side], seed + side, human) for side in (MAX, MIN))
    return BoardWidget(Controller(registry, Match(game, (first, second), begin, seed)))


def _seats(game: AnyGame, given: dict[str, Seat]) -> dict[int, Seat]:
    """Return the given players by side; their names are `first` and `second`, or the game's own."""
    own = ["_".join(name.lower().split()) for name in capabilities.player_names(game)]
    places = {name: side for side, name in enumerate(own)} | SIDES
    seats: dict[int, Seat] = {}
    for name, seat in given.items():
        if name not in places:
            raise UsageError(f"{game.name} has no player {name!r}: its players are {own[MAX]} and {own[MIN]}")
        if places[name] in seats:
            raise UsageError(f"{name} is given twice: {own[places[name]]} is {list(SIDES)[places[name]]}")
        seats[places[name]] = seat
    return seats


def _seated(registry: Registry, game: AnyGame, seat: Any, seed: int, human: bool) -> Participant:
    if isinstance(seat, str):
        text = against_person(registry, seat, game) if human else seat
        return make_player(registry, text, game, _nobody, seed=seed, name=seat)
    if hasattr(seat, "choose"):
        participant: Participant = seat
        return participant
    if callable(seat):
        return Own(seat)
    raise UsageError(f"{seat!r} is not a player: a player is a text such as 'human', or function(game, state)")


def _nobody(game: AnyGame, state: State, clock: Clock) -> NoReturn:
    raise GGPError("a human plays by clicking on the board")
