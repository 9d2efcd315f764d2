"""The games of ggp as games of OpenSpiel, for its algorithms: `pyspiel.load_game("ggp_kalah(houses=4)")`.

In OpenSpiel, an action is a number: the index of ggp's action among the legal ones.
"""

import ctypes
from typing import Any

import pyspiel

from ggp import capabilities, repetition
from ggp.description import most_actions
from ggp.game import CHANCE, MAX, MIN, AnyGame, Bounded, State
from ggp.plugins import Registry, load_registry
from ggp_openspiel.games import OURS

LONGEST = 10_000
"""Number of moves after which a game of ggp counts as a draw in OpenSpiel, which requires that every game ends."""


def utility_range(game: AnyGame) -> tuple[float, float]:
    """Return the least and the greatest utility to MAX, as far as the game knows them."""
    if not isinstance(game, Bounded):
        return -1e6, 1e6
    low, high = game.bounds(game.initial_state())
    most = max(abs(low), abs(high), 1.0)
    return (float(low), float(high)) if len(capabilities.players(game)) == 1 else (-most, most)


class OurGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ggp in OpenSpiel."""

    def __init__(self, game_type: object, game: AnyGame, parameters: dict[str, object]) -> None:
        low, high = utility_range(game)
        self.game, self.most = game, most_actions(game, games=20, plies=LONGEST // 20)
        players = len(capabilities.players(game))
        chance = self.most if capabilities.is_stochastic(game) else 0
        sum_of_utilities = {} if players == 1 else {"utility_sum": 0.0}
        info = pyspiel.GameInfo(
            num_distinct_actions=self.most,
            max_chance_outcomes=chance,
            num_players=players,
            min_utility=low,
            max_utility=high,
            max_game_length=LONGEST,
            **sum_of_utilities,
        )
        super().__init__(game_type, info, parameters)

    def new_initial_state(self) -> "OurState":
        """Return the state in which the game starts."""
        return OurState(self)

    def make_py_observer(self, kind: object = None, params: object = None) -> "OurObserver":
        """Return the observer of the game: what each player observes is the state's text."""
        return OurObserver()


class OurState(pyspiel.State):  # type: ignore[misc]
    """A state of a game of ggp in OpenSpiel, with the moves that led to it."""

    def __init__(self, game: OurGame) -> None:
        super().__init__(game)
        self.ours: AnyGame = game.game
        self.played: tuple[State, ...] = (self.ours.initial_state(),)
        self.repeated = False
        """Whether play has ended by repetition."""

    @property
    def state(self) -> State:
        """The state in ggp's game."""
        return self.played[-1]

    def is_terminal(self) -> bool:
        """Return whether play has ended: by the rules, by repetition, or because it is too long."""
        return self.ours.terminal_test(self.state) or len(self.played) > LONGEST or self.repeated

    def current_player(self) -> int:
        """Return who is to move."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        mover = self.ours.to_move(self.state)
        return int(pyspiel.PlayerId.CHANCE) if mover == CHANCE else mover

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(tuple(self.ours.actions(self.state)))))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each outcome with its probability."""
        outcomes: Any = self.ours
        return [(number, float(each)) for number, (_, each) in enumerate(outcomes.outcomes(self.state))]

    def _apply_action(self, action: int) -> None:
        after = self.ours.result(self.state, tuple(self.ours.actions(self.state))[action])
        self.played += (after,)
        last = repetition.last_occurrence(self.ours)
        self.repeated = last is not None and self.played.count(after) >= last

    def _action_to_string(self, player: int, action: int) -> str:
        text = capabilities.notation(self.ours)
        return text.format_action(self.state, tuple(self.ours.actions(self.state))[action])

    def returns(self) -> list[float]:
        """Return the utility to each player; 0 before the end."""
        players = (MAX, MIN)[: len(capabilities.players(self.ours))]
        if self.ours.terminal_test(self.state):
            return [float(self.ours.utility(self.state, player)) for player in players]
        value = repetition.repetition_value(self.ours, self.state) if self.repeated else 0.0
        return [value, -value][: len(players)]

    def __str__(self) -> str:
        return capabilities.draw(self.ours, self.state)


class OurObserver:
    """Observes a game of perfect information: every player sees the state's text."""

    tensor = None
    dict: Any = {}  # noqa: RUF012 - OpenSpiel's observers have it

    def set_from(self, state: OurState, player: int) -> None:
        """Observe a state. The observer makes a text only, and no tensor."""

    def string_from(self, state: OurState, player: int) -> str:
        """Return the state in the game's notation."""
        return capabilities.notation(state.ours).format_state(state.state)


def short_name(name: str) -> str:
    """Return the name that a game of ggp has in OpenSpiel."""
    return OURS + name.replace("-", "_")


def _type(registry: Registry, name: str) -> Any:
    entry, game = registry.games[name], registry.game(name)
    game_type, alone = pyspiel.GameType, len(capabilities.players(registry.game(name))) == 1
    chance = hasattr(entry.factory, "outcomes")
    return game_type(
        short_name=short_name(name),
        long_name=capabilities.title(game),
        dynamics=game_type.Dynamics.SEQUENTIAL,
        chance_mode=game_type.ChanceMode.EXPLICIT_STOCHASTIC if chance else game_type.ChanceMode.DETERMINISTIC,
        information=game_type.Information.PERFECT_INFORMATION,
        utility=game_type.Utility.GENERAL_SUM if alone else game_type.Utility.ZERO_SUM,
        reward_model=game_type.RewardModel.TERMINAL,
        max_num_players=1 if alone else 2,
        min_num_players=1 if alone else 2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={option.name: _plain(option.default) for option in entry.options},
    )


def _plain(value: object) -> Any:
    """Return a value of a parameter in one of OpenSpiel's types; a value of another type is written as text."""
    if isinstance(value, tuple):
        return ";".join(map(str, value))
    return value if isinstance(value, bool | int | float | str) else str(value).lower()


_registered: dict[str, Registry] = {}
"""The registry of each game that was registered with OpenSpiel, by the game's name in OpenSpiel."""


def register(registry: Registry, name: str) -> str:
    """Register one of ggp's games with OpenSpiel, unless it is already registered; return its name in OpenSpiel."""
    game_type = _type(registry, name)

    def make(parameters: Any = None) -> OurGame:
        given = {key: str(value).replace(";", ",") for key, value in (parameters or {}).items()}
        return OurGame(game_type, registry.parse_game(name, given), dict(parameters or {}))

    if game_type.short_name not in _registered:
        pyspiel.register_game(game_type, make)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))  # OpenSpiel lets go of it when Python has ended already
        _registered[game_type.short_name] = registry
    return str(game_type.short_name)


def of(game: AnyGame, registry: Registry) -> OurGame:
    """Return one of ggp's games as a game of OpenSpiel."""
    options = {option.name: option for option in registry.games[game.name].options}
    values = capabilities.parameters(game)
    given = {name: _plain(value) for name, value in values.items() if value != options[name].default}
    loaded: OurGame = pyspiel.load_game(register(registry, game.name), given)
    return loaded


def register_all() -> list[str]:
    """Register all of ggp's games with OpenSpiel; return their names in OpenSpiel."""
    registry = load_registry()
    return [register(registry, name) for name in registry.games]
