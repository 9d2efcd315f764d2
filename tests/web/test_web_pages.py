"""What the pages answer."""

import html
import importlib.util
import re
from typing import Literal

import pytest

import ggp
from ggp.levels import elo, levels
from ggp.options import Option
from ggp.play import make_player, puzzle
from ggp.play.json_format import from_json, to_json
from ggp.play.text_format import from_text
from ggp.web import address
from ggp.web.forms import field
from ggp.web.game_history import read_history
from ggp.web.responder import PageRequest, Responder
from ggp.web.value_store import ValueCache
from ggp.web.visitor_players import level_players, make_players, make_visitor


def links(answer, pattern):
    """The addresses on a page that match."""
    return [
        each.replace("&amp;", "&") for each in re.findall(r'href="([^"]*)"', answer.text) if re.search(pattern, each)
    ]


def where(answer):
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def said(answer):
    """The sentence of a page that says why it cannot be shown."""
    found = re.search(r'<p class="trouble"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    return found[1].replace("&#39;", "'") if found else None


def test_the_front_page_has_every_game(visitor):
    page = visitor.get("/")
    assert page.status_code == 200
    games = ggp.load_registry().games
    assert set(links(page, "^/new/")) == {f"/new/{name}" for name in games}
    assert "/play/kalah?south=human&north=medium" in links(page, "^/play/")
    assert page.text.count("<svg") == len(games)


def test_every_game_on_the_front_page_can_be_begun(visitor):
    for url in links(visitor.get("/"), "^/play/"):
        page = visitor.get(url, follow=True)
        assert page.status_code == 200
        picks = links(page, "from=")
        assert links(visitor.get(picks[0]) if picks else page, "moves=")


@pytest.mark.parametrize("name", ["kalah", "tictactoe", "nim", "pig", "fig52", "tree"])
def test_the_form_begins_a_game(visitor, name):
    assert visitor.get(f"/new/{name}").status_code == 200
    assert where(visitor.get(f"/start/{name}")).startswith(f"/play/{name}?")


def test_the_form_leaves_out_defaults(visitor):
    begun = visitor.get(
        "/start/kalah?houses=6&seeds=3&capture=standard&majority=no&south=human&south.written=&north=easy"
    )
    assert where(begun) == "/play/kalah?seeds=3&south=human&north=easy"


def test_the_form_offers_every_level_of_a_game_with_its_elo(visitor):
    registry = ggp.load_registry()
    game = registry.game("kalah")
    known, form = elo(registry, game), visitor.get("/new/kalah?south=human&north=master").text
    assert list(known) == list(levels(registry, game)) == ["easy", "medium", "hard", "master", "perfect"]
    for name in known:
        selected = " selected" if name == "master" else ""
        assert f'<option value="{name}"{selected}>{name} (Elo {known[name]:+.0f})</option>' in form


def test_a_level_with_several_threads_has_one_on_the_page():
    registry = ggp.load_registry()
    game = registry.game("kalah")
    assert make_player(registry, "master", game).searcher.threads == 2
    assert level_players(registry, game)["master"].machine.searcher.threads == 1


def test_the_page_says_whether_the_level_perfect_knew_the_exact_value(visitor):
    page = visitor.get("/play/tictactoe?x=human&o=perfect&moves=5", follow=True)
    assert "<b>perfect</b> says: a draw, exact.</p>" in page.text
    page = visitor.get("/play/kalah?south=human&north=perfect&moves=D", follow=True)
    assert re.search(
        r"<b>perfect</b> says: -?\d+ [a-zA-Z ]*, an estimate: the exact value is not known.</p>", page.text
    )
    assert "certainty" not in visitor.get("/play/tictactoe?x=human&o=hard&moves=5", follow=True).text


def test_a_written_player_goes_before_the_chosen_one(visitor):
    begun = visitor.get("/start/kalah?south=human&south.written=alphabeta:depth=2&north=human&north.written=+")
    assert where(begun) == "/play/kalah?south=alphabeta:depth=2&north=human"


def test_the_form_comes_back_with_what_was_wrong_and_what_was_filled_in(visitor):
    page = visitor.get("/start/kalah?seeds=many&south=human&north.written=deepthought")
    assert page.status_code == 400
    assert said(page) == "seeds must be a whole number, 0 or more (seeds in each house at the start); got 'many'"
    assert 'value="many"' in page.text
    assert 'value="deepthought"' in page.text


def test_a_parameter_that_is_a_number_or_a_word_is_typed_as_text():
    controls = {
        kind: field(Option("margin", kind, 0), "margin", {}).control for kind in (float, float | Literal["auto"])
    }
    assert list(controls.values()) == ["number", "text"]


@pytest.mark.parametrize(
    "player",
    [
        "alphabeta:book=/etc/passwd",
        "hard:book=/etc/passwd",
        "alphabeta:tablebase=/etc",
        "mcts:evaluation=learned:/etc/passwd",
    ],
)
def test_a_player_of_a_visitor_opens_no_file_of_the_server(visitor, player):
    option = player.partition(":")[2]
    found = visitor.get("/play/kalah", params={"south": player})
    assert said(found) == f"'{option}' cannot be set here: the page opens no files."


def test_a_file_of_the_server_can_be_no_parameter(visitor):
    assert "field-file" not in visitor.get("/new/tree").text
    assert (
        said(visitor.get("/play/tree?file=/etc/passwd")) == "File of tree cannot be set here: the page opens no files."
    )


def test_each_house_that_can_be_played_is_a_link_with_its_name_and_seeds(visitor):
    page = visitor.get("/play/kalah?south=human&north=human&moves=C")
    assert links(page, "moves=C,.$") == [f"/play/kalah?south=human&north=human&moves=C,{house}" for house in "ABDEF"]
    assert re.search(r'aria-label="A: 4 seeds [^"]*"', page.text)


def test_a_move_from_cell_to_cell_is_made_by_two_clicks(visitor):
    start = "/play/hexapawn?white=human&black=human"
    page = visitor.get(start)
    assert links(page, "from=") == [f"{start}&from={cell}" for cell in ("a1", "b1", "c1")]
    assert 'class="others"' not in page.text
    page = visitor.get(f"{start}&from=b1")
    assert links(page, "moves=") == [f"{start}&moves=b1-b2"]
    assert links(page, "from=[ac]1$") == [f"{start}&from={cell}" for cell in ("a1", "c1")]
    assert start in links(page, "^/play")  # b1 again puts it down
    assert links(visitor.get(f"{start}&from=nowhere"), "from=..$") == links(visitor.get(start), "from=..$")


def test_a_machine_answers_as_many_times_as_it_is_to_move(visitor):
    answer = visitor.get("/play/kalah?south=human&north=alphabeta:depth=2&moves=A")
    played = where(answer).rpartition("moves=")[2].split(",")
    assert played[0] == "A"
    assert all(move in "abcdef" for move in played[1:])
    page = visitor.get(where(answer))
    assert page.status_code == 200
    assert 'South</b> <span class="who">you</span> <em>to move</em>' in page.text


def test_chance_is_rolled_by_the_server(visitor):
    assert re.fullmatch(
        r"/play/pig\?first=human&second=human&moves=roll,[1-6]", where(visitor.get("/play/pig?moves=roll"))
    )


def test_machines_alone_move_once_for_each_request(visitor):
    page = visitor.get("/play/nim?first=random:seed=1&second=random:seed=2")
    (step,) = set(links(page, "ask=move"))
    assert where(visitor.get(step)).count(",") == 0
    assert "data-step=" in page.text


def test_looking_back_plays_nothing(visitor):
    page = visitor.get("/play/kalah?south=human&north=easy&moves=A,b&at=1")
    assert page.status_code == 200
    assert "This is the position after move 1 of 2" in page.text
    assert not re.search(r'<a [^>]*aria-label="[a-f]: ', page.text)


def test_a_move_from_an_earlier_position_replaces_what_came_after(visitor):
    page = visitor.get("/play/kalah?moves=A,b,C&at=2")
    assert "/play/kalah?south=human&north=human&moves=A,b,D" in links(page, "moves=A,b,D")


@pytest.mark.parametrize(("moves", "before"), [("C,A,b,B", "&moves=C,A,b"), ("C,A,b", "&moves=C"), ("C", "")])
def test_taking_back_leads_to_before_the_visitors_last_move(visitor, moves, before):
    page = visitor.get(f"/play/kalah?south=human&north=easy&moves={moves}")
    (back,) = re.findall(r'id="back" href="([^"]*)"', page.text)
    assert back.replace("&amp;", "&") == f"/play/kalah?south=human&north=easy{before}"


def test_at_the_start_there_is_nothing_to_take_back(visitor):
    page = visitor.get("/play/kalah")
    assert 'id="back"' not in page.text
    assert "Take back</span>" in page.text


def test_a_hint_says_what_a_strong_level_would_play(visitor):
    page = visitor.get("/play/nim?ask=hint")
    assert re.search(r"<b>Hint: 1:2</b>.*Value: a win for \w+ \(exact\), says hard\.", page.text, re.DOTALL)
    assert "highlighted" in page.text


def test_the_analysis_has_the_value_of_each_move_on_a_common_zero(visitor):
    page = visitor.get("/play/fig52?show=analysis")
    rows = re.findall(
        r'<th scope="row">(a\d).*?<rect class="(\w+)" x="([\d.]+)".*?width="([\d.]+)".*?"value">(\d+)',
        page.text,
        re.DOTALL,
    )
    assert rows == [
        ("a1", "max", "0", "100", "3"),
        ("a2", "max", "0", "66.67", "2"),
        ("a3", "max", "0", "66.67", "2"),
    ]
    assert "exact, to the end of the game" in page.text
    assert "Best line</span> a1 b1" in page.text


def test_bars_of_both_signs_begin_at_the_same_zero(visitor):
    page = visitor.get("/play/kalah?houses=2&seeds=2&show=analysis")
    bars = [
        (kind, float(x), float(width))
        for kind, x, width in re.findall(r'<rect class="(max|min)" x="([\d.]+)" y="1" width="([\d.]+)"', page.text)
    ]
    ends = {round(x + width if kind == "min" else x, 1) for kind, x, width in bars}
    assert len(bars) >= 1
    assert len(ends) == 1


def test_the_curve_has_a_point_for_each_position(visitor):
    page = visitor.get("/play/tictactoe?moves=5,1,9&show=curve")
    assert len(re.findall(r'class="dot[^"]*" cx', page.text)) == 4
    assert "Value after each move, from " in page.text


GAME = "/play/tictactoe?x=human&o=random&moves=5,2,1,9,7"


@pytest.fixture
def patient(monkeypatch):
    """A review is done at the first look, however busy the machine is."""
    for limit in ("LOOK", "PATIENCE", "EACH"):
        monkeypatch.setattr(f"ggp.web.game_review.{limit}", 600.0)


@pytest.mark.usefixtures("patient")
def test_a_review_steps_from_mistake_to_mistake_and_points_at_the_best_move(visitor):
    page = visitor.get(f"{GAME}&at=0&show=curve").text
    later = re.search(r'id="later" href="([^"]*)"', page)[1]
    assert "at=1&" in html.unescape(later)
    page = visitor.get(html.unescape(later)).text
    assert re.search(r"Here O played 2\?\?</b>, a blunder: best was [1379] \(a draw\), now it is a win for X", page)
    assert 'class="arrow best"' in page
    assert 'class="arrow threat"' in page
    assert 'id="earlier"' not in page


@pytest.mark.usefixtures("patient")
def test_a_mistake_becomes_a_puzzle_on_the_board(visitor):
    both = GAME.replace("random", "human")
    page = visitor.get(f"{both}&show=curve").text
    lesson = html.unescape(re.search(r'id="learn" href="([^"]*)"', page)[1])
    page = visitor.get(lesson).text
    assert "Mistake 1 of 1: O played 2. Find a better move." in page
    assert "arrow" not in page  # it would tell
    tries = {move: url for url, move in re.findall(r'<a href="([^"]*tried=([^"&]*)[^"]*)"', page)}
    assert len(tries) == 8
    assert 'id="answer"' in page
    wrong = visitor.get(html.unescape(tries["4"])).text
    assert "no, 4 is a blunder, too: now it is a win for X. Try again." in wrong
    assert 'id="answer"' in wrong
    right = visitor.get(html.unescape(tries["3"])).text
    assert re.search(r"Mistake 1 of 1: right, 3 is (best|as good as \d)", right)
    assert 'class="arrow best"' in right
    assert "moves=5,2,1,9,7" in html.unescape(re.search(r'id="review" href="([^"]*)"', right)[1])


@pytest.mark.usefixtures("patient")
def test_a_visitor_learns_from_own_mistakes_only(visitor):
    assert 'id="learn"' not in visitor.get(f"{GAME}&show=curve").text  # O is a machine
    assert (
        "Learn from your mistakes"
        in visitor.get(f"{GAME.replace('human', 'easy').replace('random', 'human')}&at=5&show=curve").text
    )


@pytest.mark.usefixtures("patient")
def test_a_deeper_review_can_be_asked_for(visitor):
    page = visitor.get("/play/nim?heaps=2,1&moves=1:1&at=1&show=curve").text
    deeper = html.unescape(re.search(r'id="deeper" href="([^"]*)"', page)[1])
    assert "deeper=1" in deeper
    page = visitor.get(html.unescape(re.search(r'id="deeper" href="([^"]*)"', visitor.get(deeper).text)[1])).text
    assert 'id="deeper"' not in page


def test_a_review_that_goes_on_has_a_bar_of_progress(visitor, monkeypatch):
    monkeypatch.setattr("ggp.web.game_review.LOOK", -1.0)
    page = visitor.get("/play/nim?heaps=2,2,1&moves=1:1,2:1&show=curve").text
    assert '<progress value="0" max="2">0 of 2</progress>' in page
    assert 'data-unfinished="0"' in page


def test_a_branch_of_the_tree_can_be_opened(visitor):
    page = visitor.get("/play/fig52?show=tree")
    (url,) = set(links(page, "branch=a2"))
    opened = visitor.get(url)
    assert re.search(r'aria-current="location">a2<', opened.text)
    assert "c1" in opened.text


@pytest.mark.parametrize(
    ("branch", "words"),
    [
        ("a1,b1,x", "Move 3 of the branch, 'x', cannot be played: the game is over before it."),
        ("a9", "Move 1 of the branch is wrong: 'a9' "),
    ],
)
def test_a_wrong_branch_is_reported(visitor, branch, words):
    page = visitor.get(f"/play/fig52?show=tree&branch={branch}")
    assert (page.status_code, said(page)[: len(words)]) == (400, words)


def test_the_end_of_a_game_has_no_moves_left(visitor):
    page = visitor.get("/play/tictactoe?moves=1,4,2,5,3&show=analysis,curve,tree&ask=hint")
    assert page.status_code == 200
    assert "The game is over." in page.text
    assert not re.search(r"<a [^>]*aria-label=.\d: ", page.text)


@pytest.mark.parametrize(("ending", "read"), [("json", from_json), ("txt", from_text)])
def test_a_game_that_is_saved_can_be_loaded(visitor, ending, read):
    saved = visitor.get(f"/record.{ending}/kalah?seeds=3&south=human:name%3DAnn&north=easy&moves=A,b,C")
    assert saved.headers["content-disposition"] == f'attachment; filename="kalah-3-moves.{ending}"'
    record = read(saved.content)
    assert [move.action for move in record.moves] == ["A", "b", "C"]
    easy = record.players[1].player
    assert (record.parameters["seeds"], record.players[0].name) == (3, "Ann")
    assert easy.startswith("alphabeta:depth=2,weak=0.")
    shown = where(visitor.load(saved.content))
    assert shown == f"/play/kalah?seeds=3&south=human:name=Ann&north={easy}&moves=A,b,C&at=3"
    assert visitor.get(shown).status_code == 200


def test_a_record_may_be_pasted(visitor):
    text = visitor.get("/record.txt/nim?moves=1:1").text
    assert (
        where(visitor.ask("POST", "/load", data={"text": text})) == "/play/nim?first=human&second=human&moves=1:1&at=1"
    )


REFUSED = {
    "nothing": (b"", "There is no record in what you sent: choose a file, or paste its text."),
    "no record": (b"{}", "What you sent is not a record: its format is not 'ggp record'."),
    "not UTF-8": (b"\xff\xfe", "What you sent is not a record: line 1, byte 0 is not UTF-8."),
}


@pytest.mark.parametrize(("data", "words"), REFUSED.values(), ids=REFUSED)
def test_an_upload_that_is_not_a_record_is_refused_with_a_reason(visitor, data, words):
    answer = visitor.load(data)
    assert (answer.status_code, said(answer)) == (400, words)


def test_a_record_that_breaks_the_rules_is_refused(visitor):
    record = visitor.get("/record.json/kalah?moves=A").text
    answer = visitor.load(record.replace('"action": "A"', '"action": "Q"'))
    assert answer.status_code == 400
    assert said(answer).startswith("Move 1 is wrong: 'Q' cannot be played in")
    answer = visitor.load(record.replace('"mover": 0', '"mover": 1'))
    assert said(answer).startswith("What you sent cannot be replayed: move 1, A by North, is wrong: South is to move")


def test_a_record_that_is_too_large_is_refused(visitor):
    answer = visitor.load(b" " * (1 << 20) + b"{}")
    assert (answer.status_code, said(answer)) == (413, "A record must be at most 1 megabyte; what you sent is larger.")


def test_a_record_that_says_nothing_of_its_length_is_refused(visitor):
    async def pieces():
        yield b"text=x"

    answer = visitor.ask("POST", "/load", content=pieces())
    assert (answer.status_code, said(answer)) == (
        400,
        "A request with a record must give its length (Content-Length), as the form does.",
    )


WRONG = {
    "/play/chess": (404, "There is no game 'chess': the games are "),
    "/play/": (404, "The address lacks the name of a game at its end: the games are "),
    "/play/kalah?puzzle=7": (
        400,
        "A puzzle begins from its position, and the address has none: open /puzzle/kalah?number=7.",
    ),
    "/play/kalah?puzzle=0": (400, "`puzzle` must be the number of a puzzle, from 1; got '0'."),
    "/nowhere": (404, "There is no page '/nowhere'."),
    "/record.xml/kalah": (404, "The format of a record must be json or txt; got 'xml'."),
    "/play/kalah?seeds=2000": (422, "Seeds cannot be 2,000 here: the page takes at most 1,000."),
    "/play/nim?heaps=" + ",".join("1" * 33): (422, "Heaps cannot have 33 members here: the page takes at most 32."),
    "/play/nim?heaps=" + ",".join("1000" for _ in range(9)): (
        422,
        "There are more than 2,000 moves to choose from, too many for a page: choose a smaller game.",
    ),
    "/play/nim?heaps=1" + "0" * 300: (
        400,
        "Heaps is too long: it is whole numbers separated by commas from 0 to 1,000.",
    ),
    "/play/kalah?moves=Z": (400, "Move 1 is wrong: 'Z' cannot be played in"),
    "/play/kalah?moves=C,C": (400, "Move 2 is wrong: 'C' cannot be played in"),
    "/play/tictactoe?moves=1,4,2,5,3,6": (400, "Move 6, '6', cannot be played: the game is over before it."),
    "/play/kalah?moves=" + "A" * 300: (400, f"Move 1, '{'A' * 37}...', is not a move of kalah: it is too long."),
    "/play/kalah?north=" + "x" * 300: (
        400,
        f"The player '{'x' * 37}...' is too long: at most 200 characters are read.",
    ),
    "/play/kalah?north=replay:1": (400, "A record cannot play here: load it, and it is shown move by move."),
    "/play/kalah?north=deepthought": (
        400,
        "There is no player 'deepthought': a player is human, replay:RECORD, a level",
    ),
    "/play/kalah?north=alphabeta:threads=8": (
        422,
        "Threads of alphabeta cannot be 8 here: the page gives at most 1.",
    ),
    "/play/kalah?north=alphabeta:table=65": (422, "Table of alphabeta cannot be 65 here: the page gives at most 64."),
    "/play/kalah?north=alphabeta:seconds=60": (
        422,
        "Alphabeta cannot take 60 seconds a move here: the page gives at most 5.",
    ),
    "/play/pig?first=alphabeta": (400, "Alphabeta cannot search pig: pig is a game of chance; "),
    "/analysis/tictactoe?moves=1,4,2,5,3": (400, "The game is over: there is nothing to analyse."),
}


@pytest.mark.parametrize(("url", "answer"), WRONG.items(), ids=[url[:60] for url in WRONG])
def test_impossible_requests_are_refused_with_a_reason(visitor, url, answer):
    page, (status, words) = visitor.get(url), answer
    assert (page.status_code, said(page)[: len(words)]) == (status, words)


def test_a_method_that_a_page_does_not_know_is_refused(visitor):
    answer = visitor.ask("POST", "/play/kalah")
    assert (answer.status_code, said(answer)) == (405, "Method Not Allowed.")


def test_a_seed_that_was_drawn_stays_with_the_player(visitor):
    shown = where(visitor.get("/play/nim?first=human&second=random&moves=1:2"))
    seed = re.search(r"second=random:seed=(\d+)&moves=1:2,", shown)[1]
    assert f"second=random:seed={seed}" in visitor.get(shown).text


def test_a_game_that_fails_is_no_traceback(visitor, monkeypatch, caplog):
    def fails(*_):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("ggp.web.responder.read_history", fails)
    answer = visitor.get("/play/kalah?moves=F&at=0")  # that nobody has asked for
    assert (answer.status_code, said(answer)) == (500, "The game or the searcher has failed: ZeroDivisionError.")
    assert "secret" not in answer.text
    assert "play of kalah failed: ZeroDivisionError: secret" in caplog.text


def test_text_of_a_visitor_is_escaped_wherever_it_comes_back(visitor):
    bad = "%3Cscript%3Ealert(1)%3C/script%3E"
    for url in (f"/play/kalah?moves={bad}", f"/play/{bad}", f"/play/kalah?{bad}=1", f"/start/kalah?north.written={bad}",
                f"/play/kalah?north=human:name%3D{bad}", f"/start/kalah?position={bad}"):  # fmt: skip
        assert "<script>alert" not in visitor.get(url).text


def test_every_answer_keeps_browsers_strict(visitor):
    for url in ("/", "/nowhere", "/static/page.js", "/record.json/nim", "/play/pig?moves=roll"):
        headers = visitor.get(url).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self'; script-src 'self' 'sha256-")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_pages_hold_no_script_and_no_style_of_their_own(visitor):
    page = visitor.get("/play/kalah?houses=3&seeds=2&moves=A,b&show=analysis,curve,tree&ask=hint").text
    assert re.findall(r"<script[^>]*>", page) == ['<script src="/static/page.js" type="module">']
    assert not re.search(r'\s(on\w+|style)="', page)


def test_a_record_names_no_secrets(visitor):
    record = from_json(visitor.get("/record.json/kalah?moves=A&at=0").content)
    assert record.moves == ()
    assert to_json(record)


LONG = ",".join(["roll,1"] * 1000)
"""Moves of a game of Pig in which nobody ever gets a point."""


@pytest.mark.parametrize(("at", "listed"), [(0, "Moves 1 to "), (1000, "Moves "), (2000, " to 2000 of 2000:")])
def test_a_long_game_is_no_page_without_end(visitor, monkeypatch, at, listed):
    monkeypatch.setattr("ggp.web.value_store.PATIENCE", 0.1)
    page = visitor.get(f"/play/pig?goal=1000&turns=1000&moves={LONG}&at={at}&show=curve")
    assert page.status_code == 200
    assert len(page.text) < 2_000_000
    assert listed in page.text
    assert (at == 0) == ('aria-current="step"' not in page.text)


def test_a_curve_that_takes_too_long_has_gaps_and_says_so(visitor, monkeypatch):
    monkeypatch.setattr("ggp.web.value_store.PATIENCE", 0.0)
    monkeypatch.setattr("ggp.web.game_review.LOOK", -1.0)
    page = visitor.get("/play/nim?heaps=2,5,1&moves=1:1,2:3&show=curve")
    assert page.status_code == 200
    assert re.search(r"\d values are missing or rough: load the page again to improve them\.", page.text)
    monkeypatch.setattr("ggp.web.value_store.PATIENCE", 60.0)
    assert "missing or rough" not in visitor.get("/play/nim?heaps=2,5,1&moves=1:1,2:3&show=curve").text


def test_a_level_whose_searcher_is_wrong_does_not_keep_others_from_playing():
    class Levelled(type(ggp.load_registry().game("nim"))):
        name = "levelled"
        levels = {"broken": "minimax:depth=deep", "good": "minimax:depth=1"}  # noqa: RUF012

    registry = ggp.load_registry()
    registry.register(Levelled)
    game = registry.game("levelled")
    assert list(level_players(registry, game)) == ["good"]
    with pytest.raises(ggp.GGPError, match=r"depth must be .*; got 'deep'"):
        make_visitor(registry, "broken", game)


def test_who_thinks_little_is_not_compiled_for():
    registry = ggp.load_registry()
    game = registry.game("kalah")
    quick = make_visitor(registry, "alphabeta:depth=2", game)
    assert quick.choose(game, game.initial_state()).thinking.speed == "interpreted"
    assert quick.thinks_long == set()


def test_who_thinks_long_is_given_machine_speed(monkeypatch):
    registry = ggp.load_registry()
    game = registry.game("kalah")
    monkeypatch.setattr("ggp.web.visitor_players.AT_ONCE", 0.0)
    monkeypatch.setattr("ggp.web.visitor_players.SECONDS", 600.0)  # to compile, on a busy machine
    slow = make_visitor(registry, "alphabeta:depth=10", game)
    monkeypatch.setenv("GGP_SPEED", "auto")
    expected = ["compiled" if importlib.util.find_spec("llvmlite") else "interpreted"]
    assert [slow.choose(game, game.initial_state()).thinking.speed] == expected
    assert slow.thinks_long == {repr(game)}


def test_a_puzzle_says_whether_the_move_wins(visitor):
    found = visitor.get("/puzzle/tictactoe?number=3", follow=True)
    assert "Puzzle 3: X to move. Find the only move that wins." in found.text or "Puzzle 3: O to move." in found.text
    moves = re.findall(r'href="(/play/tictactoe[^"]*moves=[^"]*)"', html.unescape(found.text).split('id="board"')[1])
    said = [visitor.get(each, follow=True).text for each in dict.fromkeys(moves) if "ask=" not in each]
    assert sum("is the only move that wins." in each for each in said) == 1
    assert sum("does not win. Take it back, and try again." in each for each in said) == len(said) - 1 >= 2


def test_the_days_puzzle_has_todays_number_and_is_on_the_front_page(visitor):
    assert 'href="/puzzle/kalah"' in visitor.get("/").text
    answer = visitor.get("/puzzle/tictactoe")
    assert answer.status_code == 303
    assert f"puzzle={puzzle.today()}" in answer.headers["location"]


@pytest.mark.parametrize("number", ["x", "0", "-1"])
def test_a_puzzle_has_a_number(visitor, number):
    answer = visitor.get(f"/puzzle/tictactoe?number={number}")
    assert answer.status_code == 400
    assert f"`number` must be the number of a puzzle, from 1; got &#39;{number}&#39;" in answer.text


@pytest.mark.parametrize(
    ("game", "query", "quarters"),
    [
        ("kalah", "south=human&north=easy", 0),
        ("kalah", "south=easy&north=human", 2),
        ("kalah", "south=easy&north=human&view=1", 1),
        ("kalah", "south=human&north=human", 0),
        ("checkers", "black=human&white=easy", 2),
        ("checkers", "black=easy&white=human", 0),
        ("checkers", "black=human&white=human", 0),
        ("breakthrough", "white=easy&black=human", 2),
        ("einstein", "blue=human&red=easy", 2),
        ("connectfour", "x=easy&o=human", 0),
        ("connectfour", "x=human&o=human&view=2", 0),
        ("othello", "black=human&white=easy", 0),
        ("tictactoe", "x=easy&o=human", 0),
        ("fig52", "max=easy&min=human", 0),
    ],
)
def test_a_visitor_who_plays_one_side_sits_at_it(game, query, quarters):
    registry = ggp.load_registry()
    entry = registry.games[game]
    assert read_history(registry, entry, address.read(entry, query)).quarters == quarters


def test_levels_begin_each_game_against_a_visitor_otherwise():
    registry = ggp.load_registry()
    game = registry.game("connectfour")
    state = game.result(game.initial_state(), 3)
    _, easy = make_players(registry, ("human", "easy"), game, opening=True)
    assert len({easy.choose(game, state).action for _ in range(50)}) > 1
    _, later = make_players(registry, ("human", "easy"), game)
    assert len({later.choose(game, state).action for _ in range(5)}) == 1


def test_who_resigns_has_lost_and_can_take_it_back(visitor):
    page = visitor.get("/play/tictactoe?x=human&o=human&moves=5")
    url = html.unescape(re.search(r'id="resign" href="([^"]*)"', page.text)[1])
    page = visitor.get(url)
    assert "O resigns: X wins." in page.text
    assert 'id="resign"' not in page.text
    assert re.search(r'id="back" href="[^"]*o=human"', page.text)
    assert "1-0 resigned" in visitor.get(url.replace("/play/", "/record.txt/")).text


def test_only_a_player_of_the_game_resigns(visitor):
    page = visitor.get("/play/tictactoe?resigned=nobody")
    assert page.status_code == 400
    assert "esigned must be one of x, o; got" in html.unescape(page.text)


LAME = '''
class Lame:
    """Lame: a counter; a method fails as asked from the state 2 on."""

    name, compiled = "lame", False

    def initial_state(self): return 0
    def to_move(self, state): return state % 2
    def actions(self, state): return (1, 2)
    def result(self, state, action): return state + action
    def terminal_test(self, state): return state >= 8
    def utility(self, state, player): return 1 if player == 0 else -1
'''


@pytest.mark.parametrize("method", ["to_move", "actions", "result", "terminal_test"])
@pytest.mark.parametrize("body", ["raise ZeroDivisionError('by zero')", "raise SystemExit(4)", "return None"])
def test_an_analysis_that_fails_says_what_failed(tmp_path, method, body):
    line = next(line for line in LAME.splitlines() if f"def {method}(" in line)
    head, good = line.split(": return ")
    lame = tmp_path / "lame.py"
    lame.write_text(
        LAME.replace(line, f"{head}:\n        if state == 2:\n            {body}\n        return {good}"), "utf-8"
    )
    registry = ggp.load_registry()
    registry.load_file(lame)
    told = []
    asked = PageRequest("analysis", "lame", "first=human&second=human")
    Responder(registry, ValueCache()).answer(asked, searching=True, tell=lambda *piece: told.append(piece))
    kind, sentence = told[-1]
    assert kind == "trouble"
    assert html.unescape(sentence).startswith(f"lame, from {lame}, failed: {method}(2")


MATCH = "/play/tictactoe?x=random:seed=1&o=random:seed=2"


def link(page, identity):
    """The address of the link with that id."""
    return html.unescape(re.search(f'id="{identity}" href="([^"]*)"', page)[1])


@pytest.mark.usefixtures("patient")
def test_a_match_of_machines_swaps_sides_and_keeps_its_games(visitor):
    address = link(visitor.get(MATCH).text, "match-begin").replace("match=10", "match=2").replace("&show=curve", "")
    starts, players = [], []
    for number in (1, 2):
        page = visitor.get(address).text
        assert f"Match: game {number} of 2" in page
        starts.append(re.search(r"position=([^&]*)", address)[1])
        players.append(re.search(r"x=([^&]*)&o=([^&]*)", address).groups())
        while 'class="outcome"' not in page:
            page = visitor.get(link(page, "step"), follow=True).text
        if number == 1:
            assert "The Elo difference is known after two games." in page
            address = link(page, "step")
    assert starts[0] == starts[1]
    assert players[0] == players[1][::-1]
    assert re.search(r'id="match-winner">.*(wins the match against|share the match)', page)
    assert re.search(r"Elo of random:seed=1: [+-]", page)
    assert 'data-won="match"' in page
    games = [html.unescape(each) for each in re.findall(r'<li value="\d"><a href="([^"]*)">', page)]
    assert len(games) == 2
    for each in games:
        looked = visitor.get(each).text
        assert 'class="outcome"' in looked
        assert "match=" not in each
    assert "luck=1" in link(page, "rematch")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("match=3", "match must be even, at most 20, and more than the number of finished games; got 3"),
        ("match=400", "match must be even, at most 20, and more than the number of finished games; got 400"),
        ("past=1,2", "match must be even, at most 20, and more than the number of finished games; got 0"),
        ("match=2&past=1,2", "a game of the match is not over"),
        ("match=2&moves=5", "game 1 of this match begins at another position: the address needs position="),
    ],
)
def test_a_match_that_cannot_be_is_refused(visitor, query, sentence):
    page = visitor.get(f"{MATCH}&{query}")
    assert page.status_code == 400
    assert sentence.lower() in html.unescape(page.text).lower()


def test_a_match_is_offered_to_machines_only(visitor):
    assert "match-begin" not in visitor.get("/play/tictactoe?x=human&o=easy").text


def test_who_has_won_is_celebrated(visitor):
    won = "/play/tictactoe?x=human&o=easy&moves=5,2,1,9,7,3,4"
    assert 'data-won="game"' in visitor.get(won).text
    assert "data-won" not in visitor.get(won.replace("x=human&o=easy", "x=easy&o=human")).text
    assert "data-won" not in visitor.get(won.replace("easy", "human")).text


def test_a_players_card_counts_captured_pieces(visitor):
    page = visitor.get("/play/checkers?moves=11-15,22-18,15x22,25x18").text
    assert "11 pieces, 1 captured" in page
    assert "captured" not in visitor.get("/play/othello?moves=d3").text
