"""`check_game`: checks every promise of a game on random play."""

import pickle
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ggp.capabilities import all_actions
from ggp.errors import ConformanceError
from ggp.frozen_games import playable
from ggp.game import AnyGame, Notated, State
from ggp.plugins import Registry
from ggp.testing import (
    answer_promises,
    capability_promises,
    declared_promises,
    endings,
    layer_promises,
    other_process,
    ranking_promises,
    rule_promises,
    scene_promises,
    score_key_law,
    speeds,
    value_promises,
)
from ggp.testing.promises import PROMISES, Examination
from ggp.testing.strategies import PLIES, choices, require_hypothesis

if TYPE_CHECKING:
    import hypothesis

Report = Callable[[str, int], None]
"""Called for each promise with the number of times that it was checked."""

MACHINE_PLAYS = 10
"""Number of plays on which compiled methods are compared with interpreted ones, and every action's hints are checked.

A few plays are enough, since an error is found soon.
"""

FIRST_PLAYS = 2
"""Number of plays in which every method is called in every state."""

INTERVIEWED = 50
"""Maximum number of states for which every method is called several times, and in another process."""


def check_game(
    game: AnyGame,
    *,
    examples: int = 100,
    plies: int = PLIES,
    report: Report | None = None,
    registry: Registry | None = None,
) -> Mapping[str, int]:
    """Check every promise of `PROMISES` on random play, which is the same at every call.

    Arguments:
        examples: the number of plays.
        plies: the maximum number of plies of a play.
        report: called for each promise after all have been checked.
        registry: where the searchers of the game's levels are looked up (default: all installed plugins).

    Returns: how often each promise was checked; 0 for a promise about a capability that the game does not have.

    Raises:
        ConformanceError: a promise is broken; the message names it, the state and the action.
        GGPError: hypothesis is not installed.
    """
    require_hypothesis()
    exam = Examination(_frozen(game))
    game = exam.game
    with exam.answering():
        declared_promises.check_declared(exam, registry)
        rule_promises.check_state(exam, game.initial_state())
        _check_pickling(exam)
        layer_promises.check_lowest_layers(exam)
        plays = Plays(exam, examples)
    _run(plays.check, exam, examples, choices(plies))
    _check_texts(exam, max(1, examples // 2), plies)
    with exam.answering():
        plays.check_together()
        answer_promises.check_transpositions(exam)
        declared_promises.check_options(exam)
    kept = {promise: exam.kept[promise] for promise in PROMISES}
    for promise, count in kept.items():
        if report:
            report(promise, count)
    return kept


def _frozen(game: AnyGame) -> AnyGame:
    """Return a game with states that do not change."""
    try:
        frozen: AnyGame = playable(game)
    except ConformanceError as error:
        raise Examination(game).breach("equality", str(error)) from error
    return frozen


class Plays:
    """Facts from the plays so far, for promises about several states."""

    def __init__(self, exam: Examination, examples: int) -> None:
        self._exam = exam
        self._met: dict[State, rule_promises.Observation] = {}
        self._interview = answer_promises.Interview(exam, min(examples, INTERVIEWED))
        self._values = value_promises.ValueClaims(exam)
        self._texts = capability_promises.NotationPromises()
        self._futures = score_key_law.Futures()
        self._machine = speeds.MachineCode(exam.game)
        self._count = 0

    def check(self, drawn: list[int]) -> None:
        """Play one game by the numbers drawn, and check the promises."""
        self._count += 1
        exam, path = self._exam, self._play(drawn)
        rule_promises.check_play(exam, path)
        capability_promises.check_bounds(exam, path)
        capability_promises.check_drawings(exam, path)
        scene_promises.check_scenes(exam, path, drawn[0])
        self._futures.check(exam, path, drawn[-1])
        self._values.check(path)
        asked, seen = path[drawn[1] % len(path)]
        self._interview.ask(asked, seen[2])
        capability_promises.check_strange_text(exam, asked, seen)
        capability_promises.check_successors_bounds(exam, asked, seen)
        for state, seen in path:
            capability_promises.check_symmetry(exam, state, seen)
            capability_promises.check_hints(exam, state, seen, len(seen[2]) if self._count <= MACHINE_PLAYS else 1)
            ranking_promises.check_rank(exam, state, seen)
            layer_promises.check_layer(exam, state, seen)
        for state, seen in path if self._count <= MACHINE_PLAYS else ():
            self._machine.check(exam, state, seen)

    def check_together(self) -> None:
        """Check the promises that need all plays together: answers are the same when they are asked for again, and in
        another process; plays by stubborn players end.
        """
        self._interview.ask_again()
        other_process.check_other_process(self._exam, self._interview.given)
        endings.check_endings(self._exam, (action for seen in self._met.values() for action in seen[2]))

    def _play(self, drawn: list[int]) -> list[tuple[State, rule_promises.Observation]]:
        exam, path = self._exam, []
        state = exam.game.initial_state()
        for number in drawn:
            seen = rule_promises.check_state(exam, state)
            path.append((state, seen))
            if self._count <= FIRST_PLAYS:
                answer_promises.check_answers(exam, state)  # before all else, so that what changes a state is named
            rule_promises.check_equal(exam, state, seen, self._met.setdefault(state, seen))
            self._texts.check(exam, state, seen)
            capability_promises.check_estimates(exam, state, seen)
            capability_promises.check_score(exam, state)
            if seen[0]:
                break
            state = rule_promises.check_step(exam, state, seen[2][number % len(seen[2])])
        return path


def _run(
    check: Callable[..., None],
    exam: Examination,
    examples: int,
    strategy: "hypothesis.strategies.SearchStrategy[object]",
) -> None:
    """Let Hypothesis draw plays, and raise the error of the simplest play that breaks a promise."""
    import hypothesis

    breaches: dict[str, ConformanceError] = {}
    """The last breach of each promise, which is the simplest one."""

    def body(drawn: object) -> None:
        try:
            with exam.answering():
                check(drawn)
        except ConformanceError as breach:
            breaches[exam.broken] = breach
            raise

    test = _settings(examples)(hypothesis.given(strategy)(body))
    try:
        test()
    except Exception:
        if not breaches:
            raise
        first = next(iter(breaches.values()))  # others may follow from it
        raise ConformanceError(str(first)) from first.__cause__  # without hypothesis's notes


def _check_texts(exam: Examination, examples: int, plies: int) -> None:
    """Let hypothesis corrupt the texts of states, and check that the parsers refuse them."""
    from hypothesis import strategies as st

    if not isinstance(exam.game, Notated):
        return
    notated = exam.game
    edit = st.tuples(st.integers(0, 60), st.integers(0, 3), st.text(max_size=2) | st.sampled_from(HARD_TEXTS))

    def check(drawn: tuple[list[int], list[tuple[int, int, str]]]) -> None:
        state = _somewhere(exam.game, drawn[0])
        capability_promises.check_wrong_text(exam, state, _spoilt(notated.format_state(state), drawn[1]))

    _run(check, exam, examples, st.tuples(choices(min(plies, 20)), st.lists(edit, min_size=1, max_size=3)))


HARD_TEXTS = ("-1", "9" * 30, "1e9", "nan", " ", "<", "\N{ARABIC-INDIC DIGIT THREE}", "\N{SUPERSCRIPT TWO}", "\n")
"""Texts that are hard for parsers."""


def _spoilt(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Return `text` with some characters replaced by others from the same text."""
    for at, length, piece in edits:
        start = at % (len(text) + 1)
        text = text[:start] + piece + text[start + length :]
    return text


def _somewhere(game: AnyGame, drawn: list[int]) -> State:
    """Return a state after some plies of a random play."""
    state: State = game.initial_state()
    for number in drawn[: drawn[0] % len(drawn)]:
        if game.terminal_test(state):
            break
        actions = all_actions(game, state)
        state = game.result(state, actions[number % len(actions)])
    return state


def _settings(examples: int) -> "hypothesis.settings":
    import hypothesis

    return hypothesis.settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )


def _check_pickling(exam: Examination) -> None:
    """Check that the game survives pickling, which searches in other processes need."""
    with exam.answering("pickling"):
        again = pickle.loads(pickle.dumps(exam.game))  # noqa: S301 - pickled on the spot
        state = exam.game.initial_state()
        exam.expect("pickling", again.initial_state() == state, "the unpickled game has another initial state")
        if not exam.game.terminal_test(state):
            before, after = all_actions(exam.game, state), all_actions(again, state)
            exam.expect("pickling", before == after, "the unpickled game has other actions")
