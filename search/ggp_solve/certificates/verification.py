"""Verifying a certificate by the rules of the game alone, without a search.

The verification relies only on the interpreted game: its operations, its notation and, if the game has them, `score`
and `key` (see `ggp.game.Scored`). Each group of positions with the same future is checked only once.
"""

import pathlib
from collections.abc import Callable, Hashable

import attrs

from ggp import capabilities
from ggp.capabilities import is_stochastic
from ggp.errors import CertificateError, IllegalActionError, UsageError
from ggp.escapes import short
from ggp.game import MAX, MIN, Action, AnyGame, State
from ggp.number_text import number
from ggp.plugins import Registry
from ggp_solve.certificates.certificate import Claim, Reader, game_of

MOST = 500_000
"""Maximum number of positions that a strategy may reach."""

StrategyAnswer = Callable[[State], Action]
"""`answer(state)` returns the action of the strategy in a state in which the strategy's owner moves."""


class NoGuaranteeError(CertificateError):
    """A strategy does not guarantee any value."""


@attrs.frozen
class Verified:
    """A verified claim."""

    claim: Claim
    game: AnyGame
    state: State
    positions: tuple[int, int]
    """Number of positions that MAX's and MIN's strategies reach, without terminal states."""


@attrs.define
class OpenPosition:
    """A position on the path that is being checked."""

    key: Hashable
    secured: float
    left: list[Action]
    """The successors that are still to be checked; the last one of the list is checked next."""
    future: float | None = None
    """The value that the successors checked so far guarantee, without the score that is already secured."""


@attrs.define
class Guarantee:
    """The value that a strategy guarantees."""

    game: AnyGame
    side: int
    answer: StrategyAnswer
    futures: dict[Hashable, float] = attrs.field(factory=dict)
    """For each position checked, by its key, the guaranteed value without the score that is already secured."""
    _on_path: set[Hashable] = attrs.field(factory=set)
    _score: Callable[[State], float] = attrs.field(init=False)
    _key: Callable[[State], Hashable] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._score, self._key = capabilities.score_and_key(self.game)

    def of(self, root: State) -> float:
        """Return the value to MAX that the strategy of `side` guarantees in `root` against any reply.

        The check goes depth first, with the opponent's actions in the game's order, and visits each key once.

        Raises:
            NoGuaranteeError: a play comes back to an earlier position, or the strategy reaches more than `MOST`
                positions.
        """
        worse = min if self.side == MAX else max
        path: list[OpenPosition] = []
        rest = self._future(root)
        if rest is None:
            path.append(self._visit(root))
        while path:
            here = path[-1]
            if not here.left:
                assert here.future is not None
                # Stored only once it is complete: a value from a cycle through the path would prove itself.
                self.futures[here.key] = rest = here.future
                self._on_path.remove(path.pop().key)
                continue
            child = here.left[-1]
            rest = self._future(child)
            if rest is None:
                path.append(self._visit(child))
                continue
            future = self._score(child) + rest - here.secured
            here.future = future if here.future is None else worse(here.future, future)
            here.left.pop()
        assert rest is not None
        return self._score(root) + rest

    def _visit(self, state: State) -> OpenPosition:
        game, key = self.game, self._key(state)
        # A strategy that can be led in a circle proves nothing: play need never reach the end of the game.
        if key in self._on_path:
            raise NoGuaranteeError(f"play returns to {capabilities.notation(game).format_state(state)}")
        if len(self.futures) + len(self._on_path) >= MOST:
            raise NoGuaranteeError(f"a strategy reaches more than {MOST:,} positions")
        self._on_path.add(key)
        actions = [self.answer(state)] if game.to_move(state) == self.side else list(game.actions(state))
        return OpenPosition(key, self._score(state), [game.result(state, each) for each in reversed(actions)])

    def _future(self, state: State) -> float | None:
        """Return the proved value of the rest of the game, without the score; None if it is not proved yet."""
        if self.game.terminal_test(state):
            return self.game.utility(state, MAX) - self._score(state)
        return self.futures.get(self._key(state))


def verify(registry: Registry, path: pathlib.Path, make: Callable[..., AnyGame] | None = None) -> Verified:
    """Check the certificate in a file.

    Arguments:
        make: builds the game that the file names; None: `registry.foreign_game`, which opens no files.

    Raises:
        CertificateError: the certificate does not prove its claim; the message names the place.
        UsageError: the game is a game of chance.
    """
    reader = Reader(path)
    claim = reader.claim()
    game, state = game_of(make or registry.foreign_game, claim, str(path))
    if is_stochastic(game):
        raise UsageError(f"{path}: {game.name} is a game of chance, and chance follows no strategy")
    positions = tuple(_checked(reader, game, state, side, claim.value) for side in (MAX, MIN))
    # Further lines were not verified: a reader might take them for a part of the proof.
    rest = reader.line()
    if rest:
        raise reader.wrong(rest.number, "this line follows after the end of both strategies")
    return Verified(claim, game, state, (positions[0], positions[1]))


def _checked(reader: Reader, game: AnyGame, state: State, side: int, claimed: float) -> int:
    """Check the strategy of one side, which comes next in the file; return the number of positions that the strategy
    reaches.
    """
    guarantee = Guarantee(game, side, _answers(reader, game))
    try:
        sure = guarantee.of(state)
    except NoGuaranteeError as error:
        raise CertificateError(f"{reader.path} proves nothing: {error}") from None
    who = capabilities.player_names(game)[side]
    if sure < claimed if side == MAX else sure > claimed:
        bound = "at least" if side == MAX else "at most"
        position = capabilities.notation(game).format_state(state)
        raise CertificateError(
            f"{reader.path}: the strategy of {who} in {position} guarantees only {bound} {number(sure)},"
            f" not {claimed:.15g} as claimed"
        )
    return len(guarantee.futures)


def _answers(reader: Reader, game: AnyGame) -> StrategyAnswer:
    """Return a function that returns the answers of a strategy in the order of the file."""
    text = capabilities.notation(game)

    def answer(state: State) -> Action:
        position = text.format_state(state)
        line = reader.line()
        if line is None:
            raise CertificateError(f"{reader.path} is incomplete: the answer in {position} is missing")
        if line.position != position:
            raise reader.wrong(
                line.number, f"the answer in {position} is expected here, not in {short(line.position)!r}"
            )
        try:
            return capabilities.parse_action(game, state, line.action)
        except IllegalActionError as error:
            raise reader.wrong(line.number, str(error)) from error

    return answer
