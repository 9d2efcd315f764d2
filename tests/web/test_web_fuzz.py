"""Whatever address or record is sent, the answer is a page, and never an error of the server."""

import functools
import json
import random
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ggp
from ggp.capabilities import format_line, legal_actions
from ggp.play import make_player, play_game
from ggp.play.json_format import to_json
from ggp.play.text_format import to_text
from ggp.web.address import side_names
from ggp.web.views import typed

BATCH = 50
"""Addresses, or records, in one example: 10,000 in all in CI."""

REGISTRY = ggp.load_registry()
NAMES = sorted(REGISTRY.games)
quiet = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
)

junk = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", "0", "-1", "1", "7", "99", "100000000000000000000", "1e9", "nan", "inf", "none", "yes", "no"]),
    st.sampled_from(
        ["../../etc/passwd", "<script>", "%", "%zz", "%00", "\x00", "\ud7ff", "A,A", ",", "(1, 2)", "[" * 60]
    ),
    st.sampled_from(["9" * 5000, "x" * 17000]),
)
"""What nobody should send."""

GOOD = ["human", "easy", "random", "expectiminimax:depth=2", "human:name=Ann", "random:seed=5", "mcts:nodes=20"]
players = st.one_of(
    *[st.sampled_from(GOOD)] * 6,
    st.sampled_from(
        ["replay:1", "replay:/etc/passwd", "alphabeta:table=1e9", "alphabeta:threads=99", "mcts:tree=99999"]
    ),
    st.sampled_from(
        ["alphabeta:depth=0", "easy:depth=2,evaluation=nothing", "alphabeta:seconds=9e9", "human:x=1", ":"]
    ),
    junk,
)


@st.composite
def parameters(draw, entry):
    """Some parameters of a game, mostly small, some wrong."""
    found = []
    for option in entry.options:
        small = st.integers(-1, 6).map(str)
        values = [small, small, junk, st.just(typed(option.default))]
        if option.choices:
            values = [st.sampled_from([str(choice) for choice in option.choices]), junk]
        if draw(st.integers(0, 5)) == 0:
            found.append((option.name, draw(st.one_of(values))))
    return found


@st.composite
def lines(draw, name):
    """Moves that can be played from the start of the usual game, as far as they go, and now and then another."""
    game, seed = REGISTRY.game(name), draw(st.integers(0, 1 << 30))
    state, actions, dice = game.initial_state(), [], random.Random(seed)
    for _ in range(draw(st.integers(0, 12))):
        legal = legal_actions(game, state)
        if not legal:
            break
        actions.append(dice.choice(legal))
        state = game.result(state, actions[-1])
    texts = format_line(game, game.initial_state(), actions)
    if draw(st.integers(0, 7)) == 0:
        texts.insert(draw(st.integers(0, len(texts))), draw(junk))
    return texts


@st.composite
def addresses(draw):
    """Addresses: mostly of pages there are, with parameters that mostly are right each by itself."""
    page = draw(st.sampled_from(["play"] * 6 + ["start", "new", "record.json", "record.txt", "record.x", "nowhere"]))
    name = draw(st.sampled_from(NAMES)) if draw(st.integers(0, 9)) else draw(junk)
    pairs = []
    if name in REGISTRY.games:
        entry = REGISTRY.games[name]
        if draw(st.booleans()):
            pairs += draw(parameters(entry))
        sides = st.sampled_from([*side_names(entry), "first", "second"] * 4 + ["South", "white"])
        pairs += draw(st.lists(st.tuples(sides, players), max_size=2))
        if draw(st.booleans()):
            pairs.append(("moves", ",".join(draw(lines(name)))))
    if draw(st.integers(0, 3)) == 0:
        panels = ["curve", "tree", "curve,tree", ""]
        other = {"at": st.integers(-1, 14).map(str) | junk, "show": st.sampled_from(panels) | junk, "branch": junk,
                 "ask": st.sampled_from(["hint", "move"]) | junk, "position": junk, "option.seeds": junk}  # fmt: skip
        key = draw(st.sampled_from(sorted(other)))
        pairs.append((key, draw(other[key])))
    if draw(st.integers(0, 19)) == 0:
        pairs.append((draw(junk), draw(junk)))
    query = urlencode(pairs, errors="replace")
    if draw(st.integers(0, 19)) == 0:
        query = quote(draw(junk), safe="&=%?;,", errors="replace")
    return f"/{page}/{quote(name, safe='', errors='replace')}?{query}"


@pytest.mark.slow
@quiet
@given(st.lists(addresses(), min_size=BATCH * 4 // 5, max_size=BATCH * 4 // 5))
def test_no_address_is_an_error_of_the_server(visitor, urls):
    for url in urls:
        answer = visitor.get(url)
        assert answer.status_code < 500, (url, answer.text)
        if answer.status_code >= 400:
            assert 'class="trouble"' in answer.text, (url, answer.text)


@functools.cache
def written(name, seed):
    """The record of a random game; the same at every call."""
    game = REGISTRY.game(name)
    random_player = make_player(REGISTRY, f"random:seed={seed}", game)
    return play_game(game, (random_player, random_player), seed=seed, plies=12)


SEEDS = (1, 2)


@st.composite
def damaged(draw):
    """A record in either format with some of its signs changed, or one of its values."""
    record = written(draw(st.sampled_from(NAMES)), draw(st.sampled_from(SEEDS)))
    if draw(st.booleans()):
        raw = json.loads(to_json(record))
        place = draw(st.sampled_from(sorted(raw)))
        raw[place] = draw(st.one_of(junk, st.none(), st.integers(), st.lists(junk, max_size=2), st.just({})))
        return json.dumps(raw).encode(errors="replace")
    data = bytearray((to_json(record) if draw(st.booleans()) else to_text(record)).encode())
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data) - 1))
        data[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(data)


@quiet
@given(st.lists(damaged(), min_size=BATCH // 5, max_size=BATCH // 5))
def test_no_record_is_an_error_of_the_server(visitor, records):
    for record in records:
        answer = visitor.load(record)
        assert answer.status_code == 303 or 400 <= answer.status_code < 500, (record, answer.text)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("write", [to_json, to_text], ids=["JSON", "text"])
def test_a_record_that_is_whole_is_loaded(visitor, name, seed, write):
    assert visitor.load(write(written(name, seed))).status_code == 303
