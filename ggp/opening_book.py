"""Opening books: proved values and best actions of positions, stored in a file for use in play.

A book is a file of JSON lines, for any number of games: a header, then one position per line. The format is described
in docs/solving.md. A path names a file; `default` stands for the user's own book. A game may ship a book as
`book.jsonl` in its package, which `known_values` reads.
"""

import collections
import contextlib
import functools
import os
import pathlib
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Annotated, Final

import attrs
import msgspec

from ggp import capabilities, opening_table
from ggp.capabilities import canonical, notation, parameters, parse_action
from ggp.errors import BookError, IllegalActionError
from ggp.escapes import short
from ggp.files import locked, user_path
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.opening_table import OpeningTable
from ggp.options import ParameterValue
from ggp.storage import Format, converted, decoded, encoded

VARIABLE: Final = "GGP_BOOK"
"""The environment variable that names the user's own book."""
DEFAULT: Final = "default"
"""The path that stands for the user's own book."""
SHIPPED: Final = "book.jsonl"
"""The name of a book in the package of a game."""
FORMAT: Final = Format("opening book", 2, BookError, largest=256 << 20)
"""The format of books."""

BookPath = str | os.PathLike[str]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


@attrs.frozen(kw_only=True)
class BookLine:
    """A line of a book."""

    game: Text
    parameters: Mapping[str, ParameterValue]
    position: Text
    value: float
    """The exact value to MAX."""
    best: tuple[Text, ...]
    """Actions that lead to the value `value`, as far as they are known."""

    @property
    def key(self) -> Hashable:
        """The subject of the line: the game, its parameters, and the position."""
        return self.game, _sorted(self.parameters), self.position


def key(game: AnyGame, state: State) -> Hashable:
    """Return the key by which a book's line about `state` is found."""
    return game.name, _sorted(parameters(game)), notation(game).format_state(state)


def _sorted(values: Mapping[str, object]) -> bytes:
    return msgspec.json.encode(values, order="sorted")


def default_path() -> pathlib.Path:
    """Return the file of the user's own book: the file that GGP_BOOK names, or else a file in the user's data
    directory.
    """
    return user_path("book.jsonl", VARIABLE)


def path_of(path: BookPath) -> pathlib.Path:
    """Return the file that `path` stands for."""
    return default_path() if os.fspath(path) == DEFAULT else pathlib.Path(path)


@contextlib.contextmanager
def changing(path: pathlib.Path) -> Iterator[None]:
    """Hold a lock while the book is changed; for the user's own book, also create its directory."""
    if path == default_path():
        with contextlib.suppress(OSError):  # writing the file reports it
            path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_name(f"{path.name}.lock"), f"waiting for another process that writes {path}"):
        yield


def write(path: pathlib.Path, lines: Iterable[BookLine]) -> None:
    """Write a book.

    Raises:
        BookError: the file cannot be written; an existing file is left unchanged.
    """
    FORMAT.write(path, *map(encoded, lines))


def read(path: pathlib.Path) -> Mapping[Hashable, BookLine]:
    """Return the lines of a book by key. The user's own book has no lines if it does not exist yet.

    Raises:
        BookError: the file cannot be read, or is damaged; the message names the line.
    """
    try:
        status = path.stat()
    except OSError as error:
        if isinstance(error, FileNotFoundError) and path == default_path():
            return {}
        raise FORMAT.unreadable(path, error) from None
    return _read(path, status.st_mtime_ns, status.st_size, status.st_ino)


@functools.lru_cache(maxsize=4)
def _read(path: pathlib.Path, changed: int, size: int, inode: int) -> Mapping[Hashable, BookLine]:
    """Return the lines of a book; they are cached until the file changes."""
    return _lines(FORMAT.read(path), path)


def _openings(path: pathlib.Path) -> OpeningTable | None:
    """Return the opening table in a file; None if the file is not an opening table.

    Raises:
        BookError: the table is damaged.
    """
    try:
        status = path.stat()
        return _read_openings(path, status.st_mtime_ns, status.st_size, status.st_ino)
    except OSError:  # reading the file as a book reports it
        return None


@functools.lru_cache(maxsize=4)
def _read_openings(path: pathlib.Path, changed: int, size: int, inode: int) -> OpeningTable | None:
    """Return the opening table in a file; it is cached until the file changes."""
    return opening_table.read(path) if opening_table.FORMAT.begins(path) else None


