"""Promises about what a game declares about itself: names, capabilities, repetition, levels, options."""

import itertools
import random
from collections.abc import Iterator
from typing import Final

from ggp import capabilities, repetition
from ggp.errors import GGPError, OptionError
from ggp.game import CONTINUES, AnyGame, Levelled, State
from ggp.options import Option, build, options_of, values_of
from ggp.play.player_parser import make_player
from ggp.play.players import Machine
from ggp.plugins import Registry, load_registry
from ggp.testing.answer_promises import answers
from ggp.testing.promises import Examination

PARTS: Final = {
    "Notated": ("format_state", "parse_state", "format_action", "parse_action"),
    "Scored": ("score", "key"),
}
"""The methods of each capability that has more than one method."""
LAYERED: Final = ("layer", "positions", "rank", "unrank", "turned")
"""The methods of games with numbered layers."""
PLAYS: Final = 30
"""Number of plays in which games with different options are compared."""
ASKED: Final = 3
"""Number of plays, out of `PLAYS`, in which all methods are called."""
LARGE: Final = 10_000
"""The largest number that is tried for an option, since a larger board may not fit in memory."""


def check_declared(exam: Examination, registry: Registry | None) -> None:
    """Check what the game declares. Levels are looked up in `registry` (default: all installed plugins)."""
    _check_name(exam)
    _check_parts(exam)
    _check_texts(exam)
    _check_players(exam)
    _check_repetition(exam)
    _check_evaluations(exam)
    _check_levels(exam, registry)


def _check_name(exam: Examination) -> None:
    name = capabilities.name_of(exam.game)
    prefix = str(name).partition(":")[0]  # a plugin may name a file after a colon
    good = isinstance(name, str) and prefix and prefix == prefix.lower() and not any(map(str.isspace, name))
    exam.expect("name", good, "the name is {}", repr(name))


def _check_parts(exam: Examination) -> None:
    for capability, parts in PARTS.items():
        lacking = [part for part in parts if getattr(exam.game, part, None) is None]
        whole = not lacking or len(lacking) == len(parts)
        exam.expect(
            "capabilities", whole, "the game has some methods of {}, but lacks {}", capability, ", ".join(lacking)
        )
    numbered = [part for part in LAYERED if callable(getattr(exam.game, part, None))]
    lacking = [part for part in LAYERED if part not in numbered]
    whole = not lacking or "unrank" not in numbered  # the other names may mean something else
    exam.expect("capabilities", whole, "the game has some methods of Layered, but lacks {}", ", ".join(lacking))
    lacks = capabilities.is_stochastic(exam.game) and not capabilities.method_of(exam.game, "outcomes")
    exam.expect("capabilities", not lacks, "the game is declared stochastic, but has no `outcomes`")


def _check_texts(exam: Examination) -> None:
    for text in ("title", "rules"):
        declared = getattr(exam.game, text, "-")
        exam.expect("name", isinstance(declared, str) and declared.strip(), "the {} is {}", text, repr(declared))


def _check_players(exam: Examination) -> None:
    declared = capabilities.declared(exam.game, "player_names")
    named = isinstance(declared, tuple | list) and all(isinstance(each, str) and each.strip() for each in declared)
    right = named and 1 <= len(declared) <= 2 and len(set(declared)) == len(declared)
    exam.expect("name", right, "player_names is {}, but must be two different texts, or one text", repr(declared))


def _check_repetition(exam: Examination) -> None:
    """Check that the game's declarations about repetition are valid."""
    with exam.answering("repetition"):
        repetition.last_occurrence(exam.game)
    declared = capabilities.declared(exam.game, "repetition")
    luck = declared != CONTINUES or capabilities.is_stochastic(exam.game)
    right = repetition.declaration(exam.game)
    exam.expect(
        "repetition", luck, "`repetition` is {}, but no chance brings the game to an end: {}", repr(declared), right
    )


def _check_evaluations(exam: Examination) -> None:
    for name, evaluation in capabilities.evaluations(exam.game).items():
        named = isinstance(name, str) and name.strip()
        exam.expect("evaluations", named, "the name of an evaluation is {}", repr(name))
        exam.expect("evaluations", callable(evaluation.function), "{} is {}", name, evaluation.function)


