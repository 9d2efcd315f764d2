"""The quiz as a page of `ggp serve`."""

import functools
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import attrs

from ggp.options import parse_options
from ggp.plugins import Registry
from ggp_teach.quizzes.questions import TOPICS
from ggp_teach.quizzes.quiz import QuizPlan, make_quiz
from ggp_teach.quizzes.quiz_page import quiz_page, quiz_script

FIELDS = {"seed": "Seed", "number": "Questions", "depth": "Plies", "branching": "Branches"}
"""The options of a quiz for which the page has a field."""


class ServedQuiz:
    """A quiz of a topic and a seed, as `ggp quiz TOPIC --seed N --html FILE` writes it."""

    name = "quiz"
    title = "Quiz"
    summary = "exercises on minimax, alpha-beta, ordering, SCOUT, chance and star1, each answer explained."

    @functools.cached_property
    def scripts(self) -> tuple[str, ...]:
        """See `ggp.plugin_hooks.ServedPage`."""
        return (quiz_script(),)

    def html(self, registry: Registry, query: Mapping[str, Sequence[str]]) -> str:
        """Return the quiz. Raises as `QuizPlan` and `make_quiz` do."""
        given = {name: values[0] for name, values in query.items() if values and values[0].strip()}
        topic = given.pop("topic", "alphabeta")
        plan = QuizPlan(topic=topic, **parse_options(QuizPlan, "a quiz", given))
        return quiz_page(make_quiz(registry, plan), _form(plan))


def _form(plan: QuizPlan) -> str:
    values: dict[str, Any] = attrs.asdict(plan)
    topics = "".join(
        f"<option{' selected' if topic == plan.topic else ''}>{escape(topic)}</option>" for topic in TOPICS
    )
    fields = "".join(
        f'<label>{label} <input type="number" name="{name}" value="{values[name]}"></label> '
        for name, label in FIELDS.items()
    )
    return (
        '<nav><a href="/">All games</a></nav><form class="plan" action="/learn/quiz">'
        f'<label>Topic <select name="topic">{topics}</select></label> {fields}<button>Ask</button></form>'
    )
