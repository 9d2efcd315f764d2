"""`ggp quiz`: exercises on game trees, in the terminal, as a page, and on paper."""

import sys
from typing import Any

import click

from ggp.cli.console import echo, echo_json, echo_line, echo_rows
from ggp.cli.failure import FAILURE, INTERRUPTED, Stopped
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import takes_picture, write_picture
from ggp.cli.session import Session, as_json
from ggp.errors import NotationError, UsageError
from ggp_teach.quizzes.answers import HINTS
from ggp_teach.quizzes.questions import TOPICS
from ggp_teach.quizzes.quiz import HandedIn, Marked, Quiz, QuizPlan, make_quiz, mark
from ggp_teach.quizzes.quiz_page import quiz_page, quiz_sheet
from ggp_teach.quizzes.tree_sheet import exercise_lines


@click.command("quiz", cls=Helpful, section="Learn and teach")
@click.argument("topic", metavar="[TOPIC]", required=False, type=click.Choice(list(TOPICS)))
@takes_number("--seed", "Seed: the same topic and seed give the same questions.", default=0, minimum=0)
@takes_number("--questions", "Number of questions.", default=8, minimum=1, maximum=50)
@takes_number("--depth", "Plies of the generated trees.", default=3, minimum=1, maximum=5)
@takes_number("--branching", "Maximum number of branches of a node.", default=3, minimum=2, maximum=5)
@takes_number(
    "--chance",
    "Probability that chance moves at a node (expectiminimax, star1).",
    default=0.6,
    minimum=0,
    maximum=1,
    type=float,
)
@click.option("--ties", is_flag=True, help="Use only a few different values for the leaves, so that many are equal.")
@click.option("--name", default="", metavar="NAME", help="Your name, for the code to hand in.")
@takes_picture("--html", "the quiz as a page to work on")
@takes_picture("--print", "a sheet for paper, with a page of solutions")
@click.option("--check", "codes", metavar="CODE", multiple=True, help="Mark a code that was handed in (repeatable).")
@as_json
@click.pass_obj
def command(
    session: Session,
    topic: str | None,
    seed: int,
    questions: int,
    depth: int,
    branching: int,
    chance: float,
    ties: bool,
    name: str,
    html: str | None,
    print: str | None,
    codes: tuple[str, ...],
    as_json: bool,
) -> int:
    """Ask about minimax, alpha-beta, move ordering, scout, expectiminimax or star1.

    The questions are about figure 5.2 and generated trees: values, windows, cuts, leaves visited, orders. Each answer
    is explained with the line of the program that decides it. At the end you get a code to hand in, which `--check`
    marks.
    """
    if codes:
        if topic is not None:
            raise UsageError("--check needs no topic: the code says which quiz it is")
        return _check(session, codes, as_json)
    plan = QuizPlan(
        topic=topic or "alphabeta",
        seed=seed,
        number=questions,
        depth=depth,
        branching=branching,
        chance=chance,
        ties=ties,
    )
    quiz = make_quiz(session.registry, plan)
    if html is not None:
        write_picture(html, quiz_page(quiz))
    if print is not None:
        write_picture(print, quiz_sheet(quiz))
    if as_json:
        echo_json(as_data(quiz))
    elif html is None and print is None:
        _ask(quiz, name)
    return 0


def as_data(quiz: Quiz) -> dict[str, object]:
    """Return the quiz for JSON, solutions included."""
    return {
        "topic": quiz.plan.topic,
        "seed": quiz.plan.seed,
        "exercises": [
            {
                "tree": exercise.tree.root.as_data(),
                "questions": [
                    {
                        "key": question.key,
                        "question": question.text,
                        "form": question.answer.form,
                        "accepted": list(question.answer.accepted),
                        "why": question.why,
                        "line": question.line,
                    }
                    for question in exercise.questions
                ],
            }
            for exercise in quiz.exercises
        ],
    }


def _ask(quiz: Quiz, name: str) -> None:
    """Ask all questions at the terminal.

    Raises:
        Stopped: the input ended, or Ctrl-C was pressed; the code for the answers so far has been printed.
    """
    answers: list[str] = []
    good = 0
    number = 0
    try:
        for exercise in quiz.exercises:
            echo()
            for line in exercise_lines(exercise.tree):
                echo(f"  {line}")
            if exercise.note:
                echo_line(exercise.note)
            for question in exercise.questions:
                number += 1
                echo()
                echo_line(f"{number}. {question.text}")
                given, right = _answer(question.answer)
                answers.append(given)
                good += right
                echo_line("Right." if right else f"No: {question.answer.shown}.")
                echo_line(f"{question.why[:1].upper()}{question.why[1:]}.")
                if question.line:
                    echo(f"    {question.line}")
    except (EOFError, KeyboardInterrupt) as error:
        echo()
        _end(quiz, name, answers, good)
        interrupted = isinstance(error, KeyboardInterrupt)
        raise Stopped(
            f"{'interrupted' if interrupted else 'the input ended'} before question {number} was answered",
            INTERRUPTED if interrupted else FAILURE,
        ) from None
    _end(quiz, name, answers, good)


def _answer(answer: Any) -> tuple[str, bool]:
    while True:
        if sys.stdin.isatty():
            given = input("> ").strip()
        else:
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            given = line.strip()
            echo(f"> {given}")
        try:
            return given, answer.is_right(given)
        except NotationError:
            echo_line(f"Write {HINTS[answer.form]}.")


def _end(quiz: Quiz, name: str, answers: list[str], good: int) -> None:
    echo()
    echo_line(f"{good} of {len(quiz.questions)} right.")
    echo("To hand in:")
    echo(HandedIn(quiz.plan, name, tuple(answers)).code())


def _check(session: Session, codes: tuple[str, ...], as_json: bool) -> int:
    marks = []
    for code in codes:
        handed_in = HandedIn.of(code)
        quiz = make_quiz(session.registry, handed_in.plan)
        marked = mark(quiz, handed_in.answers)
        marks.append(_as_marks(handed_in, marked))
        if not as_json:
            _show_marks(handed_in, marked)
    if as_json:
        echo_json(marks[0] if len(marks) == 1 else marks)
    return 0


def _as_marks(handed_in: HandedIn, marked: list[Marked]) -> dict[str, object]:
    return {
        "name": handed_in.name,
        "topic": handed_in.plan.topic,
        "seed": handed_in.plan.seed,
        "score": sum(each.right for each in marked),
        "max_score": len(marked),
        "answers": [
            {
                "question": each.question.text,
                "given": each.given,
                "right": each.right,
                "answer": each.question.answer.shown,
            }
            for each in marked
        ],
    }


def _show_marks(handed_in: HandedIn, marked: list[Marked]) -> None:
    plan = handed_in.plan
    rows = {
        "name": handed_in.name or "not given",
        "quiz": f"{plan.topic}, seed {plan.seed}",
        "right": f"{sum(each.right for each in marked)} of {len(marked)}",
    }
    for number, each in enumerate(marked, 1):
        given = each.given or "nothing"
        rows[f"{number}."] = f"{given}: right" if each.right else f"{given}: wrong, {each.question.answer.shown}"
    echo_rows(rows)
