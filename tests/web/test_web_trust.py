"""What a visitor sends is believed to nobody, and what another site sends is not taken."""

import json

import pytest
from starlette.requests import Request

from ggp.web.visitor_limits import network, visitor


def request(host, **headers):
    pairs = [(name.encode(), text.encode()) for name, text in headers.items()]
    return Request({"type": "http", "client": (host, 1) if host else None, "headers": pairs})


@pytest.mark.parametrize(
    ("host", "same"),
    {
        "192.0.2.1": "192.0.2.1",
        "::ffff:192.0.2.1": "192.0.2.1",
        "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
        "2001:db8:1:2::9": "2001:db8:1:2::/64",
        "fe80::1%eth0": "fe80::/64",
        "testclient": "testclient",
    }.items(),
)
def test_a_visitor_is_who_cannot_change_its_address_at_will(host, same):
    assert network(host) == same


def test_a_visitor_is_its_address():
    assert visitor(request("192.0.2.1", cookie="ggp_visitor=0123456789abcdef")) == "192.0.2.1"
    assert visitor(request(None)) == "unknown"


def test_a_peer_is_not_believed_whom_it_speaks_for():
    assert visitor(request("127.0.0.1", **{"x-forwarded-for": "192.0.2.9"})) == "127.0.0.1"


def test_a_browser_gets_no_cookie(visitor):
    assert "set-cookie" not in visitor.get("/new/nim").headers


def claiming(record, value):
    """The record with the value that a player is said to have thought."""
    raw = json.loads(record)
    move = raw["moves"][0]
    move["thought"] = {"value": value, "exact": True, "nodes": 1 << 40, "depth": 99, "line": []}
    return json.dumps(raw)


def test_values_in_a_record_are_not_shown(visitor):
    url = "/play/fig52?moves=a1&show=curve"
    record = visitor.get("/record.json/fig52?moves=a1").text
    assert visitor.load(claiming(record, 777.0)).status_code == 303
    page = visitor.get(url)
    assert "777" not in page.text
    assert "After 0 moves: 3" in page.text


def test_values_of_a_visitors_player_are_not_shared(visitor):
    """A search one ply deep finds what its evaluation says; the curve has the page's own search."""
    kept = visitor.app.close.__self__.responder.values
    before = dict(kept._values)
    assert visitor.get("/play/kalah?south=human&north=alphabeta:depth=1&moves=A").status_code == 303
    assert kept._values == before


FORM = {"text": "x"}
PICTURE = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
FRAME = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
LINK = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    {
        "a program": ("POST", {}, 400),
        "the page's own form": ("POST", {"origin": "http://127.0.0.1", "sec-fetch-site": "same-origin"}, 400),
        "the page's own form, without a referrer": ("POST", {"origin": "null", "sec-fetch-site": "same-origin"}, 400),
        "a form that hides its origin": ("POST", {"origin": "null", "sec-fetch-site": "cross-site"}, 403),
        "a form that hides all": ("POST", {"origin": "null"}, 403),
        "a form of another site": ("POST", {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}, 403),
        "an old browser's form of another site": ("POST", {"origin": "https://evil.example"}, 403),
        "a form of another port": ("POST", {"origin": "http://127.0.0.1:81", "sec-fetch-site": "same-site"}, 403),
        "a form of a page without origin": ("POST", {"origin": "null"}, 403),
        "a link from another site": ("GET", LINK, 405),
        "a form that another site posts as a link": ("POST", LINK, 403),
        "a picture in another site": ("GET", PICTURE, 403),
        "a frame in another site": ("GET", FRAME, 403),
        "an address that was typed": ("GET", {"sec-fetch-site": "none", "sec-fetch-mode": "navigate"}, 405),
    }.values(),
)
def test_another_site_may_link_here_and_do_nothing_else(visitor, method, headers, status):
    more = {"data": FORM} if method == "POST" else {}
    answer = visitor.ask(method, "/load", headers=headers, **more)
    assert answer.status_code == status
    assert status != 403 or answer.text.startswith("This request was sent by a page of another site: ")
