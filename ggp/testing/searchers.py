"""Check searchers against their contract and against plain minimax."""

import contextlib
import functools
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator

from ggp import capabilities
from ggp.errors import ConformanceError, UnsupportedGameError, UsageError
from ggp.game import CHANCE, MAX, Action, AnyGame, Bounded, State
from ggp.searcher import Limits, Searcher, SearchResult, stop_when
from ggp.testing.awkward import OverrunError, ProtocolError, Thicket, random_awkward_graph
from ggp.testing.promises import SEARCHER_PROMISES, Examination, Snapshot
from ggp.testing.reference import minimax_value, value_to_the_end
from ggp.testing.rule_promises import close
from ggp.testing.trees import random_tree

Check = Callable[[Examination, Searcher, State, Limits], None]

DEPTHS = 4
"""The greatest depth, in plies, of searches whose limits are not given."""
STATES = 2000
"""Maximum number of states of a search in a game that is too large to be searched to its end."""
SECONDS = 0.02
"""Maximum seconds of a search in such a large game."""
OVERRUN = 200_000
"""A search with the limit `STATES` or `SECONDS` must enter fewer states than this.

The number is a hundred times the limit of states, and far above what an interpreted game reaches in the limit of time.
"""
EARLY_ENDS = frozenset({"seconds", "nodes", "interrupt"})
"""Reasons that a result may give for an early end."""


def check_searcher(
    searcher: Searcher, game: AnyGame | None = None, *, limits: Limits | None = None, examples: int = 50
) -> None:
    """Check the contract of a searcher, however well it plays.

    Arguments:
        game: the game to search, from its initial state (default: `examples` random trees and as many awkward graphs,
            each with and without chance; see `ggp.testing.awkward`).
        limits: the limits of each search (default: each game is searched to its end, and to a depth of 1 to 4 plies).

    Raises:
        ConformanceError: a promise is broken; the message names it, the state and the action.
    """
    _check_all((_check_contract,), searcher, game, limits, examples)


def check_exact_searcher(
    searcher: Searcher, game: AnyGame | None = None, *, limits: Limits | None = None, examples: int = 50
) -> None:
    """Check the contract of a searcher, and that its values are those of plain minimax. The arguments are those of
    `check_searcher`.

    Raises:
        ConformanceError: a promise is broken; the message names it, the state and the action.
        UsageError: the limits include seconds or nodes.
    """
    _depth(limits or Limits())
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
        raise UsageError(f"none of the searchers can search {game.name}")
    for searcher in able:
        exam = _examination(searcher, game, game.name)
        with exam.answering():
            _check_contract(exam, searcher, state, limits)
            _check_exact(exam, searcher, state, limits)
    return minimax_value(game, state, depth, capabilities.evaluation(game))


