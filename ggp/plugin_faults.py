"""Faults of plugins: which game or searcher caused an unexpected error, in which method, and in which state.

Rules are called directly, without checks, since a check takes longer than most rules. The states in progress are
examined only after a failure: then each method is called again. The first method that raises an error, or returns
something that the protocol does not allow, is at fault.
"""

import collections
import contextlib
import inspect
import random
import sys
import threading
import time
import traceback
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any

import attrs

from ggp import capabilities
from ggp.errors import FaultError
from ggp.escapes import escaped, short
from ggp.frozen_games import made_playable
from ggp.game import AnyGame, State
from ggp.plugin_entries import Entry, Offered
from ggp.rule_faults import (
    LONGEST,
    RuleFault,
    action_text,
    display_faults,
    escaped_error,
    estimate_faults,
    is_state,
    rule_faults,
    safe_repr,
    short_repr,
    state_text,
    successors,
)
from ggp.searcher import SearchResult

MOST_STATES = 12
"""Maximum number of states that are examined after an error, and before a command begins."""
SECONDS = 1.0
"""Seconds for examining the states that follow the states of the error."""
SHORTLY = 0.02
"""Seconds for examining states before a command begins."""
WALK = 4.0
"""Maximum number of seconds for random play that looks for a call that does not end."""
STILL = 1.0
"""Seconds without progress after which a call counts as one that does not end."""
LOOKS = 20
"""Number of times that a running call is looked at in `STILL` seconds."""
LASTING = frozenset({"<module>", "ranking", "sections", "positions", "rank", "unrank", "layer"})
"""Methods that may take long, since they number millions of states."""
STATES = ("state", "before", "after")
"""Names of local variables that hold states."""


def blame(error: BaseException, registry: Offered) -> str | None:
    """Return a sentence that names the plugin that caused an unexpected error; None if no plugin did.

    Arguments:
        error: an error that was raised, with its traceback.
    """
    fault = at_fault(error, registry)
    return fault[1] if fault else None


def at_fault(error: BaseException, registry: Offered) -> tuple[Entry, str] | None:
    """Return the game or searcher that has caused an unexpected error, and the sentence of `blame`."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if isinstance(error.__cause__, BaseException):
        frames += [frame for frame, _ in traceback.walk_tb(error.__cause__.__traceback__)]
    game, entry = _game(frames, registry)
    if game is not None and entry is not None:
        fault = _examined(game, frames)
        if fault:
            return entry, f"{_from(entry)} failed: {fault}"
        called = _called(frames, entry)
        if called:
            return entry, f"{_from(entry)} failed: {_call(game, called)} raised {escaped_error(error)}"
    for each in reversed(frames):
        searcher = _searcher(each, registry)
        if searcher is not None:
            return searcher, f"{_from(searcher)} failed{_searching(game, frames)}: {escaped_error(error)}"
    return _no_result(error, frames, registry)


@attrs.frozen(eq=False)
class RunningCall:
    """A call of a game's method, or of machine code made of its rules, that has not returned."""

    frame: FrameType
    failed: str
    """The first words of the sentence: the game, and that it failed."""
    call: str
    """The call in words; "" for machine code, whose call is not known yet."""
    progress: tuple[object, ...] = ()
    """Counts of machine code; they change as long as the calls of the rules return; see `machine_progress`."""
    game: AnyGame | None = None
    state: State = None
    """For machine code, the game and the state that it was called with."""

    @property
    def sentence(self) -> str:
        """The game and the call; for machine code, the call of a method that does not end, if it is found."""
        call = self.call if self.game is None else machine_call(self.game, self.state)
        return f"{self.failed} {call}"


def running_call(frame: FrameType, registry: Offered) -> RunningCall | None:
    """Return the running call of a game's method, or of machine code, that `frame` belongs to. None if there
    is no such call, or if it may take long.
    """
    frames = [frame]
    while frames[-1].f_back is not None:
        frames.append(frames[-1].f_back)
    frames.reverse()
    game, entry = _game(frames, registry)
    if game is None or entry is None:
        return None
    failed, progress = f"{_from(entry)} failed:", machine_progress(frame)
    if progress is not None:
        state = _start(frame)
        return RunningCall(frame, failed, "", progress, game, state)
    called = _called(frames, entry)
    if called is None or called.f_code.co_name in LASTING:
        return None
    return RunningCall(called, failed, _call(None, called))


def machine_progress(frame: FrameType) -> tuple[object, ...] | None:
    """Return the counts of the machine code in the innermost frame of a thread; they change while calls of rules
    return. None if no machine code runs, or if it has no counts.

    If a known object has a count, its class attribute `progress` is the name of the variable.
    """
    module = sys.modules.get("ggp.compiler.compiled_code")
    compiled = vars(module).get("Code") if module is not None else None  # a module that is being imported has none yet
    if compiled is None or frame.f_code is not compiled.__call__.__code__:
        return None
    variables, code = frame.f_locals["variables"], frame.f_locals["self"]
    counting = [
        (index, thing.progress)
        for index, thing in enumerate(code.objects)
        if hasattr(thing, "progress") and (index, thing.progress) in code.layout
    ]
    return tuple(variables.get(index, name) for index, name in counting) or None


