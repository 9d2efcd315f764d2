"""Promises of the capabilities at one state or one step: notation, bounds, evaluations, drawing."""

import functools
import math
from collections.abc import Callable

from ggp import capabilities
from ggp.errors import IllegalActionError, NotationError
from ggp.game import (
    CHANCE,
    Action,
    Bounded,
    Drawn,
    Explained,
    Notated,
    Quiet,
    Scored,
    State,
    Suggesting,
    Symmetric,
    capable,
)
from ggp.testing.promises import Examination
from ggp.testing.rule_promises import Observation, close, observe

STRANGE = "xyzzy plugh"
"""A text that is valid in no notation."""


class NotationPromises:
    """The texts of the states seen so far, to detect two states with the same text."""

    def __init__(self) -> None:
        self._met: dict[str, object] = {}

    def check(self, exam: Examination, state: State, seen: Observation) -> None:
        """Check the promises of the notation of a state and of all its actions."""
        if not isinstance(exam.game, Notated):
            return
        exam.at(state)
        text = exam.game.format_state(state)
        exam.expect("state notation", isinstance(text, str) and text.strip(), "format_state returns {}", repr(text))
        same = self._met.setdefault(text, state) == state
        exam.expect("state notation", same, "{} stands for {} and for {}", text, self._met[text], state)
        with exam.answering("state notation"):
            back = exam.game.parse_state(text)
        exam.expect("state notation", back == state, "{} is parsed as {}, but it is the text of {}", text, back, state)
        exam.expect("equality", hash(back) == hash(state), "parsed from its text, the state has another hash")
        self._check_actions(exam, state, seen[2])

    def _check_actions(self, exam: Examination, state: State, actions: tuple[Action, ...]) -> None:
        game = capable(exam.game)
        texts: dict[str, object] = {}
        explains = isinstance(game, Explained)
        for action in actions:
            exam.at(state, action)
            with exam.answering("action notation"):
                text = game.format_action(state, action)
                written = isinstance(text, str) and text.strip() and text.isprintable()
                exam.expect("action notation", written, "format_action returns {}", repr(text))
                back = game.parse_action(state, text)
            exam.expect("action notation", back == action, "{} is parsed as {}", text, back)
            exam.expect("action notation", text not in texts, "{} stands for {} too", text, texts.get(text))
            texts[text] = action
            if explains:
                explained = game.explain(state, action)
                exam.expect(
                    "explanation", isinstance(explained, str) and explained.strip(), "explain returns {}", explained
                )


def check_wrong_text(exam: Examination, state: State, text: str) -> None:
    """Check that the parsers refuse `text` with the protocol's errors, or read it as something legal."""
    game = exam.game
    if not isinstance(game, Notated):
        return
    exam.at(state)
    promise = "wrong texts"
    with exam.answering(promise):
        try:
            parsed = game.parse_state(text)
        except NotationError as error:
            exam.expect(promise, str(error), "parse_state refuses {} without a message", text)
        else:
            again = game.parse_state(game.format_state(parsed))
            exam.expect(
                promise,
                again == parsed,
                "{} is parsed as {}, but the text of that state is parsed as a different state",
                text,
                parsed,
            )
    legal = capabilities.legal_actions(game, state)
    if not legal:
        return
    with exam.answering(promise):
        try:
            action = game.parse_action(state, text)
        except (NotationError, IllegalActionError) as error:
            exam.expect(promise, str(error), "parse_action refuses {} without a message", text)
        else:
            exam.expect(promise, action in legal, "parse_action reads {} as {}, which is not legal", text, action)


def check_strange_text(exam: Examination, state: State, seen: Observation) -> None:
    """Check that the parsers refuse meaningless texts, alone and before or after a text that they accept."""
    game = exam.game
    if not isinstance(game, Notated):
        return
    exam.at(state)
    text = game.format_state(state)
    for strange in ("", "?", STRANGE, f"{text} {STRANGE}", f"{STRANGE} {text}"):
        _expect_refused(exam, "parse_state", functools.partial(game.parse_state, strange), strange)
    for action in seen[2][:1]:
        text = game.format_action(state, action)
        for strange in ("", "?", STRANGE, f"{text} {STRANGE}", f"{STRANGE} {text}"):
            _expect_refused(exam, "parse_action", functools.partial(game.parse_action, state, strange), strange)


def _expect_refused(exam: Examination, parser: str, parse: Callable[[], object], text: str) -> None:
    with exam.answering("wrong texts"):
        try:
            parsed = parse()
        except (NotationError, IllegalActionError):
            return
        raise exam.breach("wrong texts", f"{parser} reads {text!r} as {parsed!r}, but must refuse it")


