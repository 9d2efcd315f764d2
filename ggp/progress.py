"""Work that takes long says so: a library names it, and a front end shows it, if it likes.

with lengthy("compiling alphabeta for kalah"):
    ...
"""

import contextlib
import contextvars
from collections.abc import Callable
from contextlib import AbstractContextManager

Show = Callable[[str], AbstractContextManager[object]]
"""`show(what)`: entered when the work begins, left when it is done. `what` is a clause such as "compiling ..."."""


def unseen(what: str) -> AbstractContextManager[object]:
    """Show nothing."""
    return contextlib.nullcontext()


shown: contextvars.ContextVar[Show] = contextvars.ContextVar("shown", default=unseen)
"""How the front end shows lengthy work; by default not at all."""


def lengthy(what: str) -> AbstractContextManager[object]:
    """Show `what` as long as the `with` block takes."""
    return shown.get()(what)
