"""`ggp grade`: marks for students' searchers, and the mistake that each makes."""

import pathlib
import sys
from collections.abc import Mapping

import click

from ggp.cli.console import echo, echo_json, echo_line, echo_rows
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import takes_picture, write_picture
from ggp.cli.session import Session, as_json
from ggp.number_text import many
from ggp_teach.grading import grading
from ggp_teach.grading.checking import CRITERIA, WEIGHTS, GradingPlan
from ggp_teach.grading.grade_report import grade_page, picture, tree_lines
from ggp_teach.grading.grading import Grade
from ggp_teach.grading.mistakes import MISTAKES
from ggp_teach.grading.weights import read_weights

TASKS = ("minimax", "alphabeta", "expectiminimax")


@click.command("grade", cls=Helpful, section="Learn and teach")
@click.argument("files", metavar="FILE.py...", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--function", "name", metavar="NAME", help="Grade this function or class of the file.")
@click.option(
    "--task", type=click.Choice(TASKS), help="The algorithm of the task (default: chosen by the name of the function)."
)
@click.option(
    "--arguments", metavar="game,state,...", help="The meaning of each parameter, if its name does not show it."
)
@click.option(
    "--turns",
    type=click.Choice(["any", "alternate"]),
    help="Use trees with extra turns and passes (any) or without them (alternate); default: depends on the program.",
)
@click.option(
    "--ties",
    type=click.Choice(["cut", "visit", "either"]),
    help="What the program does at a value equal to the bound: cut, visit or either (default: cut; visit for CS188).",
)
@click.option(
    "--chance/--no-chance",
    default=None,
    help="Use trees with chance, or leave them out (default: depends on the task and the program).",
)
@click.option("--weights", metavar="FILE", help="Read the weights of the marks from this TOML or JSON file.")
@takes_number("--trees", "Trees of each kind.", default=10, minimum=1, maximum=1000)
@takes_number("--seed", "Seed of the random trees.", default=0, minimum=0)
@takes_number("--seconds", "Processor time for each tree.", default=5.0, minimum=0.1, maximum=3600, type=float)
@takes_number("--memory", "Memory in MB.", default=1024, minimum=256, maximum=1 << 20)
@takes_picture("--svg", "the smallest failing tree")
@takes_picture("--html", "a report with pictures")
@as_json
@click.pass_obj
def command(
    session: Session,
    files: tuple[str, ...],
    name: str | None,
    task: str | None,
    arguments: str | None,
    turns: str | None,
    ties: str | None,
    chance: bool | None,
    weights: str | None,
    trees: int,
    seed: int,
    seconds: float,
    memory: int,
    svg: str | None,
    html: str | None,
    as_json: bool,
) -> int:
    """Grade searchers that students wrote: minimax, alpha-beta or expectiminimax.

    Each file is run in a separate limited process, on trees and on positions of games. Its values, its moves and the
    states that it visits are compared with those of the textbook's search. The report names the mistake, and draws the
    smallest tree that shows it.

    The exit status is 0 if all files are right, and 1 otherwise.
    """
    given: Mapping[str, float] = read_weights(pathlib.Path(weights)) if weights else WEIGHTS
    plan = GradingPlan(
        name=name,
        task=task,
        arguments=arguments,
        seed=seed,
        number=trees,
        seconds=seconds,
        megabytes=memory,
        weights=given,
        turns=turns,
        ties=ties,
        chance=chance,
    )
    grades: list[Grade] = []
    for file in files:
        grades.append(grading.grade(file, plan, session.registry))
        if not as_json:
            echo_grade(grades[-1], brief=len(files) > 1)
            sys.stdout.flush()
    if as_json:
        summaries = [grading.summary(each) for each in grades]
        echo_json(summaries[0] if len(files) == 1 else summaries)
    elif len(files) > 1:
        echo(f"{sum(each.passed for each in grades)} of {many(len(files), 'file')} right")
    shown = next((each for each in grades if each.failure), None)
    if svg is not None and shown is not None and shown.failure is not None:
        write_picture(svg, picture(shown.failure))
    if html is not None:
        write_picture(html, grade_page(grades))
    return 0 if all(each.passed for each in grades) else 1


def echo_grade(grade: Grade, *, brief: bool) -> None:
    """Print a grade; if `brief` is true, leave out the table and the tree."""
    verdict = "right" if grade.passed else f"{grade.marks:.0f} of 100"
    mistake = MISTAKES.get(grade.mistake)
    if brief:
        echo_line(f"{grade.path}: {verdict}{_title(grade)}")
        return
    rows = {"file": grade.path}
    if grade.problem:
        echo_rows(rows | {"problem": grade.problem})
        return
    assert grade.found is not None
    rows |= {"searcher": f"{grade.found.name} ({grade.found.task}, in the shape `{grade.found.shape}`)"}
    rows |= {"marks": verdict if not grade.passed else "100 of 100: right"}
    if mistake:
        rows |= {"mistake": _title(grade).lstrip(": "), "advice": mistake.advice}
    if grade.errors:
        rows["error"] = "; ".join(grade.errors)
    echo_rows(rows)
    echo()
    echo_line("Right answers out of all (value, move, states visited):")
    for topic, criteria in grade.topics.items():
        parts = [f"{criteria[c][0]:>3}/{criteria[c][1]:<3}" if c in criteria else "   -   " for c in CRITERIA]
        echo(f"  {topic:<14}{' '.join(parts)}".rstrip())
    for remark in grade.remarks:
        echo_line(f"{remark}")
    if grade.failure is not None:
        echo()
        for line in tree_lines(grade.failure):
            echo(line)


def _title(grade: Grade) -> str:
    if grade.problem:
        return f": {grade.problem}"
    if not grade.mistake:
        return ""
    return f": {'' if grade.sure else 'probably '}{MISTAKES[grade.mistake].title}"
