"""Examine the rules of a game in one state. A fault is a method that raises an error, or returns what the protocol does
not allow.
"""

import contextlib
import inspect
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import SupportsFloat, TypeVar

import attrs

from ggp import capabilities
from ggp.errors import FaultError
from ggp.escapes import escaped, short
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, Notated, Scenic, State, capable
from ggp.plugin_entries import error_text
from ggp.scene import Scene

ReturnedT = TypeVar("ReturnedT")

LONGEST = 100
"""Maximum number of characters of a state or a value in a sentence."""


def escaped_error(error: BaseException) -> str:
    """Return an exception as one line of printable text, with the line of the plugin that raised it."""
    if isinstance(error, RecursionError):
        return f"RecursionError: it goes deeper than Python's stack allows{_place(error)}"
    return escaped(error_text(error))


def _place(error: BaseException) -> str:
    frames = inspect.getinnerframes(error.__traceback__) if error.__traceback__ else []
    return f" ({frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno})" if frames else ""


def safe_repr(value: object) -> str:
    try:
        return repr(value)
    except Exception:
        return f"a {type(value).__name__}"


def state_text(game: object, state: object) -> str:
    """Return a state in the game's notation. If the notation fails, return the state as Python writes it."""
    text: object = None
    if isinstance(game, Notated):
        with contextlib.suppress(BaseException):
            text = game.format_state(state)
    return short(escaped(text if isinstance(text, str) else safe_repr(state)), LONGEST)


def action_text(game: object, state: State, action: Action) -> str:
    """Return an action in the game's notation. If the notation fails, return the action as Python writes it."""
    text: object = None
    if isinstance(game, Notated):
        with contextlib.suppress(BaseException):
            text = game.format_action(state, action)
    return short(escaped(text if isinstance(text, str) else safe_repr(action)), LONGEST)


def is_state(value: object, like: object) -> bool:
    try:
        hash(value)
    except Exception:
        return False
    return value is not None and type(value) is type(like)


def short_repr(value: object) -> str:
    return short(escaped(safe_repr(value)), LONGEST)


class RuleFault(Exception):
    """Raised if a call of a rule failed; the text is a sentence about the call."""


@attrs.frozen
class _Call:
    """A call of a rule, which is put into words only if it fails: formatting takes longer than most rules."""

    game: AnyGame
    method: str
    state: State
    action: tuple[Action] | tuple[()] = ()
    player: tuple[int] | tuple[()] = ()

    def __str__(self) -> str:
        given = [state_text(self.game, self.state), *map(str, self.player)]
        given += [action_text(self.game, self.state, each) for each in self.action]
        return f"{self.method}({', '.join(given)})"


def _asked(
    call: object,
    method: Callable[..., ReturnedT],
    *given: object,
    right: Callable[..., object] | None = None,
    expected: str,
) -> ReturnedT:
    """Return the result of a method, after checking it.

    Arguments:
        call: an object whose text is the call in words.
        right: returns False or raises an error if the result is wrong. A result of None is always wrong.

    Raises:
        RuleFault: the method raised an error, or returned something wrong.
    """
    try:
        returned = method(*given)
    except (KeyboardInterrupt, FaultError):
        raise
    except BaseException as error:
        raise RuleFault(f"{call} raised {escaped_error(error)}") from None
    try:
        wrong = returned is None or (right is not None and right(returned) is False)
    except Exception:  # whatever it is, it cannot be asked
        wrong = True
    if wrong:
        raise RuleFault(f"{call} returned {short_repr(returned)}; {expected}")
    return returned


