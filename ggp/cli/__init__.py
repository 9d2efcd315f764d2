"""The command line: the commands of `ggp`, each in a module of its own.

`app` finds a command by its name and reports failures. `session` makes the game, the position and the searcher from the
options of the command line. `console` prints. Other packages can add commands by entry points of the group
`ggp.commands`.
"""

from ggp.cli.app import main

__all__ = ["main"]
