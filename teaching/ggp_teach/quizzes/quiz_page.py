"""A quiz as one HTML file to work on, and as a sheet for paper with a page of solutions."""

import importlib.resources
from collections.abc import Iterator
from html import escape

import attrs

from ggp.show.document import document
from ggp_teach.quizzes.answers import HINTS, TOLERANCE, number_text, read
from ggp_teach.quizzes.questions import QuizQuestion
from ggp_teach.quizzes.quiz import Quiz
from ggp_teach.quizzes.tree_sheet import exercise_svg


def _resource(name: str) -> str:
    return importlib.resources.files("ggp_teach.quizzes").joinpath(name).read_text(encoding="utf-8")


def quiz_script() -> str:
    """Return the page's script."""
    return _resource("quiz.js")


def quiz_style() -> str:
    """Return the page's style sheet."""
    return _resource("quiz.css")


def _title(quiz: Quiz) -> str:
    return f"{quiz.plan.topic.capitalize()}: quiz {quiz.plan.seed}"


@attrs.frozen(eq=False)
class NotebookQuiz:
    """A quiz that a notebook shows as a page to work on."""

    quiz: Quiz

    def _repr_html_(self) -> str:
        page = escape(quiz_page(self.quiz), quote=True)
        return f'<iframe title="quiz" srcdoc="{page}" style="width:100%;height:44rem;border:0"></iframe>'


def quiz_page(quiz: Quiz, head: str = "") -> str:
    """Return a page to work on: it checks each answer, explains it, and shows the code to hand in. It loads nothing.

    Arguments:
        head: HTML that stands above the quiz.
    """
    data = {
        "plan": list(attrs.asdict(quiz.plan).values()),
        "tolerance": TOLERANCE,
        "hints": HINTS,
        "questions": [_as_data(question) for question in quiz.questions],
    }
    number = 0
    parts: list[str] = []
    for index, exercise in enumerate(quiz.exercises):
        parts.append(f'<section class="exercise"><figure>{exercise_svg(exercise.tree, f"tree{index}")}</figure>')
        parts.append(f"<p>{escape(exercise.note)}</p>" if exercise.note else "")
        for question in exercise.questions:
            parts.append(
                f'<form class="question" data-place="{number}"><label for="q{number}"><b>{number + 1}.</b> '
                f'{escape(question.text)}</label><span class="row"><input id="q{number}" autocomplete="off" '
                f'placeholder="{escape(HINTS[question.answer.form])}" aria-describedby="a{number}">'
                f'<button>Check</button></span><div class="verdict" id="a{number}" role="status"></div></form>'
            )
            number += 1
        parts.append("</section>")
    program = escape("\n".join(quiz.source))
    body = (
        f"<main>{head}<h1>{escape(_title(quiz))}</h1>"
        "<p>Nodes are searched from left to right. △ is MAX, ▽ MIN, a circle is chance, and a box a leaf. "
        "Your first answer counts.</p>"
        f"{''.join(parts)}"
        f"<details><summary>The program</summary><pre>{program}</pre></details>"
        '<section class="hand-in"><h2>Hand in</h2><p id="score" role="status"></p>'
        '<label for="name">Name</label> <input id="name" autocomplete="name">'
        '<p>Code: <textarea id="code" readonly rows="4" aria-label="code to hand in"></textarea></p></section></main>'
    )
    return document(_title(quiz), quiz_style(), body, script=quiz_script(), data=("quiz", data))


def _as_data(question: QuizQuestion) -> list[object]:
    answer = question.answer
    accepted = [
        [number_text(part) if isinstance(part, float) else part for part in read(answer.form, each)]
        for each in answer.accepted
    ]
    return [answer.form, accepted, answer.shown, question.why, question.line]


def quiz_sheet(quiz: Quiz) -> str:
    """Return a sheet for paper: the questions with room for answers, and a page of solutions."""
    body = (
        f'<main><h1>{escape(_title(quiz))}</h1><p class="who">Name: <span class="blank"></span></p>'
        "<p>Nodes are searched from left to right. △ is MAX, ▽ MIN, a circle is chance, and a box a leaf.</p>"
        f"{''.join(_sheet(quiz, solved=False))}"
        f'<section class="solutions"><h1>{escape(_title(quiz))}: solutions</h1>'
        f"{''.join(_sheet(quiz, solved=True))}</section></main>"
    )
    return document(_title(quiz), quiz_style(), body)


def _sheet(quiz: Quiz, *, solved: bool) -> Iterator[str]:
    number = 0
    for index, exercise in enumerate(quiz.exercises):
        yield '<section class="exercise">'
        if not solved:
            yield f"<figure>{exercise_svg(exercise.tree, f'tree{index}')}</figure>"
            yield f"<p>{escape(exercise.note)}</p>" if exercise.note else ""
        for question in exercise.questions:
            number += 1
            yield f'<div class="question"><p><b>{number}.</b> {escape(question.text)}</p>'
            if solved:
                line = f" <code>{escape(question.line)}</code>" if question.line else ""
                yield f"<p><strong>{escape(question.answer.shown)}</strong>: {escape(question.why)}.{line}</p>"
            else:
                yield '<p class="blank"></p>'
            yield "</div>"
        yield "</section>"
