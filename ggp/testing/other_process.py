"""The promise that a game is the same in every process: texts have other hashes there, and objects other addresses."""

import ast
import importlib.machinery
import importlib.util
import marshal
import os
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from ggp.errors import GGPError
from ggp.game import AnyGame, State
from ggp.testing.answer_promises import Answers, answers, expect_same
from ggp.testing.promises import Examination

PROMISE: Final = "processes"
PROCESSES: Final = 2
"""Number of other processes if actions are texts; if not, there is one other process."""
SEEDS: Final = range(1, 9)
"""The seeds of hashes from which `_seeds` chooses."""
PATIENCE: Final = 120
"""Maximum number of seconds for an answer of the other process."""


class UnansweredError(GGPError):
    """The other process cannot load the game, for example because this game is defined in a function, or was typed into
    an interpreter.
    """


def check_other_process(exam: Examination, given: Sequence[tuple[State, Answers]]) -> None:
    """Check that a new process gives the same answers when it gets the states in the opposite order.

    If the new process cannot load the game, nothing is checked here: there is another promise that the game can be
    pickled.
    """
    portable = [(state, before) for state, before in reversed(given) if _survives(state)]
    listed = [each for _, before in given if isinstance(each := before.get("actions", ()), tuple)]
    for seed in _seeds(listed)[:PROCESSES]:
        exam.at(portable[0][0] if portable else exam.game.initial_state())
        try:
            answers = _ask(exam, [state for state, _ in portable], seed)
        except UnansweredError:
            return
        for (state, before), now in zip(portable, answers, strict=True):
            exam.at(state)
            if isinstance(now, str):
                raise exam.breach(PROMISE, f"in a new process it raised {now}")
            common = {name: each for name, each in before.items() if name in now and _survives(each)}
            expect_same(exam, PROMISE, state, now, common, "in a new process")


def _seeds(listed: Sequence[tuple[object, ...]]) -> list[int]:
    """Return seeds of hashes, best first.

    The best seeds change the order of actions most, in sets and when sorted by hash, compared with this process.

    A small set often has the same order under two seeds, so several seeds are tried, in interpreters that import
    nothing.
    """
    texts = [actions for actions in dict.fromkeys(listed) if _holds_texts(actions)]
    if not texts:
        return [SEEDS[0]]  # nothing tells which seed is best, and a process takes a third of a second
    here = [order for each in texts for order in (list(set(each)), sorted(each, key=hash))]
    command = """if 1:
        import marshal, sys
        texts = marshal.load(sys.stdin.buffer)
        print([order for each in texts for order in (list(set(each)), sorted(each, key=hash))])
    """
    differences = {}
    for seed in SEEDS:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        ended = subprocess.run(  # noqa: S603 - our own
            [sys.executable, "-S", "-c", command],
            input=marshal.dumps(texts),
            env=environment,
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
        there = ast.literal_eval(ended.stdout.decode())
        differences[seed] = sum(ours != theirs for ours, theirs in zip(here, there, strict=True))
    return sorted(SEEDS, key=lambda seed: -differences[seed])


def _holds_texts(actions: tuple[object, ...]) -> bool:
    """Return whether actions are of types that a bare interpreter knows, and their hashes depend on the seed."""
    try:
        is_literal = ast.literal_eval(repr(actions)) == actions and len(actions) > 1
    except (ValueError, SyntaxError):
        return False
    return is_literal and ("'" in repr(actions) or '"' in repr(actions))


def _survives(value: object) -> bool:
    """Return whether a value that was pickled and loaded equals the original."""
    try:
        return bool(pickle.loads(pickle.dumps(value)) == value)  # noqa: S301 - pickled on the spot
    except Exception:
        return False


def _ask(exam: Examination, states: list[State], seed: int) -> list[Answers | str]:
    """Return the answers of a new process for each state. If a method raised an error, return the error in words."""
    try:
        import cloudpickle as pickler  # type: ignore[import-untyped]  # classes of the main program, too, which a new process cannot import
    except ImportError:
        pickler = pickle
    try:
        asked = pickler.dumps((exam.game, states))
    except Exception as error:
        raise UnansweredError(str(error)) from error
    command = [sys.executable, "-c", f"from {__name__} import answer; answer()"]
    try:
        ended = subprocess.run(  # noqa: S603 - our own
            command,
            input=pickle.dumps((sys.path, _files(exam.game), asked)),
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise exam.breach(PROMISE, f"a new process has not answered within {PATIENCE} seconds") from None
    if ended.returncode:
        raise UnansweredError(ended.stderr.decode(errors="replace"))
    return list(pickle.loads(ended.stdout))  # noqa: S301 - from our own process


def _files(game: AnyGame) -> dict[str, str]:
    """Return the modules of the game that were loaded from the path of a file, and that Python does not find
    by name.
    """
    files = {}
    for name in {cls.__module__ for cls in type(game).__mro__} - {"__main__"}:
        path = vars(sys.modules[name]).get("__file__") if name in sys.modules else None
        if path and "." not in name and importlib.machinery.PathFinder.find_spec(name) is None:
            files[name] = str(pathlib.Path(path).absolute())
    return files


def answer() -> None:
    """Read a game and states from standard input, and write the answers to standard output."""
    output, sys.stdout = sys.stdout, sys.stderr  # what a plugin prints is no answer
    paths, files, asked = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - from the process that started this one
    sys.path[:] = paths
    for name, path in files.items():
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    game, states = pickle.loads(asked)  # noqa: S301 - from the process that started this one
    output.buffer.write(pickle.dumps([_answered(game, state) for state in states]))


def _answered(game: AnyGame, state: State) -> Answers | str:
    """Return the answers that can be sent, or the error in words."""
    try:
        answered = answers(game, state)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return {name: each for name, each in answered.items() if _survives(each)}
