"""The command line: `ggp COMMAND`, one module a command."""

from ggp.cli.app import main

__all__ = ["main"]
