"""Addresses: the URL holds everything that a page shows.

    /play/kalah?seeds=3&south=human&north=medium&moves=C,A,b

Parameters of the game have their own names, and players the names of their sides (or `first` and `second`). Other
names:

    position=TEXT   the state to begin from, in the game's notation
    moves=A,B,...   the moves from there; a comma within a move is written %2C
    at=N            show the position after N of these moves
    show=A,B        panels: analysis, curve, tree
    resigned=SIDE   this player has resigned after the last move
    puzzle=N        the game begins from the position of this puzzle
    view=N          the board turned clockwise by N quarter turns
    branch=A,B,...  the branch of the search tree that is open, by moves from the position
    from=CELL       the cell that the visitor has selected as the start of a move
    ask=hint        show the move of a strong player; ask=move lets a machine play on; ask=learn lets the visitor find a
                    better move than the one that was played in the position shown
    tried=MOVE      the move that the visitor has tried instead
    deeper=N        the visitor has asked N times for a deeper review
    match=N         the game is one of N between these machines
    luck=N          the seed that draws the starts of the match
    past=A;B        the moves of the games of the match that are over

If a game's parameter has one of the names above, it is written `option.NAME`.
"""

from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, unquote, urlencode

import attrs

from ggp import capabilities
from ggp.escapes import short as shortened
from ggp.play.review import LEVELS
from ggp.plugin_entries import Entry
from ggp.web.problems import ProblemError, TooLongError

PANELS = ("analysis", "curve", "tree")
COMMANDS = ("hint", "move", "learn")
OWN = (
    "position",
    "moves",
    "at",
    "show",
    "branch",
    "ask",
    "from",
    "view",
    "puzzle",
    "first",
    "second",
    "problem",
    "resigned",
    "tried",
    "deeper",
    "match",
    "luck",
    "past",
)
"""Names in an address that are not parameters of the game."""

LONGEST = 16_000
"""Maximum length of the part of an address after the question mark, in characters."""
MOVES = 2_000
"""Maximum number of moves in an address."""
FIELDS = 100
"""Maximum number of names in an address."""
GAMES = 20
"""Maximum number of games of a match."""
NUMBER_OF_PUZZLE = "the number of a puzzle, from 1"
"""Description of a puzzle's number, for messages."""
DEEPEST = 12
"""Maximum number of moves from the position to the open branch of the tree."""


