"""A cache of responses that are the same for everybody, in the server's own process.

A page is made from its address alone. Most visitors see the openings that others have seen, and come by pages that
they have seen before; none of that costs a worker's time again.
"""

from collections import OrderedDict

from ggp.web.responder import Answer, PageRequest

SIZE = 32_000_000
"""Characters of all answers together, their addresses included: some two thousand pages."""


class AnswerCache:
    """The most recently used responses.

    Arguments:
        size: characters of all answers together.
    """

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._used = 0
        self._answers: OrderedDict[PageRequest, Answer] = OrderedDict()

    def get(self, asked: PageRequest) -> Answer | None:
        """Return the cached answer, if there is one."""
        if asked in self._answers:
            self._answers.move_to_end(asked)
        return self._answers.get(asked)

    def put(self, asked: PageRequest, answer: Answer) -> None:
        """Store an answer if it is the same for all visitors."""
        if not answer.lasting or asked in self._answers:
            return
        self._answers[asked] = answer
        self._used += _size(asked, answer)
        while self._used > self._size:
            self._used -= _size(*self._answers.popitem(last=False))


def _size(asked: PageRequest, answer: Answer) -> int:
    return len(asked.query) + len(answer.body) + sum(map(len, answer.headers.values()))
