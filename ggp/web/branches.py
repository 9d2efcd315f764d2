"""The search tree below a position, which visitors open branch by branch."""

from collections.abc import Callable, Sequence

import attrs
from markupsafe import Markup

from ggp import capabilities
from ggp.errors import UnsupportedGameError
from ggp.game import AnyGame, State
from ggp.play.controller import watchable_searchers
from ggp.searcher import Limits
from ggp.show.tree import fold
from ggp.show.tree_svg import tree_svg
from ggp.show.value_text import value_text
from ggp.web import visitor_players
from ggp.web.address import Address
from ggp.web.game_history import GameHistory, read_move
from ggp.web.value_store import StateValue

LIMITS = Limits(depth=2, nodes=400)
"""Limits of the search of a branch that is opened."""
DRAWN = 60
"""Maximum number of visits that are drawn."""

ValueLookup = Callable[[AnyGame, Sequence[State]], Sequence[StateValue | None]]
"""A function that returns the best known value of each state; None for a state without a known value."""


@attrs.frozen
class Branch:
    """A branch that can be opened."""

    move: str
    url: str | None
    """The address that opens the branch; None if the game is over."""


@attrs.frozen
class Opened:
    """The branch that is currently open."""

    searcher: str
    path: Sequence[Branch]
    """The path from the position to the state, both included."""
    drawn: str
    """The value in the drawing, in words."""
    value: StateValue | None
    """The best known value of the state, which may be more reliable than that of the small search in the drawing."""
    worth: str
    """The value `value` in words."""
    picture: Markup
    branches: Sequence[Branch]
    hidden: int


def opened(history: GameHistory, known: ValueLookup) -> Opened:
    """Return the branch that the address opens.

    Arguments:
        known: returns the best known values of states.

    Raises:
        GGPError: a move of the branch is wrong, or no searcher can be watched on the game.
    """
    game, address, state = history.game, history.address, history.state
    text, path = capabilities.notation(game), [Branch("this position", _url(address, ()))]
    for number, each in enumerate(address.branch, 1):
        action = read_move(game, state, each, f"move {number} of the branch")
        path.append(Branch(text.format_action(state, action), _url(address, address.branch[:number])))
        state = game.result(state, action)
    visitor_players.choices(game, state)
    searcher = watched(history)
    tree = fold(game, history.registry.searcher(searcher).trace(game, state, LIMITS), DRAWN)  # type: ignore[attr-defined]
    picture = tree_svg(tree, identity="branch", title=f"The search tree after {path[-1].move}, two plies deep")
    after = {text.format_action(state, child.action): child.state for child in tree.root.children} if tree.root else {}
    (value,) = known(game, [state])
    branches = [
        Branch(move, None if game.terminal_test(child) else _url(address, (*address.branch, move)))
        for move, child in after.items()
    ]
    hidden = 0 if game.terminal_test(state) else len(visitor_players.choices(game, state)) - len(branches)
    drawn = Markup(picture)  # noqa: S704 - the drawing escapes what it is given
    seen = value_text(game, tree.root.lower, exact=False) if tree.root else ""
    worth = value_text(game, value.value, exact=value.exact) if value else ""
    return Opened(searcher, path, seen, value, worth, drawn, branches, hidden)


def watched(history: GameHistory) -> str:
    """Return the name of the searcher to draw: the preferred one if it can be watched, or else the first that can."""
    registry = history.registry
    names = watchable_searchers(registry, history.game)
    if not names:
        raise UnsupportedGameError(f"no searcher that is installed can be watched on {history.game.name}")
    preferred = registry.preferred_searcher(history.game)
    return preferred if preferred in names else names[0]


def _url(address: Address, branch: tuple[str, ...]) -> str:
    return attrs.evolve(address, branch=branch, command=None).url() + "#tree"
