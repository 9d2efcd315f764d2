"""A search explained step by step: one or two sentences on the last event and its consequence."""

from collections.abc import Sequence
from math import isinf

from ggp import capabilities
from ggp.game import CHANCE, MAX, MIN, Action
from ggp.number_text import at_least, at_most, interval, number, window
from ggp.show import node_text
from ggp.show.search_tree import SearchTree, Visit
from ggp.trace import Cut, Enter, Event, Leaf, Leave, Note, Try


def tell(tree: SearchTree, event: Event) -> str:
    """Describe `event`, the last one of `tree`, in sentences."""
    visit = tree.latest
    if visit is None:
        return ""
    if not visit.shown and tree.current:
        visits = "visit there is" if tree.current.hidden == 1 else "visits there are"
        return f"The search goes on below {_name(tree, tree.current)}: {tree.current.hidden:,} {visits} not shown."
    match event:
        case Enter():
            return _entered(tree, visit)
        case Try():
            return _tried(tree, visit, event)
        case Cut(actions):
            return _was_cut(tree, visit, actions)
        case Note(text):
            return text
        case Leaf():
            said = f"{_leaf(tree, visit)} {_consequence(tree, visit)}".strip()
            return f"{said} {', '.join(visit.note).capitalize()}." if visit.note else said
        case Leave():
            if visit.note:
                return f"{_begin(tree, visit)}: {', '.join(visit.note)}{_best(tree, visit)}."
            return f"{_left(tree, visit)} {_consequence(tree, visit)}".strip()


def bound_text(bound: str) -> str:
    """Return a bound in words: "at most 3" for "≤ 3"."""
    sign, _, rest = bound.partition(" ")
    return f"{SIGNS[sign]} {rest}" if sign in SIGNS else bound


SIGNS = {"≥": "at least", ">": "more than", "≤": "at most", "<": "less than"}


def _begin(tree: SearchTree, visit: Visit) -> str:
    """Return the name of a visit, for the beginning of a sentence."""
    name = _name(tree, visit)
    return name[0].upper() + name[1:] if name.startswith("the ") else name


def _name(tree: SearchTree, visit: Visit) -> str:
    return node_text.name(tree.game, visit)


def _player(tree: SearchTree, player: int) -> str:
    return capabilities.player_names(tree.game)[player]


def _entered(tree: SearchTree, visit: Visit) -> str:
    name = _name(tree, visit)
    if len(tree.path) < 2:
        begun = f"The search begins at {name}"
    else:
        begun = f"{capabilities.notation(tree.game).format_action(tree.path[-2].state, visit.action)} leads to {name}"
    if visit.is_test:
        return f"{begun}, which is only tested: its value is compared with {number(visit.window[0])}."
    bounds = [(player, bound) for player, bound in zip((MAX, MIN), visit.window, strict=True) if not isinf(bound)]
    if not bounds:
        return f"{begun}."
    has = " and ".join(f"{_player(tree, player)} has {number(bound, node_text.DIGITS)}" for player, bound in bounds)
    return f"{begun}, with the window {window(*visit.window)}: {has} already."


def _tried(tree: SearchTree, visit: Visit, event: Try) -> str:
    name, action = _name(tree, visit), capabilities.notation(tree.game).format_action(visit.state, event.action)
    if visit.mover == CHANCE:
        chance = "" if event.probability is None else f", of probability {node_text.probability(event.probability)}"
        if visit.searched:
            return f"The next outcome at {name} is {action}{chance}."
        return f"{_begin(tree, visit)} is up to chance. Its first outcome is {action}{chance}."
    if visit.searched:
        return f"The next action at {name} is {action}."
    return f"{_begin(tree, visit)} is {_player(tree, visit.mover or MAX)}'s. Its first action is {action}."


def _leaf(tree: SearchTree, visit: Visit) -> str:
    value = number(visit.lower, node_text.DIGITS)
    if visit.leaf == "terminal":
        return f"{_begin(tree, visit)} is a leaf, worth {value}."
    return f"The search looks no deeper: {_name(tree, visit)} is estimated to be worth {value}."


def _left(tree: SearchTree, visit: Visit) -> str:
    done = f"The search is done: {_name(tree, visit)}" if visit is tree.root else f"{_name(tree, visit)} is left: it"
    worth = bound_text(interval(visit.lower, visit.upper, node_text.DIGITS))
    return f"{done} is worth {worth}{_best(tree, visit)}."


