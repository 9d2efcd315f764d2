"""The promise that play comes to an end, whatever the players do.

Most games end soon when played at random. Stubborn players find play that never ends: they always play the first
action, or the last, or always the same action, or an action that does not end the game. If states come back, the rule
of repetition ends the game, so only new states count here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ggp import capabilities, repetition
from ggp.game import CONTINUES, Action, AnyGame, State
from ggp.testing.promises import Examination

PROMISE: Final = "end"
LONGEST: Final = 10_000
"""Number of plies within which every play has to end."""
WANTED: Final = 12
"""Number of actions that a stubborn player may want to play again and again."""
LOOKED_AT: Final = 4
"""Maximum number of actions that a player who avoids the end tries in one state."""

Policy = Callable[[State, Sequence[Action], int], Action]
"""A function that returns the action to play in a state, given the state, its actions and the number of plies
played.
"""


def check_endings(exam: Examination, met: Iterable[Action]) -> None:
    """Check that play ends under players who delay the end. `met` are actions that occur in the game."""
    game = exam.game
    if capabilities.declared(game, "repetition") == CONTINUES:
        return  # chance ends such a game, sooner or later
    wanted = list(dict.fromkeys(met))[:WANTED]
    policies: list[tuple[str, Policy]] = [
        ("both play the first action", lambda state, actions, ply: actions[0]),
        ("both play the last action", lambda state, actions, ply: actions[-1]),
        ("both avoid actions that end the game", _avoiding(game)),
        *((f"both play {action!r} wherever they can", _wanting(action)) for action in wanted),
    ]
    for how, policy in policies:
        _check_ending(exam, policy, how)


def _wanting(action: Action) -> Policy:
    """Return the policy that plays this action where it is legal, and another action elsewhere."""
    return lambda state, actions, ply: action if action in actions else actions[ply * 7 % len(actions)]


def _avoiding(game: AnyGame) -> Policy:
    """Return the policy of a player who avoids the end. This player looks at a few actions, and plays the first of them
    that does not end the game.
    """

    def avoid(state: State, actions: Sequence[Action], ply: int) -> Action:
        looked_at = [actions[(ply + step) % len(actions)] for step in range(min(LOOKED_AT, len(actions)))]
        going_on = (each for each in looked_at if not game.terminal_test(game.result(state, each)))
        return next(going_on, looked_at[0])

    return avoid


def _check_ending(exam: Examination, policy: Policy, how: str) -> None:
    """Play by a policy, to the end of the game or until a state comes back."""
    game: AnyGame = exam.game
    state, seen = game.initial_state(), set()
    for ply in range(LONGEST):
        if game.terminal_test(state) or state in seen:
            break
        seen.add(state)
        exam.at(state)
        state = game.result(state, policy(state, capabilities.all_actions(game, state), ply))
    else:
        exam.at(state)
        declared = ", and no state has come back" if repetition.may_repeat(game) else ""
        text = "after {} plies in which {} the game is not over{}"
        raise exam.breach(PROMISE, text.format(f"{LONGEST:,}", how, declared))
    exam.expect(PROMISE, holds=True, detail="")