def _check_levels(exam: Examination, registry: Registry | None) -> None:
    """Check that every level names an installed machine player that can play the game."""
    if not isinstance(exam.game, Levelled):
        return
    levels = dict(exam.game.levels)
    exam.expect("levels", levels, "there are no levels")
    registry = registry or load_registry()
    for name, text in levels.items():
        named = isinstance(name, str) and isinstance(text, str) and name.strip()
        exam.expect("levels", named, "a level is {}, {}", repr(name), repr(text))
        try:
            player = make_player(registry, name, exam.game)
        except GGPError as error:
            raise exam.breach("levels", f"the level {name}, which is {text!r}, cannot play: {error}") from error
        exam.expect("levels", isinstance(player, Machine), "the level {}, {}, is not a machine player", name, text)


def check_options(exam: Examination) -> None:
    """Check that every option has an effect, and that games with its values can be played."""
    for option in options_of(type(exam.game)):
        value, others = getattr(exam.game, option.name, option.default), []
        for other in _alternatives(option, value):
            with exam.answering("options"):
                changed = _changed(exam.game, option, other)
                if changed is not None:
                    others.append(changed)
                    _begin(changed)
        if others:
            with exam.answering("options"):
                works = any(_differ(exam.game, other) for other in others) or _works_elsewhere(exam.game, option)
            tried = ", ".join(repr(getattr(other, option.name, "?")) for other in others)
            exam.expect("options", works, "{} = {} changes nothing: {} play the same", option.name, value, tried)


def _works_elsewhere(game: AnyGame, option: Option) -> bool:
    """Return whether an option changes something if all other options have their defaults."""
    plain = type(game)()
    value = getattr(plain, option.name, option.default)
    others = [_changed(plain, option, other) for other in _alternatives(option, value)]
    return any(_differ(plain, other) for other in others if other is not None)


def _alternatives(option: Option, value: object) -> list[object]:
    """Return values, other than `value`, that the option may have."""
    if option.path or option.optional:
        return []
    if option.choices:
        alternatives = list(option.choices)
    elif isinstance(value, bool):
        alternatives = [not value]
    elif isinstance(value, int | float):
        alternatives = [value - 1, value + 1]
        alternatives += [type(value)(end) for end in (option.minimum, option.maximum) if end is not None]
    elif isinstance(value, tuple):
        alternatives = [(*value, *value[-1:]), value[:-1], value[::-1], (1, 2)]
    else:
        alternatives = []
    small = (each for each in alternatives if not isinstance(each, int | float) or abs(each) <= LARGE)
    return [each for each in dict.fromkeys(small) if each != value]


def _changed(game: AnyGame, option: Option, value: object) -> AnyGame | None:
    """Return the game with another value of an option; None if the game refuses it."""
    try:
        changed: AnyGame = build(type(game), game.name, {**values_of(game), option.name: value})
    except OptionError:
        return None
    return changed


def _begin(game: AnyGame) -> None:
    """Ask all questions about the states after the first actions of a game, to see whether a method fails."""
    state = game.initial_state()
    for action in itertools.islice(capabilities.legal_actions(game, state), 3):
        answers(game, game.result(state, action))


def _differ(game: AnyGame, other: AnyGame) -> bool:
    """Return whether two games differ in anything that they declare or answer in the same plays."""
    if _declared(game) != _declared(other):
        return True
    for seed in range(PLAYS):
        ask = answers if seed < ASKED else _rules
        for state in _states(game, random.Random(seed)):
            try:
                if ask(game, state) != ask(other, state):
                    return True
            except Exception:  # a state of the one is none of the other
                return True
    return False


def _declared(game: AnyGame) -> tuple[object, ...]:
    """Return the declarations of the game that options may change."""
    declared: object = capabilities.declared(game, "repetition")
    levels = dict(game.levels) if isinstance(game, Levelled) else None
    return (
        game.initial_state(),
        None if callable(declared) else declared,
        levels,
        list(capabilities.evaluations(game)),
        capabilities.players(game),
        capabilities.declared(game, "occurrences"),
        capabilities.declared(game, "repetition_rule"),
    )


def _states(game: AnyGame, rng: random.Random) -> Iterator[State]:
    """Yield the states of a random play, but none after the hundredth ply."""
    state = game.initial_state()
    for _ in range(100):
        yield state
        actions = capabilities.legal_actions(game, state)
        if not actions:
            return
        state = game.result(state, rng.choice(actions))


def _rules(game: AnyGame, state: State) -> object:
    """Return the answers of the rules for a state, and the value of its repetition."""
    worth = repetition.repetition_value(game, state)
    if game.terminal_test(state):
        return game.utility(state, 0), worth
    return game.to_move(state), capabilities.all_actions(game, state), worth
