"""The promises of answers: everything that a game can be asked about a state, asked in several ways.

The same questions are asked again at once and after other states. They are also asked about an equal state, of a copy
of the game, and in another process (`ggp.testing.other_process`). All answers must be the same.
"""

import collections
import functools
import pickle
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from ggp import capabilities
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, Notated, State, capable
from ggp.testing.promises import Examination, Snapshot

Answers = Mapping[str, object]
"""The answers for one state, by method. A method of actions has a tuple, with an item for each action in order."""

ANYWHERE: Final = ("score", "key", "bounds", "canonical", "format_state", "draw", "scene")
"""Methods that may be called for every state."""
UNFINISHED: Final = ("value_bounds", "known_values")
"""Methods that may be called where the game is not over."""
OF_ACTIONS: Final = ("result", "format_action", "explain")
"""Methods that may be called for every legal action."""
OF_CHOICES: Final = ("suggest", "quiet")
"""Methods that may be called for the actions of a player, but not for the outcomes of chance."""

TRANSPOSED: Final = 40
"""Number of states that are compared with an equal state reached by other actions."""
EXPANDED: Final = 150
"""Number of early states whose successors are compared with each other, to find equal states."""


def answers(game: AnyGame, state: State) -> Answers:
    """Return the answers of a game to all questions about a state, asked in the opposite order of `check_answers`."""
    return {name: ask() for name, ask in reversed(list(_questions(game, state)))}


