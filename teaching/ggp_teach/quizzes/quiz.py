"""A quiz: trees with questions, and a code to hand in. The same topic, seed and difficulty give the same questions."""

import base64
import binascii
import json
import random
import zlib
from collections.abc import Sequence

import attrs

from ggp.errors import NotationError, OptionError, UsageError, did_you_mean
from ggp.game import CHANCE
from ggp.options import option
from ggp.plugins import Registry
from ggp_teach.exercise_tree import ExerciseTree, TreeNode, TreeShape, figure_5_2, random_tree
from ggp_teach.quizzes.questions import SLACK, TOPICS, WITH_CHANCE, QuizQuestion, Watched, chosen, questions

TRIES = 200
"""Maximum number of trees that are drawn until one is worth asking about."""
MOST_NODES = 60
"""Maximum number of nodes of a tree that is drawn."""


@attrs.frozen(kw_only=True)
class QuizPlan:
    """Everything that determines a quiz."""

    topic: str = "alphabeta"
    seed: int = option(0, "seed of trees and questions", minimum=0, maximum=(1 << 53) - 1)
    number: int = option(8, "number of questions", minimum=1, maximum=50)
    depth: int = option(3, "plies of the generated trees", minimum=1, maximum=5)
    branching: int = option(3, "maximum number of branches of a node", minimum=2, maximum=5)
    chance: float = option(
        0.6, "probability that chance moves at an inner node, if the topic has chance", minimum=0, maximum=1
    )
    ties: bool = option(False, "whether leaves have only a few different values, so that many are equal")

    def __attrs_post_init__(self) -> None:
        if self.topic not in TOPICS:
            hint = did_you_mean(self.topic, TOPICS)
            raise OptionError(f"there is no quiz {self.topic!r}{hint}: the topics are {', '.join(TOPICS)}")


@attrs.frozen
class Exercise:
    """A tree with its questions."""

    tree: ExerciseTree
    questions: tuple[QuizQuestion, ...]
    note: str = ""


@attrs.frozen(eq=False)
class Quiz:
    """A quiz."""

    plan: QuizPlan
    exercises: tuple[Exercise, ...]
    source: tuple[str, ...] = ()
    """The program that the questions are about."""

    @property
    def questions(self) -> tuple[QuizQuestion, ...]:
        """All questions, in order."""
        return tuple(question for exercise in self.exercises for question in exercise.questions)


def make_quiz(registry: Registry, plan: QuizPlan) -> Quiz:
    """Return the quiz that a plan describes: on figure 5.2, if it suits the topic, then on generated trees.

    Raises:
        UsageError: no tree of this difficulty leads to a question.
    """
    dice = random.Random(f"{plan.topic} {plan.seed}")
    exercises: list[Exercise] = []
    left = plan.number
    if plan.topic not in WITH_CHANCE:
        asked = chosen(questions(registry, plan.topic, figure_5_2()), max(1, plan.number // 3), dice)
        exercises.append(Exercise(ExerciseTree(figure_5_2()), tuple(asked), "Figure 5.2 of AIMA."))
        left -= len(asked)
    seen: set[TreeNode] = {exercise.tree.root for exercise in exercises}
    while left > 0:
        root = _worthy_tree(registry, plan, dice, seen)
        seen.add(root)
        asked = chosen(questions(registry, plan.topic, root), min(left, PER_TREE), dice)
        left -= len(asked)
        tree = ExerciseTree(root, SLACK)
        exercises.append(Exercise(tree, tuple(asked), _note(plan, tree)))
    return Quiz(plan, tuple(exercises), Watched(registry, TOPICS[plan.topic][0], figure_5_2()).source)


PER_TREE = 4
"""Maximum number of questions on a generated tree."""


def _note(plan: QuizPlan, tree: ExerciseTree) -> str:
    if plan.topic != "star1":
        return ""
    low, high = tree.bounds(0)
    return f"All leaves are known to lie within [{low:g}, {high:g}]."


def _worthy_tree(registry: Registry, plan: QuizPlan, dice: random.Random, seen: set[TreeNode]) -> TreeNode:
    """Return a new tree; if the topic is about cuts, the tree is one in which something is cut."""
    span = 2 if plan.ties else 9
    shape = TreeShape(
        depth=plan.depth,
        branching=plan.branching,
        low=-span,
        high=span,
        halves=plan.topic == "star1",  # whether it cuts must not depend on rounding
        chance=plan.chance if plan.topic in WITH_CHANCE else 0.0,
    )
    last: TreeNode | None = None
    for _ in range(TRIES):
        root = random_tree(dice, shape)
        if root in seen or root.size > MOST_NODES:
            continue
        last = last or root
        if plan.topic in WITH_CHANCE and plan.chance and not root.has(CHANCE):
            continue
        if plan.topic in ("alphabeta", "star1") and not Watched(registry, plan.topic, root).unvisited():
            continue
        return root
    if last is None:
        raise UsageError(
            f"found no new tree of depth {plan.depth} with {plan.branching} branches and at most {MOST_NODES} nodes:"
            " take a lower --depth or --branching, or fewer questions"
        )
    return last


# Handing in -----------------------------------------------------------------------------------------------------------


@attrs.frozen
class HandedIn:
    """A quiz that was handed in: its plan, the name of the person who did it, and the answers ("" for a missing
    answer).
    """

    plan: QuizPlan
    name: str
    answers: tuple[str, ...]

    def code(self) -> str:
        """Return the code to hand in."""
        values = attrs.asdict(self.plan)
        text = json.dumps(
            [list(values.values()), self.name, list(self.answers)], ensure_ascii=False, separators=(",", ":")
        )
        data = text.encode()
        return base64.urlsafe_b64encode(zlib.crc32(data).to_bytes(4) + data).decode().rstrip("=")

    @classmethod
    def of(cls, code: str) -> "HandedIn":
        """Return the quiz, the name and the answers that a code holds.

        Raises:
            NotationError: the text is not such a code, or it was changed.
        """
        text = "".join(code.split())
        try:
            data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
            if zlib.crc32(data[4:]).to_bytes(4) != data[:4]:
                raise ValueError
            values, name, answers = json.loads(data[4:])
            names = [field.name for field in attrs.fields(QuizPlan)]
            plan = _checked(dict(zip(names, values, strict=True)))
            return cls(plan, str(name)[:LONGEST], tuple(str(each)[:LONGEST] for each in answers))
        except (ValueError, binascii.Error, TypeError, RecursionError):
            raise NotationError(
                "this is not a code of ggp quiz, or a part of it is missing: copy all of it, from the first character"
                " to the last"
            ) from None


LONGEST = 200
"""Maximum number of characters of an answer or a name."""


def _checked(values: dict[str, object]) -> QuizPlan:
    """Return the plan, after checking its types and ranges, since a code may come from anybody."""
    from ggp.options import parse_options

    texts = {name: str(value).lower() for name, value in values.items() if name != "topic"}
    return QuizPlan(topic=str(values["topic"]), **parse_options(QuizPlan, "a quiz", texts))


@attrs.frozen
class Marked:
    """One answer, marked."""

    question: QuizQuestion
    given: str
    right: bool


def mark(quiz: Quiz, answers: Sequence[str]) -> list[Marked]:
    """Return the marked answers; an answer that cannot be read is wrong."""
    marks = []
    for index, question in enumerate(quiz.questions):
        given = answers[index] if index < len(answers) else ""
        try:
            right = bool(given.strip()) and question.answer.is_right(given)
        except NotationError:
            right = False
        marks.append(Marked(question, given, right))
    return marks
