"""OpenSpiel's games as games of ggp: zero-sum games with perfect information for two players, and puzzles for one.

A state is the sequence of actions that led to it, so that no state comes back: OpenSpiel's games end by themselves.

Source: M. Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games (2019).
"""

import collections
import functools
import re
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

import ggp
from ggp import capabilities
from ggp.errors import IllegalActionError, NotationError, OptionError, UnknownNameError, UsageError, did_you_mean
from ggp.escapes import short
from ggp_openspiel.prefix import PREFIX

OURS = "ggp_"
"""The beginning of the names by which ggp's own games are registered with OpenSpiel."""
START = "start"
"""The text of the initial state."""

MISCOPIED = {"morpion_solitaire"}
"""Games whose states OpenSpiel 2.0 copies wrongly: after some 30 actions, a copy has other legal actions."""
BLACK_FIRST = ("Black", "White")
SIDES: Mapping[str, tuple[str, str]] = dict.fromkeys(
    ("breakthrough", "chess", "antichess", "crazyhouse", "go", "cursor_go", "gomoku", "othello", "lines_of_action"),
    BLACK_FIRST,
) | {"connect_four": ("X", "O"), "tic_tac_toe": ("X", "O"), "ultimate_tic_tac_toe": ("X", "O"), "hex": ("X", "O")}
"""The names of OpenSpiel's players 0 and 1 in games whose drawings show colours."""


def library() -> Any:
    """Return the module pyspiel.

    Raises:
        UsageError: OpenSpiel is not installed.
    """
    try:
        import pyspiel
    except ImportError:
        raise UsageError("games of OpenSpiel need an extra: pip install 'ggp[openspiel]'") from None
    return pyspiel


@functools.cache
def types() -> dict[str, object]:
    """Return OpenSpiel's types of games by name, including games written in Python."""
    pyspiel = library()
    import open_spiel.python.games  # noqa: F401 - registers them

    return {each.short_name: each for each in pyspiel.registered_games()}


def refusal(game_type: Any) -> str | None:
    """Return the reason why games of this type cannot be served, as a clause; None if they can."""
    is_alone = game_type.min_num_players == 1
    checks = {
        "it has to be made from a file, or from another game": not game_type.default_loadable,
        "it has hidden information": "PERFECT" not in game_type.information.name
        or "IMPERFECT" in game_type.information.name,
        "its players move at the same time": game_type.dynamics.name != "SEQUENTIAL",
        "it is for more than two players": game_type.min_num_players > 2,
        "it is not zero-sum": game_type.utility.name not in ("ZERO_SUM", "CONSTANT_SUM") and not is_alone,
        "OpenSpiel's copies of its states have other legal actions": game_type.short_name in MISCOPIED,
        "the probabilities of its chance moves are not known": game_type.chance_mode.name == "SAMPLED_STOCHASTIC",
    }
    return next((reason for reason, holds in checks.items() if holds), None)


@functools.cache
def served() -> tuple[str, ...]:
    """Return the names of OpenSpiel's own games that can be served, sorted; none if OpenSpiel is not installed."""
    try:
        able = (name for name, game_type in types().items() if refusal(game_type) is None)
        return tuple(sorted(name for name in able if not name.startswith(OURS)))
    except UsageError:
        return ()


