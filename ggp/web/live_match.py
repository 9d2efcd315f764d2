"""A match on the page: games between two machines, one after the other, each start played twice with sides swapped.

The address holds the moves of all games so far, so that the visitor can look at each game.
"""

import functools
from collections.abc import Sequence

import attrs
from markupsafe import Markup

from ggp import capabilities
from ggp.experiments import Pairs, random_starts
from ggp.experiments.pairs import elo_text
from ggp.experiments.plot import score_chart
from ggp.game import MAX
from ggp.play import controller
from ggp.plugin_entries import Entry
from ggp.plugins import Registry
from ggp.show.markup import markup
from ggp.web.address import Address
from ggp.web.game_history import GameHistory, read_history
from ggp.web.problems import ProblemError


@attrs.frozen(kw_only=True)
class MatchGame:
    """A finished game of the match."""

    number: int
    result: str
    points: float
    """The points of the player who is named first: 1, 1/2 or 0."""
    url: str


@attrs.frozen(kw_only=True)
class LiveMatch:
    """The panel of a match: the score, the Elo difference with its interval, and the games that are over."""

    names: tuple[str, str]
    score: str
    """The points of both players: "3 : 1"."""
    number: int
    """The number of the game on the board."""
    games: Sequence[MatchGame]
    length: int
    elo: str
    picture: Markup | None
    """The score after each pair of games; None before the second game is over."""
    next_url: str
    """The address of the next game; "" during the game on the board, and after the last game."""
    winner: str
    """Who has won the match, in a sentence, when it is over."""
    again_url: str


def live_match(history: GameHistory) -> LiveMatch | None:
    """Return the match that the game on the board belongs to; None if the game belongs to no match.

    Raises:
        GGPError: a game of the match cannot be played through, or the game on the board has another start.
    """
    address, registry, entry = history.address, history.registry, history.entry
    if not address.match:
        return None
    number = len(address.past)
    done = [*address.past, address.moves] if history.finished else [*address.past]
    base = address if number % 2 == 0 else attrs.evolve(address, players=address.players[::-1])
    starts = [_single(history, base, index) for index in range(number + 1)]
    played = [_played(registry, entry, start, moves) for start, moves in zip(starts, address.past, strict=False)]
    _require_start(history, starts[-1])
    if history.finished:
        played.append(_played(registry, entry, starts[-1], address.moves))
    games = [
        MatchGame(number=index + 1, result=result, points=1 - points if index % 2 else points, url=url)
        for index, (result, points, url) in enumerate(played)
    ]
    first, second = base.players
    if first == second:
        first, second = f"{first} (1)", f"{second} (2)"
    own, over = sum(each.points for each in games), len(games) == address.match
    points = [each.points for each in games]
    pairs = [sum(points[index : index + 2]) for index in range(0, len(points) - 1, 2)]
    drawn = score_chart(pairs, first, address.match // 2, width=360, height=170)
    following = _single(history, base, number + 1) if history.finished and not over else None
    anew = _single(history, attrs.evolve(base, luck=base.luck + 1), 0)
    return LiveMatch(
        names=(first, second),
        score=f"{own:g} : {len(games) - own:g}",
        number=number + 1,
        games=games,
        length=address.match,
        elo=_elo(first, Pairs.of(pairs)) if pairs else "",
        picture=Markup(markup(drawn)) if pairs else None,  # noqa: S704 - numbers and an escaped name
        next_url=attrs.evolve(following, past=tuple(done)).url() if following else "",
        winner=_winner((first, second), own, len(games) - own) if over else "",
        again_url=anew.url(),
    )


def _require_start(history: GameHistory, start: Address) -> None:
    position = capabilities.notation(history.game).parse_state(start.start or "")
    if history.states[0] != position:
        raise ProblemError(
            f"game {len(history.address.past) + 1} of this match begins at another position: the address needs"
            f" position={start.start}"
        )


def _elo(first: str, pairs: Pairs) -> str:
    best, low, high = pairs.elo()
    return f"Elo of {first}: {elo_text(best)}, {elo_text(low)} to {elo_text(high)} with 95 % certainty"


def _winner(names: tuple[str, str], first: float, second: float) -> str:
    if first == second:
        return f"{names[0]} and {names[1]} share the match, {first:g} : {second:g}."
    winner, loser = names if first > second else names[::-1]
    return f"{winner} wins the match against {loser}, {max(first, second):g} : {min(first, second):g}."


def first_game(history: GameHistory, length: int) -> Address:
    """Return the address of the first game of a match between the players of a game."""
    return _single(history, attrs.evolve(history.address, match=length, shown=("curve",)), 0)


def _single(history: GameHistory, base: Address, index: int) -> Address:
    """Return the address of the start of a game of the match, by its index."""
    players = base.players[::-1] if index % 2 else base.players
    starts = _starts(history.registry, history.entry, tuple(sorted(base.parameters.items())), base.match, base.luck)
    return attrs.evolve(
        base, players=players, start=starts[index // 2], moves=(), past=(), at=None, resigned=None, puzzle=None,
        branch=(), picked=None, command=None, deeper=0,
    )  # fmt: skip


@functools.lru_cache(64)
def _starts(
    registry: Registry, entry: Entry, parameters: tuple[tuple[str, str], ...], length: int, luck: int
) -> tuple[str, ...]:
    game = registry.parse_game(entry.name, dict(parameters))
    return random_starts(game, game.initial_state(), length // 2, seed=luck)


def _outcome(history: GameHistory) -> tuple[str, float]:
    match = history.match()
    if not match.over:
        raise ProblemError("a game of the match is not over")
    winner = match.winner
    return controller.result(match), 0.5 if winner is None else 1.0 if winner == MAX else 0.0


def _played(registry: Registry, entry: Entry, start: Address, moves: tuple[str, ...]) -> tuple[str, float, str]:
    """Return the result of a game in words, MAX's points, and the address that shows the game."""
    address = attrs.evolve(start, moves=moves, match=0, luck=0, shown=())
    result, points = _cached(registry, entry, address)
    return result, points, address.looking_at(len(moves)).url()


_results: dict[str, tuple[str, float]] = {}
"""The results of the latest games, by the addresses of the games."""
MOST = 512


def _cached(registry: Registry, entry: Entry, address: Address) -> tuple[str, float]:
    name = address.url()
    if name not in _results:
        if len(_results) >= MOST:
            _results.clear()
        _results[name] = _outcome(read_history(registry, entry, address))
    return _results[name]


def can_begin(history: GameHistory) -> bool:
    """Return whether the page offers a match: two machines play, and no match is being played."""
    return history.plays_alone and not history.address.match and len(capabilities.players(history.game)) > 1
