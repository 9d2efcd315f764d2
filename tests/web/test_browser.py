"""The pages in a real browser."""

import itertools
import json
import re

import pytest
from frames import FRAME_BY_FRAME, recorded

import ggp
from ggp.play import make_player, play_game, puzzle
from ggp.play.json_format import to_json

SMALL = "/play/kalah?houses=3&seeds=2&south=human&north=medium"
PLAYABLE = "#board a"


def until(page, holds):
    """Wait until an expression holds. (It is made a function here: the page lets nobody evaluate a text.)"""
    page.wait_for_function(f"() => {holds}")
    return page


def settled(page):
    """Wait until the page shows what was asked for last."""
    return until(page, "!document.getElementById('main').hasAttribute('aria-busy')")


def followed(page, link):
    """Click what loads another page, and wait for all of that page."""
    before = page.url
    link.click()
    page.wait_for_url(lambda url: url != before)


def table(page, name):
    return page.get_attribute(".table", f"data-{name}")


def play_to_the_end(page):
    """Always click the first cell that can be chosen; returns how many clicks there were."""
    for clicks in range(200):
        if page.locator(PLAYABLE).count() == 0:
            return clicks
        before = page.url
        page.locator(PLAYABLE).first.click()
        page.wait_for_function("before => location.href !== before", arg=before)
        settled(page)
    raise AssertionError("the game has no end")


@pytest.mark.parametrize("game", [SMALL, "/play/kalah?south=human&north=medium"], ids=["small", "usual"])
def test_a_whole_game_of_kalah_is_played_by_clicks_against_medium(open_page, game):
    page = open_page(game)
    assert play_to_the_end(page) >= 2
    assert "The game is over" in page.inner_text("#board")
    assert "The game is over" in page.inner_text("#live")
    assert page.locator(".moves li").count() == int(table(page, "moves"))


def test_a_game_is_set_up_by_the_form(open_page):
    page = open_page("/")
    page.get_by_role("link", name="Set up a game of Kalah").click()
    page.get_by_label("seeds").fill("3")
    page.get_by_label("North", exact=True).select_option("easy")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/kalah?seeds=3&south=human&north=easy")
    assert page.locator("h1").inner_text() == "Kalah seeds 3"


def test_take_back_and_the_browsers_own_way_back(open_page):
    page = open_page(SMALL)
    start = table(page, "line")
    page.locator(PLAYABLE).first.click()
    settled(page).wait_for_url("**moves=**")
    after = table(page, "line")
    assert after != start
    page.locator("#back").click()
    until(page, "document.querySelector('.table').dataset.line === ''")
    page.go_back()
    page.wait_for_function("line => document.querySelector('.table').dataset.line === line", arg=after)


def thinking_for_ever(page):
    """Let no machine answer the moves of this page."""
    page.route("**/play/**", lambda route: None if route.request.headers["x-script"] == "answer" else route.continue_())


def test_taking_back_while_the_computer_thinks_removes_the_last_move(open_page):
    page = open_page("/play/connectfour?x=human&o=alphabeta:depth=1&moves=4,4")
    thinking_for_ever(page)
    page.locator(PLAYABLE).first.click()
    until(page, "document.querySelector('.players em')?.textContent === 'thinking …'")
    page.locator("#back").click()
    settled(page)
    assert table(page, "line") == "4,4"
    assert "moves=4,4" in page.url


def test_who_waits_for_a_hint_sees_that_it_is_searched(open_page):
    page = open_page("/play/nim?first=human&second=medium")
    page.route("**/play/**", lambda route: None)
    page.locator("#hint").click()
    page.wait_for_selector(".actions #working")
    assert page.inner_text("#live") == "Thinking …"


def test_a_hint_is_shown_on_the_board_and_in_words(open_page):
    page = open_page("/play/nim?first=human&second=medium")
    page.get_by_role("link", name="Hint").click()
    page.wait_for_selector("#advice")
    assert page.inner_text("#advice").startswith("Hint: 1:2")
    assert page.locator("#board .highlighted").count() == 1
    assert page.evaluate("document.activeElement.id") == "hint"


def test_a_link_reproduces_the_position(open_page):
    page = open_page(SMALL)
    page.locator(PLAYABLE).nth(1).click()
    settled(page).wait_for_url("**moves=**")
    link = page.get_attribute("#share", "href")
    other = open_page(link)
    assert table(other, "line") == table(page, "line")
    assert other.inner_text("#board") == page.inner_text("#board")


