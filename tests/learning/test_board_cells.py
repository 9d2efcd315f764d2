"""The cells of boards, found in the states of games that say nothing about them."""

import pytest
from ggp_learn.board_shape import places_by_shape
from ggp_learn.cells import COUNTS, find_board, survey
from ggp_search.learned.state_words import typed_words

from ggp.game import MAX, MIN


@pytest.fixture
def board(registry, monkeypatch):
    monkeypatch.setattr("ggp_learn.cells.GAMES", 250)

    def find(name, **parameters):
        game = registry.game(name, **parameters)
        return game, find_board(game, typed_words(game, [game.initial_state()]), survey(game, 1).states, 1)

    return find


@pytest.fixture(scope="module")
def registry():
    import ggp

    return ggp.load_registry()


def contents(game, board, state):
    return board.read(typed_words(game, [game.initial_state()])(state))


def test_tictactoe_has_nine_cells_of_three_contents_and_eight_symmetries(board):
    _, found = board("tictactoe")
    assert [cell.base for cell in found.cells] == [3] * 9
    assert len(found.symmetries) == 8
    assert sorted(map(len, found.neighbours)) == [3, 3, 3, 3, 5, 5, 5, 5, 8]


def test_a_move_changes_one_cell_and_each_player_has_a_content_of_their_own(board):
    game, found = board("tictactoe")
    empty = contents(game, found, game.initial_state())
    assert len(set(empty)) == 1
    state, changed = game.initial_state(), set()
    for action in list(game.actions(state))[:2]:
        before = contents(game, found, state)
        state = game.result(state, action)
        after = contents(game, found, state)
        changed |= {(old, new) for old, new in zip(before, after, strict=True) if old != new}
        assert sum(old != new for old, new in zip(before, after, strict=True)) == 1
    assert len(changed) == 2


def test_where_few_cells_have_counts_they_are_read_exactly(board):
    game, found = board("pig")
    seen = {contents(game, found, (first, 3, 5, 0, 0)) for first in range(2, 14)}  # a 1 busts
    assert len(seen) == 12


def test_where_many_cells_have_counts_they_are_read_roughly(board):
    _, found = board("kalah")
    assert max(cell.base for cell in found.cells) <= len(COUNTS)


def test_where_pieces_fall_a_cell_in_which_one_may_land_differs_from_one_in_the_air(board):
    game, found = board("connectfour", width=4, height=4, connect=3)
    assert {cell.base for cell in found.cells} == {4}
    start = contents(game, found, game.initial_state())
    assert sorted(start.count(each) for each in set(start)) == [4, 12]
    assert len(found.symmetries) == 2


def test_a_game_whose_players_sit_on_different_sides_is_not_turned(board):
    _, found = board("hexapawn")
    assert len(found.symmetries) == 2
    assert all(found.symmetries[0][cell] == cell for cell in range(9))


class Plain:
    """Noughts and crosses on a row of six: three in a row win. No scene, no grid, no text."""

    name = "plain"

    def initial_state(self):
        return (0,) * 6 + (MAX,)

    def to_move(self, state):
        return state[-1]

    def actions(self, state):
        return [] if self.terminal_test(state) else [place for place in range(6) if state[place] == 0]

    def result(self, state, action):
        return (*state[:action], state[-1] + 1, *state[action + 1 : 6], 1 - state[-1])

    def terminal_test(self, state):
        return 0 not in state[:6] or self.line(state, 1) or self.line(state, 2)

    def line(self, state, mark):
        return any(state[first] == state[first + 1] == state[first + 2] == mark for first in range(4))

    def utility(self, state, player):
        value = 1 if self.line(state, 1) else -1 if self.line(state, 2) else 0
        return value if player == MAX else -value


def test_without_a_scene_the_words_of_the_state_are_the_cells():
    game = Plain()
    found = find_board(game, typed_words(game, [game.initial_state()]), survey(game, 1).states, 1)
    assert [cell.base for cell in found.cells] == [3] * 6
    assert all(found.neighbours)