@attrs.frozen
class Address:
    """The contents of an address, as texts that are not yet checked against the rules."""

    game: str
    sides: tuple[str, str]
    """The names of MAX and MIN in the address."""
    parameters: Mapping[str, str] = attrs.field(factory=dict)
    players: tuple[str, str] = ("human", "human")
    start: str | None = None
    moves: tuple[str, ...] = ()
    at: int | None = None
    """The number of moves to show; None shows all moves, and lets machines play on."""
    shown: tuple[str, ...] = ()
    branch: tuple[str, ...] = ()
    picked: str | None = None
    command: str | None = None
    resigned: str | None = None
    """The side that has resigned after the last move."""
    puzzle: int | None = None
    """The number of the puzzle that the game starts from."""
    view: int | None = None
    """Quarter turns of the board; None: the visitor's side is at the bottom."""
    tried: str | None = None
    """The move that the visitor has tried in place of the one that was played."""
    deeper: int = 0
    """How many times the review was asked to search deeper."""
    match: int = 0
    """Number of games of the match that the game belongs to; 0: it belongs to no match."""
    luck: int = 0
    """Seed of the starts of the match."""
    past: tuple[tuple[str, ...], ...] = ()
    """The moves of the finished games of the match."""

    @property
    def seen(self) -> int:
        """The number of moves that are shown."""
        return len(self.moves) if self.at is None else self.at

    @property
    def learns(self) -> bool:
        """Whether the visitor looks for a better move than the one that was played."""
        return self.command == "learn"

    def url(self, page: str = "play") -> str:
        """Return the address as a link of this server."""
        pairs = [(self.parameter(name), text) for name, text in self.parameters.items()]
        pairs += zip(self.sides, self.players, strict=True)
        pairs += [("position", self.start)] if self.start is not None else []
        pairs += [("moves", joined(self.moves))] if self.moves else []
        pairs += [("at", str(self.at))] if self.at is not None else []
        pairs += [("show", ",".join(self.shown))] if self.shown else []
        pairs += [("resigned", self.resigned)] if self.resigned is not None else []
        pairs += [("puzzle", str(self.puzzle))] if self.puzzle is not None else []
        pairs += [("view", str(self.view))] if self.view is not None else []
        pairs += [("branch", joined(self.branch))] if self.branch else []
        pairs += [("from", self.picked)] if self.picked else []
        pairs += [("ask", self.command)] if self.command else []
        pairs += [("tried", self.tried)] if self.tried and self.learns else []
        pairs += [("match", str(self.match))] if self.match else []
        pairs += [("luck", str(self.luck))] if self.luck and self.match else []
        pairs += [("past", ";".join(joined(moves).replace(";", "%3B") for moves in self.past))] if self.past else []
        pairs += [("deeper", str(self.deeper))] if self.deeper and (self.learns or "curve" in self.shown) else []
        return f"/{page}/{quote(self.game, safe='')}?{urlencode(pairs, safe=',:=', quote_via=quote)}"

    def parameter(self, name: str) -> str:
        """Return the name of a game's parameter in the address."""
        return f"option.{name}" if name in OWN + self.sides else name

    def after(self, *moves: str) -> "Address":
        """Return the address after playing these moves in the position shown."""
        return attrs.evolve(
            self, moves=self.moves[: self.seen] + moves, at=None, resigned=None, branch=(), picked=None, command=None
        )

    def looking_at(self, number: int) -> "Address":
        """Return the address of the same game after that many moves."""
        return attrs.evolve(self, at=number, branch=(), picked=None, command=None)

    def learning(self, number: int, tried: str | None = None) -> "Address":
        """Return the address at which the visitor looks for a better move than move `number`, counted from 1.

        Arguments:
            tried: the visitor's move.
        """
        return attrs.evolve(self.looking_at(number - 1), command="learn", tried=tried)

    def anew(self) -> "Address":
        """Return the address of the same game at its start."""
        return attrs.evolve(self, moves=(), at=None, resigned=None, branch=(), picked=None, command=None)

    def toggled(self, panel: str) -> "Address":
        """Return the address with the panel opened, or closed if it is open."""
        shown = tuple(each for each in PANELS if (each in self.shown) != (each == panel))
        return attrs.evolve(self, shown=shown, branch=(), command=None)


def joined(moves: Iterable[str]) -> str:
    """Join moves by commas."""
    return ",".join(each.replace("%", "%25").replace(",", "%2C") for each in moves)


def split(text: str) -> tuple[str, ...]:
    """Return the moves in a text made by `joined` or written by hand."""
    return tuple(unquote(each).strip() for each in text.split(",") if each.strip())


def side_names(entry: Entry) -> tuple[str, str]:
    """Return the names of MAX and MIN in addresses, such as south and north."""
    names = capabilities.declared(entry.factory, "player_names")
    own = tuple("-".join(str(name).lower().split()) for name in names) if isinstance(names, tuple | list) else ()
    taken = {option.name for option in entry.options} | set(OWN) - {"first", "second"}
    return (own[0], own[1]) if len(set(own)) == 2 and not taken & set(own) else ("first", "second")


def fields(query: str) -> dict[str, str]:
    """Return the fields of a form as they appear in an address; if a name is repeated, its last text counts. Raises as
    `read` does.
    """
    return dict(pairs(query))


def pairs(query: str) -> list[tuple[str, str]]:
    """Return the names and texts in an address, in order. Raises as `read` does."""
    if len(query) > LONGEST:
        raise TooLongError(
            f"the address is too long: it has {len(query):,} characters, and at most {LONGEST:,} are read"
        )
    try:
        return parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=FIELDS)
    except ValueError:
        raise ProblemError("the address cannot be read: it must be name=value pairs joined by &, in UTF-8") from None


