"""Error responses of the page: a status and a sentence."""

from ggp.errors import GGPError


class ProblemError(GGPError):
    """A request that is not served."""

    status = 400


class NowhereError(ProblemError):
    """Unknown page or game."""

    status = 404


class TooLongError(ProblemError):
    """The address is longer than any game makes it."""

    status = 414


class RequestTooLargeError(ProblemError):
    """The upload is larger than any record."""

    status = 413


class TooMuchError(ProblemError):
    """It would take more time, memory or room than the page gives to one visitor."""

    status = 422


class TooManyError(ProblemError):
    """The visitor has too much under way already."""

    status = 429


class BusyError(ProblemError):
    """All visitors together have too much under way."""

    status = 503


class WorkerDiedError(ProblemError):
    """The process that worked on the request has died."""

    status = 500
