"""Word counts: how much memory the values of a game need in machine code."""

from typing import Any

import attrs

from ggp import compiler
from ggp.compiler.intrinsics import words_of
from ggp.frozen_states import FrozenGame
from ggp.game import State
from ggp_search.engine.settings import Settings

UNKNOWN = 64
"""The number of words that a value is taken to need if machine code cannot hold it."""


@attrs.frozen
class WordCounts:
    """The number of machine words of a state, an action and a key of the table."""

    state: int
    action: int
    key: int

    @classmethod
    def of(cls, game: Any, state: State, settings: Settings) -> "WordCounts":
        """Return an estimate before compiling, from one state and its first action.

        Other states and actions may need more words: None needs no word, but a field that may be None needs one more
        than its value.

        Raises:
            Refused: the states are objects of another framework.
        """
        try:
            return cls._of(game, state, settings)
        except compiler.NotRepresentable as error:
            raise compiler.Refused(str(error)) from None

    @classmethod
    def _of(cls, game: Any, state: State, settings: Settings) -> "WordCounts":
        if isinstance(game, FrozenGame):  # lists in states have room for more items than the first one has
            kind, _ = compiler.state_and_action(game)
            state_words = compiler.size(kind)
        else:
            state_words = _words(state)
        actions = () if game.terminal_test(state) else game.actions(state)
        action = next((_words(each) for each in actions), 1)
        # The key is that of the code, whether or not a table has keys.
        key_words = _words(game.key(state)) if hasattr(game, "key") else state_words
        return cls(state_words, action, key_words)

    def corrected(self, code: compiler.Code) -> "WordCounts":
        """Return the sizes that all states, actions and keys have in the code."""
        state, action, key = (
            own if said is None else said for own, said in zip(attrs.astuple(self), code.words, strict=True)
        )
        return WordCounts(state, action, key)


def _words(value: Any) -> int:
    """Return the number of words of a value; a guess if machine code cannot hold it, such as a set."""
    try:
        return len(words_of(value))
    except compiler.NotRepresentable:
        return UNKNOWN