def _start(frame: FrameType) -> State:
    """Return the state that machine code was called with; the first state if there are several."""
    given = frame.f_locals
    starts = [thing.start for thing in given["self"].objects if hasattr(thing, "progress") and hasattr(thing, "start")]
    state: State = starts[0] if starts else given["values"][0]
    return state


def machine_call(game: AnyGame, state: State) -> str:
    """Return, in words, the call that machine code does not return from; the call began with `state`."""
    return unending_call(game, state) or f"a rule below {state_text(game, state)}"


def unending_call(game: AnyGame, state: State) -> str | None:
    """Return, as Python text, a call of the rules that does not end.

    To find it, another thread plays random moves from a state, until a call takes longer than `STILL`. Return None if
    no such call is found in `WALK` seconds.
    """
    walk = _Walk(game, state)
    thread = threading.Thread(target=walk.run, daemon=True)
    thread.start()
    # Looks are counted, not seconds: a busy machine may let no thread of this process run for a second.
    end, seen, looks = time.monotonic() + WALK, walk.call, 0
    while thread.is_alive() and (looks or time.monotonic() < end):
        thread.join(STILL / LOOKS)
        seen, looks = (seen, looks + 1) if walk.call is seen else (walk.call, 0)
        if looks == LOOKS:
            break
    else:
        walk.over = True
        return None
    method, where, *action = seen
    shown = [state_text(game, where), *(action_text(game, where, each) for each in action)]
    return f"{method}({', '.join(shown)})"


class _Walk:
    """Random moves from a state, and the call of the rules that is being made."""

    def __init__(self, game: AnyGame, start: State) -> None:
        self.game, self.start, self.over = game, start, False
        self.call: tuple[object, ...] = ("terminal_test", start)

    def run(self) -> None:
        """Play random moves from the start again and again, until `over` is set."""
        dice = random.Random(0)
        with contextlib.suppress(BaseException):  # only what does not end is looked for
            while not self.over:
                self._play(dice)

    def _play(self, dice: random.Random) -> None:
        state = self.start
        while not self.over:
            self.call = "terminal_test", state
            if self.game.terminal_test(state):
                return
            self.call = "actions", state
            action = dice.choice(capabilities.all_actions(self.game, state))
            self.call = "result", state, action
            state = self.game.result(state, action)


def _from(entry: Entry) -> str:
    return f"{entry.name}, from {entry.source},"


# ---- who was called


def _game(frames: list[FrameType], registry: Offered) -> tuple[AnyGame | None, Entry | None]:
    """Return the game that the innermost frame with a game was working on, and the game's entry."""
    entries = {entry.factory: entry for entry in registry.loaded_games}
    for frame in reversed(frames):
        for value in _values(frame):
            entry = entries.get(type(value))
            if entry is not None:
                return made_playable(value), entry  # the watch calls no rules that may not end
    return None, None


def _values(frame: FrameType) -> list[Any]:
    """Return the values of a frame's local variables, and the attribute `game` of each value that has one."""
    values = []
    for value in list(frame.f_locals.values()):
        values.append(value)
        with contextlib.suppress(Exception):
            if inspect.getattr_static(value, "__dict__", None):
                values.append(vars(value).get("game"))
    with contextlib.suppress(Exception):
        values.append(frame.f_locals["self"].game)
    return values


def _belongs(frames: list[FrameType], entry: Entry) -> list[bool]:
    """Return for each frame whether its code belongs to the package (or the file) of a plugin."""
    package = str(entry.factory.__module__).partition(".")[0]
    return [str(frame.f_globals.get("__name__", "")).partition(".")[0] == package for frame in frames]


def _called(frames: list[FrameType], entry: Entry) -> FrameType | None:
    """Return the frame of the game's method that was last called from outside the game.

    Return None if the error is not in the game's code.
    """
    inside = _belongs(frames, entry)
    if not any(inside):
        return None
    index = len(inside) - 1 - inside[::-1].index(True)
    while index > 0 and inside[index - 1]:
        index -= 1
    return frames[index]


def _searcher(frame: FrameType, registry: Offered) -> Entry | None:
    """Return the searcher whose code a frame belongs to; if its package has several searchers, the running searcher."""
    able = [entry for entry in registry.searchers.values() if all(_belongs([frame], entry))]
    if len(able) > 1:
        at_work: FrameType | None = frame
        entries = {entry.factory: entry for entry in able}
        while at_work is not None:
            for value in _values(at_work):
                if type(value) in entries:
                    return entries[type(value)]
            at_work = at_work.f_back
        named = [entry for entry in able if entry.name in frame.f_code.co_filename]
        return named[0] if named else None
    return able[0] if able else None


