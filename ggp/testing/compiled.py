"""The promises of the compiled form: positions against states, then machine code against positions."""

import itertools
from collections.abc import Callable
from typing import Any

from ggp import capabilities
from ggp.game import CHANCE, Bounded, Compiled, CompiledForm, Scored
from ggp.testing.promises import Examination
from ggp.testing.rules import Observation, close

PROMISE = "compiled form"


def form_of(exam: Examination) -> CompiledForm | None:
    """The game's compiled form, uncompiled; None if it has none."""
    if not isinstance(exam.game, Compiled):
        return None
    with exam.answering(PROMISE):
        form = exam.game.compiled(lambda function: function)
    exam.expect(PROMISE, isinstance(form, CompiledForm), "compiled answers {}", form)
    return form


class Positions:
    """A compiled form beside the game that it is of."""

    def __init__(self, form: CompiledForm) -> None:
        self.form = form
        self._sizes: dict[str, int] = {}
        self._keys: dict[Any, Any] = {}

    def check(self, exam: Examination, state: Any, seen: Observation) -> tuple[int, ...] | None:
        """Hold the position of a state, and all steps from it, to agree with the game; None if it does not fit."""
        exam.at(state)
        position = _encoded(self.form, state)
        if position is None:
            return None
        self._check_integers(exam, "position", position)
        back = self.form.decode(position)
        exam.expect(PROMISE, back == state, "{} is decoded as {}, and it is {}", position, back, state)
        over = bool(self.form.terminal_test(position))
        exam.expect(PROMISE, over == seen[0], "terminal_test disagrees")
        self._check_estimates(exam, state, position, over)
        if over:
            found = self.form.utility(position)
            exam.expect(PROMISE, close(found, seen[3]), "the utility is {}, and to the game {}", found, seen[3])
        else:
            self._check_moves(exam, state, position, seen)
        return position

    def _check_moves(self, exam: Examination, state: Any, position: tuple[int, ...], seen: Observation) -> None:
        _, mover, actions, _ = seen
        exam.expect(PROMISE, self.form.to_move(position) == mover, "to_move disagrees")
        numbers = list(self.form.actions(position))
        decoded = tuple(self.form.decode_action(state, number) for number in numbers)
        exam.expect(PROMISE, decoded == actions, "the actions are {}, and to the game {}", decoded, actions)
        for number, action in zip(numbers, actions, strict=True):
            self._check_step(exam, state, position, number, action)
        if mover == CHANCE:
            self._check_outcomes(exam, state, position, numbers)

    def _check_integers(self, exam: Examination, what: str, value: Any) -> None:
        good = isinstance(value, tuple) and all(type(part) is int and -(2**63) <= part < 2**63 for part in value)
        exam.expect(PROMISE, good, "the {} is {}, and has to be a tuple of integers of 64 bits", what, value)
        size = self._sizes.setdefault(what, len(value))
        exam.expect(PROMISE, len(value) == size, "a {} has {} members here and had {} before", what, len(value), size)

    def _check_step(self, exam: Examination, state: Any, position: tuple[int, ...], number: Any, action: Any) -> None:
        exam.at(state, action)
        again = self.form.encode_action(state, action)
        exam.expect(PROMISE, again == number, "the action is encoded as {}, and listed as {}", again, number)
        child, wanted = self.form.decode(self.form.result(position, number)), exam.game.result(state, action)
        exam.expect(PROMISE, child == wanted, "the action leads to {}, and by the game's rules to {}", child, wanted)
        if self.form.suggest is not None:
            worth = self.form.suggest(position, number)
            exam.expect(PROMISE, type(worth) is int, "suggest answers {}, and has to answer an integer", worth)

    def _check_outcomes(self, exam: Examination, state: Any, position: tuple[int, ...], numbers: list[Any]) -> None:
        exam.at(state)
        exam.expect(PROMISE, self.form.outcomes is not None, "CHANCE is to move, and the form has no outcomes")
        found = list(self.form.outcomes(position))  # type: ignore[misc]
        exam.expect(PROMISE, [number for number, _ in found] == numbers, "the outcomes are {}", found)
        wanted = [probability for _, probability in exam.game.outcomes(state)]  # type: ignore[attr-defined]
        same = all(close(ours, theirs) for (_, ours), theirs in zip(found, wanted, strict=True))
        exam.expect(PROMISE, same, "the outcomes are {}, and to the game their probabilities are {}", found, wanted)

    def _check_estimates(self, exam: Examination, state: Any, position: tuple[int, ...], over: bool) -> None:
        form, game = self.form, exam.game
        if form.bounds is not None:
            exam.expect(PROMISE, isinstance(game, Bounded), "the form has bounds, and the game has none")
            ours, theirs = form.bounds(position), game.bounds(state)  # type: ignore[attr-defined]
            same = all(ours[i] == theirs[i] or close(ours[i], theirs[i]) for i in (0, 1))
            exam.expect(PROMISE, same, "the bounds are {}, and to the game {}", ours, theirs)
        if form.key is not None and form.score is not None:
            exam.expect(PROMISE, isinstance(game, Scored), "the form has score and key, and the game has none")
            self._check_key(exam, state, position)
        if over:
            return
        offered = capabilities.evaluations(game)
        for name, evaluate in form.evaluations.items():
            exam.expect(PROMISE, name in offered, "the game has no evaluation {}", name)
            same = close(evaluate(position), offered[name](state))
            exam.expect(PROMISE, same, "{} is {}, and to the game {}", name, evaluate(position), offered[name](state))

    def _check_key(self, exam: Examination, state: Any, position: tuple[int, ...]) -> None:
        game: Any = exam.game
        score, key = self.form.score(position), self.form.key(position)  # type: ignore[misc]
        exam.expect(
            PROMISE, close(score, game.score(state)), "the score is {}, to the game {}", score, game.score(state)
        )
        self._check_integers(exam, "key", key)
        same = self._keys.setdefault(key, game.key(state)) == game.key(state)
        exam.expect(PROMISE, same, "the key {} stands for two of the game's keys", key)


