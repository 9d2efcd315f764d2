"""A cache of responses that are the same for all visitors, in the server's main process.

A page depends only on its address. Most visitors request openings that others have requested, and return to pages that
they have seen. These pages need no worker.
"""

from collections import OrderedDict

from ggp.web.responder import Answer, PageRequest

SIZE = 32_000_000
"""Maximum number of characters of all responses with their addresses: about two thousand pages."""


class AnswerCache:
    """The most recently used responses.

    Arguments:
        size: maximum number of characters of all responses.
    """

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._used = 0
        self._answers: OrderedDict[PageRequest, Answer] = OrderedDict()

    def get(self, asked: PageRequest) -> Answer | None:
        """Return the cached response to this request; None if there is none."""
        if asked in self._answers:
            self._answers.move_to_end(asked)
        return self._answers.get(asked)

    def put(self, asked: PageRequest, answer: Answer) -> None:
        """Store a response if it is the same for all visitors."""
        if not answer.lasting or asked in self._answers:
            return
        self._answers[asked] = answer
        self._used += _size(asked, answer)
        while self._used > self._size:
            self._used -= _size(*self._answers.popitem(last=False))


def _size(asked: PageRequest, answer: Answer) -> int:
    return len(asked.query) + len(answer.body) + sum(map(len, answer.headers.values()))
