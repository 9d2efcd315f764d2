"""A limit for the cost of compiling. The cost is counted in statements and not in seconds, so that every machine
decides alike.
"""

from ggp.compiler.refusals import Refused

STATEMENT = 50e-6
"""Processor time of one statement of closed core, in seconds, summed over all passes that write it (measured on nine
games).
"""
MOST_WORK = 2_000_000
"""Number of statements for a program without a limit of its own; they take some seconds."""


class TooMuchWork(Refused):
    """Raised when compiling costs more than its limit."""


class Budget:
    """A limit for the work on one program, all passes included."""

    def __init__(self, seconds: float | None = None) -> None:
        """Begin with a limit in seconds of processor time; if it is None, the limit is `MOST_WORK`."""
        self.seconds = seconds
        self.left = MOST_WORK if seconds is None else int(seconds / STATEMENT)

    def spend(self, statements: int) -> None:
        """Subtract the cost of some statements.

        Raises:
            TooMuchWork: nothing is left.
        """
        self.left -= statements
        if self.left < 0:
            raise self.refusal()

    def refusal(self) -> TooMuchWork:
        """Return the error that says that the budget is used up."""
        if self.seconds is None:
            return TooMuchWork("finding the types of the program takes too long")
        return TooMuchWork(
            f"compiling takes more than about {self.seconds:g} s of processor time; speed=compiled compiles it anyway"
        )
