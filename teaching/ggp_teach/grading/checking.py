"""One case: the student's reply, and which parts of the reply are right."""

from collections.abc import Iterable, Mapping
from math import isclose
from os.path import abspath, dirname

import attrs

from ggp.game import CHANCE, MIN
from ggp_teach.exercise_tree import ExerciseTree, minimax
from ggp_teach.grading.cases import TOPICS, Case
from ggp_teach.grading.shapes import Found
from ggp_teach.grading.textbook import SearchOutcome, VariantSearch, textbook
from ggp_teach.limited import LimitedProcess, Overrun, ProcessLimits

CRITERIA = ("value", "move", "visits")
"""Compared in each case."""
MOST_FAULTS = 3
"""Maximum number of cases that take too long or end the process. After these, all other cases count as failed."""
WEIGHTS: Mapping[str, float] = {"value": 50, "move": 20, "visits": 30} | dict.fromkeys(TOPICS, 1)
"""Default weights of the criteria, and of the kinds of cases."""


@attrs.frozen(kw_only=True)
class GradingPlan:
    """How a file is graded."""

    name: str | None = None
    """The function or class to grade; None: the most likely one in the file."""
    task: str | None = None
    arguments: str | None = None
    seed: int = 0
    number: int = 10
    """Trees of each kind."""
    seconds: float = 5.0
    """Processor time for each tree."""
    megabytes: int = 1024
    weights: Mapping[str, float] = WEIGHTS
    turns: str | None = None
    """"any" includes trees with extra turns and passes, "alternate" leaves them out; None: as the shape requires."""
    ties: str | None = None
    """"cut" if a program must cut at a value equal to the bound, "visit" if it must not, or "either"; None: as the
    shape requires.
    """
    chance: bool | None = None
    """Whether trees with chance count; None: only if the task is expectiminimax, or if the program mentions chance."""


@attrs.frozen(kw_only=True)
class StudentReply:
    """The reply of a student's searcher in one case; its value is for MAX."""

    value: float | None = None
    action: str | None = None
    visited: tuple[int, ...] = ()
    error: str = ""
    fault: str = ""
    """The kind of limit that the program has broken."""
    mutated: str = ""
    illegal: str = ""
    returned: tuple[tuple[int, float], ...] = ()


@attrs.frozen
class Checked:
    """A case with the student's reply and the textbook's result.

    Each part is right (True), wrong (False), or was not required (None).
    """

    case: Case
    reply: StudentReply
    right: SearchOutcome
    value: bool | None
    move: bool | None
    visits: bool | None

    @property
    def failed(self) -> tuple[str, ...]:
        """The criteria by which the reply is wrong."""
        return tuple(name for name in CRITERIA if getattr(self, name) is False)


class Examiner:
    """Runs a student's file in processes, which are replaced when they die."""

    def __init__(self, path: str, plan: GradingPlan) -> None:
        self.path, self.plan = path, plan
        self._process: LimitedProcess | None = None
        self.faults = 0
        self.flips = False
        """Whether the values are for the player to move at the root."""
        self.asked = False
        self.greeting = self._begin().greeting

    def _begin(self) -> LimitedProcess:
        plan = self.plan
        setup = {"path": self.path, "name": plan.name, "task": plan.task, "arguments": plan.arguments}
        limits = ProcessLimits(megabytes=plan.megabytes, readable=(dirname(abspath(self.path)),))
        self._process = LimitedProcess("ggp_teach.grading.student:serve", setup, limits)
        return self._process

    def close(self) -> None:
        """End the process."""
        if self._process:
            self._process.close()

    def ask(self, case: Case, *, watch: bool = False) -> StudentReply:
        """Return the student's reply in a case."""
        try:
            process = self._process if self._process and self._process.alive else self._begin()
            answer = process.ask(case.question() | {"watch": watch}, self.plan.seconds)
        except Overrun as fault:
            self.faults += 1
            return StudentReply(error=str(fault), fault=fault.limit)
        self.asked |= answer["asked"]
        sign = -1.0 if self.flips and case.tree.mover == MIN else 1.0
        value = answer.get("value")
        return StudentReply(
            value=None if value is None else sign * value,
            action=answer.get("action"),
            visited=tuple(answer["visited"]),
            error=answer.get("error", ""),
            mutated=answer["mutated"] or "",
            illegal=answer["illegal"] or "",
            returned=tuple((state, value) for state, value in answer["returned"]),
        )


def same(one: float, other: float) -> bool:
    """Return whether two values are equal except for rounding."""
    return isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def check(student: Found, case: Case, reply: StudentReply, right: VariantSearch, plan: GradingPlan) -> Checked:
    """Compare a reply with the textbook's result."""
    tree, depth = case.game, case.given_depth
    outcome = right.run(tree, depth)
    truth = minimax(case.tree, depth)
    bad = bool(reply.error or reply.mutated or reply.illegal)
    if case.window is not None:
        return Checked(case, reply, outcome, not bad and _within(reply, truth, case.window), None, None)
    nothing = reply.value is None and reply.action is None
    value = False if bad or nothing else None if reply.value is None else same(reply.value, truth)
    move: bool | None = None
    if reply.action is not None and case.tree.mover != CHANCE and case.tree.edges:
        below = minimax(tree.nodes[tree.below[0][reply.action]], depth - 1)
        move = not bad and same(below, truth)
    elif value is None:
        move = False
    return Checked(case, reply, outcome, value, move, not bad and _visits(student, case, depth, reply, outcome, plan))


def _within(reply: StudentReply, truth: float, window: tuple[float, float]) -> bool:
    """Return whether a value obeys the contract of a search with a window."""
    alpha, beta = window
    if reply.value is None:
        return True
    if truth <= alpha:
        return reply.value <= alpha
    return reply.value >= beta if truth >= beta else same(reply.value, truth)


def _visits(
    student: Found, case: Case, depth: float, reply: StudentReply, right: SearchOutcome, plan: GradingPlan
) -> bool | None:
    tree = case.game
    if student.shape == "cs50" and student.task == "minimax":
        return None  # a win that was found needs no better one
    if case.transposes:
        return None  # a table spares visits
    visited = compared(student, tree, reply.visited)
    if visited == compared(student, tree, right.visited) or visited == _in_order(student, tree, depth, reply):
        return True
    if plan.ties == "either":
        return visited == compared(student, tree, textbook(student.task, strict=True).run(tree, depth).visited)
    return False


def _in_order(student: Found, tree: ExerciseTree, depth: float, reply: StudentReply) -> frozenset[int] | None:
    """Return the states that the textbook's search visits if it takes the student's order of actions.

    Return None if the student's search made another cut.
    """
    index = {state: number for number, state in enumerate(reply.visited)}
    order = {
        state: sorted(below, key=lambda action, below=below: index.get(below[action], len(index)))  # type: ignore[misc]
        for state, below in enumerate(tree.below)
    }
    strict = student.shape == "cs188"
    return compared(student, tree, textbook(student.task, strict=strict).run(tree, depth, order=order).visited)


def compared(student: Found, tree: ExerciseTree, visited: Iterable[int]) -> frozenset[int]:
    """Return the visited states that can be recorded for a program of this shape."""
    if student.shape == "leaves":
        return frozenset(state for state in visited if not tree.below[state])
    return frozenset(visited)
