"""Modules that workers share: imported once, in the process that they are forked from.

So a worker begins within milliseconds, and has in memory of its own only what it makes itself. No thread may run in the
process that is forked.
"""

import contextlib
import os
import signal

LOOK = 0.2
"""Seconds between two looks at whether the server is still there, which may be killed meanwhile."""


def warm_up() -> None:
    """Import what workers need."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else importing NumPy starts threads
    if os.environ.get("GGP_SPEED") != "interpreted":
        with contextlib.suppress(ImportError):
            from ggp.compiler import machine, program  # noqa: F401 - LLVM is made ready once for all

            machine.versions()
    import ggp.cli  # noqa: F401 - the program itself, which a worker imports again
    from ggp.plugins import load_registry
    from ggp.web.responder import templates

    load_registry().searchers  # noqa: B018 - imports every plugin
    templates()


server = os.getppid()
before = signal.signal(signal.SIGALRM, lambda *_: None if os.getppid() == server else os._exit(0))
signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
try:
    warm_up()
finally:
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