@functools.cache
def _shipped(package: str) -> Mapping[Hashable, BookLine]:
    """Return the lines of the book in a package; none if the package has no book."""
    body = FORMAT.shipped(package, SHIPPED)
    return {} if body is None else _lines(body, f"{package}/{SHIPPED}")


def _lines(body: bytes, source: str | pathlib.Path) -> Mapping[Hashable, BookLine]:
    lines = dict[Hashable, BookLine]()
    for number, data in enumerate(body.splitlines(), 2):
        try:
            line = converted(decoded(data), BookLine)
            if line.key in lines:
                raise ValueError(f"{line.position} occurs twice")
        except ValueError as error:
            raise FORMAT.damaged(source, f"line {number}: {error}") from None
        lines[line.key] = line
    return lines


@attrs.frozen
class BookEntry:
    """The entry of a book for a state."""

    value: float
    """The exact value to MAX."""
    actions: tuple[Action, ...]
    """Actions that lead to the value `value`, in the game's order, as far as they are known."""


def look(path: BookPath, game: AnyGame, state: State) -> BookEntry | None:
    """Return the book's entry for `state`, or for its canonical state; None if the book has none.

    The file may also be an opening table (`ggp.opening_table`).

    Raises:
        BookError: the file cannot be read or is not a book, or its entry for the state is impossible.
    """
    path = path_of(path)
    openings = _openings(path)
    return _entry(read(path), path, game, state) if openings is None else _tabled(openings, game, state)


def known_values(game: AnyGame, state: State) -> Mapping[Action, float]:
    """Return the known values of actions of `state`, from MAX's point of view; the best action is always included.

    The values come from the game, or else from the book in its package; the actions that have such a value come first.
    The values of all actions are known if the opening table of the package has the state, or if all successors have a
    known value. Return {} if no value is known without a search.

    Raises:
        BookError: the book or the table in the package is damaged.
    """
    known = listed(game, state)
    if known and opening_table.value(game, state) is None:
        return known
    return {**known, **_implied(game, state)}


def listed(game: AnyGame, state: State) -> Mapping[Action, float]:
    """Return the values that the game or its book gives for actions of `state`."""
    known = capabilities.known_values(game, state)
    if known:
        return known
    package = type(game).__module__.partition(".")[0]
    lines = _shipped(package)
    entry = _entry(lines, f"{package}/{SHIPPED}", game, state) if lines else None
    return {} if entry is None else dict.fromkeys(entry.actions, entry.value)


def _implied(game: AnyGame, state: State) -> Mapping[Action, float]:
    """Return the values of all actions of `state` if the value of each successor is known; otherwise {}.

    A book of one player's winning strategy does not list the positions of the other player. But it lists all successors
    of these positions.
    """
    if game.terminal_test(state) or game.to_move(state) == CHANCE:
        return {}
    values = {}
    for action in game.actions(state):
        value = _value(game, game.result(state, action))
        if value is None:
            return {}
        values[action] = value
    return values


def _value(game: AnyGame, state: State) -> float | None:
    """Return the value to MAX of a state in which the game is over, or that is in a table or book.

    Return None for any other state.
    """
    if game.terminal_test(state):
        return game.utility(state, MAX)
    if game.to_move(state) == CHANCE:
        return None
    tabled = opening_table.value(game, state)
    if tabled is not None:
        return tabled
    known = listed(game, state)
    return (max if game.to_move(state) == MAX else min)(known.values()) if known else None


def _entry(
    lines: Mapping[Hashable, BookLine], source: str | pathlib.Path, game: AnyGame, state: State
) -> BookEntry | None:
    """Return the entry of a book for a state."""
    if not lines:
        return None
    line, image = lines.get(key(game, state)), state
    if line is None:
        image = canonical(game)(state)
        line = None if image == state else lines.get(key(game, image))
    if line is None or game.terminal_test(state) or game.to_move(state) == CHANCE:
        return None
    actions = _actions(source, line, game, image)
    return BookEntry(line.value, actions if image == state else _mirrored(game, image, actions, state))


