"""Announce work that takes long: a library names the work, and a front end may show it.

with lengthy("compiling alphabeta for kalah"):
    ...
"""

import contextlib
import contextvars
from collections.abc import Callable
from contextlib import AbstractContextManager

Show = Callable[[str], AbstractContextManager[object]]
"""`show(what)` is a context manager, open while the work goes on. `what` is a clause such as "compiling ..."."""


def unseen(what: str) -> AbstractContextManager[object]:
    """Show nothing."""
    return contextlib.nullcontext()


shown: contextvars.ContextVar[Show] = contextvars.ContextVar("shown", default=unseen)
"""How the front end shows lengthy work; by default, not at all."""


def lengthy(what: str) -> AbstractContextManager[object]:
    """Show `what` while the `with` block runs."""
    return shown.get()(what)
