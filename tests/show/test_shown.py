"""What shows itself in a notebook: states, and what searches have found."""

import math
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.searcher import SearchResult, Statistics
from ggp.show import Analysis, Board
from ggp.show.board_svg import board_svg
from ggp.show.result_chart import COLUMNS, MOST, chart

REGISTRY = ggp.load_registry()
FIG52, KALAH, TICTACTOE = (REGISTRY.game(name) for name in ("fig52", "kalah", "tictactoe"))


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """These tests are about what is shown, not about machine speed."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")


def parsed(text):
    return ElementTree.fromstring(text)  # noqa: S314


def analysed(game, state=None, depth=None, searcher="alphabeta"):
    state = game.initial_state() if state is None else state
    found = REGISTRY.searcher(searcher).analyse(game, state, ggp.Limits(depth=depth))
    return Analysis(game, state, found)


def answer(values, best=None):
    """What a search answers that has found these values."""
    best = next(iter(values), None) if best is None else best
    return SearchResult(action=best, value=values.get(best, 0), values=values, best_actions=(best,), complete=True)


def rows(html):
    """The cells of each row of the table."""
    table = parsed(html).find("table")
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]


def test_a_board_shows_itself_as_a_picture_and_as_text():
    state = TICTACTOE.parse_state("X../.O./...")
    shown = Board(TICTACTOE, state)
    picture, drawn = shown._repr_svg_(), board_svg(TICTACTOE.scene(state), identity="board")
    assert picture.startswith("<svg")
    assert len(parsed(picture)) == len(parsed(drawn))
    assert repr(shown) == " X | 2 | 3\n---+---+---\n 4 | O | 6\n---+---+---\n 7 | 8 | 9\nX to move"


def test_a_board_marks_the_house_that_was_sown():
    start = KALAH.initial_state()
    after = KALAH.result(start, 2)
    changed = [
        group.get("data-name")
        for group in parsed(Board(KALAH, after, start)._repr_svg_()).iter()
        if "changed" in group.get("class", "").split()
    ]
    assert changed == ["C"]
    assert " changed" not in Board(KALAH, after)._repr_svg_().partition("</style>")[2]


def test_boards_of_one_page_have_ids_of_their_own():
    start = KALAH.initial_state()
    pictures = [Board(KALAH, state)._repr_svg_() for state in (start, KALAH.result(start, 2))]
    ids = [{element.get("id") for element in parsed(each).iter()} - {None} for each in pictures]
    assert ids[0].isdisjoint(ids[1])


def test_the_analysis_of_figure_52_reads_like_this():
    assert repr(analysed(FIG52)).splitlines()[:-1] == [
        "3 to MAX, exact",
        "* a1       3  " + 24 * "■",
        "  a2       2  " + 16 * "■",
        "  a3       2  " + 16 * "■",
        "best play: a1 b1",
    ]


def test_losses_go_to_the_other_side_of_one_zero():
    lines = repr(analysed(KALAH, depth=6)).splitlines()
    assert lines[0] == "3 seeds for South, looking 6 plies ahead"
    assert lines[1:7] == [
        "  A      -4  ■■■■■■■■■■■■■■│",
        "  B      -4  ■■■■■■■■■■■■■■│",
        "  C       1                ■■■",
        "  D       0                │",
        "  E       0                │",
        "* F       3                ■■■■■■■■■■",
    ]
    assert len({line.index(sign) for line, sign in zip(lines[1:7], "││■││■", strict=True)}) == 1


def test_the_table_has_the_same_in_html():
    shown = analysed(FIG52)
    assert [row[:2] for row in rows(shown._repr_html_())] == [["a1 (best)", "3"], ["a2", "2"], ["a3", "2"]]
    assert "3 to MAX, exact" in shown._repr_html_()
    assert "best play: a1 b1" in shown._repr_html_()


def test_one_ply_is_one_ply():
    assert analysed(KALAH, depth=1).head.endswith("looking 1 ply ahead")


def test_a_search_of_one_value_has_one_bar():
    found = REGISTRY.searcher("alphabeta").search(FIG52, "A")
    assert [row[:2] for row in rows(Analysis(FIG52, "A", found)._repr_html_())] == [["a1 (best)", "3"]]


def test_where_the_game_is_over_there_is_no_bar():
    shown = analysed(FIG52, "B1")
    assert rows(shown._repr_html_()) == []
    assert repr(shown).splitlines()[0] == "3 to MAX, exact"


def test_a_result_without_its_game_says_how_to_get_names():
    found = REGISTRY.searcher("alphabeta").analyse(KALAH, KALAH.initial_state(), ggp.Limits(depth=2))
    html = found._repr_html_()
    assert [row[0] for row in rows(html)][:2] == ["0", "1"]
    assert "ggp.show.Analysis(game, state, found) names them." in html


def test_a_search_that_was_stopped_says_so():
    found = SearchResult(action=None, value=0, complete=False, stopped="nodes", statistics=Statistics(nodes=1))
    assert "1 state, depth 0, 0 s, interpreted, cut short" in found._repr_html_()


def test_names_of_moves_are_no_markup():
    assert "<b>&" not in answer({"<b>&": 1})._repr_html_()


values = st.dictionaries(st.integers(), st.floats(-1e6, 1e6) | st.integers(-50, 50), max_size=60)


@given(values, st.sampled_from([ggp.MAX, ggp.MIN]))
def test_bars_have_a_common_zero_and_lengths_in_proportion(values, mover):
    drawn = chart(answer(values), mover, str)
    assert len(drawn.bars) + drawn.more == len(values)
    assert 0 <= drawn.zero <= 1
    span = (max([0, *values.values()]) - min([0, *values.values()])) or 1
    for bar in drawn.bars:
        assert -1e-9 <= bar.start <= bar.start + bar.length <= 1 + 1e-9
        assert math.isclose(bar.start + bar.length if bar.value < 0 else bar.start, drawn.zero, abs_tol=1e-9)
        assert math.isclose(bar.length * span, abs(bar.value), abs_tol=1e-6)


@pytest.mark.parametrize(("mover", "shown"), [(ggp.MAX, range(10, 10 + MOST)), (ggp.MIN, range(MOST))])
def test_of_too_many_moves_the_movers_best_are_shown(mover, shown):
    drawn = chart(answer({move: move for move in range(10 + MOST)}), mover, str)
    assert [bar.value for bar in drawn.bars] == list(shown)
    assert drawn.more == 10


class Numbered:
    """A game whose moves are numbers, all of them always."""

    name = "numbered"

    def __init__(self, moves):
        self.moves = moves

    def to_move(self, state):
        return ggp.MAX

    def terminal_test(self, state):
        return False

    def actions(self, state):
        return self.moves


@given(values)
def test_no_bar_of_text_is_wider_than_its_column(values):
    lines = repr(Analysis(Numbered(list(values)), 0, answer(values))).splitlines()
    assert all(line.count("■") <= COLUMNS for line in lines)
