"""Headers of every response, and the host names that the server accepts."""

import re
from collections.abc import Callable, Collection, Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ggp.show.document import source_hash

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The host names of this machine for a browser that runs on it."""


def hashes(texts: Iterable[str]) -> list[str]:
    """Return the sources for a content security policy that allows these inline style sheets and scripts."""
    return list(map(source_hash, texts))


def security_policy(styles: Iterable[str], scripts: Iterable[str] = ()) -> str:
    """Return the content security policy, which allows files of this server, and inline code by its hash."""
    return "; ".join(
        [
            "default-src 'self'",
            " ".join(["script-src 'self'", *scripts]),
            " ".join(["style-src 'self'", *styles]),
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ]
    )


class Guard:
    """Refuses requests for other hosts, and adds security headers to every response.

    Another site may let its own name resolve to this machine (DNS rebinding); such requests are recognized by their
    host name.

    Arguments:
        hosts: the accepted host names; None: any.
        close: called to end all work when the server ends.
    """

    def __init__(
        self, app: ASGIApp, security_policy: str, hosts: Collection[str] | None, close: Callable[[], None]
    ) -> None:
        self.app, self.security_policy, self.hosts, self.close = app, security_policy, hosts, close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Cache-Control", "no-cache")
                headers.setdefault("Content-Security-Policy", self.security_policy)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["X-Frame-Options"] = "DENY"
                headers["Referrer-Policy"] = "no-referrer"
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
            await send(message)

        host = re.sub(r":\d*$", "", Headers(scope=scope).get("host", "")).lower()
        if self.hosts is not None and host not in self.hosts:
            said = f"This server is available only as {', '.join(self.hosts)}: the request was for {host[:100]!r}.\n"
            await PlainTextResponse(said, 421)(scope, receive, strictly)
        elif not wanted_here(scope["method"], Headers(scope=scope)):
            said = "This request was sent by a page of another site: open the address itself, or send it from here.\n"
            await PlainTextResponse(said, 403)(scope, receive, strictly)
        else:
            await self.app(scope, receive, strictly)


def wanted_here(method: str, headers: Headers) -> bool:
    """Return whether a request is wanted: from a page of this server, from a person who opens a link or types an
    address, or from a program other than a browser.

    Another site may link here. Another site may not post forms, nor start searches without the visitor's knowledge (for
    example by the address of a picture, a script or a frame). Browsers name the origin of a request; programs need not.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if method not in ("GET", "HEAD"):
        own = origin is None or origin.partition("://")[2].lower() == headers.get("host", "").lower()
        # These pages ask browsers to send no referrer. Such a browser also says "null" for the origin of a form.
        return own if site is None else site in ("same-origin", "none") and (own or origin == "null")
    opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return opened or site in (None, "same-origin", "none")