def _check_all(
    checks: Iterable[Check], searcher: Searcher, game: AnyGame | None, limits: Limits | None, examples: int
) -> None:
    for number, (index, each) in enumerate([(game.name, game)] if game is not None else _games(examples)):
        exam = _examination(searcher, each, index)
        with exam.answering(), _protocol_kept(exam):
            if not _check_refusal(exam, searcher, limits or Limits()):
                continue
            for limit in (limits,) if limits else (Limits(), Limits(depth=1 + number // 4 % DEPTHS)):
                for check in checks:
                    check(exam, searcher, each.initial_state(), limit)
                    check(exam, searcher, _end(each), limit)
    if game is None:
        _check_limits(searcher)


def _games(examples: int) -> Iterator[tuple[str, AnyGame]]:
    """Yield random games, each with the expression that makes it again."""
    makers: tuple[Callable[..., AnyGame], ...] = (random_tree, random_awkward_graph)
    for seed, make, chance in itertools.product(range(examples), makers, (False, True)):
        with_chance = ", stochastic=True" if chance else ""
        yield f"{make.__name__}(random.Random({seed}){with_chance})", make(random.Random(seed), stochastic=chance)


@contextlib.contextmanager
def _protocol_kept(exam: Examination) -> Iterator[None]:
    """Report a wrong call that the game notices as a broken promise of the searcher."""
    try:
        yield
    except ConformanceError as error:
        cause = error.__cause__
        while cause is not None and not isinstance(cause, ProtocolError):
            cause = cause.__cause__ or cause.__context__
        if cause is None:
            raise
        raise exam.breach("protocol", str(cause)) from error
    except ProtocolError as error:
        raise exam.breach("protocol", str(error)) from error


def _check_limits(searcher: Searcher) -> None:
    """Check that each limit, and a request to stop, end the search of a game that is too large."""
    if searcher.unsupported_reason(Thicket(0)) is not None:
        return
    for limits in (Limits(nodes=STATES), Limits(seconds=SECONDS), Limits(depth=2, nodes=STATES)):
        _check_limit(searcher, limits, Thicket(OVERRUN), str(limits))
    game = Thicket(OVERRUN)
    with stop_when(lambda: game.entered > STATES):
        _check_limit(searcher, Limits(), game, "a request to stop")


def _check_limit(searcher: Searcher, limits: Limits, game: Thicket, limit: str) -> None:
    """Check that a search of a large game ends by a limit, and says that it is not complete."""
    state = game.initial_state()
    exam = _examination(searcher, game, "Thicket")
    exam.at(state)
    try:
        with exam.answering():
            result = searcher.search(game, state, limits)
    except ConformanceError as error:
        if isinstance(error.__cause__, OverrunError):
            raise exam.breach("limits", f"the limit is {limit}: {error.__cause__}") from error
        raise
    _check_result(exam, state, result, limits)
    if limits.depth is None and result.complete:
        # a searcher may look at few states by its nature, whatever the limits: then it has entered few
        exam.expect("limits", game.entered <= STATES, "the limit is {}, but the search says that it is complete", limit)
    spent = result.statistics.nodes
    within = limits.nodes is None or spent <= 2 * limits.nodes
    exam.expect("limits", within, "the limit is {}, and {} states were entered", limit, spent)


def _end(game: AnyGame) -> State:
    """Return the state after always playing the first action, to the end of the game or for very many plies."""
    state: State = game.initial_state()
    for _ in range(1000):
        if game.terminal_test(state):
            break
        state = game.result(state, next(iter(game.actions(state))))
    return state


def _examination(searcher: Searcher, game: AnyGame, where: str) -> Examination:
    name = capabilities.name_of(searcher) or type(searcher).__name__
    return Examination(game, SEARCHER_PROMISES, f"{name} on {where}")


def _check_refusal(exam: Examination, searcher: Searcher, limits: Limits) -> bool:
    """Return whether the searcher can search the game; it must give a reason if it refuses."""
    name = capabilities.name_of(searcher)
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
                exam.expect("refusal", str(error), "the game is refused without a message")
            else:
                raise exam.breach("refusal", f"unsupported_reason returns {reason!r}, and yet it searches")
    return False


def _check_contract(exam: Examination, searcher: Searcher, state: State, limits: Limits) -> None:
    """Check the promises for the results of every searcher."""
    exam.at(state)
    before = Snapshot(state)
    answer = searcher.search(exam.game, state, limits)
    analysed = searcher.analyse(exam.game, state, limits)
    exam.expect("purity", before.same(), "the search changed the state: it was {}", before.text)
    for result in (answer, analysed):
        _check_result(exam, state, result, limits)
    _check_values(exam, state, analysed)
    _check_result(exam, state, searcher.search(exam.game, state, Limits(nodes=1)), Limits(nodes=1))


def _check_result(exam: Examination, state: State, result: SearchResult, limits: Limits) -> None:
    """Check the promises for one result."""
    game = exam.game
    exam.expect("value", math.isfinite(result.value), "the value is {}", result.value)
    _check_statistics(exam, state, result)
    _check_early_end(exam, result)
    if game.terminal_test(state):
        right = game.utility(state, MAX)
        exam.expect("value", close(result.value, right), "the utility is {}, but the value is {}", right, result.value)
    choices = _choices(game, state)
    if not choices:
        exam.expect("action", result.action is None, "no player is to move, yet the action is {}", result.action)
    else:
        exam.expect("action", result.action in choices, "{} is not one of {}", result.action, choices)
    _check_line(exam, state, result)


def _check_statistics(exam: Examination, state: State, result: SearchResult) -> None:
    """Check that the counts of a search are possible."""
    counted = result.statistics
    exam.expect("statistics", counted.nodes >= 1, "{} states were entered", counted.nodes)
    for name in ("leaves", "cutoffs"):
        fewer = 0 <= getattr(counted, name) <= counted.nodes
        exam.expect("statistics", fewer, "{} {} among {} states", getattr(counted, name), name, counted.nodes)
    for name in ("depth", "table_hits", "extra_nodes", "seconds", "compile_seconds"):
        number = getattr(counted, name)
        exam.expect("statistics", 0 <= number < math.inf, "{} is {}", name, number)


def _check_early_end(exam: Examination, result: SearchResult) -> None:
    """Check that a search that was stopped says so, by a reason of the protocol."""
    is_declared = result.stopped is None or result.stopped in EARLY_ENDS
    exam.expect(
        "limits",
        is_declared,
        "the search was stopped by {}, which is not one of {}",
        result.stopped,
        sorted(EARLY_ENDS),
    )
    honest = result.stopped is None or not result.complete
    exam.expect("limits", honest, "the search was stopped by {}, but says that it is complete", result.stopped)


def _check_line(exam: Examination, state: State, result: SearchResult) -> None:
    """Check that the principal variation begins with the action, can be played, and ends at the first chance node."""
    promise, line = "principal variation", result.principal_variation
    begins = not line or line[0] == result.action
    exam.expect(promise, begins, "{} does not begin with {}", line, result.action)
    for number, action in enumerate(line):
        choices = _choices(exam.game, state)
        exam.expect(promise, action in choices, "action {} of {} is {}, not one of {}", number, line, action, choices)
        state = exam.game.result(state, action)


def _choices(game: AnyGame, state: State) -> tuple[Action, ...]:
    """Return the actions that a player may choose; none if the game is over or CHANCE moves."""
    over = game.terminal_test(state) or game.to_move(state) == CHANCE
    return () if over else capabilities.all_actions(game, state)


def _check_values(exam: Examination, state: State, result: SearchResult) -> None:
    legal = capabilities.legal_actions(exam.game, state)
    values = result.values or {}
    exam.expect("values", tuple(values) == legal, "the values are {}, but the actions are {}", result.values, legal)
    exam.expect("values", all(map(math.isfinite, values.values())), "the values are {}", values)
    if _choices(exam.game, state):
        top = (max if exam.game.to_move(state) == MAX else min)(values.values())
        best = tuple(action for action, value in values.items() if close(value, top))
        exam.expect(
            "best actions", result.best_actions == best, "the best actions are {}, not {}", result.best_actions, best
        )


def _check_exact(exam: Examination, searcher: Searcher, state: State, limits: Limits) -> None:
    """Check the promises for the results of a searcher that finds the minimax value."""
    exam.at(state)
    game, depth = exam.game, _depth(limits)
    reference = functools.partial(minimax_value, game, evaluate=capabilities.evaluation(game))
    right = reference(state, depth)
    result = searcher.search(game, state, limits)
    exam.expect("exactness", result.complete, "the search is not complete: stopped by {}", result.stopped)
    ahead = "to the end" if depth is None else f"{depth} plies ahead"
    wrong = "the value {} is {}, but minimax finds {}"
    exam.expect("exactness", close(result.value, right), wrong, ahead, result.value, right)
    _check_claim(exam, state, result, right if depth is None else None)
    _check_counts(exam, state, result)
    line = result.principal_variation
    shown = not _choices(game, state) or line
    exam.expect("exact variation", shown, "the variation is empty, but the action is {}", result.action)
    worth = reference(capabilities.play(game, state, line), _deeper(depth, len(line)))
    exam.expect("exact variation", close(worth, right), "{} leads to {}, not to {}", line, worth, right)
    for action, value in (searcher.analyse(game, state, limits).values or {}).items():
        exam.at(state, action)
        wanted = reference(game.result(state, action), _deeper(depth, 1))
        exam.expect("exact values", close(value, wanted), "its value is {}, but minimax finds {}", value, wanted)


def _check_claim(exam: Examination, state: State, result: SearchResult, right: float | None) -> None:
    """Check that a value reported as exact is the true value of the game; `right` is that value, if it is known.

    The value is not checked if too many states can follow.
    """
    value = right if right is not None or not result.exact else value_to_the_end(exam.game, state)
    if result.exact and value is not None:
        true = close(result.value, value)
        exam.expect("exact claims", true, "{} is called exact, but the value is {}", result.value, value)


def _check_counts(exam: Examination, state: State, result: SearchResult) -> None:
    """Check that a search has entered a successor of the root, unless the root's bounds already give the value."""
    game = exam.game
    low, high = game.bounds(state) if isinstance(game, Bounded) else (-math.inf, math.inf)
    if low < high and not game.terminal_test(state):
        entered = result.statistics.nodes
        exam.expect("statistics", entered > 1, "statistics.nodes is {}, although the game is not over", entered)


def _depth(limits: Limits) -> int | None:
    """Return the depth limit; raise UsageError if there are limits of another kind."""
    if limits.seconds is not None or limits.nodes is not None:
        raise UsageError("exact values need a limit of depth only: leave out seconds and nodes")
    return limits.depth


def _deeper(depth: int | None, plies: int) -> int | None:
    return None if depth is None else max(0, depth - plies)
