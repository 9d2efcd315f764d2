"""The site without a server, and somebody who visits it."""

import asyncio
from typing import Any

import httpx
from starlette.types import ASGIApp

import ggp
from ggp.web.responder import Answer, PageRequest, Responder, Tell, silent
from ggp.web.value_store import ValueCache


class Here:
    """Works on requests in this process, at once."""

    def __init__(self, registry: ggp.Registry) -> None:
        self.responder = Responder(registry, ValueCache())

    async def do(self, asked: PageRequest, *, searching: bool, seconds: float, tell: Tell = silent) -> Answer | None:
        return self.responder.answer(asked, searching=searching, tell=tell)

    def close(self) -> None:
        """Nothing goes on."""


class Visitor:
    """Asks the site, without a server and in this process."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._runner = asyncio.Runner()
        self._client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1")

    def ask(self, method: str, url: str, *, follow: bool = False, **more: Any) -> httpx.Response:
        return self._runner.run(self._client.request(method, url, follow_redirects=follow, **more))

    def get(self, url: str, **more: Any) -> httpx.Response:
        return self.ask("GET", url, **more)

    def load(self, record: str | bytes) -> httpx.Response:
        """Send the file of a record by the form."""
        return self.ask("POST", "/load", files={"file": ("game.json", record)})

    def close(self) -> None:
        self._runner.run(self._client.aclose())
        self._runner.close()
