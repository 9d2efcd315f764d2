"""The program `ggp` from its first moment: Ctrl-C ends it with status 130, even while its modules are imported.

This module is not part of the package `ggp`, since importing a module of a package first imports the package itself.
"""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def main() -> int:
    """Run the program and return its exit status; see `ggp.cli.app.main`."""
    catches = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # a job in the background ignores it
    if catches:
        signal.signal(signal.SIGINT, stop)
    from ggp.cli import main as run

    if catches:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return run()
    except KeyboardInterrupt:
        print("ggp: interrupted", file=sys.stderr)  # noqa: T201
        return INTERRUPTED
    finally:
        if catches:  # pressed again while Python ends, it ends at once; threads would tell of it in a traceback
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def stop(number: int, frame: FrameType | None) -> None:
    """End the process at once: nothing has been begun yet."""
    os.write(sys.stderr.fileno(), b"ggp: interrupted\n")
    os._exit(INTERRUPTED)
