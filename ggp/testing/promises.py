"""The promises of the protocol by name, and `Examination`, which checks them."""

import collections
import contextlib
import copy
from collections.abc import Iterator, Mapping
from typing import Final

from ggp import capabilities, rule_faults
from ggp.errors import ConformanceError, FaultError
from ggp.escapes import short
from ggp.game import Action, AnyGame, State

PROMISES: Final[Mapping[str, str]] = {
    "name": "the name has no spaces, and capitals only after a colon; title, rules and the players' names are texts",
    "capabilities": "a capability has all of its methods, or none",
    "levels": "each level names an installed searcher, with valid options and limits, that can play the game",
    "options": "every option has an effect, and games with the option's least and greatest values can be played",
    "answers": "every call that the protocol allows returns what the protocol says, without an exception",
    "purity": "no operation changes a state",
    "determinism": "the same arguments give the same result, whatever was called before",
    "processes": "another process gives the same results, though hashes of texts and addresses of objects differ",
    "equality": "states are hashable, and equal states have equal hashes and give the same results",
    "mover": "MAX or MIN is to move, or CHANCE in a stochastic game",
    "actions": "a state that is not terminal has actions, none of them None or listed twice, always in the same order",
    "zero sum": "the utility of a terminal state is finite, and that of MIN is the negative of that of MAX",
    "probabilities": "where CHANCE moves, the probabilities are positive and sum to 1",
    "outcomes": "where CHANCE moves, the outcomes are the actions, in the same order",
    "repetition": "no state comes back in one play of the game, unless the game declares the value of a repetition",
    "end": "every play ends, or comes back to an earlier state if the game declares that states come back",
    "bounds": "the final utility lies within the bounds of every state on the way, and bounds never widen",
    "passes": "a pass is no better for the player to move than the best action",
    "value bounds": "the value of a state, with best play by both players, lies within its value bounds",
    "known values": "known values are the values of legal actions with best play, and they include the best action",
    "evaluations": "an evaluation is finite wherever the game is not over",
    "bounded evaluations": "an evaluation that is declared bounded lies within the state's bounds",
    "score and key": "value(state) - score(state) depends only on key(state)",
    "separable evaluations": "with a separable evaluation, a search value minus the score depends only on key(state)",
    "state notation": "parsing a formatted state gives it back, and two states never share a text",
    "action notation": "parsing a formatted action gives it back, and two actions of a state never share a text",
    "wrong texts": "a text that is not a state or an action is refused with NotationError or IllegalActionError",
    "drawing": "the drawing is a text that is not empty, and changes in the course of play",
    "scene": "cells have unique names and do not overlap, lines join cells, players keep their sides, "
    "a move changes the scene",
    "scene's actions": "the actions that can be chosen in a scene are exactly the legal ones",
    "explanation": "an explanation of an action is a text that is not empty",
    "pickling": "a game that was pickled and loaded plays the same",
    "canonical states": "a state and its canonical state have equal values and lead to equal canonical states",
    "hints": "suggest returns a whole number, and quiet returns True or False",
    "ranking": "every state has a unique number and is listed under it, and every action leads to a lower number",
    "layers": "unrank returns a state with the same future, and no move leads to a higher layer",
    "machine code": "compiled methods return the same as the game's own",
}
"""Promises that `check_game` checks. If a game does not have a capability, the promises about this capability hold."""

