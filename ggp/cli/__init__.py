"""The command line: `ggp COMMAND`, one module a command.

`app` finds a command by its name and reports what fails, `session` makes the game, the position and the searcher that
options describe, and `console` prints. Other packages add commands by the entry points of the group `ggp.commands`.
"""

from ggp.cli.app import main

__all__ = ["main"]
