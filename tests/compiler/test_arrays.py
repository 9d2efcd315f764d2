"""Arrays of NumPy at machine speed: programs come to what NumPy comes to, or are left to Python."""

import array_programs
import pytest
from speeds import compile_for, compiled, interpreted, same

from ggp import compiler
from ggp.frozen_states import freeze, thaw

np = pytest.importorskip("numpy")
PROGRAMS, BATCH, MOST_REFUSED = 100, 10, 0.4


def disagreement(seed, dtype):
    """Return how the two speeds differ on a program; None if they do not, "refused" where it is not compiled."""
    program, rows = array_programs.made(seed, dtype), array_programs.inputs(seed, dtype)
    try:
        code = compile_for(program, rows)
    except compiler.Refused as refused:
        return "refused" if refused.line else f"refused without a line: {refused}"
    for row in rows:
        with np.errstate(all="ignore"):
            want, got = interpreted(program, row), compiled(code, row)
        if not same(want, got) and got.error != "Fault":
            return f"{row}: {want} interpreted, {got} compiled, in\n{array_programs.written(seed, dtype)}"
    return None


@pytest.mark.parametrize("dtype", ["int", "np.int8"])
@pytest.mark.parametrize("first", [pytest.param(each, marks=pytest.mark.slow) for each in range(0, PROGRAMS, BATCH)])
def test_both_speeds_agree_on_programs_of_arrays_made_at_random(first, dtype):
    found = [disagreement(seed, dtype) for seed in range(first, first + BATCH)]
    assert [each for each in found if each not in (None, "refused")] == []
    assert found.count("refused") <= MOST_REFUSED * BATCH


def agreed(function, *rows, fault=False):
    """Check that both speeds come to the same for all rows of arguments; whether machine code gives up on one."""
    code = compile_for(function, rows)
    found = [(interpreted(function, row), compiled(code, row)) for row in rows]
    assert all(same(*pair) or pair[1].error == "Fault" for pair in found), found
    assert any(pair[1].error == "Fault" for pair in found) == fault


def refused(function, row, sentence):
    with pytest.raises(compiler.Refused, match=sentence):
        compile_for(function, [row])


def test_what_is_written_to_a_view_is_seen_in_its_array():
    def program(state, place):
        board = thaw(state)
        board[place][1] = 5
        board[:, 2] += 1
        board.T[0, place] = 7
        np.fliplr(board)[place, 0] = 8
        row = board[place]
        row -= 1
        return freeze(board), freeze(row), int(board.ravel()[3])

    agreed(program, (freeze(np.arange(9).reshape(3, 3)), 0), (freeze(np.eye(3, dtype=int)), -1))


def test_a_row_and_a_column_are_values_of_one_variable():
    def winner(state, mark):
        board = thaw(state)
        lines = [board[i] for i in range(3)] + [board[:, i] for i in range(3)]
        lines += [board.diagonal(), np.fliplr(board).diagonal()]
        sums = [int(line.sum()) for line in lines]
        return sums, any((line == mark).all() for line in lines), lines[mark % 8].tolist()

    def changed(state, mark):
        board = thaw(state)
        line = board[:, 0] if mark > 2 else board[1]
        line[mark % 3] = 7
        line += 1
        line[1:][0] = 4
        line[::-1][0] = 8
        joined = np.concatenate([line, board[2]]).tolist(), np.vstack([line, board[0]]).tolist()
        return freeze(board), freeze(line), joined, int(line.argmax()), line[line > 2].tolist(), line.copy().tolist()

    def in_a_loop(state, mark):
        board = thaw(state)
        line = board[0]
        for place in range(mark):
            line = board[:, place % 3] if place % 2 else board[place % 3]
            line[place % 3] += place
        return freeze(board), line.tolist()

    rows = [(freeze(np.array([[1, 2, 3], [4, 5, 6], [7, 8, mark]])), mark) for mark in range(1, 6)]
    for program in (winner, changed, in_a_loop):
        agreed(program, *rows)


def test_ravel_and_reshape_give_a_view_where_numpy_does():
    def program(state, place):
        board = thaw(state)
        board[:, 0].reshape(3, 1)[place, 0] = 20
        board[:, 1].ravel()[place] = 30
        backwards, part = board[::-1, ::-1].reshape(9), board[:, :2].reshape(6)
        backwards[0], part[0] = 50, 60
        board[:, 0:1].reshape(-1)[1] = 70
        board.T.reshape(9)[place] = 80
        board[:, :2].reshape(3, 2, 1)[0, 0, 0] = 90
        board[1:2, 1:2].ravel()[0] = 33
        board[1:2].ravel()[0] = 44
        return freeze(board), backwards.tolist(), part.tolist()

    agreed(program, *[(freeze(np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])), place) for place in range(3)])


