"""The promises of the protocol itself, at one state or one step."""

import copy
import math

from ggp import capabilities, repetition
from ggp.frozen_games import FrozenGame
from ggp.frozen_states import freeze, is_ordered, thaw
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, Bounded, Player, State, capable
from ggp.rule_faults import is_number
from ggp.testing.promises import Examination, Snapshot

_STRANGER = object()

Observation = tuple[bool, Player | None, tuple[Action, ...], float]
"""The rules' answers for one state: whether it is terminal, the mover, the actions, the utility (0 before the end)."""


def observe(exam: Examination, state: State) -> Observation:
    """Call every method of the protocol for `state`."""
    game = exam.game
    if game.terminal_test(state):
        return True, None, (), game.utility(state, MAX)
    return False, game.to_move(state), capabilities.all_actions(game, state), 0


def check_state(exam: Examination, state: State) -> Observation:
    """Check the promises at one state; return what was observed."""
    exam.at(state)
    before = snapshot(exam, state)
    first = observe(exam, state)
    exam.expect("purity", before.same(), "listing the actions changed the state: it was {}", before.text)
    second = observe(exam, state)
    listed = "actions" if first[2] != second[2] else "determinism"
    exam.expect(listed, first == second, "called twice, it returns {} and then {}", first, second)
    over, mover, actions, _ = first
    if over:
        _check_utility(exam, state)
    else:
        _check_mover(exam, mover)
        _check_actions(exam, actions)
        if mover == CHANCE:
            _check_outcomes(exam, state, actions)
    exam.expect(
        "purity",
        before.same(),
        "a method of the rules changed the state that it was given: the state was {}",
        before.text,
    )
    return first


def snapshot(exam: Examination, state: State) -> Snapshot:
    """Return a snapshot of `state`, which must be hashable."""
    try:
        hash(state)
    except TypeError as error:
        raise exam.breach("equality", f"the state is not hashable: {error}") from error
    return Snapshot(state)


def _check_utility(exam: Examination, state: State) -> None:
    to_max, to_min = exam.game.utility(state, MAX), exam.game.utility(state, MIN)
    exam.expect(
        "zero sum", is_number(to_max), "the utility is {}; it must be a finite number, an int or a float", to_max
    )
    exam.expect("zero sum", close(to_max, -to_min), "the utility is {} to MAX and {} to MIN", to_max, to_min)


def _check_mover(exam: Examination, mover: object) -> None:
    said = "to_move returns {}; the players are ggp.MAX (0) and ggp.MIN (1)"
    exam.expect("mover", mover in (MAX, MIN, CHANCE), said, mover)
    alone = len(capabilities.players(exam.game)) == 1
    exam.expect(
        "mover", not (alone and mover == MIN), "MIN is to move, but `player_names` has one name: a puzzle has only MAX"
    )
    if mover == CHANCE:
        exam.expect(
            "mover",
            exam.stochastic,
            "to_move returns -1, ggp.CHANCE, in a game without `outcomes` (or with `stochastic = False`)",
        )


def _check_actions(exam: Examination, actions: tuple[Action, ...]) -> None:
    exam.expect("actions", actions, "the game is not over, and there is no action")
    try:
        distinct = len(set(actions))
    except TypeError as error:
        raise exam.breach("actions", f"an action is not hashable: {error}") from error
    exam.expect("actions", distinct == len(actions), "an action is listed twice: {}", actions)
    exam.expect(
        "actions",
        None not in actions,
        "actions lists None, which means that no action exists: write a pass as another value, such as -1",
    )


def _check_outcomes(exam: Examination, state: State, actions: tuple[Action, ...]) -> None:
    outcomes = list(capable(exam.game).outcomes(state))
    again = list(capable(exam.game).outcomes(state))
    exam.expect("determinism", outcomes == again, "called twice, outcomes returns {} and then {}", outcomes, again)
    listed = tuple(outcome for outcome, _ in outcomes)
    exam.expect("outcomes", listed == actions, "the outcomes are {} and the actions {}", listed, actions)
    weights = [probability for _, probability in outcomes]
    exam.expect("probabilities", all(0 < each <= 1 for each in weights), "the probabilities are {}", weights)
    exam.expect("probabilities", close(math.fsum(weights), 1), "they sum to {}", math.fsum(weights))