def _tabled(openings: OpeningTable, game: AnyGame, state: State) -> BookEntry | None:
    """Return the entry of an opening table for a state. Actions whose successor has the same value in the table are the
    best ones.
    """
    if not openings.is_about(game) or game.terminal_test(state):
        return None
    value = openings.value(game, state)
    if value is None:
        return None
    after = {action: game.result(state, action) for action in game.actions(state)}
    over = {action for action, child in after.items() if game.terminal_test(child)}
    values = {
        action: game.utility(child, MAX) if action in over else openings.value(game, child)
        for action, child in after.items()
    }
    return BookEntry(value, tuple(action for action in after if values[action] == value))


def _mirrored(game: AnyGame, image: State, actions: tuple[Action, ...], state: State) -> tuple[Action, ...]:
    """Return the actions of `state` that correspond to the given actions of its canonical state."""
    # The symmetries themselves are not known here. But corresponding actions lead to the same canonical state.
    same = canonical(game)
    wanted = {same(game.result(image, each)) for each in actions}
    return tuple(each for each in game.actions(state) if same(game.result(state, each)) in wanted)


def add(path: BookPath, game: AnyGame, proved: Mapping[State, tuple[float, float]]) -> int:
    """Add all states whose value is proved, with their known best actions; return how many are new.

    The file is created if it does not exist, and written completely or not at all. Processes take turns.

    Arguments:
        proved: for states and their successors, the interval that contains the value to MAX.

    Raises:
        BookError: the file is not a book, contradicts an entry, or cannot be written.
    """
    return _add(path, game, _entries(game, proved))


def add_strategy(path: BookPath, game: AnyGame, value: float, moves: Iterable[tuple[State, Action]]) -> int:
    """Add positions whose value is `value`, each with one best action; return how many are new.

    Raises and writes as `add`.
    """
    return _add(path, game, ((state, BookEntry(value, (action,))) for state, action in moves))


def _add(path: BookPath, game: AnyGame, entries: Iterable[tuple[State, BookEntry]]) -> int:
    path = path_of(path)
    with changing(path):
        lines = dict(read(path)) if path.exists() else {}
        changed = 0
        for state, entry in entries:
            line = _line(game, state, entry)
            known = lines.get(line.key)
            if known:
                line = _merged(path, game, state, known, entry)
            changed += line != known
            lines[line.key] = line
        if changed:
            write(path, lines.values())
    return changed


def _entries(game: AnyGame, proved: Mapping[State, tuple[float, float]]) -> Iterator[tuple[State, BookEntry]]:
    """Yield the states with an exact value, and their known best actions.

    If a state's value is exact, the value after a best action is exact too.
    """
    waiting = collections.deque((state, lower) for state, (lower, upper) in proved.items() if lower == upper)
    seen = set()
    while waiting:
        state, value = waiting.popleft()
        if state in seen or game.terminal_test(state):
            continue
        seen.add(state)
        is_max = game.to_move(state) == MAX
        keeping = {}
        for action in game.actions(state):
            child = game.result(state, action)
            if child in proved and (proved[child][0] >= value if is_max else proved[child][1] <= value):
                keeping[action] = child
        yield state, BookEntry(value, tuple(keeping))
        waiting.extend((child, value) for child in keeping.values())


def _line(game: AnyGame, state: State, entry: BookEntry) -> BookLine:
    text = notation(game)
    return BookLine(
        game=game.name,
        parameters=parameters(game),
        position=text.format_state(state),
        value=float(entry.value),
        best=tuple(text.format_action(state, each) for each in entry.actions),
    )


def _merged(path: pathlib.Path, game: AnyGame, state: State, known: BookLine, entry: BookEntry) -> BookLine:
    """Return the new line for a state that is already in the book."""
    if known.value != entry.value:
        raise BookError(
            f"{path} says that {known.position} of {game.name} is worth {known.value:g}, but {entry.value:g} was"
            " proved: one of the two is wrong; name another book"
        )
    both = {*entry.actions, *_actions(path, known, game, state)}
    return _line(game, state, BookEntry(entry.value, tuple(each for each in game.actions(state) if each in both)))


def _actions(path: str | pathlib.Path, line: BookLine, game: AnyGame, state: State) -> tuple[Action, ...]:
    """Return the actions of a line, after checking that they are legal."""
    actions = []
    for each in line.best:
        try:
            actions.append(parse_action(game, state, each))
        except IllegalActionError as error:
            wrong = f"{short(each)!r} is not an action in {line.position}: {error}"
            raise BookError(f"the opening book {path} cannot be right: {wrong}") from error
    return tuple(actions)
