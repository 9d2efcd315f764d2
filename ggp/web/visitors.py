"""Visitors: how limits and fair turns tell them apart."""

import ipaddress
import re
import secrets

import attrs
from starlette.requests import Request
from starlette.responses import Response

COOKIE = "ggp_visitor"
"""The name of the cookie that distinguishes visitors with the same address. It is deleted when the browser closes."""


@attrs.frozen
class Visitor:
    """A visitor at an address. A browser without the cookie has no session yet."""

    address: str
    session: str = ""


def visitor(request: Request) -> Visitor:
    """Return the sender of the request: the network address of the peer, and the session in its cookie.

    The address in X-Forwarded-For is used only if the peer is a proxy that the operator names.
    """
    host = request.client.host if request.client else "unknown"
    return Visitor(network(host), _session(request))


def network(host: str) -> str:
    """Return the part of an address that identifies a visitor's network: all of IPv4, the first 64 bits of IPv6."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def welcome(request: Request, answer: Response) -> Response:
    """Give a browser without a session a new one. The session is used only for turns in the queue."""
    if not _session(request):
        answer.set_cookie(COOKIE, secrets.token_hex(16), httponly=True, samesite="lax")
    return answer


def _session(request: Request) -> str:
    cookie = request.cookies.get(COOKIE, "")
    return cookie if re.fullmatch(r"[0-9a-f]{32}", cookie) else ""
