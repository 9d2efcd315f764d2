"""Write a proof as two strategies, which `ggp verify` checks without search.

MAX's strategy guarantees that the value is no lower than claimed; MIN's strategy guarantees that it is no higher. For
each position that a strategy reaches, the prover finds an action that is good enough. Positions with the same key (see
`ggp.game.Scored`) count as one.
"""

import functools
import pathlib
from collections.abc import Callable, Hashable

import attrs
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped

from ggp import capabilities
from ggp.errors import UsageError
from ggp.game import MAX, MIN, Action, AnyGame, State
from ggp.storage import encoded
from ggp_solve.certificates import certificate
from ggp_solve.certificates.verification import MOST, Guarantee, NoGuaranteeError
from ggp_solve.proof.prover import Prover


@attrs.define
class Strategy:
    """A strategy: an action for each position that its owner can reach; the actions keep a value for the owner."""

    game: AnyGame
    side: int
    prover: Prover
    check: Callable[[], None]
    """Called during the work; it raises SearchStopped if the work should end."""
    actions: dict[Hashable, Action] = attrs.field(factory=dict)
    """The actions, by the key of the position."""
    _needs: dict[Hashable, float] = attrs.field(factory=dict)
    """The least value that the rest of the game must give MAX, by the key of the position. For MIN's strategy, the
    greatest value that it may give MAX.
    """

    def find(self, root: State, value: float) -> None:
        """Find the actions that keep `value` from `root` on.

        If a position is reached again with a higher requirement, a better action is found for it. Positions after its
        previous action may then be superfluous.

        Raises:
            NoGuaranteeError: the strategy has more than `MOST` positions.
            SearchStopped: the work should end.
        """
        game, (score, key) = self.game, capabilities.score_and_key(self.game)
        open_states = [root]
        while open_states:
            state = open_states.pop()
            need, state_key = value - score(state), key(state)
            if game.terminal_test(state) or self._has(state_key, need):
                continue
            self.check()
            # Verifying takes memory for every position, and must end on any reader's machine.
            if len(self._needs) >= MOST:
                raise NoGuaranteeError(f"a strategy reaches more than {MOST:,} positions")
            self._needs[state_key] = need
            children = {action: game.result(state, action) for action in game.actions(state)}
            if game.to_move(state) == self.side:
                action = self.actions[state_key] = self._good_action(children, value)
                open_states.append(children[action])
            else:
                open_states.extend(children.values())

    def _has(self, key: Hashable, need: float) -> bool:
        """Return whether the position was reached before with the same requirement or a stricter one."""
        earlier = self._needs.get(key)
        return earlier is not None and (earlier >= need if self.side == MAX else earlier <= need)

    def _good_action(self, children: dict[Action, State], value: float) -> Action:
        """Return an action that keeps the value, preferably one that leads to a known state."""
        score, key = capabilities.score_and_key(self.game)

        def is_new(action: Action) -> bool:
            child = children[action]
            return not self.game.terminal_test(child) and not self._has(key(child), value - score(child))

        # Known states need no further replies, so the certificate stays small.
        questions = {
            action: functools.partial(self._keeps, children[action], value) for action in sorted(children, key=is_new)
        }
        for action, keeps in self.prover.control.in_turns(questions):
            if keeps:
                return action
        # Not reached: the prover has proved the value, so some action keeps it.
        raise AssertionError("no action keeps the value")

    def _keeps(self, child: State, value: float) -> bool:
        if self.side == MAX:
            return self.prover.at_least(child, value)
        return not self.prover.at_least(child, self.prover.engine.above(value))


def write_certificate(path: pathlib.Path, game: AnyGame, state: State, value: float, prover: Prover) -> None:
    """Write a file with the prover's proof that the value of `state` is exactly `value`.

    Raises:
        UsageError: the certificate would be too large.
        CertificateError: the file cannot be written.
        KeyboardInterrupt: the user pressed Ctrl-C; no file is written.
    """
    control = Control()
    # Use a separate prover, since the answers found here are of no use to others.
    prover = Prover(game, prover.engine, dict(prover.proved), control=control)

    def lines() -> list[bytes]:
        claims = [_claim(game, state, value)]
        for side in (MAX, MIN):
            strategy = Strategy(game, side, prover, control.check)
            strategy.find(state, value)
            claims += _answers(strategy, state)
        return claims

    try:
        proof = control.run(lines)
    except SearchStopped:
        raise KeyboardInterrupt from None
    except NoGuaranteeError as error:
        position = capabilities.notation(game).format_state(state)
        raise UsageError(
            f"{game.name} in {position} cannot be certified: {error}; leave --certificate out: the value is then"
            " computed, not certified"
        ) from None
    certificate.write(path, proof)


def _claim(game: AnyGame, state: State, value: float) -> bytes:
    try:
        return encoded(certificate.claim_of(game, state, value))
    except TypeError:
        odd = ", ".join(capabilities.parameters(game))
        raise UsageError(f"{game.name} cannot be certified: its parameters {odd} must be numbers or texts") from None


def _answers(strategy: Strategy, root: State) -> list[bytes]:
    """Return the lines of the replies, in the order in which verification reads them."""
    lines = []
    game, text, (_, key) = (
        strategy.game,
        capabilities.notation(strategy.game),
        capabilities.score_and_key(strategy.game),
    )

    def answer(state: State) -> Action:
        strategy.check()
        action = strategy.actions[key(state)]
        lines.append(encoded((text.format_state(state), text.format_action(state, action))))
        return action

    Guarantee(game, strategy.side, answer).of(root)
    return lines
