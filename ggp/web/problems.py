"""Error responses of the page: an HTTP status and a sentence."""

from ggp.errors import GGPError


class ProblemError(GGPError):
    """A request that cannot be served."""

    status = 400


class NowhereError(ProblemError):
    """Unknown page or game."""

    status = 404


class TooLongError(ProblemError):
    """The address is longer than the address of any game can be."""

    status = 414


class RequestTooLargeError(ProblemError):
    """The upload is larger than any record can be."""

    status = 413


class TooMuchError(ProblemError):
    """The request would take more time, memory or space than one visitor may use."""

    status = 422


class TooManyError(ProblemError):
    """The visitor has too many requests under way."""

    status = 429


class BusyError(ProblemError):
    """All visitors together have too many requests under way."""

    status = 503


class PluginFailedError(ProblemError):
    """A game or a searcher has failed; the message names its method and the state."""

    status = 500


class WorkerDiedError(ProblemError):
    """The process that handled the request has died."""

    status = 500