def check_estimates(exam: Examination, state: State, seen: Observation) -> None:
    """Check the promises of the evaluations and the drawing at a state."""
    exam.at(state)
    if isinstance(exam.game, Drawn):
        drawing = exam.game.draw(state)
        exam.expect("drawing", isinstance(drawing, str) and drawing.strip(), "draw returns {}", drawing)
    if isinstance(exam.game, Bounded):
        low, high = exam.game.bounds(state)
        exam.expect("bounds", low <= high, "the bounds are [{}, {}]", low, high)
    if seen[0]:
        return
    for name, evaluation in capabilities.evaluations(exam.game).items():
        estimate = evaluation(state)
        exam.expect("evaluations", math.isfinite(estimate), "{} returns {}", name, estimate)
        exam.expect(
            "determinism", evaluation(state) == estimate, "{} returns two different values when called twice", name
        )
        if evaluation.bounded:
            offers = isinstance(exam.game, Bounded)
            exam.expect("bounded evaluations", offers, "{} is declared bounded, but the game has no bounds", name)
            low, high = exam.game.bounds(state)  # type: ignore[attr-defined]
            within = low - 1e-9 <= estimate <= high + 1e-9
            exam.expect("bounded evaluations", within, "{} returns {}, outside [{}, {}]", name, estimate, low, high)


def check_drawings(exam: Examination, path: list[tuple[State, Observation]]) -> None:
    """Check that at least one state of a play is drawn differently from the first state."""
    game, first, last = exam.game, path[0][0], path[-1][0]
    if isinstance(game, Drawn) and len(path) > 2 and last != first:
        exam.at(last)
        beginning = game.draw(first)
        changes = any(game.draw(state) != beginning for state, _ in path[1:])
        exam.expect("drawing", changes, "it is drawn like {}, and so are all states between", first)


def check_bounds(exam: Examination, path: list[tuple[State, Observation]]) -> None:
    """Check the bounds along a play: they become narrower, and all of them contain the final utility."""
    if not isinstance(exam.game, Bounded):
        return
    outer_low, outer_high = -math.inf, math.inf
    end = path[-1][1][3] if path[-1][1][0] else None
    for state, _ in path:
        exam.at(state)
        low, high = exam.game.bounds(state)
        inside = _not_below(low, outer_low) and _not_below(outer_high, high)
        wider = "the bounds are [{}, {}], and [{}, {}] one ply before"
        exam.expect("bounds", inside, wider, low, high, outer_low, outer_high)
        if end is not None:
            within = _not_below(end, low) and _not_below(high, end)
            exam.expect("bounds", within, "the bounds are [{}, {}], but play ended with the value {}", low, high, end)
        outer_low, outer_high = low, high


def check_successors_bounds(exam: Examination, state: State, seen: Observation) -> None:
    """Check that no action leads out of the bounds of a state."""
    game = exam.game
    if not isinstance(game, Bounded):
        return
    low, high = game.bounds(state)
    for action in seen[2]:
        child = game.result(state, action)
        least, most = game.bounds(child)
        exam.at(state, action)
        inside = _not_below(least, low) and _not_below(high, most)
        exam.expect("bounds", inside, "the bounds are [{}, {}], but [{}, {}] after the action", low, high, least, most)


def _not_below(high: float, low: float) -> bool:
    return high >= low or close(high, low)


def check_symmetry(exam: Examination, state: State, seen: Observation) -> None:
    """Check that the canonical state is equivalent to the state."""
    game, promise = exam.game, "canonical states"
    if not isinstance(game, Symmetric):
        return
    exam.at(state)
    canonical = game.canonical(state)
    again = game.canonical(canonical)
    exam.expect(
        promise, again == canonical, "the canonical state is {}, whose own canonical state is {}", canonical, again
    )
    over, mover, actions, utility = observe(exam, canonical)
    same = (over, mover, len(actions)) == (seen[0], seen[1], len(seen[2])) and (not over or close(utility, seen[3]))
    exam.expect(
        promise, same, "the canonical state is {}, which has another mover, other actions or another end", canonical
    )
    if over:
        return
    for name, evaluation in capabilities.evaluations(game).items():
        here, there = evaluation(state), evaluation(canonical)
        exam.expect(
            promise, close(here, there), "{} is {} in the canonical state, but {} in this state", name, there, here
        )
    ours, theirs = (
        {game.canonical(game.result(each, action)) for action in listed}
        for each, listed in ((state, seen[2]), (canonical, actions))
    )
    exam.expect(promise, ours == theirs, "the canonical state is {}, but its actions lead to other states", canonical)


def check_hints(exam: Examination, state: State, seen: Observation, most: int) -> None:
    """Check the promises of the methods that describe actions, `suggest` and `quiet`, for at most `most` actions."""
    if seen[0] or seen[1] == CHANCE:
        return
    for action in seen[2][-most:]:
        exam.at(state, action)
        if isinstance(exam.game, Suggesting):
            hint = exam.game.suggest(state, action)
            exam.expect("hints", type(hint) is int, "suggest returns {}", hint)
        if isinstance(exam.game, Quiet):
            quiet = exam.game.quiet(state, action)
            exam.expect("hints", type(quiet) is bool, "quiet returns {}", quiet)


def check_score(exam: Examination, state: State) -> None:
    """Check that a transposition table can use the score and the key of a state."""
    if isinstance(exam.game, Scored):
        exam.at(state)
        score = exam.game.score(state)
        exam.expect("score and key", math.isfinite(score), "the score is {}", score)
        try:
            hash(exam.game.key(state))
        except TypeError as error:
            raise exam.breach("score and key", f"the key is not hashable: {error}") from error
