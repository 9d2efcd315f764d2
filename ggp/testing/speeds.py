"""The promise of machine code: each compiled operation returns the same as the game's own method."""

import contextlib
import functools
import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping

import attrs

from ggp import capabilities, compiler
from ggp.compiler import ACTION, INT, STATE, types
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, CapableGame, Ranked, State, capable
from ggp.testing.promises import Examination
from ggp.testing.rule_promises import Observation, close

PROMISE = "machine code"

OF_STATE = ("terminal_test", "to_move", "score", "key", "canonical", "bounds", "value_bounds", "passed")
UNFINISHED = ("to_move", "value_bounds", "passed")
"""Operations that are not called on terminal states."""
OF_ACTION = ("result", "suggest", "quiet")

Call = Callable[..., object]


@attrs.frozen
class Operation:
    """One operation of a game, interpreted and compiled."""

    plain: Call
    fast: Call | None
    """The compiled operation; None if it is not compiled."""
    reason: str = ""
    """Why the operation is not compiled; "" if it is compiled."""

    @property
    def source_line(self) -> str:
        """The file and the line of the operation's source."""
        code = capabilities.code_of(inspect.unwrap(self.plain))
        return f"{code.co_filename.rpartition('/')[2]}:{code.co_firstlineno}" if code else "?"


def operations(game: AnyGame) -> Mapping[str, Operation]:
    """Return the operations of a game by name, compiled if they can be compiled."""
    return dict(_operations(game))


def not_compiled(game: AnyGame) -> dict[str, str]:
    """Return the reasons why operations of a game are not compiled, by name; empty if all are compiled."""
    return {name: each.reason for name, each in operations(game).items() if each.fast is None}


def _operations(game: AnyGame) -> Iterator[tuple[str, Operation]]:
    kinds = _types(game)
    for name in OF_STATE:
        if callable(getattr(game, name, None)):
            yield name, _operation(getattr(game, name), game, kinds, STATE)
    yield "utility", _operation(game.utility, game, kinds, STATE, INT)
    yield "result", attrs.evolve(_operation(_result, game, kinds, game, STATE, ACTION), plain=game.result)
    for name in OF_ACTION[1:]:
        if callable(getattr(game, name, None)):
            yield name, _operation(getattr(game, name), game, kinds, STATE, ACTION)
    yield "actions", attrs.evolve(_operation(_action, game, kinds, game, STATE, INT), plain=game.actions)
    if capabilities.is_stochastic(game):
        outcomes = capable(game).outcomes
        yield "outcomes", attrs.evolve(_operation(_probability, game, kinds, game, STATE, INT), plain=outcomes)
    for name, evaluation in capabilities.evaluations(game).items():
        yield f"evaluation {name}", _operation(evaluation.function, game, kinds, STATE)
    ranking = game.ranking if isinstance(game, Ranked) else None
    if ranking is not None:
        yield "layer", _operation(ranking.layer, game, kinds, STATE)
        yield "rank", _operation(ranking.rank, game, kinds, STATE)
        yield "unrank", _operation(ranking.unrank, game, kinds, INT, INT, INT)


def _types(game: AnyGame) -> tuple[compiler.Type, compiler.Type]:
    """Return the types of all states and actions. The types of the first states are not enough: where one state has
    None, for example, another state may have a number.
    """
    with contextlib.suppress(compiler.Refused, compiler.NotRepresentable):
        match compiler.result_type(_ply, game, STATE, INT, game=game):
            case types.Optional(item=types.Tuple(items=(action, state))) if types.BOTTOM not in (action, state):
                return state, action
    return STATE, ACTION


def _ply(game: AnyGame, state: State, index: int) -> object:
    """Return the action with this index, and the state after it; None after the last action."""
    for at, action in enumerate(game.actions(state)):
        if at == index:
            return action, game.result(state, action)
    return None


def _result(game: AnyGame, state: State, action: Action) -> object:
    """Return the state after an action."""
    return game.result(state, action)


