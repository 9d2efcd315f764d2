"""Find the mistake that explains why a student's search is wrong."""

from collections.abc import Sequence

import attrs

from ggp_teach.grading.cases import TURNS
from ggp_teach.grading.checking import Checked, compared, same
from ggp_teach.grading.departure import Failure
from ggp_teach.grading.mistakes import variants
from ggp_teach.grading.shapes import Found
from ggp_teach.grading.textbook import VariantSearch, textbook

CLEAR = 0.97
"""Minimum agreement for naming a mistake without doubt; 1 means the same values, moves and visits in all cases."""
LIKELY = 0.75
"""Minimum agreement for naming a mistake as the likely one."""
TELLING = 0.2
"""A mistake is named as the likely one only if it explains at least this share of the differences from the textbook."""
ONLY_MOVE = 0.2
"""Weight of the move when agreement is computed; it is low, since programs are free to choose among equal moves."""


def named(student: Found, checks: Sequence[Checked], right: VariantSearch) -> tuple[str, bool]:
    """Return the mistake that explains the student's replies best, and whether it explains all of them."""
    failing = [each for each in checks if each.failed]
    replies = [each.reply for each in checks]
    if any(reply.mutated for reply in replies):
        return "mutates", True
    faults = [reply.fault for reply in replies if reply.fault]
    if faults:
        return faults[0], True
    if {each.case.topic for each in failing} == {"transpositions"}:
        return "table", True
    endless = [r for r in replies if "without end" in r.error or "does not end" in r.illegal]
    alike = _explained(student, checks, right)
    name, agreement = max(alike.items(), key=lambda pair: pair[1], default=("values", 0.0))
    if agreement >= CLEAR:
        return name, True
    if any(reply.illegal for reply in replies) and not endless:
        return "mutates", True
    if endless:
        return "repeats", True
    errors = sum(bool(reply.error) for reply in replies)
    if errors > len(replies) / 2:
        return "crash", True
    if all(reply.value is None and reply.action is None for reply in replies):
        return "nothing", True
    symptom = _symptom(student, checks, failing)
    own = _agreement(student, checks, right)
    if symptom and (agreement < LIKELY or agreement <= own):
        return symptom, False
    if agreement >= LIKELY and agreement - own > TELLING * (1 - own):
        return name, False
    return symptom or ("crash" if errors else "values"), False


def _explained(student: Found, checks: Sequence[Checked], right: VariantSearch) -> dict[str, float]:
    """Return, for each usual mistake, how well a search that makes the mistake agrees with the student's replies."""
    agreed: dict[str, float] = {}
    few = [
        each
        for each in checks
        if each.case.tree.size <= SMALL and each.case.window is None and not each.case.transposes
    ]
    strange = any(not each.case.tree.alternates for each in few)
    strict = right.max_cut == ">" and right.prunes
    for name, search in variants(student.task):
        if strict and name == "strict-cut":
            name, search = "loose-cut", textbook(student.task)
        elif strict and search.max_cut == ">=" and search.min_cut == ">=":
            search = attrs.evolve(search, max_cut=">", min_cut=">")
        if name == "turns" and not strange:
            continue  # where players alternate, nobody can tell
        doubled = name != "strict-cut" and not strict and search.max_cut == ">"
        alike = _agreement(student, few, search) - (SIMPLER if doubled else 0)
        agreed[name] = max(agreed.get(name, 0.0), alike)
    return agreed


SIMPLER = 1e-6
"""If two explanations agree equally well, the explanation with a single mistake is chosen."""
SMALL = 60
"""Maximum number of nodes of a tree on which mistakes are compared."""


def _agreement(student: Found, checks: Sequence[Checked], search: VariantSearch) -> float:
    """Return how well a search agrees with the student's replies; 1 means that they are the same in every case."""
    got = most = 0.0
    for each in checks:
        if each.case.window is not None:
            continue
        tree = each.case.game
        outcome, reply = search.run(tree, each.case.given_depth), each.reply
        bad = bool(reply.error or reply.illegal)
        if bad or outcome.crashed:
            alike = outcome.crashed == ("illegal" if reply.illegal else "no action" if reply.error else "")
            got, most = got + 2 * (bad and alike), most + 2
            continue
        if reply.value is not None:
            got, most = got + (outcome.value is not None and same(reply.value, outcome.value)), most + 1
        if each.visits is not None:
            alike = compared(student, tree, reply.visited) == compared(student, tree, outcome.visited)
            got, most = got + alike, most + 1
        if reply.action is not None:
            weight = ONLY_MOVE if reply.value is not None else 1.0
            got, most = got + weight * (reply.action == outcome.action), most + weight
    return got / most if most else 0.0


def _symptom(student: Found, checks: Sequence[Checked], failing: Sequence[Checked]) -> str:
    """Return the mistake that the failing kinds of cases and the kind of failure suggest."""
    wrong = [each for each in failing if each.value is False or each.move is False]
    topics = {each.case.topic for each in wrong}
    if wrong:
        if topics <= {"chance"} or (topics <= {"chance", "real games"} and "chance" in topics):
            return "chance"
        if topics <= {*TURNS}:
            return "turns"
        if topics <= {"depth limit", "real games"} and "depth limit" in topics:
            return "depth"
        if topics <= {"windows"}:
            return "bound"
        if all(each.value is not False for each in wrong):
            return "bound" if student.task == "alphabeta" else "choice"
    extra = fewer = 0
    for each in checks:
        if each.visits is not None:
            tree = each.case.game
            ours, theirs = compared(student, tree, each.right.visited), compared(student, tree, each.reply.visited)
            extra, fewer = extra + bool(theirs - ours), fewer + bool(ours - theirs)
    if fewer > extra:
        return "skips" if student.task != "alphabeta" else "extra-cuts"
    if not wrong and extra:
        return "slow"
    return ""


def changes_leaves(failure: Failure) -> bool:
    """Return whether the student's function returns a value for a leaf that is neither the game's value nor its
    negative.
    """
    each = failure.checked
    for state, value in each.reply.returned:
        worth = each.case.game.nodes[state].worth
        depth = each.right.windows.get(state, (1,))[0]
        if (depth <= 0 or not each.case.game.below[state]) and not same(abs(value), abs(worth)):
            return True
    return False