def test_a_new_shape_of_what_may_be_a_row_or_a_column_is_refused():
    def row(board, place):
        return board[:, 0] if place else board[0]

    state = freeze(np.arange(9).reshape(3, 3))
    sentence = r"of what may be a row or a column of an array of NumPy is not compiled"
    refused(lambda state, place: row(thaw(state), place).reshape(3, 1)[0, 0], (state, 1), rf"reshape\(...\) {sentence}")
    refused(lambda state, place: row(thaw(state), place).ravel()[0], (state, 1), rf"ravel\(\) {sentence}")


def test_a_copy_is_an_array_of_its_own():
    def program(state):
        board = thaw(state)
        others = [board.copy(), np.copy(board), board[:, :].copy(), board + 0, np.array(board)]
        flat = board.flatten()
        board[0, 0] = 9
        return tuple([int(each.max()) for each in others]), int(flat.max())

    agreed(program, (freeze(np.zeros((2, 2), dtype=int)),))


def test_parts_that_overlap_are_copied_at_once():
    def program(state):
        board = thaw(state)
        board[1:] = board[:-1]
        board[:, :-1] = board[:, 1:]
        return freeze(board)

    agreed(program, (freeze(np.arange(12).reshape(4, 3)),))


def test_a_number_that_does_not_fit_in_its_bits_is_left_to_numpy():
    def program(state, number):
        board = thaw(state)
        return int(board[0] + board[1]), int((board * 2)[0]), int(-board[1]), int(board[0] * number)

    small, large = (freeze(np.array(each, dtype=np.int8)) for each in ([3, 4], [100, -128]))
    agreed(program, (small, 2))
    agreed(program, (large, 1), fault=True)


def test_a_number_that_does_not_fit_into_an_array_is_left_to_numpy():
    def program(state, number):
        board = thaw(state)
        board[0] = number
        return freeze(board)

    agreed(program, (freeze(np.zeros(2, dtype=np.int16)), 40_000), fault=True)


def test_the_sum_of_few_bits_has_many():
    def program(state):
        board = thaw(state)
        return int(board.sum()), int(np.sum(board, axis=0)[0])

    agreed(program, (freeze(np.full((3, 3), 100, dtype=np.int8)),))


def test_a_division_by_zero_is_left_to_numpy():
    def program(state):
        board = thaw(state)
        return int(board[0] // board[1])

    with np.errstate(all="ignore"):
        agreed(program, (freeze(np.array([4, 2])),), (freeze(np.array([4, 0])),), fault=True)


def test_a_sum_of_floats_that_is_not_exact_is_left_to_numpy():
    def program(state):
        return float(thaw(state).sum())

    agreed(program, (freeze(np.ones(20)),))
    agreed(program, (freeze(np.full(20, 0.1)),), fault=True)


def test_an_index_out_of_range_is_an_error():
    def program(state, row, column):
        board = thaw(state)
        try:
            return int(board[row, column])
        except IndexError:
            return -99

    board = freeze(np.arange(6).reshape(2, 3))
    agreed(program, *[(board, row, column) for row in range(-3, 3) for column in range(-4, 4)])


def truth_as_identity(state):
    return (thaw(state)[0] == 1) is True


def truths_added(state):
    board = thaw(state)
    return int((board[0] == 1) + (board[1] == 1))


def truth_inverted(state):
    return bool(~(thaw(state)[0] == 1))


def kind_asked(state):
    return isinstance(thaw(state)[0], int)


def arrays_compared(state):
    return (thaw(state), 1) == (thaw(state), 1)


def truth_of_many(state):
    return bool(thaw(state) == 1)


def unsigned(state):
    return int(thaw(state).astype("uint8")[0])


REFUSED = {
    truth_as_identity: "`is` of a truth value",
    truths_added: "of two truth values",
    truth_inverted: "write not",
    kind_asked: "of a number is not compiled in a program with NumPy arrays",
    arrays_compared: "np.array_equal",
    truth_of_many: r"write .any\(\) or .all\(\)",
    unsigned: "of the kind .u1 is not compiled",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_where_numbers_of_numpy_differ_from_pythons_code_is_refused(function):
    refused(function, (freeze(np.array([1, 0, 1])),), REFUSED[function])


TABLE = np.array([[1, 2], [3, 4]])


def test_an_array_of_a_module_is_read_and_never_changed():
    def reads(number):
        return int(TABLE[number % 2].sum() + (TABLE * number)[1, 0]), int(TABLE[1][number % 2])

    def changes(number):
        TABLE[0, 0] = number
        return number

    agreed(reads, (1,), (2,))
    refused(changes, (1,), "is part of the game or of a module is changed")


def test_code_with_an_array_of_the_game_is_never_stale():
    class Weighted:
        name = "weighted"

        def __init__(self):
            self.weights = np.array([1, 2])

    game = Weighted()

    def worth(game, number):
        return int(game.weights[number])

    def said():
        code = compiler.compile(worth, game, compiler.INT)
        return code(code.variables(), 1)

    assert said() == 2
    game.weights[1] = 5
    assert said() == 5
