"""Descriptions of visits, used in text, pictures and sentences."""

from collections.abc import Sequence
from fractions import Fraction

from ggp import capabilities
from ggp.game import CHANCE, Action, AnyGame, State
from ggp.number_text import interval, number, window
from ggp.show.search_tree import Visit

SHORT = 6
"""A state is shown if its text is no longer than this."""
FEW = 4
"""Maximum number of cut actions that are all named; if there are more, only the first ones are named."""
DIGITS = 3
"""Significant digits of values in narrow places."""
LARGEST_DENOMINATOR = 1000
"""Greatest denominator of a probability that is written as a fraction."""


def probability(value: float) -> str:
    """Return a probability as text: a fraction such as 1/6 if the denominator is small, otherwise three digits."""
    fraction = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return str(fraction) if abs(fraction - value) < 1e-12 else number(value, 3)


def state_name(game: AnyGame, visit: Visit) -> str:
    """Return the state's text if it is short, otherwise ""."""
    text = capabilities.notation(game).format_state(visit.state)
    return text if len(text) <= SHORT else ""


def name(game: AnyGame, visit: Visit) -> str:
    """Return a name for a visit: its state if that is short, otherwise its number in the order of visits."""
    return state_name(game, visit) or ("the root" if visit.order == 1 else f"#{visit.order}")


def move(game: AnyGame, visit: Visit, parent: Visit) -> str:
    """Return the action that led to the visit, with its probability if chance moved."""
    action = capabilities.notation(game).format_action(parent.state, visit.action)
    return action if visit.probability is None else f"{action} ({probability(visit.probability)})"


def mover(game: AnyGame, visit: Visit) -> str:
    """Return the player to move; "" at a leaf, and at a node whose first move has not been tried."""
    if visit.mover is None:
        return ""
    return "chance" if visit.mover == CHANCE else capabilities.player_names(game)[visit.mover]


def windows(visit: Visit, digits: int = DIGITS) -> list[str]:
    """Return the window of a visit that is not a leaf: on entry, and at the end."""
    if visit.leaf:
        return []
    if visit.is_test:
        return [f"test {number(visit.window[0], digits)}"]
    return [window(*each) for each in (visit.window, *visit.windows)]


def value(game: AnyGame, visit: Visit) -> str:
    """Describe the value or bound of a visit when it is left, and its best action."""
    if not visit.closed:
        return "..."
    bounds = interval(visit.lower, visit.upper)
    if visit.leaf == "estimate":
        return f"{bounds} (estimate)"
    if visit.choice is None:
        return bounds
    return f"{bounds} by {capabilities.notation(game).format_action(visit.state, visit.choice)}"


def cut_actions(game: AnyGame, state: State, cut: Sequence[Action]) -> tuple[list[str], int]:
    """Return the names of actions that were cut, or of the first few of them, and the number of the rest."""
    text = capabilities.notation(game)
    shown = cut if len(cut) <= FEW else cut[: FEW - 1]
    return [text.format_action(state, action) for action in shown], len(cut) - len(shown)