def _questions(game: AnyGame, state: State) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the methods that may be called for a state, ready to be called."""
    yield "terminal_test", lambda: bool(game.terminal_test(state))
    yield from _offered(game, ANYWHERE, state)
    if game.terminal_test(state):
        yield "utility", lambda: (game.utility(state, MAX), game.utility(state, MIN))
        return
    mover, actions = game.to_move(state), capabilities.all_actions(game, state)
    yield "to_move", lambda: game.to_move(state)
    yield "actions", lambda: capabilities.all_actions(game, state)
    if mover == CHANCE:
        yield "outcomes", lambda: tuple(capable(game).outcomes(state))
    yield from _offered(game, UNFINISHED, state)
    for name, evaluation in capabilities.evaluations(game).items():
        yield f"the evaluation {name}", functools.partial(evaluation, state)
    for name in OF_ACTIONS if mover == CHANCE else OF_ACTIONS + OF_CHOICES:
        if callable(getattr(game, name, None)):
            yield name, functools.partial(_for_each, getattr(game, name), state, actions)
    ranking = capabilities.ranking(game)
    if ranking is not None and ranking.sections(ranking.layer(state)):
        yield "ranking.rank", lambda: (ranking.layer(state), *ranking.rank(state))


def _offered(game: AnyGame, names: tuple[str, ...], state: State) -> Iterator[tuple[str, Callable[[], object]]]:
    for name in names:
        if callable(getattr(game, name, None)):
            yield name, functools.partial(getattr(game, name), state)


def _for_each(
    method: Callable[[State, Action], object], state: State, actions: tuple[Action, ...]
) -> tuple[object, ...]:
    return tuple(method(state, action) for action in actions)


def check_answers(exam: Examination, state: State) -> Answers:
    """Check that no method changes the state, and that each method returns the same twice; return the answers."""
    exam.at(state)
    before, answers = Snapshot(state), {}
    for name, ask in _questions(exam.game, state):
        answers[name] = ask()
        exam.expect("purity", before.same(), "{} changed the state: it was {}", name, before.text)
    for name, ask in reversed(list(_questions(exam.game, state))):  # in another order, after other questions
        again, wrong = ask(), "called twice, {} returns {} and then {}"
        exam.expect("determinism", _same(again, answers.get(name)), wrong, name, answers.get(name), again)
    return answers


def expect_same(exam: Examination, promise: str, state: State, now: Answers, before: Answers, when: str) -> None:
    """Check that the answers for a state are the same as before. `when` says what has happened since."""
    exam.at(state)
    for name, answer in before.items():
        same = name in now and _same(now[name], answer)
        exam.expect(promise, same, "{}, {} returns {}; before, it returned {}", when, name, now.get(name), answer)


def _same(first: object, second: object) -> bool:
    """Return whether two answers are equal. NaN counts as equal to itself, since another promise forbids NaN."""
    return bool(first == second or (first != first and second != second))


def check_parsed(exam: Examination, state: State, before: Answers) -> None:
    """Check that a state gives the same answers after it was written as text and parsed."""
    if isinstance(exam.game, Notated):
        exam.at(state)
        with exam.answering("state notation"):
            back = exam.game.parse_state(exam.game.format_state(state))
        if back == state:
            now = answers(exam.game, back)
            expect_same(exam, "equality", state, now, before, "asked about the equal state that its text describes")


def check_interleaved(exam: Examination, state: State, actions: tuple[Action, ...]) -> None:
    """Check that the actions stay the same while a search plays each action, and after their list is changed."""
    game, promise = exam.game, "actions"
    exam.at(state)
    taken = []
    for action in islice(game.actions(state), len(actions) + 1):
        taken.append(action)
        if action not in actions:
            break
        capabilities.legal_actions(game, game.result(state, action))
    exam.expect(
        promise,
        tuple(taken) == actions,
        "if each action is played while the actions are listed, they are {}, not {}",
        taken,
        actions,
    )
    listed: object = game.actions(state)
    if isinstance(listed, list):
        listed.clear()
        again = capabilities.all_actions(game, state)
        listed.extend(actions)
        exam.expect(
            promise,
            again == actions,
            "the list is the game's own: after a change of the list, the actions are {}",
            again,
        )


class Interview:
    """The questions and the answers of one examination."""

    def __init__(self, exam: Examination, most: int) -> None:
        self._exam = exam
        self._most = most
        self._copy = pickle.dumps(exam.game)  # before any question: a cache that is filled later is no part of it
        self.given: list[tuple[State, Answers]] = []
        """States, and the answers for them, in the order in which they were asked."""

    def ask(self, state: State, actions: tuple[Action, ...]) -> None:
        """Call all methods for a state, unless this state, or enough other states, were examined before."""
        if len(self.given) < self._most and all(state != asked for asked, _ in self.given):
            answers = check_answers(self._exam, state)
            check_parsed(self._exam, state, answers)
            if actions:
                check_interleaved(self._exam, state, actions)
            self.given.append((state, answers))

    def ask_again(self) -> None:
        """Ask all questions again, in the opposite order; then ask them of a copy of the game that was made earlier."""
        copy: AnyGame = pickle.loads(self._copy)  # noqa: S301 - pickled on the spot
        for state, before in reversed(self.given):
            now = answers(self._exam.game, state)
            expect_same(self._exam, "determinism", state, now, before, "asked again after other states")
            now = answers(copy, state)
            expect_same(self._exam, "pickling", state, now, before, "asked of a copy of the game")


def _read_back(game: AnyGame, state: State) -> bool:
    """Return whether parsing the text of a state gives the state."""
    return isinstance(game, Notated) and bool(game.parse_state(game.format_state(state)) == state)


def check_transpositions(exam: Examination) -> None:
    """Check that equal states that are reached by different actions give the same answers."""
    game, start = exam.game, exam.game.initial_state()
    waiting, first, compared = collections.deque([start]), {start: start}, 0
    for _ in range(EXPANDED):
        if not waiting:
            break
        state = waiting.popleft()
        for action in capabilities.legal_actions(game, state):
            child = game.result(state, action)
            earlier = first.setdefault(child, child)
            if earlier is child:
                waiting.append(child)
            elif compared < TRANSPOSED:
                compared += 1
                now, before = answers(game, child), answers(game, earlier)
                if _read_back(game, child) and _read_back(game, earlier):  # a text may say how the state was reached
                    now = {**now, "format_state": before.get("format_state")}
                expect_same(
                    exam, "equality", child, now, before, "reached by other actions, which led to an equal state"
                )