def _operation(call: Call, game: AnyGame, kinds: tuple[compiler.Type, compiler.Type], *arguments: object) -> Operation:
    """Compile a function, or a method of an object that is known when compiling.

    Arguments:
        kinds: the types of states and actions. If the function cannot be compiled for these types, it is compiled for
            STATE and ACTION, as in searches.
    """
    leading: tuple[object, ...] = ()
    function: object = call
    if isinstance(function, functools.partial) and not function.keywords:
        leading, function = function.args, function.func
    if inspect.ismethod(function):
        leading, function = (function.__self__, *leading), function.__func__
    if not inspect.isfunction(function):
        return Operation(call, None, f"{function!r} is not a Python function")
    typed = [kinds[0] if each is STATE else kinds[1] if each is ACTION else each for each in arguments]
    reason = ""
    for given in (typed, arguments) if typed != [*arguments] else (typed,):
        try:
            code = compiler.compile(function, *leading, *given, game=game)
        except (compiler.Refused, compiler.NotRepresentable) as refused:
            reason = reason or str(refused)
        else:
            return Operation(call, functools.partial(code, code.variables()))
    return Operation(call, None, reason)


def _action(game: AnyGame, state: State, index: int) -> object:
    """Return the action with this index; None after the last action."""
    for at, action in enumerate(game.actions(state)):
        if at == index:
            return action
    return None


def _probability(game: CapableGame, state: State, index: int) -> object:
    """Return the probability of the outcome with this index; -1 after the last outcome."""
    for at, (_, probability) in enumerate(game.outcomes(state)):
        if at == index:
            return probability
    return -1.0


class MachineCode:
    """The compiled operations of a game, to compare with the game."""

    def __init__(self, game: AnyGame) -> None:
        self._game = capable(game)
        self._operations = {name: each for name, each in operations(game).items() if each.fast}

    def check(self, exam: Examination, state: State, seen: Observation) -> None:
        """Check that every operation returns the same at both speeds, for one state and its actions."""
        over, mover, actions, _ = seen
        exam.at(state)
        for name in OF_STATE:
            if not (over and name in UNFINISHED):
                self._compare(exam, name, state)
        if over:
            for player in (MAX, MIN):
                self._compare(exam, "utility", state, player)
            return
        for name in self._operations:
            if name.startswith("evaluation "):
                self._compare(exam, name, state)
        self._compare_listed(exam, "actions", state, [*actions, None])
        if mover == CHANCE:
            self._compare_listed(exam, "outcomes", state, [*(share for _, share in self._game.outcomes(state)), -1.0])
        self._check_ranking(exam, state)
        for action in actions:
            exam.at(state, action)
            for name in OF_ACTION if mover != CHANCE else OF_ACTION[:1]:
                self._compare(exam, name, state, action)

    def _check_ranking(self, exam: Examination, state: State) -> None:
        ranking = self._game.ranking if isinstance(self._game, Ranked) else None
        if ranking is not None and ranking.sections(ranking.layer(state)):
            self._compare(exam, "layer", state)
            self._compare(exam, "rank", state)
            self._compare(exam, "unrank", ranking.layer(state), *ranking.rank(state))

    def _compare(self, exam: Examination, name: str, *arguments: object) -> None:
        operation = self._operations.get(name)
        if operation is not None:
            self._expect(exam, name, operation, operation.plain(*arguments), *arguments)

    def _compare_listed(self, exam: Examination, name: str, state: State, wanted: list[object]) -> None:
        """Compare the items of a list one by one, and then the value that marks the end of the list."""
        operation = self._operations.get(name)
        if operation is not None:
            for index, each in enumerate(wanted):
                self._expect(exam, name, operation, each, state, index)

    def _expect(self, exam: Examination, name: str, operation: Operation, wanted: object, *arguments: object) -> None:
        assert operation.fast is not None
        with exam.answering(PROMISE):
            try:
                actual = operation.fast(*arguments)
            except (compiler.Fault, compiler.NotRepresentable):
                return  # it has noticed that it cannot go on; a search is then repeated interpreted
        method = operation.source_line
        exam.expect(
            PROMISE, _equal(actual, wanted), "{} ({}) returns {}, but {} if interpreted", name, method, actual, wanted
        )


def _equal(actual: object, wanted: object) -> bool:
    if isinstance(actual, float) and isinstance(wanted, (int, float)):
        return actual == wanted or close(actual, wanted)
    if isinstance(wanted, tuple) and type(actual) is type(wanted):
        return len(actual) == len(wanted) and all(itertools.starmap(_equal, zip(actual, wanted, strict=True)))
    return bool(actual == wanted)