def _best(tree: SearchTree, visit: Visit) -> str:
    if visit.choice is None:
        return ""
    return f", by {capabilities.notation(tree.game).format_action(visit.state, visit.choice)}"


def _consequence(tree: SearchTree, child: Visit) -> str:
    """Explain what the value of the visit that the search has just left means for its parent."""
    if not tree.path:
        return ""
    parent = tree.path[-1]
    name = _name(tree, parent)
    if parent.mover == CHANCE:
        return (
            "" if child.probability is None else f"Its weight at {name} is {node_text.probability(child.probability)}."
        )
    maximizing = parent.mover == MAX
    new, others = _bounds(parent, child, maximizing)
    best = max([new, *others]) if maximizing else min([new, *others])
    if isinf(best):
        return ""
    bound = bound_text((at_least if maximizing else at_most)(best, node_text.DIGITS))
    if best in others:
        return f"That changes nothing at {name}, which is {bound} already."
    return f"{_begin(tree, parent)} is {_player(tree, parent.mover or MAX)}'s, so it is {bound}."


def _bounds(parent: Visit, child: Visit, maximizing: bool) -> tuple[float, list[float]]:
    """Return the bounds that matter to the mover at the parent: the bounds of this child, and the bounds that were
    known before.
    """
    end = 0 if maximizing else 1
    others = [below[end] for action, (below, _) in parent.searched.items() if action != child.action]
    return child.range[end], [each for each in others if not isinf(each)]


def _was_cut(tree: SearchTree, visit: Visit, actions: Sequence[Action]) -> str:
    names, more = node_text.cut_actions(tree.game, visit.state, actions)
    cut = _listed(names + [f"{more} more"] * bool(more))
    are = "is" if len(actions) == 1 else "are"
    visited = "never visited" if len(visit.cut) == len(actions) else "not visited this time"
    return f"{_reason(tree, visit)}: {cut} {are} {visited}."


def _reason(tree: SearchTree, visit: Visit) -> str:
    name, (alpha, beta), (lower, upper) = _begin(tree, visit), visit.window, visit.range
    achieved = {MAX: (lower, at_least), MIN: (upper, at_most)}.get(visit.mover if visit.mover is not None else CHANCE)
    if achieved is None or isinf(achieved[0]):
        return f"What is left of {_name(tree, visit)} cannot matter"
    bound = bound_text(achieved[1](achieved[0], node_text.DIGITS))
    if visit.is_test:
        return f"{name} is {bound}, which answers the test"
    other, has = (MIN, beta) if visit.mover == MAX else (MAX, alpha)
    already = f"{_player(tree, other)} has {number(has, node_text.DIGITS)} already"
    return f"{name} is {bound}, and {already}, so the rest cannot matter"


def rest_of(tree: SearchTree, visit: Visit) -> str:
    """Return the names of the actions that were not tried yet; "" if all were tried."""
    left = [action for action in tree.game.actions(visit.state) if action not in visit.searched]
    text = capabilities.notation(tree.game)
    shown = left if len(left) <= node_text.FEW else left[: node_text.FEW - 1]
    more = len(left) - len(shown)
    return _listed([text.format_action(visit.state, action) for action in shown] + [f"{more} more"] * bool(more))


def question(tree: SearchTree, visit: Visit, rest: str) -> str:
    """Return the question for the reader about the untried actions."""
    return f"Still to try at {_name(tree, visit)}: {rest}. Does the search visit what is left, or cut it?"


def may_matter(tree: SearchTree, visit: Visit, rest: str) -> str:
    """Explain why the untried actions of a visit are not cut."""
    name, (alpha, beta), (lower, upper) = _begin(tree, visit), visit.window, visit.range
    if visit.mover not in (MAX, MIN):
        return f"What {_name(tree, visit)} is worth depends on {rest}, too."
    achieved, other, has = (
        (at_least(lower, node_text.DIGITS), MIN, beta)
        if visit.mover == MAX
        else (at_most(upper, node_text.DIGITS), MAX, alpha)
    )
    bound = "still open" if isinf(lower if visit.mover == MAX else upper) else bound_text(achieved)
    if visit.is_test:
        return f"{name} is {bound}, which does not answer the test: {rest} may still matter."
    if isinf(has):
        return f"{name} is {bound}, but {_player(tree, other)} has no alternative yet: {rest} may still matter."
    return (
        f"{name} is {bound}, and {_player(tree, other)} has {number(has, node_text.DIGITS)}: {rest} may still matter."
    )


def _listed(names: Sequence[str]) -> str:
    """Return the names as a list in words: with commas, and "and" before the last name."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