def test_the_share_link_is_copied(open_page):
    page = open_page(SMALL, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name="Link to this position").click()
    page.get_by_role("link", name="Link copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_branch_of_the_search_tree_opens(open_page):
    page = open_page("/play/kalah?south=human&north=human")
    page.get_by_role("link", name="Search tree").click()
    page.wait_for_selector(".drawing svg")
    page.locator(".branches a").first.click()
    until(page, "document.querySelectorAll('.path li').length === 2")
    page.locator(".branches a").first.click()
    until(page, "document.querySelectorAll('.path li').length === 3")
    page.locator(".path a").first.click()
    until(page, "document.querySelectorAll('.path li').length === 1")


def test_a_broad_tree_is_seen_from_its_root_on(open_page):
    page = open_page("/play/kalah?south=human&north=human&show=tree", width=360)
    for _ in range(2):
        drawing, root = (page.locator(place).first.bounding_box() for place in (".drawing", ".drawing .mark"))
        assert drawing["x"] <= root["x"]
        assert root["x"] + root["width"] <= drawing["x"] + drawing["width"]
        page.locator(PLAYABLE).first.click()
        settled(page).wait_for_url("**moves=**")


def test_a_record_is_loaded_from_a_file(open_page):
    registry = ggp.load_registry()
    game = registry.game("tictactoe")
    player = make_player(registry, "random:seed=4", game)
    record = play_game(game, (player, player), seed=4)
    page = open_page("/")
    page.set_input_files(
        "#file", {"name": "game.json", "mimeType": "application/json", "buffer": to_json(record).encode()}
    )
    followed(page, page.get_by_role("button", name="Load the game"))
    assert table(page, "line").split(",") == [move.action for move in record.moves]
    assert page.locator("[aria-current=step]").count() == 1
    page.get_by_role("link", name="Start", exact=True).click()
    until(page, "document.querySelector('.table').dataset.seen === '0'")


def test_a_move_in_the_list_is_jumped_to(open_page):
    page = open_page("/play/tictactoe?moves=5,1,9")
    page.locator(".moves a").nth(1).click()
    until(page, "document.querySelector('.table').dataset.seen === '2'")
    assert "after move 2 of 3" in page.inner_text("main")


def test_a_game_is_played_with_the_keyboard_alone(open_page):
    page = open_page("/play/tictactoe?x=human&o=human")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    seen = 0
    for _ in range(60):
        if page.locator(PLAYABLE).count() == 0:
            break
        page.keyboard.press("Tab")
        if page.evaluate("!!document.activeElement.closest('#board a')"):
            page.keyboard.press("Enter")
            seen += 1
            page.wait_for_function("seen => document.querySelector('.table').dataset.seen === String(seen)", arg=seen)
    assert page.locator(PLAYABLE).count() == 0
    assert seen >= 5


def test_the_focus_stays_on_the_board_after_a_move(open_page):
    page = open_page("/play/kalah?houses=6&south=human&north=human")
    house = page.locator(PLAYABLE).nth(2)
    house.focus()
    page.keyboard.press("Enter")
    settled(page).wait_for_url("**moves=C")
    assert page.evaluate("document.activeElement.closest('#board a') !== null")
    assert page.inner_text("#live").startswith("South: C, sows 4 seeds")


def test_the_link_to_the_content_loads_nothing_and_leaves_the_focus_there(open_page):
    page = open_page("/play/tictactoe?x=human&o=human")
    page.evaluate("""() => {
        window.asked = [], window.jumped = new Promise((done) => addEventListener('hashchange', done));
        const whole = window.fetch;
        window.fetch = (...all) => (window.asked.push(all[0]), whole(...all));
    }""")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.evaluate("window.jumped.then(() => null)")
    assert page.evaluate("[window.asked, document.activeElement.id]") == [[], "main"]


def test_who_has_moved_on_before_the_board_changes_keeps_the_focus_there(open_page):
    page, held = open_page("/play/tictactoe?x=human&o=human"), []
    page.route("**/play/**", lambda route: held.append(route))
    page.locator(PLAYABLE).first.focus()
    with page.expect_request("**/play/**"):
        page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("Tab")
    held[0].continue_()
    settled(page).wait_for_url("**moves=1")
    assert page.evaluate("document.activeElement.querySelector('.cell')?.dataset.name") == "4"


def test_the_button_that_lets_machines_play_keeps_the_focus(open_page):
    page = open_page("/play/othello?black=random:seed=1&white=random:seed=2")  # a long game
    page.get_by_role("button", name="Let them play").focus()
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.table').dataset.seen >= 2")
    page.keyboard.press("Enter")
    assert page.inner_text("#run") == "Let them play"
    assert page.evaluate("document.activeElement.id") == "run"


def test_the_focus_can_be_seen(open_page):
    page = open_page("/play/nim")
    page.locator(PLAYABLE).first.focus()
    page.keyboard.press("Tab")
    shown = "document.activeElement.querySelector('.outline, .disc, .pebble') ?? document.activeElement"
    assert page.evaluate(f"parseFloat(getComputedStyle({shown}).strokeWidth)") >= 5


def test_without_the_script_a_whole_game_is_played_all_the_same(open_page):
    page = open_page(SMALL, java_script_enabled=False)
    for _ in range(100):
        if page.locator(PLAYABLE).count() == 0:
            break
        followed(page, page.locator(PLAYABLE).first)
    assert "The game is over" in page.inner_text("#board")


def test_without_the_script_all_panels_are_there(open_page):
    page = open_page("/play/kalah?houses=3&seeds=2&moves=A", java_script_enabled=False)
    for name in ("Analysis", "Evaluation curve and review", "Search tree"):
        followed(page, page.get_by_role("link", name=name))
    assert page.locator(".bars tr").count() >= 2
    assert page.locator(".curve .dot").count() == 2
    assert page.locator(".drawing svg").count() == 1


PAGES = [
    "/",
    "/new/kalah",
    "/new/tree",
    "/play/kalah?moves=C,D,b&show=analysis,curve,tree&ask=hint",
    "/play/kalah?houses=12&seeds=9",
    "/play/tictactoe?moves=5,1,9,3,2,8,4,6,7&show=curve,tree",
    "/play/tictactoe?h=19&v=19&k=5",
    "/play/nim?heaps=30,20,5&show=tree",
    "/play/pig?moves=roll,3&at=1",
    "/play/fig52?show=tree,analysis",
    "/play/othello?moves=f5",
    "/play/einstein",
    "/play/tictactoe?x=human&o=human&moves=5,2,1,9,7&at=1&show=curve",
    "/play/tictactoe?x=human&o=human&moves=5,2,1,9,7&at=1&ask=learn&tried=4",
    "/compare/fig52",
]


@pytest.mark.parametrize("path", PAGES)
def test_no_page_is_wider_than_the_window(open_page, path):
    page = open_page(path)
    for width in (320, 360, 800, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        beyond = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert (width, beyond) == (width, 0)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_a_serious_fault_of_accessibility(open_page, serious_faults, path):
    assert serious_faults(open_page(path)) == []


def brightness(page, place):
    colour = page.evaluate(f"getComputedStyle(document.querySelector({place!r})).backgroundColor")
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


def test_the_page_is_dark_where_the_surroundings_are(open_page):
    dark, light = (open_page("/play/kalah", color_scheme=scheme) for scheme in ("dark", "light"))
    assert brightness(dark, "body") < 40 < 215 < brightness(light, "body")
    assert brightness(dark, "#board") < 40 < 215 < brightness(light, "#board")


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def along(start, end, point):
    """How far from `start` to `end` a point is, in parts of the way; negative if it is aside of it."""
    way, gone = ([b - a for a, b in zip(start, other, strict=True)] for other in (end, point))
    length = sum(each**2 for each in way)
    aside = abs(way[0] * gone[1] - way[1] * gone[0]) / length
    return sum(a * b for a, b in zip(way, gone, strict=True)) / length if aside < 0.4 else -1


WATCH = """() => {
    window.seen = [];
    const look = () => {
        const svg = document.querySelector('#board svg'), frame = svg.getBoundingClientRect();
        const inside = (box) => box.left >= frame.left - 1 && box.right <= frame.right + 1
            && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
        for (const each of svg.querySelectorAll('.flying')) {
            const box = each.getBoundingClientRect();
            const counts = [...svg.querySelectorAll('.digits')].map((digits) => Number(digits.textContent));
            window.seen.push({x: box.x + box.width / 2, y: box.y + box.height / 2, inside: inside(box), counts});
        }
        requestAnimationFrame(look);
    };
    look();
}"""
"""Notes, in every frame, where what flies is, whether that is on the board, and what the cells count meanwhile."""


def flown(page, move):
    """Make a move, and return what was seen in flight."""
    page.evaluate(FRAME_BY_FRAME)
    page.evaluate(WATCH)
    before = page.url
    move()
    page.wait_for_function("before => location.href !== before", arg=before)
    settled(page)
    return recorded(page, "seen")


SIZES = [(360, 740), (740, 360), (820, 600), (1280, 800)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_seeds_fly_over_the_board_and_are_counted_as_they_land(open_page, width, height):
    page = open_page("/play/kalah?south=human&north=human", width=width, height=height, reduced_motion="no-preference")
    houses = [page.locator(f"#board [data-name={name}] .outline").bounding_box() for name in "BCDEF"]
    seen = flown(page, page.locator(PLAYABLE).nth(1).click)
    assert len(seen) > 10
    assert all(each["inside"] for each in seen)
    assert all(each["counts"][1] == 0 for each in seen)  # the house is emptied first
    stages = list(dict.fromkeys(tuple(each["counts"][2:6]) for each in seen))
    assert stages == [(4, 4, 4, 4), (5, 4, 4, 4), (5, 5, 4, 4), (5, 5, 5, 4)]
    for left, right in itertools.pairwise(map(middle, houses)):
        assert any(0.2 < along(left, right, (each["x"], each["y"])) < 0.8 for each in seen)
    assert page.locator("#board [data-name=F] .digits").text_content() == "5"


def test_on_a_phone_houses_and_buttons_are_large_enough_to_be_touched(open_page):
    page = open_page("/play/kalah?south=human&north=easy", width=360, height=740)
    page.wait_for_url("**view=1")  # the board stands upright
    boxes = [each.bounding_box() for each in page.locator("#board a .outline, .actions .button").all()]
    assert len(boxes) > 8
    assert all(min(box["width"], box["height"]) >= 44 for box in boxes)


TOUCHED = """() => [...document.querySelectorAll('#board a')].map((link) => {
    const box = (link.querySelector('.touch, .reach') ?? link.querySelector('.outline')).getBoundingClientRect();
    return [box.width, box.height];
})"""
"""The sizes of the areas that can be touched."""
UPRIGHT = "(!document.querySelector('.table').dataset.upright || location.search.includes('view='))"
"""A board that stands upright on a phone does."""


@pytest.mark.parametrize(
    "game",
    [
        *("hex", "hex?size=11", "hex?size=19", "tictactoe?h=19&v=19", "connectfour?width=16", "hexapawn?columns=12"),
        *("breakthrough", "checkers", "othello", "domineering", "dotsandboxes?rows=7&columns=7", "einstein?size=8"),
        *("morris?men=12", "awari", "nim"),
    ],
)
def test_on_a_phone_every_cell_is_large_enough_to_be_touched(open_page, game):
    page = until(open_page(f"/play/{game}", width=360, height=740), UPRIGHT)
    sizes = page.evaluate(TOUCHED)
    assert sizes
    assert [size for size in sizes if min(size) < 40] == []
    wide = "document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(wide)  # the board scrolls, not the page
    if game == "hex":  # it stands on a corner, and nothing scrolls
        assert page.evaluate("document.querySelector('#board').scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    "game",
    [
        *("breakthrough", "checkers", "othello", "domineering", "hex", "connectfour", "dotsandboxes", "einstein"),
        *("morris?men=9", "pong-hau-ki", "kalah", "awari", "nim", "pig", "tictactoe", "hexapawn"),
    ],
)
def test_on_a_telephone_on_its_side_the_board_takes_the_height_and_the_cards_scroll(open_page, game):
    page = open_page(f"/play/{game}", width=740, height=360)
    assert [size for size in page.evaluate(TOUCHED) if min(size) < 40] == []
    middles = """() => [...document.querySelectorAll('#board .cell')].map((each) => {
        const box = each.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    })"""
    before = page.evaluate(middles)
    assert [(x, y) for x, y in before if not (0 < x < 740 and 0 < y < 360)] == []
    page.locator("#share").scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 300
    assert page.evaluate(middles) == before


def test_on_a_phone_nothing_is_cut_off_from_the_cards_of_the_players(open_page):
    moves = "11-15,22-17,15-19,24x15,10x19,23x16,12x19"
    page = open_page(f"/play/checkers?black=human&white=hard&moves={moves}", width=360, height=740)
    parts = page.locator(".players li > :is(b, .who, .score, .clock)")
    cut = "each => each.hidden ? 0 : each.scrollWidth - each.clientWidth"
    shown = [(each.inner_text(), each.bounding_box(), each.evaluate(cut)) for each in parts.all()]
    assert "10 pieces, 2 captured" in [text for text, _, _ in shown]
    assert [(text, over) for text, box, over in shown if box and (over > 1 or box["x"] + box["width"] > 360)] == []
    assert "" not in [text for text, box, _ in shown if box]


def test_a_streak_of_puzzles_solved_at_the_first_try_is_kept_by_the_browser(open_page):
    page, registry = open_page("/"), ggp.load_registry()
    game = registry.game("tictactoe")
    for number, right, streak in [(1, True, 1), (2, True, 2), (3, False, 0), (3, True, 0), (4, True, 1)]:
        page.goto(page.url.split("/play")[0].split("/puzzle")[0].rstrip("/") + f"/puzzle/tictactoe?number={number}")
        found = puzzle.puzzle(registry, game, number)
        move = next(each for each in game.actions(found.state) if (each == found.action) == right)
        name = game.format_action(found.state, move)
        page.locator("#board a", has=page.locator(f"[data-name='{name}']")).click()
        until(page, "document.querySelector('#streak')")
        assert page.inner_text("#streak").strip() == f"Streak: {streak}"


def test_the_board_is_turned_for_who_plays_the_second_side(open_page):
    page = open_page("/play/kalah?south=human&north=human")
    height = lambda name: page.locator(f"#board [data-name={name}]").bounding_box()["y"]  # noqa: E731
    assert height("A") > height("a")
    page.get_by_role("link", name="Turn the board").click()
    settled(page).wait_for_url("**view=2")
    assert height("A") < height("a")
    page = open_page("/play/kalah?south=easy&north=human")
    assert (
        page.locator("#board [data-name=A]").bounding_box()["y"]
        < page.locator("#board [data-name=a]").bounding_box()["y"]
    )


def test_boards_without_sides_cannot_be_turned(open_page):
    for game in ("connectfour?x=easy&o=human", "othello", "hex", "domineering", "nim"):
        page = until(open_page(f"/play/{game}", width=360, height=740), UPRIGHT)
        assert (page.locator("#turn").count(), "view=" in page.url) == (0, game == "hex")  # which stands on a corner
    page = open_page("/play/connectfour?x=human&o=human&moves=4&view=2")
    d1, d6 = (page.locator(f"#board [data-name={name}]").bounding_box()["y"] for name in ("d1", "d6"))
    assert d1 > d6


def test_keys_choose_houses_by_arrows_and_by_their_letters(open_page):
    page = open_page("/play/kalah?south=human&north=human")
    at = "document.activeElement.querySelector('.cell')?.dataset.name"
    for key, name in [("ArrowRight", "A"), ("ArrowRight", "B"), ("ArrowRight", "C"), ("ArrowLeft", "B")]:
        page.keyboard.press(key)
        assert page.evaluate(at) == name
    page.keyboard.press("Enter")
    settled(page).wait_for_url("**moves=B")
    page.keyboard.press("f")
    settled(page).wait_for_url("**moves=B,f")
    page.keyboard.press("u")
    until(page, "document.querySelector('.table').dataset.line === 'B'")
    page.keyboard.press("h")
    page.wait_for_selector("#advice")


def test_the_end_says_who_has_won_and_offers_another_game(open_page):
    page = open_page("/play/kalah?south=human&north=easy&seeds=4&position=%3C6,30,16,0,0,0,0,0,1,1,0,0,0,0,0%3E%20S")
    page.locator(PLAYABLE).first.click()
    settled(page).wait_for_selector(".outcome")
    assert page.inner_text(".outcome") == "South (human) wins against North (easy), 31 : 17."
    assert page.locator("#rematch").count() == 1
    page.locator("#swap").click()
    settled(page)
    assert "south=easy&north=human" in page.url


def test_a_review_marks_mistakes_and_says_what_was_best(open_page):
    page = open_page("/play/tictactoe?x=human&o=human&moves=5,2,1,9,7,3,4")
    assert page.inner_text(".outcome") == "X wins against O."
    page.get_by_role("link", name="Review the game").click()
    page.wait_for_selector(".curve .blunder")
    assert page.locator(".moves .blunder").count() >= 1
    page.locator(".moves a").nth(1).click()
    until(page, "document.querySelector('.table').dataset.seen === '2'")
    until(page, "document.querySelector('#judged')?.textContent.includes('; blunder')")  # a busy server looks again
    assert re.match(r"2\. 2\?\? a win for X, exact; blunder: best was [1379]", page.inner_text("#judged"))
    assert page.locator("#gauge").is_visible()


def test_a_value_that_a_busy_server_has_left_out_is_shown_by_the_bar_too(open_page):
    page, looks = open_page("/play/tictactoe?x=human&o=human&moves=5,2,1,9,7,3,4"), itertools.count()

    def busy(route):
        answer = route.fetch()
        text = answer.text()
        if not next(looks):
            text = re.sub(' data-share="[^"]*"', "", text).replace('id="curve"', 'id="curve" data-unfinished="0"')
        route.fulfill(response=answer, body=text)

    page.route("**/play/**", busy)
    page.get_by_role("link", name="Review the game").click()
    until(page, "document.querySelector('#gauge').clientHeight > 0")
    page.unroute_all(behavior="wait")
    assert next(looks) >= 2


SAMPLED = """() => {
  window.samples = [];
  const text = (place) => document.querySelector(place)?.textContent.trim() ?? "";
  const all = (place) => [...document.querySelectorAll(place)].map((each) => each.textContent.trim());
  const note = () => {
    const now = JSON.stringify({
      moving: Boolean(document.querySelector("#board.moving")), told: text(".events"), again: text(".again"),
      pill: text(".players .moving b"), moves: all(".moves li a").length, thinking: text("#working"),
      scores: all(".players .score"), stores: all("[data-name$=store] .digits"),
    });
    if (window.samples.at(-1) !== now) window.samples.push(now);
  };
  const sample = () => (note(), requestAnimationFrame(sample));
  sample();
  new MutationObserver(note).observe(document.querySelector("main"), { childList: true, subtree: true });
}"""
"""Notes what is to be read, in every frame and at every change: a slow page may draw no frame in 700 milliseconds."""


def test_each_step_of_a_chain_is_told_when_it_is_seen(open_page):
    page = open_page("/play/kalah?south=human&north=alphabeta:depth=4", reduced_motion="no-preference")
    page.evaluate(FRAME_BY_FRAME)
    page.evaluate(SAMPLED)
    page.locator("#board a:has([data-name='A'])").click()
    until(
        page,
        "document.querySelector('.table').dataset.mover === '0' && document.querySelector('.table').dataset.seen > 2",
    )
    settled(page)
    seen = [json.loads(each) for each in recorded(page, "samples")]
    moving = [each for each in seen if each["moving"] and each["told"]]
    steps = [told for told, _ in itertools.groupby(each["told"] for each in moving)]
    assert [step.partition(":")[0] for step in steps] == ["South", *["North"] * (len(steps) - 1)]
    assert len(steps) == len(page.locator(".moves li").all()) >= 3
    for each in moving:
        assert each["pill"] == each["told"].partition(":")[0]
        assert each["moves"] == steps.index(each["told"]) + 1
        assert each["thinking"] == ""
    announced = {each["told"] for each in moving if each["again"]}
    assert announced == {step for step in steps if "extra turn" in step} != set()
    assert any(each["scores"] == ["0 seeds", "1 seed"] for each in moving)  # after the first of them


COUNTED = """() => {
    window.counted = [];
    const look = () => {
        const hollows = [...document.querySelectorAll('#board .cell.round')];
        const wrong = hollows.map((each) => [
            each.dataset.name, each.querySelectorAll('.seed').length, Number(each.querySelector('.digits').textContent),
        ]).filter(([, drawn, told]) => drawn !== told);
        const moving = Boolean(document.querySelector('#board.moving'));
        const told = hollows.map((each) => Number(each.querySelector('.digits').textContent));
        const all = document.querySelectorAll('.flying .seed').length + told.reduce((sum, each) => sum + each, 0);
        window.counted.push({moving, wrong, all, told: document.querySelector('.events')?.textContent.trim() ?? ''});
        requestAnimationFrame(look);
    };
    look();
}"""
"""Notes in every frame the hollows whose number differs from that of the seeds drawn, and the caption."""


def test_seeds_that_are_drawn_are_as_many_as_are_told_in_every_frame_of_a_chain(open_page):
    page = open_page("/play/kalah?south=human&north=alphabeta:depth=4", reduced_motion="no-preference")
    page.evaluate(FRAME_BY_FRAME)
    page.evaluate(COUNTED)
    page.locator("#board a:has([data-name='A'])").click()
    until(
        page,
        "document.querySelector('.table').dataset.mover === '0' && document.querySelector('.table').dataset.seen > 2",
    )
    settled(page)
    frames = recorded(page, "counted")
    moving = [each for each in frames if each["moving"]]
    assert len(moving) > 100
    assert [each for each in frames if each["wrong"] or each["all"] > 48] == []  # some are in a hand, but none twice
    assert frames[0]["all"] == frames[-1]["all"] == 48
    captions = {each["told"] for each in moving if each["told"]}
    assert len(captions) == len(page.locator(".moves li").all()) >= 3


def test_a_mistake_is_learned_from_on_the_board(open_page):
    page = open_page("/play/tictactoe?x=human&o=easy&moves=5,1,2,8,3,7,4,9&show=curve")
    page.locator("#learn").click()
    page.wait_for_selector(".task:has-text('Find a better move')")
    played = re.search(r"X played (\d)", page.inner_text(".task"))[1]
    page.locator(f"#board a:has([data-name='{played}'])").click()
    page.wait_for_selector(".task:has-text('Try again')")
    assert page.locator("#board .arrow").count() == 0
    page.locator("#answer").click()
    page.wait_for_selector(".task.solved")
    assert page.locator("#board .arrow.best").count() == 1
    page.locator("#review").click()
    page.wait_for_selector("#ahead")


def test_a_match_plays_on_from_game_to_game_and_ends_with_its_winner(open_page, serious_faults):
    page = open_page("/play/tictactoe?x=random:seed=1&o=random:seed=2")
    begin = page.get_attribute("#match-begin", "href").replace("match=10", "match=2")
    page.goto(page.url.partition("/play")[0] + begin)
    page.get_by_role("button", name="Let them play").click()
    page.wait_for_selector("#match-winner", timeout=120_000)
    assert page.locator(".played a").count() == 2
    assert page.locator(".course .band").count() == 1
    assert serious_faults(page) == []
    page.locator(".played a").first.click()
    until(page, "!document.getElementById('match') && document.querySelector('.outcome')")


def test_a_win_is_celebrated_where_motion_is_wanted(open_page):
    winning = "/play/tictactoe?x=human&o=easy&moves=5,2,1,9,7,3"
    page = open_page(winning, reduced_motion="no-preference")
    page.evaluate("""() => new MutationObserver(() => {
        window.thrown ||= Boolean(document.querySelector('.confetti'));
    }).observe(document.body, {childList: true})""")
    page.locator("#board a:has([data-name='4'])").click()
    until(page, "window.thrown")
    until(page, "!document.querySelector('.confetti')")
    page = open_page(winning)
    page.locator("#board a:has([data-name='4'])").click()
    page.wait_for_selector(".outcome")
    assert page.locator(".confetti").count() == 0


def test_the_bar_beside_the_board_is_there_while_a_position_is_analysed(open_page):
    page = open_page("/play/kalah?south=human&north=human&seeds=2&houses=3")
    assert not page.locator("#gauge").is_visible()
    page.get_by_role("link", name="Analysis").click()
    height = "document.querySelector('{}').getBoundingClientRect().height".format
    until(page, f"{height('#gauge span')} > {height('#gauge')} / 2")  # South is ahead: the bar grows


def test_a_new_game_keeps_the_variant_and_the_players(open_page):
    page = open_page("/play/kalah?houses=4&seeds=3&south=human&north=easy&moves=A")
    page.get_by_role("link", name="New game").click()
    assert page.get_by_label("houses").input_value() == "4"
    assert page.get_by_label("North", exact=True).input_value() == "easy"


def test_the_last_moves_and_the_rules_are_on_the_page(open_page):
    page = open_page("/play/kalah?south=human&north=human&moves=C")
    assert page.inner_text("#happened") == "South: C sows 4 seeds from C, ends in the store: an extra turn"
    page.locator("#rules summary").click()
    assert "you move again" in page.inner_text("#rules")


def test_motion_can_be_switched_off_and_clocks_run(open_page):
    page = open_page("/play/kalah?south=human&north=human", reduced_motion="no-preference")
    page.get_by_label("Motion").select_option("off")
    assert flown(page, page.locator(PLAYABLE).nth(2).click) == []
    until(page, "document.querySelector('.clock[data-side=\"0\"]').textContent !== '0:00'")
    assert page.inner_text(".clock[data-side='1']") == "0:00"


def test_captured_seeds_fly_to_the_store(open_page):
    page = open_page("/play/kalah?position=%3C6,12,9,0,0,0,1,0,4,4,2,5,4,4,3%3E%20S", reduced_motion="no-preference")
    opposite = page.locator("#board [data-name=b] .outline").bounding_box()
    seen = flown(page, page.locator("#board a").first.click)
    captured = [each for each in seen if each["y"] < opposite["y"] + opposite["height"] - 1]
    assert captured
    assert all(each["inside"] for each in seen)
    assert page.locator("#board [data-name=b] .digits").text_content() == "0"


def test_pieces_appear_where_they_are_placed(open_page):
    page = open_page("/play/tictactoe?x=human&o=human", reduced_motion="no-preference")
    field = page.locator("#board [data-name='5'] .outline").bounding_box()
    seen = flown(page, page.locator("#board a", has=page.locator("[data-name='5']")).click)
    assert seen
    assert all(abs(each["x"] - field["x"] - field["width"] / 2) < 2 for each in seen)


TRIPLE = "......../..b...../...w..../......../.....w../......../.....w../........ b 0"


def test_a_triple_jump_is_seen_jump_by_jump(open_page):
    page = open_page(f"/play/checkers?black=human&white=human&position={TRIPLE}", reduced_motion="no-preference")
    cells = [page.locator(f"#board [data-name={name}] .outline").bounding_box() for name in ("c2", "e4", "g6", "e8")]
    page.locator("#board a", has=page.locator("[data-name=c2]")).click()
    settled(page).wait_for_url("**from=c2**")
    seen = flown(page, page.locator("#board a", has=page.locator("[data-name=e8]")).click)
    assert all(each["inside"] for each in seen)
    for start, end in itertools.pairwise(map(middle, cells)):
        assert any(0.2 < along(start, end, (each["x"], each["y"])) < 0.8 for each in seen)
    assert "6x31" in page.inner_text("#happened").replace(" ", "")


def test_a_disc_falls_behind_the_frame(open_page):
    page = open_page("/play/connectfour?x=human&o=human", reduced_motion="no-preference")
    top, bottom = (page.locator(f"#board [data-name={name}]").bounding_box() for name in ("d6", "d1"))
    seen = flown(page, page.locator("#board a", has=page.locator("[data-name=d1]")).click)
    heights = [each["y"] for each in seen]
    assert heights == sorted(heights)
    assert len({round(each) for each in heights if top["y"] + top["height"] < each < bottom["y"]}) >= 3


WIDTHS = """() => {
    window.widths = [];
    const look = () => {
        const discs = [...document.querySelectorAll('#board .square .disc')];
        window.widths.push(Math.min(...discs.map((disc) => disc.getBoundingClientRect().width)));
        requestAnimationFrame(look);
    };
    look();
}"""


def test_a_disc_that_is_turned_over_gets_narrow_and_broad_again(open_page):
    page = open_page("/play/othello?black=human&white=human", reduced_motion="no-preference")
    page.evaluate(WIDTHS)
    flown(page, page.locator("#board a").first.click)
    widths = recorded(page, "widths")
    assert min(widths) < 0.6 * widths[0]
    assert widths[-1] == pytest.approx(widths[0], abs=1)


FACES = """() => {
    window.faces = [];
    const look = () => {
        const die = document.querySelector("#board [data-name='die']");
        window.faces.push([die.querySelectorAll('.pip').length, die.getBoundingClientRect().width]);
        requestAnimationFrame(look);
    };
    look();
}"""
"""Notes in every frame how many pips the die shows, and how broad it is."""


@pytest.mark.parametrize(
    ("address", "roll"), [("/play/pig?first=human&second=human&moves=roll,5", "roll"), ("/play/einstein", "")]
)
def test_a_die_rolls_over_several_faces_before_it_shows_what_was_thrown(open_page, address, roll):
    for _ in range(20):  # a die that is thrown as it lay does not roll: one throw in six
        page = open_page(address, reduced_motion="no-preference")
        if not roll:  # a stone is moved, and the die is thrown for the next one
            settled(page).locator(PLAYABLE).first.click()
            settled(page).wait_for_url("**from=**")
        page.evaluate(FRAME_BY_FRAME)
        page.evaluate(FACES)
        page.locator(f"#board a:has([data-name='{roll}'])" if roll else "#board a[href*=',']").first.click()
        until(page, f"Number(document.querySelector('.table').dataset.seen) >= {4 if roll else 3}")
        settled(page)
        faces = recorded(page, "faces")
        seen = [pips for pips, _ in itertools.groupby(pips for pips, _ in faces) if pips]
        if len(seen) >= 3:
            break
    assert len(seen) >= 3
    assert seen[-1] == page.locator("#board [data-name='die'] .pip").count()
    widths = [width for _, width in faces if width]
    assert any(width < 0.7 * widths[0] for width in widths)
    assert widths[-1] == pytest.approx(widths[0], abs=1)


def test_nothing_flies_where_motion_is_to_be_reduced(open_page):
    page = open_page("/play/kalah?south=human&north=human")
    assert flown(page, page.locator(PLAYABLE).nth(1).click) == []
    assert page.locator("#board [data-name=F] .digits").text_content() == "5"


def test_ones_own_move_is_there_before_the_machine_has_thought(open_page):
    page = open_page("/play/kalah?south=human&north=medium")
    page.route(
        "**/play/kalah?**", lambda route: None if route.request.headers["x-script"] == "answer" else route.continue_()
    )
    page.locator(PLAYABLE).nth(1).click()
    until(page, "document.querySelector('.players em')?.textContent === 'thinking …'")
    assert page.locator("#board [data-name=B] .digits").text_content() == "0"
    assert page.locator(PLAYABLE).count() == 0


def test_the_analysis_streams_as_it_deepens_and_goes_on_after_a_move(open_page):
    page = open_page("/play/kalah?seeds=7&south=human&north=human")
    page.get_by_role("link", name="Analysis").click()
    until(page, "/depth ([3-9]|[1-9][0-9])/.test(document.querySelector('.counts')?.textContent)")
    assert page.locator(".bars tbody tr").count() == 6
    page.locator(PLAYABLE).nth(0).click()
    settled(page).wait_for_url("**moves=A&show=analysis")
    until(page, "document.querySelectorAll('.bars tbody tr').length > 0")
    assert page.locator(".bars th").all_inner_texts()[-1].strip()[0].islower()


def test_a_solved_position_is_exact_at_once(open_page):
    page = open_page("/play/kalah?south=human&north=human")
    page.get_by_role("link", name="Analysis").click()
    until(page, "/exact/.test(document.querySelector('.verdict')?.textContent)")
    assert page.inner_text(".counts") == "This position is solved."
    assert [each.strip() for each in page.locator(".bars .value").all_inner_texts()] == [
        "-14",
        "-10",
        "8",
        "-2",
        "-8",
        "4",
    ]


def test_machines_play_among_themselves_until_they_are_paused(open_page):
    page, asked = open_page("/play/nim?first=random:seed=1&second=random:seed=2"), itertools.count()
    page.route("**/play/**", lambda route: route.continue_() if next(asked) < 2 else None)  # the rest waits for a pause
    page.get_by_role("button", name="Let them play").click()
    until(page, "document.querySelector('.table').dataset.seen >= 2")
    page.get_by_role("button", name="Pause").click()
    page.unroute("**/play/**")
    page.get_by_role("button", name="Let them play").click()
    until(page, "!document.getElementById('step')")
    assert page.locator(PLAYABLE).count() == 0


def test_a_page_that_cannot_be_shown_says_why(open_page):
    page = open_page("/")
    page.evaluate("history.replaceState({}, '', '/')")
    answer = page.request.get(page.url + "play/kalah?seeds=many")
    assert answer.status == 400
    assert "eeds must be a whole number, 0 or more" in answer.text()


def test_searchers_are_compared_from_the_menu_of_a_game(open_page):
    page = open_page("/play/fig52")
    page.get_by_role("link", name="Compare searchers").click()
    page.wait_for_url("**/compare/fig52**")
    for box in page.locator("input[name=searcher]").all():
        box.set_checked(box.get_attribute("value") in ("minimax", "alphabeta", "scout"))
    followed(page, page.get_by_role("button", name="Compare"))
    assert page.locator(".compared tbody tr").count() == 3
    followed(page, page.locator("#trees"))
    assert page.locator(".pane h2").all_inner_texts() == ["alphabeta", "minimax", "scout"]
    first = page.locator("#count").inner_text()
    page.locator("#next").click()
    assert page.locator("#count").inner_text() != first


def test_a_failure_leaves_the_board_and_says_why(open_page):
    page = open_page("/play/tictactoe?x=human&o=human", failing=True)
    wrong = "document.querySelector('#hint').setAttribute('href', '/play/tictactoe?moves=99')"
    page.evaluate(wrong)
    page.locator("#hint").click()
    assert "move 1 is wrong" in page.locator("#complaint").inner_text().lower()
    assert page.locator(PLAYABLE).count() == 9
    assert page.get_by_role("link", name="Try again").count() == 1


def test_an_analysis_shows_the_best_that_is_known(open_page):
    address = "/play/connectfour?x=human&o=human&moves=4,4,4&ask=hint"
    page = open_page(address)
    hint = page.inner_text("#advice")
    value = re.search(r"Value: (.*?) \((.*?)\)", hint)
    page.goto(page.url.replace("ask=hint", "show=tree,curve"))
    tree = page.inner_text("#tree")
    assert f"A search that saw more ({value[2]}) says {value[1]}." in tree or f"({value[2]}) says the same." in tree
    assert value[2] in page.inner_text("#judged")


def test_a_page_can_be_printed(open_page):
    page = open_page("/play/kalah?moves=C,D", color_scheme="dark")
    page.emulate_media(media="print")
    assert brightness(page, ".panel") > 215
    assert not page.locator("#back").is_visible()
    assert page.locator("#board svg").is_visible()