def successors(game: AnyGame, state: State) -> list[State]:
    """Return the states that follow a state, after calling each rule in it.

    Raises:
        RuleFault: a rule raises an error, or returns what the protocol does not allow.
    """
    call = _Call(game, "terminal_test", state)
    if _asked(call, game.terminal_test, state, right=_is_truth, expected="it must be True or False"):
        for player in (MAX, MIN):
            call = _Call(game, "utility", state, player=(player,))
            _asked(call, game.utility, state, player, right=is_number, expected=NUMBER)
        return []
    stochastic = capabilities.is_stochastic(game)
    expected = "it must be ggp.MAX (0) or ggp.MIN (1)" + (", or ggp.CHANCE (-1)" if stochastic else "")
    movers = (MAX, MIN, CHANCE) if stochastic else (MAX, MIN)
    mover = _asked(_Call(game, "to_move", state), game.to_move, state, right=movers.__contains__, expected=expected)
    if mover == CHANCE:
        expected = "each outcome needs its probability"
        _asked(_Call(game, "outcomes", state), _outcomes, game, state, right=bool, expected=expected)
    call = _Call(game, "actions", state)
    _asked(call, game.actions, state, right=iter, expected="it must be the legal actions")
    expected = "there must be at least one until the game is over"
    actions = _asked(call, capabilities.all_actions, game, state, right=bool, expected=expected)
    return [
        _asked(
            _Call(game, "result", state, (action,)),
            game.result,
            state,
            action,
            right=hash,
            expected="it must be a state",
        )
        for action in actions
    ]


def rule_faults(game: AnyGame, state: State) -> Iterator[str]:
    """Yield the first fault of the rules in one state, as a sentence, if there is one."""
    try:
        successors(game, state)
    except RuleFault as fault:
        yield str(fault)


def estimate_faults(game: AnyGame, state: State) -> Iterator[str]:
    """Yield the first fault of the evaluations in one state, as a sentence, if there is one."""
    try:
        if not game.terminal_test(state):
            for name, evaluation in capabilities.evaluations(game).items():
                call = f"the evaluation {name} of {state_text(game, state)}"
                _asked(call, evaluation, state, right=is_number, expected=NUMBER)
    except RuleFault as fault:
        yield str(fault)


def display_faults(game: AnyGame, state: State) -> Iterator[str]:
    """Yield the first fault of the notation or the scene in one state, as a sentence, if there is one."""
    where = state_text(game, state)

    def is_text(returned: object) -> bool:
        return isinstance(returned, str)

    rules: AnyGame = game
    try:
        if isinstance(game, Notated):
            text = _asked(f"format_state({short_repr(state)})", game.format_state, state, right=is_text, expected=TEXT)
            _asked(
                f"parse_state({text!r})",
                game.parse_state,
                text,
                expected="it must be a state",
            )
            for action in capabilities.legal_actions(rules, state):
                call = f"format_action({where}, {short_repr(action)})"
                name = _asked(call, game.format_action, state, action, right=is_text, expected=TEXT)
                _asked(
                    f"parse_action({where}, {name!r})",
                    game.parse_action,
                    state,
                    name,
                    expected="it must be an action",
                )
        if isinstance(game, Scenic):
            right = lambda returned: isinstance(returned, Scene)  # noqa: E731
            _asked(f"scene({where})", game.scene, state, right=right, expected="it must be a ggp.Scene")
        if hasattr(game, "draw"):
            _asked(f"draw({where})", game.draw, state, right=is_text, expected=TEXT)
        if hasattr(game, "explain"):
            for action in capabilities.legal_actions(rules, state):
                call = f"explain({where}, {action_text(game, state, action)})"
                _asked(call, game.explain, state, action, right=is_text, expected=TEXT)
    except RuleFault as fault:
        yield str(fault)


NUMBER, TEXT = "it must be a finite number, an int or a float", "it must be a text"


def is_number(value: SupportsFloat) -> bool:
    """Return whether a value is finite, and is not a `Fraction` or a `Decimal`, which files and windows cannot hold."""
    return not isinstance(value, Fraction | Decimal) and math.isfinite(value)


def _is_truth(value: object) -> bool:
    return type(value).__name__ in ("bool", "bool_") or (type(value) is int and value in (0, 1))


def _outcomes(game: AnyGame, state: State) -> list[tuple[Action, float]]:
    outcomes = [(outcome, float(probability)) for outcome, probability in capable(game).outcomes(state)]
    return outcomes if all(probability > 0 for _, probability in outcomes) else []
