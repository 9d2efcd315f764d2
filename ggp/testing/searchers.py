"""Check searchers against their contract and against plain minimax."""

import functools
import math
import random
from collections.abc import Callable, Iterable, Iterator

from ggp import capabilities
from ggp.errors import UnsupportedGameError, UsageError
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.searcher import Limits, Searcher, SearchResult
from ggp.testing.promises import SEARCHER_PROMISES, Examination, Snapshot
from ggp.testing.reference import minimax_value
from ggp.testing.rule_promises import close
from ggp.testing.trees import random_tree

Check = Callable[[Examination, Searcher, State, Limits], None]


def check_searcher(
    searcher: Searcher, game: AnyGame | None = None, *, limits: Limits = Limits(), examples: int = 50
) -> None:
    """Check the contract of a searcher, however well it plays.

    Arguments:
        game: the game to search, from its initial state (default: `examples` random trees with and without chance).
        limits: the limits of each search.

    Raises:
        ConformanceError: a promise is broken; the message names it, the state and the action.
    """
    _check_all((_check_contract,), searcher, game, limits, examples)


def check_exact_searcher(
    searcher: Searcher, game: AnyGame | None = None, *, limits: Limits = Limits(), examples: int = 50
) -> None:
    """Check the contract of a searcher, and that its values are those of plain minimax. The arguments are those of
    `check_searcher`.

    Raises:
        ConformanceError: a promise is broken; the message names it, the state and the action.
        UsageError: the limits include seconds or nodes.
    """
    _depth(limits)
    _check_all((_check_contract, _check_exact), searcher, game, limits, examples)


def check_searchers_agree(
    game: AnyGame, state: State, searchers: Iterable[Searcher], limits: Limits = Limits()
) -> float:
    """Check that `searchers` find the value of plain minimax in `state`, and return that value. Searchers that cannot
    search the game are skipped.

    Raises:
        ConformanceError: a searcher breaks a promise; the message names searcher, state and action.
        UsageError: the limits include seconds or nodes, or none of the searchers can search the game.
    """
    depth = _depth(limits)
    able = [searcher for searcher in searchers if searcher.unsupported_reason(game) is None]
    if not able:
        raise UsageError(f"none of the searchers serves {game.name}")
    for searcher in able:
        exam = _examination(searcher, game, game.name)
        with exam.answering():
            _check_contract(exam, searcher, state, limits)
            _check_exact(exam, searcher, state, limits)
    return minimax_value(game, state, depth, capabilities.evaluation(game))


def _check_all(
    checks: Iterable[Check], searcher: Searcher, game: AnyGame | None, limits: Limits, examples: int
) -> None:
    for place, each in ((game.name, game),) if game is not None else _trees(examples):
        exam = _examination(searcher, each, place)
        with exam.answering():
            if _check_refusal(exam, searcher, limits):
                for check in checks:
                    check(exam, searcher, each.initial_state(), limits)
                    check(exam, searcher, _end(each), limits)


def _trees(examples: int) -> Iterator[tuple[str, AnyGame]]:
    for seed in range(examples):
        yield f"random_tree(random.Random({seed}))", random_tree(random.Random(seed))
        place = f"random_tree(random.Random({seed}), stochastic=True)"
        yield place, random_tree(random.Random(seed), stochastic=True)


def _end(game: AnyGame) -> State:
    """Return the state after always playing the first action, to the end of the game or for very many plies."""
    state: State = game.initial_state()
    for _ in range(1000):
        if game.terminal_test(state):
            break
        state = game.result(state, next(iter(game.actions(state))))
    return state


def _examination(searcher: Searcher, game: AnyGame, place: str) -> Examination:
    name = getattr(searcher, "name", type(searcher).__name__)
    return Examination(game, SEARCHER_PROMISES, f"{name} on {place}")


def _check_refusal(exam: Examination, searcher: Searcher, limits: Limits) -> bool:
    """Return whether the searcher can search the game; fail if it refuses without a reason."""
    name = getattr(searcher, "name", None)
    good = isinstance(name, str) and name and name == name.lower() and not any(map(str.isspace, name))
    exam.expect("name", good, "the name is {}", name)
    reason = searcher.unsupported_reason(exam.game)
    if reason is None:
        return True
    exam.expect("refusal", isinstance(reason, str) and reason, "unsupported_reason returns {}", repr(reason))
    for ask in (searcher.search, searcher.analyse):
        with exam.answering("refusal"):
            try:
                ask(exam.game, exam.game.initial_state(), limits)
            except UnsupportedGameError as error:
                exam.expect("refusal", str(error), "it is refused without a message")
            else:
                raise exam.breach("refusal", f"unsupported_reason returns {reason!r}, and yet it searches")
    return False


