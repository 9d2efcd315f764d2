"""Answers from opening books, in place of a search. `ggp.opening_book` reads and writes them."""

from typing import Final

from ggp.game import Action, AnyGame, State
from ggp.opening_book import DEFAULT, BookEntry, BookPath, add, look
from ggp.options import option
from ggp.play.controller import known_result
from ggp.searcher import SearchResult

__all__ = ["AUTO", "NONE", "BookEntry", "add", "answer", "book_option", "look"]

NONE: Final = "none"
"""The value of the option that means that no book is used."""
AUTO: Final = "auto"
"""The value of the option that means an automatic choice. The values that the game knows are looked up first, then the
book in the game's package, then the user's book.
"""
LONGEST = 1_000
"""Maximum number of plies of a line from a book."""


def book_option() -> str:
    """Return the option that all searchers share: the book that is consulted before a search."""
    return option(
        NONE,
        "file of an opening book or table to consult before a search; or auto: consult the values that the game knows, "
        "the game's book, and your book",
        path=True,
    )


def answer(path: BookPath, game: AnyGame, state: State) -> SearchResult | None:
    """Return the book's best action and line as a search result; None if the book does not contain the position.

    Raises: as `look` does.
    """
    if path == NONE:
        return None
    if path == AUTO:
        return known_result(game, state) or answer(DEFAULT, game, state)
    entry = known = look(path, game, state)
    line: list[Action] = []
    while known and known.actions and len(line) < LONGEST:
        line.append(known.actions[0])
        state = game.result(state, line[-1])
        known = look(path, game, state)
    if entry is None or not line:
        return None
    return SearchResult(
        action=line[0],
        value=entry.value,
        complete=True,
        exact=True,
        principal_variation=tuple(line),
        best_actions=entry.actions,
        note="the result is from the opening book",
    )
