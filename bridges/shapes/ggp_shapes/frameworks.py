"""The frameworks whose games are recognized, by the methods of a class or the functions of a module.

Sources: S. Russell and P. Norvig, aima-python; Zulko, easyAI; S. Nair, alpha-zero-general; GamesCrafters, GamesmanPy;
CS50's Introduction to Artificial Intelligence with Python, project Tic-Tac-Toe; OpenSpiel.
"""

import inspect
import types
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import attrs

import ggp
from ggp.errors import PluginError
from ggp_shapes.adapted import Adapted, AdaptedState, adapter, arguments, copied, shown

DRAW = 0.1
"""A result of alpha-zero-general nearer to 0 than this is a draw."""


@attrs.frozen
class AIMA(Adapted):
    """A game of AIMA's code: its methods get the state, whose mover has a name."""

    framework: ClassVar[str] = "aima"
    shape: ClassVar[tuple[str, ...]] = ("actions", "result", "utility", "terminal_test", "to_move")

    def start(self) -> tuple[Any, ggp.Player]:
        return self.game.initial, ggp.MAX

    def _mover(self, value: Any) -> ggp.Player:
        first = self.game.to_move(self.game.initial)
        return ggp.MAX if self.game.to_move(value) == first else ggp.MIN

    def legal(self, value: Any, mover: ggp.Player) -> Iterable[Any]:
        return list(self.game.actions(value))

    def after(self, value: Any, mover: ggp.Player, action: Any) -> tuple[Any, ggp.Player]:
        result = self.game.result(value, action)
        return result, mover if self.game.terminal_test(result) else self._mover(result)

    def over(self, value: Any, mover: ggp.Player) -> bool:
        return bool(self.game.terminal_test(value))

    def worth(self, value: Any, mover: ggp.Player) -> float:
        return float(self.game.utility(value, self.game.to_move(self.game.initial)))

    def picture(self, value: Any) -> str:
        display = getattr(self.theirs, "display", None)
        return shown(lambda: display(self.game, value)) if display else str(value)


@attrs.frozen
class EasyAI(Adapted):
    """A game of easyAI: an object that moves change, and that is copied before."""

    framework: ClassVar[str] = "easyai"
    shape: ClassVar[tuple[str, ...]] = ("possible_moves", "make_move", "is_over")

    def make(self) -> Any:
        return self.theirs

    def start(self) -> tuple[Any, ggp.Player]:
        players = list(inspect.signature(self.theirs.__init__).parameters)[1:2]
        options = {name: getattr(self, name) for name in arguments(self.theirs.__init__, 1) if name not in players}
        seats = [Seat("player 1"), Seat("player 2")]
        return self._entered(self.theirs(seats, **options) if players else self.theirs(**options))

    def _entered(self, game: Any) -> tuple[tuple[Any, bool], ggp.Player]:
        """Return an object with whether its game is over, which some games remember for `scoring`; and the mover."""
        over = bool(game.is_over())
        over = over or not list(copied(game).possible_moves())
        return (game, over), ggp.MAX if game.current_player == 1 else ggp.MIN

    def legal(self, value: Any, mover: ggp.Player) -> Iterable[Any]:
        return list(copied(value[0]).possible_moves())

    def after(self, value: Any, mover: ggp.Player, action: Any) -> tuple[Any, ggp.Player]:
        game = copied(value[0])
        game.make_move(action)
        game.switch_player()
        return self._entered(game)

    def over(self, value: Any, mover: ggp.Player) -> bool:
        return bool(value[1])

    def worth(self, value: Any, mover: ggp.Player) -> float:
        board, sign = copied(value[0]), 1 if mover == ggp.MAX else -1
        if hasattr(board, "scoring"):
            return sign * float(board.scoring())
        for test, score in (("win", 1), ("lose", -1)):
            if hasattr(board, test) and getattr(board, test)():
                return float(sign * score)
        return 0.0

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        def scoring(state: AdaptedState) -> float:
            return self.worth(state.value, state.mover)

        return {"scoring": ggp.Evaluation(scoring, "the game's own `scoring`, as a value to MAX")}

    def picture(self, value: Any) -> str:
        return shown(copied(value[0]).show) if hasattr(value[0], "show") else str(value[0])


class Seat:
    """A player of easyAI's, on which games keep scores and goals."""

    def __init__(self, name: str) -> None:
        self.name = name


@attrs.frozen
class AlphaZero(Adapted):
    """A game of alpha-zero-general: a board and a player, 1 or -1; moves are asked of the canonical board."""

    framework: ClassVar[str] = "azg"
    shape: ClassVar[tuple[str, ...]] = ("getInitBoard", "getNextState", "getValidMoves", "getGameEnded")

    def start(self) -> tuple[Any, ggp.Player]:
        return self.game.getInitBoard(), ggp.MAX

    def legal(self, value: Any, mover: ggp.Player) -> Iterable[Any]:
        board = self.game.getCanonicalForm(copied(value), self._sign(mover))
        return [action for action, valid in enumerate(self.game.getValidMoves(board, 1)) if valid]

    def after(self, value: Any, mover: ggp.Player, action: Any) -> tuple[Any, ggp.Player]:
        board, player = self.game.getNextState(copied(value), self._sign(mover), action)
        return board, ggp.MAX if player == 1 else ggp.MIN

    def over(self, value: Any, mover: ggp.Player) -> bool:
        return bool(self.game.getGameEnded(copied(value), self._sign(mover)) != 0)

    def worth(self, value: Any, mover: ggp.Player) -> float:
        result = float(self.game.getGameEnded(copied(value), self._sign(mover)))
        return 0.0 if abs(result) < DRAW else self._sign(mover) * result

    def _sign(self, mover: ggp.Player) -> int:
        return 1 if mover == ggp.MAX else -1


