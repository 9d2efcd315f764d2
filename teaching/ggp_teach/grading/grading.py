"""Grading: compares a student's search with the textbook's, gives marks, and names the mistake that explains the
differences.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from ggp.errors import UsageError
from ggp.game import MIN
from ggp.plugins import Registry
from ggp_teach.exercise_tree import minimax
from ggp_teach.grading.cases import TOPICS, Case, cases
from ggp_teach.grading.checking import CRITERIA, MOST_FAULTS, Checked, Examiner, GradingPlan, StudentReply, check, same
from ggp_teach.grading.departure import Failure, smallest
from ggp_teach.grading.diagnosis import changes_leaves, named
from ggp_teach.grading.mistakes import MISTAKES
from ggp_teach.grading.shapes import Found
from ggp_teach.grading.textbook import textbook
from ggp_teach.limited import Overrun


@attrs.frozen(kw_only=True)
class Grade:
    """The result of grading one file."""

    path: str
    problem: str = ""
    """The reason why the program could not be run; "" if it was run."""
    found: Found | None = None
    marks: float = 0.0
    """Of 100."""
    topics: Mapping[str, Mapping[str, tuple[int, int]]] = {}
    """For each kind of cases and each criterion: the number of right cases, and the number of all cases."""
    mistake: str = ""
    """The name of the mistake in `MISTAKES`; "" if all is right."""
    sure: bool = True
    failure: Failure | None = None
    remarks: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything is right."""
        return not self.problem and not self.mistake


def grade(path: str, plan: GradingPlan, registry: Registry) -> Grade:
    """Return the grade of a file.

    Raises:
        UsageError: the file cannot be read.
    """
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    try:
        examiner = Examiner(path, plan)
    except Overrun as fault:
        return Grade(path=path, problem=f"it {fault} while it was imported" if fault.limit == "files" else str(fault))
    try:
        return _graded(examiner, registry)
    finally:
        examiner.close()


def _graded(examiner: Examiner, registry: Registry) -> Grade:
    greeting, plan = dict(examiner.greeting), examiner.plan
    if "problem" in greeting:
        return Grade(path=examiner.path, problem=str(greeting["problem"]))
    mentions, facts = greeting.pop("chance"), greeting.pop("facts")
    read: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in greeting.items()}
    student = Found(**read)
    able = student.shape not in ("easyai", "leaves", "lists", "nodes", "cs50")
    chance = student.task == "expectiminimax" or (mentions and able) if plan.chance is None else plan.chance
    if student.shape == "cs188":
        chance = student.task == "expectiminimax"
    strict = {"visit": True, "cut": False}.get(plan.ties or "", student.shape == "cs188")
    right = textbook(student.task, strict=strict)
    asked = cases(student, registry, plan.seed, plan.number, chance=chance)
    replies = _replies(examiner, asked)
    examiner.flips, replies = turned(asked, replies)
    checks = [check(student, case, reply, right, plan) for case, reply in zip(asked, replies, strict=True)]
    turns = plan.turns == "any" or (
        plan.turns is None and (student.shape in ("function", "cs50", "cs188") or examiner.asked)
    )
    counted = [each for each in checks if turns or each.case.tree.alternates]
    remarks = list(_remarks(student, checks, counted, chance))
    failing = [each for each in counted if each.failed]
    mistake, sure = named(student, counted, right) if failing else ("", True)
    # Some mistakes have the same effect; the text tells them apart.
    if mistake == "never-cuts" and facts["leaves"]:
        mistake = "no-update" if facts["hands"] else "no-window"
    elif mistake == "no-update" and facts["compares"] and not facts["leaves"]:
        mistake = "never-cuts"
    elif mistake == "early-return" and not facts["returns"]:
        mistake = "wrong-bound"
    failure = smallest(examiner, student, failing, right) if failing else None
    if not sure and failure and changes_leaves(failure):
        mistake = "leaf-value"
    return Grade(
        path=examiner.path,
        found=student,
        marks=marks(counted, plan.weights),
        topics=tally(counted),
        mistake=mistake,
        sure=sure,
        failure=failure,
        remarks=tuple(remarks),
        errors=tuple(dict.fromkeys(each.reply.error for each in failing if each.reply.error))[:3],
    )


