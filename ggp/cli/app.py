"""The program `ggp`: its global options, and its commands, each imported when it is asked for."""

import contextlib
import functools
import importlib
import importlib.metadata
import sys
from collections.abc import Sequence
from typing import Any

import click

from ggp.cli import failure
from ggp.cli.help import Helpful, group_help
from ggp.cli.session import Session
from ggp.cli.waiting import waiting
from ggp.errors import PluginError, did_you_mean, tell_warnings
from ggp.progress import shown

COMMANDS = (
    "games",
    "rules",
    "searchers",
    "search",
    "play",
    "resume",
    "serve",
    "replay",
    "record",
    "match",
    "tournament",
    "show",
    "perft",
    "tree",
    "check",
    "verify",
    "new",
)
"""The framework's own commands in the order of the help; each is `command` of the module of its name."""

SYNONYMS = {"analyze": "analyse"}
"""Other spellings of commands."""

GROUP = "ggp.commands"
"""Distributions add commands by entry points of this group: a name, and where its click command is."""


@functools.cache
def added() -> dict[str, importlib.metadata.EntryPoint]:
    """The commands that distributions add, by name; none of them takes the place of the framework's own."""
    found = {entry.name: entry for entry in importlib.metadata.entry_points(group=GROUP)}
    return {name: found[name] for name in sorted(found) if name not in COMMANDS}


class HelpWanted(Exception):
    """Raised by `ggp help`."""

    def __init__(self, context: click.Context) -> None:
        super().__init__()
        self.context = context


class LazyGroup(click.Group):
    """A group that imports the module of a command when the command is asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [*COMMANDS, *added()]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in COMMANDS:
            command: Helpful = importlib.import_module(f"ggp.cli.{name}").command
            return command
        return _load(added()[name]) if name in added() else None

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = SYNONYMS.get(arguments[0], arguments[0])
        if name == "help":
            name, arguments = (arguments[1], [arguments[1], "--help"]) if len(arguments) > 1 else ("--help", ["--help"])
            name = SYNONYMS.get(name, name)
            if name == "--help":
                raise HelpWanted(context)
        if name not in COMMANDS and not name.startswith("-") and name not in added():
            names = self.list_commands(context)
            raise click.UsageError(
                f"there is no command {name!r}{did_you_mean(name, names)}: the commands are {', '.join(names)}", context
            )
        return super().resolve_command(context, [name, *arguments[1:]])

    def get_help(self, context: click.Context) -> str:
        return group_help(self, context)


def _load(entry: importlib.metadata.EntryPoint) -> click.Command:
    try:
        command: click.Command = entry.load()
    except Exception as error:
        of = f" of {entry.dist.name}" if entry.dist else ""
        raise PluginError(f"the command {entry.name!r}{of} cannot be imported: {error}") from error
    return command


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog='Completion of commands, games and searchers: eval "$(_GGP_COMPLETE=bash_source ggp)" (or zsh, fish).',
)
@click.option(
    "--plugin",
    "files",
    multiple=True,
    metavar="FILE.py",
    type=click.Path(exists=True, dir_okay=False),
    help="Add the games and searchers of this file. If it cannot be used, the rest goes on, and the exit status is 1.",
)
@click.option("--traceback", is_flag=True, help="When something fails, show where.")
@click.version_option(package_name="ggp", message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context, files: tuple[str, ...], traceback: bool) -> None:
    """Play and search two-player zero-sum games of perfect information, with or without chance.

    Games and searchers are plugins: any searcher plays any game that it can serve.
    """
    session = context.ensure_object(Session)
    session.files, session.traceback = files, traceback
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Arguments:
        arguments: those of the command line, without the program's name; None for the process's own.

    Returns: the exit status: 0, 1 for a failure, 2 for what was asked wrongly, 130 for Ctrl-C.
    """
    session = Session()
    tell_warnings()
    shown.set(waiting)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # a stream that cannot show a sign shows "?" for it
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        answer: Any = program.main(args=arguments, prog_name="ggp", standalone_mode=False, obj=session)
        sys.stdout.flush()
    except HelpWanted as wanted:
        click.echo(wanted.context.get_help())
        return 0
    except Exception as error:
        return failure.report(error, session)
    return answer or (1 if session.failed else 0)