def read(entry: Entry, query: str) -> Address:
    """Return the address in the part of a URL after the question mark.

    Raises:
        ProblemError: the address is too long, repeats a name, has an unknown name, or a malformed number.
    """
    entries = pairs(query)
    given = dict(entries)
    if len(given) < len(entries):
        twice = next(name for name, _ in entries if [each for each, _ in entries].count(name) > 1)
        raise ProblemError(f"the address has {short(twice)} twice: give it once")
    sides = side_names(entry)
    address = Address(
        entry.name,
        sides,
        players=(_player(given, sides, 0), _player(given, sides, 1)),
        start=given.pop("position", None),
        moves=split(given.pop("moves", "")),
        at=number(given.pop("at", None), "at", "a number of moves"),
        shown=_among(given.pop("show", ""), "show", PANELS),
        branch=split(given.pop("branch", "")),
        picked=given.pop("from", None),
        puzzle=number(given.pop("puzzle", None), "puzzle", NUMBER_OF_PUZZLE, least=1),
        resigned=next(iter(_among(given.pop("resigned", ""), "resigned", sides)), None),
        view=_quarters(given.pop("view", None)),
        command=next(iter(_among(given.pop("ask", ""), "ask", COMMANDS)), None),
        tried=given.pop("tried", None),
        deeper=_deeper(given.pop("deeper", None)),
        match=number(given.pop("match", None), "match", "a number of games") or 0,
        luck=number(given.pop("luck", None), "luck", "the number of a match") or 0,
        past=tuple(split(moves) for moves in given.pop("past", "").split(";") if moves),
        parameters=_parameters(entry, given, sides),
    )
    _check_lengths(address)
    return address


def _player(given: dict[str, str], sides: tuple[str, str], side: int) -> str:
    names = {("first", "second")[side], sides[side]}
    texts = [given.pop(name) for name in sorted(names) if name in given]
    if len(texts) > 1:
        raise ProblemError(f"the address names the player {sides[side]} twice: give it once")
    return next(iter(texts), "").strip() or "human"


def _parameters(entry: Entry, given: Mapping[str, str], sides: tuple[str, str]) -> dict[str, str]:
    """Return the parameters of the game in an address: all names that are not in `OWN`, with their texts."""
    given = {name: text for name, text in given.items() if name not in OWN}
    texts = {name.removeprefix("option."): text for name, text in given.items()}
    names = [option.name for option in entry.options]
    for name in texts:
        if name not in names:
            right = ", ".join([*names, *sides, *OWN[:6]])
            raise ProblemError(f"an address of {entry.name} has no parameter {short(name)}: its parameters are {right}")
    return texts


def number(text: str | None, name: str, meaning: str, least: int = 0) -> int | None:
    """Return a number in an address; None if it is missing."""
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) >= least):
        raise ProblemError(f"`{name}` must be {meaning}; got {short(text)}")
    return int(text)


def _quarters(text: str | None) -> int | None:
    if text is not None and text not in ("0", "1", "2", "3"):
        raise ProblemError(f"view must be 0, 1, 2 or 3 quarter turns; got {short(text)}")
    return None if text is None else int(text)


def _deeper(text: str | None) -> int:
    most = LEVELS - 1
    if text is not None and text not in map(str, range(most + 1)):
        raise ProblemError(f"deeper must be from 0 to {most}; got {short(text)}")
    return int(text or 0)


def _among(text: str, name: str, right: tuple[str, ...]) -> tuple[str, ...]:
    named = [word for word in text.split(",") if word]
    for word in named:
        if word not in right:
            raise ProblemError(f"{name} must be one of {', '.join(right)}; got {short(word)}")
    return tuple(word for word in right if word in named)


def _check_lengths(address: Address) -> None:
    moves = len(address.moves)
    if moves > MOVES:
        raise TooLongError(f"the address has {moves:,} moves: at most {MOVES:,} are played")
    if address.at is not None and address.at > moves:
        raise ProblemError(f"`at` must be from 0 to {moves}, the number of moves; got {address.at}")
    if address.match % 2 or address.match > GAMES or len(address.past) >= max(1, address.match):
        raise ProblemError(
            f"match must be even, at most {GAMES}, and more than the number of finished games; got {address.match}"
        )
    if address.learns and address.seen >= moves:
        raise ProblemError(
            "with ask=learn, `at` must be less than the number of moves: it asks for a better move than the next one"
        )
    if address.puzzle is not None and address.start is None:
        raise ProblemError(
            f"a puzzle begins from its position, and the address has none: open"
            f" /puzzle/{address.game}?number={address.puzzle}"
        )
    if len(address.branch) > DEEPEST:
        raise ProblemError(f"the branch is too deep: it is opened at most {DEEPEST} moves from the position")


def short(value: object, length: int = 40) -> str:
    """Return an untrusted text in quotes, and shortened."""
    return repr(shortened(str(value), length))
