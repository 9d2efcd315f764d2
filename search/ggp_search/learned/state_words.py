"""The words of states: the words of machine code or, for states that cannot be compiled, words made from their parts.

A state that cannot be compiled is taken apart: into the members of lists and objects, the entries of dictionaries, and
the elements of sets. Each part of a state gives one word. An integer is its own word. For any other part, the values
that it had in the games seen are numbered from 1; its word is the number of its value.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ggp import compiler
from ggp.compiler.encoding import flatten
from ggp.compiler.types import Type, type_of
from ggp.errors import UnsupportedGameError
from ggp.frozen_states import FrozenArray, FrozenDict, FrozenObject
from ggp.game import AnyGame, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Places: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The places in a state by name, each with the values that were seen there, or with () if these are whole numbers."""
ReadWords: TypeAlias = Callable[[State], Sequence[int]]
WordRows: TypeAlias = "NDArray[np.uint64]"
"""The words of states: a row for each state."""
WordColumn: TypeAlias = "NDArray[np.uint64]"
"""A column of `WordRows`: the same word of each state."""
Floats: TypeAlias = "NDArray[np.float64]"
"""Numbers of a network, such as its weights."""
Series: TypeAlias = "NDArray[np.int64]"
"""A number for each state, or for each entry of a table."""

MOST = 2000
"""Maximum number of places."""
DEEPEST = 8
"""Maximum depth of nested members that are taken apart."""


def typed_words(game: AnyGame, states: Sequence[State]) -> ReadWords | None:
    """Return the function that reads the words of machine code.

    Return None if some of the states have no such words, or if not all states have the same number of words.
    """
    try:
        read = words_by_type(game)
        if len({len(read(state)) for state in states}) != 1:
            return None
    except (UnsupportedGameError, compiler.NotRepresentable, ValueError, TypeError, AttributeError):
        return None
    return read


def words_by_type(game: AnyGame) -> ReadWords:
    """Return the function that reads the words of machine code. Raises as `state_type`."""
    kind = state_type(game)
    return lambda state: flatten(state, kind)


def state_type(game: AnyGame) -> Type:
    """Return the type of all states of a game in machine code. For an interpreted game, return the type of the first
    state.

    Raises:
        UnsupportedGameError: the states have no fixed number of words.
    """
    try:
        return compiler.compile(_plies, game, compiler.STATE, game=game).arguments[0]
    except (compiler.Refused, compiler.NotRepresentable):
        pass
    state = game.initial_state()
    try:
        kind = type_of(state)
        flatten(state, kind)
    except compiler.NotRepresentable as error:
        raise UnsupportedGameError(f"{game.name} cannot be learned: {error}") from None
    return kind


def _plies(game: AnyGame, state: State) -> int:
    """Return the length of the game in which the first action is always played, up to 1,000 plies."""
    plies = 0
    while plies < 1000 and not game.terminal_test(state):
        for action in game.actions(state):
            first = action
            break
        state = game.result(state, first)
        plies += 1
    return plies


def find_places(states: Sequence[State]) -> Places:
    """Return the places in which these states differ.

    Raises:
        UnsupportedGameError: there are too many such places.
    """
    seen: dict[str, dict[str, None]] = {}
    plain: dict[str, bool] = {}
    counts: dict[str, int] = {}
    for state in states:
        for path, thing in parts(state):
            seen.setdefault(path, {})[repr(thing)] = None
            plain[path] = plain.get(path, True) and isinstance(thing, int)
            counts[path] = counts.get(path, 0) + 1
    varying = [path for path in sorted(seen) if len(seen[path]) > 1 or counts[path] < len(states)]
    if len(varying) > MOST:
        raise UnsupportedGameError(f"its states differ in {len(varying)} places, and learning reads at most {MOST}")
    return tuple((path, () if plain[path] else tuple(sorted(seen[path]))) for path in varying)


def words_at(places: Places) -> ReadWords:
    """Return the function that reads a word at each place; the word is 0 if the place has no value."""
    readers = {
        location: (number, {text: index + 1 for index, text in enumerate(things)})
        for number, (location, things) in enumerate(places)
    }

    def read(state: State) -> list[int]:
        words = [0] * len(places)
        for path, thing in parts(state):
            if path in readers:
                number, things = readers[path]
                words[number] = things.get(repr(thing), 0) if things else int(thing)
        return words

    return read


def parts(thing: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the places in a state, each with its value."""
    if thing is None or isinstance(thing, int | float | str | bytes) or depth == DEEPEST:
        yield path, thing
    elif isinstance(thing, FrozenDict | dict):
        for key, value in dict(thing).items():
            yield from parts(value, f"{path}/{key!r}", depth + 1)
    elif isinstance(thing, frozenset | set):
        for element in thing:
            yield f"{path}/{element!r}", 1
    elif isinstance(thing, FrozenArray):
        yield from parts(thing.array().ravel().tolist(), path, depth + 1)
    elif isinstance(thing, tuple | list):
        for number, value in enumerate(thing):
            yield from parts(value, f"{path}/{number}", depth + 1)
    elif isinstance(thing, FrozenObject):
        for name, value in zip(thing.frozen_names, thing.frozen_values, strict=True):
            yield from parts(value, f"{path}/{name}", depth + 1)
    elif hasattr(thing, "key") and thing.key is not None:  # a state of another framework, by what it is compared by
        yield from parts(thing.key, path, depth + 1)
    else:
        yield path, thing


def state_text(game: AnyGame) -> str:
    """Return the type of the first state as a text; "" if machine code cannot hold the state."""
    try:
        return str(type_of(game.initial_state()))
    except compiler.NotRepresentable:
        return ""
