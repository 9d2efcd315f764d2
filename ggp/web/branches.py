"""The search tree below a position, to be opened branch by branch."""

from collections.abc import Sequence

import attrs
from markupsafe import Markup

from ggp import capabilities
from ggp.errors import GGPError, UnsupportedGameError
from ggp.searcher import Limits
from ggp.show.numbers import interval
from ggp.show.tree import Tree, fold
from ggp.show.tree_svg import tree_svg
from ggp.trace import Traced, is_traced
from ggp.web import quotas
from ggp.web.address import Address, short
from ggp.web.history import GameHistory
from ggp.web.problems import ProblemError

LIMITS = Limits(depth=2, nodes=400)
"""How far a branch is searched when it is opened."""
DRAWN = 60
"""Visits that are drawn."""


@attrs.frozen
class Branch:
    """A branch that can be opened."""

    move: str
    value: str
    url: str | None
    """None where the game is over."""


@attrs.frozen
class Opened:
    """The branch that is open."""

    searcher: str
    path: Sequence[Branch]
    """The way to it from the position, the position itself first."""
    picture: Markup
    branches: Sequence[Branch]
    hidden: int


def opened(course: GameHistory) -> Opened:
    """Return the branch that the address has opened.

    Raises:
        GGPError: a move of the branch is wrong, or no searcher can be watched on the game.
    """
    game, address, state = course.game, course.address, course.state
    text, path = capabilities.notation(game), [Branch("this position", "", _url(address, ()))]
    for number, each in enumerate(address.branch, 1):
        if game.terminal_test(state):
            raise ProblemError(f"the branch ends before {short(each)}: the game is over there")
        try:
            action = text.parse_action(state, each)
        except GGPError as error:
            raise ProblemError(f"the branch is wrong: {error}") from error
        if action not in quotas.choices(game, state):
            raise ProblemError(f"the branch does not go on with {short(each)}: it is not legal there")
        path.append(Branch(text.format_action(state, action), "", _url(address, address.branch[:number])))
        state = game.result(state, action)
    quotas.choices(game, state)
    searcher = watched(course)
    tree = fold(game, course.registry.searcher(searcher).trace(game, state, LIMITS), DRAWN)  # type: ignore[attr-defined]
    picture = tree_svg(tree, identity="branch", title=f"The search tree after {path[-1].move}, two plies deep")
    branches = _branches(tree, address)
    hidden = 0 if game.terminal_test(state) else len(quotas.choices(game, state)) - len(branches)
    return Opened(searcher, path, Markup(picture), branches, hidden)  # noqa: S704 - the drawing escapes what it is given


def watched(course: GameHistory) -> str:
    """Return the name of the searcher whose tree is drawn: the preferred one, or else the first that can be watched."""
    registry = course.registry
    names = [name for name in registry.searchers_for(course.game) if is_traced(registry.searchers[name].factory)]
    names = [name for name in names if isinstance(registry.searcher(name), Traced)]
    if not names:
        raise UnsupportedGameError(f"no searcher that is installed can be watched on {course.game.name}")
    preferred = registry.preferred_searcher(course.game)
    return preferred if preferred in names else names[0]


def _branches(tree: Tree, address: Address) -> list[Branch]:
    """Return the branches of the tree's root; one that was visited more than once has what is known last."""
    if tree.root is None:
        return []
    found: dict[str, Branch] = {}
    text = capabilities.notation(tree.game)
    for child in tree.root.children:
        move = text.format_action(tree.root.state, child.action)
        over = tree.game.terminal_test(child.state)
        value = interval(child.lower, child.upper, 3)
        found[move] = Branch(move, value, None if over else _url(address, (*address.branch, move)))
    return list(found.values())


def _url(address: Address, branch: tuple[str, ...]) -> str:
    return attrs.evolve(address, branch=branch, wish=None).url() + "#tree"
