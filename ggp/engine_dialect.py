"""Dialects: the notations in which engines write states and actions, one for each game and protocol."""

from collections.abc import Callable

import attrs

PROTOCOLS = ("ugi", "uci", "gtp", "openspiel")
"""The protocols of engines: UGI, UCI, and the Go Text Protocol; and OpenSpiel, whose actions are numbers."""


@attrs.frozen(kw_only=True)
class Dialect:
    """The notation of a game in a protocol. The text of an action is read by comparing it with the texts of the legal
    actions.
    """

    action: Callable[..., str]
    """`action(state, action)` returns the text of an action, without blanks."""
    state: Callable[..., str] | None = None
    """A function that returns the text of a state; if None, engines start from the initial state only."""
    parse_state: Callable[[str], object] | None = None
    """The inverse of `state`; raises `NotationError`."""
    variant: str = ""
    """The game's name for engines.

    In UCI it is the value of `UCI_Variant`, in OpenSpiel the name with parameters in brackets.
    """
    colours: tuple[str, str] = ("b", "w")
    """The names of MAX and MIN in GTP."""
    size: int | None = None
    """The number of rows of the board, which GTP sets by `boardsize`; None: the game has no such command."""
    setup: Callable[..., tuple[str, ...]] | None = None
    """A function that returns commands of GTP that set up any state other than the initial one."""
