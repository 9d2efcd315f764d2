"""Server-sent events, for as long as somebody listens."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request

from ggp.web.work import Task

PATIENCE = 0.5
"""Seconds between two looks at whether the visitor is still there."""
PAUSE = 0.1
"""Seconds between two pieces, at least."""


async def until_left(request: Request, task: Task, pieces: "asyncio.Queue[str | None]") -> AsyncIterator[str]:
    """The pieces, up to None, of those that come together the last one; as soon as the visitor has left, nothing."""
    try:
        yield event("begun", "")
        while not await request.is_disconnected():
            try:
                latest = await asyncio.wait_for(pieces.get(), PATIENCE)
            except TimeoutError:
                yield ": still searching\n\n"
                continue
            ended = latest is None
            while not pieces.empty():
                piece = pieces.get_nowait()
                latest, ended = piece or latest, ended or piece is None
            if latest:
                yield latest
            if ended:
                return
            await asyncio.sleep(PAUSE)
    finally:
        task.tell_to_end()


def event(kind: str, text: str) -> str:
    """A server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines() if line.strip())
    return f"event: {kind}\n{lines}\n"
