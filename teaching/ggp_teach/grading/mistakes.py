"""The usual mistakes: their names, advice, and searches that make them."""

from collections.abc import Iterator
from math import inf
from typing import Any

import attrs

from ggp_teach.grading.textbook import VariantSearch


@attrs.frozen(kw_only=True)
class Mistake:
    """A usual mistake: its name, and advice against it."""

    name: str
    title: str
    advice: str


def _mistakes(*rows: tuple[str, str, str]) -> dict[str, Mistake]:
    return {name: Mistake(name=name, title=title, advice=advice) for name, title, advice in rows}


MISTAKES = _mistakes(
    (
        "turns",
        "assumes that players alternate",
        "ask the game who is to move (`game.to_move(state)`) at every node: a player may move twice, or pass",
    ),
    (
        "wrong-sign",
        "cuts with the wrong comparison",
        "MAX cuts when its value is at least beta, MIN when it is at most alpha",
    ),
    (
        "wrong-bound",
        "compares with the wrong bound",
        "MAX compares with beta, MIN's best option higher up; MIN compares with alpha; a player's own bound never cuts",
    ),
    (
        "strict-cut",
        "does not cut at equal values: a strict inequality",
        "a value that equals the bound is no improvement: cut when value >= beta, or value <= alpha",
    ),
    (
        "loose-cut",
        "cuts at equal values: a loose inequality, where CS188 asks for a strict one",
        "CS188 asks to visit ties: cut when value > beta, or value < alpha",
    ),
    ("never-cuts", "never cuts", "compare the value with beta (or alpha) after each child, and leave the loop"),
    ("one-sided", "only one of the players cuts", "both players cut: MAX compares with beta, and MIN with alpha"),
    (
        "no-window",
        "does not hand the window on",
        "pass alpha and beta to the nodes below, so that values found higher up cut them",
    ),
    (
        "swapped-window",
        "hands on the window with its bounds in the wrong order",
        "in negamax, the nodes below get (-beta, -alpha); in alpha-beta, they get (alpha, beta), unchanged",
    ),
    (
        "no-update",
        "does not narrow the window",
        "raise alpha to the best value so far at MAX nodes, lower beta at MIN nodes, before the next child is searched",
    ),
    (
        "wrong-end",
        "narrows the wrong end of the window",
        "MAX raises alpha, MIN lowers beta; neither touches the other's bound",
    ),
    (
        "narrow-window",
        "hands on a window that is too narrow",
        "the nodes below get alpha and beta as they are: a value between the ends must not be taken for a bound",
    ),
    (
        "parity",
        "derives from the depth who is to move",
        "ask the game who is to move (`game.to_move(state)`); the remaining depth does not show it",
    ),
    (
        "shared-window",
        "keeps the window of one branch for the next",
        "alpha and beta belong to a node: pass them as parameters, or restore them when a node is left",
    ),
    (
        "narrow-start",
        "starts with a window that does not contain all values",
        "give the root the window -infinity to infinity, or search again with it if the value lies outside the window",
    ),
    (
        "last-update",
        "narrows the window by the last value, not by the best",
        "alpha = max(alpha, value): it never falls; beta never rises",
    ),
    (
        "bound",
        "takes a bound for a value",
        "after a cut the value of a node is only a bound: return what was found, and choose another move only if it is"
        " strictly better",
    ),
    (
        "no-research",
        "does not search again after a test with a null window",
        "the test only shows that the value is better; to find the value, search again with the rest of the window",
    ),
    (
        "table",
        "treats every value in its table as exact",
        "store with each value its depth, and whether it is exact or a bound; use it only if the search needs no more",
    ),
    (
        "early-return",
        "returns within the loop, after the first action",
        "return after the loop: only a cut leaves it early",
    ),
    (
        "early-win",
        "stops at the first action that looks good",
        "go on to the last action unless the value reaches beta (alpha for MIN): a later action may be better still",
    ),
    (
        "static-cut",
        "cuts by the estimate",
        "an estimate is not a bound of the values below: expand the node, unless the depth limit is reached",
    ),
    (
        "no-minus",
        "forgets the minus of negamax",
        "the value of a child is the opponent's: negate it, and hand on (-beta, -alpha)",
    ),
    ("last-value", "returns the last value, not the best", "keep the best value of all children, and return it"),
    (
        "stale-value",
        "returns the value from before the cut",
        "first update the best value with the child's value, then compare, then return",
    ),
    ("min-mean", "takes the mean where MIN moves", "MIN chooses the least value; only chance is averaged"),
    (
        "zero-start",
        "starts the best value at a number that may be better than the children",
        "start at -infinity for MAX",
    ),
    ("depth", "looks one ply too far, or not far enough", "evaluate at depth 0, and call the children with depth - 1"),
    ("no-depth", "ignores the depth limit", "call the children with depth - 1, and stop at depth 0"),
    (
        "rounds",
        "counts rounds instead of plies, or plies instead of rounds",
        "a ply is one move of one player; in CS188 the depth falls when all agents have moved",
    ),
    (
        "leaf-sign",
        "gives leaves the wrong sign",
        "the values of all leaves are for the same player: utility(state, MAX) in minimax; negamax negates once a ply",
    ),
    (
        "leaf-value",
        "changes the values of leaves",
        "return the utility or the estimate exactly as the game gives it: add nothing for the depth, and round nothing",
    ),
    ("estimate", "does not use the estimate", "at the depth limit, return the evaluation of the state"),
    ("ends", "does not notice that the game is over", "test for terminal states before you test the depth"),
    ("swapped", "mixes up MAX and MIN", "MAX takes the greatest of the values, MIN the least"),
    ("max-only", "lets both players maximise", "MIN takes the least value (negamax negates at each change of player)"),
    ("chance", "ignores chance", "at a chance node, return the sum of probability times value"),
    ("even-chance", "takes all outcomes for equally likely", "weigh each outcome by its probability"),
    ("unweighted", "adds up outcomes without probabilities", "weigh each outcome by its probability"),
    ("divided", "divides the expectation again", "the probabilities sum to 1: do not divide by their number"),
    ("likely", "looks at one outcome only", "every outcome counts, weighed by its probability"),
    (
        "chance-cut",
        "cuts below a chance node with the window from above it",
        "the mean is not bounded by one outcome: below chance nodes the window is open, or computed as in star1",
    ),
    ("mutates", "mutates the state", "each action is played from the same state: use a new variable for the result"),
    (
        "choice",
        "returns the wrong move",
        "remember the action together with the best value, and change both together",
    ),
    ("skips", "does not try every action", "the loop must reach all actions, unless there is a cut"),
    (
        "extra-cuts",
        "cuts what matters",
        "a branch may be cut only if the opponent has an option at least as good higher up",
    ),
    ("slow", "visits more states than it needs", "in the tree below, look for a visit that the textbook avoids"),
    ("repeats", "does not end", "check that the depth falls with each call, and that the game ends"),
    ("crash", "fails with an error", "see the message and its line"),
    ("files", "opens a file, a program or a connection", "a search asks the game, and nothing else"),
    ("output", "prints too much", "remove the lines that print what the search does"),
    ("memory", "needs too much memory", "a tree of a few dozen nodes needs almost no memory"),
    ("time", "takes too long", "a tree of a few dozen nodes takes milliseconds"),
    ("nothing", "returns nothing", "return the value, the move, or both"),
    ("values", "finds wrong values", "follow the tree below by hand"),
)


