"""Commands and groups with help pages drawn by rich-click, which is imported only to print one."""

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
        try:
            return super().parse_args(context, args)
        except click.UsageError as error:
            error.ctx = error.ctx or context  # click's parser does not say whose option it is
            raise

    def get_help(self, context: click.Context) -> str:
        from rich_click import RichCommand

        return _drawn(RichCommand(name=self.name, params=self.params, help=self.help, epilog=self.epilog), context)


class HelpfulGroup(click.Group):
    """A group of commands. Without a command it prints its help page; for a misspelt command it proposes a name.

    Arguments:
        section: as that of `Helpful`.
        synonyms: other spellings of its commands, which are not listed.
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

    def get_help(self, context: click.Context) -> str:
        from rich_click import RichGroup

        twin = RichGroup(name=self.name, params=self.params, help=self.help, epilog=self.epilog)
        for name in self.list_commands(context):
            if command := self.get_command(context, name):
                twin.add_command(command, name)
        twin.list_commands = lambda ctx: list(twin.commands)  # type: ignore[method-assign]
        return _drawn(twin, context, self.sections(context))


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