def _check_contract(exam: Examination, searcher: Searcher, state: State, limits: Limits) -> None:
    """Check the promises for the results of every searcher."""
    exam.at(state)
    before = Snapshot(state)
    found = searcher.search(exam.game, state, limits)
    analysed = searcher.analyse(exam.game, state, limits)
    exam.expect("purity", before.same(), "the search changed the state: it was {}", before.text)
    for result in (found, analysed):
        _check_result(exam, state, result)
    _check_values(exam, state, analysed)
    short = searcher.search(exam.game, state, Limits(nodes=1))
    stopped = short.stopped is None or not short.complete
    exam.expect("limits", stopped, "it was stopped by {}, and says that it is complete", short.stopped)


def _check_result(exam: Examination, state: State, result: SearchResult) -> None:
    game, counted = exam.game, result.statistics
    exam.expect("value", math.isfinite(result.value), "the value is {}", result.value)
    exam.expect("statistics", counted.nodes >= 1, "{} states were entered", counted.nodes)
    fewer = counted.leaves <= counted.nodes
    exam.expect("statistics", fewer, "{} leaves among {} states", counted.leaves, counted.nodes)
    if game.terminal_test(state):
        right = game.utility(state, MAX)
        exam.expect("value", close(result.value, right), "the utility is {}, the value {}", right, result.value)
    choices = _choices(game, state)
    if not choices:
        exam.expect("action", result.action is None, "no player is to move, yet the action is {}", result.action)
    else:
        exam.expect("action", result.action in choices, "{} is not one of {}", result.action, choices)
    line = result.principal_variation
    begins = not line or line[0] == result.action
    exam.expect("principal variation", begins, "{} does not begin with {}", line, result.action)
    with exam.answering("principal variation"):
        capabilities.play(game, state, line)


def _choices(game: AnyGame, state: State) -> tuple[Action, ...]:
    """Return the actions that a player may choose; none if the game is over or CHANCE moves."""
    over = game.terminal_test(state) or game.to_move(state) == CHANCE
    return () if over else tuple(game.actions(state))


def _check_values(exam: Examination, state: State, result: SearchResult) -> None:
    legal = capabilities.legal_actions(exam.game, state)
    values = result.values or {}
    exam.expect("values", tuple(values) == legal, "the values are {}, the actions {}", result.values, legal)
    exam.expect("values", all(map(math.isfinite, values.values())), "the values are {}", values)
    if _choices(exam.game, state):
        top = (max if exam.game.to_move(state) == MAX else min)(values.values())
        best = tuple(action for action, value in values.items() if close(value, top))
        exam.expect("best actions", result.best_actions == best, "they are {}, not {}", result.best_actions, best)


def _check_exact(exam: Examination, searcher: Searcher, state: State, limits: Limits) -> None:
    """Check the promises for the results of a searcher that finds the minimax value."""
    exam.at(state)
    game, depth = exam.game, _depth(limits)
    reference = functools.partial(minimax_value, game, evaluate=capabilities.evaluation(game))
    right = reference(state, depth)
    found = searcher.search(game, state, limits)
    exam.expect("exactness", found.complete, "the search is not complete: stopped by {}", found.stopped)
    exam.expect("exactness", close(found.value, right), "the value is {}, and minimax's {}", found.value, right)
    line = found.principal_variation
    worth = reference(capabilities.play(game, state, line), _deeper(depth, len(line)))
    exam.expect("exact variation", close(worth, right), "{} leads to {}, not to {}", line, worth, right)
    for action, value in (searcher.analyse(game, state, limits).values or {}).items():
        exam.at(state, action)
        wanted = reference(game.result(state, action), _deeper(depth, 1))
        exam.expect("exact values", close(value, wanted), "its value is {}, and minimax's {}", value, wanted)


def _depth(limits: Limits) -> int | None:
    """Return the depth limit; raise UsageError if there are limits of another kind."""
    if limits.seconds is not None or limits.nodes is not None:
        raise UsageError("exact values need a limit of depth only: leave out seconds and nodes")
    return limits.depth


def _deeper(depth: int | None, plies: int) -> int | None:
    return None if depth is None else depth - plies