class Isolation:
    """Two kings step to free squares; the square that one leaves is gone, and who cannot move loses."""

    name = "isolation"

    def initial_state(self):
        return (0,) * 9, 1, 7, MAX

    def to_move(self, state):
        return state[3]

    def actions(self, state):
        board, *kings, mover = state
        row, column = divmod(kings[mover], 3)
        near = [3 * r + c for r in range(3) for c in range(3) if max(abs(r - row), abs(c - column)) == 1]
        return [cell for cell in near if not board[cell] and cell not in kings]

    def result(self, state, action):
        board, one, other, mover = state
        here = other if mover else one
        board = tuple(1 if cell == here else gone for cell, gone in enumerate(board))
        return (board, one, action, MAX) if mover else (board, action, other, MIN)

    def terminal_test(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return -1 if state[3] == player else 1


def test_numbers_of_cells_are_pieces_on_the_board_that_the_shape_of_the_state_shows():
    game = Isolation()
    found = find_board(game, typed_words(game, [game.initial_state()]), survey(game, 1).states, 1)
    assert [cell.base for cell in found.cells] == [4] * 9  # free, gone, and the two kings
    assert [len(near) for near in found.neighbours] == [3, 5, 3, 5, 8, 5, 3, 5, 3]
    assert len(found.symmetries) == 2
    read = contents(game, found, game.initial_state())
    assert len(set(read)) == 3
    assert read.count(read[0]) == 7


class PairedIsolation(Isolation):
    """The same, with the board in rows and the kings as pairs of column and row."""

    name = "isolation of pairs"

    def initial_state(self):
        return self._paired(super().initial_state())

    def to_move(self, state):
        return state[3]

    def actions(self, state):
        return super().actions(self._flat(state))

    def result(self, state, action):
        return self._paired(super().result(self._flat(state), action))

    def _paired(self, state):
        board, *kings, mover = state
        return (board[:3], board[3:6], board[6:]), *((king % 3, king // 3) for king in kings), mover

    def _flat(self, state):
        rows, *kings, mover = state
        return rows[0] + rows[1] + rows[2], *(column + 3 * row for column, row in kings), mover


def test_pairs_of_column_and_row_are_pieces_on_the_board():
    game = PairedIsolation()
    found = find_board(game, typed_words(game, [game.initial_state()]), survey(game, 1).states, 1)
    assert [cell.base for cell in found.cells] == [4] * 9
    read = contents(game, found, game.initial_state())
    assert [cell for cell in range(9) if read[cell] != read[0]] == [1, 7]
    assert len(found.symmetries) == 2


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("hex", {"size": 3}, ((0, 3, 6, 1, 4, 7, 2, 5, 8), (0, 2, 1))),
        ("hexapawn", {}, ((6, 7, 8, 3, 4, 5, 0, 1, 2), (0, 2, 1))),
        ("domineering", {"rows": 2, "columns": 4}, None),
    ],
    ids=["hex is mirrored", "hexapawn is turned over", "one player has more room"],
)
def test_where_players_are_alike_the_board_tells_how_they_change_places(board, name, parameters, expected):
    _, found = board(name, **parameters)
    assert (found.colours and (found.colours.cells, found.colours.contents[0])) == expected


def test_where_many_different_pieces_move_each_piece_is_a_cell_whose_content_is_its_place(board):
    game, found = board("einstein", size=3, side=2)
    state = game.parse_state("1.2/.3c/b.a red 2")
    places = (0, 2, 4, 8, 6, 5)  # stones 1, 2, 3, a, b and c
    turned = tuple(cell % 3 * 3 + cell // 3 for cell in places)
    read = contents(game, found, state)
    assert (read[:6], read[6:12], found.cells[12].base) == (places, turned, 4)
    captured = contents(game, found, game.parse_state("1.2/.3./b.a red 2"))
    assert [cell for cell in range(12) if captured[cell] != read[cell]] == [5, 11]
    assert captured[5] == captured[11] == 9


def test_pieces_have_the_symmetries_that_hold_in_random_positions_and_are_exchanged_with_those_of_the_same_number(
    board,
):
    _, found = board("einstein", size=3, side=2)  # the first position, with numbered stones, is not symmetric
    same, mirrored = found.symmetries
    assert same == tuple(range(13))
    assert mirrored == (*range(6, 12), *range(6), 12)
    assert found.colours.cells == (3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8, 12)
    mirror = found.colours.contents[0]
    assert all(mirror[mirror[place]] == place for place in range(10))
    assert (mirror[0], mirror[8], mirror[9]) == (8, 0, 9)  # corners, and no place


@pytest.mark.parametrize(
    ("name", "parameters", "symmetries", "exchanged"),
    [
        ("breakthrough", {"rows": 5, "columns": 4}, 2, True),
        ("connectfour", {"width": 5, "height": 4}, 2, True),
        ("domineering", {"rows": 4, "columns": 4}, 4, True),
        ("hex", {"size": 3}, 2, True),
        ("kalah", {"houses": 3}, 1, False),
        pytest.param("othello", {"size": 6}, 4, True, marks=pytest.mark.slow),
        ("tictactoe", {}, 8, True),
    ],
)
def test_the_symmetries_of_a_game_are_found(board, name, parameters, symmetries, exchanged):
    _, found = board(name, **parameters)
    assert (len(found.symmetries), found.colours is not None) == (symmetries, exchanged)


def test_a_game_whose_sides_play_by_different_rules_has_no_exchange_of_players():
    game = Harder()
    found = find_board(game, typed_words(game, [game.initial_state()]), survey(game, 1).states, 1)
    assert found.colours is None
    easier = find_board(Plain(), typed_words(Plain(), [game.initial_state()]), survey(Plain(), 1).states, 1)
    assert set(easier.colours.contents) == {(0, 2, 1)}


class Harder(Plain):
    """The same, but the second player may not play at the edge first."""

    def actions(self, state):
        found = super().actions(state)
        return [each for each in found if each] if state[-1] == MIN and len(found) > 1 else found


def test_rows_of_a_state_are_a_board():
    rows = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    found = places_by_shape((3, rows, 5))
    assert [found[number] for number in (1, 2, 5, 12)] == [(0, 0), (1, 0), (0, 1), (3, 2)]
    assert not {0, 13} & set(found)
