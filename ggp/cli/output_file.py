"""Writing the output of a command to a file: completely or not at all."""

import pathlib
from collections.abc import Callable

import click

from ggp import files
from ggp.cli.console import echo
from ggp.cli.number_options import CommandT
from ggp.tables import ResultTable

STANDARD_OUTPUT = "-"
"""The file name that stands for standard output."""


def takes_picture(name: str, what: str) -> Callable[[CommandT], CommandT]:
    """Return an option that names the file for a picture of `what`."""
    meaning = f"Draw {what} to this file ({STANDARD_OUTPUT} for standard output)."
    return click.option(
        name, metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True), help=meaning, callback=_checked
    )


takes_csv = click.option(
    "--csv",
    "csv",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help=f"Write the result to this file as a table ({STANDARD_OUTPUT}: write the table alone to standard output).",
    callback=lambda context, parameter, file: _checked(context, parameter, file),
)
"""The option that names the file for a table."""


def write_csv(file: str, result_table: ResultTable) -> None:
    """Write a table to a file as CSV; `-` is standard output. Raises as `ggp.files.write_file`."""
    if file == STANDARD_OUTPUT:
        click.echo(result_table.to_csv(), nl=False)
    else:
        files.write_file(pathlib.Path(file), result_table.to_csv().encode(), "table")


def _checked(context: click.Context, parameter: click.Parameter, file: str | None) -> str | None:
    """Return the file after checking that it can be written, since the work that fills it may take long."""
    if file is not None and file != STANDARD_OUTPUT and not context.resilient_parsing:
        files.require_place(pathlib.Path(file), "file")
    return file


def write_picture(file: str, text: str) -> None:
    """Write a picture to a file, and print its name on standard error; `-` is standard output."""
    if file == STANDARD_OUTPUT:
        echo(text)
        return
    files.write_file(pathlib.Path(file), f"{text}\n".encode())
    echo(f"written: {file}", err=True)
