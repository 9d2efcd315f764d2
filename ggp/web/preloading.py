"""Modules that workers share: they are imported once, in the process from which workers are forked.

So a worker starts within milliseconds and shares the memory of these modules. The process that is forked must not have
threads.
"""

import contextlib
import os
import signal

LOOK = 0.2
"""Seconds between two checks whether the server is still running; it may have been killed."""


def warm_up() -> None:
    """Import the modules that workers need."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else importing NumPy starts threads
    if os.environ.get("GGP_SPEED") != "interpreted":
        with contextlib.suppress(ImportError):
            from ggp.compiler import closed_program, machine  # noqa: F401 - LLVM is made ready once for all

            machine.versions()
    import ggp.cli  # noqa: F401 - the program itself, which a worker imports again
    from ggp.plugins import load_registry
    from ggp.web.responder import templates

    load_registry().searchers  # noqa: B018 - imports every plugin but single games
    templates()


server = os.getppid()
before = signal.signal(signal.SIGALRM, lambda *_: None if os.getppid() == server else os._exit(0))
signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
try:
    warm_up()
finally:
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
