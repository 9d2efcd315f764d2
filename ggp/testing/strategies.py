"""Hypothesis strategies: walks through a game, its states, and random trees."""

from typing import TYPE_CHECKING

from ggp.capabilities import legal_actions
from ggp.errors import GGPError
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, State
from ggp.testing.trees import LayeredTree, grow

if TYPE_CHECKING:
    from hypothesis import strategies as st

PLIES = 200
"""Default for the maximum number of plies of a walk."""


def require_hypothesis() -> None:
    """Check that hypothesis is installed; raise a GGPError that says how to install it if not."""
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        raise GGPError("the conformance kit needs hypothesis: install it with pip install 'ggp[testing]'") from None


def choices(plies: int) -> "st.SearchStrategy[list[int]]":
    """Draw `plies` numbers from 0 to 65535 at once. Each number, modulo the number of actions, selects an action."""
    require_hypothesis()
    from hypothesis import strategies as st

    return st.binary(min_size=2 * plies, max_size=2 * plies).map(lambda drawn: list(memoryview(drawn).cast("H")))


def walks(game: AnyGame, *, plies: int = PLIES) -> "st.SearchStrategy[tuple[Action, ...]]":
    """Return the actions of random plays from the initial state, to the end of the game or for `plies` plies."""
    return choices(plies).map(lambda drawn: _walk(game, drawn)[1])


def states(game: AnyGame, *, plies: int = PLIES) -> "st.SearchStrategy[State]":
    """Draw states of random play, including initial and terminal states."""
    require_hypothesis()
    from hypothesis import strategies as st

    def pick(drawn: list[int], index: int) -> State:
        met = _walk(game, drawn)[0]
        return met[index % len(met)]

    return st.builds(pick, choices(plies), st.integers(0, plies))


def trees(
    *, stochastic: bool = False, depth: int = 5, width: int = 6, branching: int = 4
) -> "st.SearchStrategy[LayeredTree]":
    """Draw layered random tree games; the arguments are those of `random_tree`."""
    require_hypothesis()
    from hypothesis import strategies as st

    movers = (MAX, MIN, CHANCE) if stochastic else (MAX, MIN)

    @st.composite
    def layered(draw: "st.DrawFn") -> LayeredTree:
        return grow(lambda least, greatest: draw(st.integers(least, greatest)), movers, depth, width, branching)

    return layered()


def _walk(game: AnyGame, drawn: list[int]) -> tuple[list[State], tuple[Action, ...]]:
    """Return the states and the actions of a walk."""
    met, taken = [game.initial_state()], []
    for choice in drawn:
        actions = legal_actions(game, met[-1])
        if not actions:
            break
        taken.append(actions[choice % len(actions)])
        met.append(game.result(met[-1], taken[-1]))
    return met, tuple(taken)
