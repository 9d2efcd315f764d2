"""The frameworks whose games are recognized, by the methods of a class or the functions of a module.

Sources: S. Russell and P. Norvig, aima-python; Zulko, easyAI; S. Nair, alpha-zero-general; R. Förster,
AlphaZeroFromScratch; GamesCrafters, GamesmanPy; OpenSpiel.
"""

import inspect
import types
from collections.abc import Iterable, Mapping
from typing import ClassVar

import attrs

import ggp
from ggp.errors import PluginError
from ggp.game import State
from ggp_shapes.adapted import Adapted, Theirs, adapter, arguments, shown, sign, written
from ggp_shapes.programs import CS50, CS188, Chess, Gomoku, Sunfish

DRAW = 0.1
"""A result of alpha-zero-general that is nearer to 0 than this counts as a draw."""


@attrs.frozen
class AIMA(Adapted):
    """A game of AIMA's code: its methods get the state, which holds the name of the player to move."""

    framework: ClassVar[str] = "aima"
    shape: ClassVar[tuple[str, ...]] = ("actions", "result", "utility", "terminal_test", "to_move")

    first: Theirs = ggp.constant(lambda adapted: adapted.game.to_move(adapted.game.initial))
    """The player who begins, by the game's own name."""

    def start(self) -> Theirs:
        return self.game.initial

    def to_move(self, state: State) -> ggp.Player:
        return ggp.MAX if self.game.to_move(state) == self.first else ggp.MIN

    def actions(self, state: State) -> Iterable[Theirs]:
        return list(self.game.actions(state))

    def result(self, state: Theirs, action: Theirs) -> Theirs:
        return self.game.result(state, action)

    def terminal_test(self, state: State) -> bool:
        return bool(self.game.terminal_test(state))

    def worth(self, state: object) -> float:
        return self.game.utility(state, self.first)  # type: ignore[no-any-return]

    def picture(self, state: object) -> str:
        display = self.theirs.display if hasattr(self.theirs, "display") else None
        return shown(lambda: display(self.game, state)) if display else written(state)


@attrs.frozen
class AIMAWithChance(AIMA):
    """A game of chance of AIMA's code. The dice are rolled before each move, and rolled again if no move is legal.

    Some of these games store a part of the state in the game object. So a state consists of the game, the game's state,
    and a flag that says whether dice are being rolled.
    """

    rolled_again: ClassVar[str] = "again"

    def start(self) -> Theirs:
        return self.game, self.game.initial, False

    def to_move(self, state: Theirs) -> ggp.Player:
        game, inner, rolled = state
        if not rolled and not game.terminal_test(inner):
            return ggp.CHANCE
        return ggp.MAX if game.to_move(inner) == self.first else ggp.MIN

    def actions(self, state: Theirs) -> Iterable[Theirs]:
        game, inner, rolled = state
        return (list(game.actions(inner)) or [self.rolled_again]) if rolled else list(game.chances(inner))

    def outcomes(self, state: Theirs) -> Iterable[tuple[Theirs, float]]:
        game, inner, _ = state
        return [(chance, game.probability(chance)) for chance in game.chances(inner)]

    def result(self, state: Theirs, action: Theirs) -> Theirs:
        game, inner, rolled = state
        if not rolled:
            return game, game.outcome(inner, action), True
        if action == self.rolled_again:
            return game, inner, False
        after = game.result(inner, action)
        return game, after, False

    def terminal_test(self, state: Theirs) -> bool:
        return bool(state[0].terminal_test(state[1]))

    def worth(self, state: Theirs) -> float:
        return state[0].utility(state[1], self.first)  # type: ignore[no-any-return]

    def picture(self, state: Theirs) -> str:
        return super().picture(state[1])


@attrs.frozen
class EasyAI(Adapted):
    """A game of easyAI: an object that each move changes."""

    framework: ClassVar[str] = "easyai"
    shape: ClassVar[tuple[str, ...]] = ("possible_moves", "make_move", "is_over")

    def make(self) -> Theirs:
        return self.theirs

    def start(self) -> Theirs:
        players = list(inspect.signature(self.theirs.__init__).parameters)[1:2]
        options = {name: getattr(self, name) for name in arguments(self.theirs.__init__, 1) if name not in players}
        seats = [Seat("player 1"), Seat("player 2")]
        state = self.theirs(seats, **options) if players else self.theirs(**options)
        state.is_over()
        return state

    def to_move(self, state: Theirs) -> ggp.Player:
        return ggp.MAX if state.current_player == 1 else ggp.MIN

    def actions(self, state: Theirs) -> Iterable[Theirs]:
        return list(state.possible_moves())

    def result(self, state: Theirs, action: Theirs) -> Theirs:
        state.make_move(action)
        state.switch_player()
        state.is_over()  # some games remember for `scoring` what it finds
        return state

    def terminal_test(self, state: Theirs) -> bool:
        return bool(state.is_over()) or len(state.possible_moves()) == 0

    def worth(self, state: Theirs) -> float:
        if hasattr(self.theirs, "scoring"):
            value = state.scoring()
        elif hasattr(self.theirs, "win") and state.win():
            value = 1
        else:
            value = -1 if hasattr(self.theirs, "lose") and state.lose() else 0
        return value if state.current_player == 1 else -value  # type: ignore[no-any-return]

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        return {"scoring": ggp.Evaluation(self.worth, "the game's own `scoring`, as a value to MAX")}

    def picture(self, state: object) -> str:
        return shown(state.show) if hasattr(state, "show") else written(state)