SEARCHER_PROMISES: Final[Mapping[str, str]] = {
    "name": "the name has no spaces and no capital letters",
    "answers": "a search of a supported game does not raise",
    "purity": "a search leaves the state as it was",
    "refusal": "an unsupported game is refused with UnsupportedGameError",
    "action": "the action is legal; it is None exactly if the game is over or CHANCE moves",
    "value": "the value is finite, and is the utility where the game is over",
    "principal variation": "the principal variation begins with the action, can be played, and ends where CHANCE moves",
    "values": "an analysis has a finite value for every action, in the game's order",
    "best actions": "the best actions are all those with the best value for the player who moves",
    "statistics": "at least the root is counted, and there are no more leaves or cuts than states",
    "limits": "a limit or a request to stop ends the search; its result gives the reason and is not complete",
    "protocol": "the game's methods are called only where the protocol allows it, and with legal actions",
    "exactness": "the value is that of plain minimax, weighted by probability where CHANCE moves",
    "exact claims": "a value that is called exact is the value to the end of the game",
    "exact values": "each action's value is that of plain minimax",
    "exact variation": "playing the principal variation leads to the value",
}
"""Promises that `check_searcher` and `check_exact_searcher` check."""

NOTHING: Final = object()
"""Stands for no action, since None may be an action."""


class Examination:
    """A game, the state and action being checked, and how often each promise was checked."""

    def __init__(self, game: AnyGame, promises: Mapping[str, str] = PROMISES, subject: str = "") -> None:
        self.game = game
        self.promises = promises
        self.subject = subject or str(capabilities.name_of(game) or type(game).__name__)
        self.kept: collections.Counter[str] = collections.Counter()
        self.stochastic = capabilities.is_stochastic(game)
        self.broken = ""
        """The promise that was last found broken."""
        self.state: State = NOTHING
        self.action: Action = NOTHING

    def at(self, state: State, action: Action = NOTHING) -> None:
        """Set the state, and the action in it, that are being checked."""
        self.state, self.action = state, action

    def expect(self, promise: str, holds: object, detail: str, *about: object) -> None:
        """Check `promise` at the current state and action, and count the check.

        Arguments:
            holds: whether the promise holds; any value with a truth value.
            detail: what is wrong, with a {} for each value of `about`.

        Raises:
            ConformanceError: the promise is broken; the message names promise, state and action.
        """
        if not holds:
            raise self.breach(promise, detail.format(*map(_shown, about)))
        self.kept[promise] += 1

    def breach(self, promise: str, detail: str) -> ConformanceError:
        """Return the error for a `promise` broken at the current state and action."""
        self.broken = promise
        return ConformanceError(
            f'{self.subject} breaks the promise "{promise}" ({self.promises[promise]}){self._place()}: {detail}'
        )

    def _place(self) -> str:
        if self.state is NOTHING:
            return ""
        notation = capabilities.notation(self.game)
        try:
            state = short(notation.format_state(self.state), 300)
        except Exception:
            state = short(repr(self.state), 300)
        if self.action is NOTHING:
            return f" in {state}"
        try:
            return f" in {state} at the action {notation.format_action(self.state, self.action)}"
        except Exception:
            return f" in {state} at the action {self.action!r}"

    @contextlib.contextmanager
    def answering(self, promise: str = "answers") -> Iterator[None]:
        """Treat any exception in the `with` block as a breach of `promise`."""
        try:
            yield
            self.kept[promise] += 1
        except (ConformanceError, FaultError):
            raise
        except Exception as error:
            raise self.breach(promise, self._in_words(promise, error)) from error

    def _in_words(self, promise: str, error: Exception) -> str:
        """Return a sentence about an exception. If a rule was at fault, the sentence names the call."""
        if promise == "answers" and self.promises is PROMISES and self.state is not NOTHING:
            for fault in rule_faults.rule_faults(self.game, self.state):
                return fault
        return f"it raised {short(rule_faults.escaped_error(error), 300)}"


class Snapshot:
    """A copy of a value, to detect later changes."""

    def __init__(self, value: object) -> None:
        self.value = value
        self.hash = hash(value)
        self.text = repr(value)
        self.copy = copy.deepcopy(value)
        if self.copy != value:  # equality by identity: hash and text have to do
            self.copy = value

    def same(self) -> bool:
        """Return whether the value is unchanged."""
        return self.value == self.copy and hash(self.value) == self.hash and repr(self.value) == self.text


def _shown(value: object) -> str:
    return short(str(value) if isinstance(value, str) else repr(value), 300)
