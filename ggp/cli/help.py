"""Commands and groups with help pages drawn by rich-click, which is imported only to print one."""

import ast
import functools
import importlib.machinery
import importlib.util
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ggp.errors import did_you_mean

if TYPE_CHECKING:
    from rich_click import RichCommand


class Helpful(click.Command):
    """A command whose help page is drawn by rich-click.

    Arguments:
        section: the section of `ggp --help` that lists the command, if a distribution adds it.
    """

    def __init__(self, *arguments: Any, section: str = "More", **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.section = section

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        refuses, context.allow_extra_args = not context.allow_extra_args, True
        try:
            rest = super().parse_args(context, args)
        except click.UsageError as error:
            error.ctx = error.ctx or context  # click's parser does not say whose option it is
            raise
        if refuses and rest and not context.resilient_parsing:
            hint = self.extra_hint(context, rest[0])
            raise click.UsageError(f"{rest[0]!r} is one argument too many: {hint}", context)
        return rest

    def extra_hint(self, context: click.Context, argument: str) -> str:
        """Return a clause that says what to type, if there is one argument too many."""
        return f"type {usage(context)}"

    def get_help(self, context: click.Context) -> str:
        from rich_click import RichCommand

        return _drawn(RichCommand(name=self.name, params=self.params, help=self.help, epilog=self.epilog), context)


def usage(context: click.Context) -> str:
    """Return the usage line of a command: the words that call it, and what to type after them."""
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


class HelpfulGroup(click.Group):
    """A group of commands. Without a command it prints its help page; for a misspelt command it proposes a name.

    Arguments:
        section: the section of `ggp --help` that lists the group, if a distribution adds it.
        synonyms: other spellings of the group's commands, which are not listed.
    """

    def __init__(self, *arguments: Any, section: str = "More", synonyms: Mapping[str, str] = {}, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.section, self.synonyms = section, synonyms

    def sections(self, context: click.Context) -> Mapping[str, Sequence[str]]:
        """Return the sections in which the help page lists the commands; empty for a single list."""
        return {}

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(context, args or ["--help"])

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, *rest = args
        name = self.synonyms.get(name, name)
        if self.get_command(context, name) is None and not name.startswith("-"):
            names = self.list_commands(context)
            hint = did_you_mean(name, names) or f": the commands are {', '.join(names)}"
            raise click.UsageError(f"there is no command {name!r}{hint}", context)
        return super().resolve_command(context, [name, *rest])

    def listed(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command for the help page; only its name, help and section are needed."""
        return self.get_command(context, name)

    def get_help(self, context: click.Context) -> str:
        from rich_click import RichGroup

        twin = RichGroup(name=self.name, params=self.params, help=self.help, epilog=self.epilog)
        for name in self.list_commands(context):
            if command := self.listed(context, name):
                twin.add_command(command, name)
        twin.list_commands = lambda ctx: list(twin.commands)  # type: ignore[method-assign]
        return _drawn(twin, context, self.sections(context))


@functools.cache
def outline(name: str, location: str) -> click.Command | None:
    """Return a command that has the help and the section of the command at `location`. Both are read from the source of
    the command: to import the modules of all commands would take twice as long as to print the help page.

    Arguments:
        location: module and function, as in an entry point.

    Returns: None if the source does not show help and section, for example if a call makes the command.
    """
    module, _, function = location.partition(":")
    package, *rest = module.split(".")
    spec = importlib.util.find_spec(package)
    for part in rest:
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(f"{spec.name}.{part}", spec.submodule_search_locations)
    loader = spec.loader if spec is not None else None
    source = loader.get_source(spec.name) if spec and loader and hasattr(loader, "get_source") else ""
    for node in _paragraph(source or "", f"def {function}("):
        if isinstance(node, ast.FunctionDef) and node.name == function and (text := ast.get_docstring(node)):
            given = {name: value for call in node.decorator_list for name, value in _named(call).items()}
            return (
                None
                if given.keys() & OTHER_HELP
                else Helpful(name, help=text, section=str(given.get("section", "More")))
            )
    return None


def _paragraph(source: str, line: str) -> list[ast.stmt]:
    """Return the statements around the line that begins with this text, up to two empty lines on either side. Parsing
    whole modules would take five times as long.
    """
    before, separator, after = source.partition(f"\n{line}")
    try:
        return (
            ast.parse(before.rpartition("\n\n\n")[2] + separator + after.partition("\n\n\n")[0]).body
            if separator
            else []
        )
    except SyntaxError:  # two empty lines within a text
        return []


OTHER_HELP = {"help", "short_help", "hidden", "deprecated"}
"""Arguments of a command's decorator that replace the docstring's line on the help page."""


def _named(decorator: ast.expr) -> dict[str, object]:
    """Return the arguments of `@click.command(...)` or `@click.group(...)` by name; an empty dictionary for any other
    decorator.
    """
    match decorator:
        case ast.Call(func=ast.Attribute(attr="command" | "group")):
            return {
                each.arg or "": each.value.value if isinstance(each.value, ast.Constant) else None
                for each in decorator.keywords
            }
    return {}


def _drawn(twin: "RichCommand", context: click.Context, sections: Mapping[str, Sequence[str]] = {}) -> str:
    from rich_click import RichContext

    grouped = [{"name": title, "commands": list(names)} for title, names in sections.items()]
    return twin.get_help(
        RichContext(
            twin,
            info_name=context.info_name,
            parent=context.parent,
            help_option_names=context.help_option_names,
            rich_help_config={"command_groups": {context.command_path: grouped}} if grouped else None,
        )
    )
