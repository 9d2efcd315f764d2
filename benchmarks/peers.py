"""Searches of other frameworks as contenders: open_spiel's and easyAI's."""

import importlib
import importlib.util
from collections.abc import Callable
from types import ModuleType

from benchmarks.rounds import Contender, Unavailable

PIG = "pig(diceoutcomes=6,horizon=1000,winscore=100)"
"""open_spiel's Pig; ggp's Pig with goal=100 and turns=1000 is the most similar."""


def calls(module: object, name: str, run: Callable[[], object]) -> int:
    """Return how often `run()` calls the function `name` of a module; recursive calls count, too."""
    function, count = getattr(module, name), 0

    def counting(*arguments: object, **named: object) -> object:
        nonlocal count
        count += 1
        return function(*arguments, **named)

    setattr(module, name, counting)
    try:
        run()
    finally:
        setattr(module, name, function)
    return count


def imported(name: str) -> ModuleType:
    """Return a module of another framework. Raise Unavailable if it is missing or cannot be imported."""
    package = name.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        raise Unavailable(f"{package} is not installed")
    try:
        return importlib.import_module(name)
    except ImportError as error:  # a wheel without its subpackages
        raise Unavailable(f"{package} cannot be imported: {error}") from error


def spiel_alphabeta(game: str, depth: int) -> Contender:
    """Run open_spiel's alpha-beta, written in Python, on open_spiel's own game, written in C++.

    The value of a leaf of `mancala` is a hundredth of the store margin, which is read in the fastest way that was
    found.

    Raises:
        Unavailable: open_spiel is not installed.
    """
    minimax = imported("open_spiel.python.algorithms.minimax")
    board = importlib.import_module("pyspiel").load_game(game)
    leaf = _store_margin(board) if game == "mancala" else None

    def run() -> object:
        return minimax.alpha_beta_search(board, value_function=leaf, maximum_depth=depth)

    return Contender(run, lambda: calls(minimax, "_alpha_beta", run))


def _store_margin(mancala: object) -> Callable[[object], object]:
    """Return a hundredth of the store margin: the first player's store (field 7 of the board) minus the other's (field
    0).
    """
    observation = imported("open_spiel.python.observation").make_observation(mancala)
    see, seeds = observation.set_from, memoryview(observation.tensor)

    def margin(state: object) -> object:
        see(state, 0)
        return (seeds[7] - seeds[0]) / 100

    return margin


def spiel_expectiminimax(depth: int) -> Contender:
    """Run open_spiel's expectiminimax, written in Python, on open_spiel's own Pig, written in C++; leaves are worth 0.

    open_spiel's Pig has other rules: chance nodes are not plies, a player may hold with nothing at stake, and a player
    who has reached the goal wins only by holding. So its tree differs from ours, and only the states a second can be
    compared.

    Arguments:
        depth: actions of players to look ahead.

    Raises:
        Unavailable: open_spiel is not installed.
    """
    minimax = imported("open_spiel.python.algorithms.minimax")
    start = importlib.import_module("pyspiel").load_game(PIG).new_initial_state()

    def run() -> object:
        return minimax.expectiminimax(start, depth, lambda state: 0.0, 0)

    return Contender(run, lambda: calls(minimax, "expectiminimax", run))


def easy_move(game: object, state: object, depth: int) -> int:
    """Return the move of easyAI's Negamax on Kalah without passes.

    Raises:
        Unavailable: easyAI is not installed, or is a wheel that cannot be imported.
    """
    negamax = imported("easyAI.AI.Negamax")
    easy = importlib.import_module("benchmarks.easy_kalah")
    return int(negamax.Negamax(depth)(easy.AlternatingKalah(state)))


def easy_negamax(depth: int) -> Contender:
    """Run easyAI's Negamax with `unmake_move` on Kalah(6,4).

    Raises:
        Unavailable: easyAI is not installed, or is a wheel that cannot be imported.
    """
    negamax = imported("easyAI.AI.Negamax")
    easy = importlib.import_module("benchmarks.easy_kalah")
    search = negamax.Negamax(depth)

    def run() -> object:
        return search(easy.EasyKalah())

    return Contender(run, lambda: calls(negamax, "negamax", run))
