"""Moves in the notation of a protocol."""

import itertools
from collections.abc import Iterator

from ggp import capabilities
from ggp.engine_dialect import Dialect
from ggp.errors import IllegalActionError
from ggp.game import Action, AnyGame, State


def parse_move(game: AnyGame, dialect: Dialect, state: State, text: str) -> Action:
    """Return the legal action, or outcome of chance, that a text of the protocol describes; case is ignored.

    Raises:
        IllegalActionError: the text describes no legal action; the message lists the legal ones.
    """
    written: dict[str, Action] = {dialect.action(state, each): each for each in capabilities.legal_actions(game, state)}
    if text in written:
        return written[text]
    alike = [each for name, each in written.items() if name.lower() == text.lower()]
    if len(alike) == 1:
        return alike[0]
    right = ", ".join(written) or "none, since the game is over"
    where = capabilities.notation(game).format_state(state)
    raise IllegalActionError(f"{text!r} is not legal in {where}: the legal moves are {right}")


def moves_between(game: AnyGame, states: tuple[State, ...]) -> Iterator[Action]:
    """Yield the actions, or outcomes of chance, that lead from each state to the next."""
    for before, after in itertools.pairwise(states):
        yield next(action for action in game.actions(before) if game.result(before, action) == after)