STARTS = range(10)
"""Numbers with which a best value or a window may wrongly start, given that values of leaves are up to 9."""


def variants(task: str) -> Iterator[tuple[str, VariantSearch]]:
    """Yield mistakes and searches that make them, for a task: minimax, alphabeta or expectiminimax."""
    plain = VariantSearch(prunes=task == "alphabeta")

    def with_(name: str, **changes: Any) -> tuple[str, VariantSearch]:
        return name, attrs.evolve(plain, **changes)

    for turns in ("alternate", "max first"):
        yield with_("turns", turns=turns)
        yield with_("turns", turns=turns, leaf="mover")
        yield with_("turns", turns=turns, leaf="parity")
    yield with_("parity", turns="depth")
    yield with_("depth", depth_shift=-1)
    yield with_("depth", depth_shift=-1, expands_root=True)
    yield with_("depth", depth_shift=1)
    yield with_("no-depth", decrements="none")
    yield with_("rounds", decrements="max")
    yield with_("rounds", decrements="min")
    for share in (1 / 2, 1 / 3):
        yield with_("rounds", depth_share=share)
        yield with_("rounds", depth_share=share, expands_root=True)
    yield with_("leaf-sign", leaf="mover")
    yield with_("leaf-sign", leaf="last mover")
    yield with_("leaf-sign", leaf="negative")
    yield with_("estimate", leaf="zero estimate")
    yield with_("leaf-value", leaf="zero end")
    yield with_("leaf-value", leaf="absolute")
    yield with_("ends", ends="depth")
    yield with_("ends", ends="no action")
    yield with_("swapped", swapped=True)
    yield with_("max-only", min_is="max")
    yield with_("max-only", max_is="min")
    yield with_("max-only", min_is="max", leaf="mover")
    yield with_("max-only", turns="root")
    yield with_("swapped", turns="shifted")
    yield with_("min-mean", returns="mean")
    yield with_("last-value", returns="last")
    for at in ("both", "max", "min"):
        yield with_("zero-start", starts_at_estimate=True, at=at)
        for start in STARTS:
            yield with_("zero-start", start=start, at=at)
        yield with_("early-return", skips="all but one", at=at)
        yield with_("skips", skips="all but two", at=at)
        yield with_("skips", skips="all but three", at=at)
    yield with_("choice", choice="first action")
    yield with_("choice", choice="worst")
    yield with_("skips", skips="first")
    yield with_("skips", skips="last")
    yield with_("mutates", mutates=True)
    if task == "expectiminimax":
        yield with_("chance", chance="max")
        yield with_("chance", chance="min")
        yield with_("chance", chance="player")
        yield with_("chance", chance="alternate")
        yield with_("even-chance", chance="even")
        yield with_("unweighted", chance="sum")
        yield with_("divided", chance="divided")
        yield with_("likely", chance="likely")
        yield with_("likely", chance="first")
        for sign in (">=", ">"):
            yield with_("chance-cut", chance="cut", prunes=True, max_cut=sign, min_cut=sign)
    if task != "alphabeta":
        return
    for form in ("no minus", "window unchanged", "window not swapped"):
        name = "no-minus" if form == "no minus" else "swapped-window"
        yield with_(name, form=form)
        yield with_(name, form=form, raw=True)
    yield with_("no-research", form="no research")
    for width in STARTS[1:]:
        yield with_("narrow-start", first_window=(-width, width))
    yield with_("narrow-start", first_window=(0, inf))
    yield with_("narrow-start", first_window=(-inf, 0))
    for plies in (1, 2, inf):
        yield with_("static-cut", estimates_cut=plies)
    yield with_("never-cuts", max_cut="never", min_cut="never")
    yield with_("strict-cut", max_cut=">", min_cut=">")
    yield with_("strict-cut", max_cut=">")
    yield with_("strict-cut", min_cut=">")
    yield with_("one-sided", max_cut="never")
    yield with_("one-sided", min_cut="never")
    yield with_("wrong-sign", max_cut="<=", min_cut="<=")
    yield with_("wrong-sign", max_cut="<=")
    yield with_("wrong-sign", min_cut="<=")
    yield with_("early-win", max_cut="good", min_cut="good")
    yield with_("early-win", max_cut="good")
    yield with_("early-win", min_cut="good")
    yield with_("wrong-bound", max_cut="own", min_cut="own")
    yield with_("wrong-bound", max_cut="own")
    yield with_("wrong-bound", min_cut="own")
    yield with_("wrong-bound", max_cut="alpha", min_cut="alpha")
    yield with_("wrong-bound", max_cut="alpha")
    yield with_("wrong-bound", min_cut="alpha")
    for cut in (">=", ">"):
        yield with_("no-window", passes="nothing", max_cut=cut, min_cut=cut)
        for passes in ("swapped", "swapped below"):
            for before in (False, True):
                yield with_("swapped-window", passes=passes, max_cut=cut, min_cut=cut, cut_before=before)
        yield with_("no-window", passes="root", max_cut=cut, min_cut=cut)
        yield with_("no-window", passes="alpha", max_cut=cut, min_cut=cut)
        yield with_("no-window", passes="beta", max_cut=cut, min_cut=cut)
        yield with_("no-update", max_narrows=False, min_narrows=False, max_cut=cut, min_cut=cut)
        yield with_("no-update", max_narrows=False, max_cut=cut, min_cut=cut)
        yield with_("no-update", min_narrows=False, max_cut=cut, min_cut=cut)
        yield with_("last-update", follows_last=True, max_cut=cut, min_cut=cut)
        yield with_("last-update", follows_last=True, cut_before=True, max_cut=cut, min_cut=cut)
        yield with_("bound", choice="last", returns="bound", max_cut=cut, min_cut=cut)
        yield with_("bound", choice="last", max_cut=cut, min_cut=cut)
        yield with_("narrow-window", passes="narrower", max_cut=cut, min_cut=cut)
        yield with_("shared-window", shared=True, max_cut=cut, min_cut=cut)
        for at in ("both", "max", "min"):
            yield with_("stale-value", returns="stale", at=at, max_cut=cut, min_cut=cut)
            yield with_("bound", returns="nothing", at=at, max_cut=cut, min_cut=cut)
            yield with_("bound", returns="own bound", at=at, max_cut=cut, min_cut=cut)
            yield with_("no-window", passes="best", at=at, max_cut=cut, min_cut=cut)
            yield with_("wrong-end", wrong_end=True, at=at, max_cut=cut, min_cut=cut)
        yield with_("turns", turns="alternate", max_cut=cut, min_cut=cut)
        yield with_("leaf-sign", leaf="mover", max_cut=cut, min_cut=cut)
        for start in STARTS:
            yield with_("zero-start", start=start, max_cut=cut, min_cut=cut)
        for at in ("both", "max", "min"):
            yield with_("last-value", returns="last", at=at, max_cut=cut, min_cut=cut)
        yield with_("last-value", returns="last", cut_before=True, max_cut=cut, min_cut=cut)
        yield with_("depth", depth_shift=-1, max_cut=cut, min_cut=cut)
        yield with_("depth", depth_shift=1, max_cut=cut, min_cut=cut)