def _searching(game: AnyGame | None, frames: list[FrameType]) -> str:
    """Return "in" and the state in which a searcher was called; "" if the state is not known."""
    states = _states(frames) if game is not None else []
    return f" in {state_text(game, states[-1])}" if game is not None and states else ""


def _call(game: AnyGame | None, frame: FrameType) -> str:
    """Return a call of a game's method as it is written in Python, with its state and action in notation."""
    code, given = frame.f_code, frame.f_locals
    names = [each for each in code.co_varnames[: code.co_argcount] if each not in ("self", "cls")]
    evaluations: dict[CodeType | None, str] = {}
    with contextlib.suppress(Exception):
        offered = {} if game is None else capabilities.evaluations(game)
        evaluations = {capabilities.code_of(each.function): name for name, each in offered.items()}
    name = f"the evaluation {evaluations[code]} of " if code in evaluations else f"{code.co_name}("
    shown = [
        state_text(game, given[each]) if index == 0 else short(escaped(safe_repr(given[each])), LONGEST)
        for index, each in enumerate(names)
        if each in given
    ]
    return f"{name}{', '.join(shown)}" + ("" if code in evaluations else ")")


# ---- what the states say


def _states(frames: list[FrameType]) -> list[object]:
    """Return the states in the variables of frames, beginning with the innermost frame."""
    states: list[object] = []
    for frame in reversed(frames):
        given = frame.f_locals
        own = given.get("self")
        inner = own.state if own is not None and attrs.has(type(own)) and hasattr(own, "state") else None
        for value in [*(given.get(name) for name in STATES), inner]:
            with contextlib.suppress(Exception):
                hash(value)
                if value is not None and value not in states:
                    states.append(value)
    return states


def _examined(game: AnyGame, frames: list[FrameType]) -> str | None:
    """Return the fault of the first method that fails in one of the examined states, or None if no method fails."""
    try:
        first = game.initial_state()
    except BaseException as error:
        return f"initial_state() raised {escaped_error(error)}"
    if not is_state(first, first):
        return f"initial_state() returned {short_repr(first)}; a state must be hashable, and cannot be None"
    states = [each for each in _states(frames) if is_state(each, first)]
    if len(states) > MOST_STATES:
        states = [*states[: MOST_STATES // 2], *states[-MOST_STATES // 2 :]]
    for faults in (rule_faults, estimate_faults, display_faults):
        for state in [*states, first]:
            fault = next(faults(game, state), None)
            if fault:
                return fault
    return _met(game, [*states, first], sys.maxsize, SECONDS)


def require_sound(game: AnyGame, state: State, entry: Entry) -> None:
    """Check the rules in a state and in the first few that can follow it.

    A wrong player to move, or a value that is not a number, does not stop a search, but makes the search's result
    wrong.

    Raises:
        FaultError: a method raises an error, or returns what the protocol does not allow.
    """
    fault = _met(game, [state], MOST_STATES, SHORTLY)
    if fault:
        raise FaultError(f"{_from(entry)} failed: {fault}")


def fault_below(game: AnyGame, state: State) -> str | None:
    """Return the first fault of the rules that is found below a state in `SECONDS`, as a sentence; None if there is
    none.

    The nearest states are examined in the first half of the time, and the states of random matches in the second.
    """
    problem = _met(game, [state], sys.maxsize, SECONDS / 2)
    end, dice = time.process_time() + SECONDS / 2, random.Random(0)
    try:
        while problem is None and time.process_time() < end:
            met = state
            while (children := successors(game, met)) and time.process_time() < end:
                met = dice.choice(children)
    except RuleFault as fault:
        return str(fault)
    return problem


def _met(game: AnyGame, states: list[State], most: int, seconds: float) -> str | None:
    """Return the first fault of the rules that is found in states that follow the given states, as long as there is
    time.
    """
    end, waiting, met = time.process_time() + seconds, collections.deque(states), set(states)
    while waiting and most > 0 and time.process_time() < end:
        state, most = waiting.popleft(), most - 1
        try:
            children = successors(game, state)
        except RuleFault as fault:
            return str(fault)
        for child in children:
            if child not in met:
                met.add(child)
                waiting.append(child)
    return None


# ---- searchers that return something else


FIELDS = frozenset(field.name for field in attrs.fields(SearchResult))


def _no_result(error: BaseException, frames: Iterable[FrameType], registry: Offered) -> tuple[Entry, str] | None:
    """Return the searcher that returned no `SearchResult`, with a sentence; None if the fault is a different one."""
    if not isinstance(error, AttributeError) or error.name not in FIELDS:
        return None
    entries = {entry.factory: entry for entry in registry.searchers.values()}
    for frame in reversed(list(frames)):
        for value in frame.f_locals.values():
            for each in (value, value.searcher if hasattr(value, "searcher") else None):
                entry = entries.get(type(each))
                if entry is not None:
                    mistake = f"it returned {short_repr(error.obj)}; it must be a ggp.SearchResult"
                    return entry, f"{_from(entry)} failed: {mistake}"
    return None
