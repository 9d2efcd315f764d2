"""What is written on a board in a real browser, and at it: labels, coordinates, the mark of the last move."""

import pytest

import ggp

pytestmark = pytest.mark.slow

WIDTHS = (360, 768, 1280)
COORDINATES = """() => {
    const middle = (each) => {
        const box = each.getBoundingClientRect();
        return {x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height};
    };
    const cells = [...document.querySelectorAll('#board :is(.square, .hexagon, .dot.cell, .round)')]
        .filter((each) => !each.classList.contains('coordinate'));
    const places = cells.map((each) => [each.dataset.name, middle(each.querySelector('.outline, .end'))]);
    const board = document.querySelector('#board svg').getBoundingClientRect();
    const written = [...document.querySelectorAll('#board .coordinate text')];
    const texts = written.map((each) => [each.textContent, middle(each)]);
    const within = (low, high, each) => each > low && each < high;
    const all = (axis) => places.map(([, place]) => place[axis]);
    const aside = ([, at]) => places.some(([, place]) => Math.abs(place.y - at.y) < place.height / 2);
    const rows = texts.filter((each) => aside(each)), columns = texts.filter((each) => !aside(each));
    rows.sort(([, a], [, b]) => a.y - b.y);
    const first = rows[0]?.[1], last = rows.at(-1)?.[1];
    const slope = rows.length > 1 ? (last.x - first.x) / (last.y - first.y) : 0;
    const edge = columns.length && columns[0][1].y > Math.max(...all('y')) ? last : first;
    const near = (found, far) => found.map(([text, at]) => [far(at), text]).sort(([a], [b]) => a - b)[0];
    return places.map(([name, at]) => {
        const start = at.x - (edge ? at.y - edge.y : 0) * slope;
        const column = near(columns, (one) => Math.abs(one.x - start));
        const row = near(rows, (one) => Math.abs(one.y - at.y));
        const beside = (found, size) => found && found[0] < size / 2 ? found[1] : '';
        return [name, beside(column, at.width), beside(row, at.height)];
    });
}"""
"""The name of each cell, and the column and the row that are written at the edges, as they are seen on the page.

Rows may be shifted, as in Hex: then a column runs as aslant as the names of the rows do.
"""
LABELS = """() => {
    const box = (each) => each.getBoundingClientRect();
    const far = (place, x, y) => Math.hypot(
        Math.max(place.left - x, 0, x - place.right), Math.max(place.top - y, 0, y - place.bottom));
    const straight = (place, x, y) => (x > place.left && x < place.right) || (y > place.top && y < place.bottom);
    const cells = [...document.querySelectorAll('#board .cell')].filter((each) => each.querySelector('.outline'));
    return cells.filter((each) => each.querySelector(':scope > .label')).map((each) => {
        const label = each.querySelector(':scope > .label'), at = box(label);
        const x = at.x + at.width / 2, y = at.y + at.height / 2;
        const beside = cells.filter((one) => straight(box(one.querySelector('.outline')), x, y));
        const nearest = beside.map((one) => [far(box(one.querySelector('.outline')), x, y), one.dataset.name])
            .sort(([a], [b]) => a - b)[0] ?? [0, ''];
        const own = box(each.querySelector('.outline'));
        return {name: each.dataset.name, label: label.textContent, nearest: nearest[1], x: own.x, y: own.y};
    });
}"""
"""The label of each cell that has one, and the name of the cell that is nearest in its row or column on the page."""


def views(page):
    """Yield how often the board has been turned, 0, and 1 if it can be turned, and the width of the window: each."""
    yield from at_every_width(page, 0)
    if page.locator("#turn").count():
        before = page.url
        page.locator("#turn").click()
        page.wait_for_function("before => location.href !== before", arg=before)
        page.wait_for_function("() => !document.getElementById('main').hasAttribute('aria-busy')")
        yield from at_every_width(page, 1)


def at_every_width(page, turned):
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        yield turned, width


def letter_first(name):
    return name[0], name[1:]


def row_first(name):
    return tuple(reversed(name.split("-")))


def column_only(name):
    return str("abcdefghij".index(name[0]) + 1), ""


