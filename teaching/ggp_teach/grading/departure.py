"""The smallest tree that fails, and the step at which a student's search departs from the textbook's."""

from collections.abc import Sequence

import attrs

from ggp.game import MIN
from ggp_teach.exercise_tree import ExerciseTree, minimax, smaller
from ggp_teach.grading.checking import CRITERIA, MOST_FAULTS, Checked, Examiner, check, same
from ggp_teach.grading.shapes import Found
from ggp_teach.grading.textbook import VariantSearch

MOST_SHRINKS = 400
"""Maximum number of trees that are tried to find the smallest failing tree."""


@attrs.frozen(kw_only=True)
class Failure:
    """The smallest case that fails, and where the student's search departs from the textbook's."""

    checked: Checked
    step: int
    """The number of the visit, from 1, at which the two searches differ."""
    sentence: str
    mark: int | None
    """The state at which the two searches differ."""


def smallest(examiner: Examiner, student: Found, failing: Sequence[Checked], right: VariantSearch) -> Failure:
    """Return the smallest tree with the most serious failure, and the step at which the two searches differ."""

    def serious(each: Checked) -> int:
        return min(CRITERIA.index(name) for name in each.failed)

    worst = min(failing, key=lambda each: (bool(each.reply.fault), serious(each), each.case.tree.size))
    criterion = CRITERIA[serious(worst)]
    left = 0 if worst.reply.fault else MOST_SHRINKS
    shrinks = student.shape not in ("cs188", "leaves")
    going = shrinks
    while going and left > 0:
        going = False
        for tree in smaller(worst.case.tree):
            if not tree.edges or tree.size >= worst.case.tree.size:
                continue
            left -= 1
            case = attrs.evolve(worst.case, tree=tree)
            now = check(student, case, examiner.ask(case), right, examiner.plan)
            if getattr(now, criterion) is False and bool(now.reply.error) == bool(worst.reply.error):
                worst, going = now, True
                break
            if left <= 0 or examiner.faults >= MOST_FAULTS:
                left = 0
                break
    if not worst.reply.fault:
        watched = examiner.ask(worst.case, watch=True)
        worst = attrs.evolve(worst, reply=attrs.evolve(worst.reply, returned=watched.returned))
    return departure(student, worst)


def departure(student: Found, each: Checked) -> Failure:
    """Return where the student's search departs from the textbook's."""
    tree, reply = each.case.game, each.reply
    theirs = [state for state in reply.visited if student.shape != "leaves" or not tree.below[state]]
    ours = [state for state in each.right.visited if student.shape != "leaves" or not tree.below[state]]

    def failure(step: int, sentence: str, mark: int | None) -> Failure:
        return Failure(checked=each, step=step, sentence=sentence, mark=mark)

    if reply.mutated or reply.illegal or reply.error:
        last = theirs[-1] if theirs else 0
        return failure(len(theirs), f"at {_place(tree, last)}: {reply.mutated or reply.illegal or reply.error}", last)
    for step, (mine, yours) in enumerate(zip(ours, theirs, strict=False), 1):
        if mine != yours:
            early = _wrong_return(tree, each, set(ours[: step - 1]))
            sentence = f"the textbook's search visits {_place(tree, mine)}, yours {_place(tree, yours)}"
            if mine not in theirs:
                sentence += f"; yours cuts {_place(tree, mine)}"
            elif yours not in ours:
                sentence += f", which the textbook's {_cut_text(tree, each, yours)}"
            if early is not None and mine not in theirs:
                sentence += f" ({early[1]})"
            return failure(step, sentence, yours)
    if len(ours) > len(theirs):
        missing = ours[len(theirs)]
        return failure(len(theirs) + 1, f"yours ends here; the textbook's visits {_place(tree, missing)}", missing)
    if len(theirs) > len(ours):
        more = theirs[len(ours)]
        text = _cut_text(tree, each, more)
        return failure(len(ours) + 1, f"yours visits {_place(tree, more)}, which the textbook's {text}", more)
    early = _wrong_return(tree, each, set(ours))
    if early is not None:
        return failure(len(ours), f"both visit the same states; {early[1]}", early[0])
    found_value = "" if reply.value is None else f" the value {reply.value:g}"
    chosen = "" if reply.action is None else f" the move {reply.action}"
    truth = minimax(each.case.tree, each.case.given_depth)
    right = f"the value is {truth:g}" + ("" if each.right.action is None else f", by {each.right.action}")
    if each.case.window is not None:
        right += f", and the window was {each.case.window[0]:g} to {each.case.window[1]:g}"
    return failure(len(ours), f"both visit the same states; yours returns{found_value}{chosen or ''}, but {right}", 0)


def _wrong_return(tree: ExerciseTree, each: Checked, states: set[int]) -> tuple[int, str] | None:
    """Return the first state for which the student's function returns a value that breaks the contract, and a sentence
    about it.
    """
    for state, value in each.reply.returned:
        if state not in each.right.windows or state not in states or not tree.below[state]:
            continue
        depth, alpha, beta = each.right.windows[state]
        truth = minimax(tree.nodes[state], depth)
        kept = value <= alpha if truth <= alpha else value >= beta if truth >= beta else same(value, truth)
        turned_round = same(value, -truth)  # negamax
        if not kept and not turned_round:
            return state, f"at {_place(tree, state)} yours returns {value:g}, where the value is {truth:g}"
    return None


def _place(tree: ExerciseTree, state: int) -> str:
    """Return a node's name, with the branches that lead to it."""
    return f"{tree.names[state]} (after {tree.path(state)})" if state else f"{tree.names[state]} (the root)"


def _cut_text(tree: ExerciseTree, each: Checked, state: int) -> str:
    """Return the reason why the textbook's search does not visit a state."""
    above = tree.above[state]
    while above >= 0 and above not in each.right.windows:
        above = tree.above[above]
    if above < 0:
        return "does not visit"
    depth, alpha, beta = each.right.windows[above]
    if depth <= 0:
        return f"does not visit: the depth ends at {tree.names[above]}"
    bound = f"beta = {beta:g}" if tree.nodes[above].mover != MIN else f"alpha = {alpha:g}"
    return f"cuts: at {tree.names[above]} the value has reached {bound}"