class Seat:
    """A player of easyAI; games store scores and goals as its attributes."""

    def __init__(self, name: str) -> None:
        self.name = name


def spelled(name: str) -> str:
    """Return a name such as `getGameEnded` as `get_game_ended`."""
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)


def either(game: object, name: str) -> Theirs:
    """Return a method of a game, which may have one of two names; None if it has neither."""
    return getattr(game, name, None) or getattr(game, spelled(name), None)


@attrs.frozen
class AlphaZero(Adapted):
    """A game of alpha-zero-general: a board, and a player (1 or -1).

    Its methods get the board as the player to move sees it.
    """

    framework: ClassVar[str] = "azg"
    shape: ClassVar[tuple[str, ...]] = ("getInitBoard", "getNextState", "getValidMoves", "getGameEnded")

    canonical_form: Theirs = ggp.constant(lambda adapted: either(adapted.game, "getCanonicalForm"))
    next_state: Theirs = ggp.constant(lambda adapted: either(adapted.game, "getNextState"))
    valid_moves: Theirs = ggp.constant(lambda adapted: either(adapted.game, "getValidMoves"))
    game_ended: Theirs = ggp.constant(lambda adapted: either(adapted.game, "getGameEnded"))

    def start(self) -> Theirs:
        return either(self.game, "getInitBoard")(), ggp.MAX

    def to_move(self, state: Theirs) -> ggp.Player:
        return state[1]  # type: ignore[no-any-return]

    def actions(self, state: Theirs) -> Iterable[Theirs]:
        board = self.canonical_form(state[0], sign(state[1]))
        return [action for action, valid in enumerate(self.valid_moves(board, 1)) if valid]

    def result(self, state: Theirs, action: Theirs) -> Theirs:
        board, player = self.next_state(state[0], sign(state[1]), action)
        return board, ggp.MAX if player == 1 else ggp.MIN

    def terminal_test(self, state: Theirs) -> bool:
        return bool(self.game_ended(state[0], sign(state[1])) != 0)

    def worth(self, state: Theirs) -> float:
        result = self.game_ended(state[0], sign(state[1]))
        return 0 if abs(result) < DRAW else sign(state[1]) * result

    def picture(self, state: Theirs) -> str:
        return written(state[0])


@attrs.frozen
class AlphaZeroFromScratch(Adapted):
    """A game of AlphaZeroFromScratch, in which the last move shows whether the game has ended."""

    framework: ClassVar[str] = "azfs"
    shape: ClassVar[tuple[str, ...]] = (
        "get_initial_state", "get_next_state", "get_valid_moves", "get_value_and_terminated",
    )  # fmt: skip

    def start(self) -> Theirs:
        return self.game.get_initial_state(), ggp.MAX, 0, False

    def to_move(self, state: Theirs) -> ggp.Player:
        return state[1]  # type: ignore[no-any-return]

    def actions(self, state: Theirs) -> Iterable[Theirs]:
        return [action for action, valid in enumerate(self.game.get_valid_moves(state[0])) if valid]

    def result(self, state: Theirs, action: Theirs) -> Theirs:
        board = self.game.get_next_state(state[0], action, sign(state[1]))
        value, ended = self.game.get_value_and_terminated(board, action)
        return board, 1 - state[1], sign(state[1]) * value, bool(ended)

    def terminal_test(self, state: Theirs) -> bool:
        return state[3]  # type: ignore[no-any-return]

    def worth(self, state: Theirs) -> float:
        return state[2]  # type: ignore[no-any-return]

    def picture(self, state: Theirs) -> str:
        return written(state[0])


