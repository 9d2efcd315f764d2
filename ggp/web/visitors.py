"""Who asks: what limits and fair turns tell visitors apart by."""

import ipaddress
import re
import secrets

import attrs
from starlette.requests import Request
from starlette.responses import Response

COOKIE = "ggp_visitor"
"""The name of the cookie that tells the visitors of one address apart. It ends with the browser's session."""


@attrs.frozen
class Visitor:
    """A visitor at an address; a browser that sends no cookie yet has no session of its own."""

    address: str
    session: str = ""


def visitor(request: Request) -> Visitor:
    """Return who sent the request: the network address of the peer, and the session that its cookie names.

    The server replaces the peer by the address in X-Forwarded-For only where the operator names the proxy.
    """
    host = request.client.host if request.client else "unknown"
    return Visitor(network(host), _session(request))


def network(host: str) -> str:
    """Return the part of an address that a visitor cannot change: all of IPv4, the first 64 bits of IPv6."""
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
    """Give a browser without a session one; nothing but its turn in a queue hangs on it."""
    if not _session(request):
        answer.set_cookie(COOKIE, secrets.token_hex(16), httponly=True, samesite="lax")
    return answer


def _session(request: Request) -> str:
    found = request.cookies.get(COOKIE, "")
    return found if re.fullmatch(r"[0-9a-f]{32}", found) else ""
