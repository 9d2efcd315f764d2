"""Help pages by rich-click, which is imported only when one is asked for."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich_click import RichCommand


class Helpful(click.Command):
    """A command whose help page is drawn by rich-click."""

    def get_help(self, context: click.Context) -> str:
        from rich_click import RichCommand

        return _drawn(RichCommand(name=self.name, params=self.params, help=self.help, epilog=self.epilog), context)


def group_help(group: click.Group, context: click.Context) -> str:
    """The help page of a group, with its commands in the group's own order."""
    from rich_click import RichGroup

    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    twin = RichGroup(name=group.name, params=group.params, help=group.help, epilog=group.epilog)
    for name, command in commands.items():
        if command:
            twin.add_command(command, name)
    twin.list_commands = lambda ctx: list(commands)  # type: ignore[method-assign]
    return _drawn(twin, context)


def _drawn(twin: "RichCommand", context: click.Context) -> str:
    from rich_click import RichContext

    return twin.get_help(
        RichContext(
            twin,
            info_name=context.info_name,
            parent=context.parent,
            help_option_names=context.help_option_names,
        )
    )