class MachineCode:
    """The operations on positions run by Numba, beside the same uncompiled."""

    def __init__(self, plain: CompiledForm, fast: CompiledForm) -> None:
        import numba

        self._operations: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}
        for name in ("terminal_test", "to_move", "utility", "result", "score", "key", "bounds", "suggest"):
            if getattr(plain, name) is not None:
                self._operations[name] = (getattr(plain, name), _jitted(numba.njit, getattr(fast, name)))
        for name in ("actions", "outcomes"):
            if getattr(plain, name) is not None:
                listed = (_listing(getattr(plain, name)), numba.njit(_listing(getattr(fast, name))))
                self._operations[name] = listed
        for name, evaluate in plain.evaluations.items():
            self._operations["evaluation " + name] = (evaluate, _jitted(numba.njit, fast.evaluations[name]))
        self._ranking = plain.ranking
        if plain.ranking and fast.ranking:
            for name in ("grade", "place"):
                compiled = _jitted(numba.njit, getattr(fast.ranking, name))
                self._operations["ranking " + name] = (getattr(plain.ranking, name), compiled)

    def check(self, exam: Examination, position: tuple[int, ...], seen: Observation) -> None:
        """Hold every operation on one position to answer the same at both speeds."""
        over, mover, _, _ = seen
        asked = ["terminal_test", "score", "key", "bounds"]
        asked += ["utility"] if over else ["to_move", "actions"]
        asked += ["outcomes"] if mover == CHANCE else []
        asked += [] if over else [name for name in self._operations if name.startswith("evaluation ")]
        asked += ["ranking grade", "ranking place"] if not over and self._is_numbered(position) else []
        for name in asked:
            self._compare(exam, name, position)
        for number in () if over else self._operations["actions"][0](position):
            for name in ("result", "suggest"):
                self._compare(exam, name, position, number)

    def _is_numbered(self, position: tuple[int, ...]) -> bool:
        return self._ranking is not None and bool(self._ranking.sections(self._ranking.grade(position)))

    def _compare(self, exam: Examination, name: str, *arguments: Any) -> None:
        if name not in self._operations:
            return
        plain, fast = self._operations[name]
        wanted = plain(*arguments)
        try:
            found = fast(*arguments)
        except Exception as error:
            first = " ".join(str(error).split())[:400]
            raise exam.breach("machine code", f"{name} fails with {type(error).__name__}: {first}") from error
        same = _equal(found, wanted)
        exam.expect("machine code", same, "{} answers {}, and uncompiled {}", name, found, wanted)


def machine_code(exam: Examination, plain: CompiledForm) -> MachineCode | None:
    """The game run by Numba; None where Numba is not installed."""
    try:
        from numba.extending import register_jitable
    except ImportError:
        return None
    game: Any = exam.game
    with exam.answering("machine code"):
        return MachineCode(plain, game.compiled(register_jitable))


def _encoded(form: CompiledForm, state: Any) -> tuple[int, ...] | None:
    """The position of `state`, None if it does not fit."""
    try:
        return form.encode(state)
    except OverflowError:
        return None


def _jitted(compile: Callable[[Any], Any], function: Any) -> Any:
    """`function`, which only compiled code may reach, as something that can be called from here."""

    def call(*arguments: Any) -> Any:
        return function(*arguments)

    return compile(call)


def _listing(generate: Any) -> Callable[[Any], list[Any]]:
    def listed(position: Any) -> list[Any]:
        return [each for each in generate(position)]  # noqa: C416 - Numba lists what a loop draws

    return listed


def _equal(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, (list, tuple)):
        return len(found) == len(wanted) and all(itertools.starmap(_equal, zip(found, wanted, strict=True)))
    return bool(found == wanted or close(found, wanted))
