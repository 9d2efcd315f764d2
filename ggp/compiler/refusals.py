"""Two errors: `Refused` for code that cannot be compiled, with file and line, and `Fault` for machine code that cannot
continue.
"""

FAILS = "the compiler fails"
"""The beginning of the message for an internal error of the compiler."""


class Refused(Exception):
    """Raised when something cannot be compiled; the message names it, in terms of the author's source."""

    def __init__(self, message: str, line: tuple[str, int] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        """The file and the line."""

    def __str__(self) -> str:
        if self.line is None:
            return self.message
        return f"{self.line[0].replace(chr(92), '/').rpartition('/')[2]}:{self.line[1]}: {self.message}"


class Fault(Exception):
    """Raised if machine code cannot continue as Python would; the same call must then run in the interpreter."""