@attrs.frozen
class Gamesman(Adapted):
    """A game of GamesmanPy: a position is a value to the player to move; a puzzle is for one player."""

    framework: ClassVar[str] = "gamesman"
    shape: ClassVar[tuple[str, ...]] = ("start", "generate_moves", "do_move", "primitive")

    variant: str = ggp.option("", "variant of the game")

    def make(self) -> Any:
        offered = list(getattr(self.theirs, "variants", ["default"]))
        if self.variant and self.variant not in offered:
            raise ggp.OptionError(f"{self.name}: variant must be one of {', '.join(offered)}; got {self.variant!r}")
        if not inspect.signature(self.theirs.start).parameters:  # functions of the class itself
            return self.theirs
        takes_variant = len(inspect.signature(self.theirs.__init__).parameters) > 1
        return self.theirs(self.variant or offered[0]) if takes_variant else self.theirs()

    @property
    def player_names(self) -> tuple[str, ...]:
        return ("player",) if getattr(self.theirs, "n_players", 2) == 1 else ("first", "second")

    def start(self) -> tuple[Any, ggp.Player]:
        return self.game.start(), ggp.MAX

    def legal(self, value: Any, mover: ggp.Player) -> Iterable[Any]:
        return list(self.game.generate_moves(value))

    def after(self, value: Any, mover: ggp.Player, action: Any) -> tuple[Any, ggp.Player]:
        return self.game.do_move(value, action), mover if len(self.player_names) == 1 else 1 - mover

    def over(self, value: Any, mover: ggp.Player) -> bool:
        return self.game.primitive(value) is not None or not list(self.game.generate_moves(value))

    def worth(self, value: Any, mover: ggp.Player) -> float:
        result = self.game.primitive(value)
        name = "" if result is None else str(getattr(result, "name", result)).lower()
        worth = {"win": 1, "loss": -1, "lose": -1}.get(name, 0)
        return float(worth if mover == ggp.MAX else -worth)

    def picture(self, value: Any) -> str:
        try:
            mode = inspect.signature(self.game.to_string).parameters
            return str(self.game.to_string(value, *[0] * (len(mode) - 1)))
        except Exception:  # a drawing is not worth an error
            return str(value)


@attrs.frozen
class CS50(Adapted):
    """The functions that CS50's project Tic-Tac-Toe asks for, in a module."""

    framework: ClassVar[str] = "cs50"
    shape: ClassVar[tuple[str, ...]] = ("initial_state", "player", "actions", "result", "terminal", "utility")

    def make(self) -> Any:
        return self.theirs

    def start(self) -> tuple[Any, ggp.Player]:
        return self.game.initial_state(), ggp.MAX

    def legal(self, value: Any, mover: ggp.Player) -> Iterable[Any]:
        return sorted(self.game.actions(copied(value)))

    def after(self, value: Any, mover: ggp.Player, action: Any) -> tuple[Any, ggp.Player]:
        board = self.game.result(copied(value), action)
        if self.game.terminal(board):
            return board, 1 - mover
        same = self.game.player(board) == self.game.player(self.game.initial_state())
        return board, ggp.MAX if same else ggp.MIN

    def over(self, value: Any, mover: ggp.Player) -> bool:
        return bool(self.game.terminal(copied(value)))

    def worth(self, value: Any, mover: ggp.Player) -> float:
        return float(self.game.utility(copied(value)))

    def picture(self, value: Any) -> str:
        return "\n".join(" ".join(str(cell or ".") for cell in row) for row in value)


def recognize(thing: object) -> type | None:
    """Return the class of a game for a class or a module of another framework; see `ggp.hooks.Adapter`."""
    theirs: Any = thing
    if isinstance(thing, types.ModuleType):
        return adapter(CS50, theirs, {}) if _has(theirs, CS50.shape) else None
    if not isinstance(thing, type):
        return None
    if any(each.__module__.partition(".")[0] == "pyspiel" and each.__name__ == "Game" for each in thing.__mro__):
        return _of_openspiel(theirs)
    if _has(theirs, AIMA.shape) and not hasattr(theirs, "initial_state"):
        if hasattr(theirs, "chances") and theirs.__name__ != "StochasticGame":
            raise PluginError(
                f"{theirs.__name__} is one of AIMA's games of chance, which keep a part of the state in the game: write"
                " it with `outcomes` (see docs/write-a-game.md)"
            )
        return adapter(AIMA, theirs, arguments(theirs.__init__, 1))
    if _has(theirs, EasyAI.shape):
        first = list(inspect.signature(theirs.__init__).parameters)[1:2]
        options = {name: value for name, value in arguments(theirs.__init__, 1).items() if name not in first}
        return adapter(EasyAI, theirs, options)
    if _has(theirs, AlphaZero.shape):
        _name_again()
        return adapter(AlphaZero, theirs, arguments(theirs.__init__, 1))
    return adapter(Gamesman, theirs, {}) if _has(theirs, Gamesman.shape) else None


def _name_again() -> None:
    """Give NumPy the names of Python's types again that it had until 1.24: games of that time use them."""
    import numpy

    for kind in (bool, int, float, complex, object, str):
        if kind.__name__ not in vars(numpy):
            setattr(numpy, kind.__name__, kind)


def _has(theirs: Any, names: Iterable[str]) -> bool:
    return all(callable(getattr(theirs, name, None)) for name in names)


def _of_openspiel(theirs: Any) -> type:
    """Return the class for a game that is written for OpenSpiel, in Python; its module registers it there."""
    try:
        from ggp_openspiel.games import class_of
    except ImportError:
        raise PluginError(f"{theirs.__name__} is a game for OpenSpiel: pip install 'ggp[openspiel]'") from None
    return class_of(theirs().get_type())
