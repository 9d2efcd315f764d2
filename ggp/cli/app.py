"""Define the program `ggp`: its global options, and its commands, each imported when it is first used."""

import contextlib
import contextvars
import functools
import importlib
import importlib.metadata
import itertools
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from types import FrameType

import click

from ggp.cli import failure
from ggp.cli.console import say
from ggp.cli.help import HelpfulGroup, outline
from ggp.cli.session import Session
from ggp.cli.wait_message import waiting
from ggp.errors import GGPError, PluginError, tell_warnings
from ggp.plugin_hooks import entry_points
from ggp.progress import shown
from ggp.watchdog import watching

SECTIONS = {
    "Play": ("play", "resume", "replay", "review", "record", "serve", "puzzle"),
    "Search and learn": ("search", "tree", "compare", "show", "perft", "export"),
    "Solve": (),
    "Compare": ("match", "tournament", "levels"),
    "Games and searchers": ("games", "rules", "searchers", "describe"),
    "Write your own": ("new", "check", "compile"),
}
"""The framework's own commands by section of the help page, in the order of that page."""

COMMANDS = tuple(itertools.chain.from_iterable(SECTIONS.values()))
"""The framework's own commands. Each is the function `command` in the module with the same name as the command."""

SYNONYMS = {"analyze": "analyse"}
"""Other spellings of commands."""

GROUP = "ggp.commands"
"""Other packages add commands by entry points of this group: the command's name, and where its click command is."""


@functools.cache
def added() -> dict[str, importlib.metadata.EntryPoint]:
    """Return the commands that distributions add, by name. Names of the framework's own commands are ignored."""
    commands = {entry.name: entry for entry in entry_points(group=GROUP)}
    return {name: commands[name] for name in sorted(commands) if name not in COMMANDS}


class LazyGroup(HelpfulGroup):
    """The group of all commands. The group imports a command's module when the command is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [*COMMANDS, *added()]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in COMMANDS:
            command: click.Command = importlib.import_module(f"ggp.cli.{name}").command
            return command
        return _load(added()[name]) if name in added() else None

    def listed(self, context: click.Context, name: str) -> click.Command | None:
        location = f"ggp.cli.{name}:command" if name in COMMANDS else added()[name].value
        return outline(name, location) or self.get_command(context, name)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args == ["version"]:
            args = ["--version"]
            self.parse_args(context, args)
        if args[0] == "help":  # `ggp help record list` is `ggp record list --help`, `ggp help nim` is `ggp games nim`
            args = self._explained(context, args[1:])
            if args == ["--help"]:
                click.echo(self.get_help(context))
                context.exit()
        return super().resolve_command(context, args)

    def _explained(self, context: click.Context, names: list[str]) -> list[str]:
        """Return the command line that prints help on a command, a game or a searcher."""
        name = names[0] if names else ""
        if name and name not in self.synonyms and self.get_command(context, name) is None:
            registry = context.ensure_object(Session).registry
            for command, entries in {"games": registry.games, "searchers": registry.searchers}.items():
                if name in entries:
                    return [command, name]
        return [*names, "--help"]

    def sections(self, context: click.Context) -> dict[str, list[str]]:
        listed = {title: list(names) for title, names in SECTIONS.items()}
        for name in added():
            listed.setdefault(getattr(self.listed(context, name), "section", "More"), []).append(name)
        return listed


def _load(entry: importlib.metadata.EntryPoint) -> click.Command:
    try:
        command: click.Command = entry.load()
    except Exception as error:
        of = f" of {entry.dist.name}" if entry.dist else ""
        raise PluginError(f"the command {entry.name!r}{of} cannot be imported: {error}") from error
    return command


@click.group(
    cls=LazyGroup,
    synonyms=SYNONYMS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog='Shell completion: eval "$(_GGP_COMPLETE=bash_source ggp)" (or zsh_source, fish_source).',
)
@click.option(
    "--plugin",
    "files",
    multiple=True,
    metavar="FILE.py",
    type=click.Path(exists=True, dir_okay=False),
    help="Load games and searchers from this Python file. May be repeated.",
)
@click.option("--traceback", is_flag=True, help="Print a traceback when something fails.")
@click.version_option(package_name="ggp", message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context, files: tuple[str, ...], traceback: bool) -> None:
    """Play, search and solve two-player games of perfect information, with or without chance.

    `ggp play kalah` starts a game, `ggp help play` prints the options of a command.
    """
    session = context.ensure_object(Session)
    session.files, session.traceback = files, traceback


def _run(arguments: Sequence[str] | None, session: Session) -> int:
    """Run the command. If the default searcher of the command fails, run the command again without that searcher."""
    while True:
        try:
            answer: int | None = program.main(args=arguments, prog_name="ggp", standalone_mode=False, obj=session)
            return answer or 0
        except (GGPError, click.exceptions.ClickException, click.exceptions.Abort):
            raise
        except BaseException as error:
            from ggp.plugin_faults import at_fault  # most commands need none of it

            failed = at_fault(error, session.registry) if session.default and not session.interrupted else None
            if not failed or failed[0].name != session.default:
                raise
            say(f"warning: {failed[1]}; it is left out")
            session.registry.leave_out(failed[0].name)
            session.default = None


@contextlib.contextmanager
def _noticing_interrupts(session: Session) -> Iterator[None]:
    """Note in the session that Ctrl-C was pressed.

    All later failures then count as effects of Ctrl-C, and the exit status is that of an interruption.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        session.interrupted = True
        before(number, frame)

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _open_streams() -> None:
    """Connect each standard stream that is closed (`ggp games >&-`) to the null device.

    Without this, the next file that is opened, such as the store, would get the number of the closed stream.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
        if getattr(sys, name) is None:
            stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115 (to the end)
            setattr(sys, name, stream)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Arguments:
        arguments: the command line without the program's name; None uses the arguments of this process.

    Returns: the exit status: 0 for success, 1 for a failure, 2 for a usage error, 130 for Ctrl-C.
    """
    return contextvars.copy_context().run(_main, arguments)  # a caller's context has no front end afterwards


def _main(arguments: Sequence[str] | None) -> int:
    session = Session()
    _open_streams()
    tell_warnings()
    shown.set(waiting)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # a stream that cannot show a sign shows "?" for it
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        with (
            _noticing_interrupts(session),
            watching(session.loaded_registry, say),
        ):
            answer = _run(arguments, session)
        sys.stdout.flush()
    except KeyboardInterrupt:  # outside of click, which makes an Abort of it
        return failure.report(click.Abort(), session)
    except BaseException as error:  # a plugin that calls sys.exit ends with a sentence, too
        if failure.is_exit_of_click(error):
            raise
        try:
            return failure.report(error, session)
        except KeyboardInterrupt:  # pressed again while the first one is reported
            return failure.report(error, session)
    return answer