def check_step(exam: Examination, state: State, action: Action) -> State:
    """Check the promises for one step; return the state after it."""
    exam.at(state, action)
    before = Snapshot(state)
    child: State = exam.game.result(state, action)
    exam.expect("answers", child is not None, "result returned None; it must return a state")
    exam.expect("purity", before.same(), "the action changed the state it was played in: it was {}", before.text)
    again = exam.game.result(state, action)
    exam.expect("determinism", child == again, "played twice, it leads to {} and then to {}", child, again)
    snapshot(exam, child)
    exam.expect("equality", hash(child) == hash(again), "played twice, it leads to equal states with different hashes")
    if isinstance(exam.game, FrozenGame) and is_ordered(child):
        _check_order(exam, exam.game.inner, state, action, child)
    return child


def _check_order(exam: Examination, rules: AnyGame, state: State, action: Action, child: State) -> None:
    """Check that the rules do not depend on the order in which the dictionaries of a state were filled."""
    filled = rules.result(thaw(state), thaw(action))
    own, kept = _said(rules, filled), _said(rules, thaw(child))
    for name in own:
        exam.expect(
            "equality",
            own[name] == kept.get(name),
            "afterwards, {} is {} if a dictionary's keys are in the order in which they were filled in, and {} if they"
            " are sorted: the order of a dictionary in a state is not kept, since equal dictionaries may have "
            "different orders; if the rules need the order, store it in a list or a tuple",
            name,
            own[name],
            kept.get(name),
        )


def _said(rules: AnyGame, state: object) -> dict[str, object]:
    """Return what the rules say about a state, apart from the order of its actions."""

    def given() -> object:
        return copy.deepcopy(state)

    if rules.terminal_test(given()):
        return {"the end": True, "the utility": freeze(rules.utility(given(), MAX))}
    results = {freeze(each): freeze(rules.result(given(), each)) for each in rules.actions(given())}
    return {"the end": False, "the player to move": rules.to_move(given()), "the effect of the actions": results}


def check_equal(exam: Examination, state: State, seen: Observation, before: Observation) -> None:
    """Check that the rules say the same about a state as about an equal one that was met before."""
    exam.at(state)
    exam.expect(
        "equality", seen == before, "an equal state was met before, for which it returns {}, not {}", before, seen
    )
    with exam.answering("equality"):
        stranger = state == _STRANGER  # comparison with any other object is allowed, and false
    exam.expect("equality", not stranger, "it is equal to an object that is not a state")


def check_play(exam: Examination, path: list[tuple[State, Observation]]) -> None:
    """Check the promises for a whole play: no state came back, and every method still returns the same."""
    seen: set[State] = set()
    for state, _ in path:
        exam.at(state)
        _check_repetition_value(exam, state)
        new = state not in seen or repetition.may_repeat(exam.game)
        exam.expect("repetition", new, "the state has come back: {}", repetition.declaration(exam.game))
        seen.add(state)
    for state, before in reversed(path):
        exam.at(state)
        now = observe(exam, state)
        exam.expect(
            "determinism",
            now == before,
            "called after other states, it returns {}; before, it returned {}",
            now,
            before,
        )


def _check_repetition_value(exam: Examination, state: State) -> None:
    """Check that the value of a repetition is finite, and within the bounds."""
    if repetition.may_repeat(exam.game):
        worth = repetition.repetition_value(exam.game, state)
        low, high = exam.game.bounds(state) if isinstance(exam.game, Bounded) else (-math.inf, math.inf)
        within = math.isfinite(worth) and low - 1e-9 <= worth <= high + 1e-9
        exam.expect("repetition", within, "the repetition is worth {}, outside the bounds [{}, {}]", worth, low, high)


def close(first: float, second: float) -> bool:
    """Return whether two values are equal, up to rounding."""
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-9)