@attrs.frozen
class Gamesman(Adapted):
    """A game of GamesmanPy: its positions have a value for the player to move; a puzzle is for one player."""

    framework: ClassVar[str] = "gamesman"
    shape: ClassVar[tuple[str, ...]] = ("start", "generate_moves", "do_move", "primitive")

    variant: str = ggp.option("", "variant of the game")

    def make(self) -> Theirs:
        offered = list(self.theirs.variants) if hasattr(self.theirs, "variants") else ["default"]
        if self.variant and self.variant not in offered:
            raise ggp.OptionError(f"{self.name}: variant must be one of {', '.join(offered)}; got {self.variant!r}")
        if not inspect.signature(self.theirs.start).parameters:  # functions of the class itself
            return self.theirs
        takes_variant = len(inspect.signature(self.theirs.__init__).parameters) > 1
        return self.theirs(self.variant or offered[0]) if takes_variant else self.theirs()

    @property
    def player_names(self) -> tuple[str, ...]:
        return ("player",) if self.is_puzzle else ("first", "second")

    is_puzzle: bool = ggp.constant(
        lambda adapted: hasattr(adapted.theirs, "n_players") and adapted.theirs.n_players == 1
    )

    def start(self) -> Theirs:
        return self.game.start(), ggp.MAX

    def to_move(self, state: Theirs) -> ggp.Player:
        return state[1]  # type: ignore[no-any-return]

    def actions(self, state: Theirs) -> Iterable[Theirs]:
        return list(self.game.generate_moves(state[0]))

    def result(self, state: Theirs, action: Theirs) -> Theirs:
        position, mover = state
        return self.game.do_move(position, action), mover if self.is_puzzle else 1 - mover

    def terminal_test(self, state: Theirs) -> bool:
        return self.game.primitive(state[0]) is not None or len(self.game.generate_moves(state[0])) == 0

    def worth(self, state: Theirs) -> float:
        result = self.game.primitive(state[0])
        if result is None:
            return 0
        name = (result if isinstance(result, str) else result.name).lower()
        value = 1 if name == "win" else -1 if name in ("loss", "lose") else 0
        return value if state[1] == ggp.MAX else -value

    def picture(self, state: Theirs) -> str:
        try:
            mode = inspect.signature(self.game.to_string).parameters
            return str(self.game.to_string(state[0], *[0] * (len(mode) - 1)))
        except Exception:  # a drawing is not worth an error
            return str(state[0])


def recognize(thing: object) -> type | None:
    """Return the class of a game for a class or a module of another framework; see `ggp.plugin_hooks.Adapter`."""
    theirs: Theirs = thing
    if isinstance(thing, types.ModuleType):
        has_board = hasattr(theirs, "Position") and hasattr(theirs, "initial") and isinstance(theirs.initial, str)
        if has_board and theirs.Position is not None and _has(theirs.Position, Sunfish.shape):
            return adapter(Sunfish, theirs, {})
        return adapter(CS50, theirs, {}) if _has(theirs, CS50.shape) else None
    if not isinstance(thing, type):
        return None
    if any(each.__module__.partition(".")[0] == "pyspiel" and each.__name__ == "Game" for each in thing.__mro__):
        return _of_openspiel(theirs)
    if _has(theirs, AIMA.shape) and not hasattr(theirs, "initial_state"):
        return adapter(AIMAWithChance if hasattr(theirs, "chances") else AIMA, theirs, arguments(theirs.__init__, 1))
    if _has(theirs, EasyAI.shape):
        first = list(inspect.signature(theirs.__init__).parameters)[1:2]
        options = {name: value for name, value in arguments(theirs.__init__, 1).items() if name not in first}
        return adapter(EasyAI, theirs, options)
    if all(either(theirs, name) for name in AlphaZero.shape):
        _name_again()
        return adapter(AlphaZero, theirs, arguments(theirs.__init__, 1))
    if _has(theirs, Chess.shape) and hasattr(theirs, "legal_moves"):
        return adapter(Chess, theirs, {})
    for shape in (AlphaZeroFromScratch, CS188, Gomoku):
        if _has(theirs, shape.shape):
            return adapter(shape, theirs, arguments(theirs.__init__, 1))
    return adapter(Gamesman, theirs, {}) if _has(theirs, Gamesman.shape) else None


def _name_again() -> None:
    """Restore NumPy's names for Python's types, such as `numpy.int`: version 1.24 removed them, but older games use
    them.
    """
    import numpy

    for cls in (bool, int, float, complex, object, str):
        if cls.__name__ not in vars(numpy):
            setattr(numpy, cls.__name__, cls)


def _has(theirs: object, names: Iterable[str]) -> bool:
    return all(callable(getattr(theirs, name, None)) for name in names)


def _of_openspiel(theirs: Theirs) -> type:
    """Return the class for a game that is written for OpenSpiel in Python, and that its module registers with
    OpenSpiel.
    """
    try:
        from ggp_openspiel.games import class_of
    except ImportError:
        raise PluginError(f"{theirs.__name__} is a game for OpenSpiel: pip install 'ggp[openspiel]'") from None
    return class_of(theirs().get_type())