class SpielState:
    """The actions that led to a state, and the state itself in OpenSpiel."""

    __slots__ = ("history", "spiel", "texts")

    def __init__(self, history: tuple[int, ...], spiel: Any) -> None:
        self.history, self.spiel = history, spiel
        self.texts: dict[int, str] = {}
        """The texts of the legal actions; empty until they are needed."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielState) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)

    def __repr__(self) -> str:
        return f"the state after {len(self.history)} actions"


@attrs.frozen
class SpielGame:
    """A game of OpenSpiel; for each type of games, `game_class` makes a subclass with the type's parameters."""

    name: ClassVar[str]
    title: ClassVar[str]
    game_type: ClassVar[Any]
    compiled: ClassVar[bool] = False

    spiel: Any = ggp.constant(lambda game: game.load())

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.game_type.short_name, capabilities.parameters(self))

    def load(self) -> Any:
        """Return the game of OpenSpiel with these parameters.

        Raises:
            OptionError: OpenSpiel refuses the parameters, or the game with these parameters cannot be served.
        """
        given = {name: getattr(self, name) for name in self.game_type.parameter_specification}
        changed = {
            name: value for name, value in given.items() if value != self.game_type.parameter_specification[name]
        }
        try:
            loaded = library().load_game(self.game_type.short_name, changed)
            first = loaded.new_initial_state()
            [str(first), *(first.action_to_string(first.current_player(), each) for each in first.legal_actions())]
        except Exception as error:
            raise OptionError(f"{self.name}: OpenSpiel refuses these parameters: {short(str(error), 200)}") from None
        if loaded.num_players() > 2:
            raise OptionError(f"{self.name} must have one or two players here; got {loaded.num_players()}")
        return loaded

    @property
    def player_names(self) -> tuple[str, ...]:
        return SIDES.get(self.game_type.short_name, ("player 0", "player 1"))[: self.spiel.num_players()]

    @property
    def rules(self) -> str:
        return f"{self.title}, with the rules of OpenSpiel: see OpenSpiel's list of games."

    @property
    def stochastic(self) -> bool:
        return bool(self.game_type.chance_mode.name == "EXPLICIT_STOCHASTIC")

    def initial_state(self) -> SpielState:
        return SpielState((), self.spiel.new_initial_state())

    def to_move(self, state: SpielState) -> ggp.Player:
        return ggp.CHANCE if state.spiel.is_chance_node() else int(state.spiel.current_player())

    def actions(self, state: SpielState) -> list[int]:
        if state.spiel.is_chance_node():
            return [action for action, _ in self.outcomes(state)]
        return list(state.spiel.legal_actions())

    def outcomes(self, state: SpielState) -> list[tuple[int, float]]:
        return [(action, chance) for action, chance in state.spiel.chance_outcomes() if chance > 0]

    def result(self, state: SpielState, action: int) -> SpielState:
        return SpielState((*state.history, action), state.spiel.child(action))

    def terminal_test(self, state: SpielState) -> bool:
        return bool(state.spiel.is_terminal())

    def utility(self, state: SpielState, player: ggp.Player) -> float:
        value = float(state.spiel.returns()[0])
        return value if player == ggp.MAX else -value

    def bounds(self, state: SpielState) -> tuple[float, float]:
        return float(self.spiel.min_utility()), float(self.spiel.max_utility())

    # text

    def draw(self, state: SpielState) -> str:
        return re.sub(r"\x1b\[[0-9;]*m", "", str(state.spiel)).rstrip()

    def format_state(self, state: SpielState) -> str:
        return ",".join(map(str, state.history)) or START

    def parse_state(self, text: str) -> SpielState:
        state = self.initial_state()
        for number, part in enumerate(text.replace(START, "").split(","), 1):
            if part.strip() == "" and text.strip() in ("", START):
                break
            if self.terminal_test(state) or part.strip() not in map(str, self.actions(state)):
                raise NotationError(
                    f"{short(text)!r} is not a state of {self.name}: action {number}, {short(part.strip())!r}, is not"
                    f" legal; write {START!r}, or the numbers of the actions from there, separated by commas"
                )
            state = self.result(state, int(part))
        return state

    def format_action(self, state: SpielState, action: int) -> str:
        return self._texts(state)[action]

    def _texts(self, state: SpielState) -> dict[int, str]:
        """Return the text of each legal action: The text is OpenSpiel's own, as one word, if that is unique; otherwise,
        it is the action's number.
        """
        if not state.texts and not state.spiel.is_terminal():
            texts = {action: self._word(state, action) for action in self.actions(state)}
            counts = collections.Counter(texts.values())
            state.texts = {
                action: text if counts[text] == 1 and not text.isdecimal() else str(action)
                for action, text in texts.items()
            }
        return state.texts

    def _word(self, state: SpielState, action: int) -> str:
        """Return OpenSpiel's text of an action as one word, since commas and blanks separate actions in ggp."""
        player = state.spiel.current_player()
        return re.sub(r"[\s,;]+", "_", state.spiel.action_to_string(player, action).strip()).strip("_") or str(action)

    def parse_action(self, state: SpielState, text: str) -> int:
        word, texts = text.strip(), self._texts(state)
        exact = [action for action, name in texts.items() if word in (name, str(action))]
        alike = [action for action, name in texts.items() if word.lower() == name.lower()]  # Banqi's k is not its K
        for candidates in (exact, alike):
            if len(candidates) == 1:
                return candidates[0]
        right = ", ".join(texts.values()) or "none"
        raise IllegalActionError(f"{short(text)!r} is not an action here: the actions are {short(right, 300)}")


def _made(name: str, parameters: dict[str, object]) -> SpielGame:
    made: SpielGame = game_class(name)(**parameters)
    return made


@functools.cache
def game_class(name: str) -> type:
    """Return the class of OpenSpiel's games with this short name.

    Raises:
        UnknownNameError: OpenSpiel has no game of that name.
        UsageError: the game cannot be served.
    """
    loadable = types()
    if name not in loadable:
        near = did_you_mean(name, served()) or ": `ggp games openspiel:` lists those that ggp can play"
        raise UnknownNameError(f"OpenSpiel has no game {short(name)!r}{near}")
    return class_of(loadable[name])


def class_of(game_type: Any) -> type:
    """Return the class of the games of a type that is registered with OpenSpiel. Raises as `game_class` does."""
    name, reason = game_type.short_name, refusal(game_type)
    if reason:
        raise UsageError(f"{PREFIX}:{name} cannot be played here: {reason}")
    fields = {}
    for parameter, default in sorted(game_type.parameter_specification.items()):
        fields[parameter] = ggp.option(default, f"OpenSpiel's parameter of {name}")
        fields[parameter].type = type(default)
    made = attrs.make_class(
        re.sub(r"\W", "", name.title()), fields, bases=(SpielGame,), frozen=True, class_body={"__module__": __name__}
    )
    return _named(made, game_type)


def _named(made: Any, game_type: Any) -> type:
    made.name, made.title, made.game_type = f"{PREFIX}:{game_type.short_name}", game_type.long_name, game_type
    made.__doc__ = f"{game_type.long_name}, a game of OpenSpiel."
    result: type = made
    return result