NAMED = {
    "breakthrough?white=human&black=human": letter_first,
    "hexapawn": letter_first,
    "einstein": letter_first,
    "othello": letter_first,
    "domineering": letter_first,
    "hex": letter_first,
    "hex?size=11": letter_first,
    "tictactoe?h=10&v=10&k=5": row_first,
    "connectfour": column_only,
    "morris": letter_first,
    "morris?men=6": letter_first,
    "morris?men=9": letter_first,
    "morris?men=12": letter_first,
    "pong-hau-ki": letter_first,
    "dotsandboxes": letter_first,
    "dotsandboxes?rows=2&columns=5": letter_first,
}


@pytest.mark.parametrize("game", NAMED)
def test_every_cell_is_where_the_coordinates_name_it_before_and_after_turning(open_page, game):
    page = open_page(f"/play/{game}")
    for view in views(page):
        cells = page.evaluate(COORDINATES)
        assert len(cells) >= 5
        wrong = [(name, *read) for name, *read in cells if NAMED[game](name) != tuple(read)]
        assert (view, wrong) == (view, [])


@pytest.mark.parametrize("game", ["kalah", "kalah?houses=3", "kalah?houses=12", "awari", "tictactoe"])
def test_every_label_stands_at_the_place_that_it_names_before_and_after_turning(open_page, game):
    page = open_page(f"/play/{game}")
    for view in views(page):
        labels = page.evaluate(LABELS)
        assert len(labels) >= 8
        named = [(each, each["name"].removesuffix("'s store")) for each in labels]
        wrong = [each for each, name in named if (each["name"], name) != (each["nearest"], each["label"])]
        assert (view, wrong) == (view, [])


def test_the_squares_of_checkers_are_numbered_in_the_order_of_reading_before_and_after_turning(open_page):
    page = open_page("/play/checkers?black=human&white=human")
    orders = []
    for _ in views(page):
        labels = page.evaluate(LABELS)
        assert [each for each in labels if each["name"] != each["nearest"]] == []
        read = [int(each["label"]) for each in sorted(labels, key=lambda each: (round(each["y"]), each["x"]))]
        orders.append(read)
    assert sorted(orders) == [[*range(1, 33)]] * 3 + [[*range(32, 0, -1)]] * 3


def test_every_heap_of_nim_is_in_the_row_of_its_name(open_page):
    page = open_page("/play/nim")
    for view in views(page):
        cells = page.locator("#board .cell").all()
        middles = {each.get_attribute("data-name"): each.bounding_box() for each in cells}
        for name, box in middles.items():
            row = middles[name.partition(",")[0]]
            apart = abs(row["y"] + row["height"] / 2 - box["y"] - box["height"] / 2)
            assert (view, apart < 0.5 * box["height"]) == (view, True)


STILL = {"nim": "stones are taken away", "pancakes": "a stack is turned over", "pig": "the die shows it"}
"""Games whose board has no mark of the last move, and why."""
MARK = "#board .ring, #board .changed .tile, #board .node.highlighted"


def first_turn(game):
    """Return the first actions of a game, up to a player's first one and to what chance does then, in its notation."""
    state, moves, moved = game.initial_state(), [], False
    while not game.terminal_test(state) and not (moved and game.to_move(state) != ggp.CHANCE):
        moved = moved or game.to_move(state) != ggp.CHANCE
        action = next(iter(game.actions(state)))
        moves.append(ggp.capabilities.notation(game).format_action(state, action))
        state = game.result(state, action)
    return moves


@pytest.mark.parametrize("name", sorted(ggp.load_registry().games.keys() - STILL))
def test_the_last_move_of_a_player_is_marked_even_after_a_throw_of_the_die(open_page, name):
    game = ggp.load_registry().game(name)
    sides = "&".join(f"{each.lower()}=human" for each in ggp.capabilities.players(game))
    assert open_page(f"/play/{name}?{sides}").locator("#board .ring").count() == 0
    page = open_page(f"/play/{name}?{sides}&moves={','.join(first_turn(game))}")
    assert page.locator(MARK).count() > 0


@pytest.mark.parametrize("name", ggp.load_registry().games)
def test_no_board_has_a_serious_fault_of_accessibility(open_page, serious_faults, name):
    page = open_page(f"/play/{name}?moves={','.join(first_turn(ggp.load_registry().game(name)))}")
    assert serious_faults(page) == []
