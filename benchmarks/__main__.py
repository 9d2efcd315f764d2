"""The command `python -m benchmarks`, from a checkout."""

import pathlib
from collections.abc import Callable, Iterator

import click

from benchmarks import (
    calls,
    comparisons,
    engines,
    games,
    gdl,
    growth,
    machine,
    parallel,
    parts,
    report,
    review,
    solve,
    starts,
    tablebase,
    turns,
    web,
    whole,
)
from benchmarks.report import Section
from benchmarks.rounds import Unequal
from benchmarks.scale import FULL, QUICK, Scale
from ggp.files import write_file

RESULTS = pathlib.Path(__file__).with_name("RESULTS.md")
SECTIONS: dict[str, Callable[[Scale], Section]] = {
    "kalah": comparisons.kalah,
    "table": comparisons.table,
    "tictactoe": comparisons.tictactoe,
    "connectfour": comparisons.connectfour,
    "othello": comparisons.othello,
    "interpreted": comparisons.interpreted,
    "pig": comparisons.pig,
    "deep": whole.deep,
    "parallel": parallel.parallel,
    "starts": starts.starts,
    "turns": turns.turns,
    "games": games.games,
    "gdl": gdl.gdl,
    "calls": calls.calls,
    "ablation": whole.ablation,
    "engines": engines.engines,
    "growth": growth.growth,
    "web": web.web,
}
INTRODUCTION = """\
Made by `python -m benchmarks`. Interleaved rounds of processor time in one process; seconds are those of one run, the
median of the rounds, and the spread is the longest less the shortest round as a part of it. Compilation is not in them,
except where a cold start is told. Where rows are said to be of the same tree, their states were checked to be equal."""


def _run(names: tuple[str, ...], scale: Scale, picture: pathlib.Path | None) -> Iterator[Section]:
    for name in names:
        click.echo(f"{name} ...", err=True)
        if name == "growth" and picture:
            series = growth.series(scale)
            growth.plot(series, picture)
            yield growth.section(series)
        else:
            yield SECTIONS[name](scale)


@click.group(invoke_without_command=True)
@click.option("--quick", is_flag=True, help="Run a smoke test: everything is small, and the figures mean nothing.")
@click.option(
    "--only", multiple=True, type=click.Choice(list(SECTIONS)), help="Run only this section; may be repeated."
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=pathlib.Path),
    help="Draw the chart of the section `growth` into this file.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=pathlib.Path),
    help="Write the results into this file; a full run writes benchmarks/RESULTS.md.",
)
@click.pass_context
def main(
    context: click.Context, quick: bool, only: tuple[str, ...], plot: pathlib.Path | None, output: pathlib.Path | None
) -> None:
    """Compare ggp with its peers and with C, and the enhancements of ggp's searches with each other."""
    if context.invoked_subcommand:
        return
    file = output or (None if quick or only else RESULTS)
    if file == RESULTS and machine.commit().endswith(machine.CHANGED):
        raise click.ClickException(
            f"commit your changes first, or use --output: {file.name} names the commit that is measured"
        )
    machine_facts = machine.facts()
    try:
        sections = list(_run(only or tuple(SECTIONS), QUICK if quick else FULL, plot))
    except Unequal as error:
        raise click.ClickException(str(error)) from error
    parts = [report.targets(sections), *sections]
    told = f"{machine_facts}\n- sections: {', '.join(only or SECTIONS)}"
    text = "\n\n".join(["# Results", INTRODUCTION, told, *(part.markdown() for part in parts)])
    click.echo(text)
    if file:
        write_file(file, f"{text}\n".encode(), "results")
        click.echo(f"written: {file}", err=True)


main.add_command(parts.command)
main.add_command(review.command)
main.add_command(solve.command)
main.add_command(tablebase.command)

if __name__ == "__main__":
    main()