def _remarks(student: Found, checks: Sequence[Checked], counted: Sequence[Checked], chance: bool) -> Iterable[str]:
    left = [each for each in checks if each not in counted]
    wrong = [each for each in left if each.failed]
    if wrong:
        yield (
            f"not counted: {len(wrong)} of {len(left)} trees with extra turns and passes are wrong, since the"
            " program assumes that players alternate, as AIMA's code does (--turns any counts them)"
        )
    if not chance:
        yield "not asked: trees with chance (only for a searcher that is named expectiminimax, or mentions chance)"
    if student.others:
        yield f"also in the file: {', '.join(student.others)} (--function NAME grades another)"


def _replies(examiner: Examiner, asked: Sequence[Case]) -> list[StudentReply]:
    replies: list[StudentReply] = []
    for case in asked:
        if examiner.faults >= MOST_FAULTS:
            replies.append(attrs.evolve(next(each for each in replies if each.fault), visited=()))
        else:
            replies.append(examiner.ask(case))
    return replies


def turned(asked: Sequence[Case], replies: Sequence[StudentReply]) -> tuple[bool, list[StudentReply]]:
    """Turn the student's values into values for MAX.

    Returns: whether they were values for the player to move at the root; the replies, with values for MAX.
    """
    pairs = [
        (reply.value, minimax(case.tree, case.given_depth))
        for case, reply in zip(asked, replies, strict=True)
        if case.topic == "MIN to move" and reply.value is not None
    ]
    flips = any(truth for _, truth in pairs) and all(same(value, -truth) for value, truth in pairs)
    if not flips:
        return False, list(replies)
    return True, [
        reply if case.tree.mover != MIN or reply.value is None else attrs.evolve(reply, value=-reply.value)
        for case, reply in zip(asked, replies, strict=True)
    ]


def tally(checks: Sequence[Checked]) -> dict[str, dict[str, tuple[int, int]]]:
    """Return for each kind and criterion the number of right cases, and the number of cases."""
    counts: dict[str, dict[str, tuple[int, int]]] = {}
    for topic in TOPICS:
        for criterion in CRITERIA:
            asked = [getattr(each, criterion) for each in checks if each.case.topic == topic]
            asked = [each for each in asked if each is not None]
            if asked:
                counts.setdefault(topic, {})[criterion] = sum(asked), len(asked)
    return counts


def marks(checks: Sequence[Checked], weights: Mapping[str, float]) -> float:
    """Return the marks, from 0 to 100: the weighted mean of the shares of right answers, by kind and criterion."""
    got = most = 0.0
    for topic, criteria in tally(checks).items():
        for criterion, (right, asked) in criteria.items():
            weight = weights[topic] * weights[criterion]
            got, most = got + weight * right / asked, most + weight
    return 100 * got / most if most else 0.0


def summary(grade: Grade) -> dict[str, Any]:
    """Return the grade as a value of JSON; `score` and `tests` have the form that Gradescope reads."""
    mistake = MISTAKES.get(grade.mistake)
    failure = grade.failure
    tests = [
        {
            "name": f"{topic}: {criterion}",
            "score": round(right / asked, 4),
            "max_score": 1,
            "output": f"{right} of {asked} are right",
        }
        for topic, criteria in grade.topics.items()
        for criterion, (right, asked) in criteria.items()
    ]
    return {
        "file": grade.path,
        "passed": grade.passed,
        "score": round(grade.marks, 2),
        "max_score": 100,
        "problem": grade.problem or None,
        "shape": grade.found.shape if grade.found else None,
        "function": grade.found.name if grade.found else None,
        "task": grade.found.task if grade.found else None,
        "mistake": grade.mistake or None,
        "mistake_title": mistake.title if mistake else None,
        "advice": mistake.advice if mistake else None,
        "sure": grade.sure,
        "errors": list(grade.errors),
        "failure": None
        if failure is None
        else {
            "kind": failure.checked.case.topic,
            "failed": list(failure.checked.failed),
            "depth": failure.checked.case.given_depth,
            "window": failure.checked.case.window,
            "tree": failure.checked.case.tree.as_data(),
            "value": minimax(failure.checked.case.tree, failure.checked.case.given_depth),
            "value_found": failure.checked.reply.value,
            "step": failure.step,
            "departure": failure.sentence,
        },
        "remarks": list(grade.remarks),
        "tests": tests,
    }
